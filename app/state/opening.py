"""What takes long to open: read and begun in a thread, shown when all of it is well, and taken back if it is not."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app.motion.run import ERRORS, Run
from app.motion.setup import Setup, machine_of_file
from app.wording import Kind, Message, in_words

if TYPE_CHECKING:
    from app.state.session import Session

log = logging.getLogger(__name__)


class RefusedError(ValueError):
    """What somebody sends and nobody here can use; its words say why."""


@dataclass(frozen=True, eq=False)
class Found:
    """What is to be shown.

    Attributes:
        run: of the setup, begun.
        cursor, other: values of the cursor's and of the session's own parameters.
    """

    setup: Setup
    run: Run
    cursor: Mapping[str, Any] = field(default_factory=dict)
    other: Mapping[str, Any] = field(default_factory=dict)

    def tried(self) -> Found:
        """With the first stretch of its run computed, both ends of which are solved.

        Raises:
            ModelError, StateError, SingularConfigurationError: for what cannot be shown.
        """
        self.run.accept(self.run.compute())
        for time in (0.0, self.run.end):
            self.run.solution_at(time)
        return self

    def show(self, session: Session) -> None:
        """Shows it."""
        session.show(self.setup, self.cursor, self.other, self.run)

    def show_as_a_step(self, session: Session) -> None:
        """Shows it; what was shown before is a step back."""
        history = session.history.left(session.setup)
        self.show(session)
        session.history = history


class Opening:
    """Opens one thing at a time in a session; what cannot be opened, or not drawn, leaves the page as it was."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._file, self._link = (
            session.jobs.new(f"{what} cannot be {done}", expected=(*ERRORS, RefusedError))
            for what, done in (("This file", "opened"), ("This link", "followed"))
        )
        self._way_back: Callable[[], None] | None = None

    @property
    def awaits_link(self) -> bool:
        """Whether the page shows less than its address asks for, as yet."""
        return self._link.busy

    def file(self, text: bytes, name: str, ended: Callable[[], None] = lambda: None) -> None:
        """Opens a robot description as a single arm; ``ended`` is called when that is done, or cannot be."""

        def read() -> Found:
            setup = Setup(machine_of_file(text, name))
            return Found(setup, setup.run()).tried()

        def take(found: Found) -> None:
            ended()
            self._show(found.show_as_a_step)
            remark = Message(Kind.FILE_IN_PART, found.setup.machine.remark)
            self._session.message = self._session.message or remark

        def fail(words: str) -> None:
            ended()
            self._session.message = words

        self._file.start(read, take, fail)

    def link(self, read: Callable[[], Found]) -> None:
        """Shows what a link asks for; ``read`` says what that is."""

        def fail(words: str) -> None:
            self._session.param.update(playing=True, message=words)

        self._link.start(lambda: read().tried(), lambda found: self._show(found.show), fail)

    def _show(self, show: Callable[[Session], None]) -> None:
        self._way_back = self._session.way_back()
        try:
            show(self._session)
        except Exception as fault:  # of whatever follows the session
            log.exception("what was opened cannot be shown")
            self.take_back(fault)

    def take_back(self, fault: Exception) -> None:
        """Shows what was shown before, with a word about why, if something was opened that is not drawn yet."""
        way_back, self._way_back = self._way_back, None
        if way_back is not None:
            way_back()
            self._session.message = f"This cannot be shown: {in_words(fault)}"

    def settle(self) -> None:
        """Everything that is shown has been drawn: there is no need of a way back."""
        self._way_back = None
