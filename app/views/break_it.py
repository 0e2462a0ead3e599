"""The tab that breaks the text: click a part of a line, leave it out, and see what fails, and where."""

from __future__ import annotations

import html
import time
from functools import partial

import panel as pn
import panel_material_ui as pmui
import param

import dynamics as dyn
from app.binding import Binding
from app.equations.equation_html import beside_html, changed_html
from app.equations.formula import formula
from app.equations.rounding import shortest_radius
from app.equations.sheet import Figures, Sheet
from app.equations.words import METHODS
from app.job import Job
from app.number_text import read_index
from app.state import Session
from app.state.breakage import Breakage, Question, question_of
from app.state.outcome import Outcome, broken_at, formulation_at
from app.state.walk import called
from app.views.check import identities_csv
from app.views.check_tables import IdentityTable
from app.views.components import CopyButton, Instrument, scrolled, text_pane
from app.views.outcome_html import (
    LOOK,
    DistanceText,
    active_html,
    acts_html,
    answer_html,
    equation_html,
    part_title,
    question_html,
    runs_in,
    said,
    titles_of,
)
from dynamics.reading import FormulationReading, LineReading, Piece, TextLine, equation_pieces

MOST_PIECES = 99
ABOUT = (
    "<h3>Break it</h3><p>Click a part of the equation, then what to do to it. The true run stays as it is; <i>Walk</i> "
    "shows the broken text.</p>"
)
BESIDE = (
    "No arm moves by this method: it only computes alongside the filter. Its answer and the filter's differ here, and "
    "<i>Methods</i> shows every number of the broken method."
)
WORKING = "<p role='status'>Working out what fails now …</p>"
PERIOD = 0.4  # Shortest time in seconds between two updates while the motion plays


class BreakIt(Instrument):
    """Choice, equation, failures, and motion; only the clock draws it, and only while it is in view."""

    breakage: Breakage = param.ClassSelector(class_=Breakage)  # type: ignore[assignment]

    def __init__(self, session: Session, breakage: Breakage, **params: object) -> None:
        self._session = session
        self._stage = pmui.Select(label="Stage", options={}, size="small", sizing_mode="stretch_width")
        self._line = pmui.Select(label="Line", options={}, size="small", sizing_mode="stretch_width")
        self._sheet, self._text, self._guess = (Sheet(self._go, LOOK) for _ in range(3))
        self._motion = pmui.Button(
            label="Show the motion", icon="directions_run", variant="outlined", size="small", disabled=True, margin=4
        )
        self._again = pmui.Button(
            label="Again", icon="replay", variant="text", size="small", visible=False, margin=4,
            on_click=lambda _: self.breakage.show_again(),
        )  # fmt: skip
        self._said, self._apart = text_pane(), text_pane()
        self._guess.visible = False
        self._table = IdentityTable(session, failing_first=True, margin=(4, 12))
        self._copy = CopyButton(self._csv, label="Copy CSV", what="The identities are", margin=(0, 12))
        self._job: Job[Outcome] = session.jobs.new("the broken text cannot be looked at")
        self._outcome: Outcome | None = None
        self._question: Question | None = None
        self._of_question: tuple[dyn.System, frozenset[str]] | None = None
        self._asked: tuple[object, ...] = ()
        self._asked_at = 0.0
        self._gap = DistanceText(session, breakage)
        self._beside: tuple[tuple[object, ...], FormulationReading | None] = ((), None)
        self._pieces: tuple[tuple[object, ...], tuple[Piece, ...]] = ((), ())
        super().__init__(breakage=breakage, **params)
        self.painted = self._table, self._sheet, self._text, self._guess
        chosen = self.breakage
        self._stages = Binding(self._stage, lambda: session.line.stage, chosen.choose_line)
        # Values that no other stage's menu has, because an unchanged choice is not sent to the browser again.
        self._lines = Binding(
            self._line,
            lambda: f"{session.line.stage}/{session.line.key}",
            lambda value: chosen.choose_line(*value.partition("/")[::2]),
        )
        self._motion.on_click(lambda _: self._show_or_hide())
        session.param.watch(lambda *_: self._offer_motion(), ["breaks", "motion", "written"])
        session.param.watch(lambda *_: self._await(), "breaks")
        self._offer_motion()
        self._write()
        motion = pn.FlexBox(self._motion, self._again, margin=(0, 8))
        equation = (self._stage, self._line, self._sheet, self._guess)
        outcome = (self._apart, self._said, self._text, self._table, self._copy)
        self.view = scrolled(text_pane(ABOUT, (4, 12, 0, 12)), *equation, motion, *outcome)

    def _go(self, where: str) -> None:
        """Handles a click: ``piece n``, ``break key``, ``mend``, ``guess key`` or ``reveal``."""
        kind, _, what = where.partition(" ")
        if kind == "piece" and (piece := read_index(what)) is not None:
            self._session.choose("line", piece=min(piece, MOST_PIECES))
        elif kind == "guess" and self._question is not None and self._question.offers(what):
            self.breakage.reveal(what)
        elif kind == "tell":
            self.breakage.reveal()
        elif kind == "break":
            self.breakage.toggle(what)
        elif kind == "mend":
            self._session.break_texts(frozenset())

    def _offer(self) -> None:
        chosen = self.breakage
        stages = {part_title(line.stage): line.stage for line in chosen.lines}
        own = [line for line in chosen.lines if line.stage == self._session.line.stage]
        lines = {title: f"{line.stage}/{line.key}" for title, line in zip(titles_of(own), own, strict=True)}
        self._stages.follow(options=stages)
        self._lines.follow(options=lines)

    def _write(self) -> None:
        """Shows the chosen line as published, the possible breaks, the line as it reads now, and all that is broken."""
        session, chosen = self._session, self.breakage
        chosen.follow()
        self._offer()
        line, piece, active = chosen.line, session.line.piece, session.breaks
        is_beside = line.stage in METHODS  # another formulation, whose letters have no loads
        figures = Figures(shortest_radius(session.system_here)) if is_beside else Figures.of(session.reading())
        pieces = self._pieces_of(session.system_here)
        twice = line.key.startswith("outward_smoother.") and session.system_here.is_held
        again = "<p class='note'>This sweep runs twice; what is broken in it is broken in both.</p>" if twice else ""
        if is_beside:
            again = f"<p class='note'>{BESIDE}</p>"
        silent = {key: self._why_silent(key) for key in self._silent}
        text = (
            f"{equation_html(line, pieces, piece, active)}{acts_html(line, pieces, piece, active)}"
            f"{active_html(chosen.broken, len(active) - len(chosen.broken), silent)}"
        )
        self._sheet.show(text, ())
        self._text.show(f"{self._as_it_reads(figures)}{again}", figures.numbers)

    def _offer_motion(self) -> None:
        """Updates the buttons at once, in view or not: one that the browser is still building misses later changes."""
        shown = self._session.motion is not None and not self._session.written
        self._motion.param.update(
            disabled=not self.breakage.is_broken, label="Hide the motion" if shown else "Show the motion"
        )
        start = self._session.motion
        self._again.param.update(visible=shown, label="Again" if start is None else f"Again from {start:.2f} s")
        if not shown:
            self._apart.object = ""

    def _pieces_of(self, system: dyn.System) -> tuple[Piece, ...]:
        wanted = (system, self._session.line.stage, self._session.line.key)
        if wanted != self._pieces[0]:
            self._pieces = (wanted, equation_pieces(*wanted))
        return self._pieces[1]

    def _as_it_reads(self, figures: Figures) -> str:
        line, session = self.breakage.line, self._session
        read = self._in_formulation(line) if line.stage in METHODS else self._in_textbook(line)
        if read is None:
            return f"<ol class='text'><li value='{line.number}'><code>{html.escape(line.source)}</code></li></ol>"
        where = f", at {html.escape(called(session.system_here, read.link))}" if read.link >= 0 else ""
        return (
            f"<p class='sweep'><span>As it reads now{where}"
            f"</span><span class='file'>dynamics/textbook/{read.file}</span></p>"
            f"<ol class='text'><li value='{read.number}' class='{'broken' if read.broken else ''}'><div class='row'>"
            f"<code>{changed_html(read.published, read.source)}</code><span class='source'>{html.escape(read.equation)}"
            f"</span><span class='values'><span class='own'>{formula(read.left)} = "
            f"{beside_html(read, figures)}</span></span></div></li></ol>"
        )

    def _in_textbook(self, line: TextLine) -> LineReading | None:
        link, reading = self._session.place_in(line.stage).link, self._session.reading()
        at_link = (found for half in (0, 1) for found in reading.lines(line.stage, link, half))
        return next((found for found in at_link if found.key == line.key), None)

    def _in_formulation(self, line: TextLine) -> LineReading | None:
        """The line at the cursor's link, or where it runs first."""
        session = self._session
        moment = (session.moment, session.breaks, line.stage)
        if self._beside[0] != moment:
            true, wrench = session.solution(), session.run.wrench_at(session.time)
            self._beside = (moment, formulation_at(true, wrench, line.stage, session.breaks))
        read = self._beside[1]
        assert read is not None
        steps = [at for at, step in enumerate(read.steps) if runs_in(step, line)]
        at = next((at for at in steps if read.steps[at].link == session.cursor.link), next(iter(steps), None))
        return None if at is None else next(found for found in read.lines(at) if found.key == line.key)

    @property
    def _silent(self) -> frozenset[str]:
        """Breaks that change nothing at this instant, if that is known for the present text."""
        found = self._outcome
        return found.silent if found is not None and found.breaks == self._session.breaks else frozenset()

    def _why_silent(self, key: str) -> str:
        prose = next((one.breakable.prose for one in self.breakage.broken if one.breakable.key == key), None)
        why = f": {prose.absent}" if prose is not None and prose.absent else ""
        return f"At this moment it changes nothing{why}."

    def _show_or_hide(self) -> None:
        if self._session.motion is None or self._session.written:
            self._session.motion = None  # the motion of lines that the user has written
            self.breakage.show_motion()
        else:
            self._session.motion = None

    def draw(self) -> None:
        """Requests what fails at the cursor, and shows it."""
        session, words = self._session, self._gap.words
        if not session.written and words is not None:
            self._apart.object = words
        wanted = (session.moment, session.breaks)
        now = time.monotonic()
        if wanted != self._asked and not self._job.busy and (now >= self._asked_at + PERIOD or not session.playing):
            self._asked, self._asked_at = wanted, now
            work = partial(broken_at, session.solution(), session.run.wrench_at(session.time), session.breaks)
            self._job.start(work, self._show)
        if not session.playing or now < self._asked_at + PERIOD:
            self._write()
        self._table.unmark_left()

    def _show(self, found: Outcome) -> None:
        self._outcome = found
        asked = (found.reading.system, found.reading.breaks)
        if self._of_question != asked:
            self._of_question, self._question = asked, question_of(found.checks, found.reading.system)
        self._update()

    @param.depends("breakage.asks", "breakage.guess", watch=True)
    def _update(self) -> None:
        """Shows the question, or the answer; never both."""
        chosen, found, question = self.breakage, self._outcome, self._question
        if found is None or question is None or found.breaks != self._session.breaks:
            return
        system = found.reading.system
        words = question_html(question) if chosen.asks else answer_html(question, chosen.guess, system)
        self._guess.show(words, ())
        self._guess.visible = bool(words)
        self._table.visible = self._copy.visible = self._said.visible = not chosen.asks
        if chosen.asks:
            return
        self._table.show_checks(found.checks, system)
        self._said.object = said(chosen, found)

    def _await(self) -> None:
        """Shows a message until the failures are known, which takes seconds on a busy machine."""
        if self._outcome is not None and self._outcome.breaks == self._session.breaks:
            self._update()  # this text is already known
        else:
            self._said.param.update(object=WORKING, visible=True)

    def _csv(self) -> str:
        found = self._outcome
        return "" if found is None else identities_csv(found.checks, found.reading.system)
