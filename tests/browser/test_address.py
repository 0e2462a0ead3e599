"""The address says the moment and brings it back, files that a link needs too."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from app.motion.robot_file import OwnFile
from tests.app.files.test_upload import chain
from tests.browser.conftest import visit
from tests.browser.moment import address, pause, shown_time, stand_at, until_same, wait_until
from tests.browser.page import group, open_tab, upload
from tests.browser.picture import CANVAS, box_of, data, difference, drag, picture
from tests.browser.screens import fill


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
    time = float(address(page)["t"])
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
    names = said.keys() - {"camera"}
    until_same(other, {name: said[name] for name in names}, lambda: {name: address(other).get(name) for name in names})


def test_changes_are_undone_and_done_again_by_button_and_key(open_page: Callable[..., Page]) -> None:
    page = stand_at(open_page("preset=planar_chain&t=0.500&play=0"), 0.5)
    told = [address(page)]

    def changed(*names: str) -> None:
        wait_until(page, lambda: any(address(page).get(name) != told[-1].get(name) for name in names))
        told.append(address(page))

    group(page, "Masses")
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
    page.get_by_role("button", name="Single arm").click()  # undoing has just shown that, and it is chosen all the same
    changed("preset")


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
    page.get_by_role("combobox", name="Machine").get_by_text("mine.urdf").wait_for()
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

    def is_closed() -> bool:  # a click as soon after the message is not heard, and what leaves takes none
        alert.get_by_role("button", name="Close").evaluate_all("crosses => crosses.forEach(each => each.click())")
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
    page.get_by_role("combobox", name="Machine").get_by_text(name).wait_for()
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
    page.get_by_role("button", name="Quantities", exact=True).click()
    page.get_by_label("Search quantities").fill("link")
    assert page.evaluate(FOUND) == [[], None]
    page.keyboard.press("a")
