"""Whole simulations: the motion that begins in each state, what is told of it, and the state in which it ends."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from dynamics.checks import Array, brief, number
from dynamics.errors import StateError
from dynamics.motion.adaptive import METHODS
from dynamics.motion.recording import Recording
from dynamics.motion.runge_kutta import TABLEAUS
from dynamics.motion.simulation import simulate
from dynamics.motion.time_span import span_of, step_of
from dynamics.record import Record
from dynamics.rows.states import States

RUN = "run"
"""Under this name a study watches what is told of a motion."""
END = "end."
"""Before another name: of the state in which the motion ends."""
SECONDS = "seconds, above zero, or None where no motion is asked of"
INTEGRATORS = (*TABLEAUS, *METHODS)


@dataclass(frozen=True)
class Course(Record):
    """How each state goes on, with constant torques.

    Attributes:
        duration: s.
        dt: s, the step, or of adaptive methods the distance of samples.
        method: an integrator of ``simulate``.
    """

    duration: float
    dt: float
    method: str = "rk4"


MEASURES: Mapping[str, Callable[[Recording], float]] = MappingProxyType(
    {
        "drift": lambda motion: float(motion.drift[:, 0].max()),
        "rate_drift": lambda motion: float(motion.drift[:, 1].max()),
        "unexplained_energy": lambda motion: float(np.abs(motion.unexplained_energy).max()),
        "duration": lambda motion: float(motion.times[-1]),
    }
)
"""What is told of a motion: the closure's worst gaps, J that no work explains, and s until it ended or stopped."""


def course_of(duration: object, dt: object) -> Course | None:
    """How states go on, as a caller says it; None where they do not.

    Raises:
        StateError: for a time or a step that is none.
    """
    if duration is None:
        return None
    step = step_of(dt)
    if number(duration, "duration", SECONDS) <= 0.0:
        raise StateError(f"duration is {brief(duration)}; expected {SECONDS}.")
    return Course(span_of(duration, step), step)


def motions(states: States, courses: Collection[Course], wanted: Collection[str]) -> tuple[States, dict[str, Array]]:
    """Simulates each state by itself.

    Args:
        states: where each begins, with its torques.
        courses: one for each of them.
        wanted: of ``MEASURES``.

    Returns:
        The states in which they end, early where a run stopped, and each measure of all of them.

    Raises:
        StateError: for a state that makes no step.
    """
    size = len(states)
    packed, rates = (np.empty((size, own.shape[1])) for own in (states.packed, states.rates))
    told = {name: np.empty(size) for name in wanted}
    for at, course in enumerate(courses):
        motion = simulate(
            states.system, states.state(at), duration=course.duration, dt=course.dt, method=course.method,
            tau=states.tau[at],
        )  # fmt: skip
        packed[at], rates[at] = motion.x[-1], motion.v[-1]
        for name, own in told.items():
            own[at] = MEASURES[name](motion)
    return States(states.system, packed, rates, states.tau, states.places), told
