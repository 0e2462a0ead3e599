"""*Cost* in a browser: counted, raced by a click, its tables and pictures chosen by keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

import dynamics as dyn
from tests.browser.test_agreement import AT
from tests.browser.test_page import PATIENCE, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]


def test_operations_are_counted_methods_raced_and_pictures_chosen(lead: Callable[[str], Page]) -> None:
    page = lead(f"preset=iiwa14&t={AT:.3f}&play=0&tab=Cost")
    wait_until(page, lambda: shown_time(page) == AT)
    pane = page.get_by_role("tabpanel", name="Cost")
    pane.get_by_role("button", name="Planar", exact=True).click()
    row = pane.get_by_role("row", name=re.compile("^mass matrix, factored and solved"))
    row.wait_for(timeout=PATIENCE)
    direct = dyn.count_operations("planar_batch", 7)
    names = ("multiplications", "additions", "divisions", "trigonometric")
    assert row.locator("td").all_inner_texts() == [f"{getattr(direct, name):,}" for name in names]
    reasons = pane.locator("table.reasons tbody tr td:last-child")
    assert reasons.all_inner_texts() == ["4", "5", "6", "6"]
    assert pane.locator("canvas").count() >= 1  # the plot of it
    pane.get_by_role("button", name="Table 3", exact=True).focus()
    page.keyboard.press("Enter")
    pane.get_by_text("TML Table 3, Newton–Euler, at N = 7").wait_for(timeout=PATIENCE)
    pane.get_by_role("button", name="Two filters", exact=True).focus()
    page.keyboard.press("Enter")
    steps = dyn.critical_path("two_filter", 7).path.steps
    pane.get_by_text(f"N = 7: {steps:,} steps along the longest chain").wait_for(timeout=PATIENCE)
    assert pane.locator("svg.graph rect.critical").count() == 3  # frames, the longer filter, a link
    pane.get_by_role("button", name="Race", exact=True).click()
    pane.get_by_text("Done.", exact=True).wait_for(timeout=PATIENCE)
    pane.get_by_text(re.compile(r" solutions to one of .*, at t = ")).wait_for(timeout=PATIENCE)
    assert pane.get_by_text(re.compile(r"at N = \d+, .* times that at N = \d+")).count() == 2


def test_a_link_to_a_picture_or_a_table_scrolls_it_into_view(lead: Callable[[str], Page]) -> None:
    """They stand below counts and a race, where nobody who has followed a link would look."""
    for preset, counted, heading in (
        ("four_arms_and_box", "0:0:1", "What can be done at once"),
        ("puma560", "1:3:0", "TML's own tables"),
    ):
        page = lead(f"preset={preset}&t={AT:.3f}&play=0&tab=Cost&counted={counted}")
        pane = page.get_by_role("tabpanel", name="Cost")
        pane.get_by_role("row", name=re.compile("^filter and smoother|^Newton")).first.wait_for(timeout=PATIENCE)
        chosen = pane.get_by_role("heading", name=heading)

        def distance(chosen: Locator = chosen, pane: Locator = pane) -> float:
            own, around = chosen.bounding_box(), pane.bounding_box()
            return own["y"] - around["y"] if own and around else -1.0

        wait_until(page, lambda near=distance: 0.0 <= near() < 200.0)
        page.wait_for_timeout(1500)
        assert 0.0 <= distance() < 200.0
