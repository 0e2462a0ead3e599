"""The page on a laptop, before a class and on a phone; and nothing serious for a screen reader, in either theme."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.moment import address, stand_at, wait_until
from tests.browser.page import HAS_FOCUS, open_tab, violations
from tests.browser.picture import CANVAS, PICTURES, box_of
from tests.browser.screens import AT_REST, faults, fill

STILL = "preset=two_arms_and_box&t=0.3&play=0"
ONE_OF_EACH = "Lessons", "Contact", "Edit"
"""Instruments whose parts, beside the walk's, stand for those of most others."""
OTHERS = "Influence", "Estimation", "Check", "Break it", "Write it", "Change", "Methods", "Papers", "Study", "Lecture"


def violations_of(page: Page, axe: str, names: tuple[str, ...], only: tuple[str, ...] = ()) -> list[str]:
    found = [f"page: {line}" for line in violations(page, axe, None, only)]
    for name in names:
        pane = open_tab(page, name)
        if name in ("Estimation", "Lecture"):
            fill(page, name)
        found += [f"{name}: {line}" for line in violations(page, axe, pane.element_handle(), only)]
    return found


def test_nothing_is_serious_for_a_screen_reader_in_light(open_page: Callable[..., Page], axe: str) -> None:
    page = stand_at(open_page(STILL), 0.3)
    found = violations_of(page, axe, ONE_OF_EACH)
    assert not found, "\n".join(dict.fromkeys(found))


def test_nothing_is_serious_for_a_screen_reader_in_dark(open_page: Callable[..., Page], axe: str) -> None:
    page = stand_at(open_page("preset=free_flyer&t=0.3&play=0&theme=dark"), 0.3)
    page.locator(".armsweep.dark").wait_for()
    found = violations_of(page, axe, ("Two filters", "Break it"), ("color-contrast",))
    assert not found, "\n".join(dict.fromkeys(found))


@pytest.mark.full
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_serious_in_any_instrument(open_page: Callable[..., Page], axe: str, theme: str) -> None:
    page = stand_at(open_page(f"{STILL}&theme={theme}"), 0.3)
    found = violations_of(page, axe, (*ONE_OF_EACH, *OTHERS))
    page.keyboard.press("p")
    page.get_by_role("button", name="Leave projector mode (P)").wait_for()
    found += [f"projector: {line}" for line in violations(page, axe, None)]
    assert not found, "\n".join(dict.fromkeys(found))


@pytest.mark.full
def test_a_laptop_before_a_class(open_page: Callable[..., Page]) -> None:
    """The world, one equation and one plot; controls that go; two instruments side by side where there is room."""
    size = {"width": 1280, "height": 720}
    page = stand_at(open_page(f"{STILL}&stage=filter&half=1", viewport=size), 0.3)
    wrong = faults(page, 1280, 720)
    equation = page.get_by_role("group", name="The equation of this step")
    play, change = page.get_by_role("button", name="Play (space)"), page.get_by_role("tab", name="Change", exact=True)
    change.focus()
    page.keyboard.press("p")
    equation.wait_for()
    expect(change).to_be_hidden()
    assert page.locator(CANVAS).evaluate("node => node.getBoundingClientRect().width / innerWidth") == 1.0
    assert page.locator(".cell:visible").count() == 1
    assert "R87 (39)" in equation.inner_text()
    expect(play).to_be_hidden()  # the pointer rests
    page.mouse.move(300.0, 300.0)
    expect(play).to_be_visible()
    wrong += faults(page, 1280, 720)
    page.keyboard.press("ArrowRight")  # the walk goes on without its instrument
    expect(equation).not_to_contain_text("(39)")
    page.keyboard.press("Escape")
    expect(equation).to_be_hidden()
    expect(change).to_be_focused()  # a person who came by keys is where they were
    open_tab(page, "Break it")
    open_tab(page, "Check")
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.get_by_role("button", name="Two instruments side by side").click()
    panes = page.get_by_role("tabpanel", name=re.compile("^(Break it|Check)$"))
    expect(panes).to_have_count(2)
    page.evaluate(AT_REST)
    left, right = sorted((box_of(each) for each in panes.all()), key=lambda box: box["x"])
    assert left["x"] + left["width"] <= right["x"] + 1
    assert min(left["width"], right["width"]) > 400
    wait_until(page, lambda: "beside" in address(page))
    page.get_by_role("button", name=re.compile("^Close .*: one instrument")).first.click()
    expect(panes).to_have_count(1)
    assert not wrong, "\n".join(wrong)


def test_a_phone_has_the_world_and_one_sheet_with_play_in_reach(open_page: Callable[..., Page]) -> None:
    page = stand_at(open_page(STILL, viewport={"width": 390, "height": 844}, has_touch=True), 0.3)
    walk, plots = page.get_by_role("tab", name="Walk", exact=True), page.get_by_role("tablist", name="Sets of plots")
    play, scrubber = page.get_by_role("button", name="Play (space)"), page.get_by_role("slider", name="Time")

    def button(name: str) -> Locator:
        return page.get_by_role("button", name=name, exact=True)

    wrong: list[str] = []
    for choice, seen in (("Plots", (False, True)), ("World", (False, False)), ("Instruments", (True, False))):
        button(choice).click()
        for part, is_seen in zip((walk, plots), seen, strict=True):
            expect(part).to_be_visible(visible=is_seen)
        expect(play).to_be_in_viewport()
        expect(scrubber).to_be_in_viewport()
        wrong += [f"{choice}, {line}" for line in faults(page, 390, 844)]
    button("Plots").click()
    expect(page.locator(".cell:visible .readings dd").first).to_be_visible()
    quantities = page.get_by_role("button", name="Quantities", exact=True)
    quantities.click()
    expect(page.get_by_placeholder("Search")).to_be_visible()
    quantities.click()
    page.locator(".badge .MuiChip-root").first.click()
    expect(page.get_by_text("Every method against every other")).to_be_in_viewport()
    share = page.get_by_role("button", name="Copy a link to this moment")
    expect(share).to_be_hidden()
    page.evaluate(AT_REST)
    whole = box_of(page.locator(CANVAS))
    button("More tools").click()
    expect(share).to_be_in_viewport()
    page.evaluate(AT_REST)
    assert box_of(page.locator(CANVAS)) == whole
    button("More tools").click()
    page.keyboard.press("p")
    page.locator(".projector.instrument").wait_for()
    page.evaluate(AT_REST)
    instrument, bar = page.locator(".projector.instrument .tabs").first, page.locator(".MuiAppBar-root")
    assert box_of(instrument)["y"] - box_of(bar)["height"] > 844 / 3
    page.keyboard.press("p")
    expect(page.locator(".projector")).to_have_count(0)
    # A line is written and its verdict read above the keyboard of the phone.
    page.get_by_role("tab", name="Write it", exact=True).click()
    line = page.get_by_role("combobox", name="Right side of D[k]")
    letter = page.get_by_role("option", name="I_r")

    def is_listed() -> bool:  # a phone has no Ctrl+Space; what has just come is written once more, and closes the list
        if not letter.is_visible():
            line.tap()
        page.evaluate(PICTURES, 3)
        return letter.is_visible()

    wait_until(page, is_listed)
    line.press_sequentially("H @ P_plus @ H.T + I_r")
    verdict = page.get_by_text("Order of prediction and correction:").first
    verdict.wait_for()
    typed, told, switch = (box_of(one)["y"] for one in (line, verdict, button("World")))
    assert 0.0 < typed < told < switch - 20.0
    assert line.evaluate(HAS_FOCUS)
    assert not wrong, "\n".join(wrong)
