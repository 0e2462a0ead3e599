"""Lines of the text written in the page: typed, completed, judged, kept, shown as a motion; by keyboard alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import expect

from app.state.writing import FIRST
from tests.browser.test_accessibility import axe, violations  # noqa: F401
from tests.browser.test_address import address
from tests.browser.test_page import PATIENCE, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
KEPT = "armsweep.written"
RIGHT = "H @ P @ H.T + I_r"
SCROLLS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def opened(lead: Callable[[str], Page], query: str = "preset=puma560&t=0.200&play=0&tab=Write+it") -> Page:
    page = lead(query)
    wait_until(page, lambda: shown_time(page) == float(address(page)["t"]))
    wanted = dict(parse_qsl(query))  # another test's address stands there for a moment, and a reload would lead to that
    wait_until(page, lambda: all(address(page).get(name) == wanted.get(name) for name in ("preset", "write")))
    pane(page).get_by_role("heading", name="Write it").wait_for(timeout=PATIENCE)
    if "0 of" not in pane(page).get_by_role("button", name=re.compile("^✓? ?Inward filter")).inner_text():
        pane(page).get_by_role("button", name="Forget what I wrote").click()
        wait_until(page, lambda: page.evaluate(f"localStorage.getItem('{KEPT}')") == "{}")
    pane(page).get_by_role("button", name="Inward filter 0 of 13").wait_for(timeout=PATIENCE)
    wait_until(page, lambda: "typed" not in address(page))  # what the browser had kept of another test
    return page


def pane(page: Page) -> Locator:
    return page.get_by_role("tabpanel", name="Write it")


def field(page: Page, left: str = "D[k]") -> Locator:
    return pane(page).get_by_role("combobox", name=f"Right side of {left}")


def says(page: Page, words: str) -> None:
    pane(page).get_by_text(words).first.wait_for(timeout=PATIENCE)


def test_a_line_is_typed_judged_and_kept(lead: Callable[[str], Page]) -> None:
    page = opened(lead)
    line = field(page)
    line.fill("H.T @ P")
    says(page, "H.T is 6×1 and P is 6×6: they do not multiply.")
    assert line.get_attribute("aria-invalid") == "true"
    line.fill("H @ P_plus @ H.T + I_r")
    says(page, "Order of prediction and correction: P_plus[k] stands where P[k] belongs.")
    assert pane(page).locator("mark").inner_text() == "P_plus"
    line.fill("H @ P @ H.T")
    says(page, "A term is left out: the rotor's inertia: I_r[k].")
    says(page, re.compile(r"\d+ of \d+ identities fail"))
    line.fill("lambda: 1")
    says(page, "a function of one's own (lambda) is nothing that a line may have".capitalize())
    line.fill(RIGHT)
    says(page, "It comes to the same as the published line")
    assert line.get_attribute("aria-invalid") == "false"
    says(page, re.compile(r"all \d+ identities hold at this moment"))
    pane(page).get_by_role("button", name="Inward filter 1 of 13").wait_for()
    wait_until(page, lambda: RIGHT in str(page.evaluate(f"localStorage.getItem('{KEPT}')")))
    spoken = pane(page).locator("p[role=status]").filter(has_text="Right.")
    wait_until(page, lambda: spoken.count() > 0)
    pane(page).get_by_role("button", name="Forget what I wrote").click()
    pane(page).get_by_role("button", name="Inward filter 0 of 13").wait_for()
    wait_until(page, lambda: page.evaluate(f"localStorage.getItem('{KEPT}')") == "{}")
    assert line.input_value() == ""


def test_by_keyboard_alone(lead: Callable[[str], Page]) -> None:
    page = opened(lead)
    line = field(page)
    line.focus()
    page.keyboard.press("Control+Space")
    letters = pane(page).get_by_role("listbox")
    letters.wait_for()
    assert letters.get_by_role("option", name="I_r").count() == 1
    page.keyboard.press("Escape")
    letters.wait_for(state="hidden")
    page.keyboard.type("ta")
    letters.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    active = line.get_attribute("aria-activedescendant")
    assert letters.locator(f"#{active}").inner_text().startswith("tau_loss")
    page.keyboard.press("Enter")
    assert line.input_value() == "tau_loss"
    line.fill("")
    page.keyboard.type("H @ P @ H.T + I_")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")  # takes what is marked
    assert line.input_value() == RIGHT
    says(page, "It comes to the same as the published line")
    assert shown_time(page) == 0.2  # no letter was a shortcut's
    for name in ("Hint", "Show the motion", "Show the line", "Next line"):
        page.keyboard.press("Tab")
        wait_until(page, lambda name=name: name in str(page.evaluate(FOCUSED)))
    page.keyboard.press("Enter")
    expect(field(page, "G[k]")).to_be_focused()
    wait_until(page, lambda: address(page).get("write") == "inward_filter.correction.G")
    row = pane(page).get_by_role("button", name=re.compile(r"^nu\[k\], JR"))
    row.focus()
    page.keyboard.press("Enter")
    field(page, "nu[k]").wait_for(timeout=PATIENCE)
    wait_until(page, lambda: address(page).get("write") == "inward_filter.correction.nu")


FOCUSED = """() => {
    let found = document.activeElement
    while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement
    return found?.textContent ?? ''
}"""


def test_hints_the_line_and_the_motion(lead: Callable[[str], Page]) -> None:
    page = opened(lead, "preset=puma560&t=0.200&play=0&tab=Write+it&write=inward_filter.correction.D/all")
    says(page, "Inward filter, as the papers write it")
    assert pane(page).locator(".blank").count() == 13
    pane(page).get_by_role("button", name="Hint (3 left)").click()
    pane(page).get_by_role("button", name="Hint (2 left)").click()
    says(page, "The published line uses")
    motion = pane(page).get_by_role("button", name="Show the motion")
    assert motion.is_disabled()
    field(page).fill("2 * H @ P @ H.T + I_r")
    says(page, "A factor too many: 2.")
    motion.click()
    says(page, re.compile("The ghost is the arm as the text as you have written it moves it"))
    wait_until(page, lambda: "motion=" in page.url)
    pane(page).get_by_role("button", name="Hide the motion").click()
    pane(page).get_by_role("button", name="Show the motion").wait_for(timeout=PATIENCE)
    pane(page).get_by_role("button", name="Show the line").click()
    wait_until(page, lambda: field(page).input_value() == "H[k] @ P[k] @ H[k].T + I_r[k]")
    says(page, "It comes to the same as the published line")
    assert pane(page).locator(".blank").count() == 13  # the one that is being written, and twelve more


@pytest.mark.parametrize(
    ("preset", "sweep", "left"),
    [("free_flyer", "Dual filter", "S[k]"), ("two_arms_and_box", "Contact forces, and the gain", "Omega")],
)
def test_other_machines_have_other_sweeps(lead: Callable[[str], Page], preset: str, sweep: str, left: str) -> None:
    page = opened(lead, f"preset={preset}&t=0.200&play=0&tab=Write+it")
    pane(page).get_by_role("button", name=re.compile(f"^{sweep}")).click()
    field(page, left).wait_for(timeout=PATIENCE)
    pane(page).get_by_role("button", name="Show the line").click()
    says(page, "It comes to the same as the published line")


def test_what_was_written_is_there_again_after_a_reload(lead: Callable[[str], Page]) -> None:
    """As a browser keeps it; what it says is judged anew, so that no wrong line counts."""
    page = opened(lead)
    lines = {"inward_filter.correction.D": RIGHT, "inward_filter.correction.G": "P @ H / D", "nothing": "P"}
    page.evaluate("([key, text]) => localStorage.setItem(key, text)", [KEPT, json.dumps(lines)])
    page.reload()
    page.locator("#opening").wait_for(state="detached", timeout=PATIENCE)
    pane(page).get_by_role("button", name="Inward filter 1 of 13").wait_for(timeout=PATIENCE)
    wait_until(page, lambda: field(page).input_value() == RIGHT)
    pane(page).get_by_role("button", name="Forget what I wrote").click()
    pane(page).get_by_role("button", name="Inward filter 0 of 13").wait_for(timeout=PATIENCE)


def test_a_half_done_line_is_there_again_after_a_reload(lead: Callable[[str], Page]) -> None:
    page = opened(lead)
    field(page).fill("H @ <b> + φ ")
    wait_until(page, lambda: address(page).get("typed") == f"{FIRST}=H @ <b> + φ ")
    page.reload()
    page.locator("#opening").wait_for(state="detached", timeout=PATIENCE)
    wait_until(page, lambda: field(page).input_value().strip() == "H @ <b> + φ")
    says(page, "φ at character 11 is typed as phi")
    field(page).fill("")
    wait_until(page, lambda: "typed" not in address(page))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_wrong_with_it_for_who_hears_or_hardly_sees_it(
    lead: Callable[[str], Page],
    axe: str,  # noqa: F811
    theme: str,
) -> None:
    page = opened(lead)
    if theme == "dark":
        page.get_by_label("Toggle theme").click()
        page.locator(".armsweep.dark").wait_for(timeout=PATIENCE)
    field(page).fill("H @ P @ H.T")
    says(page, "A term is left out")
    says(page, re.compile(r"\d+ of \d+ identities fail"))
    pane(page).get_by_role("button", name=re.compile("Hint")).click()
    field(page).press("Control+Space")
    pane(page).get_by_role("listbox").wait_for()
    assert not violations(page, axe, pane(page).element_handle())
    field(page).press("Escape")
    field(page).fill(RIGHT)
    says(page, "It comes to the same as the published line")
    assert not violations(page, axe, pane(page).element_handle())


def test_on_a_phone_nothing_is_cut_off(lead: Callable[[str], Page]) -> None:
    page = opened(lead)
    page.set_viewport_size({"width": 390, "height": 844})
    try:
        page.evaluate("document.dispatchEvent(new CustomEvent('armsweep:sheet', {detail: 'Instruments'}))")
        line = field(page)
        line.fill("sum(phi(k, j) @ P_plus[j] @ phi(k, j).T for j in outboard(k)) + M")
        says(page, "D is 1×1 here; what is typed comes to 6×6.")
        for verdict in pane(page).locator("[data-tried] > p").all()[:2]:  # nothing is scrolled to read it
            expect(verdict).to_be_in_viewport(ratio=1.0)
        assert page.evaluate(SCROLLS) <= 0
        box, around = line.bounding_box(), pane(page).bounding_box()
        assert box is not None
        assert around is not None
        assert around["x"] <= box["x"]
        assert box["x"] + box["width"] <= around["x"] + around["width"] + 1
        assert box["height"] >= 24
        line.press("Control+Space")
        options = pane(page).get_by_role("option")
        options.first.wait_for()
        assert all(one["height"] >= 24 for one in [options.nth(k).bounding_box() for k in range(3)] if one)
    finally:
        page.set_viewport_size({"width": 1280, "height": 800})


DOWN = """node => { let down = 0
    for (let at = node; at; at = at.parentNode ?? at.host) {
        if (at.scrollHeight > at.clientHeight + 1) at.scrollTop = 1000
        down += at.scrollTop ?? 0
    }
    return down }"""
"""Scrolls whatever scrolls round it, and says how far."""


def test_a_projector_shows_it_in_place_of_what_would_give_the_line_away(lead: Callable[[str], Page]) -> None:
    page = opened(lead)
    field(page).fill("H @ P @ H.T")
    pane(page).get_by_text("A term is left out: the rotor's inertia").first.wait_for()
    page.set_viewport_size({"width": 1280, "height": 600})
    assert field(page).evaluate(DOWN) > 0  # whoever has scrolled sees the line all the same
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_label("Projector mode (P)").click()
    page.get_by_role("button", name="Leave projector mode (P)").wait_for(timeout=PATIENCE)
    try:
        expect(field(page)).to_be_in_viewport(ratio=1.0)
        expect(pane(page).get_by_text("A term is left out: the rotor's inertia").first).to_be_in_viewport(ratio=1.0)
        expect(page.locator(".headline").first).to_be_hidden()
        expect(page.get_by_role("tablist", name="Instruments")).to_be_hidden()
        assert page.evaluate(SCROLLS) <= 0
        field(page).fill(RIGHT)
        says(page, "It comes to the same as the published line")
    finally:
        page.keyboard.press("Escape")
    page.get_by_role("tablist", name="Instruments").wait_for(timeout=PATIENCE)


def test_a_low_screen_shows_the_verdict_beside_the_line(lead: Callable[[str], Page]) -> None:
    page = opened(lead, "preset=two_arms_and_box&t=0.200&play=0&tab=Write+it")
    page.set_viewport_size({"width": 1024, "height": 600})
    try:
        line = field(page)
        line.fill("")  # of what another test has typed there
        line.scroll_into_view_if_needed()
        line.press_sequentially("H @ P_plus @ H.T + I_r")
        expect(pane(page).get_by_text("Order of prediction and correction:").first).to_be_in_viewport(ratio=1.0)
        expect(line).to_be_in_viewport(ratio=1.0)
        line.fill("")
    finally:
        page.set_viewport_size({"width": 1280, "height": 800})


def test_a_phone_shows_the_verdict_beside_the_line(lead: Callable[[str], Page]) -> None:
    page = opened(lead)
    page.set_viewport_size({"width": 390, "height": 844})
    try:
        page.evaluate("document.dispatchEvent(new CustomEvent('armsweep:sheet', {detail: 'Instruments'}))")
        line = field(page)
        line.scroll_into_view_if_needed()
        line.fill("")  # of what another test has typed there
        line.click()  # a phone has no Ctrl+Space
        pane(page).get_by_role("option", name="I_r").wait_for(timeout=PATIENCE)
        line.press_sequentially("H @ P_plus @ H.T + I_r")
        verdict = pane(page).get_by_text("Order of prediction and correction:").first
        verdict.wait_for(timeout=PATIENCE)
        boxes = [one.bounding_box() for one in (line, verdict, page.get_by_role("button", name="World", exact=True))]
        typed, told, bar = (box["y"] for box in boxes if box is not None)
        assert 0.0 < typed < told < bar - 20.0
        line.fill("")
    finally:
        page.set_viewport_size({"width": 1280, "height": 800})
