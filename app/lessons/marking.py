"""Whether an answer is right, and what to say of it. What a browser sends is read within bounds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from app.lessons.lesson import Choice, Curve, Number, Order, Pointed, Prose, Question, Task
from app.lessons.missing import missing
from app.lessons.prose import filled
from app.lessons.staged import Staged
from app.lessons.values import ExpressionError, Names
from app.number_text import HOW, number_text, read_with_unit
from app.unit_text import converted
from app.views.drawn import apart, read_drawn

Verdict = Literal["right", "wrong", "none"]
LONGEST = 60
"""Characters of a typed number."""
TO_WORK_OUT = re.compile(r"[-+−*/·⋅×]\s*[\d.(]")
"""How what follows a number begins, where it is no unit but the rest of a sum."""
SIGN, TENFOLD = -1.0, (1000.0, 100.0, 10.0, 0.1, 0.01, 0.001)


@dataclass(frozen=True)
class Mark:
    """What became of an answer; ``none`` where there was none."""

    verdict: Verdict
    words: str


UNMOVED = Mark("none", "They stand as they came, which is not their order: move one first.")
NO_ANSWER = Mark("none", "There is no answer yet: give one first, even a guess.")


def marked(stage: Staged, answer: Any, live: Names | None = None) -> Mark:
    """Judges an answer to a step's question.

    Args:
        answer: as the browser sends it: a place, a text, numbers; anything else is none.
        live: of what the page shows just now, for a task.
    """
    scope = stage.scope.later()
    match stage.step.question:
        case Choice() as question:
            return _choice(question, answer, scope)
        case Number() as question:
            return _number(question, answer, scope)
        case Pointed() as question:
            return _link(question, answer, stage)
        case Curve() as question:
            return _curve(question, answer, stage)
        case Order() as question:
            return _order(question, answer, stage)
        case Task() as question:
            return _task(question, live)
        case _:
            return NO_ANSWER


def _choice(question: Choice, answer: Any, scope: Names) -> Mark:
    if type(answer) is not int or not 0 <= answer < len(question.options):
        return NO_ANSWER
    chosen = question.options[answer]
    is_right = chosen.right.holds(scope)
    return Mark(
        "right" if is_right else "wrong", f"{'Right' if is_right else 'Not so'}. {said(chosen.say, scope)}".strip()
    )


def _number(question: Number, answer: Any, scope: Names) -> Mark:
    if not isinstance(answer, str) or not answer.strip():
        return NO_ANSWER
    found = read_with_unit(answer) if len(answer) <= LONGEST else None
    in_unit = "without a unit" if question.unit == "1" else f"in {shown_unit(question)}"
    if found is None:
        return Mark("none", f"This is no number: write it as {HOW}, {in_unit}.")
    typed, unit = found
    if TO_WORK_OUT.match(unit):
        return Mark("none", f"Please work it out and give one number, {in_unit}.")
    value = converted(typed, unit, question.unit) if unit else typed
    if value is None:
        return Mark("none", f"Please give it {in_unit}; you wrote {unit}.")
    true = question.answer.number(scope)
    in_size = " in size" if question.answer.is_size and value < 0.0 else ""
    if is_near(question, abs(value) if in_size else value, true):
        return Mark("right", f"Right: it is {f'{number_text(true)} {shown_unit(question)}'.strip()}{in_size}.")
    for mistake in question.mistakes:
        if is_near(question, value, mistake.value.number(scope)):
            return Mark("wrong", f"Not quite, but your number is known. {said(mistake.say, scope)}")
    if true != 0.0 and is_near(question, SIGN * value, true):
        return Mark("wrong", "The size is right, the sign is not.")
    if any(is_near(question, value * factor, true) for factor in TENFOLD):
        return Mark("wrong", "The digits are right, the power of ten is not.")
    return Mark("wrong", f"Not quite: it is {'smaller' if abs(value) > abs(true) else 'larger'} in size than that.")


def said(words: Prose, scope: Names) -> str:
    """What is said to an answer, with the numbers of the moment."""
    return filled(words.text, scope)


def shown_unit(question: Number) -> str:
    """Nothing for a number without a unit."""
    return "" if question.unit == "1" else raised_plainly(question.unit)


def raised_plainly(unit: str) -> str:
    """A unit in a sentence."""
    return unit.replace("^2", "²").replace("^3", "³")


def is_near(question: Number, value: float, true: float) -> bool:
    """Whether a number is the answer, to the question's tolerance."""
    return abs(value - true) <= margin(question, true)


def margin(question: Number, true: float) -> float:
    """By how much an answer may be off."""
    return question.tolerance * (abs(true) if question.relative else 1.0)


def _link(question: Pointed, answer: Any, stage: Staged) -> Mark:
    count = stage.scope.after.solution.system.n_links
    if type(answer) is not int or not 0 <= answer < count:
        return NO_ANSWER
    if question.right.holds(stage.scope.later().pointing(answer + 1)):
        return Mark("right", "Right, that is the one.")
    return Mark("wrong", "Not that one.")


def right_links(question: Pointed, stage: Staged) -> list[int]:
    """The links that are right, from 0."""
    count = stage.scope.after.solution.system.n_links
    return [k for k in range(count) if question.right.holds(stage.scope.later().pointing(k + 1))]


def _curve(question: Curve, answer: Any, stage: Staged) -> Mark:
    drawn = read_drawn(answer)
    if drawn is None:
        return NO_ANSWER
    times, values = stage.curve
    told = apart(drawn, times, values, raised_plainly(question.unit))
    is_right = told.mean <= question.tolerance
    return Mark("right" if is_right else "wrong", f"{'Well drawn' if is_right else 'It goes otherwise'}. {told.words}")


def _order(question: Order, answer: Any, stage: Staged) -> Mark:
    count = len(question.items)
    if not isinstance(answer, list) or any(type(each) is not int for each in answer):
        return NO_ANSWER
    if sorted(answer) != list(range(count)):
        return NO_ANSWER
    if answer == list(stage.scattered) and count > 2:  # of two, that is the one wrong order
        return UNMOVED
    if answer == list(range(count)):
        return Mark("right", "Right, that is the order.")
    at = next(k for k in range(count) if answer[k] != k)
    if not at:
        return Mark("wrong", "The first is not the first.")
    return Mark("wrong", f"The first {at} {'is' if at == 1 else 'are'} right; then something else follows.")


def _task(question: Task, live: Names | None) -> Mark:
    if live is None:
        return NO_ANSWER
    try:
        is_done = question.until.holds(live)
    except ExpressionError as error:
        return Mark("wrong", f"The page shows something else now: {error}")
    if is_done:
        return Mark("right", "Done: the page shows it.")
    told = missing(question.until, live)
    return Mark("wrong", f"The page does not show it yet{f': {told}' if told else ''}.")


def right_answer(stage: Staged) -> Any:
    """An answer that is right, as a browser would send it; None for a task, which nobody answers in words."""
    question: Question | None = stage.step.question
    scope = stage.scope.later()
    match question:
        case Choice(options=options):
            return next((k for k, each in enumerate(options) if each.right.holds(scope)), None)
        case Number(answer=answer):
            return repr(answer.number(scope))
        case Pointed():
            return next(iter(right_links(question, stage)), None)
        case Curve():
            return [float(each) for each in stage.curve[1]]
        case Order(items=items):
            return list(range(len(items)))
        case _:
            return None


def wrong_answers(stage: Staged) -> list[Any]:
    """Answers that must not pass: every wrong option, wrong numbers, links, curves and orders."""
    question: Question | None = stage.step.question
    scope = stage.scope.later()
    match question:
        case Choice(options=options):
            return [k for k, each in enumerate(options) if not each.right.holds(scope)]
        case Number() as number:
            true = number.answer.number(scope)
            off = 2.0 * number.tolerance * (abs(true) if number.relative else 1.0)
            return [repr(true + off), repr(true - off), *(repr(one.value.number(scope)) for one in number.mistakes)]
        case Pointed():
            right = right_links(question, stage)
            return [k for k in range(stage.scope.after.solution.system.n_links) if k not in right]
        case Curve() as curve:
            return [[curve.least] * 20, [curve.most] * 20]
        case Order(items=items):
            orders = [list(reversed(range(len(items)))), [1, 0, *range(2, len(items))]]
            return [each for each in orders if len(items) == 2 or each != list(stage.scattered)]
        case _:
            return []
