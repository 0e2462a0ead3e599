"""What is broken on purpose: a line of the algorithm, one of its terms, and what was done to it."""

from __future__ import annotations

import param

import dynamics as dyn
from app.state.broken_run import broken_run
from app.state.run import Run
from app.state.session import Ghost, Session
from dynamics.altered.alteration import line_of
from dynamics.altered.altered_line import Line, Term
from dynamics.altered.altered_lines import lines_of

DROPPED, AS_PUBLISHED, TURNED = 0.0, 1.0, -1.0


class Breakage(param.Parameterized):
    """A choice among the lines of the session's system; the session's own run never changes."""

    stage = param.String(default="filter", doc="Stage of the chosen line.")
    quantity = param.String(default="articulated_inertia", doc="What the chosen line computes.")
    term = param.String(default="carried", doc="Name of the chosen term.")
    factor = param.Number(default=AS_PUBLISHED, doc="1 as published, 0 dropped, -1 with its sign turned.")
    shown: param.ClassSelector = param.ClassSelector(class_=Run, allow_None=True, doc="The broken motion, if shown.")

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines of the system as it is at the cursor."""
        return lines_of(self._session.system_here)

    @property
    def line(self) -> Line:
        return line_of(self.stage, self.quantity)

    @property
    def chosen(self) -> Term:
        return next(term for term in self.line.terms if term.name == self.term)

    @property
    def is_broken(self) -> bool:
        return self.factor != AS_PUBLISHED

    @property
    def alteration(self) -> dyn.Alteration:
        if not self.is_broken:
            return dyn.AS_PUBLISHED
        return dyn.Alteration({(self.stage, self.quantity, self.term): self.factor})

    def choose_stage(self, stage: str) -> None:
        """The first line of another stage, as published."""
        if stage != self.stage:
            self._choose(next(line for line in self.lines if line.stage == stage))

    def choose_line(self, quantity: str) -> None:
        """Another line of the stage, as published."""
        if quantity != self.quantity:
            self._choose(line_of(self.stage, quantity))

    def _choose(self, line: Line) -> None:
        self.hide_motion()
        self.param.update(stage=line.stage, quantity=line.quantity, term=line.terms[0].name, factor=AS_PUBLISHED)

    def choose_term(self, name: str) -> None:
        """Another term of the line, as published."""
        if name != self.term:
            self.hide_motion()
            self.param.update(term=name, factor=AS_PUBLISHED)

    def put(self, factor: float) -> None:
        """Drops the term, turns its sign, or mends it; a motion that is shown follows."""
        if factor != self.factor:
            showing = self.shown is not None
            self.hide_motion()
            self.factor = factor
            if showing and self.is_broken:
                self.show_motion()

    def show_motion(self) -> None:
        """Has the broken motion computed from the run's start, and shown as a ghost beside the true one."""
        session = self._session
        run = broken_run(session.setup, self.alteration, session.run.duration)
        self.shown = run
        session.broken = Ghost(run, f"{self.line.title} broken")

    def hide_motion(self) -> None:
        """Takes the ghost away, if it is still this one."""
        session = self._session
        if self.shown is not None and session.broken is not None and session.broken.run is self.shown:
            session.broken = None
        self.shown = None

    def follow(self) -> None:
        """Keeps the choice possible: another system may lack the line, and somebody else may drop the ghost."""
        if not any((line.stage, line.quantity) == (self.stage, self.quantity) for line in self.lines):
            self._choose(self.lines[0])
        ghost = self._session.broken
        if self.shown is not None and (ghost is None or ghost.run is not self.shown):
            self.shown = None
