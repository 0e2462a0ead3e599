"""Shared parts of views: texts, buttons, tables, figures, panes, and the base of instruments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import panel as pn
import param
from bokeh.models import CustomJS
from bokeh.plotting import figure
from jinja2 import Environment, FileSystemLoader
from panel.custom import Children
from panel.io.document import unlocked
from panel.viewable import Viewable, Viewer

from app.clipboard import COPYING
from app.component import Component
from app.equations.safe_html import flat

if TYPE_CHECKING:
    from scenes import palette  # a server loads this file before its port opens, without the scenes

ELEMENTS = Path(__file__).with_name("elements.js")
PROGRESS = Path(__file__).with_name("progress.js")  # A browser's record of lessons: ``keptProgress``


TYPE_SIZE = Path(__file__).with_name("type_size.js")
"""The rule for the type size on any screen, for the page and for replays."""


def with_elements(file: Path) -> str:
    """The text of a component's JavaScript, which may use ``make`` and ``plain``."""
    return ELEMENTS.read_text("utf-8") + file.read_text("utf-8")


STYLE = """
/* Sizes in rem: projector mode enlarges the root. */
:host { font: 0.875rem/1.45 Roboto, "Helvetica Neue", Arial, sans-serif; }
h3 { margin: 6px 0 4px; font-size: 1rem; }
p { margin: 6px 0; }
ul.legend { list-style: none; margin: 8px 0; padding: 0; }
ul.legend li { display: flex; gap: 8px; align-items: baseline; margin: 4px 0; }
.swatch { flex: none; width: 12px; height: 12px; border-radius: 3px; }
kbd { border: 1px solid currentColor; border-radius: 4px; padding: 0 5px; font: 0.75rem monospace; opacity: 0.85; }
table.numbers { border-collapse: collapse; width: 100%; }
table.numbers th { text-align: left; font-weight: 500; opacity: 0.75; padding: 8px 6px 2px 0; }
table.numbers td { border-top: 1px solid rgba(128, 128, 128, 0.3); padding: 3px 6px 3px 0; vertical-align: top; }
table.numbers td.name { overflow-wrap: anywhere; min-width: 7.5em; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
"""


def text_pane(text: str = "", margin: int | tuple[int, ...] = (0, 12), look: str = "") -> pn.pane.HTML:
    """HTML in the page's type, as wide as its container.

    Args:
        look: style sheet, in addition to the common one.
    """
    looks = [STYLE, look] if look else [STYLE]
    return pn.pane.HTML(text, stylesheets=looks, sizing_mode="stretch_width", margin=margin)


SMALL = "@media (max-width: 599px), (max-height: 560px)"
"""A phone, or a page zoomed to twice its size: an instrument is one sheet, scrolled as a whole, used by touch."""


@cache
def templates(folder: Path) -> Environment:
    """The templates of a folder; they escape everything that is not marked as safe."""
    found = Environment(loader=FileSystemLoader(folder), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    found.filters["flat"] = flat
    return found


COPY_LOOK = """
:host { font: 0.8125rem/1.4 Roboto, "Helvetica Neue", Arial, sans-serif; color: inherit; }
button {
  font: inherit; color: inherit; background: none; cursor: pointer; min-height: 24px;
  padding: 1px 8px; border-radius: 4px; border: 1px solid rgba(128, 128, 128, 0.6);
}
button:hover { background: rgba(128, 128, 128, 0.14); }
button:focus-visible { outline: 2px solid currentColor; outline-offset: 1px; }
.told { margin-left: 8px; }
"""


class CopyButton(Component):
    """Requests the text when it is pressed.

    Args:
        text: returns the text to copy; empty if there is none yet.
    """

    label = param.String(default="Copy", doc="What stands on it.")
    what = param.String(default="It is", doc="What has been copied, before the word *copied*.")

    _esm = with_elements(COPYING) + Path(__file__).with_name("copy_button.js").read_text("utf-8")
    _stylesheets = [COPY_LOOK]  # noqa: RUF012

    def __init__(self, text: Callable[[], str], **params: Any) -> None:
        super().__init__(**params)
        self._text = text

    def _handle_msg(self, data: object) -> None:
        if data == "copy" and (text := self._text()):
            self._send_msg({"copy": text})


class ProgressLine(pn.pane.HTML):
    """A line of text, empty at first.

    Args:
        beside: margin on the left and right, px.
    """

    def __init__(self, beside: int = 12) -> None:
        super().__init__("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(0, beside))

    def say(self, words: str) -> None:
        """Shows the words as HTML; clears the line if they are empty."""
        self.object = f"<p role='status'>{words}</p>" if words else ""


NAMED = """
    const events = Bokeh.index.find_one(figure)?.canvas_view?.events_el
    if (!events) return
    events.tabIndex = -1 // Tab passes it by: no key does anything there
    events.setAttribute("role", "img")
    events.setAttribute("aria-label", title.text || name)
"""

GROWN = """
    const SIZES = ["line_width", "line_dash", "size"]
    const thin = new Map() // what each part had when it came
    const grow = figure.grows ??= () => {
        if (!figure.document) return document.removeEventListener("armsweep:scale", figure.grows)
        const scale = Number(getComputedStyle(document.documentElement).getPropertyValue("--scale")) || 1
        const sides = [figure.title, figure.left, figure.right, figure.above, figure.below, figure.center].flat()
        for (const part of [figure, ...figure.renderers.map(one => one.glyph), ...sides]) {
            for (const [name, value] of Object.entries(part.attributes)) {
                const now = value?.value ?? value, isFont = name.endsWith("text_font_size")
                if (!isFont && !SIZES.includes(name) && !(part === figure && name === "height")) continue
                const key = `${part.id} ${name}`
                if (!thin.has(key)) thin.set(key, now)
                const before = thin.get(key), grown = [before].flat().map(each => parseFloat(each) * scale)
                if (!grown.length || !grown.every(Number.isFinite)) continue
                const unit = isFont ? before.replace(/[^a-z]/g, "") : ""
                const next = isFont ? `${grown[0]}${unit}` : Array.isArray(before) ? grown : grown[0]
                if (`${next}` !== `${now}`) part.setv({[name]: next}, {sync: false})
            }
        }
    }
    document.addEventListener("armsweep:scale", grow)
    grow()
"""
"""Scales lines, dashes, marks, fonts and height with the page's type; the server's values stay as they are."""


def figure_pane(plot: figure) -> pn.pane.Bokeh:
    """A figure as wide as its instrument.

    Add it only when it is first visible: a figure in a pane that was left before that is never laid out, and breaks
    every later layout of the page.
    """
    if not plot.js_property_callbacks:
        named = CustomJS(args={"figure": plot, "title": plot.title, "name": plot.name or "plot"}, code=NAMED)
        plot.js_on_change("inner_width", named)  # set once it is laid out
        plot.title.js_on_change("text", named)
        plot.js_on_change("inner_width", CustomJS(args={"figure": plot}, code=GROWN))
    return pn.pane.Bokeh(plot, sizing_mode="stretch_width", margin=(0, 12))


PANES = Path(__file__).with_name("panes.js")


class Panes(Component):
    """Panes by name; an empty one shows that it is being opened."""

    panes = Children(doc="What has been made, in the order in which it came.")
    made = param.List(default=[], item_type=str, doc="The name of each.")
    active = param.String(default="", doc="Name of the open pane.")
    primary = param.String(default="", doc="CSS color of what is open.")

    _render_policy = "manual"  # existing panes are not drawn again when more are added

    def add(self, name: str, view: Viewable | Viewer) -> None:
        self.param.update(made=[*self.made, name], panes=[*self.panes, view])


def with_panes(file: Path) -> str:
    """The text of a component's JavaScript, which may use ``filledPanes`` and ``ledTo``, ``make`` and ``plain``."""
    return with_elements(PANES) + file.read_text("utf-8")


class Button:
    """One button of a row.

    Args:
        words: its name for screen readers, and its tooltip.
        press: its action; None if the browser alone responds.
        icon: from Google's Material Icons, or else
        label: a short word on the button.
        event: dispatched on the document instead of a message to the server; a number after a blank is its detail.
        look: ``round``, for the main one of a row, ``outlined`` or nothing.
        pressed: state of a toggle button; None for other buttons.
    """

    def __init__(
        self,
        words: str,
        press: Callable[[], object] | None = None,
        *,
        icon: str = "",
        label: str = "",
        event: str = "",
        look: str = "",
        pressed: bool | None = None,
    ) -> None:
        self._press = press
        self._row: Buttons | None = None
        self.said: dict[str, Any] = {
            "words": words, "icon": icon, "label": label, "event": event, "look": look, "pressed": pressed,
            "disabled": False, "hidden": False,
        }  # fmt: skip

    def stand_in(self, row: Buttons) -> None:
        self._row = row

    def update(self, **changes: Any) -> None:
        """Changes its ``words``, ``icon``, ``label``, ``pressed``, ``disabled`` or ``hidden``."""
        said = {**self.said, **changes}
        if said != self.said:
            self.said = said
            if self._row is not None:
                self._row.follow()

    def press(self) -> None:
        if self._press is not None and not (self.said["disabled"] or self.said["hidden"]):
            self._press()


class Buttons(Component):
    """Buttons side by side; pressing one notifies the server or the document."""

    items = param.List(default=[], item_type=dict, doc="What each says; see ``Button``.")
    primary = param.String(default="", doc="CSS color of what is round or pressed.")

    _esm = with_elements(Path(__file__).with_name("buttons.js"))

    def __init__(self, buttons: Sequence[Button], **params: Any) -> None:
        self._buttons = tuple(buttons)
        super().__init__(items=[each.said for each in self._buttons], **{"margin": 0, "align": "center", **params})
        for each in self._buttons:
            each.stand_in(self)

    def follow(self) -> None:
        self.items = [each.said for each in self._buttons]

    def _handle_msg(self, data: object) -> None:
        if isinstance(data, int) and not isinstance(data, bool) and 0 <= data < len(self._buttons):
            self._buttons[data].press()


ROWS_LOOK = """
:host { font: 0.8125rem/1.4 Roboto, "Helvetica Neue", Arial, sans-serif; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
caption { text-align: left; padding: 0 0 4px; }
caption:empty { display: none; }
thead th { text-align: left; font-weight: 500; opacity: 0.8; padding: 4px 6px 2px 0; }
tbody th, tbody td { border-top: 1px solid rgba(128, 128, 128, 0.3); padding: 3px 6px 3px 0; vertical-align: top; }
thead th.mark { width: 4.4rem; } thead th.number { width: 4rem; }
thead th:not(:first-child).text { width: 24%; }
.formula { overflow-x: auto; overflow-y: hidden; scrollbar-width: none; }
tbody td.text { overflow-wrap: break-word; }
tbody th { text-align: left; font-weight: 400; padding-left: 6px; border-left: 3px solid transparent; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.mark { white-space: nowrap; }
.formula { padding: 1px 0 2px; }
math { font-family: "Armsweep Math", math; font-size: 0.9375rem; }
button { all: unset; cursor: pointer; }
:is(button, .formula):focus-visible { outline: 2px solid currentColor; outline-offset: 2px; border-radius: 2px; }
tr[data-key]:not([data-key=""]) { cursor: pointer; }
tr[data-key]:not([data-key=""]):hover { background: rgba(128, 128, 128, 0.14); }
tr[aria-current] th { border-left-color: currentColor; }
tr[aria-current] { background: rgba(128, 128, 128, 0.2); }
tr.bad td, tr.bad th { font-weight: 600; }
tr.stage th { font-weight: 500; padding: 8px 0 3px; border-left-width: 0; opacity: 0.8; }
@media (max-width: 599px), (max-height: 560px) { button { min-height: 24px; } } /* fingers */
tr.bad td.mark { color: var(--bad); }
tr.good td.mark { color: var(--good); }
"""
TONES = {"light": ":host { --bad: #B3261E; --good: #1B6E3C; }", "dark": ":host { --bad: #FF8A80; --good: #7BD79B; }"}


class RowTable(Component):
    """Rows of text; a row with an ``action`` calls back with its key.

    Sends only changes: equal rows cost nothing.
    """

    columns: param.List = param.List(default=[], item_type=dict, doc="Dicts of title and kind (text, number, mark).")
    rows: param.List = param.List(
        default=[],
        item_type=dict,
        doc="Dicts of key, cells (a text each), formula (MathML under the first), tone, and action: what a click does.",
    )
    caption = param.String(default="", doc="What the table is about.")
    chosen = param.String(default="", doc="Key of the row that the cursor is at.")

    _esm = with_elements(Path(__file__).with_name("row_table.js"))

    def __init__(self, on_click: Callable[[str], None], **params: Any) -> None:
        params.setdefault("sizing_mode", "stretch_width")
        super().__init__(stylesheets=[ROWS_LOOK, TONES["light"]], **params)
        self._on_click = on_click

    def paint(self, theme: str) -> None:
        self.stylesheets = [ROWS_LOOK, TONES[theme]]

    def show(self, rows: list[dict[str, Any]], **params: Any) -> None:
        self.param.update(rows=rows, **params)

    def _handle_msg(self, data: object) -> None:
        if any(row["key"] == data and row.get("action") for row in self.rows):
            self._on_click(str(data))


class View(Viewer):
    """A view whose content is made once."""

    view: Viewable

    def __panel__(self) -> Viewable:
        return self.view


class Instrument(View):
    """The content of one entry of the rail.

    Attributes:
        painted: its parts that have colors of their own.
    """

    theme: palette.Theme = "light"
    painted: Sequence[Any] = ()

    @property
    def follows(self) -> bool:
        """Whether it shows the cursor's instant."""
        return True

    def draw(self) -> None:
        """Updates it; the clock calls this while it is open."""

    def redraw(self) -> None:
        """Draws it at once, after what its browser has said."""
        with unlocked():  # figures are Bokeh models, and messages arrive without the document's lock
            self.draw()

    def forget(self) -> None:
        """Discards its content after a change of machine while it was closed."""

    def paint(self, theme: palette.Theme) -> None:
        self.theme = theme
        for part in self.painted:
            part.paint(theme)


def scrolled(*parts: Viewable | Viewer) -> pn.Column:
    """The parts of an instrument below each other."""
    return pn.Column(*parts, sizing_mode="stretch_both", scroll="y", margin=0)
