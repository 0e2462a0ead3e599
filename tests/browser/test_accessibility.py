"""axe, the accessibility checker, finds nothing serious on any tab, in both themes, or on a projector."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.screens import DRAWN, fill
from tests.browser.test_page import PATIENCE, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import JSHandle, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
SERIOUS = ("serious", "critical")
LENIENT = ("region", "hidden-content", "focus-order-semantics")
"""Rules that cost most of those whose findings axe never calls serious: they are not asked."""

ALIKE = "Lessons", "Cost", "Papers", "Compare", "Study", "Show", "Change", "Model", "Edit", "Lecture"
"""Tabs in which every machine has the same things: they are looked at with one of them."""


@pytest.fixture(scope="module")
def axe() -> str:
    """The checker's source, which its Python package carries."""
    package = pytest.importorskip("axe_playwright_python", reason="the Python package axe-playwright-python is missing")
    return (Path(package.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


SETTLED = f"""async ([part, rules, serious, tries]) => {{
    {DRAWN}
    const look = () => {{
        const words = []
        drawn(document, node => words.push(node.localName, node.getAttribute('class'), node.getAttribute('style')))
        return words.join()
    }}
    const moving = () =>
        document.getAnimations().some(one => one instanceof CSSTransition && one.playState === 'running')
    const rest = async () => {{
        for (let before = '', now; ; before = now) {{
            now = moving() ? '' : look()
            if (now && now === before) return
            await new Promise(done => setTimeout(done, 200))
        }}
    }}
    let found = []
    for (let attempt = 0; attempt < tries; ++attempt) {{
        await rest()
        const options = {{resultTypes: ['violations'], preload: false, ...rules}}
        const {{violations}} = await axe.run(part || document, options)
        found = violations.filter(one => serious.includes(one.impact)).flatMap(one =>
            one.nodes.map(node => `${{one.impact}} ${{one.id}}: ${{node.html.slice(0, 200)}} ${{node.failureSummary}}`))
        if (!found.length) break
    }}
    return found
}}"""
"""What is wrong when the page has come to rest: colors of a theme arrive one widget after the other, and by degrees."""


def violations(page: Page, axe: str, part: JSHandle | None, only: tuple[str, ...] = ()) -> list[str]:
    """What is serious in this part of the page, in all of it if it is None; by these rules, by all if there are none.

    Nothing is preloaded: that is for one experimental rule, which is off, and for sounds and films.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe)
    rules = {"runOnly": only} if only else {"rules": {name: {"enabled": False} for name in LENIENT}}
    found: list[str] = page.evaluate(SETTLED, [part, rules, SERIOUS, 6])
    return found


def enabled_tabs(page: Page) -> list[tuple[str, int]]:
    """The tabs in sight, which go away with the tab that they are within: name, and how many of it came before."""
    texts = page.locator("[role=tab]:not([disabled]):visible").all_inner_texts()
    names = [text.rpartition("\n")[2] for text in texts]  # what stands over a name is its icon's
    return [(name, names[:at].count(name)) for at, name in enumerate(names)]


def through_tabs(page: Page, axe: str, visited: list[tuple[str, int]], only: tuple[str, ...] = ()) -> list[str]:
    """What is serious on each tab that is not visited yet, the whole page with the first; what it opens is filled."""
    found: list[str] = []
    begun = len(visited)
    while one := next((one for one in enabled_tabs(page) if one not in visited), None):
        visited.append(one)
        name, before = one
        tab = page.get_by_role("tab", name=name, exact=True).nth(before)
        tab.click()
        wait_until(page, lambda tab=tab: tab.get_attribute("aria-selected") == "true")
        if not only:
            fill(page, name)
        opened = page.get_by_role("tabpanel", name=name, exact=True)
        part = opened if opened.count() == 1 else tab  # plots stand beside their tabs, in one root
        around = part.evaluate_handle("part => part.role === 'tabpanel' ? part : part.getRootNode().host")
        looked_at = around if len(visited) > begun + 1 else None  # then what the tabs change of it
        found += [f"{name}: {line}" for line in violations(page, axe, looked_at, only)]
    return found


@pytest.mark.timeout(900)  # some twenty tabs, each looked at whole
@pytest.mark.parametrize("preset", ["two_arms_and_box", "free_flyer"])
def test_no_serious_violation_on_any_tab(lead: Callable[[str], Page], axe: str, preset: str) -> None:
    page = lead(f"preset={preset}&t=0.3&play=0")
    wait_until(page, lambda: shown_time(page) == 0.3)
    alike = [(name, 0) for name in ALIKE] if preset == "free_flyer" else []
    visited, again = [*alike], [*alike]
    found = through_tabs(page, axe, visited)
    page.get_by_label("Toggle theme").click()
    page.locator(".armsweep.dark").wait_for(timeout=PATIENCE)
    found += [f"dark, {line}" for line in through_tabs(page, axe, again, ("color-contrast",))]
    assert len(again) == len(visited) > 20 - len(alike)
    assert not found, "\n".join(dict.fromkeys(found))


@pytest.mark.parametrize("preset", ["two_arms_and_box", "free_flyer"])
def test_no_serious_violation_on_a_projector(lead: Callable[[str], Page], axe: str, preset: str) -> None:
    """It has no tabs: the world, an equation, a plot, and the controls."""
    page = lead(f"preset={preset}&t=0.3&play=0")
    wait_until(page, lambda: shown_time(page) == 0.3)
    page.keyboard.press("p")
    page.get_by_role("button", name="Leave projector mode (P)").wait_for(timeout=PATIENCE)
    assert not enabled_tabs(page)
    assert not (found := violations(page, axe, None)), "\n".join(found)


def test_what_is_done_is_spoken(lead: Callable[[str], Page]) -> None:
    page = lead("preset=puma560&t=0.3&play=0")
    wait_until(page, lambda: shown_time(page) == 0.3)
    spoken = page.locator(".drawing > [aria-live=polite]")
    page.wait_for_timeout(2000)  # what led here has come to rest
    page.keyboard.press("r")
    wait_until(page, lambda: spoken.text_content() == "Reset.")
    page.keyboard.press("r")
    wait_until(page, lambda: spoken.text_content() == "Reset.\u00a0")  # once more is another text, or is not heard


def test_a_menu_is_a_list_box_of_options_of_which_one_is_chosen(lead: Callable[[str], Page]) -> None:
    """The widgets' own menus say that they are list boxes, and call what they offer menu items."""
    page = lead("preset=puma560&t=0.5&play=0")
    page.get_by_role("combobox", name="Speed").click()
    page.get_by_role("listbox").get_by_role("option", name="Real time", selected=True).wait_for()
    assert page.get_by_role("menuitem").count() == 0
    assert page.get_by_role("option", selected=True).count() == 1
    page.get_by_role("option", name="1/2 speed").click()
    page.get_by_role("listbox").wait_for(state="detached")
