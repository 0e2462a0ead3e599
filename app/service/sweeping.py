"""What pages leave in memory: swept together when there is enough of it, not under everybody's feet.

A look of the garbage collector at all pages takes some 25 ms of each that is open, in which every page stands still,
and it looks whenever a page is opened or closed. So it is shown only what is new: what an opening finds stays for good,
until as many pages are over as are open. Then all is looked at once.
"""

from __future__ import annotations

import asyncio
import gc

FEW = 2
"""Pages that may be over before they are swept away, however few are open."""
AFTER = 6.0
"""Seconds after a page's end at which nothing holds it any more, and those whom its end has kept waiting are served."""


class Sweeper:
    """Of one process; its event loop asks."""

    def __init__(self) -> None:
        self._over = 0

    def page_opens(self) -> None:
        """What is there by now need not be looked at until pages are over."""
        gc.freeze()

    def page_is_over(self, still_open: int) -> None:
        """One more is; swept away are all that are over, if they are many beside those that are open."""
        self._over += 1
        if self._over >= max(FEW, still_open):
            self._over = 0
            asyncio.get_running_loop().call_later(AFTER, sweep)


def sweep() -> None:
    """Looks at everything: what nobody can reach any more goes, and what is left need not be looked at again."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
