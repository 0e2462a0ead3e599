"""What can happen in the middle of a run: the object is let go or taken, and somebody pushes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.state.drive import Drive
from app.state.regrasp import Regrasp

Array = NDArray[np.float64]


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
    """

    start: float
    system: dyn.System
    state: dyn.State
    law: dyn.ControlLaw
    wrench: Array | None = None
    word: str = ""

    def later(self, start: float, system: dyn.System, state: dyn.State) -> Leg:
        """The same leg, entered at a later instant."""
        return replace(self, start=start, system=system, state=state, law=shifted(self.law, start - self.start))

    def simulation(self, dt: float) -> Advancing:
        """The leg as a run that can be advanced, its time beginning at zero."""
        return dyn.Simulation(
            self.system, self.state, controller=GivenLaw(self.law), dt=dt, external_forces=self.wrench
        )


@dataclass(frozen=True)
class GivenLaw:
    """A controller whose law is known already."""

    given: dyn.ControlLaw

    def law(self, system: dyn.System, state: dyn.State) -> dyn.ControlLaw:
        return self.given


class Happening(Protocol):
    """Something that ends one leg and begins another."""

    @property
    def time(self) -> float: ...

    def begin(self, leg: Leg, drive: Drive) -> Leg:
        """What follows on ``leg``, which was entered at this happening's time.

        Raises:
            ModelError, SingularConfigurationError: if it cannot happen.
        """
        ...


@dataclass(frozen=True)
class Released:
    """The object is let go: the arms go free, the object flies on."""

    time: float

    def begin(self, leg: Leg, drive: Drive) -> Leg:
        return _changed(leg, dyn.Release(self.time).apply(leg.system, leg.state), drive)


@dataclass(frozen=True)
class Taken:
    """The object is taken again: where the tips touch it, or put back between them if it is away."""

    time: float

    def begin(self, leg: Leg, drive: Drive) -> Leg:
        return _changed(leg, Regrasp(self.time, drive.system).apply(leg.system, leg.state), drive)


@dataclass(frozen=True, eq=False)
class Pushed:
    """From now on these external forces act, (links + 1, 6), or none; the controller does not notice."""

    time: float
    wrench: Array | None

    def begin(self, leg: Leg, drive: Drive) -> Leg:
        starts, ends = leg.wrench is None and self.wrench is not None, leg.wrench is not None and self.wrench is None
        return replace(leg, wrench=self.wrench, word="push" if starts else "let go" if ends else "")


def _changed(leg: Leg, change: tuple[dyn.System, dyn.State, str], drive: Drive) -> Leg:
    """Another system needs another law."""
    system, state, word = change
    return replace(leg, system=system, state=state, law=drive.law(system, state), word=word)


def shifted(law: dyn.ControlLaw, elapsed: float) -> dyn.ControlLaw:
    """The same law, its clock set back to zero ``elapsed`` seconds later."""
    timing = law.timing.copy()
    timing[0] -= elapsed
    return law._replace(timing=timing)
