"""Where everything stands on the page, from a phone to a wall: one grid, whose areas the width and height choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import panel as pn
import param
from panel.viewable import Viewable, Viewer

from app.state import Session

NARROW = 959
"""Pixels of width up to which the bar folds what is seldom wanted."""
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
    "& .MuiAppBar-root .MuiLinearProgress-root": {"display": "none"},  # it has no name for readers of the screen
    "& main": {"minHeight": 0, "width": "100%"},
    "& main > .MuiBox-root": {"height": "100%", "padding": 0},
    "& main > .MuiBox-root > .MuiToolbar-root": {"display": "none"},  # it keeps room under a bar that floats
    "& .more": {"display": "none"},
    "& .motion": {"flex": "0 1 17.5rem !important", "width": "auto !important", "minWidth": "0 !important"},
    "& .MuiAppBar-root .MuiToolbar-root.MuiToolbar-root": {"minHeight": "3.5rem", "paddingInline": "16px"},
    "@media (max-width: 1240px)": {"& .MuiAppBar-root .MuiBox-root:has(> a)": {"display": "none"}},
    f"@media (max-width: {NARROW}px)": {
        "& .MuiAppBar-root .MuiToolbar-root.MuiToolbar-root": {
            "minHeight": "3rem",
            "paddingInline": "4px",
            "alignItems": "flex-end",
        },
        "& .MuiAppBar-root .MuiToolbar-root > .MuiBox-root": {"flexWrap": "wrap"},
        "& .MuiAppBar-root .MuiToolbar-root > button": {"display": "var(--tools, none)"},
        "& .mode": {"order": 1},
        "& .motion": {"order": 2, "flex": "1 1 10rem !important"},
        "& .badge": {"order": 3},
        "& .more": {"order": 4, "display": "block"},
        "& .tools": {"order": 5, "display": "var(--tools, none) !important", "flex": "1 1 100% !important"},
        "& .gap": {"display": "none"},
    },
    "@media (max-width: 599px)": {
        "& .mode": {"flex": "1 1 auto !important"},
        "& .more": {"order": 1},
        "& .motion": {"flex": "1 1 12rem !important"},
    },
}
"""The bar of ``pmui.Page``, in whose own document it is."""


class Frame(Viewer):
    """The grid of a page.

    Args:
        parts: by the names of their areas in ``layout.css``, in the order in which Tab reaches them.
        told: what stands over the world, where nothing else is to be pressed: what stays, then what comes and goes.
        welcome: what may stand on the world for a newcomer, first for Tab.
    """

    session = param.ClassSelector(class_=Session)
    instrument = param.Boolean(default=False, doc="Whether a projector shows an instrument, for equation and plot.")

    def __init__(
        self,
        session: Session,
        parts: Mapping[str, Viewable | Viewer],
        told: Sequence[Viewable | Viewer] = (),
        welcome: Sequence[Viewable | Viewer] = (),
        **params: object,
    ) -> None:
        self._grid = pn.Column(
            pn.Column(*told, css_classes=["told"], sizing_mode="stretch_width", margin=0, stylesheets=[TOLD]),
            *welcome,
            *(
                pn.Column(part, css_classes=[name], sizing_mode="stretch_both", margin=0, stylesheets=[WHOLE])
                for name, part in parts.items()
            ),
            sizing_mode="stretch_both",
            margin=0,
            stylesheets=[Path(__file__).with_name("layout.css").read_text(encoding="utf-8")],
        )
        super().__init__(session=session, **params)

    @param.depends("session.projector", "instrument", watch=True, on_init=True)
    def _follow(self) -> None:
        names = ["projector", "instrument"] if self.instrument else ["projector"]
        self._grid.css_classes = names if self.session.projector else []

    def __panel__(self) -> Viewable:
        return self._grid


TOLD = """
:host { gap: 8px; }
"""
WHOLE = """
/* What stands in a sheet is as high as that is, and on a large screen no lower than its type needs. */
.dock {
  flex: 1 var(--dock-shrink, 0) auto !important; min-width: 0 !important; min-height: 0 !important;
  max-height: var(--bare-height, max(11rem, calc(100vh - 21rem))) !important;
}
/* Where there is little height, two fifths of it are the world's. */
@media (max-height: 800px) { .dock { max-height: var(--bare-height, max(11rem, calc(60vh - 10.5rem))) !important; } }
@media (max-height: 800px) and (max-width: 1100px) { /* what moves it stands in three rows */
  .dock { max-height: var(--bare-height, max(11rem, calc(60vh - 14.25rem))) !important; }
}
@media (max-width: 899px), (max-height: 560px), (max-height: 640px) and (max-width: 1100px) {
  div { min-height: 0 !important; }
  .dock { flex: 1 1 0 !important; height: auto !important; max-height: none !important; }
}
"""
