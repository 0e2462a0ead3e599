"""A question asked of many states: drawn, solved, watched, summed up, and the worst of them kept to be opened again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dynamics.checks import Array, brief, choices, is_among, is_index, must_hear, number, whole_number
from dynamics.ensemble.asked import problem_of
from dynamics.ensemble.distribution import Distribution, Part, Tally, part_of
from dynamics.ensemble.moments import Moment, moment_of
from dynamics.ensemble.parts import Folder, column, opened
from dynamics.ensemble.running import crew_of, one_thread_each
from dynamics.errors import StateError
from dynamics.public import public, public_as_computed
from dynamics.record import Record, frozen
from dynamics.rows.problem import QUICK, Found, Problem
from dynamics.rows.watched import Watched
from dynamics.system.state import State
from dynamics.system.system import System

CHUNKS, MOST_CHUNKS = 64, 100_000
"""Into so many a study is cut, if memory does not ask for more: where rows are solved together, or each by itself."""
ENOUGH, FEWEST_CHUNKS = 65_536, 16
"""Rows that are solved together in some tenths of a second: handing out shorter chunks takes longer than it saves."""
MOST_KEPT = 1000
NUMBERS_KEPT = 4
"""How often a chunk's columns are in memory while it is written."""


@dataclass(frozen=True, eq=False)
class Study(Record):
    """What came of a study.

    Attributes:
        size: rows that were solved, refused ones included.
        found: what is watched -> how it is spread.
        refused: rows that have no state, or no solution.
        refusal: what is wrong with the first of them; empty where there is none.
        fingerprint: the same for the same question, wherever it is asked.
        problem: what was asked.
        folder: where the columns are kept, or None.
        values: (rows, watches), where memory holds them all.
    """

    size: int
    found: Mapping[str, Distribution]
    refused: int
    refusal: str
    fingerprint: str
    problem: Problem
    folder: Folder | None
    values: Array | None

    @public
    def moment(self, row: int) -> Moment:
        """A row opened again: the machine, its state and torques, and what was found there.

        Args:
            row: its number, as ``Distribution.largest`` tells it.

        Returns:
            What ``forward_dynamics`` and everything else needs to look at that moment.

        Raises:
            StateError: for a number that no row has, or a row that has no state.

        Cost: that of solving the row, or those that were solved together with it.
        """
        if not is_index(row, self.size):
            raise StateError(f"row is {brief(row)}; expected a whole number below {self.size}.")
        return moment_of(self.problem, int(row))

    @public_as_computed
    def column(self, name: str) -> Array:
        """One column of all rows: of what varies, drawn again; of what is watched, from memory or from the folder.

        Args:
            name: of what varies or what is watched.

        Returns:
            (rows,) in its own unit, joint by joint as it was named; nan where a row is refused.

        Raises:
            StateError: for another name, a column of words, or where neither memory nor a folder keeps it.

        Cost: reads that column, or draws all.
        """
        words = [one.name for one in self.problem.variables if one.words]
        known = [one for one in self.problem.names if one not in words]
        if not is_among(name, known):
            raise StateError(f"name is {brief(name)}; expected one of {choices(known)}.")
        at = self.problem.names.index(name) - len(self.problem.variables)
        if at < 0 and self.folder is None:
            return np.ascontiguousarray(self.problem.drawn(0, self.size)[:, at])
        if self.values is not None and at >= 0:
            return np.ascontiguousarray(self.values[:, at])
        if self.folder is None:
            raise StateError("so many rows are not kept in memory: ask with keep=..., the path of a folder.")
        return column(self.folder, self.size, name)


@public_as_computed
def study(
    system: System,
    over: Mapping[str, Any],
    find: Watched | Sequence[Watched],
    count: int = 1000,
    *,
    state: State | None = None,
    duration: float | None = None,
    dt: float = 1e-3,
    sample: str = "random",
    seed: int = 0,
    keep: str | Path | None = None,
    workers: int = 1,
    threads: bool = False,
    scheduler: Any = None,
    memory: float = 64e6,
    worst: int = 10,
    progress: Callable[[int, int], object] | None = None,
    look: Callable[[Study], object] | None = None,
) -> Study:
    """Ask a question of many states of a machine, or of many machines.

    The same question with the same seed gives the same numbers, to the last bit, however it is cut into chunks, whoever
    computes them and in whatever order they are done.

    Args:
        system: any.
        over: what varies -> where: a pair (low, high), a frozen distribution of ``scipy.stats``, or a list of values.
            ``q``, ``qd``, ``tau`` of all joints or ``q:elbow`` of one, rad, rad/s and N m, or m, m/s and N;
            ``mass:link``, a floating root's too, and ``length:joint``, factors; ``object_mass``, kg, its inertia with
            it; ``object_inertia``, a factor; ``gravity``, m/s^2 along -z; ``contacts``, a list of kinds. Lists make a
            grid, and each of its points meets every draw of the rest. Where an object is held, postures and rates are
            brought to the nearest that the grips allow. Of motions ``dt``, s, and ``method``, a list of integrators of
            ``simulate``.
        find: what is watched, or several: a quantity of ``registry``, ``"filter.joint_inertia"``, or of a solution,
            ``"contact_force"``: its norm, or ``:smallest``, ``:largest`` entry; ``agreement`` of all methods or
            ``agreement:kkt`` with one; ``residual`` and ``identity``, of all or of one by name;
            ``mass_matrix:condition``; ``tip_acceleration``, m/s^2; ``position:tip.x``, m, of several tips
            ``position:tip_1.x``. Of arms that are bolted down and hold nothing ``dense``, how far a dense solve's
            accelerations are from theirs, of all states at once, and ``dense:condition``. Where an object is held
            ``position:object.x``; ``rho`` of the staggered step, JZ 4.2; ``squeeze``, N; ``contact.omega:condition``;
            ``balance``, how far contact forces and the object's motion are from the laws of Newton and Euler. Of
            motions ``run:drift`` and ``run:rate_drift``, the worst gaps as ``Recording.drift`` has them;
            ``run:unexplained_energy``, J; ``run:duration``, s until it ended or stopped; and any of the above after
            ``end.``, in the state in which the motion ends. Or a function of a ``BatchSolution`` with its stages that
            gives a number a state.
        count: draws.
        state: what does not vary; by default home and at rest.
        duration: s that each state is simulated, with its torques constant; None where no motion is asked of.
        dt: s, the step of that.
        sample: ``random``, ``sobol`` (scrambled) or ``latin_hypercube``.
        seed: of the draws.
        keep: a folder for all columns, Parquet file after file; the same question goes on there where it stopped.
        workers: processes of this machine; 1 is this thread itself.
        threads: whether workers are threads instead.
        scheduler: of ``dask.distributed``, an address or a ``Client``; its workers write to the same folder.
        memory: bytes that a chunk's columns may take in each worker, above those of one batch; and what is watched, in
            all rows: beyond that, it stays in the folder alone.
        worst: how many rows to keep at either end of what is watched.
        progress: told (rows done, rows in all) after every chunk; what it raises ends the study.
        look: told the study of the rows that are done, each time they have doubled; what it raises ends the study.

    Returns:
        How what is watched is spread, and the rows at its ends.

    Raises:
        ModelError: for an unknown name in ``over``, ``find`` or ``sample``, or a range that is none.
        StateError: for numbers that are none, a state of another system, a folder of another study or that cannot be
            written, workers lost again and again, or if every row is refused.
        SingularConfigurationError: if the arms cannot reach what they hold.

    Cost: that of ``forward_dynamics_batch``, and 0.5 us a row; of a Latin hypercube 0.15 us more for each number that
    is drawn; of ``agreement``, ``residual``, ``identity``, ``rho``, ``mass_matrix``, ``position`` and
    ``tip_acceleration`` milliseconds a row; of motions that of ``simulate`` for each.
    """
    problem = problem_of(system, over, find, count, state, sample, seed, duration, dt)
    ends = whole_number(worst, "worst", "how many rows, 1 or more", least=1, most=MOST_KEPT)
    room = number(memory, "memory", "a number of bytes, more than 0")
    if room <= 0.0:
        raise StateError(f"memory is {brief(memory)}; expected a number of bytes, more than 0.")
    must_hear(progress, "progress", "rows done and rows in all", 2)
    must_hear(look, "look", "a Study", 1)
    crew = crew_of(workers, threads, scheduler)
    rows = chunk_rows(problem, room)
    folder = None if keep is None else opened(keep, problem, rows)
    rows = rows if folder is None else folder.rows
    tallies = [Tally(one.name, ends) for one in problem.watches]
    refused, refusal, size = 0, "", problem.size
    kept = np.empty((size, len(problem.watches))) if 8.0 * size * len(problem.watches) <= room else None
    work = partial(chunk, problem, rows, folder, ends, kept is not None)
    seen = 0

    def so_far(done: int) -> Study:
        found = {tally.name: tally.distribution() for tally in tallies}
        values = kept if kept is None or done == size else kept[:done].copy()
        return Study(done, found, refused, refusal, problem.fingerprint, problem, folder, frozen(values))

    for at, answer in enumerate(crew.answers(work, -(-size // rows))):
        first, done = at * rows, min((at + 1) * rows, size)
        if kept is not None:
            kept[first:done] = answer.values
        for tally, part in zip(tallies, answer.parts, strict=True):
            tally.add(part)
        refused += answer.refused
        refusal = refusal or answer.refusal
        if progress is not None:
            progress(done, size)
        if look is not None and 2 * seen <= done < size and refused < done:
            seen = done
            look(so_far(done))
    if folder is not None:
        folder.clear()
    if refused == size:
        raise StateError(f"every row is refused; the first one: {refusal}")
    return so_far(size)


class Answer(NamedTuple):
    """What comes of a chunk: sums, and as little else as is asked for.

    Attributes:
        parts: of each watch.
        values: (rows, watches), or None.
        refused: rows.
        refusal: what is wrong with the first of them; empty where there is none.
    """

    parts: tuple[Part, ...]
    values: Array | None
    refused: int
    refusal: str


def chunk(problem: Problem, rows: int, folder: Folder | None, worst: int, wanted: bool, number: int) -> Answer:
    """What is watched in a chunk's rows, summed up where it is found; kept in the folder, or read there.

    Args:
        problem: what is asked.
        rows: of a chunk.
        folder: where columns are kept, or None.
        worst: how many rows to keep at either end.
        wanted: whether whoever asks wants the numbers themselves, too.
        number: of the chunk.
    """
    first = number * rows
    found = None if folder is None else folder.read(problem, number)
    if found is None:
        stop = min(first + rows, problem.size)
        starts = range(first, stop, problem.together)
        with one_thread_each():  # wherever this is: a cluster's worker, say
            parts = [problem.evaluate(at, min(problem.together, stop - at)) for at in starts]
        found = Found(
            np.concatenate([part.drawn for part in parts]),
            np.concatenate([part.found for part in parts]),
            {row: why for part in parts for row, why in part.refused.items()},
        )
        if folder is not None:
            folder.write(problem, number, found)
    sums = tuple(part_of(first, np.ascontiguousarray(own), problem.together, worst) for own in found.found.T)
    refusal = found.refused[min(found.refused)] if found.refused else ""
    return Answer(sums, found.found if wanted else None, len(found.refused), refusal)


def chunk_rows(problem: Problem, memory: float) -> int:
    """How many rows a chunk has: whole batches, at least one, and no more than memory holds.

    Rows that are solved each by itself make short chunks: a worker that is killed loses seconds.
    """
    fit = memory / (8.0 * NUMBERS_KEPT * (len(problem.names) + 1))
    wanted = -(-problem.size // (CHUNKS if problem.together == QUICK else MOST_CHUNKS))
    if problem.together == QUICK:
        wanted = max(wanted, min(ENOUGH, -(-problem.size // FEWEST_CHUNKS)))
    return max(int(min(wanted, max(fit, 1.0))) // problem.together, 1) * problem.together
