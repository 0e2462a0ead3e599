"""A contest: several implementations of the same work, checked against each other, then timed in turns."""

from __future__ import annotations

import gc
import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
QUICK_ROUNDS = 2
"""With at most this many rounds, a contest only shows that everything runs: one call each, meaningless figures."""


@dataclass(frozen=True)
class Contender:
    """``run`` does the work once; ``answer`` is what all contenders must agree on.

    ``exact`` is False for a contender that by design computes something else, such as a soft contact: it is
    timed, its distance is printed, and no claim is based on it.
    """

    name: str
    run: Callable[[], object]
    answer: Callable[[], Array]
    note: str = ""
    exact: bool = True


@dataclass(frozen=True)
class Line:
    contender: str
    median_seconds: float
    fastest_seconds: float
    ratio: float  # our time divided by this one; below 1 ours is faster
    distance: float  # relative difference of its answer from ours
    note: str


@dataclass(frozen=True)
class Claim:
    """A figure and its upper limit; NaN if a peer is missing."""

    what: str
    value: float
    limit: float

    @property
    def verdict(self) -> str:
        if math.isnan(self.value):
            return "not measured: that peer is missing"
        return "holds" if self.value <= self.limit else "DOES NOT HOLD"


@dataclass(frozen=True)
class Result:
    """The result of a contest.

    Attributes:
        unit, scale: how its times are printed; they are stored in seconds.
        limit: a note about limits that are not ratios.
        facts: figures without a limit.
        claims: figures with one.
        curves: name -> ((size, seconds), ...), for the plot.
    """

    title: str
    unit: str
    scale: float
    lines: tuple[Line, ...]
    limit: str = ""
    rounds: int = 0
    facts: dict[str, float] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    curves: dict[str, tuple[tuple[int, float], ...]] = field(default_factory=dict)


class DisagreementError(Exception):
    """Contenders that claim the same work computed different numbers: there is nothing to compare."""


def compete(
    title: str,
    contenders: Sequence[Contender],
    *,
    tolerance: float,
    rounds: int = 15,
    calls: int = 1,
    unit: str = "ms",
    limit: str = "",
    limits: Mapping[str, float] = MappingProxyType({}),
) -> Result:
    """Check, warm up, then time all in turns, ``rounds`` times ``calls`` calls each; the first contender is ours.

    Args:
        tolerance: allowed difference of an exact contender's answer from ours, relative to its largest number.
        limits: contender -> largest cost of ours, as a share of that contender's median.

    Raises:
        DisagreementError: if an exact contender's numbers differ from ours, as it then does other work.
    """
    calls = calls if rounds > QUICK_ROUNDS else 1
    ours = contenders[0].answer()
    distances = []
    for contender in contenders:
        theirs = contender.answer()
        if np.shape(theirs) != np.shape(ours):
            raise DisagreementError(f"{title}: {contender.name} answers with {np.shape(theirs)} numbers, not as ours.")
        distance = float(np.max(np.abs(theirs - ours)) / np.max(np.abs(ours)))
        if contender.exact and not distance < tolerance:
            raise DisagreementError(f"{title}: {contender.name} is off by {distance:.3g}, allowed is {tolerance:g}.")
        distances.append(distance)
    seconds: list[list[float]] = [[] for _ in contenders]
    for contender in contenders:
        contender.run()
    gc.collect()
    gc.disable()
    try:
        for turn in range(rounds):
            for place in range(len(contenders)):
                who = (place + turn) % len(contenders)
                run = contenders[who].run
                start = time.perf_counter()
                for _ in range(calls):
                    run()
                seconds[who].append((time.perf_counter() - start) / calls)
    finally:
        gc.enable()
    medians = [statistics.median(times) for times in seconds]
    lines = tuple(
        Line(contender.name, medians[k], min(seconds[k]), medians[0] / medians[k], distances[k], contender.note)
        for k, contender in enumerate(contenders)
    )
    ratios = {line.contender: line.ratio for line in lines}
    claims = tuple(
        Claim(f"{contenders[0].name} / {name}", ratios.get(name, math.nan), most) for name, most in limits.items()
    )
    return Result(title, unit, {"s": 1.0, "ms": 1e3, "us": 1e6}[unit], lines, limit, rounds, claims=claims)
