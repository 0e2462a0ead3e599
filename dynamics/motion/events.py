"""Things that happen at a set time of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from numpy.typing import ArrayLike

from dynamics.posture.closure import project
from dynamics.public import public
from dynamics.record import Record
from dynamics.system.grasp import grasp, release
from dynamics.system.state import State
from dynamics.system.system import System


class Event(Protocol):
    """Anything that changes the system at a time."""

    @property
    def time(self) -> float: ...

    def apply(self, system: System, state: State) -> tuple[System, State, str]: ...


@dataclass(frozen=True)
class Release(Record):
    """Let the object go: the arms go free, the object flies on.

    Attributes:
        time: s from the run's start.
    """

    time: float

    @public
    def apply(self, system: System, state: State) -> tuple[System, State, str]:
        """What the system and the state become.

        Args:
            system: just before.
            state: just before; nothing in it jumps.

        Returns:
            The system that holds nothing, the state, and the word for it.

        Raises:
            ModelError: if nothing is held.

        Cost: that of making a system.
        """
        return release(system), state, "released"


@dataclass(frozen=True, eq=False)
class Grasp(Record):
    """Take hold of the object, where the tips are then.

    Tips and object that move differently collide: their velocities jump as a perfectly inelastic impact
    makes them, the least change in the metric of the kinetic energy.

    Attributes:
        time: s from the run's start.
        contacts: for each tip as in ``dynamics.grasp``.
    """

    time: float
    contacts: Sequence[str | ArrayLike | None]

    @public
    def apply(self, system: System, state: State) -> tuple[System, State, str]:
        """What the system and the state become.

        Args:
            system: just before.
            state: just before.

        Returns:
            The system that holds, the state that is closed, and the word for it.

        Raises:
            ModelError: if there is nothing to grasp, or a contact is of no known kind.
            SingularConfigurationError: if the chain cannot be closed.

        Cost: one projection, cubic in the contact directions.
        """
        held = grasp(system, state, self.contacts)
        return held, project(held, state), "grasped"
