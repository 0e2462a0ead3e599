"""The open sessions of this process, whether another may be opened, and the memory that closed ones leave."""

from __future__ import annotations

import asyncio
import gc
import os
from dataclasses import dataclass
from functools import cache

from app.service import counters
from app.service.limits import Allowance, Limits, read

FEW = 2  # closed pages after which memory is freed, even if few are open
AFTER = 6.0  # s after the end of a page until nothing refers to it any more


@dataclass(frozen=True)
class Refusal:
    """Why a visitor has to wait."""

    reason: str  # for counters
    words: str  # for the visitor
    after: float  # s after which another try may succeed


STARTING = Refusal("starting", "The server is starting.", 5.0)
FULL = Refusal("sessions", "All places on this server are taken.", 10.0)


class Sessions:
    """The open pages of one process, and the limit on them.

    Attributes:
        compiled: share of the mechanics that is compiled, while the server starts.
        is_ready: whether pages may be opened.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: dict[str, Allowance] = {}
        self.compiled = 0.0
        self.is_ready = False

    def __len__(self) -> int:
        return len(self._open)

    def allowance(self, session: str) -> Allowance | None:
        """The files that the page with a session's id may send."""
        return self._open.get(session)

    def refusal(self) -> Refusal | None:
        """Why no page can be opened now, or None."""
        if not self.is_ready:
            return STARTING
        return FULL if len(self) >= self._limits.sessions else None

    def admit(self) -> Refusal | None:
        """The same as ``refusal``, counted."""
        refusal = self.refusal()
        if refusal is not None:
            counters.sessions_refused.labels(refusal.reason).inc()
        return refusal

    def opened(self, session: str) -> None:
        """Count a page that has been opened."""
        self._open[session] = Allowance(self._limits.uploads)
        counters.sessions_opened.inc()
        counters.sessions_open.inc()

    def closed(self, session: str) -> None:
        """Count a page that has been closed."""
        if self._open.pop(session, None) is not None:
            counters.sessions_open.dec()


@cache
def sessions() -> Sessions:
    """The sessions of this process.

    Raises:
        SettingError: as ``limits.read``.
    """
    return Sessions(read(os.environ))


class MemoryOfPages:
    """Frees the memory of closed pages, when it is worthwhile.

    The garbage collector takes some 25 ms for each open page, during which all of them stop, and it would run
    whenever a page is opened or closed. So an opened page's objects are frozen, and the collector skips them, until
    as many pages are closed as are open; then everything is collected once.
    """

    def __init__(self) -> None:
        self._closed = 0

    def page_opens(self) -> None:
        """Let the collector skip all current objects."""
        gc.freeze()

    def page_closed(self, still_open: int) -> None:
        """Collect everything if enough pages are closed."""
        self._closed += 1
        if self._closed >= max(FEW, still_open):
            self._closed = 0
            asyncio.get_running_loop().call_later(AFTER, collect_everything)


def collect_everything() -> None:
    """Free everything unreachable, and let the collector skip the rest from now on."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
