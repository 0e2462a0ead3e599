"""How far every kept run that is shown is from the present one: found in a thread, again as both go on."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from functools import partial

from app.job import Job
from app.kept.differences import Difference, Distance, common, difference
from app.motion.run import Run
from app.state import Session

AGAIN = 1.0
"""s by which runs that are still being computed must have gone on before they are compared again."""
HEADER = ("run", "name", "of", "unit", "largest", "RMS", "at/s", "compared/s")


class Comparing:
    """Compares one pair of runs at a time; ``attend`` begins the next."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._job: Job[Difference] = session.jobs.new("These runs cannot be compared")
        self._found: dict[tuple[Run, Run], Difference] = {}
        self._failed: dict[tuple[Run, Run], str] = {}

    def attend(self) -> None:
        """Begins what is to be compared next, if nothing is."""
        session = self._session
        pairs = [(session.run, each.run) for each in session.kept if each.shown and each.run is not session.run]
        self._found = {pair: found for pair, found in self._found.items() if pair in pairs}
        self._failed = {pair: words for pair, words in self._failed.items() if pair in pairs}
        pair = None if self._job.busy else next((pair for pair in pairs if self._is_due(pair)), None)
        if pair is not None:
            self._job.start(partial(difference, *pair), partial(self._take, pair), partial(self._fail, pair))

    def _is_due(self, pair: tuple[Run, Run]) -> bool:
        known, until = self._found.get(pair), common(*pair)
        if pair in self._failed or until <= 0.0:
            return False
        is_over = all(run.complete for run in pair)
        return known is None or until - known.seconds >= AGAIN or (is_over and until > known.seconds)

    def _take(self, pair: tuple[Run, Run], found: Difference) -> None:
        self._found[pair] = found

    def _fail(self, pair: tuple[Run, Run], words: str) -> None:
        self._failed[pair] = words

    def known(self, run: Run) -> Difference | None:
        """What is known of a kept run."""
        pair = (self._session.run, run)
        if pair in self._failed:
            return Difference(0.0, words=self._failed[pair])
        return self._found.get(pair)

    def csv(self) -> str:
        """Everything that is known, all digits of it."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(HEADER)
        for each in self._session.kept:
            found = self.known(each.run) if each.shown else None
            for what, far in () if found is None else parts(found):
                assert found is not None
                numbers = (far.largest, far.rms, far.at, found.seconds)
                writer.writerow((each.letter, each.title, what, far.unit, *map(repr, numbers)))
        return text.getvalue()


def parts(found: Difference) -> Iterator[tuple[str, Distance]]:
    """What is compared, in words, and how far it is apart."""
    named = {
        "tip" if found.n_tips == 1 else "tips": found.tips,
        "joints": found.turning,
        "joints that slide": found.sliding,
        "object": found.object,
    }
    for what, far in named.items():
        if far is not None:
            yield what, far
