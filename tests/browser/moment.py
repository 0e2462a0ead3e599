"""The moment that the page shows, and what is waited for."""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs, urlparse

from playwright.sync_api import Page

import dynamics as dyn
from app.state import Session
from tests.app.arrival import computed, restore
from tests.browser.conftest import PATIENCE


def wait_until(page: Page, condition: Callable[[], bool], patience: float = PATIENCE) -> None:
    """Asks again and again until it holds; fails after so many milliseconds."""
    deadline, rest = time.monotonic() + patience / 1e3, 20.0
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        page.wait_for_timeout(rest)
        rest = min(1.5 * rest, 250.0)  # each question costs a few milliseconds


def shown_time(page: Page) -> float:
    """The instant that the page says it shows, s."""
    found: list[str] = []

    def is_written() -> bool:  # it may just be written anew
        found[:] = re.findall(r"([\d.]+) s of", page.locator(".instant p").first.text_content() or "")
        return bool(found)

    wait_until(page, is_written)
    return float(found[0])


def address(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlparse(page.url).query).items()}


def stand_at(page: Page, time: float) -> Page:
    """Waits until a page that was opened with `play=0` shows this instant."""
    wait_until(page, lambda: abs(shown_time(page) - time) < 0.0051)  # two digits are shown
    return page


def pause(page: Page) -> None:
    """Pauses, and waits until the address says the instant that is shown."""
    page.keyboard.press(" ")
    page.get_by_role("button", name="Play (space)").wait_for()
    wait_until(page, lambda: is_told(page))


def is_told(page: Page) -> bool:
    """Whether the address has caught up with a page that is paused."""
    told = address(page)
    return told.get("play") == "0" and abs(float(told.get("t", "nan")) - shown_time(page)) < 0.0051


def shown_session(page: Page) -> Session:
    """A session of the test's own that is what the page's address says."""
    session = Session("puma560")
    restore(session, address(page))
    assert session.message == ""
    computed(session.run, session.cursor.time)
    return session


def settled(page: Page) -> Session:
    wait_until(page, lambda: is_told(page))
    return shown_session(page)


def solution_at(preset: str, time: float) -> dyn.Solution:
    """A moment of a preset as it is loaded, computed here."""
    return computed(Session(preset).run, time).solution_at(time)


def until_same(page: Page, expected: Any, shown: Callable[[], Any]) -> None:
    """Waits until both are the same; else fails with what differs. What is expected may be a function."""
    seen: list[Any] = []

    def is_there() -> bool:
        seen[:] = expected() if callable(expected) else expected, shown()
        return bool(seen[0] == seen[1])

    with suppress(AssertionError):
        wait_until(page, is_there)
    assert seen[1] == seen[0], f"{seen[1]} is shown instead of {seen[0]}"
