"""*Walk* by keys and by mouse: what the page says of a moment is what the mechanics says of it."""

import ast
import io
import re
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from playwright.sync_api import Page

import dynamics as dyn
from app.equations.words import STAGE_TITLES, words_of
from app.instruments.walk.step_sheet import LAST
from app.state import walk
from tests.browser.equations import agrees, at, cells, here, left_side, number, numbers_in, says_of, section, spoken
from tests.browser.moment import address, shown_time, solution_at, stand_at, wait_until
from tests.browser.page import open_tab
from tests.browser.picture import data

AT = 0.3
"""s; at rest many numbers are nothing but rounding."""


def begin(open_page: Callable[..., Page], preset: str) -> Page:
    """The page of a preset, the cursor where the inward filter begins."""
    page = stand_at(open_page(f"preset={preset}&t={AT:.3f}&play=0&stage=filter&link=0"), AT)
    at(page, "inward filter")
    assert "link 1," in here(page)
    return page


def one_on(page: Page) -> None:
    page.get_by_role("button", name="One step on (→)").click()


def test_a_single_arm_is_walked_by_keys_and_by_mouse(open_page: Callable[..., Page]) -> None:
    page, solution = begin(open_page, "puma560"), solution_at("puma560", AT)
    system, stages = solution.system, solution.stages
    said = page.get_by_text("The motion was computed by the fast form; this text was evaluated for this moment.")
    said.wait_for()
    assert 0.0 <= number(said.locator("[data-n]").inner_text()) < 1e-9
    assert page.locator("g.node").count() == 2 * system.n_links
    page.keyboard.press("Shift+ArrowRight")
    at(page, f"link 2, {solution.system.link_names[1]}")
    for quantity in ("articulated_inertia", "predicted_force"):
        says_of(page, f"filter {quantity}", stages["filter"][quantity][1])
    one_on(page)
    for quantity in (
        *("joint_inertia", "kalman_gain", "innovation", "corrected_force", "residual"),
        "articulated_inertia_updated",
    ):
        says_of(page, f"filter {quantity}", stages["filter"][quantity][1])
    page.keyboard.press("ArrowDown")
    section(page, "smoother acceleration_inboard").wait_for()
    one_on(page)
    says_of(page, "smoother joint_acceleration", stages["smoother"]["joint_acceleration"][1])
    assert agrees(left_side(page, "smoother joint_acceleration"), solution.joint_acceleration[1])
    # By mouse: a node of the map, and a row of the links' table.
    page.get_by_role("button", name=f"outward smoother, link 3, {system.link_names[2]}", exact=True).click()
    says_of(page, "smoother acceleration_inboard", stages["smoother"]["acceleration_inboard"][2])
    page.get_by_role("tab", name="Links").click()
    page.get_by_role("button", name=f"link 4, {system.link_names[3]}", exact=True).last.click()
    at(page, f"link 4, {system.link_names[3]}")
    row = page.locator("table.links:visible tr.here [data-n]")
    alpha, inner = stages["smoother"]["acceleration"][3], stages["smoother"]["acceleration_inboard"][3]
    lengths = [np.linalg.norm(part) for part in (inner[:3], inner[3:], alpha[:3], alpha[3:])]
    expected = [stages["smoother"]["joint_acceleration"][3].item(), *lengths]

    def is_right() -> bool:
        found = numbers_in(row)
        return len(found) == len(expected) and all(
            agrees(a.reshape(1), b) for a, b in zip(found, expected, strict=True)
        )

    wait_until(page, is_right)

    page.get_by_role("button", name=f"inward filter, link 1, {system.link_names[0]}", exact=True).first.click()
    at(page, "inward filter, link 1,")
    page.get_by_role("tab", name="Step").click()
    matrices_and_copies_of_a_step(page, solution)


def matrices_and_copies_of_a_step(page: Page, solution: dyn.Solution) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    system, n = solution.system, solution.system.n_joints
    inertia = solution.stages["filter"]["articulated_inertia"][0]
    # A matrix is tiles until a click asks for its digits, at the next link, too.
    equation = section(page, "filter articulated_inertia")
    says_of(page, "filter articulated_inertia", inertia)
    table = equation.locator("table.square").first
    is_tiled = "it => it.classList.contains('tiles')"
    assert table.evaluate(is_tiled)
    signs = table.locator("[data-n]").evaluate_all("cells => cells.map(cell => cell.classList.contains('minus'))")
    shown = np.abs(inertia) > 1e-12 * np.abs(inertia).max()
    assert np.array_equal(np.array(signs).reshape(6, 6) & shown, (inertia < 0) & shown)
    table.click()
    wait_until(page, lambda: not table.evaluate(is_tiled))
    page.keyboard.press("Shift+ArrowRight")
    at(page, "link 2")
    assert not table.evaluate(is_tiled)
    page.keyboard.press("Shift+ArrowLeft")
    at(page, "link 1")
    says_of(page, "filter articulated_inertia", inertia)
    # All its digits are copied.
    equation.locator("details.more").evaluate("it => it.open = true")

    def copied(form: str) -> str:
        equation.get_by_role("button", name=form).click()
        equation.get_by_text(f"Copied as {form}.").wait_for()
        return str(page.evaluate("navigator.clipboard.readText()"))

    array = np.array(ast.literal_eval(copied("NumPy").removeprefix("np.array(").removesuffix(")")))
    rows = np.loadtxt(io.StringIO(copied("CSV")), delimiter=",")
    for found in (array, rows):
        assert np.abs(found - inertia).max() <= 1e-12 * np.abs(inertia).max()
    latex = copied("LaTeX")
    assert latex.startswith("\\begin{bmatrix}")
    assert latex.count("&") == 30
    # The text's own line, with its value on demand; a line leads to its equation.
    line = page.locator("li[data-line='inward_filter.prediction.P']")
    line.locator("summary").focus()
    page.keyboard.press("Enter")
    wait_until(page, lambda: agrees(numbers_in(line.locator("[data-n]")), inertia))
    ran = page.locator("ol.text > li")
    ran.filter(has_text=re.compile(r"z\[k\] = .*JR \(2\.13a\)", re.DOTALL)).first.wait_for()
    # The whole matrices; a cell leads to its link.
    page.get_by_role("tab", name="Matrices").click()
    square = page.locator("table.matrix.square[data-heat]:visible [data-n]")
    wait_until(page, lambda: agrees(numbers_in(square), inertia))
    page.get_by_role("combobox", name="Matrix").click()
    page.get_by_role("option", name="M, mass matrix").click()
    grid = page.locator("table.grid:visible")
    mass = dyn.mass_matrix(system, solution.state)[:n, :n]
    wait_until(page, lambda: agrees(numbers_in(grid.locator("[data-n]")), mass))
    for link in (1, 2):
        grid.locator("[data-go='cell 1 2']").click()
        at(page, f"link {link + 1}, {system.link_names[link]}")


def test_two_arms_are_walked_through_the_contact_stage(open_page: Callable[..., Page]) -> None:
    preset = "two_arms_and_box"
    page, solution = begin(open_page, preset), solution_at(preset, AT)
    system, stage = solution.system, solution.stages["contact"]
    assert page.locator("g.node").count() == 4 * system.n_links + 2 * len(system.contacts)
    page.keyboard.press("ArrowDown")
    at(page, "outward smoother")
    page.keyboard.press("ArrowDown")
    section(page, "contact free_tip_acceleration").wait_for()
    page.keyboard.press("]")
    at(page, "predictor, arm 2")
    one_on(page)
    corrected = section(page, "contact corrected_contact_force")
    corrected.wait_for()
    mine = corrected.locator(".term").first.locator("tr.mine [data-n]")
    wait_until(page, lambda: agrees(numbers_in(mine), stage["corrected_contact_force"][1]))
    assert solution.contact_force is not None
    apart = np.abs(numbers_in(mine) - solution.contact_force[1]).max()
    assert apart <= 1e-3 * np.abs(solution.contact_force[1]).max()
    says_of(page, "contact object_acceleration", stage["object_acceleration"])


@pytest.mark.full
def test_the_arrow_walks_the_whole_computation_and_it_goes_by_itself(open_page: Callable[..., Page]) -> None:
    """Every half-step of every link through every stage, in order, each said in a sentence; and back."""
    page = open_page("preset=two_planar_arms&t=0.300&play=0&stage=filter&link=0")
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
    page.get_by_role("button", name="Fast", exact=True).click()
    page.keyboard.press("w")
    wait_until(page, lambda: spoken(page) in heard[:-1])  # it begins anew
    page.get_by_role("button", name="Stop the walk (W)").click()
    page.get_by_role("button", name="Walk by itself (W)").wait_for()


FURTHEST = """nodes => { const seen = []
    const look = (node) => {
        const scrolls = /auto|scroll/.test(getComputedStyle(node).overflowY)
        if (scrolls && node.scrollHeight > node.clientHeight + 1) seen.push(node)
        for (const child of [...node.children, ...(node.shadowRoot?.children ?? [])]) look(child)
    }
    look(nodes[0])
    window.scrolled = seen.sort((a, b) => b.scrollHeight - b.clientHeight - a.scrollHeight + a.clientHeight)[0]
    window.scrolled.scrollTop = 120
    return window.scrolled.scrollTop }"""
"""Scrolls what has most to scroll, and keeps it."""


def test_numbers_follow_the_motion_until_a_step_holds_it(open_page: Callable[..., Page]) -> None:
    page = open_page("preset=puma560&play=1&tab=Walk", viewport={"width": 1280, "height": 600})
    section(page, "filter predicted_force").wait_for()
    first = left_side(page, "filter predicted_force")
    down = page.get_by_role("tabpanel", name="Walk").first.evaluate_all(FURTHEST)
    assert down > 60
    wait_until(page, lambda: not np.array_equal(left_side(page, "filter predicted_force"), first))
    assert page.evaluate("window.scrolled.isConnected && window.scrolled.scrollTop") == down
    notes = page.get_by_role("group", name="What the 3D view shows, with its scales")
    assert "P→P⁺" not in notes.inner_text()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Play (space)").wait_for()
    section(page, "filter kalman_gain").wait_for()  # a gain after one press
    wait_until(page, lambda: "P→P⁺" in notes.inner_text())
    held, shown = shown_time(page), int(data(page)["visible"])
    page.keyboard.press("ArrowRight")
    at(page, "link 2,")
    assert shown_time(page) == held
    # The picture shows what the walk has come to, until the user says what is shown.
    open_tab(page, "Show")
    page.get_by_label("While paused").uncheck()
    wait_until(page, lambda: int(data(page)["visible"]) > shown)
    page.get_by_label("While paused").check()
    wait_until(page, lambda: int(data(page)["visible"]) <= shown + 1)
    open_tab(page, "Walk")
    page.get_by_role("tab", name="Links").click()
    wait_until(page, lambda: len(cells(page.locator("table.links:visible"))) > 6)
    assert address(page)["play"] == "0"
