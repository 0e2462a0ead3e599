"""Postures a distance from a given one, with held loops closed; and a circle that an arm's first tip can follow."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn

Array = NDArray[np.float64]
MARGIN, SHARE = 0.05, 0.1  # Clearance from a stop in rad or m, or as a share of the joint's range if that is less
NO_SIZE = 0.25  # m, assumed size of a machine whose parts are all in one place


def away(system: dyn.System, state: dyn.State, reach: float, margin: float = MARGIN) -> dyn.State:
    """The state at rest in a posture ``reach`` (rad) away at every joint, alternating in sign, within limits.

    ``margin`` (rad or m, or a tenth of the range if that is less) stays free before each stop. A slide moves by
    as large a share of its range, or of the machine's size if that is less. A joint with hardly any room on its
    side moves to the other.
    """
    lower, upper = stops(system)
    with np.errstate(over="ignore"):
        span = upper - lower
    slides = np.array([joint.kind == "prismatic" for joint in system.joint_models])
    signs = np.where(np.arange(system.n_joints) % 2 == 0, 1.0, -1.0)
    way = reach * signs * np.where(slides, np.minimum(span, size_of(system, state)), 1.0)
    free = np.minimum(margin, SHARE * span)
    highest = np.maximum(lower + free, upper - free)
    goals = np.array([np.clip(state.q + turn * way, lower + free, highest) for turn in (1.0, -1.0)])
    gone = np.abs(goals - state.q)
    q = np.where((gone[0] < 0.5 * np.abs(way)) & (gone[1] > gone[0]), goals[1], goals[0])
    return replace(state, q=system.couplings.followed(q), qd=np.zeros(system.n_joints))


def stops(system: dyn.System) -> Array:
    """(2, joints) rad or m: the lower and the upper stop of each joint."""
    return np.array([(joint.lower, joint.upper) for joint in system.joint_models]).reshape(-1, 2).T


def size_of(system: dyn.System, state: dyn.State) -> float:
    """Largest distance between the machine's links and tips, m."""
    found = dyn.forward_kinematics(system, state)
    places = np.concatenate([found.pose[:, :3, 3], found.tip_pose[:, :3, 3]])
    return float(np.linalg.norm(np.ptp(places, axis=0))) or NO_SIZE


def posed(system: dyn.System, state: dyn.State, posture: np.ndarray) -> dyn.State:
    """The state with other joint angles, at rest; a held chain is closed again as near to them as possible."""
    moved = replace(state, q=system.couplings.followed(posture), qd=np.zeros(system.n_joints))
    if system.is_held:  # the object rests at the pose given by the firmest of its contacts
        contact = max(system.contacts, key=lambda contact: len(contact.selection))
        hand = dyn.forward_kinematics(system, moved).pose[contact.link] @ contact.tip_pose
        pose = hand @ np.linalg.inv(contact.object_pose)
        moved = replace(moved, object_pose=pose, object_velocity=np.zeros(6))
    return dyn.project(system, moved)


def within(system: dyn.System, state: dyn.State) -> dyn.State:
    return replace(state, q=system.couplings.followed(np.clip(state.q, *stops(system))))


SHARES = 0.15, 0.1, 0.06, 0.03  # Radii that are tried, as shares of the arm's length
BENDS = 0.0, 0.6, -0.6, 1.2
"""rad from the start, alternating in sign, of the postures tried for a circle: a straight arm allows none."""
SAMPLES, WAVES = 24, 8
PERIOD = 4.0  # Seconds per round, or more if a joint would exceed its file's velocity limit
HASTE = 0.8  # Share of a joint's greatest speed that is used
FLAT = 0.1  # Ratio of the tip's second to its first singular value, below which a posture is too close to singular
ACCURACY, BEND = 1e-3, 0.02
"""Shares of the radius: the error at a point, and the path's deviation from the circle between points."""
LEAP = 1.0  # rad or lengths from one point to the next: more is another posture, not a path
MOST_STEPS = 20  # Steps of one search
THOROUGH, BRIEF = 20_000, 5_000
"""Joints times steps of all searches for a circle: a second if none is found, or a quarter of one."""
SMALL = 1e-6
TIGHT = 0.3  # rad or m, range of a joint below which it hardly contributes to the circle


@dataclass(frozen=True, eq=False)
class TipCircle:
    """The joint motion that moves the tip round a circle."""

    center: Array  # (3,) m
    radius: float  # m
    goal: Array  # (joints,) where the path begins, rad or m
    waves: Array  # (joints, 16) as ``dyn.JointPD`` takes them
    period: float  # s
    is_bent: bool = False  # whether the path begins in another posture than the search did

    def posture(self, phase: float) -> Array:
        """(joints,) posture at an angle of the circle."""
        i = np.arange(1, WAVES + 1) * phase
        return np.asarray(self.goal + self.waves[:, :WAVES] @ (np.cos(i) - 1.0) + self.waves[:, WAVES:] @ np.sin(i))

    def begun(self, state: dyn.State) -> dyn.State:
        """The state on the circle, in full motion."""
        rate = self.waves[:, WAVES:] @ np.arange(1, WAVES + 1) * (2.0 * math.pi / self.period)
        return replace(state, q=self.goal, qd=rate)

    def led_by(self, springs: dyn.JointPD, system: dyn.System, state: dyn.State) -> dyn.JointPD:
        """Springs and dampers whose target leads by just as much as they need to give the torques of this motion.

        Each torque wave tau, from inverse dynamics without gravity, takes a target wave tau / (K + i pace B j).
        """
        i, pace = np.arange(1, WAVES + 1), 2.0 * math.pi / self.period
        even, odd = self.waves[:, :WAVES], self.waves[:, WAVES:]
        still = dyn.single_arm(system.robots[0], (0.0, 0.0, 0.0), system.base_poses[0])
        torques = []
        for phase in 2.0 * math.pi * np.arange(2 * SAMPLES) / (2 * SAMPLES):
            cosine, sine = np.cos(i * phase), np.sin(i * phase)
            rate = pace * (odd @ (i * cosine) - even @ (i * sine))
            turning = -(pace**2) * (even @ (i**2 * cosine) + odd @ (i**2 * sine))
            moving = replace(state, q=self.posture(phase), qd=rate)
            torques.append(dyn.inverse_dynamics(still, moving, turning))
        parts = np.fft.rfft(torques, axis=0)[: WAVES + 1].T / SAMPLES
        stiffness, damping = (np.asarray(gain)[:, None] for gain in (springs.stiffness, springs.damping))
        ahead = parts[:, 1:] / (stiffness + 1j * i * pace * damping)
        goal = self.goal + parts[:, 0].real / (2.0 * stiffness[:, 0]) + ahead.real.sum(axis=1)
        waves = self.waves + np.concatenate([ahead.real, -ahead.imag], axis=1)
        return replace(springs, target=goal, waves=waves, period=self.period, duration=0.0)


def has_plane(system: dyn.System, state: dyn.State) -> bool:
    """Whether the first tip can move in two directions in some posture, as following a circle requires."""
    eases = (np.linalg.svd(tip_rates(system, away(system, state, bend)), compute_uv=False) for bend in BENDS)
    return any(len(ease) > 1 and ease[1] > SMALL * ease[0] for ease in eases)


def tip_circle(system: dyn.System, state: dyn.State, most_work: int = THOROUGH) -> TipCircle | None:
    """The largest of the tried circles that the first tip can follow from a posture, or from a slightly bent one."""
    search = _Search(system, state, arm_length(system, state), most_work)
    for bend in BENDS:
        for candidate in search.candidates(away(system, state, bend)):
            found = search.followed(*candidate)
            if found is not None:
                return replace(found, is_bent=bend != 0.0)
    return None


def led_tip(system: dyn.System) -> str:
    """Which tip follows the circle, in words: the first of several."""
    if system.n_tips == 1:
        return "its tip"
    return f"the tip of {reprlib.repr(system.link_names[system.tips[0].link])} (the first of {system.n_tips})"


def no_circle(system: dyn.System, state: dyn.State) -> str:
    """States that no circle was found: for which tip, what was tried, and what helps."""
    tried = f"{100 * 2 * min(SHARES):.2g} to {100 * 2 * max(SHARES):.2g} % of the arm's length across"
    path = [k for k in system.path_inward(system.tips[0].link) if k < system.n_joints]
    joints = [system.joint_models[k] for k in path]
    sizes = np.linalg.norm(tip_rates(system, away(system, state, BENDS[1])), axis=0)
    idle = [system.joint_models[k].name for k in path if sizes[k] <= SMALL * sizes.max()]
    frame = f" The tip is the frame of its last link, which {_some(idle)} cannot move." if idle else ""
    tight = [joint.name for joint in joints if joint.upper - joint.lower < TIGHT]
    room = f" Its file gives little room to {_some(tight)}." if tight else ""
    return (
        f"no circle was found that {led_tip(system)} can follow within the joints' limits: {tried} were tried, from "
        f"the start and from it bent this way and that.{frame}{room} A bent start in the middle of these joints' "
        "ranges may have one (Change, Posture). Or choose another drive."
    )


def _some(names: list[str]) -> str:
    return ", ".join(map(reprlib.repr, names[:3]))


def arm_length(system: dyn.System, state: dyn.State) -> float:
    """Length along the links from the base to the first tip, m."""
    found, path = dyn.forward_kinematics(system, state), system.path_inward(system.tips[0].link)
    places = [pose[:3, 3] for pose in (found.tip_pose[0], *(found.pose[k] for k in path), system.base_poses[0])]
    return float(sum(np.linalg.norm(a - b) for a, b in pairwise(places)))


def tip_rates(system: dyn.System, state: dyn.State) -> Array:
    """(3, joints): velocity of the first tip per joint rate, m per rad or m."""
    return dyn.jacobian(system, state, 0)[3:, : system.n_joints]


class _Search:
    """Looks for circles within a limited amount of work."""

    def __init__(self, system: dyn.System, state: dyn.State, length: float, most_work: int) -> None:
        self._system, self._state, self._length = system, state, length
        self._left = most_work

    def candidates(self, state: dyn.State) -> Iterator[tuple[dyn.State, Array, Array, float]]:
        """Postures with the vector from the tip to a circle's center, one across, and the radius; largest first."""
        directions, ease, _ = np.linalg.svd(tip_rates(self._system, state))
        if len(ease) < 2 or not ease[1] > FLAT * ease[0]:
            return
        u, v = directions[:, 0], directions[:, 1]
        for share in SHARES:
            for inward, across in ((-v, u), (v, u), (-u, v), (u, v)):
                yield state, inward, across, share * self._length

    def followed(self, state: dyn.State, inward: Array, across: Array, radius: float) -> TipCircle | None:
        tip = dyn.forward_kinematics(self._system, state).tip_pose[0][:3, 3]
        center = tip + radius * inward

        def point(phase: float) -> Array:
            return np.asarray(center + radius * (across * math.sin(phase) - inward * math.cos(phase)))

        if self._placed(state, state, point(math.pi), radius) is None:  # the farthest first
            return None
        postures, now = [], state
        for phase in 2.0 * math.pi * np.arange(SAMPLES) / SAMPLES:
            found = self._placed(now, state, point(phase), radius)
            if found is None or np.abs(found.q - now.q).max() > LEAP * max(1.0, self._length):
                return None
            postures.append(found.q)
            now = found
        circle = self._circle(np.array(postures), center, radius)
        return circle if self._is_true(circle, point) else None

    def _placed(self, now: dyn.State, home: dyn.State, target: Array, radius: float) -> dyn.State | None:
        if self._left <= 0:
            return None
        found = dyn.inverse_kinematics(
            self._system, now, 0, target, nearest_to=home.q, attempts=1, accuracy=ACCURACY * radius,
            most_steps=MOST_STEPS,
        )  # fmt: skip
        self._left -= (found.steps + 1) * self._system.n_joints
        return found.state if found.reached else None

    def _circle(self, postures: Array, center: Array, radius: float) -> TipCircle:
        """The closed path through the postures, as waves; as slow as the joints require."""
        parts = np.fft.rfft(postures, axis=0)[1 : WAVES + 1].T / (SAMPLES / 2)
        waves = np.concatenate([parts.real, -parts.imag], axis=1)
        circle = TipCircle(center, radius, postures[0], waves, PERIOD)
        turned = [circle.posture(phase) for phase in 2.0 * math.pi * np.arange(4 * SAMPLES) / (4 * SAMPLES)]
        rates = np.abs(np.diff(turned, axis=0, append=turned[:1])).max(axis=0) * 4 * SAMPLES  # per round
        allowed = np.array([joint.velocity for joint in self._system.joint_models]) * HASTE
        slowest = np.max(rates[allowed > 0.0] / allowed[allowed > 0.0], initial=0.0)
        return replace(circle, period=max(PERIOD, float(slowest)))

    def _is_true(self, circle: TipCircle, point: Callable[[float], Array]) -> bool:
        """Whether the path stays on the circle and within the joints' limits, also between the points."""
        lower, upper = stops(self._system)
        for phase in 2.0 * math.pi * np.arange(2 * SAMPLES) / (2 * SAMPLES):
            q = circle.posture(phase)
            tip = dyn.forward_kinematics(self._system, replace(self._state, q=q)).tip_pose[0][:3, 3]
            if np.linalg.norm(tip - point(phase)) > BEND * circle.radius:
                return False
            if np.any(q < lower - ACCURACY) or np.any(q > upper + ACCURACY):
                return False
        return True
