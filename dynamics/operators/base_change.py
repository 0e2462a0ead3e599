"""The change of coordinates when link k of a free flyer is called the base instead of link n; JR Appendix A.

Rates are beta_n = [beta(1) ... beta(n-1), V(n)] and beta_k = [beta(1) ... beta(n-1), V(k)], 6 rows of base last; links
and joints keep their numbers. JR writes a chain; here links may branch: only joints on the way from k to n turn round.
``rebase`` makes the same machine with links renumbered, whose own operators these are.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from scipy.linalg import block_diag

from dynamics.checks import Array, brief, choices
from dynamics.errors import ModelError
from dynamics.operators.composite_inertia import link_inertias, mass_matrix, posed_joint_rows
from dynamics.operators.operator_factors import operator_factors
from dynamics.system.forward_kinematics import forward_kinematics, poses_and_velocities
from dynamics.system.plain_kinematics import shift
from dynamics.system.state import State
from dynamics.system.system import System


def rebased_rates(system: System, state: State, link: str) -> Array:
    """beta_k = [beta(1) ... beta(n-1), V(k)], JR (A.1), (joints + 6,): link k's velocity is at O_k."""
    velocity = poses_and_velocities(system, state)[1][_number(system, link)]
    return np.concatenate([state.qd, velocity])


def hinge_map(system: System, state: State) -> Array:
    """H_n = diag(h, 1), JR (A.2), (joints + 6, 6 links), h the diagonal of the joints' own H(i)."""
    _require_flyer(system)
    return np.asarray(block_diag(*posed_joint_rows(system, forward_kinematics(system, state).pose), np.eye(6)))


def transitions_to(system: System, state: State, link: str) -> Array:
    """X_k = [0 ... 1, phi'(k+1, k) ... phi'(n-1, k)], JR (A.4), (6, 6 joints): from joint velocities to link k's."""
    k, poses = _number(system, link), forward_kinematics(system, state).pose
    result = np.zeros((6, 6 * system.n_joints))
    for i in system.path_inward(k)[:-1]:
        result[:, 6 * i : 6 * i + 6] = shift(poses[k, :3, 3] - poses[i, :3, 3]).T
    return result


def base_change(system: System, state: State, link: str) -> Array:
    """T(k, n) = [[1, 0], [X_k h', phi'(n, k)]], JR (A.3), Lemma A.1, (joints + 6, joints + 6): beta_k = T beta_n."""
    n = system.n_joints
    result = np.eye(n + 6)
    result[n:, :n] = transitions_to(system, state, link) @ hinge_map(system, state)[:n, : 6 * n].T
    result[n:, n:] = _from_base(system, state, link).T
    return result


def base_change_back(system: System, state: State, link: str) -> Array:
    """T(n, k) = [[1, 0], [-phi'(k, n) X_k h', phi'(k, n)]], JR (A.5), Lemma A.1: beta_n = T(n, k) beta_k."""
    n = system.n_joints
    to_base = _to_base(system, state, link).T
    result = np.eye(n + 6)
    result[n:, :n] = -to_base @ transitions_to(system, state, link) @ hinge_map(system, state)[:n, : 6 * n].T
    result[n:, n:] = to_base
    return result


def rebased_mass_matrix(system: System, state: State, link: str) -> Array:
    """M_k = T'(n, k) M_n T(n, k), JR (A.6), (joints + 6, joints + 6), rotors in it."""
    back = base_change_back(system, state, link)
    return back.T @ mass_matrix(system, state) @ back


def link_order(system: System, link: str) -> Array:
    """The permutation of JR (A.7): beta_k's rows as the links 1 ... n come, each with the joint that it now hangs on.

    Link k takes the free joint; on the way from k to n each link takes the joint that its outboard one had.
    """
    n, on = system.n_joints, _hangs_on(system, link)
    rows = [row for joint in on for row in (range(n, n + 6) if joint == n else (joint,))]
    return np.eye(n + 6)[rows]


def ordered_mass_matrix(system: System, state: State, link: str) -> Array:
    """The mass matrix in the order of ``link_order``, p M_k p', JR (A.8)."""
    order = link_order(system, link)
    return order @ rebased_mass_matrix(system, state, link) @ order.T


def rebased_hinge_map(system: System, state: State, link: str) -> Array:
    """H_k of JR (A.9)-(A.10), (joints + 6, 6 links): p H p', joints on the way turned round.

    The print leaves out that a joint crossed the other way turns the other way, as JR 3.1 says of the dual.
    """
    on, rows = _hangs_on(system, link), posed_joint_rows(system, forward_kinematics(system, state).pose)
    turned = [rows[joint] if joint == i else -rows[joint] for i, joint in enumerate(on) if joint < len(rows)]
    turned.insert(on.index(len(rows)), np.eye(6))
    return np.asarray(block_diag(*turned))


def shift_to_new_points(system: System, state: State, link: str) -> Array:
    """Delta_phi = diag(1, phi(i-1, i)) of JR (A.10), (6 links, 6 links): forces from O_i to link i's new point.

    On the way to the old base a link is now referred to where its outboard joint sits on it.
    """
    levers = forward_kinematics(system, state).pose[:, :3, 3] - _new_points(system, state, link)
    return np.asarray(block_diag(*shift(levers)))


def rebased_one_step(system: System, state: State, link: str) -> Array:
    """E of phi_k = (1 - E)^-1, JR (A.11), (6 links, 6 links), nilpotent: Y_1 outboard of k, Y_2, Y_3 back to n."""
    points, k = _new_points(system, state, link), _number(system, link)
    way = system.path_inward(k)
    result = np.zeros((6 * system.n_links, 6 * system.n_links))
    for i in range(system.n_links):
        if i != k:
            at = way[way.index(i) - 1] if i in way else int(system.inboard[i])
            result[6 * at : 6 * at + 6, 6 * i : 6 * i + 6] = shift(points[i] - points[at])
    return result


def rebased_transitions(system: System, state: State, link: str) -> Array:
    """phi_k = (1 - E)^-1, JR (A.10), (6 links, 6 links): triangular in blocks inwards to link k from either side."""
    step = rebased_one_step(system, state, link)
    return np.asarray(np.linalg.solve(np.eye(len(step)) - step, np.eye(len(step))))


def rebased_inertias(system: System, state: State, link: str) -> Array:
    """M_k = Delta_phi M_n Delta_phi', JR (A.10), (6 links, 6 links), block diagonal, each about its new point."""
    own, moved = link_inertias(system, forward_kinematics(system, state).pose), shift_to_new_points(system, state, link)
    return np.asarray(moved @ block_diag(*own) @ moved.T)


def rebased_factors(system: System, state: State, link: str) -> Array:
    """H_k phi_k M_k phi_k' H_k', JR (A.9), Lemma A.2: ``ordered_mass_matrix`` without the rotors, by new operators."""
    moved = rebased_hinge_map(system, state, link) @ rebased_transitions(system, state, link)
    return moved @ rebased_inertias(system, state, link) @ moved.T


def steps_of_the_proof(system: System, state: State, link: str) -> dict[str, tuple[Array, Array]]:
    """Both sides of JR (A.12)-(A.18), the sign of turned joints put right."""
    f, k = operator_factors(system, state), _number(system, link)
    order, points = np.zeros_like(f.phi), _new_points(system, state, link)
    for i, joint in enumerate(_hangs_on(system, link)):
        row = k if joint == system.n_joints else joint
        slid = shift(points[i] - forward_kinematics(system, state).pose[row, :3, 3]).T  # along a prismatic joint
        order[6 * i : 6 * i + 6, 6 * joint : 6 * joint + 6] = slid if row == i else -slid
    n, h = 6 * system.n_joints, hinge_map(system, state)
    q = np.eye(n + 6)
    q[n:, :n] = -_to_base(system, state, link).T @ transitions_to(system, state, link)
    q[n:, n:] = _to_base(system, state, link).T
    from_k = np.hstack([transitions_to(system, state, link), _from_base(system, state, link).T])
    chosen = np.zeros((6, n + 6))
    chosen[:, 6 * k : 6 * k + 6] = np.eye(6)
    joints = np.eye(n + 6)[:n]  # 1 without its last six rows
    neighbors = np.vstack([joints @ np.linalg.inv(f.phi.T), chosen])
    moved = shift_to_new_points(system, state, link).T
    velocities = moved @ rebased_transitions(system, state, link).T
    new_hinges = rebased_hinge_map(system, state, link).T @ link_order(system, link)
    return {
        "(A.12)": (h.T @ base_change_back(system, state, link), q @ h.T),
        "(A.13)": (from_k, chosen @ f.phi.T),
        "(A.14)": (np.linalg.inv(q), np.vstack([joints, chosen @ f.phi.T])),
        "(A.15)": (f.phi.T @ q, np.linalg.inv(neighbors)),
        "(A.16)": (order @ neighbors @ moved, np.eye(n + 6) - rebased_one_step(system, state, link).T),
        "(A.17)": (np.linalg.inv(neighbors) @ h.T, velocities @ new_hinges),
        "(A.18)": (f.phi.T @ h.T @ base_change_back(system, state, link), velocities @ new_hinges),
    }


def _hangs_on(system: System, link: str) -> list[int]:
    """The joint that each link hangs on seen from the new base; the last number is the free one."""
    k, joints = _number(system, link), list(range(system.n_links))
    way = system.path_inward(k)
    joints[k] = system.n_joints
    for outer, inner in pairwise(way):
        joints[inner] = outer
    return joints


def _new_points(system: System, state: State, link: str) -> Array:
    """(links, 3), world: where ``rebase`` puts each link's point."""
    poses = forward_kinematics(system, state).pose
    points = poses[:, :3, 3].copy()
    way = system.path_inward(_number(system, link))
    for outer, inner in pairwise(way):
        points[inner] = (poses[inner] @ system.joint_models[outer].origin)[:3, 3]
    return points


def _from_base(system: System, state: State, link: str) -> Array:
    """phi(n, k)."""
    poses = forward_kinematics(system, state).pose
    return shift(poses[_number(system, link), :3, 3] - poses[-1, :3, 3])


def _to_base(system: System, state: State, link: str) -> Array:
    """phi(k, n) = phi^-1(n, k), JR (3.4)."""
    poses = forward_kinematics(system, state).pose
    return shift(poses[-1, :3, 3] - poses[_number(system, link), :3, 3])


def _number(system: System, link: str) -> int:
    _require_flyer(system)
    if link not in system.link_names:
        raise ModelError(f"there is no link {brief(link)}; the links are {choices(system.link_names)}.")
    return system.link_names.index(link)


def _require_flyer(system: System) -> None:
    if system.kind != "free_flyer":
        raise ModelError("only a free flyer has no preferred base; this system is bolted down.")
