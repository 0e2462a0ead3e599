"""What a broken text computes at one instant, which identities it still satisfies, and the motion it predicts."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import takewhile
from types import MappingProxyType

import numpy as np

import dynamics as dyn
from app.motion.interventions import Intervention
from app.motion.leg import IncrementalMotion, Leg, RecordedLeg, entered
from app.motion.run import TIME_STEP, Run, on_step
from app.state.walk import direction, number
from dynamics.check import Check, text_identities
from dynamics.motion import TextbookSimulation
from dynamics.reading import (
    FormulationReading,
    Reading,
    StageDifference,
    formulation_lines,
    letter_difference,
    read_formulation,
    readable_formulations,
    stage_difference,
)

ROUNDING = 1e-12  # Largest relative change at which a break counts as having no effect

LAWS: Mapping[str, str] = MappingProxyType({
    "newton": "Newton–Euler", "newton_joint": "the joints' equation of motion",
    "kinematics": "the kinematics of the links", "torque": "the torque at a joint",
    "object_balance": "Newton–Euler of the object", "contacts_close": "the contact of tips and object",
    "base_balance": "momentum", "agreement": "agreement with all equations solved at once", "energy": "energy",
})  # fmt: skip
"""Identities that any motion must satisfy, however it is computed, by their keys, each as one sentence."""


@dataclass(frozen=True)
class Arrival:
    """The result of a broken formulation."""

    name: str  # of the formulation
    finds: str  # ``torque`` or ``joint_acceleration``
    by: float  # largest error relative to the largest true value; infinite where the result is not a number
    joint: int  # where the error is largest


@dataclass(frozen=True)
class Outcome:
    """What the broken text computes at one instant."""

    breaks: frozenset[str]  # all active breaks
    reading: Reading  # of the broken text
    arrivals: tuple[Arrival, ...]  # of each other formulation that is broken
    checks: tuple[Check, ...]  # which identities the broken text still satisfies
    difference: StageDifference  # from the motion
    silent: frozenset[str]  # keys of the breaks that, given the others, change nothing at this instant


def first_of(checks: Sequence[Check], system: dyn.System) -> Check | None:
    """The first failing check: in the first stage that fails, at the link that its sweep visits first."""
    failing = [check for check in checks if not check.holds]
    if not failing:
        return None
    stage = failing[0].stage
    way = 1 if direction(stage) == "inward" else -1

    def order(check: Check) -> float:
        return way * number(system, check.first_link) if check.first_link >= 0 else float("inf")

    return min((check for check in failing if check.stage == stage), key=order)


def laws_failing(checks: Sequence[Check]) -> tuple[Check, ...]:
    """For each law of mechanics that the motion violates, its check in the last stage that has one."""
    last = {check.identity.key: check for check in checks}
    return tuple(last[key] for key in LAWS if key in last and not last[key].holds)


def checks_of(solution: dyn.Solution, reading: Reading, wrench: np.ndarray | None) -> tuple[Check, ...]:
    """All identities, stage by stage: those of a solution, and those of the text's further quantities."""
    checks = (*dyn.identities(solution, wrench), *text_identities(reading))
    order = list(solution.stages)
    return tuple(sorted(checks, key=lambda check: order.index(check.stage)))


def broken_at(true: dyn.Solution, wrench: np.ndarray | None, breaks: frozenset[str]) -> Outcome:
    """Evaluates the broken text at the instant of a solution."""
    reading = dyn.read_textbook(true.system, true.state, true.tau, wrench, breaks)
    silent = set()
    for key in reading.breaks:
        without = dyn.read_textbook(true.system, true.state, true.tau, wrench, breaks - {key})
        if letter_difference(reading, without) <= ROUNDING:
            silent.add(key)
    difference = stage_difference(reading.solution, true)
    arrivals, quiet = arrivals_of(true, wrench, breaks)
    checks = checks_of(reading.solution, reading, wrench)
    return Outcome(breaks, reading, arrivals, checks, difference, frozenset(silent | quiet))


def arrivals_of(
    true: dyn.Solution, wrench: np.ndarray | None, breaks: frozenset[str]
) -> tuple[tuple[Arrival, ...], frozenset[str]]:
    """The results of the other broken formulations, and which of the breaks change nothing there."""
    arrivals, silent, heard = list[Arrival](), set[str](), set[str]()
    for name in readable_formulations(true.system):
        keys = {each.key for line in formulation_lines(true.system, name) for each in line.breaks}
        if not keys & breaks:
            continue
        read = formulation_at(true, wrench, name, breaks)
        whole = formulation_at(true, wrench, name).answer
        gap = distance(read.answer, whole)
        joint = int(np.argmax(gap))
        arrivals.append(Arrival(name, read.arrives, float(gap[joint]), joint))
        for key in read.breaks:
            without = formulation_at(true, wrench, name, breaks - {key})
            moves = distance(read.answer, without.answer).max() > ROUNDING
            (heard if moves else silent).add(key)
    return tuple(arrivals), frozenset(silent - heard)


def formulation_at(
    true: dyn.Solution, wrench: np.ndarray | None, name: str, breaks: frozenset[str] = frozenset()
) -> FormulationReading:
    """Evaluates another formulation at the instant of a solution, for the same motion."""
    payload = true.object_acceleration if true.system.is_held else None
    joints = true.joint_acceleration
    return read_formulation(true.system, true.state, name, true.tau, joints, wrench, payload, breaks)


def distance(found: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Difference joint by joint, relative to the largest of ``whole``; infinite where it is not a number."""
    gap = np.abs(found - whole) / (np.abs(whole).max(initial=0.0) or 1.0)
    return np.where(np.isfinite(gap), gap, np.inf)


STEP = 2.5e-3  # s, for machines that move slowly
FAST = 5.0  # rad/s or m/s: a faster machine takes the true run's own steps, as this step alone would change its motion
STEP_HELD = 1e-2  # s, for arms that hold an object: they move slowly when led, and each step costs four times as much
UNSEEN = 1e-5  # m or rad below which two arms look the same
LONGEST = 1.5
"""Seconds of motion that are computed: beyond them, rounding alone moves arms that only motors keep in place."""


@dataclass(frozen=True, eq=False)
class BrokenLeg(Leg):
    """A leg whose accelerations are computed by a broken text, with the torques of the true motion.

    A controller would lead the broken arm back; under the same torques the break alone makes the difference.
    """

    breaks: frozenset[str] = frozenset()
    true: Run | None = None
    typed: tuple[tuple[str, str], ...] = ()

    def simulation(self) -> IncrementalMotion:
        """The leg as a run that can be advanced, with its own step size."""
        assert self.true is not None
        legs = self.true.legs
        same = self.true.leg_at(self.start)
        recording, own = same.recording, same.own(self.start)
        seen = (recording.t >= own) & (recording.t <= own + LONGEST)
        is_slow = np.abs(recording.v[seen, : self.system.n_joints]).max(initial=0.0) < FAST
        step = STEP_HELD if self.system.is_held else STEP if is_slow else TIME_STEP
        forces, torques = self.forces, followed(legs, same)
        given = (self.system, self.state, self.breaks, None, step, forces, torques, own)
        return YieldingSimulation(TextbookSimulation(*given, dict(self.typed)), step)


def followed(legs: Sequence[RecordedLeg], first: RecordedLeg) -> dyn.Recording:
    """What was recorded from the beginning of a leg, as long as the system stays the same.

    The object of a broken motion may land later than the true one, whose torques continue meanwhile.
    """
    same = takewhile(lambda each: each.leg.system is first.leg.system, legs[legs.index(first) :])
    parts = ((part, each.start - first.start) for each in same for part in each.recording.segments)
    return dyn.Recording(tuple(replace(part, times=part.times + late) for part, late in parts))


class YieldingSimulation:
    """An integration in Python that yields to the page's own thread between its steps."""

    def __init__(self, simulation: TextbookSimulation, step: float) -> None:
        self._simulation, self._step = simulation, step

    @property
    def recording(self) -> dyn.Recording:
        return self._simulation.recording

    def advance(self, duration: float) -> None:
        end = self._simulation.time + duration
        while not self._simulation.stopped and self._simulation.time < end - 1e-9:
            self._simulation.advance(min(self._step, end - self._simulation.time))
            time.sleep(1e-3)


def broken_run(
    true: Run,
    breaks: frozenset[str],
    start: float,
    interventions: Sequence[Intervention] = (),
    typed: tuple[tuple[str, str], ...] = (),
) -> Run:
    """A run up to ``start`` s, continued as the broken or the typed text computes it; this is not computed yet.

    The true run gives its torques: it is known for ``LONGEST`` s more, or complete.
    """
    start = on_step(start)
    past = tuple(recorded.until(start) for recorded in true.legs if recorded.start < start)
    leg = entered(past[-1], start) if past else true.legs[0].leg
    own = {item.name: getattr(leg, item.name) for item in fields(Leg)}
    due = [each for each in interventions if each.time > start + TIME_STEP / 2]
    end = min(true.duration, start + LONGEST)
    return Run(BrokenLeg(**own, breaks=breaks, true=true, typed=typed), true.actuation, end, due, past=past)


@dataclass(frozen=True)
class RunDistance:
    """How far two runs are from each other at an instant."""

    joint: str  # the one that differs most
    by: float  # its difference, rad, or m for a sliding joint
    slides: bool  # whether that joint slides
    tip: float  # m between the tips, the largest of several
    object: float | None  # m between the objects, None without one

    @property
    def words(self) -> str:
        """The tip, the joint and the object, each with its unit."""
        angle = length(self.by) if self.slides else f"{two_digits(np.degrees(self.by))}°"
        payload = "" if self.object is None else f", the object by {length(self.object)}"
        return f"its tip is off by {length(self.tip)}, {self.joint} by {angle}{payload}"

    @property
    def is_unseen(self) -> bool:
        """Whether one arm hides the other."""
        return max(self.tip, self.by, self.object or 0.0) < UNSEEN


def two_digits(value: float) -> str:
    """A number with two significant digits, for reading at a glance: 170, not 1.7e+02."""
    return f"{float(f'{value:.2g}'):g}"


def length(metres: float) -> str:
    """A length in a convenient unit."""
    if metres >= 1.0:
        return f"{metres:.2f} m"
    return f"{two_digits(100.0 * metres)} cm" if metres >= 0.01 else f"{two_digits(1000.0 * metres)} mm"


INSTANTS = 60  # Samples of a broken motion in the search for its farthest instant


def farthest(true: Run, other: Run, start: float) -> tuple[float, RunDistance] | None:
    """When (s), and how far, the tip of a run begun at ``start`` is farthest from the true one: 10 ms an instant."""
    end = min(true.end, other.end)
    found = [
        (instant, gap)
        for instant in np.linspace(start, end, INSTANTS + 1).tolist()
        if end > start and (gap := apart(true, other, instant)) is not None and np.isfinite(gap.tip)
    ]
    return max(found, key=lambda each: each[1].tip, default=None)


def apart(true: Run, other: Run, instant: float) -> RunDistance | None:
    """How far a run is from the true one; None beyond its end, or if the systems differ."""
    if instant > min(true.end, other.end) + 1e-9:
        return None
    a, b = (run.state_at(instant) for run in (true, other))
    systems = [run.system_at(instant) for run in (true, other)]
    if len(a.q) != len(b.q) or not len(a.q):
        return None
    one, two = (dyn.forward_kinematics(*each).tip_pose[:, :3, 3] for each in zip(systems, (a, b), strict=True))
    gap = None
    if a.object_pose is not None and b.object_pose is not None:
        gap = float(np.linalg.norm(a.object_pose[:3, 3] - b.object_pose[:3, 3]))
    k = int(abs(a.q - b.q).argmax())
    name, slides = systems[0].joint_names[k], systems[0].joint_models[k].kind == "prismatic"
    tip = float(np.linalg.norm(one - two, axis=1).max(initial=0.0))
    return RunDistance(name, float(abs(a.q - b.q)[k]), slides, tip, gap)
