"""Pages that are over are swept away together; those that are open are not looked at each time."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest

from app.service import sweeping
from app.service.sweeping import Sweeper, sweep

pytestmark = pytest.mark.slow


class Page:
    """Something that holds itself."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    yield
    gc.unfreeze()


def left_over(sweeper: Sweeper) -> weakref.ref[Page]:
    page = Page()
    sweeper.page_opens()
    return weakref.ref(page)


def test_what_is_open_is_not_looked_at() -> None:
    gone = left_over(Sweeper())
    gc.collect()
    assert gone() is not None
    sweep()
    assert gone() is None


@pytest.mark.parametrize(("few", "still_open", "closings"), [(3, 0, 3), (3, 2, 3), (2, 5, 5)])
def test_all_goes_when_as_many_are_over_as_are_open(
    run_async: Callable[[Coroutine[Any, Any, Any]], Any],
    monkeypatch: pytest.MonkeyPatch,
    few: int,
    still_open: int,
    closings: int,
) -> None:
    monkeypatch.setattr(sweeping, "FEW", few)
    monkeypatch.setattr(sweeping, "AFTER", 0.0)
    sweeper = Sweeper()
    gone = left_over(sweeper)

    async def close() -> list[bool]:
        found = []
        for _ in range(closings):
            sweeper.page_is_over(still_open)
            await asyncio.sleep(0.01)
            found.append(gone() is None)
        return found

    assert run_async(close()) == [False] * (closings - 1) + [True]
