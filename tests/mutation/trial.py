"""Running the tests on a mutant: one process collects them once, and a forked child of it tries each mutant."""

import gc
import importlib
import os
import pickle
import signal
import sys
import time
import types
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.mutation.mutants import Mutant

TIMED_OUT = "(took too long)"


class Baseline:
    """What every test costs of a processor, and which functions of ``dynamics`` it runs; without those that fail."""

    def __init__(self, items: list[pytest.Item], longest: float) -> None:
        measured = in_child(lambda: [_measure(item) for item in items], 3600)
        if measured is None:
            raise RuntimeError("the unmutated tests did not come to an end")
        self.seconds: dict[str, float] = {}
        self.items = {item.nodeid: item for item in items}
        self.failed: list[str] = []
        self.by_function: dict[tuple[str, str], list[str]] = defaultdict(list)
        for item, (passed, seconds, called) in zip(items, measured, strict=True):
            if not passed:
                self.failed.append(item.nodeid)
                continue
            if seconds > longest:
                continue
            self.seconds[item.nodeid] = seconds
            for where in called:
                self.by_function[where].append(item.nodeid)
        for names in self.by_function.values():
            names.sort(key=self.seconds.__getitem__)


def _measure(item: pytest.Item) -> tuple[bool, float, set[tuple[str, str]]]:
    codes: dict[int, types.CodeType] = {}  # not a set: a counting twin's constants have no hash

    def note(frame: types.FrameType, event: str, _: Any) -> None:
        if event == "call":
            codes[id(frame.f_code)] = frame.f_code

    sys.setprofile(note)
    start = time.process_time()  # what the machine does beside it is not the test's
    try:
        passed = run(item)
    finally:
        sys.setprofile(None)
    called = {
        ("/".join(file.parts[-2:]), code.co_qualname)
        for code in codes.values()
        if (file := Path(code.co_filename)).parts[-3:-2] == ("dynamics",)
    }
    return passed, time.process_time() - start, called


def run(item: pytest.Item) -> bool:
    reports = runtestprotocol(item, nextitem=None, log=False)
    return all(report.passed or report.skipped for report in reports)


def try_mutant(mutant: Mutant, baseline: Baseline, first: list[str], budget: float) -> tuple[str | None, int]:
    """The test that fails on the mutant, or None; and how many ran.

    Args:
        first: tests to begin with, those that caught its neighbors.
        budget: seconds that the tests may take unmutated, all together.
    """
    known = baseline.by_function.get((mutant.target, mutant.function), [])
    order = [name for name in first if name in known]
    order += [name for name in known if name not in order]
    chosen, total = [], 0.0
    for name in order:
        total += baseline.seconds[name]
        if total > budget:
            break
        chosen.append(name)
    if not chosen:
        return None, 0

    def attempt() -> str | None:
        put_in_place(mutant)
        for name in chosen:
            signal.setitimer(signal.ITIMER_PROF, 10.0 + 10.0 * baseline.seconds[name])
            if not run(baseline.items[name]):
                return name
        return None

    found = in_child(lambda: (attempt(),), 20 * budget + 60)
    return (TIMED_OUT if found is None else found[0]), len(chosen)


def put_in_place(mutant: Mutant) -> None:
    """Give the function its mutated body, wherever it has been imported to."""
    found: Any = importlib.import_module(f"dynamics.{mutant.target.removesuffix('.py').replace('/', '.')}")
    for part in mutant.function.split("."):
        found = found.__dict__[part]
    found = getattr(found, "fget", None) or getattr(found, "__func__", None) or found
    found = getattr(found, "__wrapped__", found)
    found.__code__ = mutant.code


def in_child(work: Callable[[], Any], seconds: float) -> Any:
    """The result of ``work`` in a forked child, None if it died or took too long."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_PROF, seconds)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(int(10 * seconds) + 600)  # where it waits, and for ever
            with os.fdopen(writing, "wb") as pipe:
                pickle.dump(work(), pipe)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(data) if data else None


class CollectionPlugin:
    """A pytest plugin that takes the collected tests and hands them to ``use`` in place of running them."""

    def __init__(self, use: Callable[[list[pytest.Item]], None]) -> None:
        self._use = use

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        if session.testsfailed:
            raise session.Interrupted("some tests could not be collected")
        gc.freeze()
        self._use(session.items)
        return True
