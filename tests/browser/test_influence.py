"""*Influence* in a browser: a click is one joint's torque, in the maps, in words and as arrows in the world."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest

import dynamics as dyn
from app.number_text import number_text, size_of
from tests.browser.test_address import address
from tests.browser.test_agreement import solution_at
from tests.browser.test_page import PATIENCE, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
AT = 0.4


def test_a_click_on_a_number_is_a_torque(lead: Callable[[str], Page]) -> None:
    page = lead(f"preset=two_arms_and_box&t={AT:.3f}&play=0&layers=")
    wait_until(page, lambda: shown_time(page) == AT)
    page.get_by_role("tab", name="Influence", exact=True).click()
    maps = dyn.influence((solution := solution_at("two_arms_and_box", AT)).system, solution.state)
    pane = page.get_by_role("tabpanel", name="Influence")
    pane.locator("[data-go='cell 9 3']").click(timeout=PATIENCE)
    said = pane.locator(".answer")
    wait_until(page, lambda: said.inner_text() == f"{number_text(maps.W[9, 3], size_of(maps.W[9]))} rad/s²")
    wait_until(page, lambda: address(page).get("torqued") == "3" and address(page).get("layers") == "influence")
    page.get_by_text("by 1 N m at a joint").first.wait_for(timeout=PATIENCE)
    cell = pane.locator("[data-go='cell 20 5']")
    cell.hover()
    rows = np.concatenate([maps.W, *(maps.contact_force[6 * c.tip : 6 * c.tip + 6] for c in solution.system.contacts)])
    # In another process two kernels may add up in another order.
    assert np.isclose(float(cell.get_attribute("title")), rows[20, 5], rtol=1e-9)
    pane.get_by_role("button", name="the object absent").click()
    wait_until(page, lambda: said.inner_text() == "0 rad/s²")  # without the object no arm feels the other
    pane.get_by_role("button", name="3 inward: influence").click()
    pane.get_by_role("button", name="The walk's contact stage").click()
    wait_until(page, lambda: address(page).get("stage") == "contact")


def test_what_is_clicked_stays_under_the_pointer(lead: Callable[[str], Page]) -> None:
    """A force has no sum of two maps to be said of it, and the table stays where it was all the same."""
    page = lead(f"preset=two_arms_and_box&t={AT:.3f}&play=0&tab=Influence&moved=3")
    pane = page.get_by_role("tabpanel", name="Influence")
    wait_until(page, lambda: pane.locator(".sum").first.inner_text() != "")
    place = "table => table.offsetTop"
    before = pane.locator("table.grid").first.evaluate(place)
    pane.locator("[data-go='cell 20 5']").click(timeout=PATIENCE)
    pane.get_by_text("moment x at the tip of arm 2.").first.wait_for(timeout=PATIENCE)
    assert pane.locator("table.grid").first.evaluate(place) == before
