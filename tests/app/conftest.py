"""Runs coroutines beside whatever loop the test process has already."""

import inspect
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from app.motion import setup
from tests.app.arrival import over
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
def to_oneself() -> None:
    """A session begins as the first in its process: what another test has computed is not shared."""
    setup.course_of.cache_clear()


@pytest.fixture
def run_async() -> Callable[[Coroutine[Any, Any, Any]], Any]:
    """Runs a coroutine to its end, in a thread of its own: a browser test's loop may be running in this one."""
    return run_apart


@pytest.fixture
def open_file() -> Callable[..., None]:
    """`open_file(session, text, name)` opens a robot description as an upload does, and waits until that is over."""
    return lambda session, text, name: run_apart(
        over(session, lambda: session.opening.reads, lambda: session.opening.file(text, name))
    )


@pytest.fixture
def settled() -> Callable[..., None]:
    """`settled(session, act)` does something that puts a machine together, and waits until that is over."""
    return lambda session, act: run_apart(over(session, lambda: session.opening.awaited is not None, act))
