"""What takes long to open: read and begun in a thread, shown when it is valid, and reverted if it is not."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import param

import dynamics as dyn
from app.messages import Kind, Message, in_words
from app.motion.build import Build
from app.motion.built_machine import machine_of_build, put_together
from app.motion.errors import ERRORS
from app.motion.robot_file import OwnFile
from app.motion.run import Run
from app.motion.setup import Machine, Setup, machine_of_file, review_of_file

if TYPE_CHECKING:
    from app.state.session import Session

FAILURES = (
    *("This file cannot be opened", "This link cannot be followed", "This session cannot be opened"),
    *("This moment cannot be shown", "This machine cannot be put together"),
)
log = logging.getLogger(__name__)


MOST_REMARKS = 4  # Most omitted meshes of an archive that are reported by name


class FileText(NamedTuple):
    """A robot file as it is read and kept, with the parts that were left out."""

    text: bytes
    name: str
    remarks: tuple[str, ...] = ()


Unpack = Callable[[bytes, str], FileText]  # makes the text of a robot of what was sent; may take long, and refuse


class RefusedError(ValueError):
    """Something sent that cannot be used; the message says why."""


@dataclass(frozen=True, eq=False)
class Target:
    """What is to be shown."""

    setup: Setup
    run: Run  # the run of the setup, begun
    # values of the cursor's and of the session's own parameters
    cursor: Mapping[str, Any] = field(default_factory=dict)
    other: Mapping[str, Any] = field(default_factory=dict)

    def tried(self) -> Target:
        """Itself, with the first stretch of its run computed, both ends of which are solved."""
        self.run.accept(self.run.compute())
        for time in (0.0, self.run.end):
            self.run.solution_at(time)
        return self

    def show(self, session: Session) -> None:
        session.show(self.setup, self.cursor, self.other, self.run)

    def show_as_a_step(self, session: Session) -> None:
        history = session.history.left(session.choice)
        self.show(session)
        session.history = history


Saved = tuple[Target, Mapping[str, bytes]]


@dataclass(frozen=True, eq=False)
class MissingFile:
    """A file that a link needs and does not contain."""

    file: OwnFile
    follow: Callable[[Machine], Target]  # returns what the link asks for, given the machine of that file; it may refuse

    def followed(self, machine: Machine) -> Target:
        """What the link asks of the machine of its file; the machine alone if the link does not fit it."""
        try:
            return self.follow(machine)
        except (RefusedError, *ERRORS) as error:
            words = Message(Kind.LINK_IN_PART, f"Of this link only the file is followed: {in_words(error)}")
            return Target(setup := Setup(machine), setup.run(), other={"message": words})


class MachineLoader(param.Parameterized):
    """Opens one item at a time in a session; if it cannot be opened or drawn, the page stays as it was."""

    outcome = param.String(default="", doc="What happened to the last file, in words.")
    wanted: param.ClassSelector = param.ClassSelector(
        class_=MissingFile, allow_None=True, doc="The file that a link needs, until it is here."
    )
    sent = param.Parameter(doc="A file and its text, just opened, for whoever keeps it; then None.")
    review: param.ClassSelector = param.ClassSelector(
        class_=dyn.RobotReport, allow_None=True, doc="What is wrong in the last file, or hardly intended."
    )
    awaited: param.ClassSelector = param.ClassSelector(
        class_=Build, allow_None=True, doc="The machine that is being put together, or None."
    )
    kept = param.ClassSelector(class_=frozenset, default=frozenset(), doc="Fingerprints of what the browser keeps.")

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._file, self._link, self._saved, self._moment, self._built = (
            session.jobs.new(what, expected=(*ERRORS, RefusedError)) for what in FAILURES
        )
        self._way_back: Callable[[], None] | None = None
        self._opened: Machine | None = None
        self._instead: Setup | None = None

    @property
    def reads_link(self) -> bool:
        """Whether a link's content is still being computed, and nothing else is awaited."""
        return self._link.busy

    @property
    def awaits_link(self) -> bool:
        """Whether the page does not yet show all that its address asks for."""
        return self._link.busy or (self.wanted is not None and self._session.setup is self._instead)

    @property
    def reads(self) -> bool:
        return self._file.busy

    @property
    def word(self) -> str:
        """The result of the last file; empty once something else is shown."""
        left = self._opened is not None and self._session.setup.machine is not self._opened
        return "" if left else self.outcome

    def want(self, wanted: MissingFile) -> None:
        """A link needs a file: the motion shown instead pauses until the browser has looked for it."""
        self._instead = self._session.setup
        self._session.playing = False
        self.wanted = wanted

    def miss(self) -> None:
        """The browser does not have the wanted file; the motion shown instead plays, and the file may still come."""
        assert self.wanted is not None
        if not self.reads:
            words = Message(
                Kind.FILE_WANTED,
                f"This link shows {self.wanted.file.words}, which is not part of the link and is not kept in this "
                "browser. Drop that file on the button of Model, or choose it there: then the link's moment is shown.",
            )
            if self.awaits_link:  # else the user has gone on to something else meanwhile
                self._session.param.update(playing=True, message=words)

    def refuse(self, words: str) -> None:
        """Reports a file that was not even read."""
        self._opened = self.review = None
        self._session.param.update(message=words, playing=self._session.playing or self.awaits_link)
        self.outcome = "Not opened."

    def file(self, sent: bytes, name: str, unpack: Unpack = FileText) -> None:
        """Opens a robot description as a single arm; with a link's settings, if the link needs this file."""
        wanted, reviews = self.wanted, list[dyn.RobotReport | None]()

        def read() -> tuple[Target, bool, FileText]:
            file = unpack(sent, name)
            reviews.append(review_of_file(file.text, file.name))
            machine = machine_of_file(file.text, file.name)
            if wanted is not None and machine.file is not None and machine.file.digest == wanted.file.digest:
                return wanted.followed(machine).tried(), True, file
            is_namesake = wanted is not None and file.name == wanted.file.name
            words = f"This file, though called {name}, is not the link's own: it is shown as it is now."
            other = {"message": Message(Kind.LINK_IN_PART, words)} if is_namesake else {}
            return Target(setup := Setup(machine), setup.run(), other=other).tried(), False, file

        def take(found: tuple[Target, bool, FileText]) -> None:
            shown, is_wanted, file = found
            playing = self._session.playing or self.awaits_link
            self._opened = machine = shown.setup.machine
            self.outcome = f"{name} is open."
            self.review = reviews[-1]
            if is_wanted:
                self.wanted = None
            self._show(shown.show if is_wanted else shown.show_as_a_step)
            if not is_wanted:
                self._session.playing = playing  # a user who paused wants to see the start of the next motion, too
            remark = Message(Kind.FILE_IN_PART, "; ".join(filter(None, (machine.remark, *file.remarks[:MOST_REMARKS]))))
            self._session.message = self._session.message or remark
            if self._opened is machine and machine.file is not None:
                self.sent = (machine.file, file.text)  # also what it keeps: the last file opened is removed last

        def fail(words: str) -> None:
            self._opened = None
            self._session.param.update(message=words, playing=self._session.playing or self.awaits_link)
            self.outcome = f"{name} is not opened."
            self.review = reviews[-1] if reviews else None

        self._opened = self.review = None
        self._session.message = ""  # about an earlier file
        self.outcome = f"Reading {name} …"
        self._file.start(read, take, fail)

    def link(self, read: Callable[[], Target], as_a_step: bool = False) -> None:
        """Shows what a link asks for, which ``read`` returns; as a step back from a page in use."""
        session = self._session
        self._link.start(
            lambda: read().tried(),
            lambda found: self._show(found.show_as_a_step if as_a_step else found.show),
            lambda words: session.param.update(playing=session.playing or not as_a_step, message=words),
        )

    def leave_link(self) -> None:
        """Cancels a link's content that is still being computed."""
        self._link.cancel()

    def build(self, wanted: Build) -> None:
        """Assembles a machine and shows it as a step that can be undone, unless another is opened meanwhile."""
        session = self._session
        before, present = session.setup, session.setup.machine

        def made() -> Target:
            setup = put_together(before, wanted, machine_of_build(wanted, present))
            return Target(setup, setup.run()).tried()

        def take(found: Target) -> None:
            if session.setup.machine is present:  # a user who paused a motion wants to see the next start
                self._show(replace(found, other={"playing": session.playing}).show_as_a_step)
            self.awaited = None  # only now: earlier, controls would show the old machine

        def fail(words: str) -> None:
            self.awaited = None
            session.message = words

        self.awaited = wanted
        self._built.start(made, take, fail)

    def leave_build(self) -> None:
        """Cancels the machine that is being assembled."""
        self._built.cancel()
        self.awaited = None

    def leave_moment(self) -> None:
        """Cancels a moment that is still being made."""
        self._moment.cancel()

    def saved(self, read: Callable[[], Saved], report: Callable[[str], None], is_moment: bool = False) -> None:
        """Opens a session file, or a moment that a study has kept, as a step that can be undone.

        Args:
            read: returns what it shows, tried, and the texts of its robots by their fingerprints.
            report: called with what went wrong, or with an empty text when all of it is shown.
        """

        def take(outcome: Saved) -> None:
            found, texts = outcome
            self._opened = None
            self.param.update(outcome="", review=None)  # about a file that is no longer shown
            before = (self._session.setup, self._session.kept)
            self._show(found.show_as_a_step)
            self._session.exchanged = (before, (self._session.setup, self._session.kept))
            file = found.setup.machine.file
            if file is not None and self._session.setup is found.setup:
                self.sent = (file, texts[file.digest])
            report("" if self._session.setup is found.setup else self._session.message)

        def fail(words: str) -> None:
            self._session.message = words
            report(words)

        (self._moment if is_moment else self._saved).start(read, take, fail)

    def _show(self, show: Callable[[Session], None]) -> None:
        self._way_back = self._session.way_back()
        try:
            show(self._session)
        except Exception as fault:  # from anything that follows the session
            log.exception("what was opened cannot be shown")
            self.take_back(fault)

    def take_back(self, fault: Exception) -> None:
        """Restores what was shown before, with the reason, if something opened has not been drawn yet."""
        way_back, self._way_back = self._way_back, None
        if way_back is not None:
            way_back()
            self._session.message = f"This cannot be shown: {in_words(fault)}"
            if self._opened is not None:
                self._opened = None
                self.outcome = "Not opened."

    def settle(self) -> None:
        """Everything shown has been drawn: the way back is not needed any more."""
        self._way_back = None
