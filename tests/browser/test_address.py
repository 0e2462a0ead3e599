"""The address carries the moment: shared, reloaded, taken back; and what a person prefers is kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.page import (
    CANVAS,
    address,
    box_of,
    data,
    drag,
    group,
    open_tab,
    pause,
    shown_time,
    stand_at,
    wait_until,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]


def test_the_address_follows_and_brings_the_moment_back(open_page: Callable[..., Page]) -> None:
    page = open_page("preset=two_arms_and_box&play=1")
    wait_until(page, lambda: 0.3 < shown_time(page) < 5.0)
    pause(page)
    box = box_of(page.locator(CANVAS))
    drag(page, (box["x"] + 20, box["y"] + 20), (100.0, 40.0))
    wait_until(page, lambda: "camera" in address(page))
    page.keyboard.press("ArrowDown")
    open_tab(page, "Check")
    wait_until(page, lambda: address(page).get("tab") == "Check")
    time = shown_time(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy a link to this moment").click()
    page.get_by_text("The link to this moment is copied").wait_for()
    link = str(page.evaluate("navigator.clipboard.readText()"))
    assert link == page.url
    said = address(page)
    assert (said["preset"], said["play"], said["tab"]) == ("two_arms_and_box", "0", "Check")
    other = open_page(link.partition("?")[2])
    stand_at(other, time)
    other.get_by_role("button", name="Play (space)").wait_for()
    wait_until(other, lambda: "camera" in data(other))
    view = [float(x) for x in said["camera"].split()]
    wait_until(other, lambda: [float(x) for x in data(other)["camera"].split()] == pytest.approx(view, abs=2e-3))
    wait_until(other, lambda: address(other).keys() >= said.keys())
    for name in said.keys() - {"camera"}:
        assert address(other)[name] == said[name], name


def test_changes_are_undone_and_done_again_by_button_and_key(open_page: Callable[..., Page]) -> None:
    """Changes of several instruments, one after the other, back to the beginning, and forward."""
    page = stand_at(open_page("preset=planar_chain&t=0.500&play=0"), 0.5)
    told = [address(page)]

    def changed(*names: str) -> None:
        """The change has come, and the address says it."""
        wait_until(page, lambda: any(address(page).get(name) != told[-1].get(name) for name in names))
        told.append(address(page))

    group(page, "Bodies")
    mass = page.get_by_role("textbox", name="Mass (kg)")
    mass.fill("2.5")
    mass.press("Enter")
    changed("mass", "bodies")
    group(page, "Torques")
    torque = page.get_by_role("textbox", name=re.compile("^joint_1")).first
    torque.fill("1.5")
    torque.press("Enter")
    changed("torques")
    page.get_by_role("button", name="Free-flying").click()
    changed("preset")
    own = ("preset", "mass", "bodies", "torques")

    def is_as(which: int) -> bool:
        return all(address(page).get(name) == told[which].get(name) for name in own)

    page.get_by_role("button", name=re.compile("^Undo")).first.click()
    wait_until(page, lambda: is_as(2))
    page.locator(CANVAS).focus()
    for which in (1, 0):
        page.keyboard.press("Control+z")
        wait_until(page, lambda which=which: is_as(which))  # type: ignore[misc]
    for which in (1, 2, 3):
        page.keyboard.press("Control+y")
        wait_until(page, lambda which=which: is_as(which))  # type: ignore[misc]


@pytest.mark.full
def test_the_theme_is_the_systems_until_one_is_chosen_and_that_is_kept(open_page: Callable[..., Page]) -> None:
    page = open_page(color_scheme="dark", reduced_motion="reduce")
    is_dark = page.locator(".armsweep.dark")
    is_dark.wait_for()
    expect(page.get_by_role("button", name="Play (space)")).to_be_visible()  # nothing moves by itself
    first = shown_time(page)
    page.get_by_label("Toggle theme").click()
    is_dark.wait_for(state="detached")
    wait_until(page, lambda: page.evaluate("localStorage.getItem('armsweep-theme')") == "light")
    assert shown_time(page) == first
    url = page.url.partition("?")[0]
    page.goto(f"{url}?preset=planar_chain", wait_until="domcontentloaded")
    assert page.locator("#opening").get_attribute("data-theme") == "light"
    page.goto(f"{url}?theme=dark", wait_until="domcontentloaded")  # a link's comes first, and is nobody's choice
    assert page.locator("#opening").get_attribute("data-theme") == "dark"
    assert page.evaluate("localStorage.getItem('armsweep-theme')") == "light"
