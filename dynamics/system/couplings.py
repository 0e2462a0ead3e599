"""Couplings between joints: followers and closed loops. The torques G' lambda that enforce them do no work.

A joint that follows has q = m x + b, and a row g of G, one at itself and -m at its leader, with g theta_dd = 0. A loop
has a row for each direction in which its two links cannot separate, see ``loops``, with g theta_dd = -g_dot theta_d.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dynamics.checks import Array, brief
from dynamics.errors import ModelError, SingularConfigurationError
from dynamics.record import frozen
from dynamics.spatial.factor_by_root import CONSISTENCY
from dynamics.system.layout import LEADER, MULTIPLIER, OFFSET, TURNS
from dynamics.system.tables import Tables

LOCKED = 1e-10
"""A coupling that responds to torques with less than this share of its joint's own response counts as locked."""

FAINT, LOUDEST = 0.1, 1e6
"""Share of existing accelerations below which a response is computed again, and the largest factor of that push."""


class Ties(NamedTuple):
    """For one posture, or many: the required G theta_dd is the rate. Followers come first, then loops."""

    rows: Array  # (..., c, joints), G
    rate: Array  # (..., c)

    def over(self, size: int) -> Array:
        """(c, size): G over the joints, with zeros for whatever else moves."""
        return np.hstack([self.rows, np.zeros((len(self.rows), size - self.rows.shape[1]))])


class Couplings(NamedTuple):
    """Which joints follow, and how, and the loops."""

    followers: NDArray[np.intp]  # (c,)
    leading: NDArray[np.intp]  # (joints - c,): the others
    rows: Array  # (c, joints), G
    freedoms: Array  # (joints, joints - c), N
    offset: Array  # (joints,), b
    loops: tuple[str, ...]  # (l,), the loop's name for each direction that it holds

    @property
    def are_some(self) -> bool:
        """Whether there is any coupling."""
        return len(self.followers) > 0 or len(self.loops) > 0

    def followed(self, q: Array) -> Array:
        """Displacements, (..., joints), with each follower's determined by its leader."""
        return q[..., self.leading] @ self.freedoms.T + self.offset if len(self.followers) else q

    def rates(self, qd: Array) -> Array:
        """Rates, (..., joints), with each follower's determined by its leader."""
        return qd[..., self.leading] @ self.freedoms.T if len(self.followers) else qd

    def refuse(self, names: Sequence[str], what: str) -> None:
        """Raises for a system with couplings, on behalf of code (``what`` in messages) that does not support them."""
        for loop in self.loops[:1]:
            raise ModelError(
                f"{what} does not handle closed loops such as {brief(loop)}; leave it out: "
                "dataclasses.replace(robot, loops=())."
            )
        for k in self.followers[:1]:
            raise ModelError(
                f"{what} does not handle joints that follow others, as {brief(names[k])} does; lock it, or set it "
                "free: dynamics.load(..., fix=…, free=…)."
            )

    def require(self, names: Sequence[str], ties: Ties, acceleration: Array, least: float) -> None:
        """Refuse accelerations, (..., joints), that violate a coupling.

        Args:
            least: rad/s^2 or m/s^2, the scale of accelerations if everything is at rest.
        """
        size = np.maximum(np.abs(acceleration).max(axis=-1, keepdims=True), least)
        size = size * np.abs(ties.rows).max(axis=-1) + np.abs(ties.rate)
        far = np.argwhere(np.abs((ties.rows @ acceleration[..., None])[..., 0] - ties.rate) > CONSISTENCY * size)
        if len(far):
            if (direction := far[0, -1] - len(self.followers)) >= 0:
                raise SingularConfigurationError(
                    f"loop {brief(self.loops[direction])} cannot stay closed here: no force at it gives the "
                    "acceleration that this motion needs; move away from this posture."
                )
            raise SingularConfigurationError(
                f"joint {brief(names[self.followers[far[0, -1]]])} cannot follow its leader here: contacts hold both; "
                "move away from this posture, or let a contact transmit fewer directions."
            )


def couplings_of(tables: Tables, n_joints: int, loops: Sequence[str]) -> Couplings:
    """The couplings of a system, from its tables and the names of its loops."""
    leader, unit = tables.tree[:n_joints, LEADER], np.eye(n_joints)
    followers, leading = np.flatnonzero(leader >= 0), np.flatnonzero(leader < 0)
    follows, offset = np.zeros((n_joints, n_joints)), np.zeros(n_joints)
    follows[followers, leader[followers]] = tables.model[followers, MULTIPLIER]
    offset[followers] = tables.model[followers, OFFSET]
    names = (name for name, turns in zip(loops, tables.loops[:, TURNS].tolist(), strict=True) for _ in range(3 + turns))
    rows, freedoms = (unit - follows)[followers], (unit + follows)[:, leading]
    found = Couplings(followers, leading, rows, freedoms, offset, tuple(names))
    for part in found:
        frozen(part)
    return found


def coupled_torque(ties: Ties, tau: Array, solve: Callable[[Array], tuple[Array, Array]]) -> Array:
    """tau + G' lambda, (..., joints), under which G theta_dd is the rate.

    The response to a row of G is a difference of two solutions. Rows are orthogonalized by Gram-Schmidt, so that the
    response to one does not move the others and each lambda is found separately. A row without a response, or
    implied by the others, is skipped: for the hinge that closes a planar chain three of five.

    Args:
        tau: (..., joints), the motors'.
        solve: returns, for torques, the accelerations of the uncoupled joints, and their D(k), (..., joints) both.

    Cost: two solutions more than G has rows, and one for each row with a small response.
    """
    free, inertia = solve(tau)
    size = np.abs(free).max(axis=-1, keepdims=True)
    size = np.where(size > 0.0, size, 1.0)
    known: list[tuple[Array, Array, Array]] = []
    for i in range(ties.rows.shape[-2]):
        g, rate = np.broadcast_to(ties.rows[..., i, :], tau.shape), ties.rate[..., i, None]
        alone = np.sum(g * g / inertia, axis=-1, keepdims=True)  # its response if no joint moved another
        for other, answer, led in 2 * known:  # twice, to remove the first pass's rounding
            share = np.sum(answer * g, axis=-1, keepdims=True)
            g, rate = g - share * other, rate - share * led
        moved = np.abs(g / inertia).max(axis=-1, keepdims=True)
        push = size / np.where(moved > 0.0, moved, 1.0)  # as large as what already moves: neither rounds away
        answer = (solve(tau + push * g)[0] - free) / push
        moved = np.abs(push * answer).max(axis=-1, keepdims=True)
        if np.any(moved < FAINT * size):  # also where contacts, or heavy bodies, let little of it through
            push = push * np.clip(size / np.where(moved > 0.0, moved, size), 1.0, LOUDEST)
            answer = (solve(tau + push * g)[0] - free) / push
        yields = np.sum(g * answer, axis=-1, keepdims=True)
        unit = np.where(yields > LOCKED * alone, 1.0 / np.sqrt(np.abs(yields) + (yields == 0.0)), 0.0)
        known.append((unit * g, unit * answer, unit * rate))
    for step in range(2):  # the second pass removes the first one's residual
        found = solve(tau)[0] if step else free
        for g, _, rate in known:
            tau = tau + (rate - np.sum(g * found, axis=-1, keepdims=True)) * g
    return tau
