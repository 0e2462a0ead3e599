"""Numbers of a MuJoCo model that cannot be, or look like another unit, and what mends them in its text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import product
from typing import NamedTuple

import numpy as np

from dynamics.checks import brief
from dynamics.descriptions.xml import Element
from dynamics.mjcf.elements import every
from dynamics.review.draft import Additions, Draft, Edit, numbers_of
from dynamics.review.finding import Finding
from dynamics.review.structure import title_of
from dynamics.review.units import LAST_STOP, PER_DEGREE
from dynamics.robot.model import Joint, Robot

FULL_TURN = 2.0 * math.pi + 0.1
"""As written, in radians: within it stand the limits of nearly all joints that turn."""
LOSSES = "damping", "frictionloss", "armature"
ANGLES = {"euler": (3, 0), "axisangle": (4, 3), "ref": (1, 0), "springref": (1, 0)}
"""How many numbers an attribute has, and from which on they are angles."""
AXLESS = "ball", "free"
SIZELESS = "plane", "hfield", "mesh", "sdf"
"""Kinds of geoms whose size is another thing, or none."""


class Place(NamedTuple):
    """Where an element of a model stands.

    Attributes:
        line: in its file; 0 where nobody knows.
        file: the one that the model includes; empty for its own.
        own: it in the model's own text; None for one of another file.
        inertial: the line of a body's ``<inertial>``, or the body's.
    """

    line: int = 0
    file: str = ""
    own: Draft | None = None
    inertial: int = 0


NOWHERE = Place()


def setting(root: Draft | Element, name: str) -> str:
    """What the model's ``<compiler>`` says; the last of several."""
    return next((text for each in root.all("compiler")[::-1] if (text := each.get(name)) is not None), "")


def numbers_as_written(root: Draft) -> Iterator[Finding]:
    """Of joints, whether MuJoCo takes the model or not."""
    for joint in (each for each in root.every() if each.tag == "joint"):
        turns_freely = joint.get("type") in AXLESS
        axis, title = joint.numbers("axis", 3), title_of(joint)
        if axis is not None and not axis.any() and not turns_freely:
            edit = joint.set("axis", "0 0 1")
            yield Finding("axis of no direction", "wrong", joint.line, title, "its axis is zero",
                          "z, the default axis of a joint without one", (edit,), file=joint.file)  # fmt: skip
        for name in LOSSES:
            value = joint.numbers(name, 1)
            if value is not None and value[0] < 0.0:
                yield Finding(f"negative {name}", "wrong", joint.line, title, f"its {name} is {value[0]:g}",
                              f"{-value[0]:g}", (joint.set(name, -value[0]),), file=joint.file)  # fmt: skip
        ends = joint.numbers("range", 2)
        if ends is not None and ends[0] > ends[1]:
            words = f"its limits are {ends[0]:g} to {ends[1]:g}: it has none so"
            yield Finding("limits the wrong way", "doubtful", joint.line, title, words, "exchanged",
                          (joint.set("range", *ends[::-1]),), file=joint.file)  # fmt: skip


def sizes_as_written(root: Draft) -> Iterator[Finding]:
    """Of the shapes of a model that MuJoCo does not take: what they are, and what they weigh."""
    geoms = [each for each in root.every() if each.tag == "geom"]
    for geom, name in product(geoms, ("mass", "density")):
        value = geom.numbers(name, 1)
        if value is not None and value[0] < 0.0:
            yield Finding(f"negative {name}", "wrong", geom.line, title_of(geom), f"its {name} is {value[0]:g}",
                          f"{-value[0]:g}", (geom.set(name, -value[0]),), file=geom.file)  # fmt: skip
    defaults = {each.number for around in root.every() if around.tag == "default" for each in around.inner}
    if any(each.number in defaults and each.tag == "geom" and each.get("type") for each in root.every()):
        return  # what a size is depends on a class
    for geom in geoms:
        sizes = (geom.get("size") or "").split()
        values = geom.numbers("size", len(sizes))
        if geom.get("type") in SIZELESS or values is None or not sizes or (np.all(values >= 0.0) and values[0] > 0.0):
            continue
        words = f"its size is {geom.get('size')}"
        if values[0] != 0.0:
            edit = geom.set("size", *np.abs(values))
            yield Finding("no size", "wrong", geom.line, title_of(geom), words, edit.value, (edit,), file=geom.file)
        elif not geom.name and geom.number not in defaults:  # to which nothing else refers
            edit = Edit("remove", geom.number)
            yield Finding(
                "no size", "wrong", geom.line, title_of(geom), words, "that shape is left out", (edit,), file=geom.file
            )


def model_angles(
    root: Draft, whole: Element, additions: Additions, robot: Robot, places: Mapping[tuple[str, str], Place]
) -> Iterator[Finding]:
    """Limits that look like the other unit than the model's ``<compiler>`` says, or leaves unsaid.

    Args:
        root: the model's own text.
        whole: the model with what it includes.
        additions: what remedies add.
        robot: as it was read, in radians.
        places: where its joints stand, by tag and name.
    """
    unit = setting(whole, "angle")
    stops = [(joint, max(map(abs, _ends(joint)))) for joint in robot.joints if _ends(joint)]
    is_small = all(last <= FULL_TURN * PER_DEGREE for _, last in stops)
    if stops and not unit and is_small and not any(map(_is_in_degrees, every(whole))):
        joint = stops[-1][0]
        lower, upper = (end / PER_DEGREE for end in (joint.lower, joint.upper))
        words = f"its limits, {lower:.4g} to {upper:.4g} degrees, and all others look like radians"
        edits = tuple(additions.inside(root, "compiler", {"angle": "radian"}))
        yield _finding("limits in radians", joint, places, words, '<compiler angle="radian"/>', edits)
    for joint, last in stops:
        if unit == "radian" and last > LAST_STOP:
            words = f"its limits, {joint.lower:.4g} to {joint.upper:.4g} rad, look like degrees"
            own = places.get(("joint", joint.name), NOWHERE).own
            ends = np.round([joint.lower * PER_DEGREE, joint.upper * PER_DEGREE], 16)
            edits = () if own is None else (own.set("range", *ends),)
            yield _finding("limits in degrees", joint, places, words, "its limits from degrees to rad", edits)


def _is_in_degrees(element: Element) -> bool:
    """Whether an angle of it is none in radians."""
    for name, (count, first) in ANGLES.items() if element.get("type") != "slide" else ():
        values = numbers_of(element.get(name) or "", count)
        if values is not None and np.abs(values[first:]).max() > FULL_TURN:
            return True
    return False


def _ends(joint: Joint) -> list[float]:
    """Where it stops turning."""
    ends = (joint.lower, joint.upper) if joint.kind == "revolute" else ()
    return [end for end in ends if math.isfinite(end)]


def _finding(
    kind: str, joint: Joint, places: Mapping[tuple[str, str], Place], words: str, remedy: str, edits: tuple[Edit, ...]
) -> Finding:
    place = places.get(("joint", joint.name), NOWHERE)
    return Finding(kind, "doubtful", place.line, f"joint {brief(joint.name)}", words, remedy, edits, place.file)
