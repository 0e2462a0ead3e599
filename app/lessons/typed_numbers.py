"""Numbers that a lesson types in its texts, in digits or in words."""

from __future__ import annotations

import re

from app.unit_text import in_si

WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
ONES = {word: value for value, word in enumerate(WORDS.split())}
SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}


def read_typed(text: str) -> tuple[float, float, str] | None:
    """(value, half of its last digit, unit or noun behind it) of the number at the start of a text, if there is one."""
    if found := re.match(r"[+\-−]?\d+(?:\.(\d+))?", text):
        return float(found[0].replace("−", "-")), 0.5 * 10.0 ** -len(found[1] or ""), text[found.end() :].strip()
    words = text.lower().removeprefix("a ").split()
    value, scale = 0, 1
    while words and (words[0] in ONES or words[0] in SCALES):
        word = words.pop(0)
        value, scale = value + ONES.get(word, 0), scale * SCALES.get(word, 1)
    return (float(max(value, 1) * scale), 0.5 * scale, " ".join(words)) if value or scale > 1 else None


def in_si_units(text: str) -> float:
    """The same number in SI units; what is counted has none."""
    value, _, unit = read_typed(text) or (0.0, 0.0, "")
    return value * (in_si(unit or "1") or (1.0,))[0]
