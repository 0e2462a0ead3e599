"""The ensemble kernel of systems whose object, if any, nobody holds: block after block of eight states."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dynamics.batch_layout import ROW
from dynamics.batch_sweeps import (
    collect,
    filter_inward,
    force_of_joints,
    load,
    load_bases,
    mobility_outward,
    move,
    push,
    smooth_outward,
)
from dynamics.compiled import kernel
from dynamics.lanes import LANES

Array = NDArray[np.float64]


class Inputs(NamedTuple):
    """What moves a batch; a step is 0 where all states share one row."""

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
def solve_block(tree, model, constants, gravity, inputs, first, count, n_joints, block, pair):
    """Filter and smoother of up to eight states.

    Returns:
        False if some joint has no positive inertia.
    """
    load(tree, model, inputs.q, inputs.qd, inputs.tau, inputs.steps, first, count, n_joints, block)
    load_bases(tree, inputs.base_rotation, inputs.base_velocity, first, count, n_joints, block)
    move(tree, constants, gravity, block, pair, False)
    if inputs.pushed:
        push(inputs.wrench, inputs.steps[3], first, count, tree.shape[0], block)
    positive = filter_inward(tree, model, block, pair)
    smooth_outward(tree, block, pair)
    return positive


@kernel
def solve_batch(tree, model, constants, gravity, inputs, n_joints, joint_acceleration, base_acceleration):
    """Accelerations only, every block in the same memory.

    Returns:
        -1, or the first state of a block that has a failing state in it.
    """
    n_links = tree.shape[0]
    block, pair = np.empty((n_links + 1) * ROW), np.empty(2 * ROW)
    for first in range(0, joint_acceleration.shape[0], LANES):
        count = min(LANES, joint_acceleration.shape[0] - first)
        positive = solve_block(tree, model, constants, gravity, inputs, first, count, n_joints, block, pair)
        finite = collect(n_joints, n_links, block, first, count, joint_acceleration, base_acceleration)
        if not (positive and finite):
            return first
    return -1


@kernel
def solve_batch_and_keep(
    tree, model, constants, gravity, inputs, n_joints, joint_acceleration, base_acceleration, blocks
):
    """The same, each block in memory of its own, with joint forces and co-state covariances.

    Args:
        blocks: flat, a row for each link of each block and one more; a block's world is the next one's
            first row, written again when its turn comes.
    """
    n_links = tree.shape[0]
    pair = np.empty(2 * ROW)
    for first in range(0, joint_acceleration.shape[0], LANES):
        count = min(LANES, joint_acceleration.shape[0] - first)
        at = first // LANES * n_links
        block = blocks[at * ROW : (at + n_links + 1) * ROW]
        positive = solve_block(tree, model, constants, gravity, inputs, first, count, n_joints, block, pair)
        finite = collect(n_joints, n_links, block, first, count, joint_acceleration, base_acceleration)
        if not (positive and finite):
            return first
        force_of_joints(n_links, block)
        mobility_outward(tree, block, pair)
    return -1
