"""A step's question as it is put to a class: one of several choices, links among them, or a number."""

from __future__ import annotations

from app.classroom.question import Choice as AskedChoice
from app.classroom.question import Number as AskedNumber
from app.classroom.question import Question
from app.lessons.lesson import Choice, Number, Pointed
from app.lessons.marking import margin, right_links, shown_unit
from app.lessons.prose import escaped
from app.lessons.staged import Staged


def asked_of(stage: Staged, where: str) -> Question | None:
    """The question, with what is right of this moment; None where the step asks for neither a choice nor a number.

    Args:
        where: the lesson and its step, as an address says them.

    Raises:
        ExpressionError: where nothing is right of this moment.
    """
    scope = stage.scope.later()
    match stage.step.question:
        case Choice(options=options):
            right = frozenset(k for k, each in enumerate(options) if each.right.holds(scope))
            return AskedChoice(stage.ask, stage.choices, right, where)
        case Number() as number:
            true = number.answer.number(scope)
            return AskedNumber(stage.ask, shown_unit(number), true, margin(number, true), where, number.answer.is_size)
        case Pointed() as pointed:
            names = (f"{k}: {escaped(name)}" for k, name in enumerate(stage.link_names, 1))
            return AskedChoice(stage.ask, tuple(names), frozenset(right_links(pointed, stage)), where)
        case _:
            return None
