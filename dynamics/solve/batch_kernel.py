"""The kernels of a batch: eight states at once of a system that holds no object, one by one of a system that does.

The first loads states into the lanes of a block and collects the accelerations; benchmark row ``batch``. The second
runs the readable sweeps: no benchmark row needs more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dynamics.checks import Array
from dynamics.compiler.callback import status_at
from dynamics.compiler.kernels import inlined, kernel
from dynamics.recursion.contact_geometry import worst_gaps
from dynamics.recursion.filter_smoother import SOLVED, contact_operator_for_showing, motion_state
from dynamics.recursion.inward_filter import filter_inward, measured_torque
from dynamics.recursion.kinematics import move
from dynamics.recursion.outward_smoother import mobility_outward, smooth_outward
from dynamics.spatial.fields import at, put
from dynamics.spatial.lanes import everywhere
from dynamics.spatial.state_lanes import LANES, gathered, scattered
from dynamics.system.layout import (
    ACCELERATION,
    BLOCK_WIDTH,
    CONTACT_FORCE,
    DAMPING,
    DISPLACEMENT,
    DUAL_INERTIA,
    FREE_MOTION,
    FRICTION,
    JOINT_ACCELERATION,
    POSITION,
    PREDICTED_FORCE,
    RATE,
    RESIDUAL,
    ROTATION,
    TORQUE,
    VELOCITY,
)
from dynamics.system.system import System
from dynamics.system.tables import Work, make_work, stacked


@inlined
def load_joints(values, step, first, count, n_joints, block, field):
    """Load joint vectors into a field of every link; lanes without a state repeat the last one."""
    if count == LANES:
        for k in range(n_joints):
            put(block, k, field, gathered(values, first * step + k, step))
    else:
        for k in range(n_joints):
            for i in range(LANES):
                block[k, field, i] = values[(first + min(i, count - 1)) * step + k]


@inlined
def load(model, q, qd, tau, steps, first, count, n_joints, block):
    """Load displacements, rates and measured torques of a block; a step is 0 if all states share a row."""
    load_joints(q, steps[0], first, count, n_joints, block, DISPLACEMENT)
    load_joints(qd, steps[1], first, count, n_joints, block, RATE)
    load_joints(tau, steps[2], first, count, n_joints, block, TORQUE)
    for k in range(n_joints):
        if model[k, FRICTION] != 0.0 or model[k, FRICTION + 1] != 0.0:
            for i in range(LANES):
                block[k, TORQUE, i] = measured_torque(model, k, block[k, RATE, i], block[k, TORQUE, i])
        elif model[k, DAMPING] != 0.0:
            put(block, k, TORQUE, at(block, k, TORQUE) - model[k, DAMPING] * at(block, k, RATE))


@inlined
def clear_row(block, k):
    """Set every field of a row to zero."""
    for j in range(BLOCK_WIDTH):
        put(block, k, j, 0.0)


@inlined
def load_world(n_links, block):
    """Set the world's row: identity rotation, zero velocity and acceleration."""
    clear_row(block, n_links)
    for j in range(3):
        put(block, n_links, ROTATION + 4 * j, 1.0)


@inlined
def load_bases(tree, rotations, positions, velocities, first, count, n_joints, block):
    """Load poses and velocities of the floating bases, whose rows are otherwise empty."""
    n_links = tree.shape[0]
    bases = n_links - n_joints
    for k in range(n_joints, n_links):
        clear_row(block, k)
        for i in range(LANES):
            state = (first + min(i, count - 1)) * bases + k - n_joints
            for j in range(9):
                block[k, ROTATION + j, i] = rotations[state, j]
            for j in range(3):
                block[k, POSITION + j, i] = positions[state, j]
            for j in range(6):
                block[k, VELOCITY + j, i] = velocities[state, j]


@inlined
def push(wrench, step, first, count, n_links, block):
    """Subtract external forces, which act on the links like negative bias forces."""
    for k in range(n_links):
        for i in range(LANES):
            state = (first + min(i, count - 1)) * step
            for j in range(6):
                block[k, PREDICTED_FORCE + j, i] -= wrench[state, k, j]


@inlined
def keep_block(n_links, block, number, kept):
    """Copy the kept fields of a block's links to block ``number`` of ``kept``."""
    for k in range(n_links):
        for j in range(kept.shape[1]):
            put(kept, number * n_links + k, j, at(block, k, j))


@inlined
def collect(n_joints, n_links, block, motion, first, count, joint_acceleration, base_acceleration):
    """Collect the accelerations of a block's states; ``joint_acceleration`` is flat.

    Returns:
        False if any of them is not finite.
    """
    doubt = everywhere(0.0)
    for k in range(n_joints):
        value = at(block, k, motion + JOINT_ACCELERATION)
        doubt = doubt + (value - value)
        if count == LANES:
            scattered(joint_acceleration, first * n_joints + k, n_joints, value)
        else:
            for i in range(count):
                joint_acceleration[(first + i) * n_joints + k] = value[i]
    for k in range(n_joints, n_links):
        for j in range(6):
            value = at(block, k, motion + ACCELERATION + j)
            doubt = doubt + (value - value)
            for i in range(count):
                base_acceleration[first + i, k - n_joints, j] = value[i]
    total = 0.0
    for i in range(LANES):
        total += doubt[i]
    return total == 0.0


class Inputs(NamedTuple):
    """The inputs of a batch; a step is 0 if all states share one row."""

    q: Array  # flat, as are the next two
    qd: Array
    tau: Array
    steps: NDArray[np.int64]  # (4,) from one state to the next: q, qd, tau in numbers, wrench in states
    base_rotation: Array  # (states * bases, 9)
    base_position: Array  # (states * bases, 3)
    base_velocity: Array  # (states * bases, 6)
    wrench: Array  # (states or 1, links + 1, 6)
    pushed: bool  # whether any of them is not zero


@kernel
def solve_batch(
    tree, model, gravity, inputs, n_joints, keep, joint_acceleration, base_acceleration, block, kept
):  # fmt: skip
    """Filter and smoother of every state, block after block of eight states in the same memory.

    Args:
        joint_acceleration: flat.
        keep: whether to compute co-state covariances too, and to copy every finished block. If the sweeps worked
            in ``kept`` itself, every sweep would load its block from main memory again.
        block: (links + 1, BLOCK_WIDTH, LANES).
        kept: (blocks * links, KEPT_WIDTH, LANES), memory for the links' rows of every block.

    Returns:
        -1, or the first state of the block that contains a failing state.
    """
    n_links, size = tree.shape[0], base_acceleration.shape[0]
    q, qd, tau, steps, rotation, position, velocity, wrench, pushed = inputs
    load_world(n_links, block)
    for first in range(0, size, LANES):
        count = min(LANES, size - first)
        load(model, q, qd, tau, steps, first, count, n_joints, block)
        load_bases(tree, rotation, position, velocity, first, count, n_joints, block)
        move(tree, model, gravity, block, False)
        if pushed:
            push(wrench, steps[3], first, count, n_links, block)
        filter_inward(tree, model, block)
        smooth_outward(tree, block, RESIDUAL, PREDICTED_FORCE, 1.0, FREE_MOTION)
        if not collect(n_joints, n_links, block, FREE_MOTION, first, count, joint_acceleration, base_acceleration):
            return first
        if keep:
            mobility_outward(tree, block)
            keep_block(n_links, block, first // LANES, kept)
    return -1


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
