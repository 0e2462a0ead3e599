"""Who may come in, and when: one after the other, so that those who are in get their turns, and nobody stalls all."""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from app.service import counters
from app.service.allowance import Allowance, Bucket
from app.service.lag import Lag
from app.service.limits import Limits, read

log = logging.getLogger(__name__)

MOMENT = 0.02
"""Seconds in which a visitor whose turn it is has begun to be served."""
REST = 0.5
"""Of the time that an opening takes: so long those who are in are served before the next one."""
TYPICAL = 0.5
"""Seconds that an opening takes, before there was one."""
KEPT = 30.0
"""Seconds for which a place is kept for somebody who was let in and has not come."""
FEW = 12
"""Pages that are no load: a machine on which these come late is slow, and turning others away would not help them."""
BRIDGE = 2.0
"""Times as many as otherwise come in by a websocket alone: another process has let these in, and sent the page."""


@dataclass(frozen=True)
class Refusal:
    """Why somebody is to wait outside.

    Attributes:
        reason: for counters and the log.
        words: for the visitor.
        after: s from now when it is worth another try.
    """

    reason: str
    words: str
    after: float


@dataclass(eq=False)
class Visitor:
    """Somebody who waits for his turn."""

    address: str
    turn: asyncio.Future[None]
    is_gone: Callable[[], bool]


@dataclass(frozen=True, eq=False)
class Guest:
    """A page that is open: its number since the start, where it is looked at, and what it may take."""

    number: int
    address: str
    allowance: Allowance
    since: float = field(default_factory=time.monotonic)


class Gate:
    """Of one process.

    Visitors wait in a queue of which every address gets its turn; each is let in when those who are in have had theirs.
    """

    def __init__(self, limits: Limits, lag: Lag) -> None:
        self._limits, self.lag = limits, lag
        self.compiled = 0.0  # share of the mechanics, while the server starts
        self._guests: dict[str, Guest] = {}
        self._numbers = itertools.count(1)
        self._coming: list[tuple[str, float]] = []
        self._waiting: list[Visitor] = []
        self._served: dict[str, int] = {}
        self._files: dict[str, Bucket] = {}
        self._opening = TYPICAL
        self._usher: asyncio.Task[None] | None = None

    @property
    def open(self) -> int:
        """How many pages are open."""
        return len(self._guests)

    @property
    def is_ready(self) -> bool:
        """Whether the server has started: until then nobody is let in."""
        return self.lag.is_watched

    @property
    def _is_late(self) -> bool:
        """Whether those who are in wait for their turns too long."""
        return len(self._guests) > FEW and self.lag.average > self._limits.lag

    def guest(self, session: str) -> Guest | None:
        """Whose page a session is."""
        return self._guests.get(session)

    def refusal(self, address: str, times: float = 1.0) -> Refusal | None:
        """Why somebody from an address is not let in now, or None.

        Args:
            times: as many as the limits say are let in.
        """
        limits, now = self._limits, time.monotonic()
        self._coming = [(other, since) for other, since in self._coming if now - since < KEPT]
        places = Counter([guest.address for guest in self._guests.values()] + [other for other, _ in self._coming])
        if places.total() >= times * limits.sessions:
            return Refusal("sessions", "All places of this server are taken.", 10.0)
        if places[address] >= times * limits.sessions_per_address:
            words = "As many pages as may be are open at your address already. Close one that nobody looks at."
            return Refusal("address", words, 10.0)
        if self._is_late:
            return Refusal("late", LATE, 5.0)
        ahead = Counter(visitor.address for visitor in self._waiting if not visitor.is_gone())
        expected = self._opening * (1.0 + REST) * sum(min(n, ahead[address] + 1) for n in ahead.values())
        return Refusal("late", LATE, min(expected / 2.0, 5.0)) if expected > limits.wait else None

    async def enter(
        self, address: str, is_gone: Callable[[], bool] = lambda: False, times: float = 1.0
    ) -> Refusal | None:
        """Waits until somebody may come in, or says why he is to wait outside.

        Args:
            is_gone: whether he waits no longer.
            times: as for `refusal`.
        """
        refusal = self.refusal(address, times)
        if refusal is None:
            refusal = await self._turn(Visitor(address, asyncio.get_running_loop().create_future(), is_gone))
        if refusal is not None:
            counters.sessions_refused.labels(refusal.reason).inc()
            log.info("visitor refused", extra={"event": "refused", "reason": refusal.reason, "open": self.open})
        return refusal

    async def _turn(self, visitor: Visitor) -> Refusal | None:
        place = visitor.address, time.monotonic()
        self._coming.append(place)
        self._waiting.append(visitor)
        if self._usher is None or self._usher.done():
            self._usher = asyncio.get_running_loop().create_task(self._let_in())
        await asyncio.wait([visitor.turn], timeout=self._limits.wait)
        if visitor.turn.done() and not visitor.turn.cancelled():
            return None
        if visitor in self._waiting:
            self._waiting.remove(visitor)
        if place in self._coming:
            self._coming.remove(place)
        return Refusal("late", LATE, 5.0)

    async def _let_in(self) -> None:
        """One after the other, until nobody waits."""
        while self._waiting:
            if self._is_late:
                await asyncio.sleep(0.1)
                continue
            visitor = min(self._waiting, key=lambda one: self._served.get(one.address, 0))
            self._waiting.remove(visitor)
            if visitor.is_gone():
                visitor.turn.cancel()
                continue
            self._served[visitor.address] = 1 + max(self._served.values(), default=0)
            begun = time.monotonic()
            visitor.turn.set_result(None)
            await asyncio.sleep(MOMENT)
            took = time.monotonic() - begun
            self._opening += 0.3 * (took - self._opening)
            self.lag.excuse()
            if self._guests:
                await asyncio.sleep(REST * took)
        self._served.clear()

    def opened(self, session: str, address: str) -> Guest:
        """A page has been opened: the place that was kept for it is taken."""
        place = next((one for one in self._coming if one[0] == address), None)
        if place is not None:
            self._coming.remove(place)
        files = self._files_of(address)
        limits = self._limits
        allowance = Allowance(limits.computing, limits.uploads, files, lambda: len(self._guests) < 2)
        guest = self._guests[session] = Guest(next(self._numbers), address, allowance)
        counters.sessions_opened.inc()
        counters.sessions_open.inc()
        log.info("session opened", extra={"event": "opened", "session": guest.number, "open": self.open})
        return guest

    def closed(self, session: str) -> None:
        """A page is over."""
        guest = self._guests.pop(session, None)
        if guest is not None:
            counters.sessions_open.dec()
            seconds = round(time.monotonic() - guest.since, 1)
            told = {"event": "closed", "session": guest.number, "seconds": seconds, "open": self.open}
            log.info("session closed", extra=told)

    def _files_of(self, address: str) -> Bucket:
        """The bucket of an address; whose are full again are forgotten."""
        here = {guest.address for guest in self._guests.values()}
        self._files = {other: bucket for other, bucket in self._files.items() if other in here or not bucket.is_full}
        return self._files.setdefault(address, Bucket(self._limits.uploads_per_address))


LATE = "Many pages are being opened just now, or much is being computed; those that are open come first."


@cache
def gate() -> Gate:
    """The one gate of this process.

    Raises:
        SettingError: for an environment that makes no sense.
    """
    return Gate(read(os.environ), Lag())
