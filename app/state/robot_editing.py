"""Edits of the robot at the cursor: tried completely, shown at the cursor, and undone like any change."""

from __future__ import annotations

import zlib
from collections.abc import Callable

import dynamics as dyn
from app.motion.built_machine import edited, edited_name, robot_at, text_of
from app.motion.setup import Machine, Setup
from app.state.session import Session

Change = Callable[[dyn.Robot], dyn.Robot]


class RobotEditing:
    """Changes the robot at the cursor; an impossible edit changes nothing and is explained in the session's message."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def robot(self) -> dyn.Robot:
        """The current robot, including the changes that *Change* made to its bodies."""
        return robot_at(self._session.setup, self._session.cursor.link)[0]

    @property
    def arm(self) -> int:
        return robot_at(self._session.setup, self._session.cursor.link)[1]

    @property
    def origin(self) -> Machine | None:
        """The current machine before any edit of its robot; None if there was none."""
        return self._session.setup.machine.origin

    @property
    def file_name(self) -> str:
        return edited_name(self._session.setup.machine, self.robot)

    def urdf(self) -> str:
        """The robot as a file's text: the opened file itself, if it was edited here."""
        machine, session = self._session.setup.machine, self._session
        if machine.origin is not None and not session.setup.bodies:
            return zlib.decompress(machine.source).decode()
        return text_of(self.robot)

    def apply(self, change: Change) -> bool:
        """Edits the robot, and shows the machine with the result; returns whether that was possible."""
        return self._session.exchange(lambda: edited(self._session.setup, self.arm, change(self.robot)))

    def reset(self) -> None:
        """Restores the machine as it was before any edit of its robot."""
        if (origin := self.origin) is not None:
            self._session.exchange(lambda: Setup(origin))
