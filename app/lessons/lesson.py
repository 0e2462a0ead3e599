"""What a lesson is: steps, each a moment of the page, a text, a question, hints, and what is revealed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

from app.lessons.language import Expression

Query = Mapping[str, str]
"""Parameters of an address, as the page itself writes them."""


@dataclass(frozen=True)
class Address:
    """One that a lesson leads to, and where it stands."""

    file: str
    line: int
    query: Query


@dataclass(frozen=True)
class Prose:
    """Markdown with mathematics between dollar signs and expressions between double braces, and where it stands."""

    text: str = ""
    line: int = 1


@dataclass(frozen=True)
class Option:
    """One answer of several.

    Attributes:
        right: when it is the right one.
        say: to whoever chooses it.
    """

    text: Prose
    right: Expression
    say: Prose = Prose()


@dataclass(frozen=True)
class Choice:
    """One of several; of the moment exactly one is right."""

    options: tuple[Option, ...]


@dataclass(frozen=True)
class Mistake:
    """A usual wrong number, and what to say of it."""

    value: Expression
    say: Prose


@dataclass(frozen=True)
class Number:
    """A number.

    Attributes:
        relative: whether ``tolerance`` is a share of the answer, else it is in its unit.
        stated: what the lesson's writer says it is, if anything; a check fails where it is not that.
    """

    answer: Expression
    unit: str
    tolerance: float
    relative: bool
    stated: float | None = None
    mistakes: tuple[Mistake, ...] = ()


@dataclass(frozen=True)
class Pointed:
    """A link that is pointed at, in the world or in a list; ``right`` says of ``link`` whether it is that one."""

    right: Expression


@dataclass(frozen=True)
class Curve:
    """A curve that is drawn before it is shown.

    Attributes:
        of: the quantity, along the run of the moment after.
        until: s, from 0.
        least, most: of the vertical axis.
        tolerance: share of the curve's own range that a drawing may be off on average.
    """

    of: Expression
    unit: str
    until: float
    least: float
    most: float
    tolerance: float


@dataclass(frozen=True)
class Item:
    """One of what is to be ordered; ``by``, where there is one, rises in the right order."""

    text: Prose
    by: Expression | None = None


@dataclass(frozen=True)
class Order:
    """What is to be put into order; the file has the right one."""

    items: tuple[Item, ...]


@dataclass(frozen=True)
class Task:
    """Something to do on the page, until ``until`` holds of what it shows."""

    until: Expression


Question = Choice | Number | Pointed | Curve | Order | Task
KINDS: Mapping[str, type[Question]] = MappingProxyType(
    {"choice": Choice, "number": Number, "link": Pointed, "curve": Curve, "order": Order, "task": Task}
)


class Supposed(NamedTuple):
    """What a step supposes: in the SI, of which unit, and what its expressions call it."""

    name: str
    value: float
    unit: str


@dataclass(frozen=True)
class Declared:
    """A number that is typed in a step's texts, and what must be as large at the moment of each of them.

    Attributes:
        text: as it stands there: "0.3 m".
        value: None for what the step itself supposes, which nothing of the moment can contradict.
        line: where it is declared.
        supposed: what is supposed, where the step's expressions may ask for it by a name.
    """

    text: str
    value: Expression | None
    line: int
    supposed: Supposed | None = None


@dataclass(frozen=True)
class Step:
    """One idea.

    Attributes:
        file: its name within the lesson.
        show: what the page shows before the answer.
        then: what it shows after it.
        ask: the question in words; ``question`` may be None in a step that only tells.
        reveal: what is said after an answer.
        numbers: those that are typed in its texts.
        places: the line of each key of its table.
        is_sound: whether its question has no fault, and can be judged.
    """

    file: str
    title: str
    show: Query
    then: Query
    text: Prose
    ask: str = ""
    question: Question | None = None
    hints: tuple[Prose, ...] = ()
    reveal: Prose = field(default_factory=Prose)
    numbers: tuple[Declared, ...] = ()
    places: Mapping[str, int] = field(default_factory=dict)
    is_sound: bool = True

    def line_of(self, key: str) -> int:
        """Where a key of its table stands in its file."""
        return self.places.get(key, 1)

    @property
    def supposed(self) -> Mapping[str, Supposed]:
        """What it supposes and computes with, by name."""
        return {each.supposed.name: each.supposed for each in self.numbers if each.supposed is not None}

    @property
    def texts(self) -> Iterator[tuple[Prose, bool]]:
        """(text, whether it is said after the answer) of all that a student reads of it."""
        yield from ((each, False) for each in (Prose(self.title, self.line_of("title")), self.text, *self.hints))
        yield Prose(self.ask, self.line_of("ask")), False
        yield self.reveal, True
        match self.question:
            case Choice(options=several) | Order(items=several):
                yield from ((each.text, False) for each in several)
        yield from ((each, True) for each in sayings(self))

    @property
    def name(self) -> str:
        """As progress refers to it, wherever in the lesson it stands."""
        return self.file.rpartition("/")[2].removesuffix(".md")


def sayings(step: Step) -> list[Prose]:
    """What is said to an answer of a step, by which it is."""
    match step.question:
        case Choice(options=options):
            return [each.say for each in options]
        case Number(mistakes=mistakes):
            return [each.say for each in mistakes]
        case _:
            return []


def addresses_of(file: str, show: Query, then: Query, places: Mapping[str, int]) -> list[Address]:
    """What a step leads to, each but once; nothing that names no preset."""
    queries = {"show": show} if then == show else {"show": show, "then": then}
    return [Address(file, places[key], query) for key, query in queries.items() if "preset" in query]


@dataclass(frozen=True)
class Lesson:
    """One lesson.

    Attributes:
        name: of its folder.
        aim: what one will be able to do, in a sentence.
        minutes: of a student's time.
        rank: where it stands in the list.
    """

    name: str
    title: str
    aim: str
    minutes: int
    rank: float
    steps: tuple[Step, ...]


NOTHING: Query = MappingProxyType({})
