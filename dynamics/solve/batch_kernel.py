"""The ensemble kernel for systems that hold no object: eight states at once; benchmark row ``batch``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dynamics.compiler.kernels import kernel
from dynamics.recursion.costate_covariance import mobility_outward
from dynamics.recursion.inward_filter import filter_inward
from dynamics.recursion.kinematics import move
from dynamics.recursion.outward_smoother import smooth_outward
from dynamics.solve.batch_loading import collect, keep_block, load, load_bases, load_world, push
from dynamics.spatial.state_lanes import LANES
from dynamics.system.layout import FREE_MOTION, PREDICTED_FORCE, RESIDUAL

Array = NDArray[np.float64]


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
