"""How far a student has come: kept by the browser, and read from it within bounds."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from app.lessons.lesson import Lesson, Step

VERSION = 1
LONGEST = 60_000
"""Characters of what a browser keeps."""
MOST = 9999
"""Tries that are counted."""


Answer = int | str | tuple[int, ...] | None
"""A place, a text, an order; None for a drawing, or where nothing is known of it."""
LONGEST_ANSWER, MOST_PLACES = 60, 99


@dataclass(frozen=True)
class Done:
    """What has been done at one step.

    Attributes:
        tries: answers given; ``hints`` how many were taken.
        right: whether one of the answers was; ``shown`` whether the solution has been looked at.
        answer: the right one, or else the last: as the browser sent it, where it is short.
    """

    tries: int = 0
    hints: int = 0
    right: bool = False
    shown: bool = False
    answer: Answer = None


class Progress:
    """Of every lesson, also of those that are not here just now."""

    def __init__(self) -> None:
        self._done: dict[str, dict[str, Done]] = {}

    def of(self, lesson: Lesson, step: Step) -> Done:
        """At a step."""
        return self._done.get(lesson.name, {}).get(step.name, Done())

    def change(self, lesson: Lesson, step: Step, **changes: Any) -> None:
        """At a step, what is otherwise."""
        self._done.setdefault(lesson.name, {})[step.name] = replace(self.of(lesson, step), **changes)

    def count(self, lesson: Lesson) -> int:
        """Steps that are over: answered or looked up, or only read."""
        return sum(self.is_over(lesson, step) for step in lesson.steps)

    def is_over(self, lesson: Lesson, step: Step) -> bool:
        """Whether a step's question is answered rightly, or its solution shown; of one without, whether it was read."""
        done = self.of(lesson, step)
        return done.right or done.shown

    def is_begun(self, lessons: Iterable[Lesson]) -> bool:
        """Whether anything that is asked there has been answered or looked up, or a hint been taken."""
        return any(
            self.of(lesson, step) != Done() for lesson in lessons for step in lesson.steps if step.question is not None
        )

    def text(self) -> str:
        """As the browser keeps it."""
        lessons = {
            lesson: {step: _numbers(done) for step, done in steps.items()} for lesson, steps in self._done.items()
        }
        return json.dumps({"version": VERSION, "lessons": lessons}, separators=(",", ":"))

    def take(self, text: object) -> None:
        """What the browser has kept, beside what is known here; what it cannot be is left out."""
        if not isinstance(text, str) or len(text) > LONGEST:
            return
        try:
            kept = json.loads(text)
        except (ValueError, RecursionError):
            return
        lessons = kept.get("lessons") if isinstance(kept, dict) and kept.get("version") == VERSION else None
        for lesson, steps in _items(lessons):
            for step, numbers in _items(steps):
                if (done := _done_of(numbers)) is not None:
                    self._done.setdefault(lesson, {}).setdefault(step, done)


def _items(found: object) -> Iterable[tuple[str, Any]]:
    if not isinstance(found, dict):
        return ()
    return [(key, value) for key, value in found.items() if isinstance(key, str) and len(key) <= 60][:200]


def short_answer(found: object) -> Answer:
    """An answer as it is kept, from whatever a browser sends."""
    if type(found) is int and 0 <= found <= MOST_PLACES:
        return found
    if isinstance(found, str) and len(found) <= LONGEST_ANSWER and found.isprintable():
        return found
    if isinstance(found, list) and len(found) <= MOST_PLACES // 10 and all(type(each) is int for each in found):
        return tuple(found)
    return None


def _numbers(done: Done) -> list[object]:
    """Four, and the answer where one is known."""
    numbers: list[object] = [done.tries, done.hints, int(done.right), int(done.shown)]
    return numbers if done.answer is None else [*numbers, done.answer]


def _done_of(numbers: object) -> Done | None:
    if (
        not isinstance(numbers, list)
        or len(numbers) not in (4, 5)
        or any(type(each) is not int for each in numbers[:4])
    ):
        return None
    tries, hints, right, shown = numbers[:4]
    if not (0 <= tries <= MOST and 0 <= hints <= MOST and right in (0, 1) and shown in (0, 1)):
        return None
    return Done(tries, hints, bool(right), bool(shown), short_answer(numbers[4] if len(numbers) > 4 else None))
