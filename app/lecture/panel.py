"""The list of a lecture's moments, as it stands on the rail."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewable

from app.component import Component
from app.lecture.lecture import Lecture
from app.lecture.moment import MOST
from app.lecture.prompter import TOO_LARGE, Prompter
from app.saved.written import LARGEST
from app.upload.file_button import FileButton
from app.views.elements import with_elements
from app.views.instrument import Instrument
from app.views.style import STYLE
from scenes import palette

NAME = "Lecture"
ABOUT = (
    "<h3>Lecture</h3><p>Moments of this page, kept to come back to: <kbd>K</kbd> keeps one, <kbd>Page Down</kbd> and "
    "<kbd>Page Up</kbd>, or a presenter's remote, step through them.</p>"
)
OPEN = "Open a lecture"
EMPTY = "This file is empty; a lecture is expected."


class MomentList(Component):
    """Cards with a title and a note to be edited, and buttons; says what the user does in them."""

    rows = param.List(default=[], item_type=dict, doc="Of each moment: number, title, note, here.")
    pictures = param.Dict(default={}, doc="Of each moment that has one, by its number.")
    word = param.String(default="", doc="What has just become of them.")
    undone = param.String(default="", doc="What undo would take back; empty where there is nothing.")
    full = param.Boolean(default=False, doc="Whether there is room for no other.")
    colors = param.Dict(default={}, doc="CSS colors: ink, primary.")

    _esm = with_elements(Path(__file__).with_name("moment_list.js"))
    _stylesheets = ["moment_list.css"]  # noqa: RUF012

    def __init__(self, act: Any, **params: Any) -> None:
        super().__init__(**params)
        self._act = act

    def _handle_msg(self, data: Any) -> None:
        if isinstance(data, Mapping):
            self._act(data)


class LecturePanel(Instrument):
    """Says to the lecture what is done in the list, and shows there what it has.

    Attributes:
        lecture: the moments.
    """

    def __init__(self, lecture: Lecture, prompter: Prompter, **params: object) -> None:
        super().__init__(**params)
        self.lecture, self._prompter = lecture, prompter
        self._about = pn.pane.HTML(ABOUT, stylesheets=[STYLE], sizing_mode="stretch_width", margin=(4, 12))
        self._list = MomentList(self._do, sizing_mode="stretch_width", margin=(4, 12))
        self._save = pmui.Button(label="Save as a file", icon="download", variant="outlined", margin=2)
        self._open = FileButton(
            prompter.refuse, LARGEST, TOO_LARGE, EMPTY, label=OPEN, uploaded_label=OPEN, icon="upload_file",
            variant="outlined", margin=2,
        )  # fmt: skip
        self._print = pmui.Button(label="Handout: print, or save as PDF", icon="print", variant="outlined", margin=2)
        self._save.on_click(lambda _: prompter.save())
        self._print.on_click(lambda _: prompter.print())
        self._open.hear(self._prompter.take)
        lecture.param.watch(lambda *_: self._write(), ["moments", "at", "word"])
        self.paint("light")

    @property
    def follows(self) -> bool:
        """What is kept hangs on no instant."""
        return False

    def paint(self, theme: palette.Theme) -> None:
        """Colors for a theme."""
        self._list.colors = {"ink": palette.INK[theme], "primary": palette.PRIMARY[theme]}
        self._write()

    def _write(self) -> None:
        lecture = self.lecture
        wanted = {
            "rows": [
                {"number": each.number, "title": each.title, "note": each.note, "here": each.number == lecture.at}
                for each in lecture.moments
            ],
            "pictures": {str(each.number): each.picture for each in lecture.moments if each.picture},
            "word": lecture.word,
            "undone": lecture.undone,
            "full": len(lecture.moments) >= MOST,
        }
        changed = {name: value for name, value in wanted.items() if getattr(self._list, name) != value}
        if changed:
            self._list.param.update(**changed)
        self._save.disabled = self._print.disabled = not lecture.moments

    def _do(self, message: Mapping[str, Any]) -> None:
        """What a user does; a page may send anything."""
        lecture, number, value = self.lecture, message.get("number"), message.get("value")
        if not isinstance(number, int):
            return
        match message.get("do"):
            case "keep":
                lecture.keep()
            case "next":
                lecture.step(1)
            case "before":
                lecture.step(-1)
            case "undo":
                lecture.undo()
            case "go":
                lecture.go(number)
            case "up":
                lecture.move(number, -1)
            case "down":
                lecture.move(number, 1)
            case "drop":
                lecture.drop(number)
            case "title" if isinstance(value, str):
                lecture.change(number, title=value)
                self._list.param.trigger("rows")  # what is no title does not stay in its field
            case "note" if isinstance(value, str):
                lecture.change(number, note=value)

    def __panel__(self) -> Viewable:
        files = pmui.Row(self._save, self._open, self._print, margin=(4, 10), sx={"flexWrap": "wrap"})
        return pn.Column(self._about, self._list, files, sizing_mode="stretch_both", scroll="y", margin=0)
