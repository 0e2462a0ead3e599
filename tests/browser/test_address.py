"""The address bar carries the moment: shared, reloaded, and after the server was killed and came back."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlparse

import pytest

from app.views.playback import INTERVAL
from tests.browser.conftest import Server, calm, visit
from tests.browser.test_page import PATIENCE, opened, pause, shown_time, stands_still, still, wait_until  # noqa: F401

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
LENGTH = 10.0  # s, of the timeline
INSTANTS = str(round(LENGTH / INTERVAL) + 1)  # of a run that has come to its end
CANVAS = "canvas[role=application]"


def address(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlparse(page.url).query).items()}


def drawn(page: Page) -> None:  # by a server that has just begun, beside others, too
    page.locator(CANVAS).wait_for(timeout=2 * PATIENCE)


def test_the_address_follows_and_brings_the_moment_back(
    opened: Page,  # noqa: F811
    page: Page,
    serve: Callable[[str], str],
) -> None:
    opened.get_by_role("button", name="Multi-arm").click()
    wait_until(opened, lambda: "preset=built" in opened.url)
    wait_until(opened, lambda: 0.5 < shown_time(opened) < 5.0)
    pause(opened)
    box = opened.locator(CANVAS).bounding_box()
    assert box is not None
    opened.mouse.move(box["x"] + 20, box["y"] + 20)
    opened.mouse.down()
    opened.mouse.move(box["x"] + 120, box["y"] + 60, steps=5)
    opened.mouse.up()
    at = shown_time(opened)
    wait_until(opened, lambda: float(address(opened).get("t", -1)) == pytest.approx(at, abs=0.0051))
    wait_until(opened, lambda: "camera" in address(opened))
    said = address(opened)
    assert (said["preset"], said["play"]) == ("built", "0")
    view = said["camera"]
    wait_until(opened, lambda: opened.locator(CANVAS).get_attribute("data-camera") == view)  # drawn there
    visit(page, f"{serve('app')}?{urlparse(opened.url).query}")
    drawn(page)
    wait_until(page, lambda: shown_time(page) == at)
    page.get_by_role("button", name="Play (space)").wait_for()
    wait_until(page, lambda: page.locator(CANVAS).get_attribute("data-camera") is not None)
    camera = page.locator(CANVAS).get_attribute("data-camera")
    before, after = ([float(x) for x in str(text).split()] for text in (view, camera))
    assert after == pytest.approx(before, abs=2e-3)
    assert address(page)["preset"] == "built"


def test_share_copies_the_link(still: Page) -> None:  # noqa: F811
    still.context.grant_permissions(["clipboard-read", "clipboard-write"])
    still.get_by_role("button", name="Copy a link to this moment").click()
    still.get_by_text("The link to this moment is copied").wait_for(timeout=PATIENCE)
    assert still.evaluate("navigator.clipboard.readText()") == still.url
    assert "preset=puma560" in still.url


def test_a_link_that_makes_no_sense_is_answered_in_words(page: Page, serve: object) -> None:
    visit(page, serve("app") + "?preset=puma560&mass=%3Cscript%3E")  # type: ignore[operator]
    page.get_by_text("This link cannot be followed").wait_for(timeout=60_000.0)
    drawn(page)
    wait_until(page, lambda: shown_time(page) > 0.0)


def test_undo_and_redo_by_button_and_key(still: Page) -> None:  # noqa: F811
    still.get_by_role("tab", name="Change").click()
    still.get_by_role("button", name="Bodies", exact=True).click()
    slider = still.get_by_role("slider", name=re.compile("Mass"))
    first = slider.get_attribute("aria-valuetext")
    slider.focus()
    still.keyboard.press("End")
    wait_until(still, lambda: slider.get_attribute("aria-valuetext") != first)
    still.get_by_role("button", name="Undo (Ctrl+Z)").click()
    wait_until(still, lambda: slider.get_attribute("aria-valuetext") == first)
    still.locator("canvas[role=application]").focus()
    still.keyboard.press("Control+y")
    wait_until(still, lambda: slider.get_attribute("aria-valuetext") != first)
    still.keyboard.press("Control+z")
    wait_until(still, lambda: slider.get_attribute("aria-valuetext") == first)


def test_the_sheet_of_keys_gives_the_focus_back(still: Page) -> None:  # noqa: F811
    tab = still.get_by_role("tab", name="Walk", exact=True)
    tab.focus()
    still.keyboard.press("?")
    still.get_by_text("Keys, mouse and papers").first.wait_for()
    still.keyboard.press("Escape")
    wait_until(still, lambda: bool(tab.evaluate("tab => tab.getRootNode().activeElement === tab")))


@pytest.mark.parametrize("name", ["Session as a file: save or open", "Keys, mouse and papers (?)"])
def test_a_sheet_gives_the_focus_back_to_the_button_that_a_key_pressed(still: Page, name: str) -> None:  # noqa: F811
    """Whoever has no mouse goes on from there, not from the top of the page."""
    button = still.get_by_role("button", name=name)
    has_focus = "button => button.getRootNode().activeElement === button"
    button.focus()
    still.keyboard.press("Enter")
    still.get_by_role("dialog").wait_for()
    still.keyboard.press("Escape")
    wait_until(still, lambda: bool(button.evaluate(has_focus)))
    button.click()  # the pointer leaves the keys to the page
    still.get_by_role("dialog").wait_for()
    still.keyboard.press("Escape")
    still.get_by_role("dialog").wait_for(state="hidden")
    still.wait_for_timeout(700)
    assert not button.evaluate(has_focus)


def test_the_sheet_of_keys_opens_by_its_key(still: Page) -> None:  # noqa: F811
    still.keyboard.press("?")
    still.get_by_role("dialog").get_by_text("undo the last change").wait_for()
    still.keyboard.press("Escape")
    still.get_by_role("dialog").wait_for(state="hidden")


def test_a_killed_server_stops_no_picture_and_comes_back_to_it(chromium: Browser, tmp_path: Path) -> None:
    server = Server(["app"], tmp_path / "first.txt")
    again: Server | None = None
    context = calm(chromium)
    try:
        page = context.new_page()
        page.add_init_script("window.asked = location.search")  # what each page is opened with
        visit(page, server.url("app"))
        drawn(page)
        page.get_by_role("button", name="Multi-arm").click()
        page.get_by_role("button", name="Multi-arm", pressed=True).wait_for()
        wait_until(page, lambda: "preset=built" in page.url)
        page.wait_for_timeout(1000)  # as many had come of the arm before
        wait_until(page, lambda: page.locator(CANVAS).get_attribute("data-instants") == INSTANTS, 60_000.0)
        server.process.send_signal(signal.SIGKILL)
        lost = page.get_by_role("alert").get_by_text("connection to the server is lost")
        lost.wait_for(timeout=PATIENCE)
        at, told = shown_time(page), address(page)["t"]
        server.stop()
        wait_until(page, lambda: (shown_time(page) - at) % LENGTH > 1.0)  # the picture goes on without a server
        again = Server(["app"], tmp_path / "second.txt", port=server.port)
        lost.wait_for(state="detached", timeout=60_000.0)
        drawn(page)
        button = page.get_by_role("button", name="Multi-arm", pressed=True)
        button.wait_for(timeout=PATIENCE)
        asked = parse_qs(page.evaluate("asked").lstrip("?"))
        assert asked["t"] != [told]  # it comes back to where the picture went meanwhile
        assert asked["play"] == ["1"]
        wait_until(page, lambda: not stands_still(page))
    finally:
        context.close()
        server.stop()
        if again is not None:
            again.stop()
