"""What of a session its followers see: where it is in which run, and how it is looked at."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from typing import Any

from app.lecture import Lecture
from app.state import Session
from app.views.staging import staged

SLACK = 0.15
"""Seconds by which two clocks that play may differ before followers are told."""
DIGITS = 4
"""Of a second."""
CAMERA = re.compile(r"(-?\d{1,4}\.\d{4} ){5}-?\d{1,4}\.\d{4}|")
WATCHED = "run", "playing", "scrubbing", "speed", "layers", "block", "around", "breaks", "walked", "follows_walk"
Picture = tuple[list[str], dict[str, list[int]]]
"""Its layers, and of single ones whose: the numbers of the links."""
FOLLOWED = "time", "stage", "link", "half"


class Lead:
    """Follows a session, and calls when there may be something new.

    Args:
        lecture: whose moments are told.

    Attributes:
        run: number of the run as it is looked at; another number, other pictures.
        machine: number of the machine.
    """

    def __init__(self, session: Session, stir: Callable[[], None], lecture: Lecture | None = None) -> None:
        self._session, self._stir = session, stir
        self._lecture = lecture or Lecture(session, "")
        self.run = self.machine = 0
        self._look: tuple[object, ...] = ()
        self._loaded: object = None
        self._camera = ""
        self._staged: tuple[object, Picture] = (None, ([], {}))
        self._jump = 0
        self._pace: tuple[object, ...] = ()
        self._seen = math.nan
        self._anchor = (session.cursor.time, time.monotonic())
        self._watchers = [
            (watched, watched.param.watch(self._note, list(names)))
            for watched, names in (
                (session, WATCHED),
                (session.cursor, FOLLOWED),
                (self._lecture, ("seen", "moments")),
            )
        ]
        self._note()

    def stop(self) -> None:
        """Follows no more."""
        for watched, watcher in self._watchers:
            watched.param.unwatch(watcher)
        self._watchers = []

    def hold(self, at: object) -> None:
        """Where the lecturer holds the scrubber, of which the session hears when it rests."""
        if isinstance(at, int | float) and math.isfinite(at):
            self._stand(min(max(float(at), 0.0), self._session.run.duration))
            self._stir()

    def turn(self, camera: object) -> None:
        """How the lecturer's camera stands: "position target" in metres, or nothing where it is the page's own."""
        if isinstance(camera, str) and CAMERA.fullmatch(camera) and camera != self._camera:
            self._camera = camera
            self._stir()

    def _note(self, *_: object) -> None:
        session, cursor = self._session, self._session.cursor
        if session.loaded is not self._loaded:
            self._loaded = session.loaded
            self.machine += 1
        whose = {"arm": cursor.arm, "link": cursor.link}.get(session.around)
        look = (session.run, session.block, session.around, whose, session.breaks)
        pace = (look, session.playing and not session.scrubbing, session.speed)
        moved, self._seen = cursor.time != self._seen, cursor.time
        if look != self._look:
            self._look = look
            self.run += 1
        if pace != self._pace or (moved and self._is_off(cursor.time)):
            self._pace = pace
            self._stand(cursor.time)
        self._stir()

    def _stand(self, at: float) -> None:
        self._anchor = (at, time.monotonic())
        self._jump += 1

    def _is_off(self, at: float) -> bool:
        off = abs(at - self.time)
        return min(off, self._session.run.duration - off) > (SLACK if self._moves else 0.0)

    @property
    def _moves(self) -> bool:
        return self._session.playing and not self._session.scrubbing

    @property
    def time(self) -> float:
        """Where the lecturer is now, s: as far as the clock has run since it was known."""
        at, since = self._anchor
        if not self._moves:
            return at
        at += (time.monotonic() - since) * self._session.speed
        run = self._session.run
        return at if at <= run.end or not run.complete else math.fmod(at, run.end)

    @property
    def _picture(self) -> Picture:
        """What it shows: that of the walk's step where it chooses, else the lecturer's."""
        session = self._session
        if not session.is_staged:
            return list(session.layers), {}
        system, place = session.system_here, session.place
        if self._staged[0] != (at := (system, place, tuple(session.layers))):
            step = staged(system, place)
            self._staged = (at, (list(step.with_own(session.layers)), step.links_only(system)))
        return self._staged[1]

    def state(self) -> dict[str, Any]:
        """All of it, as followers hear it."""
        session, cursor = self._session, self._session.cursor
        layers, only = self._picture
        return {
            "run": self.run,
            "machine": self.machine,
            "jump": self._jump,
            "time": round(self.time, DIGITS),
            "playing": self._moves,
            "speed": session.speed,
            "step": [cursor.stage, cursor.link, cursor.half],
            "layers": layers,
            "only": only,
            "camera": self._camera,
            "caption": list(self._lecture.caption),
        }
