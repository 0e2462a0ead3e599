"""The classical Runge-Kutta step in Python around a peer's compiled accelerations, on the peer's own coordinates."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benchmarks.peers import pin

Array = NDArray[np.float64]
Acceleration = Callable[[Array, Array], Array]


def simulate_pinocchio(
    model: pin.Model, acceleration: Acceleration, q: Array, v: Array, dt: float, steps: int
) -> tuple[Array, Array]:
    """``steps`` steps of ``dt``; rotations by Pinocchio's own ``integrate``."""
    has_group = model.nq != model.nv
    step = (lambda q, dq: pin.integrate(model, q, dq)) if has_group else np.add
    half, sixth = 0.5 * dt, dt / 6.0
    for _ in range(steps):
        a1 = acceleration(q, v).copy()
        v2 = v + half * a1
        a2 = acceleration(step(q, half * v), v2).copy()
        v3 = v + half * a2
        a3 = acceleration(step(q, half * v2), v3).copy()
        v4 = v + dt * a3
        a4 = acceleration(step(q, dt * v3), v4)
        q = step(q, sixth * (v + 2.0 * v2 + 2.0 * v3 + v4))
        v = v + sixth * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
    return q, v
