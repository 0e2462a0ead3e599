"""A robot file of one's own in a real browser: said what became of it, there again after a reload, and driven."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from app.motion.own_file import OwnFile
from tests.app.upload.test_upload import MESHED, MODEL, SCENE, archive, chain, model_archive, part
from tests.browser.conftest import visit
from tests.browser.screens import AT_REST
from tests.browser.test_address import address
from tests.browser.test_page import PATIENCE, shown_time, wait_until
from tests.browser.test_screens import FOCUSED
from tests.browser.test_tasks import tab_to

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]


def test_a_file_that_a_link_needs_is_asked_for_and_back_after_a_reload(page: Page, serve: Callable[[str], str]) -> None:
    digest = OwnFile.of(text := chain(3), "mine.urdf").digest
    visit(page, f"{serve('app')}?preset=file&file={digest}&name=mine.urdf&drive=hand")
    page.get_by_text("This link shows mine.urdf (fingerprint").wait_for(timeout=PATIENCE)
    wait_until(page, lambda: shown_time(page) > 0.0)  # another machine, meanwhile
    assert digest in page.url
    page.get_by_role("tab", name="Model").click()
    file = {"name": "mine.urdf", "mimeType": "text/xml", "buffer": text}
    page.get_by_role("tabpanel", name="Model").locator("input[type=file]").set_input_files(files=[file])  # type: ignore[list-item]
    page.get_by_text("mine.urdf is open.").wait_for(timeout=PATIENCE)
    forget = page.get_by_role("button", name="Forget the files kept in this browser")
    forget.wait_for(timeout=PATIENCE)
    assert page.get_by_text("Uploaded").count() == 0
    assert page.get_by_role("button", name="Open a robot file").count() == 1  # what it does, not what it took last
    wait_until(page, lambda: "drive=hand" in page.url and "layers" in page.url)
    visit(page, page.url)
    page.get_by_role("combobox", name="Motion").get_by_text("mine.urdf").wait_for(timeout=PATIENCE)
    wait_until(page, lambda: "drive=hand" in page.url)
    page.get_by_role("tab", name="Model").click()
    forget.click()
    forget.wait_for(state="hidden", timeout=PATIENCE)


def test_a_button_by_which_a_key_asked_for_a_file_keeps_the_focus(page: Page, serve: Callable[[str], str]) -> None:
    """It is written anew when its first file has come: whoever has no mouse was at the top of the page again."""
    visit(page, f"{serve('app')}?preset=puma560&tab=Model&play=0")
    page.get_by_role("button", name=re.compile("methods agree")).wait_for(timeout=PATIENCE)
    refused: list[FilePayload] = [{"name": "mine.txt", "mimeType": "text/plain", "buffer": b"mine"}]

    def ask(button: Locator) -> None:
        before = button.element_handle()
        with page.expect_file_chooser() as asked:
            button.press("Enter")
        asked.value.set_files(files=refused)
        page.wait_for_function("button => !button.isConnected", arg=before)
        expect(button).to_be_focused(timeout=PATIENCE)

    ask(page.get_by_role("tabpanel", name="Model").locator("input[type=file]"))
    page.get_by_role("button", name="Session as a file").click()
    ask(page.get_by_role("dialog").locator("input[type=file]"))


def test_the_table_of_links_keeps_its_columns_whatever_a_link_is_called(
    page: Page, serve: Callable[[str], str]
) -> None:
    """A name without a blank broke nowhere: joint, mass and torque of every link stood out of sight."""
    visit(page, f"{serve('app')}?preset=puma560&play=0")
    page.get_by_role("tab", name="Model").click()
    text = chain(3).replace(b"'l1'", b"'" + 6 * b"a_long_name_" + b"'")
    pane = page.get_by_role("tabpanel", name="Model")
    file = {"name": "long.urdf", "mimeType": "text/xml", "buffer": text}
    pane.locator("input[type=file]").set_input_files(files=[file])  # type: ignore[list-item]
    page.get_by_text("long.urdf is open.").wait_for(timeout=PATIENCE)
    table = pane.get_by_role("table").filter(has_text="its joint")
    expect(table).to_contain_text("a_long_name_")
    try:
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 800})
            page.evaluate(AT_REST)
            assert table.evaluate("table => table.scrollWidth - table.parentElement.clientWidth") <= 0, width
    finally:
        page.set_viewport_size({"width": 1280, "height": 800})


def test_a_drive_is_chosen_from_its_menu(lead: Callable[[str], Page]) -> None:
    page = lead("preset=iiwa14&play=0")
    page.get_by_role("tab", name="Change").click()
    page.get_by_role("button", name="Drive", exact=True).click()
    page.get_by_role("combobox", name="Drive").click()
    page.get_by_role("option", name="A circle with the tip").click()
    page.get_by_text("39.2\u00a0cm across, and takes 4\u00a0s").wait_for(timeout=PATIENCE)
    wait_until(page, lambda: "drive=circle" in page.url)
    page.get_by_role("button", name="Undo (Ctrl+Z)").click()
    page.get_by_text("to another posture and back").wait_for(timeout=PATIENCE)


@pytest.mark.parametrize("key", ["Enter", "Space", "ArrowDown"])
def test_a_drive_is_chosen_from_its_menu_by_keys(lead: Callable[[str], Page], key: str) -> None:
    page = lead("preset=ur5e&play=0&tab=Change")
    menu = page.get_by_role("combobox", name="Drive")
    menu.wait_for(timeout=PATIENCE)
    tab_to(page, "Springs, to and fro")
    page.keyboard.press(key)
    expect(page.get_by_role("option", name="Springs, to and fro")).to_be_focused(timeout=PATIENCE)
    page.keyboard.press("ArrowDown")
    chosen = str(page.evaluate(FOCUSED))
    page.keyboard.press("Enter")
    expect(menu).to_contain_text(chosen, timeout=PATIENCE)
    expect(menu).to_be_focused(timeout=PATIENCE)
    wait_until(page, lambda: "drive=" in page.url)


def test_a_robot_comes_with_its_meshes_chosen_together_or_in_a_zip(lead: Callable[[str], Page]) -> None:
    page = lead("preset=puma560&tab=Model&play=0")
    chooser = page.get_by_role("tabpanel", name="Model").locator("input[type=file]")
    several: list[FilePayload] = [
        {"name": "mine.urdf", "mimeType": "text/xml", "buffer": MESHED},
        {"name": "part.stl", "mimeType": "model/stl", "buffer": part()},
    ]
    zipped: list[FilePayload] = [{"name": "mine.zip", "mimeType": "application/zip", "buffer": archive()}]
    lone: list[FilePayload] = [{"name": "mine.urdf", "mimeType": "text/xml", "buffer": MESHED}]
    left_out = page.get_by_text("has no folder to look in")
    digests = []
    for files, word in ((several, "mine.urdf is open."), (zipped, "mine.zip is open.")):
        chooser.set_input_files(files=files)
        page.get_by_text(word).wait_for(timeout=PATIENCE)
        wait_until(page, lambda: "file=" in page.url)
        assert left_out.count() == 0
        digests.append(address(page)["file"])
        page.get_by_role("button", name="Undo (Ctrl+Z)").click()
        wait_until(page, lambda: "file=" not in page.url)
    assert digests[0] == digests[1]  # the same robot, however it came
    chooser.set_input_files(files=lone)
    page.get_by_text("mine.urdf is open.").wait_for(timeout=PATIENCE)
    wait_until(page, lambda: address(page).get("file", digests[0]) != digests[0])


def test_a_model_of_mujoco_comes_in_a_zip_or_with_all_its_files_and_is_edited_and_there_again(
    page: Page, serve: Callable[[str], str]
) -> None:
    pytest.importorskip("mujoco", reason="the Python package mujoco is not installed")
    visit(page, f"{serve('app')}?preset=puma560&tab=Model&play=0")
    chooser = page.get_by_role("tabpanel", name="Model").locator("input[type=file]")
    zipped: list[FilePayload] = [{"name": "arm.zip", "mimeType": "application/zip", "buffer": model_archive()}]
    several: list[FilePayload] = [
        {"name": "part.stl", "mimeType": "model/stl", "buffer": part()},
        {"name": "robot.xml", "mimeType": "text/xml", "buffer": MODEL},
        {"name": "scene.xml", "mimeType": "text/xml", "buffer": SCENE},
    ]
    chooser.set_input_files(files=zipped)
    page.get_by_text("arm.zip is open.").wait_for(timeout=PATIENCE)
    wait_until(page, lambda: "file=" in page.url)
    digest = address(page)["file"]
    page.get_by_role("button", name="Undo (Ctrl+Z)").click()
    wait_until(page, lambda: "file=" not in page.url)
    chooser.set_input_files(files=several)
    page.get_by_text("robot.xml is open.").wait_for(timeout=PATIENCE)
    wait_until(page, lambda: address(page).get("file") == digest)  # the same robot, however it came
    page.get_by_role("button", name=re.compile("methods agree")).wait_for(timeout=PATIENCE)
    visit(page, page.url)
    page.get_by_role("combobox", name="Motion").get_by_text("scene.xml").wait_for(timeout=PATIENCE)
    page.get_by_role("tab", name="Edit", exact=True).click()
    page.get_by_role("tabpanel", name="Edit").get_by_role("row").nth(1).get_by_role("textbox").first.fill("2")
    page.keyboard.press("Enter")
    wait_until(page, lambda: address(page).get("name") == "scene edited.urdf")
    page.get_by_role("button", name=re.compile("methods agree")).wait_for(timeout=PATIENCE)
