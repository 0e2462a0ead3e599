"""One explicit Runge-Kutta step in Python for any acceleration function; the tableau selects the method."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dynamics.motion.runge_kutta import Tableau, configuration_rate
from dynamics.posture.closure import step_configuration

Array = NDArray[np.float64]
Acceleration = Callable[[float, Array, Array], Array]


def plain_step(
    tableau: Tableau, n_joints: int, t: float, x: Array, v: Array, h: float, first: Array, acceleration: Acceleration
) -> tuple[Array, Array]:
    """Configuration and velocity after a step of length ``h``.

    Args:
        first: the acceleration at the start of the step.
        acceleration: a function of time, configuration and velocity; it may raise to abort the step.

    Cost: one acceleration less than the tableau has stages.
    """
    rates, accelerations = [v], [first]
    for i in range(1, len(tableau.b)):
        speed = v + h * _mixed(tableau.a[i, :i], accelerations)
        change = h * _mixed(tableau.a[i, :i], rates)
        rate, moved = np.empty_like(v), np.empty_like(x)
        configuration_rate(n_joints, change, speed, rate)
        step_configuration(n_joints, x, change, moved)
        rates.append(rate)
        accelerations.append(acceleration(t + tableau.c[i] * h, moved, speed))
    moved = np.empty_like(x)
    step_configuration(n_joints, x, h * _mixed(tableau.b, rates), moved)
    return moved, v + h * _mixed(tableau.b, accelerations)


def _mixed(weights: Array, values: list[Array]) -> Array:
    return np.asarray(weights @ np.array(values))
