"""A whole lesson put to the test: everything computed, every question answerable, every wrong answer refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from app.lessons.fault import Fault
from app.lessons.lesson import Choice, Curve, Number, Order, Pointed, Step, Task
from app.lessons.marking import is_near, marked, right_answer, right_links, wrong_answers
from app.lessons.naming import asks_nothing
from app.lessons.numbers import wrong_names, wrong_numbers
from app.lessons.staged import Staged, expressions_of, staged_with
from app.lessons.units import other_unit
from app.lessons.values import ExpressionError
from app.number_text import number_text
from app.state import Session


def faults_of(steps: Sequence[Step], session: Session) -> list[Fault]:
    """Everything that the mechanics finds wrong with steps; empty for those that can be taught.

    Cost: every step's two moments computed, some tenths of a second each.
    """
    found = []
    for step in steps:
        stage, faults = staged_with(step, session)
        if stage is not None:
            valueless = list(_without_value(stage))
            faults += [*valueless, *wrong_numbers(stage), *wrong_names(stage)]
            if step.is_sound and not valueless:
                faults += _misjudged(stage)
        found += sorted(faults, key=lambda fault: fault.line)
    return found


def _misjudged(stage: Staged) -> list[Fault]:
    step = stage.step
    try:
        return [Fault(step.file, step.line_of(key), said, remedy) for key, said, remedy in question_faults(stage)]
    except ExpressionError as error:
        return [Fault(step.file, step.line_of("kind"), str(error), "Mend the expression of the question.")]


def _without_value(stage: Staged) -> Iterator[Fault]:
    """Every expression of a step's question that has no value at its moment."""
    for line, expression, names in expressions_of(stage.step):
        scope = stage.scope.later().pointing(1) if names else stage.scope.later()
        try:
            expression.holds(scope) if expression.is_comparison else expression.number(scope)
        except ExpressionError as error:
            yield Fault(stage.step.file, line, str(error), "Mend the expression of the question.")


def _idle(step: Step) -> str | None:
    """The key of a question's answer if that is right or wrong of any machine."""
    names = step.supposed
    match step.question:
        case Choice(options=options):
            return "options" if all(asks_nothing(each.right, names) for each in options) else None
        case Number(answer=answer):
            return "answer" if asks_nothing(answer, names) else None
        case Curve(of=of):
            return "of" if asks_nothing(of, names) else None
        case Order(items=items):
            marks = [each.by for each in items if each.by is not None]
            return "items" if marks and all(asks_nothing(each, names) for each in marks) else None
        case _:
            return None  # of a link or a task something is wrong first


def _unit_fault(stage: Staged) -> tuple[str, str, str] | None:
    """That a question asks in another unit than its answer has, if it does."""
    scope = stage.scope.later()
    match stage.step.question:
        case Number(answer=of, unit=unit):
            pass
        case Curve(of=of, unit=unit):
            times, values = stage.curve  # of a value that is nought no unit is known
            scope = scope.beside(stage.scope.after.at(float(times[np.argmax(np.abs(values))])))
        case _:
            return None
    if (other := other_unit(of, unit, scope)) is None:
        return None
    asks = "without a unit" if unit == "1" else f"in {unit}"
    given, ask = ("a plain number", 'with unit = "1"') if other == "1" else (f"in {other}", f"in {other}")
    remedy = (
        f"Ask {ask}, or change the value over. What the step supposes counts with its unit where it has a name: "
        '"2 rad/s²" = "supposed as push".'
    )
    return "unit", f"it asks {asks}, and {of.text} is {given}.", remedy


def question_faults(stage: Staged) -> list[tuple[str, str, str]]:
    """(key of the table, what is wrong, remedy) of a question beside the state that it is asked of.

    Raises:
        ExpressionError: for an expression without a value.
    """
    step: Step = stage.step
    scope = stage.scope.later()
    found: list[tuple[str, str, str]] = []
    if (idle := _idle(step)) is not None:
        said = "its answer asks nothing of the moment, so that this check cannot fail."
        found.append((idle, said, "Name a quantity by which it is right."))
    if (other := _unit_fault(stage)) is not None:
        found.append(other)
    match step.question:
        case None:
            return []
        case Choice(options=options):
            right = [k + 1 for k, each in enumerate(options) if each.right.holds(scope)]
            if len(right) != 1:
                told = f"options {' and '.join(map(str, right))} are" if right else "no option is"
                found.append(("options", f"{told} right at this moment.", "Exactly one is to be."))
        case Number() as number:
            true = number.answer.number(scope)
            if number.stated is not None and not is_near(number, number.stated, true):
                said = (
                    f"it states {number_text(number.stated)}, and the live state gives {number_text(true, digits=6)}."
                )
                found.append(("stated", said, "State what the mechanics gives, or ask of another moment."))
            for mistake in number.mistakes:
                if is_near(number, mistake.value.number(scope), true):
                    found.append(
                        ("mistakes", f"the mistake {mistake.value.text} is right here.", "Choose another moment.")
                    )
        case Pointed() as pointed:
            right = right_links(pointed, stage)
            if not 0 < len(right) < stage.scope.after.solution.system.n_links:
                found.append(("right", f"{len(right)} links are right.", "Some are to be right, and some wrong."))
        case Order(items=items):
            marks = [each.by.number(scope) for each in items if each.by is not None]
            if marks and (len(marks) < len(items) or any(a >= b for a, b in pairwise(marks))):
                told = ", ".join(number_text(each) for each in marks)
                found.append(
                    ("items", f"its items are not in rising order: {told}.", "Put them in order, each with a by.")
                )
        case Curve() as curve:
            values = stage.curve[1]
            if values.min() < curve.least or values.max() > curve.most:
                told = f"{number_text(float(values.min()))} to {number_text(float(values.max()))}"
                found.append(("least", f"the curve goes from {told}, beyond its axis.", "Widen least and most."))
        case Task(until=until):
            if until.holds(stage.scope):
                found.append(("until", "what is to be done is done already.", "Ask for something that is not so yet."))
            if not until.holds(scope):
                found.append(
                    ("then", "then does not show what is to be done.", "Let then= lead to a moment where it is done.")
                )
            return found
    if not found:
        if marked(stage, right_answer(stage)).verdict != "right":
            found.append(("kind", "its right answer is not taken.", "Widen its tolerance."))
        for wrong in wrong_answers(stage):
            if marked(stage, wrong).verdict != "wrong":
                found.append(("kind", f"a wrong answer passes: {str(wrong)[:60]}.", "Narrow its tolerance."))
                break
    return found
