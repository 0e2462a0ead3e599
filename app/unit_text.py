"""Units as people type them: ``kg m²``, ``kg m^2``, ``kg·m2`` and ``N m s^2`` are the same."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

Powers = dict[str, int]
BASES = ("kg", "g", "t", "km", "m", "cm", "mm", "s", "ms", "min", "h", "K", "A", "V", "°", "%")
UNITS: dict[str, Powers] = {
    **{base: {base: 1} for base in BASES},
    "1": {},
    "rad": {},
    "deg": {"°": 1},
    "N": {"kg": 1, "m": 1, "s": -2},
    "J": {"kg": 1, "m": 2, "s": -2},
    "W": {"kg": 1, "m": 2, "s": -3},
    "Pa": {"kg": 1, "m": -1, "s": -2},
    "Hz": {"s": -1},
}
PREFIXES: Mapping[str, float] = {"m": 1e-3, "k": 1e3, "M": 1e6}
PREFIXED = "N", "J", "W", "Pa", "Hz", "rad"
"""Units that take prefixes. The prefix stays a base of its own: ``mJ`` is not ``m J``, a metre times a joule."""
UNITS |= {prefix + name: {f"{prefix}…": 1, **UNITS[name]} for prefix in PREFIXES for name in PREFIXED}
IN_SI: Mapping[str, tuple[float, str]] = {
    **{f"{prefix}…": (size, "") for prefix, size in PREFIXES.items()},
    "g": (1e-3, "kg"),
    "t": (1e3, "kg"),
    "km": (1e3, "m"),
    "cm": (1e-2, "m"),
    "mm": (1e-3, "m"),
    "ms": (1e-3, "s"),
    "min": (60.0, "s"),
    "h": (3600.0, "s"),
    "°": (math.pi / 180.0, ""),
    "%": (1e-2, ""),
}
"""The SI value of each other base: factor and SI base unit; "" for a pure number."""
RUN = re.compile(r"kg|rad|[NJWms]")
"""Units recognized in letters without gaps, as in ``kgm``."""
PIECE = re.compile(r"[/()]|1(?![\d.])|(?P<letters>[A-Za-z°%]+)(?:\^?(?P<power>[+-]?\d)(?![\d.]))?")
SIGNS = (
    *(("²", "^2"), ("³", "^3"), ("⁻", "^-"), ("¹", "1"), ("^-^", "^-"), ("**", "^"), ("−", "-")),
    *(("·", " "), ("⋅", " "), ("*", " ")),
)


def unit_of(text: str) -> frozenset[tuple[str, int]] | None:
    """Powers of the base units, in any order and notation; None if the text is no unit.

    A radian is 1, so ``rad/s`` equals ``1/s``; a newton is expanded. A slash divides by the next factor only.
    """
    for given, plain in SIGNS:
        text = text.replace(given, plain)
    pieces = list(PIECE.finditer(text))
    if not pieces or PIECE.sub("", text).strip():
        return None
    powers = _product(pieces)
    if powers is None or pieces:
        return None
    return frozenset((base, power) for base, power in powers.items() if power)


def _product(pieces: list[re.Match[str]]) -> Counter[str] | None:
    """The product up to a closing bracket, removed from the front; None if a unit is unknown."""
    powers = Counter[str]()
    while pieces and pieces[0].group() != ")":
        sign = 1
        if pieces[0].group() == "/":
            pieces.pop(0)
            sign = -1
        factor = _factor(pieces)
        if factor is None:
            return None
        for base, power in factor.items():
            powers[base] += sign * power
    return powers


def _factor(pieces: list[re.Match[str]]) -> Counter[str] | None:
    """A unit, a run of units whose last has the power, or a bracket."""
    if not pieces:
        return None
    first = pieces.pop(0)
    if first.group() == "(":
        inner = _product(pieces)
        return inner if inner is not None and pieces and pieces.pop(0).group() == ")" else None
    letters = first["letters"] or first.group()
    names = [letters] if letters in UNITS else RUN.findall(letters)
    if "".join(names) != letters:
        return None
    powers = Counter[str]()
    for place, name in enumerate(names, 1):
        raised = int(first["power"] or 1) if place == len(names) else 1
        for base, power in UNITS[name].items():
            powers[base] += raised * power
    return powers


def is_same_unit(one: str, other: str) -> bool:
    """Whether two texts denote one unit; if either is no known unit, whether they are spelled alike."""
    first, second = unit_of(one), unit_of(other)
    if first is None or second is None:
        return "".join(one.split()) == "".join(other.split())
    return first == second


def in_si(text: str) -> tuple[float, Mapping[str, Fraction]] | None:
    """(its size in SI units, powers of kg, m, s and any other base); None if the text is no unit."""
    powers = unit_of(text)
    if powers is None:
        return None
    size, found = 1.0, Counter[str]()
    for base, power in powers:
        share, of = IN_SI.get(base, (1.0, base))
        size *= share**power
        if of:
            found[of] += power
    return size, {base: Fraction(power) for base, power in found.items() if power}


def converted(value: float, given: str, unit: str) -> float | None:
    """A number converted to another unit, e.g. grams to kilograms; None if the units measure different quantities."""
    if is_same_unit(given, unit):
        return value
    one, other = in_si(given), in_si(unit)
    return value * one[0] / other[0] if one is not None and other is not None and one[1] == other[1] else None
