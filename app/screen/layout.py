"""The layout of the page from a phone to a wall: one grid, whose areas depend on width and height."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import panel as pn
import param
from panel.custom import Children
from panel.viewable import Viewable, Viewer

from app.component import Component
from app.state import Session
from app.views.components import TYPE_SIZE, Button, View, with_elements
from scenes import palette

NARROW = 959  # pixels of width up to which the bar folds rarely used buttons
HEADER = {
    "flexDirection": "column",
    "& .MuiAppBar-root": {
        "backgroundColor": "#17466F",
        "color": "#FFFFFF",
        "flex": "none",
        "position": "var(--bar, static)",
        "visibility": "var(--controls, visible)",
        "zoom": "var(--bar-zoom, 1)",
    },
    "& .MuiAppBar-root .MuiLinearProgress-root": {"display": "none"},  # it has no name for screen readers
    "& main": {"minHeight": 0, "width": "100%"},
    "& main > .MuiBox-root": {"height": "100%", "padding": 0},
    "& main > .MuiBox-root > .MuiToolbar-root": {"display": "none"},  # it reserves space under a floating bar
    "& .more": {"display": "none"},
    "& .motion": {"flex": "0 1 17.5rem !important", "width": "auto !important", "minWidth": "0 !important"},
    "& .MuiAppBar-root .MuiToolbar-root.MuiToolbar-root": {"minHeight": "3.5rem", "paddingInline": "16px"},
    "@media (max-width: 1240px)": {"& .MuiAppBar-root .MuiBox-root:has(> a)": {"display": "none"}},
    f"@media (max-width: {NARROW}px)": {
        "& .MuiAppBar-root .MuiToolbar-root.MuiToolbar-root": {
            "minHeight": "3rem",
            "paddingInline": "4px",
            "alignItems": "flex-end",
            "position": "relative",
            "--tools-width": "min(428px, 100vw - 16.5rem)",  # as far as the switch of a low screen
        },
        "& .MuiAppBar-root .MuiToolbar-root > .MuiBox-root": {"flexWrap": "wrap"},
        "& .MuiAppBar-root .MuiToolbar-root > button": {
            "display": "var(--tools, none)",
            "position": "absolute",
            "top": "100%",
            "left": "calc(var(--tools-width) - 42px)",
            "zIndex": 21,
        },
        "& .mode": {"order": 1},
        "& .motion": {"order": 2, "flex": "1 1 10rem !important"},
        "& .badge": {"order": 3},
        "& .more": {"order": 4, "display": "block"},
        "& .tools": {  # over the world's edge, which keeps its size
            "display": "var(--tools, none) !important",
            "position": "absolute !important",
            "inset": "100% auto auto 0",
            "width": "var(--tools-width) !important",
            "zIndex": 20,
            "paddingRight": "32px",
            "backgroundColor": "#17466F",
        },
        "& .gap": {"display": "none"},
    },
    "@media (max-width: 599px)": {
        "& .MuiAppBar-root .MuiToolbar-root.MuiToolbar-root": {"--tools-width": "100%"},
        "& .mode": {"flex": "1 1 auto !important"},
        "& .more": {"order": 1},
        "& .motion": {"flex": "1 1 12rem !important"},
    },
}
"""Style of the bar of ``pmui.Page``, which is in the document itself."""


class Frame(View):
    """The grid of a page.

    Args:
        parts: by the names of their areas in ``layout.css``, in tab order.
        told: messages over the 3D view, clear of other controls: permanent ones, then passing ones.
        welcome: panels on the 3D view for a newcomer, first in tab order.
    """

    session = param.ClassSelector(class_=Session)
    instrument = param.Boolean(default=False, doc="Whether a projector shows an instrument, for equation and plot.")

    def __init__(
        self,
        session: Session,
        parts: Mapping[str, Viewable | Viewer],
        messages: Sequence[Viewable | Viewer] = (),
        welcome: Sequence[Viewable | Viewer] = (),
        **params: object,
    ) -> None:
        told = pn.Column(
            *messages, css_classes=["told"], sizing_mode="stretch_width", margin=0, stylesheets=[":host { gap: 8px; }"]
        )
        areas = [
            pn.Column(part, css_classes=[name], sizing_mode="stretch_both", margin=0, stylesheets=[WHOLE])
            for name, part in parts.items()
        ]
        look = Path(__file__).with_name("layout.css").read_text(encoding="utf-8")
        self.view = pn.Column(told, *welcome, *areas, sizing_mode="stretch_both", margin=0, stylesheets=[look])
        super().__init__(session=session, **params)

    @param.depends("session.projector", "instrument", watch=True, on_init=True)
    def _follow(self) -> None:
        names = ["projector", "instrument"] if self.instrument else ["projector"]
        self.view.css_classes = names if self.session.projector else []


WHOLE = """
/* What stands in a sheet is as high as that is, and on a large screen no lower than its type needs. */
.dock {
  flex: 1 var(--dock-shrink, 0) auto !important; min-width: 0 !important; min-height: 0 !important;
  max-height: var(--folded-height, max(11rem, calc(100vh - 21rem))) !important;
}
/* Where there is little height, two fifths of it are the world's. */
@media (max-height: 800px) { .dock { max-height: var(--folded-height, max(11rem, calc(60vh - 10.5rem))) !important; } }
@media (max-height: 800px) and (max-width: 1100px) { /* what moves it stands in three rows */
  .dock { max-height: var(--folded-height, max(11rem, calc(60vh - 14.25rem))) !important; }
}
@media (max-width: 899px), (max-height: 560px), (max-height: 640px) and (max-width: 1100px) {
  div { min-height: 0 !important; }
  .dock { flex: 1 1 0 !important; height: auto !important; max-height: none !important; }
}
"""


class SheetSwitch(Component):
    """What the sheet of a small screen shows: the instruments, the plots, or nothing but the 3D view."""

    _esm = with_elements(Path(__file__).with_name("sheet_switch.js"))

    def open(self, name: str) -> None:
        """Shows ``Instruments``, ``Plots`` or the ``World`` alone on screens with room for only one of them."""
        self._send_msg(name)


class MoreButton(Component):
    """Opens and closes the row of rarely used buttons."""

    _esm = with_elements(Path(__file__).with_name("more.js"))


WORDS = "light", "dark", "still", "on", "off", "new", "again"


class Screen(Component):
    """Sizes the type to the screen; follows the system's theme until the user chooses one, and keeps that.

    Args:
        choose: called with the chosen theme.
        arrive: called with True on a first visit, with False if a page was reloaded during one.
    """

    theme: param.Selector = param.Selector(default="light", objects=["light", "dark"], doc="Of the page, as it is.")
    projector = param.Boolean(default=False, doc="Whether the page fills the screen, and its controls go away.")

    _esm = TYPE_SIZE.read_text("utf-8") + Path(__file__).with_name("screen.js").read_text("utf-8")

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
        """Postpones messages that arrive before the page has loaded."""
        if not isinstance(data, str) or data not in WORDS:
            return
        if pn.state.loaded:
            self._hear(data)
        elif data not in self._early:
            self._early.add(data)
            pn.state.onload(partial(self._hear, data))

    def _hear(self, data: str) -> None:
        """``light`` or ``dark``: the theme; ``still``: reduced motion; ``new`` or ``again``: first visit or reload."""
        match data:
            case "light" | "dark":
                self._choose(data)
            case "still":
                self._session.playing = False
            case "on" | "off":
                self._session.projector = data == "on"
            case "new" | "again":
                self._arrive(data == "new")


EVENT = "armsweep:projector"
"""Document event: ``screen.js`` makes the page fill the screen, which browsers allow only on a click or a key."""


class Projector(param.Parameterized):
    """A button; the buttons ``few`` are hidden while the mode is on."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, few: Sequence[Button], **params: object) -> None:
        self._few = tuple(few)
        self.button = Button("Projector mode (P)", icon="co_present", event=EVENT)
        super().__init__(session=session, **params)

    def toggle(self) -> None:
        self.session.projector = not self.session.projector

    @param.depends("session.projector", watch=True, on_init=True)
    def _follow(self) -> None:
        on = self.session.projector
        self.button.update(
            icon="close_fullscreen" if on else "co_present",
            words="Leave projector mode (P)" if on else "Projector mode (P)",
        )
        for button in self._few:
            button.update(hidden=on)


SEEN = {"open": True, "closed": False, "visible": True}
"""The parameter that tells whether a dialog, an alert or another part is visible, and its value then."""


class LazyColumn(Component):
    """An empty column; each part is added when it is first shown.

    Parts already in it are never moved: an element that leaves the document loses its styles.

    Args:
        parts: each with the name of the parameter that tells whether it is visible; see ``SEEN``.
    """

    parts = Children(doc="What has been seen, in the order in which it came.")

    _esm = "later.js"
    _render_policy = "manual"

    def __init__(self, *parts: tuple[Viewable, str], **params: Any) -> None:
        super().__init__(margin=0, **params)
        for part, name in parts:
            if getattr(part, name) == SEEN[name]:
                self.parts = [*self.parts, part]
            else:
                part.param.watch(self._look, name)

    def _look(self, event: param.parameterized.Event) -> None:
        if event.new == SEEN[event.name] and event.obj not in self.parts:
            self.parts = [*self.parts, event.obj]
