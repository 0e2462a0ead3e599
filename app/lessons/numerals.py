"""Digits that only name something: joint 3, step 4, R87 (37), 1988, PUMA 560, the 2. of a list.

Whatever has a unit behind it, or a noun that a machine has a number of, is no name but a number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

SPELLED = (
    "newton[ -]met(?:re|er)s?|tonnes?|(?:kilo)?grams?|(?:kilo|centi|milli)?met(?:re|er)s?|(?:milli)?seconds?|newtons?|"
    "joules?|watts?|radians?|degrees?(?! of freedom)|percent"
)
"""Units in words."""
RAISED = r"(?:\^\{?[\-−]?\d\}?|⁻?[¹²³⁴])?"
SYMBOL = rf"(?:°|%|(?:[kcmµ]?g|[kcmµ]?m|[mµ]?s|k?N|k?J|k?W|[mµ]?rad|k?Hz|k?Pa|t)(?![A-Za-z]){RAISED})"
SYMBOLS = rf"(?:1/\(?)?{SYMBOL}(?:[ ·/]{SYMBOL})*\)?"
"""A unit in its signs."""
NOUNS = "joints|links|arms|motors|hands|bodies|contacts|tips|degrees of freedom|times"
COUNTED = rf"(?:[a-z]+(?<!s) )?(?:{NOUNS})\b"
"""What is counted, and perhaps of which kind: ``revolute joints``."""
SPACE = r"(?:\s|\\,|~|-)"
MEASURED = rf"(?!{SPACE}*(?:{SYMBOLS}|(?:{SPELLED})\b))"
NUMBERED = r"section|equation|eqs?\.|figure|figs?\.|table|chapter|part|version"
"""What may have a point in its number."""
NAMED = (
    "joint|link|arm|hand|tip|motor|contact|step|lesson|lecture|week|slide|page|line|row|column|hint|option|question|"
    f"exercise|example|problem|task|case|stage|theorem|lemma|law|{NUMBERED}"
)
NOUN = rf"(?i:(?:{NAMED})s?|body|bodies|time)"
MARKS = r"[ \u00a0\n*_~]+"
WHOLE = r"\d{1,3}(?!\w|[.,]\d)"
BRACKETED = r"\(\d{1,3}(?:\.\d{1,3})?[a-z]?\)"
ONE = rf"(?:{WHOLE}|{BRACKETED})\**{MEASURED}"
NEXT = rf"(?:{NOUN}{MARKS})?{ONE}(?!{SPACE}{COUNTED})"
LINKED = r"(?:,? (?:and|or|to|then|nor) |[–-])"
NAMES = re.compile(
    rf"\b(?i:(?:{NAMED})s|bodies){MARKS}{ONE}(?:(?:{LINKED}|,\s){NEXT})*"  # of several, with commas: joints 1, 2 and 3
    rf"|\b{NOUN}{MARKS}{ONE}(?:{LINKED}{NEXT})*"
    rf"|\b(?i:{NUMBERED})s?{MARKS}\d{{1,3}}(?:\.\d{{1,3}})+{MEASURED}"
    rf"|\b[A-Z]\w*,? {BRACKETED}{MEASURED}(?:(?:,| and| to|–) ?{BRACKETED})*"  # R87 (37), (38)
    rf"|\b[A-Z]{{2,}}[ -]\d+(?!\d){MEASURED}(?!{SPACE}{COUNTED})"  # PUMA 560
    rf"|(?<![\w.,])(?:1[89]|20)\d\d(?!\w|[.,]\d){MEASURED}(?!{SPACE}{COUNTED})"  # a year
    r"|^[ \t]*\d{1,3}[.)](?=\s)",  # the number of a row in a list
    re.MULTILINE,
)


COUNTABLE = re.compile(r"(?P<noun>joint|link|arm|hand)s?\b|(?P<other>[a-z.]{4,})|(?P<number>\d+)", re.IGNORECASE)
"""Of a chain of names: what is named next, and its numbers."""


def blank(found: re.Match[str]) -> str:
    """As long as what was found, and nothing."""
    return "\x00" * len(found.group())


def without_names(text: str, formulas: Iterable[tuple[int, int]] = ()) -> str:
    """The text with nothing where digits only name something.

    Args:
        formulas: (start, end) of each, in which nothing is named so.
    """
    for found in NAMES.finditer(_running(text, formulas)):
        text = text[: found.start()] + blank(found) + text[found.end() :]
    return text


def named_in(text: str, formulas: Iterable[tuple[int, int]] = ()) -> Iterator[tuple[str, int, int]]:
    """(joint, link, arm or hand, its number, where that stands) of each that is named in a text.

    Args:
        formulas: (start, end) of each, in which nothing is named so.
    """
    for chain in NAMES.finditer(_running(text, formulas)):
        noun = ""
        for found in COUNTABLE.finditer(chain.group()):
            if found["number"] and noun:
                yield noun, int(found["number"]), chain.start() + found.start()
            elif not found["number"]:
                noun = (found["noun"] or "").lower()


def _running(text: str, formulas: Iterable[tuple[int, int]]) -> str:
    for start, end in formulas:
        text = text[:start] + "\x00" * (end - start) + text[end:]
    return text
