"""What only the browser knows: how large its screen is, which theme its user wants, and whether things may move."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import panel as pn
import param

from app.component import Component
from app.state import Session
from app.views.elements import with_type_size
from scenes import palette

WORDS = "light", "dark", "still", "on", "off", "new", "again"


class Screen(Component):
    """Sizes the type to the screen, follows the theme of the system until the user chooses one, and keeps that.

    Args:
        choose: what another theme is told.
        arrive: hears of a first visit, or with False of a page that was loaded again in the midst of one.
    """

    theme: param.Selector = param.Selector(default="light", objects=["light", "dark"], doc="Of the page, as it is.")
    projector = param.Boolean(default=False, doc="Whether the page fills the screen, and its controls go away.")

    _esm = with_type_size(Path(__file__).with_name("screen.js"))

    def __init__(
        self,
        session: Session,
        choose: Callable[[palette.Theme], None],
        arrive: Callable[[bool], None] = lambda _: None,
        **params: object,
    ) -> None:
        super().__init__(width=0, height=0, margin=0, **params)
        self._session, self._choose, self._arrive = session, choose, arrive
        self._early: set[str] = set()
        session.param.watch(self._follow, "projector")

    def _follow(self, event: param.parameterized.Event) -> None:
        self.projector = event.new

    def _handle_msg(self, data: object) -> None:
        """What is told while the page is still being loaded waits for that."""
        if not isinstance(data, str) or data not in WORDS:
            return
        if pn.state.loaded:
            self._hear(data)
        elif data not in self._early:
            self._early.add(data)
            pn.state.onload(partial(self._hear, data))

    def _hear(self, data: str) -> None:
        """``light`` or ``dark``: the theme; ``still``: nothing is to move by itself; ``new``, ``again``: who comes."""
        match data:
            case "light" | "dark":
                self._choose(data)
            case "still":
                self._session.playing = False
            case "on" | "off":
                self._session.projector = data == "on"
            case "new" | "again":
                self._arrive(data == "new")
