"""What a person wants of the page, by name: each instrument is made when it is first opened, and drawn while it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import param
from panel.io.document import unlocked
from panel.viewable import Viewable, Viewer

import dynamics as dyn
from app.binding import Binding, always
from app.messages import Kind, Message
from app.screen.question import Questions
from app.state import Session
from app.views.components import Panes, with_panes
from app.views.instrument import Instrument
from scenes import palette

EVENT = "armsweep:rail"  # of the document: the keys come to the rail


class Rail(Panes):
    """Named icons in groups, of which one is open, and another may stand beside it where the screen is wide.

    What is opened is the browser's to say: a pane that has been made is shown at once. ARIA's tabs, upright: arrows,
    *Home* and *End* move along the rail, *Enter* opens. To whom ``EVENT`` has led there, letters are the beginning of a
    name.
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
    """A name of the rail."""

    group: str  # what a person wants of it: to understand, to question, or to set up
    name: str
    icon: str  # of Google's Material Icons, as ``panel_material_ui`` has them
    words: str  # what it is for
    make: Callable[[], Instrument]  # it, when it is first opened
    suits: Callable[[dyn.System], bool] = lambda _: True  # whether it says anything of a machine: else it is not there
    projects: bool = True  # whether a projector shows it, in place of the step's equation and the plot


class Instruments(Viewer):
    """One is open, a second may stand beside it; the others cost nothing before somebody opens them.

    Args:
        offers: in the rail's order, groups together.
        first: what a page opens with, which suits every machine; by default the first of them.
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
        self._rail = Rail(
            items=[
                {"group": offer.group, "name": offer.name, "icon": offer.icon, "words": offer.words} for offer in offers
            ],
            there=self._there,
            active=self._first,
        )
        # What a link says may be anything, and so may what a browser sends.
        self._active, self._other = (
            Binding(self._rail, read, act, name=name, is_users=always)
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
        """What suits the machine, in the rail's order."""
        return [name for name, offer in self._offers.items() if offer.suits(self._session.system)]

    @property
    def _main(self) -> str:
        return self._session.tab or self._first

    def _said(self, name: str) -> str:
        """As a link says what is open: nothing for what a page opens with."""
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
        with unlocked():  # there may be figures, Bokeh's own models, and a browser is heard without the document's lock
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
        if wanted := next((name for name in missed if name in self._offers), ""):  # a link's: the rail does not have it
            words = f"{wanted} has nothing to say of this machine; {self._main} is open."
            session.message = Message(Kind.LINK_IN_PART, words)
        self._active.follow()
        self._other.follow()
        is_projected = session.projector and self._offers[self._main].projects
        self.projected = self._rail.alone = self._main if is_projected else ""
        for asked in self._questions.values():  # a class presses nothing
            asked.below.styles = {"display": "none"} if session.projector else {}

    def _forget(self, change: param.parameterized.Event) -> None:
        """Who opens an instrument again, or hears it, meets nothing of a machine that is gone."""
        if change.new.machine is not change.old.machine:
            for name, made in self._made.items():
                if name not in self.open_names:
                    made.forget()

    @property
    def open_names(self) -> tuple[str, ...]:
        """What is open: one name, or that and the one beside it."""
        return tuple(name for name in dict.fromkeys((self._main, self._session.beside)) if name)

    def open(self, name: str) -> None:
        """Opens an instrument as a click on its name does."""
        self._opened(name)

    def make(self, name: str) -> Instrument:
        """An instrument, which is not in the page before it is opened."""
        if name not in self._made:
            self._made[name] = self._offers[name].make()
            self._made[name].paint(self._theme)
        return self._made[name]

    @property
    def pane(self) -> Viewable | None:
        """The open one as it stands in the page; None before it is drawn."""
        return dict(zip(self._rail.made, self._rail.panes, strict=True)).get(self._main)

    def draw(self) -> None:
        """Whatever is open."""
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
        """Whether anything that is open shows the cursor's instant."""
        made = [self._made.get(name) for name in self.open_names]
        return any(one is None or one.follows for one in made)

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme, also of what will be made later."""
        self._theme = theme
        self._rail.primary = palette.PRIMARY[theme]
        for made in self._made.values():
            made.paint(theme)
        for asked in self._questions.values():
            asked.paint(theme)

    def stop(self) -> None:
        """No instrument works at anything but the session's jobs, which end with it."""

    def __panel__(self) -> Viewable:
        return self._rail
