"""The panels of plots as a user works them: search, drag and drop, keys, clicks, zoom; and their numbers."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import dynamics as dyn
from app.number_text import number_text, raw_text, size_of
from app.state import Session
from tests.browser.test_page import PATIENCE, shown_time, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
AT = 1.0
"""s, the instant that the tests look at."""


@pytest.fixture
def still(lead: Callable[[str], Page]) -> Page:
    """The page of the first preset, paused at ``AT``, with its own panels, once the whole run is sampled."""
    page = lead(f"preset=puma560&t={AT:.3f}&play=0")
    page.get_by_role("tab", name="Filter", exact=True).click()
    page.get_by_role("button", name="This tab's own panels again").click()
    page.get_by_role("button", name="Show the whole run").click()
    search = page.get_by_label("Search quantities")
    if search.is_visible():
        search.fill("")
        page.get_by_role("button", name="Choose quantities to plot").click()
        search.wait_for(state="hidden")
    wait_until(page, lambda: shown_time(page) == AT)
    wait_until(page, lambda: sampled(page) > 9.9)
    return page


@pytest.fixture(scope="module")
def solution() -> dyn.Solution:
    """The same moment, computed here."""
    session = Session("puma560")
    while session.run.end < AT:
        session.run.accept(session.run.compute())
    there = session.run.solution_at(AT)
    return dyn.forward_dynamics(there.system, there.state, there.tau)


FIGURES = """[...Bokeh.documents[0].all_models]
  .filter(m => m.type === 'Figure' && m.center.some(one => one.name === 'cursor'))"""
"""Those of the panels: the instruments have figures of their own."""


def sampled(page: Page) -> float:
    """Until when the first panel has samples, s."""
    return float(
        page.evaluate(f"() => {{ const f = {FIGURES}[0]; return f?.renderers[0]?.data_source.data.time.at(-1) ?? 0 }}")
    )


def panel(page: Page, number: int) -> Locator:
    return page.get_by_role("group", name=re.compile(rf"^Panel {number}:"))


def readings(page: Page, number: int) -> dict[str, str]:
    """What stands beside the lines of a panel."""
    rows = "dl => [...dl.children].map(row => [...row.querySelectorAll('dt, dd')].map(cell => cell.textContent))"
    return dict(panel(page, number).locator("dl").evaluate(rows))


def says(page: Page, number: int, wanted: dict[str, str]) -> None:
    """Waits until a panel says so."""
    wait_until(page, lambda: readings(page, number) == wanted)


def ranges(page: Page) -> list[tuple[float, float]]:
    """(start, end) of every plot in sight."""
    return [tuple(pair) for pair in page.evaluate(f"() => {FIGURES}.map(m => [m.x_range.start, m.x_range.end])")]


def link_number(solution: dyn.Solution, name: str) -> int:
    return solution.system.link_names.index(name)


def followed(page: Page) -> str:
    """The link whose gain the first panel shows."""
    return (panel(page, 1).get_by_role("heading").text_content() or "").rpartition("· ")[2]


def open_list(page: Page) -> None:
    page.get_by_role("button", name="Choose quantities to plot").click()
    page.get_by_label("Search quantities").wait_for()


def search(page: Page, words: str) -> list[str]:
    page.get_by_label("Search quantities").fill(words)
    rows = "list => [...list.querySelectorAll('[data-key]')].map(row => row.dataset.key)"
    return list(page.get_by_role("listbox", name="Quantities").evaluate(rows))


def vector(values: np.ndarray, words: tuple[str, str], units: tuple[str, str]) -> dict[str, str]:
    """Readings of [angular; linear]."""
    names = [f"{word}{axis}" for word in words for axis in "xyz"]
    shown = [number_text(float(value), size_of(values)) for value in values]
    return {name: f"{text} {units[k // 3]}".strip() for k, (name, text) in enumerate(zip(names, shown, strict=True))}


def test_readings_are_the_numbers_of_the_mechanics(still: Page, solution: dyn.Solution) -> None:
    k = link_number(solution, followed(still))
    stages = solution.stages["filter"]
    says(still, 1, vector(stages["kalman_gain"][k], ("M", "F"), ("", "1/m")))
    says(still, 2, {followed(still): f"{number_text(float(stages['joint_inertia'][k]))} kg m²"})
    says(still, 4, {followed(still): f"{number_text(float(stages['innovation'][k]))} N m"})
    raw = panel(still, 4).locator("dd").first.get_attribute("title")
    digits = raw_text(float(stages["innovation"][k]))
    assert raw == f"{digits}: a click copies it"  # all digits, for whoever points at it
    still.get_by_role("tab", name="Motion", exact=True).click()
    start = Session("puma560").run.solution_at(0.0).potential_energy
    energy = {"kinetic": solution.kinetic_energy, "potential": solution.potential_energy - start}
    energy["total"] = sum(energy.values())
    says(still, 1, {name: f"{number_text(value)} J" for name, value in energy.items()})


def test_search_in_both_vocabularies_and_by_symbol(still: Page) -> None:
    open_list(still)
    assert search(still, "torque")[0] == "motion/tau"
    assert search(still, "tau")[0] == "motion/tau"
    for words in ("kalman", "force carried", "g(k)"):
        assert "filter/kalman_gain" in search(still, words)
    assert "filter/articulated_inertia" in search(still, "articulated-body")
    assert "filter/innovation/whitened" in search(still, "epsilon whitened")
    assert search(still, "no such thing") == []
    still.get_by_text("Nothing is called so.").wait_for()


def test_drag_a_quantity_into_a_panel(still: Page, solution: dyn.Solution) -> None:
    name = followed(still)
    k = link_number(solution, name)
    open_list(still)
    search(still, "joint position")
    row = still.locator("[data-key='motion/q']")
    row.drag_to(panel(still, 3), target_position={"x": 60.0, "y": 40.0})
    says(still, 3, {name: f"{number_text(float(solution.state.q[k]))} rad"})
    search(still, "joint velocity")
    box = panel(still, 3).bounding_box()
    assert box is not None
    still.locator("[data-key='motion/qd']").drag_to(
        panel(still, 3), target_position={"x": 60.0, "y": box["height"] - 30.0}
    )
    wait_until(still, lambda: "θ̇" in (panel(still, 3).get_by_role("heading").text_content() or ""))
    assert "θ(k)" in (panel(still, 3).get_by_role("heading").text_content() or "")


def test_by_keys_alone(still: Page, solution: dyn.Solution) -> None:
    name = followed(still)
    k = link_number(solution, name)
    still.get_by_role("button", name="Add a panel").focus()
    still.keyboard.press("Enter")
    panel(still, 5).wait_for()
    field = still.get_by_label("Search quantities")
    field.wait_for()
    field.focus()
    still.keyboard.press("Control+a")  # what another test has left there
    still.keyboard.type("spatial force smooth")
    still.locator("[data-key='smoother/force'][aria-selected=true]").wait_for()
    still.get_by_label("Panel to put it into").select_option("4")
    field.focus()
    still.keyboard.press("Enter")
    says(still, 5, vector(solution.stages["smoother"]["force"][k], ("M", "F"), ("N m", "N")))
    panel(still, 5).focus()
    still.keyboard.press("Delete")
    panel(still, 5).wait_for(state="hidden")


def test_zoom_and_pan_are_tied(still: Page) -> None:
    plot = panel(still, 2).locator(".bk-Figure canvas").first
    box = plot.bounding_box()
    assert box is not None
    still.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.5 * box["height"])
    still.mouse.wheel(0.0, -400.0)
    wait_until(still, lambda: ranges(still)[0][1] - ranges(still)[0][0] < 9.0)
    assert len(set(ranges(still))) == 1
    still.get_by_role("button", name="Show the whole run").click()
    wait_until(still, lambda: set(ranges(still)) == {(0.0, 10.0)})
    panel(still, 1).focus()
    still.keyboard.press("+")
    wait_until(still, lambda: ranges(still)[0][1] == pytest.approx(7.3))
    before = ranges(still)[0][0]
    still.keyboard.press("ArrowRight")
    wait_until(still, lambda: ranges(still)[0][0] == pytest.approx(before + 0.15 * 7.0))
    still.keyboard.press("0")
    wait_until(still, lambda: set(ranges(still)) == {(0.0, 10.0)})


def test_a_box_is_zoomed_into_and_panning_comes_back(still: Page) -> None:
    name = "Drag zooms into a stretch of time instead of panning"
    still.get_by_role("button", name=name, pressed=False).click()
    still.get_by_role("button", name=name, pressed=True).wait_for()
    plot = panel(still, 1).locator(".bk-Figure canvas").first
    box = plot.bounding_box()
    assert box is not None
    height = box["y"] + 0.4 * box["height"]

    def drag(start: float, end: float) -> None:
        still.mouse.move(box["x"] + start * box["width"], height)
        still.mouse.down()
        still.mouse.move(box["x"] + end * box["width"], height + 4.0, steps=5)
        still.mouse.up()

    drag(0.5, 0.8)
    wait_until(still, lambda: 1.0 < ranges(still)[0][1] - ranges(still)[0][0] < 6.0)
    wait_until(still, lambda: len(set(ranges(still))) == 1)
    start, end = ranges(still)[0]
    still.get_by_role("button", name=name, pressed=True).click()
    still.get_by_role("button", name=name, pressed=False).wait_for()
    drag(0.5, 0.6)
    wait_until(still, lambda: ranges(still)[0][0] < start - 0.1)
    assert np.diff(ranges(still)[0])[0] == pytest.approx(end - start)


HIGHEST = f"""left => {{
  const views = {FIGURES}.map(figure => Bokeh.index.find_one_by_id(figure.id))
  const view = views.find(view => Math.abs(view.el.getBoundingClientRect().left - left) < 2)
  const figure = view.model, at = 400
  const lines = figure.renderers.filter(line => line.visible)
  const values = lines.map(line => line.data_source.data[line.glyph.y.field][at])
  const top = Math.max(...values), {{x_scale, y_scale}} = view.frame
  return [x_scale.compute(lines[0].data_source.data.time[at]), y_scale.compute(top),
    values.indexOf(top)]
}}"""
"""Where in the figure at ``left`` pixels the highest line is, pixels, and which it is."""


def test_a_click_seeks_the_time_and_a_line_selects_its_link(still: Page, solution: dyn.Solution) -> None:
    plot = panel(still, 2).locator(".bk-Figure canvas").first
    box = plot.bounding_box()
    assert box is not None
    still.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 2.0)
    wait_until(still, lambda: 3.0 < shown_time(still) < 6.0)
    start = followed(still)
    still.wait_for_timeout(600)  # longer than a double click takes
    left, top, line = still.evaluate(HIGHEST, box["x"])
    still.mouse.click(box["x"] + left, box["y"] + top)
    wait_until(still, lambda: followed(still) == solution.system.link_names[int(line)])
    assert followed(still) != start


def test_bars_of_all_links(still: Page, solution: dyn.Solution) -> None:
    panel(still, 4).get_by_role("button", name="Choices of panel 4").click()
    still.get_by_label("Bars: every link now").check()
    still.keyboard.press("Escape")
    innovation = solution.stages["filter"]["innovation"]
    for k, name in enumerate(solution.system.link_names):
        bar = panel(still, 4).get_by_role("button", name=f"{name}: {number_text(float(innovation[k]))} N m", exact=True)
        bar.wait_for()
        assert bar.inner_text() == name.removeprefix("link_")
    bars = panel(still, 4).get_by_role("button", name=re.compile("N m$"))
    bars.first.click()
    wait_until(still, lambda: followed(still) == solution.system.link_names[0])
    assert bars.first.get_attribute("aria-pressed") == "true"


def test_a_pinned_link_stays(still: Page, solution: dyn.Solution) -> None:
    last = solution.system.link_names[-1]
    k = link_number(solution, last)
    still.get_by_role("button", name="Choices of panel 1").click()
    still.get_by_label("Whose").select_option(str(k))
    still.keyboard.press("Escape")
    says(still, 1, vector(solution.stages["filter"]["kalman_gain"][k], ("M", "F"), ("", "1/m")))


def test_what_is_visible_is_saved(still: Page, solution: dyn.Solution, tmp_path: Path) -> None:
    with still.expect_download() as download:
        still.get_by_role("button", name="Save what is visible as a CSV file").click()
    file = tmp_path / "visible.csv"
    download.value.save_as(file)
    with file.open(newline="", encoding="utf-8") as text:
        heading, *rows = list(csv.reader(text))
    assert heading[0] == "time/s"
    times = np.array([float(row[0]) for row in rows])
    k = int(np.argmin(np.abs(times - AT)))
    assert times[k] == pytest.approx(AT)
    column = next(at for at, name in enumerate(heading) if "joint_inertia" in name and followed(still) in name)
    link = link_number(solution, followed(still))
    assert float(rows[k][column]) == pytest.approx(solution.stages["filter"]["joint_inertia"][link], rel=1e-9)


def test_the_kept_run_and_the_difference(still: Page) -> None:
    still.keyboard.press("a")
    still.get_by_role("button", name="Choices of panel 4").click()
    still.get_by_label("Difference: this run less the kept ones").check()
    still.keyboard.press("Escape")
    name = followed(still)
    says(still, 4, {name: "0 N m"})
    assert "less A" in (panel(still, 4).get_by_role("heading").text_content() or "")


def test_plots_are_painted_after_a_kept_run_was_dropped(still: Page) -> None:
    kept = f"() => {FIGURES}[0].renderers.filter(r => r.visible).length"
    alone = still.evaluate(kept)
    still.keyboard.press("a")
    wait_until(still, lambda: still.evaluate(kept) == 2 * alone + 1)  # and its letter
    still.get_by_role("tab", name="Show").click()
    still.get_by_role("button", name="Remove run A").click()
    wait_until(still, lambda: still.evaluate(kept) == alone)
    still.get_by_role("button", name="Multi-arm").click()
    # What the page throws while it paints fails the test when it ends.
    still.get_by_role("button", name="Multi-arm", pressed=True).wait_for()
    still.keyboard.press("Space")
    wait_until(still, lambda: shown_time(still) > 0.3 and sampled(still) > 9.9)


def test_what_is_no_longer_there_has_no_number_while_it_plays(lead: Callable[[str], Page]) -> None:
    """The contact's forces of an object that was let go, in the panels that showed them."""
    page = lead("preset=two_arms_and_box&t=0.300&play=0")
    page.get_by_role("tablist", name="Sets of plots").get_by_role("tab", name="Contact", exact=True).click()
    forces = 1
    panel(page, forces).get_by_role("heading", name="Contact force").wait_for(timeout=PATIENCE)
    wait_until(page, lambda: any(re.match(r"−?\d", said) for said in readings(page, forces).values()))
    page.get_by_role("button", name="Play (space)").click()
    page.get_by_role("button", name="Release", exact=True).click()
    page.get_by_role("button", name="Grasp", exact=True).wait_for(timeout=PATIENCE)
    nothing = {"pred. F": "–", "appl. F": "0 N"}  # a hand that holds nothing is pressed by nothing

    def let_go() -> bool:
        return all(said == nothing[name[:-1]] for name, said in readings(page, forces).items())

    wait_until(page, let_go)
    assert page.get_by_role("button", name="Pause (space)").is_visible()  # it still plays


@pytest.mark.parametrize("preset", ["two_arms_and_box", "free_flyer"])
def test_what_names_the_lines_leaves_most_of_a_narrow_panel_to_them(lead: Callable[[str], Page], preset: str) -> None:
    """A word that several lines begin with stands once in sight, and is heard, read and copied of each."""
    page = lead(f"preset={preset}&t=0.300&play=0")
    sets = page.get_by_role("tablist", name="Sets of plots")
    for name in ("Contact", "Two filters", "Motion"):
        tab = sets.get_by_role("tab", name=name, exact=True)
        if tab.is_disabled():
            continue
        tab.click()
        sets.get_by_role("tab", name=name, exact=True, selected=True).wait_for(timeout=PATIENCE)
        for cell in page.locator(".cell:visible").all():
            wait_until(page, lambda cell=cell: cell.locator("dd").first.inner_text() != "")
            share = cell.evaluate("cell => cell.querySelector('dl').clientHeight / cell.clientHeight")
            assert share < 0.31, (name, cell.get_attribute("aria-label"), share)
    if preset == "two_arms_and_box":
        sets.get_by_role("tab", name="Contact", exact=True).click()
        panel(page, 2).get_by_role("heading", name="Contact moment").wait_for(timeout=PATIENCE)
        both = [f"{which} M{axis}" for which in ("appl.", "pred.") for axis in "xyz"]
        assert list(readings(page, 2)) == both
        assert panel(page, 2).locator("dt").nth(1).get_attribute("aria-label") == "applied moment y"
        seen = (
            panel(page, 2)
            .locator("dt")
            .evaluate_all("all => all.map(one => one.querySelector('.again')?.clientWidth ?? 0)")
        )
        assert max(seen) <= 1, seen


def test_every_figure_fits_its_card_after_runs_were_kept_and_its_accents_are_drawn(still: Page) -> None:
    """A figure measured while its readings were empty stayed too tall for its card."""
    still.keyboard.press("Space")
    wait_until(still, lambda: sampled(still) > 9.9)
    still.keyboard.press("a")
    still.get_by_role("button", name="Show this run less the kept ones, in every panel").wait_for()
    still.wait_for_timeout(600)
    still.keyboard.press("Space")
    fits = (
        "plot => { const canvas = (function find(node) { for (const each of node.querySelectorAll('*')) {"
        "if (each.localName === 'canvas') return each; const found = each.shadowRoot && find(each.shadowRoot);"
        "if (found) return found } })(plot); return Math.abs(canvas.clientHeight - plot.clientHeight) <= 1 }"
    )
    for number in range(1, 5):
        assert panel(still, number).locator(".plot").evaluate(fits), number
    still.get_by_role("tab", name="Motion").click()
    letter = still.locator(".title .over").first
    assert letter.text_content() == "θ̈"
    assert letter.evaluate("e => getComputedStyle(e, '::before').boxShadow") != "none"


def test_a_projector_shows_no_empty_plot(lead: Callable[[str], Page]) -> None:
    """As a lesson has it beside a question."""
    page = lead("preset=planar_chain&t=0.000&play=0&plots=Motion&panels=Motion%3B-")
    empty = page.locator(".cell .empty:not([hidden])")
    empty.wait_for()
    page.keyboard.press("p")
    page.get_by_role("button", name="Leave projector mode (P)").wait_for()
    wait_until(page, lambda: not empty.is_visible())
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Projector mode (P)", exact=True).wait_for()
    empty.wait_for()
