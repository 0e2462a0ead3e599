"""The button that saves the present run as one file."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar

from app.clipboard import COPYING
from app.component import Component
from app.job import Job
from app.messages import file_stem
from app.replay.replay import WALKED, Replay
from app.state import Session
from app.views.components import Button
from app.views.notice import Notifier
from app.views.plots.panels import Panel

Panels = Mapping[str, tuple[Panel, ...]]
SLICE = 0.1
"""Seconds of work per slice; the page responds between two slices."""
MOST_AT_ONCE = 2
"""Largest number of replays that one server makes at a time."""
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

    _making: ClassVar[set[SaveReplay]] = set()
    """Those in progress, of all sessions of this process."""

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
