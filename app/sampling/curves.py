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


def interval_of(duration: float, step: float) -> float:
    """Seconds between two instants of a timeline, s: a whole number of integration steps if possible."""
    wanted = min(duration / SAMPLES, LONGEST_INTERVAL)
    return max(wanted, step)
