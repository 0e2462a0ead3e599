"""*Write it*: blank lines of the text; a typed line runs on the live moment and is judged at once."""

from __future__ import annotations

import functools
import html
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewable

from app.component import Component
from app.equations.sheet import Figures, Sheet
from app.equations.sheet_style import colors_of
from app.instruments.write_it.feedback_html import (
    MOST_HINTS,
    feedback_html,
    hints_html,
    ladder_html,
    outcome_html,
    spoken,
    text_html,
)
from app.job import Job
from app.state import Session
from app.state.breakage import Breakage
from app.state.writing import MOST_KEPT, MOST_TYPED, Writing, WrittenOutcome, written_at
from app.views.components import SMALL, STYLE, Instrument, with_elements
from app.views.outcome_html import DistanceText
from dynamics.reading import Attempt, attempt
from scenes import palette

NAME = "Write it"
PERIOD = 0.4
"""Least seconds between two verdicts while the motion plays, and between two checks of the identities."""
SILENCE = 0.9
"""Seconds without a key before a verdict is spoken, so that it is not spoken for every letter."""
TRIES = 3
"""Number of wrong lines after which the feedback says what is right."""
BELOW = f"{SMALL} {{ :host {{ order: 1; }} }}"
"""For content above the verdict that is below it on a phone, to leave room for the field and its feedback."""
GOOD: Mapping[str, str] = {"light": "#1B6E3C", "dark": "#7BD89B"}
FUNCTIONS = (
    ("solve(", "", "solve(A, b): A⁻¹ b"), ("inv(", "", "inv(A): A⁻¹"), ("sum(", "", "sum(… for j in outboard(k))"),
    ("transpose(", "", "transpose(A): Aᵀ, as A.T"), ("stack(", "", "stack(a, b): a above b"),
    ("tilde(", "3 × 3", "tilde(a): a × as a matrix"), ("cross(", "3 × 1", "cross(a, b): a × b"),
    ("least(", "", "least(A, b): the smallest x with A x = b"), ("null(", "", "null(A): what A maps to zero"),
)  # fmt: skip


@functools.cache
def look() -> str:
    """The style sheet; its colors are those of the walk's sheets."""
    return Path(__file__).with_name("write_it.css").read_text(encoding="utf-8")


class Editor(Component):
    """The field in which a line is typed, with a list of the letters that are in scope.

    A code editor would bring half a megabyte of script, its own keys for Tab and Escape, and a page of text where
    one line is needed. A plain field with ARIA's list box of completions works with every screen reader and
    every phone's keyboard. It sends the text while the user types, and keeps in the browser's storage which lines
    are right.

    Args:
        typed: receives the text.
        kept: receives the lines that this browser has kept, by their keys.
    """

    left = param.String(default="", doc="The left side, as it is typed.")
    spoken = param.String(default="", doc="What the field is called.")
    text = param.String(default="", doc="What stands in it when another line is chosen, or when it is shown.")
    turn = param.Integer(default=0, doc="Grows with each such occasion.")
    letters = param.List(default=[], item_type=dict, doc="``name``, ``shape`` and ``meaning`` of each completion.")
    right = param.Dict(default={}, doc="Texts of lines that are right, by their keys: what is kept.")
    forgets = param.Integer(default=0, doc="Grows whenever all that is kept is to be forgotten.")
    calls = param.Integer(default=0, doc="Grows whenever the field is to have the focus.")
    heard = param.Integer(default=0, doc="How many texts have been judged: the next may be sent.")
    is_wrong = param.Boolean(default=False, doc="Whether what stands there cannot be right.")
    look = param.String(default="", doc="Colors of the theme.")

    _esm = with_elements(Path(__file__).with_name("editor.js"))
    _stylesheets = ["editor.css"]  # noqa: RUF012

    def __init__(self, typed: Callable[[str], None], kept: Callable[[Mapping[str, str]], None], **params: Any) -> None:
        super().__init__(sizing_mode="stretch_width", margin=(2, 12), **params)
        self._typed, self._kept = typed, kept

    def _handle_msg(self, data: object) -> None:
        """Accepts ``typed`` and a text, or ``kept`` and texts by keys; ignores any other message."""
        if not isinstance(data, dict):
            return
        if isinstance(text := data.get("typed"), str):
            self._typed(text[:MOST_TYPED].encode(errors="replace").decode())  # a lone surrogate cannot be sent back
            self.heard += 1
        elif isinstance(lines := data.get("kept"), dict) and len(lines) <= MOST_KEPT:
            fit = {key: text for key, text in lines.items() if isinstance(key, str) and isinstance(text, str)}
            self._kept({key: text for key, text in fit.items() if len(key) < MOST_TYPED and len(text) < MOST_TYPED})


class WriteIt(Instrument):
    """Ladder, text, field and feedback; each key gets feedback at once, the identities follow from a thread."""

    writing: Writing = param.ClassSelector(class_=Writing)  # type: ignore[assignment]

    def __init__(self, session: Session, breakage: Breakage, **params: object) -> None:
        self._session, self._breakage = session, breakage
        self._ladder, self._text, self._said, self._outcome, self._hints = (
            Sheet(go, css=colors_of("light") + look()) for go in (self._go, self._go, *[lambda _: None] * 3)
        )
        self._editor = Editor(self._typed, lambda lines: self.writing.keep(lines))
        self._hint, self._reveal, self._next, self._forget = (
            pmui.Button(label=label, icon=icon, variant="text", size="small", margin=4, on_click=act)
            for label, icon, act in (
                ("Hint", "lightbulb", lambda _: self._give_hint()),
                ("Show the line", "visibility", lambda _: self._show_line()),
                ("Next line", "arrow_forward", lambda _: self._go_on()),
                ("Forget what I wrote", "delete", lambda _: self._forget_all()),
            )
        )
        self._motion = pmui.Button(
            label="Show the motion", icon="directions_run", variant="outlined", size="small", disabled=True, margin=4,
            on_click=lambda _: self._show_or_hide(),
        )  # fmt: skip
        self._gap = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(0, 12))
        self._apart = DistanceText(session, breakage)
        self._job: Job[WrittenOutcome] = session.jobs.new("the text as it is written cannot be looked at")
        self._warming: Job[object] = session.jobs.new("the exercises cannot be made ready")
        self._asked: tuple[object, ...] = ()
        self._judged: tuple[object, ...] = ()
        self._tried: Attempt | None = None
        self._typed_at = self._judged_at = self._asked_at = 0.0
        self._wrong: dict[str, set[str]] = {}
        self._is_warm = False
        self._drawn_for: tuple[object, ...] = ()
        super().__init__(writing=Writing(session), **params)
        self.writing.param.watch(self._follow, ["right", "hints", "given"])
        session.param.watch(self._follow, "write")
        session.param.watch(lambda *_: self._offer(), ["motion", "written"])
        self._chosen: tuple[object, ...] = ()
        self._shown_text = self._words = ""
        self._write()

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        self._editor.look = colors_of(theme)
        for sheet in (self._ladder, self._text, self._said, self._outcome, self._hints):
            sheet.css = colors_of(theme) + look() + f":host {{ --good: {GOOD[theme]}; }}"

    def _go(self, where: str) -> None:
        """Handles a click: ``sweep name``, ``line key``, ``one`` or ``all``."""
        kind, _, what = where.partition(" ")
        if kind == "sweep":
            self.writing.choose_sweep(what)
        elif kind == "line":
            self.writing.choose(what)
        elif kind in ("one", "all"):
            self.writing.choose_whole(kind == "all")

    def _typed(self, text: str) -> None:
        """Judges the typed text at once."""
        self._typed_at, self._shown_text = time.monotonic(), text
        self._report(self.writing.write(text))

    def _give_hint(self) -> None:
        self.writing.hints = min(self.writing.hints + 1, MOST_HINTS)
        if self._tried is not None:
            self._report(self._tried)

    def _show_line(self) -> None:
        """Types the published line: a revealed line can be run like any other."""
        line = self.writing.show_line()
        self._put(line)
        self._typed(line)

    def _go_on(self) -> None:
        """Goes to the next line, with the focus in its field."""
        self.writing.go_on()
        self._editor.calls += 1

    def _forget_all(self) -> None:
        self.writing.forget()
        self._editor.forgets += 1
        self._wrong.clear()
        self._put("")
        self._report(self.writing.judge())

    def _put(self, text: str) -> None:
        self._shown_text = text
        self._editor.param.update(text=text, turn=self._editor.turn + 1)

    def _show_or_hide(self) -> None:
        if self._session.written:
            self.writing.hide_motion()
        else:
            self._session.motion = None  # that of a broken text
            self.writing.show_motion()
            self._breakage.show_motion()

    def _follow(self, *_: object) -> None:
        before = (self._chosen, self._shown_text)
        self._write()
        if (self._chosen, self._shown_text) != before:
            self._report(self.writing.judge())

    def _write(self) -> None:
        """Renders the ladder, the text, and the field of the chosen line."""
        writing, exercise = self.writing, self.writing.exercise
        self._ladder.show(ladder_html(writing), ())
        self._text.show(text_html(writing), ())
        self._hints.show(hints_html(writing), ())
        left = MOST_HINTS - writing.hints
        self._hint.param.update(label=f"Hint ({left} left)" if left else "No more hints", disabled=not left)
        if writing.done != self._editor.right:
            self._editor.right = dict(writing.done)
        chosen = (exercise.key, writing.whole, writing.given)
        if self._chosen != chosen:
            self._chosen = chosen
            letters = [{"name": each.name, "shape": each.shape, "meaning": each.meaning} for each in exercise.letters]
            functions = [dict(zip(("name", "shape", "meaning"), each, strict=True)) for each in FUNCTIONS]
            self._editor.param.update(
                left=exercise.typed_left,
                spoken=f"Right side of {exercise.typed_left}, {exercise.equation}",
                letters=letters + functions,
                text=writing.text,
                turn=self._editor.turn + 1,
            )
            self._tried, self._shown_text = None, writing.text
            self._outcome.show("", ())
        elif not self._shown_text and writing.text:  # this browser has kept it
            self._put(writing.text)

    def _report(self, tried: Attempt) -> None:
        """Shows the verdict on the typed text."""
        self._tried, self._judged_at = tried, time.monotonic()
        reading = self._session.whole_reading()
        figures = Figures.of(reading)
        self._words = feedback_html(tried, self.writing.exercise.stage, reading, figures, self._says_all)
        self._said.show(self._with_spoken(), figures.numbers)
        self._editor.is_wrong = tried.verdict in ("refused", "misfit", "wrong")
        self._judged = self._moment
        if tried.verdict in ("empty", "refused", "misfit"):
            self._outcome.show("", ())
        self._offer()

    @property
    def _says_all(self) -> bool:
        """Whether feedback shows the right form: after all hints, or several wrong lines."""
        tries = len(self._wrong.get(self.writing.exercise.key, ()))
        return tries >= TRIES or self.writing.hints == MOST_HINTS

    def _with_spoken(self) -> str:
        """The feedback and the text that it belongs to; spoken once typing has stopped."""
        if self._tried is None:
            return self._words
        is_quiet = time.monotonic() >= self._typed_at + SILENCE
        aloud = f" data-spoken='{html.escape(spoken(self._tried, self._says_all), quote=True)}'" if is_quiet else ""
        return f"<div data-tried='{html.escape(self._tried.text, quote=True)}'{aloud}>{self._words}</div>"

    @property
    def _moment(self) -> tuple[object, ...]:
        return (self._session.moment, self.writing.exercise.key, self.writing.text)

    @property
    def _runs(self) -> bool:
        return self._tried is not None and self._tried.verdict in ("wrong", "elsewhere", "right")

    def _offer(self) -> None:
        shown = bool(self._session.written)
        self._motion.param.update(
            disabled=not (shown or self._runs), label="Hide the motion" if shown else "Show the motion"
        )
        if not shown:
            self._gap.object = ""

    def draw(self) -> None:
        """Judges at the cursor's instant, and starts the check of the identities there."""
        session, writing = self._session, self.writing
        writing.draw()
        if not self._is_warm:
            self._is_warm = True  # moments of other machines are computed once, before they are needed
            self._warming.start(partial(attempt, session.whole_reading(), writing.exercise.key, "I"), lambda _: None)
        now = time.monotonic()
        if (session.system_here, *self._chosen) != self._drawn_for:
            self._drawn_for = (session.system_here, *self._chosen)
            self._write()
        tried, is_quiet = self._tried, now >= self._typed_at + SILENCE
        if tried is not None and is_quiet and self._editor.is_wrong:
            self._wrong.setdefault(tried.key, set()).add(tried.text)
        if self._moment != self._judged and (now >= self._judged_at + PERIOD or not session.playing):
            self._report(writing.judge())
        elif tried is not None and is_quiet and "data-spoken" not in self._said.html:
            self._report(tried)
        self._ask(now)
        words = self._apart.words if session.written else None
        if words is not None and self._gap.object != words:
            self._gap.object = words

    def _ask(self, now: float) -> None:
        lines = self.writing.lines
        wanted = (self._session.moment, lines)
        late = now >= max(self._asked_at, self._typed_at) + PERIOD or not self._session.playing
        if self._runs and wanted != self._asked and not self._job.busy and late:
            self._asked, self._asked_at = wanted, now
            self._job.start(partial(written_at, self._session.whole_reading(), lines), self._take)

    def _take(self, found: WrittenOutcome) -> None:
        if found.lines == self.writing.lines and self._runs:
            right = self._tried is not None and self._tried.verdict == "right"
            self._outcome.show(outcome_html(found, self.writing.whole, self.writing.is_done, right), ())

    def __panel__(self) -> Viewable:
        return pn.Column(
            self._ladder,
            self._editor,
            pn.Column(
                pn.FlexBox(self._hint, self._motion, self._reveal, self._next, margin=(0, 8), stylesheets=[BELOW]),
                self._said,
                self._gap,
                sizing_mode="stretch_width",
                margin=0,
            ),
            self._hints,
            self._outcome,
            self._text,
            self._forget,
            sizing_mode="stretch_both",
            scroll="y",
            margin=0,
        )
