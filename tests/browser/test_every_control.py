"""Every control moved through its whole range: whatever comes of it is a number, or is said in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.screens import AT_REST, DRAWN
from tests.browser.test_page import shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
INSTRUMENTS = {
    "Contact": {"": ("slider", "mass")},
    "Methods": {"": ("combobox", "")},
    "Change": {
        "Drive": ("combobox", ""),
        "Torques": ("slider", "N m"),
        "Bodies": ("slider", "Mass"),
        "Physics": ("combobox", "Gravity"),
        "Push": ("slider", "Force"),
    },
}
"""Of each instrument, and each group of one, a control that it has."""
REST, MOST = 60, 6
"""Milliseconds that a control stands where it was moved; options of a menu, from its first to its last."""
UNEXPLAINED = re.compile(r"\b(nan|undefined|null|infinity|inf|traceback|none)\b|\[object", re.IGNORECASE)
WORDS = f"""root => {{
    {DRAWN}
    const found = []
    drawn(root, node => {{
        for (const child of node.childNodes) if (child.nodeType === 3) found.push(child.textContent)
        if (node.matches('input')) found.push(node.value)
    }})
    return found
}}"""


def unexplained(part: Locator) -> list[str]:
    """What is written anywhere in sight and is neither a number nor a word."""
    return [text for text in part.evaluate(WORDS) if UNEXPLAINED.search(text)]


def moved(page: Page, pane: Locator) -> Iterator[str]:
    """Moves every control of a pane through its range, and says at each stop what was moved.

    What a control takes away with it, or brings, is left out.
    """
    names = pane.get_by_role("slider").evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert all(names), names
    for name, slider in zip(names, pane.get_by_role("slider").element_handles(), strict=True):
        for key in ("Home", "End"):  # a name may say where it stands
            if slider.is_visible() and slider.is_enabled():
                slider.focus()
                page.keyboard.press(key)
                page.wait_for_timeout(REST)
                yield f"{name} at {key}"
    menus = pane.get_by_role("combobox")
    for k in range(menus.count()):
        for part in range(MOST):
            menu = menus.nth(k)
            if not menu.is_visible() or not menu.is_enabled():
                break
            menu.click()
            options = page.get_by_role("option")
            options.first.wait_for()
            offered = options.count()
            at = part if offered <= MOST else part * (offered - 1) // (MOST - 1)
            if at >= offered:
                page.keyboard.press("Escape")
                break
            name = options.nth(at).inner_text()
            options.nth(at).click()
            page.wait_for_timeout(REST)
            yield f"menu {k} at {name}"
    switches = pane.locator("input[type=checkbox]")
    for k in range(switches.count()):
        for turn in ("one way", "the other"):
            if switches.nth(k).is_visible():
                switches.nth(k).click()
                page.wait_for_timeout(REST)
                yield f"switch {k} {turn}"


def opened(page: Page) -> Iterator[tuple[str, Locator]]:
    """Each instrument that can be moved, and each group of *Change*, once its controls are there."""
    instruments = page.get_by_role("tablist", name="Instruments")
    for name, controls in INSTRUMENTS.items():
        tab = instruments.get_by_role("tab", name=name, exact=True)
        if not tab.is_visible():
            continue
        tab.click()
        pane = page.locator(f"#{tab.get_attribute('aria-controls')}[role=tabpanel]")
        for group, (role, word) in controls.items():
            if group:
                pane.get_by_role("button", name=group, exact=True).click()
            pane.get_by_role(role, name=re.compile(word)).first.wait_for()  # type: ignore[arg-type]
            page.evaluate(AT_REST)
            yield f"{name} {group}", pane


def test_whatever_comes_of_a_control_is_explained(lead: Callable[[str], Page]) -> None:
    page = lead("preset=two_arms_and_box&t=0.100&play=0")
    wait_until(page, lambda: shown_time(page) == 0.1)
    found: list[str] = []
    for name, pane in opened(page):
        for what in moved(page, pane):
            found += [f"{name}, {what}: {text}" for text in unexplained(pane)]
        found += [f"{name}: {text}" for text in unexplained(page.locator("body"))]
    assert not found, "\n".join(dict.fromkeys(found))
