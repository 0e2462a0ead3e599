"""The data of a lesson: steps, each a moment of the page with a text and perhaps a question; and numbers in texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from app.lessons.expressions import Expression
from app.unit_text import in_si

Query = Mapping[str, str]  # parameters of an address of the page


class Fault(NamedTuple):
    """A fault in a file of a lesson, in words for its author; line 0 means the whole file."""

    file: str
    line: int
    words: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.words}" if self.line else f"{self.file}: {self.words}"


class LessonError(ValueError):
    """A lesson that cannot be taught, with all its faults."""

    def __init__(self, *faults: Fault) -> None:
        self.faults = faults
        super().__init__("\n".join(map(str, faults)))


class Prose(NamedTuple):
    """Markdown with mathematics between dollar signs and expressions between double braces, and its first line."""

    text: str = ""
    line: int = 1


class Option(NamedTuple):
    """An option that is right if its expression holds, a usual wrong number, or an item to be ordered by its value."""

    text: Prose
    value: Expression | None
    say: Prose


class Question(NamedTuple):
    """A question of one of six kinds: choice, number, link, curve, order or task."""

    kind: str
    value: Expression | None = None  # the answer, the quantity of a curve, or the condition for a link or a task
    options: tuple[Option, ...] = ()  # of a choice, items in the right order, or usual mistakes
    unit: str = "1"
    tolerance: float = 0.0  # in the unit, or a share of the answer or of the range of a curve
    relative: bool = False
    stated: float | None = None  # the number that the author expects
    until: float = 0.0  # s, the end of a curve; its axis goes from least to most
    least: float = 0.0
    most: float = 0.0

    def margin(self, true: float) -> float:
        return self.tolerance * (abs(true) if self.relative else 1.0)


class Step(NamedTuple):
    """One idea. The page shows ``show``, and ``then`` after an answer; ``lines`` has the line of each key.

    ``numbers`` are typed in the texts: each as "0.3 m", with what it must equal, or a name if it is assumed.
    """

    file: str
    title: str
    show: Query
    then: Query
    text: Prose
    ask: Prose
    question: Question | None
    hints: tuple[Prose, ...]
    reveal: Prose
    numbers: tuple[tuple[str, Expression | None, str], ...]
    lines: Mapping[str, int]

    @property
    def name(self) -> str:
        """Its name in a student's progress, independent of its position in the lesson."""
        return self.file.removesuffix(".md")


class Lesson(NamedTuple):
    """One lesson, by the name of its folder; ``aim`` says what a student will be able to do."""

    name: str
    title: str
    aim: str
    minutes: int
    rank: float
    steps: tuple[Step, ...]


WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
ONES = {word: value for value, word in enumerate(WORDS.split())}
SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}


def read_typed(text: str) -> tuple[float, float, str] | None:
    """(value, half of its last digit, unit or noun after it) of the number at the start of a text, if there is one."""
    if found := re.match(r"[+\-−]?\d+(?:\.(\d+))?", text):
        return float(found[0].replace("−", "-")), 0.5 * 10.0 ** -len(found[1] or ""), text[found.end() :].strip()
    words = text.lower().removeprefix("a ").split()
    value, scale = 0, 1
    while words and (words[0] in ONES or words[0] in SCALES):
        word = words.pop(0)
        value, scale = value + ONES.get(word, 0), scale * SCALES.get(word, 1)
    return (float(max(value, 1) * scale), 0.5 * scale, " ".join(words)) if value or scale > 1 else None


def in_si_units(text: str) -> float:
    """The same number in SI units; a count has none."""
    value, _, unit = read_typed(text) or (0.0, 0.0, "")
    return value * (in_si(unit or "1") or (1.0,))[0]
