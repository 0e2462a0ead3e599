"""The instruments beside the world, in tabs: each is made when it is first opened, and drawn while it is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewable, Viewer

from app.binding import Binding
from app.state import Session
from app.views.style import SLIM_TABS, STYLE
from scenes import palette

OPENING = "<span role='status'>Opening …</span>"
"""Until an instrument is made: beside a busy server that is not at once."""


class Instrument(Viewer):
    """What one tab holds."""

    @property
    def _at(self) -> int:
        """Which is open; a page may send any number."""
        return min(max(self._tabs.active, 0), len(self._makers) - 1)

    @property
    def follows(self) -> bool:
        """Whether it shows the cursor's instant."""
        return True

    def draw(self) -> None:
        """Brings it up to date; the clock asks for it while the tab is open."""

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""


class Tabs(Viewer):
    """Tabs whose instruments cost nothing, neither the server nor the browser, before somebody opens them.

    Args:
        makers: by the tabs' names, in their order.
    """

    def __init__(self, makers: Mapping[str, Callable[[], Instrument]], **params: Any) -> None:
        super().__init__(**params)
        self._makers = dict(makers)
        self._made: dict[str, Instrument] = {}
        self._theme: palette.Theme = "light"
        self._tabs = pmui.Tabs(
            *(
                (name, pn.pane.HTML(OPENING, stylesheets=[STYLE], sizing_mode="stretch_both", margin=(16, 24)))
                for name in makers
            ),
            sizing_mode="stretch_both",
            margin=0,
            sx=SLIM_TABS,
        )
        self._tabs.param.watch(lambda _: self.draw(), "active")

    def follow(self, session: Session) -> None:
        """Opens what the session says, from now on, and says there what is opened."""
        names = list(self._makers)

        def told(_: object = None) -> None:
            if session.tab and session.tab not in names[1:]:
                session.tab = self._said  # a link may say anything
            binding.follow()

        def open_(at: int) -> None:
            session.tab = self._said

        binding = Binding(self._tabs, lambda: names.index(session.tab) if session.tab else 0, open_, name="active")
        session.param.watch(told, "tab")
        told()

    @property
    def _said(self) -> str:
        return list(self._makers)[self._at] if self._at else ""

    def open(self, name: str) -> None:
        """Opens a tab as a click on it does."""
        self._tabs.active = list(self._makers).index(name)

    def draw(self) -> None:
        """The instrument of the open tab."""
        at = self._at
        name = list(self._makers)[at]
        if name not in self._made:
            made = self._made[name] = self._makers[name]()
            made.paint(self._theme)
            self._tabs[at] = (name, made)
        self._made[name].draw()

    @property
    def _at(self) -> int:
        """Which is open; a page may send any number."""
        return min(max(self._tabs.active, 0), len(self._makers) - 1)

    @property
    def follows(self) -> bool:
        """Whether the open one shows the cursor's instant."""
        made = self._made.get(list(self._makers)[self._at])
        return made is None or made.follows

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme, also of what will be made later."""
        self._theme = theme
        for made in self._made.values():
            made.paint(theme)

    def stop(self) -> None:
        """No instrument works at anything but the session's jobs, which end with it."""

    def __panel__(self) -> Viewable:
        return self._tabs
