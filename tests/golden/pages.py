"""What the instruments of a page say in numbers: each is opened as an address and a click open it, and its text read.

A number is named by the words of its row. One that travels to the browser as text is as it is shown; one that travels
as a number is written with six digits.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from html.parser import HTMLParser
from typing import Any

import numpy as np
import panel as pn
from bokeh.document import Document
from panel.io.state import set_curdoc

from app.page import PageParts, assembled
from tests.conftest import run_apart
from tests.golden.ledger import Ledger

SHARED = ("Walk", "Methods", "Change", "Edit")
PAGES: dict[str, tuple[str, ...]] = {
    "puma560": (
        *(*SHARED, "Influence", "Estimation", "Model", "Cost", "Papers", "Check", "Break it", "Write it", "Study"),
        "Lessons",
    ),
    "two_arms_and_box": (*SHARED, "Contact", "Influence"),
    "free_flyer": (*SHARED, "Two filters", "Check"),
}
AT = {"t": "0.600", "play": "0", "stage": "filter", "link": "1", "half": "1"}
BLOCKS = {"p", "tr", "li", "div", "h3", "h4", "caption", "dt", "dd", "section", "tbody", "thead", "table", "button"}
NUMBER = re.compile(r"(?<![\w.])[-−+]?\d[\d,]*(?:\.\d+)?(?:[eE][-−+]?\d+)?")
SHOWN = ("html", "object", "rows", "caption", "label", "value", "columns", "options", "items", "start", "end", "sheet")
UNSHOWN = {"key", "icon", "tone", "action", "formula", "color", "go", "words"}
LONGEST_LABEL = 36
HOLDS = "✓"
CITED = re.compile(r"\b(R87|R88|JR|TML|JZ) \(\w*\)")
ROUNDING = 1e-9
"""Below it a number is only rounding, and another one in another machine."""
LAST = {"Check": ("Relative difference at the cursor", "Newton and Euler for each link"), "Contact": ("has no gain",)}
"""Words of what an instrument shows last, where it begins to work on that at its own pace."""
BY_CHANCE = {"Estimation"}
"""Its draws are other ones on another processor: what is there before they come is held."""
PATIENCE = 1_000
"""Frames in which an instrument is ready."""
LOCAL = re.compile(r"\b(ms|µs|seconds? of|ago|KB|MB)\b")
"""What depends on the machine that computes."""


class Rows(HTMLParser):
    """HTML as rows of words with the numbers among them; numbers that come apart are taken from their places."""

    def __init__(self, numbers: np.ndarray) -> None:
        super().__init__()
        self.rows: list[tuple[str, list[tuple[float, float]]]] = []
        self._numbers = numbers
        self._words: list[str] = []
        self._values: list[tuple[float, float]] = []
        self._formula = 0
        self._group: list[int] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._formula += tag in ("math", "svg")
        if tag in BLOCKS:
            self.end_row()
        own = dict(attrs)
        if cells := own.get("data-cells"):  # of a matrix, to which the page adds its rows
            first, (rows, columns) = int(own["data-first"] or 0), map(int, cells.split())
            for at in range(first, min(first + rows * columns, len(self._numbers)), columns):
                self._group += range(at, at + columns)
                self.end_row()
        place = own.get("data-n")
        if place is not None and place.isdecimal() and int(place) < len(self._numbers):
            self._group.append(int(place))

    def handle_endtag(self, tag: str) -> None:
        self._formula -= tag in ("math", "svg")
        if tag in BLOCKS:
            self.end_row()

    def handle_data(self, data: str) -> None:
        if not self._formula:
            self._words.append(NUMBER.sub("", data))
            self._values += [written(token) for token in NUMBER.findall(data)]

    def end_row(self) -> None:
        if self._group:
            group = self._numbers[self._group]
            size = float(np.abs(group[np.isfinite(group)]).max(initial=0.0))
            self._values += [(float(f"{value:.6g}"), max(2e-6 * size, ROUNDING)) for value in group]
        words = " ".join(" ".join(self._words).split())
        if self._values and not LOCAL.search(words):
            self.rows.append((words, self._values))
        self._words, self._values, self._group = [], [], []


def written(token: str) -> tuple[float, float]:
    """A number as it is shown, and one unit of its last digit."""
    text = token.replace("−", "-").replace(",", "")
    mantissa, _, exponent = text.lower().partition("e")
    digits = len(mantissa.partition(".")[2])
    value, unit = float(text), 10.0 ** (int(exponent or 0) - digits)
    if "." not in mantissa and not exponent:
        return value, 0.0
    return value, max(1.01 * unit, ROUNDING)


def texts(value: Any) -> Iterator[str]:
    """Every text in a parameter, lists and tables of them, too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield " ".join(text for name, one in value.items() if name not in UNSHOWN for text in texts(one))
    elif isinstance(value, list | tuple):
        for one in value:
            yield from texts(one)
    elif isinstance(value, float | int) and not isinstance(value, bool):
        yield f"{value:.6g}"


def rows_of(view: Any) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    """What stands in everything that a view is made of, in its order."""
    for part in pn.panel(view).select():
        numbers = np.frombuffer(getattr(part, "numbers", b"") or b"", dtype="<f8")
        for name in SHOWN:
            if name not in part.param:
                continue
            for text in texts(getattr(part, name)):
                rows = Rows(numbers)
                rows.feed(text)
                rows.end_row()
                yield from rows.rows


def stand_in(view: Any, wanted: tuple[str, ...]) -> bool:
    """Whether all of these words are shown."""
    rows = [words for words, _ in rows_of(view)] if wanted else []
    return all(any(words in row for row in rows) for words in wanted)


async def settled(page: PageParts, is_there: Callable[[], bool], frame: Callable[[], object]) -> None:
    """Frame after frame until it is there."""
    for _ in range(PATIENCE):
        frame()
        page.session.jobs.attend()
        if is_there():
            frame()
            return
        if running := page.session.jobs.running:
            await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
        else:
            await asyncio.sleep(0.02)
    raise TimeoutError("the page is still at work")


async def _answers(preset: str, names: Sequence[str]) -> Ledger:
    ledger = Ledger()
    with set_curdoc(Document()):
        page = assembled({"preset": preset, **AT})
        session, tick = page.session, partial(page.clock.tick, 0.0, 0)
        await settled(page, lambda: abs(session.time - float(AT["t"])) < 1e-6, tick)
        for name in names:
            page.instruments.open(name)
            if name not in page.instruments.open_names:
                raise LookupError(f"{preset} does not offer {name}")
            made = page.instruments.make(name)
            if name not in BY_CHANCE:
                found = partial(stand_in, made, LAST.get(name, ()))
                frame = tick if name == "Check" else page.instruments.draw  # the badge compares the methods
                await settled(page, lambda found=found: not session.jobs.running and found(), frame)
            before = ""
            for words, values in rows_of(made):
                if HOLDS in words:  # where a residual is worst is rounding, too
                    words, values = words.partition(HOLDS)[0], values[-1:]
                elif all(abs(value) < ROUNDING for value, _ in values):  # and which difference is the largest
                    words = words.partition(";")[0]
                before = CITED.sub("", words)[:LONGEST_LABEL].strip(" :=") or before
                found, tolerances = zip(*values, strict=True)
                ledger.line(name, before, found, tolerances)
        page.clock.stop()
    return ledger


def page_answers(preset: str) -> Ledger:
    """What the instruments of a machine's page say, at an instant of its motion."""
    return run_apart(_answers(preset, PAGES[preset]))
