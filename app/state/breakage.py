"""What is broken in the textbook on purpose, and which of its lines is looked at."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass

import param

import dynamics as dyn
from app.motion.run import Run
from app.state.broken_run import broken_run
from app.state.session import Ghost, Session

FIRST = ("filter", "inward_filter.prediction.P")


@dataclass(frozen=True, eq=False)
class Broken:
    """One active break and the line that it is in."""

    line: dyn.TextLine
    breakable: dyn.Breakable


class Breakage(param.Parameterized):
    """A choice among the lines of the session's system; the session's own run never changes."""

    stage = param.String(default=FIRST[0], doc="Stage of the chosen line.")
    key = param.String(default=FIRST[1], doc="Of the chosen line.")
    piece = param.Integer(default=0, doc="The chosen piece of its equation, counted from its start.")
    shown: param.ClassSelector = param.ClassSelector(class_=Run, allow_None=True, doc="The broken motion, if shown.")

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._lines: tuple[dyn.System | None, tuple[dyn.TextLine, ...]] = (None, ())
        self._known: dict[str, Broken] = {}
        session.param.watch(self._follow_breaks, "breaks")

    @property
    def lines(self) -> tuple[dyn.TextLine, ...]:
        """The lines of the system as it is at the cursor."""
        system = self._session.system_here
        if self._lines[0] is not system:
            self._lines = (system, dyn.textbook_lines(system))
            for line in reversed(self._lines[1]):  # of a line that runs twice, where it runs first
                self._known |= {each.key: Broken(line, each) for each in line.breaks}
        return self._lines[1]

    @property
    def line(self) -> dyn.TextLine:
        """The chosen line."""
        return next(line for line in self.lines if (line.stage, line.key) == (self.stage, self.key))

    @property
    def broken(self) -> tuple[Broken, ...]:
        """The active breaks, in the order of the text; those of lines that this system does not run are left out."""
        active = self._session.breaks
        found = {each.key: self._known[each.key] for line in self.lines for each in line.breaks if each.key in active}
        return tuple(found.values())

    @property
    def is_broken(self) -> bool:
        return bool(self._session.breaks)

    def choose_stage(self, stage: str) -> None:
        """The first line of another stage."""
        found = next((line for line in self.lines if line.stage == stage), None)
        if found is not None and stage != self.stage:
            self._choose(found)

    def choose_line(self, stage: str, key: str) -> None:
        """Another line; one that the stage does not run, as a menu may say that is being rewritten, is none."""
        found = next((line for line in self.lines if (line.stage, line.key) == (stage, key)), None)
        if found is not None and (stage, key) != (self.stage, self.key):
            self._choose(found)

    def _choose(self, line: dyn.TextLine) -> None:
        self.param.update(stage=line.stage, key=line.key, piece=0)

    def toggle(self, key: str) -> None:
        """Breaks something, or mends it; a part can be broken in one way at a time.

        What the text does not have is told in words.
        """
        active = self._session.breaks
        if key in active:
            self._session.breaks = active - {key}
            return
        _ = self.lines
        if key not in self._known:
            self._session.message = f"There is nothing to break that is called {reprlib.repr(key)}."
            return
        chosen = self._known[key]
        same = {each.key for each in chosen.line.breaks if each.part == chosen.breakable.part}
        self._session.breaks = (active - same) | {key}

    def mend_all(self) -> None:
        """The text as it is published."""
        self._session.breaks = frozenset()

    def _follow_breaks(self, _: object) -> None:
        """A motion that is shown is the one of the text as it is broken now."""
        if self.shown is not None:
            self.hide_motion()
            if self.is_broken:
                self.show_motion()

    def show_motion(self) -> None:
        """Has the broken motion computed from the run's start, and shown as a ghost beside the true one."""
        session = self._session
        run = broken_run(session.setup, session.breaks, session.run.duration)
        self.shown = run
        count = len(session.breaks)
        session.broken = Ghost(run, "the text, broken" + (f" in {count} places" if count > 1 else ""))

    def hide_motion(self) -> None:
        """Takes the ghost away, if it is still this one."""
        session = self._session
        if self.shown is not None and session.broken is not None and session.broken.run is self.shown:
            session.broken = None
        self.shown = None

    def follow(self) -> None:
        """Keeps the choice possible: another system may lack the line, and somebody else may drop the ghost."""
        if not any((line.stage, line.key) == (self.stage, self.key) for line in self.lines):
            self._choose(self.lines[0])
        ghost = self._session.broken
        if self.shown is not None and (ghost is None or ghost.run is not self.shown):
            self.shown = None
