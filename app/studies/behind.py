"""The place of work that can wait: behind whatever else the machine does."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

LOADING, LAST = 10, 19
"""How far behind: all the way, and while it loads on a machine that is never idle, as somebody waits for a word."""


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
    if rank == LAST:
        _give_way_at_once(pid)


def _give_way_at_once(pid: int) -> None:
    """Whoever wakes takes the processor from it there and then.

    Of any other policy, whatever its rank, Linux lets a process go on to the end of its slice, some milliseconds: a
    page that draws 29 pictures a second draws 24 beside two loops that do nothing, and 28 beside two of these. What it
    begins is alike.
    """
    with contextlib.suppress(OSError, AttributeError):  # it is Linux's
        for thread in Path(f"/proc/{pid or 'self'}/task").iterdir():
            os.sched_setscheduler(int(thread.name), os.SCHED_IDLE, os.sched_param(0))
