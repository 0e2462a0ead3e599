"""The motion that a broken algorithm predicts: its accelerations, integrated as if they were right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dynamics.altered.alteration import AS_PUBLISHED, Alteration
from dynamics.altered.altered_forward_dynamics import altered_forward_dynamics, altered_stages
from dynamics.errors import StateError
from dynamics.methods.forward_dynamics import Forces, external_wrench
from dynamics.motion.control_law import command
from dynamics.motion.controllers import ConstantTorque, Controller
from dynamics.motion.recording import Recording, Segment
from dynamics.motion.runge_kutta import configuration_rate
from dynamics.posture.closure import step_configuration
from dynamics.recursion.filter_smoother import motion_state
from dynamics.system.solution import Solution
from dynamics.system.state import State
from dynamics.system.system import System
from dynamics.system.tables import make_work

Array = NDArray[np.float64]
MOST_SPEED = 300.0
"""rad/s or m/s: no arm is faster, and an integration that gets there explodes."""


@dataclass(frozen=True, eq=False)
class AlteredRecording(Recording):
    """A recording whose solutions are those of the altered algorithm; what it lets drift apart stays apart."""

    alteration: Alteration = AS_PUBLISHED

    def state_at(self, t: float) -> State:
        """The state at time t, between samples on a cubic."""
        segment, x, v, _ = self.packed_at(t)
        return segment.system.unpack(x, v)

    def solution_at(self, t: float, method: str = "") -> Solution:
        """What the altered algorithm computes at time t."""
        segment, x, v, tau = self.packed_at(t)
        return altered_forward_dynamics(
            segment.system, segment.system.unpack(x, v), tau, self.alteration, segment.wrench
        )


class AlteredSimulation:
    """RK4 of an altered algorithm, in Python: as ``Simulation``, but it closes no gap and knows no joint limits.

    It stops, and says so in ``stopped``, when the broken algorithm makes a machine faster than any is, or its
    numbers are no longer finite.

    Cost: some 2 ms a step for seven joints.
    """

    def __init__(
        self,
        system: System,
        state: State,
        alteration: Alteration,
        controller: Controller | None = None,
        dt: float = 5e-3,
        external_forces: Forces = None,
    ) -> None:
        """A run at its start.

        Args:
            system: what moves.
            state: where it starts.
            alteration: what is broken.
            controller: default none: no torque.
            dt: s.
            external_forces: as for ``forward_dynamics``, inertial axes, constant over the run.

        Raises:
            StateError: for a step that is not positive.

        Cost: one altered solution.
        """
        if not 0.0 < dt < np.inf:
            raise StateError(f"dt is {dt}; expected a step in seconds, longer than zero.")
        self.time, self.stopped = 0.0, ""
        self.system, self.alteration, self._dt = system, alteration, float(dt)
        self._law = (controller or ConstantTorque()).law(system, state)
        self._x, self._v = system.pack(state)
        self._work = make_work(system.tables)
        self._work.wrench[:] = external_wrench(system, external_forces)
        self._samples: list[tuple[float, Array, Array, Array, Array]] = []
        self._keep(self._rate(self.time, self._x, self._v))

    @property
    def recording(self) -> AlteredRecording:
        """The motion so far."""
        count = len(self._samples)
        times, x, v, acceleration, tau = zip(*self._samples, strict=True)
        segment = Segment(
            self.system,
            times=np.array(times),
            x=np.array(x),
            v=np.array(v),
            acceleration=np.array(acceleration),
            tau=np.array(tau).reshape(count, self.system.n_joints),
            drift=np.zeros((count, 2)),
            wrench=self._work.wrench.copy(),
        )
        events = ((self.time, self.stopped),) if self.stopped else ()
        return AlteredRecording((segment,), events, self.stopped or None, self.alteration)

    def advance(self, duration: float) -> None:
        """Goes on for some seconds, the last step shortened to end there.

        Args:
            duration: s.

        Cost: four altered solutions a step.
        """
        end = self.time + duration
        while not self.stopped and self.time < end - 1e-9:
            self._step(min(self._dt, end - self.time))

    def _rate(self, t: float, x: Array, v: Array) -> tuple[Array, Array]:
        """Accelerations and torques of a moment."""
        system, work, tau = self.system, self._work, np.zeros(self.system.n_joints)
        motion_state(system.tables, x, v, work)
        command(system.tables, self._law, t, x, v, work, tau)
        stages, _, _, thing = altered_stages(system, system.unpack(x, v), tau, work, self.alteration)
        motion = stages["smoother_final" if system.is_held else "smoother"]
        parts = [motion["joint_acceleration"], motion["acceleration"][system.n_joints :].ravel()]
        return np.concatenate(parts if thing is None else [*parts, thing]), tau

    def _keep(self, rate: tuple[Array, Array]) -> None:
        self._samples.append((self.time, self._x.copy(), self._v.copy(), *rate))

    def _step(self, h: float) -> None:
        n, t, v = self.system.n_joints, self.time, self._v
        a1 = self._samples[-1][3]
        rates, accelerations = [v], [a1]
        for share in (0.5, 0.5, 1.0):
            speed, change = v + share * h * accelerations[-1], share * h * rates[-1]
            if not self._is_sane(speed):
                return
            rate, moved = np.empty_like(v), np.empty_like(self._x)
            step_configuration(n, self._x, change, moved)
            configuration_rate(n, change, speed, rate)
            rates.append(rate)
            accelerations.append(self._rate(t + share * h, moved, speed)[0])
        weights = np.array([1.0, 2.0, 2.0, 1.0]) * h / 6.0
        speed, moved = v + weights @ np.array(accelerations), np.empty_like(self._x)
        if not self._is_sane(speed):
            return
        step_configuration(n, self._x, weights @ np.array(rates), moved)
        rate_there = self._rate(t + h, moved, speed)
        if not self._is_sane(rate_there[0], np.inf):
            return
        self._x, self._v, self.time = moved, speed, t + h
        self._keep(rate_there)

    def _is_sane(self, values: Array, most: float = MOST_SPEED) -> bool:
        """Whether the motion can go on; otherwise why not, in ``stopped``."""
        if not np.all(np.isfinite(values)):
            self.stopped = f"stopped at {self.time:.2f} s: the altered algorithm divides by zero"
        elif np.abs(values).max(initial=0.0) > most:
            k = int(np.argmax(np.abs(values)))
            what = self.system.joint_names[k] if k < self.system.n_joints else "what floats"
            self.stopped = f"stopped at {self.time:.2f} s: the altered algorithm makes {what} faster than any machine"
        return not self.stopped
