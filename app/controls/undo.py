"""Undo and redo of every change, and A/B: keeping a run to compare the next one with."""

from __future__ import annotations

import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

from app.state import Session

ON_BAR = {"color": "#FFFFFF", "&.Mui-disabled": {"color": "rgba(255, 255, 255, 0.4)"}}


class Undo(Viewer):
    """Three buttons of the bar."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, **params: object) -> None:
        self._undo = pmui.IconButton(icon="undo", description="Undo (Ctrl+Z)", size="small", margin=(10, 2), sx=ON_BAR)
        self._redo = pmui.IconButton(icon="redo", description="Redo (Ctrl+Y)", size="small", margin=(10, 2), sx=ON_BAR)
        self._keep = pmui.IconButton(icon="compare", size="small", margin=(10, 2), sx=ON_BAR)
        self.bar = pmui.Row(self._undo, self._redo, self._keep, margin=0)
        super().__init__(session=session, **params)
        self._undo.on_click(lambda _: session.undo())
        self._redo.on_click(lambda _: session.redo())
        self._keep.on_click(lambda _: session.keep_or_drop())

    @param.depends("session.history", watch=True, on_init=True)
    def _follow(self) -> None:
        self._undo.disabled = not self.session.can_undo
        self._redo.disabled = not self.session.can_redo

    @param.depends("session.kept", "session.broken", watch=True, on_init=True)
    def _follow_ghost(self) -> None:
        kept = bool(self.session.ghosts)
        self._keep.param.update(
            icon="filter_1" if kept else "compare",
            description="Show one run alone again (A)" if kept else "Keep this run as a ghost beside the next (A)",
        )

    def __panel__(self) -> Viewable:
        return self.bar
