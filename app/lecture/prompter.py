"""What leads through a lecture wherever one is on the page: keys, words, pictures, files, and what a reload keeps."""

from __future__ import annotations

import html
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import param
from panel.viewable import Viewable

from app.component import Component
from app.copying import COPYING
from app.job import Job
from app.lecture.handout import WALK, WRITE, Handout
from app.lecture.instrument_print import Part, parts_of
from app.lecture.lecture import Lecture
from app.lecture.moment import Moment
from app.lecture.read import Reading
from app.lecture.written import written
from app.motion.errors import ERRORS
from app.number_text import beside_numbers
from app.saved.written import LARGEST, shown_by
from app.service import counters
from app.state import Session
from app.state.opening import RefusedError
from app.upload.receiving import Refused, received
from app.views.notice import STAYS_LONG, Telling
from app.views.printed import PRINTING

SLICE = 0.2
"""Seconds of work at a time."""
LONGEST_ADDRESS = 300
"""Characters of the page's own address."""
PERIOD = 1.0
"""Seconds between two looks at what the instrument of a moment shows."""
TOO_LARGE = f"This file is larger than the {LARGEST >> 20} MB that a lecture may have."
NOT_KEPT = "This lecture is too large for the browser to keep it over a reload: save it as a file."


class Browser(Component):
    """The lecturer's browser; shows nothing."""

    count = param.Integer(default=0, doc="How many moments there are: without any, no key is taken.")

    _esm = beside_numbers(COPYING, PRINTING, Path(__file__).with_name("prompter.js"))

    def __init__(self, hear: Callable[[Mapping[str, Any]], None], **params: Any) -> None:
        super().__init__(width=0, height=0, margin=0, **params)
        self._hear = hear

    def tell(self, **words: object) -> None:
        """Has it do something: ``shoot``, ``look``, ``keep``, ``save`` or ``show``."""
        self._send_msg(words)

    def _handle_msg(self, data: object) -> None:
        if isinstance(data, Mapping):
            self._hear(data)


class Prompter(Telling):
    """Stands in the page's header, and shows nothing there.

    Args:
        is_open: whether the list of moments is what is open, which says what there is to say; what stands beside
            another instrument may have no room on a narrow screen.
        pane: the instrument that is open; None where it is not there yet.
    """

    def __init__(
        self,
        session: Session,
        lecture: Lecture,
        is_open: Callable[[], bool],
        pane: Callable[[], Viewable | None] = lambda: None,
        **params: object,
    ) -> None:
        super().__init__(**params)
        self._session, self._lecture, self._is_open, self._pane = session, lecture, is_open, pane
        self._parts: dict[int, tuple[Part, ...]] = {}
        self._stands: Moment | None = None
        self._looked = 0.0
        self._browser = Browser(self._hear)
        self._home, self._asked = "", False
        self._stored: tuple[object, ...] = ()
        self._opening: Job[bool] = session.jobs.new(
            "This lecture cannot be opened", self._refuse, (*ERRORS, RefusedError)
        )
        self._printing: Job[bool] = session.jobs.new("The handout cannot be made", lecture.say, (*ERRORS, RefusedError))
        lecture.param.watch(self._count, "moments")
        lecture.param.watch(self._shoot, "kept")
        lecture.param.watch(self._show, "shown")
        lecture.param.watch(self._say, "word")
        lecture.param.watch(self._look, ["kept", "shown"])
        session.param.watch(self._hide, "projector")

    # ---- what is said ----

    def _count(self, _: object) -> None:
        self._browser.count = len(self._lecture.moments)

    def _shoot(self, event: param.parameterized.Event) -> None:
        self._browser.tell(shoot=event.new.number)

    def _show(self, event: param.parameterized.Event) -> None:
        """A moment has come: the camera turns, its title is heard, its note is read by whoever does not project."""
        moment: Moment = event.new
        self._browser.tell(look=moment.camera)
        where = f"{self._lecture.place(moment.number)} of {len(self._lecture.moments)}: {moment.title}"
        if self._session.projector or self._is_open():
            self._told.leave()
            self._session.whispered = f"Moment {where}."
            return
        note = html.escape(moment.note).replace("\n", "<br>")
        self._told.say(f"<b>{html.escape(where)}</b>{note and '<br>'}{note}", "info", STAYS_LONG)

    def _hide(self, event: param.parameterized.Event) -> None:
        """On a projector the world alone is seen."""
        if event.new:
            self._told.leave()

    def _say(self, event: param.parameterized.Event) -> None:
        if not event.new or self._is_open():  # the list says it
            return
        if self._session.projector:
            self._session.whispered = event.new
        else:
            self._told.say(html.escape(event.new), "info")

    # ---- what the browser keeps ----

    def draw(self) -> None:
        """Its word leaves when it has been read; what is new is kept over a reload."""
        super().draw()
        self._read_pane()
        lecture = self._lecture
        if not self._asked or self._opening.busy:
            return
        present = (lecture.moments, lecture.place(lecture.at))
        if present == self._stored:
            return
        is_same, self._stored = self._stored[:1] == present[:1], present
        if is_same:
            self._browser.tell(keep={"place": present[1]})
            return
        try:
            text = written(lecture) if lecture.moments else ""
        except RefusedError:
            lecture.say(NOT_KEPT)
            return
        self._browser.tell(keep={"place": present[1], "text": text})

    # ---- what is printed of an instrument ----

    def _look(self, event: param.parameterized.Event) -> None:
        """Who keeps a moment sees what it shows; one that comes again takes its time."""
        self._stands, self._looked = event.new, 0.0 if event.name == "kept" else time.monotonic()

    def _read_pane(self) -> None:
        """What the instrument shows of a moment that stands still: the newest, as some of it takes its time."""
        session, moment, now = self._session, self._stands, time.monotonic()
        if moment is None or session.jobs.running or now < self._looked + PERIOD:
            return
        self._looked, pane = now, self._pane()
        if session.playing or pane is None or not moment.is_shown(shown_by(session)["moment"]):
            self._stands = None
        elif moment.query.get("tab", "") not in (*WALK, WRITE, self._lecture.instrument):
            self._parts[moment.number] = tuple(parts_of(pane))

    # ---- what the browser says ----

    def _hear(self, said: Mapping[str, Any]) -> None:
        step, shot, home = said.get("step"), said.get("shot"), said.get("home")
        if type(step) is int and step in (1, -1):
            self._lecture.step(step)
        elif type(shot) is int:
            camera, picture, figure = (said.get(name) for name in ("camera", "picture", "figure"))
            if isinstance(camera, str) and isinstance(picture, str) and isinstance(figure, str):
                self._lecture.picture(shot, camera, picture, figure)
        elif said.get("full") is True:
            self._lecture.say(NOT_KEPT)
        elif isinstance(home, str) and len(home) < LONGEST_ADDRESS and home.startswith(("http://", "https://")):
            self._home = home
            self._begin_again(said.get("text"), said.get("place"))

    def _begin_again(self, text: object, place: object) -> None:
        """What was kept before a reload, with all limits of a file; once, before anything else is kept."""
        if self._asked:
            return
        self._asked = True
        data = text.encode(errors="replace") if isinstance(text, str) else b""
        if not data or len(data) > LARGEST or not self._session.jobs.allowance.takes_upload():
            return
        at = place if isinstance(place, int) else 0
        self._read(data, lambda reading: self._lecture.begin_with(reading.moments, reading.texts, at))

    # ---- files ----

    def save(self) -> None:
        """Hands the file of all moments to the browser."""
        try:
            text = written(self._lecture)
        except RefusedError as refusal:
            self._lecture.say(f"Not saved: {refusal}")
            return
        name = f"lecture-{time.strftime('%Y-%m-%d')}.armsweep.json"
        self._browser.tell(save={"name": name, "text": text})
        self._lecture.say(f"Saved as {name}.")

    def take(self, data: object, name: str) -> None:
        """Opens what a browser has sent, with all limits of an upload; or says why not."""
        sent = received(self._session, data, LARGEST, TOO_LARGE)
        if isinstance(sent, Refused):
            self.refuse(*sent)
            return
        self._lecture.say("Reading …")
        self._read(sent, lambda reading: self._opened(reading, name))

    def refuse(self, words: str, reason: str = "file") -> None:
        """Says that a file is not taken."""
        counters.uploads_refused.labels(reason).inc()
        self._refuse(words)

    def _refuse(self, words: str) -> None:
        self._session.message = words
        self._lecture.say(words)

    def _opened(self, reading: Reading, name: str) -> None:
        count = len(reading.moments)
        called = name[-80:] or "The lecture"
        word = f"{called} is open: {count} moment{'s' if count > 1 else ''}. Page Down shows the first."
        self._lecture.replace(reading.moments, reading.texts, word)

    def _read(self, data: bytes, done: Callable[[Reading], None]) -> None:
        reading = Reading(data, self._session)
        in_slices(self._opening, reading.pieces(), lambda: done(reading))

    def print(self) -> None:
        """Makes the handout beside the page, and has the browser print it."""
        lecture = self._lecture
        if not lecture.moments:
            lecture.say("There is nothing to print: no moment is kept yet.")
            return
        lecture.say("Making the handout …")
        handout = Handout(lecture, self._session, self._home, self._parts)

        def done() -> None:
            self._browser.tell(show=handout.html())
            lecture.say("The handout is in the browser's print dialog, which also saves it as a PDF.")

        in_slices(self._printing, handout.pieces(), done)

    def __panel__(self) -> Viewable:
        return self._browser


def in_slices(job: Job[bool], pieces: Iterator[None], done: Callable[[], None]) -> None:
    """Has pieces of work done in a thread, some at a time, as long as nothing else is asked of the job."""

    def work() -> bool:
        until = time.monotonic() + SLICE
        while time.monotonic() < until:
            if next(pieces, pieces) is pieces:
                return True
        return False

    def take(is_over: bool) -> None:
        done() if is_over else in_slices(job, pieces, done)

    job.start(work, take)
