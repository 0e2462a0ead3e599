"""Damping and friction that are too stiff for a step of fixed length.

A loss of slope s would take the share h s / M of a rate in a step h, and an explicit method diverges once that is 2 or
3. Where it may be, the step gives joint k the inertia

    Delta(k) = max(0, h s(k) / c - m(k)),  s(k) = loss(k) / rate(k),

beside its own, as if a rotor turned there: the loss is taken implicitly. With diag(m) <= M, which ``loss_response``
sees to, M + Delta >= h diag(s) / c: however stiff, losses take the share c of a rate at most, which turns none within a
step. Where losses and torques balance, they do so with Delta, too. A machine whose losses are not stiff for the step
has Delta = 0 and the method its order; of another the stiff joints' transient, over within some steps, is of first
order.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from dynamics.lanes.forward import lane_accelerations
from dynamics.lanes.layout import LEAST_INERTIA, LOSS_STEP
from dynamics.lanes.workspace import Workspace
from dynamics.recursion.filter_smoother import SOLVED
from dynamics.recursion.inward_filter import FRICTION_SPEED
from dynamics.system.assembly import with_contacts
from dynamics.system.layout import ROTOR_INERTIA
from dynamics.system.plain_kinematics import joint_losses
from dynamics.system.system import System

Array = NDArray[np.float64]
STIFF = 1.5
"""Share of a rate in a step, from which on losses are stiff."""
MOST, MOST_OF_LOW_ORDER = 2.0, 1.0
"""c, of methods of the fourth order and above, which diverge at 2.8 or later, and of Euler's and Heun's, at 2."""
POSTURES, SOLUTIONS = 100, 3000
"""At most, in which and by which the response of a machine is found."""
WIDEST = np.pi
"""rad or m from zero, within which postures are drawn of a joint whose limits are wider."""


class LossResponse(NamedTuple):
    """How fast losses can slow a machine, found in some postures."""

    decay_rate: float  # 1/s, the largest eigenvalue of M^-1 diag(s) where the joints rest and s is largest
    least_inertias: Array  # m, (joints,), kg m^2 or kg: diag(m) <= M


_KNOWN: WeakKeyDictionary[System, LossResponse] = WeakKeyDictionary()


def loss_response(system: System) -> LossResponse:
    """The response of a machine with losses.

    With c the largest eigenvalue of M^-1 in units in which its diagonal is 1, M^-1 <= c diag(M^-1), so diag(m) <= M
    with m = 1 / (c diag(M^-1)). What holds an object only moves less easily: contacts are not in it.

    Cost: some thousand solutions of forward dynamics, 5 ms for seven joints, once a system.
    """
    known = _KNOWN.get(system)
    if known is None:
        known = _KNOWN[system] = _response(system)
    return known


def _response(system: System) -> LossResponse:
    slopes = slopes_at_rest(system)
    if not np.any(slopes):
        return LossResponse(0.0, np.zeros(system.n_joints))
    mobility = _mobilities(system)
    own = np.diagonal(mobility, axis1=1, axis2=2)
    if not (np.all(np.isfinite(mobility)) and np.all(own > 0.0)):  # some joint moves no inertia somewhere
        return LossResponse(np.inf, np.zeros(system.n_joints))
    least = np.min(1.0 / (_largest_eigenvalue(mobility, 1.0 / own)[:, None] * own), axis=0)
    return LossResponse(float(_largest_eigenvalue(mobility, slopes).max()), least)


def _mobilities(system: System) -> Array:
    """M^-1, (postures, joints, joints), where every sixth joint is at an end; no numbers where it is undefined."""
    workspace = Workspace(with_contacts(system, ()) if system.is_held else system)
    n, (x, v) = system.n_joints, system.pack(system.state())
    rng, unit = np.random.default_rng(0), sum(link.mass for link in system.link_models) or 1.0
    lower, upper = np.clip([(joint.lower, joint.upper) for joint in system.joint_models], -WIDEST, WIDEST).T
    answers = np.full((min(POSTURES, max(SOLUTIONS // (n + 1), 1)), n + 1, n), np.nan)
    torques = unit * np.eye(n + 1, n)  # the last row is no torque at all
    for answer in answers:
        x[:n] = lower + (upper - lower) * np.clip(rng.uniform(-0.1, 1.1, n), 0.0, 1.0)
        for i in range(n + 1):
            if lane_accelerations(x, 0.0 * v, torques[i], workspace.arena) == SOLVED:
                answer[i] = workspace.lanes.acceleration[:n]
    return np.asarray((answers[:, :-1] - answers[:, -1:]) / unit)


def _largest_eigenvalue(mobility: Array, weights: Array) -> Array:
    """Of each M^-1 diag(weights); (postures,)."""
    root = np.sqrt(weights)
    return np.asarray(np.linalg.eigvalsh(root[..., :, None] * mobility * root[..., None, :])[:, -1])


def slopes_at_rest(system: System) -> Array:
    """(joints,), N m s/rad or N s/m, d loss / d rate at rest, where it is largest."""
    return np.array([joint.damping + max(joint.friction) / FRICTION_SPEED for joint in system.joint_models])


def loss_inertias(system: System, step: Array | float, rate: Array) -> Array:
    """Delta of joints that move at these rates, as ``lanes.filter`` has it; of methods of the fourth order and above.

    Args:
        step: s, or (samples, 1).
        rate: (joints,), or (samples, joints).
    """
    response, rests = loss_response(system), rate == 0.0
    is_stiff = step * response.decay_rate > STIFF
    if not np.any(is_stiff):
        return np.zeros_like(rate)
    slope = np.where(rests, slopes_at_rest(system), joint_losses(system, rate) / np.where(rests, 1.0, rate))
    return np.where(is_stiff, np.maximum(0.0, step * slope / MOST - response.least_inertias), 0.0)


def with_stiff_losses(system: System, step: float, rate: Array) -> System:
    """The system whose rotors are heavier by Delta: for a step of RK4 in Python, of any formulation."""
    added = loss_inertias(system, step, rate)
    if not np.any(added):
        return system
    joints = zip(system.joint_models, added.tolist(), strict=True)
    model = system.tables.model.copy()
    model[: system.n_joints, ROTOR_INERTIA] += added
    return replace(
        system,
        joint_models=tuple(replace(joint, rotor_inertia=joint.rotor_inertia + more) for joint, more in joints),
        tables=system.tables._replace(model=model),
    )


def take_stiff_losses(workspace: Workspace, method: str, step: float, longest: float) -> None:
    """From now on the filter in ``workspace`` adds Delta for steps of this length, s, if the longest needs it."""
    response = loss_response(workspace.system)
    if longest * response.decay_rate > STIFF:
        links = workspace.lanes.links[: workspace.system.n_joints]
        links[:, LOSS_STEP] = step / (MOST_OF_LOW_ORDER if method in ("euler", "heun") else MOST)
        links[:, LEAST_INERTIA] = response.least_inertias
