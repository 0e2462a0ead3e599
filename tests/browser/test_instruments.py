"""Instruments that say one result of the papers each: opened from the rail, their numbers held to the mechanics."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest

import dynamics as dyn
from app.number_text import number_text
from tests.browser.test_agreement import solution_at
from tests.browser.test_page import PATIENCE, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
AT = 0.3


def test_two_filters_by_mouse_and_by_key(lead: Callable[[str], Page]) -> None:
    page = lead(f"preset=free_flyer&t={AT:.3f}&play=0")
    wait_until(page, lambda: shown_time(page) == AT)
    page.get_by_role("tablist", name="Instruments").get_by_role("tab", name="Two filters").click()
    pane = page.get_by_role("tabpanel", name="Two filters").first
    solution = solution_at("free_flyer", AT)
    P = solution.stages["filter"]["articulated_inertia"]
    S = solution.stages["dual_filter"]["dual_articulated_inertia"]

    def masses(k: int) -> list[str]:
        means = (float(np.trace(each[k, 3:, 3:])) / 3.0 for each in (P, S, P + S))
        return [number_text(mean, padded=True) for mean in means]

    row = pane.locator("table.links:visible tr.here")
    wait_until(page, lambda: row.locator("td").all_inner_texts()[:5] == ["1", "hand", *masses(0)])
    pane.get_by_role("button", name="link 4, elbow").click()
    wait_until(page, lambda: row.locator("td").all_inner_texts()[:5] == ["4", "elbow", *masses(3)])
    pane.get_by_role("heading", name="Link 4, elbow").wait_for(timeout=PATIENCE)
    alpha = solution.stages["dual_filter"]["acceleration"][3]
    shown = pane.locator("[data-equation='dual_filter acceleration']:visible table.column").first.locator("td")
    texts = [number_text(a, padded=True) for a in alpha]
    wait_until(page, lambda: shown.all_inner_texts() == texts)
    pane.get_by_role("button", name="link 8, bus").focus()
    page.keyboard.press("Enter")
    wait_until(page, lambda: row.locator("td").all_inner_texts()[:5] == ["8", "bus", *masses(7)])
    pane.get_by_role("button", name="count from hand").click()
    again = dyn.from_another_base(solution, dyn.rebase(solution.system, "hand"))
    P, S = again.articulated_inertia, again.dual_articulated_inertia
    wait_until(page, lambda: row.locator("td").all_inner_texts()[:5] == ["8", "bus", *masses(7)])
    pane.get_by_role("heading", name="Counted from hand instead of bus").wait_for(timeout=PATIENCE)
    same = pane.locator("[data-told=operational_space_inertia] .source").inner_text()
    sizes = [float(size.replace("−", "-")) for size in re.findall(r"to (\S+?)(?:;|$)", same)]
    assert len(sizes) == 2
    assert all(size < 1e-9 for size in sizes)
    pane.get_by_role("button", name="Back to bus").click()
    pane.get_by_role("heading", name="Any link as the base").wait_for(timeout=PATIENCE)
    pane.get_by_role("button", name="Walk this step").click()
    page.get_by_text(re.compile("Start at the base, and combination")).first.wait_for(timeout=PATIENCE)


FURTHEST = """nodes => { const seen = []
    const look = (node) => {
        const scrolls = /auto|scroll/.test(getComputedStyle(node).overflowY)
        if (scrolls && node.scrollHeight > node.clientHeight + 1) seen.push(node)
        for (const child of [...node.children, ...(node.shadowRoot?.children ?? [])]) look(child)
    }
    look(nodes[0])
    window.scrolled = seen.sort((a, b) => b.scrollHeight - b.clientHeight - a.scrollHeight + a.clientHeight)[0]
    window.scrolled.scrollTop = 120
    return window.scrolled.scrollTop }"""
"""Scrolls whatever there has most to scroll, and keeps it."""


def test_what_one_reads_stays_in_place_while_the_motion_plays(lead: Callable[[str], Page]) -> None:
    page = lead("preset=puma560&t=0.000&play=1&tab=Walk")
    pane = page.get_by_role("tabpanel", name="Walk").first
    pane.get_by_role("heading").first.wait_for(timeout=PATIENCE)
    page.set_viewport_size({"width": 1280, "height": 600})
    try:
        down = pane.evaluate_all(FURTHEST)
        assert down > 60
        before = shown_time(page)
        wait_until(page, lambda: shown_time(page) > before + 0.5)
        assert page.evaluate("window.scrolled.isConnected && window.scrolled.scrollTop") == down
    finally:
        page.set_viewport_size({"width": 1280, "height": 800})
