"""Samples of the quantities that the plots need along a run: bounded in number, and read in a worker thread."""

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
from app.motion.quantities import Moment, PlotQuantity
from app.motion.run import TIME_STEP, Course, Run

Array = NDArray[np.float64]
Trace = tuple[str, str]  # Identifies what is sampled: the key of a quantity, and of one of its components
SAMPLES = 600  # Samples over a timeline that fits; more than the plot's pixels for a quantity with one line
CAPACITY = 2 * SAMPLES  # Most samples that are kept; when they are reached, each four become two
LONGEST_INTERVAL = 1.0 / 60.0  # Most seconds between two evaluated instants while the run continues
LOOKS = 8  # Instants evaluated in a pair of samples if a quantity is chosen after the run has passed


class Curves:
    """Rows of samples in time order, the first of them instant number ``first``.

    Up to ``CAPACITY`` instants every sample is kept. From then on a pair of samples stands for all instants between
    them: the lowest and the highest value of each line, as they occurred, so that a spike keeps its height.
    """

    def __init__(self, interval: float, capacity: int = CAPACITY, first: int = 0) -> None:
        self.interval = interval  # seconds between two instants
        self.stride = 1  # instants per sample
        self.version = 0  # changes when existing samples have changed
        self.times = np.empty(0)  # (samples,) s
        self._capacity, self._forgotten = capacity, first
        self._columns: dict[Trace, Array] = {}  # known samples of each trace, the one wanted longest ago first
        self._rest: tuple[Array, Mapping[Trace, Array]] = np.empty(0), {}  # the instants of an unfinished pair

    def __len__(self) -> int:
        return len(self.times)

    @property
    def whole(self) -> frozenset[Trace]:
        """The traces whose every sample is known."""
        return frozenset(trace for trace in self._columns if self.filled(trace) == len(self))

    @property
    def instants(self) -> int:
        """Number of evaluated instants, which is also the index of the next one."""
        return self._forgotten + len(self) * self.stride + len(self._rest[0])

    @property
    def unit(self) -> int:
        """Samples that are made together: one, or the lowest and the highest of many."""
        return 1 if self.stride == 1 else 2

    def filled(self, trace: Trace) -> int:
        return len(self.column(trace))

    def column(self, trace: Trace) -> Array:
        """(filled samples, rows, lines) of a trace."""
        return self._columns.get(trace, np.empty((0, 0, 0)))

    def looks(self, first: int, until: int) -> Array:
        """(units, looks) s: the instants to evaluate for each unit of the samples from ``first`` to ``until``."""
        count = min(2 * self.stride, LOOKS) if self.unit == 2 else 1
        step = 2 * self.stride * self.interval / count
        return np.asarray(self.times[first : until : self.unit, None] + step * np.arange(count))

    def fill(self, trace: Trace, values: Array) -> None:
        """Adds the next samples of a trace: (units, instants of each, rows, lines)."""
        made = values[:, 0] if self.unit == 1 else envelope(values)
        known = self._columns.get(trace)
        self._columns[trace] = made if known is None else np.concatenate([known, made])

    def append(self, times: Array, values: Mapping[Trace, Array]) -> None:
        """Adds the next instants, s: (instants, rows, lines) of each trace that has been followed so far."""
        begun, kept = self._rest
        if len(begun):
            times = np.concatenate([begun, times])
            values = {trace: np.concatenate([kept[trace], values[trace]]) for trace in values.keys() & kept.keys()}
        while units := min(len(times) // self._instants_per_unit, (self._capacity - len(self)) // self.unit):
            first, each = len(self), self._instants_per_unit
            self.times = np.append(self.times, times[: units * each : self.stride])
            for trace, value in values.items():
                if self.filled(trace) == first:
                    self.fill(trace, value[: units * each].reshape(units, each, *value.shape[1:]))
            times, values = times[units * each :], {trace: value[units * each :] for trace, value in values.items()}
            if len(self) == self._capacity:
                self._thin()
        self._rest = times, values

    @property
    def _instants_per_unit(self) -> int:
        return self.unit * self.stride

    def _thin(self) -> None:
        """Keeps the lowest and the highest of each four samples."""
        self.times = self.times.reshape(-1, 4)[:, ::2].ravel()
        for trace, column in self._columns.items():
            fours = column[: len(column) // 4 * 4]
            self._columns[trace] = envelope(fours.reshape(-1, 4, *column.shape[1:]))
        self.stride *= 2
        self.version += 1

    def until(self, time: float) -> Curves:
        count = int(np.searchsorted(self.times, time - 1e-9))
        count -= count % self.unit
        if self.unit == 2 and count and self.times[count - 1] + self.stride * self.interval > time + 1e-9:
            count -= 2
        past = Curves(self.interval, self._capacity, self._forgotten)
        past.stride, past.times = self.stride, self.times[:count]
        past._columns = {trace: column[:count] for trace, column in self._columns.items()}
        return past

    def forget_before(self, time: float) -> None:
        """Discards the samples before ``time``, s."""
        count = int(np.searchsorted(self.times, time - 1e-9))
        count -= count % self.unit
        if count:
            self.times = self.times[count:]
            self._columns = {trace: column[count:] for trace, column in self._columns.items()}
            self._forgotten += count * self.stride
            self.version += 1

    def keep_newest(self, wanted: Iterable[Trace], most: int) -> None:
        """Discards the traces wanted longest ago until ``most`` remain."""
        wanted = tuple(wanted)
        for trace in wanted:
            if trace in self._columns:
                self._columns[trace] = self._columns.pop(trace)
        for trace in [each for each in self._columns if each not in wanted][: max(len(self._columns) - most, 0)]:
            del self._columns[trace]


def envelope(values: Array) -> Array:
    """(2 units, ...) lowest and highest of (units, instants, ...), in the order in which they occurred; NaN if none."""
    low = np.argmin(np.where(np.isnan(values), np.inf, values), axis=1, keepdims=True)
    high = np.argmax(np.where(np.isnan(values), -np.inf, values), axis=1, keepdims=True)
    order = np.concatenate([np.minimum(low, high), np.maximum(low, high)], axis=1)
    missing = np.isnan(values).all(axis=1, keepdims=True)
    ends = np.where(missing, np.nan, np.take_along_axis(values, order, axis=1))
    return np.asarray(ends.reshape(-1, *values.shape[2:]))


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

    Only ``sample`` runs in a thread. It reads the known parts of runs, which do not change, and writes its pace.
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
        duration = np.inf if run.endless else run.duration
        interval = max(min(duration / SAMPLES, LONGEST_INTERVAL), TIME_STEP)
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


def on_steps(times: NDArray[np.floating]) -> Array:
    return np.asarray(np.round(times / TIME_STEP) * TIME_STEP, np.float64)


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
