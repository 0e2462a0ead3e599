"""One motion: computed a piece at a time in a worker thread, read by the page as far as it has come."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import dynamics as dyn

TIME_STEP = 1e-3
PIECE = 0.25
"""Seconds of motion computed at a time: short enough that a stale run stops soon."""


@dataclass(frozen=True)
class Segment:
    """A recording that starts at ``start`` seconds of the run, with ``word`` for what happened there."""

    start: float
    recording: dyn.Recording
    word: str = ""


@dataclass(frozen=True)
class Piece:
    """What one call of ``Run.compute`` found."""

    recording: dyn.Recording
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
        controller: dyn.Controller | None,
        duration: float,
        *,
        start: float = 0.0,
        past: tuple[Segment, ...] = (),
        word: str = "",
    ) -> None:
        self.duration = duration
        self.start = start
        self.end = start
        self.failure = ""
        self._past = past
        self._simulation = dyn.Simulation(system, state, controller=controller, dt=TIME_STEP)
        self._current = Segment(start, self._simulation.recording, word)

    @property
    def complete(self) -> bool:
        return bool(self.failure) or self.end >= self.duration - TIME_STEP / 2

    @property
    def segments(self) -> tuple[Segment, ...]:
        return (*self._past, self._current)

    def compute(self) -> Piece:
        """Computes the next piece. Called from a worker thread, never twice at once."""
        self._simulation.advance(min(PIECE, self.duration - self.end))
        recording = self._simulation.recording
        end = self.start + recording.duration
        return Piece(recording, end, recording.stopped or "")

    def accept(self, piece: Piece) -> None:
        """Makes a computed piece part of the run."""
        self._current = Segment(self.start, piece.recording, self._current.word)
        self.end = piece.end
        self.failure = piece.failure

    def segment_at(self, time: float) -> Segment:
        """The segment that governs ``time``."""
        return next((segment for segment in reversed(self.segments) if time >= segment.start), self.segments[0])

    def solution_at(self, time: float) -> dyn.Solution:
        """The complete solution at ``time``, or at the last instant known so far."""
        segment = self.segment_at(time)
        return segment.recording.solution_at(min(time, self.end) - segment.start)

    def system_at(self, time: float) -> dyn.System:
        """The system at ``time``: with the object held, or without."""
        segment = self.segment_at(time)
        return segment.recording.system_at(min(time, self.end) - segment.start)

    @property
    def events(self) -> list[tuple[float, str]]:
        """(time, what happened), in order: grasps, releases, joints that met a limit."""
        found = []
        for segment, until in zip(self.segments, [*(s.start for s in self.segments[1:]), np.inf], strict=True):
            found += [(segment.start, segment.word)] if segment.word else []
            found += [(segment.start + t, word) for t, word in segment.recording.events if segment.start + t <= until]
        return found

    def branch(
        self, time: float, system: dyn.System, state: dyn.State, controller: dyn.Controller | None, word: str
    ) -> Run:
        """A run with the same past and another future from ``time`` on, where ``word`` happened."""
        past = tuple(
            Segment(segment.start, segment.recording.until(time - segment.start), segment.word)
            for segment in self.segments
            if segment.start < time
        )
        return Run(system, state, controller, self.duration, start=time, past=past, word=word)


def on_step(time: float) -> float:
    """The step of the integration that is nearest: there a state is known, and needs no interpolation."""
    return round(time / TIME_STEP) * TIME_STEP
