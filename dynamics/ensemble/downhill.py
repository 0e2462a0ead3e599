"""Downhill from one state: a number that is smooth, or the largest of several, which has edges."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import OptimizeResult, minimize

from dynamics.checks import Array
from dynamics.ensemble.cost import Cost

STEP = 1e-6
"""Of a variable's range, for the slope."""
CLOSE, MOST_STEPS = 1e-9, 100
"""Relative: so little does a way gain that has come to its end; and how many steps it has at most."""


def downhill(cost: Cost, start: Array, entry: int) -> float:
    """The value at the end of the way down from there, of one of the numbers: L-BFGS-B, Byrd and others 1995."""
    scale, inside = _scale(cost), [(0.0, 1.0)] * len(start)

    def sloped(shares: Array) -> tuple[float, Array]:
        inward = _inward(shares)
        values = cost.entries(shares + np.vstack([np.zeros(len(shares)), np.diag(inward)]))[:, entry] / scale
        return float(values[0]), _finite((values[1:] - values[0]) / inward)

    told = {"maxfun": max(cost.left, 1)}
    found: OptimizeResult = minimize(sloped, start, jac=True, method="L-BFGS-B", bounds=inside, options=told)
    return float(found.fun) * scale


def down_the_edges(cost: Cost, start: Array, entries: NDArray[np.int64]) -> float:
    """The value at the end of the way down from there, of the largest of these numbers: SLSQP, Kraft 1988.

    Where two of them are equal it has an edge, and no slope. All are held below one more variable, which falls.
    """
    scale, d = _scale(cost), len(start)
    last, values = np.full(d, np.nan), np.empty(0)

    def numbers(point: Array) -> Array:
        nonlocal last, values
        if not np.array_equal(point[:d], last):
            last = point[:d].copy()
            values = cost.entries(np.clip(last, 0.0, 1.0)[None])[0, entries] / scale
        return values

    def slopes(point: Array) -> Array:
        own, inward = numbers(point), _inward(point[:d])
        moved = cost.entries(np.clip(point[:d], 0.0, 1.0) + np.diag(inward))[:, entries] / scale
        return np.column_stack([-_finite((moved - own) / inward[:, None]).T, np.ones(len(entries))])

    below = {"type": "ineq", "fun": lambda point: point[d] - numbers(point), "jac": slopes}
    found: OptimizeResult = minimize(
        lambda point: (point[d], np.append(np.zeros(d), 1.0)),
        np.append(start, numbers(start).max()),
        jac=True,
        method="SLSQP",
        bounds=[(0.0, 1.0)] * d + [(None, None)],
        constraints=[below],
        options={"maxiter": MOST_STEPS, "ftol": CLOSE},
    )
    return float(numbers(found.x).max()) * scale


def _scale(cost: Cost) -> float:
    return max(abs(cost.best), float(np.finfo(float).tiny)) if np.isfinite(cost.best) else 1.0


def _inward(shares: Array) -> Array:
    return np.where(shares > 0.5, -STEP, STEP)


def _finite(slopes: Array) -> Array:
    return np.where(np.isfinite(slopes), slopes, 0.0)
