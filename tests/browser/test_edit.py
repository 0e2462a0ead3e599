"""The robot's numbers typed in the page: seen in P and D, refused, taken back, saved; a link more."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import dynamics as dyn
from app.editor.sheets import SHEETS
from tests.browser.screens import faults
from tests.browser.test_address import address
from tests.browser.test_every_control import unexplained
from tests.browser.test_page import PATIENCE, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
QUERY = "preset=puma560&t=0.500&play=0&tab=Edit"


def pane(page: Page) -> Locator:
    return page.get_by_role("tabpanel", name="Edit")


def cell(page: Page, name: str) -> Locator:
    return pane(page).get_by_role("textbox", name=name, exact=True)


def test_a_length_is_typed_refused_taken_back_and_saved(lead: Callable[[str], Page], tmp_path: Path) -> None:
    page = lead(QUERY)
    wait_until(page, lambda: shown_time(page) == 0.5)
    pane(page).get_by_role("combobox", name="Sheet").click()
    page.get_by_role("option", name="D–H", exact=True).click()
    a2 = cell(page, "a of joint_2, m")
    a2.wait_for(timeout=PATIENCE)
    assert a2.input_value() == "0.4318"
    a2.fill("0.7")
    a2.press("Enter")
    wait_until(page, lambda: address(page).get("name") == "PUMA 560 edited.urdf")
    assert address(page)["t"] == "0.500"
    assert address(page)["link"] == "4"  # the row that was typed into
    a2.fill("long")
    a2.press("Tab")
    page.get_by_text("a of joint_2 is 'long'").first.wait_for(timeout=PATIENCE)
    wait_until(page, lambda: a2.input_value() == "0.7")
    with page.expect_download(timeout=PATIENCE) as saving:
        pane(page).get_by_role("button", name="Save as URDF").click()
    file = tmp_path / "saved.urdf"
    saving.value.save_as(file)
    assert dyn.denavit_hartenberg(dyn.load(file)).rows[1, 0] == pytest.approx(0.7, abs=1e-14)
    pane(page).get_by_role("button", name="Undo").click()
    wait_until(page, lambda: a2.input_value() == "0.4318")
    pane(page).get_by_role("button", name="Redo").click()
    wait_until(page, lambda: a2.input_value() == "0.7")
    pane(page).get_by_role("button", name="As it was").click()
    wait_until(page, lambda: a2.input_value() == "0.4318")


def test_every_sheet_is_of_numbers_and_words(lead: Callable[[str], Page]) -> None:
    page = lead(QUERY)
    wait_until(page, lambda: shown_time(page) == 0.5)
    sheet = pane(page).get_by_role("combobox", name="Sheet")
    for name, columns in SHEETS.items():
        sheet.click()
        page.get_by_role("option", name=name, exact=True).click()
        pane(page).get_by_role("columnheader", name=columns[0].title).first.wait_for(timeout=PATIENCE)
        assert not unexplained(pane(page)), name
    assert not unexplained(page.locator("body"))


@pytest.mark.timeout(600)
def test_names_are_whole_and_no_number_is_cut_in_its_field(lead: Callable[[str], Page]) -> None:
    """Arms whose links' names begin alike, long words in them, inertias of any size: what is cut reads as another."""
    wrong = []
    for preset in ("solo12", "talos"):
        page = lead(f"preset={preset}&t=0.500&play=0&tab=Edit")
        wait_until(page, lambda page=page: shown_time(page) == 0.5)  # type: ignore[misc]
        for sheet, of in (("Masses", "mass"), ("Inertias", "Ixx")):
            pane(page).get_by_role("combobox", name="Sheet").click()
            page.get_by_role("option", name=sheet, exact=True).click()
            number = pane(page).get_by_role("textbox", name=re.compile(f"^{of} of ")).first
            number.wait_for(timeout=PATIENCE)
            for size in ((390, 844), (820, 1180), (1280, 800)):
                wrong += [f"{preset}, {sheet}, {line}" for line in faults(page, *size)]
    shown = number.input_value()
    number.focus()
    expect(number).not_to_have_value(shown)  # all its digits, to be mended
    page.keyboard.press("Escape")
    number.blur()
    expect(number).to_have_value(shown)
    assert not wrong, "\n".join(wrong)


def test_a_rod_is_added_chosen_and_removed(lead: Callable[[str], Page]) -> None:
    page = lead(QUERY + "&link=0")
    wait_until(page, lambda: shown_time(page) == 0.5)
    pane(page).get_by_text("At the cursor: link_6").wait_for(timeout=PATIENCE)
    pane(page).get_by_role("button", name="Add a rod to it").click()
    pane(page).get_by_text("At the cursor: rod_1").wait_for(timeout=PATIENCE)
    assert float(cell(page, "mass of rod_1, kg").input_value()) == pytest.approx(2.2902, rel=1e-3)
    pane(page).get_by_role("button", name="Remove it").click()
    wait_until(page, lambda: cell(page, "mass of rod_1, kg").count() == 0)
