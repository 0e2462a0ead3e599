"""What followers see of a session: the lecturer's place and view, and the run itself, in parts."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from app.classroom.lecture import Lecture
from app.replay.curves import Curves, Parcel
from app.replay.pictures import Pictures
from app.replay.replay import Panels, head_of, instants, refuse
from app.replay.walks import Stretch, Walks
from app.state import Session
from app.views.playback import INTERVAL
from app.views.scene_options import staged

SLACK = 0.15  # seconds by which the clocks may differ during playback before followers get a new time
DIGITS = 4  # of a second
CAMERA = re.compile(r"(-?\d{1,4}\.\d{4} ){5}-?\d{1,4}\.\d{4}|")
OF_SESSION = "run", "playing", "scrubbing", "speed", "walked", "follows_walk"
OF_PICTURE = "layers", "block", "around", "breaks", "instead"
OF_CURSOR = "time", "stage", "link", "half"  # changes of these may have to be sent
WALKED = 0.5  # seconds between two instants at which the walk can be read anyway
MOST_READ = 60  # most such instants
NEAR = 1e-4  # seconds within which two instants are the same
NOTE = (
    "You follow a lecture: time, step, layers and camera are the lecturer's until you do something yourself. The walk "
    "can be read every half second, and wherever the lecturer has paused. What you do changes nothing for anybody else."
)
FOLLOW = {"key": "f", "shown": "F", "words": "follow the lecturer again", "repeats": False}


class SessionObserver:
    """Observes a session and its lecture, and calls ``stir`` when there may be something new.

    ``run`` and ``machine`` count what is drawn and of what; a new number of a run means new pictures.
    """

    def __init__(self, session: Session, stir: Callable[[], None], lecture: Lecture) -> None:
        self._session, self._stir, self._lecture = session, stir, lecture
        self.run = self.machine = self._jump = 0
        self._look: tuple[object, ...] = ()
        self._pace: tuple[object, ...] = ()
        self._loaded: object = None
        self._camera = ""
        self._staged: tuple[object, dict[str, Any]] = (None, {})
        self._seen = math.nan
        self._anchor = (session.cursor.time, time.monotonic())
        watched = ((session, OF_SESSION + OF_PICTURE), (session.cursor, OF_CURSOR), (lecture, ("seen", "moments")))
        self._watchers = [(each, each.param.watch(self._note, list(names))) for each, names in watched]
        self._note()

    def stop(self) -> None:
        for watched, watcher in self._watchers:
            watched.param.unwatch(watcher)
        self._watchers = []

    def hold(self, at: object) -> None:
        """Sets where the lecturer holds the scrubber; the session itself learns this only when it is released."""
        if isinstance(at, int | float) and math.isfinite(at):
            self._stand(min(max(float(at), 0.0), self._session.run.duration))
            self._stir()

    def turn(self, camera: object) -> None:
        """Sets the lecturer's camera: "position target" in metres, or empty for the page's own view."""
        if isinstance(camera, str) and CAMERA.fullmatch(camera) and camera != self._camera:
            self._camera = camera
            self._stir()

    def _note(self, *_: object) -> None:
        session, cursor = self._session, self._session.cursor
        if session.loaded is not self._loaded:
            self._loaded = session.loaded
            self.machine += 1
        around = {"arm": cursor.arm, "link": cursor.link}.get(session.around)
        look = (session.run, session.block, session.around, around, session.breaks)
        if look != self._look:
            self._look = look
            self.run += 1
        pace = (look, self._moves, session.speed)
        moved, self._seen = cursor.time != self._seen, cursor.time
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
        """The lecturer's current time, s, extrapolated by the clock from the last known one."""
        at, since = self._anchor
        if not self._moves:
            return at
        at += (time.monotonic() - since) * self._session.speed
        run = self._session.run
        return at if at <= run.end or not run.complete else math.fmod(at, run.end)

    @property
    def _picture(self) -> dict[str, Any]:
        """Layers, and the links for which single ones are drawn: those of the walk's step, if it decides."""
        session = self._session
        if not session.is_staged:
            return {"layers": list(session.layers), "only": {}}
        system, place = session.system_here, session.place
        if self._staged[0] != (at := (system, place, tuple(session.layers))):
            step = staged(system, place)
            picture = {"layers": list(step.with_own(session.layers)), "only": step.links_only(system)}
            self._staged = (at, picture)
        return self._staged[1]

    def state(self) -> dict[str, Any]:
        session, cursor = self._session, self._session.cursor
        return {
            "run": self.run,
            "machine": self.machine,
            "jump": self._jump,
            "time": round(self.time, DIGITS),
            "playing": self._moves,
            "speed": session.speed,
            "step": [cursor.stage, cursor.link, cursor.half],
            **self._picture,
            "camera": self._camera,
            "caption": list(self._lecture.caption),
            "tries": session.tried_solution is not None,
        }


class Part(NamedTuple):
    """A parcel that followers fetch, compressed by gzip; and whether other parts depend on it."""

    packed: bytes
    is_lasting: bool = True


class RunParts:
    """The parts of a run: first the pictures, then the walk at the lecturer's place, the curves, more of the walk.

    The session is exclusive to it. StateError for a run that is too short, too long, or not complete.
    """

    def __init__(self, session: Session, panels: Panels | None = None) -> None:
        refuse(session.run)
        self._session, self._panels = session, panels
        self._end = session.run.end
        self._stands_at = min(session.cursor.time, self._end)
        self._read: list[float] = []
        self._known: list[Stretch] = []
        self._coarse = instants(self._end, max(WALKED, self._end / MOST_READ))
        self._first, self._rest = self._pictures(), self._curves_and_walk()

    def stand(self, time: float) -> bool:
        """Sets the lecturer's place; returns whether this requires more work."""
        self._stands_at = min(time, self._end)
        return self._is_unread

    @property
    def _is_unread(self) -> bool:
        return all(abs(time - self._stands_at) > NEAR for time in self._read)

    def make(self) -> Iterator[Part | None]:
        """Makes all parts, in steps of some milliseconds to a second; the lecturer's place comes first."""
        yield from self._first
        while True:
            if self._is_unread:
                yield from self._walk([self._stands_at])
                continue
            step = next(self._rest, self)
            if isinstance(step, RunParts):
                return
            yield step

    def _pictures(self) -> Iterator[Part | None]:
        pictures = Pictures(self._session, instants(self._end, INTERVAL))
        for _ in pictures.draw():
            yield None
        walks = Walks(self._session, self._coarse)
        walks.outline()
        parcel, head = Parcel(), head_of(self._session)
        head |= {"note": NOTE, "carries": "How to follow", "keys": [*head["keys"], FOLLOW]}
        head |= {"pictures": pictures.data(parcel), "walks": walks.data(parcel)}
        head["curves"] = Curves(self._session).data(parcel)
        yield Part(parcel.compressed(head))

    def _curves_and_walk(self) -> Iterator[Part | None]:
        curves = Curves(self._session, self._panels)
        for _ in curves.draw():
            yield None
        parcel = Parcel()
        yield Part(parcel.compressed({"curves": curves.data(parcel)}))
        yield from self._walk(self._coarse)

    def _walk(self, times: Sequence[float] | np.ndarray) -> Iterator[Part | None]:
        known = len(self._known)
        self._read += [float(time) for time in times]
        walks = Walks(self._session, np.asarray(times), self._known)
        for _ in walks.read():
            yield None
        parcel = Parcel()
        data = walks.data(parcel)
        packed = parcel.compressed({"walks": {name: data[name] for name in ("start", "stretches")}})
        yield Part(packed, len(times) > 1 or len(self._known) > known)
