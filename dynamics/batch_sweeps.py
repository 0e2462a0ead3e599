"""Eight states at once: the sweeps over all links of a block, in the order of ``filter_smoother``."""

from __future__ import annotations

from dynamics.batch_filter import correct, keep_predicted, measure_sliding, measure_turning, predict
from dynamics.batch_free_base import free_acceleration, free_mobility
from dynamics.batch_layout import (
    ACCELERATION,
    ANGULAR_VELOCITY,
    COSTATE_COVARIANCE,
    DISPLACEMENT,
    FORCE_CORRECTION,
    FORCE_IN_WORK,
    INERTIA_IN_WORK,
    JOINT_ACCELERATION,
    LINEAR_VELOCITY,
    POSITION,
    RATE,
    ROTATION,
    ROW,
    TORQUE,
)
from dynamics.batch_motion import joint_motion, joint_place, link_inertia
from dynamics.batch_smoother import correct_innovation, joint_force, mobility, smooth
from dynamics.compiled import borrowing_kernel, part_of_kernel
from dynamics.inward_filter import measured_torque
from dynamics.layout import DAMPING, FREE, FRICTION, INBOARD, KIND, REVOLUTE, ROTOR_INERTIA
from dynamics.state_lanes import ADDRESS, LANES

# Rows after the last link: the world, and room for what ``bring_inboard`` puts aside.
EXTRA_ROWS = 2


@part_of_kernel
def bring_inboard(block, n_links, k, inboard, low, high):
    """Where a link's inboard link is not the next row, its fields ``low`` to ``high`` take the next row's place."""
    if inboard != k + 1:
        following, there, aside = ((k + 1) * ROW) & ADDRESS, (inboard * ROW) & ADDRESS, ((n_links + 1) * ROW) & ADDRESS
        for j in range(low, high):
            block[aside + j] = block[following + j]
            block[following + j] = block[there + j]


@part_of_kernel
def take_back(block, n_links, k, inboard, low, high):
    """Undo ``bring_inboard``: what was written goes to the inboard link, and the next row gets its own back."""
    if inboard != k + 1:
        following, there, aside = ((k + 1) * ROW) & ADDRESS, (inboard * ROW) & ADDRESS, ((n_links + 1) * ROW) & ADDRESS
        for j in range(low, high):
            block[there + j] = block[following + j]
            block[following + j] = block[aside + j]


@borrowing_kernel
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


@borrowing_kernel
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
def move(tree, constants, gravity, block, place):
    """Outward: motion, inertia and bias of every link; ``place`` asks for positions and velocities too."""
    n_links = tree.shape[0]
    for k in range(n_links - 1, -1, -1):
        if tree[k, KIND] == FREE:
            link_inertia(block, k * ROW, constants, k, gravity)
            continue
        inboard = tree[k, INBOARD]
        turning = 1.0 if tree[k, KIND] == REVOLUTE else 0.0
        bring_inboard(block, n_links, k, inboard, ROTATION, ROTATION + 12 * LANES)
        joint_motion(block, k * ROW, constants, k, turning, 1.0 - turning)
        if place:
            bring_inboard(block, n_links, k, inboard, POSITION, POSITION + 6 * LANES)
            joint_place(block, k * ROW, 1.0 - turning)
            take_back(block, n_links, k, inboard, POSITION, POSITION + 6 * LANES)
        link_inertia(block, k * ROW, constants, k, gravity)
        take_back(block, n_links, k, inboard, ROTATION, ROTATION + 12 * LANES)


@part_of_kernel
def push(wrench, step, first, count, n_links, block):
    """External forces act on a link as a bias force the other way."""
    for k in range(n_links):
        for i in range(LANES):
            state = (first + min(i, count - 1)) * step
            for j in range(6):
                block[k * ROW + FORCE_IN_WORK + j * LANES + i] -= wrench[state, k, j]


@part_of_kernel
def filter_inward(tree, model, block, keep):
    """The filter from the tips to the base."""
    n_links = tree.shape[0]
    for k in range(n_links):
        inboard = tree[k, INBOARD]
        bring_inboard(block, n_links, k, inboard, INERTIA_IN_WORK, INERTIA_IN_WORK + 27 * LANES)
        predict(block, k * ROW)
        if keep:
            keep_predicted(block, k * ROW)
        if tree[k, KIND] != FREE:
            if tree[k, KIND] == REVOLUTE:
                measure_turning(block, k * ROW, model[k, ROTOR_INERTIA], model[k, DAMPING])
            else:
                measure_sliding(block, k * ROW, model[k, ROTOR_INERTIA], model[k, DAMPING])
            correct(block, k * ROW)
        take_back(block, n_links, k, inboard, INERTIA_IN_WORK, INERTIA_IN_WORK + 27 * LANES)


@part_of_kernel
def smooth_outward(tree, block):
    """The smoother from the base to the tips. The world does not accelerate."""
    n_links = tree.shape[0]
    for j in range(n_links * ROW + ACCELERATION, n_links * ROW + ACCELERATION + 6 * LANES):
        block[j] = 0.0
    for k in range(n_links - 1, -1, -1):
        if tree[k, KIND] == FREE:
            free_acceleration(block, k * ROW)
            continue
        inboard = tree[k, INBOARD]
        turning = 1.0 if tree[k, KIND] == REVOLUTE else 0.0
        bring_inboard(block, n_links, k, inboard, ACCELERATION, ACCELERATION + 6 * LANES)
        smooth(block, k * ROW, turning, 1.0 - turning)
        take_back(block, n_links, k, inboard, ACCELERATION, ACCELERATION + 6 * LANES)


@part_of_kernel
def force_of_joints(n_links, block):
    for k in range(n_links):
        joint_force(block, k * ROW)


@part_of_kernel
def mobility_outward(tree, block):
    """Lambda of every link, in the place of the rotations."""
    n_links = tree.shape[0]
    for j in range(n_links * ROW + COSTATE_COVARIANCE, n_links * ROW + COSTATE_COVARIANCE + 21 * LANES):
        block[j] = 0.0
    for k in range(n_links - 1, -1, -1):
        if tree[k, KIND] == FREE:
            free_mobility(block, k * ROW)
            continue
        inboard = tree[k, INBOARD]
        bring_inboard(block, n_links, k, inboard, COSTATE_COVARIANCE, COSTATE_COVARIANCE + 21 * LANES)
        mobility(block, k * ROW, tree[k, KIND] == REVOLUTE)
        take_back(block, n_links, k, inboard, COSTATE_COVARIANCE, COSTATE_COVARIANCE + 21 * LANES)


@borrowing_kernel
def keep_block(n_links, block, number, kept):
    """Copy a block's links to where block ``number`` is kept."""
    at = (number * n_links * ROW) & ADDRESS
    for j in range(n_links * ROW):
        kept[at + j] = block[j]


@part_of_kernel
def correct_inward(tree, block):
    """Stage 4 of R88: the contact forces, already at their links, carried inward."""
    n_links = tree.shape[0]
    for k in range(n_links):
        if tree[k, KIND] == FREE:
            continue
        inboard = tree[k, INBOARD]
        turning = 1.0 if tree[k, KIND] == REVOLUTE else 0.0
        bring_inboard(block, n_links, k, inboard, FORCE_CORRECTION, FORCE_CORRECTION + 6 * LANES)
        correct_innovation(block, k * ROW, turning, 1.0 - turning)
        take_back(block, n_links, k, inboard, FORCE_CORRECTION, FORCE_CORRECTION + 6 * LANES)


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
