"""*Change*, *Edit* and *Model*: a machine changed, edited and put together; typed, refused, taken back, saved."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

import dynamics as dyn
from app.instruments.edit.sheets import SHEETS
from app.motion.build import Base, Build, Payload
from app.motion.built_machine import machine_of_build
from app.state.address import parse_build
from dynamics.robot import denavit_hartenberg
from tests.browser.moment import address, shown_session, shown_time, stand_at, wait_until
from tests.browser.page import choose, group, undo
from tests.browser.picture import CANVAS, hover, on_screen
from tests.browser.screens import DRAWN

STILL = "preset=puma560&t=0.500&play=0"


def test_torques_inertias_and_drives_are_changed_refused_and_taken_back(open_page: Callable[..., Page]) -> None:
    """Nothing runs while one types; Escape takes it back, Enter says it, beyond the slider's end too; one step back."""
    page = stand_at(open_page(STILL), 0.5)
    group(page, "Torques")
    field = page.get_by_role("textbox", name=re.compile(r"^joint_2\b"))
    slider = page.get_by_role("slider", name=re.compile(r"^joint_2\b"))
    expect(field).to_have_value("0")
    most = float(slider.get_attribute("aria-valuemax") or "nan")
    field.press_sequentially("25")
    field.press("Escape")
    expect(field).to_have_value("0")
    field.fill(f"{2.0 * most:g}")
    assert "torques" not in page.url
    field.press("Enter")
    wait_until(page, lambda: slider.get_attribute("aria-valuenow") == f"{most:g}")
    wait_until(page, lambda: 2.0 * most in shown_session(page).torques.values())
    field.fill("a lot")
    field.press("Enter")
    page.get_by_text("'a lot' is not a number from").wait_for()  # at the field
    expect(field).to_have_value(f"{2.0 * most:g}")
    field.focus()
    page.keyboard.press(" ")  # nothing is being typed: that plays
    wait_until(page, lambda: "play=1" in page.url)
    page.keyboard.press(" ")
    wait_until(page, lambda: "play=0" in page.url)
    page.keyboard.press("Control+z")  # and that takes the torque back, here as elsewhere
    wait_until(page, lambda: "torques" not in page.url)
    expect(field).to_have_value("0")
    page.keyboard.press("Control+y")
    expect(field).to_have_value(f"{2.0 * most:g}")
    page.keyboard.press("a")  # nor is a letter part of a number
    page.get_by_text("Kept as A").wait_for()
    undo(page)
    expect(field).to_have_value("0")
    # An inertia that no body has is named, and waits for the other numbers.
    group(page, "Masses")
    fields = [page.get_by_role("textbox", name=name) for name in ("Ixx (kg m²)", "Iyy (kg m²)")]
    fields[0].fill("0.5")
    fields[0].press("Enter")
    page.get_by_text("violates the triangle inequality").wait_for()
    page.get_by_text("Not applied yet").wait_for()
    assert shown_session(page).setup.bodies == {}
    fields[1].fill("0.5")
    fields[1].press("Tab")
    page.get_by_text("Not applied yet").wait_for(state="hidden")
    wait_until(page, lambda: [body.inertia[:2] for body in shown_session(page).setup.bodies.values()] == [(0.5, 0.5)])


UNEXPLAINED = re.compile(r"\b(nan|undefined|null|infinity|inf|traceback|none)\b|\[object", re.IGNORECASE)
WORDS = f"""root => {{
    {DRAWN}
    const found = []
    drawn(root, node => {{
        for (const child of node.childNodes) if (child.nodeType === 3) found.push(child.textContent)
        if (node.matches('input')) found.push(node.value)
    }})
    return found
}}"""


def test_edit(open_page: Callable[..., Page], tmp_path: Path) -> None:
    page = stand_at(open_page(f"{STILL}&tab=Edit&link=0"), 0.5)
    pane = page.get_by_role("tabpanel", name="Edit")

    def cell(name: str) -> Locator:
        return pane.get_by_role("textbox", name=name, exact=True)

    for name, columns in SHEETS.items():
        choose(page, "Table", name)
        pane.get_by_role("columnheader", name=columns[0].title).first.wait_for()
        assert not [text for text in pane.evaluate(WORDS) if UNEXPLAINED.search(text)], name
    choose(page, "Table", "D–H")
    a2 = cell("a of joint_2, m")
    expect(a2).to_have_value("0.4318")
    a2.fill("0.7")
    a2.press("Enter")
    wait_until(page, lambda: address(page).get("name") == "PUMA 560 edited.urdf")
    assert address(page)["t"] == "0.500"
    assert address(page)["link"] == "4"  # the row that was typed into
    a2.fill("long")
    a2.press("Tab")
    page.get_by_text("a of joint_2 is 'long'").first.wait_for()
    expect(a2).to_have_value("0.7")
    with page.expect_download() as saving:
        pane.get_by_role("button", name="Save as URDF").click()
    file = tmp_path / "saved.urdf"
    saving.value.save_as(file)
    assert denavit_hartenberg(dyn.load(file)).rows[1, 0] == pytest.approx(0.7, abs=1e-14)
    for name, value in (("Undo", "0.4318"), ("Redo", "0.7"), ("As it was", "0.4318")):
        pane.get_by_role("button", name=name).click()
        expect(a2).to_have_value(value)
    choose(page, "Table", "Masses")
    pane.get_by_role("button", name="Add a rod to it").click()
    pane.get_by_text("At the cursor: rod_1").wait_for()
    assert float(cell("mass of rod_1, kg").input_value()) > 0.1
    pane.get_by_role("button", name="Remove it").click()
    wait_until(page, lambda: cell("mass of rod_1, kg").count() == 0)


def agreed(page: Page, words: str) -> None:
    expect(page.get_by_role("combobox", name="Machine")).to_contain_text(words)
    page.get_by_role("button", name=re.compile("methods agree|at rest, in balance")).wait_for()


@pytest.mark.full
def test_a_machine_is_put_together(open_page: Callable[..., Page]) -> None:
    page = open_page("preset=built&build=multi_arm%3Bpanda%2Cpanda%3Bbox&t=0&play=0&tab=Model")
    agreed(page, "2 × Panda hold a box")
    choose(page, "Arms", "3")
    agreed(page, "3 × Panda hold a box")
    choose(page, "Of them", "Arm 2")
    choose(page, "Robot", "KUKA iiwa 14")
    agreed(page, "2 × Panda and KUKA iiwa 14 hold a box")
    mass = page.get_by_label("Mass (kg)").locator("visible=true").first
    mass.fill("3.5")
    mass.press("Enter")
    wait_until(page, lambda: "3.5kg" in address(page).get("build", ""))
    build = parse_build(address(page)["build"])
    assert build.robots == ("panda", "iiwa14", "panda")
    assert isinstance(build.payload, Payload)
    assert (build.payload.shape, build.payload.mass) == ("box", 3.5)
    place = page.get_by_role("textbox", name="Base x (m)")
    before = place.input_value()
    place.fill("9")
    place.press("Enter")
    page.get_by_role("alert").filter(has_text="Arm 2, KUKA iiwa 14, does not reach the object from there").wait_for()
    expect(place).to_have_value(before)
    page.get_by_role("button", name="Single arm", exact=True).click()
    agreed(page, "Panda, reaching")
    undo(page)
    agreed(page, "2 × Panda and KUKA iiwa 14 hold a box")


@pytest.mark.full
def test_a_base_is_dragged_over_the_ground(open_page: Callable[..., Page]) -> None:
    built = machine_of_build(Build("multi_arm", ("puma560", "iiwa14"), Payload("box"))).built
    assert built is not None
    first = built.bases[0]
    page = open_page("preset=built&build=multi_arm%3Bpuma560%2Ciiwa14%3Bbox&t=0&play=0&tab=Model")
    agreed(page, "PUMA 560 and KUKA iiwa 14 hold a box")
    page.get_by_role("button", name=re.compile("^Pose")).click()
    grip = np.array([first.x, first.y, 0.0])
    hover(page, grip, "base 1")
    page.mouse.down()
    page.mouse.move(*on_screen(page, grip + np.array([0.06, 0.15, 0.0])), steps=5)
    page.locator(".armsweep .label").get_by_text("Arm 1: x").wait_for()
    page.mouse.up()

    def bases() -> tuple[Base, ...] | None:
        return parse_build(address(page)["build"]).bases

    wait_until(page, lambda: bases() is not None)
    there = (bases() or ())[0]
    assert (there.x, there.y) == pytest.approx((first.x + 0.06, first.y + 0.15), abs=0.05)
    expect(page.get_by_role("combobox", name="Of them")).to_contain_text("Arm 1")
    undo(page)
    wait_until(page, lambda: bases() is None)
    assert shown_time(page) == 0.0
    assert page.locator(CANVAS).is_visible()
