"""The motion that a broken text predicts, as a run beside the true one."""

from __future__ import annotations

import time
from dataclasses import dataclass, fields

import dynamics as dyn
from app.motion.leg import Advancing, GivenLaw, Leg
from app.motion.run import Run, leg_at
from app.motion.setup import Setup

STEP = 2.5e-3
"""s; at twice this, a fast chain leaves the true motion by the integration alone."""
STEP_HELD = 1e-2
"""s, of arms that hold an object: led along, they move slowly, and each of their steps costs four times as much."""
LONGEST = 4.0
"""Seconds of motion that are computed: each takes about as long as it lasts."""


@dataclass(frozen=True, eq=False)
class BrokenLeg(Leg):
    """A leg whose accelerations a broken text computes."""

    breaks: frozenset[str] = frozenset()

    def simulation(self, dt: float) -> Advancing:
        """The leg as a run that can be advanced; its steps are longer than ``dt``."""
        controller, step = GivenLaw(self.law), STEP_HELD if self.system.is_held else STEP
        simulation = dyn.TextbookSimulation(self.system, self.state, self.breaks, controller, step, self.wrench)
        return Patient(simulation, step)


class Patient:
    """An integration in Python that lets the page's own thread work between its steps."""

    def __init__(self, simulation: dyn.TextbookSimulation, step: float) -> None:
        self._simulation, self._step = simulation, step

    @property
    def recording(self) -> dyn.Recording:
        return self._simulation.recording

    def advance(self, duration: float) -> None:
        end = self._simulation.time + duration
        while not self._simulation.stopped and self._simulation.time < end - 1e-9:
            self._simulation.advance(min(self._step, end - self._simulation.time))
            time.sleep(1e-3)


def broken_run(setup: Setup, breaks: frozenset[str], duration: float) -> Run:
    """The run of a setup from its start, as the broken text computes it; nothing is computed yet."""
    leg, actuation = setup.first_leg()
    own = {item.name: getattr(leg, item.name) for item in fields(Leg)}
    return Run(BrokenLeg(**own, breaks=breaks), actuation, min(duration, LONGEST), setup.interventions)


@dataclass(frozen=True)
class Apart:
    """How far two runs are from each other at an instant.

    Attributes:
        joint: the one that differs most.
        by: rad or m.
        object: m between the objects, None without one.
    """

    joint: str
    by: float
    object: float | None


def apart(true: Run, other: Run, instant: float) -> Apart | None:
    """How far a run is from the true one; None beyond its end, or where the system is another."""
    if instant > min(true.end, other.end) + 1e-9:
        return None
    states = []
    for run in (true, other):
        leg = leg_at(run.legs, instant)
        states.append(leg.recording.state_at(leg.own(instant)))
    a, b = states
    if len(a.q) != len(b.q) or not len(a.q):
        return None
    k = int(abs(a.q - b.q).argmax())
    gap = None
    if a.object_pose is not None and b.object_pose is not None:
        gap = float(((a.object_pose[:3, 3] - b.object_pose[:3, 3]) ** 2).sum() ** 0.5)
    return Apart(true.system_at(instant).joint_names[k], float(abs(a.q - b.q)[k]), gap)
