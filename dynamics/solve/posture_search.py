"""Descent to a target within the postures that a closed chain and the joints' limits allow; and their gaps."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dynamics.checks import Array
from dynamics.errors import SingularConfigurationError
from dynamics.recursion.filter_smoother import motion_state
from dynamics.robot.rigid_body import cross_matrix
from dynamics.solve.closure import step_configuration
from dynamics.spatial.rotation import rotation_vector
from dynamics.system.columns import named, own_rotation
from dynamics.system.link_tables import coordinate_units, machine_length
from dynamics.system.loops import loop_motion
from dynamics.system.plain_kinematics import cross
from dynamics.system.system import System, Tip
from dynamics.system.tables import make_work

CLOSED = 1e-12
SETTLED = 1e-10
"""A gap (rad or machine's lengths) that no longer shrinks is rounding below this value, and a failure above it."""
ACCURACY = 1e-9
LONGEST = 0.5
"""Radians or machine's lengths that one joint moves in one step: a longer one could leap over the solution."""


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
        self.task_rows: Array
        self.closure: Array
        self.closure_rows: Array
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
        self.task_rows = np.vstack([rows[3:], self.radian * (_turn_rates(turn) @ rows[:3])])

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


def _turn_rates(s: Array) -> Array:
    """dexp^-1 (3, 3): the rate of s when exp(s~) rotates with an angular velocity in inertial axes."""
    tilde, angle = cross_matrix(s), float(np.sqrt(s @ s))
    c = 1.0 / 12.0 if angle < 1e-4 else (1.0 - 0.5 * angle / np.tan(0.5 * angle)) / angle**2
    return np.eye(3) - 0.5 * tilde + c * tilde @ tilde


class PostureSearch:
    """The search for one target, over packed configurations; translations are measured in machine's lengths.

    Args:
        body, target: as for ``PostureRows``.
        home: (joints,) the posture to stay close to.
        accuracy: metres to which the target is met; by default a billionth of the machine's length.
        most_steps: of each descent.
    """

    def __init__(
        self,
        system: System,
        body: Tip | int | None,
        target: Array,
        home: Array,
        accuracy: float | None,
        most_steps: int,
    ) -> None:
        self._system, self._home = system, home
        self.is_pose = target.ndim == 2
        self._rows = PostureRows(system, body, target)
        self.accuracy, self._most_steps = ACCURACY * self._rows.size if accuracy is None else accuracy, most_steps
        limits = np.array([(joint.lower, joint.upper) for joint in system.joint_models])
        self._lower, self._upper = limits.reshape(-1, 2).T.copy()
        self._moving = np.zeros(system.n_velocity, dtype=bool)
        self._moving[system.couplings.leading] = True
        if system.is_held:
            self._moving[-6:] = True
        self.steps = 0

    def from_start(self, x: Array) -> Array:
        """The posture nearest to the target that a descent from ``x`` finds."""
        closed = self._settled(self._clipped(x), with_task=False)
        if closed is None:
            raise SingularConfigurationError(
                "the arms cannot close on the object, or a loop, within their joints' limits; start from a state that "
                "is closed, see dynamics.project."
            )
        return self._descend(closed)

    def misses(self, x: Array) -> float:
        """Distance of the body from the target, metres, radians converted."""
        self._rows.look(x)
        return float(np.linalg.norm(self._rows.task))

    def errors(self, x: Array) -> tuple[float, float]:
        """Metres and radians between the body and the target; zero radians if the target is a point."""
        self._rows.look(x)
        turn = np.linalg.norm(self._rows.task[3:]) / self._rows.radian
        return float(np.linalg.norm(self._rows.task[:3])), float(turn)

    def joints_at_limit(self, x: Array) -> NDArray[np.bool_]:
        joints = x[: self._system.n_joints]
        return np.asarray((joints <= self._lower) | (joints >= self._upper))

    def elsewhere(self, x: Array, rng: np.random.Generator) -> Array:
        """Another start: joints anywhere within their limits, or within half a turn or a length if they have none."""
        n = self._system.n_joints
        reach = np.array([np.pi if joint.kind == "revolute" else 1.0 for joint in self._system.joint_models])
        reach *= self._rows.unit[:n]
        lower = np.where(np.isfinite(self._lower), self._lower, np.minimum(self._home, self._upper) - reach)
        upper = np.where(np.isfinite(self._upper), self._upper, np.maximum(self._home, self._lower) + reach)
        other = x.copy()
        other[:n] = rng.uniform(lower, upper)
        return other

    def _descend(self, x: Array) -> Array:
        """Levenberg-Marquardt: a step that comes nearer is taken and the damping falls, otherwise it grows."""
        rows, damping = self._rows, 1e-3
        miss = self.misses(x)
        for _ in range(self._most_steps):
            if miss <= 0.1 * self.accuracy or damping > 1e8:
                break
            self.steps += 1
            rows.look(x)
            scale = damping * rows.radian**2
            change = self._within_limits(x, lambda free, scale=scale: _damped_step(  # type: ignore[misc]
                (rows.closure_rows * rows.unit)[:, free], (rows.task_rows * rows.unit)[:, free], rows.task, scale
            ))  # fmt: skip
            if np.abs(change).max() < 1e-13:
                break
            other = self._settled(self._moved(x, change), with_task=False)
            found = np.inf if other is None else self.misses(other)
            if other is not None and found < miss:
                slow = miss - found < 0.01 * self.accuracy
                x, miss, damping = other, found, max(0.1 * damping, 1e-12)
                if slow:
                    break
            else:
                damping *= 10.0
        return x

    def come_nearer(self, x: Array) -> Array:
        """Moves through postures that reach the target equally well to the one nearest to ``home``."""
        rows, n = self._rows, self._system.n_joints
        share = 1.0
        for _ in range(self._most_steps):
            rows.look(x)
            away = (x[:n] - self._home) / rows.unit[:n]
            change = self._within_limits(x, lambda free, away=away: _homeward_step(  # type: ignore[misc]
                (np.vstack([rows.closure_rows, rows.task_rows / rows.size]) * rows.unit)[:, free], away, free
            ))  # fmt: skip
            if np.abs(change).max() < max(1e-7, self.accuracy / rows.size):
                break
            self.steps += 1
            other = self._settled(self._moved(x, share * change), with_task=True)
            left = np.inf if other is None else np.linalg.norm((other[:n] - self._home) / rows.unit[:n])
            if other is not None and left < np.linalg.norm(away):
                x, share = other, min(1.0, 2.0 * share)
            elif share < 1e-3:
                break
            else:
                share *= 0.5
        return x

    def _within_limits(self, x: Array, step: Callable[[NDArray[np.bool_]], Array]) -> Array:
        """``step`` over the coordinates that are not at a limit: joints that would cross theirs stay."""
        n, free = self._system.n_joints, self._moving.copy()
        change = np.zeros(len(free))
        for _ in range(n + 1):
            change[:] = 0.0
            change[free] = step(free)
            outward = (x[:n] <= self._lower) & (change[:n] < 0.0) | (x[:n] >= self._upper) & (change[:n] > 0.0)
            if not outward.any():
                break
            free[:n] &= ~outward
        longest = float(np.abs(change).max(initial=0.0))
        return change * min(1.0, LONGEST / longest) if longest > 0.0 else change

    def _settled(self, x: Array, with_task: bool) -> Array | None:
        """Newton's method back onto the closure, and on request the task; None if it does not converge."""
        if not with_task and not self._system.is_closed:
            return x
        before, seen = np.inf, self._rows
        for _ in range(20):
            seen.look(x)
            rows, gaps = seen.closure_rows * seen.unit, seen.closure
            if with_task:
                rows = np.vstack([rows, seen.task_rows * seen.unit / seen.size])
                gaps = np.concatenate([gaps, seen.task / seen.size])
            gap = float(np.abs(gaps).max(initial=0.0))
            if gap <= CLOSED or (gap <= SETTLED and gap > 0.5 * before):
                return x
            before = gap
            change = self._within_limits(x, partial(_least, rows, gaps))
            x = self._moved(x, change)
        return None

    def _moved(self, x: Array, change: Array) -> Array:
        moved = np.empty_like(x)
        step_configuration(self._system.n_joints, x, self._rows.unit * change, moved)
        return self._clipped(moved)

    def _clipped(self, x: Array) -> Array:
        n = self._system.n_joints
        within = np.clip(x[:n], self._lower, self._upper)
        return np.concatenate([self._system.couplings.followed(within), x[n:]])


def _least(rows: Array, gaps: Array, free: NDArray[np.bool_]) -> Array:
    """The smallest change that closes gaps, ignoring directions that no coordinate moves."""
    return np.asarray(-np.linalg.lstsq(rows[:, free], gaps, rcond=1e-9)[0])


def _null_space(rows: Array) -> Array:
    """An orthonormal basis of the rows' null space."""
    _, values, right = np.linalg.svd(rows)
    rank = int(np.count_nonzero(values > 1e-9 * values.max(initial=0.0)))
    return np.asarray(right[rank:].T)


def _damped_step(closure: Array, task: Array, miss: Array, damping: float) -> Array:
    """argmin |J d + e|^2 + lambda |d|^2 over the null space of the closure."""
    if not len(closure):
        return np.asarray(-task.T @ np.linalg.solve(task @ task.T + damping * np.eye(len(task)), miss))
    along = _null_space(closure)
    felt = task @ along
    return np.asarray(-along @ (felt.T @ np.linalg.solve(felt @ felt.T + damping * np.eye(len(felt)), miss)))


def _homeward_step(rows: Array, away: Array, free: NDArray[np.bool_]) -> Array:
    """argmin |d + (q - home)|^2 over the joints, in the null space of the rows."""
    along = _null_space(rows)
    joints = np.flatnonzero(free[: len(away)])
    return np.asarray(along @ np.linalg.lstsq(along[: len(joints)], -away[joints], rcond=1e-9)[0])
