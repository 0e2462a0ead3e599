"""What *Model* lists of a machine is what the machine is made of."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import dynamics as dyn
from app.motion.presets import PRESETS
from app.state import Session
from app.upload.parts_list import MOST_ROWS, parts_html


def columns(table: str) -> list[list[str]]:
    return [re.findall("<td[^>]*>(.*?)</td>", row) for row in re.findall("<tr>(.*?)</tr>", table)][1:]


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_link_stands_there_with_its_mass(preset: str) -> None:
    """A robot that is there twice is listed once."""
    system = Session(preset).run.actuation.system
    tables = parts_html(system).split("<h3>")[1:]
    rows = [row for table in tables for row in columns(table)]
    names = {link.name for robot in system.robots for link in robot.links}
    roots = {robot.root.name for robot, floats in zip(system.robots, system.floating, strict=True) if floats}
    assert {row[0] for row in rows if len(row) > 1} == names | roots
    times = [int(found[1]) if (found := re.match("([0-9]+) × ", table)) else 1 for table in tables]
    told = [re.search("joints?, ([0-9.e−]+)\u00a0kg, ", table) for table in tables]
    weight = sum(n * float(found[1]) for n, found in zip(times, told, strict=True) if found)
    assert weight == pytest.approx(sum(link.mass for link in system.link_models), rel=1e-3)


def test_what_was_changed_is_what_is_listed() -> None:
    session = Session("two_arms_and_box")
    before = parts_html(session.run.actuation.system)
    assert before.startswith("<h3>2 × "), "arms that are alike"
    session.set_body_mass(0, 7.25)
    after = parts_html(session.run.actuation.system)
    assert "7.25" in after
    assert "2 ×" not in after, "one of them is heavier now"
    session.set_body_mass(session.run.actuation.system.n_links, 3.125)
    assert "3.125\u00a0kg" in parts_html(session.run.actuation.system).split("Object")[1]


def test_a_long_robot_with_a_hostile_name() -> None:
    robot = dyn.planar_chain(MOST_ROWS + 7)
    named = replace(robot, title="<img src=x onerror=alert(1)>")
    table = parts_html(dyn.single_arm(named))
    assert "<img" not in table
    assert "&lt;img" in table
    assert "and 7 more" in table
    assert len(columns(table)) == MOST_ROWS + 1


def test_what_was_not_understood_of_a_file_stays_at_hand() -> None:
    inertia = "<mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
    text = (
        f"<robot name='r'><link name='base'/><link name='a'><inertail>{inertia}</inertail></link><link name='b'>"
        f"<inertial>{inertia}</inertial></link><joint name='j' type='continuous'><parent link='base'/><child link='a'/>"
        "</joint><joint name='i' type='continuous'><parent link='a'/><child link='b'/><origin xyz='0 1 0'/></joint></robot>"
    )
    with pytest.warns(UserWarning, match="weighs nothing"):
        system = dyn.single_arm(dyn.load_urdf_text(text, "r.urdf"))
    listed = parts_html(system)
    assert "<h3>Not understood of its file</h3>" in listed
    assert "line 1: &lt;inertail&gt; in &lt;link&gt; is unknown" in listed
    assert "weighs nothing. If &lt;inertial&gt; is meant" in listed
