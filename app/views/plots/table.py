"""What the panels show, as a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def csv_of(times: Array, columns: Iterable[tuple[str, Array, Array]], first: float, last: float) -> str:
    """One row a sample from ``first`` to ``last`` s, one column a line; all digits are kept.

    Args:
        times: (samples,) s, the rows.
        columns: (heading, times, values) of each line; what is sampled at other times is interpolated, and empty
            where there is nothing.
    """
    inside = times[(times >= first - 1e-9) & (times <= last + 1e-9)]
    headings, values = ["time/s"], [inside]
    for heading, at, column in columns:
        headings.append(heading)
        values.append(at_times(inside, at, column))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(headings)
    for row in np.stack(values, axis=1).tolist():
        writer.writerow(["" if value != value else repr(value) for value in row])
    return text.getvalue()


def at_times(wanted: Array, times: Array, values: Array) -> Array:
    """Values at other times than they were sampled at: the samples themselves, or straight between two of them."""
    if not len(times):
        return np.full(len(wanted), np.nan)
    found = np.interp(wanted, times, values, left=np.nan, right=np.nan)
    nearest = np.clip(np.searchsorted(times, wanted - 1e-9), 0, len(times) - 1)
    return np.where(np.abs(times[nearest] - wanted) < 1e-9, values[nearest], found)
