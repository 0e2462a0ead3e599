"""HTML with placeholders for numbers: the HTML is sent when the step changes, the numbers at every instant."""

from __future__ import annotations

import html as escaping
from collections.abc import Callable, Container, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import param
from numpy.typing import ArrayLike, NDArray

from app.clipboard import COPYING
from app.component import Component
from app.equations.meanings import meanings
from app.equations.rounding import Loads
from app.equations.sheet_style import colors_of
from app.number_text import beside_numbers
from dynamics.reading import Reading
from scenes import palette

FIT = Path(__file__).with_name("fit.js")  # Scales a formula to the available width

SOUGHT = "<span data-sought></span>"  # A sheet scrolls this mark into view


class Sheet(Component):
    """``data-n`` marks the place of a number, ``data-first`` its group, and ``data-go`` what can be clicked.

    A matrix has ``data-cells`` (rows and columns) instead of cells.

    Args:
        go: called with what is clicked.
        look: style sheet, in addition to that of all sheets.
    """

    html = param.String(default="", doc="Its HTML without the numbers. Names in it are escaped.")
    css = param.String(default="", doc="Its colors, and what its owner adds to the look of all sheets.")
    numbers = param.Bytes(default=b"", doc="float64, little-endian.")

    _esm = beside_numbers(
        COPYING, FIT, *(Path(__file__).with_name(name) for name in ("tiles.js", "pictures.js", "more.js", "sheet.js"))
    )
    _stylesheets = ["sheet.css"]  # noqa: RUF012

    def __init__(self, go: Callable[[str], None], look: str = "", **params: Any) -> None:
        self._go, self._look, self._passing = go, look, b""
        super().__init__(**{"margin": 0, "sizing_mode": "stretch_width", "css": colors_of("light") + look} | params)

    def paint(self, theme: palette.Theme) -> None:
        self.css = colors_of(theme) + self._look

    def show(self, html: str | None, numbers: ArrayLike | None, passing: bool = False) -> None:
        """Sends what changed: the HTML and the numbers (None: unchanged).

        Args:
            passing: whether other numbers follow soon, so that these need not be kept for browsers that connect later;
                a message costs half as much as a parameter.
        """
        changed: dict[str, object] = {}
        if html is not None and html != self.html:
            changed["html"] = html
        packed = self.numbers if numbers is None else np.asarray(numbers, dtype="<f8").tobytes()
        if passing and not changed:
            if packed != (self._passing or self.numbers):
                self._passing = packed
                self._send_msg(packed)
            return
        passed, self._passing = self._passing, b""
        if packed != self.numbers:
            changed["numbers"] = packed
        if changed:
            self.param.update(**changed)
        if passed and "numbers" not in changed:
            self._send_msg(packed)  # the parameter is unchanged, but the browser shows passing numbers

    def hand(self, text: str, what: str, name: str = "") -> None:
        """Has the browser copy a text, or save it under a name.

        Args:
            what: names the text in the message "… copied".
        """
        self._send_msg({"handed": text, "what": what, "name": name})

    def _handle_msg(self, data: object) -> None:
        if not isinstance(data, str):
            return
        if (answer := meanings(data)) is not None:
            self._send_msg(answer)
        else:
            self._go(data)


def action_html(go: str, content: str, name: str = "") -> str:
    """Words that can be clicked.

    Args:
        go: what the sheet then receives.
        content: HTML.
        name: for screen readers, if the content does not say it.
    """
    said = f" aria-label='{escaping.escape(name, quote=True)}'" if name else ""
    sent = escaping.escape(go, quote=True)
    return f"<span class='action' data-go='{sent}' tabindex='0' role='button'{said}>{content}</span>"


def buttons_html(offered: Iterable[tuple[str, str, str]], pressed: Container[str]) -> str:
    """Buttons of which some are pressed.

    Args:
        offered: of each, as for ``action_html``.
        pressed: what those send that are pressed.
    """
    found = ""
    for go, content, name in offered:
        said, state = f" aria-label='{name}'" if name else "", str(go in pressed).lower()
        found += f"<button type='button' data-go='{go}'{said} aria-pressed='{state}'>{content}</button>"
    return found


class Numbering:
    """Allocates the places of numbers while HTML is written."""

    def __init__(self) -> None:
        self.count = 0

    def one(self, look: str = "") -> str:
        """A single number; ``look``: additional attributes."""
        n = self.count
        self.count += 1
        return f"<span class='number' data-first='{n}' data-n='{n}'{look}></span>"

    def cell(self) -> str:
        """The attribute of the next number of a group."""
        self.count += 1
        return f"data-n='{self.count - 1}'"


class Figures(Numbering):
    """Allocates places and collects their numbers in the same order.

    Args:
        length: relates angular and linear numbers; 0 if they are not compared.
        loads: at the joints; numbers small compared with them are rounding.
    """

    def __init__(self, length: float = 0.0, loads: Loads | None = None) -> None:
        super().__init__()
        self.length, self.loads = length, loads
        self._values: list[NDArray[np.float64]] = []

    @classmethod
    def of(cls, reading: Reading) -> Figures:
        """For the numbers of an executed text."""
        loads = Loads.of(reading.system, reading.solution.stages)
        return cls(loads.length, loads)

    def put(self, value: ArrayLike) -> None:
        """Adds the numbers of the places that are allocated next, row by row."""
        self._values.append(np.asarray(value, dtype=float).ravel())

    @property
    def numbers(self) -> NDArray[np.float64]:
        """All numbers in order."""
        return np.concatenate(self._values) if self._values else np.empty(0)
