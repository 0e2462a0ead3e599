"""Faults of a URDF's joints: axes without a direction, limits and losses that cannot be."""

from __future__ import annotations

from collections.abc import Iterator

from dynamics.descriptions.urdf import AXIS_MINIMUM, MOVING
from dynamics.review.draft import Draft
from dynamics.review.finding import Finding
from dynamics.review.structure import title_of

AT_LEAST_ZERO = (("limit", "velocity"), ("limit", "effort"), ("dynamics", "damping"), ("dynamics", "friction"))


def joints(robot: Draft) -> Iterator[Finding]:
    """Every fault of this kind."""
    for joint in robot.all("joint"):
        title, kind = title_of(joint), joint.get("type")
        axis = joint.first("axis") if kind in (*MOVING, "planar") else None
        direction = None if axis is None else axis.numbers("xyz", 3)
        if axis is not None and direction is not None and not abs(direction).max() >= AXIS_MINIMUM:
            yield Finding("axis of no direction", "wrong", axis.line, title, "its axis is zero",
                          "x, the default axis of a joint without one", (axis.set("xyz", "1 0 0"),))  # fmt: skip
        for tag, name in AT_LEAST_ZERO if kind in MOVING else ():
            element = joint.first(tag)
            value = None if element is None else element.numbers(name, 1)
            if element is not None and value is not None and value[0] < 0.0:
                yield Finding(f"negative {name}", "wrong", element.line, title, f"its {name} is {value[0]:g}",
                              f"{-value[0]:g}", (element.set(name, -value[0]),))  # fmt: skip
        limit = joint.first("limit") if kind in ("revolute", "prismatic") else None
        ends = [] if limit is None else [limit.numbers(name, 1) for name in ("lower", "upper")]
        if limit is not None and all(end is not None for end in ends):
            low, high = (float(end[0]) for end in ends if end is not None)
            if low > high:
                yield Finding("limits the wrong way", "wrong", limit.line, title, f"its limits are {low:g} to {high:g}",
                              "exchanged", (limit.set("lower", high), limit.set("upper", low)))  # fmt: skip
            elif low == high:
                yield Finding("no room", "doubtful", limit.line, title, f"its limits are both {low:g}: it cannot move")
