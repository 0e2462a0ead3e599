"""Running a system through time: steps, events, and threads that take turns."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Sequence
from threading import RLock
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import numpy as np

from dynamics.checks import Array, brief, is_among, listed, number, whole_number
from dynamics.compiler.callback import address_of
from dynamics.errors import StateError
from dynamics.lanes.couplings import UNSOLVABLE_COUPLINGS, lane_accelerations
from dynamics.lanes.forward import EVERY_STAGE, MOVED, lane_gaps, lane_motion_state
from dynamics.lanes.workspace import Workspace
from dynamics.motion import adaptive, runge_kutta
from dynamics.motion.control_law import command, is_constant, within_effort
from dynamics.motion.controllers import (
    REFUSED,
    Callbacks,
    ConstantTorque,
    Controller,
    ForceFunction,
    TorqueFunction,
    is_function,
    law_of,
    passive,
)
from dynamics.motion.events import Event, LimitEvent
from dynamics.motion.joint_stops import meet_stops
from dynamics.motion.recording import Recording
from dynamics.motion.runge_kutta import NOT_CLOSED, TABLEAUS, Samples
from dynamics.motion.segment import SAMPLED, Segment, joined
from dynamics.motion.stiff_losses import stiff_losses
from dynamics.public import public_as_computed
from dynamics.record import frozen, in_a_line
from dynamics.recursion.filter_smoother import SOLVED, UNSOLVABLE_CONTACTS
from dynamics.solve.closure import lane_close_gaps
from dynamics.solve.forward_dynamics import CLOSURE_TOLERANCE, Forces, external_wrench, forward_dynamics
from dynamics.system.joint_vectors import JointValues, Order, joint_vector
from dynamics.system.layout import LOWER, UPPER
from dynamics.system.state import State
from dynamics.system.system import System

P = ParamSpec("P")
R = TypeVar("R")
SHORTEST = 1e-6
"""Share of a step: a shorter remainder from summing times is not a step of its own; it is added to the next."""
MOST_STEPS = 10_000_000
A_STEP = "a step in seconds, longer than zero"
SOME_EVENTS = "a sequence of Grasp, Release or the like"
A_MOMENT = "a time of the run in seconds, which starts at zero"


class SerialAccess:
    """An object that advances from call to call. A copy or pickle shares no mutable state with it."""

    _turn: Any

    def __new__(cls, *_: Any, **__: Any) -> Self:
        made = super().__new__(cls)
        made._turn = RLock()
        return made

    def __getstate__(self) -> dict[str, Any]:
        with self._turn:
            return copy.deepcopy({name: value for name, value in vars(self).items() if name != "_turn"})


def in_turn(method: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    """Makes a method exclusive: other threads wait until it returns."""

    @functools.wraps(method)
    def waited(self: Any, *arguments: P.args, **named: P.kwargs) -> R:
        with self._turn:
            return method(self, *arguments, **named)

    return waited


class Simulation(SerialAccess):
    """A run that can be continued: ``advance`` it, look at ``recording``, change it, advance again.

    Threads that share one take turns; a copy, or an unpickled one, runs independently.

    Attributes:
        time: s.
        system: the present one; an event changes it.
    """

    @public_as_computed
    def __init__(
        self,
        system: System,
        state: State,
        controller: Controller | TorqueFunction | None = None,
        tau: JointValues | None = None,
        dt: float = 1e-3,
        method: str = "rk4",
        record_every: int = 1,
        events: Sequence[Event] = (),
        external_forces: Forces | ForceFunction = None,
        most_steps: int = MOST_STEPS,
        order: Order = "tip",
    ) -> None:
        """A run at its start, with nothing recorded.

        Damping and friction that are too stiff for the fixed step are taken implicitly, see ``stiff_losses``: a
        joint that they would stop within a step loses its rate within a few, and no loss makes a run diverge. Gains
        that are too stiff still do. Accelerations are recorded as ``forward_dynamics`` returns them.

        Args:
            system: what moves.
            state: the initial state, closed to 1e-6 if an object is held.
            controller: default none: the constant torques ``tau``. Or a function, as for ``simulate``.
            tau: (joints,) N m or N, tip to base, or by joint name; zero by default; not together with a controller.
            dt: s, the step of ``rk4``, ``heun`` and ``euler``; for scipy's adaptive methods (``RK23``, ``RK45``,
                ``DOP853``, ``Radau``, ``BDF``, ``LSODA``) only the sample interval.
            method: one of these names.
            record_every: record every n-th step, and the last of each ``advance``.
            events: ``Release`` and ``Grasp`` at their times.
            external_forces: as for ``forward_dynamics``, constant over the run. Or a function, as for ``simulate``.
            most_steps: of an adaptive method in one ``advance``; the run stops where it would take more.
            order: ``base`` if the array tau runs from base to tip; or the joints' names. Not with a controller.

        Raises:
            StateError: for a state off the closure, an unknown method, a step that is not positive, both a controller
                and torques, or a function that raises or returns an invalid value.
            ModelError: for a joint that moves no inertia.
            SingularConfigurationError: if no contact force closes the chain at the start.

        Cost: the system's tables are built once; a step of ``rk4`` is four solutions of forward dynamics.
        """
        if not is_among(method, (*TABLEAUS, *adaptive.METHODS)):
            known = ", ".join((*TABLEAUS, *adaptive.METHODS))
            raise StateError(f"there is no integration method {brief(method)}; choose among {known}.")
        step = step_of(dt)
        self._most_steps = whole_number(most_steps, "most_steps", "a whole number, one or more", 1, most=MOST_STEPS)
        every = whole_number(record_every, "record_every", "a whole number, one or more", least=1)
        if controller is not None and tau is not None:
            raise StateError("give a controller or tau, not both; JointPD and TaskSpacePD take a feedforward.")
        if controller is not None and not is_among(order, ("tip",)):
            raise StateError(
                f"order is {brief(order)}, but it applies only to the array tau: a controller's arrays run from tip "
                "to base, as state.q does; or give and return {joint name: value}."
            )
        self.time = self._owed = 0.0
        self.system = system
        self._dt, self._method, self._record_every = step, method, every
        torque = joint_vector(system, tau, "tau", order)
        self._torque_of: Any = controller if is_function(controller, "controller") else None
        law: Any = ConstantTorque(torque) if controller is None else controller
        self._law = passive(system) if self._torque_of else law_of(law, system, state)
        self._x, self._v = system.pack(state)
        self._workspace = Workspace(system)
        self._pending: list[Event] = in_order(events)
        self._segments: list[list[Segment]] = []
        self._set_forces(external_forces)
        self._events: list[tuple[float, str]] = []
        self._limits_met: list[LimitEvent] = []
        self._at_stop = np.full((2, system.n_joints), np.inf)
        self.stopped: str | None = None
        self._failure: BaseException | None = None
        if not self._can_start(torque):
            forward_dynamics(system, state, torque, external_forces=self._workspace.wrench)  # raises the error

    def _set_forces(self, external_forces: Forces | ForceFunction) -> None:
        """Sets the forces from now on; a function is called at each stage of a step."""
        self._forces_of: Any = external_forces if is_function(external_forces, "external_forces") else None
        given: Any = None if self._forces_of else external_forces
        self._wrench = external_wrench(self.system, given)
        if external_forces is not None or self._segments:
            self._workspace.wrench = self._wrench

    def __repr__(self) -> str:
        return in_a_line("Simulation", [f"at {self.time:g} s", f"{self.system.n_joints} joints"])

    def _can_start(self, torque: Array) -> bool:
        arena, asked = self._workspace.arena, self._asked
        if asked(0.0, self._x, self._v) == REFUSED and asked.failure is not None:
            raise asked.failure
        lane_motion_state(arena, self._x, self._v)
        if self._is_steady:
            torque[:] = self._law.feedforward
            within_effort(self.system.tables.model, torque)
        else:
            command(arena, self._law, 0.0, self._x, self._v, torque)
        status = lane_accelerations(self._x, self._v, torque, arena, EVERY_STAGE)
        gaps = max(*lane_gaps(arena, self._v), *self._workspace.lanes.loop_gaps)
        return status == SOLVED and gaps <= CLOSURE_TOLERANCE

    @property
    def _is_steady(self) -> bool:
        """Whether the torques never change, so that no law has to be asked."""
        return not (self._torque_of or self._forces_of) and bool(is_constant(self._law))

    def _addresses(self, room: runge_kutta.StepWorkspace) -> runge_kutta.Addresses:
        """Of the kernels that this run needs: no other is compiled."""
        arena, x, v, tau, two = self._workspace.arena, self._x, self._v, room.tau, room.changes
        limited = np.isfinite(self.system.tables.model[:, [LOWER, UPPER]]).any()
        solve = address_of(lane_accelerations, x, v, tau, arena, MOVED)
        return runge_kutta.Addresses(
            solve,
            0 if self._is_steady else address_of(command, arena, self._law, 0.0, x, v, tau),
            address_of(lane_close_gaps, arena, two) if self.system.is_held else 0,
            address_of(meet_stops, solve, arena, 0.0, 0.0, x, v, tau, two, two) if limited else 0,
        )

    @property
    def _asked(self) -> Callbacks:
        return Callbacks(self.system, self._workspace, self._law, self._torque_of, self._forces_of)

    @property
    @in_turn
    def state(self) -> State:
        """The state at ``time``."""
        return self.system.unpack(self._x, self._v)

    @property
    @in_turn
    def recording(self) -> Recording:
        """The run so far."""
        if not self._segments:
            self.advance(0.0)
        if not any(self._segments):
            raise StateError(f"not even one step can be made from this start: {self.stopped}.")
        kept = tuple(joined(parts) for parts in self._segments if parts)
        return Recording(kept, tuple(self._events), self.stopped, tuple(self._limits_met))

    @in_turn
    def advance(self, duration: float) -> None:
        """Continues for some time; events on the way happen, and stiff losses are taken implicitly.

        A run that cannot go on (a singular posture, diverging speeds) stops there, keeps its samples, all of
        which are closed and solvable, and says why in ``stopped``. It is then at its last sample.
        Intervals below a millionth of a step are saved up until they add up to one.

        Args:
            duration: s from now; zero records the present moment.

        Raises:
            StateError: for a duration that is negative, not finite, or longer than ten million steps; for a start that
                cannot make its first step; for a function that raises or returns an invalid value, with its time.
            ModelError: from an event on the way, as ``apply``.

        Cost: with ``rk4`` 2 us a step for seven joints.
        """
        end = self.time + self._owed + span_of(duration, self._dt)
        while self.stopped is None:
            due = self._pending[0].time if self._pending else np.inf
            self._run_to(min(end, due))
            if self.stopped is not None or due > end:
                break
            self.apply(self._pending.pop(0))

    @in_turn
    def apply(self, event: Event) -> None:
        """Applies an event now, whatever its own time; if it fails, nothing has changed.

        Which losses are stiff for the step is determined again for the resulting system.

        Args:
            event: ``Grasp``, ``Release``, or any object with their ``apply``. Its errors are passed on, such as
                ``SingularConfigurationError`` for a chain that cannot be closed.

        Raises:
            StateError: if it is not an event.
            ModelError: from the event, for an invalid contact.

        Cost: building a system, and for a grasp one projection.
        """
        if not hasattr(event, "apply"):
            raise StateError(f"{brief(event)} is no event; expected Grasp, Release or the like.")
        system, state, word = event.apply(self.system, self.state)
        self.system = system
        self._x, self._v = system.pack(state)
        self._workspace = Workspace(system)
        self._workspace.wrench = self._wrench
        self._events.append((self.time, word))
        self._segments.append([])
        self._run_to(self.time)

    @in_turn
    def push(self, external_forces: Forces | ForceFunction) -> None:
        """Other external forces from now on; stiff losses are treated as before.

        Args:
            external_forces: ``{link name or "object": [moment; force]}`` in N m and N, inertial axes, or None. Or a
                function, as for ``simulate``.

        Raises:
            StateError: for a name that no link has, or numbers that are not finite.
            ModelError: if the system's losses cannot be judged without its contacts.

        Cost: one sample.
        """
        self._set_forces(external_forces)
        self._segments.append([])
        self._run_to(self.time)

    def _run_to(self, end: float) -> None:
        span = (end - self.time) / self._dt
        steps = round(span) or int(span > SHORTEST)  # less than half a step is one short step, not none
        self._owed = 0.0 if steps else max(self._owed, end - self.time)
        end = end if steps else self.time
        self._segments = self._segments or [[]]
        fresh = not self._segments[-1]
        start = self.time, self._x.copy(), self._v.copy()
        if self._method in TABLEAUS:
            status, samples = self._run_fixed(end, steps, fresh)
        else:
            status, samples = self._run_adaptively(end, steps, fresh)
        self._note_stops()
        if status != SOLVED:  # the run goes back to its last recorded sample
            if samples is not None:
                start = float(samples.times[-1]), samples.x[-1].copy(), samples.v[-1].copy()
            self.time = start[0]
            _, self._x, self._v = start
            if status == REFUSED and self._failure is not None:
                raise self._failure
            why = self._why(status)
            if not any(self._segments):
                raise StateError(f"this run cannot make its first step: {why}.")
            self.stopped = f"stopped at {self.time:.3f} s: {why}"
            self._events.append((self.time, self.stopped))

    def _run_fixed(self, end: float, steps: int, fresh: bool) -> tuple[int, Segment | None]:
        # The last step is shortened or stretched to end exactly at ``end`` if that is not a multiple of dt.
        samples = self._samples(steps + 1)
        dt = (end - self.time) / steps if steps else self._dt
        tableau, asked = TABLEAUS[self._method], self._asked
        losses = stiff_losses(self.system, dt, self._dt, len(tableau.b))
        room = runge_kutta.make_room(len(tableau.b), len(self._x), len(self._v), self.system.n_joints)
        kept, address = asked.address(room.moved, room.sums[1, : len(self._v)])
        status, done, count = runge_kutta.integrate(
            self._addresses(room), self._workspace.arena, self._law, address, tableau, losses, self.time, dt, steps,
            self._record_every, not fresh, self._x, self._v, room, samples,
        )  # fmt: skip
        del kept
        self._failure = asked.failure
        self.time = end if done == steps else self.time + done * dt
        return int(status), self._keep(samples, count)

    def _run_adaptively(self, end: float, steps: int, fresh: bool) -> tuple[int, Segment | None]:
        times = np.linspace(self.time, end, steps + 1)[:: self._record_every]
        if times[-1] < end:
            times = np.append(times, end)
        times = times if fresh else times[1:]
        if not len(times):
            return SOLVED, None
        samples, asked = self._samples(len(times)), self._asked
        status, count = adaptive.integrate_adaptively(
            self._workspace, self._law, asked, self._method, self.time, times, self._dt, self._x, self._v, samples,
            self._most_steps,
        )  # fmt: skip
        self._failure = asked.failure
        self.time = end if status == SOLVED else self.time
        return status, self._keep(samples, count)

    def _samples(self, count: int) -> Samples:
        pushed = self.system.n_links + 1 if self._forces_of else 0
        return runge_kutta.make_samples(count, len(self._x), len(self._v), self.system.n_joints, pushed)

    def _keep(self, samples: Samples, count: int) -> Segment | None:
        def written(room: Array) -> Array:
            return frozen(room if count == len(room) else room[:count].copy())

        segment = None
        if count:
            arrays = {name: written(getattr(samples, name)) for name in SAMPLED}
            wrench = written(samples.wrench) if self._forces_of else self._wrench
            every_step = self._method in TABLEAUS and self._record_every == 1
            segment = Segment(self.system, **arrays, wrench=wrench, every_step=every_step)
            self._segments[-1].append(segment)
        self._at_stop = np.minimum(samples.stops, self._at_stop)
        return segment

    def _note_stops(self) -> None:
        found = [(float(self._at_stop[i, k]), k, i) for i, k in np.argwhere(np.isfinite(self._at_stop)).tolist()]
        for time, k, i in sorted(found):
            met = LimitEvent(time, self.system.joint_names[k], ("lower", "upper")[i])
            if all((met.joint, met.limit) != (each.joint, each.limit) for each in self._limits_met):
                self._limits_met.append(met)
                self._events.append((time, met.words))
        self._at_stop[:] = np.inf

    def _why(self, status: int) -> str:
        if status in (UNSOLVABLE_CONTACTS, NOT_CLOSED):
            lane_motion_state(self._workspace.arena, self._x, self._v)
            gap, rate = lane_gaps(self._workspace.arena, self._v)
            if status == NOT_CLOSED:
                left = f"gap {gap:.2g} rad or of the machine's length, {rate:.2g} of its speed"
                return f"the next step leads off the closure for good ({left}); take shorter ones"
            return f"the arms reached a posture in which no contact force keeps the chain closed (gap {gap:.2g})"
        if status == UNSOLVABLE_COUPLINGS:
            return "no force maintains a coupling: a loop, or a joint that follows another"
        if status == adaptive.TOO_MANY_STEPS:
            return (
                f"{self._method} would take more than {self._most_steps} steps to go on; the motion is too stiff for it"
            )
        if status >= 0:
            return f"joint {self.system.joint_names[status]} moves no inertia"
        fastest = int(np.argmax(np.abs(self._v[: self.system.n_joints]))) if self.system.n_joints else 0
        name = self.system.joint_names[fastest] if self.system.n_joints else "the base"
        return f"speeds grew beyond all bounds, fastest at {name}; lower gains or torques"


def step_of(dt: object) -> float:
    """A step in seconds; ``StateError`` if it is not one."""
    step = number(dt, "dt", A_STEP)
    if step <= 0.0:
        raise StateError(f"dt is {brief(dt)}; expected {A_STEP}.")
    return step


def span_of(duration: object, step: float) -> float:
    """A duration in seconds; ``StateError`` if it is not a time, or is more than ten million steps."""
    expected = f"0 to {MOST_STEPS * step:g} s at dt = {step:g}"
    span = number(duration, "duration", expected)
    if not 0.0 <= span <= MOST_STEPS * step:
        raise StateError(f"duration is {brief(duration)}; expected {expected}.")
    return span


def in_order(events: object) -> list[Any]:
    """Events ordered by time; ``StateError`` for anything that is not an event, or comes before the run."""
    found = listed(events, "events", SOME_EVENTS)
    if not all(hasattr(event, "apply") for event in found):
        raise StateError(f"events is {brief(events)}; expected {SOME_EVENTS}.")
    for event in found:
        if number(getattr(event, "time", None), "the time of an event", A_MOMENT) < 0.0:
            raise StateError(f"the time of an event is {brief(event.time)}; expected {A_MOMENT}.")
    return sorted(found, key=lambda event: float(event.time))


@public_as_computed
def simulate(
    system: System,
    state: State,
    controller: Controller | TorqueFunction | None = None,
    duration: float = 1.0,
    dt: float = 1e-3,
    method: str = "rk4",
    record_every: int = 1,
    events: Sequence[Event] = (),
    tau: JointValues | None = None,
    external_forces: Forces | ForceFunction = None,
    order: Order = "tip",
) -> Recording:
    """Runs a system for some seconds: a ``Simulation`` from start to end, with its treatment of stiff losses.

    Args:
        system: what moves.
        state: the initial state, closed to 1e-6 if an object is held.
        controller: default none: the constant torques ``tau``. ``JointPD`` and the like are compiled; a function
            ``lambda t, state: tau`` returns torques as ``tau`` takes them.
        duration: s.
        dt: s, the step, or for adaptive methods the sample interval.
        method: ``rk4``, ``heun``, ``euler``, or one of scipy's adaptive methods.
        record_every: record every n-th step, and the last.
        events: ``Release`` and ``Grasp`` at their times.
        tau: (joints,) N m or N, tip to base, or ``{joint name: value}``, in place of a controller.
        external_forces: ``{link name or "object": [moment; force]}`` in N m and N, inertial axes, constant over
            the run; or a function ``lambda t, state: {...}`` that returns them.
        order: ``base`` if the array tau runs from base to tip; or the joints' names. Not with a controller, whose
            arrays run from tip to base as ``state.q`` does, or go by joint name.

    Returns:
        The recording; ``stopped`` says why it ended early, if it did, and ``doubtful_from`` from when on its energy
        is unexplained.

    Raises:
        StateError: for arguments that do not fit the system, a state off the closure, one that cannot make its first
            step, or a function that raises or returns an invalid value: then with its time.
        ModelError: for a joint that moves no inertia, or an invalid event.
        SingularConfigurationError: if no contact force closes the chain at the start.

    Example:
        >>> system = dyn.single_arm(dyn.load("panda"))
        >>> dyn.simulate(system, system.home(), duration=0.05)
        Recording(51 samples to 0.05 s, 7 joints, 0 events)

    Cost: with ``rk4`` four solutions of forward dynamics a step, 2 ms a simulated second of seven joints at 1 ms. A
    function is called as often, in Python: some 50 times as long for one arm, 30 times for two and an object.
    """
    run = Simulation(system, state, controller, tau, dt, method, record_every, events, external_forces, order=order)
    run.advance(duration)
    return run.recording
