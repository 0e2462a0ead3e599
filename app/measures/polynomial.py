"""The polynomial in N that a count is, exactly, or that it is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

DEGREE = 4
"""At most: none of the methods grows faster, and a count at one N more says that it is no accident."""
RAISED = ("", "N", "N²", "N³", "N⁴")
PARTS = 6
"""Whatever a paper's coefficients are shares of: sixths, at the finest."""


@dataclass(frozen=True)
class Polynomial:
    """Coefficients of 1, N, N², …; the last of them is not zero unless it is the only one."""

    coefficients: tuple[Fraction, ...]

    def __sub__(self, other: Polynomial) -> Polynomial:
        return _trimmed(_sum(list(self.coefficients), [-c for c in other.coefficients]))

    def __call__(self, n: float) -> float:
        return float(sum(c * Fraction(n) ** power for power, c in enumerate(self.coefficients)))

    @property
    def text(self) -> str:
        """As one writes it, the highest power first."""
        parts = [
            f"{'−' if c < 0 else '+'} {_term(abs(c), power)}"
            for power, c in reversed(list(enumerate(self.coefficients)))
            if c
        ]
        joined = " ".join(parts).removeprefix("+ ") or "0"
        return f"−{joined[2:]}" if joined.startswith("− ") else joined


def _term(c: Fraction, power: int) -> str:
    return RAISED[power] if c == 1 and power else f"{c} {RAISED[power]}".strip()


def through(values: Mapping[int, float], start: int = 1) -> Polynomial | None:
    """The polynomial of a count at so many links, which every other count bears out; None where there is none.

    Args:
        values: at ``start`` and at least the five numbers of links after it.
    """
    known = {n: Fraction(value).limit_denominator(PARTS) for n, value in values.items()}
    first = [known[n] for n in range(start, start + DEGREE + 1)]
    total: list[Fraction] = []
    basis = [Fraction(1)]  # (N - start)(N - start - 1)... / k!, what Newton's k-th difference is multiplied by
    for k in range(DEGREE + 1):
        total = _sum(total, [first[0] * c for c in basis])
        first = [b - a for a, b in pairwise(first)]
        basis = [c / (k + 1) for c in _sum([Fraction(0), *basis], [-(k + start) * c for c in basis])]
    holds = all(sum(c * n**power for power, c in enumerate(total)) == value for n, value in known.items())
    return _trimmed(total) if holds else None


def _trimmed(coefficients: list[Fraction]) -> Polynomial:
    while len(coefficients) > 1 and not coefficients[-1]:
        coefficients.pop()
    return Polynomial(tuple(coefficients))


def _sum(one: list[Fraction], other: list[Fraction]) -> list[Fraction]:
    longest = max(len(one), len(other))
    padded = [each + [Fraction(0)] * (longest - len(each)) for each in (one, other)]
    return [a + b for a, b in zip(*padded, strict=True)]
