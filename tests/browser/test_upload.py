"""A robot file of one's own: opened, refused, there again after a reload; names are never markup."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from app.motion.own_file import OwnFile
from tests.app.upload.test_upload import chain
from tests.browser.conftest import visit
from tests.browser.page import difference, open_tab, picture, shown_time, upload, wait_until
from tests.browser.screens import fill

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]


@pytest.mark.full
def test_a_file_that_a_link_needs_is_asked_for_and_back_after_a_reload(open_page: Callable[..., Page]) -> None:
    digest = OwnFile.of(text := chain(3), "mine.urdf").digest
    page = open_page(f"preset=file&file={digest}&name=mine.urdf&drive=hand&play=1")
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


def test_bad_files_are_refused_and_names_of_a_good_one_never_become_markup(open_page: Callable[..., Page]) -> None:
    """A file whose every name is markup is shown as it is written: nothing of it runs, wherever it stands."""
    page = open_page("preset=planar_chain&play=0")
    # What cannot be a robot is refused in words.
    alert = page.get_by_role("alert").filter(has_text="That did not work")

    def is_closed() -> bool:  # a click as soon after the message is not heard
        if alert.is_visible():
            alert.get_by_role("button", name="Close").click()
        return not alert.is_visible()

    for name, content in (("bad.urdf", b"<robot name='r'><link name='<script>'/></robot>"), ("bad.zip", b"nonsense")):
        upload(page, name, content)
        alert.wait_for()
        page.get_by_text(f"{name} is not opened").first.wait_for()
        wait_until(page, is_closed)
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
