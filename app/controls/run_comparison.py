"""The distance of every shown kept run from the current one, computed in a thread, and again as both continue."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.job import Job
from app.motion.errors import ERRORS
from app.motion.run import Run, on_step
from app.state import Session

Array = NDArray[np.float64]
MOST_INSTANTS = 400  # Most instants of a comparison, evenly spread over the common time
LEAST = 0.01  # Least seconds between two of them
ROUNDING = 1e-10  # m, rad: differences between runs of the same motion stay below this
STRANGERS = "another machine: they share nothing that can be compared"
TOO_SHORT = "still being computed"


@dataclass(frozen=True)
class Distance:
    """The size of a difference over a period of time."""

    largest: float  # in ``unit``; the largest of several tips or joints at each instant
    rms: float
    at: float  # s, when it is largest
    unit: str


@dataclass(frozen=True)
class Difference:
    """The common quantities of two runs, and their differences."""

    seconds: float  # up to which both are known
    # what is compared, in words, and the size of its difference
    parts: Mapping[str, Distance] = field(default_factory=dict)
    words: str = ""  # why nothing is compared; empty if something is


def difference(run: Run, other: Run) -> Difference:
    """The difference of ``other`` from ``run``, at the same instants of both, as far back as both are kept.

    Joints and tips are compared if the joints are the same, the object's place whenever both have one.
    """
    until = min(run.end, other.end)
    instants = instants_of(until, max(run.begin, other.begin))
    if len(instants) < 2:
        return Difference(until, words=TOO_SHORT)
    one, two = (each.actuation.system for each in (run, other))
    same = (one.joint_names, _kinds(one)) == (two.joint_names, _kinds(two)) and len(one.tips) == len(two.tips)
    if not same and (one.task_object is None or two.task_object is None):
        return Difference(until, words=STRANGERS)
    tips, joints, objects, marks = [], [], [], [_mark(one), _mark(two)]
    for time in instants:
        (a, tips_a), (b, tips_b) = (_moment(each, time, with_tips=same) for each in (run, other))
        if same:
            joints.append(np.abs(a.q - b.q))
            tips.append(np.linalg.norm(tips_a - tips_b, axis=1).max(initial=0.0))
        if a.object_pose is not None and b.object_pose is not None:
            objects.append(np.linalg.norm((a.object_pose @ marks[0] - b.object_pose @ marks[1])[:3]))
    slides = np.array([kind == "prismatic" for kind in _kinds(one)], bool)
    apart = np.reshape(joints, (len(joints), len(slides)))
    found = {
        "tip" if len(one.tips) == 1 else "tips": _distance(instants, np.array(tips), "m"),
        "joints": _distance(instants, apart[:, ~slides].max(axis=1, initial=-np.inf), "rad"),
        "joints that slide": _distance(instants, apart[:, slides].max(axis=1, initial=-np.inf), "m"),
        "object": _distance(instants, np.array(objects), "m"),
    }
    return Difference(until, {what: far for what, far in found.items() if far is not None})


def instants_of(until: float, since: float = 0.0) -> Array:
    """The instants, s, at which two runs are compared, from ``since`` to ``until``."""
    count = int(min(max((until - since) / LEAST, 1.0), MOST_INSTANTS)) + 1 if until > since else 0
    return np.array([on_step(time) for time in np.linspace(since, until, count)])


def _kinds(system: dyn.System) -> tuple[str, ...]:
    return tuple(joint.kind for joint in system.joint_models)


def _mark(system: dyn.System) -> Array:
    """(4,) a point in the object's frame that stays fixed to the body when its mass centre is changed."""
    shapes = () if system.task_object is None else system.task_object.geometry
    return shapes[0].pose[:, 3] if shapes else np.array([0.0, 0.0, 0.0, 1.0])


def _moment(run: Run, time: float, with_tips: bool) -> tuple[dyn.State, Array]:
    """The state at an instant, and the positions of the tips."""
    state, system = run.state_at(time), run.system_at(time)
    if not with_tips:
        return state, np.empty((0, 3))
    try:
        return state, dyn.forward_kinematics(system, state).tip_pose[:, :3, 3]
    except ERRORS:  # the mechanics has no posture there
        return state, np.full((len(system.tips), 3), np.nan)


def _distance(instants: Array, apart: Array, unit: str) -> Distance | None:
    """Summarizes (instants,) distances; None if there are none."""
    known = np.isfinite(apart) if len(apart) == len(instants) else np.zeros(0, bool)
    apart = np.where(apart < ROUNDING, 0.0, apart)
    if not known.any():
        return None
    at = int(np.nanargmax(np.where(known, apart, np.nan)))
    return Distance(float(apart[at]), float(np.sqrt(np.mean(apart[known] ** 2))), float(instants[at]), unit)


AGAIN = 1.0  # s by which unfinished runs must have advanced before they are compared again
HEADER = ("run", "name", "of", "unit", "largest", "RMS", "at/s", "compared/s")


class RunComparer:
    """Compares one pair of runs at a time; ``attend`` starts the next."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._job: Job[Difference] = session.jobs.new("These runs cannot be compared")
        self._found: dict[tuple[Run, Run], Difference] = {}

    def attend(self) -> None:
        """Starts the next comparison, if none is running."""
        session = self._session
        pairs = [(session.run, each.run) for each in session.kept if each.shown and each.run is not session.run]
        self._found = {pair: found for pair, found in self._found.items() if pair in pairs}
        pair = None if self._job.busy else next((pair for pair in pairs if self._is_due(pair)), None)
        if pair is not None:
            self._job.start(partial(difference, *pair), partial(self._take, pair), partial(self._fail, pair))

    def _is_due(self, pair: tuple[Run, Run]) -> bool:
        known, until = self._found.get(pair), min(run.end for run in pair)
        if until <= 0.0:
            return False
        is_over = all(run.complete for run in pair)
        return known is None or until - known.seconds >= AGAIN or (is_over and until > known.seconds)

    def _take(self, pair: tuple[Run, Run], found: Difference) -> None:
        self._found[pair] = found

    def _fail(self, pair: tuple[Run, Run], words: str) -> None:
        self._found[pair] = Difference(np.inf, words=words)  # however far both continue

    def known(self, run: Run) -> Difference | None:
        return self._found.get((self._session.run, run))

    def csv(self) -> str:
        """All known differences, with all digits."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(HEADER)
        for each in self._session.kept:
            if each.shown and (found := self.known(each.run)) is not None:
                for what, far in found.parts.items():
                    numbers = (far.largest, far.rms, far.at, found.seconds)
                    writer.writerow((each.letter, each.title, what, far.unit, *map(repr, numbers)))
        return text.getvalue()
