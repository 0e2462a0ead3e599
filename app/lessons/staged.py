"""A step with its numbers: both of its moments computed, its text written, its question ready to be judged."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from app.lessons.fault import Fault, LessonError
from app.lessons.language import Expression, parsed
from app.lessons.lesson import Choice, Curve, Number, Order, Pointed, Prose, Query, Step, Task
from app.lessons.prose import DIGITS, expressions, line_html, prose_html, value_text
from app.lessons.quantities import Known, Scope
from app.lessons.values import ExpressionError
from app.motion.run import ERRORS
from app.state import Session
from app.state.address import asked
from app.state.opening import Found, RefusedError
from app.wording import in_words

Array = NDArray[np.float64]
INSTANTS = 41
"""Of a curve that is drawn and then shown."""

MEND = "Make the moment on the page, and copy its link again."
PREDICTED: Query = MappingProxyType({"layers": "", "plots": "Motion", "panels": "Motion;-"})
"""What a page shows beside a question, unless its step says otherwise: no layer, and one empty plot."""


@dataclass(frozen=True, eq=False)
class Staged:
    """What a panel needs of a step, and whoever judges an answer to it.

    Attributes:
        before: the moment that the page shows first; ``after`` what it shows once there is an answer.
        text, ask, reveal, hints, choices: HTML.
        curve: (times, values) of a question for a curve, else empty.
    """

    step: Step
    scope: Scope
    text: str
    ask: str
    reveal: str
    hints: tuple[str, ...]
    choices: tuple[str, ...]
    curve: tuple[Array, Array]

    @property
    def link_names(self) -> Sequence[str]:
        """Of the machine before the answer, from the tip inward."""
        return self.scope.before.solution.system.link_names

    @property
    def scattered(self) -> tuple[int, ...]:
        """Places of what is to be ordered, as it stands before anybody has moved one: never the right order."""
        places = list(range(len(self.choices)))
        random.Random(self.step.name).shuffle(places)
        if places == sorted(places):
            places.reverse()
        return tuple(places)


def found_of(
    query: Query, session: Session, where: str, tab: str, file: str = "", line: int = 1, *, hides: bool = False
) -> Found:
    """What the page shows in a step: what an address says, beside the lesson instead of in its place.

    Args:
        where: the lesson and its step, as an address says them.
        tab: the panel's own name.
        file, line: where the address stands.
        hides: whether something is to be predicted: then layers and plots that the address does not ask for are away.

    Raises:
        LessonError: for an address that leads nowhere.
    """
    opens = {"layers": session.param["layers"].default, "plots": "", "panels": ""}
    try:
        found = asked({**PREDICTED, **query} if hides else query, session)
    except (RefusedError, *ERRORS) as error:
        raise LessonError(Fault(file, line, f"the page cannot show this: {in_words(error)}", MEND)) from None
    beside = found.other.get("tab", "")
    other = {**opens, **found.other, "tab": tab, "beside": "" if beside == tab else beside, "lesson": where}
    other.setdefault("breaks", frozenset())
    return replace(found, other=other)


def known_of(query: Query, session: Session, until: float, file: str = "", line: int = 1) -> Known:
    """A moment, computed for itself: from a thread, in a run of its own.

    Raises:
        LessonError: for one that cannot be.
    """
    found = found_of(query, session, "", "", file, line)
    time = float(found.cursor["time"])
    known = Known(found.run, time, found.other["breaks"]).computed(max(time, until))
    if known.run.end < time - 1e-6:
        said = f"its motion stops at {known.run.end:g} s: {known.run.failure}."
        raise LessonError(Fault(file, line, said, "Choose an earlier moment."))
    return known


def expressions_of(step: Step) -> list[tuple[str, Expression, bool]]:
    """(key in its file, expression, whether it is of the moment after) of everything in a question."""
    match step.question:
        case Choice(options=options):
            return [("options", each.right, True) for each in options]
        case Number() as number:
            return [("answer", number.answer, True), *(("mistakes", each.value, True) for each in number.mistakes)]
        case Order(items=items):
            return [("items", each.by, True) for each in items if each.by is not None]
        case Curve() as curve:
            return [("of", curve.of, True)]
        case Pointed(right=right):
            return [("right", right, True)]
        case Task(until=until):
            return [("until", until, False)]
        case _:
            return []


def staged(step: Step, session: Session) -> Staged:
    """Computes a step; from a thread.

    Args:
        session: only asked what it can show.

    Raises:
        LessonError: for all in it that cannot be computed, with file and line.
    """
    until = max([0.0, *(time for _, each, _ in expressions_of(step) for time in each.times)])
    for prose in (step.text, *step.hints, step.reveal):
        until = max([until, *times_of(prose.text)])
    if isinstance(step.question, Curve):
        until = max(until, step.question.until)
    faults: list[Fault] = []
    known: list[Known] = []
    for key, query in {"show": step.show, **({} if step.then is step.show else {"then": step.then})}.items():
        try:
            known.append(known_of(query, session, until, step.file, step.line_of(key)))
        except LessonError as error:
            faults += error.faults
    if faults:
        raise LessonError(*faults)
    scope = Scope(known[0], known[-1])

    def written(prose: Prose, names: Scope, render: Callable[[str, Scope], str] = prose_html) -> str:
        try:
            return render(prose.text, names)
        except ExpressionError as error:
            faults.extend(_faults_in(step.file, prose, names, error))
            return ""

    asked_at = step.line_of("ask")
    choices: tuple[str, ...] = ()
    curve = np.empty(0), np.empty(0)
    if isinstance(step.question, Choice):
        choices = tuple(written(Prose(each.text, asked_at), scope, line_html) for each in step.question.options)
    elif isinstance(step.question, Order):
        choices = tuple(written(Prose(each.text, asked_at), scope, line_html) for each in step.question.items)
    elif isinstance(step.question, Curve):
        try:
            curve = curve_of(step, step.question, scope.after)
        except LessonError as error:
            faults += error.faults
    found = Staged(
        step,
        scope,
        written(step.text, scope),
        written(Prose(step.ask, asked_at), scope, line_html) if step.ask else "",
        written(step.reveal, scope.later()),
        tuple(written(each, scope) for each in step.hints),
        choices,
        curve,
    )
    if faults:
        raise LessonError(*sorted(faults, key=lambda fault: fault.line))
    return found


def _faults_in(file: str, prose: Prose, names: Scope, error: ExpressionError) -> Iterator[Fault]:
    """Of every expression of a text that has no value; or the text's own, where all have one."""
    found = False
    for offset, source in expressions(prose.text):
        try:
            value_text(parsed(source).value(names), DIGITS)
        except ExpressionError as fault:
            found = True
            yield Fault(file, prose.line + offset, f"{source[:40]}: {fault}", "Mend the expression.")
    if not found:
        yield Fault(file, prose.line, str(error), "Mend the text from this line on.")


def times_of(text: str) -> list[float]:
    """Every time that a text's expressions ask for."""
    return [time for _, source in expressions(text) for time in parsed(source).times]


def curve_of(step: Step, question: Curve, after: Known) -> tuple[Array, Array]:
    """(times, values) of the quantity that is to be drawn.

    Raises:
        LessonError: where it has no value.
    """
    times = np.linspace(0.0, min(question.until, after.run.end), INSTANTS)
    try:
        values = [question.of.number(Known(after.run, float(time), after.breaks)) for time in times]
    except ExpressionError as error:
        raise LessonError(
            Fault(step.file, step.line_of("of"), f"of: {error}", "Choose a quantity that is one number.")
        ) from None
    return times, np.array(values)
