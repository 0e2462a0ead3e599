"""A moment of a free flyer computed from another base, and converted back link by link; JR 3.3."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dynamics.checks import Array
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.record import Record, frozen
from dynamics.solve.formulations import mass_matrix
from dynamics.solve.forward_dynamics import forward_dynamics
from dynamics.solve.rebase import rebase_state
from dynamics.system.plain_kinematics import Forces, external_wrench, forward_kinematics, shift
from dynamics.system.solution import Solution
from dynamics.system.system import System


@dataclass(frozen=True, eq=False)
class OtherBase(Record):
    """The results of both filters for a moment with another link as the base.

    Links, joints and points O_k are those of the original system, whatever their numbers in the new one;
    inertial axes, SI units. Forces and inertias that refer to other points in the new one are moved to O_k by phi.

    Attributes:
        solution: in the numbering of the new system.
        articulated_inertia: P(k), (links, 6, 6).
        dual_articulated_inertia: S(k), (links, 6, 6).
        operational_space_inertia: P(k) + S(k), (links, 6, 6).
        predicted_force: z(k), (links, 6).
        acceleration: alpha(k), (links, 6).
        joint_acceleration: (joints,) rad/s^2 or m/s^2.
        mass_matrix: (joints + 6, joints + 6), the new base's six freedoms last.
    """

    solution: Solution
    articulated_inertia: Array
    dual_articulated_inertia: Array
    operational_space_inertia: Array
    predicted_force: Array
    acceleration: Array
    joint_acceleration: Array
    mass_matrix: Array


@public
def from_another_base(solution: Solution, rebased: System, external_forces: Forces = None) -> OtherBase:
    """The same motion under the same torques, computed with both filters running from another base.

    Accelerations, joint accelerations and P + S are unchanged, P, S, z and the mass matrix are not; JR 3.3 and
    Appendix A. A velocity-dependent acceleration a(k), and with it z(k), refers to the new inboard link.

    Args:
        solution: of a free flyer.
        rebased: the same free flyer by ``rebase``.
        external_forces: those that act in ``solution``, as ``forward_dynamics`` takes them.

    Returns:
        The quantities from the new base for the links, joints and points of the original; inertial axes, SI units.

    Raises:
        ModelError: if the system is not a free flyer, or ``rebased`` is another machine.
        StateError: for external forces of wrong shape, or that are not finite.
        SingularConfigurationError: never: a free flyer holds nothing.

    Cost: linear in the links, except the mass matrix: quadratic; some milliseconds for a few links.
    """
    system = solution.system
    if system.kind != "free_flyer" or rebased.kind != "free_flyer":
        raise ModelError("only a free flyer has no preferred base; this system is bolted down.")
    if {*system.link_names} != {*rebased.link_names} or {*system.joint_names} != {*rebased.joint_names}:
        raise ModelError("rebased: it has other links or joints than this system; dynamics.solve.rebase makes one.")
    links = [rebased.link_names.index(name) for name in system.link_names]
    joints = [rebased.joint_names.index(name) for name in system.joint_names]
    state = rebase_state(system, rebased, solution.state)
    lever = forward_kinematics(rebased, state).pose[links, :3, 3] - solution.link_pose[:, :3, 3]
    phi, phi_back = shift(lever), shift(-lever)
    tau, wrench = np.empty(len(joints)), np.zeros((len(links) + 1, 6))
    tau[joints] = solution.tau
    wrench[links] = _moved(phi_back, external_wrench(system, external_forces)[:-1])
    again = forward_dynamics(rebased, state, tau, external_forces=wrench)
    forward, dual = again.stages["filter"], again.stages["dual_filter"]
    mass, order = mass_matrix(rebased, state), [*joints, *range(len(joints), len(joints) + 6)]
    parts = (
        phi @ forward["articulated_inertia"][links] @ phi.transpose(0, 2, 1),
        phi @ dual["dual_articulated_inertia"][links] @ phi.transpose(0, 2, 1),
        phi @ dual["operational_space_inertia"][links] @ phi.transpose(0, 2, 1),
        _moved(phi, forward["predicted_force"][links]),
        _at_points(dual["acceleration"][links], solution.link_velocity[:, :3], lever),
        again.joint_acceleration[joints],
        mass[np.ix_(order, order)],
    )
    return OtherBase(again, *(frozen(np.array(part)) for part in parts))


def _moved(phi: Array, forces: Array) -> Array:
    """(links, 6): each force moved to another point."""
    return np.asarray((phi @ forces[..., None])[..., 0])


def _at_points(acceleration: Array, omega: Array, lever: Array) -> Array:
    """(links, 6): accelerations of the material points at ``-lever`` from those whose accelerations are given."""
    turning, moving = acceleration[:, :3], acceleration[:, 3:]
    return np.hstack([turning, moving - np.cross(turning, lever) - np.cross(omega, np.cross(omega, lever))])
