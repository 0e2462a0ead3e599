"""Counting beside the page: each group when it is first looked at, then the next; kept while the session lasts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from app.job import Job
from app.measures.counts import GROUPS, Count, Counting, Group, Growth
from app.measures.crossings import Reason, planar_reasons
from app.motion.errors import ERRORS
from app.state import Session


@dataclass(frozen=True)
class Counted:
    """What is known of a group: nothing before it is all counted. ``reasons``: of R87's Fig. 4 alone."""

    growths: tuple[Growth, ...] | None = None
    reasons: tuple[Reason, ...] = ()


class CountingJob:
    """One job of the session; it counts a group at a time."""

    def __init__(self, session: Session) -> None:
        self.told = ""
        self._countings = {group: Counting(group) for group in GROUPS}
        self._found: dict[Group, Counted] = {}
        self._current: Group | None = None
        self._job: Job[tuple[list[Count], tuple[Reason, ...]]] = session.jobs.new(
            "operations could not be counted", self._fail, ERRORS
        )

    def share(self, group: Group) -> float:
        """How much of a group is counted."""
        return self._countings[group].share

    def of(self, group: Group) -> Counted:
        """A group's counts; what is not there yet is counted from now on."""
        if group not in self._found and (self._current is not group or not self._job.busy) and not self.told:
            self._current = group
            self._start(group)
        return self._found.get(group, Counted())

    def _start(self, group: Group) -> None:
        self._job.start(partial(_piece, self._countings[group]), partial(self._accept, group))

    def _accept(self, group: Group, found: tuple[list[Count], tuple[Reason, ...]]) -> None:
        counting, (counts, reasons) = self._countings[group], found
        counting.accept(counts)
        self._job.report(counting.share)
        if counting.done:
            self._found[group] = Counted(counting.growths(), reasons)
        else:
            self._start(group)

    def _fail(self, words: str) -> None:
        self.told = f"{words[:1].upper()}{words[1:]}."


def _piece(counting: Counting) -> tuple[list[Count], tuple[Reason, ...]]:
    """The next counts; with those of R87's chain its reasons, which are few counts more."""
    reasons = planar_reasons() if counting.group is GROUPS[-1] else ()
    return counting.look(), reasons
