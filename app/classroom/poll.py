"""A poll: the answers to one question, one of each follower; how they are distributed, and what is right."""

from __future__ import annotations

import html
import math
import re
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.classroom.browser import template
from app.classroom.question import Choice, Number, Question, Refusal, Reply, bounds_of, read_answer
from app.equations.plain_text import flat
from app.number_text import number_text
from app.views.drawn_curve import in_short

FOLLOWER, NUMBER = re.compile(r"[\w-]{22}", re.ASCII), re.compile(r"[0-9a-f]{8}")
"""The name of a follower's browser, and the number of a poll."""
MOST = 2000
"""Followers who may answer one question; as many as may follow (``app.classroom.presentation``)."""
BURST, PER_SECOND = 6.0, 2.0
"""Answers of one follower at once, and then."""
MOST_VALUES, MOST_INTERVALS = 8, 10
"""Different numbers that have a bar each; of more, intervals have."""
FAR, MOST_FAR = 3.0, 5
"""Quartiles' distances beyond the quartiles from which a number is named apart, and of how many."""

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Bar:
    """How many have given an answer, named in HTML that is clean; of numbers those from ``low`` on, below ``high``."""

    label: str
    count: int
    low: float = math.nan
    high: float = math.nan


class Tally(NamedTuple):
    """How a class has answered."""

    total: int
    bars: Sequence[Bar] = ()
    notes: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """All of it for those who hear it."""
        if not self.total:
            return "Nobody has answered."
        bars = "; ".join(f"{flat(bar.label)}: {bar.count}" for bar in self.bars)
        return " ".join([f"{self.total} answer{'' if self.total == 1 else 's'}. {bars}.", *self.notes])


class Poll:
    """One question to the class.

    Attributes:
        number: by which followers tell it from others.
        phase: answers are taken while it is open; shown, their distribution is; revealed, the right answer.
        state: what followers get.
        verdict: what is right, in words, once it is revealed.
    """

    def __init__(self, question: Question, now: Callable[[], float] = time.monotonic) -> None:
        self.question, self.number, self.verdict = question, secrets.token_hex(4), ""
        self.phase: Literal["open", "shown", "revealed"] = "open"
        self.tally, self._right = Tally(0), frozenset[int]()
        self._now = now
        self._answers: dict[str, float] = {}
        self._paces: dict[str, tuple[float, float]] = {}
        self._write()

    def take(self, reply: Reply) -> None:
        """An answer, instead of the one before.

        Raises:
            Refusal: for one that does not count; nothing has changed then.
        """
        if reply.question != self.number or self.phase != "open":
            raise Refusal(409, "This question is closed.")
        if reply.follower not in self._paces and len(self._paces) >= MOST:
            raise Refusal(503, "As many have answered as the server can take.")
        now = self._now()
        left, since = self._paces.get(reply.follower, (BURST, now))
        left = min(left + (now - since) * PER_SECOND, BURST)
        if left < 1.0:
            raise Refusal(429, "That is too fast; try again in a second.")
        self._paces[reply.follower] = (left - 1.0, now)
        self._answers[reply.follower] = read_answer(bounds_of(self.question), reply.answer)

    @property
    def answered(self) -> frozenset[str]:
        """The followers who have."""
        return frozenset(self._answers)

    @property
    def can_reveal(self) -> bool:
        """Whether the answers are shown, and somebody has said what is right."""
        return self.phase == "shown" and self.question.right not in (None, frozenset())

    def close(self) -> None:
        """No more answers; the class sees how they are distributed."""
        if self.phase == "open":
            self.phase, self.tally = "shown", tally_of(self.question, list(self._answers.values()))
            self._write()

    def reveal(self) -> None:
        """The class sees what is right."""
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
    """How answers are distributed."""
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
    return right, f"Right is: {names.strip()}.{share}"


def _has(bar: Bar, value: float, tolerance: float) -> bool:
    return abs(bar.low - value) <= tolerance if bar.low == bar.high else bar.low <= value < bar.high


def _counted(question: Number, answers: Sequence[float]) -> Array:
    values = np.array(answers, dtype=float)
    return np.abs(values) if question.is_size else values


def _tally_of_numbers(values: Array, unit: str) -> Tally:
    """Of sorted numbers: a bar for each, or for each interval, with the ends for those far away."""

    def bar(words: str, count: int, *ends: float) -> Bar:
        return Bar(f"{words} {unit}".strip(), int(count), *ends)

    distinct, counts = np.unique(values, return_counts=True)
    tries = range(3, 10)  # digits, until no two numbers are written alike
    digits = next((n for n in tries if len({number_text(each, digits=n) for each in distinct}) == len(distinct)), 10)
    if len(distinct) <= MOST_VALUES:
        found = zip(distinct.tolist(), counts, strict=True)
        return Tally(len(values), [bar(number_text(each, digits=digits), count, each, each) for each, count in found])
    low, median, high = np.quantile(values, [0.25, 0.5, 0.75])
    spread = high - low or np.ptp(np.quantile(values, [0.1, 0.9])) or abs(median) or 1.0
    below, above = values[values < low - FAR * spread], values[values > high + FAR * spread]
    near = values[len(below) : len(values) - len(above)]
    edges = _edges(float(near[0]), float(near[-1]))
    inside = np.clip(np.searchsorted(edges, near, side="right") - 1, 0, len(edges) - 2)
    texts = [number_text(edge, beside=float(np.abs(edges).max()), digits=digits) for edge in edges]
    rows = zip(pairwise(texts), np.bincount(inside, minlength=len(edges) - 1), pairwise(edges.tolist()), strict=True)
    bars = [bar(f"{one} to {other}", count, *ends) for (one, other), count, ends in rows]
    bars = [bar(f"below {texts[0]}", len(below))] * bool(len(below)) + bars
    bars += [bar(f"above {texts[-1]}", len(above))] * bool(len(above))
    far = [number_text(each, digits=3) for each in (*below, *above)]
    more = f" and {len(far) - MOST_FAR} more" if len(far) > MOST_FAR else ""
    return Tally(len(values), bars, (f"Far from the others: {', '.join(far[:MOST_FAR])}{more}.",) if far else ())


def _edges(least: float, most: float) -> Array:
    """Of intervals whose width is 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10((most - least or abs(most) or 1.0) / MOST_INTERVALS))
    widths = (power * k for k in (1.0, 2.0, 5.0, 10.0, 20.0))
    width = next(each for each in widths if math.floor(most / each) - math.floor(least / each) < MOST_INTERVALS)
    return width * np.arange(math.floor(least / width), math.floor(most / width) + 2, dtype=float)
