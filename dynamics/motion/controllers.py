"""Controllers as a user specifies them; each becomes one compiled ``ControlLaw``.

Or functions of time and state, for torques and for external forces, which are called at each stage of a step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.transform import Rotation

from dynamics.checks import Array, brief, flag, must_hear, number, numbers, pose
from dynamics.compiler.callback import with_address
from dynamics.errors import StateError
from dynamics.lanes.forward import NOT_FINITE
from dynamics.lanes.workspace import Workspace
from dynamics.motion.control_law import WAVES, ControlLaw
from dynamics.public import public_as_computed
from dynamics.record import Record
from dynamics.recursion.filter_smoother import SOLVED
from dynamics.system.joint_vectors import JointValues, joint_vector
from dynamics.system.plain_kinematics import Forces, external_wrench
from dynamics.system.state import State
from dynamics.system.system import System


class Controller(Protocol):
    """Any object that can state its law for a system and an initial state."""

    def law(self, system: System, state: State) -> ControlLaw:
        """The law that a run obeys.

        Args:
            system: the system of the run.
            state: its initial state.

        Returns:
            Gains, goals (rad, m, inertial axes) and timing, as compiled code reads them.

        Cost: once a run.
        """


@dataclass(frozen=True, eq=False)
class ConstantTorque(Record):
    """The same joint torques throughout; zero by default: an undriven arm.

    Attributes:
        tau: (joints,) N m or N; or ``{joint name: value}``, others zero.
    """

    tau: JointValues | None = None

    @public_as_computed
    def law(self, system: System, state: State) -> ControlLaw:
        """The law of a run that starts in ``state``.

        Args:
            system: the system of the run.
            state: its initial state; not used.

        Returns:
            A law whose feedforward is ``tau`` and whose gains are zero, N m or N joint by joint.

        Raises:
            StateError: if ``tau`` has the wrong length or is not finite.

        Cost: once a run.
        """
        return passive(system)._replace(feedforward=joint_vector(system, self.tau, "tau"))


@dataclass(frozen=True, eq=False)
class JointPD(Record):
    """Joint PD towards a goal posture, with gravity compensation.

    Attributes:
        target: (joints,) the goal, rad or m, or ``{joint name: value}``, others zero; default: stay where the run
            starts.
        stiffness: one number, (joints,), or by name; N m/rad or N/m.
        damping: one number, (joints,), or by name; N m s/rad or N s/m.
        duration: s to move there; 0 pulls at once.
        there_and_back: return after arriving, and repeat forever.
        gravity_compensation: also carry the weight of links and of a held object.
        feedforward: (joints,) torques that are added, N m or N; default none.
        waves: (joints, 2 w) a closed path from the goal, rad or m, w at most 8: the sum over i = 1…w of
            waves[:, i - 1] (cos i phase - 1) + waves[:, w + i - 1] sin i phase; default none.
        period: s per round, repeated after arriving; 0 for none.
        run_up: s in which the pace of the first round grows from rest.
    """

    target: JointValues | None = None
    stiffness: JointValues = 100.0
    damping: JointValues = 20.0
    duration: float = 0.0
    there_and_back: bool = False
    gravity_compensation: bool = True
    feedforward: JointValues | None = None
    waves: ArrayLike | None = None
    period: float = 0.0
    run_up: float = 0.0

    @public_as_computed
    def law(self, system: System, state: State) -> ControlLaw:
        """The law of a run that starts in ``state``.

        Args:
            system: the system of the run.
            state: its initial state; also the goal if no ``target`` is given.

        Returns:
            A law in joint coordinates, rad or m, tip to base.

        Raises:
            StateError: for a wrong length, a number that is not finite, a negative gain, duration or period, or a
                closed path together with ``there_and_back``.

        Cost: once a run.
        """
        goal = state.q.copy() if self.target is None else joint_vector(system, self.target, "target")
        return passive(system)._replace(
            feedforward=joint_vector(system, self.feedforward, "feedforward"),
            joint_start=state.q.copy(),
            joint_goal=goal,
            joint_stiffness=_joint_gains(system, self.stiffness, "stiffness"),
            joint_damping=_joint_gains(system, self.damping, "damping"),
            joint_waves=_waves(self.waves, system.n_joints),
            round=self._round(),
            timing=_timing(self.duration, self.there_and_back),
            switches=np.array([float(flag(self.gravity_compensation, "gravity_compensation")), 0.0]),
        )

    def _round(self) -> Array:
        period = _span(self.period, "period")
        if period > 0.0 and flag(self.there_and_back, "there_and_back"):
            raise StateError("period: a closed path begins at a goal that is kept; leave out there_and_back.")
        return np.array([period, _span(self.run_up, "run_up")])


@dataclass(frozen=True, eq=False)
class TaskSpacePD(Record):
    """PD on the held object in task space, JZ (47)-(48): P = J' G+ [K dX + B dX'].

    G+ gives the smallest contact forces. JZ adds newton metres to newtons; here, as with ``JointPD``, moments are
    first divided by the machine's length, so that the squeeze of the arms, which moves floating ones, does not depend
    on units. No force is asked along an axis in which no contact has a thousandth of the effect that it has in its own
    direction, as when it turns the object by a lever of a thousandth of the machine's length.

    Attributes:
        target_pose: (4, 4), world <- object, the goal; default: hold it where the run starts.
        stiffness: one number or (6,) [angular; linear], N m/rad and N/m, inertial axes.
        damping: one number or (6,), N m s/rad and N s/m.
        joint_damping: one number or (joints,); damps internal motions of redundant arms, which the object does not see.
        duration: s to move there; 0 pulls at once.
        there_and_back: return after arriving, and repeat forever.
        gravity_compensation: also carry the weight of links and of the object.
        feedforward: (joints,) torques that are added, N m or N; default none.
    """

    target_pose: ArrayLike | None = None
    stiffness: ArrayLike = 100.0
    damping: ArrayLike = 10.0
    joint_damping: JointValues = 0.0
    duration: float = 0.0
    there_and_back: bool = False
    gravity_compensation: bool = False
    feedforward: JointValues | None = None

    @public_as_computed
    def law(self, system: System, state: State) -> ControlLaw:
        """The law of a run that starts in ``state``.

        Args:
            system: the system of the run, with a task object.
            state: its initial state; also the goal if no ``target_pose`` is given.

        Returns:
            A law on the object's pose and velocity, m and rad, inertial axes.

        Raises:
            StateError: for a system without an object, an invalid pose, a wrong length or a negative gain.

        Cost: once a run.
        """
        if state.object_pose is None:
            raise StateError("TaskSpacePD moves a task object, and this system has none; use JointPD.")
        start = state.object_pose
        goal = start if self.target_pose is None else pose(self.target_pose, "target_pose")
        turn = Rotation.from_matrix(goal[:3, :3] @ start[:3, :3].T).as_rotvec()
        quaternion = Rotation.from_matrix(start[:3, :3]).as_quat(scalar_first=True)
        return passive(system)._replace(
            feedforward=joint_vector(system, self.feedforward, "feedforward"),
            joint_damping=_joint_gains(system, self.joint_damping, "joint_damping"),
            object_start=np.concatenate([start[:3, 3], quaternion]),
            object_turn=np.concatenate([turn, goal[:3, 3] - start[:3, 3]]),
            object_stiffness=_gains(self.stiffness, 6, "stiffness"),
            object_damping=_gains(self.damping, 6, "damping"),
            timing=_timing(self.duration, self.there_and_back),
            switches=np.array([float(flag(self.gravity_compensation, "gravity_compensation")), 1.0]),
        )


def law_of(controller: Controller, system: System, state: State) -> ControlLaw:
    """The controller's law; that of a user's own controller is checked, because kernels read its numbers unchecked."""
    if not hasattr(controller, "law"):
        raise StateError(
            f"{brief(controller)} is no controller; expected ConstantTorque, JointPD, TaskSpacePD or the like."
        )
    said = controller.law(system, state)
    if type(controller) in (ConstantTorque, JointPD, TaskSpacePD):
        return said
    if not isinstance(said, ControlLaw):
        raise StateError(f"{brief(controller)} returned {brief(said)}; expected a ControlLaw.")
    shapes = {name: own.shape for name, own in passive(system)._asdict().items()}
    return ControlLaw(*(numbers(getattr(said, name), shapes[name], f"law.{name}") for name in shapes))


def passive(system: System) -> ControlLaw:
    """The law that commands nothing."""
    n = system.n_joints
    return ControlLaw(
        feedforward=np.zeros(n),
        joint_start=np.zeros(n),
        joint_goal=np.zeros(n),
        joint_stiffness=np.zeros(n),
        joint_damping=np.zeros(n),
        joint_waves=np.zeros((n, 2 * WAVES)),
        round=np.zeros(2),
        object_start=np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]),
        object_turn=np.zeros(6),
        object_stiffness=np.zeros(6),
        object_damping=np.zeros(6),
        timing=np.zeros(3),
        switches=np.zeros(2),
    )


def _joint_gains(system: System, value: JointValues, name: str) -> Array:
    values = joint_vector(system, value, name) if isinstance(value, Mapping) else value
    return _gains(values, system.n_joints, name)


def _gains(value: ArrayLike, size: int, name: str) -> Array:
    several = isinstance(value, list | tuple) or np.ndim(value) > 0
    one = f"a finite number, zero or more, or {size} of them"
    gains = numbers(value, (size,), name) if several else np.full(size, number(value, name, one))
    if gains.min(initial=0.0) < 0.0:
        raise StateError(f"{name}: entry {int(np.argmin(gains))} is {gains.min()}; gains may not be negative.")
    return gains


def _waves(value: ArrayLike | None, n_joints: int) -> Array:
    """The waves, padded with zeros."""
    found = np.zeros((n_joints, 2, WAVES))
    if value is not None:
        columns = np.shape(value)[1] if np.ndim(value) == 2 else 0
        if columns % 2 or not 0 < columns <= 2 * WAVES:
            raise StateError(f"waves: expected shape ({n_joints}, 2 w), w from 1 to {WAVES}, got {np.shape(value)}.")
        found[:, :, : columns // 2] = numbers(value, (n_joints, columns), "waves").reshape(n_joints, 2, -1)
    return found.reshape(n_joints, 2 * WAVES)


def _timing(duration: float, there_and_back: bool) -> Array:
    return np.array([0.0, _span(duration, "duration"), float(flag(there_and_back, "there_and_back"))])


def _span(value: float, name: str) -> float:
    span = number(value, name, "seconds, zero or more")
    if span < 0.0:
        raise StateError(f"{name} is {brief(value)}; expected seconds, zero or more.")
    return span


TorqueFunction: TypeAlias = Callable[[float, State], JointValues]
ForceFunction: TypeAlias = Callable[[float, State], Forces]
REFUSED = -7
"""A status beside those of ``runge_kutta.integrate``: a function raised, or returned an invalid value."""


def is_function(value: object, name: str) -> bool:
    """Whether to call it, rather than ask it for its law; ``StateError`` if it does not take time and state."""
    if not callable(value) or hasattr(value, "law"):
        return False
    must_hear(value, name, "the time and the state, as in lambda t, state: …", 2)
    return True


class Callbacks:
    """A run's functions; their values go where compiled code reads torques and forces.

    Attributes:
        failure: why the last value was refused, or None.
    """

    def __init__(
        self,
        system: System,
        workspace: Workspace,
        law: ControlLaw,
        torque: TorqueFunction | None,
        forces: ForceFunction | None,
    ) -> None:
        self._system, self._workspace, self._law = system, workspace, law
        self._torque, self._forces = torque, forces
        self.failure: BaseException | None = None

    @property
    def are_some(self) -> bool:
        """Whether there is any function to call."""
        return self._torque is not None or self._forces is not None

    def address(self, x: Array, v: Array) -> tuple[Any, int]:
        """A C function of time alone, to be kept alive, and its address, 0 for none; the state is read from x and v."""
        return with_address(lambda t: self(t, x, v)) if self.are_some else (None, 0)

    def __call__(self, t: float, x: Array, v: Array) -> int:
        """Calls them at a time and a packed state: SOLVED, NOT_FINITE, or REFUSED with the reason in ``failure``."""
        if not self.are_some:
            return SOLVED
        if not (np.isfinite(x).all() and np.isfinite(v).all()):
            return NOT_FINITE
        try:
            state, where = self._system.unpack(x, v), f"at t = {t:g} s"
            if self._torque is not None:
                tau = _asked(self._torque, t, state, f"controller {where}")
                if tau is None:
                    raise StateError(f"controller {where} returned None; expected a torque for each joint.")
                self._law.feedforward[:] = joint_vector(self._system, tau, f"controller {where}")
            if self._forces is not None:
                forces = _asked(self._forces, t, state, f"external_forces {where}")
                self._workspace.wrench = external_wrench(self._system, forces, f"external_forces {where}")
        except BaseException as error:  # it cannot pass through compiled code; the run raises it afterwards
            self.failure = error
            return REFUSED
        return SOLVED


def _asked(function: Callable[[float, State], Any], t: float, state: State, name: str) -> Any:
    try:
        return function(t, state)
    except Exception as error:
        raise StateError(f"{name} raised {type(error).__name__}: {brief(str(error))[1:-1]}.") from error
