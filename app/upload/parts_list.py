"""The machine that is shown, part by part: what its file says, with what has been changed since."""

from __future__ import annotations

import html
import math
from itertools import groupby

import dynamics as dyn
from app.number_text import number_text

MOST_ROWS = 40
"""Of one robot; a longer one says how many are left out."""
UNITS = {"revolute": "N\u00a0m", "prismatic": "N"}

HEAD = (
    "<th scope='col'>link</th><th scope='col'>its joint</th><th scope='col' style='text-align: right'>mass, kg</th>"
    "<th scope='col' style='text-align: right'>largest torque</th>"
)


def parts_html(system: dyn.System) -> str:
    """Every robot with its links from the tip inward, and the object; robots that are alike stand there once."""
    tables = [_robot(robot, floats) for robot, floats in zip(system.robots, system.floating, strict=True)]
    found = ""
    for (name, table), alike in groupby(tables):
        count = len(list(alike))
        found += f"<h3>{f'{count} × ' if count > 1 else ''}{html.escape(name)}</h3>{table}"
    remarks = dict.fromkeys(remark for robot in system.robots for remark in robot.remarks)
    if remarks:
        rows = "".join(f"<li>{html.escape(remark)}</li>" for remark in remarks)
        found = f"<h3>What was done with its file</h3><ul class='remarks'>{rows}</ul>{found}"
    thing = system.task_object
    if thing is not None:
        found += f"<h3>Object</h3><p>{number_text(thing.mass)}\u00a0kg</p>"
    return found


def _robot(robot: dyn.Robot, floats: bool) -> tuple[str, str]:
    """Its name, and its table."""
    bodies = [*robot.links, *([robot.root] if floats else [])]
    mass = number_text(sum(link.mass for link in bodies))
    where = "floating" if floats else "bolted down"
    count = f"{len(robot.joints)} joint{'s' if len(robot.joints) != 1 else ''}"
    rows = ""
    for link, joint in zip(robot.links[:MOST_ROWS], robot.joints, strict=False):
        effort = f"{number_text(joint.effort)}\u00a0{UNITS[joint.kind]}" if math.isfinite(joint.effort) else "–"
        rows += (
            f"<tr><td class='name'>{html.escape(link.name)}</td>"
            f"<td class='name'>{html.escape(joint.name)}, {joint.kind}</td>"
            f"<td class='number'>{number_text(link.mass)}</td><td class='number'>{effort}</td></tr>"
        )
    more = len(robot.links) - MOST_ROWS
    if more > 0:
        rows += f"<tr><td colspan='4'>and {more} more</td></tr>"
    elif floats:
        weight = f"<td class='number'>{number_text(robot.root.mass)}</td>"
        rows += f"<tr><td class='name'>{html.escape(robot.root.name)}</td><td>floats</td>{weight}<td></td></tr>"
    table = f"<table class='numbers'><tr>{HEAD}</tr>{rows}</table>"
    return robot.title or robot.name, f"<p>{count}, {mass}\u00a0kg, {where}.</p>{table}"
