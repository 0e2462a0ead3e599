"""Events at a set time of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from numpy.typing import ArrayLike

from dynamics.public import public
from dynamics.record import Record
from dynamics.solve.closure import project
from dynamics.system.grasp import grasp, release
from dynamics.system.state import State
from dynamics.system.system import System


class Event(Protocol):
    """Any object that changes the system at a set time."""

    @property
    def time(self) -> float: ...

    def apply(self, system: System, state: State) -> tuple[System, State, str]: ...


@dataclass(frozen=True)
class LimitEvent(Record):
    """A joint that reached an end of its range for the first time in a run.

    Attributes:
        time: s.
        joint: its name.
        limit: "lower" or "upper".
    """

    time: float
    joint: str
    limit: str

    @property
    def words(self) -> str:
        """The same as a sentence of ``Recording.events``."""
        return f"{self.joint} met its {self.limit} limit"


@dataclass(frozen=True)
class Release(Record):
    """Let the object go: the arms are free, and the object flies on.

    Attributes:
        time: s from the run's start.
    """

    time: float

    @public
    def apply(self, system: System, state: State) -> tuple[System, State, str]:
        """The system and the state after the event.

        Args:
            system: just before.
            state: just before; nothing in it jumps.

        Returns:
            The system that holds nothing, the state, and a description.

        Raises:
            ModelError: if nothing is held.

        Cost: that of making a system.
        """
        return release(system), state, "released"


@dataclass(frozen=True, eq=False)
class Grasp(Record):
    """Take hold of the object where the tips are at that time.

    If tips and object move differently they collide: their velocities jump as in a perfectly inelastic impact,
    by the least change in the metric of the kinetic energy.

    Attributes:
        time: s from the run's start.
        contacts: for each tip as in ``dynamics.grasp``.
    """

    time: float
    contacts: Sequence[str | ArrayLike | None]

    @public
    def apply(self, system: System, state: State) -> tuple[System, State, str]:
        """The system and the state after the event.

        Args:
            system: just before.
            state: just before.

        Returns:
            The system that holds the object, the state with the chain closed, and a description.

        Raises:
            ModelError: if there is nothing to grasp, or a contact is of an unknown kind.
            SingularConfigurationError: if the chain cannot be closed.

        Cost: one projection, cubic in the contact directions.
        """
        held = grasp(system, state, self.contacts)
        return held, project(held, state), "grasped"
