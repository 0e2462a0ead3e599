"""*Lecture*: moments kept, named, put in order, saved, opened elsewhere, shown by a presenter's remote, and printed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.page import address, open_tab, pause, shown_time, violations, wait_until
from tests.browser.printed import FRAME, links_of, printed, words_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]


def test_a_lecture_is_prepared_shown_elsewhere_and_printed(
    open_page: Callable[..., Page], tmp_path: Path, axe: str
) -> None:
    page = open_page()
    wait_until(page, lambda: shown_time(page) > 0.0)
    pause(page)
    time = shown_time(page)

    def keep(which: int) -> None:
        page.keyboard.press("k")
        page.get_by_text(f"Kept as moment {which}").first.wait_for()

    # Two moments are kept, each with a picture; named, put in order, one removed and taken back.
    keep(1)
    open_tab(page, "Check")
    wait_until(page, lambda: address(page).get("tab") == "Check")
    keep(2)
    pane = open_tab(page, "Lecture")
    fields = pane.get_by_label(re.compile("^Title of moment"))

    def titles() -> list[str]:
        found: list[str] = fields.evaluate_all("fields => fields.map(field => field.value)")
        return found

    wait_until(page, lambda: len(titles()) == 2)
    pictures = pane.locator("li img")
    wait_until(page, lambda: pictures.evaluate_all("all => all.map(one => one.naturalWidth)") == [480, 480])
    pane.get_by_label("Title of moment 1").fill("Who gives way first?")
    pane.get_by_label("Note of moment 1").fill("Let them guess.")
    pane.get_by_label("Note of moment 1").press("Tab")
    wait_until(page, lambda: titles()[0] == "Who gives way first?")
    pane.get_by_role("button", name="Move moment 2 up").click()
    wait_until(page, lambda: titles()[1] == "Who gives way first?")
    pane.get_by_role("button", name="Remove moment 1").click()
    wait_until(page, lambda: titles() == ["Who gives way first?"])
    pane.get_by_role("button", name="Undo: removing").click()
    wait_until(page, lambda: len(titles()) == 2)
    with page.expect_download() as saved:
        pane.get_by_role("button", name="Save as a file").click()
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)
    whole = json.loads(file.read_text(encoding="utf-8"))
    assert [each["note"] for each in whole["moments"]] == ["", "Let them guess."]
    # Printed it is a PDF with its pictures, its equations and its links.
    pane.get_by_role("button", name="Handout: print, or save as PDF").click()
    page.locator(FRAME).wait_for(state="attached")
    pdf = printed(page)
    words = words_of(pdf)
    for which, title in enumerate(titles(), 1):
        assert f"{which}. {title}" in words
    assert "Let them guess." in words
    assert len(re.findall("[=]", words)) > 3  # equations, as text
    assert [bool(re.search(r"/app\?.*preset=puma560&", link)) for link in links_of(pdf)] == [True, True]
    assert {picture.image.size for sheet in pdf.pages for picture in sheet.images} == {(480, 300)}
    # Opened elsewhere it is shown before a class, one moment at a key; notes are for the lecturer alone.
    page = open_page("preset=planar_chain&play=0")
    pane = open_tab(page, "Lecture")
    fields = pane.get_by_label(re.compile("^Title of moment"))
    page.get_by_text("No moment is kept yet").first.wait_for()
    pane.locator("input[type=file]").set_input_files(file)
    page.get_by_text("2 moments. Page Down shows the first.").first.wait_for()

    def is_shown(tab: str) -> None:
        wait_until(page, lambda: (address(page).get("preset"), address(page).get("tab", "Walk")) == ("puma560", tab))
        wait_until(page, lambda: shown_time(page) == time)

    page.keyboard.press("p")
    page.get_by_role("button", name="Leave projector mode (P)").wait_for()
    for key, tab in (("PageDown", "Check"), ("PageDown", "Walk"), ("PageUp", "Check")):
        page.keyboard.press(key)
        is_shown(tab)
        assert not page.get_by_text("Let them guess.").is_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Projector mode (P)", exact=True).wait_for()
    page.keyboard.press("PageDown")
    is_shown("Walk")
    page.get_by_role("alert").get_by_text("Let them guess.").wait_for()
    # A reload keeps the moments and the place among them.
    page.reload()
    page.locator("#opening").wait_for(state="detached")
    pane = open_tab(page, "Lecture")
    fields = pane.get_by_label(re.compile("^Title of moment"))
    wait_until(page, lambda: len(titles()) == 2)
    page.locator("li[aria-current=true]").get_by_label("Title of moment 2").wait_for()
    assert violations(page, axe, pane.element_handle()) == []
