"""The instruments of the page by name, each made when it is first opened and drawn while open; questions about each."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import panel as pn
import param
from panel.io.document import unlocked
from panel.viewable import Viewable, Viewer

import dynamics as dyn
from app.binding import Binding
from app.equations.formula import formula
from app.equations.sheet import Sheet, action_html
from app.messages import Kind, Message
from app.screen.layout import LazyColumn
from app.state import Session
from app.state.arrangement import Line
from app.views.components import Instrument, Panes, View, with_panes
from dynamics.reading import TextLine, textbook_lines
from scenes import palette

CHECK, BREAK_IT = "Check", "Break it"
TRUE = (
    "<p class='note warning' role='status'><b>The text is broken</b>; what stands here is the true run's, which no "
    "break changes.</p>"
)


@dataclass(frozen=True)
class Prompt:
    """The questions that apply to an instrument."""

    checks: Mapping[str, str]  # rows of *Check*, stage/identity or sum/title, and their labels here
    breaks: tuple[tuple[str, str], ...] = ()  # stage and quantity of the lines that compute what it shows


PROMPTS: Mapping[str, Prompt] = {
    "Contact": Prompt(
        {"contact/corrector": "(9.1) gives the force", "contact/object_corrector": "(9.2) gives its acceleration"},
        (
            ("contact", "predicted_contact_force"), ("contact", "contact_kalman_gain"),
            ("contact", "corrected_contact_force"), ("contact", "corrected_object_acceleration"),
        ),
    ),
    "Two filters": Prompt(
        {"dual_filter/estimates_difference": "P + S inverts Λ", "dual_filter/both_filters": "both filters give α"},
        (
            ("filter", "articulated_inertia"), ("dual_filter", "dual_articulated_inertia"),
            ("dual_filter", "operational_space_inertia"),
        ),
    ),
    "Influence": Prompt(
        {
            "sum/Factors of its inverse": "the inverse of the mass matrix",
            "sum/Torques to free tips": "torques to free tips",
            "sum/What contact forces do to the joints": "what contact forces do",
        },
        (("filter", "kalman_gain"), ("smoother", "joint_acceleration"), ("contact", "contact_force")),
    ),
    "Estimation": Prompt(
        {
            "filter/joint_inertia": "D, the innovations' covariance",
            "filter/articulated": "P, the state's",
            "smoother/mobility": "Λ, the co-state's",
            "sum/P⁺ from one side": "P⁺",
        },
        (
            ("filter", "joint_inertia"), ("filter", "innovation"), ("filter", "articulated_inertia_updated"),
            ("smoother", "costate_covariance"),
        ),
    ),
    "Cost": Prompt({"smoother/agreement": "all methods find the same",
                    "smoother_final/agreement": "all methods find the same"}),
}  # fmt: skip
"""By name, for each instrument that shows numbers of the true run; *Walk*, *Methods* and *Break it* show the broken
text."""
SHOW_TRUTH = frozenset((*PROMPTS, "Papers", "Check"))


class Questions:
    """A line below an instrument, and a note above it while the text is broken."""

    def __init__(self, session: Session, name: str, open_: Callable[[str], None]) -> None:
        self._session, self._name, self._open = session, name, open_
        self.above, self.below = Sheet(lambda _: None, visible=False), Sheet(self._go)
        self._shown_for: tuple[object, ...] = ()

    def around(self, instrument: Viewable | Viewer) -> Viewable | Viewer:
        """The instrument between its note and its questions."""
        if self._name not in SHOW_TRUTH:
            return instrument
        above = LazyColumn((self.above, "visible"), sizing_mode="stretch_width")
        below = [self.below] if self._name in PROMPTS else []
        return pn.Column(above, instrument, *below, sizing_mode="stretch_both", margin=0)

    def paint(self, theme: palette.Theme) -> None:
        self.above.paint(theme)
        self.below.paint(theme)

    def _go(self, where: str) -> None:
        """Handles a click: ``check`` and a row, or ``break`` and a line."""
        kind, _, what = where.partition(" ")
        session = self._session
        if kind == "check":
            session.checked = what
            self._open(CHECK)
        elif kind == "break" and what in {f"{line.stage}/{line.key}/0" for line in self._lines(session.system_here)}:
            stage, key, _ = what.split("/")
            session.line = Line(stage, key)
            self._open(BREAK_IT)
        if kind in ("check", "break"):
            session.beside = self._name

    def _lines(self, system: dyn.System) -> list[TextLine]:
        asked = PROMPTS[self._name].breaks if self._name in PROMPTS else ()
        lines = textbook_lines(system)
        offered: dict[tuple[str, str], TextLine] = {}  # the first of several lines with the same label
        for one in asked:
            for line in lines:
                if (line.stage, line.quantity_name) == one:
                    offered.setdefault((line.left, line.equation), line)
        return list(offered.values())

    def draw(self) -> None:
        """Updates the questions for this machine, and the note while something is broken."""
        session, broken = self._session, bool(self._session.textbook_breaks)
        system = session.system_here
        machine = (session.setup.machine, system.is_held)  # the machine's numbers do not change the questions
        if (machine, broken) == self._shown_for:
            return
        self._shown_for = (machine, broken)
        self.above.show(TRUE if broken and self._name in SHOW_TRUTH else "", ())
        self.above.visible = bool(self.above.html)
        if self._name in PROMPTS:
            self.below.show(self._html(system), ())

    def _html(self, system: dyn.System) -> str:
        stages = {line.stage for line in textbook_lines(system)}
        checks = " ".join(
            action_html(f"check {row}", html.escape(words), f"Check: {words}")
            for row, words in PROMPTS[self._name].checks.items()
            if self._is_there(row, system, stages)
        )
        breaks = " ".join(
            action_html(
                f"break {line.stage}/{line.key}/0",
                f"{formula(line.left)}, {html.escape(line.equation)}",
                f"Break {line.equation}: {line.quantity.mechanics_name}",
            )
            for line in self._lines(system)
        )
        broken = f"<p><b>{BREAK_IT}</b> {breaks}</p>" if breaks else ""
        return f"<div class='questions'><p><b>{CHECK}</b> {checks}</p>{broken}</div>"

    @staticmethod
    def _is_there(row: str, system: dyn.System, stages: set[str]) -> bool:
        kind, _, what = row.partition("/")
        if what == "agreement":
            return kind == ("smoother_final" if system.is_held else "smoother")
        return kind in stages or (kind == "sum" and (system.is_held or what not in OF_HELD))


OF_HELD = ("Torques to free tips", "What contact forces do to the joints")


EVENT = "armsweep:rail"  # of the document: moves the keyboard focus to the rail


class Rail(Panes):
    """Named icons in groups; one instrument is open, and on a wide screen another may be open beside it.

    The browser decides what is open, so a pane that exists already is shown at once. Vertical ARIA tabs: arrows,
    *Home* and *End* move along the rail, *Enter* opens. After ``EVENT`` has moved the focus there, typed letters select
    by the beginning of a name.
    """

    items = param.List(default=[], item_type=dict, doc="``name``, ``icon``, ``group`` and ``words`` of each.")
    there = param.List(default=[], item_type=str, doc="Names of those that suit the machine; the others are not seen.")
    beside = param.String(default="", doc="Name of the one that stands beside it; empty: none.")
    alone = param.String(default="", doc="Name of the one that is seen alone, without the rail; empty: none.")

    _esm = with_panes(Path(__file__).with_name("rail.js"))
    _stylesheets = ["rail.css"]  # noqa: RUF012

    def __init__(self, **params: Any) -> None:
        super().__init__(sizing_mode="stretch_both", margin=0, **params)


@dataclass(frozen=True)
class Offer:
    """An entry of the rail."""

    group: str  # its purpose: to understand, to question, or to set up
    name: str
    icon: str  # from Google's Material Icons, by its name in ``panel_material_ui``
    words: str  # its description
    make: Callable[[], Instrument]  # makes the instrument when it is first opened
    suits: Callable[[dyn.System], bool] = lambda _: True  # whether it applies to a machine; otherwise it is hidden
    projects: bool = True  # whether a projector shows it instead of the step's equation and the plot


class Instruments(View):
    """One is open, a second may be open beside it; the others cost nothing until they are first opened.

    Args:
        offers: in the rail's order, by groups.
        first: the one that a page opens with, which suits every machine; by default the first offer.
    """

    projected = param.String(default="", doc="What a projector shows in place of the equation and the plot, if open.")

    def __init__(self, session: Session, offers: Sequence[Offer], first: str = "", **params: Any) -> None:
        super().__init__(**params)
        self._session = session
        self._offers = {offer.name: offer for offer in offers}
        self._first = first or offers[0].name
        self._made: dict[str, Instrument] = {}
        self._questions: dict[str, Questions] = {}
        self._theme: palette.Theme = "light"
        self.view = self._rail = Rail(
            items=[
                {"group": offer.group, "name": offer.name, "icon": offer.icon, "words": offer.words} for offer in offers
            ],
            there=self._there,
            active=self._first,
        )
        # Links and browsers may send any name.
        self._active, self._other = (
            Binding(self._rail, read, act, name=name, echoes=False)
            for name, read, act in (
                ("active", lambda: self._main, self._opened),
                ("beside", lambda: session.beside, self._stood),
            )
        )
        session.param.watch(self._follow, ["tab", "beside", "run", "projector"])
        session.param.watch(self._forget, "setup")
        self._follow()

    @property
    def _there(self) -> list[str]:
        return [name for name, offer in self._offers.items() if offer.suits(self._session.system)]

    @property
    def _main(self) -> str:
        return self._session.tab or self._first

    def _said(self, name: str) -> str:
        """The open instrument as a link states it: empty for the default."""
        return "" if name == self._first else name

    def _opened(self, name: str) -> None:
        if name in self._there:
            self._session.tab = self._said(name)
            self._draw_now()

    def _stood(self, name: str) -> None:
        if name in ("", *self._there):
            self._session.beside = name
            self._draw_now()

    def _draw_now(self) -> None:
        with unlocked():  # figures are Bokeh models, and browser events arrive without the document's lock
            self.draw()

    def _follow(self, *changes: param.parameterized.Event) -> None:
        session, there = self._session, self._there
        missed = [
            change.new for change in changes if change.name in ("tab", "beside") and change.new not in ("", *there)
        ]
        known = ("", *there)
        if self._rail.there != there:
            self._rail.there = there
        tab, beside = (
            next(name for name in (said, before, "") if name in known)
            for said, before in ((session.tab, self._active.shown), (session.beside, self._other.shown))
        )
        session.param.update(tab=self._said(tab), beside=beside)
        if wanted := next((name for name in missed if name in self._offers), ""):  # from a link, but not in the rail
            words = f"{wanted} has nothing to say about this machine; {self._main} is open."
            session.message = Message(Kind.LINK_IN_PART, words)
        self._active.follow()
        self._other.follow()
        is_projected = session.projector and self._offers[self._main].projects
        self.projected = self._rail.alone = self._main if is_projected else ""
        for asked in self._questions.values():  # an audience does not press buttons
            asked.below.styles = {"display": "none"} if session.projector else {}

    def _forget(self, change: param.parameterized.Event) -> None:
        """Clears closed instruments after a change of machine, so that none shows the previous one when reopened."""
        if change.new.machine is not change.old.machine:
            for name, made in self._made.items():
                if name not in self.open_names:
                    made.forget()

    @property
    def open_names(self) -> tuple[str, ...]:
        """The names of the open instrument and, if any, of the one beside it."""
        return tuple(name for name in dict.fromkeys((self._main, self._session.beside)) if name)

    def open(self, name: str) -> None:
        """Opens an instrument like a click on its name."""
        self._opened(name)

    def make(self, name: str) -> Instrument:
        """The instrument, made on first use; the page contains it only once it is opened."""
        if name not in self._made:
            self._made[name] = self._offers[name].make()
            self._made[name].paint(self._theme)
        return self._made[name]

    def pane(self, name: str) -> Viewable | None:
        """The pane of an instrument, open or not, by its name in a link, drawn; None if it has not been opened yet."""
        found = dict(zip(self._rail.made, self._rail.panes, strict=True)).get(name or self._first)
        if found is not None:
            self._made[name or self._first].draw()
        return found

    def draw(self) -> None:
        for name in self.open_names:
            if name not in self._questions:
                made = self.make(name)
                asked = self._questions[name] = Questions(self._session, name, self.open)
                asked.paint(self._theme)
                self._rail.add(name, asked.around(made))
            self._made[name].draw()
            self._questions[name].draw()

    @property
    def follows(self) -> bool:
        made = [self._made.get(name) for name in self.open_names]
        return any(one is None or one.follows for one in made)

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme, also for instruments that are made later."""
        self._theme = theme
        self._rail.primary = palette.PRIMARY[theme]
        for made in self._made.values():
            made.paint(theme)
        for asked in self._questions.values():
            asked.paint(theme)
