"""Numbers of a URDF that look like millimetres or degrees."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from dynamics.review.draft import Draft, Edit, Finding
from dynamics.review.extent import scale_of, shown
from dynamics.review.structure import title_of

FARTHEST, LARGEST_SHAPE = 10.0, 20.0
"""m, the largest distance from a joint to the next, and size of a link, in a robot."""
FAR = 1.0
"""m: if most joints are this far from their parents, the whole file is in millimetres."""
SIZED = ("origin", "box", "cylinder", "sphere")
MOST_TURNED = 2.0 * math.pi + 0.1
"""rad, largest angle between two frames."""
LAST_STOP, WIDEST = 4.0 * math.pi + 0.1, 720.0
"""rad, largest joint limit; degrees, largest limit that does not mean unlimited."""
LIKE = 1.5
"""Two joints' numbers within this factor are alike."""
PER_MILLIMETER, PER_DEGREE = 1e-3, math.pi / 180.0
ROUND = 12
"""Digits to which a number times 0.001 is rounded, so that it is written naturally."""


def units(robot: Draft, folder: Path | None) -> Iterator[Finding]:
    """Every fault of this kind."""
    yield from _lengths(robot)
    yield from _turns(robot)
    yield from _in_degrees(robot)
    for link in robot.all("link"):
        yield from _mesh(link, folder)


def _lengths(robot: Draft) -> Iterator[Finding]:
    """Millimetres in the whole file if most lengths look so; otherwise in single joints."""
    far = {
        joint.number: (float(np.linalg.norm(xyz)), joint)
        for joint in robot.all("joint")
        if (origin := joint.first("origin")) is not None and (xyz := origin.numbers("xyz", 3)) is not None and xyz.any()
    }
    too_far = [(distance, joint) for distance, joint in far.values() if distance > FARTHEST]
    everywhere = sum(distance > FAR for distance, _ in far.values()) > 0.5 * len(far)
    for distance, joint in too_far[: 1 if everywhere else None]:
        parts = [each for each in (robot if everywhere else joint).every() if each.tag in SIZED]
        edits = [edit for each in parts for edit in scaled(each, ("xyz", "size", "radius", "length"), PER_MILLIMETER)]
        for slide in robot.all("joint") if everywhere else ():
            if slide.get("type") == "prismatic" and (limit := slide.first("limit")) is not None:
                edits += scaled(limit, ("lower", "upper"), PER_MILLIMETER)
        words = f"is {distance:g} m from its parent's frame, which looks like millimetres"
        remedy = "every length of the file times 0.001" if everywhere else "this distance times 0.001"
        yield Finding("millimetres", "doubtful", joint.line, title_of(joint), words, remedy, tuple(edits))


def _turns(robot: Draft) -> Iterator[Finding]:
    origins = [each for each in robot.every() if each.tag == "origin" and each.numbers("rpy", 3) is not None]
    turned = [each for each in origins if np.abs(each.numbers("rpy", 3)).max() > MOST_TURNED]  # type: ignore[arg-type]
    if not turned:
        return
    edits = tuple(edit for each in turned for edit in scaled(each, ("rpy",), PER_DEGREE))
    words = f'rpy="{turned[0].get("rpy")}" looks like degrees'
    remedy = "every rpy of more than a turn, from degrees to rad"
    yield Finding("degrees", "doubtful", turned[0].line, "<origin>", words, remedy, edits)


def _in_degrees(robot: Draft) -> Iterator[Finding]:
    """Limits in degrees: converted to radians, they resemble those of another joint of the robot.

    If limits of several joints differ and look like degrees, they confirm each other.
    """
    turning = [joint for joint in robot.all("joint") if joint.get("type") == "revolute"]
    stops = [(each, limit, _largest(limit)) for each in turning if (limit := each.first("limit")) is not None]
    wide = {stop for *_, stop in stops if LAST_STOP < stop <= WIDEST}
    for joint, limit, stop in stops:
        meant = stop * PER_DEGREE
        is_shown = any(meant / LIKE < other < meant * LIKE for *_, other in stops if other <= LAST_STOP)
        if stop in wide and (len(wide) > 1 or is_shown):
            ends = " to ".join(limit.attributes[name] for name in ("lower", "upper") if name in limit.attributes)
            yield Finding("limits in degrees", "doubtful", limit.line, title_of(joint), f"its limits, {ends} rad, "
                          "look like degrees", "its limits from degrees to rad",
                          tuple(scaled(limit, ("lower", "upper"), PER_DEGREE)))  # fmt: skip


def _largest(limit: Draft) -> float:
    """The largest limit, 0 if there is none."""
    ends = (limit.numbers(name, 1) for name in ("lower", "upper"))
    return max((abs(float(end[0])) for end in ends if end is not None), default=0.0)


def _mesh(link: Draft, folder: Path | None) -> Iterator[Finding]:
    meshes = [each for each in link.every() if each.tag == "mesh"]
    solid = shown(link, folder) if meshes else None
    if solid is not None and solid.size > LARGEST_SHAPE:
        edits = [mesh.set("scale", *(PER_MILLIMETER * scale_of(mesh))) for mesh in meshes]
        words = f"its mesh is {solid.size:.3g} m large, which looks like millimetres"
        yield Finding("mesh in millimetres", "doubtful", meshes[0].line, title_of(link), words, "its scale times 0.001",
                      tuple(edits))  # fmt: skip


def scaled(draft: Draft, attributes: Iterable[str], by: float) -> Iterator[Edit]:
    """Numbers of an element times a factor."""
    for attribute in attributes:
        count = 3 if attribute in ("xyz", "rpy", "size") else 1
        values = draft.numbers(attribute, count)
        if values is not None:
            yield draft.set(attribute, *np.round(values * by, ROUND if by == PER_MILLIMETER else 16))
