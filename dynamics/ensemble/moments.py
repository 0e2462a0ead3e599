"""A row of a study opened again: the machine as it was drawn, its state and torques, and what was found there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dynamics.checks import Array
from dynamics.ensemble.running import one_thread_each
from dynamics.errors import StateError
from dynamics.record import Record
from dynamics.rows.problem import Problem
from dynamics.system.state import State
from dynamics.system.system import System


@dataclass(frozen=True, eq=False)
class Moment(Record):
    """A row of a study, opened again.

    Attributes:
        row: its number.
        drawn: what varies -> its value; of contacts the kind.
        found: what is watched -> its value; None where the row is refused.
        system: the machine of this row.
        state: its state, closed where an object is held.
        tau: (joints,) N m or N, tip to base.
    """

    row: int
    drawn: Mapping[str, float | str]
    found: Mapping[str, float] | None
    system: System
    state: State
    tau: Array


def moment_of(problem: Problem, row: int) -> Moment:
    """A row opened again.

    Raises:
        StateError: for a row that has no state.
    """
    together = 1 if problem.is_alone else problem.together
    first = row - row % together
    with one_thread_each():
        found = problem.evaluate(first, min(together, problem.size - first))
    return opened_again(problem, row, found.drawn[row - first], found.found[row - first])


def opened_again(problem: Problem, row: int, drawn: Array, found: Array) -> Moment:
    """What a row describes, of whose watched values ``found`` tells.

    Raises:
        StateError: for a row that has no state.
    """
    states, faults = next(problem.pieces(row, drawn[None]))
    if states is None or not len(states):
        raise StateError(f"row {row} has no state: {faults[row]}")
    values = {
        one.name: one.words[int(value)] if one.words else value
        for one, value in zip(problem.variables, drawn.tolist(), strict=True)
    }
    watched = dict(zip((one.name for one in problem.watches), found.tolist(), strict=True))
    refused = bool(np.isnan(found).any())
    return Moment(row, values, None if refused else watched, states.system, states.state(0), states.tau[0])
