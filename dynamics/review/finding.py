"""One thing that a report has found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dynamics.descriptions.xml import place_of
from dynamics.record import Record
from dynamics.review.draft import Edit

Weight = Literal["wrong", "doubtful", "note"]


@dataclass(frozen=True, eq=False)
class Finding(Record):
    """What is wrong at a place of a robot's file, or likely to be, and what would mend it.

    Attributes:
        kind: what it is, in a word or two, such as ``triangle inequality``; the same for the same fault elsewhere.
        weight: ``wrong`` cannot be, ``doubtful`` can be right, ``note`` says what was made of the file.
        line: in the file, from 1; 0 where nobody knows.
        where: the element, such as ``link 'forearm'``.
        words: what is there.
        remedy: what would mend it; empty where only its author can.
        edits: the same as changes of the file.
        file: that the line is of, where the robot's own includes it; empty for that itself.
        changes: what the edits change, with the numbers before and after, such as ``mass 1 → 2 kg``.
    """

    kind: str
    weight: Weight
    line: int
    where: str
    words: str
    remedy: str = ""
    edits: tuple[Edit, ...] = ()
    file: str = ""
    changes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All of it in one line."""
        line = place_of(self.line, self.file) if self.line else ""
        place = ", ".join(part for part in (line, self.where) if part)
        remedy = f" Remedy: {self.remedy}." if self.remedy else ""
        return f"{place}: {self.words}.{remedy}"
