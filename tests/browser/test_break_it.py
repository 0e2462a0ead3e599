"""The algorithm broken in the page: by mouse, by keyboard, with what fails compared with the mechanics itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

import dynamics as dyn
from app.state.walk import called
from tests.browser.test_agreement import AT, page_says_stage, paused, solution_at  # noqa: F401
from tests.browser.test_page import PATIENCE, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
P_LINE = "inward_filter.prediction.P"
CARRIED = f"{P_LINE}~phi-P_plus-phi"


def open_tab(page: Page) -> None:
    tab = page.get_by_role("tab", name="Break it")
    tab.click()
    page.get_by_role("heading", name="Break it").wait_for(timeout=PATIENCE)


ROWS = """rows => rows.map(row => [
    row.querySelector("th button, th span").innerText,
    ...[...row.querySelectorAll("td")].slice(0, 3).map(cell => cell.innerText),
])"""
"""All at once: the table may change between two looks."""


def identities(page: Page) -> dict[str, tuple[str, str, str]]:
    """Title -> (holds or fails, link, size), as the page shows them."""
    rows: list[list[str]] = page.locator("tbody tr:not(.stage):has(td.mark):visible").evaluate_all(ROWS)
    return {title: tuple(cells) for title, *cells in rows}  # type: ignore[misc]


def expected(solution: dyn.Solution, *breaks: str) -> dict[str, tuple[str, str, str]]:
    reading = dyn.read_textbook(solution.system, solution.state, solution.tau, breaks=breaks)
    rows = {}
    for check in (*dyn.identities(reading.solution), *dyn.text_identities(reading)):
        if not check.holds:
            where = called(solution.system, check.first_link) if check.first_link >= 0 else "whole"
            rows[check.identity.title] = ("✗ fails", where, f"{check.worst:.0e}")
    return rows


def failing(page: Page) -> dict[str, tuple[str, str, str]]:
    return {title: row for title, row in identities(page).items() if row[0] == "✗ fails"}


def press(page: Page, *words: str) -> None:
    """Clicks what can be done to the chosen part, by its words."""
    button = page.locator(".act")
    for word in words:
        button = button.filter(has_text=word)
    button.first.click()


def tell(page: Page) -> None:
    """Past the question."""
    page.get_by_role("button", name="Show me without a guess").click()


def point_at(page: Page, left: str, n: int) -> None:
    """Clicks a part of the equation, once it is the one of this left side."""
    page.locator(".pieces > .fixed").filter(has_text=left).first.wait_for(timeout=PATIENCE)
    piece = page.locator(f".pieces [data-go='piece {n}']")
    piece.click()
    wait_until(page, lambda: piece.get_attribute("aria-pressed") == "true")


def choose(page: Page, stage: str, line: str) -> None:
    page.get_by_role("combobox", name="Stage").click()
    page.get_by_role("option", name=stage).click()
    wait_until(page, lambda: page.get_by_role("combobox", name="Stage").inner_text() == stage)
    page.get_by_role("combobox", name="Line").click()
    page.get_by_role("option", name=line).click()


@pytest.mark.parametrize(("words", "kind"), [("Drop the term", "drop"), ("Turn the sign", "negate")])
def test_what_fails_is_what_the_mechanics_says(paused: Page, words: str, kind: str) -> None:  # noqa: F811
    open_tab(paused)
    # What the tab knows first is of the instant at which it was looked at last.
    wait_until(paused, lambda: len(identities(paused)) > 10 and not failing(paused))
    point_at(paused, "P", 0)
    press(paused, words)
    tell(paused)
    wanted = expected(solution_at("puma560", AT), f"{CARRIED}~{kind}")
    assert wanted
    wait_until(paused, lambda: failing(paused) == wanted)
    told = paused.get_by_text(re.compile(r"\d+ of \d+ identities fail"))
    assert int(told.inner_text().split()[0]) == len(wanted)
    assert paused.locator(".pieces .cut" if kind == "drop" else ".pieces .turned").count() == 1
    assert paused.locator("ol.text del, ol.text ins").count() > 0
    paused.get_by_role("button", name="Mend").click()
    wait_until(paused, lambda: not failing(paused))
    assert paused.locator(".pieces .cut, .pieces .turned, ol.text del").count() == 0


def test_by_keyboard_to_another_part_and_to_the_row_that_fails(paused: Page) -> None:  # noqa: F811
    open_tab(paused)
    piece = paused.locator(".pieces [data-go='piece 2']")
    piece.focus()
    paused.keyboard.press("Enter")
    wait_until(paused, lambda: piece.get_attribute("aria-pressed") == "true")
    assert piece.evaluate("e => e.getRootNode().activeElement === e")
    act = paused.locator(f".act[data-go='break {CARRIED}.phi_2~untranspose']")
    act.focus()
    paused.keyboard.press("Space")
    right = paused.locator("[data-go='guess symmetric']")
    right.focus()
    paused.keyboard.press("Enter")
    paused.get_by_text("Right.").wait_for(timeout=PATIENCE)
    wanted = expected(solution_at("puma560", AT), f"{CARRIED}.phi_2~untranspose")
    wait_until(paused, lambda: failing(paused) == wanted)
    row = paused.get_by_role("button", name="Newton and Euler for each link")
    row.focus()
    paused.keyboard.press("Enter")
    paused.locator("tr[aria-current=true]:visible").wait_for(timeout=PATIENCE)  # another instrument may have its own
    wait_until(paused, lambda: page_says_stage(paused) == "smoother")


def test_several_lines_of_several_stages_at_once(paused: Page) -> None:  # noqa: F811
    open_tab(paused)
    point_at(paused, "P", 0)
    press(paused, "Leave out")
    tell(paused)
    choose(paused, "Outward smoother", "Joint acceleration, JR (2.13b)")
    point_at(paused, "θ", 1)
    press(paused, "Drop the term")
    tell(paused)
    keys = f"{CARRIED}.phi~omit", "outward_smoother.correction.theta_dd~G-alpha_plus~drop"
    wanted = expected(solution_at("puma560", AT), *keys)
    wait_until(paused, lambda: failing(paused) == wanted)
    assert paused.locator("ul.active li").count() == 2
    wait_until(paused, lambda: all(key.partition("~")[0] in paused.url for key in keys))
    paused.locator("ul.active li").first.get_by_role("button").click()
    left = expected(solution_at("puma560", AT), keys[1])
    wait_until(paused, lambda: failing(paused) == left)
    assert left != wanted
    paused.get_by_role("tab", name="Walk").click()
    paused.get_by_text("Broken in one place.").wait_for(timeout=PATIENCE)
    paused.get_by_role("button", name="Mend all").click()
    paused.get_by_text("this text was evaluated for this moment.").wait_for(timeout=PATIENCE)


@pytest.mark.parametrize(
    ("preset", "key"),
    [
        ("two_arms_and_box", "contact_forces.Omega~C-bracket-C.bracket.Lam_0~drop"),
        ("free_flyer", "dual_filter.correction.z_s~z_s_plus~drop"),
    ],
)
def test_contact_stage_and_dual_filter_by_a_link(lead: Callable[[str], Page], preset: str, key: str) -> None:
    page = lead(f"preset={preset}&t={AT:.3f}&play=0&breaks={key}")
    open_tab(page)
    wanted = expected(solution_at(preset, AT), key)
    assert wanted
    wait_until(page, lambda: failing(page) == wanted)
    assert page.locator("ul.active li").count() == 1


def test_a_break_that_changes_nothing_now_is_explained(lead: Callable[[str], Page]) -> None:
    page = lead(f"preset=puma560&t={AT:.3f}&play=0&breaks=bias.prediction.b~f~drop")
    open_tab(page)
    page.get_by_text("At this moment it changes nothing").wait_for(timeout=PATIENCE)
    page.get_by_text("no number is another than before").wait_for(timeout=PATIENCE)


def test_the_motion_is_shown_and_mended(paused: Page) -> None:  # noqa: F811
    open_tab(paused)
    show = paused.get_by_role("button", name="Show the motion")
    wait_until(paused, lambda: show.is_disabled())  # what was broken before is still being taken back
    point_at(paused, "P", 0)
    press(paused, "Drop the term")
    wait_until(paused, lambda: show.is_enabled())
    show.click()
    told = paused.get_by_text(re.compile(r"The ghost is the arm as the broken text moves it"))
    told.wait_for(timeout=PATIENCE)
    with_units = r"its tip is off by [\d.]+ (mm|cm|m), \w+ by [\d.e-]+°"
    wait_until(paused, lambda: re.search(with_units, told.inner_text()) is not None, 3 * PATIENCE)
    wait_until(paused, lambda: "motion=" in paused.url)
    stretch = paused.get_by_title(re.compile(r"The broken motion is seen from [\d.]+ s to [\d.]+ s"))
    scrubber = paused.get_by_label("Time", exact=True).bounding_box()
    drawn = stretch.bounding_box()
    assert drawn is not None
    assert scrubber is not None
    assert drawn["width"] == pytest.approx(0.15 * scrubber["width"], rel=0.1)  # of ten seconds
    paused.get_by_role("button", name="Mend").click()
    wait_until(paused, lambda: told.count() == 0 and not stretch.is_visible())
