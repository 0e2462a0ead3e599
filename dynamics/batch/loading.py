"""States into the lanes of a block, and accelerations out of them."""

from __future__ import annotations

from dynamics.batch.layout import (
    ACCELERATION,
    ANGULAR_VELOCITY,
    DISPLACEMENT,
    JOINT_ACCELERATION,
    LINEAR_VELOCITY,
    POSITION,
    PREDICTED_FORCE,
    RATE,
    ROTATION,
    ROW,
    TORQUE,
)
from dynamics.compiler.compiled import inlined
from dynamics.numbers.lanes import everywhere, load6, store
from dynamics.numbers.state_lanes import LANES, gathered, scattered
from dynamics.recursion.inward_filter import measured_torque
from dynamics.system.layout import DAMPING, FRICTION


@inlined
def load_joints(values, step, first, count, n_joints, block, field):
    """Joint vectors into a field of every link; lanes without a state repeat the last one."""
    if count == LANES:
        for k in range(n_joints):
            store(block, k, field, gathered(values, first * step + k, step))
    else:
        for k in range(n_joints):
            for i in range(LANES):
                block[k, field + i] = values[(first + min(i, count - 1)) * step + k]


@inlined
def load(model, q, qd, tau, steps, first, count, n_joints, block):
    """Displacements, rates and measured torques of a block's states; ``steps`` is 0 where all states share a row."""
    load_joints(q, steps[0], first, count, n_joints, block, DISPLACEMENT)
    load_joints(qd, steps[1], first, count, n_joints, block, RATE)
    load_joints(tau, steps[2], first, count, n_joints, block, TORQUE)
    for k in range(n_joints):
        if model[k, FRICTION] != 0.0 or model[k, FRICTION + 1] != 0.0:
            for i in range(LANES):  # the filter subtracts the damping itself
                rate = block[k, RATE + i]
                damped = model[k, DAMPING] * rate
                block[k, TORQUE + i] = measured_torque(model, k, rate, block[k, TORQUE + i]) + damped


@inlined
def clear_fields(block, k, field, count):
    """Zero, in so many fields of a row."""
    for j in range(count):
        store(block, k, field + j * LANES, everywhere(0.0))


@inlined
def load_world(n_links, block):
    """The world turns, moves and accelerates not."""
    clear_fields(block, n_links, 0, ROW // LANES)
    for j in range(3):
        store(block, n_links, ROTATION + 4 * j * LANES, everywhere(1.0))


@inlined
def load_bases(tree, rotations, velocities, first, count, n_joints, block):
    """Rotation and angular velocity of the floating bases, whose rows are otherwise empty."""
    n_links = tree.shape[0]
    bases = n_links - n_joints
    for k in range(n_joints, n_links):
        clear_fields(block, k, 0, ROW // LANES)
        for i in range(LANES):
            state = (first + min(i, count - 1)) * bases + k - n_joints
            for j in range(9):
                block[k, ROTATION + j * LANES + i] = rotations[state, j]
            for j in range(3):
                block[k, ANGULAR_VELOCITY + j * LANES + i] = velocities[state, j]


@inlined
def load_positions(tree, positions, velocities, first, count, n_joints, block):
    """Position and velocity of the floating bases, for held systems; after ``load_bases``."""
    n_links = tree.shape[0]
    bases = n_links - n_joints
    for k in range(n_joints, n_links):
        for i in range(LANES):
            state = (first + min(i, count - 1)) * bases + k - n_joints
            for j in range(3):
                block[k, POSITION + j * LANES + i] = positions[state, j]
                block[k, LINEAR_VELOCITY + j * LANES + i] = velocities[state, 3 + j]


@inlined
def push(wrench, step, first, count, n_links, block):
    """External forces act on a link as a bias force the other way."""
    for k in range(n_links):
        for i in range(LANES):
            state = (first + min(i, count - 1)) * step
            for j in range(6):
                block[k, PREDICTED_FORCE + j * LANES + i] -= wrench[state, k, j]


@inlined
def keep_block(n_links, block, number, kept):
    """Copy a block's links to where block ``number`` is kept."""
    for k in range(n_links):
        for j in range(0, ROW, LANES):
            store(kept, number * n_links + k, j, load6(block, k, j))


@inlined
def collect(n_joints, n_links, block, first, count, joint_acceleration, base_acceleration):
    """The accelerations of a block's states; ``joint_acceleration`` is flat.

    Returns:
        False if one of them is not finite.
    """
    doubt = everywhere(0.0)
    for k in range(n_joints):
        value = load6(block, k, JOINT_ACCELERATION)
        doubt = doubt + (value - value)
        if count == LANES:
            scattered(joint_acceleration, first * n_joints + k, n_joints, value)
        else:
            for i in range(count):
                joint_acceleration[(first + i) * n_joints + k] = block[k, JOINT_ACCELERATION + i]
    for k in range(n_joints, n_links):
        for j in range(6):
            value = load6(block, k, ACCELERATION + j * LANES)
            doubt = doubt + (value - value)
            for i in range(count):
                base_acceleration[first + i, k - n_joints, j] = value[i]
    total = 0.0
    for i in range(LANES):
        total += doubt[i]
    return total == 0.0
