"""A state: where everything is and how fast it moves."""

from __future__ import annotations

from dataclasses import dataclass

from dynamics.checks import Array


@dataclass(frozen=True, eq=False)
class State:
    """Made and checked by ``System.state``; arrays are write-protected.

    Attributes:
        q: (joints,), rad or m; index 0 is the tip's joint.
        qd: (joints,), their rates.
        base_pose: (4, 4), world <- root link of a free flyer; (bases, 4, 4) in a system of several arms; else None.
        base_velocity: (6,) or (bases, 6), [angular; linear of the root link's origin], rad/s and m/s, inertial axes.
        object_pose: (4, 4), world <- task object at its mass centre, else None.
        object_velocity: (6,), [angular; linear of the mass centre], inertial axes, else None.
    """

    q: Array
    qd: Array
    base_pose: Array | None = None
    base_velocity: Array | None = None
    object_pose: Array | None = None
    object_velocity: Array | None = None
