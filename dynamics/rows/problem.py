"""A question as data: which rows there are, and what is found in each; the same wherever and in whatever order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import NamedTuple

import numpy as np

from dynamics.batch.solution import BatchSolution
from dynamics.checks import Array
from dynamics.record import Record
from dynamics.rows.draws import Draws
from dynamics.rows.fingerprint import fingerprint_of
from dynamics.rows.motions import RUN, Course, motions
from dynamics.rows.ranges import Between, Listed
from dynamics.rows.states import Columns, Start, States, run
from dynamics.rows.variables import OF_JOINTS, Variable, changed
from dynamics.rows.watched import Watch

QUICK, SLOW, LONG = 2048, 64, 16
"""Rows that are solved together: of one machine at once, each by itself, or each a whole motion."""


class Found(NamedTuple):
    """What came of some rows.

    Attributes:
        drawn: (rows, variables).
        found: (rows, watches); nan in rows that are refused.
        refused: row -> why.
    """

    drawn: Array
    found: Array
    refused: dict[int, str]


@dataclass(frozen=True, eq=False)
class Problem(Record):
    """What is asked.

    Attributes:
        start: the machine and its state, where nothing varies.
        variables: the columns.
        watches: what is found of each row.
        draws: of what is no list; every draw meets every value of the lists.
        course: how the states go on; None where each is looked at alone.
    """

    start: Start
    variables: tuple[Variable, ...]
    watches: tuple[Watch, ...]
    draws: Draws
    course: Course | None = None

    @property
    def size(self) -> int:
        """Rows."""
        return self.draws.count * prod(len(one) for one in self._lists)

    @property
    def _lists(self) -> list[Listed]:
        return [one.range for one in self.variables if isinstance(one.range, Listed)]

    @property
    def names(self) -> tuple[str, ...]:
        """Of all columns: what varies, then what is found."""
        return (*(one.name for one in self.variables), *(one.name for one in self.watches))

    @cached_property
    def together(self) -> int:
        """Rows that are solved together, and whose sums are made together."""
        if any(one.is_of_motion for one in self.watches):
            return LONG
        slow = any(one.needs == "states" for one in self.watches)
        made_anew = any(not (one.is_of_state or isinstance(one.range, Listed)) for one in self.variables)
        return SLOW if slow or made_anew else QUICK

    @cached_property
    def is_alone(self) -> bool:
        """Whether a row's numbers are the same to the last bit, whichever rows are solved beside it.

        States that stand in one array are solved alike, however many they are, but for rates that grips leave: these
        are a product of matrices.
        """
        return all(one.needs == "states" for one in self.watches) and all(one.kind != "qd" for one in self.variables)

    def drawn(self, first: int, count: int) -> Array:
        """(count, variables) of the rows from ``first`` on; of words their places."""
        own = self.draws.count
        point, draw = divmod(np.arange(first, first + count), own)
        if count >= own:
            shares = self.draws.points(0, own)[draw]
        else:  # one run of draws, or two: the end of one point of the lists and the beginning of the next
            start, over = first % own, max(first % own + count - own, 0)
            runs = [self.draws.points(start, count - over)] + [self.draws.points(0, over)] * (over > 0)
            shares = np.concatenate(runs)
        if not self._lists:
            return self.placed(shares)
        at = iter(np.unravel_index(point, [len(one) for one in self._lists]))
        found, shares_of = np.empty((count, len(self.variables))), iter(shares.T)
        for column, one in zip(found.T, self.variables, strict=True):
            is_list = isinstance(one.range, Listed)
            column[:] = one.range.numbers[next(at)] if is_list else one.range.at(next(shares_of))  # type: ignore[union-attr]
        return found

    @cached_property
    def _between(self) -> tuple[Array, Array]:
        """(variables,), how wide the plain ranges are, and where they begin."""
        ends = [
            (one.range.low, one.range.high) if isinstance(one.range, Between) else (0.0, 1.0) for one in self.variables
        ]
        low, high = np.array(ends).T
        return high - low, low

    def placed(self, shares: Array) -> Array:
        """(rows, variables) at these shares of their ranges, lists among them."""
        width, low = self._between
        found = width * shares  # all at once: most are plain
        found += low
        for at, one in enumerate(self.variables):
            if not isinstance(one.range, Between):
                found[:, at] = one.range.at(shares[:, at])
        return found

    def pieces(self, first: int, drawn: Array) -> Iterator[tuple[States | None, dict[int, str]]]:
        """The states of rows, machine by machine; none where the machine cannot be, and why."""
        making = [at for at, one in enumerate(self.variables) if not one.is_of_state]
        made = tuple(self.variables[at] for at in making)
        new = (np.diff(drawn[:, making], axis=0) != 0.0).any(axis=1)
        cuts = (np.flatnonzero(new) + 1).tolist()
        for start, stop in zip([0, *cuts], [*cuts, len(drawn)], strict=True):
            places = np.arange(first + start, first + stop)
            try:
                own = self._made(made, drawn[start, making]) if made else self.start
                states = own.varied(self._joints(drawn[start:stop]), places)
            except ValueError as error:
                yield None, dict.fromkeys(places.tolist(), str(error))
            else:
                yield states, states.refused

    def _made(self, made: tuple[Variable, ...], values: Array) -> Start:
        start = self.start
        return Start(changed(start.system, start.state, made, values), start.state)

    def _joints(self, drawn: Array) -> dict[str, tuple[Columns, Array]]:
        """Of ``q``, ``qd`` and ``tau`` which joints vary, and how: (rows, of these)."""
        return {kind: (joints, drawn[:, columns]) for kind, joints, columns in self._columns}

    @cached_property
    def _columns(self) -> list[tuple[str, Columns, Columns]]:
        """Of ``q``, ``qd`` and ``tau`` which joints vary, and in which columns."""
        found: dict[str, list[tuple[int, int]]] = {}
        for at, one in enumerate(self.variables):
            if one.kind in OF_JOINTS:
                found.setdefault(one.kind, []).append((one.index, at))
        return [(kind, *(run(list(places)) for places in zip(*pairs, strict=True))) for kind, pairs in found.items()]  # type: ignore[misc]

    def evaluate(self, first: int, count: int) -> Found:
        """What is found in the rows from ``first`` on."""
        return self.solved(first, self.drawn(first, count))

    def solved(self, first: int, drawn: Array) -> Found:
        """What is found in rows that are drawn; the first is called ``first``."""
        found = np.full((len(drawn), len(self.watches)), np.nan)
        refused: dict[int, str] = {}
        for states, faults in self.pieces(first, drawn):
            refused |= faults
            if states is not None and len(states):
                values, lost = self._watched(states, drawn[states.places - first])
                found[states.places - first] = values
                refused |= lost
        return Found(drawn, found, refused)

    def _watched(self, states: States, drawn: Array) -> tuple[Array, dict[int, str]]:
        """(n, watches); where one state cannot be solved, both halves by themselves, until it stands alone."""
        named = [at for at, one in enumerate(self.watches) if isinstance(one.source, str)]
        values, why = np.full((len(states), len(self.watches)), np.nan), "what is watched is not finite"
        solution: BatchSolution | None = None
        try:
            with np.errstate(all="ignore"):
                solution = self._solved(states, at_end=False)
                values[:, named] = self._found(states, solution, drawn, named)
        except ValueError as error:
            if len(states) > 1:
                half = len(states) // 2
                left, lost = self._watched(states.part(slice(None, half)), drawn[:half])
                right, others = self._watched(states.part(slice(half, None)), drawn[half:])
                return np.concatenate([left, right]), lost | others
            why = str(error)
        else:
            for at in set(range(len(self.watches))) - set(named):  # what a caller's own function raises is the caller's
                values[:, at] = self.watches[at].of(states, solution)
        bad = ~np.isfinite(values).all(axis=1)
        values[bad] = np.nan
        return values, dict.fromkeys(states.places[bad].tolist(), why)

    def _solved(self, states: States, at_end: bool) -> BatchSolution | None:
        """As much as is watched there; None where no watch asks for all at once."""
        needs = self._needs[at_end]
        return states.solved("stages" in needs) if needs else None

    @cached_property
    def _needs(self) -> dict[bool, set[str]]:
        """What has to be solved for all states at once: where a motion ends, and where not."""
        return {end: {one.needs for one in self.watches if one.at_end == end} - {"states"} for end in (False, True)}

    def _found(self, states: States, solution: BatchSolution | None, drawn: Array, named: list[int]) -> Array:
        """(n, named): in these states, and in the motions that begin there."""
        watches = [self.watches[at] for at in named]
        ends, told = states, dict[str, Array]()
        if any(one.is_of_motion for one in watches):
            wanted = {str(one.part) for one in watches if one.source == RUN}
            ends, told = motions(states, [self._course(row) for row in drawn], wanted)
        final = self._solved(ends, at_end=True)
        rows: dict[tuple[object, bool], Array] = {}  # a search asks for every entry of an array

        def found(one: Watch) -> Array:
            if one.source == RUN:
                return told[str(one.part)]
            own, solved = (ends, final) if one.at_end else (states, solution)
            if not isinstance(one.part, int) or solved is None:
                return one.of(own, solved)
            key = one.source, one.at_end
            if key not in rows:
                rows[key] = one.array(solved).reshape(len(own), -1)
            return rows[key][:, one.part]

        return np.array([found(one) for one in watches]).reshape(len(watches), len(states)).T

    def _course(self, row: Array) -> Course:
        """How a state goes on whose numbers are these."""
        assert self.course is not None
        found = self.course
        for one, value in zip(self.variables, row.tolist(), strict=True):
            if one.kind == "dt":
                found = replace(found, dt=value)
            elif one.kind == "method":
                found = replace(found, method=one.words[int(value)])
        return found

    @cached_property
    def fingerprint(self) -> str:
        """The same for the same question, in any process: 64 letters."""
        return fingerprint_of(self)
