"""A state: where everything is and how fast it moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class State:
    """Made and checked by ``System.state``; arrays are write-protected.

    Attributes:
        q, qd: (joints,), rad or m and their rates; index 0 is the tip's joint.
        base_pose, base_velocity: of a free flyer's root link, (4, 4) and (6,); of every floating root link in a
            system of several arms, (bases, 4, 4) and (bases, 6); else None.
        object_pose, object_velocity: of the task object at its mass centre, else None.
    """

    q: Array
    qd: Array
    base_pose: Array | None = None
    base_velocity: Array | None = None
    object_pose: Array | None = None
    object_velocity: Array | None = None
