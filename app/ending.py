"""How a server ends: when it is told to, whatever it is doing, and nothing that works for it stays behind."""

from __future__ import annotations

import os
import signal
import threading
import time

LOOKS = 0.5
"""Seconds between two looks at whether the process that serves through this one is still there."""


def end_with(parent: int) -> None:
    """One of several serving processes ends when the one that started them has: it would go on, and hold the port."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOKS)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()
