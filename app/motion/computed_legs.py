"""Legs of a run that have been computed: which one governs an instant, and what it knows of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

import numpy as np

import dynamics as dyn
from app.motion.errors import ERRORS
from app.motion.leg import Leg


@dataclass(frozen=True, eq=False)
class RecordedLeg:
    """A leg of the run and what came of it."""

    leg: Leg
    recording: dyn.Recording

    @property
    def start(self) -> float:
        return self.leg.start

    def own(self, time: float) -> float:
        """What ``time`` s of the run is in the recording, the nearest if it lies before or after."""
        return min(max(time - self.start, 0.0), self.recording.duration)

    @property
    def stopped(self) -> str:
        """Why it ended early, at its time in the run; empty where it did not."""
        _, _, why = (self.recording.stopped or "").partition(": ")
        return f"stopped at {self.start + self.recording.duration:.3f} s: {why}" if why else ""

    @property
    def events(self) -> list[tuple[float, str]]:
        """(s of the run, what happened) in it, in order; what began it is not among these."""
        words = {self.recording.stopped: self.stopped}
        return [(self.start + t, words.get(word, word)) for t, word in self.recording.events]

    def until(self, time: float) -> RecordedLeg:
        """As far as ``time`` s of the run."""
        local = time - self.start
        if self.recording.duration <= local + 1e-9:
            return self
        return RecordedLeg(self.leg, self.recording.until(local))


def first_doubt(legs: Sequence[RecordedLeg]) -> float:
    """When the energy of the first leg that loses it is no longer explained by the work done, s; never: infinite."""
    doubts = ((each.start, each.recording.doubtful_from) for each in legs)
    return min((start + doubt for start, doubt in doubts if doubt is not None), default=np.inf)


def needed(legs: tuple[RecordedLeg, ...], since: float) -> tuple[RecordedLeg, ...]:
    """The legs without those that ended before ``since`` s."""
    gone = sum(follows.start <= since for follows in legs[1:])
    return legs[gone:]


def entered(recorded: RecordedLeg, time: float) -> Leg:
    """The leg, entered at ``time`` s of the run, where nothing has happened yet."""
    state = recorded.recording.state_at(min(time - recorded.start, recorded.recording.duration))
    return replace(recorded.leg.later(time, recorded.leg.system, state), word="")


def leg_at(legs: Sequence[RecordedLeg], time: float) -> RecordedLeg:
    """The leg that governs ``time``."""
    return next((recorded for recorded in reversed(legs) if time >= recorded.start), legs[0])


def solution_in(legs: Sequence[RecordedLeg], time: float) -> dyn.Solution:
    """The complete solution at an instant that the legs cover."""
    recorded = leg_at(legs, time)
    return recorded.recording.solution_at(recorded.own(time))


def solutions_in(legs: Sequence[RecordedLeg], times: Sequence[float]) -> list[dyn.Solution | None]:
    """The complete solutions at instants that the legs cover; None where the mechanics has none."""
    found: list[dyn.Solution | None] = []
    for leg, instants in groupby(times, partial(leg_at, legs)):
        together = list(instants)
        try:
            found += leg.recording.solutions_at([leg.own(time) for time in together])
        except ERRORS:
            found += [solution_or_none(legs, time) for time in together]
    return found


def solution_or_none(legs: Sequence[RecordedLeg], time: float) -> dyn.Solution | None:
    """The complete solution at an instant that the legs cover, if the mechanics has one."""
    try:
        return solution_in(legs, time)
    except ERRORS:
        return None
