"""Where a variable may be: anywhere between two numbers, as a law of chance has it, or at each value of a list."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dynamics.checks import Array, brief, listed, number, real_array
from dynamics.errors import ModelError
from dynamics.record import Record

EDGE = 2.0**-40
"""How near a law's share comes to 0 and 1, where some have no number."""
EXPECTED = "a pair (low, high), a frozen distribution of scipy.stats, or a list of values"
MOST_VALUES = 100_000


@dataclass(frozen=True)
class Between(Record):
    """Equally likely from ``low`` to ``high``."""

    low: float
    high: float

    def at(self, share: Array) -> Array:
        """The values below which these shares of the range lie."""
        return self.low + (self.high - self.low) * share


@dataclass(frozen=True)
class Law(Record):
    """As likely as a frozen distribution of ``scipy.stats`` says."""

    distribution: Any

    def at(self, share: Array) -> Array:
        """The values below which these shares of the law lie."""
        law = self.distribution
        inverse = law.icdf if hasattr(law, "icdf") else law.ppf  # SciPy's random variables of 2025, or frozen ones
        return np.asarray(inverse(np.clip(share, EDGE, 1.0 - EDGE)), dtype=float)


@dataclass(frozen=True)
class Listed(Record):
    """Each of several numbers, or words; words count by their place."""

    values: tuple[float, ...] | tuple[str, ...]

    def __len__(self) -> int:
        return len(self.values)

    @property
    def numbers(self) -> Array:
        """The values; of words their places."""
        return np.array([place if isinstance(value, str) else value for place, value in enumerate(self.values)], float)

    def at(self, share: Array) -> Array:
        """The values where these shares of the list end, each as likely as the other."""
        return self.numbers[np.minimum((share * len(self)).astype(int), len(self) - 1)]


Range = Between | Law | Listed


def ends(reach: Range) -> tuple[float, float]:
    """The least and the largest number of a range, but for what a law hardly ever gives."""
    if isinstance(reach, Between):
        return reach.low, reach.high
    values = reach.numbers if isinstance(reach, Listed) else reach.at(np.array([0.0, 1.0]))
    return float(values.min()), float(values.max())


def range_of(value: object, name: str, words: Sequence[str] = ()) -> Range:
    """What a caller says of a variable.

    Args:
        value: a tuple of two numbers, a frozen distribution, or a list or array of values.
        name: of the variable, for messages.
        words: what its values may be, if they are no numbers.

    Raises:
        ModelError: for anything else.
    """
    told = f"over[{brief(name)}]"
    if words:
        wanted = listed(value, told, f"a list of {', '.join(words)}", ModelError)
        if isinstance(value, str) or not wanted or not all(isinstance(one, str) and one in words for one in wanted):
            raise ModelError(f"{told} is {brief(value)}; expected a list of {', '.join(words)}.")
        return Listed(wanted)
    if isinstance(value, tuple) and len(value) == 2:
        low, high = (number(one, told, EXPECTED, ModelError) for one in value)
        if not (low < high and math.isfinite(high - low)):
            raise ModelError(f"{told} is {brief(value)}; expected (low, high) with low below high.")
        return Between(low, high)
    if isinstance(value, list | np.ndarray):
        values = real_array(value, EXPECTED, told, ModelError)
        if values.ndim != 1 or not 0 < len(values) <= MOST_VALUES or not np.isfinite(values).all():
            raise ModelError(f"{told} is {brief(value)}; expected 1 to {MOST_VALUES} finite numbers in a row.")
        return Listed(tuple(values.tolist()))
    if not (hasattr(value, "icdf") or (hasattr(value, "ppf") and hasattr(value, "dist"))):
        raise ModelError(f"{told} is {brief(value)}; expected {EXPECTED}.")
    law = Law(value)
    if not _is_sound(law):
        raise ModelError(f"{told}: this law has no finite number for every share; correct its parameters.")
    return law


def _is_sound(law: Law) -> bool:
    """Whether a law answers each share with a finite number."""
    try:
        values = law.at(np.array([0.0, 0.5, 1.0]))
    except (TypeError, ValueError, ArithmeticError):
        return False
    return values.shape == (3,) and bool(np.isfinite(values).all())
