"""A leg: a stretch of a run without interventions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.motion.world import RUNGE_KUTTA, Numerics
from dynamics.motion import LimitEvent

Array = NDArray[np.float64]

MOST_STEPS = 20_000  # Most steps of an adaptive method in one stretch of a run: some seconds of work


class IncrementalMotion(Protocol):
    """A motion that is computed as far as it is requested."""

    @property
    def recording(self) -> dyn.Recording: ...

    def advance(self, duration: float) -> None: ...


@dataclass(frozen=True, eq=False)
class Ground:
    """The level floor under a machine, and how far below its mass centre the machine's object reaches."""

    height: float  # m, along z
    points: Array  # (m, 3) of the object's surface in its own axes, m

    def clearance(self, x: Array) -> Array:
        """(samples,) m from the ground up to the object, whose place and quaternion are ``x``, (samples, 7)."""
        z, w, a, b, c = x[:, 2:].T
        upward = np.stack([2.0 * (a * c - w * b), 2.0 * (b * c + w * a), 1.0 - 2.0 * (a * a + b * b)], axis=1)
        return np.asarray(z - self.height + (upward @ self.points.T).min(axis=1))


@dataclass(frozen=True, eq=False)
class Leg:
    """A stretch of a run without interventions: where it begins, and what acts from then on."""

    start: float  # s of the run
    system: dyn.System
    state: dyn.State
    law: dyn.ControlLaw  # of the joints; its time begins with the leg
    wrench: Array | None = None  # (links + 1, 6) pushes, external forces as ``forward_dynamics`` takes them, or None
    word: str = ""  # what happened at its start
    numerics: Numerics = RUNGE_KUTTA  # integrator settings
    ground: Ground | None = None  # what a released object lands on, or None
    lies: bool = False  # whether the object lies there
    # the contacts by which the object was last held, if they have changed since the run began; else None
    held: dyn.System | None = None

    @property
    def forces(self) -> Array | None:
        """All external forces, as ``wrench``: if the object lies, the ground balances all other forces on it."""
        payload = self.system.task_object
        if not self.lies or payload is None:
            return self.wrench
        found = np.zeros((self.system.n_links + 1, 6)) if self.wrench is None else self.wrench.copy()
        found[-1, :3], found[-1, 3:] = 0.0, -payload.mass * np.asarray(self.system.gravity, float)
        return found

    def simulation(self) -> IncrementalMotion:
        """The leg as a run that can be advanced, its time beginning at zero."""
        law, by = GivenLaw(self.law), self.numerics
        return dyn.Simulation(
            self.system, self.state, law, dt=by.sampling, method=by.method, record_every=by.record_every,
            external_forces=self.forces, most_steps=MOST_STEPS,
        )  # fmt: skip


@dataclass(frozen=True)
class GivenLaw:
    """A controller with a given control law."""

    given: dyn.ControlLaw

    def law(self, system: dyn.System, state: dyn.State) -> dyn.ControlLaw:
        return self.given


LANDS = "the object lands"


def touch(leg: Leg, recording: dyn.Recording, since: float) -> float | None:
    """The last recorded instant, s of the leg, before the object meets the ground after ``since``; else None."""
    system = leg.system
    is_free = not leg.lies and not system.is_held and system.task_object is not None
    if leg.ground is None or not is_free or system.gravity[2] > 0.0:  # what gravity lifts does not stay there
        return None
    first = int(np.searchsorted(recording.t, since - 1e-9))
    inside = np.flatnonzero(leg.ground.clearance(recording.x[first:, -7:]) <= 0.0)
    return float(recording.t[first + max(int(inside[0]) - 1, 0)]) if len(inside) else None


def landed(leg: Leg) -> Leg:
    """The leg, entered in the last instant before the object lands, with the object at rest on the ground.

    The object is moved down the remaining distance, less than a step's. The landing dissipates its energy.
    """
    system, state = leg.system, leg.state
    payload, pose, velocity = system.task_object, state.object_pose, state.object_velocity
    assert leg.ground is not None
    assert payload is not None
    assert pose is not None
    assert velocity is not None
    gap = max(float(leg.ground.clearance(system.pack(state)[0][None, -7:])[0]), 0.0)
    turn, speed = pose[:3, :3].T @ velocity[:3], float(np.linalg.norm(velocity[3:]))
    energy = 0.5 * float(turn @ payload.inertia @ turn) + 0.5 * payload.mass * speed**2
    energy -= payload.mass * float(system.gravity[2]) * gap
    down = pose.copy()
    down[2, 3] -= gap
    word = f"{LANDS}: the ground takes {energy:.3g} J and {payload.mass * speed:.3g} N s"
    rest = replace(state, object_pose=down, object_velocity=np.zeros(6))
    return replace(leg, state=rest, lies=True, word=", ".join(filter(None, (leg.word, word))))


@dataclass(frozen=True, eq=False)
class RecordedLeg:
    """A leg of the run and its recording."""

    leg: Leg
    recording: dyn.Recording

    @property
    def start(self) -> float:
        return self.leg.start

    def own(self, time: float) -> float:
        """``time`` s of the run in the recording's own time, clipped to its ends."""
        return min(max(time - self.start, 0.0), self.recording.duration)

    @property
    def stopped(self) -> str:
        """Why it ended early, at its time in the run; empty if it did not."""
        _, _, why = (self.recording.stopped or "").partition(": ")
        return f"stopped at {self.start + self.recording.duration:.3f} s: {why}" if why else ""

    @property
    def events(self) -> list[tuple[float, str]]:
        """(s of the run, what happened) in it, in order, without the event with which it began."""
        words = {self.recording.stopped: self.stopped}
        return [(self.start + t, words.get(word, word)) for t, word in self.recording.events]

    @property
    def limits_met(self) -> list[LimitEvent]:
        """The joint limits met in it, at times of the run."""
        return [replace(met, time=self.start + met.time) for met in self.recording.limits_met]

    def until(self, time: float) -> RecordedLeg:
        local = time - self.start
        if self.recording.duration <= local + 1e-9:
            return self
        return RecordedLeg(self.leg, self.recording.until(local))


def first_doubt(legs: Sequence[RecordedLeg]) -> float:
    """Earliest time, s, from which a leg's energy is not explained by the work done; infinite if there is none."""
    doubts = ((each.start, each.recording.doubtful_from) for each in legs)
    return min((start + doubt for start, doubt in doubts if doubt is not None), default=np.inf)


def entered(recorded: RecordedLeg, time: float) -> Leg:
    """The leg, entered at ``time`` s of the run, before any intervention at that time."""
    state = recorded.recording.state_at(min(time - recorded.start, recorded.recording.duration))
    timing = recorded.leg.law.timing.copy()
    timing[0] -= time - recorded.start  # the law's clock begins with the leg
    return replace(recorded.leg, start=time, state=state, law=recorded.leg.law._replace(timing=timing), word="")


def leg_at(legs: Sequence[RecordedLeg], time: float) -> RecordedLeg:
    return next((recorded for recorded in reversed(legs) if time >= recorded.start), legs[0])
