"""A server ends when it is asked to, whatever it is doing."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

import pytest

from app import ending
from app.ending import end_with, obeying


def status_of(work: Callable[[], object]) -> int:
    """How a process of its own ends that does this, and then sleeps."""
    process = os.fork()
    if process == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # as for the first process of a container
        work()
        time.sleep(60.0)
    due = time.monotonic() + 5.0
    while not (done := os.waitpid(process, os.WNOHANG))[0]:
        if time.monotonic() > due:
            os.kill(process, signal.SIGKILL)
        time.sleep(0.01)
    return os.waitstatus_to_exitcode(done[1])


def test_a_request_to_end_is_obeyed_while_the_server_is_getting_ready() -> None:
    def work() -> None:
        with obeying():
            os.kill(os.getpid(), signal.SIGTERM)

    assert status_of(work) == 128 + signal.SIGTERM


def test_a_serving_process_ends_with_the_one_that_started_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "LOOKS", 0.05)

    def orphan(parent: int) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        end_with(parent)
        time.sleep(0.3)
        os._exit(7)

    assert status_of(lambda: orphan(os.getppid() + 1)) == -signal.SIGTERM
    assert status_of(lambda: orphan(os.getppid())) == 7
