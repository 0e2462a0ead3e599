"""What comes of a break, in words: a sentence where the table has one, and rules for all others."""

from __future__ import annotations

from dataclasses import dataclass

from dynamics.textbook.breaks import Break
from dynamics.textbook.lines import Line


@dataclass(frozen=True)
class Prose:
    """About one break.

    Attributes:
        expect: what breaks, and why.
        absent: where the part is zero, so that nothing fails; empty where nothing is said of it.
        fails: key of the identity that shows it wherever the part is there at all; empty where none is named.
    """

    expect: str
    absent: str = ""
    fails: str = ""


def prose_of(line: Line, each: Break) -> Prose:
    """What is known of a break."""
    return Prose("")
