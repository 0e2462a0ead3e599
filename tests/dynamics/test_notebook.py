"""What a notebook shows: well-formed, the numbers of the object itself, and no more than one can read."""

import html
import re
import xml.etree.ElementTree as ElementTree
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from dynamics.notebook import digits, page, plot, without_rounding

MACHINES = "puma560", "two_arms_and_box", "two_arm_flyer", "one_arm_by_a_point"


def tree_of(shown: Any) -> ElementTree.Element:
    return ElementTree.fromstring(shown._repr_html_())


def rows_of(table: ElementTree.Element) -> list[list[str]]:
    return [["".join(cell.itertext()) for cell in row] for row in table.findall("tbody/tr")]


@pytest.mark.compiled_only
def test_a_solution_is_shown_as_its_stages() -> None:
    for name in MACHINES:
        system, state = dyn.example(name)[:2]
        solution = dyn.forward_dynamics(system, state)
        shown = tree_of(solution)
        rows = rows_of(shown.find("table"))
        assert [row[0] for row in rows] == list(system.joint_names)
        last = [row[-1] for row in rows]
        assert last == [digits(value) for value in without_rounding(solution.joint_acceleration).tolist()]
        stages = shown.findall("details")
        assert [part.find("summary/code").text for part in stages] == list(solution.stages)
        for part, (stage, quantities) in zip(stages, solution.stages.items(), strict=True):
            cells = rows_of(part.find("table"))
            assert [row[1] for row in cells] == [dyn.registry[stage, name].mechanics_name for name in quantities]
            assert [row[4] for row in cells] == [digits(np.abs(x).max(initial=0.0)) for x in quantities.values()]


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
    flat = plot("<u>", np.array([0.0, 1.0]), np.zeros((2, 1)), ["<i>"])
    assert not re.search(r"<[ui]>|nan|inf", page("A run", (), plots=(large, flat)))
