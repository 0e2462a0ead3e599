"""Forward dynamics of one state, by any method, as a complete solution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from dynamics.checks import Array, brief, choices, is_among
from dynamics.errors import ModelError, SingularConfigurationError, StateError
from dynamics.public import public, public_as_computed
from dynamics.record import frozen
from dynamics.recursion.contact_gain import contact_stages, indeterminate_count
from dynamics.recursion.contact_geometry import worst_gaps
from dynamics.recursion.corrected import base_correction, corrected_force, force_across, updated_inertia
from dynamics.recursion.dual_filter import dual_stages, run_dual
from dynamics.recursion.filter_smoother import (
    UNSOLVABLE_CONTACTS,
    contact_operator_for_showing,
    filter_and_smooth,
    motion_state,
)
from dynamics.recursion.kinematics import energy_and_momentum
from dynamics.recursion.outward_smoother import costate_covariance
from dynamics.solve.formulations import FORMULATIONS
from dynamics.system.columns import named
from dynamics.system.couplings import coupled_torque
from dynamics.system.joint_vectors import JointValues, Order, joint_vector
from dynamics.system.loops import require_loops_closed, ties_of
from dynamics.system.plain_kinematics import Forces, external_wrench, poses_from
from dynamics.system.solution import Solution
from dynamics.system.state import State
from dynamics.system.system import System, raise_failure
from dynamics.system.tables import Work, make_work, of_state, stacked

CLOSURE_TOLERANCE = 1e-6
FILTER_SMOOTHER, TWO_FILTER = "filter_smoother", "two_filter"


@public
def methods(system: System) -> tuple[str, ...]:
    """Every method of forward dynamics that applies to a system, ``filter_smoother`` of R87 first.

    Args:
        system: any.

    Returns:
        Names for ``forward_dynamics`` and ``Recording.solution_at``.

    Example:
        >>> dyn.methods(dyn.single_arm(dyn.planar_chain(2)))[:3]
        ('filter_smoother', 'mass_matrix', 'newton_euler')

    Cost: none.
    """
    return (FILTER_SMOOTHER, *(name for name, formulation in FORMULATIONS.items() if formulation.applies(system)))


@public_as_computed
def forward_dynamics(
    system: System,
    state: State,
    tau: JointValues | None = None,
    method: str = "filter_smoother",
    external_forces: Forces = None,
    order: Order = "tip",
) -> Solution:
    """The accelerations of a system under joint torques.

    ``filter_smoother`` is Rodriguez's recursion (R87 (35)-(47); R88 Section 9 for a held object; JR
    Algorithm 3 for a free flyer). The others (``methods``) are witnesses: all but ``two_filter``, which runs the same
    inward filter, share neither recursion nor kinematics with it; ``agreement`` says what any two have in common.
    If joints follow others, or loops are closed, ``filter_smoother`` and ``two_filter`` find the torques that enforce
    this (``Solution.coupling_torque``) from solutions without these constraints; the dense methods include the
    constraints in the equations and leave ``tau`` as it was given. All take the couplings' rows from the same code.
    A method determines accelerations and contact forces. Poses, velocities, bias terms and energies of the
    ``Solution`` always come from the compiled kinematics; the witnesses do not check them here.

    Args:
        system: any.
        state: of this system; closed to 1e-6 (rad, or of the machine's length and speed) if an object is held, or
            links form a loop.
        tau: (joints,) motor torques in N m or forces in N, tip to base, arm after arm; or ``{joint name: value}``.
            Default zero.
        method: one of ``methods(system)``.
        external_forces: ``{link name or "object": [moment; force]}`` in inertial axes, at the link's joint
            or the object's mass centre; or all of them, (links + 1, 6), the object's last.
        order: ``base`` if the array tau runs from base to tip, or the joints' names as it has them (of a tree in
            Pinocchio, ``list(model.names)[1:]``). The answer's arrays run from tip to base all the same;
            ``Solution.by_joint`` has them by name.

    Returns:
        Accelerations, contact forces, energies and, by ``filter_smoother``, every stage of every link.

    Raises:
        StateError: for wrong shapes, numbers that are not finite, or a state more than 1e-6 off the closure.
        ModelError: for an unknown method, or a joint that moves no inertia.
        SingularConfigurationError: if no contact force can close the chain, or no torque a loop.

    Example:
        >>> system = dyn.single_arm(dyn.load("panda"))
        >>> solution = dyn.forward_dynamics(system, system.home())
        >>> solution
        Solution(filter_smoother, 7 joints, stages filter, smoother)
        >>> solution.stages["filter"]["kalman_gain"].shape
        (7, 6)

    Cost: linear in links and arms for ``filter_smoother`` if every contact is rigid and has its own
    arm with a well-conditioned tip, and the object is not too light; else cubic in the contact directions, as Omega, a
    stage, always is; times the number of followers and held loop directions. Cubic
    in the joints, or more, for the others but ``two_filter``.
    """
    if not is_among(method, methods(system)):
        raise ModelError(
            f"this system cannot be solved by {brief(method)}; its methods are {choices(methods(system))}."
        )
    torque = joint_vector(system, tau, "tau", order)
    wrench = external_wrench(system, external_forces)
    if method == FILTER_SMOOTHER:
        return filter_solutions(system, [state], [torque], wrench)[0]
    works = stacked(make_work(system.tables), 1)
    works.wrench[:] = wrench
    moved = [_moved(system, state, of_state(works, 0))]
    coupling = None
    if method == TWO_FILTER and system.couplings.are_some:
        filtered = filter_solutions(system, [state], [torque], wrench)[0]
        torque, coupling = filtered.tau, filtered.coupling_torque
    packed, force = FORMULATIONS[method].solve(system, state, torque, wrench)
    _require_finite(packed)
    null = np.zeros((len(system.contacts), 6, 0))
    return _solutions(method, system, [state], [torque], [coupling], works, moved, packed[None], force, [null], {})[0]


@public_as_computed
def filter_solutions(
    system: System, states: Sequence[State], torques: Sequence[Array], wrench: Array
) -> list[Solution]:
    """The results of ``forward_dynamics`` for several states of one system, solved in turn in common arrays.

    Args:
        torques: (joints,) for each.
        wrench: (links + 1, 6), common to all.

    Raises:
        the error of ``forward_dynamics`` for the first state that it refuses.

    Cost: for many, a third to a fifth of as many calls of ``forward_dynamics``.
    """
    tables = system.tables
    works = stacked(make_work(tables), len(states))
    works.wrench[:] = wrench
    packed, moved = np.zeros((len(states), system.n_velocity)), []
    totals: list[Array] = [np.array(torque) for torque in torques]  # writable: one type for the kernel
    couplings = list[Array | None]([None] * len(states))
    for at, state in enumerate(states):
        work = of_state(works, at)
        moved.append(_moved(system, state, work))
        if system.couplings.are_some:
            totals[at] = _coupled(system, state, moved[at], torques[at], work)
            couplings[at] = frozen(totals[at] - torques[at])
        _filter(system, moved[at].v, totals[at], work, packed[at])
        if system.is_held:
            contact_operator_for_showing(tables, work)
        else:
            costate_covariance(tables.tree, work.links)
        if system.kind == "free_flyer":
            run_dual(tables, work)
    stages = filter_stages(system, works)
    if system.kind == "free_flyer":
        stages["dual_filter"] = dual_stages(system, works.links[:, :-1])
    tips = [contact.tip for contact in system.contacts]
    force, null = np.zeros((len(states), system.n_tips, 6)), [np.zeros((0, 6, 0))] * len(states)
    if tips:
        force = stages["contact"]["contact_force"]
        directions = stages["contact"]["indeterminate_directions"].reshape(len(states), system.n_tips, 6, -1)
        null = [directions[at, tips, :, :lost] for at, lost in enumerate(indeterminate_count(works))]
    return _solutions(FILTER_SMOOTHER, system, states, totals, couplings, works, moved, packed, force, null, stages)


def _filter(system: System, v: Array, tau: Array, work: Work, acceleration: Array) -> None:
    """``filter_and_smooth``, after ``motion_state``; raises if there is no solution."""
    status = filter_and_smooth(system.tables, v, tau, work, acceleration)
    if status >= 0:
        raise_failure(system, status)
    if status == UNSOLVABLE_CONTACTS:
        raise _unsolvable(system, work)
    _require_finite(acceleration)


def _coupled(system: System, state: State, moved: _MotionState, tau: Array, work: Work) -> Array:
    """The torques that enforce all couplings; ``work`` is left as ``motion_state`` leaves it."""
    n, found = system.n_joints, np.zeros(system.n_velocity)

    def solve(torque: Array) -> tuple[Array, Array]:
        _filter(system, moved.v, torque, work, found)
        inertia = named(work.links[:n], "joint_inertia").copy()
        motion_state(system.tables, moved.x, moved.v, work)
        return found[:n].copy(), inertia

    ties = ties_of(system, state)
    total = coupled_torque(ties, tau, solve)
    answer, inertia = solve(total)
    least = max(np.abs(total / inertia).max(), np.abs(system.gravity).max())
    system.couplings.require(system.joint_names, ties, answer, least)
    return total


def _require_finite(acceleration: Array) -> None:
    if not np.all(np.isfinite(acceleration)):
        raise StateError(
            "the accelerations are not finite: velocities, torques or forces are too large to be represented."
        )


class _MotionState(NamedTuple):
    """A state's packed configuration and velocity, and the quantities derived from them."""

    x: Array
    v: Array
    kinetic: float
    potential: float
    momentum: Array


def _moved(system: System, state: State, work: Work) -> _MotionState:
    """Computes the motion of a state into ``work``; refused if it is off the closure."""
    x, v = system.pack(state)
    motion_state(system.tables, x, v, work)
    if system.is_held:
        require_closed(system, work, v, CLOSURE_TOLERANCE)
    require_loops_closed(system, state, CLOSURE_TOLERANCE)
    momentum = np.zeros(6)
    kinetic, potential = energy_and_momentum(system.tables, v, work, momentum)
    return _MotionState(x, v, kinetic, potential, frozen(momentum))


def _solutions(
    method: str,
    system: System,
    states: Sequence[State],
    torques: Sequence[Array],
    couplings: Sequence[Array | None],
    works: Work,
    moved: Sequence[_MotionState],
    packed: Array,
    force: Array,
    null: Sequence[Array],
    stages: dict[str, dict[str, Array]],
) -> list[Solution]:
    """A solution for each state; arrays are allocated for all, and each solution has its own part."""
    n, links = system.n_joints, works.links[:, :-1]
    alone, has_object = system.kind == "free_flyer", system.task_object is not None
    poses = poses_from(system, links)
    tips = np.zeros((len(states), system.n_tips, 4, 4))
    for number, tip in enumerate(system.tips):
        tips[:, number] = poses[:, tip.link] @ tip.pose
    bases = packed[:, n : n + 6 * system.n_bases].reshape(len(states), *(() if alone else (-1,)), 6)
    together: dict[str, Any] = {
        "joint_acceleration": packed[:, :n],
        "base_acceleration": bases if system.is_floating else None,
        "object_acceleration": packed[:, -6:] if has_object else None,
        "contact_force": force.reshape(len(states), -1, 6) if has_object else None,
        "link_pose": poses,
        "link_velocity": named(links, "velocity").copy(),
        "bias_acceleration": named(links, "bias_acceleration").copy(),
        "bias_force": named(links, "bias_force").copy(),
        "tip_pose": tips,
    }
    for array in (*together.values(), *(array for stage in stages.values() for array in stage.values())):
        frozen(array)
    return [
        Solution(
            method=method,
            system=system,
            state=state,
            tau=torques[at],
            coupling_torque=couplings[at],
            indeterminate=null[at] if system.is_held else None,
            stages={stage: _of_one(arrays, at, null[at].shape[-1]) for stage, arrays in stages.items()},
            kinetic_energy=moved[at].kinetic,
            potential_energy=moved[at].potential,
            momentum=moved[at].momentum,
            **_of_one(together, at, 0),
        )
        for at, state in enumerate(states)
    ]


def _of_one(arrays: dict[str, Any], at: int, indeterminate: int) -> dict[str, Any]:
    """One state's part of arrays with a leading axis, without the indeterminate directions that only others have."""
    own: dict[str, Any] = {name: None if array is None else array[at] for name, array in arrays.items()}
    if "indeterminate_directions" in own:
        own["indeterminate_directions"] = own["indeterminate_directions"][:, :indeterminate]
    return own


def require_closed(system: System, work: Work, v: Array, tolerance: float) -> None:
    """Raise ``StateError``, naming the worst arm, if a held object's closure is violated; after ``motion_state``."""
    gaps = worst_gaps(system.tables, work, v)
    if max(gaps) <= tolerance:
        return
    own = np.column_stack([np.abs(named(work.contacts, name)).max(axis=1) for name in ("position_gap", "velocity_gap")])
    worst = int(np.argmax(own[:, int(np.argmax(gaps))]))
    raise StateError(
        f"arm {system.contacts[worst].arm + 1} is off the object it holds by {own[worst, 0]:.3g} (position, m or "
        f"rad) and {own[worst, 1]:.3g} (velocity, m/s or rad/s); at most {tolerance:g} rad, or of the machine's length "
        "and speed, is allowed. Use dynamics.project(system, state) for a near state that is closed."
    )


def _unsolvable(system: System, work: Work) -> SingularConfigurationError:
    """The chain cannot close: names the arm that requires an impossible acceleration."""
    owner = np.repeat([c.arm for c in system.contacts], [len(c.selection) for c in system.contacts])
    lost = len(owner) - int(work.order[len(owner)])
    arm = int(owner[work.order[len(owner) - 1]]) + 1
    return SingularConfigurationError(
        f"no contact force closes the chain here: {lost} of {len(owner)} contact directions can be accelerated by "
        f"neither arm nor object, and the motion needs one of them (worst at arm {arm}). Nothing was returned; "
        "move away from the singular posture, or let a contact transmit fewer directions."
    )


def filter_stages(system: System, work: Work) -> dict[str, dict[str, Array]]:
    """Every stage of a solved system, or of many at once, as named arrays in the paper's order."""
    n, links = system.n_joints, work.links[..., :-1, :]
    joints = links[..., :n, :]

    def of_joints(*names: str) -> dict[str, Array]:
        return {name: named(joints, name).copy() for name in names}

    def motion(stage: str) -> dict[str, Array]:
        rows = {"acceleration": links, "acceleration_inboard": links, "joint_acceleration": joints}
        return {name: named(own, f"{stage}.{name}").copy() for name, own in rows.items()}

    stages = {
        "filter": {
            "articulated_inertia": named(links, "articulated_inertia"),
            "articulated_inertia_updated": updated_inertia(links, n),
            **of_joints("joint_inertia", "kalman_gain"),
            "predicted_force": named(links, "predicted_force").copy(),
            "corrected_force": corrected_force(links, n),
            **of_joints("innovation", "residual"),
        },
        "smoother": motion("smoother") | {"costate_covariance": named(links, "costate_covariance")},
    }
    if not system.is_held:
        stages["smoother"]["force"] = force_across(links, n, "smoother")
        return stages
    correction = base_correction(links, n)
    stages["contact"] = contact_stages(system, work)
    stages["filter_correction"] = {"force_correction": correction, **of_joints("modified_innovation")}
    force = force_across(links, n, "smoother_final", correction)
    stages["smoother_final"] = motion("smoother_final") | {"force": force}
    return stages
