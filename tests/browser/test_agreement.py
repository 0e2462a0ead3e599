"""The badge, its matrix, its identities and the worst moment, by mouse and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

import dynamics as dyn
from app.state import Session
from app.state.walk import called
from tests.browser.conftest import visit
from tests.browser.test_page import PATIENCE, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
AT = 0.3


def solution_at(preset: str, time: float) -> dyn.Solution:
    """The same moment, computed here."""
    session = Session(preset)
    while session.run.end < time - 1e-9:
        session.run.accept(session.run.compute())
    return session.run.solution_at(time)


@pytest.fixture
def paused(lead: Callable[[str], Page]) -> Page:
    """The page, standing still at ``AT`` of the first preset."""
    page = lead(f"preset=puma560&t={AT:.3f}&play=0")
    wait_until(page, lambda: shown_time(page) == AT)
    return page


def open_check(page: Page) -> None:
    page.get_by_role("button", name=re.compile("methods agree")).click()
    page.get_by_role("heading", name="Every method against every other").wait_for(timeout=PATIENCE)


def test_the_badge_is_a_button(paused: Page) -> None:
    badge = paused.get_by_role("button", name=re.compile(r"methods agree to \de-\d\d"))
    badge.wait_for(timeout=PATIENCE)
    badge.focus()
    paused.keyboard.press("Enter")
    heard = paused.locator(".drawing > [aria-live=polite]")
    wait_until(paused, lambda: (heard.text_content() or "").startswith("Check is open: methods agree to "))
    paused.get_by_role("heading", name="Every method against every other").wait_for(timeout=PATIENCE)


def test_every_method_against_every_other(paused: Page) -> None:
    open_check(paused)
    names = [
        "filter and smoother",
        "composite-body mass matrix",
        "Newton–Euler",
        "modified Newton–Euler",
        "Lagrange",
        "Appel",
        "constrained system, dense (KKT)",
    ]
    heads = paused.get_by_role("tabpanel", name="Check").locator("table.matrix tbody th")
    wait_until(paused, lambda: heads.count() == len(names))
    assert [re.sub(r"^\d+\s+", "", text) for text in heads.all_inner_texts()] == names
    cells = paused.get_by_role("tabpanel", name="Check").locator("table.matrix tbody tr:not(.about) td")
    wait_until(paused, lambda: sum(text != "" for text in cells.all_inner_texts()) == 21)
    solution = solution_at("puma560", AT)
    expected = dyn.agreement(solution.system, solution.state, solution.tau)
    shown = max(float(text) for text in cells.all_inner_texts() if text)
    assert shown == pytest.approx(expected.worst, rel=0.06)
    badge = paused.get_by_role("button", name=re.compile(r"methods agree to")).inner_text()
    assert float(badge.split()[-1]) == shown
    assert shown < 1e-12


def test_a_row_leads_to_its_stage_and_link(paused: Page) -> None:
    open_check(paused)
    row = paused.get_by_role("row", name=re.compile("Links accelerate as their joints do"))
    row.wait_for(timeout=PATIENCE)
    solution = solution_at("puma560", AT)
    check = next(c for c in dyn.identities(solution) if c.identity.key == "kinematics")
    name = called(solution.system, check.worst_link)
    wait_until(paused, lambda: row.get_by_role("cell").nth(1).inner_text() == name)
    assert row.get_by_role("cell").nth(0).inner_text() == "✓ holds"
    row.get_by_role("button").focus()
    paused.keyboard.press("Enter")
    paused.locator("tr[aria-current=true]:visible").wait_for(timeout=PATIENCE)
    wait_until(paused, lambda: page_says_stage(paused) == "smoother")


def page_says_stage(page: Page) -> str:
    """The stage in the page's address."""
    found = re.search(r"stage=(\w+)", page.url)
    return found.group(1) if found else ""


def test_the_worst_moment_is_found_and_shown(paused: Page) -> None:
    open_check(paused)
    search = paused.get_by_role("button", name="Worst moment of the run")
    search.focus()
    paused.keyboard.press("Enter")
    told = paused.get_by_text(re.compile(r"Worst of \d+ instants: [\d.]+e-\d+ at [\d.]+ s"))
    told.wait_for(timeout=3 * PATIENCE)
    count, worst, at = re.search(r"of (\d+) instants: (\S+) at ([\d.]+) s", told.inner_text()).groups()
    assert 40 <= int(count) <= 60
    wait_until(paused, lambda: abs(shown_time(paused) - float(at)) < 0.006)
    solution = solution_at("puma560", float(at))
    expected = dyn.agreement(solution.system, solution.state, solution.tau).worst
    assert float(worst) == pytest.approx(expected, rel=0.06)


def test_who_leaves_an_instrument_before_it_is_there_keeps_a_page_that_fits(
    page: Page, serve: Callable[[str], str]
) -> None:
    """A figure in a tab that was never seen had every layout of the page fail from then on; see ``page``."""
    visit(page, f"{serve('app')}?preset=planar_chain&play=0")
    both = [page.get_by_role("tab", name=name, exact=True).element_handle() for name in ("Check", "Show")]
    page.evaluate("([one, other]) => { one.click(); setTimeout(() => other.click(), 120) }", both)
    page.get_by_text("Shadow on the floor").wait_for(timeout=PATIENCE)
    page.set_viewport_size({"width": 1100, "height": 760})
    page.wait_for_timeout(500)
    page.set_viewport_size({"width": 1280, "height": 800})
