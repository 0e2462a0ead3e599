"""A link to a step that says no more, or *Lessons* besides: the page opens as if the step had been chosen there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.lessons.folder import offered
from app.lessons.lesson import Lesson, Query
from app.lessons.staged import PREDICTED
from app.number_text import read_index


def step_at(where: str, lessons: Iterable[Lesson]) -> tuple[Lesson, int] | None:
    """The lesson of ``gain:3`` and the place of its step from 0, or None where there is no such lesson."""
    name, _, place = where.partition(":")
    lesson = next((each for each in lessons if each.name == name), None)
    at = (read_index(place) or 1) - 1
    return None if lesson is None else (lesson, min(at, len(lesson.steps) - 1))


def linked(query: Mapping[str, str], tab: str) -> Query:
    """What a page opens with: of an address that says a step alone, what that step shows before an answer.

    Args:
        tab: the name of *Lessons* itself.
    """
    says_nothing_more = set(query) <= {"lesson", "tab"} and query.get("tab", tab) == tab
    found = step_at(query["lesson"], offered()[0]) if says_nothing_more and "lesson" in query else None
    if found is None:
        return query
    lesson, at = found
    step = lesson.steps[at]
    shown = {**PREDICTED, **step.show} if step.question is not None else step.show
    beside = {"beside": shown["tab"]} if "tab" in shown else {}
    return {**shown, **beside, "tab": tab, "lesson": f"{lesson.name}:{at + 1}"}
