"""The scale of the accelerations that the walk draws: one for all of a run, whatever instant one looks at."""

from __future__ import annotations

import numpy as np

import dynamics as dyn
from app.motion.run import Run
from app.views.staging import ALPHA, INBOARD
from scenes import CHOICES
from scenes.scales import Scales

INSTANTS = 40
"""At which a run is looked at, evenly spread."""
KNOWN_EVERY = 1.0
"""s by which a run must have gone on before its scale is chosen again."""


class WalkScale:
    """Remembers the largest acceleration of each kind of one run, as one stage has it."""

    def __init__(self) -> None:
        self._of: tuple[object, ...] = ()
        self._largest: dict[str, float] = {}

    def fit(self, scales: Scales, run: Run, stage: str, layers: tuple[str, ...]) -> None:
        """Has the layers of both accelerations drawn to the run's own scale, those of ``layers`` among them.

        Cost: where the run or the stage is another, some tens of solutions.
        """
        wanted = (run, counted(run), stage)
        if wanted != self._of:
            times = np.linspace(run.begin, run.end, INSTANTS + 1).tolist()
            self._of, self._largest = wanted, largest(run.solutions_at(times), stage)
        for unit, value in self._largest.items():
            drawn = (name for name in layers if CHOICES[name].unit("translational") == unit)
            scales.fit(unit, value, frozenset(drawn))


def counted(run: Run) -> float:
    """s as far as a scale counts a run that is not whole yet: not every piece of it has another."""
    return run.end if run.complete else run.end // KNOWN_EVERY


def largest(solutions: list[dyn.Solution | None], stage: str) -> dict[str, float]:
    """Unit -> the longest of its arrows in all of these moments."""
    found: dict[str, float] = {}
    for name in (*ALPHA, *INBOARD):
        layer = CHOICES[name]
        half = slice(3, 6) if layer.part == "linear" else slice(0, 3)
        known = (each.stages[stage][layer.quantity] for each in solutions if each is not None and stage in each.stages)
        lengths = [float(np.nanmax(np.linalg.norm(six[:, half], axis=1), initial=0.0)) for six in known]
        most = max((length for length in lengths if np.isfinite(length)), default=0.0)
        unit = layer.unit("translational")
        found[unit] = max(found.get(unit, 0.0), most)
    return found
