"""The list of kept runs: their names, which are shown, and how far each is from the present one."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import param
from panel.viewable import Viewable

from app.clipboard import COPYING
from app.component import Component
from app.kept import Kept
from app.kept.kept_run import LETTERS
from app.kept_runs.comparison_job import Comparing, parts
from app.number_text import beside_numbers, number_text
from app.state import Session
from app.views.components import ELEMENTS
from app.views.instrument import Instrument
from scenes import palette

DIGITS = 3


class KeptList(Component):
    """Rows with a letter, a name to be edited, a check box and buttons; says what the user does in them."""

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
        """Has the browser copy a text."""
        self._send_msg({"copy": text})

    def say(self, words: str) -> None:
        """What has become of the run that was to be kept, until the list is another."""
        self._send_msg({"said": words})

    def _handle_msg(self, data: Any) -> None:
        if isinstance(data, Mapping):
            self._act(data)


class KeptRuns(Instrument):
    """Says to the session what is done in the list, and shows there what it has."""

    def __init__(self, session: Session, comparing: Comparing | None = None, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self._comparing = comparing or Comparing(session)
        self._list = KeptList(self._do, sizing_mode="stretch_width", margin=(4, 12))
        self._theme: palette.Theme = "light"
        session.param.watch(lambda *_: self._write(), ["kept", "run", "compared"])
        self.paint("light")

    def paint(self, theme: palette.Theme) -> None:
        self._theme = theme
        self._list.colors = {
            "ink": palette.INK[theme],
            "ground": palette.BACKGROUND[theme],
            "primary": palette.PRIMARY[theme],
        }
        self._write()

    def draw(self) -> None:
        self._comparing.attend()
        self._write()

    def _write(self) -> None:
        rows = [self._row(each) for each in self._session.kept]
        if self._list.rows != rows:
            self._list.rows = rows

    def _row(self, each: Kept) -> dict[str, Any]:
        is_present = each.run is self._session.run
        ghosts = self._session.ghosts_compared
        found = self._comparing.known(each.run) if each.shown and not is_present else None
        far = [] if found is None else [_far(what, *numbers) for what, numbers in _numbers(found)]
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
        """What a user does; a page may send anything."""
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
                    self._list.param.trigger("rows")  # what is no name does not stay in its field
                case "compare":
                    session.compared = letter if session.at_letter(letter) is not None else session.compared
                case "open":
                    session.open_kept(letter)
                case "drop":
                    session.drop_kept(letter)

    def __panel__(self) -> Viewable:
        return self._list


def _numbers(found: Any) -> list[tuple[str, tuple[float, float, float, str]]]:
    return [(what, (far.largest, far.rms, far.at, far.unit)) for what, far in parts(found)]


def _far(what: str, largest: float, rms: float, at: float, unit: str) -> dict[str, str]:
    shown = [f"{number_text(value, digits=DIGITS)} {unit}" for value in (largest, rms)]
    return {"of": what, "largest": shown[0], "rms": shown[1], "at": f"at {at:.2f} s"}
