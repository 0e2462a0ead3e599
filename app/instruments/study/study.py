"""*Study*: one number of many states, computed beside the page; each state can be opened in the machine itself."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, get_args

import panel as pn
import panel_material_ui as pmui
from panel.io.document import unlocked
from panel.viewable import Viewable

from app.equations.sheet import Sheet
from app.equations.sheet_style import colors_of
from app.instruments.study.form import QuestionForm
from app.instruments.study.plots import StudyPlots
from app.instruments.study.process import Course, Question
from app.instruments.study.question import Query, Watch, ranges, start_of, value_at
from app.instruments.study.summary import (
    action,
    found_html,
    found_of,
    opened_html,
    seconds_words,
    variable_words,
    with_unit,
)
from app.job import Job
from app.motion.errors import ERRORS
from app.motion.setup import Machine, Setup
from app.number_text import read_index
from app.state import Session
from app.state.machine_loader import Target
from app.views.components import STYLE, Instrument, ProgressLine
from dynamics.studies import Moment, WorstCase
from scenes import palette

NAME = "Study"
ESTIMATE, START, STOP = "Estimate", "Start", "Stop"
COMPILING = "Compiling what this study calls, once: half a minute, or minutes on a slow machine …"
LOOK = """
.pairs { border-collapse: collapse; margin: 4px 0; }
.pairs th { text-align: left; font-weight: 400; padding: 2px 14px 2px 0; }
.pairs td { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.sheet { padding-bottom: 4px; } .action { font-weight: 400; margin-inline-end: 0.5rem; }
.beyond .action { margin-inline-end: 0; } .where b { white-space: nowrap; }
.action[aria-pressed=true] { font-weight: 600; text-decoration: none; }
"""
INTRODUCTION = (
    "<h3>Study</h3><p>One motion shows what happens; many states show when something else does. Choose what varies and "
    "what is watched. The states are drawn about the start of this run, at rest; whole motions begin in them.</p>"
)
End = Literal["largest", "smallest"]
ENDS: tuple[End, ...] = get_args(End)


@dataclass(frozen=True, eq=False)
class StudyQuestion:
    """A question about a machine."""

    asked: Query  # as in the form
    watch: Watch  # what is watched
    before: Setup  # the setup that it varies
    question: Question | None  # for the process; None if it cannot be asked


@dataclass(frozen=True, eq=False)
class StudyState:
    """A state of a study that the page shows."""

    row: int | None  # its number; None if it was found by a search
    moment: Moment
    value: float  # as reported by the study
    setup: Setup  # shows it on the page


class StudyInstrument(Instrument):
    """The question, its progress, the answer, and the open state."""

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self.form = QuestionForm(session)
        self.course, self.search = Course(session.jobs), Course(session.jobs)
        self._sheet, self._here = Sheet(self._go), Sheet(lambda _: None)
        self._plots = StudyPlots(self._open)
        self._estimate, self._start = (
            pmui.Button(label=label, icon=icon, variant="outlined", size="small", margin=margin)
            for label, icon, margin in (
                (ESTIMATE, "timer", (6, 4, 6, 12)), (START, "scatter_plot", (6, 12, 6, 4))
            )
        )  # fmt: skip
        self._estimate.on_click(lambda _: self.start(estimate=True))
        self._start.on_click(lambda _: self.start_or_stop())
        self._progress_line = ProgressLine()
        self._compare: Job[float] = session.jobs.new("no number here", self._take, ERRORS)
        self._machine: Machine | None = session.setup.machine
        self._posed: StudyQuestion | None = None
        self._end: End = ENDS[0]
        self._found: dict[End, WorstCase] = {}
        self._stopped = self._opening = False
        self._against = ""
        self._opened: StudyState | None = None
        self._value: float | str | None = None
        self._shown: tuple[object, ...] = ()
        session.param.watch(self._follow, ["run", "study"])

    @property
    def follows(self) -> bool:
        return False

    def paint(self, theme: palette.Theme) -> None:
        for sheet in (self._sheet, self._here):
            sheet.css = colors_of(theme) + LOOK
        self._plots.paint(theme)

    def _follow(self, *_: object) -> None:
        """Discards the results if the machine is another, which has other questions."""
        machine = self._session.setup.machine
        if machine is self._machine:
            self.form.follow()
            return
        self._machine = machine
        self._forget()
        self.form.follow_machine()

    def _forget(self) -> None:
        self.course.forget()
        self.search.forget()
        self._found, self._stopped, self._against = {}, False, ""
        self._posed = self._opened = self._value = None
        if self._opening:  # a state of the previous machine
            self._session.opening.leave_moment()
        self._opening = False

    def start_or_stop(self) -> None:
        if self.course.busy:
            self.course.cancel()
            self._stopped = True
        else:
            self.start()
        self._draw_now()

    def start(self, estimate: bool = False) -> None:
        """Starts the form's question about the start of this run; or an estimate of the time."""
        session, asked, question = self._session, self.form.asked, None
        system, state = start_of(session.run)
        self._forget()
        try:
            over = ranges(asked, system, state)
        except ERRORS as error:
            self.course.words = str(error)
        else:
            count = asked.count if asked.is_drawn else 1
            question = Question(system, state, over, asked.find, count, asked.duration or None, asked.step)
            question = replace(question, wanted="estimate") if estimate else question
            self.course.start(question)
        self._posed = StudyQuestion(asked, self.form.watch, session.setup, question)
        self._draw_now()

    def _draw_now(self) -> None:
        with unlocked():  # figures are Bokeh models, and messages of a browser arrive without the document's lock
            self.draw()

    def _go(self, where: str) -> None:
        """Handles a click: ``row n``, a state; ``against x``, the horizontal axis; ``search END`` for values worse
        than all rows, ``halt`` that, and ``worst END``, its result.
        """
        kind, _, what = where.partition(" ")
        look, posed, row = self.course.look, self._posed, read_index(what)
        end = next((one for one in ENDS if one == what), None)
        if look is None or posed is None:
            return
        if kind == "row" and row is not None:
            self._open(row)
        elif kind == "against" and what in look.pictures:
            self._against = what
        elif kind == "halt":
            self.search.forget()
        elif kind == "search" and end and posed.question is not None and not self.search.busy:
            self._end = end
            self.search.start(replace(posed.question, wanted=end))
        elif kind == "worst" and end in self._found:
            found = self._found[end]
            self._show(None, lambda: found.moment)
        self._draw_now()

    def _open(self, row: int) -> None:
        look = self.course.look
        if look is not None and row < look.study.size:
            self._show(row, partial(look.study.moment, row))

    def _show(self, row: int | None, moment: Callable[[], Moment]) -> None:
        posed, moments = self._posed, list[Moment]()
        if posed is None:
            return

        def read() -> tuple[Target, Mapping[str, bytes]]:
            moments.append(moment())
            return found_of(posed.before, moments[0], posed.asked, posed.watch, NAME)

        def report(words: str) -> None:
            self._opening = False
            if not words and posed is self._posed:
                self._is_open(row, moments[0], posed.asked)

        self._opening = True
        self._session.opening.saved(read, report, is_moment=True)

    def _is_open(self, row: int | None, moment: Moment, asked: Query) -> None:
        if moment.found is None:
            return
        session = self._session
        self._opened, self._value = StudyState(row, moment, moment.found[asked.find], session.setup), None
        here = partial(value_at, session.solution(), asked.find, asked.duration, asked.numerics(moment))
        self._compare.start(here, self._take)
        self._draw_now()

    def _take(self, value: float | str) -> None:
        self._value = value

    def draw(self) -> None:
        course, search, opened, posed = self.course, self.search, self._opened, self._posed
        if opened is not None and opened.setup is not self._session.setup:
            opened = self._opened = None
        if isinstance(search.answer, WorstCase):
            self._found[self._end], search.answer = search.answer, None
        wanted = (
            posed, course.busy, course.compiles, course.estimate, course.done, course.words, course.look,
            self._against, opened, self._value, self._stopped, search.busy, search.estimate, search.words,
            tuple(self._found.items()),
        )  # fmt: skip
        if wanted == self._shown:
            return
        self._shown = wanted
        self._start.label, self._estimate.disabled = STOP if course.busy else START, course.busy
        self._progress_line.say(self._words())
        look = course.look
        if look is None or posed is None:
            self._sheet.show("", ())
            self._plots.show(None, "", "", "")
            self._here.show("", ())
            return
        watch, beside = posed.watch, list(look.study.found)[1:]
        against = self._against if self._against in look.pictures else next(iter((*beside, *look.pictures)))
        drawn = {"largest": look.found.maximum, "smallest": look.found.minimum}
        searches: dict[str, str] = {end: self._search_html(end, watch, drawn[end]) for end in ENDS}
        self._sheet.show(found_html(look, posed.asked, watch, against, searches), ())
        found = f"{watch.words}{', ' + watch.unit if watch.unit else ''}"
        self._plots.show(look, against, variable_words(against), found, posed.asked.rows)
        if opened is None:
            self._plots.ring(None, None)
            self._here.show("", ())
            return
        across = {**opened.moment.drawn, **(opened.moment.found or {})}.get(against)
        self._plots.ring(None if across is None else look.pictures[against].number(across), opened.value)
        self._here.show(opened_html(opened.row, opened.value, self._value, watch), ())

    def _search_html(self, end: End, watch: Watch, drawn: float) -> str:
        """A button for a search, its duration, or its result beside the drawn states'."""
        search, found = self.search, self._found.get(end)
        if found is None and search.busy:
            lasts = "" if search.estimate is None else f", {seconds_words(search.estimate)}"
            return f"Searching{lasts} … {action('halt', 'Stop')}" if self._end == end else ""
        if found is None:
            words = html.escape(search.words) if self._end == end else ""
            return f"{words} {action(f'search {end}', 'Search')}"
        value = with_unit(found.value, watch)
        opens = action(f"worst {end}", value, f"Open what was found by search: {value}")
        is_better = found.value < drawn if end == "largest" else found.value > drawn
        beaten = ", which the random draws have beaten" if is_better else "; there may be worse"
        return f"By search, of {found.evaluations:,} states: {opens}{beaten}."

    def _words(self) -> str:
        course, posed = self.course, self._posed
        if posed is None:
            return ""
        rows, size = posed.asked.rows, posed.question.size if posed.question else 0
        if course.busy and course.estimate is None:
            return COMPILING if course.compiles else f"Getting ready, and trying a few {rows} …"
        if course.busy:
            left = seconds_words(course.seconds_left(size))
            bar = f"<progress max='{size}' value='{course.done}' aria-label='Study'></progress>"
            return f"{course.done:,} of {size:,} {rows}, {left} left. {bar}"
        look, words = course.look, "Stopped." if self._stopped else html.escape(course.words)
        if words:
            so_far = "" if look is None else f" The results of {look.study.size:,} of {look.wanted:,} {rows} are below."
            return f"{words}{so_far}"
        if look is None and course.estimate is not None:
            most = course.most_seconds
            late = f" That is longer than the {most:g} s of a study here: it ends with what it has."
            return f"{size:,} {rows}: {seconds_words(course.estimate)}.{late if course.estimate > most else ''}"
        return f"{course.done:,} {rows}."

    def __panel__(self) -> Viewable:
        return pn.Column(
            pn.pane.HTML(INTRODUCTION, stylesheets=[STYLE], sizing_mode="stretch_width", margin=(4, 12, 0, 12)),
            self.form,
            pn.FlexBox(self._estimate, self._start, align_items="center", margin=0),
            self._progress_line,
            self._here,
            self._plots.view,
            self._sheet,
            sizing_mode="stretch_both",
            scroll="y",
            margin=0,
        )
