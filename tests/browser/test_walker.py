"""The walk by keys and by mouse: what the page says of a moment is what the mechanics says of it."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

import dynamics as dyn
from app.equations.rounding import sizes_by_unit
from app.equations.words import STAGE_TITLES, words_of
from app.motion.presets import presets_of
from app.number_text import number_text
from app.state import Session, walk
from app.walker.step_sheet import LAST
from tests.browser.conftest import ROOT
from tests.browser.test_page import MODES, PATIENCE, opened, shown_time, still, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
AT = 0.3
"""s; at rest many numbers are nothing but rounding."""
__all__ = ["opened", "still"]
LEFT_SIDES = {
    "filter joint_inertia": ("filter", 1),
    "filter innovation": ("filter", 1),
    "filter corrected_force": ("filter", 1),
}


def at_start(lead: Callable[[str], Page], mode: str) -> Page:
    """The page of a mode, standing still, the cursor where the inward filter begins."""
    page = lead(f"preset={presets_of(mode)[0].name}&t={AT:.3f}&play=0&stage=filter&link=0")
    wait_until(page, lambda: shown_time(page) == AT)
    at(page, "inward filter")
    wait_until(page, lambda: "link 1," in here(page))
    return page


def solution_of(mode: str, time: float) -> dyn.Solution:
    """The moment that the page shows, computed here: the same run as far as its time."""
    session = Session(presets_of(mode)[0].name)
    while session.run.end < time:
        session.run.accept(session.run.compute())
    session.seek(time)
    shown = session.solution()
    return dyn.forward_dynamics(shown.system, shown.state, shown.tau)


def number(text: str) -> float:
    """A number as the page writes it; a negative factor stands in brackets."""
    return float(text.strip("()").replace("−", "-").replace("–", "nan"))


def numbers_in(cells: Locator) -> np.ndarray:
    return np.array([number(text) for text in cells.all_inner_texts()])


def agrees(shown: np.ndarray, value: np.ndarray) -> bool:
    """Equal to the four digits shown; what is rounding beside its neighbors is shown as zero."""
    value = np.asarray(value, dtype=float).ravel()
    if shown.shape != value.shape:
        return False
    largest = np.abs(value).max(initial=0.0)
    return bool(np.all(np.abs(shown - value) <= 0.51e-3 * np.abs(value) + 1.1e-12 * largest))


def left_side(page: Page, key: str) -> np.ndarray:
    section = page.locator(f"[data-equation='{key}']:visible")
    return numbers_in(section.locator(".term").first.locator("[data-n]"))


def of_this_arm(page: Page) -> np.ndarray:
    """The rows of the corrected contact force that are marked as this arm's."""
    section = page.locator("[data-equation='contact corrected_contact_force']:visible")
    return numbers_in(section.locator(".term").first.locator("tr.mine [data-n]"))


def here(page: Page) -> str:
    """What the map says of the cursor's node."""
    return page.locator("g[role=button][aria-current=step]").get_attribute("aria-label") or ""


def at(page: Page, words: str) -> None:
    wait_until(page, lambda: page.locator(f"g[aria-current=step][aria-label*='{words}']").count() == 1)


def equation_shown(page: Page, key: str) -> None:
    page.locator(f"[data-equation='{key}']:visible").wait_for(timeout=PATIENCE)


@pytest.mark.parametrize("padded", [True, False])
def test_the_browser_writes_numbers_as_the_rest_of_the_page(page: Page, padded: bool) -> None:
    source = (ROOT / "app/number_text.js").read_text(encoding="utf-8")
    values = [
        0.0,
        -0.0,
        0.19414,
        -2.0,
        20.0,
        0.5,
        100.0,
        1000.0,
        2e-5,
        1e7,
        1234.56,
        98765.4,
        123456.0,
        -1.23456e-7,
        9.9996e-4,
        1e-13,
        -8.457e-17,
    ]
    for beside in (0.0, 20.0):
        written = page.evaluate(
            """async ([source, values, beside, padded]) => {
              const {written} = await import("data:text/javascript;charset=utf-8," + encodeURIComponent(source))
              return values.map(value => written(value, beside, 4, padded))
            }""",
            [source, values, beside, padded],
        )
        assert written == [number_text(value, beside, padded=padded) for value in values]


@pytest.mark.parametrize("shape", [(6, 6), (6, 1), (1, 6), (3, 3), (1, 1), (12, 1), (12, 12), (12, 2), (5, 12), (4, 4)])
def test_the_sheet_holds_a_number_to_those_of_its_unit(page: Page, shape: tuple[int, int]) -> None:
    """Each cell alone is the largest of one unit: the sheet looks for its size where it was put."""
    source = (ROOT / "app/equations/sheet.js").read_text(encoding="utf-8")
    cells = np.eye(shape[0] * shape[1]).reshape(-1, *shape)
    expected = [int(sizes_by_unit(cell).argmax()) for cell in cells]
    found = page.evaluate(
        """async ([source, count, down, across, columns]) => {
          const {placeOfSize} = await import("data:text/javascript;charset=utf-8," + encodeURIComponent(source))
          return Array.from({length: count}, (_, cell) => placeOfSize(cell, down, across, columns))
        }""",
        [source, len(cells), *sizes_by_unit(cells[0]).shape, shape[1]],
    )
    assert found == expected


@pytest.mark.parametrize("mode", MODES)
def test_a_walk_by_keys_says_what_the_mechanics_says(lead: Callable[[str], Page], mode: str) -> None:
    page, solution = at_start(lead, mode), solution_of(mode, AT)
    system, stages = solution.system, solution.stages
    name = system.link_names[1]
    page.keyboard.press("Shift+ArrowRight")
    at(page, f"inward filter, {'arm 1, ' if system.n_arms > 1 else ''}link 2, {name}")
    equation_shown(page, "filter articulated_inertia")
    wait_until(
        page,
        lambda: agrees(left_side(page, "filter articulated_inertia"), stages["filter"]["articulated_inertia"][1]),
    )
    assert agrees(left_side(page, "filter predicted_force"), stages["filter"]["predicted_force"][1])
    page.get_by_role("button", name="One step on (→)").click()
    equation_shown(page, "filter innovation")
    for quantity in (
        "joint_inertia",
        "kalman_gain",
        "innovation",
        "corrected_force",
        "residual",
        "articulated_inertia_updated",
    ):
        assert agrees(left_side(page, f"filter {quantity}"), stages["filter"][quantity][1]), quantity
    page.keyboard.press("ArrowDown")
    equation_shown(page, "smoother acceleration_inboard")
    page.get_by_role("button", name="One step on (→)").click()
    equation_shown(page, "smoother joint_acceleration")
    assert agrees(left_side(page, "smoother joint_acceleration"), stages["smoother"]["joint_acceleration"][1])
    if mode == "Single arm":
        assert agrees(left_side(page, "smoother joint_acceleration"), solution.joint_acceleration[1])
    if mode == "Multi-arm":
        page.keyboard.press("ArrowDown")
        equation_shown(page, "contact free_tip_acceleration")
        page.keyboard.press("]")
        at(page, "predictor, arm 2")
        page.get_by_role("button", name="One step on (→)").click()
        equation_shown(page, "contact corrected_contact_force")
        assert solution.contact_force is not None
        wait_until(page, lambda: agrees(of_this_arm(page), stages["contact"]["corrected_contact_force"][1]))
        shown = of_this_arm(page)
        assert np.abs(shown - solution.contact_force[1]).max() <= 1e-3 * np.abs(solution.contact_force[1]).max()
        assert agrees(left_side(page, "contact object_acceleration"), stages["contact"]["object_acceleration"])
    if mode == "Free-flying":
        page.keyboard.press("ArrowDown")
        equation_shown(page, "dual_filter dual_predicted_force")
        page.get_by_role("button", name="One step on (→)").click()
        equation_shown(page, "dual_filter joint_acceleration")
        assert agrees(left_side(page, "dual_filter joint_acceleration"), solution.joint_acceleration[1])


@pytest.mark.parametrize("mode", MODES)
def test_a_walk_by_mouse(lead: Callable[[str], Page], mode: str) -> None:
    page, solution = at_start(lead, mode), solution_of(mode, AT)
    system = solution.system
    arm = "arm 1, " if system.n_arms > 1 else ""
    page.get_by_role("button", name=f"outward smoother, {arm}link 3, {system.link_names[2]}", exact=True).click()
    equation_shown(page, "smoother acceleration_inboard")
    wait_until(
        page,
        lambda: agrees(
            left_side(page, "smoother acceleration_inboard"), solution.stages["smoother"]["acceleration_inboard"][2]
        ),
    )
    page.get_by_role("tab", name="Links").click()
    row = page.get_by_role("button", name=f"link 4, {system.link_names[3]}", exact=True).last
    row.click()
    at(page, f"link 4, {system.link_names[3]}")
    motion = solution.stages["smoother"]
    shown = numbers_in(page.locator("table.links:visible tr.here [data-n]"))
    alpha, inner = motion["acceleration"][3], motion["acceleration_inboard"][3]
    lengths = [np.linalg.norm(part) for part in (inner[:3], inner[3:], alpha[:3], alpha[3:])]
    assert agrees_each(shown, np.array([motion["joint_acceleration"][3], *lengths]))


def agrees_each(shown: np.ndarray, value: np.ndarray) -> bool:
    return all(agrees(one.reshape(1), other.reshape(1)) for one, other in zip(shown, value, strict=True))


@pytest.mark.parametrize("mode", MODES)
def test_matrices_and_their_cells(lead: Callable[[str], Page], mode: str) -> None:
    page, solution = at_start(lead, mode), solution_of(mode, AT)
    system, n = solution.system, solution.system.n_joints
    page.get_by_role("tab", name="Matrices").click()
    cells = page.locator("table.matrix.square[data-heat]:visible [data-n]")
    cells.first.wait_for()
    expected = solution.stages["filter"]["articulated_inertia"][0]
    wait_until(page, lambda: agrees(numbers_in(cells), expected))
    page.get_by_role("combobox", name="Matrix").click()
    page.get_by_role("option", name="M, mass matrix").click()
    cells = page.locator("table.grid:visible [data-n]")
    wait_until(page, lambda: cells.count() == n * n)
    expected = dyn.mass_matrix(system, solution.state)[:n, :n]
    wait_until(page, lambda: agrees(numbers_of_grid(cells), expected))
    page.locator("table.grid:visible [data-go='cell 1 2']").click()
    at(page, f"link 2, {system.link_names[1]}")
    page.locator("table.grid:visible [data-go='cell 1 2']").click()
    at(page, f"link 3, {system.link_names[2]}")


def numbers_of_grid(cells: Locator) -> np.ndarray:
    """A large matrix shows shades only, but says its numbers."""
    return np.array([number(text) for text in cells.all_text_contents() if text])


def test_the_walk_goes_by_itself_to_its_end(opened: Page) -> None:
    wait_until(opened, lambda: shown_time(opened) > 0.3)
    opened.get_by_role("button", name="Fast", exact=True).click()
    opened.keyboard.press("w")
    opened.get_by_role("button", name="Play (space)").wait_for(timeout=PATIENCE)  # it pauses the motion first
    stop = opened.get_by_role("button", name="Stop the walk (W)")
    stop.wait_for()
    assert stop.inner_text() == "pause"  # the icon's name
    before = here(opened)
    wait_until(opened, lambda: here(opened) != before)
    at(opened, "outward smoother")
    opened.get_by_role("button", name="Walk by itself (W)").wait_for(timeout=2 * PATIENCE)
    at(opened, "outward smoother, link 1,")


def test_a_step_holds_the_motion_for_the_world_to_show_it(opened: Page) -> None:
    """Whoever walks while it plays sees the step, not the motion with another step beside it."""
    notes = opened.get_by_role("group", name="What the 3D view shows, with its scales")
    wait_until(opened, lambda: shown_time(opened) > 0.1)
    assert "P→P⁺" not in notes.inner_text()
    opened.keyboard.press("ArrowRight")
    opened.get_by_role("button", name="Play (space)").wait_for(timeout=PATIENCE)
    wait_until(opened, lambda: "P→P⁺" in notes.inner_text())
    held = shown_time(opened)
    opened.keyboard.press("ArrowRight")
    wait_until(opened, lambda: "link 2," in here(opened))
    assert shown_time(opened) == held


def spoken(page: Page) -> str:
    """What a reader of the screen hears of the step."""
    sheets = ".tabs", "[aria-label='The step']"  # of the page, of a replay
    return page.locator(", ".join(f"{sheet} p.spoken[role=status]" for sheet in sheets)).first.text_content() or ""


def test_the_arrow_walks_the_whole_computation(lead: Callable[[str], Page]) -> None:
    """Every half-step of every link through every stage, in order, each said in a sentence; and back."""
    page = lead("preset=two_planar_arms&t=0.300&play=0&stage=filter&link=0")
    system, _ = dyn.example("two_planar_arms")
    places = walk.whole_walk(system)
    at(page, "inward filter, arm 1, link 1,")
    heard = []
    for place in places:
        start = f"{STAGE_TITLES[place.stage]}, arm {place.arm + 1}, link {walk.number(system, place.link)}, "
        step = words_of(place.stage, place.half, False)
        words = f": {step.title.lower()}, {dyn.registry[place.stage, step.computes].estimation_name}."
        words += f" {LAST}" * (place == places[-1])
        wait_until(page, lambda: spoken(page).startswith(start) and spoken(page).endswith(words))  # noqa: B023
        heard.append(spoken(page))
        page.keyboard.press("ArrowRight")
    assert len(heard) == len(places) == 52
    assert all(one != other for one, other in pairwise(heard))
    page.keyboard.press("ArrowLeft")
    wait_until(page, lambda: spoken(page) == heard[-2])


def test_a_gain_is_seen_after_one_press(still: Page) -> None:
    still.get_by_role("tab", name="Walk").click()
    still.keyboard.press("ArrowRight")
    equation_shown(still, "filter kalman_gain")


@pytest.mark.parametrize("where", ["tab", "set of plots", "slider", "plot", "view"])
def test_keys_work_wherever_the_pointer_has_been(still: Page, where: str) -> None:
    """But where Tab has led, arrows belong to the control."""
    at(still, "inward filter, link 1,")
    clicked = {
        "tab": still.get_by_role("tab", name="Step"),
        "set of plots": still.get_by_role("tablist", name="Sets of plots").get_by_role("tab", name="Motion"),
        "slider": still.locator("input[type=range]:visible").first,
        "plot": still.get_by_role("group", name=re.compile("^Panel 1")),
        "view": still.locator("canvas[role=application]"),
    }[where]
    box = clicked.bounding_box()
    assert box is not None
    still.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + 0.5 * box["height"])
    still.wait_for_timeout(500)
    time, step = shown_time(still), here(still)
    still.keyboard.press("ArrowDown" if where == "view" else "Shift+ArrowRight")  # Shift and arrows turn a view
    wait_until(still, lambda: here(still) != step)
    assert shown_time(still) == time
    second = here(still)
    still.keyboard.press("ArrowUp" if where == "view" else "ArrowDown")
    wait_until(still, lambda: here(still) != second)


def test_space_at_the_step_where_one_stands_plays_and_pauses(still: Page) -> None:
    """Also for whom the link that skips has led to it; at another step it goes there."""
    here = still.locator(".map .node.here")
    still.keyboard.press("ArrowRight")
    wait_until(still, lambda: "correction" in spoken(still))
    here.focus()
    still.keyboard.press(" ")
    still.get_by_role("button", name="Pause (space)").wait_for(timeout=PATIENCE)
    still.keyboard.press(" ")
    still.get_by_role("button", name="Play (space)").wait_for(timeout=PATIENCE)
    assert "correction" in spoken(still)
    still.locator(".map .node:not(.here)").last.focus()
    still.keyboard.press(" ")
    wait_until(still, lambda: "correction" not in spoken(still))
    still.get_by_role("button", name="Play (space)").wait_for(timeout=PATIENCE)


def test_space_opens_the_tab_that_arrows_have_led_to(still: Page) -> None:
    """As the practices of ARIA ask; at the tab that is open it plays and pauses."""
    tabs = still.get_by_role("tablist", name="Instruments")
    tabs.get_by_role("tab", name="Walk", exact=True).focus()
    still.keyboard.press("ArrowDown")
    still.keyboard.press(" ")
    tabs.get_by_role("tab", name="Influence", exact=True, selected=True).wait_for(timeout=PATIENCE)
    still.get_by_role("button", name="Play (space)").wait_for(timeout=PATIENCE)
    still.keyboard.press(" ")
    still.get_by_role("button", name="Pause (space)").wait_for(timeout=PATIENCE)


def test_what_is_still_read_for_a_plot_is_not_spoken(still: Page) -> None:
    """Four panels that count to a hundred would drown the sentence of the step."""
    shares = still.locator(".cell .head .progress")
    assert shares.count() > 3
    assert not any(shares.evaluate_all("all => all.map(one => !!one.closest('[role=status], [aria-live]'))"))


def test_what_tab_has_led_to_keeps_its_keys_however_often(still: Page) -> None:
    at(still, "inward filter, link 1,")
    first = spoken(still)
    still.get_by_role("button", name="One step on (→)").focus()
    for _ in range(2):
        still.keyboard.press(" ")
    at(still, "inward filter, link 2,")
    assert spoken(still) != first
    assert still.get_by_role("button", name="Play (space)").is_visible()
    still.get_by_role("tab", name="Show").click()
    box = still.locator("input[type=checkbox]:visible").first
    was = box.is_checked()
    box.focus()
    still.keyboard.press(" ")
    wait_until(still, lambda: box.is_checked() != was)
    still.keyboard.press(" ")
    wait_until(still, lambda: box.is_checked() == was)
    assert still.get_by_role("button", name="Play (space)").is_visible()


def test_keys_work_when_a_menu_or_a_box_was_clicked(still: Page) -> None:
    at(still, "inward filter, link 1,")
    still.get_by_role("combobox", name="Speed").click()
    still.get_by_role("option", name="1/10 speed").click()
    still.get_by_role("option", name="1/10 speed").wait_for(state="detached")
    still.keyboard.press("Shift+ArrowRight")
    at(still, "inward filter, link 2,")
    still.get_by_role("tab", name="Show").click()
    still.locator("input[type=checkbox]:visible").first.click()
    still.keyboard.press("Shift+ArrowRight")
    still.get_by_role("tab", name="Walk").click()
    at(still, "inward filter, link 3,")
    still.get_by_role("button", name="Choose quantities to plot").click()
    menu = still.get_by_label("Panel to put it into")  # the browser's own, which has the arrows while it is open
    menu.click()
    wait_until(still, lambda: bool(menu.evaluate("menu => menu.matches(':open')")))
    still.keyboard.press("ArrowUp")
    still.keyboard.press("Enter")
    wait_until(still, lambda: menu.input_value() == "3")
    menu.click()
    wait_until(still, lambda: bool(menu.evaluate("menu => menu.matches(':open')")))
    still.keyboard.press("Escape")
    still.keyboard.press("Shift+ArrowRight")
    at(still, "inward filter, link 4,")
    assert menu.input_value() == "3"


def test_arrows_stay_with_what_has_the_focus(still: Page) -> None:
    before = here(still)
    still.locator("input[type=range]:visible").first.focus()
    time = shown_time(still)
    still.keyboard.press("ArrowRight")
    wait_until(still, lambda: shown_time(still) != time)
    still.get_by_role("tab", name="Step").focus()
    still.keyboard.press("ArrowRight")
    wait_until(
        still, lambda: still.get_by_role("tab", name="Links").evaluate("e => e.getRootNode().activeElement === e")
    )
    assert here(still) == before
    still.locator("canvas[role=application]").focus()
    still.keyboard.press("ArrowDown")
    wait_until(still, lambda: here(still) != before)


def test_the_numbers_follow_the_motion(opened: Page) -> None:
    equation_shown(opened, "filter predicted_force")
    first = left_side(opened, "filter predicted_force")
    wait_until(opened, lambda: not np.array_equal(left_side(opened, "filter predicted_force"), first))


def test_every_half_step_shows_its_code(lead: Callable[[str], Page]) -> None:
    page = at_start(lead, MODES[0])
    ran = page.locator("ol.text > li")
    ran.filter(has_text=re.compile(r"z\[k\] = .*JR \(2\.13a\)", re.DOTALL)).first.wait_for()
    page.get_by_role("button", name="One step on (→)").click()
    ran.filter(has_text=re.compile(r"R87 \(38\)")).first.wait_for()
    page.keyboard.press("ArrowDown")
    line = ran.filter(has_text="alpha_plus[k] = phi(i, k).T @ alpha[i]")
    line.first.wait_for()
    line.first.get_by_role("link").focus()
    page.keyboard.press("Enter")
    wait_until(page, lambda: in_sight(page, "smoother acceleration_inboard"))


def in_sight(page: Page, key: str) -> bool:
    box, view = page.locator(f"[data-equation='{key}']:visible").bounding_box(), page.viewport_size
    return box is not None and view is not None and box["y"] + 40.0 < view["height"]


def test_a_matrix_beside_its_line_is_opened_on_demand(lead: Callable[[str], Page]) -> None:
    page, solution = at_start(lead, MODES[0]), solution_of(MODES[0], AT)
    row = page.locator("li[data-line='inward_filter.prediction.P']")
    row.wait_for()
    cells = row.locator("[data-n]")
    assert not cells.first.is_visible()
    row.locator("summary").focus()
    page.keyboard.press("Enter")
    wait_until(page, lambda: cells.first.is_visible())
    wait_until(page, lambda: agrees(numbers_in(cells), solution.stages["filter"]["articulated_inertia"][0]))


def test_a_matrix_is_tiles_until_one_wants_its_digits_which_stay(
    lead: Callable[[str], Page],
) -> None:
    page, solution = at_start(lead, MODES[0]), solution_of(MODES[0], AT)
    section = page.locator("[data-equation='filter articulated_inertia']:visible")
    table = section.locator("table.square").first
    wait_until(page, lambda: table.evaluate("it => it.classList.contains('tiles')"))
    value = solution.stages["filter"]["articulated_inertia"][0]
    shown = np.abs(value) > 1e-12 * np.abs(value).max()
    heats = "cells => cells.map(cell => parseFloat(cell.style.getPropertyValue('--heat')))"
    wait_until(page, lambda: agrees(numbers_in(table.locator("[data-n]")), value))  # a reader of the screen has them
    heat = np.array(table.locator("[data-n]").evaluate_all(heats)).reshape(6, 6)
    hatched = table.locator("[data-n]").evaluate_all("cells => cells.map(cell => cell.classList.contains('minus'))")
    assert np.array_equal(np.array(hatched).reshape(6, 6) & shown, (value < 0) & shown)
    for block in ((slice(0, 3), slice(0, 3)), (slice(3, 6), slice(3, 6)), (slice(0, 3), slice(3, 6))):
        shares = np.sqrt(np.abs(value[block]) / np.abs(value[block]).max(initial=1e-300))
        assert np.abs(heat[block] - 92.0 * shares).max() <= 1.0
    table.click()
    wait_until(page, lambda: table.locator("td").first.evaluate("it => getComputedStyle(it).fontSize") != "0px")
    page.keyboard.press("Shift+ArrowRight")  # the same equation at the next link: its digits are still wanted
    at(page, "link 2")
    assert not table.evaluate("it => it.classList.contains('tiles')")
    section.get_by_text("more", exact=True).click()
    section.get_by_role("button", name="Digits").click()
    section.get_by_role("button", name="Digits").click()
    wait_until(page, lambda: table.evaluate("it => it.classList.contains('tiles')"))


def test_a_value_is_copied_in_all_its_digits(lead: Callable[[str], Page]) -> None:
    page, solution = at_start(lead, MODES[0]), solution_of(MODES[0], AT)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    section = page.locator("[data-equation='filter articulated_inertia']:visible")
    value = solution.stages["filter"]["articulated_inertia"][0]
    wait_until(page, lambda: agrees(numbers_in(section.locator(".term").first.locator("[data-n]")), value))
    section.locator("details.more").evaluate("it => it.open = true")

    def copied(form: str) -> str:
        section.get_by_role("button", name=form).click()
        section.get_by_text(f"Copied as {form}.").wait_for()
        return str(page.evaluate("navigator.clipboard.readText()"))

    array = copied("NumPy")
    assert array.startswith("np.array([")
    assert np.abs(np.array(ast.literal_eval(array[9:-1])) - value).max() <= 1e-12 * np.abs(value).max()
    rows = np.loadtxt(io.StringIO(copied("CSV")), delimiter=",")
    assert np.abs(rows - value).max() <= 1e-12 * np.abs(value).max()
    latex = copied("LaTeX")
    assert latex.startswith("\\begin{bmatrix}")
    assert latex.count("&") == 30


def test_a_letter_says_what_it_is_and_a_number_where_it_is_printed(lead: Callable[[str], Page]) -> None:
    page = at_start(lead, MODES[0])
    section = page.locator("[data-equation='filter articulated_inertia']:visible")
    section.locator("header math .phi").first.hover()
    page.locator(".tabs .tip", has_text="state transition").wait_for()
    page.mouse.move(5, 5)
    page.locator(".tabs .tip:visible").wait_for(state="hidden")
    section.locator("details.more").evaluate("it => it.open = false")  # as other tests may have left it
    section.get_by_text("more", exact=True).focus()
    page.keyboard.press("Enter")
    section.locator("dl.letters", has_text="process noise covariance").wait_for()
    section.locator("summary.source").focus()
    page.keyboard.press("Enter")
    card = section.locator(".card")
    card.wait_for()
    assert "IEEE Journal of Robotics and Automation" in card.inner_text()
    assert card.locator("math").count() == 1


def test_it_says_what_computed_the_motion_and_how_far_the_text_is_from_it(lead: Callable[[str], Page]) -> None:
    page = at_start(lead, MODES[0])
    said = page.get_by_text("The motion was computed by the fast form; this text was evaluated for this moment.")
    said.wait_for()
    assert 0.0 <= number(said.locator("[data-n]").inner_text()) < 1e-9


@pytest.mark.parametrize("mode", MODES)
def test_there_is_a_map_in_every_mode(lead: Callable[[str], Page], mode: str) -> None:
    page = at_start(lead, mode)
    system = Session(presets_of(mode)[0].name).system
    per_stage = {"Single arm": 2, "Multi-arm": 4, "Free-flying": 4}[mode]
    expected = per_stage * system.n_links + 2 * len(system.contacts)
    wait_until(page, lambda: page.locator("g.node").count() == expected)
