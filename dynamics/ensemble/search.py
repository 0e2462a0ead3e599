"""The least value of a function of many states at once, within so many: by chance, by evolution, and downhill."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import differential_evolution

from dynamics.checks import Array
from dynamics.ensemble.cost import Budget, Cost
from dynamics.ensemble.downhill import down_the_edges, downhill
from dynamics.record import Record

SPREAD, EVOLVED, EVEN = 0.15, 0.6, 0.4
"""Of all states: those that are drawn first, and those that there are once evolution ends, where the least of several
numbers counts, or the largest, to whose edges evolution does not come.
"""
PROBES, PROBED = 3, 0.1
"""At so many states variables that change nothing are looked for, if that takes no more than this of what is left."""
ROUNDING = 1e-12
"""Relative: what changes a number by less changes nothing."""
FEWEST = 5
"""Members of a generation; where there are fewer, evolution is left out."""
CLOSE = 1e-7
"""Relative: so little do two ways differ that have come to the same value."""
APART = 0.25
"""Of a variable's range: so far do ways begin apart, in one variable at least, that are two."""


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


def least(of: Callable[[Array], Array], d: int, most: int, rng: np.random.Generator, by_least: bool = True) -> Least:
    """Search the unit cube of ``d`` axes.

    Some states are drawn by chance. The best of these are the first generation of differential evolution (Storn and
    Price 1997), which has as many generations as each has members: with more members for each variable, as is usual,
    hardly any would follow. What is left goes downhill from the best of all, then from the best that were drawn. What
    is smooth is at its end there after some tens of slopes.

    The least of several numbers is where one of them is least: each goes downhill by itself, from where it was best.
    The largest of several is least where some of them are equal, at an edge: down that way go all of them at once.

    Args:
        of: (n, m) of (n, d) states, m numbers for each; nan where there is none.
        d: variables.
        most: states to solve at most.
        rng: for the draws.
        by_least: whether the least of a state's numbers counts; otherwise the largest.
    """
    cost = Cost(of, most, by_least)
    ways: list[tuple[Array, float]] = []
    try:
        drawn = rng.random((max(int(SPREAD * most), 1), d))
        entries = cost.entries(drawn)
        values = entries.min(axis=1) if by_least else entries.max(axis=1)
        order = np.argsort(values, kind="stable")
        drawn = drawn[:, _moving(cost, drawn[order], entries[order], rng)]
        _evolve(cost, drawn[order], int((EVOLVED if by_least else EVEN) * most) - cost.met, rng)
        apart = np.unique(entries, axis=1, return_index=True)[1]
        if by_least:
            for start, entry in _starts(cost, drawn, entries, apart):
                ways.append((start, downhill(cost, start, entry)))
        else:
            rest = drawn[order[np.isfinite(values[order])]]
            for start in [cost.start, *rest[(rest != cost.start).any(axis=1)]]:
                ways.append((start, down_the_edges(cost, start, apart)))
    except Budget:
        pass
    near = [start for start, end in ways if abs(end - cost.best) <= CLOSE * abs(cost.best)]
    settled = any(float(np.abs(start - near[0]).max()) > APART for start in near)
    return Least(cost.where, cost.best, cost.met, settled)


def _moving(cost: Cost, drawn: Array, entries: Array, rng: np.random.Generator) -> NDArray[np.bool_]:
    """(d,) which variables change anything: all others are held where they are from now on.

    At some states each is drawn anew, one after the other.
    """
    d = drawn.shape[1]
    there = np.flatnonzero(np.isfinite(entries).all(axis=1))[:: max(len(drawn) // PROBES, 1)][:PROBES]
    free = np.zeros(d, dtype=bool)
    if len(there) == PROBES and PROBES * d <= PROBED * cost.left:
        for at in there:
            others = np.tile(drawn[at], (d, 1))
            np.fill_diagonal(others, rng.random(d))
            size = np.abs(entries[at]).max()
            free |= ~(np.abs(cost.entries(others) - entries[at]) <= ROUNDING * size).all(axis=1)
    if not free.any():
        free[:] = True
    cost.hold(free)
    return free


def _starts(cost: Cost, drawn: Array, entries: Array, apart: NDArray[np.int64]) -> Iterator[tuple[Array, int]]:
    """States to go downhill from, and which number: the best of all; of each number the best, the second, and so on."""
    yield cost.start, int(cost.entries(cost.start[None])[0].argmin()) if len(apart) > 1 else 0
    order = np.argsort(entries[:, apart], axis=0, kind="stable")
    for ranked in order:
        best = entries[ranked, apart]
        for at in np.argsort(best, kind="stable"):
            if np.isfinite(best[at]):
                yield drawn[ranked[at]], int(apart[at])


def _evolve(cost: Cost, drawn: Array, states: int, rng: np.random.Generator) -> None:
    members = isqrt(max(states, 0))
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
