"""What a search pays: each state that is solved, within so many; and the best of what it has got for it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dynamics.checks import Array


class Budget(Exception):
    """All states are solved."""


class Cost:
    """A function of many states at once, which counts them, and keeps the least.

    Args:
        of: (n, m) of (n, d) states, m numbers for each; nan where there is none.
        most: states to solve at most.
        by_least: whether the least of a state's numbers counts; otherwise the largest.
    """

    def __init__(self, of: Callable[[Array], Array], most: int, by_least: bool) -> None:
        self._of, self.left, self.met = of, most, 0
        self._one_of = np.min if by_least else np.max
        self.best, self.where = np.inf, np.empty(0)
        self._free: NDArray[np.bool_] | None = None

    def __call__(self, shares: Array) -> Array:
        """(n,) of (n, d); as many as there are left."""
        return np.asarray(self._one_of(self.entries(shares), axis=1))

    def entries(self, shares: Array) -> Array:
        """(n, m) of (n, d): each number by itself."""
        if not self.left:
            raise Budget
        asked = self._whole(shares[: self.left])
        self.left -= len(asked)
        self.met += len(asked)
        found = self._of(asked)
        entries = np.full((len(shares), found.shape[1]), np.inf)
        entries[: len(asked)] = np.where(np.isnan(found), np.inf, found)
        values = self._one_of(entries, axis=1)
        if not self.where.size or values.min() < self.best:
            self.best, self.where = float(values.min()), asked[min(int(values.argmin()), len(asked) - 1)].copy()
        return entries

    @property
    def start(self) -> Array:
        """The best of all, without what is held fast."""
        return self.where if self._free is None else self.where[self._free]

    def hold(self, free: NDArray[np.bool_]) -> None:
        """From now on only these of the variables are asked for; all others stay where they were best."""
        self._free = free

    def _whole(self, shares: Array) -> Array:
        if self._free is None:
            return shares
        found = np.tile(self.where, (len(shares), 1))
        found[:, self._free] = shares
        return found
