"""Exports a run as one self-contained HTML file, and the button that saves it."""

from __future__ import annotations

import functools
import html
import inspect
import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from bokeh.resources import Resources
from panel.custom import JSComponent

import dynamics as dyn
from app.clipboard import COPYING
from app.component import BUNDLE, Component
from app.controls.keyboard import Keyboard
from app.controls.transport import SPEEDS, Timeline, marks_of
from app.equations.meanings import cards, letters
from app.equations.sheet import Sheet
from app.instruments.walk import walk_shortcuts
from app.instruments.walk.diagram import Diagram
from app.job import Job
from app.messages import file_stem
from app.motion.recorded_run import RecordedRun
from app.motion.run import Run
from app.replay.curves import Curves, Parcel
from app.replay.pictures import Pictures
from app.replay.walks import Walks
from app.state import Session
from app.state.walk import AutoWalk
from app.views.components import TYPE_SIZE, Button, with_elements
from app.views.notice import Notifier
from app.views.playback import INTERVAL
from app.views.plots.board import PlotBoard
from app.views.plots.panels import MOST_PANELS, Panel
from app.views.show import ShowList
from scenes import palette

WALKED = 0.2  # Default time in seconds between two instants of the walk
SHORTEST, LONGEST = 0.1, 120.0  # Shortest and longest duration of a replay in seconds
MOST_READ = 600  # Largest number of instants of the walk
CLOSEST = 0.01  # Shortest time in seconds between two of them; equals the time step of the keys
GRAIN = 2.0**-16  # Rounding of pictures in m (0.015 mm); the displayed numbers keep all their digits


class Replay:
    """Gathers the content of the file, a little at a time.

    Args:
        session: determines what is shown and how; its run is complete.
        walked: seconds between two instants of the walk.
        panels: of the plots, by tab; by default those that each tab opens with.

    Raises:
        StateError: if the run is too short, too long, or not complete.
    """

    def __init__(
        self, session: Session, walked: float = WALKED, panels: Mapping[str, tuple[Panel, ...]] | None = None
    ) -> None:
        run: Run = session.run
        refuse(run)
        self._session = session
        self._read = instants(run.end, max(walked, CLOSEST, run.end / MOST_READ))
        self._drawn = instants(run.end, INTERVAL)
        self._walked = walked
        self._pictures, self._walks, self._curves = (
            Pictures(session, self._drawn, grain=GRAIN),
            Walks(session, self._read),
            Curves(session, panels),
        )
        self.progress = 0.0

    def gather(self) -> Iterator[None]:
        """Does all the work, in steps of some milliseconds to a quarter of a second."""
        parts = ((self._pictures.draw(), 0.25, 1.4 * len(self._drawn)), (self._walks.read(), 0.6, len(self._read)),
                 (self._curves.draw(), 0.15, 120))  # fmt: skip
        for steps, share, count in parts:
            before = self.progress
            for number, _ in enumerate(steps):
                self.progress = before + share * min(number / count, 1.0)
                yield
            self.progress = before + share

    def html(self) -> str:
        """The file, once everything is gathered."""
        parcel = Parcel()
        data = self._data(parcel)
        parts = {
            "title": html.escape(data["title"]),
            "style": own("replay.css"),
            "start": own("start.js"),
            "parcel": parcel.packed(data),
        }
        return re.sub(r"{{(\w+)}}", lambda found: parts[found[1]], own("replay.html"))

    def _data(self, parcel: Parcel) -> dict[str, Any]:
        return {
            **head_of(self._session),
            "note": self._note(),
            "pictures": self._pictures.data(parcel),
            "walks": self._walks.data(parcel),
            "curves": self._curves.data(parcel),
            "scripts": scripts(),
        }

    def _note(self) -> str:
        step = self._read[1] - self._read[0]
        return (
            f"This file carries {len(self._drawn)} pictures, {INTERVAL:g} s apart, in single precision, and moves "
            f"between them; the curves at up to 600 instants; and the walk at {len(self._read)} instants, {step:.3g} s "
            "apart, both in double precision, as they were computed. The scales of ellipsoids and arrows hold for the "
            "whole run. It asks no server for anything."
        )


def refuse(run: Run) -> None:
    """Rejects a run that no replay can hold.

    Raises:
        StateError: if the run is too short, too long, or not complete.
    """
    if not run.complete:
        raise dyn.StateError("this run is not computed to its end yet; a replay holds all of it.")
    if not SHORTEST <= run.end <= LONGEST:
        raise dyn.StateError(f"this run spans {run.end:.3g} s; a replay holds {SHORTEST:g} s to {LONGEST:g} s.")


def head_of(session: Session) -> dict[str, Any]:
    """Data about a run for the page that plays it, apart from pictures, curves and walk."""
    run = session.run
    return {
        "title": session.title,
        "duration": run.end,
        "interval": INTERVAL,
        "time": min(session.cursor.time, run.end),
        "speed": session.speed,
        "speeds": SPEEDS,
        "marks": marks_of(run.events, run.limits_met),
        "most": MOST_PANELS,
        "keys": keys_of(session),
        "styles": {"board": style_of(PlotBoard), "timeline": style_of(Timeline)},
        "events": [f"{time:.2f} s: {word}" for time, word in run.events],
        "linkNames": list(session.system.link_names),
        "colors": {
            theme: {"ink": palette.INK[theme], "accent": palette.PRIMARY[theme], "ground": palette.BACKGROUND[theme]}
            for theme in palette.THEMES
        },
    }


def keys_of(session: Session) -> list[dict[str, Any]]:
    """The keys of the page that a replay supports."""
    own = [
        (" ", "Space", "play and pause", False),
        (",", ",", "a hundredth of a second back", True),
        (".", ".", "a hundredth of a second forward", True),
        ("r", "R", "from the start", False),
    ]
    walked = [(each.key, each.shown, each.words, each.repeats) for each in walk_shortcuts(session, AutoWalk(session))]
    more = [("p", "P", "large type", False), ("?", "?", "this sheet", False)]
    names = ("key", "shown", "words", "repeats")
    return [dict(zip(names, key, strict=True)) for key in (*own, *walked, *more)]


def text_of(component: type[JSComponent]) -> str:
    script = str(component._esm)
    return beside(component, script) if script.endswith(".js") else script


def style_of(component: type[JSComponent]) -> str:
    return "\n".join(beside(component, str(name)) for name in component._stylesheets)


def beside(component: type[JSComponent], name: str) -> str:
    """A file in the folder of a view's module."""
    return Path(inspect.getfile(component)).with_name(name).read_text("utf-8")


def instants(end: float, interval: float) -> np.ndarray:
    """Instants in s from zero to the end; the last interval may be shorter."""
    return np.append(np.arange(0.0, end - 1e-6 * min(interval, end), interval), end)


@functools.cache
def scripts() -> dict[str, str]:
    """The page's own scripts: those of the views, and Bokeh's."""
    parts = {"timeline": Timeline, "board": PlotBoard, "diagram": Diagram, "sheet": Sheet, "keyboard": Keyboard,
             "show": ShowList}  # fmt: skip
    found = {name: text_of(component) for name, component in parts.items()}
    found["viewer"] = BUNDLE.read_text("utf-8")
    found["replay"] = with_elements(TYPE_SIZE) + own("replay.js")
    found["meanings"] = f"export default {json.dumps({'letters': letters(), 'cards': cards()})}"
    found["bokeh"] = "\n".join(Resources(mode="inline", components=["bokeh"]).js_raw)
    return found


def own(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")


def to_html(recording: dyn.Recording, title: str = "", walked: float = WALKED) -> str:
    """The text of the file that ``Recording.to_html`` writes."""
    run = RecordedRun(recording, title)
    session = Session(setup=run.setup, run=run)
    try:
        session.playing = False
        replay = Replay(session, walked)
        for _ in replay.gather():
            pass
        return replay.html()
    finally:
        session.jobs.stop()


Panels = Mapping[str, tuple[Panel, ...]]
SLICE = 0.1  # Seconds of work per slice; the page responds between two slices
MOST_AT_ONCE = 2  # Largest number of replays that one server makes at a time
BUSY = "The server is making replays for others; try again in half a minute."
UNFINISHED = "The run is still being computed; a replay holds all of it. Try again in a moment."


class Download(Component):
    """Has the browser save a text as a file."""

    _esm = (
        COPYING.read_text("utf-8")
        + """
export function render({ model }) {
  model.on("msg:custom", (message) => {
    const { name, text } = message.data ?? message
    saveText(name, text, "text/html", document.body)
  })
  return document.createElement("span")
}
"""
    )

    def __init__(self) -> None:
        super().__init__(width=0, height=0, margin=0)

    def save(self, name: str, text: str) -> None:
        self._send_msg({"name": name, "text": text})


ENDLESS = "A run without an end does not fit into a file: switch its end on again (the button ∞), then save it."


class SaveReplay(Notifier):
    """Makes the file slice by slice beside the page, reports progress, and saves it in the browser.

    Args:
        panels: of the plots, by tab.

    Attributes:
        browser: the component that the page must contain to save the file.
    """

    _making: ClassVar[set[SaveReplay]] = set()  # Those in progress, of all sessions of this process

    def __init__(self, session: Session, panels: Callable[[], Panels], **params: object) -> None:
        super().__init__(**params)
        self._session, self._panels = session, panels
        self._gathering: Job[bool] = session.jobs.new("The replay could not be made")
        self._packing: Job[str] = session.jobs.new("The replay could not be made")
        self._steps: Iterator[None] = iter(())
        self.browser = Download()
        self.button = Button("Save replay: this run as one file that plays without a server", self.make, icon="movie")

    def make(self) -> None:
        """Starts, unless a replay is in progress already."""
        session = self._session
        if self in self._making:
            return
        if not session.run.complete:
            session.message = ENDLESS if session.endless else UNFINISHED
            return
        if len(self._making) >= MOST_AT_ONCE:
            session.message = BUSY
            return
        try:
            replay = Replay(copy_of(session), WALKED, self._panels())
        except ValueError as refusal:  # a run that is too short or too long
            session.message = f"This run cannot be saved as a replay: {refusal}"
            return
        self._making.add(self)
        self._steps = replay.gather()
        self._go_on(replay)

    def _go_on(self, replay: Replay) -> None:
        self._say(f"The replay is being made: {100 * replay.progress:.0f} %.")

        def take(done: bool) -> None:
            if done:
                self._hand_over(replay)
            else:
                self._go_on(replay)

        self._gathering.start(self._slice, take, self._fail)

    def _slice(self) -> bool:
        """Does a slice of work in a thread; returns whether nothing is left to do."""
        until = time.monotonic() + SLICE
        while time.monotonic() < until:
            if next(self._steps, self) is self:
                return True
        return False

    def _hand_over(self, replay: Replay) -> None:
        name = file_stem(self._session.title) or "run"
        self._packing.start(replay.html, lambda text: self._save(f"{name}.html", text), self._fail)

    def _save(self, name: str, text: str) -> None:
        self._end()
        self.browser.save(name, text)
        self._say(f"The replay is saved as {name}, {len(text) / 1e6:.1f} MB; it opens in any browser.")

    def _fail(self, words: str) -> None:
        self._end()
        self._notice.leave()
        self._session.message = words

    def _end(self) -> None:
        self._steps = iter(())
        self._making.discard(self)

    def stop(self) -> None:
        self._end()

    def _say(self, words: str) -> None:
        self._notice.say(words, "info")


def copy_of(session: Session) -> Session:
    """A snapshot of a session for a replay, unaffected by later changes in the page."""
    copy = Session(setup=session.setup, run=session.run)
    cursor = {name: value for name, value in session.cursor.param.values().items() if name != "name"}
    other = {name: getattr(session, name) for name in ("speed", "layers", "block", "around", "breaks")}
    copy.cursor.param.update(**cursor)
    copy.param.update(**other, playing=False)
    return copy
