"""How one intervenes in the middle of a run: the object is let go or taken, and somebody pushes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.motion.actuation import Actuation
from app.motion.grips import as_held, contact_by, words_of
from app.motion.leg import Leg
from app.motion.regrasp import Regrasp

Array = NDArray[np.float64]


class Intervention(Protocol):
    """Something that ends one leg and begins another."""

    @property
    def time(self) -> float: ...

    @property
    def size(self) -> int:
        """Bytes of memory, roughly."""
        ...

    def begin(self, leg: Leg, actuation: Actuation) -> Leg:
        """What follows on ``leg``, which was entered at this intervention's time.

        Raises:
            ModelError, SingularConfigurationError: if it cannot happen.
        """
        ...


@dataclass(frozen=True)
class Released:
    """The object is let go: the arms go free, the object flies on, and lands where there is a ground."""

    time: float
    size: ClassVar[int] = 100

    def begin(self, leg: Leg, actuation: Actuation) -> Leg:
        return _changed(leg, dyn.Release(self.time).apply(leg.system, leg.state), actuation)


@dataclass(frozen=True)
class Taken:
    """The object is taken again as it was held last: where the tips touch it, or put back between them."""

    time: float
    size: ClassVar[int] = 100

    def begin(self, leg: Leg, actuation: Actuation) -> Leg:
        again = Regrasp(self.time, leg.held or actuation.system)
        return _changed(leg, again.apply(leg.system, leg.state), actuation)


@dataclass(frozen=True)
class Gripped:
    """One tip holds on in another way, from where it is then: see ``app.motion.grips``."""

    time: float
    tip: int
    kind: str
    size: ClassVar[int] = 100

    def begin(self, leg: Leg, actuation: Actuation) -> Leg:
        held = {contact.tip: contact for contact in leg.system.contacts}
        if self.tip not in held:
            raise dyn.ModelError("that arm holds nothing, so it cannot hold it in another way.")
        kept = {**{tip: as_held(one) for tip, one in held.items()}, self.tip: contact_by(self.kind)}
        contacts = [kept.get(tip) for tip in range(leg.system.n_tips)]
        system, state, _ = dyn.Grasp(self.time, contacts).apply(leg.system, leg.state)
        return _changed(leg, (system, state, words_of(self.kind)), actuation)


@dataclass(frozen=True, eq=False)
class Pushed:
    """From now on these external forces act, (links + 1, 6), or none; the controller does not notice."""

    time: float
    wrench: Array | None

    @property
    def size(self) -> int:
        return 100 + (0 if self.wrench is None else self.wrench.nbytes)

    def begin(self, leg: Leg, actuation: Actuation) -> Leg:
        starts, ends = leg.wrench is None and self.wrench is not None, leg.wrench is not None and self.wrench is None
        return replace(leg, wrench=self.wrench, word="push" if starts else "let go" if ends else "")


def _changed(leg: Leg, change: tuple[dyn.System, dyn.State, str], actuation: Actuation) -> Leg:
    """Another system needs another law."""
    system, state, word = change
    held = system if system.is_held else leg.held
    return replace(leg, system=system, state=state, law=actuation.law(system, state), word=word, lies=False, held=held)
