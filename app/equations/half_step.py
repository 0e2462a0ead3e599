"""One half-step of the computation: its equations with numbers, and what it means in both vocabularies."""

from __future__ import annotations

from dataclasses import dataclass

import dynamics as dyn
from app.equations import contact, dual_filter, filter, filter_correction, smoother
from app.equations.operators import Operators
from app.equations.term import Equation
from app.state.walk import PREDICTION, Place


@dataclass(frozen=True, eq=False)
class HalfStep:
    """What is computed at a place: the equations in the order in which they are used."""

    place: Place
    equations: tuple[Equation, ...]


def half_step(solution: dyn.Solution, place: Place) -> HalfStep:
    """The equations of a place that the solution's system has (``walk.nearest``)."""
    return HalfStep(place, equations(Operators(solution), place))


def equations(o: Operators, place: Place) -> tuple[Equation, ...]:
    k, first = place.link, place.half == PREDICTION
    floats = k >= o.system.n_joints
    match place.stage:
        case "filter":
            return filter.predict(o, k) if first or floats else filter.correct(o, k)
        case "smoother" | "smoother_final":
            if floats:
                return smoother.base(o, k, place.stage)
            return smoother.predict(o, k, place.stage) if first else smoother.correct(o, k, place.stage)
        case "contact":
            held = next(i for i, each in enumerate(o.system.contacts) if each.link == k)
            return contact.predict(o, held) if first else contact.correct(o, held)
        case "filter_correction":
            return filter_correction.predict(o, k) if first or floats else filter_correction.correct(o, k)
        case "dual_filter":
            if floats:
                return dual_filter.base(o, k)
            return dual_filter.predict(o, k) if first else dual_filter.correct(o, k)
    raise ValueError(f"there is no stage {place.stage!r} to walk")
