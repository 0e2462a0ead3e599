"""What joints can do at the contact points: Q by recursion, what it spans, and what lies beyond; R88 (5.6)-(5.8)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag, qr, solve_triangular

from dynamics.last_answer import kept_for_the_latest
from dynamics.operators.composite_inertia import posed_joint_rows
from dynamics.operators.object_balance import contact_points, grasp_map, selected_directions
from dynamics.record import Record
from dynamics.system.forward_kinematics import forward_kinematics
from dynamics.system.plain_kinematics import shift
from dynamics.system.state import State
from dynamics.system.system import System

Array = NDArray[np.float64]

# In units of the arm's own size a direction below this share of the largest cannot be moved along.
RANK = 1e-10
# A lever below this share of the coordinates that it is a difference of is none.
NO_LEVER = 1e-9


@dataclass(frozen=True, eq=False)
class Reach(Record):
    """The transmitted directions of all contacts, and which of their combinations some joint moves.

    Attributes:
        directions: C, (directions, 6 contacts).
        on_object: C A', (directions, 6).
        scale: (directions,), one over the arm's size where a direction is a length.
        length: the size of the largest arm, m; how far off the contacts are where no arm has a lever on them.
        within, beyond: (directions, ...) of scaled directions, orthonormal: what the joints move, and what they cannot.
    """

    directions: Array
    on_object: Array
    scale: Array
    length: float
    within: Array
    beyond: Array

    def unrestricted(self) -> Reach:
        """The same contacts, as if every direction could be followed."""
        return replace(self, beyond=self.beyond[:, :0])

    def out_of_reach(self, motion: Array) -> Array:
        """The part of a motion of the contact points, (contacts, 6), that no joint can change."""
        return np.asarray(self.beyond.T @ (self.scale * (self.directions @ motion.ravel())))

    def solve(self, covariance: Array, motion: Array) -> Array:
        """C' [C Q(0) C']^+ C motion, (contacts, 6); its inverse where every direction is within reach."""
        rows = self.within.T @ (self.scale[:, None] * self.directions)
        matrix = rows @ covariance @ rows.T
        unit = 1.0 / np.sqrt(np.diag(matrix))
        wanted = unit * (rows @ motion.ravel())
        force = unit * np.linalg.solve(unit[:, None] * matrix * unit, wanted)
        return np.asarray(rows.T @ force).reshape(-1, 6)


@kept_for_the_latest
def reach(system: System, state: State) -> Reach:
    """Which combinations of the transmitted directions the joints of each arm can move."""
    poses = forward_kinematics(system, state).pose
    directions, points = selected_directions(system, state), contact_points(system, poses)
    sliding = np.array([joint.kind != "revolute" for joint in system.joint_models], dtype=bool)
    counts = [len(contact.selection) for contact in system.contacts]
    owner = np.repeat([contact.arm for contact in system.contacts], counts)
    lengths = {arm: _size(system, poses, points, int(arm)) for arm in np.unique(owner)}
    longest = max(lengths.values()) or float(np.abs(points).max()) or 1.0
    scale, within, beyond, order = np.ones(len(directions)), [], [], []
    for arm in np.unique(owner):
        own = np.flatnonzero(owner == arm)
        length = lengths[arm] or longest
        rows = directions[own].reshape(len(own), -1, 2, 3)
        spread = np.linalg.norm(rows, axis=(1, 3))
        scale[own] = 1.0 / np.hypot(spread[:, 0], length * spread[:, 1])
        seen = scale[own, None] * directions[own]
        weights = np.where(sliding, length**2, 1.0)
        values, vectors = np.linalg.eigh(seen @ contact_covariance(system, poses, weights) @ seen.T)
        rank = int(np.sum(values > RANK * max(values[-1], 0.0)))
        lost = len(own) - rank
        within.append(vectors[:, lost:] if lost else np.eye(len(own)))
        beyond.append(vectors[:, :lost])
        order.append(own)
    back = np.argsort(np.concatenate(order))
    on_object = directions @ grasp_map(system, state).T
    return Reach(directions, on_object, scale, longest, block_diag(*within)[back], block_diag(*beyond)[back])


def nearest(at_hand: Reach, gap: Array, unmoved: Array) -> Array:
    """The motion v of the object, (6,), that makes |gap - C A' v| least among those that every arm can follow.

    Args:
        unmoved: what the directions beyond reach do by themselves, so that beyond' C A' v must equal it.
    """
    unit = np.diag([1.0] * 3 + [at_hand.length] * 3)  # a turn weighs what a shift by the arm's size does
    forced = at_hand.beyond.T @ (at_hand.scale[:, None] * at_hand.on_object)
    start = _fit(forced, unmoved, unit, np.ones(len(forced)))
    _, sizes, right = np.linalg.svd(forced @ unit)
    free = unit @ right[int(np.sum(sizes > np.sqrt(RANK))) :].T
    return np.asarray(start + _fit(at_hand.on_object, gap - at_hand.on_object @ start, free, at_hand.scale))


def velocity_covariance(system: System, poses: Array, weights: Array) -> Array:
    """Q(k) = phi' Q(k+1) phi + H' H, R88 (5.7), outward, (links, 6, 6) at O_k: of white joint rates.

    Args:
        weights: (joints,), variance of each rate; ones for the report's Q. A base is given and has none.
    """
    rows = posed_joint_rows(system, poses)
    q = np.zeros((system.n_links, 6, 6))
    for k in range(system.n_joints - 1, -1, -1):
        inner = int(system.inboard[k])
        if inner >= 0:
            phi = shift(poses[k, :3, 3] - poses[inner, :3, 3])
            q[k] = phi.T @ q[inner] @ phi
        q[k] += weights[k] * np.outer(rows[k], rows[k])
    return q


def contact_covariance(system: System, poses: Array, weights: Array) -> Array:
    """Q(0) = B' Phi' H' H Phi B, R88 (5.6), (6 contacts, 6 contacts): phi' Q(c) phi where two ways inward meet."""
    q, points = velocity_covariance(system, poses, weights), contact_points(system, poses)
    ways = [system.path_inward(contact.link) for contact in system.contacts]
    result = np.zeros((len(ways), 6, len(ways), 6))
    for i, way in enumerate(ways):
        for j, other in enumerate(ways[: i + 1]):
            meeting = next((k for k in way if k in other), None)
            if meeting is not None:
                one, two = (shift(points[at] - poses[meeting, :3, 3]) for at in (i, j))
                result[i, :, j] = one.T @ q[meeting] @ two
                result[j, :, i] = result[i, :, j].T
    return result.reshape(6 * len(ways), -1)


def outward(system: System, poses: Array, local: Array) -> Array:
    """V(k) = phi'(k+1, k) V(k+1) + local(k), (links, 6) at O_k; R88 (5.1)."""
    result = local.copy()
    for k in range(system.n_links - 1, -1, -1):
        inner = int(system.inboard[k])
        if inner >= 0:
            result[k] += shift(poses[k, :3, 3] - poses[inner, :3, 3]).T @ result[inner]
    return result


def inward(system: System, poses: Array, force: Array) -> Array:
    """X(k) = phi(k, k-1) X(k-1), theta'_0 = H X, R88 (5.8), (joints,), from (contacts, 6); trees gather."""
    x = np.zeros((system.n_links, 6))
    for contact, point, own in zip(system.contacts, contact_points(system, poses), force, strict=True):
        x[contact.link] += shift(point - poses[contact.link, :3, 3]) @ own
    for k in range(system.n_links):
        inner = int(system.inboard[k])
        if inner >= 0:
            x[inner] += shift(poses[k, :3, 3] - poses[inner, :3, 3]) @ x[k]
    return np.einsum("ki,ki->k", posed_joint_rows(system, poses), x[: system.n_joints])


def _size(system: System, poses: Array, points: Array, arm: int) -> float:
    """The longest lever of an arm's joints on its contacts, m; zero where levers are what rounding leaves of none."""
    longest, far = 0.0, 0.0
    for point, contact in zip(points, system.contacts, strict=True):
        if contact.arm == arm:
            joints = poses[list(system.path_inward(contact.link)), :3, 3]
            longest = max(longest, float(np.linalg.norm(point - joints, axis=1).max()))
            far = max(far, float(np.abs(joints).max()), float(np.abs(point).max()))
    return longest if longest > NO_LEVER * far else 0.0


def _fit(matrix: Array, wanted: Array, basis: Array, scale: Array) -> Array:
    """basis y with |matrix basis y - wanted| least; combinations that the scaled matrix does not see stay zero."""
    _, sizes, right = np.linalg.svd(scale[:, None] * matrix @ basis)
    seen = basis @ right[: int(np.sum(sizes > np.sqrt(RANK) * sizes.max(initial=0.0)))].T
    q, r = qr(matrix @ seen, mode="economic")
    return np.asarray(seen @ solve_triangular(r, q.T @ wanted))
