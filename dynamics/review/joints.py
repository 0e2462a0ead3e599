"""Faults of a URDF's joints: axes, limits, losses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dynamics.review.draft import Additions, Draft
from dynamics.review.finding import Finding
from dynamics.review.structure import title_of

MOVING = ("revolute", "continuous", "prismatic")
NONE = "1e300"
"""A limit that is none, as this program and others read it."""
ENDS = {"lower": "-", "upper": "", "effort": "", "velocity": ""}
UNIT = 1e-6
SMALLEST = 1e-9
"""Of an axis: what is shorter has no direction."""


def joints(robot: Draft, additions: Additions) -> Iterator[Finding]:
    """Every fault of this kind."""
    for joint in robot.all("joint"):
        if joint.get("type") in (*MOVING, "planar"):
            yield from _axis(joint, additions)
        if joint.get("type") in MOVING:
            yield from _limits(joint, additions)
            yield from _losses(joint)


def _axis(joint: Draft, additions: Additions) -> Iterator[Finding]:
    axis, title = joint.first("axis"), title_of(joint)
    if axis is None:
        edits = tuple(additions.inside(joint, "axis", {"xyz": "1 0 0"}))
        yield Finding("no axis", "note", joint.line, title, "has no axis: it is taken to be x, as URDF has it",
                      'axis "1 0 0" is written out', edits)  # fmt: skip
        return
    values = axis.numbers("xyz", 3)
    length = 1.0 if values is None else float(np.linalg.norm(values))
    if values is None or abs(length - 1.0) <= UNIT:
        return
    if length < SMALLEST:
        yield Finding("axis of no direction", "wrong", axis.line, title, "its axis is zero",
                      "x, the default axis of a joint without one", (axis.set("xyz", "1 0 0"),))  # fmt: skip
        return
    remedy = f"a length of 1, as it is read: {' '.join(f'{value:.4g}' for value in values / length)}"
    yield Finding("axis not of length one", "note", axis.line, title, f"its axis has length {length:.4g}", remedy,
                  (axis.set("xyz", *(values / length)),))  # fmt: skip


def _limits(joint: Draft, additions: Additions) -> Iterator[Finding]:
    limit, title, kind = joint.first("limit"), title_of(joint), joint.get("type")
    if limit is None:
        if kind == "revolute":
            yield Finding("no limits", "note", joint.line, title, "is revolute without limits: it turns without a stop",
                          'type="continuous"', (joint.set("type", "continuous"),))  # fmt: skip
        elif kind == "prismatic":
            edits = additions.inside(joint, "limit", {name: sign + NONE for name, sign in ENDS.items()})
            yield Finding("no limits", "note", joint.line, title, "is prismatic without limits: it slides without a "
                          "stop", f"{NONE}, which is none, is written out", tuple(edits))  # fmt: skip
        return
    for name in ("velocity", "effort"):
        value = limit.numbers(name, 1)
        if name not in limit.attributes:
            yield Finding(f"missing {name}", "note", limit.line, title, f"its limit has no {name}, which some programs "
                          "refuse: it is taken to be none", f"{NONE}, which is none, is written out",
                          (limit.set(name, NONE),))  # fmt: skip
        elif value is not None and value[0] < 0.0:
            yield Finding(f"negative {name}", "wrong", limit.line, title, f"its {name} is {value[0]:g}",
                          f"{-value[0]:g}", (limit.set(name, -value[0]),))  # fmt: skip
        elif value is not None and value[0] == 0.0:
            can = "motor can do nothing" if name == "effort" else "joint may not move"
            yield Finding(f"no {name}", "doubtful", limit.line, title, f"its {name} is 0: its {can}",
                          f"{NONE}, which is none", (limit.set(name, NONE),))  # fmt: skip
    lower, upper = (limit.numbers(name, 1) for name in ("lower", "upper"))
    if kind == "continuous" or (lower is None and upper is None):
        return
    if lower is None or upper is None:
        missing = "lower" if lower is None else "upper"
        if missing not in limit.attributes:
            yield Finding("one limit", "note", limit.line, title, f"has no {missing} limit: it is taken to be 0, as "
                          "URDF has it", "0 is written out", (limit.set(missing, 0.0),))  # fmt: skip
            given = float((upper if lower is None else lower)[0])  # type: ignore[index]
            lower, upper = (np.zeros(1), np.array([given])) if lower is None else (np.array([given]), np.zeros(1))
        else:
            return
    low, high = float(lower[0]), float(upper[0])
    if low > high:
        yield Finding("limits the wrong way", "wrong", limit.line, title, f"its limits are {low:g} to {high:g}",
                      "exchanged", (limit.set("lower", high), limit.set("upper", low)))  # fmt: skip
    elif low == high:
        yield Finding("no room", "doubtful", limit.line, title, f"its limits are both {low:g}: it cannot move")


def _losses(joint: Draft) -> Iterator[Finding]:
    dynamics = joint.first("dynamics")
    for name in ("damping", "friction") if dynamics is not None else ():
        assert dynamics is not None
        value = dynamics.numbers(name, 1)
        if value is not None and value[0] < 0.0:
            yield Finding(f"negative {name}", "wrong", dynamics.line, title_of(joint), f"its {name} is {value[0]:g}",
                          f"{-value[0]:g}", (dynamics.set(name, -value[0]),))  # fmt: skip
