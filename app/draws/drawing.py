"""Many draws of the estimation problem at one posture, a slice at a time, so that memory stays small."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.draws.sums import Sums, sums_of
from dynamics.operators import sample_estimation
from dynamics.operators.estimation import smoothed_force_covariance

Array = NDArray[np.float64]
LARGEST = 2000
"""Draws of one slice, of a machine that is not long."""
ROOM = 24_000
"""Draws times links of one slice: 50 numbers each are in memory at once."""
SEEDS = 1000
"""Slices that one drawing may have: the next drawing's seeds begin behind them."""
MARKS = tuple(dict.fromkeys(round(10.0 ** (0.5 + k / 10)) for k in range(46)))
"""Draws after which the convergence is noted."""


@dataclass(frozen=True, eq=False)
class Theory:
    """What the dynamics say of the draws.

    Attributes:
        variance: (joints,), D(k).
        prediction, corrected, smoothed: (links, 6, 6), P(k), P+(k), and S(k) = P - P Lambda P.
        rows: (joints, 6), H(k).
    """

    variance: Array
    prediction: Array
    corrected: Array
    smoothed: Array
    rows: Array


def theory_of(solution: dyn.Solution) -> Theory:
    """R87 (57), (56), (58) and (65) of a posture."""
    stage = solution.stages["filter"]
    letters = dyn.read_textbook(solution.system, solution.state).letter("H")
    return Theory(
        stage["joint_inertia"],
        stage["articulated_inertia"],
        stage["articulated_inertia_updated"],
        smoothed_force_covariance(solution.system, solution.state),
        np.array([h[0] for h in letters[: solution.system.n_joints]]),
    )


@dataclass(frozen=True, eq=False)
class Slice:
    """What a slice of draws adds.

    Attributes:
        noted: (draws of the slice, (joints,) sum of squared innovations of these) at each mark that lies in it.
        theory: found beside the first slice, else None.
    """

    sums: Sums
    noted: tuple[tuple[int, Array], ...]
    theory: Theory | None


class Drawing:
    """So many draws at the posture of a solution.

    Only ``look`` runs in a thread, and it changes nothing: what it returns is handed to ``accept``.

    Args:
        wanted: how many.
        number: of the drawing: each has seeds of its own.
    """

    def __init__(self, solution: dyn.Solution, time: float, wanted: int, number: int = 0) -> None:
        self.solution, self.time, self.wanted = solution, time, wanted
        self._most = -(-wanted // slice_size(solution.system))
        self._seed = number * SEEDS
        self._slices = 0
        self.sums: Sums | None = None
        self.theory: Theory | None = None
        self.history: list[tuple[int, Array]] = []

    @property
    def system(self) -> dyn.System:
        return self.solution.system

    @property
    def drawn(self) -> int:
        """How many there are so far."""
        return 0 if self.sums is None else self.sums.count

    @property
    def done(self) -> bool:
        return self.drawn >= self.wanted

    @property
    def seeds(self) -> range:
        """Of the slices so far."""
        return range(self._seed, self._seed + self._slices)

    def look(self) -> Slice:
        """The next slice, called from a worker thread."""
        before = self.drawn
        count = self.wanted * (self._slices + 1) // self._most - before  # alike: no slice is left with a single draw
        seed = self._seed + self._slices
        drawn = sample_estimation(self.system, self.solution.state, count, seed)
        squares = np.cumsum(drawn.innovation**2, axis=0)
        noted = tuple((mark - before, squares[mark - before - 1]) for mark in MARKS if before < mark <= before + count)
        return Slice(sums_of(drawn), noted, theory_of(self.solution) if self.theory is None else None)

    def accept(self, found: Slice) -> None:
        """Takes a slice in."""
        before = 0.0 if self.sums is None else np.diag(self.sums.innovations)
        self.history += [(self.drawn + count, before + squares) for count, squares in found.noted]
        self.sums = found.sums if self.sums is None else self.sums + found.sums
        self.theory = found.theory or self.theory
        self._slices += 1

    def convergence(self, link: int) -> tuple[list[int], list[float]]:
        """Draws, and the relative error of the sample variance of the link's innovation after so many."""
        if self.theory is None:
            return [], []
        d = self.theory.variance[link]
        return [count for count, _ in self.history], [
            abs(float(squares[link]) / count / float(d) - 1.0) for count, squares in self.history
        ]


def slice_size(system: dyn.System) -> int:
    """How many draws of a machine are in memory at once."""
    return max(min(ROOM // system.n_links, LARGEST), 100)
