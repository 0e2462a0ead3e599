"""A step with its numbers: both of its moments computed, its texts as HTML, its question ready to be graded."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from app.lessons.expressions import Array, Expression, ExpressionError
from app.lessons.lesson import Fault, LessonError, Prose, Query, Question, Step, in_si_units
from app.lessons.markdown import line_html, prose_html
from app.lessons.quantities import Instant, Scope
from app.messages import in_words
from app.motion.errors import ERRORS
from app.state import Session
from app.state.address import asked
from app.state.machine_loader import RefusedError, Target

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
