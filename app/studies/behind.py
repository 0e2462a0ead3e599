"""The place of work that can wait: behind whatever else the machine does."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

LOADING, LAST = 10, 19
"""How far behind: while it loads, when somebody waits for its first word; and when it works."""


def stand_behind(rank: int, pid: int = 0) -> None:
    """Puts a session behind the others: the server's, and the browser's of one who works alone.

    Linux may share the processors among sessions first and look at ranks within each: as one of the server's session
    a study would take as much as the browser, whatever its rank.

    Args:
        rank: how far, 0 to 19.
        pid: of the process that has begun the session; the one that asks, by itself.
    """
    with contextlib.suppress(OSError, AttributeError):  # some systems have neither
        os.setpriority(os.PRIO_PROCESS, pid, rank)
        Path(f"/proc/{pid or 'self'}/autogroup").write_text(str(rank))
