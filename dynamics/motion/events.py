"""Things that happen at a set time of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from numpy.typing import ArrayLike

from dynamics.posture.closure import project
from dynamics.system.grasp import grasp, release
from dynamics.system.state import State
from dynamics.system.system import System


class Event(Protocol):
    """Anything that changes the system at a time."""

    @property
    def time(self) -> float: ...

    def apply(self, system: System, state: State) -> tuple[System, State, str]: ...


@dataclass(frozen=True)
class Release:
    """Let the object go at ``time`` (s): the arms go free, the object flies on."""

    time: float

    def apply(self, system: System, state: State) -> tuple[System, State, str]:
        return release(system), state, "released"


@dataclass(frozen=True, eq=False)
class Grasp:
    """Take hold of the object at ``time`` (s), where the tips are then.

    Tips and object that move differently collide: their velocities jump as a perfectly inelastic impact
    makes them, the least change in the metric of the kinetic energy.
    """

    time: float
    contacts: Sequence[str | ArrayLike | None]

    def apply(self, system: System, state: State) -> tuple[System, State, str]:
        held = grasp(system, state, self.contacts)
        return held, project(held, state), "grasped"
