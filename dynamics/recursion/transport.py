"""The operators H, phi, psi and the gains of one posture as plain matrices, for formulas written out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dynamics.recursion.corrected import updated_inertia
from dynamics.recursion.filter_smoother import filter_and_smooth, motion_state
from dynamics.recursion.outward_smoother import costate_covariance
from dynamics.system.columns import named
from dynamics.system.plain_kinematics import joint_rows, shift
from dynamics.system.state import State
from dynamics.system.system import System, raise_failure
from dynamics.system.tables import make_work

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Transport:
    """The operators that carry forces and accelerations from link to link; all at O_k, inertial axes.

    Attributes:
        rows: (joints, 6), H(k).
        shift: (joints, 6, 6), phi(k+1, k), from link k to its inboard neighbor.
        gain, joint_inertia: G(k), D(k).
        inertia, updated: P(k), P+(k), (links, 6, 6).
        covariance: D-(k) = Lambda(k), (links, 6, 6).
        covariance_inboard: D+(k), (joints, 6, 6), before the measurement at joint k.
        reduction: tau bar(k) = 1 - G(k) H(k), (joints, 6, 6).
        inboard: (links,), -1 for the world.
        outboard_paths: for each link, itself and its inboard neighbors in order, without the world.
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

    @cached_property
    def step(self) -> Array:
        """psi(k+1, k) = phi(k+1, k) tau bar(k), (joints, 6, 6): a force through joint k, as seen at the next link."""
        return self.shift @ self.reduction

    @cached_property
    def response(self) -> Array:
        """c(k) = D^-1 + G' D+ G, (joints,): a joint's own response to a unit torque; R87 (71)."""
        return 1.0 / self.joint_inertia + np.einsum("ki,kij,kj->k", self.gain, self.covariance_inboard, self.gain)

    @cached_property
    def output_map(self) -> Array:
        """H~(k) = G'(k+1, k) Lambda(k+1) psi(k+1, k) - D^-1(k) H(k), R88 Result 10.1, R87's d(k); (joints, 6)."""
        return np.einsum("ki,kij->kj", self.gain, self.covariance_inboard) - self.response[:, None] * self.rows

    @cached_property
    def outward_rows(self) -> list[dict[int, Array]]:
        """For each link i and each joint k outboard of it: G'(k) psi'(i-, k+), the effect of -alpha(i) on joint k."""
        rows: list[dict[int, Array]] = [{} for _ in self.outboard_paths]
        for k, gain in enumerate(self.gain):
            row, path = gain, self.outboard_paths[k]
            for before, at in pairwise(path):
                row = row @ (self.shift if before == k else self.step)[before].T
                rows[at][k] = row
        return rows


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
    rows = joint_rows(system, named(links[:n], "joint_axis"))
    phi = shift(named(links[:n], "lever"))
    gain, covariance = named(links[:n], "kalman_gain").copy(), named(links, "costate_covariance")
    inner = np.zeros((n, 6, 6))
    for k in range(n):
        if system.inboard[k] >= 0:
            inner[k] = phi[k].T @ covariance[system.inboard[k]] @ phi[k]  # R87 (67)
    return Transport(
        rows=rows,
        shift=phi,
        gain=gain,
        joint_inertia=named(links[:n], "joint_inertia").copy(),
        inertia=named(links, "articulated_inertia"),
        updated=updated_inertia(links, n),
        covariance=covariance,
        covariance_inboard=inner,
        reduction=np.eye(6) - np.einsum("ki,kj->kij", gain, rows),
        inboard=system.inboard,
        outboard_paths=tuple(system.path_inward(k) for k in range(system.n_links)),
    )
