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
from app.lessons.lesson import Choice, Curve, Number, Order, Pointed, Prose, Query, Step, Task, sayings
from app.lessons.prose import DIGITS, expressions, line_html, prose_html, value_text
from app.lessons.quantities import Known, Scope
from app.lessons.values import ExpressionError
from app.motion.errors import ERRORS
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


def expressions_of(step: Step) -> list[tuple[int, Expression, bool]]:
    """(line, expression, whether it may ask for the link that is pointed at) of everything in a question."""
    match step.question:
        case Choice(options=options):
            return [(each.text.line, each.right, False) for each in options]
        case Number(answer=answer, mistakes=mistakes):
            usual = ((each.say.line, each.value, False) for each in mistakes)
            return [(step.line_of("answer"), answer, False), *usual]
        case Order(items=items):
            return [(each.text.line, each.by, False) for each in items if each.by is not None]
        case Curve(of=of):
            return [(step.line_of("of"), of, False)]
        case Pointed(right=right):
            return [(step.line_of("right"), right, True)]
        case Task(until=until):
            return [(step.line_of("until"), until, True)]
        case _:
            return []


def staged(step: Step, session: Session) -> Staged:
    """Computes a step; from a thread.

    Args:
        session: only asked what it can show.

    Raises:
        LessonError: for all in it that cannot be computed, with file and line.
    """
    found, faults = staged_with(step, session)
    if faults or found is None:
        raise LessonError(*sorted(faults, key=lambda fault: fault.line))
    return found


def staged_with(step: Step, session: Session) -> tuple[Staged | None, list[Fault]]:
    """The same with all that cannot be computed; what that leaves, which is nothing where a moment cannot be."""
    faults: list[Fault] = []
    scope = _scope_of(step, session, faults)
    if scope is None:
        return None, faults

    def written(prose: Prose, names: Scope, render: Callable[[str, Scope], str] = prose_html) -> str:
        try:
            return render(prose.text, names)
        except ExpressionError as error:
            faults.extend(_faults_in(step.file, prose, names, error))
            return ""

    curve = np.empty(0), np.empty(0)
    choices: tuple[Prose, ...] = ()
    match step.question:
        case Choice(options=options):
            choices = tuple(each.text for each in options)
        case Order(items=items):
            choices = tuple(each.text for each in items)
        case Curve() as question:
            try:
                curve = curve_of(step, question, scope.after)
            except LessonError as error:
                faults += error.faults
    for said in sayings(step):
        written(said, scope.later(), line_html)  # to an answer that is yet to come
    found = Staged(
        step,
        scope,
        written(step.text, scope),
        written(Prose(step.ask, step.line_of("ask")), scope, line_html) if step.ask else "",
        written(step.reveal, scope.later()),
        tuple(written(each, scope) for each in step.hints),
        tuple(written(each, scope, line_html) for each in choices),
        curve,
    )
    return found, faults


def _scope_of(step: Step, session: Session, faults: list[Fault]) -> Scope | None:
    """Both moments of a step, as far as anything in it asks for; None, and noted, where one cannot be."""
    until = max([0.0, *(time for _, each, _ in expressions_of(step) for time in each.times)])
    for prose, _ in step.texts:
        until = max([until, *times_of(prose.text)])
    for number in step.numbers:
        until = max([until, *(number.value.times if number.value else ())])
    if isinstance(step.question, Curve):
        until = max(until, step.question.until)
    known: list[Known] = []
    for key, query in {"show": step.show, **({} if step.then is step.show else {"then": step.then})}.items():
        try:
            known.append(known_of(query, session, until, step.file, step.line_of(key)))
        except LessonError as error:
            faults += error.faults
    return None if faults else Scope(known[0], known[-1], supposed=step.supposed)


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
