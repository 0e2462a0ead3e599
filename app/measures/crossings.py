"""From how many links on one method takes fewer operations than another, and why R87's two lines cross there."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import dynamics as dyn
from app.measures.counts import LAST, Growth, Method
from app.measures.polynomial import through

COUNTED, PUBLISHED = "counted", "published"


@dataclass(frozen=True)
class Crossing:
    """``cheaper`` takes fewer flops than ``other`` from ``first`` links on, and not with one link less.

    Attributes:
        first: 1 where it always does.
        flops: what it takes there.
    """

    kind: str
    cheaper: Method
    other: Method
    first: int
    flops: float


def crossing_of(one: Callable[[float], float], other: Callable[[float], float]) -> int | None:
    """From how many links on, up to the last that is shown, the first takes less; None where it takes more at last."""
    ahead = [one(n) < other(n) for n in range(1, LAST + 1)]
    if not ahead[-1]:
        return None
    return 1 + max((n for n, less in enumerate(ahead, 1) if not less), default=0)


def crossings(growths: Sequence[Growth]) -> list[Crossing]:
    """Of every two methods of a group, by the counts and by the papers."""
    found = []
    for pair in combinations((each for each in growths if not each.method.alone), 2):
        for kind in (PUBLISHED, COUNTED):
            for one, other in (pair, pair[::-1]):
                of_one, of_other = (
                    (each.polynomials if kind == COUNTED else each.published).get("flops") for each in (one, other)
                )
                if of_one is None or of_other is None:
                    continue
                first = crossing_of(of_one, of_other)
                if first is not None:
                    found.append(Crossing(kind, one.method, other.method, first, of_one(first)))
    return found


@dataclass(frozen=True)
class Reason:
    """One way to count R87's batch method, as flops of N, and from where on the filter takes less."""

    words: str
    polynomial: str
    first: int


@functools.cache
def planar_reasons() -> tuple[Reason, ...]:
    """R87 Fig. 4 step by step: from the total that the paper states to what the code does."""
    counts = {n: dyn.count_operations("planar_batch", n) for n in range(1, 7)}
    filters = {n: dyn.count_operations("planar_filter", n) for n in counts}
    paper = {n: count.published for n, count in counts.items()}
    factors = {n: next(row for row in each.rows if row.term == "factors") for n, each in paper.items()}
    pairs = {n: (each.multiplications + each.additions) / 2 for n, each in paper.items()}
    of_factors = {n: (row.published.multiplications + row.published.additions) / 2 for n, row in factors.items()}
    steps: tuple[tuple[str, dict[int, Any]], ...] = (
        ("The total that the paper states", {n: each.flops for n, each in paper.items()}),
        (
            "Its Table III added up: 2N² + 7N flops to assemble the matrix, where the text has 2N(N + 5)",
            {n: pairs[n] + of_factors[n] for n in counts},
        ),
        (
            "Factors as flops, too: N³/6 multiplications and as many additions are N³/6 flops, where the text adds "
            "N³/3 operations to flops",
            pairs,
        ),
        (
            "Counted by running it: N(N − 1)/2 elements below the diagonal where the paper has N(N + 1)/2, the mass "
            "centre turned into the next link's axes, and exact factors",
            {n: count.flops for n, count in counts.items()},
        ),
    )
    own = through({n: count.flops for n, count in filters.items()})
    found = []
    for words, values in steps:
        batch = through(values)
        assert own is not None
        assert batch is not None
        first = crossing_of(own, batch)
        assert first is not None
        found.append(Reason(words, batch.text, first))
    return tuple(found)
