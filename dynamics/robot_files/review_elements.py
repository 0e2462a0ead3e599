"""Faults of a URDF's elements: references, numbers with commas, millimetres and degrees, limits of joints."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from dynamics.checks import brief
from dynamics.robot_files.review_draft import Draft, Edit, Finding, Weight, numbers_of
from dynamics.robot_files.review_extent import scale_of, shown
from dynamics.robot_files.urdf_elements import LONGEST, MOST_UNKNOWN, NUMBERS

SIMILAR = 0.6
"""Similarity from which a name is taken for a misspelling of another."""
MOST_LINKS, LONGEST_NAME = 150, 40
"""Limits on the names with which an unknown one is compared."""
MEANT = {"commas between numbers": (re.compile(r"\s*[,;]\s*"), " "), "decimal comma": (re.compile(","), ".")}
READ = ("box", "mesh")
"""Elements whose numbers may also be separated by commas."""


def references(robot: Draft) -> Iterator[Finding]:
    """Joints between links that do not exist; a link without a name, or with another's, comes first."""
    links = {each.name for each in robot.all("link")}
    if "" in links or len(links) < len(robot.all("link")):
        return
    near_by = {name[:LONGEST_NAME]: name for name in sorted(links)[:MOST_LINKS]}
    guesses = iter(range(MOST_UNKNOWN))  # only so many unknown names are compared with known ones
    for joint in robot.all("joint"):
        for end in ("parent", "child"):
            element = joint.first(end)
            if element is None or (name := element.get("link") or "") in links:
                continue
            tried = near_by if next(guesses, None) is not None else {}
            near = near_by.get(next(iter(difflib.get_close_matches(name[:LONGEST_NAME], tried, 1, SIMILAR)), ""), "")
            words, edits = f"its {end} {brief(name)} is not a link", (element.set("link", near),) if near else ()
            yield Finding("unknown link", "wrong", element.line, joint.title, words, near and repr(near), edits)


def numbers(robot: Draft) -> Iterator[Finding]:
    """Numbers written with commas; whatever else is no number the reader refuses."""
    for each in robot.known():
        for attribute, text in each.attributes.items():
            counts, _ = NUMBERS.get((each.tag, attribute), ((), False))
            if not counts or len(text) > LONGEST or _is_read(text, counts):
                continue
            tried = {kind: comma.sub(by, text).strip() for kind, (comma, by) in MEANT.items()}
            if kind := next((kind for kind in tried if _is_read(tried[kind], counts)), ""):
                weight: Weight = "note" if kind == "commas between numbers" and each.tag in READ else "wrong"
                count = f"{counts[-1]} finite number{'s' if counts[-1] > 1 else ''}"
                words, edit = f'{attribute}="{brief(text)[1:-1]}" is not {count}', each.set(attribute, tried[kind])
                yield Finding(kind, weight, each.line, each.title, words, f'{attribute}="{tried[kind]}"', (edit,))


def _is_read(text: str, counts: tuple[int, ...]) -> bool:
    return any(numbers_of(text, count) is not None for count in counts)


def limits(robot: Draft) -> Iterator[Finding]:
    """Impossible limits of joints."""
    for joint in robot.all("joint"):
        limit = joint.first("limit") if joint.get("type") in ("revolute", "prismatic") else None
        ends = [] if limit is None else [limit.numbers(name, 1) for name in ("lower", "upper")]
        if limit is None or any(end is None for end in ends):
            continue
        low, high = (float(end[0]) for end in ends if end is not None)
        if low > high:
            words, edits = f"its limits are {low:g} to {high:g}", (limit.set("lower", high), limit.set("upper", low))
            yield Finding("limits the wrong way", "wrong", limit.line, joint.title, words, "exchanged", edits)
        elif low == high:
            words = f"its limits are both {low:g}: it cannot move"
            yield Finding("no room", "doubtful", limit.line, joint.title, words)


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
    """Numbers that look like millimetres or degrees."""
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
        yield Finding("millimetres", "doubtful", joint.line, joint.title, words, remedy, tuple(edits))


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
            yield Finding("limits in degrees", "doubtful", limit.line, joint.title, f"its limits, {ends} rad, "
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
        yield Finding("mesh in millimetres", "doubtful", meshes[0].line, link.title, words, "its scale times 0.001",
                      tuple(edits))  # fmt: skip


def scaled(draft: Draft, attributes: Iterable[str], by: float) -> Iterator[Edit]:
    """Numbers of an element times a factor."""
    for attribute in attributes:
        count = 3 if attribute in ("xyz", "rpy", "size") else 1
        values = draft.numbers(attribute, count)
        if values is not None:
            yield draft.set(attribute, *np.round(values * by, ROUND if by == PER_MILLIMETER else 16))
