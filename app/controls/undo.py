"""Undo and redo of every change, and keeping a run to compare the next ones with."""

from __future__ import annotations

import html

import param

from app.state import Session
from app.views.buttons import Button
from app.views.notice import Telling

KEEP = "Keep this run as a ghost beside the next (A)"


class Undo(Telling):
    """Three buttons of the bar, and a word about what was kept."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, **params: object) -> None:
        self._undo = Button("Undo (Ctrl+Z)", session.undo, icon="undo")
        self._redo = Button("Redo (Ctrl+Y)", session.redo, icon="redo")
        self.buttons = (self._undo, self._redo, Button(KEEP, self.keep, icon="compare"))
        super().__init__(session=session, **params)

    def keep(self) -> None:
        """Keeps the present run beside whatever comes next, and says under which letter, or why not."""
        self._told.say(f"{html.escape(self.session.keep_once())} <i>Show</i> lists what is kept.")

    @param.depends("session.history", watch=True, on_init=True)
    def _follow(self) -> None:
        self._undo.update(disabled=not self.session.can_undo)
        self._redo.update(disabled=not self.session.can_redo)
