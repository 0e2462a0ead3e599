"""Keyboard shortcuts that work anywhere on the page except while typing, and the sheet that lists them."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import panel as pn
import panel_material_ui as pmui
import param

from app.component import Component
from app.views.components import STYLE, Button


@dataclass(frozen=True)
class Shortcut:
    """One shortcut.

    Attributes:
        key: as the browser names it, in lower case, prefixed with ``ctrl+`` if that must be held, and with ``shift+``
            before an arrow.
        shown: the label of the key.
        repeats: whether holding the key down repeats the action.
        action: of the server, or None if the browser alone responds.
        event: of the document, which the browser's player handles at once and reports to the server; ``armsweep:step``
            takes a number of steps after a blank, ``armsweep:aspect`` the number of a view.
    """

    key: str
    shown: str
    words: str
    action: Callable[[], object] | None
    repeats: bool = False
    event: str = ""


VIEWS = (
    ("0", "the whole picture"),
    ("1", "the view from the front"),
    ("2", "the view from the side"),
    ("3", "the view from above"),
    ("t", "turn the view slowly round, and stop"),
)


def view_shortcuts() -> tuple[Shortcut, ...]:
    """The keys of the 3D view, in the order of its own code."""
    return tuple(
        Shortcut(key, key.upper(), words, None, event=f"armsweep:aspect {number}")
        for number, (key, words) in enumerate(VIEWS)
    )


class Keyboard(Component):
    """Reports to the server which of its keys was pressed outside of a field; shows nothing."""

    keys = param.List(default=[], item_type=str, doc="Keys that are taken.")
    events = param.Dict(default={}, doc="Those that the player answers: the event of each.")
    repeating = param.List(default=[], item_type=str, doc="Those of them that may be held down.")

    closed = param.Integer(default=0, doc="How often a sheet over the page has closed, which gives the focus back.")

    _esm = "keyboard.js"

    def __init__(self, shortcuts: Sequence[Shortcut], **params: object) -> None:
        self._actions = {shortcut.key: shortcut.action for shortcut in shortcuts}
        super().__init__(
            keys=list(self._actions),
            events={shortcut.key: shortcut.event for shortcut in shortcuts if shortcut.event},
            repeating=[shortcut.key for shortcut in shortcuts if shortcut.repeats],
            width=0,
            height=0,
            margin=0,
            **params,
        )

    def _handle_msg(self, data: object) -> None:
        action = self._actions.get(str(data))
        if action is not None:
            action()


ELSEWHERE = (
    ("Tab, Shift Tab", "to the next or the previous control"),
    ("anywhere", "these keys work wherever the pointer was last, except where text is typed"),
    ("Shift ← → ↑ ↓, Ctrl ← → ↑ ↓", "turn and shift the view while it has the focus; + − zoom"),
    ("Escape", "leaves projector mode, whose controls come back with any movement"),
    ("drag, wheel, right drag", "turn, zoom and shift the view; double click: all of it"),
)


class ShortcutSheet(param.Parameterized):
    """A button with a question mark, and the sheet that the button and its key open."""

    def __init__(self, **params: object) -> None:
        super().__init__(**params)
        self.button = Button("Keys, mouse and papers (?)", self.toggle, icon="help_outline")
        self._pane = pn.pane.HTML("", stylesheets=[STYLE, "kbd { white-space: normal; }"], sizing_mode="stretch_width")
        self.dialog = pmui.Dialog(
            self._pane, title="Keys, mouse and papers", close_on_click=True, show_close_button=True,
            sizing_mode="stretch_width", width_option="sm", sx={"& .MuiDialogTitle-root": {"flex": "0 1 auto"}},
        )  # fmt: skip

    def fill(self, shortcuts: Sequence[Shortcut], documentation: str = "", papers: str = "") -> None:
        """Writes the sheet; ``documentation`` is a link to it and ``papers`` is the bibliography, both as HTML."""
        rows = [(shortcut.shown, shortcut.words) for shortcut in shortcuts]
        self._pane.object = (
            f"{documentation}<table class='numbers'>"
            + "".join(
                f"<tr><td><kbd>{html.escape(shown)}</kbd></td><td>{html.escape(words)}</td></tr>"
                for shown, words in (*rows, *ELSEWHERE)
            )
            + f"</table>{papers}"
        )

    def toggle(self) -> None:
        self.dialog.open = not self.dialog.open


BEAT = "beat"


class Connection(Component):
    """Answers the browser's periodic pings; shows nothing while all is well."""

    _esm = "connection.js"

    def __init__(self, **params: object) -> None:
        super().__init__(width=0, height=0, margin=0, **params)

    def _handle_msg(self, data: object) -> None:
        if data == BEAT:
            self._send_msg(BEAT)
