"""*Break it* and *Write it*: the text broken and written, by mouse and by keys; what fails is what mechanics says."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from app.state.writing import FIRST
from tests.browser.conftest import reload
from tests.browser.equations import CARRIED, break_part, choose_line, failing, failures_of, identities, point_at, tell
from tests.browser.moment import address, shown_time, solution_at, stand_at, until_same, wait_until
from tests.browser.page import FOCUSED, HAS_FOCUS, open_tab
from tests.browser.picture import PICTURES, box_of

AT = 0.3
KEPT = "armsweep.written"
RIGHT = "H @ P @ H.T + I_r"


def test_terms_are_turned_and_dropped_and_mended_by_mouse(open_page: Callable[..., Page]) -> None:
    page = stand_at(open_page(f"preset=puma560&t={AT:.3f}&play=0&tab=Break+it"), AT)
    solution = solution_at("puma560", AT)
    wait_until(page, lambda: len(identities(page)) > 10 and not failing(page))
    point_at(page, "P", 0)
    break_part(page, "Reverse the sign")
    guess = page.locator("[data-go^='guess']")
    guess.first.wait_for()
    assert guess.count() >= 2
    tell(page)
    wanted = failures_of(solution, f"{CARRIED}~negate")
    assert wanted
    until_same(page, wanted, lambda: failing(page))
    told = page.get_by_text(re.compile(r"\d+ of \d+ identities fail"))
    assert int(told.inner_text().split()[0]) == len(wanted)
    assert page.locator(".pieces .turned").count() == 1
    assert page.locator("ol.text del, ol.text ins").count() > 0
    page.get_by_role("button", name=re.compile("^Mend")).click()
    wait_until(page, lambda: not failing(page))
    assert page.locator(".pieces .cut, .pieces .turned, ol.text del").count() == 0
    # Two stages at once; one is mended, and the walk says what is still broken.
    point_at(page, "P", 0)
    break_part(page, "Leave out")
    tell(page)
    choose_line(page, "Outward smoother", "Joint acceleration, JR (2.13b)")
    point_at(page, "θ", 1)
    break_part(page, "Drop the term")
    tell(page)
    keys = f"{CARRIED}.phi~omit", "outward_smoother.correction.theta_dd~G-alpha_plus~drop"
    until_same(page, failures_of(solution, *keys), lambda: failing(page))
    wait_until(page, lambda: all(key.partition("~")[0] in page.url for key in keys))
    page.locator("ul.active li").first.get_by_role("button").click()
    left = failures_of(solution, keys[1])
    assert left != failures_of(solution, *keys)
    until_same(page, left, lambda: failing(page))
    open_tab(page, "Walk")
    page.get_by_text("Broken in one place.").wait_for()
    page.get_by_role("button", name="Mend all").click()
    page.get_by_text("this text was evaluated for this moment.").wait_for()


@pytest.mark.full
def test_a_break_by_keyboard_is_guessed_and_its_motion_shown(open_page: Callable[..., Page]) -> None:
    page = stand_at(open_page(f"preset=puma560&t={AT:.3f}&play=0&tab=Break+it"), AT)
    wait_until(page, lambda: len(identities(page)) > 10)
    piece = page.locator(".pieces [data-go='piece 2']")
    piece.focus()
    page.keyboard.press("Enter")
    expect(piece).to_have_attribute("aria-pressed", "true")
    assert piece.evaluate(HAS_FOCUS)
    page.locator(f".act[data-go='break {CARRIED}.phi_2~untranspose']").focus()
    page.keyboard.press("Space")
    page.locator("[data-go='guess symmetric']").focus()
    page.keyboard.press("Enter")
    page.get_by_text("Right.").wait_for()
    until_same(page, failures_of(solution_at("puma560", AT), f"{CARRIED}.phi_2~untranspose"), lambda: failing(page))
    page.get_by_role("button", name="Newton and Euler for each link").focus()
    page.keyboard.press("Enter")
    wait_until(page, lambda: address(page).get("stage") == "smoother")
    open_tab(page, "Break it")
    show = page.get_by_role("button", name="Show the motion")
    wait_until(page, show.is_enabled)
    show.click()
    told = page.get_by_text(re.compile(r"The ghost is the arm as the broken text moves it"))
    told.wait_for()
    with_units = r"its tip is off by [\d.]+ (mm|cm|m), \w+ by [\d.e-]+°"
    wait_until(page, lambda: re.search(with_units, told.inner_text()) is not None)
    wait_until(page, lambda: "motion=" in page.url)
    stretch = page.get_by_title(re.compile(r"The broken motion is seen from [\d.]+ s to [\d.]+ s"))
    track = box_of(page.get_by_label("Time", exact=True))
    assert box_of(stretch)["width"] == pytest.approx(0.15 * track["width"], rel=0.1)  # of ten seconds
    page.get_by_role("button", name=re.compile("^Mend")).click()
    wait_until(page, lambda: told.count() == 0 and not stretch.is_visible())


def open_writing(open_page: Callable[..., Page], query: str = "preset=puma560&t=0.200&play=0&tab=Write+it") -> Page:
    page = open_page(query)
    pane(page).get_by_role("button", name=re.compile("^✓? ?Inward filter 0 of")).wait_for()
    return page


def pane(page: Page) -> Locator:
    return page.get_by_role("tabpanel", name="Write it")


def field(page: Page, left: str = "D[k]") -> Locator:
    return pane(page).get_by_role("combobox", name=f"Right side of {left}")


def says(page: Page, words: str | re.Pattern[str]) -> None:
    pane(page).get_by_text(words).first.wait_for()


def test_a_line_is_typed_judged_shown_as_a_motion_and_kept(open_page: Callable[..., Page]) -> None:
    page = open_writing(open_page, "preset=puma560&t=0.200&play=0&tab=Write+it&write=inward_filter.correction.D/all")
    line = field(page)
    says(page, "Inward filter, as the papers write it")
    assert pane(page).locator(".blank").count() == 13
    for typed, told in (
        ("H.T @ P", "H.T is 6×1 and P is 6×6: they cannot be multiplied."),
        ("H @ P @ H.T", "A term is left out."),
        ("2 * H @ P @ H.T + I_r", "There is a factor too many."),
    ):
        line.fill(typed)
        says(page, told)
        expect(line).to_have_attribute("aria-invalid", "true")
    says(page, re.compile(r"\d+ of \d+ identities fail"))
    motion = pane(page).get_by_role("button", name="Show the motion")
    motion.click()
    says(page, re.compile("The ghost is the arm as the text as you have written it moves it"))
    wait_until(page, lambda: "motion=" in page.url)
    pane(page).get_by_role("button", name="Hide the motion").click()
    motion.wait_for()
    pane(page).get_by_role("button", name="Hint (3 left)").click()
    pane(page).get_by_role("button", name="Hint (2 left)").click()
    says(page, "The published line uses")
    # A half-done line is there again after a reload, however it looks.
    line.fill("H @ <b> + φ ")
    wait_until(page, lambda: address(page).get("typed") == f"{FIRST}=H @ <b> + φ ")
    reload(page)
    wait_until(page, lambda: line.input_value().strip() == "H @ <b> + φ")
    says(page, "φ at character 11 is typed as phi")
    line.fill(RIGHT)
    says(page, "It comes to the same as the published line")
    expect(line).to_have_attribute("aria-invalid", "false")
    says(page, re.compile(r"all \d+ identities hold at this moment"))
    pane(page).get_by_role("button", name="Inward filter 1 of 13").wait_for()
    wait_until(page, lambda: RIGHT in str(page.evaluate(f"localStorage.getItem('{KEPT}')")))
    pane(page).get_by_role("button", name="Forget what I wrote").click()
    pane(page).get_by_role("button", name="Inward filter 0 of 13").wait_for()
    wait_until(page, lambda: page.evaluate(f"localStorage.getItem('{KEPT}')") == "{}")
    expect(line).to_have_value("")


def test_lines_are_written_by_keyboard_alone(open_page: Callable[..., Page]) -> None:
    page = open_writing(open_page)
    line = field(page)
    letters = pane(page).get_by_role("listbox")

    def is_listed() -> bool:  # what has just come is written once more, and closes the list
        if not letters.is_visible():
            line.focus()
            page.keyboard.press("Control+Space")
        page.evaluate(PICTURES, 3)
        return letters.is_visible()

    wait_until(page, is_listed)
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
    expect(line).to_have_value("tau_loss")
    line.fill("")
    line.fill("")
    line.focus()
    page.keyboard.type("H @ P @ H.T + I_")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")  # takes what is marked
    expect(line).to_have_value(RIGHT)
    says(page, "It comes to the same as the published line")
    assert shown_time(page) == 0.2  # no letter was a shortcut
    for name in ("Show the motion", "Next line"):
        expect(pane(page).get_by_role("button", name=name)).to_be_enabled()
    for name in ("Hint", "Show the motion", "Show the line", "Next line"):
        page.keyboard.press("Tab")
        wait_until(page, lambda name=name: name in str(page.evaluate(FOCUSED)))  # type: ignore[misc]
    page.keyboard.press("Enter")
    expect(field(page, "G[k]")).to_be_focused()
    wait_until(page, lambda: address(page).get("write") == "inward_filter.correction.G")
