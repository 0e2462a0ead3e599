"""What is deliberately broken in the textbook, and which of its lines is chosen."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import param

import dynamics as dyn
from app.motion.run import TIME_STEP, Run, on_step
from app.state.arrangement import Line
from app.state.kept_run import Ghost
from app.state.outcome import LONGEST, broken_run, first_of
from app.state.session import Session
from dynamics.check import Check
from dynamics.reading import (
    PossibleBreak,
    TextLine,
    formulation_lines,
    readable_formulations,
    textbook_breaks,
    textbook_lines,
)

SEEN = 3.0  # Seconds for which a broken motion must be visible: the viewer does not know yet where to look
LATE = 2.0  # Seconds of playback by which the browser's clock may be ahead when its time arrives
SLOWER = (0.5, 0.25, 0.1, 1.0 / 30.0, 0.01)


@dataclass(frozen=True, eq=False)
class ActiveBreak:
    """One active break and the line that it is in."""

    line: TextLine
    breakable: PossibleBreak


class Breakage(param.Parameterized):
    """A choice among the lines of the session's system; the session's own run never changes."""

    shown: param.ClassSelector = param.ClassSelector(class_=Run, allow_None=True, doc="The broken motion, if shown.")
    asks = param.Boolean(default=False, doc="Whether what was just broken is to be guessed at before it is told.")
    guess = param.String(default="", doc="Key of the identity that was guessed to fail; see ``app.state.breakage``.")

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._lines: tuple[dyn.System | None, tuple[TextLine, ...]] = (None, ())
        self._known: dict[str, ActiveBreak] = {}
        session.param.watch(self._follow_breaks, "breaks")
        session.param.watch(self._follow_motion, ["breaks", "motion", "run", "written"])
        self._machine = session.setup.machine
        self._awaited_at: float | None = None
        self._goes_to_end = False
        self._speeds: tuple[float, float] | None = None

    @property
    def lines(self) -> tuple[TextLine, ...]:
        """The lines of the system at the cursor: of the textbook, then of each other formulation."""
        system = self._session.system_here
        if self._lines[0] is not system:
            others = [formulation_lines(system, name) for name in readable_formulations(system)]
            self._lines = (system, tuple(chain(textbook_lines(system), *others)))
            for line in reversed(self._lines[1]):  # a line that runs twice counts where it runs first
                self._known |= {each.key: ActiveBreak(line, each) for each in line.breaks}
        return self._lines[1]

    @property
    def line(self) -> TextLine:
        chosen = self._session.line
        return next(line for line in self.lines if (line.stage, line.key) == (chosen.stage, chosen.key))

    @property
    def broken(self) -> tuple[ActiveBreak, ...]:
        """The active breaks in the order of the text, without those in lines that this system does not run."""
        keys = dict.fromkeys(each.key for line in self.lines for each in line.breaks)
        return tuple(self._known[key] for key in keys if key in self._session.breaks)

    @property
    def is_broken(self) -> bool:
        """Whether the text that moves the arms is broken; other formulations only compute beside it."""
        return bool(self._session.textbook_breaks)

    def choose_line(self, stage: str, key: str = "") -> None:
        """Chooses another line, or the first of another stage; ignores one that does not exist (a stale menu)."""
        chosen = self._session.line
        found = next((line for line in self.lines if line.stage == stage and key in ("", line.key)), None)
        if found is not None and (stage, key or chosen.key) != (chosen.stage, chosen.key):
            self._session.line = Line(stage, found.key)

    def toggle(self, key: str) -> None:
        """Breaks something, or repairs it; a part can be broken in only one way at a time."""
        active = self._session.breaks
        if key in active:
            self._session.break_texts(active - {key})
            return
        _ = self.lines
        if key not in self._known:
            self._session.message = f"There is nothing to break that is called {reprlib.repr(key)}."
            return
        chosen = self._known[key]
        same = {each.key for each in chosen.line.breaks if each.part == chosen.breakable.part}
        self._session.break_texts((active - same) | {key})
        self.param.update(asks=bool(textbook_breaks({key})), guess="")

    def reveal(self, guess: str = "") -> None:
        """Shows what fails, after a guess or without one."""
        self.param.update(asks=False, guess=guess)

    def _follow_breaks(self, event: param.parameterized.Event) -> None:
        """Withdraws the question when the text is whole; selects the first line that a link has broken.

        A guess was about the text as it was broken at that time.
        """
        self.guess = ""
        if not event.new:
            self.reveal()
        elif not event.old and self._session.line == Line():
            broken = [line for line in self.lines if any(each.key in event.new for each in line.breaks)]
            if broken and not any((line.stage, line.key) == (Line.stage, Line.key) for line in broken):
                self._session.line = Line(broken[0].stage, broken[0].key)

    def show_motion(self) -> None:
        """Lets the broken motion continue from this moment, and shows it as a ghost beside the true one.

        Both stand where they part until all of the broken one is known, after some seconds; then they play.
        """
        session = self._session
        start = on_step(max(0.0, min(session.time, session.run.duration - LONGEST)))
        session.playing = False
        session.seek(start)
        self._awaited_at = start
        session.motion = start

    def show_again(self) -> None:
        """Goes back to the beginning of the broken motion, and plays."""
        if self._session.motion is not None:
            self._session.seek(self._session.motion)
            self._session.playing = self._goes_to_end = True

    @property
    def is_awaited(self) -> bool:
        """Whether both play once the broken motion is known: the user has not played or moved the cursor since."""
        session, begins = self._session, self._awaited_at
        return begins is not None and not session.playing and abs(session.time - begins) < TIME_STEP / 2

    def _meet(self) -> None:
        """Starts the awaited motion once all of it is available."""
        if not self.is_awaited:
            self._awaited_at = None
        elif self.shown is not None and self.shown.complete:
            self._awaited_at = None
            self._slow_down()
            self._session.playing = self._goes_to_end = True

    def _stop_at_end(self) -> None:
        """Stops both at the end of the broken motion, where it shows how far they have come apart."""
        session, run = self._session, self.shown
        if run is None or not session.playing:
            self._goes_to_end = False
        elif self._goes_to_end and run.complete and session.time >= run.last:
            self._goes_to_end = False
            if session.time <= run.last + LATE * session.speed:  # else the user has moved the cursor
                session.playing = False
                session.seek(run.last)

    def _slow_down(self) -> None:
        """Slows down a motion that would be over before anyone sees it, until it is hidden."""
        session = self._session
        assert self.shown is not None
        span = self.shown.end - (session.motion or 0.0)
        if span <= 0.0 or span / session.speed >= SEEN:
            return
        slower = next((speed for speed in SLOWER if span / speed >= SEEN), SLOWER[-1])
        if slower < session.speed:
            self._speeds = (session.speed, slower) if self._speeds is None else (self._speeds[0], slower)
            session.speed = slower

    def _follow_motion(self, *_: object) -> None:
        """Keeps the shown motion that of the text as it is broken now, beside the run as it is now."""
        session = self._session
        if session.setup.machine is not self._machine:
            self._machine = session.setup.machine
            session.motion = None
            self.guess = ""
        if self.shown is not None and session.broken is not None and session.broken.run is self.shown:
            session.broken = None
        self.shown = None
        if not (self.is_broken or session.written):  # no other text has a motion to show
            session.motion = None
        if session.motion is None:
            self._awaited_at = None
            before, slower = self._speeds or (session.speed, session.speed)
            self._speeds = None
            if session.speed == slower:  # the user has not chosen another meanwhile
                session.speed = before
        self.draw()

    def draw(self) -> None:
        """Begins the broken motion once the true one, whose torques it gets, is known; gives it up with its ghost."""
        session = self._session
        self._meet()
        self._stop_at_end()
        if self.shown is not None and (session.broken is None or session.broken.run is not self.shown):
            session.motion = None  # another control has removed the ghost
        if session.motion is None or self.shown is not None:
            return
        if not session.run.complete and session.run.end < session.motion + LONGEST:
            return
        if session.motion < session.run.begin:  # its beginning has been forgotten
            session.motion = None
            return
        typed = session.written
        breaks = frozenset[str]() if typed else session.textbook_breaks  # typed lines are judged alone
        run = broken_run(session.run, breaks, session.motion, session.setup.interventions, typed)
        self.shown = run
        places = f" in {len(breaks)} places" if len(breaks) > 1 else ""
        text = "the text as you have written it" if typed else f"the text, broken{places}"
        title = f"{text}, from {session.motion:.2f} s on"
        session.broken = Ghost(run, title, since=session.motion)

    def follow(self) -> None:
        """Keeps the choice valid: another system may lack the line."""
        chosen = self._session.line
        if not any((line.stage, line.key) == (chosen.stage, chosen.key) for line in self.lines):
            self._session.line = Line(self.lines[0].stage, self.lines[0].key)


OFFERED = 4  # Statements offered, in addition to "none of them fails"
MOST_FAILING = 2  # How many of the offered statements fail, so that the answer needs thought
NONE = "none"


@dataclass(frozen=True)
class Question:
    """The question about one broken text."""

    choices: tuple[Check, ...]  # the first check of each statement, in the order of the algorithm
    failing: dict[str, Check]  # key of each failing statement -> its check; all of them, offered or not
    first: Check | None  # the first that fails, or None if none does

    def is_right(self, guess: str) -> bool:
        """Whether the chosen statement fails; "none" is right if none does."""
        return guess in self.failing if guess != NONE else not self.failing

    def offers(self, guess: str) -> bool:
        return guess == NONE or any(each.identity.key == guess for each in self.choices)


def question_of(checks: Sequence[Check], system: dyn.System) -> Question:
    """Offers what fails first and one other failing statement, among statements that hold nearby."""
    each: dict[str, Check] = {}  # one failing stage makes a statement fail
    for check in checks:
        if check.identity.key not in each or (each[check.identity.key].holds and not check.holds):
            each[check.identity.key] = check
    order = list(each.values())
    wrong = [at for at, check in enumerate(order) if not check.holds]
    # The first, where the error enters, and the last, through which the motion shows it.
    chosen = sorted({wrong[0], wrong[-1]})[:MOST_FAILING] if wrong else []
    middle = chosen[0] if chosen else len(order) // 2
    whole = [at for at, check in enumerate(order) if check.holds and check.identity.key != "finite"]
    whole.sort(key=lambda at: (abs(at - middle), at))
    offered = sorted(chosen + whole[: OFFERED - len(chosen)])
    failing = {order[at].identity.key: order[at] for at in wrong}
    return Question(tuple(order[at] for at in offered), failing, first_of(checks, system))
