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


class Kernel:
    """A kernel whose compilation is this act."""

    __name__ = "other"

    def __init__(self, act: Callable[[], object]) -> None:
        self._act = act

    def compile(self, types: Any) -> None:
        self._act()


def full_disk() -> None:
    raise OSError(28, "No space left on device")


def first(a: float) -> float:
    return a + 1.0


def second(a: float) -> float:
    return a + 2.0


@pytest.fixture(autouse=True)
def two_kernels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(compilation, "code_folder", lambda: tmp_path)
    monkeypatch.setattr(compilation, "calls", lambda: tuple((numba.njit(f), (1.0,)) for f in (first, second)))


def compiled() -> tuple[bool, list[str], list[float]]:
    """Whether anything was compiled, and the lines and shares that were reported."""
    told, shares = list[str](), list[float]()
    done = compilation.compile_here(False, lambda words, share: (told.append(words), shares.append(share)))
    return done, told, shares


def test_progress_is_reported_and_compilation_done_once() -> None:
    done, told, shares = compiled()
    assert (done, shares) == (True, [0.5, 1.0])
    assert [line.rpartition(" (")[0] for line in told] == ["1 of 2 kernels compiled", "2 of 2 kernels compiled"]
    assert {line.rpartition(" (")[2] for line in told} == {"first)", "second)"}
    assert compiled() == (False, [], [])


def test_of_two_processes_one_compiles_and_the_other_waits(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    with compilation.locked(tmp_path):
        other = os.fork()
        if other == 0:
            code = 3
            try:
                os.write(writing, b"starts")
                code = 0 if compiled() == (False, [], []) else 2
            finally:
                os._exit(code)
        os.read(reading, 6)
        for _ in range(20):
            assert os.waitpid(other, os.WNOHANG) == (0, 0)
            time.sleep(0.01)
        compilation.mark_compiled(tmp_path, False)
    assert os.waitstatus_to_exitcode(os.waitpid(other, 0)[1]) == 0


def test_a_compiler_that_dies_or_has_no_room_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    for act, reason in ((lambda: os._exit(3), "abruptly"), (full_disk, "[Errno 28] No space left on device")):
        monkeypatch.setattr(compilation, "calls", lambda act=act: ((Kernel(act), (1.0,)),))
        done, told, _ = compiled()
        assert not done
        assert told[-1].startswith("some kernels are compiled at their first call: ")
        assert reason in told[-1]


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


def test_compilers_end_with_their_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "calls", lambda: ((Kernel(lambda: time.sleep(60.0)), ()),) * 3)
    monkeypatch.setattr(compilation, "PAUSE", 0.1)
    assert ends_by_itself(lambda: compilation.compile_here(False, lambda *_: None, parent=1)) == signal.SIGKILL
