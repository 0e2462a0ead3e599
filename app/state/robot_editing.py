"""Edits of the robot that the cursor stands on: tried whole, shown at the cursor, and taken back like any change."""

from __future__ import annotations

import zlib
from collections.abc import Callable

import dynamics as dyn
from app.motion.built_machine import edited, edited_name, robot_at, text_of
from app.motion.setup import Machine, Setup
from app.state.session import Session

Change = Callable[[dyn.Robot], dyn.Robot]


class RobotEditing:
    """Changes the robot at the cursor; what cannot be is said in the session's message, and nothing is changed."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def robot(self) -> dyn.Robot:
        """As it is, whatever of its bodies *Change* has made otherwise included."""
        return robot_at(self._session.setup, self._session.cursor.link)[0]

    @property
    def arm(self) -> int:
        """Whose it is."""
        return robot_at(self._session.setup, self._session.cursor.link)[1]

    @property
    def origin(self) -> Machine | None:
        """What the present machine was before anything of its robot was edited; None where nothing was."""
        return self._session.setup.machine.origin

    @property
    def file_name(self) -> str:
        """Of the robot as a file."""
        return edited_name(self._session.setup.machine, self.robot)

    def urdf(self) -> str:
        """The robot as a file's text: that which the page has opened, where it was edited here."""
        machine, session = self._session.setup.machine, self._session
        if machine.origin is not None and not session.setup.bodies:
            return zlib.decompress(machine.source).decode()
        return text_of(self.robot)

    def apply(self, change: Change) -> bool:
        """Makes another robot of it, and shows the machine with that.

        Returns:
            whether it could be.
        """
        session = self._session

        def made() -> Setup:
            robot, arm = robot_at(session.setup, session.cursor.link)
            return edited(session.setup, arm, change(robot))

        return session.exchange(made)

    def reset(self) -> None:
        """The machine as it was before anything of its robot was edited."""
        if (origin := self.origin) is not None:
            self._session.exchange(lambda: Setup(origin))
