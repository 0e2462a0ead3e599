"""Operation counts of each method as polynomials in N, and where one method becomes cheaper than another."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from types import MappingProxyType

import numpy as np

from dynamics.counting import count_operations

OPERATIONS = ("multiplications", "additions", "divisions", "trigonometric")
FEW = (1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 16)
MANY = (*FEW, 20, 25, 32)
MOST = (*MANY, 40, 50)
LAST = MOST[-1]
DEGREE = 4
"""Highest degree of any method."""
RAISED = ("", "N", "N²", "N³", "N⁴")
PARTS = 12
"""Largest denominator of a coefficient: sixths in the papers, halves of them in flops."""


@dataclass(frozen=True)
class Polynomial:
    """Coefficients of 1, N, N², …; the last of them is not zero unless it is the only one."""

    coefficients: tuple[Fraction, ...]

    def __call__(self, n: float) -> float:
        return float(sum(c * Fraction(n) ** power for power, c in enumerate(self.coefficients)))

    @property
    def text(self) -> str:
        """The usual notation, with the highest power first."""
        parts = [f"{'−' if c < 0 else '+'} {_term(abs(c), power)}" for power, c in enumerate(self.coefficients) if c]
        joined = " ".join(reversed(parts)).removeprefix("+ ") or "0"
        return f"−{joined[2:]}" if joined.startswith("− ") else joined


def _term(c: Fraction, power: int) -> str:
    return RAISED[power] if c == 1 and power else f"{c} {RAISED[power]}".strip()


def trimmed(coefficients: list[Fraction]) -> Polynomial:
    """A polynomial without trailing zeros."""
    while len(coefficients) > 1 and not coefficients[-1]:
        coefficients.pop()
    return Polynomial(tuple(coefficients))


def through(values: Mapping[int, float]) -> Polynomial | None:
    """The polynomial through the counts at one to five links; None if any other count differs."""
    first = np.arange(1, DEGREE + 2)
    solved = np.linalg.solve(np.vander(first, increasing=True), [float(values[n]) for n in first.tolist()])
    found = trimmed([Fraction(c).limit_denominator(PARTS) for c in solved.tolist()])
    exact = {n: Fraction(value).limit_denominator(PARTS) for n, value in values.items()}
    holds = all(sum(c * n**power for power, c in enumerate(found.coefficients)) == exact[n] for n in exact)
    return found if holds else None


@dataclass(frozen=True)
class Method:
    """A method whose operations are counted.

    Attributes:
        lengths: numbers of links, each of which is counted within a moment.
        alone: whether it moves another machine than the others of its group, so that they cannot be compared.
    """

    key: str
    name: str
    lengths: tuple[int, ...] = MOST
    alone: bool = False


@dataclass(frozen=True)
class Group:
    """Methods that solve the same problem for the same arm."""

    name: str
    question: str
    methods: tuple[Method, ...]
    note: str = ""


GROUPS = (
    Group(
        "Forward",
        "From torques to accelerations, on an arm of N turning joints without a special angle.",
        (
            Method("filter_smoother", "filter and smoother"),
            Method("strobing", "modified Newton–Euler, strobed", MANY),
            Method("two_filter", "two filters, base in flight", alone=True),
        ),
    ),
    Group(
        "Inverse",
        "From accelerations to torques, on an arm of N turning joints without a special angle, as Turney, Mudge and "
        "Lee (1980) compare them.",
        (
            Method("newton_euler_modified", "modified Newton–Euler"),
            Method("newton_euler", "Newton–Euler"),
            Method("lagrange", "Lagrange", FEW),
        ),
        "Papers has the tables of that paper, term by term, and which products it leaves out.",
    ),
    Group(
        "Planar",
        "From torques to accelerations, on a planar chain at rest, without gravity: Fig. 4 of Rodriguez (1987).",
        (
            Method("planar_filter", "filter and smoother"),
            Method("planar_batch", "mass matrix, factored and solved", MANY),
        ),
        "The paper's text says 5. Table III and Fig. 4 in Papers say why polynomials cross at 4, counts at 6.",
    ),
)


@dataclass(frozen=True)
class Count:
    """The counts of one method at one number of links; ``published`` is the paper's, as far as it gives them."""

    numbers: Mapping[str, float]
    published: Mapping[str, float]


@functools.lru_cache(maxsize=512)
def counted(method: str, n_links: int) -> Count:
    """Counts once per process, for all sessions."""
    found, paper = count_operations(method, n_links), {}
    if (own := found.published) is not None:
        paper = {name: getattr(own, name) for name in OPERATIONS[:3]}
        paper["flops"] = (own.multiplications + own.additions) / 2 if own.flops is None else own.flops
    numbers = {name: getattr(found, name) for name in (*OPERATIONS, "flops")}
    return Count(MappingProxyType(numbers), MappingProxyType(paper))


@dataclass(frozen=True)
class Growth:
    """A method's flops at each number of links, and its counts and the paper's as polynomials, including "flops"."""

    method: Method
    flops: Mapping[int, float]
    polynomials: Mapping[str, Polynomial]
    published: Mapping[str, Polynomial]


def growth(method: Method) -> Growth:
    """All counts of a method."""
    counts = {n: counted(method.key, n) for n in method.lengths}

    def polynomials(of: Callable[[Count], Mapping[str, float]]) -> dict[str, Polynomial]:
        found = {name: through({n: of(one)[name] for n, one in counts.items()}) for name in of(counts[1])}
        return {name: each for name, each in found.items() if each is not None}

    flops = {n: one.numbers["flops"] for n, one in counts.items()}
    return Growth(method, flops, polynomials(lambda one: one.numbers), polynomials(lambda one: one.published))


def count_group(group: Group) -> Iterator[tuple[Growth, ...] | None]:
    """Counts step by step, short arms first; finally yields the polynomials in N."""
    for n in MOST:
        for method in group.methods:
            if n in method.lengths:
                counted(method.key, n)
                yield None
    yield tuple(map(growth, group.methods))


COUNTED, PUBLISHED = "counted", "published"


@dataclass(frozen=True)
class Crossing:
    """``cheaper`` takes fewer flops than ``other`` from ``first`` links on, 1 if always; ``flops`` there."""

    kind: str
    cheaper: Method
    other: Method
    first: int
    flops: float


def crossings(growths: Sequence[Growth]) -> list[Crossing]:
    """The crossings of all pairs in a group, by the papers and by the counts, up to the largest number of links."""
    found = []
    for pair in combinations((each for each in growths if not each.method.alone), 2):
        for kind in (PUBLISHED, COUNTED):
            for one, other in (pair, pair[::-1]):
                both = [(each.polynomials if kind == COUNTED else each.published).get("flops") for each in (one, other)]
                own, others = both
                if own is None or others is None or own(LAST) >= others(LAST):
                    continue
                first = 1 + max((n for n in range(1, LAST + 1) if own(n) >= others(n)), default=0)
                found.append(Crossing(kind, one.method, other.method, first, own(first)))
    return found
