"""The worst moment of a run, where the methods disagree most, found with a bounded number of samples."""

from __future__ import annotations

import time
from collections.abc import Iterable

import numpy as np

import dynamics as dyn
from app.motion.errors import ERRORS
from app.motion.run import Run, on_step

COARSE = 41  # Instants spread evenly over the run before the search closes in
ROUNDS = 6  # How often the search halves its steps around the worst instant found so far
SLICE = 0.03  # Seconds that one slice may take beyond its first instant


def agreement_at(run: Run, instant: float, only: tuple[str, ...] | None = None) -> dyn.Agreement | None:
    """Compares the methods at one instant; None where the accelerations are not determined."""
    try:
        solution = run.solution_at(instant)
        return dyn.agreement(solution.system, solution.state, solution.tau, run.wrench_at(instant), only)
    except ERRORS:
        return None


class AgreementSearch:
    """Samples the part of a run that is known so far, a slice at a time.

    Only ``look`` runs in a thread, and it changes nothing: its result is passed to ``accept``.
    """

    def __init__(self, run: Run) -> None:
        self.run, self.begin = run, run.begin
        self.found: dict[float, float] = {}
        self._wanted = list(dict.fromkeys(on_step(t) for t in np.linspace(run.begin, run.end, COARSE)))
        self._rounds = 0
        self.most = len(self._wanted) + 2 * ROUNDS

    @property
    def done(self) -> bool:
        return not self._wanted

    @property
    def worst(self) -> tuple[float, float] | None:
        """(time, worst relative difference); None until some instant has an answer."""
        known = [(value, instant) for instant, value in self.found.items() if np.isfinite(value)]
        if not known:
            return None
        value, instant = max(known)
        return instant, value

    @property
    def curve(self) -> tuple[list[float], list[float]]:
        """Times in order and the differences there; NaN where nothing is determined."""
        times = sorted(self.found)
        return times, [self.found[instant] for instant in times]

    def look(self) -> list[tuple[float, float]]:
        """Computes a slice of at least one instant; called from a worker thread."""
        results, started = [], time.monotonic()
        for instant in self._wanted:
            found = agreement_at(self.run, instant)
            results.append((instant, np.nan if found is None else found.worst))
            if time.monotonic() - started > SLICE:
                break
        return results

    def accept(self, results: Iterable[tuple[float, float]]) -> None:
        """Takes in a slice; when all wanted instants are known, halves the steps on either side of the worst."""
        self.found |= dict(results)
        self._wanted = [instant for instant in self._wanted if instant not in self.found]
        if not self._wanted and self._rounds < ROUNDS and self.worst is not None:
            self._rounds += 1
            times = sorted(self.found)
            at = times.index(self.worst[0])
            near = [times[k] for k in (at - 1, at + 1) if 0 <= k < len(times)]
            halfway = {on_step(0.5 * (self.worst[0] + other)) for other in near}
            self._wanted = sorted(halfway - self.found.keys())  # none where these are neighboring steps
