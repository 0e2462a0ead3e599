"""What a notebook shows: well-formed, the numbers of the object itself, and no more than one can read."""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from dynamics.shown.parts import MOST_ROWS, number
from dynamics.shown.recorded import plot
from dynamics.shown.solved import without_rounding

MACHINES = "puma560", "two_arms_and_box", "two_arm_flyer", "one_arm_by_a_point"


def tree_of(shown: Any) -> ElementTree.Element:
    return ElementTree.fromstring(shown._repr_html_())


def rows_of(table: ElementTree.Element) -> list[list[str]]:
    return [["".join(cell.itertext()) for cell in row] for row in table.findall("tbody/tr")]


def test_a_system_is_shown_as_its_tree() -> None:
    for name in MACHINES:
        system = dyn.example(name)[0]
        rows = rows_of(tree_of(system).find("table"))
        assert sorted(row[0].strip() for row in rows) == sorted(system.link_names)
        place = {row[0].strip(): at for at, row in enumerate(rows)}
        masses = {row[0].strip(): row[2] for row in rows}
        for k, link in enumerate(system.link_names):
            assert masses[link] == number(system.link_models[k].mass)
            if system.inboard[k] >= 0:
                assert place[link] > place[system.link_names[system.inboard[k]]]
        assert sum("tip" in row[3] for row in rows) == len({tip.link for tip in system.tips})
        assert sum("holds" in row[3] for row in rows) == len({contact.link for contact in system.contacts})
        robot = system.robots[0]
        assert len(rows_of(tree_of(robot).find("table"))) == len(robot.links) + 1


@pytest.mark.compiled_only
def test_a_solution_is_shown_as_its_stages() -> None:
    for name in MACHINES:
        system, state = dyn.example(name)[:2]
        solution = dyn.forward_dynamics(system, state)
        shown = tree_of(solution)
        rows = rows_of(shown.find("table"))
        assert [row[0] for row in rows] == list(system.joint_names)
        told = [row[-1] for row in rows]
        assert told == [number(value) for value in without_rounding(solution.joint_acceleration).tolist()]
        stages = shown.findall("details")
        assert [part.find("summary/code").text for part in stages] == list(solution.stages)
        for part, (stage, quantities) in zip(stages, solution.stages.items(), strict=True):
            cells = rows_of(part.find("table"))
            assert [row[1] for row in cells] == [dyn.registry[stage, name].mechanics_name for name in quantities]
            assert [row[4] for row in cells] == [
                number(np.abs(array).max(initial=0.0)) for array in quantities.values()
            ]


@pytest.mark.compiled_only
def test_another_method_has_no_stages_to_show() -> None:
    system, state = dyn.example("puma560")[:2]
    shown = tree_of(dyn.forward_dynamics(system, state, method="kkt"))
    assert not shown.findall("details")
    assert "method kkt" in "".join(shown.itertext())


@pytest.mark.compiled_only
def test_a_recording_is_shown_as_plots() -> None:
    system, state = dyn.example("two_arms_and_box")[:2]
    recording = dyn.simulate(system, state, duration=0.2, events=[dyn.Release(0.1)])
    shown = tree_of(recording)
    words = "".join(shown.itertext())
    assert "0.2 s" in words
    assert "0.1 s" in words
    plots = shown.findall(".//svg")
    assert len(plots) == 4
    lines = plots[0].findall("polyline")
    assert [line.find("title").text for line in lines] == list(system.joint_names)
    heights = np.array([[point.split(",")[1] for point in line.get("points").split()] for line in lines], float)
    rising = recording.x[-1, :14] - recording.x[0, :14]
    moved = np.abs(rising) > 0.02 * np.ptp(recording.x[:, :14])
    assert moved.any()
    assert (np.sign(heights[moved, 0] - heights[moved, -1]) == np.sign(rising[moved])).all()


def test_a_large_table_is_cut_and_says_how_many_rows_are_left_out() -> None:
    chain = dyn.single_arm(dyn.planar_chain(MOST_ROWS + 50))
    text = chain._repr_html_()
    assert text.count("<tr>") == MOST_ROWS + 1
    assert "… and 50 more" in text
    times = np.linspace(0.0, 1.0, 100_000)
    assert len(plot("x", times, np.sin(times)[:, None], ["one"])) < 10_000


def test_names_of_a_file_are_no_markup_and_constant_lines_are_drawn() -> None:
    robot = dyn.planar_chain(2)
    text = dyn.load_urdf_text(
        "<robot name='&lt;b&gt;'><link name='a'/><link name='&lt;script&gt;'><inertial><mass value='1'/>"
        "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        "<joint name='j' type='continuous'><parent link='a'/><child link='&lt;script&gt;'/></joint></robot>"
    )._repr_html_()
    assert "<script>" not in text
    assert "<script>" in html.unescape(text)
    assert robot._repr_html_() != text
    large = plot("x", np.array([0.0, 1.0]), np.full((2, 1), -1e17), ["one"])
    assert "nan" not in large
    flat = plot("<b>", np.array([0.0, 1.0]), np.zeros((2, 1)), ["<i>"])
    assert not re.search(r"<[bi]>|nan|inf", flat)


def test_a_state_has_no_table() -> None:
    assert dyn.example("puma560")[1]._repr_html_() is None


@pytest.mark.compiled_only
def test_a_report_is_shown_as_its_findings() -> None:
    text = "<robot name='r'><link name='a&lt;b'/><link name='b'><inertial><mass value='-1'/></inertial></link></robot>"
    report = dyn.robot_report(text.encode(), "r.urdf")
    rows = rows_of(tree_of(report).find("table"))
    assert [row[2] for row in rows] == [finding.words for finding in report.findings]
    assert [row[0] for row in rows] == [finding.weight for finding in report.findings]
    assert all(f"line {finding.line}" in row[1] for row, finding in zip(rows, report.findings, strict=True))
    empty = dyn.robot_report(dyn.urdf_text(dyn.load("duaro_scara")).encode(), "arm.urdf")
    assert ("nothing to tell" in "".join(tree_of(empty).itertext())) is (not empty.findings)


@pytest.mark.compiled_only
def test_a_comparison_is_shown_as_its_stages() -> None:
    system, state = dyn.example("planar_chain")[:2]
    solution = dyn.forward_dynamics(system, state)
    theirs = np.array(solution.stages["filter"]["joint_inertia"])
    theirs[1] *= 1.5
    comparison = dyn.compare(system, state, {"D": theirs, "theta_dd": solution.joint_acceleration})
    shown = tree_of(comparison)
    rows = rows_of(shown.find("table"))
    assert [(row[0], row[3] == "agrees") for row in rows] == [(each.name, each.agrees) for each in comparison.stages]
    assert all(words in "".join(shown.itertext()) for words in comparison.difference_in_words)
