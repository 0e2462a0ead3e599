"""Undo and redo of every change, and keeping a run to compare the next ones with."""

from __future__ import annotations

import html

import panel_material_ui as pmui
import param
from panel.viewable import Viewable

from app.state import Session
from app.views.notice import Telling

ON_BAR = {"color": "#FFFFFF", "&.Mui-disabled": {"color": "rgba(255, 255, 255, 0.4)"}}
KEEP = "Keep this run as a ghost beside the next (A)"


class Undo(Telling):
    """Three buttons of the bar."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, **params: object) -> None:
        self._undo = pmui.IconButton(icon="undo", description="Undo (Ctrl+Z)", size="small", margin=(10, 2), sx=ON_BAR)
        self._redo = pmui.IconButton(icon="redo", description="Redo (Ctrl+Y)", size="small", margin=(10, 2), sx=ON_BAR)
        self._keep = pmui.IconButton(icon="compare", description=KEEP, size="small", margin=(10, 2), sx=ON_BAR)
        self.bar = pmui.Row(self._undo, self._redo, self._keep, margin=0)
        super().__init__(session=session, **params)
        self._undo.on_click(lambda _: session.undo())
        self._redo.on_click(lambda _: session.redo())
        self._keep.on_click(lambda _: self.keep())

    def keep(self) -> None:
        """Keeps the present run beside whatever comes next, and says under which letter, or why not."""
        self._told.say(f"{html.escape(self.session.keep_once())} <i>Show</i> lists what is kept.")

    @param.depends("session.history", watch=True, on_init=True)
    def _follow(self) -> None:
        self._undo.disabled = not self.session.can_undo
        self._redo.disabled = not self.session.can_redo

    def __panel__(self) -> Viewable:
        return self.bar
