"""Times that a caller passes: a step, a duration, an event's time."""

from __future__ import annotations

from typing import Any

from dynamics.checks import brief, listed, number
from dynamics.errors import StateError

MOST_STEPS = 10_000_000
A_STEP = "a step in seconds, longer than zero"
SOME_EVENTS = "a sequence of Grasp, Release or the like"
A_MOMENT = "a time of the run in seconds, which starts at zero"


def step_of(dt: object) -> float:
    """A step in seconds; ``StateError`` if it is not one."""
    step = number(dt, "dt", A_STEP)
    if step <= 0.0:
        raise StateError(f"dt is {brief(dt)}; expected {A_STEP}.")
    return step


def span_of(duration: object, step: float) -> float:
    """A duration in seconds; ``StateError`` if it is not a time, or is more than ten million steps."""
    expected = f"0 to {MOST_STEPS * step:g} s at dt = {step:g}"
    span = number(duration, "duration", expected)
    if not 0.0 <= span <= MOST_STEPS * step:
        raise StateError(f"duration is {brief(duration)}; expected {expected}.")
    return span


def in_order(events: object) -> list[Any]:
    """Events ordered by time; ``StateError`` for anything that is not an event, or comes before the run."""
    found = listed(events, "events", SOME_EVENTS)
    if not all(hasattr(event, "apply") for event in found):
        raise StateError(f"events is {brief(events)}; expected {SOME_EVENTS}.")
    for event in found:
        if number(getattr(event, "time", None), "the time of an event", A_MOMENT) < 0.0:
            raise StateError(f"the time of an event is {brief(event.time)}; expected {A_MOMENT}.")
    return sorted(found, key=lambda event: float(event.time))
