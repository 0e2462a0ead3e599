"""Searches instead of sampling: the worst state by ``scipy.optimize``, and Sobol's indices by ``scipy.stats``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isqrt
from typing import Any, Literal

import numpy as np
from scipy.optimize import differential_evolution
from scipy.stats import sobol_indices, uniform
from threadpoolctl import threadpool_limits

from dynamics.checks import Array, brief, choices, is_among, whole_number
from dynamics.errors import ModelError, StateError
from dynamics.public import public
from dynamics.record import Record
from dynamics.studies.outputs import WatchSource
from dynamics.studies.rows import MOST, Problem, problem_of
from dynamics.studies.study import Moment, moment_of
from dynamics.system.state import State
from dynamics.system.system import System

ENDS = ("largest", "smallest")
EVOLVED = 0.5  # share of all states that evolution solves; the rest is for polishing the best
FEWEST = 5  # members of a generation, SciPy's minimum
LEAST = 16  # points of a sensitivity: fewer give no variance


@dataclass(frozen=True, eq=False)
class WorstCase(Record):
    """The result of a search; there may be worse states.

    Attributes:
        name: what is watched.
        value: the worst value found, in its own unit.
        moment: its machine, state and torques.
        evaluations: states that were solved.
    """

    name: str
    value: float
    moment: Moment
    evaluations: int


@dataclass(frozen=True, eq=False)
class Sensitivity(Record):
    """Shares of the variance of a watched quantity.

    Attributes:
        name: what is watched.
        variables: their names.
        first_order: (variables,), the share of each alone.
        total_order: (variables,), the share of each with all its interactions: near zero, it could as well be fixed.
        evaluations: states that were solved.
    """

    name: str
    variables: tuple[str, ...]
    first_order: Array
    total_order: Array
    evaluations: int

    @property
    def ranked(self) -> tuple[str, ...]:
        """The variables, the most influential first."""
        return tuple(self.variables[at] for at in np.argsort(-self.total_order, kind="stable"))


@public
def worst_case(
    system: System,
    over: Mapping[str, Any],
    find: WatchSource,
    toward: Literal["largest", "smallest"] = "largest",
    evaluations: int = 20_000,
    *,
    state: State | None = None,
    duration: float | None = None,
    dt: float = 1e-3,
    seed: int = 0,
) -> WorstCase:
    """Search the ranges for the state in which the watched quantity is largest, or smallest.

    Randomly sampled states are improved by differential evolution (Storn and Price 1997), and the best of all
    by L-BFGS-B (Byrd and others 1995) as long as states are left. Both are those of ``scipy.optimize``.

    Args:
        system: any.
        over: what varies -> its range, as for ``study``; all values of a list are equally likely.
        find: the watched quantity, only one.
        toward: ``largest`` or ``smallest``.
        evaluations: largest number of states to solve.
        state: what does not vary; by default home and at rest.
        duration: s that each state is simulated, as for ``study``.
        dt: s, the step of the simulation.
        seed: of the search.

    Returns:
        The value and its moment.

    Raises:
        ModelError: as ``study``, or for more than one thing to find.
        StateError: as ``study``, or if every state tried is refused.
        SingularConfigurationError: if the arms cannot reach what they hold.

    Cost: that of ``evaluations`` states.
    """
    if not is_among(toward, ENDS):
        raise ModelError(f"toward is {brief(toward)}; expected one of {choices(ENDS)}.")
    most = whole_number(evaluations, "evaluations", "how many states, 1 or more", least=1)
    problem = problem_of(system, over, find, 1, state, "random", seed, duration, dt)
    if len(problem.watches) != 1:
        raise ModelError(f"find is {brief(find)}; expected one quantity.")
    cost = _Cost(problem, -1.0 if toward == "largest" else 1.0, most)
    rng, axes = np.random.default_rng(problem.seed), len(problem.variables)
    inside, members = [(0.0, 1.0)] * axes, max(isqrt(int(EVOLVED * most)), FEWEST)
    with threadpool_limits(limits=1, user_api="blas"):
        differential_evolution(
            lambda points: cost(np.atleast_2d(points.T)), inside, init=rng.random((members, axes)), maxiter=members - 1,
            tol=0.0, polish=True, updating="deferred", vectorized=True, seed=rng,
        )  # fmt: skip
    if not np.isfinite(cost.best):
        raise StateError(f"every state that was tried is refused; the first one: {cost.refusal}")
    value = cost.sign * cost.best
    moment = moment_of(problem, 0, problem.placed(cost.where[None]), [value])
    return WorstCase(problem.watches[0].name, value, moment, most - cost.left)


class _Cost:
    """The watched quantity of many states at once as a cost of order one to minimize; it stores the least."""

    def __init__(self, problem: Problem, sign: float, most: int) -> None:
        self.problem, self.sign, self.left = problem, sign, most
        self.best, self.where, self.refusal, self.scale = np.inf, np.empty(0), "", 0.0

    def __call__(self, shares: Array) -> Array:
        """(n,) from (n, variables); infinite if a state is refused, or no evaluations are left."""
        found = np.full(len(shares), np.inf)
        solved = self.problem.solved(self.problem.placed(shares[: self.left]))
        values = self.sign * solved.values[:, 0]
        self.left -= len(values)
        found[: len(values)] = np.where(np.isnan(values), np.inf, values)
        self.refusal = self.refusal or next((why for why in solved.refusals if why), "")
        if found.min() < self.best:
            self.best, self.where = float(found.min()), shares[found.argmin()].copy()
            self.scale = self.scale or abs(self.best)
        return found / (self.scale or 1.0)


@public
def sensitivity(
    system: System,
    over: Mapping[str, Any],
    find: WatchSource,
    count: int = 1024,
    *,
    state: State | None = None,
    duration: float | None = None,
    dt: float = 1e-3,
    seed: int = 0,
) -> Sensitivity:
    """Sobol's indices of a watched quantity, by ``scipy.stats.sobol_indices``.

    Args:
        system: any.
        over: what varies -> its range, as for ``study``; all values of a list are equally likely.
        find: the watched quantity, only one.
        count: points of Sobol's sequence, a power of two, 16 or more; it takes (variables + 2) times as many states.
            The error falls roughly with its root: another seed shows how large it is.
        state: what does not vary; by default home and at rest.
        duration: s that each state is simulated, as for ``study``.
        dt: s, the step of the simulation.
        seed: of the samples.

    Returns:
        Shares of the variance, dimensionless.

    Raises:
        ModelError: as ``study``, and for a count that is not a power of two, or too small.
        StateError: as ``study``, if a state is refused, or if nothing changes the watched quantity.
        SingularConfigurationError: if the arms cannot reach what they hold.

    Cost: that of as many states.
    """
    problem = problem_of(system, over, find, count, state, "sobol", seed, duration, dt)
    axes, many, name = len(problem.variables), problem.count, problem.watches[0].name
    if len(problem.watches) != 1 or many & (many - 1) or not LEAST <= many <= MOST // (axes + 2):
        raise ModelError(
            f"find and count: expected one quantity and a power of two, {LEAST} or more, got {brief(find)} and {many}."
        )

    def watched(shares: Array) -> Array:
        """(2, points), the same twice: for a single output and variable SciPy does not make an array."""
        found = problem.solved(problem.placed(shares.T))
        if refused := [why for why in found.refusals if why is not None]:
            raise StateError(f"a state of these ranges is refused: {refused[0]}")
        values = found.values[:, 0]
        if not np.ptp(values) > 0.0:
            raise StateError(f"find: {name} is the same whatever varies.")
        return np.tile(values, (2, 1))

    dists, rng = axes * [uniform()], np.random.default_rng(problem.seed)
    with threadpool_limits(limits=1, user_api="blas"):
        indices = sobol_indices(func=watched, n=many, dists=dists, random_state=rng)
    first, total = (np.reshape(each, (2, axes))[0] for each in (indices.first_order, indices.total_order))
    return Sensitivity(name, tuple(one.name for one in problem.variables), first, total, (axes + 2) * many)
