"""The algorithm broken in the page: by mouse, by keyboard, with what fails compared with the mechanics itself."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import dynamics as dyn
from tests.browser.test_agreement import AT, page_says_stage, paused, solution_at  # noqa: F401
from tests.browser.test_page import PATIENCE, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
KEY = ("filter", "articulated_inertia", "carried")


def open_tab(page: Page) -> None:
    tab = page.get_by_role("tab", name="Break it")
    tab.click()
    page.get_by_role("heading", name="Break it").wait_for(timeout=PATIENCE)


def identities(page: Page) -> dict[str, tuple[str, str, str]]:
    """Title -> (holds or fails, link, size), as the page shows them."""
    rows = page.locator("tbody tr").filter(has=page.locator("td.mark"))
    found = {}
    for row in rows.all():
        if "stage" in (row.get_attribute("class") or ""):
            continue
        cells = [cell.inner_text() for cell in row.get_by_role("cell").all()]
        found[row.locator("th").first.locator("button, span").first.inner_text()] = tuple(cells[:3])
    return found


def expected(solution: dyn.Solution, alteration: dyn.Alteration) -> dict[str, tuple[str, str, str]]:
    altered = dyn.altered_forward_dynamics(solution.system, solution.state, solution.tau, alteration)
    names, rows = solution.system.link_names, {}
    for check in dyn.identities(altered):
        if not check.holds:
            where = names[check.first_link] if check.first_link >= 0 else "whole"
            rows[check.identity.title] = ("✗ fails", where, f"{check.worst:.0e}")
    return rows


def failing(page: Page) -> dict[str, tuple[str, str, str]]:
    return {title: row for title, row in identities(page).items() if row[0] == "✗ fails"}


@pytest.mark.parametrize(("press", "factor"), [("Drop it", 0.0), ("Turn its sign", -1.0)])
def test_what_fails_is_what_the_mechanics_says(paused: Page, press: str, factor: float) -> None:  # noqa: F811
    open_tab(paused)
    paused.get_by_text("First guess:").wait_for(timeout=PATIENCE)
    wait_until(paused, lambda: len(identities(paused)) > 10)
    assert not failing(paused)
    paused.get_by_role("button", name=press).click()
    wanted = expected(solution_at("puma560", AT), dyn.Alteration({KEY: factor}))
    assert wanted
    wait_until(paused, lambda: failing(paused) == wanted)
    told = paused.get_by_text(re.compile(r"\d+ of \d+ identities fail"))
    assert int(told.inner_text().split()[0]) == len(wanted)
    mark = paused.locator(".part.dropped" if factor == 0.0 else ".part.turned")
    assert mark.count() == 3
    paused.get_by_role("button", name="Mend").click()
    wait_until(paused, lambda: not failing(paused))
    assert paused.locator(".part.dropped, .part.turned").count() == 0


def test_by_keyboard_to_another_term_and_to_the_row_that_fails(paused: Page) -> None:  # noqa: F811
    open_tab(paused)
    paused.get_by_role("radio", name="inertia from outboard").focus()
    paused.keyboard.press("ArrowDown")
    wait_until(paused, lambda: paused.get_by_role("radio", name="lever in φ").is_checked())
    turn = paused.get_by_role("button", name="Turn the lever around")
    turn.wait_for(timeout=PATIENCE)
    turn.focus()
    paused.keyboard.press("Enter")
    wait_until(paused, lambda: len(failing(paused)) > 0)
    row = paused.get_by_role("button", name="Newton and Euler for each link")
    row.focus()
    paused.keyboard.press("Enter")
    paused.locator("tr[aria-current=true]").wait_for(timeout=PATIENCE)
    wait_until(paused, lambda: page_says_stage(paused) == "smoother")


def test_another_stage_and_line(paused: Page) -> None:  # noqa: F811
    open_tab(paused)
    paused.get_by_role("combobox", name="Stage").click()
    paused.get_by_role("menuitem", name="Outward smoother").click()
    paused.get_by_role("combobox", name="Line").click()
    paused.get_by_role("menuitem", name="Joint acceleration").click()
    wait_until(paused, lambda: paused.get_by_role("radio", name="residual").is_checked())
    paused.get_by_role("radio", name="what the moving joint frame takes away").check()
    paused.get_by_role("button", name="Drop it").click()
    alteration = dyn.Alteration({("smoother", "joint_acceleration", "pull"): 0.0})
    wanted = expected(solution_at("puma560", AT), alteration)
    wait_until(paused, lambda: failing(paused) == wanted)


def test_the_motion_is_shown_and_mended(paused: Page) -> None:  # noqa: F811
    open_tab(paused)
    show = paused.get_by_role("button", name="Show the motion")
    assert show.is_disabled()
    paused.get_by_role("button", name="Drop it").click()
    wait_until(paused, lambda: show.is_enabled())
    show.click()
    told = paused.get_by_text(re.compile(r"The ghost moves as the broken algorithm says"))
    told.wait_for(timeout=PATIENCE)
    wait_until(paused, lambda: re.search(rf"At {AT:.2f} s \w+ is off by", told.inner_text()) is not None, 3 * PATIENCE)
    by = float(re.search(r"off by ([\d.e-]+?)\.?$", told.inner_text().strip()).group(1))
    assert by > 0.0
    paused.get_by_role("button", name="Mend").click()
    wait_until(paused, lambda: told.count() == 0)
    paused.get_by_role("button", name="Keep this run as a ghost beside the next (A)").wait_for(timeout=PATIENCE)
