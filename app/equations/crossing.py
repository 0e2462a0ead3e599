"""An inertia before and after its joint is crossed: two cross-sections seen along one direction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SMALL = 1e-9


@dataclass(frozen=True, eq=False)
class Crossing:
    """The rotational and the translational block, in that order.

    An inertia block B is drawn as the outline of {B^(1/2) u: |u| = 1}, whose axes are the square roots of its
    eigenvalues. Seen along one direction the outline is the ellipse of the block's projection.

    Attributes:
        before, after: (2, 3), xx, xy, yy of each block projected on the plane, in kg m^2 and kg.
        freed: (2, 2), the direction that each block loses, projected; zero if it loses none.
        before_values, after_values: (2, 3), eigenvalues of each block, in descending order.
        axis: (2,), the joint axis, projected.
    """

    before: Array
    after: Array
    freed: Array
    before_values: Array
    after_values: Array
    axis: Array

    @property
    def numbers(self) -> Array:
        """All numbers, one block after the other: 3 + 3 + 2 + 3 + 3, and the axis."""
        blocks = [
            np.concatenate([self.before[i], self.after[i], self.freed[i], self.before_values[i], self.after_values[i]])
            for i in range(2)
        ]
        return np.concatenate([*blocks, self.axis])


def crossing(before: Array, after: Array, axis: Array) -> Crossing:
    """How an inertia (6, 6) changes at a joint.

    The plane of view holds the joint axis and the direction of the force that a torque about it meets, so that
    both losses are seen in full.

    Args:
        axis: H, (6,); one half of it is zero.
    """
    h = axis[:3] if np.any(axis[:3]) else axis[3:]
    lost = before @ axis
    losses = [lost[:3], lost[3:]]
    plane = _plane(h, losses[1] if np.any(axis[:3]) else losses[0], before)
    blocks = [(before[:3, :3], after[:3, :3]), (before[3:, 3:], after[3:, 3:])]
    return Crossing(
        before=np.array([_outline(plane, b) for b, _ in blocks]),
        after=np.array([_outline(plane, a) for _, a in blocks]),
        freed=np.array([plane @ _unit(loss, np.abs(before).max()) for loss in losses]),
        before_values=np.array([np.linalg.eigvalsh(b)[::-1] for b, _ in blocks]),
        after_values=np.array([np.linalg.eigvalsh(a)[::-1] for _, a in blocks]),
        axis=plane @ h,
    )


def _outline(plane: Array, block: Array) -> Array:
    seen = plane @ block @ plane.T
    return np.array([seen[0, 0], seen[0, 1], seen[1, 1]])


def _unit(vector: Array, scale: float) -> Array:
    length = float(np.linalg.norm(vector))
    return vector / length if length > SMALL * scale else np.zeros(3)


def _plane(h: Array, other: Array, inertia: Array) -> Array:
    """(2, 3): right is the joint axis, up the normal part of ``other`` or, if that vanishes, of the longest axis."""
    across = other - (other @ h) * h
    if np.linalg.norm(across) <= SMALL * np.abs(inertia).max():
        longest = np.linalg.eigh(inertia[3:, 3:] + inertia[:3, :3])[1][:, ::-1].T
        across = max((v - (v @ h) * h for v in longest), key=lambda v: float(np.linalg.norm(v)))
    return np.array([h, across / np.linalg.norm(across)])
