"""Whether somebody's algorithm, asked about another machine, parts from ours where it did, and for the same cause."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from dynamics.beside.causes import still_gives
from dynamics.beside.compare import Compared, compared, compared_stages, matched
from dynamics.beside.convention import Found
from dynamics.beside.handed_in import Items, answered, handed_in
from dynamics.beside.matching import Matcher
from dynamics.beside.numbering import Numbering, numberings
from dynamics.beside.rerun import Moment
from dynamics.checks import brief
from dynamics.errors import StateError

Algorithm = Callable[..., Mapping[str, Any]]
"""Of a system, its state and tau; and of external forces, (links + 1, 6), where there were some to begin with."""
ASKED, PUSHED = "a system, its state and tau", "a system, its state, tau and external forces"


class Kept(NamedTuple):
    """A moment at which the two part.

    Attributes:
        moment: which.
        arrays: what the algorithm says of it.
        compared: beside ours.
    """

    moment: Moment
    arrays: Mapping[str, Any]
    compared: Compared


class Judge:
    """Asks an algorithm about one machine after the other.

    Attributes:
        calls: how often it has been asked.
        failed: how often it has raised instead.
        first: the machine in the beginning.
        kept: the last at which the two part as they do there.
    """

    def __init__(self, theirs: Algorithm, moment: Moment, pushed: bool, tolerance: float) -> None:
        self._theirs, self._pushed, self._tolerance = theirs, pushed, tolerance
        self.calls = self.failed = 0
        arrays, items = self._asked(moment)
        self.first = self.kept = Kept(moment, arrays, self._compared(moment, items))

    def _asked(self, moment: Moment) -> tuple[Mapping[str, Any], Items]:
        self.calls += 1
        system, state, tau, wrench = moment
        given = system, state, tau.copy(), *([wrench.copy()] if self._pushed else [])
        arrays = answered(self._theirs, given, PUSHED if self._pushed else ASKED)
        return arrays, handed_in(system, state, tau, arrays)

    def _compared(self, moment: Moment, items: Items, *, seek_causes: bool = True) -> Compared:
        return compared(moment, items, numberings(moment.system), self._tolerance, seek_causes=seek_causes)

    def whole(self) -> Compared:
        """What is kept beside ours, with what is to blame; where that was not known, it may be now."""
        kept = self.kept
        if self.first.compared.proven:
            return kept.compared
        moment = kept.moment
        return self._compared(moment, handed_in(moment.system, moment.state, moment.tau, kept.arrays))

    def __call__(self, moment: Moment) -> bool:
        """Whether the two part here at the same quantity as they did, and whether the same is to blame."""
        with np.errstate(all="ignore"):
            try:
                arrays, items = self._asked(moment)
            except Exception:  # an algorithm that cannot do a machine says nothing about it
                self.failed += 1
                return False
            if set(items) != set(self.first.compared.found.own) or not self._may(moment, items):
                return False
            found = self._compared(moment, items, seek_causes=bool(self.first.compared.proven))
        if _said(found) != _said(self.first.compared):
            return False
        self.kept = Kept(moment, arrays, found)
        return True

    def _may(self, moment: Moment, items: Items) -> bool:
        """Whether the two part at the same quantity in the convention that was found: soon said, and mostly not so."""
        order = numberings(moment.system)
        matcher, first = matched(moment, items, order), self.first.compared.found
        if not np.isfinite(matcher.run(first.common.form).letters["theta_dd"]).all():
            return False
        return any(self._may_numbered(matcher, moment, numbering) for numbering in order)

    def _may_numbered(self, matcher: Matcher, moment: Moment, numbering: Numbering) -> bool:
        first = self.first.compared.found
        own = {name: each._replace(numbering=numbering) for name, each in first.own.items()}
        common = first.common._replace(numbering=numbering)
        matches = {name: matcher.match(name, convention) for name, convention in own.items()}
        found = Found(common, own, matches, (common,))
        stages, at = compared_stages(found, self._tolerance)
        if at < 0 or stages[at].name != _name(self.first.compared):
            return False
        return all(
            still_gives(moment, matcher, found, self._tolerance, each)
            for each in self.first.compared.proven
            if each.alteration.links is None
        )


def _name(found: Compared) -> str:
    """Of the array that parts first."""
    stage = found.comparison.first_stage
    return "" if stage is None else stage.name


def _said(found: Compared) -> tuple[str, frozenset[str]]:
    """What is to remain: that array, and what was found to blame."""
    return _name(found), frozenset(cause.key for cause in found.comparison.causes)


def must_be_asked(theirs: Any) -> None:
    """Refuse what cannot be asked about another machine.

    Raises:
        StateError: for arrays, or a file of them.
    """
    if not callable(theirs):
        raise StateError(
            f"theirs is {brief(theirs)}: numbers of one moment, which cannot be had of another machine; expected a "
            f"function of {ASKED} that returns them."
        )
