"""A file whose every name is markup is shown as it is written: nothing of it runs, wherever it stands on the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.browser.screens import fill

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
TABS = (
    *("Lessons", "Walk", "Estimation", "Methods", "Cost", "Papers", "Show", "Change", "Check", "Break it", "Write it"),
    *("Compare", "Study", "Model", "Edit", "Lecture"),
)
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


def markup(number: int) -> str:
    """Of a name of a robot file, where it must be escaped itself."""
    return f"&lt;img src=x onerror=window.ran={number}&gt;"


def test_names_of_a_file_never_become_markup(lead: Callable[[str], Page]) -> None:
    page = lead("")
    inertial = "<mass value='1'/><inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/>"
    text = (
        f"<robot name='{markup(1)}'><link name='{markup(2)}'/><link name='{markup(3)}'><inertial>"
        f"<origin xyz='.3 0 0'/>{inertial}</inertial></link><joint name='{markup(4)}' type='revolute'>"
        f"<limit lower='-0.1' upper='0.1' effort='1' velocity='1'/><parent link='{markup(2)}'/>"
        f"<child link='{markup(3)}'/><axis xyz='0 1 0'/></joint><{'x' * 3} name='{markup(5)}'/></robot>"
    )
    name = "<img src=x onerror=window.ran=6>.urdf"
    page.get_by_role("tab", name="Model").click()
    file = {"name": name, "mimeType": "text/xml", "buffer": text.encode()}
    page.get_by_role("tabpanel", name="Model").locator("input[type=file]").set_input_files(files=[file])
    page.get_by_role("combobox", name="Motion").get_by_text(name).wait_for()
    rail = page.get_by_role("tablist", name="Instruments")
    for tab in TABS:
        if not rail.get_by_role("tab", name=tab, exact=True).count():
            continue  # not of this machine
        rail.get_by_role("tab", name=tab, exact=True).click()
        fill(page, tab)
        page.wait_for_timeout(400)
        images, ran = page.evaluate(FOUND)
        assert (images, ran) == ([], None), tab
    page.get_by_role("button", name="List of quantities").or_(
        page.get_by_role("button", name="Add a panel")
    ).first.click()
    page.wait_for_timeout(400)
    assert page.evaluate(FOUND) == [[], None]
    page.keyboard.press("Escape")
