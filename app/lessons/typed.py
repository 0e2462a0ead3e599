"""Numbers that are typed in a lesson's text: where they stand, what they are worth, and when one is right.

In running text every number in digits counts, however it is written (``0.3``, ``0,3``, ``1 000``, ``3·10⁻²``, ``3/4``),
but for those that only name something (``numerals``). Within a formula one with a point, grouped digits or a power of
ten does, one with a unit in roman type, and a whole one that a side of an equation is, but for 0 and 1: any other
whole one there is a law's, an index, a power or a factor. In words counts what has a unit (``ten tonnes``, ``half a
second``), is how many times as much, or of what a machine has a number of, from three on (``seven joints``,
``seven-joint``): two is as often said of both.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from app.lessons.numerals import COUNTED, SPACE, SPELLED, SYMBOL, SYMBOLS, blank, named_in, without_names
from app.lessons.prose import BRACES, CODE, MATHEMATICS
from app.number_text import RAISED, RAISED_TEN

NAMES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
TENS = ("thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
WORDS = {word: value for value, word in enumerate(NAMES)} | {word: 10 * k for k, word in enumerate(TENS, 3)}
SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
SHARES = {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4}
SINGLE = rf"(?:(?:twenty|{'|'.join(TENS)})(?:[ -](?:{'|'.join(NAMES[1:10])}))?|{'|'.join(reversed(NAMES[1:]))})"
SCALED = rf"(?:an?|{SINGLE})(?: (?:{'|'.join(SCALES)})){{1,3}}"
IN_WORDS = rf"\b(?:half an?|half|an? (?:third|quarter) of an?|{SINGLE} and a half|{SCALED}|{SINGLE})\b"
GAP = r"(?:[ ,'\u00a0\u2009\u202f]|\\,|\{,\})"
"""Between three digits and the next three."""
GROUPED = rf"[1-9]\d{{0,2}}(?:{GAP}\d{{3}}){{1,5}}(?!\d)(?:\.\d+)?"
PLAIN = rf"(?:{GROUPED}|\d+[.,]\d+|\d+|(?<!\w)\.\d+)"
TIMES = rf"{SPACE}*(?:[·⋅×*x]|\\cdot|\\times){SPACE}*"
TENFOLD = r"10(?:\^\{?[+\-−]?\d{1,3}\}?|⁻?[⁰¹²³⁴-⁹]{1,3})"
FRACTIONS = {"½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4}
IN_DIGITS = (
    rf"(?:(?<![\w^])(?<!\d[.,])(?:{TENFOLD}|\d+/\d+|{PLAIN}(?:{TIMES}{TENFOLD}|e[+\-−]?\d{{1,3}})?)(?!\d|\.\d)"
    rf"(?=[^A-Za-z_]|{SYMBOLS}(?!\w)|x\b|$)|[{''.join(FRACTIONS)}])"
)
"""Letters at its end are a unit, or it is a word, as 3D is one."""
SIZED = re.compile(
    rf"(?P<digits>{IN_DIGITS})(?:(?:{SPACE}|\$)*(?P<unit>{SYMBOLS}|(?:{SPELLED})\b)|{SPACE}(?P<counted>{COUNTED}))?"
)
EACH = "joint|link|arm|motor"
LARGER = rf"(?:and a half|{'|'.join(SCALES)})\b"
SPOKEN = re.compile(
    rf"(?P<words>{IN_WORDS})\**{SPACE}\**(?P<unit>(?:{SPELLED})\b|{SYMBOLS}(?!\w))|"
    rf"(?P<many>(?!one\b(?! {LARGER}))(?!two\b(?! {LARGER}|\**{SPACE}times\b)){IN_WORDS})\**"
    rf"(?:{SPACE}\**(?P<counted>{COUNTED})|-(?P<each>{EACH})\b(?!-))",
    re.IGNORECASE,
)
"""A word may stand out by its stars, and be a part of a longer one: a seven-joint arm."""
INDICES = re.compile(r"(?<=[\w}])\(\d{1,3}(?:,\s?\d{1,3})*\)|_\{\d{1,3}(?:,\s?\d{1,3})*\}")
"""Of an entry, or of a link: ``D(2)``, ``m(1, 2)``, ``m_{12}``."""
RANKED = re.compile(r"\brank (?:of |is |= ?)?\$?$", re.IGNORECASE)
SIDE_FROM = re.compile(r"(?:[=<>≈]|\\(?:approx|to|leq?|geq?)\b)\s*[+\-−]?\{?$")
SIDE_TO = re.compile(r"\}?\s*(?:[$=,;]|\\(?:q?quad|text|mathrm)\b)")
"""What stands before and behind a number that is a side of an equation by itself."""
FIRST_FROM, FIRST_TO = re.compile(r"\$\s*[+\-−]?$"), re.compile(r"\s*(?:[=<>≈]|\\(?:approx|leq?|geq?)\b)")
"""The same of its first side."""
ROMAN = r"\\(?:mathrm|text)\{"
WITH_UNIT = re.compile(rf"{SPACE}*(?:{ROMAN}\s*)?{SYMBOLS}(?!\w)"), re.compile(rf"{ROMAN}[^{{}}]*$")
"""Behind a number of a formula its unit, and before it where both stand in roman type."""
UNDER_ONE = re.compile(rf"/\(?{SYMBOL}")
"""What makes 1 a part of a unit: 1/kg."""
FAR = 30
"""Characters before a number in which is looked for what it belongs to."""
ALGEBRA = ("0", "1")
SIGNS = (
    *(("newton[ -]met(?:re|er)s?", "N m"), ("kilo(?=g|m)", "k"), ("centi", "c"), ("milli", "m"), ("grams?", "g")),
    *(("met(?:re|er)s?", "m"), ("seconds?", "s"), ("tonnes?", "t"), ("newtons?", "N"), ("joules?", "J")),
    *(("watts?", "W"), ("radians?", "rad"), ("degrees?", "°"), ("percent", "%")),
)
"""Of units that are spelled out."""
OFF = 0.1, 0.02
"""Shares by which one that is said or written as a fraction may be off."""


@dataclass(frozen=True)
class Typed:
    """A number as it stands in a text.

    Attributes:
        number: without its unit, in digits or in words.
        unit: what follows it and is counted or measured; empty for a bare one.
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
    for skipped in (BRACES, CODE, INDICES):
        text = skipped.sub(blank, text)
    formulas = _formulas(text)
    found = [*_in_digits(without_names(text, formulas), formulas), *_in_words(MATHEMATICS.sub(blank, text))]
    yield from sorted(set(found), key=lambda typed: typed.start)


def names_in(text: str) -> Iterator[tuple[str, int, int]]:
    """(joint, link, arm or hand, its number, where it stands) of each that is named in a text."""
    for skipped in (BRACES, CODE):
        text = skipped.sub(blank, text)
    return named_in(text, _formulas(text))


def _formulas(text: str) -> list[tuple[int, int]]:
    """(start, end) of each."""
    return [found.span() for found in MATHEMATICS.finditer(text)]


def _in_digits(text: str, formulas: list[tuple[int, int]]) -> Iterator[Typed]:
    for found in SIZED.finditer(text):
        number, group = found.group("digits"), "unit" if found.group("unit") else "counted"
        unit = found.group(group) or ""
        before = bisect_left(formulas, (found.start(), 0)) - 1
        inside = formulas[before][1] if before >= 0 and found.start() < formulas[before][1] else None
        if unit and inside is not None and found.start(group) < inside:
            unit = ""  # a letter of the formula
        if unit or not _is_of_a_law(text, found, inside is not None):
            yield Typed(number, _plain(unit), found.start(), found.end() if unit else found.end("digits"))


def _is_of_a_law(text: str, found: re.Match[str], is_inside: bool) -> bool:
    """Whether a number without a unit is algebra: a whole one within a formula, 0 or 1 that something equals."""
    number, start, end = found.group("digits"), found.start(), found.end("digits")
    before = max(0, start - FAR)
    if RANKED.search(text, before, start):
        return False
    is_side = SIDE_FROM.search(text, before, start) is not None
    if not is_inside:
        return number in ALGEBRA and (is_side or (number == "1" and bool(UNDER_ONE.match(text, end))))
    if _has_roman_unit(text, before, start, end):
        return False
    is_whole = number.isdecimal() or "/" in number
    is_alone = (is_side and SIDE_TO.match(text, end)) or (
        FIRST_FROM.search(text, before, start) and FIRST_TO.match(text, end)
    )
    return is_whole and (number in ALGEBRA or "/" in number or not is_alone)


def _has_roman_unit(text: str, before: int, start: int, end: int) -> bool:
    """Whether a unit follows a number within a formula: letters in italics there are quantities."""
    behind = WITH_UNIT[0].match(text, end)
    return behind is not None and ("{" in behind.group() or WITH_UNIT[1].search(text, before, start) is not None)


def _in_words(text: str) -> Iterator[Typed]:
    for found in SPOKEN.finditer(text):
        number = found.group("words") or found.group("many")
        unit = found.group("unit") or found.group("counted") or found.group("each")
        yield Typed(" ".join(number.split()), _plain(unit), found.start(), found.end())


def unit_in(text: str) -> str:
    """The unit of the number at the start of a text, in signs; "" for one that has none, and for what is counted."""
    unit = next((typed.unit for typed in typed_in(text) if not typed.start), "")
    for word, sign in SIGNS:
        unit = re.sub(word, sign, unit, flags=re.IGNORECASE)
    return "" if re.fullmatch(rf"{COUNTED}|{EACH}", unit, re.IGNORECASE) else unit


def _plain(unit: str) -> str:
    return " ".join(unit.split())


def read_typed(text: str) -> tuple[float, float] | None:
    """(what the number at the start of a text is worth, by how much it may be off): to the last digit that is written.

    None where no number stands there.
    """
    if found := re.match(rf"([+\-−]?)({IN_DIGITS})", text):
        value, off = _read_digits(found[2])
        return (-value if found[1] in ("-", "−") else value, off) if math.isfinite(value + off) else None
    if found := re.match(IN_WORDS, text, re.IGNORECASE):
        return _read_words(found.group().lower())
    return None


def _read_digits(number: str) -> tuple[float, float]:
    if number in FRACTIONS:
        return FRACTIONS[number], OFF[1] * FRACTIONS[number]
    above, is_fraction, below = number.partition("/")
    if is_fraction:
        value = float(above) / float(below) if float(below) else math.nan
        return value, OFF[1] * value
    number = RAISED_TEN.sub(lambda ten: "10^" + ten[1].translate(RAISED), number.replace("−", "-"))
    if tenfold := re.fullmatch(rf"(?:(.*?){TIMES})?10\^\{{?([+-]?\d+)\}}?", number, re.DOTALL):
        mantissa, power = tenfold[1] or "1", tenfold[2]
    else:
        mantissa, _, power = number.partition("e")
    is_grouped = re.fullmatch(GROUPED, mantissa) is not None
    mantissa = re.sub(GAP, "", mantissa) if is_grouped else mantissa.replace(",", ".")
    last = int(power or 0) - len(mantissa.partition(".")[2])
    return float(f"{mantissa}e{int(power or 0)}"), 0.5 * float(f"1e{last}")


def _read_words(words: str) -> tuple[float, float]:
    value, scale = 0.0, 1
    for word in words.replace("-", " ").split():
        if word in SHARES:
            return value + SHARES[word], OFF[0] * SHARES[word]
        value += WORDS.get(word, 0)
        scale *= SCALES.get(word, 1)
    return (value or 1.0) * scale, 0.5 * scale


def is_right(text: str, true: float) -> bool:
    """Whether the number at the start of a text is the true one, to the last digit that is written."""
    read = read_typed(text)
    return read is not None and abs(true - read[0]) <= read[1] * (1.0 + 1e-9)


def places_of(key: str, text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of wherever a declared number stands in a text, a line's end or a formula's within it or not."""
    words = [re.escape(word) for word in key.split()]
    pattern = r"(?<![\w.^])(?<!\d,)" + r"(?:\s|\\,|~|\$|-)*".join(words) + r"(?![\w]|[.,]\d)"
    text = BRACES.sub(blank, text)
    for found in re.finditer(pattern, without_names(text, _formulas(text)), re.IGNORECASE):
        yield found.span()
