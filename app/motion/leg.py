"""A leg: a stretch of a run in which nobody intervenes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.motion.numerics import RUNGE_KUTTA, Numerics

Array = NDArray[np.float64]

MOST_STEPS = 20_000
"""That a method which chooses its own may take for one stretch of a run: some seconds of work."""


class Advancing(Protocol):
    """A motion that is computed as far as it is asked for."""

    @property
    def recording(self) -> dyn.Recording: ...

    def advance(self, duration: float) -> None: ...


@dataclass(frozen=True, eq=False)
class Leg:
    """A stretch of a run in which nothing happens: where it begins, and what acts from then on.

    Attributes:
        start: s of the run.
        law: of the joints; its time begins with the leg.
        wrench: (links + 1, 6) external forces as ``forward_dynamics`` takes them, or None.
        word: what happened at its start.
        numerics: what integrates it.
    """

    start: float
    system: dyn.System
    state: dyn.State
    law: dyn.ControlLaw
    wrench: Array | None = None
    word: str = ""
    numerics: Numerics = RUNGE_KUTTA

    def later(self, start: float, system: dyn.System, state: dyn.State) -> Leg:
        """The same leg, entered at a later instant."""
        return replace(self, start=start, system=system, state=state, law=shifted(self.law, start - self.start))

    def simulation(self) -> Advancing:
        """The leg as a run that can be advanced, its time beginning at zero."""
        law, by = GivenLaw(self.law), self.numerics
        return dyn.Simulation(
            self.system, self.state, law, dt=by.sampling, method=by.method, record_every=by.record_every,
            external_forces=self.wrench, most_steps=MOST_STEPS,
        )  # fmt: skip


@dataclass(frozen=True)
class GivenLaw:
    """A controller whose law is known already."""

    given: dyn.ControlLaw

    def law(self, system: dyn.System, state: dyn.State) -> dyn.ControlLaw:
        return self.given


def shifted(law: dyn.ControlLaw, elapsed: float) -> dyn.ControlLaw:
    """The same law, its clock set back to zero ``elapsed`` seconds later."""
    timing = law.timing.copy()
    timing[0] -= elapsed
    return law._replace(timing=timing)
