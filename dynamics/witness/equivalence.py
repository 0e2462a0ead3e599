"""TML Section 4, line by line: from Newton-Euler's vectors to Lagrange's matrix products, both sides of each line.

Frames as in the paper: that of link i is at its outer joint, r_i leads there from joint i, and rbar_i on to the mass
centre. Vectors are in the base's axes. The left sides come from recursions from link to link, (3.15)-(3.20), the right
ones from T and its derivatives alone; the inertia is a sum over six point masses.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dynamics.checks import Array
from dynamics.errors import ModelError
from dynamics.system.axis_frames import axis_links
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.witness.lagrange import joint_transform

Sides = dict[str, tuple[Array, Array]]
Motion = tuple[Array, Array, Array, Array]
Q = np.array([[0.0, -1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], np.zeros(4), np.zeros(4)])
cross = np.cross


class Chain(NamedTuple):
    """A revolute chain in motion, base first."""

    z: Array  # (n, 3), joint axes
    r: Array  # (n, 3), the first lever of every link
    center: Array  # (n, 3), the second
    rate: Array  # (n,), theta'
    pull: Array  # (n,), theta''
    place: Array  # (n, 4, 4), T
    first: Array  # (n, n, 4, 4), dT_i/dj
    second: Array  # (n, n, n, 4, 4), d2T_i/djdk
    mass: Array  # (n,)
    spread: Array  # (n, 3, 3), second moment of mass about the mass centre, in the link's axes
    local: Array  # (n, 3), rbar in the link's axes
    gravity: Array  # (3,), upward: the base's acceleration of (3.15)
    weights: Array  # (n, n), theta'_j theta'_k
    moved: Array  # (n, 4, 4), sum dT_i/dj theta''_j + sum d2T_i/djdk theta'_j theta'_k, the second derivative of T_i
    point: Array  # (n, 3), its last column and the base's acceleration
    turned: Array  # (n, 3), its first columns times rbar


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
    inertia, mass = np.array([link.inertia for link in links]), np.array([link.mass for link in links])
    spread = 0.5 * np.trace(inertia, axis1=1, axis2=2)[:, None, None] * np.eye(3) - inertia
    lever, center = place[:, :3, 3] - joint[:, :3, 3], np.einsum("iab,ib->ia", place[:, :3, :3], local)
    weights = np.outer(rate, rate)
    moved = np.einsum("j,ijab->iab", pull, first) + np.einsum("jk,ijkab->iab", weights, second)
    return Chain(joint[:, :3, 2], lever, center, rate, pull, place, first, second, mass, spread, local,
                 -system.gravity, weights, moved, moved[:, :3, 3] - system.gravity,
                 np.einsum("iab,ib->ia", moved[:, :3, :3], local))  # fmt: skip


def steps_of_the_proof(system: System, state: State, acceleration: Array) -> Sides:
    """Both sides of (4.1)-(4.33) by number; for all links, one after the other, or for the last two.

    Args:
        acceleration: (joints,) rad/s^2, tip to base.

    Raises:
        ModelError: for anything but one bolted-down chain of two or more revolute joints.

    Cost: the fourth power of the links.
    """
    c = chain_of(system, state, acceleration)
    if len(c.mass) < 2:
        raise ModelError("TML Section 4 needs a link that carries another.")
    motion = _outward(c)
    return _accelerations(c, motion) | _moments(c, motion) | _carried(c, motion)


def _outward(c: Chain) -> Motion:
    """omega, alpha, and the accelerations of frames and mass centres: (3.15)-(3.18) link by link."""
    omega, alpha, tip, center = np.zeros((4, len(c.mass), 3))
    spin, pull, carried = np.zeros(3), np.zeros(3), c.gravity
    for i in range(len(c.mass)):
        pull = pull + cross(spin, c.z[i] * c.rate[i]) + c.z[i] * c.pull[i]
        spin = spin + c.z[i] * c.rate[i]
        carried = carried + _swing(spin, pull, c.r[i])
        omega[i], alpha[i], tip[i], center[i] = spin, pull, carried, carried + _swing(spin, pull, c.center[i])
    return omega, alpha, tip, center


def _swing(omega: Array, alpha: Array, lever: Array) -> Array:
    """alpha x l + omega x (omega x l)."""
    return np.asarray(cross(alpha, lever) + cross(omega, cross(omega, lever)))


def _along(a: Array, b: Array) -> Array:
    """a' b = Tr{a b'} of every link."""
    return np.asarray(np.einsum("...a,...a->...", a, b))


def _accelerations(c: Chain, motion: Motion) -> Sides:
    """(4.1)-(4.9): sums over the joints on the path to every link, instead of recursions."""
    n, (omega, alpha, tip, center) = len(c.mass), motion
    path = np.tri(n)  # 1 where joint j moves link i
    pull, weights = path * c.pull, path[:, :, None] * path[:, None, :] * c.weights
    pairs = np.tri(n, k=-1)[:, :, None] * cross(c.z[None], c.z[:, None])  # z_k x z_j for k < j
    once = cross(c.z[None], c.r[:, None])  # z_j x r_i
    twice = cross(c.z[None, :, None], cross(c.z[None, None], c.r[:, None, None]))  # z_j x (z_k x r_i)
    spun = np.einsum("ij,ija->ia", pull, once)
    bracket = np.einsum("ijk,ijka->ia", weights * np.tri(n, k=-1), twice.transpose(0, 2, 1, 3) - twice)
    joints = np.arange(n)
    sorted_pairs = twice[:, np.minimum.outer(joints, joints), np.maximum.outer(joints, joints)]
    ordered = spun + np.einsum("ijk,ijka->ia", weights, sorted_pairs)
    return {
        "4.1": (omega, np.cumsum(c.z * c.rate[:, None], axis=0)),
        "4.2": (alpha, pull @ c.z + np.einsum("ijk,jka->ia", weights, pairs)),
        "4.3": (cross(omega, cross(omega, c.r)), np.einsum("ijk,ijka->ia", weights, twice)),
        "4.4": (cross(alpha, c.r), spun + bracket),
        "4.5": (tip, ordered + np.vstack([c.gravity, tip[:-1]])),
        "4.6": (tip, np.cumsum(ordered, axis=0) + c.gravity),
        "4.7": (tip, c.point),
        "4.8": (center, _swing(omega, alpha, c.center) + tip),
        "4.9": (center, c.point + c.turned),
    }


def _inertia(second: Array) -> Array:
    """Of a body, from the second moment of its mass."""
    return np.asarray(np.trace(second, axis1=-2, axis2=-1)[..., None, None] * np.eye(3) - second)


def _mass_moments(c: Chain) -> tuple[Array, Array]:
    """The second moment about the mass centre, in the base's axes, and J of (1.26), about the link's frame."""
    turn, p = c.place[:, :3, :3], np.concatenate([c.local, np.ones((len(c.mass), 1))], axis=1)
    pseudo = c.mass[:, None, None] * p[:, :, None] * p[:, None, :]
    pseudo[:, :3, :3] += c.spread
    return turn @ c.spread @ turn.transpose(0, 2, 1), pseudo


def _moments(c: Chain, motion: Motion) -> Sides:
    """(4.10)-(4.27): the moment that a link alone requires about its own joint, as a sum over six point masses."""
    z, r, p, m, links = c.z, c.r, c.center, c.mass[:, None], np.arange(len(c.mass))
    (around, pseudo), (omega, alpha, _, center) = _mass_moments(c), motion

    def about(inertia: Array) -> Array:
        spin, pull = (np.einsum("iab,ib->ia", inertia, each) for each in (omega, alpha))
        return np.asarray(pull + cross(omega, spin))

    values, axes = np.linalg.eigh(around)
    lever = (axes * np.sqrt(np.maximum(3.0 * values / m, 0.0))[:, None, :]).transpose(2, 0, 1)
    points, share = p + np.concatenate([lever, -lever]), c.mass / 6.0
    dyads = _inertia(points[..., :, None] * points[..., None, :])
    swing = _swing(omega, alpha, points)
    at_joint = center - _swing(omega, alpha, p)
    whole = _along(z, about(_inertia(around)) + m * cross(r + p, center))
    gyroscopic = _along(z, about(_inertia(around + m[:, :, None] * p[:, :, None] * p[:, None, :])))
    less, own = m * cross(p, _swing(omega, alpha, p)), c.first[links, links]
    mine, column = own[:, :3, :3], own[:, :3, 3]
    aside = np.einsum("iab,ib->ia", mine, c.local)
    by_rotations = np.einsum("iab,ibc,iac->i", c.moved[:, :3, :3], pseudo[:, :3, :3], mine)
    firsts = np.einsum("ijab,ibc,iac->ij", c.first[:, :, :3, :3], pseudo[:, :3, :3], mine)
    seconds = np.einsum("ijkab,ibc,iac->ijk", c.second[..., :3, :3], pseudo[:, :3, :3], mine)
    rest, beyond = _along(z, m * cross(r + p, center) - less), _along(z, m * cross(p, c.point))
    outward, pushed = _along(z, m * cross(r, center)), m * (c.turned + c.point)
    lifted = c.moved.copy()
    lifted[:, :3, 3] += c.gravity
    return {
        "4.10": (whole, share * _along(z, cross(r + points, at_joint + swing).sum(axis=0))),
        "4.11": (whole, gyroscopic - _along(z, less) + _along(z, m * cross(r + p, center))),
        "4.12": (gyroscopic, _along(z, about(share[:, None, None] * dyads.sum(axis=0)))),
        "4.13": (gyroscopic, _along(z, share[:, None] * cross(points, swing).sum(axis=0))),
        "4.14": (gyroscopic, share * _along(swing, cross(z, points)).sum(axis=0)),
        "4.15": (gyroscopic, by_rotations),
        "4.16": (by_rotations, firsts @ c.pull + np.einsum("jk,ijk->i", c.weights, seconds)),
        "4.17": (rest, _along(z, cross(r, pushed)) + beyond),
        "4.18": (beyond, rest - _along(z, cross(r, pushed))),
        "4.19": (beyond, _along(m * c.point, cross(z, p))),
        "4.20": (cross(z, p), aside),
        "4.21": (beyond, _along(m * c.point, aside)),
        "4.22": (outward, rest - beyond),
        "4.23": (outward, _along(pushed, cross(z, r))),
        "4.24": (cross(z, r), column),
        "4.25": (outward, _along(pushed, column)),
        "4.26": (whole, by_rotations + _along(m * c.point, aside) + _along(pushed, column)),
        "4.27": (whole, np.einsum("iab,ibc,iac->i", lifted, pseudo, own)),
    }


def _carried(c: Chain, motion: Motion) -> Sides:
    """(4.28)-(4.33): the last link's contribution at the joint before it."""
    omega, alpha, _, center = motion
    z, r, m, (around, pseudo) = c.z[-2], c.r[-2], c.mass[-1], (each[-1] for each in _mass_moments(c))
    inertia = _inertia(around)
    own = inertia @ alpha[-1] + cross(omega[-1], inertia @ omega[-1])
    force, pushed, lever = m * center[-1], m * (c.turned[-1] + c.point[-1]), c.r[-1] + c.center[-1]
    moment, here = own + cross(lever, force), c.first[-2, -2, :3, 3]
    turn, arm = c.first[-1, -2, :3, :3], c.first[-1, -2, :3, 3]
    spun = np.trace(c.moved[-1, :3, :3] @ pseudo[:3, :3] @ turn.T) + m * c.point[-1] @ (turn @ c.local[-1])
    lifted = c.moved[-1].copy()
    lifted[:3, 3] += c.gravity
    found = {
        "4.28": (z @ (cross(r, force) + moment), z @ cross(r + lever, force) + z @ own),
        "4.29": (z @ cross(r, force), np.trace(np.outer(force, here))),
        "4.30": (z @ cross(r, force), np.trace(np.outer(pushed, here))),
        "4.31": (z @ moment, spun + pushed @ cross(z, c.r[-1])),
        "4.32": (here + cross(z, c.r[-1]), arm),
        "4.33": (z @ (cross(r, force) + moment), np.trace(lifted @ pseudo @ c.first[-1, -2].T)),
    }
    return {number: (np.asarray(left), np.asarray(right)) for number, (left, right) in found.items()}
