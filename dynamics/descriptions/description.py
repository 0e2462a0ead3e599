"""A robot as a file describes it, whatever its language: parts, and how each is joined to another."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dynamics.checks import Array
from dynamics.robot.model import Geometry, Joint
from dynamics.robot.rigid_body import MassProperties, massless


@dataclass(frozen=True, eq=False)
class Part:
    """A link of a file, or what a joint of two freedoms needs between them.

    Attributes:
        where: the words that name it in a message, with its line.
        body: about its mass centre, as the file has it; not judged yet.
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
        joint: whose own origin is (4, 4), parent <- part at zero displacement; None where the two are welded.
        origin: the same pose, for a weld, too.
    """

    parent: str
    child: str
    origin: Array
    joint: Joint | None = None


@dataclass(frozen=True, eq=False)
class Description:
    """Parts that form a tree by their connections."""

    name: str
    parts: tuple[Part, ...]
    connections: tuple[Connection, ...]
