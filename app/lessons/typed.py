"""Numbers that are typed in a lesson's text: where they stand, what they are worth, and when one is right.

A number counts as one of the mechanics that has a unit (``0.3 m``, ``ten tonnes``, ``90°``), a decimal point, or a noun
that a machine has a number of (``7 joints``, ``seven joints``), and a rank. What is none: a place (joint 3, step 4), an
equation's number, a whole number within a formula.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.lessons.prose import BRACES, CODE, MATHEMATICS

NAMES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
WORDS = {word: value for value, word in enumerate(NAMES)}
SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
SPELLED = (
    "newton[ -]met(?:re|er)s?|tonnes?|(?:kilo)?grams?|(?:kilo|centi|milli)?met(?:re|er)s?|(?:milli)?seconds?|newtons?|"
    "joules?|watts?|radians?|degrees?|percent"
)
SYMBOL = r"(?:°|%|(?:[kmcµ]?g|[kcmµ]?m|[mµ]?s|k?N|k?J|k?W|[mµ]?rad|k?Hz|k?Pa|t)(?![A-Za-z])(?:\^?[\d²³])?)"
SYMBOLS = rf"(?:1/\(?)?{SYMBOL}(?:[ ·/]{SYMBOL})*\)?"
NOUNS = "joints|links|arms|motors|hands|bodies|contacts|tips|degrees of freedom"
COUNTED = rf"(?:[a-z]+(?<!s) )?(?:{NOUNS})\b"
SPACE = r"(?:\s|\\,|~|-)"
IN_DIGITS = r"(?<![\w.,])\d+(?:\.\d+)?(?:e[+\-−]?\d{1,3})?(?!\w|\.\d)"
SCALED = rf"(?:an?|{'|'.join(WORDS)})(?: (?:{'|'.join(SCALES)})){{1,3}}"
IN_WORDS = rf"\b(?:half an?|half|{SCALED}|{'|'.join(list(WORDS)[1:])})\b"
SIZED = re.compile(
    rf"(?P<digits>{IN_DIGITS})(?:(?:{SPACE}|\$)*(?P<unit>{SYMBOLS}|(?:{SPELLED})\b)"
    rf"|(?<!link .)(?<!hand .)(?<!arm .)(?<!joint .){SPACE}(?P<counted>{COUNTED}))?"
)
SPOKEN = re.compile(
    rf"(?P<words>{IN_WORDS}){SPACE}(?P<unit>(?:{SPELLED})\b)|(?P<many>(?!(?:one|two)\b){IN_WORDS}){SPACE}(?P<counted>{COUNTED})",
    re.IGNORECASE,
)
"""Of what is counted in words from three on: two is as often said of both."""
BESIDE = re.compile(rf"({IN_DIGITS}) (?:to|and|or) $")
"""One that shares the unit of the number behind it."""
RANKED = re.compile(r"\brank (?:of |is |= ?)?\$?$", re.IGNORECASE)
FAR = 30
"""Characters before a number in which is looked for what it belongs to."""
EQUATION = re.compile(r"equations? \(\d+\.\d+\)")


@dataclass(frozen=True)
class Typed:
    """A number as it stands in a text.

    Attributes:
        number: without its unit, in digits or in words.
        unit: what follows it and is counted or measured; empty for a bare decimal.
        start, end: of the number and its unit, characters from the start of the text.
    """

    number: str
    unit: str
    start: int
    end: int

    def __str__(self) -> str:
        gap = "" if self.unit in ("", "°") else " "
        return f"{self.number}{gap}{self.unit}"


def typed_in(text: str) -> Iterator[Typed]:
    """Every number of the mechanics that is typed in a text, in its order."""

    def blank(found: re.Match[str]) -> str:
        return "\x00" * len(found.group())

    for skipped in (BRACES, CODE, EQUATION):
        text = skipped.sub(blank, text)
    formulas = [found.span() for found in MATHEMATICS.finditer(text)]
    found = [*_in_digits(text, formulas), *_in_words(MATHEMATICS.sub(blank, text))]
    yield from sorted(set(found), key=lambda typed: typed.start)


def _in_digits(text: str, formulas: list[tuple[int, int]]) -> Iterator[Typed]:
    for found in SIZED.finditer(text):
        number, group = found.group("digits"), "unit" if found.group("unit") else "counted"
        unit = found.group(group) or ""
        inside = next((stop for start, stop in formulas if start < found.start() < stop), None)
        if unit and inside is not None and found.start(group) < inside:
            unit = ""  # a letter of the formula
        before = max(0, found.start() - FAR)
        if unit and (other := BESIDE.search(text, before, found.start())):
            yield Typed(other.group(1), "", *other.span(1))
        if unit or "." in number or RANKED.search(text, before, found.start()):
            yield Typed(number, _plain(unit), found.start(), found.end() if unit else found.end("digits"))


def _in_words(text: str) -> Iterator[Typed]:
    for found in SPOKEN.finditer(text):
        number = found.group("words") or found.group("many")
        unit = found.group("unit") or found.group("counted")
        yield Typed(" ".join(number.split()), _plain(unit), found.start(), found.end())


def _plain(unit: str) -> str:
    return " ".join(unit.split())


def read_typed(text: str) -> tuple[float, float] | None:
    """(what the number at the start of a text is worth, by how much it may be off): to the last digit that is written.

    None where no number stands there.
    """
    if found := re.match(rf"[+\-−]?{IN_DIGITS}", text):
        number = found.group().replace("−", "-")
        mantissa, _, power = number.partition("e")
        last = int(power or 0) - len(mantissa.partition(".")[2])
        value, off = float(number), 0.5 * float(f"1e{last}")
        return (value, off) if math.isfinite(value + off) else None
    if found := re.match(IN_WORDS, text, re.IGNORECASE):
        first, *scales = found.group().lower().split()
        if first == "half":
            return 0.5, 0.05
        scale = 1
        for each in scales:
            scale *= SCALES[each]
        return float(WORDS.get(first, 1) * scale), 0.5 * scale
    return None


def is_right(text: str, true: float) -> bool:
    """Whether the number at the start of a text is the true one, to the last digit that is written."""
    read = read_typed(text)
    return read is not None and abs(true - read[0]) <= read[1] * (1.0 + 1e-9)


def places_of(key: str, text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of wherever a declared number stands in a text, a line's end or a formula's within it or not."""

    def blank(found: re.Match[str]) -> str:
        return "\x00" * len(found.group())

    words = [re.escape(word) for word in key.split()]
    pattern = r"(?<![\w.])" + r"(?:\s|\\,|~|\$|-)+".join(words) + r"(?![\w]|\.\d)"
    for found in re.finditer(pattern, BRACES.sub(blank, text), re.IGNORECASE):
        yield found.span()
