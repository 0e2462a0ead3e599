"""Numbers of a URDF that look like millimetres or degrees."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from dynamics.review.draft import Draft, Edit
from dynamics.review.extent import BEYOND, extent_of, reach_of
from dynamics.review.finding import Finding
from dynamics.review.structure import title_of

FARTHEST, LARGEST_SHAPE = 10.0, 20.0
"""m, from a joint to the next, and of a link: what is farther or larger is no robot's."""
FAR = 1.0
"""m: where most joints are so far from their parents, all of the file is in millimetres."""
SIZED = ("origin", "box", "cylinder", "sphere")
STROKE = 15.0
"""m: objects and carriages slide so far where nothing is meant to stop them."""
MOST_TURNED = 2.0 * math.pi + 0.1
"""rad, of an angle between two frames."""
LAST_STOP = 4.0 * math.pi + 0.1
"""rad, of a joint's limit."""
FASTEST, ROUND_RATES = 50.0, (100.0, 1000.0, 10_000.0)
"""rad/s, of a joint of a robot; and what is written where nobody knows."""
PER_MILLIMETER, PER_DEGREE = 1e-3, math.pi / 180.0
ROUND = 12
"""Digits after which a number times 0.001 is written as one would."""


def units(robot: Draft, folder: Path | None) -> Iterator[Finding]:
    """Every fault of this kind."""
    yield from _lengths(robot)
    yield from _turns(robot)
    yield from _rates(robot)
    reach = reach_of(robot)
    for joint in robot.all("joint"):
        yield from _stops(joint)
        yield from _slides(joint, reach)
    for link in robot.all("link"):
        yield from _mesh(link, folder)


def _lengths(robot: Draft) -> Iterator[Finding]:
    """Of the whole file where most are so; else of that joint."""
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
    edits = tuple(edit for each in origins for edit in scaled(each, ("rpy",), PER_DEGREE))
    words = f'rpy="{turned[0].get("rpy")}" looks like degrees'
    yield Finding("degrees", "doubtful", turned[0].line, "<origin>", words, "every rpy of the file from degrees to rad",
                  edits)  # fmt: skip


def _stops(joint: Draft) -> Iterator[Finding]:
    limit = joint.first("limit")
    if limit is None or joint.get("type") != "revolute":
        return
    ends = [end for name in ("lower", "upper") if (end := limit.numbers(name, 1)) is not None]
    if ends and max(abs(float(end[0])) for end in ends) > LAST_STOP:
        told = " to ".join(f"{float(end[0]):g}" for end in ends)
        yield Finding("limits in degrees", "doubtful", limit.line, title_of(joint), f"its limits, {told} rad, look "
                      "like degrees", "its limits from degrees to rad",
                      tuple(scaled(limit, ("lower", "upper"), PER_DEGREE)))  # fmt: skip


def _rates(robot: Draft) -> Iterator[Finding]:
    """Of a file whose other joints turn as robots' do, or turn through limits in degrees."""
    rates = {
        joint.number: (float(found[0]), limit, joint)
        for joint in robot.all("joint")
        if joint.get("type") in ("revolute", "continuous")
        and (limit := joint.first("limit")) is not None
        and (found := limit.numbers("velocity", 1)) is not None
    }
    plausible = [rate for rate, _, _ in rates.values() if 0.0 < rate <= FASTEST]
    for rate, limit, joint in rates.values():
        is_degrees = FASTEST < rate <= FASTEST / PER_DEGREE and rate not in ROUND_RATES
        if is_degrees and (2 * len(plausible) >= len(rates) - 1 > 0 or any(_stops(joint))):
            words = f"its velocity, {rate:g} rad/s, looks like degrees"
            edits = tuple(scaled(limit, ("velocity",), PER_DEGREE))
            remedy = f"{rate * PER_DEGREE:.4g} rad/s"
            yield Finding("velocity in degrees", "doubtful", limit.line, title_of(joint), words, remedy, edits)


def _slides(joint: Draft, reach: float) -> Iterator[Finding]:
    """Of a file that is in metres otherwise."""
    limit = joint.first("limit")
    if limit is None or joint.get("type") != "prismatic":
        return
    ends = [float(end[0]) for name in ("lower", "upper") if (end := limit.numbers(name, 1)) is not None]
    if ends and max(map(abs, ends)) > max(STROKE, BEYOND * reach):
        words = f"its limits, {' to '.join(f'{end:g}' for end in ends)} m, look like millimetres"
        edits = tuple(scaled(limit, ("lower", "upper"), PER_MILLIMETER))
        yield Finding("limits in millimetres", "doubtful", limit.line, title_of(joint), words,
                      "its limits times 0.001", edits)  # fmt: skip


def _mesh(link: Draft, folder: Path | None) -> Iterator[Finding]:
    meshes = [each for each in link.every() if each.tag == "mesh"]
    extent = extent_of(link, folder) if meshes else None
    if extent is not None and extent.size > LARGEST_SHAPE:
        edits = []
        for mesh in meshes:
            scale = mesh.numbers("scale", 3)
            edits.append(mesh.set("scale", *(PER_MILLIMETER * (np.ones(3) if scale is None else scale))))
        words = f"its mesh is {extent.size:.3g} m large, which looks like millimetres"
        yield Finding("mesh in millimetres", "doubtful", meshes[0].line, title_of(link), words, "its scale times 0.001",
                      tuple(edits))  # fmt: skip


def scaled(draft: Draft, attributes: Iterable[str], by: float) -> Iterator[Edit]:
    """Numbers of an element times a factor."""
    for attribute in attributes:
        count = 3 if attribute in ("xyz", "rpy", "size") else 1
        values = draft.numbers(attribute, count)
        if values is not None:
            yield draft.set(attribute, *np.round(values * by, ROUND if by == PER_MILLIMETER else 16))
