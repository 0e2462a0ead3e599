"""The energy of a motion against the work done on it, as a check of the integration."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dynamics.checks import Array
from dynamics.compiler.kernels import kernel
from dynamics.motion.stiff_losses import loss_inertias, stiff_losses
from dynamics.recursion.filter_smoother import motion_state
from dynamics.recursion.kinematics import energy_and_momentum
from dynamics.system.layout import VELOCITY
from dynamics.system.plain_kinematics import joint_losses
from dynamics.system.system import System
from dynamics.system.tables import make_work

DOUBTFUL_SHARE = 0.01
"""Share of the largest kinetic energy: with more than that unexplained, a run no longer follows from its start."""
ROUNDING = 1e-10


def energy_balance(
    system: System, times: Array, x: Array, v: Array, acceleration: Array, tau: Array, wrench: Array, every_step: bool
) -> tuple[Array, Array]:
    """Energy less work since the first sample of a segment, and the amount that is no reason for doubt; (samples,) J.

    Energy lost or gained at a joint stop is not counted: intervals in which a joint may have met a stop are skipped.
    Work is summed over the samples by the corrected trapezoidal rule. The allowance includes the sum of the
    corrections; where steps lie between samples, what the speeds may have done there; and for a loss that is stiff for
    the step, see ``stiff_losses``, the change of its work within a step.
    """
    n, work, energies = system.n_joints, make_work(system.tables), np.zeros((3, len(times)))
    forces = wrench.reshape(-1, system.n_links + 1, 6).copy()
    along_run(system.tables, x.copy(), v.copy(), forces, work, np.zeros(6), energies)
    kinetic, potential, power = energies
    span, rates = np.diff(times), v[:, :n]
    losses, added, longest = joint_losses(system, rates), np.zeros_like(rates), float(span.max(initial=0.0))
    taken = stiff_losses(system, longest, longest)
    for at in range(len(times) if taken.step else 0):
        loss_inertias(system.tables.model, *taken, rates[at].copy(), added[at])
    stiff = np.where(added > 0.0, losses * rates, 0.0)
    power += np.einsum("sj,sj->s", tau - losses, rates)
    rate = np.gradient(power, times) if len(times) > 1 else power
    correction = span**2 / 12.0 * -np.diff(rate)
    left_open = np.abs(correction) + span * np.sum(np.abs(np.diff(stiff, axis=0)), axis=1)
    if not every_step:
        bent = np.abs(np.diff(v, axis=0) - 0.5 * span[:, None] * (acceleration[1:] + acceleration[:-1]))[:, :n]
        left_open += span * np.sum(np.maximum(np.abs(tau[1:]), np.abs(tau[:-1])) * bent, axis=1)
    energy = kinetic + potential
    gained = np.diff(energy) - 0.5 * span * (power[1:] + power[:-1]) - correction
    gained[_near_stops(system, span, x[:, :n], v[:, :n])] = 0.0
    allowed = DOUBTFUL_SHARE * kinetic.max() + ROUNDING * np.abs(energy).max() + _summed(left_open)
    return _summed(gained), allowed


@kernel
def along_run(tables, x, v, wrench, work, momentum, energies):
    """Kinetic and potential energy and the power of external forces at each sample, as three rows.

    Args:
        wrench: (samples, links + 1, 6), or the one of all samples.
    """
    n_links = tables.tree.shape[0]
    for i in range(x.shape[0]):
        motion_state(tables, x[i], v[i], work)
        energies[0, i], energies[1, i] = energy_and_momentum(tables, v[i], work, momentum)
        power, at = 0.0, min(i, wrench.shape[0] - 1)
        for j in range(6):
            for k in range(n_links):
                power += wrench[at, k, j] * work.links[k, VELOCITY + j]
            if tables.task_object.shape[0] > 0:
                power += wrench[at, n_links, j] * v[i, v.shape[1] - 6 + j]
        energies[2, i] = power


def _near_stops(system: System, span: Array, q: Array, qd: Array) -> NDArray[np.bool_]:
    """(samples - 1,), whether some joint may have been at a stop between two samples."""
    lower, upper = np.array([(joint.lower, joint.upper) for joint in system.joint_models]).reshape(-1, 2).T
    reach = span[:, None] * np.maximum(np.abs(qd[1:]), np.abs(qd[:-1]))
    above, below = np.maximum(q[1:], q[:-1]) + reach, np.minimum(q[1:], q[:-1]) - reach
    return np.any((above >= upper) | (below <= lower), axis=1)


def _summed(parts: Array) -> Array:
    return np.concatenate([[0.0], np.cumsum(parts)])
