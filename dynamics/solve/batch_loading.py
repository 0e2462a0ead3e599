"""Loads states into the lanes of a block, and collects the accelerations."""

from __future__ import annotations

from dynamics.compiler.kernels import inlined
from dynamics.recursion.inward_filter import measured_torque
from dynamics.spatial.fields import at, put
from dynamics.spatial.lanes import everywhere
from dynamics.spatial.state_lanes import LANES, gathered, scattered
from dynamics.system.layout import (
    ACCELERATION,
    BLOCK_WIDTH,
    DAMPING,
    DISPLACEMENT,
    FRICTION,
    JOINT_ACCELERATION,
    POSITION,
    PREDICTED_FORCE,
    RATE,
    ROTATION,
    TORQUE,
    VELOCITY,
)


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
