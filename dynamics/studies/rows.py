"""The table of a study: what is sampled for each row, the resulting machine and state, and the watched numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property, lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import qmc

from dynamics.checks import Array, brief, choices, is_among, number, whole_number
from dynamics.errors import ModelError, SingularConfigurationError, StateError
from dynamics.motion.recording import Recording
from dynamics.motion.simulation import simulate, span_of, step_of
from dynamics.record import Record
from dynamics.solve.closure import close_packed
from dynamics.studies.outputs import States, Watch, watches_of
from dynamics.studies.variables import OF_JOINTS, Variable, changed, variables_of
from dynamics.system.state import State
from dynamics.system.system import System

SAMPLES = ("random", "sobol", "latin_hypercube")
QUICK, SLOW, LONG = 2048, 64, 16
"""Rows that are solved together: of one machine at once, each separately, or each as a whole motion."""
CHUNKS = 64  # largest number of chunks of a study
MOST = 2**29  # rows: the number of points of Sobol's sequence at SciPy's resolution
SECONDS = "seconds, above zero, or None for no motion"


class RowSet(NamedTuple):
    """The results of some rows."""

    drawn: Array  # (rows, variables); indices for words
    values: Array  # (rows, watches); nan in refused rows
    refusals: NDArray[np.object_]  # (rows,), why a row has no state or no number; else None


@dataclass(frozen=True, eq=False)
class Start(Record):
    """A machine and its unvaried state, closed if an object is held."""

    system: System  # any
    state: State  # of it

    @cached_property
    def packed(self) -> tuple[Array, Array]:
        """Configuration and velocity, followers moved with their leaders, closed to rounding."""
        (x, v), n, couplings = self.system.pack(self.state), self.system.n_joints, self.system.couplings
        x[:n], v[:n] = couplings.followed(x[:n]), couplings.rates(v[:n])
        if self.system.is_closed:
            close_packed(self.system, x, v)
        return x, v

    @cached_property
    def closing(self) -> Array:
        """(velocity, velocity): the projection of each single rate by the grips, in this posture."""
        x, v = self.packed
        rows = np.eye(len(v))
        for row in rows:
            close_packed(self.system, x.copy(), row)
        return rows


@dataclass(frozen=True, eq=False)
class Problem(Record):
    """The question of a study."""

    start: Start  # the machine and its state without variations
    variables: tuple[Variable, ...]  # what varies
    watches: tuple[Watch, ...]  # what is found in each row
    sample: str  # how shares of the ranges are sampled, one of ``SAMPLES``
    count: int  # samples; each is combined with every value of the lists
    seed: int  # of the samples
    duration: float | None  # s that each state is simulated; None for no simulation
    dt: float  # s, the step of the simulation

    @property
    def size(self) -> int:
        """Number of rows."""
        return self.count * prod(len(one.values) or 1 for one in self.variables)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all columns: what varies, then what is found."""
        return (*(one.name for one in self.variables), *(one.name for one in self.watches))

    @cached_property
    def together(self) -> int:
        """Number of rows that are solved together."""
        if any(one.is_of_motion for one in self.watches):
            return LONG
        is_slow = any(one.is_slow for one in self.watches)
        return SLOW if is_slow or any(one.makes and not one.values for one in self.variables) else QUICK

    @property
    def rows_of_chunk(self) -> int:
        """Rows that one worker takes at a time: the same for the same question, on any worker."""
        return -(-self.size // (CHUNKS * self.together)) * self.together

    @cached_property
    def fingerprint(self) -> str:
        """Equal for equal questions in any process; functions are identified only by their names."""
        digest = hashlib.sha256()
        _feed(digest.update, self)
        return digest.hexdigest()

    def drawn(self, first: int, count: int) -> Array:
        """(count, variables) of the rows from ``first`` on, independent of earlier calls."""
        point, draw = divmod(np.arange(first, first + count), self.count)
        free = sum(not one.values for one in self.variables)
        if count and point[0] == point[-1]:
            shares = points(self.sample, self.count, free, self.seed, int(draw[0]), count)
        else:
            shares = points(self.sample, self.count, free, self.seed, 0, self.count)[draw]
        lists = [len(one.values) for one in self.variables if one.values]
        places = iter(np.unravel_index(point, lists) if lists else ())
        columns = iter(shares.T)
        found = np.empty((count, len(self.variables)))
        for at, one in enumerate(self.variables):
            found[:, at] = one.numbers[next(places)] if one.values else one.at(next(columns))
        return found

    def placed(self, shares: Array) -> Array:
        """(rows, variables) at these shares of their ranges, including lists."""
        return np.stack([one.at(share) for one, share in zip(self.variables, shares.T, strict=True)], axis=1)

    def solved(self, drawn: Array) -> RowSet:
        """What is found in rows that have been sampled, solved in groups."""
        found = RowSet(drawn, np.full((len(drawn), len(self.watches)), np.nan), np.full(len(drawn), None, dtype=object))
        for first in range(0, len(drawn), self.together):
            part = slice(first, first + self.together)
            values, refusals = found.values[part], found.refusals[part]
            for rows, states in self.states(drawn[part], refusals):
                values[rows], refusals[rows] = self._watched(states, drawn[part][rows])
        return found

    def states(self, drawn: Array, refusals: NDArray[np.object_]) -> Iterator[tuple[NDArray[np.int64], States]]:
        """Indices of rows with a state of the same machine, and these states; records why other rows have none."""
        making = [at for at, one in enumerate(self.variables) if one.makes]
        makers, start = tuple(self.variables[at] for at in making), self.start
        cuts = np.flatnonzero((np.diff(drawn[:, making], axis=0) != 0.0).any(axis=1)) + 1
        for rows in np.split(np.arange(len(drawn)), cuts):
            try:
                if makers:
                    system = changed(self.start.system, self.start.state, makers, drawn[rows[0], making])
                    start = Start(system, self.start.state)
                states, good = self._varied(start, drawn[rows], refusals[rows[0] : rows[-1] + 1])
            except ValueError as error:
                refusals[rows] = str(error)
                continue
            if good.any():
                yield rows[good], states

    def _varied(self, start: Start, drawn: Array, refusals: Any) -> tuple[States, NDArray[np.bool_]]:
        """Variations of the start with these postures, rates and torques, and which rows have one."""
        system, (x, v) = start.system, start.packed
        good = np.ones(len(drawn), dtype=bool)
        packed, rates = self._with("q", x, drawn), self._with("qd", v, drawn)
        n = system.n_joints
        if "q" in self._joints:
            packed[:, :n] = system.couplings.followed(packed[:, :n])
        if "qd" in self._joints:
            rates[:, :n] = system.couplings.rates(rates[:, :n])
        tau = np.zeros((len(drawn), 1)) + self._with("tau", np.zeros(n), drawn)
        if system.is_closed and "q" in self._joints:
            rates = np.tile(rates, (len(drawn) // len(rates), 1))
            for at in range(len(drawn)):
                try:
                    close_packed(system, packed[at], rates[at])
                except SingularConfigurationError as error:
                    good[at], refusals[at] = False, str(error)
            packed, rates = packed[good], rates[good]
        elif system.is_closed and "qd" in self._joints:
            rates = rates @ start.closing
        keeps_stages = any(one.needs_stages for one in self.watches)
        return States(system, packed, rates, tau[good], keeps_stages), good

    def _with(self, kind: str, own: Array, drawn: Array) -> Array:
        """(rows, length of ``own``) with the varied joints' values replaced; (1, length) if none varies."""
        if kind not in self._joints:
            return own[None]
        joints, columns = self._joints[kind]
        found = np.tile(own, (len(drawn), 1))
        found[:, joints] = drawn[:, columns]
        return found

    @cached_property
    def _joints(self) -> dict[str, tuple[list[int], list[int]]]:
        """Varying joints and their columns, for postures, rates and torques; without entries for what does not vary."""
        found: dict[str, tuple[list[int], list[int]]] = {}
        for at, one in enumerate(self.variables):
            if one.kind in OF_JOINTS:
                joints, columns = found.setdefault(one.kind, ([], []))
                joints.append(one.index)
                columns.append(at)
        return found

    def _motions(self, states: States, drawn: Array) -> list[Recording]:
        """Each state simulated separately, with constant torques."""
        assert self.duration is not None
        found, at = [], {one.kind: place for place, one in enumerate(self.variables)}
        for place, row in enumerate(drawn):
            step = float(row[at["dt"]]) if "dt" in at else self.dt
            method = self.variables[at["method"]].words[int(row[at["method"]])] if "method" in at else "rk4"
            state, tau = states.state(place), states.tau[place]
            found.append(simulate(states.system, state, duration=self.duration, dt=step, method=method, tau=tau))
        return found

    def _watched(self, states: States, drawn: Array) -> tuple[Array, NDArray[np.object_]]:
        """(n, watches), (n,); if a state cannot be solved, both halves are tried separately, down to a single state."""
        values = np.full((len(states), len(self.watches)), np.nan)
        refusals = np.full(len(states), None, dtype=object)
        motions: list[Recording] = []
        try:
            with np.errstate(all="ignore"):
                ends = states
                if any(one.is_of_motion for one in self.watches):
                    motions = self._motions(states, drawn)
                    packed, rates = np.array([one.x[-1] for one in motions]), np.array([one.v[-1] for one in motions])
                    ends = replace(states, packed=packed, rates=rates)
                for at, one in enumerate(self.watches):
                    if isinstance(one.source, str):
                        values[:, at] = one.of(ends if one.at_end else states, motions)
        except ValueError as error:
            if len(states) > 1:
                half = len(states) // 2
                parts = (slice(None, half), slice(half, None))
                halves = [self._watched(states.part(part), drawn[part]) for part in parts]
                return np.concatenate([one for one, _ in halves]), np.concatenate([why for _, why in halves])
            refusals[:] = str(error)
            return values, refusals
        for at, one in enumerate(self.watches):
            if not isinstance(one.source, str):  # errors of a caller's own function are the caller's
                values[:, at] = one.of(states)
        bad = ~np.isfinite(values).all(axis=1)
        values[bad], refusals[bad] = np.nan, "what is watched is not finite"
        return values, refusals


@lru_cache(maxsize=2)
def _latin_hypercube(count: int, axes: int, seed: int) -> Array:
    return np.asarray(qmc.LatinHypercube(axes, seed=np.random.default_rng(seed)).random(count))


def points(sample: str, count: int, axes: int, seed: int, first: int, many: int) -> Array:
    """(many, axes), points of the unit cube from the ``first`` on; a sample has ``count`` of them.

    Random ones come in blocks, each from its own generator, so that any subsequence is reproducible.
    """
    if not axes:
        return np.zeros((many, 0))
    if sample == "latin_hypercube":
        return _latin_hypercube(count, axes, seed)[first : first + many]
    if sample == "sobol":
        try:
            sequence = qmc.Sobol(axes, seed=np.random.default_rng(seed))
        except ValueError as cause:
            raise ModelError(f"over: {axes} variables are more than Sobol's sequence has axes.") from cause
        if first:
            sequence.fast_forward(first)
            return np.asarray(sequence.random(many))
        return np.asarray(sequence.random(1 << (many - 1).bit_length()))[:many]  # SciPy warns about other counts
    blocks = range(first // QUICK, -(-(first + many) // QUICK))
    drawn = [np.random.default_rng([seed, block]).random((QUICK, axes)) for block in blocks]
    return np.concatenate(drawn)[first - blocks.start * QUICK :][:many]


def _feed(feed: Callable[[bytes], object], value: Any) -> None:
    """Feeds a value, down to its numbers and names, as bytes that are the same in any process."""
    if isinstance(value, Variable):  # distributions are represented by their values
        value = value.name, value.at(np.linspace(0.0, 1.0, 65)), value.values
    feed(f"({type(value).__name__} ".encode())
    if isinstance(value, np.ndarray):
        feed(f"{value.dtype}{value.shape}".encode() + value.tobytes())
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            _feed(feed, getattr(value, field.name))
    elif isinstance(value, Mapping):
        for key in sorted(value, key=repr):
            _feed(feed, (key, value[key]))
    elif isinstance(value, list | tuple):
        for part in value:
            _feed(feed, part)
    elif callable(value):
        feed(f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', '')}".encode())
    else:
        feed(repr(value).encode())
    feed(b")")


def problem_of(
    system: System,
    over: object,
    find: object,
    count: object,
    state: State | None,
    sample: object,
    seed: object,
    duration: object,
    dt: object,
) -> Problem:
    """The caller's question, with every name and number checked before anything is solved; errors as of ``study``."""
    if not is_among(sample, SAMPLES):
        raise ModelError(f"sample is {brief(sample)}; expected one of {choices(SAMPLES)}.")
    if state is None and system.is_held:
        raise StateError("state is None; a machine that holds an object needs the state in which it does.")
    start = Start(system, system.home() if state is None else state)
    closed = system.unpack(*start.packed)
    step, span = 1e-3, None
    if duration is not None:
        step = step_of(dt)
        if number(duration, "duration", SECONDS) <= 0.0:
            raise StateError(f"duration is {brief(duration)}; expected {SECONDS}.")
        span = span_of(duration, step)
    variables = variables_of(system, over, span is not None)
    watches = watches_of(system, closed, find, span is not None)
    draws = whole_number(count, "count", "how many draws, 1 or more", least=1, most=MOST)
    own = whole_number(seed, "seed", "a whole number, zero or more", least=0, most=2**63)
    problem = Problem(start, variables, watches, str(sample), draws, own, span, step)
    if not set(problem.names).isdisjoint(("row", "refused")) or len(set(problem.names)) < len(problem.names):
        raise ModelError(f"find: {choices(one.name for one in watches)}: give functions names of their own.")
    return problem
