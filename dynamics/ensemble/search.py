"""The least value of a function of many states at once, within so many: by chance, by evolution, and downhill."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt

import numpy as np
from scipy.optimize import OptimizeResult, differential_evolution, minimize

from dynamics.checks import Array
from dynamics.record import Record

SPREAD, EVOLVED = 0.15, 0.6
"""Of all states: those that are drawn first, and those that there are once evolution ends."""
FEWEST = 5
"""Members of a generation; where there are fewer, evolution is left out."""
CLOSE = 1e-7
"""Relative: so little do two ways differ that have come to the same value."""
APART = 0.25
"""Of a variable's range: so far do ways begin apart, in one variable at least, that are two."""
STEP = 1e-6
"""Of a variable's range, for the slope."""


@dataclass(frozen=True, eq=False)
class Least(Record):
    """What a search has come to.

    Attributes:
        shares: (d,), where, in [0, 1].
        value: there; infinite where every state that was met is refused.
        evaluations: states that were solved.
        settled: whether another way, begun elsewhere, has come to the same value.
    """

    shares: Array
    value: float
    evaluations: int
    settled: bool


class _Budget(Exception):
    """All states are solved."""


class _Cost:
    """A function of many states at once, which counts them, and keeps the least."""

    def __init__(self, of: Callable[[Array], Array], most: int) -> None:
        self._of, self.left, self.met = of, most, 0
        self.best, self.where = np.inf, np.empty(0)

    def __call__(self, shares: Array) -> Array:
        """(n,) of (n, d); as many as there are left."""
        if not self.left:
            raise _Budget
        asked = shares[: self.left]
        self.left -= len(asked)
        self.met += len(asked)
        values = np.full(len(shares), np.inf)
        found = self._of(asked)
        values[: len(asked)] = np.where(np.isnan(found), np.inf, found)
        if not self.where.size or values.min() < self.best:
            self.best, self.where = float(values.min()), shares[values.argmin()].copy()
        return values


def least(of: Callable[[Array], Array], d: int, most: int, rng: np.random.Generator) -> Least:
    """Search the unit cube of ``d`` axes.

    Some states are drawn by chance. The best of these are the first generation of differential evolution (Storn and
    Price 1997), which has as many generations as each has members: with more members for each variable, as is usual,
    hardly any would follow. What is left goes downhill (L-BFGS-B, Byrd and others 1995) from the best of all, then from
    the best that were drawn. What is smooth is at its end there after some tens of slopes.

    Args:
        of: (n,) values of (n, d) states; nan where there is none.
        d: variables.
        most: states to solve at most.
        rng: for the draws.
    """
    cost = _Cost(of, most)
    ways: list[tuple[Array, float]] = []
    try:
        drawn = rng.random((max(int(SPREAD * most), 1), d))
        values = cost(drawn)
        order = np.argsort(values, kind="stable")
        _evolve(cost, drawn[order], int((EVOLVED - SPREAD) * most), rng)
        rest = drawn[order[np.isfinite(values[order])]]
        for start in [cost.where, *rest[(rest != cost.where).any(axis=1)]]:
            ways.append((start, _downhill(cost, start)))
    except _Budget:
        pass
    near = [start for start, end in ways if abs(end - cost.best) <= CLOSE * abs(cost.best)]
    apart = any(float(np.abs(start - near[0]).max()) > APART for start in near)
    return Least(cost.where, cost.best, cost.met, apart)


def _evolve(cost: _Cost, drawn: Array, states: int, rng: np.random.Generator) -> None:
    members = isqrt(states)
    if not FEWEST <= members <= len(drawn) or not np.isfinite(cost.best):
        return
    told = {"tol": CLOSE, "polish": False, "updating": "deferred", "vectorized": True}
    try:
        differential_evolution(
            lambda shares: cost(np.atleast_2d(shares.T)),
            [(0.0, 1.0)] * drawn.shape[1],
            init=drawn[:members],
            maxiter=max(states // members - 1, 1),
            seed=rng,
            **told,
        )
    except RuntimeError as error:  # so SciPy calls whatever goes wrong within
        raise error.__cause__ or error from None


def _downhill(cost: _Cost, start: Array) -> float:
    """The value at the end of the way down from there."""
    d = len(start)
    scale = max(abs(cost.best), np.finfo(float).tiny)

    def sloped(shares: Array) -> tuple[float, Array]:
        inward = np.where(shares > 0.5, -STEP, STEP)
        values = cost(shares + np.vstack([np.zeros(d), np.diag(inward)])) / scale
        slope = (values[1:] - values[0]) / inward
        return float(values[0]), np.where(np.isfinite(slope), slope, 0.0)

    found: OptimizeResult = minimize(
        sloped, start, jac=True, method="L-BFGS-B", bounds=[(0.0, 1.0)] * d, options={"maxfun": max(cost.left, 1)}
    )
    return float(found.fun) * scale
