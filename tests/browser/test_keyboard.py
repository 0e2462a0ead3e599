"""Without a mouse, and which keys are the page's when something else has the focus."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

import dynamics as dyn
from app.motion.presets import PRESETS
from app.state import walk
from tests.browser.equations import at, failing, here, spoken
from tests.browser.moment import is_told, pause, shown_time, stand_at, wait_until
from tests.browser.page import FOCUSED, HAS_FOCUS, tab_to
from tests.browser.picture import CANVAS, box_of

STILL = "preset=puma560&t=0.500&play=0"


def test_a_person_without_a_mouse_hears_the_filter_gives_a_torque_and_checks(open_page: Callable[..., Page]) -> None:
    page = open_page("preset=puma560&play=1")
    wait_until(page, lambda: shown_time(page) > 0.0)
    pause(page)
    # Follow the whole filter by ear: the first stop of the page skips to the walk.
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == "Skip to the walk"
    page.keyboard.press("Enter")
    wait_until(page, lambda: "link" in str(page.evaluate(FOCUSED)))
    system, _ = dyn.example(PRESETS["puma560"].example)
    assert spoken(page).startswith("Inward filter, link 1,")
    heard = [spoken(page)]
    places = [place for place in walk.whole_walk(system) if place.stage == "filter"]
    for _ in places[1:]:
        page.keyboard.press("ArrowRight")
        wait_until(page, lambda: spoken(page) != heard[-1])
        heard.append(spoken(page))
    links = [int(found.group(1)) for words in heard if (found := re.search(r"link (\d+)", words))]
    assert all(words.startswith("Inward filter") for words in heard[:-1])
    assert max(links) == system.n_links
    assert links == sorted(links)
    # Give the second joint a torque, and take it back.
    page.keyboard.press("i")
    expect(page.get_by_role("tab", name="Walk", exact=True)).to_be_focused()
    change = page.get_by_role("tab", name="Change", exact=True)

    def is_called() -> bool:  # letters too far apart begin another name
        page.keyboard.type("cha")
        return bool(change.evaluate(HAS_FOCUS))

    wait_until(page, is_called)
    page.keyboard.press("Enter")
    torques = page.get_by_role("button", name="Torques", exact=True)
    torques.focus()
    page.keyboard.press("Enter")
    slider = page.get_by_role("slider", name=re.compile(r"^joint_2\b"))
    slider.focus()
    page.keyboard.press("ArrowRight")
    wait_until(page, lambda: "torques=" in page.url)
    page.keyboard.press("Control+z")
    wait_until(page, lambda: "torques=" not in page.url)
    # Choose several arms, and ask whether what is shown is right.
    page.get_by_role("tab", name="Walk", exact=True).focus()
    page.keyboard.press("Enter")
    tab_to(page, "Choices of panel 1", 120)  # past every plot
    tab_to(page, "Single arm", 120)  # and round again
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Multi-arm", exact=True)).to_have_attribute("aria-pressed", "true")
    wait_until(page, lambda: "preset=two_arms_light_box" in page.url)
    page.get_by_role("tab", name="Check").focus()
    page.keyboard.press("Enter")
    rows = page.locator("tbody tr:not(.stage):has(td.mark):visible")
    wait_until(page, lambda: rows.count() > 10)
    wait_until(page, lambda: not failing(page))


@pytest.mark.full
def test_keys_are_the_pages_wherever_the_pointer_has_been(open_page: Callable[..., Page]) -> None:
    """But where Tab has led, arrows and space belong to the control."""
    page = stand_at(open_page(STILL), 0.5)
    at(page, "inward filter, link 1,")
    for clicked in (
        page.get_by_role("tab", name="Step"),
        page.get_by_role("tablist", name="Sets of plots").get_by_role("tab", name="Filter", exact=True),
        page.get_by_role("slider", name="Time"),
        page.get_by_role("group", name=re.compile("^Panel 1")),
        page.locator(CANVAS),
    ):
        box = box_of(clicked)
        page.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + 0.5 * box["height"])
        wait_until(page, lambda: is_told(page))
        step = here(page)
        page.keyboard.press("ArrowDown")
        wait_until(page, lambda step=step: here(page) != step)  # type: ignore[misc]
        page.keyboard.press("ArrowUp")
        wait_until(page, lambda step=step: here(page) == step)  # type: ignore[misc]
    page.get_by_role("combobox", name="Speed").click()
    page.get_by_role("listbox").get_by_role("option", name="Real time", selected=True).wait_for()
    page.get_by_role("option", name="1/10 speed").click()
    page.get_by_role("listbox").wait_for(state="detached")
    start, step = shown_time(page), here(page)
    page.keyboard.press("ArrowDown")
    wait_until(page, lambda: here(page) != step)
    page.keyboard.press("ArrowUp")
    wait_until(page, lambda: here(page) == step)
    assert shown_time(page) == start
    # Where Tab has led.
    page.keyboard.press("Tab")
    page.get_by_role("slider", name="Time").focus()
    page.keyboard.press("ArrowRight")
    wait_until(page, lambda: shown_time(page) != start)
    page.get_by_role("tab", name="Step").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Links")).to_be_focused()
    assert here(page) == step
    on = page.get_by_role("button", name="One step on (→)")
    page.get_by_role("tab", name="Step").click()
    on.focus()
    for _ in range(2):
        page.keyboard.press(" ")
    at(page, "inward filter, link 2,")
    assert page.get_by_role("button", name="Play (space)").is_visible()
    # A tab that arrows have led to is opened by space; at the tab that is open it plays.
    tabs = page.get_by_role("tablist", name="Instruments")
    tabs.get_by_role("tab", name="Walk", exact=True).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press(" ")
    tabs.get_by_role("tab", name="Influence", exact=True, selected=True).wait_for()
    page.get_by_role("button", name="Play (space)").wait_for()
    page.keyboard.press(" ")
    page.get_by_role("button", name="Pause (space)").wait_for()
    page.keyboard.press(" ")
    page.get_by_role("button", name="Play (space)").wait_for()
    tab = page.get_by_role("tab", name="Walk", exact=True)
    tab.focus()
    page.keyboard.press("?")
    page.get_by_role("dialog").get_by_text("undo the last change").wait_for()
    page.keyboard.press("Escape")
    wait_until(page, lambda: bool(tab.evaluate(HAS_FOCUS)))
