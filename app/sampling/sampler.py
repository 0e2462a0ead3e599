"""Samples the quantities that the plots need along the run, a slice at a time in a worker thread."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from app.batch_size import Pace
from app.job import Job, Jobs
from app.motion.errors import ERRORS
from app.motion.run import TIME_STEP, Course, Run
from app.sampling.curves import Curves, Trace, interval_of
from app.sampling.quantities import Moment, PlotQuantity

Array = NDArray[np.float64]
Catalogue = Mapping[str, PlotQuantity]
SLICE = 0.04  # Seconds of work per slice: the page draws new samples between two slices
MOST_INSTANTS = 200  # Most instants in a slice; those that it does not reach are requested again
MOST_TOGETHER = 50  # Most instants that are solved in one batch; more would gain nothing
MOST_TRACES = 18  # Traces that one run keeps: the visible ones, and some recent ones that may be selected again
MOST_RUNS = 4  # Runs whose samples are kept: the current one, the kept one, and two to undo to


@dataclass(frozen=True, eq=False)
class Task:
    """What to read in a slice: the next instants of the run, or samples that newly chosen traces lack."""

    times: Array  # (units, instants of each), s
    traces: tuple[Trace, ...]
    first: int  # number of samples or of instants that existed when this was planned
    is_next: bool  # whether they are the next instants of the run


Found = dict[Trace, Array]  # (units that were reached, instants of each, rows, lines)
_of_courses: WeakKeyDictionary[Course, Curves] = WeakKeyDictionary()
"""Samples of complete courses, for the next page that follows one; never modified."""


class Sampler:
    """Holds the curves of the last few runs; ``attend`` extends them.

    Only ``sample`` runs in a thread. It reads the known parts of runs, which do not change, and writes only its
    pace.
    """

    def __init__(self, jobs: Jobs) -> None:
        self._job: Job[Found] = jobs.new("the curves cannot be drawn further")
        self._curves: OrderedDict[Run, Curves] = OrderedDict()
        self._catalogues: dict[Run, Catalogue] = {}
        self._pace = Pace(SLICE / 2, MOST_TOGETHER)
        self._wanted: tuple[Trace, ...] = ()
        self._runs: tuple[Run, ...] = ()
        self._failed: set[tuple[Run, tuple[Trace, ...]]] = set()

    def want(self, runs: Iterable[tuple[Run, Catalogue]], traces: Iterable[Trace]) -> None:
        """Sets the shown runs, the most important first, and their traces."""
        self._wanted = tuple(dict.fromkeys(traces))
        known, self._runs = self._runs, ()
        for run, catalogue in runs:
            if run not in self._curves:
                self._curves[run] = self._beginning(run, known)
                self._catalogues[run] = catalogue
            self._runs += (run,)
            self._curves.move_to_end(run)
            self._curves[run].keep_newest(self._wanted, MOST_TRACES)
        while len(self._curves) > max(MOST_RUNS, len(self._runs)):
            dropped, _ = self._curves.popitem(last=False)
            del self._catalogues[dropped]
            self._failed = {(run, traces) for run, traces in self._failed if run is not dropped}

    def _beginning(self, run: Run, known: tuple[Run, ...]) -> Curves:
        """Curves of a new run: empty, or those that it shares with a known run."""
        interval = interval_of(np.inf if run.endless else run.duration, TIME_STEP)
        for other in known:
            curves = self._curves[other]
            if curves.interval == interval and (until := shared(run, other)) > 0.0:
                return curves.until(until)
        if run.course is not None and run.is_of_course and run.course in _of_courses:
            curves = _of_courses[run.course]
            if curves.interval == interval:
                return curves.until(run.end)
        return Curves(interval, first=int(np.ceil(run.begin / interval - 1e-6)))

    def curves(self, run: Run) -> Curves:
        return self._curves[run]

    def attend(self) -> None:
        """Starts the next slice if none is being computed. Call it from the session's event loop."""
        for run in () if self._job.busy else self._runs:
            task = None if (run, self._wanted) in self._failed else self._plan(run)
            if task is not None:
                work = partial(sample, run, self._catalogues[run], task, self._pace)
                self._job.start(work, partial(self._take, run, task), partial(self._fail, run, self._wanted))
                return
            if run in self._runs[:1]:
                self._tell_others(run)

    def _tell_others(self, run: Run) -> None:
        """Shares the samples of a complete course, so that others who follow it need not compute them again."""
        course, curves = run.course, self._curves[run]
        if course is None or not run.is_of_course:
            return
        known = _of_courses.get(course)
        if known is None or not curves.whole <= known.whole:
            _of_courses[course] = curves.until(math.inf)

    def catching_up(self) -> Iterator[None]:
        """Samples all that is known of the runs in the current thread, a slice at a time."""
        for run in self._runs:
            while (task := self._plan(run)) is not None:
                self._take(run, task, sample(run, self._catalogues[run], task, self._pace))
                yield

    def _take(self, run: Run, task: Task, found: Found) -> None:
        curves = self._curves.get(run)
        if curves is None:
            return
        if not task.is_next:
            for trace, values in found.items():
                if curves.filled(trace) == task.first:
                    curves.fill(trace, values)
        elif task.first == curves.instants:
            reached = len(found[task.traces[0]])
            curves.append(task.times[:reached, 0], {trace: values[:, 0] for trace, values in found.items()})

    def _fail(self, run: Run, traces: tuple[Trace, ...], words: str) -> None:
        """Records a failed choice of quantities: the same would fail again, another one may not."""
        self._failed.add((run, traces))
        self._job.notify(words)

    def _plan(self, run: Run) -> Task | None:
        """What to sample next: first what newly chosen traces lack, then the run as far as it is known."""
        curves = self._curves[run]
        curves.forget_before(run.begin)
        filled = {trace: curves.filled(trace) for trace in self._wanted if trace[0] in self._catalogues[run]}
        behind = min(filled.values(), default=0)
        if behind < len(curves) and filled:
            until = min([len(curves), *(count for count in filled.values() if count > behind)])
            times = on_steps(curves.looks(behind, until))
            lacking = tuple(trace for trace, count in filled.items() if count == behind)
            return Task(times[: MOST_INSTANTS // times.shape[1]], lacking, behind, False)
        if not filled or (run.endless and not run.is_ahead):
            return None  # waits for a second of samples: each use of the curves has a cost, however few are new
        times = on_steps(curves.interval * np.arange(curves.instants, curves.instants + MOST_INSTANTS))
        times = times[times <= run.end + TIME_STEP / 2]
        return Task(times[:, None], tuple(filled), curves.instants, True) if len(times) else None

    def stop(self) -> None:
        self._curves.clear()
        self._catalogues.clear()
        self._runs = ()


def on_steps(times: Array) -> Array:
    return np.round(times / TIME_STEP) * TIME_STEP


def sample(run: Run, catalogue: Catalogue, task: Task, pace: Pace) -> Found:
    """Does as much of the task as fits into a slice, at least one unit. It runs in a worker thread."""
    found: dict[Trace, list[Array]] = {trace: [] for trace in task.traces}
    until, at = time.perf_counter() + SLICE, 0
    while at < len(task.times) and (at == 0 or time.perf_counter() <= until):
        some = task.times[at : at + max(pace.size // task.times.shape[1], 1)]
        instants: list[float] = some.ravel().tolist()
        with pace.kept(len(instants)):
            moments = map(partial(Moment, run), instants, run.solutions_at(instants))
            rows = [read(moment, catalogue, task.traces) for moment in moments]
        for trace, parts in found.items():
            values = np.stack([row[trace] for row in rows])
            parts.append(values.reshape(*some.shape, *values.shape[1:]))
        at += len(some)
    return {trace: np.concatenate(parts) for trace, parts in found.items()}


def read(moment: Moment, catalogue: Catalogue, traces: Iterable[Trace]) -> dict[Trace, Array]:
    """(rows, lines) of each trace at a moment; NaN where the mechanics has no solution."""
    found = {}
    for key, component in traces:
        plotted = catalogue[key]
        chosen = plotted.component(component)
        try:
            found[key, component] = plotted.values(moment, chosen)
        except ERRORS:
            rows = plotted.count(moment.run.system_at(moment.time))
            found[key, component] = np.full((rows, len(chosen.channels)), np.nan)
    return found


def shared(run: Run, other: Run) -> float:
    """Time in s up to which two runs are the same motion: as far as both have recorded the same legs."""
    until = 0.0
    for one, two in zip(run.legs, other.legs, strict=False):
        if one.leg is not two.leg:
            break
        until = one.start + min(one.recording.duration, two.recording.duration)
    return until
