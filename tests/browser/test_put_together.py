"""A machine put together on the page: the robot kept through the modes, its object and arms chosen, told by a link."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from app.assembly.build import Thing
from app.state.build_text import asked_build
from tests.browser.conftest import visit
from tests.browser.test_address import address, drawn
from tests.browser.test_page import PATIENCE, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]


def choose(page: Page, menu: str, words: str) -> None:
    page.get_by_role("combobox", name=menu, exact=True).click()
    page.get_by_role("option", name=words, exact=True).click()


def agreed(page: Page, words: str) -> None:
    """The page shows the machine, and its badge has checked it."""
    expect(page.get_by_role("combobox", name="Motion")).to_contain_text(words, timeout=4 * PATIENCE)
    page.get_by_role("button", name=re.compile("methods agree|at rest, nothing acts")).wait_for(timeout=4 * PATIENCE)


def test_one_robot_is_kept_through_the_modes_and_holds_what_is_chosen(page: Page, serve: Callable[[str], str]) -> None:
    visit(page, f"{serve('app')}?preset=panda&t=0&play=0&tab=Model")
    for mode, words in (("Free-flying", "Panda, floating"), ("Multi-arm", "2 × Panda hold a box")):
        page.get_by_role("button", name=mode, exact=True).click()
        agreed(page, words)
    choose(page, "Object", "Sphere")
    agreed(page, "2 × Panda hold a sphere")
    choose(page, "Arms", "3")
    agreed(page, "3 × Panda hold a sphere")
    choose(page, "Of them", "Arm 2")
    choose(page, "Robot", "KUKA iiwa 14")
    agreed(page, "2 × Panda and KUKA iiwa 14 hold a sphere")
    mass = page.get_by_label("Mass (kg)").locator("visible=true").first
    mass.fill("3.5")
    mass.press("Enter")
    wait_until(page, lambda: "3.5kg" in address(page).get("build", ""), 4 * PATIENCE)
    build = asked_build(address(page)["build"])
    assert build.robots == ("panda", "iiwa14", "panda")
    assert isinstance(build.thing, Thing)
    assert (build.thing.shape, build.thing.mass) == ("sphere", 3.5)
    place = page.get_by_label("Base x (m)")
    before = place.input_value()
    place.fill("9")
    place.press("Enter")
    alert = page.get_by_role("alert").filter(has_text="Arm 2, KUKA iiwa 14, does not reach the object from there")
    alert.wait_for(timeout=4 * PATIENCE)
    expect(place).to_have_value(before)
    page.reload()
    drawn(page)
    agreed(page, "2 × Panda and KUKA iiwa 14 hold a sphere")
    page.get_by_role("button", name="Single arm", exact=True).click()
    agreed(page, "Panda, reaching")
    page.get_by_role("button", name="Undo").click()
    agreed(page, "2 × Panda and KUKA iiwa 14 hold a sphere")
