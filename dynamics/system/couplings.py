"""Joints that follow others: q = N y + b for the displacements y of those that move by themselves, whatever acts.

Each follower has a row g of G, one at itself and -m at its leader, so that G N = 0: G theta_dd = 0. What holds it there
are torques G' lambda, which do no work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag

from dynamics.checks import Array, brief
from dynamics.errors import ModelError, SingularConfigurationError
from dynamics.numbers.factor_by_root import CONSISTENCY
from dynamics.record import frozen
from dynamics.system.layout import LEADER, MULTIPLIER, OFFSET
from dynamics.system.tables import Tables

LOCKED = 1e-10
"""A coupling that yields to torques by less than this share of what its joint would by itself does not yield."""


class Couplings(NamedTuple):
    """Which joints follow, and how."""

    followers: NDArray[np.intp]  # (c,)
    leading: NDArray[np.intp]  # (joints - c,): the others
    rows: Array  # (c, joints), G
    freedoms: Array  # (joints, joints - c), N
    offset: Array  # (joints,), b

    def followed(self, q: Array) -> Array:
        """Displacements, (..., joints), with each follower where its leader has it."""
        return q[..., self.leading] @ self.freedoms.T + self.offset if len(self.followers) else q

    def rates(self, qd: Array) -> Array:
        """Rates, (..., joints), with each follower's as its leader's has it."""
        return qd[..., self.leading] @ self.freedoms.T if len(self.followers) else qd

    def refuse(self, names: Sequence[str], what: str) -> None:
        """Refuse a system of which joints follow others, for what knows of none that does, as a message calls it."""
        for k in self.followers[:1]:
            raise ModelError(
                f"{what} knows of no joint that follows another, as {brief(names[k])} does; lock it, or set it free: "
                "dynamics.load(..., fix=…, free=…)."
            )

    def require(self, names: Sequence[str], acceleration: Array, least: float) -> None:
        """Refuse accelerations, (..., joints), with which a joint does not follow: contacts hold it and its leader.

        Args:
            least: rad/s^2 or m/s^2, what accelerations are measured by where all is at rest.
        """
        size = np.maximum(np.abs(acceleration).max(axis=-1, keepdims=True), least)
        far = np.argwhere(np.abs(acceleration @ self.rows.T) > CONSISTENCY * size)
        if len(far):
            raise SingularConfigurationError(
                f"joint {brief(names[self.followers[far[0, -1]]])} cannot follow its leader here: contacts hold both; "
                "move away from this posture, or let a contact transmit fewer directions."
            )

    def motions(self, size: int) -> Array:
        """(size, size - c): N of the joints, and whatever else moves freely."""
        return block_diag(self.freedoms, np.eye(size - len(self.freedoms)))

    def over(self, size: int) -> Array:
        """(c, size): G over the joints, and whatever else moves."""
        return np.hstack([self.rows, np.zeros((len(self.rows), size - len(self.freedoms)))])


def couplings_of(tables: Tables, n_joints: int) -> Couplings:
    """Of a system's tables."""
    leader, unit = tables.tree[:n_joints, LEADER], np.eye(n_joints)
    followers, leading = np.flatnonzero(leader >= 0), np.flatnonzero(leader < 0)
    follows, offset = np.zeros((n_joints, n_joints)), np.zeros(n_joints)
    follows[followers, leader[followers]] = tables.model[followers, MULTIPLIER]
    offset[followers] = tables.model[followers, OFFSET]
    found = Couplings(followers, leading, (unit - follows)[followers], (unit + follows)[:, leading], offset)
    for part in found:
        frozen(part)
    return found


def coupled_torque(couplings: Couplings, tau: Array, solve: Callable[[Array], tuple[Array, Array]]) -> Array:
    """tau + G' lambda, (..., joints), under which followers follow: G theta_dd = 0.

    The answer to a row of G is a difference of two solutions. Rows are made such that the answer to one, in Gram and
    Schmidt's manner, moves none of the others: each lambda is found by itself. A row that does not yield needs none.

    Args:
        tau: (..., joints), the motors'.
        solve: of torques, the accelerations of joints that know of no coupling, and their D(k), (..., joints) both.

    Cost: one solution more than there are followers.
    """
    if not len(couplings.followers):
        return tau
    free, inertia = solve(tau)
    size = np.abs(free).max(axis=-1, keepdims=True)
    known: list[tuple[Array, Array]] = []
    for k, row in zip(couplings.followers, couplings.rows, strict=True):
        own, g = inertia[..., k : k + 1], np.broadcast_to(row, tau.shape)
        for other, answer in known:
            g = g - (answer @ row)[..., None] * other
        push = np.where(size > 0.0, size, 1.0) * own  # as much as moves already: neither drowns in the other
        answer = (solve(tau + push * g)[0] - free) / push
        yields = np.sum(g * answer, axis=-1, keepdims=True)
        unit = np.where(yields * own > LOCKED, 1.0 / np.sqrt(np.abs(yields) + (yields == 0.0)), 0.0)
        known.append((unit * g, unit * answer))
    for g, _ in known:
        tau = tau - np.sum(g * free, axis=-1, keepdims=True) * g
    return tau
