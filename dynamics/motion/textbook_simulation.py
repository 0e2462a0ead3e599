"""The motion that a broken text predicts: its accelerations, integrated as if they were right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array, names, number, real_array
from dynamics.errors import ModelError
from dynamics.lanes.forward import lane_motion_state
from dynamics.lanes.workspace import Workspace
from dynamics.motion.control_law import command
from dynamics.motion.controllers import ConstantTorque, Controller, law_of
from dynamics.motion.joint_stops import stopped_speeds
from dynamics.motion.recording import Recording
from dynamics.motion.runge_kutta import TABLEAUS, Tableau, configuration_rate
from dynamics.motion.segment import Segment
from dynamics.motion.simulation import SerialAccess, in_turn, span_of, step_of
from dynamics.motion.stiff_losses import with_stiff_losses
from dynamics.public import public_as_computed
from dynamics.reading.moment import read_textbook, textbook_acceleration, typed_lines
from dynamics.solve.closure import step_configuration
from dynamics.system.joint_vectors import joint_index
from dynamics.system.plain_kinematics import Forces, external_wrench
from dynamics.system.solution import Solution, quantity_in, require_joints
from dynamics.system.state import State
from dynamics.system.system import System

Acceleration = Callable[[float, Array, Array], Array]
MOST_SPEED = 300.0
"""rad/s or m/s: faster than any arm, so an integration that gets there has diverged."""


@dataclass(frozen=True, eq=False)
class TextbookRecording(Recording):
    """A recording whose solutions are those of a text with breaks; gaps that open in it stay open.

    Attributes:
        breaks: keys of what is broken.
        typed: right sides that the user has typed, by the keys of their lines.
    """

    breaks: frozenset[str] = frozenset()
    typed: Mapping[str, str] = field(default_factory=dict)

    def state_at(self, t: float) -> State:
        """The state at time t, between samples on a cubic; the closure of a held object is not restored.

        Args:
            t: s.

        Returns:
            positions and velocities.

        Raises:
            StateError: for a time outside the recording.

        Cost: some 50 us.
        """
        return super().state_at(t)

    def _moment_at(self, t: float) -> tuple[Segment, State, Array]:
        segment, x, v, tau = self.packed_at(t)
        return segment, segment.system.unpack(x, v), tau

    def solution_at(self, t: float, method: str = "") -> Solution:
        """What the text computes at time t, every stage of every link; it is the method, so ``method`` is not used."""
        segment, state, tau = self._moment_at(t)
        return read_textbook(segment.system, state, tau, segment.wrench, self.breaks, self.typed).solution

    def solutions_at(self, times: ArrayLike) -> tuple[Solution, ...]:
        """What the text computes at each of several times, one after the other."""
        return tuple(self.solution_at(t) for t in real_array(times, "times in seconds", "times").ravel().tolist())

    def stage(self, name: str, joint: str | None = None) -> Array:
        """What a stage of the text has at every sample, (samples, ...)."""
        values = np.array([quantity_in(solution.stages, name) for solution in self.solutions_at(self.t)])
        if joint is None:
            return values
        require_joints(name)
        return values[:, joint_index(self.segments[0].system, joint)]


class TextbookSimulation(SerialAccess):
    """RK4 of a text with breaks, in Python: as ``Simulation``, but it closes no gap; joints meet their stops.

    It stops, and says so in ``stopped``, if the broken text makes a machine faster than any real one, or its numbers
    are no longer finite.

    Attributes:
        time: s.
        stopped: why it ended early; empty while it goes on.
        system: what moves.
        breaks: keys.
        typed: lines.

    Args:
        system: of any kind.
        state: the initial state.
        breaks: keys, as ``read_textbook`` takes them.
        controller: drives the joints; default no torque.
        dt: s.
        external_forces: as for ``forward_dynamics``, constant.
        torques_of: a motion with as many joints, whose torques are applied at each instant, whatever happens; used
            instead of a controller, which would lead a broken arm back. After its end they stay constant.
        since: s of that motion at which this one begins.
        typed: right sides that the user has typed, as ``read_textbook`` takes them.

    Raises:
        StateError: for a step that is not positive, or a beginning outside the motion whose torques are given.
        ModelError: for a break that the text does not have, a typed line that cannot be evaluated, or a motion of
            other joints.

    Cost: four evaluations of the text a step, some 4 ms for seven joints.
    """

    @public_as_computed
    def __init__(
        self,
        system: System,
        state: State,
        breaks: Iterable[str],
        controller: Controller | None = None,
        dt: float = 5e-3,
        external_forces: Forces = None,
        torques_of: Recording | None = None,
        since: float = 0.0,
        typed: Mapping[str, str] | None = None,
    ) -> None:
        self.time, self.stopped = 0.0, ""
        self.system, self.breaks, self._dt = system, frozenset(names(breaks, "breaks", ModelError)), step_of(dt)
        self.typed = typed_lines(typed)
        self._law = law_of(ConstantTorque() if controller is None else controller, system, state)
        self._given, self._since = torques_of, number(since, "since", "a time in seconds")
        if torques_of is not None and torques_of.segment_at(self._since).system.n_joints != system.n_joints:
            raise ModelError(f"torques_of is a motion of other joints than the {system.n_joints} of this system.")
        self._x, self._v = system.pack(state)
        self._workspace, self._wrench = Workspace(system), external_wrench(system, external_forces)
        self._samples: list[tuple[float, Array, Array, Array, Array]] = []
        self._keep(self._acceleration(self.time, self._x, self._v))

    @property
    @in_turn
    def recording(self) -> TextbookRecording:
        """The motion so far."""
        times, x, v, acceleration, tau = (np.array(each) for each in zip(*self._samples, strict=True))
        count = len(times)
        tau, drift = tau.reshape(count, self.system.n_joints), np.zeros((count, 2))
        segment = Segment(self.system, times, x, v, acceleration, tau, drift, self._wrench)
        events = ((self.time, self.stopped),) if self.stopped else ()
        return TextbookRecording((segment,), events, self.stopped or None, breaks=self.breaks, typed=self.typed)

    @in_turn
    def advance(self, duration: float) -> None:
        """Continues for ``duration`` seconds, the last step shortened to end there.

        Args:
            duration: s.

        Raises:
            ModelError: never here: unknown breaks are refused at the start.
            StateError: for a duration that is negative, not finite, or longer than ten million steps; a divergence is
                reported in ``stopped``.

        Cost: four evaluations of the text a step.
        """
        end = self.time + span_of(duration, self._dt)
        while not self.stopped and self.time < end - 1e-9:
            self._step(min(self._dt, end - self.time))

    def _torque(self, t: float, x: Array, v: Array) -> Array:
        if self._given is not None:
            return self._given.packed_at(min(self._since + t, self._given.duration))[3]
        arena, tau = self._workspace.arena, np.zeros(self.system.n_joints)
        lane_motion_state(arena, x, v)
        command(arena, self._law, t, x, v, tau)
        return tau

    def _acceleration(self, t: float, x: Array, v: Array, more: Array | float = 0.0, h: float = 0.0) -> Array:
        """As the mechanics has it, or as a step of length ``h`` takes it."""
        state, tau = self.system.unpack(x, v), self._torque(t, x, v) + more
        system = with_stiff_losses(self.system, h, v[: self.system.n_joints])
        return textbook_acceleration(system, state, tau, self._wrench, self.breaks, self.typed)

    def _keep(self, acceleration: Array) -> None:
        tau = self._torque(self.time, self._x, self._v)
        self._samples.append((self.time, self._x.copy(), self._v.copy(), acceleration, tau))

    def _step(self, h: float) -> None:
        def acceleration(t: float, x: Array, v: Array) -> Array:
            self._require_sane(v)
            return self._acceleration(t, x, v, h=h)

        n, t, first = self.system.n_joints, self.time, self._samples[-1][3]
        try:
            if with_stiff_losses(self.system, h, self._v[:n]) is not self.system:
                first = acceleration(t, self._x, self._v)
            x, v = plain_step(TABLEAUS["rk4"], n, t, self._x, self._v, h, first, acceleration)
            v = stopped_speeds(self.system, x, v, h, lambda more: self._acceleration(t + h, x, v, more))
            self._require_sane(v)
            there = self._acceleration(t + h, x, v)
            self._require_sane(there, np.inf)
        except _ExplodedError as exploded:
            self.stopped = str(exploded)
            return
        self._x, self._v, self.time = x, v, t + h
        self._keep(there)

    def _require_sane(self, values: Array, most: float = MOST_SPEED) -> None:
        text = "the text as it is typed" if self.typed and not self.breaks else "the broken text"
        if not np.all(np.isfinite(values)):
            raise _ExplodedError(f"stopped at {self.time:.2f} s: {text} divides by zero")
        if np.abs(values).max(initial=0.0) > most:
            k = int(np.argmax(np.abs(values)))
            what = self.system.joint_names[k] if k < self.system.n_joints else "what floats"
            raise _ExplodedError(f"stopped at {self.time:.2f} s: {text} makes {what} faster than any machine")


class _ExplodedError(ArithmeticError):
    """The motion cannot go on."""


def plain_step(
    tableau: Tableau, n_joints: int, t: float, x: Array, v: Array, h: float, first: Array, acceleration: Acceleration
) -> tuple[Array, Array]:
    """Configuration and velocity after an explicit Runge-Kutta step of length ``h``, in Python.

    Args:
        first: the acceleration at the start of the step.
        acceleration: a function of time, configuration and velocity; it may raise to abort the step.
    """
    rates, accelerations = [v], [first]
    for i in range(1, len(tableau.b)):
        speed = v + h * _mixed(tableau.a[i, :i], accelerations)
        change = h * _mixed(tableau.a[i, :i], rates)
        rate, moved = np.empty_like(v), np.empty_like(x)
        configuration_rate(n_joints, change, speed, rate)
        step_configuration(n_joints, x, change, moved)
        rates.append(rate)
        accelerations.append(acceleration(t + tableau.c[i] * h, moved, speed))
    moved = np.empty_like(x)
    step_configuration(n_joints, x, h * _mixed(tableau.b, rates), moved)
    return moved, v + h * _mixed(tableau.b, accelerations)


def _mixed(weights: Array, values: list[Array]) -> Array:
    return np.asarray(weights @ np.array(values))
