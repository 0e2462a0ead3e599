"""What a class is asked, what of it a follower gets, and what counts as an answer to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from app.number_text import HOW, number_text, read_with_unit
from app.unit_text import converted

Answer = int | float | tuple[float, ...]
Form = Mapping[str, Any]
"""What followers get of a question: never what is right."""
KNOTS = 25
"""Instants of a curve that is drawn; see ``drawing_pad.js``."""
LONGEST = 60
"""Characters of a typed number."""
LARGEST = 1e15
"""Of a number."""


class Said(NamedTuple):
    """What a follower sends: a random name that its browser has made, of which question, and an answer of any kind."""

    who: str
    number: str
    answer: Any


class Refusal(ValueError):
    """Why an answer does not count, and the status with which HTTP says so."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


@dataclass(frozen=True)
class Chosen:
    """One of several.

    Attributes:
        ask, options: HTML that is clean.
        right: places of the right ones; none where nobody has said.
        kind: whether links of the machine are to be chosen from.
        where: the step of a lesson that asks, as an address says it; there the page goes on when the answer is
            revealed. Empty for a question of one's own.
    """

    ask: str
    options: tuple[str, ...]
    right: frozenset[int] = frozenset()
    kind: Literal["choice", "link"] = "choice"
    where: str = ""

    @property
    def form(self) -> Form:
        """For followers."""
        return {"kind": self.kind, "ask": self.ask, "options": list(self.options)}


@dataclass(frozen=True)
class Typed:
    """A number.

    Attributes:
        unit: as it is written; empty for none.
        right: None where nobody has said.
        tolerance: in the unit.
        in_size: whether a sign does not count.
    """

    ask: str
    unit: str = ""
    right: float | None = None
    tolerance: float = 0.0
    where: str = ""
    in_size: bool = False

    @property
    def form(self) -> Form:
        """For followers."""
        return {"kind": "number", "ask": self.ask, "unit": self.unit}


@dataclass(frozen=True)
class Drawn:
    """A curve over a time.

    Attributes:
        until: s.
        least, most: of the vertical axis.
        right: the true one, evenly over the time.
    """

    ask: str
    unit: str
    until: float
    least: float
    most: float
    right: tuple[float, ...] = ()
    where: str = ""

    @property
    def form(self) -> Form:
        """For followers."""
        axis = {"until": self.until, "least": self.least, "most": self.most}
        return {"kind": "curve", "ask": self.ask, "unit": self.unit, **axis}


@dataclass(frozen=True)
class Ordered:
    """Several that are to be put into order.

    Attributes:
        options: HTML that is clean, as they stand before anybody has moved one.
        right: their places in the right order.
    """

    ask: str
    options: tuple[str, ...]
    right: tuple[int, ...]
    where: str = ""

    @property
    def form(self) -> Form:
        """For followers."""
        return {"kind": "order", "ask": self.ask, "options": list(self.options)}


@dataclass(frozen=True)
class Tried:
    """Something to be done on a page of one's own, whose check says when it is done.

    Attributes:
        step: under which a browser keeps that it is done: lesson and step, "gain/09_task".
        right: the answer of whoever has done it.
    """

    ask: str
    step: str
    where: str
    options: tuple[str, ...] = ("done", "not yet")
    right: frozenset[int] = frozenset({0})

    @property
    def form(self) -> Form:
        """For followers."""
        return {"kind": "task", "ask": self.ask, "options": list(self.options), "step": self.step, "where": self.where}


Asked = Chosen | Typed | Drawn | Ordered | Tried


def read(form: Form, answer: Any) -> Answer:
    """An answer within the bounds of a question.

    Raises:
        Refusal: for anything else.
    """
    match form["kind"]:
        case "choice" | "link" | "task":
            if type(answer) is int and 0 <= answer < len(form["options"]):
                return answer
        case "number":
            return _number(form["unit"], answer)
        case "order":
            is_row = isinstance(answer, list) and all(type(each) is int for each in answer)
            if is_row and sorted(answer) == list(range(len(form["options"]))):
                return tuple(answer)
        case "curve":
            is_row = isinstance(answer, list) and len(answer) == KNOTS
            if is_row and all(type(each) in (int, float) and abs(each) <= LARGEST for each in answer):
                return tuple(min(max(float(each), form["least"]), form["most"]) for each in answer)
    raise Refusal(400, "This is no answer to the question.")


def _number(unit: str, answer: Any) -> float:
    if not isinstance(answer, str) or not answer.strip():
        raise Refusal(400, "Write a number.")
    found = read_with_unit(answer) if len(answer) <= LONGEST else None
    in_unit = f", in {unit}" if unit else ""
    if found is None:
        raise Refusal(400, f"This is no number: write it as {HOW}{in_unit}.")
    typed, given = found
    value = converted(typed, given, unit or "1") if given else typed
    if value is None:
        raise Refusal(400, f"Please give it {f'in {unit}' if unit else 'without a unit'}.")
    if abs(value) > LARGEST:
        raise Refusal(400, f"This is too large: at most {number_text(LARGEST)}.")
    return value
