"""How long a study takes, by a try of a few of its rows."""

from __future__ import annotations

import time
from collections.abc import Callable

ENOUGH = 0.1
"""s that a try takes from which a row's time is read."""
LONG = 2.0
"""s of a try that is not repeated: what else a machine does holds it up for less."""
MOST_TRIED = 65_536


def seconds_each(tried: Callable[[int], object], few: int, count: int) -> float:
    """s for each of so many draws, the more the longer: of a try of ``few``, or of as many more as can be timed.

    What takes so long that it can be timed is tried twice: the first may but have waited for its turn.
    """
    while True:
        took = _seconds(tried, few)
        if ENOUGH < took < LONG:
            took = min(took, _seconds(tried, few))
        if took > ENOUGH or few >= min(count, MOST_TRIED):
            return took / few
        few *= 4


def _seconds(tried: Callable[[int], object], few: int) -> float:
    begun = time.perf_counter()
    tried(few)
    return time.perf_counter() - begun
