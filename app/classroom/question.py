"""A question to a class: one of several choices, or a number; what counts as an answer; a question typed in a form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from app.equations.safe_html import words_html
from app.number_text import HOW, number_text, read_with_unit
from app.unit_text import converted

LONGEST_NUMBER, LARGEST = 60, 1e15
"""Characters of a typed number, and the largest that is taken."""
LONGEST_LINE, LONGEST_CHOICE, LONGEST_UNIT = 300, 120, 20
"""Characters of what a lecturer types."""
MOST = 6
"""Choices that a lecturer types."""
TOLERANCE = 0.05
"""Share of the right number by which an answer to a typed question may be off."""


class Reply(NamedTuple):
    """What a follower sends: the random name of its browser, the number of the question, and an answer of any kind."""

    follower: str
    question: str
    answer: Any


class Refusal(ValueError):
    """Why an answer does not count, and the status with which HTTP says so."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


class QuestionError(ValueError):
    """A question that cannot be asked; its words say what is missing."""


@dataclass(frozen=True)
class Choice:
    """One of several.

    Attributes:
        ask, options: HTML that is clean.
        right: places of the right ones; none where nobody has said.
        step: of the lesson that asks, as an address says it; empty for a question typed in a form.
    """

    ask: str
    options: tuple[str, ...]
    right: frozenset[int] = frozenset()
    step: str = ""
    kind = "choice"


@dataclass(frozen=True)
class Number:
    """A number.

    Attributes:
        ask: HTML that is clean.
        unit: plain text; empty for none.
        right: None where nobody has said.
        tolerance: in the unit.
        is_size: whether a sign does not count.
    """

    ask: str
    unit: str = ""
    right: float | None = None
    tolerance: float = 0.0
    step: str = ""
    is_size: bool = False
    kind = "number"


Question = Choice | Number


def bounds_of(question: Question) -> dict[str, Any]:
    """What ``read_answer`` needs of a question."""
    if isinstance(question, Choice):
        return {"kind": question.kind, "options": len(question.options)}
    return {"kind": question.kind, "unit": question.unit}


def read_answer(bounds: Mapping[str, Any], answer: Any) -> float:
    """The place of a choice, or a number in the unit of its question.

    Args:
        bounds: of the question; also what another process says of it.

    Raises:
        Refusal: for anything else.
    """
    if bounds["kind"] == Choice.kind and type(answer) is int and 0 <= answer < bounds["options"]:
        return answer
    if bounds["kind"] != Number.kind:
        raise Refusal(400, "This is no answer to the question.")
    if not isinstance(answer, str) or not answer.strip():
        raise Refusal(400, "Write a number.")
    unit = bounds["unit"]
    found = read_with_unit(answer) if len(answer) <= LONGEST_NUMBER else None
    if found is None:
        raise Refusal(400, f"This is no number: write it as {HOW}{unit and f', in {unit}'}.")
    value = converted(*found, unit or "1") if found[1] else found[0]
    if value is None:
        raise Refusal(400, f"Please give it {f'in {unit}' if unit else 'without a unit'}.")
    if abs(value) > LARGEST:
        raise Refusal(400, f"This is too large: at most {number_text(LARGEST)}.")
    return value


def typed_question(form: Mapping[str, Any]) -> Question:
    """What a lecturer has typed: plain text, with formulas between dollars.

    Args:
        form: ``ask`` and ``kind``; ``option1``, ``option2`` … and the number of the ``right`` one; ``unit``, ``value``.

    Raises:
        QuestionError: for what is no question.
    """

    def line(name: str, longest: int) -> str:
        text = form.get(name, "")
        if not isinstance(text, str) or len(text) > longest:
            raise QuestionError(f"This is too long: at most {longest} characters.")
        return " ".join(text.split())

    ask = words_html(line("ask", LONGEST_LINE))
    if not ask:
        raise QuestionError("Write the question first.")
    if form.get("kind") == Number.kind:
        unit, value = line("unit", LONGEST_UNIT), line("value", LONGEST_NUMBER)
        found = read_with_unit(value) or (float("nan"), "")
        if value and (not abs(found[0]) <= LARGEST or found[1]):
            raise QuestionError("The right answer is no number: write it as 0.35 or 3.5e-1, or leave it empty.")
        return Number(ask, unit, found[0], TOLERANCE * abs(found[0])) if value else Number(ask, unit)
    options = {str(k): text for k in range(1, MOST + 1) if (text := line(f"option{k}", LONGEST_CHOICE))}
    right = line("right", 1)
    if len(options) < 2:
        raise QuestionError("Write at least 2 choices.")
    if len(set(options.values())) < len(options):
        raise QuestionError("Two choices are the same.")
    if right and right not in options:
        raise QuestionError("The choice that is marked as right is empty.")
    marked = frozenset({list(options).index(right)} if right else ())
    return Choice(ask, tuple(map(words_html, options.values())), marked)
