"""Compares every method with every other; ``identities`` checks each stage by itself.

Agreement proves nothing where two methods run the same code. All of them read the same model, so they cannot check how
it was built. ``STANDS_ON`` lists what else any two of them share: ``filter_smoother`` and ``two_filter`` take their
poses and their P(k), z(k) from the same compiled sweeps; no other method shares anything with these two, unless
joints are coupled (``OF_COUPLINGS``). ``kkt``, ``appel`` and ``mass_matrix`` share only the plain kinematics; the
Newton-Euler forms and ``lagrange`` compute their own poses from the constants of ``axis_frames`` and are solved by the
same strobing.

Only accelerations and contact forces are compared. Everything else in a ``Solution`` (``link_pose``,
``link_velocity``, ``bias_acceleration``, ``bias_force``, ``tip_pose``, the energies and ``momentum``) comes from the
compiled kinematics for every method, so comparing methods cannot check it; ``identities`` does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType

import numpy as np

from dynamics.checks import names
from dynamics.errors import ModelError
from dynamics.public import public_as_computed
from dynamics.record import Record
from dynamics.solve.forward_dynamics import FILTER_SMOOTHER, Forces, forward_dynamics, methods
from dynamics.system.joint_vectors import JointValues
from dynamics.system.plain_kinematics import joint_losses
from dynamics.system.solution import Solution
from dynamics.system.state import State
from dynamics.system.system import System

_STROBED = ("system.axis_frames", "witness.strobing")
STANDS_ON: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        FILTER_SMOOTHER: ("recursion.kinematics", "recursion.inward_filter"),
        "two_filter": ("recursion.kinematics", "recursion.inward_filter"),
        "mass_matrix": ("system.plain_kinematics",),
        "newton_euler": (*_STROBED, "witness.newton_euler"),
        "newton_euler_modified": (*_STROBED, "witness.newton_euler"),
        "lagrange": _STROBED,
        "appel": ("system.plain_kinematics",),
        "kkt": ("system.plain_kinematics",),
    }
)
"""The mechanics modules of each method that some other method also runs."""
OF_A_FREE_OBJECT: Mapping[str, tuple[str, ...]] = MappingProxyType(
    dict.fromkeys(("newton_euler", "newton_euler_modified", "lagrange", "appel"), ("witness.free_object",))
)
"""The modules that a method runs only for the acceleration of an object that is not held."""
OF_COUPLINGS = ("system.couplings", "system.loops")
"""The modules from which every method takes the rows of joints that are coupled."""


@dataclass(frozen=True)
class Difference(Record):
    """How far two methods differ in one quantity.

    Attributes:
        left: one method.
        right: the other.
        quantity: the name of the compared array of ``Solution``.
        relative: the largest difference, relative to ``Agreement.scale``; of contact forces, to the largest.
        shared: the mechanics modules that both run; empty if they have only the model in common.
    """

    left: str
    right: str
    quantity: str
    relative: float
    shared: tuple[str, ...]


@dataclass(frozen=True)
class Agreement(Record):
    """The result of ``agreement``.

    Attributes:
        rows: every pair of methods, quantity by quantity.
        scale: the reference for differences of accelerations: the largest acceleration present, or that torques,
            weight and motion would each cause alone. At rest these balance, and rounding is relative to their size.
            Zero if nothing acts at all.
    """

    rows: tuple[Difference, ...]
    scale: float

    @property
    def worst(self) -> float:
        """The largest relative difference between two methods."""
        return max((row.relative for row in self.rows), default=0.0)


@public_as_computed
def agreement(
    system: System,
    state: State,
    tau: JointValues | None = None,
    external_forces: Forces = None,
    only: Sequence[str] | None = None,
) -> Agreement:
    """Solve one state by every method of R87, R88, JR, TML and JZ, and compare all pairs.

    Each row lists what its two methods share (``Difference.shared``). The filter shares only the model with the
    dense and Newton-Euler forms, not even the poses; ``filter_smoother`` and ``two_filter`` share the inward filter
    itself.

    Args:
        system: any system.
        state: of this system; closed to 1e-6 if an object is held.
        tau: (joints,) motor torques in N m or forces in N, tip to base, arm after arm; default zero.
        external_forces: ``{link name or "object": [moment; force]}``, N m and N, inertial axes, as for
            ``forward_dynamics``.
        only: methods to run in addition to ``filter_smoother``; default all that apply. ``lagrange`` costs the
            most; a live display may omit it.

    Returns:
        An ``Agreement``: relative differences of each pair of methods, dimensionless.

    Raises:
        StateError: for wrong shapes, numbers that are not finite, or a state more than 1e-6 off the closure.
        ModelError: for an unknown method, or a joint that moves no inertia.
        SingularConfigurationError: if no contact force can close the chain.

    Example:
        >>> system = dyn.single_arm(dyn.load("panda"))
        >>> dyn.agreement(system, system.home()).worst < 1e-9
        True

    Cost: the sum of the methods': cubic in the joints.
    """
    wanted = methods(system) if only is None else (FILTER_SMOOTHER, *names(only, "only", ModelError))
    solutions = [forward_dynamics(system, state, tau, name, external_forces) for name in dict.fromkeys(wanted)]
    scale = acceleration_scale(solutions[0])
    rows = [row for left, right in combinations(solutions, 2) for row in _compare(left, right, scale)]
    return Agreement(tuple(rows), scale)


def acceleration_scale(solution: Solution) -> float:
    """The largest of |q''|, of the terms that cancel in it, D^-1 |tau|, D^-1 |H z|, P^-1 z of a base, and of gravity.

    Args:
        solution: from ``filter_smoother``.
    """
    system, filtered = solution.system, solution.stages["filter"]
    n = system.n_joints
    measured = solution.tau - joint_losses(system, solution.state.qd)
    predicted = measured - filtered["innovation"]
    parts = [
        solution.packed_acceleration,
        measured / filtered["joint_inertia"],
        predicted / filtered["joint_inertia"],
        np.linalg.solve(filtered["articulated_inertia"][n:], filtered["predicted_force"][n:, :, None]),
        system.gravity,  # a chain that hangs straight down feels none of it
    ]
    return max(float(np.abs(part).max(initial=0.0)) for part in parts)


def _compare(left: Solution, right: Solution, scale: float) -> list[Difference]:
    rows, scale, payload = [], scale or 1.0, left.system.task_object
    # Accelerations share one scale: a joint at rest may be compared with one that moves.
    weight = 0.0 if payload is None else 1e-9 * payload.mass * scale
    for name in ("joint_acceleration", "base_acceleration", "object_acceleration", "contact_force"):
        a, b = getattr(left, name), getattr(right, name)
        if a is None or b is None:
            continue
        own = max(float(np.abs(b).max(initial=0.0)), weight) if name == "contact_force" else scale
        gap = float(np.abs(a - b).max(initial=0.0))
        let_go = name == "object_acceleration" and not left.system.is_held
        common = shared(left.method, right.method, let_go, bool(len(left.system.couplings.rows) or left.system.loops))
        rows.append(Difference(left.method, right.method, name, gap / own, common))
    return rows


def shared(left: str, right: str, let_go: bool, coupled: bool) -> tuple[str, ...]:
    """The mechanics modules that two methods both run.

    Args:
        let_go: whether the quantity is the acceleration of an object that is not held.
        coupled: whether joints follow others, or loops are closed.
    """
    mine, other = (STANDS_ON[name] + (OF_A_FREE_OBJECT.get(name, ()) if let_go else ()) for name in (left, right))
    return tuple(module for module in mine if module in other) + OF_COUPLINGS * coupled
