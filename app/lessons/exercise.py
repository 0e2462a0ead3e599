"""A step with its numbers: both of its moments computed, its texts as HTML, and whether an answer to it is right."""

from __future__ import annotations

import ast
import html
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from app.classroom.question import LONGEST_NUMBER
from app.classroom.question import Question as ClassQuestion
from app.lessons.expressions import Array, Expression, ExpressionError, parse
from app.lessons.lesson import Fault, LessonError, Prose, Query, Question, Step, in_si_units
from app.lessons.markdown import filled, line_html, prose_html, value_text
from app.lessons.quantities import Instant, Scope
from app.messages import in_words
from app.motion.errors import ERRORS
from app.number_text import HOW, number_text, read_with_unit
from app.state import Session
from app.state.address import asked
from app.state.machine_loader import RefusedError, Target
from app.unit_text import converted
from app.views.student_curve import apart, read_drawn

INSTANTS = 41  # samples of a curve that is drawn and then shown
PREDICTED: Query = {"layers": "", "plots": "Motion", "panels": "Motion;-"}
"""The page beside a question, unless its step says otherwise: no layer, and one empty plot."""


@dataclass(frozen=True, eq=False)
class Exercise:
    """A step that can be graded, in the scope after its answer; its texts as HTML; the (times, values) of its curve."""

    step: Step
    scope: Scope
    text: str
    ask: str
    reveal: str
    hints: tuple[str, ...]
    choices: tuple[str, ...]
    curve: tuple[Array, Array]

    @property
    def link_names(self) -> tuple[str, ...]:
        return tuple(self.scope.before.system.link_names)

    @property
    def right_links(self) -> list[int]:
        right, links = self.step.question.value, range(self.scope.after.system.n_links)
        return [k for k in links if right.holds(pointing(self.scope, k))]

    @property
    def mixed(self) -> list[int]:
        """Choices in the order for a class: random, but always the same for a question."""
        places = list(range(len(self.choices)))
        random.Random(self.step.name).shuffle(places)
        return places

    @property
    def shuffled(self) -> list[int]:
        """Items to be ordered in their initial order, which is never the right one."""
        places = self.mixed
        return places if places != sorted(places) else places[::-1]


def pointing(scope: Scope, link: int) -> Scope:
    """The same scope with a link pointed at, from 0."""
    return replace(scope, numbers={**scope.numbers, "link": link + 1.0})


def found_of(step: Step, key: str, session: Session, where: str = "", tab: str = "", hides: bool = False) -> Target:
    """The page before or after an answer ("show" or "then"), beside the lesson ``where`` in its ``tab``.

    It ``hides`` layers and plots if something is to be predicted.
    """
    query = step.then if key == "then" else step.show
    try:
        found = asked({**PREDICTED, **query} if hides else query, session)
    except (RefusedError, *ERRORS) as error:
        words = f"the page cannot show this: {in_words(error)} Make the moment on the page, and copy its link again."
        raise LessonError(Fault(step.file, step.lines.get(key, 1), words)) from None
    opens = {"layers": session.param["layers"].default, "plots": "", "panels": "", "breaks": frozenset()}
    beside = found.other.get("tab", "")
    own = {"tab": tab, "beside": "" if beside == tab else beside, "lesson": where}
    return replace(found, other={**opens, **found.other, **own})


def _instant(step: Step, key: str, session: Session) -> Instant:
    """A moment in a run of its own, computed up to that moment."""
    found = found_of(step, key, session)
    time = float(found.cursor["time"])
    known = Instant(found.run, time, found.other["breaks"], is_own=True)
    known.compute(time)
    if known.run.end < time - 1e-6:
        words = f"its motion stops at {known.run.end:g} s: {known.run.failure}. Choose an earlier moment."
        raise LessonError(Fault(step.file, step.lines.get(key, 1), words))
    return known


def prepare(step: Step, session: Session) -> Exercise:
    """Computes a step, in a thread; raises LessonError on faults. The session only supplies the possible options."""
    faults: list[Fault] = []
    before = _instant(step, "show", session)
    after = before if step.then is step.show else _instant(step, "then", session)
    supposed = {name: in_si_units(text) for text, _, name in step.numbers if name}
    earlier, later = Scope(before, after, False, supposed), Scope(before, after, True, supposed)

    def written(prose: Prose, scope: Scope, render: Callable[[Prose, Scope], str] = line_html) -> str:
        try:
            return render(prose, scope)
        except ExpressionError as error:
            faults.append(Fault(step.file, error.line or prose.line, str(error)))
            return ""

    question = step.question or Question("")
    curve = np.empty(0), np.empty(0)
    try:
        if question.kind == "curve":
            curve = _curve(question, later)
        # Faults appear before anybody answers, and answers are graded at once.
        compute = Expression.holds if question.kind in ("choice", "link", "task") else Expression.number
        for value in (question.value, *(each.value for each in question.options)):
            if value is not None:
                compute(value, pointing(later, 0))
    except ExpressionError as error:
        faults.append(Fault(step.file, step.lines.get("kind", 1), f"in its question: {error}"))
    for option in question.options:
        written(option.say, later)
    exercise = Exercise(
        step,
        later,
        written(step.text, earlier, prose_html),
        written(step.ask, earlier),
        written(step.reveal, later, prose_html),
        tuple(written(each, earlier, prose_html) for each in step.hints),
        tuple(written(each.text, earlier) for each in question.options),
        curve,
    )
    if faults:
        raise LessonError(*sorted(faults, key=lambda fault: fault.line))
    return exercise


def _curve(question: Question, scope: Scope) -> tuple[Array, Array]:
    scope.after.compute(question.until)
    times = np.linspace(0.0, min(question.until, scope.after.run.end), INSTANTS)
    values = [question.value.number(replace(scope, after=scope.after.at(float(time)))) for time in times]
    return times, np.array(values)


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
    found = read_with_unit(answer) if len(answer) <= LONGEST_NUMBER else None
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
