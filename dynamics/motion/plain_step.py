"""One explicit Runge-Kutta step on the group, in plain Python: for whatever gives accelerations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dynamics.motion.runge_kutta import Tableau

Array = NDArray[np.float64]
Place = TypeVar("Place")


def plain_step(
    tableau: Tableau,
    place: Place,
    v: Array,
    h: float,
    acceleration: Callable[[Place, Array, float], Array],
    moved: Callable[[Place, Array], Place],
    rate: Callable[[Array, Array], Array],
) -> tuple[Place, Array, Array]:
    """The place and the velocity after a step of length h, and the acceleration before it.

    Args:
        acceleration: of a place and a velocity, a share of the step later.
        moved: a place after a change, rotations on the group.
        rate: how fast a change grows at a velocity.
    """
    rates: list[Array] = []
    accelerations: list[Array] = []
    for a, c in zip(tableau.a, tableau.c, strict=True):
        change, speed = h * _sum(a, rates, v), v + h * _sum(a, accelerations, v)
        accelerations.append(acceleration(moved(place, change), speed, c))
        rates.append(rate(change, speed))
    return moved(place, h * _sum(tableau.b, rates, v)), v + h * _sum(tableau.b, accelerations, v), accelerations[0]


def _sum(weights: Array, values: Sequence[Array], like: Array) -> Array:
    return sum((w * value for w, value in zip(weights, values, strict=False) if w), np.zeros_like(like))
