"""Units as people type them: ``kg m²``, ``kg m^2``, ``kg·m2`` and ``N m s^2`` are one."""

from __future__ import annotations

import re
from collections import Counter

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
RUN = re.compile(r"kg|rad|[NJWms]")
"""What is read of letters without a gap between them, as of ``kgm``."""
PIECE = re.compile(r"[/()]|1(?![\d.])|(?P<letters>[A-Za-z°%]+)(?:\^?(?P<power>[+-]?\d)(?![\d.]))?")
SIGNS = (
    *(("²", "^2"), ("³", "^3"), ("⁻", "^-"), ("¹", "1"), ("^-^", "^-"), ("**", "^"), ("−", "-")),
    *(("·", " "), ("⋅", " "), ("*", " ")),
)


def unit_of(text: str) -> frozenset[tuple[str, int]] | None:
    """Powers of the base units, in whatever order and by whatever signs they are written; None for what is no unit.

    A radian is one, and so a ``rad/s`` a ``1/s``; a newton is what it is made of. A stroke divides by what follows it.
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
    """What stands up to a closing bracket, taken from the front; None for what is not known."""
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
    """A unit, the last of a run of them with its power, or what stands in brackets."""
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
    """Whether two texts are one unit; of what is no known unit, whether they are spelled alike."""
    first, second = unit_of(one), unit_of(other)
    if first is None or second is None:
        return "".join(one.split()) == "".join(other.split())
    return first == second
