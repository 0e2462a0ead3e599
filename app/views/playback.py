"""Sends the run to the browser that plays it: in pieces of several instants, starting at the cursor."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.batch_size import Pace
from app.motion.run import KEPT
from app.state import Session
from app.viewer import Play, Receipt, Report, SceneReport, piece
from app.viewer import Viewer as View3D

INTERVAL = 0.02  # Seconds between two instants; the browser interpolates, with an error below 1e-3 rad in rotation
MOST = 25  # Instants per piece
FEW_TOGETHER, MOST_TOGETHER = 8, 50
"""Instants per batch, at first after a change of look and at most: few cost nearly as much, more gain nothing."""
TOGETHER = 0.03  # Seconds of CPU time allowed for a batch
COARSE, AHEAD = 5, 50
"""The stride of the coarse instants that are sent first, and the number of instants ahead that they cover."""
BUDGET = 0.006  # Seconds per clock tick after which no further instant is made
IN_FLIGHT = 1 << 16  # Bytes that may be in flight: the user's next request waits behind no more than these
SOON = 0.4  # Seconds that an instant should arrive before the cursor reaches it
LOST = 5.0  # Seconds after which an unacknowledged piece is sent again
FOLLOWED, AWAITING, UNFOLLOWED = 0.75, 1.0, 2.0
"""Seconds between two reports of the browser's clock: if something else on the page follows it, if instants around it
are still to be sent, and if neither."""
NOTHING = Play(0, INTERVAL, 0, 0.0, False, 1.0, 0.0, False, 1.0, False, FOLLOWED)

Pictures = Callable[[Sequence[float]], Sequence[NDArray[np.float32] | None]]
"""Transforms (meshes, 12) of each of some instants, s; None where there is nothing to show."""


@dataclass(frozen=True)
class PendingPiece:
    """A piece in flight: its instants, its size in bytes, and when it was sent."""

    indices: tuple[int, ...]
    size: int
    since: float


class Playback:
    """Directs the browser's clock, receives its reports, and sends it the instants to show.

    The session's cursor follows the browser's clock, until something else moves the cursor: then the browser follows.

    Args:
        is_followed: whether anything shows data of the cursor's instant that only the server has.
    """

    def __init__(self, session: Session, view: View3D, is_followed: Callable[[], bool]) -> None:
        self._session, self._view, self._is_followed = session, view, is_followed
        self._play = NOTHING
        self._cursor = session.cursor.time
        self._run = session.run
        self._wish: tuple[Report, bool] | None = None
        self._act = 0
        self._drawn = self._again = False
        self.asked = False
        self._look: tuple[object, ...] = ()
        self._sent: set[int] = set()
        self._oldest = 0
        self._number, self._stride = 0, 1
        self._pace = Pace(TOGETHER, MOST_TOGETHER)
        self._indices, self._made = list[int](), list[NDArray[np.float32]]()
        self._flying: dict[int, PendingPiece] = {}
        self.on_news: Callable[[], None] = lambda: None
        view.on_player(self._hear)

    @property
    def live(self) -> bool:
        """Whether the server leads: without WebGL, and while the user pushes or drags."""
        return self._view.webgl is False or self._is_in_hand

    @property
    def _is_in_hand(self) -> bool:
        session = self._session
        return session.point_force is not None or session.aim is not None

    @property
    def stands(self) -> bool:
        """Whether the browser has drawn the scene, and has since received the position of its clock."""
        return self._view.webgl is False or (self._drawn and not self._again and self._session.has_player)

    @property
    def whole(self) -> bool:
        return not self._flying and not self._made and self._next() is None

    def nearest(self, time: float) -> float:
        """The transmitted instant, s, nearest to another."""
        return self._time(round(time / INTERVAL))

    def _hear(self, received: Report | Receipt | SceneReport) -> None:
        session = self._session
        if isinstance(received, SceneReport):
            self._drawn = True
            if received.first:
                self._again = session.has_player
                session.scrubbing = False
            for number in tuple(self._flying):
                self._lose(number)
        elif isinstance(received, Receipt):
            if received.track == self._play.track:
                self._flying.pop(received.number, None)
            return
        else:
            agreed = received.jump == self._play.jump and not self._is_in_hand and self._cursor == session.cursor.time
            if agreed:
                self.asked = True
                session.scrubbing = received.held
                session.seek(received.moment)
                self._cursor = session.cursor.time
            if received.playing is not None and received.act > self._act:
                self._wish = received, agreed
                session.wish = received.playing
        self.on_news()

    def _obey(self) -> bool:
        """Applies the user's play or pause; returns whether the picture stands where the user stopped it.

        Called in a clock tick, not on arrival: buttons ignore changes that are sent before the page has loaded.
        """
        if self._wish is None:
            return False
        (received, agreed), self._wish = self._wish, None
        self._act = received.act
        self._session.param.update(playing=bool(received.playing), wish=None)
        return agreed

    def _lose(self, number: int) -> None:
        self._sent.difference_update(self._flying.pop(number).indices)

    def state(self, look: tuple[object, ...], ruled: tuple[int, ...] = ()) -> Play:
        """The target state of the browser's clock, on a track identified by ``look``.

        Args:
            ruled: see `Play`.
        """
        session, before = self._session, self._play
        stopped = before.playing and not session.playing
        stopped = not self._obey() and stopped
        live = self.live
        led = self._view.webgl is not True or live
        moved = session.cursor.time != self._cursor or stopped or before.live
        # A run restarted at zero does so wherever the browser has got to, which it may not have reported yet.
        begins = session.run is not self._run and session.cursor.time == 0.0
        run_number = before.run + (session.run is not self._run)
        moved, self._again, self._run = moved or self._again or begins, False, session.run
        self._cursor = session.cursor.time
        session.has_player = not led
        if look != self._look:
            self._look = look
            self._pace.size = min(self._pace.size, FEW_TOGETHER)  # other pictures take a different time
            for kept in (self._sent, self._indices, self._made, self._flying):
                kept.clear()
            before = replace(before, track=before.track + 1)
        run = session.run
        whole = run.complete and self.whole
        self._play = Play(
            track=before.track,
            interval=INTERVAL,
            jump=before.jump + (moved and not led),
            time=self._cursor if moved or led else before.time,  # otherwise every report would be answered
            playing=session.playing,
            speed=session.speed,
            known=run.end,
            complete=run.complete,
            duration=run.duration if math.isfinite(run.duration) else run.end,
            live=live,
            report=FOLLOWED if self._is_followed() else UNFOLLOWED if whole else AWAITING,
            run=run_number,
            act=self._act,
            whole=whole,
            begin=run.begin,
            window=KEPT if run.endless else 0.0,
            ruled=ruled,
        )
        return self._play

    def follow(self, look: tuple[object, ...], ruled: tuple[int, ...] = ()) -> None:
        """Sends the browser's clock what is new."""
        before = self._play
        if self.state(look, ruled) != before:
            self._view.play(self._play)

    def hand_over(self, pictures: Pictures) -> None:
        """Sends the browser as many missing instants as a tick has time for."""
        now = time.monotonic()
        for number in [number for number, flying in self._flying.items() if now - flying.since > LOST]:
            self._lose(number)
        for made in self._complete(pictures, self._view.version, BUDGET, IN_FLIGHT):
            self._view.hand_over(made)
        if self._made and (self._next() is None or self._is_awaited):
            self._view.hand_over(self._piece(self._view.version))

    def first_pieces(self, pictures: Pictures) -> list[bytes]:
        """The pieces that accompany a new scene, made for its version."""
        version = self._view.version + 1
        found = list(self._complete(pictures, version, 4 * BUDGET, math.inf))
        return [*found, self._piece(version)] if self._made else found

    def _complete(self, pictures: Pictures, version: int, budget: float, most: float) -> Iterator[bytes]:
        """Completed pieces; instants are made for ``budget`` s, at least one.

        Args:
            most: bytes that may be in flight.
        """
        until = time.perf_counter() + budget
        while sum(flying.size for flying in self._flying.values()) < most and (lacking := self._lacking()):
            try:
                with self._pace.kept(len(lacking)):
                    drawn = pictures([self._time(index) for index, _ in lacking])
            except BaseException:
                self._sent.difference_update(index for index, _ in lacking)
                raise
            for (index, stride), made in zip(lacking, drawn, strict=True):
                if made is None:  # the browser skips it
                    continue
                if self._made and not self._goes_on(index, stride):
                    yield self._piece(version)
                self._stride = stride
                self._indices.append(index)
                self._made.append(made)
            if time.perf_counter() > until:
                break

    def _goes_on(self, index: int, stride: int) -> bool:
        return len(self._made) < MOST and (index, stride) == (self._indices[-1] + stride, self._stride)

    def _lacking(self) -> list[tuple[int, int]]:
        """The next batch of instants that the browser lacks; see ``_next``."""
        found = list[tuple[int, int]]()
        while len(found) < self._pace.size and (lacking := self._next()) is not None:
            self._sent.add(lacking[0])
            found.append(lacking)
        return found

    def _piece(self, version: int) -> bytes:
        indices, made = self._indices, self._made
        self._indices, self._made, self._number = [], [], self._number + 1
        times = [self._time(index) for index in indices]
        packed = piece(version, self._play.track, self._number, indices[0], self._stride, times, np.stack(made))
        self._flying[self._number] = PendingPiece(tuple(indices), len(packed), time.monotonic())
        return packed

    @property
    def _is_awaited(self) -> bool:
        """Whether the browser will soon need what is made but not sent."""
        return 0.0 <= self._time(self._indices[0]) - self._session.cursor.time < SOON

    @property
    def _first(self) -> int:
        """Index of the oldest instant that is kept."""
        return math.ceil(self._session.run.begin / INTERVAL - 1e-6)

    @property
    def _last(self) -> int:
        """Index of the last computed instant."""
        run = self._session.run
        steps = run.end / INTERVAL
        return math.ceil(steps - 1e-6) if run.complete else math.floor(steps + 1e-6)

    def _time(self, index: int) -> float:
        return min(index * INTERVAL, self._session.run.end)

    def _next(self) -> tuple[int, int] | None:
        """The next instant that the browser lacks, and the stride to the one after it.

        Some far apart come first, so that it can go on however busy the server is; then all, from the cursor on.
        """
        first, last = self._first, self._last
        if first > self._oldest:
            self._sent = {index for index in self._sent if index >= first}
        self._oldest = first
        if len(self._sent) > last - first:
            return None
        here = min(max(math.floor(self._session.cursor.time / INTERVAL + 1e-6), first), last)
        for index in range(max(here - here % COARSE, first), min(here + AHEAD, last) + 1, COARSE):
            if index not in self._sent:
                return index, COARSE
        return next((index, 1) for index in (*range(here, last + 1), *range(first, here)) if index not in self._sent)
