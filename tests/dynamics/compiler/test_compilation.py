"""Compilation ahead says how far it is, is done once, and survives a compiler that dies."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import pytest

from dynamics import compilation

pytestmark = [pytest.mark.compiled_only, pytest.mark.skipif(not hasattr(os, "fork"), reason="forks its compilers")]


class CrashingKernel:
    def compile(self, types: Any) -> None:
        os._exit(3)


class FullDiskKernel:
    def compile(self, types: Any) -> None:
        raise OSError(28, "No space left on device")


def first(a: float) -> float:
    return a + 1.0


def second(a: float) -> float:
    return a + 2.0


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    monkeypatch.setattr(compilation, "code_folder", lambda: tmp_path)
    monkeypatch.setattr(compilation, "calls", lambda: tuple((numba.njit(f), (1.0,)) for f in (first, second)))
    return []


def note(told: list[str], shares: list[float] | None = None) -> Callable[[str, float], None]:
    def keep(words: str, share: float) -> None:
        told.append(words)
        if shares is not None:
            shares.append(share)

    return keep


def test_progress_is_reported_and_compilation_done_once(told: list[str]) -> None:
    shares: list[float] = []
    assert compilation.compile_here(False, note(told, shares))
    assert shares == [0.5, 1.0]
    assert [line.rpartition(" (")[0] for line in told] == ["1 of 2 kernels compiled", "2 of 2 kernels compiled"]
    assert {line.rpartition(" (")[2] for line in told} == {"first)", "second)"}
    assert not compilation.compile_here(False, note(told))
    assert len(told) == 2


def test_a_compiler_that_dies_or_has_no_room_is_reported(told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for kernel, reason in ((CrashingKernel(), "abruptly"), (FullDiskKernel(), "[Errno 28] No space left on device")):
        monkeypatch.setattr(compilation, "calls", lambda kernel=kernel: ((kernel, (1.0,)),))
        assert not compilation.compile_here(False, note(told))
        assert told[-1].startswith("some kernels are compiled at their first call: ")
        assert reason in told[-1]


class SleepingKernel:
    __name__ = "sleeps"

    def compile(self, types: Any) -> None:
        time.sleep(60.0)


def ends_by_itself(work: Callable[[], object]) -> int:
    """The signal by which a process that leads its own group ended, within five seconds; nothing of it is left."""
    process = os.fork()
    if process == 0:
        os.setsid()
        work()
        os._exit(0)
    due = time.monotonic() + 5.0
    while not (done := os.waitpid(process, os.WNOHANG))[0] and time.monotonic() < due:
        time.sleep(0.02)
    while time.monotonic() < due:
        try:
            os.killpg(process, 0)
        except ProcessLookupError:
            return os.WTERMSIG(done[1])
        time.sleep(0.02)
    os.killpg(process, signal.SIGKILL)
    raise AssertionError("some process goes on")


def test_compilers_end_with_their_server(told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "calls", lambda: ((SleepingKernel(), ()),) * 3)
    monkeypatch.setattr(compilation, "PAUSE", 0.1)
    assert ends_by_itself(lambda: compilation.compile_here(False, note(told), parent=1)) == signal.SIGKILL
