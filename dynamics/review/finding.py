"""One thing that a report has found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dynamics.record import Record
from dynamics.review.draft import Edit

Weight = Literal["wrong", "doubtful", "note"]


@dataclass(frozen=True, eq=False)
class Finding(Record):
    """What is wrong at a place of a robot's file, or likely to be, and what would mend it.

    Attributes:
        kind: what it is, in a word or two, such as ``triangle inequality``; the same for the same fault elsewhere.
        weight: ``wrong`` cannot be, ``doubtful`` can but is hardly meant, ``note`` says what was made of the file.
        line: in the file, from 1; 0 where nobody knows.
        where: the element, such as ``link 'forearm'``.
        words: what is there.
        remedy: what would mend it; empty where only its author can.
        edits: the same as changes of the file.
    """

    kind: str
    weight: Weight
    line: int
    where: str
    words: str
    remedy: str = ""
    edits: tuple[Edit, ...] = ()

    @property
    def text(self) -> str:
        """All of it in one line."""
        place = ", ".join(part for part in (f"line {self.line}" if self.line else "", self.where) if part)
        remedy = f" Remedy: {self.remedy}." if self.remedy else ""
        return f"{place}: {self.words}.{remedy}"
