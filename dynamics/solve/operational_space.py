"""The inertia of a link, or of a contact, as seen from outside; JR Section 4."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from dynamics.checks import Array
from dynamics.compiler.kernels import kernel
from dynamics.errors import StateError
from dynamics.lanes.forward import NOT_FINITE
from dynamics.lanes.link_inertia import ChainWorkspace, chain_inertia, make_chain_room
from dynamics.public import TOO_LARGE, finite, public_as_computed
from dynamics.recursion.dual_filter import dual_filter
from dynamics.recursion.filter_smoother import SOLVED
from dynamics.recursion.inward_filter import inward_filter
from dynamics.recursion.kinematics import kinematics
from dynamics.recursion.transport import transport
from dynamics.spatial.algebra import add21, expand, get21
from dynamics.system.layout import ARTICULATED_INERTIA, DUAL_INERTIA
from dynamics.system.plain_kinematics import forward_kinematics, shift
from dynamics.system.state import State
from dynamics.system.system import System, raise_failure
from dynamics.system.tables import make_work

NAME = "operational_space_inertia"
# Idle scratch space of every chain, so that threads do not share one.
_IDLE: WeakKeyDictionary[System, list[tuple[Array, ChainWorkspace]]] = WeakKeyDictionary()


@public_as_computed
def operational_space_inertia(system: System, state: State) -> Array:
    """Operational-space inertia without a Jacobian or an inverse of the mass matrix.

    For a free flyer: P(k) + S(k) of every link at O_k, two recursions in opposite directions,
    JR (4.10a), (4.11), Algorithm 8. For bolted-down arms: Lambda^-1(0) at each tip, R88's script P; if
    an arm cannot move its tip in some direction, that inertia is infinite and the pseudo-inverse of Lambda(0) is
    returned, zero in that direction; lengths are then measured so that Lambda(0) turns and shifts alike.

    Args:
        system: any; contacts and couplings between joints are ignored.
        state: only its posture is used.

    Returns:
        (links, 6, 6) for a free flyer, base last; (tips, 6, 6) otherwise; kg m^2, kg m and kg, inertial axes.

    Raises:
        StateError: for a state of another system.
        ModelError: for a joint that moves no inertia.

    Cost: linear in the number of links. A free flyer without branches uses ``chain_inertia``, any other system the
    readable recursions.
    """
    if system.kind == "free_flyer":
        idle = _IDLE.get(system)
        if idle is None and np.array_equal(system.inboard[:-1], np.arange(1, system.n_links)):
            idle = _IDLE.setdefault(system, [])
        if idle is not None:
            return _chain_inertia(system, state, idle)
        return finite(_tree_inertia(system, state), NAME)
    t, poses = transport(system, state), forward_kinematics(system, state).pose
    result = np.zeros((len(system.tips), 6, 6))
    for i, tip in enumerate(system.tips):
        lever = (poses[tip.link] @ tip.pose)[:3, 3] - poses[tip.link, :3, 3]
        phi = shift(lever)
        covariance = phi.T @ t.covariance[tip.link] @ phi
        turns, shifts = np.trace(covariance[:3, :3]), np.trace(covariance[3:, 3:])
        unit = np.repeat([1.0, np.sqrt(turns / shifts) if turns > 0.0 and shifts > 0.0 else 1.0], 3)
        scale = np.outer(unit, unit)
        result[i] = scale * np.linalg.pinv(scale * covariance, rcond=1e-11, hermitian=True)
    return finite(result, NAME)


def _chain_inertia(system: System, state: State, idle: list[tuple[Array, ChainWorkspace]]) -> Array:
    try:
        arena, room = idle.pop()
    except IndexError:
        arena, room = make_chain_room(system)
    room.angles[:] = state.q
    room.pose[:] = state.base_pose
    result = np.empty((len(system.link_names), 6, 6))
    status = chain_inertia(arena, result)
    idle.append((arena, room))
    if status == NOT_FINITE:
        raise StateError(f"{NAME}: {TOO_LARGE}.")
    if status != SOLVED:
        raise_failure(system, status)
    return result


def _tree_inertia(system: System, state: State) -> Array:
    x, v = system.pack(state)
    result = np.empty((system.n_links, 6, 6))
    status = free_flyer_inertia(system.tables, x, v, np.zeros(system.n_joints), make_work(system.tables), result)
    if status >= 0:
        raise_failure(system, status)
    return result


@kernel
def free_flyer_inertia(tables, x, v, tau, work, result):
    """Write P(k) + S(k) of every link into ``result``, (links, 6, 6); JR (4.11).

    Returns:
        -1, or the first link that its joint cannot move, or that cannot move its joint.
    """
    tree, model, links = tables.tree, tables.model, work.links
    kinematics(tree, model, tables.gravity, work.wrench, x, v, links)
    status = inward_filter(tree, model, v, tau, links)
    if status < 0:
        status = dual_filter(tree, model, links)
    if status < 0:
        for k in range(tree.shape[0]):
            expand(add21(get21(links, k, ARTICULATED_INERTIA), get21(links, k, DUAL_INERTIA)), result[k])
    return status
