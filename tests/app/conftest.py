"""Runs coroutines beside whatever loop the test process has already."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from app.motion import courses
from app.state import Session
from tests.conftest import run_apart


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A test that is a coroutine runs to its end in a loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    run_apart(
        pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters})
    )
    return True


@pytest.fixture(autouse=True)
def to_oneself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A session begins as the first in its process: what another test has computed is not shared."""
    monkeypatch.setattr(courses, "_known", [])


@pytest.fixture
def run_async() -> Callable[[Coroutine[Any, Any, Any]], Any]:
    """Runs a coroutine to its end, in a thread of its own: a browser test's loop may be running in this one."""
    return run_apart


@pytest.fixture
def open_file(run_async: Callable[[Coroutine[Any, Any, Any]], Any]) -> Callable[..., None]:
    """`open_file(session, text, name)` opens a robot description as an upload does, and waits until that is over."""

    def send(session: Session, text: bytes, name: str) -> None:
        async def live() -> None:
            session.opening.file(text, name)
            while session.opening.reads:
                session.jobs.attend()
                await asyncio.sleep(0.001)

        run_async(live())

    return send


@pytest.fixture
def settled(run_async: Callable[[Coroutine[Any, Any, Any]], Any]) -> Callable[..., None]:
    """`settled(session, act)` does something that puts a machine together, and waits until that is over."""

    def do(session: Session, act: Callable[[], object]) -> None:
        async def live() -> None:
            act()
            while session.opening.awaited is not None:
                session.jobs.attend()
                await asyncio.sleep(0.001)

        run_async(live())

    return do
