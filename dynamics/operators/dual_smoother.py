"""What a free flyer's two filters say of each other: forces and inertias at a joint from either side, JR 3.2 and 4,
and the sweeps back from the dual filter: accelerations and their covariance inward from link 1, JR 3.1.

The dual filter ran from the base to link 1, which it takes for the base; what follows runs the other way. Of a tree,
links beside the way from link 1 to the base keep what the smoother, which runs the ordinary way, gave them, and
(4.9) starts at every leaf.
"""

from __future__ import annotations

import numpy as np

from dynamics.checks import Array
from dynamics.errors import ModelError
from dynamics.operators.composite_inertia import link_inertias, posed_joint_rows
from dynamics.system.plain_kinematics import shift
from dynamics.system.solution import Solution


def dual_smoother(solution: Solution) -> tuple[Array, Array]:
    """JR (3.5b): theta'' = nu_s - G_s' alpha(k), alpha+ = alpha - H' theta'' - a, from link 1 to the base.

    The print adds a_s; JR's a_s is -a. Link 1 itself has [S(1) + M(1)] alpha(1) = -[z_s(1) + b(1)].

    Args:
        solution: of a free flyer by ``filter_smoother``.

    Returns:
        alpha(k), (links, 6) at O_k, inertial axes, and theta'', (joints,).

    Raises:
        ModelError: for a solution without a dual filter.

    Cost: linear in the links.
    """
    dual, ordinary = _stages(solution), solution.stages["smoother"]
    system, poses, bias = solution.system, solution.link_pose, solution.bias_acceleration
    rows = posed_joint_rows(system, poses)
    alpha, joint = ordinary["acceleration"].copy(), ordinary["joint_acceleration"].copy()
    first = dual["dual_articulated_inertia"][0] + link_inertias(system, poses)[0]
    alpha[0] = -np.linalg.solve(first, dual["dual_corrected_force"][0] + solution.bias_force[0])
    for k in system.path_inward(0)[:-1]:  # (3.5b)
        inner = int(system.inboard[k])
        joint[k] = dual["dual_residual"][k] - dual["dual_kalman_gain"][k] @ alpha[k]
        inboard_side = alpha[k] - rows[k] * joint[k] - bias[k]
        alpha[inner] = shift(poses[inner, :3, 3] - poses[k, :3, 3]).T @ inboard_side
    return alpha, joint


def costate_covariance_inward(solution: Solution) -> Array:
    """JR (4.9): Y+(k) = T_s' Y(k) T_s + H' D_s^-1 H with T_s = 1 + G_s H, Y(k+1) = phi'(k, k+1) Y+(k) phi(k, k+1).

    Each leaf starts with [S + M]^-1; where branches meet any of them tells the same.

    Returns:
        Y(k), (links, 6, 6) at O_k, inertial axes: the inverse operational-space inertia, JR (4.8), as (4.7) finds it.

    Raises:
        ModelError: for a solution without a dual filter.
    """
    dual, system, poses = _stages(solution), solution.system, solution.link_pose
    rows, inertias = posed_joint_rows(system, poses), link_inertias(system, poses)
    result = np.zeros((system.n_links, 6, 6))
    known = np.zeros(system.n_links, dtype=bool)
    for k in range(system.n_joints):
        if not known[k]:
            result[k] = np.linalg.solve(dual["dual_articulated_inertia"][k] + inertias[k], np.eye(6))
        reduction = np.eye(6) + np.outer(dual["dual_kalman_gain"][k], rows[k])
        updated = reduction.T @ result[k] @ reduction
        updated += np.outer(rows[k], rows[k]) / dual["dual_joint_inertia"][k]
        inner = int(system.inboard[k])
        back = shift(poses[inner, :3, 3] - poses[k, :3, 3])
        result[inner] = back.T @ updated @ back
        known[inner] = True
    return result


def forces_from_outboard(solution: Solution) -> Array:
    """f = P (alpha - a) + z, JR (3.7), Lemma 3.1, (joints, 6): the force through each joint from what is outboard."""
    n, forward = solution.system.n_joints, solution.stages["filter"]
    moving = solution.stages["smoother"]["acceleration"] - solution.bias_acceleration
    return np.asarray(_times(forward["articulated_inertia"], moving) + forward["predicted_force"])[:n]


def forces_from_inboard(solution: Solution) -> Array:
    """-f = S alpha + z_s, JR (3.11), (joints, 6): the same force from what is inboard, with its sign.

    Raises:
        ModelError: for a solution without a dual filter.
    """
    dual, moving = _stages(solution), solution.stages["smoother"]["acceleration"]
    force = _times(dual["dual_articulated_inertia"], moving) + dual["dual_corrected_force"]
    return np.asarray(force[: solution.system.n_joints])


def _times(matrices: Array, vectors: Array) -> Array:
    return np.asarray(np.einsum("kij,kj->ki", matrices, vectors))


def _stages(solution: Solution) -> dict[str, Array]:
    if "dual_filter" not in solution.stages:
        raise ModelError("this solution has no dual filter; it is made for a free flyer by filter_smoother.")
    return dict(solution.stages["dual_filter"])
