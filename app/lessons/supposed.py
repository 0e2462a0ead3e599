"""What a step only supposes: "2 kg" = "supposed", or "supposed as load", which its expressions then compute with."""

from __future__ import annotations

import re
from collections.abc import Iterable

from app.lessons.lesson import Supposed
from app.lessons.naming import is_taken
from app.lessons.table import Table
from app.lessons.typed import read_typed, unit_in
from app.unit_text import in_si

SUPPOSED = "supposed"
AS = re.compile(rf"{SUPPOSED}(?: +as +(?P<name>.*\S))?\s*")
NAME = re.compile(r"[a-z][a-z0-9_]{0,29}")


def supposed_names(table: Table | None) -> tuple[str, ...]:
    """What the suppositions of ``[numbers]`` are called, before anything that may name them is read."""
    words = () if table is None else (table.words(key) for key in table.keys)
    return tuple(name for name in _names(words) if NAME.fullmatch(name) and not is_taken(name))


def _names(words: Iterable[str]) -> list[str]:
    return [found["name"] for each in words if (found := AS.fullmatch(each)) and found["name"]]


def is_supposed(table: Table, text: str) -> bool:
    """Whether a number is only supposed, with a name or without."""
    return AS.fullmatch(table.words(text)) is not None


def supposed_in(table: Table, text: str) -> Supposed | None:
    """A supposition that has a name, which is noted where it can be none; None where it has no name."""
    for name in _names([table.words(text)]):
        unit = unit_in(text)
        known, read = in_si(unit or "1"), read_typed(text)
        if not NAME.fullmatch(name):
            table.note(text, f"{text}: {name[:30]!r} is no name.", "Use small letters, digits and _: load, angle_2.")
        elif is_taken(name):
            table.note(text, f"{text}: {name} is the name of something else.", "Call it otherwise.")
        elif len(_names(table.words(key) for key in table.keys if table.words(key) == table.words(text))) > 1:
            table.note(text, f"{text}: {name} is supposed twice.", "Give each a name of its own.")
        elif known is None or read is None:
            table.note(text, f"{text}: its unit is none that is known.", "Write it in kg, m, s, N, rad or their like.")
        else:
            return Supposed(name, known[0] * read[0], unit or "1")
    return None
