"""A recording from another source, as a run that the views can read."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.motion.actuation import Actuation
from app.motion.leg import Leg, RecordedLeg, first_doubt
from app.motion.presets import MODE_OF_KIND, Preset
from app.motion.run import Run
from app.motion.setup import Machine, Setup
from dynamics.motion import LimitEvent

Array = NDArray[np.float64]


class RecordedRun(Run):
    """A complete run that cannot be changed: it has no control law with which to continue. It begins at 0 s."""

    def __init__(self, recording: dyn.Recording, title: str = "") -> None:
        first = recording.segments[0]
        system, state = first.system, first.system.unpack(first.x[0], first.v[0])
        mode = MODE_OF_KIND[system.kind]
        preset = Preset("", title or mode, mode, "", duration=recording.duration - float(recording.t[0]))
        self.duration = self.end = preset.duration
        self.failure, self.doubtful = recording.stopped or "", np.inf
        self.course = None
        self._due = deque()
        self.setup = Setup(Machine(preset, system, state))
        self.actuation = Actuation(preset, system, {})
        self._recording = recording
        self.legs = tuple(_leg(recording, number) for number in range(len(recording.segments)))
        self._first = self.legs[0].leg
        self.numerics = self._first.numerics
        self.doubtful = first_doubt(self.legs)

    @property
    def complete(self) -> bool:
        return True

    @property
    def events(self) -> list[tuple[float, str]]:
        """(time, what happened), in order, as recorded."""
        zero = float(self._recording.t[0])
        return [(time - zero, word) for time, word in self._recording.events]

    @property
    def limits_met(self) -> list[LimitEvent]:
        zero = float(self._recording.t[0])
        return [replace(met, time=met.time - zero) for met in self._recording.limits_met]

    def wrench_at(self, time: float) -> Array:
        """(links + 1, 6) external forces that were recorded at ``time``, possibly from a function."""
        leg = self.leg_at(time)
        own = leg.own(time)
        return leg.recording.segment_at(own).wrench_at(own)

    pushes_at = wrench_at


def _leg(recording: dyn.Recording, number: int) -> RecordedLeg:
    """One stretch in which nothing changes, its own time beginning at zero."""
    segment, zero = recording.segments[number], float(recording.t[0])
    start = float(segment.times[0])
    system, state = segment.system, segment.system.unpack(segment.x[0], segment.v[0])
    law = dyn.ConstantTorque(np.zeros(system.n_joints)).law(system, state)
    leg = Leg(start - zero, system, state, law, segment.wrench_at(start))
    return RecordedLeg(leg, dyn.Recording((replace(segment, times=segment.times - start),)))
