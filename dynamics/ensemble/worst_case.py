"""The worst state by search instead of by chance, or where mathematics says that it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np

from dynamics.checks import Array, brief, choices, is_among, whole_number
from dynamics.ensemble.asked import problem_of
from dynamics.ensemble.bounds import Bound, bound_of
from dynamics.ensemble.moments import Moment, opened_again
from dynamics.ensemble.running import one_thread_each
from dynamics.ensemble.search import least
from dynamics.errors import ModelError, StateError
from dynamics.public import public
from dynamics.record import Record
from dynamics.rows.problem import Found, Problem
from dynamics.rows.watched import Watch, Watched
from dynamics.system.state import State
from dynamics.system.system import System

ENDS = ("largest", "smallest")


@dataclass(frozen=True, eq=False)
class WorstCase(Record):
    """What a search has found.

    Attributes:
        name: what is watched.
        value: the worst that was found, in its own unit.
        moment: where: machine, state and torques.
        evaluations: states that were solved.
        settled: whether two ways, begun apart, have come to the same value; or mathematics says where the worst is.
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

    One in seven states is drawn by chance; the best go on by differential evolution (Storn and Price 1997), then
    downhill, both as ``scipy.optimize`` has them, all in batches: by L-BFGS-B (Byrd and others 1995), of ``:largest``
    entries each by itself; and where the largest of several is to be smallest, or the other way round, by SLSQP
    (Kraft 1988), which knows of the edges where two are equal. What changes nothing of all that varies is found by some
    states, and held. No state that is refused is an answer. Where only torques vary, what is affine in them, or a norm
    of that, is worst at a corner of their ranges: there nothing is searched. D of a joint lies between its own link's
    inertia and that of all that hangs on it, unless grips move joints that slide. Then the answer has a ``bound``.

    Args:
        system: any.
        over: what varies -> where, as for ``study``.
        find: what is watched, one thing.
        toward: ``largest`` or ``smallest``.
        evaluations: states to solve at most, each counted as one draw of ``study``: those that are drawn first, every
            member of a generation, and each of the states that a slope takes. The answer is solved once more.
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
    problem = problem_of(system, over, find, 1, state, "random", seed, duration, dt, is_grid=False)
    if len(problem.watches) != 1:
        raise ModelError(f"find is {brief(find)}; expected one thing.")
    limit = bound_of(problem, toward)
    with one_thread_each():
        best = _known(problem, limit) or _searched(problem, toward, most)
    if best.again.refused:
        raise StateError(f"every state that was met is refused; the best of them: {best.again.refused[0]}")
    name, value = problem.watches[0].name, float(best.again.found[0, 0])
    moment = opened_again(problem, 0, best.again.drawn[0], best.again.found[0])
    bound, because = (None, "") if limit is None else (limit.value, limit.why)
    return WorstCase(name, value, moment, best.evaluations, best.settled, bound, because)


class _Best(NamedTuple):
    """The worst state, solved by itself."""

    again: Found
    evaluations: int
    settled: bool


def _known(problem: Problem, limit: Bound | None) -> _Best | None:
    """The state that reaches the bound, where one does; the bound has asked a state of each torque, and one more."""
    if limit is None or limit.drawn is None:
        return None
    again = problem.solved(0, limit.drawn[None])
    return None if again.refused else _Best(again, len(problem.variables) + 2, True)


def _searched(problem: Problem, toward: str, most: int) -> _Best:
    sign, together = -1.0 if toward == "largest" else 1.0, problem.together
    wide = replace(problem, watches=_entries(problem))

    def cost(shares: Array) -> Array:
        drawn = problem.placed(shares)
        parts = [wide.solved(0, drawn[at : at + together]).found for at in range(0, len(drawn), together)]
        return sign * np.concatenate(parts)

    rng = np.random.default_rng(problem.draws.seed)
    by_least = len(wide.watches) == 1 or problem.watches[0].part == toward
    found = least(cost, len(problem.variables), most, rng, by_least)
    return _Best(problem.solved(0, problem.placed(found.shares[None])), found.evaluations, found.settled)


def _entries(problem: Problem) -> tuple[Watch, ...]:
    """What is watched, entry by entry where it is the largest or the smallest of several."""
    watch, states = problem.watches[0], next(problem.pieces(0, problem.drawn(0, 1)))[0]
    if watch.part not in ENDS or watch.needs == "states" or states is None or not len(states):
        return problem.watches
    size = watch.array(states.solved("." in str(watch.source)))[0].size
    return tuple(replace(watch, name=f"{watch.name}:{entry}", part=entry) for entry in range(size))
