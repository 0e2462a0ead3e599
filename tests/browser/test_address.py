"""The address bar carries the moment: shared, reloaded, and after the server was killed and came back."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlparse

import pytest

from tests.browser.conftest import ROOT, Server
from tests.browser.test_page import PATIENCE, opened, pause, shown_time, wait_until  # noqa: F401

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]


def address(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlparse(page.url).query).items()}


def drawn(page: Page) -> None:
    page.locator("canvas[role=application]").wait_for(timeout=60_000.0)


@pytest.fixture
def alone(page: Page, serve: Callable[..., str]) -> Page:
    """The app's page, opened for one test."""
    page.goto(serve("app"))
    drawn(page)
    wait_until(page, lambda: shown_time(page) > 0.0)
    return page


def test_the_address_follows_and_brings_the_moment_back(alone: Page) -> None:
    alone.get_by_role("button", name="Multi-arm").click()
    alone.get_by_role("button", name="Multi-arm", pressed=True).wait_for()
    wait_until(alone, lambda: 0.5 < shown_time(alone) < 5.0)
    pause(alone)
    canvas = alone.locator("canvas[role=application]")
    box = canvas.bounding_box()
    assert box is not None
    alone.mouse.move(box["x"] + 20, box["y"] + 20)
    alone.mouse.down()
    alone.mouse.move(box["x"] + 120, box["y"] + 60, steps=5)
    alone.mouse.up()
    at = shown_time(alone)
    wait_until(alone, lambda: float(address(alone).get("t", -1)) == pytest.approx(at, abs=0.0051))
    wait_until(alone, lambda: "camera" in address(alone))
    said = address(alone)
    assert (said["preset"], said["play"]) == ("two_arms_and_box", "0")
    view = canvas.get_attribute("data-camera")
    alone.goto(alone.url)
    drawn(alone)
    wait_until(alone, lambda: shown_time(alone) == at)
    alone.get_by_role("button", name="Play (space)").wait_for()
    wait_until(alone, lambda: canvas.get_attribute("data-camera") is not None)
    before, after = ([float(x) for x in str(text).split()] for text in (view, canvas.get_attribute("data-camera")))
    assert after == pytest.approx(before, abs=2e-3)
    assert address(alone)["preset"] == "two_arms_and_box"


def test_share_copies_the_link(opened: Page) -> None:  # noqa: F811
    opened.context.grant_permissions(["clipboard-read", "clipboard-write"])
    pause(opened)
    opened.get_by_role("button", name="Copy a link to this moment").click()
    opened.get_by_text("The link to this moment is copied").wait_for(timeout=PATIENCE)
    assert opened.evaluate("navigator.clipboard.readText()") == opened.url
    assert "preset=puma560" in opened.url


def test_a_link_that_makes_no_sense_is_answered_in_words(page: Page, serve: object) -> None:
    page.goto(serve("app") + "?preset=puma560&mass=%3Cscript%3E")  # type: ignore[operator]
    page.get_by_text("This link cannot be followed").wait_for(timeout=60_000.0)
    drawn(page)
    wait_until(page, lambda: shown_time(page) > 0.0)


def test_undo_and_redo_by_button_and_key(opened: Page) -> None:  # noqa: F811
    opened.get_by_role("tab", name="Change").click()
    opened.get_by_role("button", name="Mass", exact=True).click()
    slider = opened.get_by_role("slider", name=re.compile("mass"))
    first = slider.get_attribute("aria-valuetext")
    slider.focus()
    opened.keyboard.press("End")
    wait_until(opened, lambda: slider.get_attribute("aria-valuetext") != first)
    opened.get_by_role("button", name="Undo (Ctrl+Z)").click()
    wait_until(opened, lambda: slider.get_attribute("aria-valuetext") == first)
    opened.locator("canvas[role=application]").focus()
    opened.keyboard.press("Control+y")
    wait_until(opened, lambda: slider.get_attribute("aria-valuetext") != first)
    opened.keyboard.press("Control+z")
    wait_until(opened, lambda: slider.get_attribute("aria-valuetext") == first)


def test_the_sheet_of_keys_opens_by_its_key(opened: Page) -> None:  # noqa: F811
    opened.keyboard.press("?")
    opened.get_by_role("dialog").get_by_text("undo the last change").wait_for()
    opened.keyboard.press("Escape")
    opened.get_by_role("dialog").wait_for(state="hidden")


def test_a_killed_server_that_comes_back_finds_the_same_moment(chromium: Browser, tmp_path: Path) -> None:
    server = Server(ROOT / "app", (), tmp_path / "first.txt")
    again: Server | None = None
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    try:
        page = context.new_page()
        page.goto(server.url)
        drawn(page)
        page.get_by_role("button", name="Multi-arm").click()
        page.get_by_role("button", name="Multi-arm", pressed=True).wait_for()
        wait_until(page, lambda: 0.5 < shown_time(page) < 5.0)
        pause(page)
        at = shown_time(page)
        wait_until(page, lambda: float(address(page).get("t", -1)) == pytest.approx(at, abs=0.0051))
        server.process.send_signal(signal.SIGKILL)
        page.get_by_role("alert").get_by_text("connection to the server is lost").wait_for(timeout=PATIENCE)
        server.stop()
        again = Server(ROOT / "app", (), tmp_path / "second.txt", port=server.port)
        page.get_by_text("connection to the server is lost").wait_for(state="detached", timeout=60_000.0)
        drawn(page)
        wait_until(page, lambda: shown_time(page) == at)
        assert page.get_by_role("button", name="Multi-arm", pressed=True).is_visible()
    finally:
        context.close()
        server.stop()
        if again is not None:
            again.stop()
