"""*Papers* in a browser: a click recomputes a result, and another opens its machine beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

import dynamics as dyn
from app.number_text import number_text
from app.papers.result_html import DIGITS
from tests.browser.test_address import address
from tests.browser.test_page import PATIENCE, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]


def test_a_click_recomputes_and_another_opens(lead: Callable[[str], Page]) -> None:
    page = lead("preset=planar_chain&t=0.200&play=0")
    wait_until(page, lambda: shown_time(page) == 0.2)
    page.get_by_role("tab", name="Papers", exact=True).click()
    pane = page.get_by_role("tabpanel", name="Papers")
    pane.get_by_role("button", name="R88", exact=True).click(timeout=PATIENCE)
    pane.get_by_role("button", name="Fig. 9.3 Contact forces").click(timeout=PATIENCE)
    pane.get_by_text("2 numbers, all as printed").wait_for(timeout=PATIENCE)
    assert pane.locator("canvas").count() >= 1  # the gain against the object's mass
    pane.get_by_role("button", name="Next", exact=True).click()  # its limits, two of which are not as printed
    expected = [number_text(number.published, digits=DIGITS) for number in dyn.reproduce("r88_limits").numbers]
    rows = pane.locator("table.beside tbody tr")
    wait_until(page, lambda: rows.count() == len(expected))
    assert rows.locator("td:nth-child(2)").all_inner_texts() == expected
    assert pane.get_by_text("differs").count() == 2
    pane.get_by_role("button", name="Open in the page").click()
    wait_until(page, lambda: address(page).get("preset") == "two_arms_and_box")
    wait_until(page, lambda: (address(page).get("tab"), address(page).get("beside")) == ("Contact", "Papers"))
    wait_until(page, lambda: shown_time(page) == 0.0)
