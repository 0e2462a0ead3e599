"""One line where something is changed: how far that takes the tips from the kept runs, and the way to all numbers."""

from __future__ import annotations

import html

import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewable

from app.kept import Kept
from app.kept_runs.comparison_job import Comparing, parts
from app.number_text import number_text
from app.state import Session
from app.state.broken_run import length
from app.views.components import STYLE
from app.views.instrument import Instrument

DIGITS = 2
SHOW = "Show"


class DistanceLine(Instrument):
    """There while a run is kept and shown, whether there is a number yet or not: nothing moves under a user's hand."""

    def __init__(self, session: Session, comparing: Comparing, **params: object) -> None:
        super().__init__(**params)
        self._session, self._comparing = session, comparing
        self._words = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(6, 0, 2, 12))
        self._more = pmui.Button(label=SHOW, variant="text", size="small", margin=(2, 8, 0, 4))
        self._more.on_click(lambda _: session.param.update(tab=SHOW))
        self._row = pmui.Row(self._words, self._more, sizing_mode="stretch_width", margin=0, visible=False)
        session.param.watch(lambda *_: self._write(), ["kept", "run"])
        self._write()

    @property
    def _shown(self) -> list[Kept]:
        return [each for each in self._session.kept if each.shown]

    def draw(self) -> None:
        """Has the runs compared, and says what is known."""
        if self._shown:
            self._comparing.attend()
            self._write()

    def _write(self) -> None:
        shown = self._shown
        words = "; ".join(self._of(each) for each in shown)
        text = f"<span>{html.escape(words[:1].upper() + words[1:])}.</span>" if shown else ""
        if (self._words.object, self._row.visible) != (text, bool(shown)):
            self._words.object = text
            self._row.visible = bool(shown)

    def _of(self, each: Kept) -> str:
        letter = each.letter
        if each.run is self._session.run:
            return f"this run is {letter}"
        found = self._comparing.known(each.run)
        if found is None:
            return f"comparing with {letter} …"
        what, far = next(parts(found), ("", None))
        if far is None:
            return f"{letter}: {found.words}"
        if far.largest == 0.0:
            return f"{what} as in {letter}"
        size = length(far.largest) if far.unit == "m" else f"{number_text(far.largest, digits=DIGITS)} {far.unit}"
        return f"{what} up to {size} from {letter}, at {far.at:.2f} s"

    def __panel__(self) -> Viewable:
        return self._row
