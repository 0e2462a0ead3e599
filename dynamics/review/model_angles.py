"""Limits of a MuJoCo model's joints that look like the other unit than its ``<compiler>`` says, or leaves unsaid."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from dynamics.checks import brief
from dynamics.descriptions.xml import Element
from dynamics.review.finding import Finding
from dynamics.review.units import LAST_STOP, PER_DEGREE
from dynamics.robot.model import Joint, Robot

FULL_TURN = 2.0 * math.pi + 0.1
"""As written, in radians: within it stand the limits of nearly all joints that turn."""


def model_angles(robot: Robot, model: Sequence[Element]) -> Iterator[Finding]:
    """Every fault of this kind.

    Args:
        robot: as it was read, in radians.
        model: all elements of its file.
    """
    unit = next((unit for each in model if each.tag == "compiler" and (unit := each.get("angle"))), "")
    stops = [(joint, max(map(abs, _ends(joint)))) for joint in robot.joints if _ends(joint)]
    if stops and not unit and all(last <= FULL_TURN * PER_DEGREE for _, last in stops):
        joint = stops[-1][0]
        lower, upper = (end / PER_DEGREE for end in (joint.lower, joint.upper))
        words = f"its limits, {lower:.4g} to {upper:.4g} degrees, and all others look like radians"
        yield _finding("limits in radians", joint, model, words, '<compiler angle="radian"/>')
    for joint, last in stops:
        if unit == "radian" and last > LAST_STOP:
            words = f"its limits, {joint.lower:.4g} to {joint.upper:.4g} rad, look like degrees"
            yield _finding("limits in degrees", joint, model, words, "its limits from degrees to rad")


def _ends(joint: Joint) -> list[float]:
    """Where it stops turning."""
    ends = (joint.lower, joint.upper) if joint.kind == "revolute" else ()
    return [end for end in ends if math.isfinite(end)]


def _finding(kind: str, joint: Joint, model: Sequence[Element], words: str, remedy: str) -> Finding:
    at = next((each for each in model if each.tag == "joint" and each.get("name") == joint.name), None)
    line, file = (0, "") if at is None else (at.line, at.file)
    return Finding(kind, "doubtful", line, f"joint {brief(joint.name)}", words, remedy, file=file)
