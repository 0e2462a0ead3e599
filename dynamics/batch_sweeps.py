"""Eight states at once: the sweeps over all links of a block, in the order of ``filter_smoother``."""

from __future__ import annotations

from dynamics.batch_filter import correct, keep_predicted, measure_sliding, measure_turning, predict
from dynamics.batch_free_base import free_acceleration, free_mobility
from dynamics.batch_layout import (
    ACCELERATION,
    COSTATE_COVARIANCE,
    FORCE_CORRECTION,
    INERTIA_IN_WORK,
    POSITION,
    ROTATION,
    ROW,
)
from dynamics.batch_motion import joint_motion, joint_place, link_inertia
from dynamics.batch_smoother import correct_innovation, joint_force, mobility, smooth
from dynamics.compiled import part_of_kernel
from dynamics.layout import DAMPING, FREE, INBOARD, KIND, REVOLUTE, ROTOR_INERTIA
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
