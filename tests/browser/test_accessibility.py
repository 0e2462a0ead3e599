"""axe, the accessibility checker, finds nothing serious on any tab, in both themes and in projector mode."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.test_page import PATIENCE, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import JSHandle, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
SERIOUS = ("serious", "critical")


@pytest.fixture(scope="module")
def axe() -> str:
    """The checker's source, which its Python package carries."""
    package = pytest.importorskip("axe_playwright_python", reason="the Python package axe-playwright-python is missing")
    return (Path(package.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Page, axe: str, part: JSHandle | None) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe)
    found: dict[str, Any] = page.evaluate("part => axe.run(part || document, {resultTypes: ['violations']})", part)
    return [
        f"{violation['impact']} {violation['id']}: {node['html'][:200]} {node['failureSummary']}"
        for violation in found["violations"]
        if violation["impact"] in SERIOUS
        for node in violation["nodes"]
    ]


LOOKS = """() => {
    const look = root => [...root.querySelectorAll('*')].map(node =>
        `${node.localName} ${node.getAttribute('class')} ${node.getAttribute('style')}`
        + (node.shadowRoot ? look(node.shadowRoot) : '')).join()
    const moving = document.getAnimations().filter(one => one instanceof CSSTransition && one.playState === 'running')
    return [look(document), moving.length]
}"""
"""How everything looks, in a word, and how many colors and sizes are on their way to another."""


def comes_to_rest(page: Page) -> None:
    """Colors of a theme arrive one widget after the other, and by degrees."""

    def rests() -> bool:
        before = page.evaluate(LOOKS)
        page.wait_for_timeout(200)
        return before[1] == 0 and page.evaluate(LOOKS) == before

    wait_until(page, rests)


def settled_violations(page: Page, axe: str, part: JSHandle | None, tries: int = 6) -> list[str]:
    """What is still wrong when the tab has come to rest; axe takes a second for every look at a whole page.

    Args:
        part: of the page, all of it by default.
    """
    found: list[str] = []
    for _ in range(tries):
        comes_to_rest(page)
        found = violations(page, axe, part)
        if not found:
            break
    return found


def enabled_tabs(page: Page) -> list[str]:
    """Names of the tabs in sight: those within a tab go away with it."""
    return [tab.inner_text() for tab in page.get_by_role("tab", disabled=False).all()]


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
@pytest.mark.parametrize("preset", ["two_arms_and_box", "free_flyer"])
def test_no_serious_violation_on_any_tab(lead: Callable[[str], Page], axe: str, preset: str, theme: str) -> None:
    page = lead(f"preset={preset}&t=0.3&play=0")
    wait_until(page, lambda: shown_time(page) == 0.3)
    if theme == "dark":
        page.get_by_label("Toggle theme").click()
        page.locator(".armsweep.dark").wait_for(timeout=PATIENCE)
    elif theme == "projector":
        page.keyboard.press("p")
        page.get_by_role("button", name="Leave projector mode (P)").wait_for(timeout=PATIENCE)
    found: list[str] = []
    visited: list[str] = []  # at the first the whole page is looked at, then what the tabs change of it
    while name := next((name for name in enabled_tabs(page) if name not in visited), ""):
        visited.append(name)
        tab = page.get_by_role("tab", name=name, exact=True)
        tab.click()
        wait_until(page, lambda tab=tab: tab.get_attribute("aria-selected") == "true")
        around = tab.evaluate_handle("tab => tab.getRootNode().host") if len(visited) > 1 else None
        found += [f"{name}: {line}" for line in settled_violations(page, axe, around)]
    assert not found, "\n".join(dict.fromkeys(found))
