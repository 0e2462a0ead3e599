"""A question of one's own, typed on the spot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.asking.asked import LARGEST, Asked, Chosen, Typed
from app.equations.cleaning import words_html
from app.number_text import read_with_unit

LONGEST, LONGEST_OPTION, LONGEST_UNIT = 300, 120, 20
FEWEST, MOST = 2, 6
"""Choices."""
TOLERANCE = 0.05
"""Share of the right number by which an answer may be off."""


class QuestionError(ValueError):
    """A question that cannot be asked; its words say what is missing."""


def own_question(said: Mapping[str, Any]) -> Asked:
    """What a lecturer has typed: plain text, whatever is in it, and formulas between dollars.

    Args:
        said: ``ask`` and ``kind``; ``options`` and the place of the ``right`` one, -1 for none; or ``unit``, ``value``.

    Raises:
        QuestionError: for what is no question.
    """
    ask = words_html(_line(said.get("ask"), LONGEST))
    if not ask:
        raise QuestionError("Write the question first.")
    if said.get("kind") == "number":
        return _number(ask, said)
    options, right = said.get("options"), said.get("right")
    if said.get("kind") != "choice" or not isinstance(options, list) or len(options) > MOST:
        raise QuestionError(f"A question has {FEWEST} to {MOST} choices, or asks for a number.")
    lines = [_line(each, LONGEST_OPTION) for each in options]
    kept = [line for line in lines if line]
    if len(kept) < FEWEST:
        raise QuestionError(f"Write at least {FEWEST} choices.")
    if len(set(kept)) < len(kept):
        raise QuestionError("Two choices are the same.")
    is_right = type(right) is int and 0 <= right < len(lines)
    if is_right and not lines[right]:  # type: ignore[index]
        raise QuestionError("The choice that is marked as right is empty.")
    places = frozenset({kept.index(lines[right])}) if is_right else frozenset()  # type: ignore[index]
    return Chosen(ask, tuple(map(words_html, kept)), places)


def _number(ask: str, said: Mapping[str, Any]) -> Typed:
    unit, value = _line(said.get("unit"), LONGEST_UNIT), _line(said.get("value"), 60)
    if not value:
        return Typed(ask, unit)
    found = read_with_unit(value)
    if found is None or abs(found[0]) > LARGEST or found[1]:
        raise QuestionError("The right answer is no number: write it as 0.35 or 3.5e-1, or leave it empty.")
    return Typed(ask, unit, found[0], TOLERANCE * abs(found[0]))


def _line(given: object, longest: int) -> str:
    """What was typed, in one line."""
    if not isinstance(given, str):
        return ""
    if len(given) > longest:
        raise QuestionError(f"This is too long: at most {longest} characters.")
    return " ".join(given.split())
