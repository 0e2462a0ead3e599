"""How a server ends: when it is told to, whatever it is doing, and nothing that works for it stays behind."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

LOOKS = 0.5
"""Seconds between two looks at whether the process that serves through this one is still there."""


@contextmanager
def obeying() -> Iterator[None]:
    """A request to end is obeyed although nobody listens to the server's own loop yet.

    The first process of a container has no other way to end: for it, the system's own answer is none.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only there can one say what answers a signal
        return
    before = signal.signal(signal.SIGTERM, lambda number, _: os._exit(128 + number))  # as the system's own answer
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def end_with(parent: int) -> None:
    """One of several serving processes ends when the one that started them has: it would go on, and hold the port."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOKS)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()
