"""How long a study takes, by a try of a few of its rows."""

from __future__ import annotations

import time
from collections.abc import Callable

ENOUGH = 0.1
"""s that a try takes from which a row's time is read."""
MOST_TRIED = 65_536


def seconds_each(tried: Callable[[int], object], few: int, count: int) -> float:
    """s for each of so many draws, the more the longer: of a try of ``few``, or of as many more as can be timed."""
    while True:
        begun = time.perf_counter()
        tried(few)
        took = time.perf_counter() - begun
        if took > ENOUGH or few >= min(count, MOST_TRIED):
            return took / few
        few *= 4
