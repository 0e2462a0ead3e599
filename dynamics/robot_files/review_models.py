"""A MuJoCo model, reviewed as the URDF of its compiled robot; its remedies are words and numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from dynamics.robot.model import Geometry, Link, Robot
from dynamics.robot_files.mjcf_compiled import CompiledModel
from dynamics.robot_files.mjcf_elements import MjcfElements, every, in_body, settings_of
from dynamics.robot_files.review_bodies import DENSEST, bodies
from dynamics.robot_files.review_draft import Finding, changes, drafted, edited
from dynamics.robot_files.review_elements import units
from dynamics.robot_files.urdf_written import urdf_text
from dynamics.robot_files.xml import Element, read_xml

FULL_TURN = 2.0 * math.pi + 0.1
"""The limits of nearly all revolute joints, if written in radians, are within this."""
ANGLES = {"euler": 0, "axisangle": 3, "ref": 0, "springref": 0}
"""Index of the first angle among the numbers of an attribute."""
OF_MASS = "absurd density", "absurd mass"
MARK_M = 0.005
"""Anything drawn smaller is a marker, and says nothing about a body's size."""
NAMED = re.compile(r"^(link|joint) '(.*)'$")


def of_model(
    whole: Element, kept: MjcfElements, model: CompiledModel, robot: Robot, folder: Path | None
) -> Iterator[Finding]:
    """Doubtful values in a model that MuJoCo accepts: lengths, masses, mass centres, inertias, limits.

    ``whole`` is the model with its includes; ``kept`` has the positions of its bodies and joints in the text.
    """
    yield from _in_radians(whole, kept, robot)
    geoms = [
        (each.get("name") or "", [one.tag for one in in_body(each)]) for each in every(kept.root) if each.tag == "body"
    ]
    of_geoms = {name for name, tags in geoms if "geom" in tags}
    inferred = {name for name, tags in geoms if "geom" in tags and "inertial" not in tags}
    inferring = of_geoms if settings_of(whole).get("inertiafromgeom") == "true" else inferred
    draft = drafted(read_xml(urdf_text(_as_reviewed(robot, model, inferring)).encode(), "its URDF")[0])
    found = list(units(draft, folder))
    mended = edited(draft, [edit for each in found for edit in each.edits])
    judged = list(bodies(mended, folder))
    lines = zip([*found, *judged], changes(draft, [each.edits for each in [*found, *judged]]), strict=True)
    for each, numbers in lines:
        tag, name = m.groups() if (m := NAMED.match(each.where)) else ("", "")
        if name not in inferring or tag == "joint" or (each.kind in OF_MASS and not found):
            yield _placed(replace(each, edits=(), changes=numbers), kept)
    for name in sorted(inferred):
        words = "has no <inertial>: MuJoCo infers it from its geoms"
        yield _placed(Finding("inferred inertia", "note", 0, f"link '{name}'", words), kept)


def place(words: str) -> tuple[int, str]:
    """The line that a message refers to, and its file, if that is an included one."""
    found = LINE.search(words)
    return (int(found[1]), (found[2] or "")[1:-1]) if found else (0, "")


LINE = re.compile(r"\bline ([0-9]{1,9})(?: of ('[^']*'|\"[^\"]*\"))?")
"""The format of ``place_of``."""


def _placed(finding: Finding, kept: MjcfElements) -> Finding:
    """A finding about a link, restated for its body, with its line."""
    found = NAMED.match(finding.where)
    tag, name = found.groups() if found else ("", "")
    tag = "body" if tag == "link" else tag
    line, file = place(kept.places.get((tag, name), ""))
    return replace(finding, line=line, file=file, where=f"{tag} '{name}'" if tag else "")


def _as_reviewed(robot: Robot, model: CompiledModel, inferring: set[str]) -> Robot:
    """The robot without shapes of links that are only partly drawn, without markers, and at its scene's origin.

    A massless shape is a marker if other shapes can hold the body's mass by themselves.
    """
    within: dict[int, set[str]] = {}
    for name, frame in robot.frames.items():
        within.setdefault(frame.link, set()).add(name)

    def reviewed(k: int, link: Link) -> Link:
        names = {link.name} | within.get(k, set())
        in_part = names & model.undrawn or names & inferring & model.hidden
        shapes = [shape for shape in link.geometry if shape.kind == "mesh" or max(shape.size) > MARK_M]
        marks = {(kind, size) for name, kind, size in model.marks if name in names and kind != "mesh"}
        weighed = [shape for shape in shapes if (shape.kind, shape.size) not in marks]
        if any(shape.kind == "mesh" for shape in weighed) or link.mass < DENSEST * sum(map(_volume, weighed)):
            shapes = weighed
        return replace(link, geometry=() if in_part else tuple(shapes))

    n, joints = len(robot.links), list(robot.joints)
    for k, inner in enumerate(robot.inboard):
        if inner == n and robot.root.mass == 0.0:  # its offset from the origin says nothing about the robot's lengths
            origin = joints[k].origin.copy()
            origin[:3, 3] = 0.0
            joints[k] = replace(joints[k], origin=origin)
    links = tuple(reviewed(k, link) for k, link in enumerate(robot.links))
    bare = replace(robot, links=links, root=reviewed(n, robot.root), joints=tuple(joints), loops=(), home={})
    return replace(bare, frames={}, tips=(), title="")


def _volume(shape: Geometry) -> float:
    """m³; not for meshes."""
    a, *others = shape.size
    if shape.kind == "box":
        return float(np.prod(shape.size))
    ball = 4.0 / 3.0 * math.pi * a**3 if shape.kind != "cylinder" else 0.0
    return ball + math.pi * a**2 * sum(others)


def _in_radians(whole: Element, kept: MjcfElements, robot: Robot) -> Iterator[Finding]:
    """Limits of a model that states no units, so that they are degrees, if all of them look like radians."""
    stops = [j for j in robot.joints if j.kind == "revolute" and np.isfinite([j.lower, j.upper]).all()]
    is_small = all(max(abs(j.lower), abs(j.upper)) <= math.radians(FULL_TURN) for j in stops)
    if not stops or "angle" in settings_of(whole) or not is_small or any(map(_is_in_degrees, every(whole))):
        return
    lower, upper = math.degrees(stops[-1].lower), math.degrees(stops[-1].upper)
    words = f"its limits, {lower:.4g} to {upper:.4g} degrees, and all others look like radians"
    finding = Finding(
        "limits in radians", "doubtful", 0, f"joint '{stops[-1].name}'", words, '<compiler angle="radian"/>'
    )
    yield _placed(finding, kept)


def _is_in_degrees(element: Element) -> bool:
    """Whether one of its angles cannot be in radians."""
    for name, first in ANGLES.items() if element.get("type") != "slide" else ():
        try:
            values = [float(text) for text in (element.get(name) or "").split()][first:]
        except ValueError:
            continue
        if any(abs(value) > FULL_TURN for value in values):
            return True
    return False
