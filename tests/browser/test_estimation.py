"""*Estimation* in a browser: opened from the rail, drawn by a click, its numbers the mechanics' own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

import dynamics as dyn
from app.draws.whiteness import whiteness
from app.number_text import number_text
from tests.browser.test_agreement import AT, solution_at
from tests.browser.test_page import PATIENCE, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]


def test_draws_are_the_mechanics_own_and_words_lead_to_the_walk(lead: Callable[[str], Page]) -> None:
    page = lead(f"preset=iiwa14&t={AT:.3f}&play=0&link=4")
    wait_until(page, lambda: shown_time(page) == AT)
    page.get_by_role("tab", name="Estimation").click()
    pane = page.get_by_role("tabpanel", name="Estimation")
    pane.get_by_role("button", name="1,000", exact=True).click()
    pane.get_by_role("button", name="Draw", exact=True).click()
    told = pane.get_by_text(re.compile(r"^1,000 draws, seed \d+\.$"))
    told.wait_for(timeout=PATIENCE)
    seed = int(re.search(r"seed (\d+)", told.inner_text()).group(1))
    solution = solution_at("iiwa14", AT)
    drawn = dyn.sample_estimation(solution.system, solution.state, 1000, seed)
    d, variance = solution.stages["filter"]["joint_inertia"][4], (drawn.innovation[:, 4] ** 2).mean()
    table = pane.locator("table.pairs")
    wait_until(page, lambda: number_text(variance) in table.inner_text())
    cells = table.locator("td").all_inner_texts()
    assert cells[:3] == [f"{number_text(d)} kg m²", f"{number_text(variance)} kg m²", number_text(variance / d)]
    shown = pane.locator("table.grid:visible tbody td").all_inner_texts()
    assert shown[4 * 7 + 4] == number_text(variance / d, digits=2, padded=True)
    # One honest drawing in twenty is found not white, and which drawing this is hangs on what was drawn here before.
    ought = solution.stages["filter"]["joint_inertia"][:7].ravel()
    is_white = whiteness(drawn.innovation.T @ drawn.innovation, 1000, ought).is_white
    pane.get_by_text(f"Innovations: {'✓ white' if is_white else '✗ not white'}").wait_for(timeout=PATIENCE)
    assert pane.locator("canvas").count() >= 1  # the curve
    every = pane.locator("details").filter(has_text="Every joint")
    every.locator("summary").click()
    for link in (2, 4):  # what is opened stays so while one chooses in it
        every.get_by_role("button").nth(link).click()
        wait_until(page, lambda link=link: f"link={link}" in page.url)
        assert every.get_by_role("button").nth(link).get_attribute("aria-current") == "true"
    page.get_by_role("tab", name="Check").click()
    page.get_by_role("tab", name="Estimation").click()
    assert every.get_by_role("button").first.is_visible()  # and while one looks elsewhere
    row = pane.get_by_role("link", name=re.compile("^innovations covariance"))
    row.focus()
    page.keyboard.press("Enter")
    wait_until(page, lambda: page.get_by_role("tab", name="Walk").get_attribute("aria-selected") == "true")
    wait_until(page, lambda: "half=1" in page.url and "link=4" in page.url)


def test_what_plays_is_held_where_it_is_drawn(lead: Callable[[str], Page]) -> None:
    page = lead("preset=planar_chain&tab=Estimation&play=1")
    wait_until(page, lambda: shown_time(page) > 0.0)
    pane = page.get_by_role("tabpanel", name="Estimation")
    pane.get_by_role("button", name="10,000", exact=True).click()
    pane.get_by_role("button", name="Draw", exact=True).click()
    pane.get_by_text(re.compile(r"^10,000 draws, seeds ")).wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="Play (space)").wait_for(timeout=PATIENCE)
    page.wait_for_timeout(500)
    assert pane.get_by_text("These draws belong to").count() == 0
    page.keyboard.press(".")
    pane.get_by_text("These draws belong to").wait_for(timeout=PATIENCE)
    pane.get_by_role("button", name="Draw anew here").click()
    pane.get_by_text("These draws belong to").wait_for(state="detached", timeout=PATIENCE)
