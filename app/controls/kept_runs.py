"""The kept runs: their list with names and distances, and a line with the distance beside other instruments."""

from __future__ import annotations

import html
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewable

from app.clipboard import COPYING
from app.component import Component
from app.controls.run_comparison import RunComparer
from app.number_text import beside_numbers, number_text
from app.state import Session
from app.state.kept_run import LETTERS, KeptRun
from app.state.outcome import length
from app.views.components import ELEMENTS, STYLE, Instrument
from scenes import palette


class KeptList(Component):
    """Rows with a letter, an editable name, a check box and buttons; reports the user's actions."""

    rows = param.List(
        default=[], item_type=dict, doc="Of each kept run: letter, name, color, shown, present, compared, choice, far."
    )
    colors = param.Dict(default={}, doc="CSS colors: ink, ground, primary.")

    _esm = beside_numbers(ELEMENTS, COPYING, Path(__file__).with_name("kept_list.js"))
    _stylesheets = ["kept_list.css"]  # noqa: RUF012

    def __init__(self, act: Any, **params: Any) -> None:
        super().__init__(**params)
        self._act = act

    def copy(self, text: str) -> None:
        """Lets the browser copy a text."""
        self._send_msg({"copy": text})

    def say(self, words: str) -> None:
        """Shows the result of keeping a run, until the list changes."""
        self._send_msg({"said": words})

    def _handle_msg(self, data: Any) -> None:
        if isinstance(data, Mapping):
            self._act(data)


class KeptRuns(Instrument):
    """Passes actions in the list to the session, and shows its kept runs."""

    def __init__(self, session: Session, comparing: RunComparer | None = None, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self._comparing = comparing or RunComparer(session)
        self._list = KeptList(self._do, sizing_mode="stretch_width", margin=(4, 12))
        self._theme: palette.Theme = "light"
        session.param.watch(lambda *_: self._write(), ["kept", "run", "compared"])
        self.paint("light")

    def paint(self, theme: palette.Theme) -> None:
        self._theme = theme
        ink, ground, primary = palette.INK[theme], palette.BACKGROUND[theme], palette.PRIMARY[theme]
        self._list.colors = {"ink": ink, "ground": ground, "primary": primary}
        self._write()

    def draw(self) -> None:
        self._comparing.attend()
        self._write()

    def _write(self) -> None:
        rows = [self._row(each) for each in self._session.kept]
        if self._list.rows != rows:
            self._list.rows = rows

    def _row(self, each: KeptRun) -> dict[str, Any]:
        is_present = each.run is self._session.run
        ghosts = self._session.ghosts_compared
        found = self._comparing.known(each.run) if each.shown and not is_present else None
        far = []
        for what, one in () if found is None else found.parts.items():
            largest, rms = (f"{number_text(size, digits=3)} {one.unit}" for size in (one.largest, one.rms))
            far.append({"of": what, "largest": largest, "rms": rms, "at": f"at {one.at:.2f} s"})
        return {
            "letter": each.letter,
            "name": each.title,
            "color": palette.ghost(LETTERS.index(each.letter), self._theme),
            "shown": each.shown,
            "present": is_present,
            "compared": bool(ghosts) and each is ghosts[0],
            "choice": len(ghosts) > 1 and each.shown,
            "far": far,
            "words": "" if found is None else found.words,
        }

    def _do(self, message: Mapping[str, Any]) -> None:
        """Handles a user's action; a page may send anything."""
        session, letter, value = self._session, message.get("letter"), message.get("value")
        if message.get("do") == "keep":
            self._list.say(session.keep_once())
        elif message.get("do") == "copy":
            self._list.copy(self._comparing.csv())
        elif isinstance(letter, str):
            match message.get("do"):
                case "shown":
                    session.change_kept(letter, shown=bool(value))
                case "name":
                    session.change_kept(letter, title=value if isinstance(value, str) else "")
                    self._list.param.trigger("rows")  # an invalid name does not stay in its field
                case "compare":
                    session.compared = letter if session.at_letter(letter) is not None else session.compared
                case "open":
                    session.open_kept(letter)
                case "drop":
                    session.drop_kept(letter)

    def __panel__(self) -> Viewable:
        return self._list


SHOW = "Show"


class DistanceLine(Instrument):
    """Visible while a run is kept and shown, even without a number yet, so that nothing moves under the pointer."""

    def __init__(self, session: Session, comparing: RunComparer, **params: object) -> None:
        super().__init__(**params)
        self._session, self._comparing = session, comparing
        self._words = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(6, 0, 2, 12))
        self._more = pmui.Button(label=SHOW, variant="text", size="small", margin=(2, 8, 0, 4))
        self._more.on_click(lambda _: session.param.update(tab=SHOW))
        self._row = pmui.Row(self._words, self._more, sizing_mode="stretch_width", margin=0, visible=False)
        session.param.watch(lambda *_: self._write(), ["kept", "run"])
        self._write()

    def draw(self) -> None:
        """Starts comparisons, and shows the known results."""
        if self._session.kept:
            self._comparing.attend()
            self._write()

    def _write(self) -> None:
        shown = [each for each in self._session.kept if each.shown]
        words = "; ".join(self._of(each) for each in shown)
        text = f"<span>{html.escape(words[:1].upper() + words[1:])}.</span>" if shown else ""
        if (self._words.object, self._row.visible) != (text, bool(shown)):
            self._words.object = text
            self._row.visible = bool(shown)

    def _of(self, each: KeptRun) -> str:
        letter = each.letter
        if each.run is self._session.run:
            return f"this run is {letter}"
        found = self._comparing.known(each.run)
        if found is None:
            return f"comparing with {letter} …"
        what, far = next(iter(found.parts.items()), ("", None))
        if far is None:
            return f"{letter}: {found.words}"
        if far.largest == 0.0:
            return f"{what} as in {letter}"
        size = length(far.largest) if far.unit == "m" else f"{number_text(far.largest, digits=2)} {far.unit}"
        return f"{what} up to {size} from {letter}, at {far.at:.2f} s"

    def __panel__(self) -> Viewable:
        return self._row
