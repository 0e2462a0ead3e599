"""What is counted: which methods, at how many links, in pieces that keep nobody waiting."""

from __future__ import annotations

import functools
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import dynamics as dyn
from app.measures.polynomial import Polynomial, through

OPERATIONS = ("multiplications", "additions", "divisions", "trigonometric")
PIECE = 0.05
"""Seconds after which a piece of counting ends."""
FEW = (1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 16)
MANY = (*FEW, 20, 25, 32)
MOST = (*MANY, 40, 50)
LAST = MOST[-1]


@dataclass(frozen=True)
class Method:
    """One that is counted.

    Attributes:
        lengths: at how many links, each within a moment.
        alone: whether it moves another machine than the others of its group, so that nothing is to be compared.
    """

    key: str
    name: str
    lengths: tuple[int, ...] = MOST
    alone: bool = False


@dataclass(frozen=True)
class Group:
    """Methods that answer the same question of the same arm."""

    name: str
    told: str
    methods: tuple[Method, ...]


GROUPS = (
    Group(
        "Forward",
        "From torques to accelerations, on an arm of N turning joints.",
        (
            Method("filter_smoother", "filter and smoother"),
            Method("strobing", "modified Newton–Euler, strobed", MANY),
            Method("two_filter", "two filters, base in flight", alone=True),
        ),
    ),
    Group(
        "Inverse",
        "From accelerations to torques, on an arm of N turning joints: TML's own comparison.",
        (
            Method("newton_euler_modified", "modified Newton–Euler"),
            Method("newton_euler", "Newton–Euler"),
            Method("lagrange", "Lagrange", FEW),
        ),
    ),
    Group(
        "Planar",
        "From torques to accelerations, on R87's chain in a plane, at rest and without gravity: its Fig. 4.",
        (
            Method("planar_filter", "filter and smoother"),
            Method("planar_batch", "mass matrix, factored and solved", MANY),
        ),
    ),
)


@dataclass(frozen=True)
class Count:
    """Of one method at one number of links.

    Attributes:
        published: the paper's own, as far as it has them; of its flops, what it states itself.
    """

    numbers: Mapping[str, int]
    flops: float
    published: Mapping[str, float]


@functools.lru_cache(maxsize=512)
def counted(method: str, n_links: int) -> Count:
    """Counted once in this process: it is the same for everybody."""
    found = dyn.count_operations(method, n_links)
    paper: dict[str, float] = {}
    if found.published is not None:
        own = found.published
        paper = {name: getattr(own, name) for name in OPERATIONS[:3]}
        paper["flops"] = (own.multiplications + own.additions) / 2 if own.flops is None else own.flops
    numbers = {name: getattr(found, name) for name in OPERATIONS}
    return Count(MappingProxyType(numbers), found.flops, MappingProxyType(paper))


@dataclass(frozen=True)
class Growth:
    """One method's counts, and what they are of N.

    Attributes:
        flops: by count, at each of ``lengths``.
        polynomials, published: of each of ``OPERATIONS``, and of "flops".
    """

    method: Method
    lengths: tuple[int, ...]
    flops: tuple[float, ...]
    polynomials: Mapping[str, Polynomial]
    published: Mapping[str, Polynomial]


def growth(method: Method, counts: Mapping[int, Count]) -> Growth:
    """Of all counts of a method."""
    ones = list(counts.values())
    own = {name: through({n: one.numbers[name] for n, one in counts.items()}) for name in OPERATIONS}
    own["flops"] = through({n: one.flops for n, one in counts.items()})
    paper = {name: through({n: one.published[name] for n, one in counts.items()}) for name in ones[0].published}
    return Growth(
        method,
        tuple(counts),
        tuple(one.flops for one in ones),
        {name: each for name, each in own.items() if each is not None},
        {name: each for name, each in paper.items() if each is not None},
    )


class Counting:
    """All counts of a group, piece by piece."""

    def __init__(self, group: Group) -> None:
        self.group = group
        # Short arms of every method first: one sees early where it goes.
        self._wanted = sorted(
            ((method, n) for method in group.methods for n in method.lengths), key=lambda one: (one[1], one[0].key)
        )
        self._found: dict[Method, dict[int, Count]] = {method: {} for method in group.methods}

    @property
    def share(self) -> float:
        """How much is counted, 0 to 1."""
        return sum(map(len, self._found.values())) / len(self._wanted)

    @property
    def done(self) -> bool:
        """Whether everything is counted."""
        return self.share == 1.0

    def look(self) -> list[Count]:
        """The next few counts; for a thread, changes nothing."""
        begun, found = time.monotonic(), []
        for method, n in self._wanted[sum(map(len, self._found.values())) :]:
            found.append(counted(method.key, n))
            if time.monotonic() > begun + PIECE:
                break
        return found

    def accept(self, found: Sequence[Count]) -> None:
        """Takes in what ``look`` has found."""
        start = sum(map(len, self._found.values()))
        for (method, n), one in zip(self._wanted[start:], found, strict=False):
            self._found[method][n] = one

    def growths(self) -> tuple[Growth, ...]:
        """Of every method; when all is counted."""
        return tuple(growth(method, counts) for method, counts in self._found.items())
