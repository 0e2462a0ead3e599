"""What people come for: tasks of a lecturer and a researcher; those without a mouse are in `test_keyboard`."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.app.arrival import computed
from tests.app.files.test_upload import chain
from tests.browser.moment import address, is_told, pause, settled, shown_time, stand_at, wait_until
from tests.browser.page import choose, group, open_plots, open_tab, undo, upload
from tests.browser.picture import CANVAS


def opened(open_page: Callable[..., Page]) -> Page:
    page = open_page()
    page.locator(CANVAS).wait_for()
    wait_until(page, lambda: shown_time(page) > 0.2)
    pause(page)
    return page


def test_a_box_is_let_go_and_taken_again(open_page: Callable[..., Page]) -> None:
    page = stand_at(open_page("preset=two_arms_and_box&t=0.300&play=0"), 0.3)
    page.get_by_role("button", name="Release", exact=True).wait_for()
    open_plots(page, "Contact")
    forces = page.get_by_role("group", name=re.compile("^Panel 1:"))
    forces.get_by_role("heading", name="Contact force").wait_for()
    shown = page.locator("section.cell:visible dd")
    wait_until(page, lambda: any(re.match(r"−?\d", said) for said in shown.all_inner_texts()))
    page.get_by_role("button", name="Play (space)").click()
    page.get_by_role("button", name="Release", exact=True).click()
    grasp = page.get_by_role("button", name="Grasp", exact=True)
    grasp.wait_for()
    page.get_by_text("released", exact=True).wait_for()
    # A hand that holds nothing is pressed by nothing, and nothing is predicted, while it plays.
    wait_until(page, lambda: {" ".join(t.split()) for t in forces.locator("dd").all_inner_texts()} == {"–", "0 N"})
    landing = page.get_by_role("img", name=re.compile("ground"))
    landing.wait_for()
    grasp.click()
    page.get_by_role("button", name="Release", exact=True).wait_for()


@pytest.mark.full
def test_a_researcher_doubles_a_mass_and_reads_how_far_the_tip_goes_elsewhere(open_page: Callable[..., Page]) -> None:
    """Keep this run. Make the last link twice as heavy. How far does the tip go elsewhere, in one number?"""
    page = opened(open_page)
    before = settled(page)
    open_tab(page, "Show")
    page.get_by_role("button", name="Keep this run", exact=True).click()
    page.get_by_label("Name of run A").wait_for()
    group(page, "Masses")
    field = page.get_by_role("textbox", name="Mass (kg)")
    field.fill(f"{2.0 * before.mass:g}")
    field.press("Enter")
    wait_until(page, lambda: "mass=" in page.url)
    after = settled(page)
    assert after.mass == pytest.approx(2.0 * before.mass, rel=1e-5)
    open_tab(page, "Show")
    row = page.get_by_role("table", name="How far from this run").get_by_role("row").filter(has_text="tip")
    tips = []
    for session in (before, after):
        computed(session.run)
        times = np.linspace(0.0, session.run.end, 201).tolist()
        tips.append(np.array([each.tip_pose[0, :3, 3] for each in session.run.solutions_at(times) if each is not None]))
    largest = float(np.linalg.norm(tips[1] - tips[0], axis=1).max())

    def told() -> float:
        number, unit = row.locator("td.number").first.inner_text().split()
        return float(number) * {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "µm": 1e-6}[unit]

    wait_until(page, lambda: bool(row.count()) and told() == pytest.approx(largest, rel=0.05))


@pytest.mark.full
def test_a_researcher_opens_a_robot_and_takes_the_session_home(open_page: Callable[..., Page], tmp_path: Path) -> None:
    page = opened(open_page)
    # Open your own robot file, and let it fall.
    upload(page, "mine.urdf", chain(3))
    page.get_by_text("mine.urdf is open.").wait_for()
    group(page, "Drive")
    choose(page, "Drive", re.compile("^Motors off"))
    wait_until(page, lambda: "drive=free" in page.url)
    # Change its world, save the session; another day, elsewhere, go on from the file.
    group(page, "Masses")
    field = page.get_by_role("textbox", name="Mass (kg)")
    field.fill("3.5")
    field.press("Enter")
    wait_until(page, lambda: "mass=3.5" in page.url)
    page.locator(CANVAS).focus()
    if page.get_by_role("button", name="Pause (space)").count():
        pause(page)
    page.keyboard.press(".")
    wait_until(page, lambda: is_told(page))
    time = float(address(page)["t"])
    page.get_by_role("button", name="Session as a file").click()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save this session").click()
    taken = tmp_path / saving.value.suggested_filename
    saving.value.save_as(taken)
    assert taken.name.endswith(".armsweep.json")
    other = open_page("preset=planar_chain&play=0")
    other.get_by_role("button", name="Session as a file").click()
    other.get_by_role("dialog").locator("input[type=file]").set_input_files(taken)
    other.get_by_text(f"{taken.name} is open.").wait_for()
    stand_at(other, time)
    group(other, "Masses")
    expect(other.get_by_role("textbox", name="Mass (kg)")).to_have_value("3.5")
    undo(other)
    wait_until(other, lambda: address(other).get("preset") == "planar_chain")
