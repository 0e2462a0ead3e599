"""RK4 with any formulation: slow, in plain Python, and independent of the compiled integrator's mechanics."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dynamics.methods.forward_dynamics import forward_dynamics
from dynamics.motion.plain_step import plain_step
from dynamics.motion.recording import Recording, Segment
from dynamics.motion.runge_kutta import TABLEAUS
from dynamics.motion.stiff_losses import with_stiff_losses
from dynamics.motion.time_span import span_of, step_of
from dynamics.public import public
from dynamics.system.joint_vectors import JointValues, joint_vector
from dynamics.system.state import State
from dynamics.system.system import System

Array = NDArray[np.float64]


@public
def simulate_by(
    system: System,
    state: State,
    method: str,
    tau: JointValues | None = None,
    duration: float = 1.0,
    dt: float = 1e-3,
) -> Recording:
    """RK4 whose accelerations come from ``method``: TML Section 7 with ``newton_euler`` or ``lagrange``, say.

    Torques are constant; losses that are stiff for the step are taken as by ``simulate``. A held object is not
    projected onto its closure: once it has drifted more than 1e-6 apart the run ends with a ``StateError``, so take
    short steps there.

    Args:
        system: what moves.
        state: where it starts.
        method: any of ``methods(system)``.
        tau: (joints,) N m or N, tip to base; default zero.
        duration: s.
        dt: s, the step.

    Returns:
        The recording, every step of it.

    Raises:
        StateError: for a step or duration that is not positive, wrong shapes, or a chain that has drifted open.
        ModelError: for a method that does not apply, or a joint that moves no inertia.
        SingularConfigurationError: if no contact force closes the chain.

    Cost: four dense solves a step.
    """
    dt = step_of(dt)
    torque = joint_vector(system, tau, "tau")
    n, steps = system.n_joints, round(span_of(duration, dt) / dt)
    x, v = system.pack(state)
    samples: list[tuple[Array, Array, Array]] = []

    def acceleration(machine: System, x: Array, v: Array) -> Array:
        return forward_dynamics(machine, system.unpack(x, v), torque, method).packed_acceleration

    def in_step(_: float, x: Array, v: Array) -> Array:
        return acceleration(with_stiff_losses(system, dt, v[:n]), x, v)

    for step in range(steps + 1):
        samples.append((x, v, acceleration(system, x, v)))
        if step == steps:
            break
        machine = with_stiff_losses(system, dt, v[:n])
        first = samples[-1][2] if machine is system else acceleration(machine, x, v)
        x, v = plain_step(TABLEAUS["rk4"], n, step * dt, x, v, dt, first, in_step)
    count = len(samples)
    return Recording(
        (
            Segment(
                system,
                times=dt * np.arange(count, dtype=np.float64),
                x=np.array([sample[0] for sample in samples]),
                v=np.array([sample[1] for sample in samples]),
                acceleration=np.array([sample[2] for sample in samples]),
                tau=np.tile(torque, (count, 1)),
                drift=np.zeros((count, 2)),
                wrench=np.zeros((system.n_links + 1, 6)),
            ),
        )
    )
