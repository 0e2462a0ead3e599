"""States of a system that holds an object, solved one by one by the readable sweeps: no benchmark row needs more.

Only systems that hold nothing run eight states at once (``kernel``).
"""

from __future__ import annotations

import numpy as np

from dynamics.checks import Array
from dynamics.compiler.callback import status_at
from dynamics.compiler.kernels import inlined, kernel
from dynamics.recursion.contact_geometry import worst_gaps
from dynamics.recursion.filter_smoother import SOLVED, contact_operator_for_showing, motion_state
from dynamics.solve.batch_inputs import BatchInputs
from dynamics.system.layout import CONTACT_FORCE, DUAL_INERTIA
from dynamics.system.state import rows_of_poses
from dynamics.system.system import System
from dynamics.system.tables import Work, make_work, stacked


@inlined
def room_of(works, wrench, at):
    """The work memory of one state."""
    return Work(
        works.links[at],
        works.contacts[at],
        works.directions[at],
        works.task_object[at],
        works.omega[at],
        works.factored[at],
        works.order[at],
        works.forces[at],
        works.scratch[at],
        wrench,
        works.turns[at],
        works.root[at],
    )


@kernel
def solve_held_batch(solve, tables, x, v, tau, wrench, steps, tolerance, keep, works, accelerations, contact_force):
    """The five stages of R88 Section 9 for every state.

    Args:
        solve: address of ``filter_and_smooth``.
        x, v: (states, configuration) and (states, velocity), packed.
        steps: (2,) from one state's torques to the next's, and the same for external forces; 0 if all share a row.
        tolerance: the closure tolerance, as ``worst_gaps`` measures it.
        keep: whether each state has its own memory in ``works``; otherwise all share the first.
        accelerations: (states, velocity), an output, like ``contact_force``, (states, contacts, 6).

    Returns:
        -1, or the first state that is not closed or has no solution.
    """
    for state in range(x.shape[0]):
        work = room_of(works, wrench[state * steps[1]], state if keep else 0)
        motion_state(tables, x[state], v[state], work)
        position, velocity = worst_gaps(tables, work, v[state])
        if not (position <= tolerance and velocity <= tolerance):
            return state
        found = accelerations[state]
        if status_at(solve, (tables, v[state], tau[state * steps[0]], work, found)) != SOLVED:
            return state
        if keep:
            contact_operator_for_showing(tables, work)
        doubt = 0.0
        for k in range(found.shape[0]):
            doubt += found[k] - found[k]
        if doubt != 0.0:
            return state
        for i in range(contact_force.shape[1]):
            for j in range(6):
                contact_force[state, i, j] = work.contacts[i, CONTACT_FORCE + j]
    return -1


def held_room(system: System, states: int) -> Work:
    """Work memory for ``states`` states, without what a dual filter needs."""
    work = make_work(system.tables)
    return stacked(work._replace(links=work.links[:, :DUAL_INERTIA].copy()), states)


def packed_states(system: System, inputs: BatchInputs) -> tuple[Array, Array]:
    """(states, configuration) and (states, velocity), packed as ``System.pack`` does."""
    n, size = system.n_joints, inputs.size
    x, v = np.empty((size, system.n_configuration)), np.empty((size, system.n_velocity))
    x[:, :n], v[:, :n] = inputs.q, inputs.qd
    if not size:
        return x, v
    places = (system.n_velocity - n) // 6
    poses, speeds = np.empty((size, places, 4, 4)), v[:, n:]
    if inputs.base_pose is not None and inputs.base_velocity is not None:
        poses[:, : system.n_bases] = inputs.base_pose.reshape(-1, system.n_bases, 4, 4)
        speeds[:, : 6 * system.n_bases] = inputs.base_velocity.reshape(-1, 6 * system.n_bases)
    if inputs.object_pose is not None and inputs.object_velocity is not None:
        poses[:, -1], speeds[:, -6:] = inputs.object_pose, inputs.object_velocity
    x[:, n:] = rows_of_poses(poses).reshape(size, -1)
    return x, v


def objects_in_flight(system: System, inputs: BatchInputs) -> Array:
    """alpha_b = -M^-1(C) b(C) of an object that is not held, (states, 6); b(C) = [w x I w - T; -F - m g]."""
    payload, pose, velocity = system.task_object, inputs.object_pose, inputs.object_velocity
    assert payload is not None and pose is not None and velocity is not None
    rotation, omega, push = pose[..., :3, :3], velocity[..., :3], inputs.wrench[..., -1, :]
    inertia = rotation @ payload.inertia @ np.swapaxes(rotation, -1, -2)
    moment = push[..., :3] - np.cross(omega, np.einsum("...ij,...j->...i", inertia, omega))
    found = np.empty((inputs.size, 6))
    found[:, :3] = np.linalg.solve(inertia, moment[..., None])[..., 0]
    found[:, 3:] = push[..., 3:] / payload.mass + system.gravity
    return found
