"""A machine put together on the page: the robot kept through the modes, its object and arms chosen, told by a link."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from app.assembly.build import Base, Build, Thing
from app.motion.built_machine import machine_of_build
from app.state.build_text import asked_build
from tests.browser.conftest import visit
from tests.browser.test_address import address, drawn
from tests.browser.test_hands_on import on_screen
from tests.browser.test_page import PATIENCE, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]


def choose(page: Page, menu: str, words: str) -> None:
    page.get_by_role("combobox", name=menu, exact=True).click()
    page.get_by_role("option", name=words, exact=True).click()


def agreed(page: Page, words: str) -> None:
    """The page shows the machine, and its badge has checked it."""
    expect(page.get_by_role("combobox", name="Motion")).to_contain_text(words, timeout=PATIENCE)
    page.get_by_role("button", name=re.compile("methods agree|at rest, in balance")).wait_for(timeout=PATIENCE)


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
    wait_until(page, lambda: "3.5kg" in address(page).get("build", ""))
    build = asked_build(address(page)["build"])
    assert build.robots == ("panda", "iiwa14", "panda")
    assert isinstance(build.thing, Thing)
    assert (build.thing.shape, build.thing.mass) == ("sphere", 3.5)
    place = page.get_by_role("textbox", name="Base x (m)")
    before = place.input_value()
    place.fill("9")
    place.press("Enter")
    alert = page.get_by_role("alert").filter(has_text="Arm 2, KUKA iiwa 14, does not reach the object from there")
    alert.wait_for(timeout=PATIENCE)
    expect(place).to_have_value(before)
    page.reload()
    drawn(page)
    agreed(page, "2 × Panda and KUKA iiwa 14 hold a sphere")
    page.get_by_role("button", name="Single arm", exact=True).click()
    agreed(page, "Panda, reaching")
    page.get_by_role("button", name="Undo").click()
    agreed(page, "2 × Panda and KUKA iiwa 14 hold a sphere")


def base_asked(page: Page, arm: int) -> Base:
    bases = asked_build(address(page)["build"]).bases
    assert bases is not None
    return bases[arm]


def test_a_base_is_dragged_over_the_ground_and_moved_by_keys(page: Page, serve: Callable[[str], str]) -> None:
    build = Build("multi_arm", ("puma560", "iiwa14"), Thing("box"))
    built = machine_of_build(build).built
    assert built is not None
    first = built.bases[0]
    visit(page, f"{serve('app')}?preset=built&build=multi_arm%3Bpuma560%2Ciiwa14%3Bbox&t=0&play=0&tab=Model")
    agreed(page, "PUMA 560 and KUKA iiwa 14 hold a box")
    canvas = page.locator("canvas[role=application]")
    grip = np.array([first.x, first.y, 0.0])
    x, y = on_screen(page, grip)
    page.mouse.move(x, y)
    page.wait_for_timeout(500)
    assert not (canvas.get_attribute("data-hovered") or "").startswith("base")  # a push turns no base
    page.get_by_role("button", name=re.compile("^Pose")).click()
    for _ in range(100):  # until the browser knows that it may be held
        page.mouse.move(x, y + 1)
        page.mouse.move(x, y)
        page.wait_for_timeout(200)
        if canvas.get_attribute("data-hovered") == "base 1":
            break
    page.mouse.down()
    to = on_screen(page, grip + np.array([0.06, 0.15, 0.0]))
    page.mouse.move(*to, steps=5)
    page.locator(".armsweep .label").get_by_text("Arm 1: x").wait_for(timeout=PATIENCE)
    page.mouse.up()
    wait_until(page, lambda: asked_build(address(page)["build"]).bases is not None)
    there = base_asked(page, 0)
    assert (there.x, there.y) == pytest.approx((first.x + 0.06, first.y + 0.15), abs=0.05)
    expect(page.get_by_role("combobox", name="Of them")).to_contain_text("Arm 1")
    slider = page.get_by_role("slider", name="Base y (m)")
    wait_until(
        page,
        lambda: float(slider.get_attribute("aria-valuenow") or "nan") == pytest.approx(there.y, abs=0.0051),
    )
    slider.focus()
    page.keyboard.press("ArrowRight")
    wait_until(page, lambda: base_asked(page, 0).y == pytest.approx(there.y + 0.02, abs=0.011))
    for wanted in (there, None):
        page.get_by_role("button", name="Undo").first.click()
        wait_until(
            page,
            lambda wanted=wanted: (
                asked_build(address(page)["build"]).bases  # type: ignore[misc]
                == (None if wanted is None else (wanted, built.bases[1]))
            ),
        )
