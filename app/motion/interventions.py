"""Interventions in the middle of a run: the object is released or grasped, or the user pushes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.motion.actuation import Actuation
from app.motion.leg import Leg
from dynamics.system import Contact

Array = NDArray[np.float64]

GRIPS: Mapping[str, str] = MappingProxyType({"rigid": "rigid", "point": "point contact", "soft_finger": "soft finger"})
"""The grip types that have a name, and the word for each."""
DIRECTIONS = ("Mx", "My", "Mz", "Fx", "Fy", "Fz")
"""Moments and forces in a contact's own axes, z along the object's outward normal."""
_PASSES: Mapping[str, str] = MappingProxyType({"rigid": "111111", "point": "000111", "soft_finger": "001111"})
LISTED = 64  # Codes from here on encode which of ``DIRECTIONS`` pass


def passing(contact: Contact) -> str:
    """A digit for each of ``DIRECTIONS``: 1 if it passes, 0 if it is free."""
    return "".join(str(int(any(column))) for column in (contact.selection != 0.0).T.tolist())


def way_of(digits: str) -> str:
    """The grip by which those of ``DIRECTIONS`` pass that have a 1: its name, or the digits."""
    if "1" not in digits:
        raise dyn.ModelError("a contact has to pass some force or moment; to let the object go, press Release.")
    return next((name for name, known in _PASSES.items() if known == digits), digits)


def words_of(way: str) -> str:
    if way in GRIPS:
        return GRIPS[way]
    return f"a contact that passes {', '.join(name for name, on in zip(DIRECTIONS, way, strict=True) if on == '1')}"


def as_held(contact: Contact) -> str | NDArray[np.float64]:
    """The argument of ``dynamics.grasp`` that restores a contact."""
    return contact.selection if contact.kind == "selection" else contact.kind


def code_of(way: str) -> int:
    """A grip as a number below 256."""
    return list(GRIPS).index(way) if way in GRIPS else LISTED + int(way, 2)


def way_by(code: int) -> str:
    """The grip with a number of ``code_of``; an IndexError for another number."""
    if code < LISTED:
        return list(GRIPS)[code]
    if not LISTED < code < 2 * LISTED:
        raise IndexError(code)
    return way_of(f"{code - LISTED:06b}")


WITHIN_REACH = 0.03
"""Metres between a tip and its former place on the object, up to which the tip grasps again where it is."""


@dataclass(frozen=True, eq=False)
class Intervention(ABC):
    """An event that ends one leg and begins another at a time, s."""

    time: float

    @property
    def size(self) -> int:
        return 100

    @abstractmethod
    def begin(self, leg: Leg, actuation: Actuation) -> Leg:
        """The leg that follows ``leg``, which was entered at this intervention's time."""


@dataclass(frozen=True)
class ObjectRelease(Intervention):
    """The object is released: the arms go free, the object flies on, and lands if there is a ground."""

    def begin(self, leg: Leg, actuation: Actuation) -> Leg:
        return _changed(leg, dyn.Release(self.time).apply(leg.system, leg.state), actuation)


@dataclass(frozen=True)
class Regrasp(Intervention):
    """The object is grasped again as it was last held: where the tips touch it, or put back between them.

    A tip that still touches the object grasps where it is. An object that has fallen away is first put
    back into the first arm's hand, at the hand's velocity: no user could catch it at thirty frames a second.
    """

    def begin(self, leg: Leg, actuation: Actuation) -> Leg:
        held, state = leg.held or actuation.system, leg.state
        contacts = held.contacts
        if not contacts or state.object_pose is None:
            raise dyn.ModelError("this system was never held, so it cannot be taken hold of again.")
        solution = dyn.forward_dynamics(leg.system, state)
        places = [solution.link_pose[contact.link] @ contact.tip_pose for contact in contacts]
        wanted = [state.object_pose @ contact.object_pose for contact in contacts]
        apart = max(float(np.linalg.norm(a[:3, 3] - b[:3, 3])) for a, b in zip(places, wanted, strict=True))
        if apart <= WITHIN_REACH:
            return _grasped(leg, self.time, {contact.tip: as_held(contact) for contact in contacts}, actuation)
        hand = solution.link_velocity[contacts[0].link]
        pose = places[0] @ np.linalg.inv(contacts[0].object_pose)
        lever = pose[:3, 3] - solution.link_pose[contacts[0].link][:3, 3]
        velocity = np.concatenate([hand[:3], hand[3:] + np.cross(hand[:3], lever)])
        back = held.state(q=state.q, qd=state.qd, object_pose=pose, object_velocity=velocity)
        return _changed(leg, (held, dyn.project(held, back), "put back"), actuation)


@dataclass(frozen=True)
class GripChange(Intervention):
    """One tip changes its grip, at its current place: see ``way_of``."""

    tip: int
    kind: str

    def begin(self, leg: Leg, actuation: Actuation) -> Leg:
        held = {contact.tip: as_held(contact) for contact in leg.system.contacts}
        if self.tip not in held:
            raise dyn.ModelError("that arm holds nothing, so it cannot hold it in another way.")
        kind = self.kind if self.kind in GRIPS else np.eye(6)[[on == "1" for on in self.kind]]
        return replace(_grasped(leg, self.time, {**held, self.tip: kind}, actuation), word=words_of(self.kind))


@dataclass(frozen=True, eq=False)
class ForceStep(Intervention):
    """From now on these external forces act, (links + 1, 6), or none; the controller does not know them."""

    wrench: Array | None

    @property
    def size(self) -> int:
        return 100 + (0 if self.wrench is None else self.wrench.nbytes)

    def begin(self, leg: Leg, actuation: Actuation) -> Leg:
        starts, ends = leg.wrench is None and self.wrench is not None, leg.wrench is not None and self.wrench is None
        return replace(leg, wrench=self.wrench, word="push" if starts else "let go" if ends else "")


def _grasped(leg: Leg, time: float, kinds: Mapping[int, str | Array], actuation: Actuation) -> Leg:
    """Tips, by their numbers, hold the object where they are."""
    grasp = dyn.Grasp(time, [kinds.get(tip) for tip in range(leg.system.n_tips)])
    return _changed(leg, grasp.apply(leg.system, leg.state), actuation)


def _changed(leg: Leg, change: tuple[dyn.System, dyn.State, str], actuation: Actuation) -> Leg:
    """The leg with another system, which needs another control law."""
    system, state, word = change
    held = system if system.is_held else leg.held
    return replace(leg, system=system, state=state, law=actuation.law(system, state), word=word, lies=False, held=held)
