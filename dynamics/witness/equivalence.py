"""TML Section 4, line by line: from Newton-Euler's vectors to Lagrange's matrix products, both sides of each line.

Frames as in the paper: that of link i is at its outer joint, r_i leads there from joint i, and rbar_i on to the mass
centre. Vectors are in the base's axes. The left sides come from recursions from link to link, (3.15)-(3.20), the right
ones from T and its derivatives alone; the inertia is a sum over six point masses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dynamics.checks import Array
from dynamics.errors import ModelError
from dynamics.system.axis_frames import axis_links
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.witness.lagrange import joint_transform

Sides = dict[str, tuple[Array, Array]]
Q = np.array([[0.0, -1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], np.zeros(4), np.zeros(4)])


@dataclass(frozen=True, eq=False)
class Chain:
    """A revolute chain in motion, base first.

    Attributes:
        z: (n, 3), joint axes; r, center: (n, 3), the two levers of every link.
        rate, pull: (n,), theta' and theta''.
        place: (n, 4, 4), T; first: (n, n, 4, 4), dT_i/dj; second: (n, n, n, 4, 4), d2T_i/djdk.
        mass: (n,); spread: (n, 3, 3), the second moment of mass about the mass centre, in the link's axes.
        local: (n, 3), rbar in the link's axes.
        gravity: (3,), upward: the base's acceleration of (3.15).
    """

    z: Array
    r: Array
    center: Array
    rate: Array
    pull: Array
    place: Array
    first: Array
    second: Array
    mass: Array
    spread: Array
    local: Array
    gravity: Array

    @property
    def weights(self) -> Array:
        """theta'_j theta'_k for every pair."""
        return np.outer(self.rate, self.rate)

    def derived(self, i: int) -> Array:
        """sum dT_i/dj theta''_j + sum d2T_i/djdk theta'_j theta'_k, (4, 4): the second time derivative of T_i."""
        return np.tensordot(self.pull, self.first[i], 1) + np.tensordot(self.weights, self.second[i], 2)


def chain_of(system: System, state: State, acceleration: Array) -> Chain:
    """A bolted-down chain of revolute joints.

    Raises:
        ModelError: for any other system.
    """
    links = axis_links(system)[::-1]
    n = len(links)
    if any(not link.revolute or link.inboard != (-1 if i == 0 else n - i) for i, link in enumerate(links)):
        raise ModelError("TML Section 4 is about one bolted-down chain of turning joints.")
    q, rate, pull = (np.asarray(x, dtype=float)[::-1] for x in (state.q, state.qd, acceleration))
    own: list[Array] = [np.array(joint_transform(link, angle)) for link, angle in zip(links, q.tolist(), strict=True)]
    joint = np.array([np.linalg.multi_dot([np.eye(4), *own[: i + 1], np.eye(4)]) for i in range(n)])
    ends = [np.array([*link.shift, 1.0]) for link in links[1:]] + [np.array([*links[-1].center, 1.0])]
    out = np.tile(np.eye(4), (n, 1, 1))
    out[:, :, 3] = ends
    place, turn = joint @ out, np.array([t @ Q @ np.linalg.inv(t) for t in joint])
    first, second = np.zeros((n, n, 4, 4)), np.zeros((n, n, n, 4, 4))
    for i in range(n):
        for j in range(i + 1):
            first[i, j] = turn[j] @ place[i]  # dT_i/dj = T_0^j Q T_j^i
            for k in range(i + 1):
                second[i, j, k] = turn[min(j, k)] @ turn[max(j, k)] @ place[i]
    local = np.array([np.array(link.center) - end[:3] for link, end in zip(links, ends, strict=True)])
    inertia = np.array([link.inertia for link in links])
    spread = 0.5 * np.trace(inertia, axis1=1, axis2=2)[:, None, None] * np.eye(3) - inertia
    lever = place[:, :3, 3] - joint[:, :3, 3]
    center = np.einsum("iab,ib->ia", place[:, :3, :3], local)
    mass = np.array([link.mass for link in links])
    return Chain(joint[:, :3, 2], lever, center, rate, pull, place, first, second, mass, spread, local, -system.gravity)


def steps_of_the_proof(system: System, state: State, acceleration: Array) -> Sides:
    """Both sides of (4.1)-(4.33) by number; for all links, one after the other, or for the last two.

    Args:
        acceleration: (joints,) rad/s^2, tip to base.

    Raises:
        ModelError: for anything but one bolted-down chain of two or more revolute joints.

    Cost: the fourth power of the links.
    """
    c = chain_of(system, state, acceleration)
    n = len(c.mass)
    if n < 2:
        raise ModelError("TML Section 4 needs a link that carries another.")
    sides: Sides = {}
    omega, alpha, tip, center = _outward(c)
    cross, weights = np.cross, c.weights
    turning = np.cumsum(c.z * c.rate[:, None], axis=0)
    sides["4.1"] = omega, turning
    pairs = np.array([[cross(c.z[k], c.z[j]) if k < j else np.zeros(3) for k in range(n)] for j in range(n)])
    upto = [np.ix_(range(i + 1), range(i + 1)) for i in range(n)]
    sides["4.2"] = (
        alpha,
        np.array(
            [
                c.pull[: i + 1] @ c.z[: i + 1] + np.einsum("jk,jka->a", weights[upto[i]], pairs[upto[i]])
                for i in range(n)
            ]
        ),
    )
    swing = [cross(omega[i], cross(omega[i], c.r[i])) for i in range(n)]
    twice = [[[cross(c.z[j], cross(c.z[k], c.r[i])) for k in range(i + 1)] for j in range(i + 1)] for i in range(n)]
    sides["4.3"] = np.array(swing), np.array([np.einsum("jk,jka->a", weights[upto[i]], twice[i]) for i in range(n)])
    spun, once = [cross(alpha[i], c.r[i]) for i in range(n)], [cross(c.z[: i + 1], c.r[i]) for i in range(n)]
    bracket = [
        sum(
            (weights[j, k] * (np.array(twice[i][k][j]) - twice[i][j][k]) for j in range(i + 1) for k in range(j)),
            np.zeros(3),
        )
        for i in range(n)
    ]
    sides["4.4"] = np.array(spun), np.array([c.pull[: i + 1] @ once[i] + bracket[i] for i in range(n)])
    ordered = [
        c.pull[: i + 1] @ once[i]
        + sum(weights[j, k] * np.array(twice[i][min(j, k)][max(j, k)]) for j in range(i + 1) for k in range(i + 1))
        for i in range(n)
    ]
    inner = np.vstack([c.gravity, tip[:-1]])
    sides["4.5"] = tip, np.array(ordered) + inner
    sides["4.6"] = tip, np.cumsum(ordered, axis=0) + c.gravity
    moved = np.array([c.derived(i) for i in range(n)])
    point, turned = moved[:, :3, 3] + c.gravity, np.einsum("iab,ib->ia", moved[:, :3, :3], c.local)
    sides["4.7"] = tip, point
    beyond = [cross(alpha[i], c.center[i]) + cross(omega[i], cross(omega[i], c.center[i])) + tip[i] for i in range(n)]
    sides["4.8"] = center, np.array(beyond)
    sides["4.9"] = center, point + turned
    sides.update(_moments(c, omega, alpha, center, point, turned, moved))
    sides.update(_carried(c, center, point, turned, moved))
    return sides


def _outward(c: Chain) -> tuple[Array, Array, Array, Array]:
    """omega, alpha, and the accelerations of frames and mass centres: (3.15)-(3.18) link by link."""
    omega, alpha, tip, center = np.zeros((4, len(c.mass), 3))
    spin, pull, carried = np.zeros(3), np.zeros(3), c.gravity
    for i in range(len(c.mass)):
        pull = pull + np.cross(spin, c.z[i] * c.rate[i]) + c.z[i] * c.pull[i]
        spin = spin + c.z[i] * c.rate[i]
        carried = carried + np.cross(pull, c.r[i]) + np.cross(spin, np.cross(spin, c.r[i]))
        omega[i], alpha[i], tip[i] = spin, pull, carried
        center[i] = carried + np.cross(pull, c.center[i]) + np.cross(spin, np.cross(spin, c.center[i]))
    return omega, alpha, tip, center


def _about_center(c: Chain, i: int) -> Array:
    """Second moment of mass about the mass centre, in the base's axes."""
    turn = c.place[i, :3, :3]
    return np.asarray(turn @ c.spread[i] @ turn.T)


def _pseudo_inertia(c: Chain, i: int) -> Array:
    """J of (1.26), 4x4, in the link's frame."""
    p = np.array([*c.local[i], 1.0])
    j = c.mass[i] * np.outer(p, p)
    j[:3, :3] += c.spread[i]
    return np.asarray(j)


def _projected(c: Chain, moved: Array, i: int, by: int) -> float:
    """Tr{(sum dT theta'' + sum d2T theta' theta' + g) J (dT_i/dby)'}, the base's acceleration with its point."""
    lifted = moved[i].copy()
    lifted[:3, 3] += c.gravity
    return float(np.trace(lifted @ _pseudo_inertia(c, i) @ c.first[i, by].T))


def _moments(c: Chain, omega: Array, alpha: Array, center: Array, point: Array, turned: Array, moved: Array) -> Sides:
    """(4.10)-(4.27): the moment that a link alone requires about its own joint."""
    cross = np.cross
    found: dict[str, tuple[list[Any], list[Any]]] = {f"4.{k}": ([], []) for k in range(10, 28)}

    def put(number: int, left: object, right: object) -> None:
        found[f"4.{number}"][0].append(left)
        found[f"4.{number}"][1].append(right)

    for i, (z, r, p, m) in enumerate(zip(c.z, c.r, c.center, c.mass, strict=True)):
        w, a, own = omega[i], alpha[i], _about_center(c, i)
        inertia = np.trace(own) * np.eye(3) - own
        about = own + m * np.outer(p, p)
        j = np.trace(about) * np.eye(3) - about
        gyroscopic = j @ a + cross(w, j @ w)
        put(10, z @ (inertia @ a + cross(w, inertia @ w) + m * cross(r + p, center[i])), _by_points(c, i, w, a, center))
        less = m * cross(p, cross(a, p)) + m * cross(p, cross(w, cross(w, p)))
        whole = z @ (gyroscopic - less + m * cross(r + p, center[i]))
        put(11, found["4.10"][0][-1], whole)
        points, share = _points(c, i)
        dyads = [share * ((d @ d) * np.eye(3) - np.outer(d, d)) for d in points]
        put(12, z @ gyroscopic, z @ sum(dyad @ a + cross(w, dyad @ w) for dyad in dyads))
        put(13, z @ gyroscopic, z @ sum(share * cross(d, cross(a, d) + cross(w, cross(w, d))) for d in points))
        traces = [np.trace(np.outer(cross(a, d) + cross(w, cross(w, d)), cross(z, d))) for d in points]
        put(14, z @ gyroscopic, share * sum(traces))
        second = c.spread[i] + m * np.outer(c.local[i], c.local[i])
        mine = c.first[i, i, :3, :3]
        by_rotations = np.trace(moved[i, :3, :3] @ second @ mine.T)
        put(15, z @ gyroscopic, by_rotations)
        firsts = [np.trace(c.first[i, k, :3, :3] @ second @ mine.T) for k in range(len(c.mass))]
        seconds = np.einsum("jkab,bc,ac->jk", c.second[i, :, :, :3, :3], second, mine)
        put(16, by_rotations, c.pull @ firsts + (c.weights * seconds).sum())
        rest = z @ (m * cross(r + p, center[i]) - less)
        put(17, rest, z @ (m * cross(r, turned[i] + point[i]) + m * cross(p, point[i])))
        put(18, z @ (m * cross(p, point[i])), rest - z @ (m * cross(r, turned[i] + point[i])))
        put(19, z @ (m * cross(p, point[i])), np.trace(m * np.outer(point[i], cross(z, p))))
        put(20, cross(z, p), mine @ c.local[i])
        put(21, z @ (m * cross(p, point[i])), np.trace(m * np.outer(point[i], mine @ c.local[i])))
        put(22, z @ (m * cross(r, center[i])), rest - z @ (m * cross(p, point[i])))
        put(23, z @ (m * cross(r, center[i])), np.trace(m * np.outer(turned[i] + point[i], cross(z, r))))
        put(24, cross(z, r), c.first[i, i, :3, 3])
        put(25, z @ (m * cross(r, center[i])), np.trace(m * np.outer(turned[i] + point[i], c.first[i, i, :3, 3])))
        together = by_rotations + found["4.21"][1][-1] + found["4.25"][1][-1]
        put(26, found["4.10"][0][-1], together)
        put(27, found["4.10"][0][-1], _projected(c, moved, i, i))
    return {number: (np.array(left), np.array(right)) for number, (left, right) in found.items()}


def _points(c: Chain, i: int) -> tuple[list[Array], float]:
    """Six equal point masses with a link's mass, mass centre and second moment, about its frame; and the mass."""
    values, axes = np.linalg.eigh(_about_center(c, i))
    lever = axes * np.sqrt(np.maximum(3.0 * values / c.mass[i], 0.0))
    return [c.center[i] + sign * lever[:, k] for k in range(3) for sign in (1.0, -1.0)], float(c.mass[i]) / 6.0


def _by_points(c: Chain, i: int, w: Array, a: Array, center: Array) -> float:
    """The same moment about the joint as a sum over point masses."""
    points, share = _points(c, i)
    base = center[i] - np.cross(a, c.center[i]) - np.cross(w, np.cross(w, c.center[i]))
    each = [np.cross(c.r[i] + d, base + np.cross(a, d) + np.cross(w, np.cross(w, d))) for d in points]
    return float(share * c.z[i] @ sum(each))


def _carried(c: Chain, center: Array, point: Array, turned: Array, moved: Array) -> Sides:
    """(4.28)-(4.33): the last link's contribution at the joint before it."""
    i, o = len(c.mass) - 2, len(c.mass) - 1
    z, r, m, cross = c.z[i], c.r[i], c.mass[o], np.cross
    omega, alpha = _outward(c)[:2]
    own = _about_center(c, o)
    inertia = np.trace(own) * np.eye(3) - own
    moment = inertia @ alpha[o] + cross(omega[o], inertia @ omega[o])
    moment = moment + m * cross(c.r[o] + c.center[o], center[o])
    force, here, second = m * center[o], c.first[i, i, :3, 3], c.spread[o] + m * np.outer(c.local[o], c.local[o])
    arm, turn = c.first[o, i, :3, 3], c.first[o, i, :3, :3]
    spun = np.trace(moved[o, :3, :3] @ second @ turn.T) + m * point[o] @ (turn @ c.local[o])
    pushed = m * (turned[o] + point[o])
    found = {
        "4.28": (z @ (cross(r, force) + moment), z @ (cross(r + c.r[o] + c.center[o], force)) + z @ (
            inertia @ alpha[o] + cross(omega[o], inertia @ omega[o]))),
        "4.29": (z @ cross(r, force), np.trace(np.outer(force, here))),
        "4.30": (z @ cross(r, force), np.trace(np.outer(pushed, here))),
        "4.31": (z @ moment, spun + pushed @ cross(z, c.r[o])),
        "4.32": (here + cross(z, c.r[o]), arm),
        "4.33": (z @ (cross(r, force) + moment), _projected(c, moved, o, i)),
    }  # fmt: skip
    return {number: (np.asarray(left), np.asarray(right)) for number, (left, right) in found.items()}
