"""A machine that is put together, as a parameter of an address and back."""

from __future__ import annotations

import reprlib

from app.assembly.build import (
    EDGES,
    FARTHEST,
    HEAVIEST,
    KINDS,
    LIGHTEST,
    LONGEST,
    MOST_ARMS,
    OWN,
    THINNEST,
    Base,
    Build,
    Thing,
)
from app.assembly.robots import TITLES
from app.state.machine_loader import RefusedError
from app.state.query_numbers import bounded_float

TURN = 10.0
"""rad to either side, of a base."""
PARTS = 4
"""Of the text: the kind, the robots, and of those that hold the object and the bases."""


def text_of_build(build: Build) -> str:
    """A build in one line."""
    parts = [build.kind, ",".join(build.robots)]
    if build.kind == "multi_arm":
        thing = build.thing
        numbers = [repr(size) for size in thing.size]
        parts.append(",".join([thing.shape, *numbers, *([] if thing.mass is None else [f"{thing.mass!r}kg"])]))
        if build.bases is not None:
            parts.append(",".join(f"{base.x!r},{base.y!r},{base.yaw!r}" for base in build.bases))
    return ";".join(parts)


def parse_build(text: str) -> Build:
    """The build of a line.

    Raises:
        RefusedError: for anything else.
    """
    parts = text.split(";", PARTS)
    kind = next((one for one in KINDS if one == parts[0]), None)
    if kind is None or not 2 <= len(parts) <= (PARTS if kind == "multi_arm" else 2):
        raise RefusedError(f"the machine {reprlib.repr(text)} cannot be read.")
    robots = tuple(parts[1].split(",", MOST_ARMS))
    most = MOST_ARMS if kind == "multi_arm" else 1
    if len(robots) > most:
        raise RefusedError(f"more than {most} arm{'s' if most > 1 else ''} would make the machine.")
    for name in robots:
        if name not in TITLES and name != OWN:
            raise RefusedError(f"there is no robot {reprlib.repr(name)}.")
    thing = _thing(parts[2]) if len(parts) > 2 else Thing()
    return Build(kind, robots, thing, _bases(parts[3], len(robots)) if len(parts) > 3 else None)


def _thing(text: str) -> Thing:
    shape, *numbers = text.split(",", PARTS)
    if shape not in EDGES:
        raise RefusedError(f"there is no object {reprlib.repr(shape)}.")
    mass = None
    if numbers and numbers[-1].endswith("kg"):
        mass = bounded_float(numbers.pop()[:-2], "the object's mass", LIGHTEST, HEAVIEST)
    if len(numbers) not in (0, len(EDGES[shape])):
        raise RefusedError(f"the {shape} has not {len(EDGES[shape])} sizes.")
    size = [bounded_float(one, name, THINNEST, LONGEST) for one, name in zip(numbers, EDGES[shape], strict=False)]
    return Thing(shape, tuple(size), mass)


def _bases(text: str, count: int) -> tuple[Base, ...]:
    numbers = text.split(",", 3 * MOST_ARMS)
    if len(numbers) != 3 * count:
        raise RefusedError(f"the bases have not {3 * count} numbers.")
    bounds = [FARTHEST, FARTHEST, TURN] * count
    values = [bounded_float(one, "a base", -most, most) for one, most in zip(numbers, bounds, strict=True)]
    return tuple(Base(*values[k : k + 3]) for k in range(0, len(values), 3))
