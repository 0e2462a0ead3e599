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

CHOICE, NUMBER = "choice", "number"  # kinds of question
FOLLOWER, POLL = re.compile(r"[\w-]{22}", re.ASCII), re.compile(r"[0-9a-f]{8}")
"""The name of a follower's browser, and the number of a poll."""
LONGEST_NUMBER, LARGEST = 60, 1e15  # characters of a typed number, and the largest accepted number
LONGEST_LINE, LONGEST_CHOICE, LONGEST_UNIT = 300, 120, 20  # characters of what a lecturer types
MOST = 6  # choices in the lecturer's form
TOLERANCE = 0.05  # allowed error of an answer to a typed question, as a share of the right number
Array = NDArray[np.float64]


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
class Question:
    """A question with several options, or without any: then its answer is a number."""

    ask: str  # sanitized HTML, as are the options
    options: tuple[str, ...] = ()
    right: frozenset[int] | float | None = None  # indices of the right options, or the number; None if unknown
    unit: str = ""  # of a number, plain text; empty if none
    tolerance: float = 0.0  # in the unit
    is_size: bool = False  # whether a number's sign is ignored
    step: str = ""  # the lesson's step that asks, as in an address; empty for a question typed in a form

    @property
    def bounds(self) -> dict[str, Any]:
        """What ``read_answer`` needs."""
        return {"kind": CHOICE if self.options else NUMBER, "options": len(self.options), "unit": self.unit}

    def counted(self, answers: Sequence[float]) -> Array:
        """Numbers, without their signs if these are ignored."""
        values = np.array(answers, dtype=float)
        return np.abs(values) if self.is_size else values


def read_answer(bounds: Mapping[str, Any], answer: Any) -> float:
    """The index of a choice, or a number in the unit of its question; raises Refusal for anything else."""
    if bounds["kind"] == CHOICE and type(answer) is int and 0 <= answer < bounds["options"]:
        return answer
    if bounds["kind"] != NUMBER:
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
    """A lecturer's typed question, with formulas between dollars; raises QuestionError for an invalid one."""

    def line(name: str, longest: int) -> str:
        text = form.get(name, "")
        if not isinstance(text, str) or len(text) > longest:
            raise QuestionError(f"This is too long: at most {longest} characters.")
        return " ".join(text.split())

    ask = words_html(line("ask", LONGEST_LINE))
    if not ask:
        raise QuestionError("Write the question first.")
    if form.get("kind") == NUMBER:
        unit, value = line("unit", LONGEST_UNIT), line("value", LONGEST_NUMBER)
        found = read_with_unit(value) or (float("nan"), "")
        if value and (not abs(found[0]) <= LARGEST or found[1]):
            raise QuestionError("The right answer is not a number: write it as 0.35 or 3.5e-1, or leave it empty.")
        return Question(ask, (), found[0] if value else None, unit, TOLERANCE * abs(found[0]) if value else 0.0)
    options = {str(k): text for k in range(1, MOST + 1) if (text := line(f"option{k}", LONGEST_CHOICE))}
    right = line("right", 1)
    if len(options) < 2:
        raise QuestionError("Write at least 2 choices.")
    if len(set(options.values())) < len(options):
        raise QuestionError("Two choices are the same.")
    if right and right not in options:
        raise QuestionError("The choice that is marked as right is empty.")
    marked = frozenset({list(options).index(right)}) if right else None
    return Question(ask, tuple(map(words_html, options.values())), marked)


MOST_ANSWERS = 2000
"""Followers who may answer one question; as many as may follow (``app.classroom.presentation``)."""
MOST_VALUES, MOST_INTERVALS = 8, 10  # most distinct numbers with a bar each; more are grouped in intervals
DIGITS = 4  # of a number on a bar


@dataclass(frozen=True)
class Bar:
    """The count of an answer, labelled in sanitized HTML; for numbers, those from ``low`` on, below ``high``."""

    label: str
    count: int
    low: float = math.nan
    high: float = math.nan

    def has(self, value: float, tolerance: float) -> bool:
        """Whether a number belongs to it, or is as near to its own as allowed."""
        return abs(self.low - value) <= tolerance if self.low == self.high else self.low <= value < self.high


class Tally(NamedTuple):
    """The distribution of a class's answers."""

    total: int
    bars: Sequence[Bar] = ()

    @property
    def words(self) -> str:
        if not self.total:
            return "Nobody has answered."
        bars = "; ".join(f"{flat(bar.label)}: {bar.count}" for bar in self.bars)
        return f"{self.total} answer{'' if self.total == 1 else 's'}. {bars}."


class Poll:
    """One question to the class; ``state`` is what followers receive.

    Answers are accepted while it is open; their distribution is visible when shown, the ``verdict`` when revealed.
    """

    def __init__(self, question: Question) -> None:
        self.question, self.number, self.verdict = question, secrets.token_hex(4), ""
        self.phase: Literal["open", "shown", "revealed"] = "open"
        self.tally, self._right = Tally(0), frozenset[int]()
        self._answers: dict[str, float] = {}
        self._write()

    def take(self, reply: Reply) -> None:
        """Takes an answer instead of the follower's previous one; raises Refusal for an invalid one."""
        if reply.question != self.number or self.phase != "open":
            raise Refusal(409, "This question is closed.")
        if reply.follower not in self._answers and len(self._answers) >= MOST_ANSWERS:
            raise Refusal(503, "The server cannot take more answers.")
        self._answers[reply.follower] = read_answer(self.question.bounds, reply.answer)

    @property
    def answered(self) -> frozenset[str]:
        return frozenset(self._answers)

    @property
    def can_reveal(self) -> bool:
        return self.phase == "shown" and self.question.right is not None

    def close(self) -> None:
        if self.phase == "open":
            self.phase, self.tally = "shown", tally_of(self.question, list(self._answers.values()))
            self._write()

    def reveal(self) -> None:
        if self.can_reveal:
            self.phase = "revealed"
            self._right, self.verdict = right_of(self.question, list(self._answers.values()), self.tally)
            self._write()

    def html(self, *, is_lecturer: bool) -> str:
        return template("question.html").render(
            question=self.question, phase=self.phase, tally=self.tally, right=self._right, verdict=self.verdict,
            can_reveal=self.can_reveal, is_lecturer=is_lecturer,
        )  # fmt: skip

    def _write(self) -> None:
        shown = {"phase": self.phase, "html": self.html(is_lecturer=False)}
        self.state = {"number": self.number, **shown, **self.question.bounds}


def tally_of(question: Question, answers: Sequence[float]) -> Tally:
    """A bar for each option, or for each number; if these are many, for each of equal intervals."""
    if question.options:
        counts = np.bincount(np.array(answers, dtype=int), minlength=len(question.options)).tolist()
        return Tally(len(answers), [Bar(*row) for row in zip(question.options, counts, strict=True)])
    values, unit = question.counted(answers), html.escape(question.unit)
    lows, counts = np.unique(values, return_counts=True)
    highs, texts = lows, [number_text(each, digits=DIGITS) for each in lows.tolist()]
    if len(lows) > MOST_VALUES:
        counts, edges = np.histogram(values, MOST_INTERVALS)
        ends = [number_text(edge, beside=float(np.abs(edges).max()), digits=DIGITS) for edge in edges]
        edges[-1] = np.nextafter(edges[-1], np.inf)  # the last interval includes its upper end
        lows, highs, texts = edges[:-1], edges[1:], [f"{one} to {other}" for one, other in pairwise(ends)]
    rows = zip(texts, counts.tolist(), lows.tolist(), highs.tolist(), strict=True)
    return Tally(len(values), [Bar(f"{words} {unit}".strip(), *row) for words, *row in rows])


def right_of(question: Question, answers: Sequence[float], tally: Tally) -> tuple[frozenset[int], str]:
    """The bars that are right, and what is right in words."""
    if isinstance(question.right, frozenset):
        right, did = question.right, "chose it"
        names = " or ".join(flat(question.options[k]) for k in sorted(right))
        count = sum(answer in right for answer in answers)
    else:
        value, tolerance, unit = question.right or 0.0, question.tolerance, question.unit
        right = frozenset(k for k, bar in enumerate(tally.bars) if bar.has(value, tolerance))
        names, did = f"{number_text(value)} {unit}", f"said so, to within {in_short(tolerance, 4)} {unit}"
        count = int(np.sum(np.abs(question.counted(answers) - value) <= tolerance))
    share = f" {count or 'None'} of {len(answers)} {did.strip()}." if len(answers) else ""
    return right, f"The right answer: {names.strip()}.{share}"
