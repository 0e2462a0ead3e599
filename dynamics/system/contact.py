"""The tip of an arm, and how it holds the object."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dynamics.checks import Array
from dynamics.record import Record


@dataclass(frozen=True, eq=False)
class Tip(Record):
    """A tool point O_0.

    Attributes:
        arm: index of its arm.
        link: index of the link that it is fixed to.
        pose: (4, 4), link <- tip.
    """

    arm: int
    link: int
    pose: Array


@dataclass(frozen=True, eq=False)
class Contact(Record):
    """A grasp of the object by one arm.

    Attributes:
        tip: index of the tool point that holds.
        arm: index of its arm.
        link: index of its link.
        kind: ``rigid``, ``point``, ``soft_finger`` or ``selection``.
        selection: (l, 6), the transmitted directions in the contact frame, [moment; force].
        tip_pose: link <- contact frame, at the moment of the grasp.
        object_pose: object <- contact frame; its z axis is the object's outward normal.
        holonomic: (l,), whether each direction can be closed in position, not only in velocity.
    """

    tip: int
    arm: int
    link: int
    kind: str
    selection: Array
    tip_pose: Array
    object_pose: Array
    holonomic: NDArray[np.bool_]
