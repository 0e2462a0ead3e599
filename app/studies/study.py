"""*Study*: one number of many states, computed beside the page; and from any of them back to the machine itself."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import panel as pn
import panel_material_ui as pmui
from panel.io.document import unlocked
from panel.viewable import Viewable

import dynamics as dyn
from app.equations.look import colors_of
from app.equations.sheet import Sheet
from app.job import Job
from app.motion.errors import ERRORS
from app.motion.setup import Machine, Setup
from app.number_text import read_index
from app.state import Session
from app.state.opening import Found
from app.studies.asked import Asked, ranges, start_of
from app.studies.beyond import ENDS, Beyond, End
from app.studies.course import Course
from app.studies.form import QuestionForm
from app.studies.look import row_words
from app.studies.moment import found_of
from app.studies.plots import StudyPlots
from app.studies.process import Question
from app.studies.watched import value_at
from app.studies.words import estimate_words, found_html, opened_html, seconds_words, variable_words
from app.views.instrument import Instrument
from app.views.progress_line import ProgressLine
from app.views.style import STYLE
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
TOLD = (
    "<h3>Study</h3><p>One motion shows how things go; many states show when they go otherwise. Choose what varies and "
    "what is watched. The states are drawn about the start of this run, at rest; whole motions begin in them.</p>"
)


@dataclass(frozen=True, eq=False)
class Opened:
    """A state of a study that the page shows.

    Attributes:
        row: its number; None of one that was searched for.
        value: what the study reports of it.
        setup: by which the page shows it.
    """

    row: int | None
    moment: dyn.Moment
    value: float
    setup: Setup


class StudyInstrument(Instrument):
    """The question, how far its answer has come, the answer, and the state that is open."""

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self.form = QuestionForm(session)
        self.course, self.beyond = Course(session.jobs), Beyond(session.jobs)
        self._sheet, self._here = Sheet(self._go), Sheet(lambda _: None)
        self._plots = StudyPlots(self._open)
        self._buttons = {
            ESTIMATE: pmui.Button(label=ESTIMATE, icon="timer", variant="outlined", size="small", margin=(6, 4, 6, 12)),
            START: pmui.Button(
                label=START, icon="scatter_plot", variant="outlined", size="small", margin=(6, 12, 6, 4)
            ),
        }
        self._buttons[ESTIMATE].on_click(lambda _: self.start(estimate=True))
        self._buttons[START].on_click(lambda _: self.start_or_stop())
        self._told = ProgressLine()
        self._compare: Job[float] = session.jobs.new("no number here", self._take_fault, ERRORS)
        self._machine: Machine | None = session.setup.machine
        self._asked: Asked | None = None
        self._question: Question | None = None
        self._size = 0
        self._watch, self._before = self.form.watch, session.setup
        self._estimating = False
        self._stopped = self._opening = False
        self._against = ""
        self._opened: Opened | None = None
        self._value: float | str | None = None
        self._shown: tuple[object, ...] = ()
        session.param.watch(self._follow, ["run", "study"])

    @property
    def follows(self) -> bool:
        return False

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        for sheet in (self._sheet, self._here):
            sheet.css = colors_of(theme) + LOOK
        self._plots.paint(theme)

    def _follow(self, *_: object) -> None:
        """Another machine is asked other questions; what was found of the one before says nothing of it."""
        machine = self._session.setup.machine
        if machine is not self._machine:
            self._machine = machine
            self._forget()
            self.form.follow_machine()
        else:
            self.form.follow()

    def _forget(self) -> None:
        self.course.cancel()
        self.course.look = self.course.estimate = None
        self.course.words = ""
        self.beyond.forget()
        self._asked = self._question = self._opened = self._value = None
        if self._opening:  # a state of a machine that one has left
            self._session.opening.leave_moment()
        self._opening = False

    def start_or_stop(self) -> None:
        """What the second button does."""
        if self.course.busy:
            self.course.cancel()
            self._stopped = True
        else:
            self.start()
        self._draw_now()

    def start(self, estimate: bool = False) -> None:
        """Asks the question of the form about the start of this run; or how long that would take."""
        session = self._session
        system, state = start_of(session.run)
        asked = self.form.asked
        self._forget()
        self._asked, self._watch, self._before = asked, self.form.watch, session.setup
        self._estimating, self._stopped, self._against = estimate, False, ""
        try:
            over = ranges(asked, system, state)
        except ERRORS as error:
            self.course.words = str(error)
        else:
            question = Question(system, state, over, asked.find, asked.states, estimate, asked.motion)
            self._question, self._size = question, question.size
            self.course.start(question)
        self._draw_now()

    def _draw_now(self) -> None:
        with unlocked():  # figures are Bokeh's own models, and a browser is heard without the document's lock
            self.draw()

    def _go(self, where: str) -> None:
        """What was clicked: ``row n``, a state; ``against x``, what is shown across; or what goes beyond both ends."""
        kind, _, what = where.partition(" ")
        look = self.course.look
        row = read_index(what)
        if look is None:
            return
        if kind == "row" and row is not None and row < look.study.size:
            self._open(row)
        elif kind == "against" and what in look.pictures:
            self._against = what
            self._draw_now()
        else:
            self._go_beyond(kind, what)

    def _go_beyond(self, kind: str, what: str) -> None:
        """``search END`` for what is worse than all rows; ``halt`` that; ``worst END`` opens what was found."""
        end = next((one for one in ENDS if one == what), None)
        if kind == "halt":
            self.beyond.stop()
        elif kind == "search" and end and self._question is not None and not self.beyond.course.busy:
            self.beyond.start(self._question, end)
        elif kind == "worst" and end in self.beyond.found:
            found = self.beyond.found[end]
            self._show(None, lambda: found.moment)
        self._draw_now()

    def _open(self, row: int) -> None:
        """Shows a state of the study."""
        look = self.course.look
        if look is not None and row < look.study.size:
            self._show(row, partial(look.study.moment, row))

    def _show(self, row: int | None, moment: Callable[[], dyn.Moment]) -> None:
        """Shows a moment, as a step that can be undone."""
        asked = self._asked
        if asked is None:
            return
        before, watch, moments = self._before, self._watch, list[dyn.Moment]()

        def read() -> tuple[Found, Mapping[str, bytes]]:
            moments.append(moment())
            motion = asked.motion and asked.motion.drawn(moments[0])
            return found_of(before, moments[0], asked.find, watch, NAME, motion)

        self._opening = True

        def tell(words: str) -> None:
            self._opening = False
            if not words:
                self._is_open(row, moments[0], asked)

        self._session.opening.moment(read, tell)

    def _is_open(self, row: int | None, moment: dyn.Moment, asked: Asked) -> None:
        if asked is not self._asked or moment.found is None:
            return
        session = self._session
        self._opened, self._value = Opened(row, moment, moment.found[asked.find], session.setup), None
        motion = asked.motion and asked.motion.drawn(moment)
        self._compare.start(partial(value_at, session.solution(), asked.find, motion), self._take_value)
        self._draw_now()

    def _take_value(self, value: float) -> None:
        self._value = value

    def _take_fault(self, words: str) -> None:
        self._value = words

    def draw(self) -> None:
        """How far it is; what was found; what is open."""
        course, opened = self.course, self._opened
        if opened is not None and opened.setup is not self._session.setup:
            opened = self._opened = None
        wanted = (
            self._asked, course.busy, course.compiles, course.estimate, course.done, course.words, course.look,
            self._against, opened, self._value, self._stopped, self.beyond.follow(),
        )  # fmt: skip
        if wanted == self._shown:
            return
        self._shown = wanted
        label = STOP if course.busy else START
        if self._buttons[START].label != label:
            self._buttons[START].label = label
            self._buttons[ESTIMATE].disabled = course.busy
        self._told.say(self._words())
        look = course.look
        if look is None or self._asked is None:
            self._sheet.show("", ())
            self._plots.show(None, "", "", "")
            self._here.show("", ())
            return
        against = self._against if self._against in look.pictures else look.first
        drawn: dict[End, float] = {"largest": look.found.maximum, "smallest": look.found.minimum}
        self._sheet.show(found_html(look, self._watch, against, self.beyond.html(self._watch, drawn)), ())
        found = f"{self._watch.words}{', ' + self._watch.unit if self._watch.unit else ''}"
        self._plots.show(look, against, variable_words(against), found)
        if opened is None:
            self._plots.ring(None, None)
            self._here.show("", ())
        else:
            told = {**opened.moment.drawn, **(opened.moment.found or {})}
            across = told.get(against)  # of a state that was searched for nothing else is watched
            self._plots.ring(None if across is None else look.pictures[against].number(across), opened.value)
            self._here.show(opened_html(opened.row, opened.value, self._value, self._watch), ())

    def _words(self) -> str:
        """How far it is."""
        course, size = self.course, self._size
        if self._asked is None:
            return ""
        rows = row_words(self._asked.motion is not None)
        if course.busy and course.estimate is None:
            if course.compiles:
                return COMPILING
            return f"Getting ready, and trying a few {rows} …"
        if course.busy:
            assert course.estimate is not None
            left = course.estimate * (1.0 - course.done / size)
            bar = f"<progress max='{size}' value='{course.done}' aria-label='Study'></progress>"
            return f"{course.done:,} of {size:,} {rows}, {seconds_words(left)} left. {bar}"
        if course.words:
            return f"{html.escape(course.words)}{self._so_far()}"
        if self._stopped:
            return f"Stopped.{self._so_far()}"
        if self._estimating and course.estimate is not None:
            return estimate_words(course.estimate, size, rows, course.most_seconds)
        return f"{course.done:,} {rows}." if course.look is not None else ""

    def _so_far(self) -> str:
        look = self.course.look
        return "" if look is None else f" What {look.study.size:,} of {look.wanted:,} {look.rows_are} say stands below."

    def __panel__(self) -> Viewable:
        return pn.Column(
            pn.pane.HTML(TOLD, stylesheets=[STYLE], sizing_mode="stretch_width", margin=(4, 12, 0, 12)),
            self.form,
            pn.FlexBox(*self._buttons.values(), align_items="center", margin=0),
            self._told,
            self._here,
            self._plots.view,
            self._sheet,
            sizing_mode="stretch_both",
            scroll="y",
            margin=0,
        )
