"""One motion: computed a piece at a time in a worker thread, read by the page as far as it has come."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.state.drive import Drive
from app.state.happenings import Happening, Leg

Array = NDArray[np.float64]
TIME_STEP = 1e-3
ERRORS = (dyn.ModelError, dyn.StateError, dyn.SingularConfigurationError)
PIECE = 0.25
"""Seconds of motion computed at a time: short enough that a stale run stops soon."""


@dataclass(frozen=True, eq=False)
class Segment:
    """A leg of the run and what came of it."""

    leg: Leg
    recording: dyn.Recording

    @property
    def start(self) -> float:
        return self.leg.start

    def until(self, time: float) -> Segment:
        """As far as ``time`` s of the run."""
        local = time - self.start
        if self.recording.duration <= local + 1e-9:
            return self
        return Segment(self.leg, self.recording.until(local))


@dataclass(frozen=True)
class Piece:
    """What one call of ``Run.compute`` found: every segment so far."""

    segments: tuple[Segment, ...]
    end: float
    failure: str = ""


class Run:
    """A motion from its start to ``end``, the instant up to which it is known so far.

    Only ``compute`` runs in a thread, and it changes nothing that the page reads: it returns a piece, which the
    page's own thread hands to ``accept``.

    Args:
        leg: how it begins, or goes on after ``past``.
        drive: makes the law of every leg that follows.
        happenings: what will happen, in the order of time; one that cannot is left out, and said so.
        past: segments that ended before ``leg`` begins.
    """

    def __init__(
        self,
        leg: Leg,
        drive: Drive,
        duration: float,
        happenings: Sequence[Happening] = (),
        *,
        past: tuple[Segment, ...] = (),
    ) -> None:
        self.duration = duration
        self.drive = drive
        self.end = leg.start
        self.failure = ""
        self._due = deque(happenings)
        self._first = leg
        self._simulation = leg.simulation(TIME_STEP)
        self.segments = (*past, Segment(leg, self._simulation.recording))

    @property
    def complete(self) -> bool:
        return bool(self.failure) or self.end >= self.duration - TIME_STEP / 2

    def compute(self) -> Piece:
        """Computes the next piece. Called from a worker thread, never twice at once."""
        *before, segment = self.segments
        now = [self._due.popleft() for _ in range(len(self._due)) if self._due[0].time <= self.end + TIME_STEP / 2]
        if now:
            leg = begun(self._at_end(segment), now, self.drive, lenient=True)
            self._simulation = leg.simulation(TIME_STEP)
            before = before if leg.start <= segment.start else [*before, segment]
            segment = Segment(leg, self._simulation.recording)
        goal = min(self.end + PIECE, self.duration, self._due[0].time if self._due else np.inf)
        self._simulation.advance(on_step(goal - self.end))
        recording = self._simulation.recording
        segments = (*before, Segment(segment.leg, recording))
        end = segment.start + recording.duration
        return Piece(segments, end, recording.stopped or "")

    def _at_end(self, segment: Segment) -> Leg:
        """The leg that the next happening meets."""
        return segment.leg if self.end <= segment.start else entered(segment, self.end)

    def accept(self, piece: Piece) -> None:
        """Makes a computed piece part of the run."""
        self.segments = piece.segments
        self.end = piece.end
        self.failure = piece.failure

    def solution_at(self, time: float) -> dyn.Solution:
        """The complete solution at ``time``, or at the last instant known so far."""
        return solution_in(self.segments, min(time, self.end))

    def wrench_at(self, time: float) -> Array | None:
        """External forces that act at ``time``, (links + 1, 6), None where nothing pushes."""
        return segment_at(self.segments, min(time, self.end)).leg.wrench

    def system_at(self, time: float) -> dyn.System:
        """The system at ``time``: with the object held, or without."""
        return segment_at(self.segments, min(time, self.end)).leg.system

    @property
    def events(self) -> list[tuple[float, str]]:
        """(time, what happened), in order: grasps, releases, joints that met a limit."""
        found = []
        for segment, until in zip(self.segments, [*(s.start for s in self.segments[1:]), np.inf], strict=True):
            found += [(segment.start, segment.leg.word)] if segment.leg.word else []
            found += [(segment.start + t, word) for t, word in segment.recording.events if segment.start + t <= until]
        return found

    def branch(self, time: float, happenings: Sequence[Happening]) -> Run:
        """A run with the same past and another future.

        Args:
            time: s from which on the future is another.
            happenings: all of the new run, in order; what had happened at ``time`` itself is undone.

        Raises:
            ModelError, SingularConfigurationError: if what happens at ``time`` itself cannot happen.
        """
        time = on_step(min(time, self.end))
        past = tuple(segment.until(time) for segment in self.segments if segment.start < time)
        due = [happening for happening in happenings if happening.time > time - TIME_STEP / 2]
        now = [happening for happening in due if happening.time <= time + TIME_STEP / 2]
        leg = begun(entered(past[-1], time) if past else self._first, now, self.drive)
        run = Run(leg, self.drive, self.duration, due[len(now) :], past=past)
        run._first = self._first
        return run


def entered(segment: Segment, time: float) -> Leg:
    """The segment's leg, entered at ``time`` s of the run, where nothing has happened yet."""
    state = segment.recording.state_at(min(time - segment.start, segment.recording.duration))
    return replace(segment.leg.later(time, segment.leg.system, state), word="")


def begun(leg: Leg, happenings: Sequence[Happening], drive: Drive, lenient: bool = False) -> Leg:
    """The leg after all that happens at its beginning; what cannot happen raises, or is told if ``lenient``."""
    words = [leg.word]
    for happening in happenings:
        try:
            leg = happening.begin(leg, drive)
        except ERRORS as error:
            if not lenient:
                raise
            leg = replace(leg, word=f"could not happen: {error}")
        words.append(leg.word)
    return replace(leg, word=", ".join(dict.fromkeys(word for word in words if word)))


def segment_at(segments: Sequence[Segment], time: float) -> Segment:
    """The segment that governs ``time``."""
    return next((segment for segment in reversed(segments) if time >= segment.start), segments[0])


def solution_in(segments: Sequence[Segment], time: float) -> dyn.Solution:
    """The complete solution at an instant that the segments cover."""
    segment = segment_at(segments, time)
    return segment.recording.solution_at(min(max(time - segment.start, 0.0), segment.recording.duration))


def on_step(time: float) -> float:
    """The step of the integration that is nearest: there a state is known, and needs no interpolation."""
    return round(time / TIME_STEP) * TIME_STEP
