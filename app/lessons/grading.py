"""Whether an answer is right, and the reply to it; and a question in the form for a class."""

from __future__ import annotations

import ast
import html
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from app.classroom.question import Question as ClassQuestion
from app.lessons.exercise import Exercise, pointing
from app.lessons.expressions import Expression, ExpressionError, parse
from app.lessons.lesson import Question
from app.lessons.markdown import filled, value_text
from app.lessons.quantities import Instant, Scope
from app.number_text import HOW, number_text, read_with_unit
from app.unit_text import converted
from app.views.student_curve import apart, read_drawn

LONGEST = 60  # characters of a typed number
TENFOLD = 1000.0, 100.0, 10.0, 0.1, 0.01, 0.001


class Grade(NamedTuple):
    """The grade of an answer, "none" if there was none, and the reply in Markdown."""

    verdict: Literal["right", "wrong", "none"]
    words: str


NO_ANSWER = Grade("none", "There is no answer yet: give one first, even a guess.")


def grade(exercise: Exercise, answer: Any, shown: Instant | None = None, link: int = 0) -> Grade:
    """Grades an answer as sent by a browser; for a task, the moment that the page shows, with its cursor's link."""
    question, scope = exercise.step.question or Question(""), exercise.scope
    match question.kind:
        case "choice" if type(answer) is int and 0 <= answer < len(question.options):
            chosen = question.options[answer]
            is_right = chosen.value.holds(scope)
            return _grade(is_right, f"{'Right' if is_right else 'Not so'}. {filled(chosen.say, scope)}".strip())
        case "number" if isinstance(answer, str) and answer.strip():
            return _number(question, answer, scope)
        case "link" if type(answer) is int and 0 <= answer < scope.after.system.n_links:
            is_right = answer in exercise.right_links
            return _grade(is_right, "Right, that is the one." if is_right else "Not that one.")
        case "curve" if (drawn := read_drawn(answer)) is not None:
            found = apart(drawn, *exercise.curve, shown_unit(question))
            is_right = found.mean <= question.tolerance
            return _grade(is_right, f"{'Well drawn' if is_right else 'It goes differently'}. {found.words}")
        case "order" if isinstance(answer, list) and all(type(each) is int for each in answer):
            return _order(answer, exercise.shuffled)
        case "task" if shown is not None and question.value is not None:
            return _task(question.value, pointing(replace(scope, after=shown), link))
    return NO_ANSWER


def _grade(is_right: bool, words: str) -> Grade:
    return Grade("right" if is_right else "wrong", words)


def _number(question: Question, answer: str, scope: Scope) -> Grade:
    found = read_with_unit(answer) if len(answer) <= LONGEST else None
    unit, true = shown_unit(question), question.value.number(scope)
    in_unit = f"in {unit}" if unit else "without a unit"
    if found is None:
        return Grade("none", f"This is not a number: write it as {HOW}, {in_unit}.")
    typed, given = found
    value = converted(typed, given, question.unit) if given else typed
    if value is None:
        return Grade("none", f"Please give one number {in_unit}; you wrote {given} after it.")

    def is_near(value: float, true: float = true) -> bool:
        return abs(value - true) <= question.margin(true)

    in_size = " in size" if question.value.is_size and value < 0.0 else ""
    if is_near(abs(value) if in_size else value):
        return Grade("right", f"Right: it is {f'{number_text(true)} {unit}'.strip()}{in_size}.")
    for mistake in question.options:
        if is_near(value, mistake.value.number(scope)):
            return Grade("wrong", f"Not quite, but your number can be explained. {filled(mistake.say, scope)}")
    if is_near(-value):
        return Grade("wrong", "The size is right, the sign is not.")
    if any(is_near(value * factor) for factor in TENFOLD):
        return Grade("wrong", "The digits are right, the power of ten is not.")
    return Grade("wrong", f"Not quite: it is {'smaller' if abs(value) > abs(true) else 'larger'} in size than that.")


def shown_unit(question: Question) -> str:
    """A unit within a sentence; empty for none."""
    return "" if question.unit == "1" else question.unit.replace("^2", "²").replace("^3", "³")


def _order(answer: list[int], shuffled: list[int]) -> Grade:
    right = sorted(shuffled)
    if sorted(answer) != right:
        return NO_ANSWER
    if answer == shuffled and len(right) > 2:  # with two items, this is the only wrong order
        return Grade("none", "They are as they were given, which is not the right order: move one first.")
    at = next((k for k in right if answer[k] != k), len(right))
    if at == len(right):
        return Grade("right", "Right, that is the order.")
    first = f"The first {at} {'is' if at == 1 else 'are'} right; then something else follows."
    return Grade("wrong", first if at else "The first is not the first.")


def _task(until: Expression, scope: Scope) -> Grade:
    try:
        if until.holds(scope):
            return Grade("right", "Done: the page shows it.")
        missing = "; ".join(list(_missing(until.tree, scope))[:3])
    except ExpressionError as error:
        return Grade("wrong", f"The page shows something else now: {error}")
    return Grade("wrong", f"The page does not show it yet: {missing}.")


def _missing(tree: ast.expr, scope: Scope) -> Iterator[str]:
    """Each part of a condition that does not hold, with the current value of its left side."""
    parts = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
    for part in map(ast.unparse, parts):
        if not parse(part).holds(scope):
            left = re.split(" [<>=!]", part)[0]
            now = f", and {left} is {value_text(parse(left).value(scope), 4)}" if left != part else ""
            yield f"{part} is required{now}".replace("_", " ")


def asked_of(exercise: Exercise, where: str) -> ClassQuestion | None:
    """The question for a class, from a step ``where`` an address leads; None if it is neither a choice nor a number."""
    question, ask, scope = exercise.step.question or Question(""), exercise.ask, exercise.scope
    match question.kind:
        case "choice":
            places = exercise.mixed
            right = frozenset(k for k, place in enumerate(places) if question.options[place].value.holds(scope))
            return ClassQuestion(ask, tuple(exercise.choices[place] for place in places), right, step=where)
        case "link":
            names = tuple(f"{k}: {html.escape(name)}" for k, name in enumerate(exercise.link_names, 1))
            return ClassQuestion(ask, names, frozenset(exercise.right_links), step=where)
        case "number":
            true, unit = question.value.number(scope), shown_unit(question)
            return ClassQuestion(ask, (), true, unit, question.margin(true), question.value.is_size, where)
    return None
