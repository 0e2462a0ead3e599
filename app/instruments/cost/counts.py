"""Operation counts of each method as polynomials in N, where one method becomes cheaper, and the tables of TML."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.polynomial import Polynomial
from numpy.polynomial.polynomial import polyval

from dynamics.papers import count_operations, critical_path

OPERATIONS = ("multiplications", "additions", "divisions", "trigonometric")
FEW = (1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 16)
MANY = (*FEW, 20, 25, 32)
MOST = (*MANY, 40, 50)
LAST = MOST[-1]
DEGREE = 4  # Highest degree of any method
RAISED = ("", "N", "N²", "N³", "N⁴")
PARTS = 12  # Largest denominator of a coefficient: sixths in the papers, halves of them in flops


class Law(Polynomial):
    """A polynomial in N whose coefficients are fractions."""

    def __call__(self, n: float) -> float:  # type: ignore[override]
        return float(polyval(n, self.coef))  # type: ignore[arg-type]

    @property
    def text(self) -> str:
        """The usual notation, with the highest power first."""
        coefficients = enumerate(self.coef.tolist())
        parts = [f"{'−' if c < 0 else '+'} {_term(abs(c), power)}" for power, c in coefficients if c]
        joined = " ".join(reversed(parts)).removeprefix("+ ") or "0"
        return f"−{joined[2:]}" if joined.startswith("− ") else joined


def _term(c: Fraction, power: int) -> str:
    return RAISED[power] if c == 1 and power else f"{c} {RAISED[power]}".strip()


def through(values: Mapping[int, float], start: int = 1) -> Law | None:
    """The polynomial through the counts at five numbers of links from ``start`` on; None if any other count differs."""
    first = np.arange(start, start + DEGREE + 1)
    solved = np.linalg.solve(np.vander(first, increasing=True), [float(values[n]) for n in first.tolist()])
    found = Law([Fraction(c).limit_denominator(PARTS) for c in solved.tolist()]).trim()
    return found if all(abs(found(n) - value) < 0.1 / PARTS for n, value in values.items()) else None


class Method(NamedTuple):
    """A method whose operations are counted.

    Attributes:
        lengths: numbers of links, each of which is counted within a moment.
        alone: whether it moves another machine than the others of its group, so that they cannot be compared.
    """

    key: str
    name: str
    lengths: tuple[int, ...] = MOST
    alone: bool = False


class Group(NamedTuple):
    """Methods that solve the same problem for the same arm."""

    name: str
    question: str
    methods: tuple[Method, ...]
    note: str = ""


GROUPS = (
    Group(
        "Forward", "From torques to accelerations, on an arm of N turning joints without special angles.",
        (
            Method("filter_smoother", "filter and smoother"),
            Method("strobing", "modified Newton–Euler, strobed", MANY),
            Method("two_filter", "two filters, base in flight", alone=True),
        ),
    ),
    Group(
        "Inverse", "From accelerations to torques, on an arm of N turning joints without special angles, as Turney, "
        "Mudge and Lee (1980) compare them.",
        (
            Method("newton_euler_modified", "modified Newton–Euler"),
            Method("newton_euler", "Newton–Euler"),
            Method("lagrange", "Lagrange", FEW),
        ),
    ),
    Group(
        "Planar",
        "From torques to accelerations, on a planar chain at rest, without gravity: Fig. 4 of Rodriguez (1987).",
        (
            Method("planar_filter", "filter and smoother"),
            Method("planar_batch", "mass matrix, factored and solved", MANY),
        ),
        "The paper's text says 5. Table III and Fig. 4 in Papers explain why the polynomials cross at 4, the counts "
        "at 6.",
    ),
)  # fmt: skip


class Count(NamedTuple):
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


@dataclass(frozen=True, eq=False)
class Growth:
    """A method's flops at each number of links, and its counts and the paper's as polynomials, including "flops"."""

    method: Method
    flops: Mapping[int, float]
    polynomials: Mapping[str, Law]
    published: Mapping[str, Law]


def growth(method: Method) -> Growth:
    counts = {n: counted(method.key, n) for n in method.lengths}
    polynomials, published = (
        {name: law for name in many[1] if (law := through({n: one[name] for n, one in many.items()}))}
        for many in ({n: one[k] for n, one in counts.items()} for k in (0, 1))
    )
    return Growth(method, {n: one.numbers["flops"] for n, one in counts.items()}, polynomials, published)


def count_group(group: Group) -> Iterator[tuple[Growth, ...] | None]:
    """Counts step by step, short arms first; finally yields the polynomials in N."""
    for n in MOST:
        for method in group.methods:
            if n in method.lengths:
                counted(method.key, n)
                yield None
    yield tuple(map(growth, group.methods))


COUNTED, PUBLISHED = "counted", "published"


class Crossing(NamedTuple):
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


Pair = tuple[Law, Law]  # Multiplications and additions
FORMULATIONS: Mapping[str, tuple[int, str, str]] = {
    "lagrange": (
        2, "Lagrange", "The scan of this table is damaged. Adding up the paper's appendix restores it, and what is "
        "legible agrees: 5n, 58n² and 64 of the totals.",
    ),
    "newton_euler": (3, "Newton–Euler", ""),
    "newton_euler_modified": (4, "modified Newton–Euler", ""),
}  # fmt: skip
"""The number, title and note of each one's table."""
AT_ONCE = (
    "One processor for each term of Table 4; counted along the longest chain of work, from N = 2. The scan has lost "
    "one number, the multiplications on the way back; its totals give it: 9n."
)


@dataclass(frozen=True, eq=False)
class TableRow:
    """One term; ``reason``: why the code's count is another, or nothing."""

    term: str
    published: Pair
    counted: Pair
    reason: str = ""

    @property
    def differences(self) -> str:
        """The code's multiplications and additions less the paper's, with their signs; nothing where there is none."""
        laws = [(ours - paper).text for ours, paper in zip(self.counted, self.published, strict=True)]
        return ", ".join(
            f"{law if law.startswith('−') else f'+{law}'} {sign}"
            for law, sign in zip(laws, "×+", strict=True)
            if law != "0"
        )


@dataclass(frozen=True, eq=False)
class PaperTable:
    """One table of TML; ``total`` is its last row."""

    number: int
    title: str
    rows: tuple[TableRow, ...]
    total: TableRow | None
    note: str = ""


def _table(number: int, title: str, note: str, counts: Mapping[int, tuple[Sequence[Any], Any, Any]]) -> PaperTable:
    """A table at any number of links, from its rows and its totals, published and counted, at some."""

    def pair(values: Sequence[Sequence[float]]) -> Pair:
        laws = [through({n: one[k] for n, one in zip(counts, values, strict=True)}, min(counts)) for k in (0, 1)]
        assert laws[0] is not None and laws[1] is not None, values
        return laws[0], laws[1]

    rows, published, ours = zip(*counts.values(), strict=True)
    found = tuple(
        TableRow(same[0].term, pair([row.published for row in same]), pair([row.counted for row in same]),
                 same[0].reason)
        for same in zip(*rows, strict=True)
    )  # fmt: skip
    return PaperTable(number, title, found, TableRow("Total", pair(published), pair(ours)), note)


@functools.cache
def paper_tables() -> tuple[PaperTable, ...]:
    """Tables 1 to 5; counted once in this process."""
    own = []
    for method, (number, title, note) in FORMULATIONS.items():
        whole: list[Any] = [count_operations(method, n) for n in range(1, 7)]
        counts = {
            one.n_links: (
                one.published.rows, *((each.multiplications, each.additions) for each in (one.published, one))
            )
            for one in whole
        }  # fmt: skip
        own.append(_table(number, title, note, counts))
    sums = tuple(TableRow(table.title, table.total.published, table.total.counted) for table in own if table.total)
    paths: dict[int, Any] = {n: critical_path("newton_euler_modified", n) for n in range(2, 9)}
    return (
        PaperTable(1, "three formulations", sums, None, "Tables 2 to 4 show what each difference consists of."),
        *own,
        _table(5, "steps when terms are computed at once", AT_ONCE,
               {n: (path.rows, path.published, path.path) for n, path in paths.items()}),
    )  # fmt: skip
