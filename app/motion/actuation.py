"""The drives of a machine: the choices, what each does, and why one may not fit this machine."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.motion.assembly import carried
from app.motion.postures import TipCircle, away, has_plane, led_tip
from app.motion.presets import LED_TIME, Preset

Array = NDArray[np.float64]

NOTHING = "nothing is held here"
MOST_NAMED = 3  # Most weak joints that are listed by name


@dataclass(frozen=True)
class Drive:
    """One choice of a drive."""

    name: str  # how an address refers to it
    title: str
    words: str  # what the motors do
    carries: bool = False  # whether they carry the weight as well, of a machine that has any and does not float


CARRIED = " The motors carry the weight."
DRIVES: Mapping[str, Drive] = MappingProxyType({drive.name: drive for drive in (
    Drive("free", "Motors off",
          "No motor acts but by the sliders of Torques: its weight, if any, its speed and your pushes move it."),
    Drive("reach", "Springs, to and fro",
          "A spring and a damper at each joint lead it to another posture and back.", carries=True),
    Drive("circle", "A circle with the tip", "Springs at the joints lead the tip round a circle.", carries=True),
    Drive("hand", "Your hand", "The motors brake the joints a little: push it where you like.", carries=True),
    Drive("carry", "Carry the object", "Springs lead the object along and back, acting through the arms."),
)})  # fmt: skip


def why_not(name: str, system: dyn.System, state: dyn.State) -> str:
    if name == "carry":
        return "" if system.is_held else NOTHING
    if name == "reach" and system.is_held:
        return "the arms hold an object, and no two postures of theirs are far apart"
    if name == "circle":
        if system.is_held:
            return "the tips hold an object"
        if system.is_floating:
            return "its base floats, and gives way to every turn of the tip"
        if len(system.path_inward(system.tips[0].link)) < 2:
            return f"{led_tip(system)} hangs on one joint alone"
        if not has_plane(system, state):
            return f"{led_tip(system)} moves along one line only"
    return ""


def drive_in_words(drive: Drive, system: dyn.System, circle: TipCircle | None) -> str:
    """What the motors do in this run, in words."""
    carries = drive.carries and not system.is_floating and system.gravity.any()
    words = drive.words + CARRIED * bool(carries)
    if circle is None:
        return words
    across, unit = (200.0 * circle.radius, "cm") if circle.radius > 0.005 else (2000.0 * circle.radius, "mm")
    which = f"tip of {system.link_names[system.tips[0].link]}" if system.n_tips > 1 else "tip"
    size = f"{across:.3g}\u00a0{unit} across, and takes {circle.period:.3g}\u00a0s"
    begins = " and bent: from the start itself there is none" if circle.is_bent else ""
    return f"{words.replace('tip', which)} The circle is {size}. The run begins on it, in full motion{begins}."


def weakness(system: dyn.System, state: dyn.State) -> str:
    """Which joints cannot even hold the weight at the start of a run, in words; empty if all can."""
    if system.is_held or system.is_floating or not system.gravity.any():
        return ""
    still = replace(state, qd=np.zeros(system.n_joints))
    needed = np.abs(dyn.inverse_dynamics(system, still, np.zeros(system.n_joints)))
    allowed = np.array([joint.effort for joint in system.joint_models])
    weak = np.flatnonzero((allowed <= needed) & (needed > 0.0))
    named = [
        f"{reprlib.repr(system.joint_names[k])} (allowed {allowed[k]:.3g}, needed {needed[k]:.3g})"
        for k in weak[:MOST_NAMED]
    ]
    more = f" and {len(weak) - MOST_NAMED} more" if len(weak) > MOST_NAMED else ""
    words = "By its file, these joints are too weak to hold the weight at the start, in N m or N"
    return f"{words}: {', '.join(named)}{more}. It sags." if named else ""


PACE = 8.0  # Natural frequency of the joint springs, rad/s; their damping is critical
CARRYING_PACE = 6.0  # Natural frequency of the springs that lead the object, rad/s
ELBOW_PACE = 1.5
"""Natural frequency of the weak joint springs that keep elbows up without being felt by the object, rad/s."""
TRAVEL = 2.5  # Seconds from the start to the goal, and as many back
BRAKE = 1.0  # 1/s, rate at which a joint that is only moved by hand comes to rest


@dataclass(frozen=True, eq=False)
class Actuation:
    """What acts on the joints during a whole run, whether the object is held or not."""

    preset: Preset
    system: dyn.System  # the one with which the run begins
    torques: Mapping[str, float]  # of the sliders, joint name -> N m or N
    drive: str = ""  # one of ``DRIVES``; empty for the preset's own
    circle: TipCircle | None = None  # the circle of the drive that follows one

    def law(self, system: dyn.System, state: dyn.State) -> dyn.ControlLaw:
        """The law of a stretch of the run that begins in a state: the drive, and the sliders' torques."""
        pushed, drive = system.to_joint_vector(self.torques), self.drive or self.preset.actuation
        if drive == "free":
            return dyn.ConstantTorque(pushed).law(system, state)
        if drive == "carry" and system.is_held:
            return CarryController(self.preset.carry, pushed, self.preset.led).law(system, state)
        inertia = _joint_inertia(system, state)
        if drive == "hand":
            return dyn.JointPD(stiffness=0.0, damping=BRAKE * inertia, feedforward=pushed).law(system, state)
        stiffness, damping = PACE**2 * inertia, 2.0 * PACE * inertia  # of one natural frequency
        springs = dyn.JointPD(stiffness=stiffness, damping=damping, duration=TRAVEL, feedforward=pushed)
        if self.circle is not None:
            return self.circle.led_by(springs, system, state).law(system, state)
        reach = self.preset.reach if drive == "reach" else 0.0
        return replace(springs, target=away(system, state, reach).q, there_and_back=True).law(system, state)


def _joint_inertia(system: dyn.System, state: dyn.State) -> Array:
    """D(k) in a posture: springs in proportion to the inertia they move need no tuning."""
    return dyn.forward_dynamics(system, state).stages["filter"]["joint_inertia"]


@dataclass(frozen=True, eq=False)
class CarryController:
    """Moves the held object to a goal and back, while weak joint springs keep the posture."""

    # m along x, y and z, and the rotation vector of the turn, rad
    travel: tuple[float, float, float, float, float, float]
    pushed: Array  # (joints,) additional torques
    led: tuple[float, float] | None = None  # stiffness and damping of a one-way motion; see ``Preset``

    def law(self, system: dyn.System, state: dyn.State) -> dyn.ControlLaw:
        """JZ (47)-(48) for the object, with joint springs added to its joint damping."""
        assert state.object_pose is not None
        target = carried(state.object_pose, self.travel)
        if self.led is not None:
            stiffness, damping = self.led
            once = dyn.TaskSpacePD(target, stiffness, damping, duration=LED_TIME, feedforward=self.pushed)
            return once.law(system, state)
        felt, inertia = felt_inertia(system, state), _joint_inertia(system, state)
        leading = dyn.TaskSpacePD(
            target, CARRYING_PACE**2 * felt, 2.0 * CARRYING_PACE * felt, joint_damping=2.0 * ELBOW_PACE * inertia,
            duration=TRAVEL, there_and_back=True, gravity_compensation=True, feedforward=self.pushed,
        ).law(system, state)  # fmt: skip
        start, goal, elbows = state.q.copy(), state.q.copy(), ELBOW_PACE**2 * inertia
        return leading._replace(joint_start=start, joint_goal=goal, joint_stiffness=elbows)


def felt_inertia(system: dyn.System, state: dyn.State) -> Array:
    """(6,) inertia about each axis, and mass along it, felt when moving the held object: its own and its arms'.

    The diagonal of M(C) + A P A' with P the inverse of each arm's tip co-state covariance (R88 (9.1)).
    """
    assert system.task_object is not None
    assert state.object_pose is not None
    turned = state.object_pose[:3, :3]
    felt = np.zeros((6, 6))
    felt[:3, :3] = turned @ system.task_object.inertia @ turned.T
    felt[3:, 3:] = system.task_object.mass * np.eye(3)
    covariance = dyn.forward_dynamics(system, state).stages["contact"]["tip_costate_covariance"]
    for contact in system.contacts:
        x, y, z = turned @ contact.object_pose[:3, 3]
        shift = np.eye(6)
        shift[:3, 3:] = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]
        felt += shift @ np.linalg.pinv(covariance[contact.tip], rcond=1e-6, hermitian=True) @ shift.T
    return np.diag(felt).copy()
