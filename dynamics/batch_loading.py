"""States into the lanes of a block, and accelerations out of them."""

from __future__ import annotations

from dynamics.batch_layout import (
    ACCELERATION,
    ANGULAR_VELOCITY,
    DISPLACEMENT,
    FORCE_IN_WORK,
    JOINT_ACCELERATION,
    LINEAR_VELOCITY,
    POSITION,
    RATE,
    ROTATION,
    ROW,
    TORQUE,
)
from dynamics.compiled import kernel, part_of_kernel
from dynamics.inward_filter import measured_torque
from dynamics.layout import DAMPING, FRICTION
from dynamics.state_lanes import ADDRESS, LANES


@kernel
def clear_row(block, k):
    for j in range(k * ROW, (k + 1) * ROW):
        block[j] = 0.0


@part_of_kernel
def load_joints(values, step, first, count, n_joints, block, field):
    """Joint vectors into a field of every link; lanes without a state repeat the last one."""
    for k in range(n_joints):
        at, start = k * ROW + field, first * step + k
        if count == LANES:
            for i in range(LANES):
                block[at + i] = values[start + i * step]
        else:
            for i in range(LANES):
                block[at + i] = values[start + min(i, count - 1) * step]


@part_of_kernel
def load(model, q, qd, tau, steps, first, count, n_joints, block):
    """Displacements, rates and measured torques of a block's states; ``steps`` is 0 where all states share a row."""
    load_joints(q, steps[0], first, count, n_joints, block, DISPLACEMENT)
    load_joints(qd, steps[1], first, count, n_joints, block, RATE)
    load_joints(tau, steps[2], first, count, n_joints, block, TORQUE)
    for k in range(n_joints):
        if model[k, FRICTION] != 0.0 or model[k, FRICTION + 1] != 0.0:
            damping = model[k, DAMPING]
            for i in range(k * ROW, k * ROW + LANES):  # the filter subtracts the damping itself
                rate = block[i + RATE]
                block[i + TORQUE] = measured_torque(model, k, rate, block[i + TORQUE]) + damping * rate


@part_of_kernel
def load_world(n_links, block):
    """The world turns, moves and accelerates not; to be repeated where covariances or another block overwrote it."""
    world = n_links * ROW
    for j in range(12 * LANES):
        block[world + ROTATION + j] = 0.0
    for j in range(3):
        for i in range(LANES):
            block[world + ROTATION + 4 * j * LANES + i] = 1.0
    for j in range(6 * LANES):
        block[world + POSITION + j] = 0.0


@part_of_kernel
def load_bases(tree, rotations, velocities, first, count, n_joints, block):
    """Rotation and angular velocity of the floating bases, whose rows are otherwise empty."""
    n_links = tree.shape[0]
    bases = n_links - n_joints
    for k in range(n_joints, n_links):
        clear_row(block, k)
        for i in range(LANES):
            state = (first + min(i, count - 1)) * bases + k - n_joints
            for j in range(9):
                block[k * ROW + ROTATION + j * LANES + i] = rotations[state, j]
            for j in range(3):
                block[k * ROW + ANGULAR_VELOCITY + j * LANES + i] = velocities[state, j]


@kernel
def load_positions(tree, positions, velocities, first, count, n_joints, block):
    """Position and velocity of the floating bases, for held systems; after ``load_bases``."""
    n_links = tree.shape[0]
    bases = n_links - n_joints
    for k in range(n_joints, n_links):
        for i in range(LANES):
            state = (first + min(i, count - 1)) * bases + k - n_joints
            for j in range(3):
                block[k * ROW + POSITION + j * LANES + i] = positions[state, j]
                block[k * ROW + LINEAR_VELOCITY + j * LANES + i] = velocities[state, 3 + j]


@part_of_kernel
def push(wrench, step, first, count, n_links, block):
    """External forces act on a link as a bias force the other way."""
    for k in range(n_links):
        for i in range(LANES):
            state = (first + min(i, count - 1)) * step
            for j in range(6):
                block[k * ROW + FORCE_IN_WORK + j * LANES + i] -= wrench[state, k, j]


@kernel
def keep_block(n_links, block, number, kept):
    """Copy a block's links to where block ``number`` is kept."""
    at = (number * n_links * ROW) & ADDRESS
    for j in range(n_links * ROW):
        kept[at + j] = block[j]


@part_of_kernel
def collect(n_joints, n_links, block, first, count, joint_acceleration, base_acceleration):
    """The accelerations of a block's states.

    Returns:
        False if one of them is not finite.
    """
    finite = True
    for k in range(n_joints):
        at = k * ROW + JOINT_ACCELERATION
        for i in range(count):
            value = block[at + i]
            joint_acceleration[first + i, k] = value
            finite &= value - value == 0.0
    for k in range(n_joints, n_links):
        for i in range(count):
            for j in range(6):
                value = block[k * ROW + ACCELERATION + j * LANES + i]
                base_acceleration[first + i, k - n_joints, j] = value
                finite &= value - value == 0.0
    return finite
