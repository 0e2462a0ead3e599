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
class Ground:
    """The level floor under a machine, and how far below its mass centre the machine's object reaches.

    Attributes:
        height: m, along z.
        points: (m, 3) of the object's surface in its own axes, m.
    """

    height: float
    points: Array

    def clearance(self, x: Array) -> Array:
        """(samples,) m from the ground up to the object's lowest point.

        Args:
            x: (samples, 7) place and unit quaternion of the object, as ``System.pack`` says.
        """
        z, w, a, b, c = x[:, 2:].T
        upward = np.stack([2.0 * (a * c - w * b), 2.0 * (b * c + w * a), 1.0 - 2.0 * (a * a + b * b)], axis=1)
        return np.asarray(z - self.height + (upward @ self.points.T).min(axis=1))


@dataclass(frozen=True, eq=False)
class Leg:
    """A stretch of a run in which nothing happens: where it begins, and what acts from then on.

    Attributes:
        start: s of the run.
        law: of the joints; its time begins with the leg.
        wrench: (links + 1, 6) pushes, external forces as ``forward_dynamics`` takes them, or None.
        word: what happened at its start.
        numerics: what integrates it.
        ground: what an object that is let go lands on, or None.
        lies: whether the object lies there.
        held: as the object was held last, where anything has changed that since the run began; else None.
    """

    start: float
    system: dyn.System
    state: dyn.State
    law: dyn.ControlLaw
    wrench: Array | None = None
    word: str = ""
    numerics: Numerics = RUNGE_KUTTA
    ground: Ground | None = None
    lies: bool = False
    held: dyn.System | None = None

    @property
    def forces(self) -> Array | None:
        """All external forces, as ``wrench``: where the object lies, the ground bears whatever else acts on it."""
        thing = self.system.task_object
        if not self.lies or thing is None:
            return self.wrench
        found = np.zeros((self.system.n_links + 1, 6)) if self.wrench is None else self.wrench.copy()
        found[-1, :3], found[-1, 3:] = 0.0, -thing.mass * np.asarray(self.system.gravity, float)
        return found

    def later(self, start: float, system: dyn.System, state: dyn.State) -> Leg:
        """The same leg, entered at a later instant."""
        return replace(self, start=start, system=system, state=state, law=shifted(self.law, start - self.start))

    def simulation(self) -> Advancing:
        """The leg as a run that can be advanced, its time beginning at zero."""
        law, by = GivenLaw(self.law), self.numerics
        return dyn.Simulation(
            self.system, self.state, law, dt=by.sampling, method=by.method, record_every=by.record_every,
            external_forces=self.forces, most_steps=MOST_STEPS,
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
