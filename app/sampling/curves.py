"""Samples of chosen quantities along a run: a limited number for any length, with all extremes kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Trace = tuple[str, str]  # Identifies what is sampled: the key of a quantity, and of one of its components
SAMPLES = 600  # Samples over a timeline that fits; more than the plot's pixels for a quantity with one line
CAPACITY = 2 * SAMPLES  # Most samples that are kept; when they are reached, each four become two
LONGEST_INTERVAL = 1.0 / 60.0  # Most seconds between two evaluated instants while the run continues
LOOKS = 8  # Instants evaluated in a pair of samples if a quantity is chosen after the run has passed


class Curves:
    """Rows of samples in time order, the first of them instant number ``first``.

    Up to ``CAPACITY`` instants every sample is kept. From then on two neighboring samples stand for all
    instants between them: the lowest and the highest value of each line, in the order in which they occurred, so
    that a spike keeps its height. Its time is then known to a pair's width.
    """

    def __init__(self, interval: float, capacity: int = CAPACITY, first: int = 0) -> None:
        self.interval = interval  # seconds between two instants
        self.stride = 1  # instants per sample
        self.version = 0  # changes when existing samples have changed
        self.times = np.empty(0)  # (samples,) s
        self._capacity = capacity
        self._columns: dict[Trace, Array] = {}
        self._filled: dict[Trace, int] = {}
        self._pair: list[Mapping[Trace, Array]] = []  # the instants of the unfinished pair
        self._forgotten = first

    def __len__(self) -> int:
        return len(self.times)

    @property
    def traces(self) -> tuple[Trace, ...]:
        """The traces in memory, the one wanted longest ago first."""
        return tuple(self._columns)

    @property
    def whole(self) -> frozenset[Trace]:
        """The traces whose every sample is known."""
        return frozenset(trace for trace in self._columns if self._filled[trace] == len(self))

    @property
    def instants(self) -> int:
        """Number of evaluated instants, which is also the index of the next one."""
        return self._forgotten + len(self) * self.stride + len(self._pair)

    @property
    def unit(self) -> int:
        """Samples that are made together: one, or the lowest and the highest of many."""
        return 1 if self.stride == 1 else 2

    def filled(self, trace: Trace) -> int:
        return self._filled.get(trace, 0)

    def column(self, trace: Trace) -> Array:
        """(filled samples, rows, lines) of a trace."""
        if trace not in self._columns:
            return np.empty((0, 0, 0))
        return self._columns[trace][: self._filled[trace]]

    def forget(self, trace: Trace) -> None:
        self._columns.pop(trace, None)
        self._filled.pop(trace, None)

    def looks(self, at: int) -> list[float]:
        """The instants, s, to evaluate for the samples from number ``at`` on that are made together."""
        if self.stride == 1:
            return [float(self.times[at])]
        looks = min(2 * self.stride, LOOKS)
        return [float(self.times[at] + k * 2 * self.stride * self.interval / looks) for k in range(looks)]

    def fill(self, trace: Trace, values: Array) -> None:
        """Adds the next samples of a trace that has fewer than the others: (instants, rows, lines)."""
        column = self._room(trace, values.shape[1:])
        first = self._filled[trace]
        if first + self.unit > len(self):
            return  # the samples were thinned meanwhile
        column[first : first + self.unit] = values if self.unit == 1 else extremes(values)
        self._filled[trace] = first + self.unit

    def append(self, time: float, values: Mapping[Trace, Array]) -> None:
        """Adds the next instant, s: (rows, lines) of each trace that has been followed so far."""
        if self.unit == 1:
            self._put([time], {trace: value[None] for trace, value in values.items()})
            return
        if not self._pair:
            self._pair_time = time
        self._pair.append(values)
        if len(self._pair) == 2 * self.stride:
            pair, self._pair = self._pair, []
            there = [trace for trace in self._columns if all(trace in each for each in pair)]
            times = [self._pair_time, self._pair_time + self.stride * self.interval]
            self._put(times, {trace: extremes(np.stack([each[trace] for each in pair])) for trace in there})

    def _put(self, times: list[float], values: Mapping[Trace, Array]) -> None:
        first = len(self)
        self.times = np.append(self.times, times)
        for trace, value in values.items():
            column = self._room(trace, value.shape[1:])
            if self._filled[trace] == first:
                column[first : first + len(times)] = value
                self._filled[trace] = first + len(times)
        if len(self) == self._capacity:
            self._thin()

    def _room(self, trace: Trace, shape: tuple[int, ...]) -> Array:
        if trace not in self._columns:
            self._columns[trace] = np.full((self._capacity, *shape), np.nan)
            self._filled[trace] = 0
        return self._columns[trace]

    def _thin(self) -> None:
        """Keeps the lowest and the highest of each four samples."""
        self.times = self.times.reshape(-1, 4)[:, ::2].ravel()
        for trace, column in self._columns.items():
            fours = self._filled[trace] // 4
            kept = column[: 4 * fours].reshape(fours, 4, *column.shape[1:])
            column[: 2 * fours] = extremes(np.moveaxis(kept, 1, 0)).swapaxes(0, 1).reshape(-1, *column.shape[1:])
            column[2 * fours :] = np.nan
            self._filled[trace] = 2 * fours
        self.stride *= 2
        self.version += 1

    def until(self, time: float) -> Curves:
        count = int(np.searchsorted(self.times, time - 1e-9))
        count -= count % self.unit
        if self.unit == 2 and count and self.times[count - 1] + self.stride * self.interval > time + 1e-9:
            count -= 2
        past = Curves(self.interval, self._capacity, self._forgotten)
        past.stride, past.times = self.stride, self.times[:count].copy()
        for trace, column in self._columns.items():
            known = min(self._filled[trace], count)
            past._room(trace, column.shape[1:])[:known] = column[:known]
            past._filled[trace] = known
        return past

    def forget_before(self, time: float) -> None:
        """Discards the samples before ``time``, s."""
        count = int(np.searchsorted(self.times, time - 1e-9))
        count -= count % self.unit
        if not count:
            return
        self.times = self.times[count:]
        for trace, column in self._columns.items():
            column[: self._capacity - count] = column[count:].copy()
            column[self._capacity - count :] = np.nan
            self._filled[trace] = max(self._filled[trace] - count, 0)
        self._forgotten += count * self.stride
        self.version += 1

    def keep_newest(self, wanted: Iterable[Trace], most: int) -> None:
        """Discards the traces wanted longest ago until ``most`` remain."""
        wanted = tuple(wanted)
        for trace in wanted:
            if trace in self._columns:
                self._columns[trace] = self._columns.pop(trace)
        for trace in [each for each in self.traces if each not in wanted][: max(len(self._columns) - most, 0)]:
            self.forget(trace)


def extremes(values: Array) -> Array:
    """(2, ...) lowest and highest of (instants, ...), in the order in which they occurred; NaN if there is none."""
    low = np.argmin(np.where(np.isnan(values), np.inf, values), axis=0)
    high = np.argmax(np.where(np.isnan(values), -np.inf, values), axis=0)
    missing = np.isnan(values).all(axis=0)
    first, second = np.minimum(low, high), np.maximum(low, high)
    ends = np.stack([np.take_along_axis(values, at[None], axis=0)[0] for at in (first, second)])
    return np.where(missing, np.nan, ends)


def interval_of(duration: float, step: float) -> float:
    """Seconds between two instants of a timeline, s: a whole number of integration steps if possible."""
    wanted = min(duration / SAMPLES, LONGEST_INTERVAL)
    return max(wanted, step)
