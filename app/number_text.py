"""How the page writes and reads numbers: a few digits, and zero for what is only rounding relative to its neighbors.

``number_text.js`` follows the same rule, for the numbers that are sent to the browser as numbers.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

DIGITS = 4
ROUNDING = 1e-12
"""Share of its largest neighbor below which a number is rounding: four digits more than any posture here loses."""
SMALLEST = 1e-3
"""Smaller numbers are written with a power of ten."""
DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[Ee][+-]?[0-9]+)?")
"""The finite part of XML Schema's double: Python itself also reads digits of any script, and ``1_0``."""
SIGNED = r"[+\-]?[0-9]{1,3}"
TENFOLD = rf"10\s*(?:\^|\*\*)\s*(?:\(\s*({SIGNED})\s*\)|({SIGNED}))"
WITH_UNIT = re.compile(
    rf"([+\-]?[0-9.,]+(?:[eE][+\-]?[0-9]+)?)(?:\s*[·⋅×*xX]\s*{TENFOLD}|\s*/\s*([0-9]+(?:\.[0-9]+)?))?"
    r"(?![0-9.,^])\s*([^0-9\s.,^].*|1\s*/.*)?"
)
"""A number, its power of ten or denominator, and a unit."""
THOUSANDS = re.compile(r"^([+\-]?[0-9]{1,3})((?:[ \u00a0\u2009\u202f][0-9]{3})+)(?![0-9])")
"""Digits in groups of three, as printed."""
RAISED_TEN = re.compile(r"10([⁻⁰¹²³⁴-⁹]+)")
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
HOW = "0.35, 3.5e-1, 3.5·10^-1 or 7/20"
"""The ways to type a number."""


def size_of(values: ArrayLike) -> float:
    """The largest magnitude among neighbors: numbers of one unit that are added up, or shown in one table."""
    sizes = np.abs(np.asarray(values, dtype=float))
    return float(sizes[np.isfinite(sizes)].max(initial=0.0))


def number_text(value: float, beside: float = 0.0, digits: int = DIGITS, padded: bool = False) -> str:
    """A number to ``digits`` digits, with a true minus sign; a dash if it is not finite.

    Args:
        beside: ``size_of`` its neighbors; a number that is only rounding relative to them is 0.
        padded: whether to keep trailing zeros, so that the numbers of a table align.
    """
    if not math.isfinite(value):
        return "–"
    size = abs(value)
    if size <= ROUNDING * beside or size == 0.0:
        return "0"
    text = f"{value:.{digits - 1}e}" if size < SMALLEST else f"{value:#.{digits}g}"
    mantissa, _, exponent = text.partition("e")
    if not padded and "." in mantissa:
        mantissa = mantissa.rstrip("0")
    return (mantissa.rstrip(".") + (f"e{int(exponent)}" if exponent else "")).replace("-", "−")


def beside_numbers(*files: Path) -> str:
    """The JavaScript of a component, file after file, preceded by ``number_text.js`` with its ``written``."""
    return "".join(file.read_text("utf-8") for file in (Path(__file__).with_name("number_text.js"), *files))


def raw_text(value: float) -> str:
    """A number with all digits, for places that show fewer."""
    return repr(float(value)).replace("-", "−") if math.isfinite(value) else ""


def number_html(value: float, beside: float = 0.0, digits: int = DIGITS, padded: bool = False) -> str:
    """The same with all digits in its tooltip."""
    shown = number_text(value, beside, digits, padded)
    return f"<span title='{html.escape(raw_text(value))}'>{shown}</span>"


def row_html(values: Iterable[float], digits: int = DIGITS) -> list[str]:
    """Numbers of one unit, each relative to the others."""
    values = list(values)
    beside = size_of(values)
    return [number_html(value, beside, digits, padded=True) for value in values]


def read_number(text: str) -> float | None:
    """A number from a link or a field; None if it is none."""
    value = float(text) if DECIMAL.fullmatch(text) else math.inf
    return value if math.isfinite(value) else None


def read_with_unit(text: str) -> tuple[float, str] | None:
    """A number as people type it, and the unit after it; None if there is no number.

    It may have a comma or a point, a power of ten (``3·10^-2``, ``3 x 10⁻²``) or a denominator (``3/100``); a full stop
    at the very end is ignored.
    """
    text = RAISED_TEN.sub(lambda ten: "10^" + ten[1].translate(RAISED), text.replace("−", "-"))
    text = re.sub(r"^([+-]?)10(?=\s*(?:\^|\*\*))", r"\g<1>1·10", text.strip().removesuffix(".").strip())
    text = THOUSANDS.sub(lambda found: found[1] + re.sub(r"\s", "", found[2]), text)
    found = WITH_UNIT.fullmatch(text)
    if found is None:
        return None
    number, bracketed, power, below, unit = found.groups()
    value = read_number(number.replace(",", ".") if number.count(",") == 1 and "." not in number else number)
    if value is None or (below and not float(below)):
        return None
    scaled = value / float(below or 1) * float(f"1e{int(bracketed or power or 0)}")
    return (scaled, (unit or "").strip()) if math.isfinite(scaled) else None


def read_index(text: object) -> int | None:
    """A row number as the page itself writes it; None for anything else."""
    return int(text) if isinstance(text, str) and text.isascii() and text.isdecimal() and len(text) < 7 else None
