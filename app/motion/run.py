"""One motion: computed a stretch at a time in a worker thread, read by the page as far as it is known."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.motion.actuation import Actuation
from app.motion.errors import ERRORS
from app.motion.interventions import Intervention
from app.motion.leg import IncrementalMotion, Leg, RecordedLeg, entered, first_doubt, landed, leg_at, touch
from app.motion.world import TIME_STEP
from app.service import counters
from dynamics.motion import LimitEvent

Array = NDArray[np.float64]
DOUBT = "from here on the work done does not explain the energy: this motion is too quick for its time step"
STRETCH, MOST_STRETCHES = 0.25, 8
"""Seconds of motion per stretch, short so that a stale run stops soon; and stretches at once for a waiting page."""
KEPT = 60.0  # Seconds of the past that a run without an end keeps
AHEAD = 4.0  # Seconds of playback that it is computed ahead of the viewer
LONGEST_LEG = 10.0  # Seconds after which a run without an end begins another leg, so that the first can be forgotten


@dataclass(frozen=True)
class Progress:
    """The result of one call of ``Run.compute``: every leg so far."""

    legs: tuple[RecordedLeg, ...]
    end: float
    failure: str = ""
    doubtful: float = np.inf  # s from which on the energy of a whole run is not explained by the work done


@dataclass(eq=False)
class Course:
    """What is known of a motion, shared by all runs that begin it: a class that opens one link computes it once."""

    first: Leg  # of the runs that follow it
    actuation: Actuation
    duration: float
    whole: Progress | None = None  # the complete motion, once a run has reached its end


class Run:
    """A motion from its start to ``end``, the instant up to which it is known so far.

    Only ``compute`` runs in a thread, and it changes nothing that the page reads: it returns its progress, which
    the page's own thread passes to ``accept``.

    It begins with ``leg``, after the legs of a ``past``, and is computed up to ``duration`` s; one that is ``endless``
    continues while it is watched: ``reach`` lets its duration grow, and what lies further back than ``KEPT`` is
    forgotten. An intervention that is not possible is left out, and reported.
    """

    endless = False
    _needed = 0.0

    def __init__(
        self,
        leg: Leg,
        actuation: Actuation,
        duration: float,
        interventions: Sequence[Intervention] = (),
        *,
        past: tuple[RecordedLeg, ...] = (),
        course: Course | None = None,
    ) -> None:
        self.duration = duration
        self.actuation = actuation
        self.course = course
        self.end = leg.start
        self.failure, self.doubtful = "", np.inf
        self._due = deque(interventions)
        self._is_counted = False
        self._first = self._oldest = leg  # the latter: the oldest kept leg, before its interventions
        self.numerics = leg.numerics
        self._simulation: IncrementalMotion | None = None
        if (whole := self._whole_course()) is not None:
            self.accept(whole)
        else:
            self._simulation = leg.simulation()
            self.legs = (*past, RecordedLeg(leg, self._simulation.recording))

    def on_step(self, time: float) -> float:
        """The instant nearest to ``time`` s at which a state is known and interventions are possible."""
        return self.numerics.on_raster(time)

    @property
    def begin(self) -> float:
        """The oldest instant that is kept, s."""
        return self.legs[0].start

    @property
    def start(self) -> dyn.State:
        """The state at 0 s, kept or not."""
        return self._first.state

    @property
    def complete(self) -> bool:
        """Whether nothing more follows."""
        return bool(self.failure) or (self.is_ahead and not self.endless)

    @property
    def last(self) -> float:
        """Its end in s, as soon as all of it is known."""
        return self.end if self.failure else self.duration

    @property
    def is_ahead(self) -> bool:
        """Whether everything requested so far is computed."""
        return self._is_whole(self.failure, self.end)

    def _is_whole(self, failure: str, end: float) -> bool:
        return bool(failure) or end >= self.duration - self.numerics.raster / 2

    def reach(self, time: float, speed: float = 1.0) -> None:
        """Keeps a run without an end ahead of a viewer at ``time``, who plays ``speed`` s of motion per second."""
        self.duration = max(self.duration, float(np.ceil(time + AHEAD * max(speed, 1.0))))
        self._needed = max(self._needed, time - KEPT)

    def ends_by(self, duration: float) -> bool:
        """Sets an end, s, and returns True; False if the run has gone beyond it, as its start may be forgotten."""
        if self.begin > 0.0 or self.end > duration + TIME_STEP / 2:
            return False
        self.endless, self.duration = False, max(self.end, duration)
        return True

    def compute(self, until: float = 0.0) -> Progress:
        """Computes the next stretch, or as many as it takes to reach ``until`` s; in a thread, never twice at once."""
        if (whole := self._whole_course()) is not None:
            return whole
        if not self._is_counted:
            self._is_counted = True
            counters.runs.inc()
        *before, recorded = self.legs
        near = self.numerics.raster / 2
        now = [self._due.popleft() for _ in range(len(self._due)) if self._due[0].time <= self.end + near]
        if now:
            leg = recorded.leg if self.end <= recorded.start else entered(recorded, self.end)
            leg = begun(leg, now, self.actuation, lenient=True)
            self._simulation = leg.simulation()
            before = before if leg.start <= recorded.start else [*before, recorded]
            recorded = RecordedLeg(leg, self._simulation.recording)
        doubtful = self.doubtful
        is_long = self.endless and recorded.recording.duration >= LONGEST_LEG
        if not now and (is_long or self._simulation is None):
            before, doubtful = [*before, recorded], min(doubtful, first_doubt([recorded]))
            leg = entered(recorded, self.on_step(self.end))
            self._simulation = leg.simulation()
            recorded = RecordedLeg(leg, self._simulation.recording)
        goal = min(self.duration, self._due[0].time if self._due else np.inf)
        recording, end = self._simulation.recording, self.end
        for _ in range(min(max(math.ceil((until - end) / STRETCH), 1), MOST_STRETCHES)):
            self._simulation.advance(self.on_step(min(end + STRETCH, goal) - end))
            recording = self._simulation.recording
            end = recorded.start + recording.duration
            if recording.stopped or end > goal - near:
                break
        down = touch(recorded.leg, recording, max(self.end - recorded.start, 0.0))
        if down is not None:
            falling = RecordedLeg(recorded.leg, recording.until(down))
            leg = landed(falling.leg if down == 0.0 else entered(falling, self.on_step(falling.start + down)))
            before = before if down == 0.0 else [*before, falling]
            self._simulation = leg.simulation()
            recorded, recording = RecordedLeg(leg, self._simulation.recording), self._simulation.recording
        legs = (*before, RecordedLeg(recorded.leg, recording))
        end = recorded.start + recording.duration
        failure = legs[-1].stopped
        if self.endless:
            gone = sum(follows.start <= self._needed for follows in legs[1:])
            return Progress(legs[gone:], end, failure, doubtful)
        return Progress(legs, end, failure, first_doubt(legs) if self._is_whole(failure, end) else np.inf)

    @property
    def _follows_course(self) -> bool:
        """Whether it ends where its course does."""
        return self.course is not None and not self.endless and self.duration == self.course.duration

    @property
    def is_of_course(self) -> bool:
        whole = None if self.course is None else self.course.whole
        return whole is not None and self._follows_course and self.legs is whole.legs

    def _whole_course(self) -> Progress | None:
        """The complete motion, if another run has reached its end; what continues beyond is simulated anew."""
        if self.course is None or self.course.whole is None or not self._follows_course:
            return None
        self._due.clear()
        self._simulation = None
        return self.course.whole

    def accept(self, progress: Progress) -> None:
        if self.course is not None and self._follows_course and self._is_whole(progress.failure, progress.end):
            self.course.whole = progress
        self.legs = progress.legs
        self.end = progress.end
        self.failure, self.doubtful = progress.failure, progress.doubtful

    def leg_at(self, time: float) -> RecordedLeg:
        return leg_at(self.legs, min(time, self.end))

    def state_at(self, time: float) -> dyn.State:
        """The state at ``time``, or at the last instant known so far."""
        leg = self.leg_at(time)
        return leg.recording.state_at(leg.own(min(time, self.end)))

    def solution_at(self, time: float) -> dyn.Solution:
        """The complete solution at ``time``, or at the last instant known so far."""
        leg = self.leg_at(time)
        return leg.recording.solution_at(leg.own(min(time, self.end)))

    def solutions_at(self, times: Sequence[float]) -> list[dyn.Solution | None]:
        """The complete solutions at some instants, in batches for less work each; None where there is none."""
        found: list[dyn.Solution | None] = []
        for leg, instants in groupby(times, self.leg_at):
            together = [leg.own(min(time, self.end)) for time in instants]
            try:
                found += leg.recording.solutions_at(together)
            except ERRORS:
                for own in together:
                    found.append(None)
                    with suppress(*ERRORS):
                        found[-1] = leg.recording.solution_at(own)
        return found

    def wrench_at(self, time: float) -> Array | None:
        """External forces that act at ``time``, (links + 1, 6), None if nothing pushes and nothing lies."""
        return self.leg_at(time).leg.forces

    def pushes_at(self, time: float) -> Array | None:
        return self.leg_at(time).leg.wrench

    def lies_at(self, time: float) -> bool:
        return self.leg_at(time).leg.lies

    def system_at(self, time: float) -> dyn.System:
        """The system at ``time``: with the object held, or without."""
        return self.leg_at(time).leg.system

    @property
    def events(self) -> list[tuple[float, str]]:
        """(time, what happened), in order: grasps, releases, joints that met a limit.

        In a run with a forgotten beginning, earlier events that still hold are listed at the first kept instant.
        """
        found = []
        for recorded, until in zip(self.legs, [*(s.start for s in self.legs[1:]), np.inf], strict=True):
            found += [(recorded.start, recorded.leg.word)] if recorded.leg.word else []
            found += [event for event in recorded.events if event[0] <= until]
        found += [(max(self.doubtful, self.begin), DOUBT)] if self.doubtful <= self.end else []
        return sorted(found, key=lambda event: event[0])

    @property
    def limits_met(self) -> list[LimitEvent]:
        return [met for recorded in self.legs for met in recorded.limits_met]

    def branch(self, time: float, interventions: Sequence[Intervention], duration: float | None = None) -> Run:
        """A run with the same past up to ``time`` s, or the oldest kept instant, and other interventions later."""
        time, near = self.on_step(min(time, self.end)), self.numerics.raster / 2
        past = tuple(recorded.until(time) for recorded in self.legs if recorded.start < time)
        due = [intervention for intervention in interventions if intervention.time > time - near]
        now = [intervention for intervention in due if intervention.time <= time + near]
        oldest = self._oldest
        if oldest.start < self.begin:  # it is forgotten
            oldest = replace(self.legs[0].leg, word="")
        leg = begun(entered(past[-1], time) if past else oldest, now, self.actuation)
        run = Run(leg, self.actuation, duration or self.duration, due[len(now) :], past=past)
        run._first, run._oldest, run._needed = self._first, oldest, min(self._needed, time)
        return run


def begun(leg: Leg, interventions: Sequence[Intervention], actuation: Actuation, lenient: bool = False) -> Leg:
    """The leg after all interventions at its beginning; an impossible one raises, or is reported if ``lenient``."""
    words = [leg.word]
    for intervention in interventions:
        try:
            leg = intervention.begin(leg, actuation)
        except ERRORS as error:
            if not lenient:
                raise
            leg = replace(leg, word=f"could not happen: {error}")
        words.append(leg.word)
    return replace(leg, word=", ".join(dict.fromkeys(word for word in words if word)))


def on_step(time: float) -> float:
    """The page's nearest instant: a state is known there, unless a run's steps are longer."""
    return round(time / TIME_STEP) * TIME_STEP
