"""A recorded quantity over time as a figure of matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dynamics.checks import Array, brief
from dynamics.errors import StateError
from dynamics.files.table import installed

COMPONENTS = "angular x", "angular y", "angular z", "linear x", "linear y", "linear z"
MOST_NAMED = 14
"""Lines that a legend names."""


def plot_lines(t: Array, values: Array, rows: Sequence[str], title: str, unit: str, axes: Any = None) -> Any:
    """The axes with a line for each number of ``values``.

    Args:
        t: (samples,) s.
        values: (samples, ...).
        rows: what its second axis runs over, if it is none of ``COMPONENTS``.
        axes: to draw on; else new ones.

    Raises:
        StateError: where matplotlib is missing, or for axes that are none.
    """
    if axes is not None and not hasattr(axes, "plot"):
        raise StateError(f"axes is {brief(axes)}; expected axes of matplotlib.")
    axes = installed("matplotlib.pyplot", "plot", "plot").subplots()[1] if axes is None else axes
    names: list[Sequence[str]] = [
        COMPONENTS if size == len(COMPONENTS) else [str(k + 1) for k in range(size)] for size in values.shape[1:]
    ]
    names[:1] = [rows] if rows else names[:1]
    for index in np.ndindex(values.shape[1:]):
        words = [own[at] for own, at in zip(names, index, strict=True)]
        axes.plot(t, values[(slice(None), *index)], label=", ".join(words))
    axes.set(title=title, xlabel="t, s", ylabel=unit)
    if 1 < values[0].size <= MOST_NAMED:
        axes.legend()
    return axes
