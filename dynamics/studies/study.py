"""The call: a question about many states, its workers, the distribution of the results, and where they are kept."""

from __future__ import annotations

import json
import multiprocessing
import pickle
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from dynamics.checks import Array, brief, choices, flag, is_among, is_index, must_hear, number, text, whole_number
from dynamics.errors import ModelError, StateError
from dynamics.motion.atomic_write import temporary_file
from dynamics.motion.table import installed
from dynamics.public import public, public_as_computed
from dynamics.record import Record
from dynamics.studies.outputs import WatchSource
from dynamics.studies.rows import MOST, Problem, RowSet, problem_of
from dynamics.system.state import State
from dynamics.system.system import System

KEPT = 10  # rows at either end
MOST_WORKERS = 256
PATIENCE = 10.0  # s that a scheduler may take to answer


@dataclass(frozen=True, eq=False)
class Distribution(Record):
    """The distribution of one watched number over the rows that have one.

    Attributes:
        name: what is watched, as the caller named it.
        values: (rows,), in its own unit; nan if a row is refused.
    """

    name: str
    values: Array = field(repr=False)

    @cached_property
    def _numbers(self) -> Array:
        return self.values[~np.isnan(self.values)]

    @property
    def count(self) -> int:
        """Number of rows with a value."""
        return len(self._numbers)

    @property
    def mean(self) -> float:
        """Mean of these values."""
        return float(self._numbers.mean())

    @property
    def variance(self) -> float:
        """Sample variance about the mean: divided by one less than the count."""
        with np.errstate(over="ignore"):
            return float(self._numbers.var(ddof=1)) if self.count > 1 else 0.0

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        return sqrt(self.variance)

    @property
    def minimum(self) -> float:
        """The smallest value."""
        return float(self._numbers.min())

    @property
    def maximum(self) -> float:
        """The largest value."""
        return float(self._numbers.max())

    @cached_property
    def largest(self) -> tuple[tuple[int, float], ...]:
        """(row, value) of the ten largest, the largest first; equal ones in row order."""
        return self._first(-self.values)

    @cached_property
    def smallest(self) -> tuple[tuple[int, float], ...]:
        """(row, value) of the ten smallest, the smallest first."""
        return self._first(self.values)

    def _first(self, values: Array) -> tuple[tuple[int, float], ...]:
        rows = np.argsort(values, kind="stable")[: min(KEPT, self.count)]
        return tuple((int(row), float(self.values[row])) for row in rows)

    @public
    def quantile(self, share: float) -> float:
        """The value below which a share of all values lies.

        Args:
            share: 0 to 1; 0.5 is the median.

        Returns:
            Interpolated linearly between two values, like NumPy's; in the unit of the watched quantity.

        Raises:
            StateError: for an invalid share.

        Cost: linear in the rows.
        """
        wanted = number(share, "share", "a share, 0 to 1")
        if not 0.0 <= wanted <= 1.0:
            raise StateError(f"share is {wanted:g}; expected a share, 0 to 1.")
        return float(np.quantile(self._numbers, wanted))


@dataclass(frozen=True, eq=False)
class Moment(Record):
    """A row of a study, reconstructed.

    Attributes:
        row: its number.
        drawn: what varies -> its value; for contacts the kind.
        found: what is watched -> its value; None if the row is refused.
        system: the machine of this row.
        state: its state, closed if an object is held.
        tau: (joints,) N m or N, tip to base.
    """

    row: int
    drawn: Mapping[str, float | str]
    found: Mapping[str, float] | None
    system: System
    state: State
    tau: Array


@dataclass(frozen=True, eq=False)
class Study(Record):
    """The result of a study.

    Attributes:
        size: rows that were solved, refused ones included.
        found: what is watched -> its distribution.
        refused: rows that have no state, or no solution.
        refusal: what is wrong with the first of them; empty if there is none.
        problem: the question.
    """

    size: int
    found: Mapping[str, Distribution]
    refused: int
    refusal: str
    problem: Problem = field(repr=False)

    @property
    def fingerprint(self) -> str:
        """Equal for equal questions, wherever they are asked; a function is identified only by its name."""
        return self.problem.fingerprint

    @public
    def moment(self, row: int) -> Moment:
        """Reconstructs a row: the machine, its state and torques, and the values found there.

        Args:
            row: its number, as in ``Distribution.largest``.

        Returns:
            Everything that ``forward_dynamics`` and other functions need to examine that moment.

        Raises:
            StateError: for a number that no row has, or a row that has no state.

        Cost: that of sampling the row, and of closing its state on a held object.
        """
        if not is_index(row, self.size):
            raise StateError(f"row is {brief(row)}; expected a whole number below {self.size}.")
        drawn = self.problem.drawn(int(row), 1)
        return moment_of(self.problem, int(row), drawn, [one.values[row] for one in self.found.values()])

    @public_as_computed
    def column(self, name: str) -> Array:
        """One column of all rows: of a variable, sampled again, or of a watched quantity.

        Args:
            name: of a variable or a watched quantity.

        Returns:
            (rows,) in its own unit, for each joint as it was named; nan if a row is refused.

        Raises:
            StateError: for another name, or a column of words.

        Cost: samples all rows, or none.
        """
        words = [one.name for one in self.problem.variables if one.words]
        known = [one for one in self.problem.names if one not in words]
        if not is_among(name, known):
            raise StateError(f"name is {brief(name)}; expected one of {choices(known)}.")
        if name in self.found:
            return self.found[name].values
        return np.ascontiguousarray(self.problem.drawn(0, self.size)[:, self.problem.names.index(name)])


@public_as_computed
def study(
    system: System,
    over: Mapping[str, Any],
    find: WatchSource | Sequence[WatchSource],
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
    progress: Callable[[int, int], object] | None = None,
    look: Callable[[Study], object] | None = None,
) -> Study:
    """Ask a question about many states or machines: each is sampled, solved and watched, and all are summarized.

    Rows are numbered. The same question gives each row the same numbers to the last bit, on any worker.

    Args:
        system: any.
        over: what varies -> its range: a pair (low, high), a frozen distribution of ``scipy.stats``, or a list of
            values.
            ``q``, ``qd``, ``tau``, of all joints or with one, ``q:elbow``: rad, rad/s, N m; m, m/s, N where it slides;
            ``mass:link``, a floating root's too, and ``length:joint``, factors; ``object_mass``, kg, its inertia with
            it; ``object_inertia``, a factor; ``gravity``, m/s^2 along -z; ``contacts``, a list of kinds. Lists make a
            grid, and each of its points is combined with every sample of the rest. If an object is held, postures and
            rates are projected onto the nearest that the grips allow. For motions ``dt``, s, and ``method``, a list of
            integrators of ``simulate``.
        find: what is watched, or several: a quantity of ``registry``, ``"filter.joint_inertia"``, or of a solution,
            ``"contact_force"``: its norm, or ``:smallest``, ``:largest``, or one joint's entry; ``agreement`` of all
            methods or ``agreement:kkt`` with one; ``identity``, of all or of one by name;
            ``mass_matrix:condition``; ``tip_acceleration``, m/s^2; ``position:tip.x``, m, with several tips
            ``position:tip_1.x``. If an object is held ``position:object.x``; ``rho`` of the staggered step, JZ 4.2;
            ``squeeze``, half of the sum of the contact forces' norms less the norm of their sum, N;
            ``contact.omega:condition``; ``balance``, the residual of the object's Newton-Euler equations.
            For motions ``run:drift`` and ``run:rate_drift``, the worst gaps as in
            ``Recording.drift``; ``run:unexplained_energy``, J; ``run:duration``, s until it ended or stopped;
            and any of the above after ``end.``, in the state in which the motion ends. Or a function of a
            ``BatchSolution`` with its stages that returns a number per state.
        count: samples.
        state: what does not vary; by default home and at rest.
        duration: s that each state is simulated, with its torques constant; None for no simulation.
        dt: s, the step of the simulation.
        sample: ``random``, ``sobol`` (scrambled) or ``latin_hypercube``.
        seed: of the samples.
        keep: a folder for all columns, in several Parquet files; the same question continues there where it stopped.
            A function in ``find`` is identified by its name: if you change what it does, use another folder.
        workers: processes of this machine; 1 is this thread itself.
        threads: whether workers are threads instead.
        scheduler: of ``dask.distributed``, an address or a ``Client``; its workers write to the same folder.
        progress: called with (rows done, total) after every chunk; an exception from it ends the study.
        look: called with the study of the rows done, each time they have doubled; an exception from it ends the study.

    Returns:
        The distributions of the watched quantities, and the rows at their ends.

    Raises:
        ModelError: for an unknown name in ``over``, ``find`` or ``sample``, or an invalid range.
        StateError: for invalid numbers, a state of another system, a folder of another study or one that cannot be
            written, a worker that is lost, or if every row is refused.
        SingularConfigurationError: if the arms cannot reach what they hold.

    Example:
        >>> system = dyn.single_arm(dyn.load("panda"))
        >>> found = dyn.study(system, {"q": (-1, 1)}, "mass_matrix:condition", 100)
        >>> found.size
        100

    Cost: that of ``forward_dynamics_batch``, and 0.5 us a row; for ``agreement``, ``identity``, ``rho``,
    ``mass_matrix``, ``position`` and ``tip_acceleration`` milliseconds a row; for motions that of ``simulate``, each.
    Memory: 8 bytes a row for each watched number.
    """
    problem = problem_of(system, over, find, count, state, sample, seed, duration, dt)
    size, rows = problem.size, problem.rows_of_chunk
    if size > MOST:
        raise ModelError(f"over: its lists and {problem.count} draws make {size} rows, more than {MOST}.")
    must_hear(progress, "progress", "rows done and rows in all", 2)
    must_hear(look, "look", "a Study", 1)
    many = whole_number(workers, "workers", "how many workers, 1 or more", least=1, most=MOST_WORKERS)
    if scheduler is not None and not (hasattr(scheduler, "get_executor") or "://" in text(scheduler, "scheduler")):
        raise StateError(f"scheduler is {brief(scheduler)}; expected an address, tcp://host:port, or a Client.")
    folder = None if keep is None else _opened(keep, problem)
    values = np.full((len(problem.watches), size), np.nan)
    refused, refusal, seen = 0, "", 0

    def so_far(done: int) -> Study:
        found = {one.name: Distribution(one.name, own[:done]) for one, own in zip(problem.watches, values, strict=True)}
        return Study(done, found, refused, refusal, problem)

    work, given = partial(_chunk, problem, folder), range(0, size, rows)
    with closing(_answers(work, given, many, flag(threads, "threads"), scheduler)) as parts:
        for first, found in zip(given, parts, strict=True):
            done = first + len(found.values)
            values[:, first:done] = found.values.T
            why = [one for one in found.refusals if one is not None]
            refused, refusal = refused + len(why), refusal or next(iter(why), "")
            if progress is not None:
                progress(done, size)
            if look is not None and 2 * seen <= done < size and refused < done:
                seen = done
                look(so_far(done))
    if refused == size:
        raise StateError(f"every row is refused; the first one: {refusal}")
    return so_far(size)


def moment_of(problem: Problem, row: int, drawn: Array, found: Sequence[float]) -> Moment:
    """The moment of a row whose watched numbers were ``found``; StateError for a row that has no state."""
    refusals = np.full(1, None, dtype=object)
    states = next((states for _, states in problem.states(drawn, refusals)), None)
    if states is None:
        raise StateError(f"row {row} has no state: {refusals[0]}")
    values = {
        one.name: one.words[int(value)] if one.words else value
        for one, value in zip(problem.variables, drawn[0].tolist(), strict=True)
    }
    watched = {one.name: float(value) for one, value in zip(problem.watches, found, strict=True)}
    is_refused = bool(np.isnan(list(watched.values())).any())
    return Moment(row, values, None if is_refused else watched, states.system, states.state(0), states.tau[0])


def _chunk(problem: Problem, folder: Path | None, first: int) -> RowSet:
    """What is found in the rows of a chunk; read from the folder, or written to it."""
    count = min(problem.rows_of_chunk, problem.size - first)
    found = None if folder is None else _read(problem, _file(folder, first), count)
    if found is None:
        found = problem.solved(problem.drawn(first, count))
        if folder is not None:
            _write(problem, folder, first, found)
    return found._replace(drawn=np.empty((count, 0)))  # these can be sampled again


def _answers(
    work: Callable[[int], RowSet], given: Sequence[int], workers: int, threads: bool, scheduler: Any
) -> Generator[RowSet, None, None]:
    """``work`` applied to each of ``given``, in order: by this thread, by others, or by a cluster."""
    if scheduler is not None:
        yield from _by_dask(work, given, scheduler)
    elif workers == 1 or threads:
        # Otherwise BLAS would start as many threads per worker as there are cores.
        with threadpool_limits(limits=1, user_api="blas"), ThreadPoolExecutor(workers) as pool:
            yield from map(work, given) if workers == 1 else pool.map(work, given)
    else:
        try:
            pickle.dumps(work)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise StateError(
                f"workers: the question cannot be sent to another process: {brief(str(error))[1:-1]}. Define functions "
                "at the top of a module, or ask with threads=True."
            ) from error
        # Spawned: a fork of a process with other threads would wait for locks that are never released.
        spawn = multiprocessing.get_context("spawn")
        try:
            with ProcessPoolExecutor(workers, spawn, threadpool_limits, (1, "blas")) as pool:
                yield from pool.map(work, given)
        except BrokenExecutor as error:
            raise StateError(
                "workers: one was killed. Ask the same question again to continue from what is kept."
            ) from error


def _by_dask(work: Callable[[int], RowSet], given: Sequence[int], scheduler: Any) -> Generator[RowSet, None, None]:
    """By Dask's own futures, which it cancels when the scheduler is gone."""
    distributed = installed("distributed", "scheduler", "study")
    own, client = not isinstance(scheduler, distributed.Client), scheduler
    try:
        if own:
            client = distributed.Client(scheduler, timeout=PATIENCE, set_as_default=False)
        client.wait_for_workers(1, timeout=PATIENCE)
    except (OSError, ValueError, TimeoutError) as cause:
        raise StateError(f"scheduler: nobody answers at {brief(scheduler)}, or it has no workers.") from cause
    try:
        for future in client.map(work, given, pure=False):
            yield future.result()
    except (OSError, TimeoutError, CancelledError, distributed.KilledWorker) as cause:
        raise StateError("scheduler: it is gone. Ask the same question again to continue from what is kept.") from cause
    finally:
        if own:
            client.close(timeout=PATIENCE)


MANIFEST = "_study.json"  # identifies the study; Parquet readers skip names with this prefix


def _file(folder: Path, first: int) -> Path:
    """The file of the chunk that begins with this row."""
    return folder / f"part-{first:09d}.parquet"


def _write(problem: Problem, folder: Path, first: int, found: RowSet) -> None:
    """Writes a chunk's columns, under another name until the file is complete."""
    arrow, writer = installed("pyarrow", "keep", "study"), installed("pyarrow.parquet", "keep", "study")
    columns: dict[str, Any] = {"row": np.arange(first, first + len(found.values))}
    for one, drawn in zip(problem.variables, found.drawn.T, strict=True):
        columns[one.name] = [one.words[int(at)] for at in drawn] if one.words else np.ascontiguousarray(drawn)
    for watch, values in zip(problem.watches, found.values.T, strict=True):
        columns[watch.name] = arrow.array(np.ascontiguousarray(values), mask=np.isnan(values))
    columns["refused"] = arrow.array(found.refusals, "string")
    with _written(folder), temporary_file(_file(folder, first)) as temporary:
        writer.write_table(arrow.table(columns), temporary)


def _read(problem: Problem, file: Path, count: int) -> RowSet | None:
    """A chunk's numbers, if they exist; StateError for a file that is corrupt or not from a study."""
    if not file.exists():
        return None
    names = [one.name for one in problem.watches]
    try:
        table = installed("pyarrow.parquet", "keep", "study").read_table(file, columns=[*names, "refused"])
        if len(table) != count:
            raise ValueError(f"{len(table)} rows, not {count}")
        values = np.stack([np.asarray(table[name].to_numpy(), dtype=float) for name in names], axis=1)
        return RowSet(np.empty((count, 0)), values, np.array(table["refused"].to_pylist(), dtype=object))
    except (OSError, ValueError, KeyError) as error:
        raise StateError(f"{brief(str(file))} cannot be read ({brief(str(error))[1:-1]}); remove it.") from error


def _opened(path: object, problem: Problem) -> Path:
    """The folder of a question: a new one, or the one in which it was interrupted; StateError for any other."""
    if not isinstance(path, str | Path):
        raise StateError(f"keep is {brief(path)}; expected the path of a folder.")
    installed("pyarrow.parquet", "keep", "study")
    folder, names = Path(path), list(problem.names)
    page = {"fingerprint": problem.fingerprint, "rows": problem.size, "columns": names}
    with _written(folder):
        folder.mkdir(parents=True, exist_ok=True)
        manifest = folder / MANIFEST
        if not manifest.exists() and not any(folder.glob("part-*.parquet")):
            with temporary_file(manifest) as temporary:
                temporary.write_text(json.dumps(page, indent=1) + "\n", encoding="utf-8")
        try:
            kept = json.loads(manifest.read_text(encoding="utf-8")) if manifest.exists() else None
        except ValueError:
            kept = None
    if kept != page:
        raise StateError(f"keep: {brief(str(path))} holds another study; give a folder of its own.")
    return folder


@contextmanager
def _written(folder: Path) -> Iterator[None]:
    """Turns operating-system errors of a folder into a ``StateError`` that says what is not lost."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise StateError(
            f"keep: {brief(str(folder))} cannot be written: {reason}. Finished chunks are complete; ask the same "
            "question again to continue."
        ) from error
