"""A robot file of one's own: opened, refused, with its meshes, there again after a reload; names are never markup."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from app.motion.own_file import OwnFile
from tests.app.upload.test_upload import MESHED, MODEL, SCENE, archive, chain, model_archive, part
from tests.browser.conftest import visit
from tests.browser.page import address, difference, group, open_tab, picture, shown_time, undo, upload, wait_until
from tests.browser.screens import fill

if TYPE_CHECKING:
    from playwright.sync_api import FilePayload, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]


def test_a_file_that_a_link_needs_is_asked_for_and_back_after_a_reload(open_page: Callable[..., Page]) -> None:
    digest = OwnFile.of(text := chain(3), "mine.urdf").digest
    page = open_page(f"preset=file&file={digest}&name=mine.urdf&drive=hand")
    page.get_by_text("This link shows mine.urdf (fingerprint").wait_for()
    wait_until(page, lambda: shown_time(page) > 0.0)  # another machine, meanwhile
    assert digest in page.url
    upload(page, "mine.urdf", text)
    page.get_by_text("mine.urdf is open.").wait_for()
    forget = page.get_by_role("button", name="Forget the files kept in this browser")
    forget.wait_for()
    wait_until(page, lambda: "drive=hand" in page.url and "layers" in page.url)
    before = picture(page)
    wait_until(page, lambda: difference(before, picture(page)) > 0.001)
    visit(page, page.url)
    page.get_by_role("combobox", name="Motion").get_by_text("mine.urdf").wait_for()
    wait_until(page, lambda: "drive=hand" in page.url)
    open_tab(page, "Model")
    forget.click()
    forget.wait_for(state="hidden")


def test_bad_files_are_refused_in_words_and_good_ones_come_in_any_form(open_page: Callable[..., Page]) -> None:
    page = open_page("preset=planar_chain&play=1&tab=Model")
    wait_until(page, lambda: shown_time(page) > 0.0)
    alert = page.get_by_role("alert").filter(has_text="That did not work")

    def is_closed() -> bool:  # a click as soon after the message is not heard
        if alert.is_visible():
            alert.get_by_role("button", name="Close").click()
        return not alert.is_visible()

    for name, content in (("bad.urdf", b"<robot name='r'><link name='<script>'/></robot>"), ("bad.zip", b"nonsense")):
        upload(page, name, content)
        alert.wait_for()
        page.get_by_text(f"{name} is not opened").first.wait_for()
        before = shown_time(page)
        wait_until(page, lambda before=before: shown_time(page) != before)  # type: ignore[misc]
        wait_until(page, is_closed)
    # A robot with its meshes, chosen together or in a zip, is the same; alone it is another.
    chooser = page.get_by_role("tabpanel", name="Model").locator("input[type=file]")
    several: list[FilePayload] = [
        {"name": "mine.urdf", "mimeType": "text/xml", "buffer": MESHED},
        {"name": "part.stl", "mimeType": "model/stl", "buffer": part()},
    ]
    zipped: list[FilePayload] = [{"name": "mine.zip", "mimeType": "application/zip", "buffer": archive()}]
    digests = []
    for files, word in ((several, "mine.urdf is open."), (zipped, "mine.zip is open.")):
        chooser.set_input_files(files=files)
        page.get_by_text(word).wait_for()
        wait_until(page, lambda: "file=" in page.url)
        assert page.get_by_text("has no folder to look in").count() == 0
        digests.append(address(page)["file"])
        undo(page)
        wait_until(page, lambda: "file=" not in page.url)
    assert digests[0] == digests[1]
    upload(page, "mine.urdf", MESHED)
    page.get_by_text("mine.urdf is open.").wait_for()
    wait_until(page, lambda: address(page).get("file", digests[0]) != digests[0])
    group(page, "Bodies")
    page.get_by_role("textbox", name="Mass (kg)").wait_for()


def test_a_model_of_mujoco_is_opened_edited_and_there_again(open_page: Callable[..., Page]) -> None:
    pytest.importorskip("mujoco", reason="the Python package mujoco is not installed")
    page = open_page("preset=planar_chain&tab=Model&play=0")
    chooser = page.get_by_role("tabpanel", name="Model").locator("input[type=file]")
    upload(page, "arm.zip", model_archive(), "application/zip")
    page.get_by_text("arm.zip is open.").wait_for()
    wait_until(page, lambda: "file=" in page.url)
    digest = address(page)["file"]
    undo(page)
    wait_until(page, lambda: "file=" not in page.url)
    several: list[FilePayload] = [
        {"name": "part.stl", "mimeType": "model/stl", "buffer": part()},
        {"name": "robot.xml", "mimeType": "text/xml", "buffer": MODEL},
        {"name": "scene.xml", "mimeType": "text/xml", "buffer": SCENE},
    ]
    chooser.set_input_files(files=several)
    page.get_by_text("robot.xml is open.").wait_for()
    wait_until(page, lambda: address(page).get("file") == digest)  # the same robot, however it came
    page.get_by_role("button", name=re.compile("methods agree")).wait_for()
    visit(page, page.url)
    page.get_by_role("combobox", name="Motion").get_by_text("scene.xml").wait_for()
    pane = open_tab(page, "Edit")
    first = pane.get_by_role("row").nth(1).get_by_role("textbox").first
    first.fill("2")
    page.keyboard.press("Enter")
    wait_until(page, lambda: address(page).get("name") == "scene edited.urdf")
    page.get_by_role("button", name=re.compile("methods agree")).wait_for()


FOUND = """() => {
  const images = []
  const look = root => {
    for (const one of root.querySelectorAll("*")) {
      if (one.matches("img[src=x]")) images.push(one.outerHTML)
      if (one.shadowRoot) look(one.shadowRoot)
    }
  }
  look(document)
  return [images, window.ran ?? null]
}"""
"""Pictures that a name has become, and whether any has run."""


def markup(number: int) -> str:
    """Of a name of a robot file, where it must be escaped itself."""
    return f"&lt;img src=x onerror=window.ran={number}&gt;"


def test_names_of_a_file_never_become_markup(open_page: Callable[..., Page]) -> None:
    """A file whose every name is markup is shown as it is written: nothing of it runs, wherever it stands."""
    page = open_page("preset=planar_chain&play=0")
    inertial = "<mass value='1'/><inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/>"
    text = (
        f"<robot name='{markup(1)}'><link name='{markup(2)}'/><link name='{markup(3)}'><inertial>"
        f"<origin xyz='.3 0 0'/>{inertial}</inertial></link><joint name='{markup(4)}' type='revolute'>"
        f"<limit lower='-0.1' upper='0.1' effort='1' velocity='1'/><parent link='{markup(2)}'/>"
        f"<child link='{markup(3)}'/><axis xyz='0 1 0'/></joint><{'x' * 3} name='{markup(5)}'/></robot>"
    )
    name = "<img src=x onerror=window.ran=6>.urdf"
    upload(page, name, text.encode())
    page.get_by_role("combobox", name="Motion").get_by_text(name).wait_for()
    rail = page.get_by_role("tablist", name="Instruments").get_by_role("tab")
    for tab in [each.rpartition("\n")[2] for each in rail.all_inner_texts()]:  # what stands over a name is its icon's
        pane = open_tab(page, tab)
        expect(pane).to_be_visible()
        if tab in ("Estimation", "Lecture"):
            fill(page, tab)
        else:
            page.get_by_role("tabpanel", name=tab, exact=True).locator("button, input, h3").locator(
                "visible=true"
            ).first.wait_for()
        assert page.evaluate(FOUND) == [[], None], tab
    page.get_by_role("button", name="Choose quantities to plot").click()
    page.get_by_label("Search quantities").fill("link")
    assert page.evaluate(FOUND) == [[], None]
    page.keyboard.press("a")
