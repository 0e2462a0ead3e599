"""The operators H, phi, psi and the gains of one posture as plain matrices, for formulas written out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dynamics.recursion.corrected import updated_inertia
from dynamics.recursion.costate_covariance import costate_covariance
from dynamics.recursion.filter_smoother import filter_and_smooth, motion_state
from dynamics.system.columns import named
from dynamics.system.state import State
from dynamics.system.system import System, raise_failure
from dynamics.system.tables import make_work

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Transport:
    """What carries forces and accelerations from link to link; all at O_k, inertial axes.

    Attributes:
        rows: (joints, 6), H(k).
        shift: (joints, 6, 6), phi(k+1, k), from link k to its inboard neighbor.
        gain, joint_inertia: G(k), D(k).
        inertia, updated: P(k), P+(k), (links, 6, 6).
        covariance: D-(k) = Lambda(k), (links, 6, 6).
        covariance_inboard: D+(k), (joints, 6, 6), before the measurement at joint k.
        reduction: tau bar(k) = 1 - G(k) H(k), (joints, 6, 6).
        inboard: (links,), -1 for the world.
        outboard_paths: for each link, itself and its inboard neighbors in turn, the world left out.
    """

    rows: Array
    shift: Array
    gain: Array
    joint_inertia: Array
    inertia: Array
    updated: Array
    covariance: Array
    covariance_inboard: Array
    reduction: Array
    inboard: NDArray[np.int64]
    outboard_paths: tuple[tuple[int, ...], ...]


def shift_matrix(lever: Array) -> Array:
    """phi = [[1, l~], [0, 1]], R87 (2)-(3), for one lever (3,) or many (n, 3)."""
    matrix = np.zeros((*lever.shape[:-1], 6, 6))
    matrix[..., range(6), range(6)] = 1.0
    matrix[..., 0, 4], matrix[..., 0, 5] = -lever[..., 2], lever[..., 1]
    matrix[..., 1, 3], matrix[..., 1, 5] = lever[..., 2], -lever[..., 0]
    matrix[..., 2, 3], matrix[..., 2, 4] = -lever[..., 1], lever[..., 0]
    return matrix


def path_inward(inboard: NDArray[np.int64], k: int) -> tuple[int, ...]:
    """Link k and its inboard neighbors, as far as the world."""
    path = []
    while k >= 0:
        path.append(k)
        k = int(inboard[k])
    return tuple(path)


def transport(system: System, state: State) -> Transport:
    """The operators of a posture.

    Raises:
        ModelError: for a joint that moves no inertia.
    """
    x, v = system.pack(state)
    n, tables, work = system.n_joints, system.tables, make_work(system.tables)
    motion_state(tables, x, v, work)
    status = filter_and_smooth(tables, v, np.zeros(n), work, np.zeros(system.n_velocity))
    if status >= 0:
        raise_failure(system, status)
    costate_covariance(tables.tree, work.links)
    links = work.links[:-1]
    rows = np.zeros((n, 6))
    revolute = np.array([joint.kind == "revolute" for joint in system.joint_models], dtype=bool)
    axes = named(links[:n], "joint_axis")
    rows[revolute, :3], rows[~revolute, 3:] = axes[revolute], axes[~revolute]
    shift = shift_matrix(named(links[:n], "lever"))
    gain, covariance = named(links[:n], "kalman_gain").copy(), named(links, "costate_covariance")
    inner = np.zeros((n, 6, 6))
    for k in range(n):
        if system.inboard[k] >= 0:
            inner[k] = shift[k].T @ covariance[system.inboard[k]] @ shift[k]  # R87 (67)
    return Transport(
        rows=rows,
        shift=shift,
        gain=gain,
        joint_inertia=named(links[:n], "joint_inertia").copy(),
        inertia=named(links, "articulated_inertia"),
        updated=updated_inertia(links, n),
        covariance=covariance,
        covariance_inboard=inner,
        reduction=np.eye(6) - np.einsum("ki,kj->kij", gain, rows),
        inboard=system.inboard,
        outboard_paths=tuple(path_inward(system.inboard, k) for k in range(system.n_links)),
    )
