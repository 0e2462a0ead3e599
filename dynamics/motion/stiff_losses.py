"""Damping and friction that are too stiff for a step of fixed length.

A loss of slope s would take the share h s / M of a rate in a step h, and an explicit method diverges if that reaches 2
or 3. Where it may, the step gives joint k the additional inertia

    Delta(k) = max(0, h s(k) / c - m(k)),  s(k) = loss(k) / rate(k),

as if a rotor turned there: the loss is taken implicitly. Since diag(m) <= M, which ``loss_response`` ensures,
M + Delta >= h diag(s) / c: however stiff, losses take at most the share c of a rate, which reverses none within a
step. Where losses and torques balance, they also do with Delta. For a system whose losses are not stiff for the step,
Delta = 0 and the method keeps its order; otherwise the stiff joints' transient, over within a few steps, is of first
order. Recorded accelerations are those of the mechanics, without Delta.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from dynamics.checks import Array
from dynamics.compiler.kernels import kernel
from dynamics.lanes.couplings import lane_accelerations
from dynamics.lanes.forward import EVERY_STAGE
from dynamics.lanes.workspace import Workspace
from dynamics.recursion.filter_smoother import SOLVED
from dynamics.recursion.inward_filter import FRICTION_SPEED, measured_torque
from dynamics.system.assembly import with_contacts
from dynamics.system.layout import ROTOR_INERTIA
from dynamics.system.link_tables import coordinate_units, machine_length
from dynamics.system.system import System

STIFF = 1.5
"""Share of a rate lost in a step from which losses count as stiff."""
MOST, MOST_OF_LOW_ORDER = 2.0, 1.0
"""c, for methods of order four and above, which diverge at 2.8 or later, and for Euler's and Heun's, at 2."""
SOLUTIONS = 3000
"""Number of solutions for a system's response, which limits the number of postures."""
WIDEST = np.pi
"""rad, or machine's lengths, from zero: range of sampled postures for a joint whose limits are wider."""


class StiffLosses(NamedTuple):
    """What a step adds to D, as compiled code takes it."""

    step: float  # h / c, s; 0 where no loss is stiff for it
    least_inertias: Array  # m, (joints,), kg m^2 or kg


_KNOWN: WeakKeyDictionary[System, tuple[float, Array]] = WeakKeyDictionary()


def loss_response(system: System) -> tuple[float, Array]:
    """The longest step, s, for which no loss is stiff, and m with diag(m) <= M, both from sampled postures.

    A step h is too long if an eigenvalue of h M^-1 diag(s) reaches ``STIFF`` at rest, where s is largest. With c the
    largest eigenvalue of M^-1 in units in which its diagonal is 1, M^-1 <= c diag(M^-1), so m = 1 / (c diag(M^-1)).
    Contacts and loops are left out, because they only make a system harder to move.

    Cost: some thousand solutions of forward dynamics, 10 ms for seven joints, once a system with losses.
    """
    if system not in _KNOWN:
        slopes = np.array([joint.damping + max(joint.friction) / FRICTION_SPEED for joint in system.joint_models])
        longest, least = np.inf, np.zeros(system.n_joints)
        if np.any(slopes):
            mobility, longest = _mobilities(system), 0.0
            own = np.diagonal(mobility, axis1=1, axis2=2)
            if np.all(np.isfinite(mobility)) and np.all(own > 0.0):  # otherwise some joint moves no inertia somewhere
                longest = STIFF / float(_largest_eigenvalue(mobility, slopes).max())
                least = np.min(1.0 / (_largest_eigenvalue(mobility, 1.0 / own)[:, None] * own), axis=0)
        _KNOWN[system] = longest, least
    return _KNOWN[system]


def _mobilities(system: System) -> Array:
    """M^-1, (postures, joints, joints), with one joint in six at a limit; NaN where it is undefined."""
    loose = with_contacts(system, ()) if system.is_held else system
    tables = loose.tables
    tables = tables._replace(gravity=np.zeros(3), loops=tables.loops[:0], loop_model=tables.loop_model[:0])
    weightless = replace(loose, tables=tables)
    workspace, n, (x, v) = Workspace(weightless), system.n_joints, system.pack(system.state())
    widest = WIDEST * coordinate_units(system.joint_models, 0, machine_length(system.robots, None) or 1.0)
    limits = np.array([(joint.lower, joint.upper) for joint in system.joint_models]).T
    lower, upper = np.clip(limits, -widest, widest)
    rng, answers = np.random.default_rng(0), np.full((max(SOLUTIONS // n, 1), n, n), np.nan)
    for answer in answers:
        x[:n] = system.couplings.followed(lower + (upper - lower) * np.clip(rng.uniform(-0.1, 1.1, n), 0.0, 1.0))
        for i, torque in enumerate(np.eye(n)):
            if lane_accelerations(x, 0.0 * v, torque, workspace.arena, EVERY_STAGE) == SOLVED:
                answer[i] = workspace.lanes.acceleration[:n]
    return answers


def _largest_eigenvalue(mobility: Array, weights: Array) -> Array:
    """The largest eigenvalue of each M^-1 diag(weights); (postures,)."""
    root = np.sqrt(weights)
    return np.asarray(np.linalg.eigvalsh(root[..., :, None] * mobility * root[..., None, :])[:, -1])


def stiff_losses(system: System, step: float, longest: float, stages: int = 4) -> StiffLosses:
    """For steps of this length, s, of a method with ``stages`` stages; adds nothing if ``longest`` needs no help."""
    limit, least = loss_response(system)
    share = MOST if stages > 2 else MOST_OF_LOW_ORDER
    return StiffLosses(step / share if longest > limit else 0.0, least)


@kernel
def loss_inertias(model, step, least, v, added):
    """Delta(k) of joints that move at the rates v, written; the arguments are those of ``StiffLosses``."""
    for k in range(least.shape[0]):
        rate = v[k] if v[k] != 0.0 else 1e-9 * FRICTION_SPEED  # at rest the slope equals that at any small rate
        slope = -measured_torque(model, k, rate, 0.0) / rate
        added[k] = max(0.0, step * slope - least[k])


def with_stiff_losses(system: System, step: float, rate: Array) -> System:
    """The system with rotors heavier by Delta, or itself: for a step of RK4 in Python, with any formulation."""
    added = np.zeros(system.n_joints)
    loss_inertias(system.tables.model, *stiff_losses(system, step, step), rate.copy(), added)
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
