"""A step's question as it is put to a class: every kind of them."""

from __future__ import annotations

import numpy as np

from app.asking import Asked, Chosen, Drawn, Ordered, Tried, Typed
from app.asking.asked import KNOTS
from app.lessons.lesson import Choice, Curve, Number, Order, Pointed, Task
from app.lessons.marking import margin, raised_plainly, right_links, shown_unit
from app.lessons.prose import escaped
from app.lessons.staged import Staged


def asked_of(stage: Staged, lesson: str, where: str) -> Asked | None:
    """The question, with what is right of this moment; None where the step asks nothing.

    Args:
        lesson: its name.
        where: the lesson and its step, as an address says them.

    Raises:
        ExpressionError: where nothing is right of this moment.
    """
    scope = stage.scope.later()
    match stage.step.question:
        case Choice(options=options):
            right = frozenset(k for k, each in enumerate(options) if each.right.holds(scope))
            return Chosen(stage.ask, stage.choices, right, "choice", where)
        case Number() as number:
            true = number.answer.number(scope)
            return Typed(stage.ask, shown_unit(number), true, margin(number, true), where, number.answer.is_size)
        case Pointed() as pointed:
            names = (f"{k}: {escaped(name)}" for k, name in enumerate(stage.link_names, 1))
            return Chosen(stage.ask, tuple(names), frozenset(right_links(pointed, stage)), "link", where)
        case Curve() as curve:
            times, values = stage.curve
            at = np.linspace(times[0], times[-1], KNOTS)
            true_values = tuple(float(each) for each in np.interp(at, times, values))
            unit = raised_plainly(curve.unit)
            return Drawn(stage.ask, unit, float(times[-1]), curve.least, curve.most, true_values, where)
        case Order():
            places = stage.scattered
            shown = tuple(stage.choices[k] for k in places)
            return Ordered(stage.ask, shown, tuple(places.index(k) for k in range(len(places))), where)
        case Task():
            return Tried(stage.ask, f"{lesson}/{stage.step.name}", where)
        case _:
            return None
