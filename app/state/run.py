"""One motion: computed a piece at a time in a worker thread, read by the page as far as it has come."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import dynamics as dyn
from app.state.curves import SAMPLES, Curves, sampled

TIME_STEP = 1e-3
PIECE = 0.25
"""Seconds of motion computed at a time: short enough that a stale run stops soon."""


@dataclass(frozen=True)
class Segment:
    """A recording that starts at ``start`` seconds of the run; a grasp or a release begins the next one."""

    start: float
    recording: dyn.Recording


@dataclass(frozen=True)
class Piece:
    """What one call of ``Run.compute`` found."""

    recording: dyn.Recording
    curves: Curves
    end: float
    failure: str = ""


class Run:
    """A motion from its start to ``end``, the instant up to which it is known so far.

    Only ``compute`` runs in a thread, and it changes nothing that the page reads: it returns a piece, which the
    page's own thread hands to ``accept``.
    """

    def __init__(
        self,
        system: dyn.System,
        state: dyn.State,
        controller: object | None,
        duration: float,
        *,
        start: float = 0.0,
        past: tuple[Segment, ...] = (),
        curves: Curves | None = None,
    ) -> None:
        self.duration = duration
        self.start = start
        self.end = start
        self.failure = ""
        self.curves = Curves() if curves is None else curves
        self._past = past
        self._current: Segment | None = None
        self._opening = dyn.forward_dynamics(system, state, np.zeros(system.n_joints))
        self._simulation = dyn.Simulation(system, state, controller=controller, dt=TIME_STEP)

    @property
    def complete(self) -> bool:
        return bool(self.failure) or self.end >= self.duration - TIME_STEP / 2

    @property
    def segments(self) -> tuple[Segment, ...]:
        return self._past if self._current is None else (*self._past, self._current)

    def compute(self) -> Piece:
        """Computes the next piece. Called from a worker thread, never twice at once."""
        seconds = min(PIECE, self.duration - self.end)
        failure = ""
        try:
            self._simulation.advance(seconds)
        except (dyn.ModelError, dyn.StateError, dyn.SingularConfigurationError) as error:
            failure = str(error)
        recording = self._simulation.recording
        end = self.start + float(recording.times[-1])
        return Piece(recording, self._sample(recording, end), end, failure)

    def _sample(self, recording: dyn.Recording, end: float) -> Curves:
        """Curves at the timeline's own instants that fell into the newest piece."""
        interval = self.duration / SAMPLES
        last = int(np.floor(end / interval + 1e-9))
        times = [k * interval for k in range(len(self.curves), last + 1)]
        return sampled(times, [recording.solution_at(time - self.start) for time in times])

    def accept(self, piece: Piece) -> None:
        """Makes a computed piece part of the run."""
        self._current = Segment(self.start, piece.recording)
        self.curves = self.curves.followed_by(piece.curves)
        self.end = piece.end
        self.failure = piece.failure

    def solution_at(self, time: float) -> dyn.Solution:
        """The complete solution at ``time``, or at the last instant known so far."""
        time = min(time, self.end)
        for segment in reversed(self.segments):
            if time >= segment.start:
                return segment.recording.solution_at(time - segment.start)
        return self._opening

    def system_at(self, time: float) -> dyn.System:
        """The system at ``time``: with the object held, or without."""
        for segment in reversed(self.segments):
            if time >= segment.start:
                return segment.recording.system_at(time - segment.start)
        return self._opening.system

    def branch(self, time: float, system: dyn.System, state: dyn.State, controller: object | None) -> Run:
        """A run with the same past and another future from ``time`` on."""
        past = tuple(segment for segment in self.segments if segment.start < time)
        curves = self.curves.until(time)
        return Run(system, state, controller, self.duration, start=time, past=past, curves=curves)
