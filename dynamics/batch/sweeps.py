"""Eight states at once: the sweeps over all links of a block, in the order of ``filter_smoother``."""

from __future__ import annotations

from dynamics.batch.filter import correct, predict
from dynamics.batch.free_base import free_acceleration, free_mobility
from dynamics.batch.layout import ACCELERATION, ANGULAR_VELOCITY, COSTATE_COVARIANCE, ROTATION
from dynamics.batch.loading import clear_fields
from dynamics.batch.motion import joint_motion, joint_place, link_inertia
from dynamics.batch.smoother import correct_innovation, joint_force, mobility, smooth
from dynamics.compiler.compiled import inlined
from dynamics.numbers.state_lanes import lane3, lane9
from dynamics.system.layout import DAMPING, FREE, INBOARD, KIND, REVOLUTE, ROTOR_INERTIA


@inlined
def move(tree, constants, gravity, block, place):
    """Outward: motion, inertia and bias of every link; ``place`` asks for positions and velocities too."""
    for k in range(tree.shape[0] - 1, -1, -1):
        inboard, revolute = tree[k, INBOARD], tree[k, KIND] == REVOLUTE
        if tree[k, KIND] == FREE:
            rotation, omega = lane9(block, k, ROTATION), lane3(block, k, ANGULAR_VELOCITY)
        else:
            rotation, omega = joint_motion(block, k, inboard, constants, revolute)
            if place:
                joint_place(block, k, inboard, revolute)
        link_inertia(block, k, rotation, omega, constants, gravity)


@inlined
def filter_inward(tree, model, block):
    """The filter from the tips to the base."""
    for k in range(tree.shape[0]):
        p, z = predict(block, k)
        if tree[k, KIND] != FREE:
            correct(
                block, k, tree[k, INBOARD], p, z, tree[k, KIND] == REVOLUTE, model[k, ROTOR_INERTIA], model[k, DAMPING]
            )


@inlined
def smooth_outward(tree, block):
    """The smoother from the base to the tips. The world does not accelerate."""
    n_links = tree.shape[0]
    clear_fields(block, n_links, ACCELERATION, 6)
    for k in range(n_links - 1, -1, -1):
        if tree[k, KIND] == FREE:
            free_acceleration(block, k)
        else:
            smooth(block, k, tree[k, INBOARD], tree[k, KIND] == REVOLUTE)


@inlined
def force_of_joints(n_links, block):
    """The force across every joint."""
    for k in range(n_links):
        joint_force(block, k)


@inlined
def mobility_outward(tree, block):
    """Lambda of every link."""
    n_links = tree.shape[0]
    clear_fields(block, n_links, COSTATE_COVARIANCE, 21)
    for k in range(n_links - 1, -1, -1):
        if tree[k, KIND] == FREE:
            free_mobility(block, k)
        else:
            mobility(block, k, tree[k, INBOARD], tree[k, KIND] == REVOLUTE)


@inlined
def correct_inward(tree, block):
    """Stage 4 of R88: the contact forces, already at their links, carried inward."""
    for k in range(tree.shape[0]):
        if tree[k, KIND] != FREE:
            correct_innovation(block, k, tree[k, INBOARD], tree[k, KIND] == REVOLUTE)
