"""Compilation ahead says how far it is, is done once, and survives a compiler that dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numba
import pytest

from dynamics import compilation
from dynamics.compiler.checksums import LOCK, is_free

pytestmark = [pytest.mark.compiled_only, pytest.mark.skipif(not hasattr(os, "fork"), reason="forks its compilers")]


def first(a: float) -> float:
    return a + 1.0


def second(a: float) -> float:
    return a + 2.0


class Dies:
    """A kernel that no compiler survives."""

    def compile(self, types: Any) -> None:
        os._exit(3)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    monkeypatch.setattr(compilation, "code_folder", lambda: tmp_path)
    monkeypatch.setattr(compilation, "calls", lambda: tuple((numba.njit(f), (1.0,)) for f in (first, second)))
    return []


def test_it_says_how_far_it_is_and_is_done_once(told: list[str]) -> None:
    assert compilation.compile_here(False, told.append)
    assert [line.rpartition(" (")[0] for line in told] == ["1 of 2 kernels compiled", "2 of 2 kernels compiled"]
    assert {line.rpartition(" (")[2] for line in told} == {"first)", "second)"}
    assert not compilation.compile_here(False, told.append)
    assert len(told) == 2


def test_a_compiler_that_dies_leaves_the_work_to_the_first_call(
    told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compilation, "calls", lambda: ((Dies(), (1.0,)),))
    assert not compilation.compile_here(False, told.append)
    assert told == ["some kernels could not be compiled ahead; they will be at their first call"]


class Sleeps:
    """A kernel that takes longer than the test waits."""

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


def test_compilers_end_with_the_server_that_they_work_for(
    told: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """While they compile, and while they wait for those of another server."""
    monkeypatch.setattr(compilation, "calls", lambda: ((Sleeps(), ()),) * 3)
    monkeypatch.setattr(compilation, "PAUSE", 0.1)
    work = partial(compilation.compile_here, False, told.append, partial(compilation.end_without, [1]))
    assert ends_by_itself(work) == signal.SIGKILL
    with (tmp_path / LOCK).open("a") as lock:
        assert is_free(lock)
        assert ends_by_itself(work) == signal.SIGKILL


def test_a_server_that_is_stopped_takes_its_compilers_along(told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    started, popen = [], compilation.subprocess.Popen
    slow = [sys.executable, "-c", "import time; print('begun', flush=True); time.sleep(60)"]

    def start(_: list[str], **options: Any) -> Any:
        started.append(popen(slow, **options))
        return started[0]

    def stop(words: str) -> None:
        raise SystemExit(words)

    monkeypatch.setattr(compilation.subprocess, "Popen", start)
    with pytest.raises(SystemExit, match="begun"):
        compilation.compile_kernels(False, stop)
    assert started[0].returncode == -signal.SIGKILL


def around(a: float) -> float:
    return one(one(a)) + two(a)


one = two = first  # once compiled


@pytest.mark.parametrize("room", [0, pytest.param(100, marks=pytest.mark.full)])
def test_what_cannot_be_kept_is_compiled_for_this_process(
    told: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, room: int
) -> None:
    """The disk has been there when the functions were made, and is full when they are compiled."""
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    kept = numba.njit(cache=True)
    kernels = {name: kept(function) for name, function in (("one", first), ("two", second), ("around", around))}
    for name, function in kernels.items():
        monkeypatch.setitem(globals(), name, function)
    monkeypatch.setattr(compilation, "calls", lambda: ((kernels["around"], (1.0,)),))
    monkeypatch.setattr(compilation.subprocess, "Popen", lambda *_, **__: ended())
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, limits[1]))
    try:
        assert compilation.compile_kernels(False, told.append)
        assert kernels["around"](1.0) == 6.0
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "for this process alone" in told[-1]
    assert not list(tmp_path.rglob("*.nbc"))


def ended() -> Any:
    """A compiler that could keep nothing."""
    return REAL([sys.executable, "-c", ""], stdout=subprocess.PIPE, text=True)


REAL = subprocess.Popen


def test_a_disk_that_cannot_even_be_read_is_no_endless_loop() -> None:
    with pytest.raises(OSError, match="No space"):
        compilation.compile_in_memory([(NoRoom(), (1.0,))])


def test_a_disk_that_is_full_by_now_is_told(told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "calls", lambda: ((NoRoom(), (1.0,)),))
    assert not compilation.compile_here(False, told.append)
    assert told[0] == "compiled code cannot be kept: [Errno 28] No space left on device"


class NoRoom:
    """A kernel that cannot be kept."""

    def compile(self, types: Any) -> None:
        raise OSError(28, "No space left on device")
