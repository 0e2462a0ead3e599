"""A robot as a file describes it, in any format: parts, and how each is joined to another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np

from dynamics.checks import Array
from dynamics.robot.model import Geometry, Joint, Link
from dynamics.robot.rigid_body import MassProperties, massless


@dataclass(frozen=True, eq=False)
class Part:
    """A link of a file, or a massless part between the single joints of one with several freedoms.

    Attributes:
        where: its line and name, as in messages.
        body: about its mass centre, as in the file; not checked yet.
        body_pose: (4, 4), part <- frame of ``body``.
        shapes: posed in the part.
    """

    name: str
    where: str
    body: MassProperties = field(default_factory=massless)
    body_pose: Array = field(default_factory=lambda: np.eye(4))
    shapes: tuple[Geometry, ...] = ()


@dataclass(frozen=True, eq=False)
class Connection:
    """How a part is joined to its parent.

    Attributes:
        joint: its origin is (4, 4), parent <- part at zero displacement; None if the two are welded.
        origin: the same pose, also for a weld.
    """

    parent: str
    child: str
    origin: Array
    joint: Joint | None = None


@dataclass(frozen=True, eq=False)
class Follower:
    """A joint that follows another one in a file.

    Attributes:
        where: its line, as in messages.
        leader: the joint whose displacement x it follows; empty for none.
        coefficients: c in its displacement, zero + c[0] + c[1] (x - leader_zero) + …, rad or m.
    """

    where: str
    joint: str
    leader: str
    coefficients: tuple[float, ...]
    zero: float = 0.0
    leader_zero: float = 0.0


@dataclass(frozen=True, eq=False)
class Closure:
    """A connection that closes a loop.

    Attributes:
        kind: as in ``Loop``.
        first, second: the name of a part, and the pose of a frame in it.
        where: its line and name, as in messages.
        words: a remark on it, if it holds together parts that would otherwise move.
    """

    kind: Literal["hinge", "point", "rigid"]
    first: tuple[str, Array]
    second: tuple[str, Array]
    where: str
    words: str


@dataclass(frozen=True, eq=False)
class Description:
    """Parts that their connections form into a tree; ``trees`` and ``loose`` as in a robot."""

    name: str
    parts: tuple[Part, ...]
    connections: tuple[Connection, ...]
    followers: tuple[Follower, ...] = ()
    closings: tuple[Closure, ...] = ()
    trees: tuple[str, ...] = ()
    loose: Mapping[str, tuple[Link, Array]] = field(default_factory=dict)


@dataclass(frozen=True)
class LoadOptions:
    """The arguments of :func:`dynamics.load` other than the file."""

    tip: str | Sequence[str] | None = None
    package_dirs: Sequence[str | Path] = ()
    body: str | None = None
    fix: Mapping[str, float] | Iterable[str] = ()
    free: Mapping[str, float] | Iterable[str] = ()


AS_IT_IS = LoadOptions()
MOST_REMARKS = 20
"""Remarks of one kind that are shown."""


def first_remarks(remarks: Sequence[str], most: int = MOST_REMARKS) -> tuple[str, ...]:
    """The first remarks, and the number of the others."""
    more = len(remarks) - most
    return (*remarks[:most], *([f"and {more} more"] if more > 0 else []))
