"""The worst state by search instead of by chance: differential evolution over the ranges, a generation at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.optimize import differential_evolution

from dynamics.checks import Array, brief, choices, is_among, whole_number
from dynamics.ensemble.asked import problem_of
from dynamics.ensemble.bounds import bound_of
from dynamics.ensemble.moments import Moment, opened_again
from dynamics.errors import ModelError, StateError
from dynamics.public import public
from dynamics.record import Record
from dynamics.rows.watched import Watched
from dynamics.system.state import State
from dynamics.system.system import System

ENDS = ("largest", "smallest")
GENERATION = 8
"""States a generation, for each variable."""
CLOSE = 1e-7
"""Of the mean: so little do the values of the last generation differ."""


@dataclass(frozen=True, eq=False)
class WorstCase(Record):
    """What a search has found.

    Attributes:
        name: what is watched.
        value: the worst that was found, in its own unit.
        moment: where: machine, state and torques.
        evaluations: states that were solved.
        settled: whether the last generation's values were as good as equal.
        bound: what no state of the ranges goes beyond, but for rounding; None where mathematics gives none, and
            ``value`` is but what a search has met.
        because: why the bound holds, in words; empty where there is none.
    """

    name: str
    value: float
    moment: Moment
    evaluations: int
    settled: bool
    bound: float | None
    because: str


@public
def worst_case(
    system: System,
    over: Mapping[str, Any],
    find: Watched,
    toward: Literal["largest", "smallest"] = "largest",
    evaluations: int = 20_000,
    *,
    state: State | None = None,
    duration: float | None = None,
    dt: float = 1e-3,
    seed: int = 0,
) -> WorstCase:
    """Search the ranges for the state in which what is watched is largest, or smallest.

    Differential evolution (Storn and Price 1997) as ``scipy.optimize`` has it; each generation is one batch. No state
    that is refused is an answer. Where only torques vary, what is affine in them, or a norm of that, is worst at a
    corner of their ranges; D of a joint lies between its own link's inertia and that of all that hangs on it. Then the
    answer has a ``bound``.

    Args:
        system: any.
        over: what varies -> where, as for ``study``.
        find: what is watched, one thing.
        toward: ``largest`` or ``smallest``.
        evaluations: states to solve at most; the search ends before where it has settled.
        state: what does not vary; by default home and at rest.
        duration: s that each state is simulated, as for ``study``.
        dt: s, the step of that.
        seed: of the search.

    Returns:
        The value and its moment: solved again, it gives that value.

    Raises:
        ModelError: as ``study``, or for more than one thing to find.
        StateError: as ``study``, or if every state that was met is refused.
        SingularConfigurationError: if the arms cannot reach what they hold.

    Cost: that of so many states.
    """
    if not is_among(toward, ENDS):
        raise ModelError(f"toward is {brief(toward)}; expected one of {choices(ENDS)}.")
    most = whole_number(evaluations, "evaluations", "how many states, 1 or more", least=1)
    problem = problem_of(system, over, find, 1, state, "random", seed, duration, dt)
    if len(problem.watches) != 1:
        raise ModelError(f"find is {brief(find)}; expected one thing.")
    sign = -1.0 if toward == "largest" else 1.0
    met = 0

    def cost(shares: Array) -> Array:
        nonlocal met
        drawn = problem.placed(np.atleast_2d(shares.T))
        met += len(drawn)
        values = sign * problem.solved(0, drawn).found[:, 0]
        return np.where(np.isnan(values), np.inf, values)

    d = len(problem.variables)
    generations = max(most // (GENERATION * d) - 1, 1)
    try:
        found = differential_evolution(
            cost,
            [(0.0, 1.0)] * d,
            maxiter=generations,
            popsize=GENERATION,
            tol=CLOSE,
            seed=np.random.default_rng(problem.draws.seed),
            polish=False,
            updating="deferred",
            vectorized=True,
        )
    except RuntimeError as error:  # so SciPy calls whatever goes wrong within
        raise error.__cause__ or error from None
    drawn = problem.placed(found.x[None])
    again = problem.solved(0, drawn)
    limit = bound_of(problem, toward)
    if limit is not None and limit.drawn is not None:
        there = problem.solved(0, limit.drawn[None])
        met += 1
        if not sign * there.found[0, 0] > sign * again.found[0, 0]:
            drawn, again = limit.drawn[None], there
    if again.refused:
        raise StateError(f"every state that was met is refused; the best of them: {again.refused[0]}")
    name, value = problem.watches[0].name, float(again.found[0, 0])
    moment = opened_again(problem, 0, drawn[0], again.found[0])
    bound, because = (None, "") if limit is None else (limit.value, limit.why)
    return WorstCase(name, value, moment, met, bool(found.success), bound, because)
