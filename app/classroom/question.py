"""A question to a class, a choice or a number; which answers are valid; and the poll of the answers."""

from __future__ import annotations

import html
import math
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.classroom.browser import template
from app.equations.safe_html import flat, words_html
from app.number_text import HOW, number_text, read_with_unit
from app.unit_text import converted
from app.views.student_curve import in_short

LONGEST_NUMBER, LARGEST = 60, 1e15  # characters of a typed number, and the largest accepted number
LONGEST_LINE, LONGEST_CHOICE, LONGEST_UNIT = 300, 120, 20  # characters of what a lecturer types
MOST = 6  # choices in the lecturer's form
TOLERANCE = 0.05  # allowed error of an answer to a typed question, as a share of the right number


class Reply(NamedTuple):
    """A follower's message: the random name of its browser, the number of the question, and an answer of any kind."""

    follower: str
    question: str
    answer: Any


class Refusal(ValueError):
    """Why an answer is not valid, with the HTTP status."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


class QuestionError(ValueError):
    """A question that cannot be asked; the message says what is missing."""


@dataclass(frozen=True)
class Choice:
    """A question with several options."""

    ask: str  # sanitized HTML, as are the options
    options: tuple[str, ...]
    right: frozenset[int] = frozenset()  # indices of the right ones; empty if unknown
    step: str = ""  # the lesson's step that asks, as in an address; empty for a question typed in a form
    kind = "choice"


@dataclass(frozen=True)
class Number:
    """A question with a number as its answer."""

    ask: str  # sanitized HTML
    unit: str = ""  # plain text; empty if none
    right: float | None = None  # None if unknown
    tolerance: float = 0.0  # in the unit
    step: str = ""
    is_size: bool = False  # whether the sign is ignored
    kind = "number"


Question = Choice | Number


def bounds_of(question: Question) -> dict[str, Any]:
    """The data of a question that ``read_answer`` needs."""
    if isinstance(question, Choice):
        return {"kind": question.kind, "options": len(question.options)}
    return {"kind": question.kind, "unit": question.unit}


def read_answer(bounds: Mapping[str, Any], answer: Any) -> float:
    """The index of a choice, or a number in the unit of its question.

    Args:
        bounds: of the question; may come from another process.

    Raises:
        Refusal: for any other answer.
    """
    if bounds["kind"] == Choice.kind and type(answer) is int and 0 <= answer < bounds["options"]:
        return answer
    if bounds["kind"] != Number.kind:
        raise Refusal(400, "This is not an answer to the question.")
    if not isinstance(answer, str) or not answer.strip():
        raise Refusal(400, "Write a number.")
    unit = bounds["unit"]
    found = read_with_unit(answer) if len(answer) <= LONGEST_NUMBER else None
    if found is None:
        raise Refusal(400, f"This is not a number: write it as {HOW}{unit and f', in {unit}'}.")
    value = converted(*found, unit or "1") if found[1] else found[0]
    if value is None:
        raise Refusal(400, f"Please give it {f'in {unit}' if unit else 'without a unit'}.")
    if abs(value) > LARGEST:
        raise Refusal(400, f"This is too large: at most {number_text(LARGEST)}.")
    return value


def typed_question(form: Mapping[str, Any]) -> Question:
    """A lecturer's typed question: plain text, with formulas between dollars.

    Args:
        form: ``ask`` and ``kind``; ``option1``, ``option2`` … and the number of the ``right`` one; ``unit``, ``value``.

    Raises:
        QuestionError: for an invalid question.
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
            raise QuestionError("The right answer is not a number: write it as 0.35 or 3.5e-1, or leave it empty.")
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


FOLLOWER, NUMBER = re.compile(r"[\w-]{22}", re.ASCII), re.compile(r"[0-9a-f]{8}")
"""The name of a follower's browser, and the number of a poll."""
MOST_ANSWERS = 2000
"""Followers who may answer one question; as many as may follow (``app.classroom.presentation``)."""
MOST_VALUES, MOST_INTERVALS = 8, 10  # most distinct numbers with a bar each; more are grouped in intervals
DIGITS = 4  # of a number on a bar

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Bar:
    """The count of an answer, labelled in sanitized HTML; for numbers, those from ``low`` on, below ``high``."""

    label: str
    count: int
    low: float = math.nan
    high: float = math.nan


class Tally(NamedTuple):
    """The distribution of a class's answers."""

    total: int
    bars: Sequence[Bar] = ()

    @property
    def words(self) -> str:
        """The whole tally, for a screen reader."""
        if not self.total:
            return "Nobody has answered."
        bars = "; ".join(f"{flat(bar.label)}: {bar.count}" for bar in self.bars)
        return f"{self.total} answer{'' if self.total == 1 else 's'}. {bars}."


class Poll:
    """One question to the class.

    Attributes:
        number: identifies it for followers.
        phase: answers are accepted while it is open; shown, their distribution is visible; revealed, the right answer.
        state: what followers receive.
        verdict: what is right, in words, once it is revealed.
    """

    def __init__(self, question: Question) -> None:
        self.question, self.number, self.verdict = question, secrets.token_hex(4), ""
        self.phase: Literal["open", "shown", "revealed"] = "open"
        self.tally, self._right = Tally(0), frozenset[int]()
        self._answers: dict[str, float] = {}
        self._write()

    def take(self, reply: Reply) -> None:
        """Takes an answer, replacing the follower's previous one.

        Raises:
            Refusal: for an invalid one; nothing changes then.
        """
        if reply.question != self.number or self.phase != "open":
            raise Refusal(409, "This question is closed.")
        if reply.follower not in self._answers and len(self._answers) >= MOST_ANSWERS:
            raise Refusal(503, "The server cannot take more answers.")
        self._answers[reply.follower] = read_answer(bounds_of(self.question), reply.answer)

    @property
    def answered(self) -> frozenset[str]:
        """The followers who have answered."""
        return frozenset(self._answers)

    @property
    def can_reveal(self) -> bool:
        """Whether the answers are shown and the right one is known."""
        return self.phase == "shown" and self.question.right not in (None, frozenset())

    def close(self) -> None:
        """Accepts no more answers; the class sees their distribution."""
        if self.phase == "open":
            self.phase, self.tally = "shown", tally_of(self.question, list(self._answers.values()))
            self._write()

    def reveal(self) -> None:
        """Shows the class what is right."""
        if self.can_reveal:
            self.phase = "revealed"
            self._right, self.verdict = right_of(self.question, list(self._answers.values()), self.tally)
            self._write()

    def html(self, *, is_lecturer: bool) -> str:
        """The question as its reader sees it."""
        return template("question.html").render(
            question=self.question, phase=self.phase, tally=self.tally, right=self._right, verdict=self.verdict,
            can_reveal=self.can_reveal, is_lecturer=is_lecturer,
        )  # fmt: skip

    def _write(self) -> None:
        shown = {"phase": self.phase, "html": self.html(is_lecturer=False)}
        self.state = {"number": self.number, **shown, **bounds_of(self.question)}


def tally_of(question: Question, answers: Sequence[float]) -> Tally:
    """The distribution of answers."""
    if isinstance(question, Choice):
        counts = np.bincount(np.array(answers, dtype=int), minlength=len(question.options))
        return Tally(len(answers), [Bar(*row) for row in zip(question.options, counts.tolist(), strict=True)])
    return _tally_of_numbers(np.sort(_counted(question, answers)), html.escape(question.unit))


def right_of(question: Question, answers: Sequence[float], tally: Tally) -> tuple[frozenset[int], str]:
    """The bars that are right, and what is right in words."""
    if isinstance(question, Choice):
        right, did = question.right, "chose it"
        names = " or ".join(flat(question.options[k]) for k in sorted(right))
        count = sum(answer in right for answer in answers)
    else:
        value, tolerance = question.right or 0.0, question.tolerance
        right = frozenset(k for k, bar in enumerate(tally.bars) if _has(bar, value, tolerance))
        names, did = (
            f"{number_text(value)} {question.unit}",
            f"said so, to within {in_short(tolerance, 4)} {question.unit}",
        )
        count = int(np.sum(np.abs(_counted(question, answers) - value) <= tolerance))
    share = f" {count or 'None'} of {len(answers)} {did.strip()}." if len(answers) else ""
    return right, f"The right answer: {names.strip()}.{share}"


def _has(bar: Bar, value: float, tolerance: float) -> bool:
    return abs(bar.low - value) <= tolerance if bar.low == bar.high else bar.low <= value < bar.high


def _counted(question: Number, answers: Sequence[float]) -> Array:
    values = np.array(answers, dtype=float)
    return np.abs(values) if question.is_size else values


def _tally_of_numbers(values: Array, unit: str) -> Tally:
    """A bar for each number, or, if there are many, for each of equal intervals.

    Args:
        values: sorted.
    """

    def bar(words: str, count: int, low: float, high: float) -> Bar:
        return Bar(f"{words} {unit}".strip(), count, low, high)

    distinct, counts = np.unique(values, return_counts=True)
    if len(distinct) <= MOST_VALUES:
        found = zip(distinct.tolist(), counts.tolist(), strict=True)
        return Tally(len(values), [bar(number_text(each, digits=DIGITS), count, each, each) for each, count in found])
    counts, edges = np.histogram(values, np.linspace(values[0], values[-1], MOST_INTERVALS + 1))
    edges[-1] = np.nextafter(edges[-1], np.inf)  # the last interval includes its upper end
    texts = [number_text(edge, beside=float(np.abs(edges).max()), digits=DIGITS) for edge in edges]
    rows = zip(pairwise(texts), counts.tolist(), pairwise(edges.tolist()), strict=True)
    return Tally(len(values), [bar(f"{one} to {other}", count, *ends) for (one, other), count, ends in rows])
