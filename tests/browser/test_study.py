"""*Study* in a browser: asked by a link, answered beside the page, and a click in the picture opens the state."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.test_page import PATIENCE, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]


def test_states_are_found_and_a_click_opens_one(lead: Callable[[str], Page]) -> None:
    page = lead("preset=puma560&t=0.300&play=0&tab=Study&study=q:3.14,tau:3;filter.joint_inertia:joint_1;1000")
    wait_until(page, lambda: shown_time(page) == 0.3)
    pane = page.get_by_role("tabpanel", name="Study", exact=True)
    pane.get_by_label("Torques, ± N m or N").first.wait_for(timeout=PATIENCE)
    assert pane.get_by_role("checkbox", name="Torques, ± N m or N").is_checked()
    assert not pane.get_by_role("checkbox", name="Gravity, none to m/s²").is_checked()
    pane.get_by_role("button", name="Start", exact=True).focus()
    page.keyboard.press("Enter")
    pane.get_by_text("1,000 states.", exact=True).wait_for(timeout=3 * PATIENCE)  # it yields to all others
    picture = pane.locator("canvas").first
    picture.scroll_into_view_if_needed()
    page.wait_for_timeout(1000)  # the plots are laid out one after the other
    box = picture.bounding_box()
    assert box is not None
    told = pane.get_by_text(re.compile(r"^State [\d,]+ is open"))
    page.mouse.click(box["x"] + 0.22 * box["width"], box["y"] + 0.3 * box["height"])
    wait_until(page, lambda: "beside=Study" in page.url and "link=5" in page.url)
    assert shown_time(page) == 0.0
    page.get_by_role("tab", name="Study", exact=True).click()
    told.wait_for(timeout=PATIENCE)
    reported, here = pane.locator("b.reported"), pane.locator("b.here")
    wait_until(page, lambda: here.inner_text() == reported.inner_text() != "")
    assert re.search(r"\d", here.inner_text())
    shown = pane.locator("[data-go^='against']")
    weights = shown.evaluate_all("all => all.map(one => [one.ariaPressed, getComputedStyle(one).fontWeight])")
    assert {tuple(each) for each in weights} == {("true", "600"), ("false", "400")}
    page.keyboard.press("Control+z")
    wait_until(page, lambda: told.count() == 0)


def test_a_motion_is_opened_with_its_own_step_and_integrator(lead: Callable[[str], Page]) -> None:
    asked = "study=dt:10,method:3,duration:0.2,step:1;run:drift;100"
    page = lead(f"preset=two_arms_and_box&t=0.000&play=0&tab=Study&{asked}")
    pane = page.get_by_role("tabpanel", name="Study", exact=True)
    field = pane.get_by_placeholder("Whole motions, each of so many s")
    field.wait_for(timeout=PATIENCE)
    wait_until(page, lambda: field.input_value() == "0.2")
    pane.get_by_role("button", name="Start", exact=True).evaluate("button => button.click()")
    pane.get_by_text("21 motions.", exact=True).wait_for(timeout=PATIENCE)
    pane.get_by_role("button", name=re.compile("^Open state")).first.evaluate("button => button.click()")
    wait_until(page, lambda: "method=euler" in page.url and "step=0.01" in page.url)
    page.get_by_role("tab", name="Study", exact=True).click()
    reported, here = pane.locator("b.reported"), pane.locator("b.here")
    wait_until(page, lambda: here.inner_text() == reported.inner_text() != "")
    page.keyboard.press("Control+z")
    wait_until(page, lambda: "method=" not in page.url)
