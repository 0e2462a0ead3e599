"""The card over the lecturer's world: where one follows, how many do, and what they are asked; or small."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

import panel as pn
import panel_material_ui as pmui

from app.asking import Asking
from app.state import Session
from app.views.buttons import Button, Buttons
from app.views.notice import BACKED, OVER
from app.views.style import STYLE

SMALL = {False: False, True: True}
"""Whether it begins small: on a page, and on a projector."""
FOLD = {
    True: ("expand_more", "Show all of it, with the code"),
    False: ("expand_less", "Shrink it to the address"),
}
"""What its own button does, when it is small and when it is not."""
LOOK: dict[bool, dict[str, Any]] = {
    True: {"flexWrap": "nowrap", "alignItems": "center", "borderRadius": "1.2rem", **BACKED},
    False: {"flexWrap": "wrap", "alignItems": "center", "borderRadius": "8px", **BACKED},
}
WORDS: dict[bool, dict[str, Any]] = {
    True: {"margin": (0, 4, 0, 12), "styles": {"overflow-wrap": "anywhere", "min-width": "0", "flex": "0 1 auto"}},
    False: {"margin": (4, 12), "styles": {"overflow-wrap": "anywhere", "min-width": "min(230px, 100%)"}},
}
"""The same of what it says."""


class Card:
    """As long as one presents; a page and a projector each keep the size that was chosen there.

    Args:
        asking: whose button stands on it; where the card is small only while something is asked.
        show_code: shows the address large, with its code.
    """

    def __init__(self, session: Session, asking: Asking, show_code: Callable[[], None]) -> None:
        self._session, self._asking = session, asking
        self._small = dict(SMALL)
        self._address, self._followers = "", 0
        self._told = pn.pane.HTML("", stylesheets=[STYLE], align="center")
        self._code = Button("Show the code", show_code, icon="qr_code_2")
        self._fold = Button("", self.fold)
        self.row = pmui.Row(
            self._told,
            pmui.Row(asking, Buttons([self._code, self._fold]), margin=0, styles={"flex": "none"}),
            visible=False,
            margin=0,
            styles=OVER,
        )
        session.param.watch(lambda _: self._lay(), "projector")
        self._lay()

    def begin(self, address: str) -> None:
        """One presents under an address, and nobody follows yet."""
        self._small = dict(SMALL)
        self._address, self._followers = address, 0
        self._lay()
        self.row.visible = True

    def end(self) -> None:
        """Nobody presents any more."""
        self.row.visible = False

    def count(self, followers: int) -> None:
        """So many follow now."""
        self._followers = followers
        address = f"<b>{html.escape(self._address)}</b>"
        words = f"Followers now: {followers}. They follow this page at {address}"
        if self.is_small:
            words = f"{address} · {followers} follow"
        if words != self._told.object:
            self._told.object = words

    @property
    def is_small(self) -> bool:
        """Whether it is the address and a number."""
        return self._small[self._session.projector]

    def fold(self) -> None:
        """Shrinks it, or shows all of it."""
        self._small[self._session.projector] = not self.is_small
        self._lay()

    def _lay(self) -> None:
        icon, words = FOLD[self.is_small]
        self._fold.update(icon=icon, words=words)
        self._told.param.update(**WORDS[self.is_small])
        self.row.sx = LOOK[self.is_small]
        self._code.update(hidden=self.is_small)
        self._asking.shrink(self.is_small)
        self.count(self._followers)
