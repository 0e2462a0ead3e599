"""A posture's remaining gaps, of the closure and of the target, with their rows over the joint rates."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dynamics.checks import Array
from dynamics.numbers.rotation import rotation_vector
from dynamics.recursion.filter_smoother import motion_state
from dynamics.robot.poses import cross_matrix
from dynamics.system.columns import named, own_rotation
from dynamics.system.link_tables import coordinate_units, machine_length
from dynamics.system.loops import loop_motion
from dynamics.system.plain_kinematics import cross
from dynamics.system.system import System, Tip
from dynamics.system.tables import make_work


class PostureRows:
    """Gaps and rows of one task; ``look`` at a posture, then read them.

    The body is a tool point, or None for the object, with a point or a pose as its target; or it is the index of a
    joint, with a displacement, (1,), as its target.

    A row times a packed velocity (joints, bases, object) is the rate of its gap. Floating bases stay in
    place, and joints that follow others have no rate of their own: their columns are zero.

    Attributes:
        closure, closure_rows: (l,) and (l, velocity), tip less object in every direction that a contact closes, in rad
            or machine's lengths.
        task, task_rows: (3,) or (6,) and (3 or 6, velocity), body less target: position in m and, for a pose, the
            rotation vector times ``radian`` metres. For a joint: (1,), its displacement less the target, rad or m.
        radian: metres equivalent to a radian, a quarter of the arm's length.
        unit: (velocity,), one for rotations, the machine's length for translations.
        size: scale of the task, the machine's length or the joint's unit.
    """

    def __init__(self, system: System, body: Tip | int | None, target: Array) -> None:
        self._system, self._tables, self._work = system, system.tables, make_work(system.tables)
        self._joints, self._v = system.n_joints, np.zeros(system.n_velocity)
        self._revolute = np.array([joint.kind == "revolute" for joint in system.joint_models], dtype=bool)
        self._body, self._target = body, target
        self._followed: Array | None = None
        if len(system.couplings.followers):
            self._followed = np.eye(system.n_velocity)
            self._followed[: self._joints, : self._joints] = 0.0
            self._followed[: self._joints, system.couplings.leading] = system.couplings.freedoms
        self._on_path = self._joints_before(system, body.link if isinstance(body, Tip) else -1)
        self._contacts = [
            (i, c.link, self._joints_before(system, c.link), np.flatnonzero(c.holonomic), len(c.selection))
            for i, c in enumerate(system.contacts)
        ]
        self.radian = 0.25 * self._length(system, self._on_path if body is not None else self._contacts[0][2])
        length = machine_length(system.robots, system.task_object) or 1.0
        bodies = system.n_bases + (system.task_object is not None)
        self.unit = coordinate_units(system.joint_models, bodies, length)
        self.size = self.unit[body] if isinstance(body, int) else length
        self.radian = self.size if isinstance(body, int) else self.radian

    def _joints_before(self, system: System, link: int) -> NDArray[np.bool_]:
        path = np.zeros(self._joints, dtype=bool)
        path[[k for k in system.path_inward(link) if k < self._joints]] = True
        return path

    def _length(self, system: System, on_path: NDArray[np.bool_]) -> float:
        """Metres from the base to the body along the joints' origins and the sliding joints' ranges."""
        length = float(np.linalg.norm(self._body.pose[:3, 3])) if isinstance(self._body, Tip) else 0.0
        for k in np.flatnonzero(on_path):
            joint = system.joint_models[k]
            length += float(np.linalg.norm(joint.origin[:3, 3]))
            if joint.kind == "prismatic" and np.isfinite(joint.upper - joint.lower):
                length += joint.upper - joint.lower
        return length if length > 0.0 else 1.0

    def look(self, x: Array) -> None:
        """Fills gaps and rows for the packed configuration ``x``."""
        motion_state(self._tables, x, self._v, self._work)
        links = self._work.links[: self._joints]
        self._axes = named(links, "joint_axis")
        self._origins = named(links, "position")
        self._look_at_task(x)
        self._look_at_contacts()
        if self._system.loops:
            loops = loop_motion(self._system, self._system.unpack(x, self._v))
            rows = np.zeros((len(loops.gap), len(self._v)))
            rows[:, : self._joints] = loops.share[:, None] * loops.rows
            self.closure = np.append(self.closure, loops.share * loops.gap)
            self.closure_rows = np.vstack([self.closure_rows, rows])
        if self._followed is not None:  # a leader moves its followers along
            self.task_rows, self.closure_rows = self.task_rows @ self._followed, self.closure_rows @ self._followed

    def _look_at_task(self, x: Array) -> None:
        if isinstance(self._body, int):
            self.task, self.task_rows = x[[self._body]] - self._target, np.eye(1, len(self._v), self._body)
            return
        place, rotation = self._body_pose(self._body)
        rows = self._point_rows(self._on_path, place)
        if self._body is None:
            rows[:, -6:] = np.eye(6)
        if self._target.ndim == 1:
            self.task, self.task_rows = place - self._target, rows[3:]
            return
        turn = np.array(rotation_vector(tuple((rotation @ self._target[:3, :3].T).ravel())))
        self.task = np.concatenate([place - self._target[:3, 3], self.radian * turn])
        self.task_rows = np.vstack([rows[3:], self.radian * (turn_rates(turn) @ rows[:3])])

    def _body_pose(self, body: Tip | None) -> tuple[Array, Array]:
        if body is None:
            now = self._work.task_object[0]
            return named(now, "object_position").copy(), named(now, "object_rotation")
        row = self._work.links[body.link]
        rotation = own_rotation(self._tables.model[body.link], row)
        place = named(row, "position") + rotation @ body.pose[:3, 3]
        return place, rotation @ body.pose[:3, :3]

    def _look_at_contacts(self) -> None:
        gaps, rows = [np.empty(0)], [np.empty((0, len(self._v)))]
        first = 0
        for i, link, on_path, kept, directions in self._contacts:
            row = self._work.contacts[i]
            point = named(self._work.links[link], "position") + named(row, "tip_lever")
            relative = self._point_rows(on_path, point)
            relative[:, -6:] = -np.eye(6)
            relative[3:, -6:-3] = cross_matrix(named(row, "object_lever"))  # -(omega x r), as a matrix on omega
            selection = named(self._work.directions[first : first + directions], "direction")[kept]
            share = named(self._tables.contact_model[i], "gap_share")[:directions][kept]
            gaps.append(share * named(row, "position_gap")[:directions][kept])
            rows.append(share[:, None] * (selection @ relative))
            first += directions
        self.closure, self.closure_rows = np.concatenate(gaps), np.vstack(rows)

    def _point_rows(self, on_path: NDArray[np.bool_], point: Array) -> Array:
        """B' Phi' H' of a point that those joints move: (6, velocity), [angular; linear]; R88 (5.1)."""
        rows = np.zeros((6, len(self._v)))
        turning, sliding = np.flatnonzero(on_path & self._revolute), np.flatnonzero(on_path & ~self._revolute)
        rows[:3, turning] = self._axes[turning].T
        rows[3:, turning] = cross(self._axes[turning].T, (point - self._origins[turning]).T)
        rows[3:, sliding] = self._axes[sliding].T
        return rows


def turn_rates(s: Array) -> Array:
    """dexp^-1 (3, 3): the rate of s when exp(s~) rotates with an angular velocity in inertial axes."""
    tilde, angle = cross_matrix(s), float(np.sqrt(s @ s))
    c = 1.0 / 12.0 if angle < 1e-4 else (1.0 - 0.5 * angle / np.tan(0.5 * angle)) / angle**2
    return np.eye(3) - 0.5 * tilde + c * tilde @ tilde
