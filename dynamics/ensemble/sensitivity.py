"""Which variable decides how much of what is watched: Sobol's indices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import sobol_indices

from dynamics.checks import Array, brief
from dynamics.ensemble.asked import problem_of
from dynamics.ensemble.running import crew_of, one_thread_each
from dynamics.errors import ModelError, StateError
from dynamics.public import public
from dynamics.record import Record
from dynamics.rows.draws import MOST, Draws
from dynamics.rows.problem import Problem
from dynamics.rows.watched import Watched
from dynamics.system.state import State
from dynamics.system.system import System

LEAST = 16
"""Points: of fewer no variance can be told."""


@dataclass(frozen=True, eq=False)
class Sensitivity(Record):
    """Shares of the variance of what is watched.

    Attributes:
        name: what is watched.
        variables: their names.
        first_order: (variables,), what each decides alone.
        total_order: (variables,), what each decides together with all others: near zero, it could as well be fixed.
        evaluations: states that were solved.
    """

    name: str
    variables: tuple[str, ...]
    first_order: Array
    total_order: Array
    evaluations: int

    @property
    def ranked(self) -> tuple[str, ...]:
        """The variables, what decides most first."""
        return tuple(self.variables[at] for at in np.argsort(-self.total_order, kind="stable"))


@public
def sensitivity(
    system: System,
    over: Mapping[str, Any],
    find: Watched,
    count: int = 1024,
    *,
    state: State | None = None,
    duration: float | None = None,
    dt: float = 1e-3,
    seed: int = 0,
    workers: int = 1,
    threads: bool = False,
    scheduler: Any = None,
) -> Sensitivity:
    """Sobol's indices of what is watched, by Saltelli's estimator of the first order and Jansen's of the total.

    Args:
        system: any.
        over: what varies -> where, as for ``study``; of a list each value is as likely as the other.
        find: what is watched, one thing.
        count: points of Sobol's sequence, a power of two, 16 or more; it takes (variables + 2) times as many states.
            The error goes down with its root, roughly: another seed shows how large it is.
        state: what does not vary; by default home and at rest.
        duration: s that each state is simulated, as for ``study``.
        dt: s, the step of that.
        seed: of the draws.
        workers: as for ``study``.
        threads: likewise.
        scheduler: likewise.

    Returns:
        Shares of the variance, without a unit.

    Raises:
        ModelError: as ``study``, and for a count that is no power of two, or too small.
        StateError: as ``study``, where a state is refused, or where nothing changes what is watched.
        SingularConfigurationError: if the arms cannot reach what they hold.

    Cost: that of so many states.
    """
    problem = problem_of(system, over, find, count, state, "sobol", seed, duration, dt, is_grid=False)
    d, n = len(problem.variables), problem.draws.count
    if len(problem.watches) != 1 or n & (n - 1) or n < LEAST:
        raise ModelError(
            f"find and count: expected one thing and a power of two, {LEAST} or more, got {brief(find)} and {n}."
        )
    size = (d + 2) * n
    if size > MOST:
        raise ModelError(f"count is {n}; with {d} variables that makes {size} states, more than {MOST}.")
    crew = crew_of(workers, threads, scheduler)
    pairs = Draws("sobol", n, 2 * d, problem.draws.seed)
    rows = -(-size // (8 * crew.workers * problem.together)) * problem.together
    work = partial(_chunk, problem, pairs, rows)
    found = np.concatenate(list(crew.answers(work, -(-size // rows)))).reshape(d + 2, 1, n)
    if not np.ptp(found[:2]) > 0.0:
        raise StateError(f"find: {problem.watches[0].name} is the same whatever varies.")
    found = np.repeat(found, 2, axis=1)  # twice the same: of one answer to one variable scipy makes no array
    indices = sobol_indices(func={"f_A": found[0], "f_B": found[1], "f_AB": found[2:]}, n=n)
    first, total = (np.reshape(each, (2, d))[0] for each in (indices.first_order, indices.total_order))
    name, names = problem.watches[0].name, tuple(one.name for one in problem.variables)
    return Sensitivity(name, names, first, total, size)


def _chunk(problem: Problem, pairs: Draws, rows: int, number: int) -> Array:
    """What is watched in some of the rows of A, of B, and of A with one column of B after the other."""
    d, n = len(problem.variables), pairs.count
    points = pairs.points(0, n)
    matrix, point = divmod(np.arange(number * rows, min((number + 1) * rows, (d + 2) * n)), n)
    shares = np.where((matrix == 1)[:, None], points[point, d:], points[point, :d])
    exchanged = np.flatnonzero(matrix > 1)
    column = matrix[exchanged] - 2
    shares[exchanged, column] = points[point[exchanged], d + column]
    drawn = problem.placed(shares)
    values = []
    for at in range(0, len(drawn), problem.together):
        with one_thread_each():
            found = problem.solved(number * rows + at, drawn[at : at + problem.together])
        if found.refused:
            raise StateError(f"a state of these ranges is refused: {next(iter(found.refused.values()))}")
        values.append(found.found[:, 0])
    return np.concatenate(values)
