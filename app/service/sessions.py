"""The sessions that are open in this process, and whether one more may be opened."""

from __future__ import annotations

import itertools
import logging
import os
import time
from dataclasses import dataclass, field
from functools import cache

from app.service import counters
from app.service.allowance import Allowance
from app.service.limits import Limits, read

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Refusal:
    """Why a visitor has to wait.

    Attributes:
        reason: for counters and the log.
        words: for the visitor.
        after: s from now when another try is worthwhile.
    """

    reason: str
    words: str
    after: float


STARTING = Refusal("starting", "The server is starting.", 5.0)
FULL = Refusal("sessions", "All places on this server are taken.", 10.0)
FULL_ADDRESS = Refusal(
    "address", "Too many pages are open at your address already. Close one that you do not need.", 10.0
)


@dataclass(frozen=True, eq=False)
class OpenSession:
    """An open page: its number since the start, the visitor's address, and what it may use."""

    number: int
    address: str
    allowance: Allowance
    since: float = field(default_factory=time.monotonic)


class Sessions:
    """Admission to one process: a limit on open pages, in all and for each address."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: dict[str, OpenSession] = {}
        self._numbers = itertools.count(1)
        self.compiled = 0.0  # share of the mechanics, while the server starts
        self.is_ready = False  # until then nobody is admitted

    def __len__(self) -> int:
        return len(self._open)

    def get(self, session: str) -> OpenSession | None:
        """The page of a session's id."""
        return self._open.get(session)

    def refusal(self, address: str) -> Refusal | None:
        """Why no page can be opened from an address now, or None."""
        if not self.is_ready:
            return STARTING
        if len(self) >= self._limits.sessions:
            return FULL
        if sum(one.address == address for one in self._open.values()) >= self._limits.sessions_per_address:
            return FULL_ADDRESS
        return None

    def admit(self, address: str) -> Refusal | None:
        """`refusal`, counted and logged."""
        refusal = self.refusal(address)
        if refusal is not None:
            counters.sessions_refused.labels(refusal.reason).inc()
            log.info("visitor refused", extra={"event": "refused", "reason": refusal.reason, "open": len(self)})
        return refusal

    def opened(self, session: str, address: str) -> None:
        """A page has been opened."""
        allowance = Allowance(self._limits.computing, self._limits.uploads, lambda: len(self) < 2)
        self._open[session] = one = OpenSession(next(self._numbers), address, allowance)
        counters.sessions_opened.inc()
        counters.sessions_open.inc()
        log.info("session opened", extra={"event": "opened", "session": one.number, "open": len(self)})

    def closed(self, session: str) -> None:
        """A page has been closed."""
        one = self._open.pop(session, None)
        if one is not None:
            counters.sessions_open.dec()
            seconds = round(time.monotonic() - one.since, 1)
            extra = {"event": "closed", "session": one.number, "seconds": seconds, "open": len(self)}
            log.info("session closed", extra=extra)


@cache
def sessions() -> Sessions:
    """Those of this process.

    Raises:
        SettingError: for an environment that makes no sense.
    """
    return Sessions(read(os.environ))
