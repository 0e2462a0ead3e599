"""The first minute: a newcomer sees it once, plays it by keys, and nobody else ever meets it unasked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import CALM_DISPLAY, PATIENCE, visit, watch
from tests.browser.test_accessibility import axe, violations
from tests.browser.test_page import shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
__all__ = ["axe"]
OTHERS = Path("app/present/follow.html"), Path("app/present/follow.js"), Path("app/replay")
KEPT = "() => [localStorage.getItem('armsweep-first'), sessionStorage.getItem('armsweep-first')]"


@pytest.fixture
def newcomer(chromium: Browser) -> Iterator[Page]:
    """A page of a browser that has been nowhere."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE)
    context.add_init_script(CALM_DISPLAY)
    page = context.new_page()
    complaints = watch(page)
    yield page
    context.close()
    assert not complaints, "\n".join(complaints)


def card_of(page: Page) -> Locator:
    return page.get_by_role("region", name="The first minute")


def stand_still(page: Page) -> None:
    """What is measured has to come to rest; a motion that is paused is nothing that a newcomer goes on to."""
    page.locator("canvas[role=application]").press("Space")
    page.get_by_role("button", name="Play (space)").wait_for()


def is_clear_of(card: Locator, other: Locator) -> bool:
    mine, its = card.bounding_box(), other.bounding_box()
    assert mine
    assert its
    return (
        mine["x"] + mine["width"] <= its["x"]
        or its["x"] + its["width"] <= mine["x"]
        or mine["y"] + mine["height"] <= its["y"]
        or its["y"] + its["height"] <= mine["y"]
    )


def test_a_newcomer_plays_it_by_keys_and_meets_it_once(newcomer: Page, serve: Callable[[str], str], axe: str) -> None:
    visit(newcomer, serve("app"))
    card = card_of(newcomer)
    card.get_by_role("heading", name="A Kalman filter moves this robot").wait_for()
    early = shown_time(newcomer)
    wait_until(newcomer, lambda: shown_time(newcomer) != early)  # it opens moving all the same
    stand_still(newcomer)
    assert not violations(newcomer, axe, card.element_handle())
    assert is_clear_of(card, newcomer.get_by_text("grid: 0.2 m"))
    newcomer.evaluate("document.activeElement?.blur()")
    newcomer.get_by_role("link", name="Skip to the first question").press("Enter")
    wait_until(newcomer, lambda: card.get_by_role("heading").evaluate("h3 => h3.getRootNode().activeElement === h3"))
    card.get_by_role("button", name="joint 1").press("Enter")
    pad = card.get_by_role("slider", name="How far joint 1 will swing")
    pad.wait_for()
    wait_until(newcomer, lambda: shown_time(newcomer) == 0.0)
    assert is_clear_of(card, newcomer.get_by_role("button", name="Play (space)"))
    assert newcomer.evaluate("document.documentElement.style.getPropertyValue('--room-left')")
    for key in ("End", "PageUp", "PageUp"):
        pad.press(key)
    assert pad.get_attribute("aria-valuenow") == "30"
    newcomer.emulate_media(color_scheme="dark")
    card.get_by_role("button", name="Let go").press("Enter")
    card.get_by_role("heading", name="Joint 2 swings furthest: 90°").wait_for()  # of all outcomes this says most
    assert "your curve goes up to 30°" in card.inner_text()
    assert is_clear_of(card.locator("p:not(.ways)").last, card.locator(".ways"))  # all of it has room,
    assert is_clear_of(card, newcomer.get_by_text("grid: 0.2 m"))  # and none of it the legend's or the transport's
    assert is_clear_of(card, newcomer.get_by_role("button", name=re.compile(r"^(Play|Pause) \(space\)")))
    assert is_clear_of(card, newcomer.locator(".transport").first)
    stand_still(newcomer)
    assert not violations(newcomer, axe, card.element_handle())
    assert newcomer.evaluate(KEPT) == ["met", "open"]

    newcomer.reload()  # in the midst of it: it is there again
    newcomer.locator("#opening").wait_for(state="detached")
    card.get_by_role("button", name="joint 2").wait_for()
    newcomer.keyboard.press("Escape")
    card.wait_for(state="detached")
    wait_until(newcomer, lambda: newcomer.evaluate(KEPT) == ["met", None])

    visit(newcomer, serve("app"))  # never again,
    early = shown_time(newcomer)
    wait_until(newcomer, lambda: shown_time(newcomer) > early)
    assert not card.count()
    newcomer.keyboard.press("f")  # unless asked for
    card.get_by_role("heading").wait_for()
    newcomer.keyboard.press("f")
    card.wait_for(state="detached")


def test_on_a_phone_it_stands_under_the_world_and_leaves_for_what_it_covers(
    newcomer: Page, serve: Callable[[str], str]
) -> None:
    newcomer.set_viewport_size({"width": 390, "height": 844})
    newcomer.emulate_media(reduced_motion="reduce")
    visit(newcomer, f"{serve('app')}?first=1")
    card = card_of(newcomer)
    card.get_by_role("button", name="joint 2").click()
    card.get_by_role("slider").wait_for()
    box = card.bounding_box()
    assert box
    assert box["x"] >= 0.0
    assert 360.0 <= box["width"] <= 390.0
    for other in (
        newcomer.locator("canvas[role=application]"),
        newcomer.get_by_role("button", name="Play (space)"),
    ):
        assert is_clear_of(card, other)
    assert newcomer.evaluate("document.documentElement.scrollWidth") <= 390
    newcomer.get_by_role("button", name="Plots", exact=True).click()
    card.wait_for(state="detached")


def test_its_question_is_read_whole_on_a_low_screen(newcomer: Page, serve: Callable[[str], str]) -> None:
    newcomer.set_viewport_size({"width": 1024, "height": 600})
    visit(newcomer, serve("app"))
    card = card_of(newcomer)
    card.get_by_role("heading").wait_for()
    for width, height in ((1024, 600), (820, 660), (1366, 625), (1280, 720), (390, 844)):
        newcomer.set_viewport_size({"width": width, "height": height})
        wait_until(newcomer, lambda: is_clear_of(card.locator(".joints"), card.locator(".ways")))
        assert is_clear_of(card.locator(".ask"), card.locator(".ways"))
        if width != 820:  # where the instruments stand under the world as well
            assert is_clear_of(card, newcomer.get_by_role("button", name=re.compile(r"^(Play|Pause) \(space\)")))
    newcomer.set_viewport_size({"width": 1366, "height": 625})
    newcomer.get_by_role("tab", name="Filter", exact=True).wait_for(state="hidden")
    newcomer.keyboard.press("Escape")
    newcomer.get_by_role("tab", name="Filter", exact=True).wait_for()  # the plots, which have made way


def test_a_link_and_a_page_within_another_never_show_it(newcomer: Page, serve: Callable[[str], str]) -> None:
    visit(newcomer, f"{serve('app')}?preset=puma560&t=1&play=0")
    wait_until(newcomer, lambda: shown_time(newcomer) == 1.0)
    assert not card_of(newcomer).count()
    assert newcomer.evaluate(KEPT) == [None, None]
    newcomer.set_content(f"<iframe src='{serve('app')}' width=1200 height=700></iframe>")
    frame = newcomer.frame_locator("iframe")
    frame.locator("#opening").wait_for(state="detached")
    frame.locator("canvas[role=application]").wait_for()
    newcomer.wait_for_timeout(1500)
    assert not frame.get_by_role("region", name="The first minute").count()


def test_followers_and_replays_know_nothing_of_it() -> None:
    files = [each for other in OTHERS for each in ([other] if other.is_file() else other.glob("*.*"))]
    assert len(files) > 5
    assert not [file for file in files if b"armsweep-first" in file.read_bytes()]
