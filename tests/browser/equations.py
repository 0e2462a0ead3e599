"""Numbers, equations and identities that the page shows, and how they are broken."""

import re

import numpy as np
from playwright.sync_api import Locator, Page, expect

import dynamics as dyn
from app.state.walk import called
from dynamics.check import text_identities
from tests.browser.moment import wait_until
from tests.browser.page import choose


def number(text: str) -> float:
    """A number as the page writes it; a negative factor stands in brackets."""
    return float(text.strip("()").replace("−", "-").replace("–", "nan"))


def numbers_in(cells: Locator) -> np.ndarray:
    return np.array([number(text) for text in cells.all_text_contents() if text])


def agrees(shown: np.ndarray, value: np.ndarray | float) -> bool:
    """Equal to the four digits shown; what is rounding beside its neighbors is shown as zero."""
    value = np.asarray(value, dtype=float).ravel()
    if shown.shape != value.shape:
        return False
    largest = np.abs(value).max(initial=0.0)
    return bool(np.all(np.abs(shown - value) <= 0.51e-3 * np.abs(value) + 1.1e-12 * largest))


CELLS = (
    "tables => tables.flatMap(table => [...table.rows].map(row => [...row.cells].map(cell => cell.innerText.trim())))"
)


def cells(tables: Locator) -> list[list[str]]:
    found: list[list[str]] = tables.evaluate_all(CELLS)
    return found


def section(page: Page, key: str) -> Locator:
    """An equation of the walk, such as ``filter kalman_gain``."""
    return page.locator(f"[data-equation='{key}']:visible")


def left_side(page: Page, key: str) -> np.ndarray:
    return numbers_in(section(page, key).locator(".term").first.locator("[data-n]"))


def says_of(page: Page, key: str, value: np.ndarray | float) -> None:
    """Waits until the left side of an equation is this."""
    section(page, key).wait_for()
    wait_until(page, lambda: agrees(left_side(page, key), value))


def here(page: Page) -> str:
    """What the map says of the cursor's node."""
    return page.locator("g[role=button][aria-current=step]").get_attribute("aria-label") or ""


def at(page: Page, words: str) -> None:
    """Waits until the cursor is at a node of the map."""
    page.locator(f"g[aria-current=step][aria-label*='{words}']").wait_for()


def spoken(page: Page) -> str:
    """What a screen reader says of the step."""
    sheets = ".tabs", "[aria-label='The step']"  # of the page, of a replay
    return page.locator(", ".join(f"{sheet} p.spoken[role=status]" for sheet in sheets)).first.text_content() or ""


ROWS = """rows => rows.map(row => [
    row.querySelector("th button, th span").innerText,
    ...[...row.querySelectorAll("td")].slice(0, 3).map(cell => cell.innerText),
])"""
"""All at once: the table may change between two looks."""
P_LINE = "inward_filter.prediction.P"
CARRIED = f"{P_LINE}~phi-P_plus-phi"
"""The term of the filter's prediction that carries P⁺ inward."""


def identities(page: Page) -> dict[str, tuple[str, str, str]]:
    """Title -> (holds or fails, link, size), as the page shows them."""
    rows: list[list[str]] = page.locator("tbody tr:not(.stage):has(td.mark):visible").evaluate_all(ROWS)
    return {title: tuple(cells) for title, *cells in rows}  # type: ignore[misc]


def failing(page: Page) -> dict[str, tuple[str, str, str]]:
    return {title: row for title, row in identities(page).items() if row[0] == "✗ fails"}


def failures_of(solution: dyn.Solution, *breaks: str) -> dict[str, tuple[str, str, str]]:
    reading = dyn.read_textbook(solution.system, solution.state, solution.tau, breaks=breaks)
    rows = {}
    for check in (*dyn.identities(reading.solution), *text_identities(reading)):
        if not check.holds:
            where = called(solution.system, check.first_link) if check.first_link >= 0 else "whole"
            rows[check.identity.title] = ("✗ fails", where, f"{check.worst:.0e}")
    return rows


def point_at(page: Page, left: str, n: int) -> None:
    """Clicks a part of the equation, once it is the one of this left side."""
    page.locator(".pieces > .fixed").filter(has_text=left).first.wait_for()
    piece = page.locator(f".pieces [data-go='piece {n}']")
    piece.click()
    expect(piece).to_have_attribute("aria-pressed", "true")


def break_part(page: Page, words: str) -> None:
    page.locator(".act").filter(has_text=words).first.click()


def tell(page: Page) -> None:
    page.get_by_role("button", name="Show me without a guess").click()


def choose_line(page: Page, stage: str, line: str) -> None:
    choose(page, "Stage", re.compile(f"^{stage}"))
    expect(page.get_by_role("combobox", name="Stage")).to_have_text(stage)
    page.get_by_role("combobox", name="Line").click()
    page.get_by_role("option", name=line).click()
