"""The panels of plots as a person works them: search, drag and drop, keys, clicks, zoom, files; and their numbers."""

import csv
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page

import dynamics as dyn
from app.number_text import number_text, raw_text, size_of
from app.state import Session
from tests.browser.moment import shown_time, solution_at, stand_at, wait_until
from tests.browser.page import FIGURES, SAMPLED, open_plots
from tests.browser.picture import CANVAS, PICTURES, box_of, colors, pixels

AT = 1.0
"""s, the instant that the tests look at."""


@pytest.fixture
def still(open_page: Callable[..., Page]) -> Page:
    """The page of the first preset, paused at ``AT``, all its panels open, once the whole run is sampled."""
    page = stand_at(open_page(f"preset=puma560&t={AT:.3f}&play=0"), AT)
    for name in ("Joint inertia", "Eigenvalues", "Innovation"):
        beside(page, name)
    wait_until(page, lambda: page.evaluate(SAMPLED) > 9.9)
    return page


def beside(page: Page, name: str) -> None:
    """One click opens a panel that is prepared."""
    chip = page.get_by_role("group", name="Plots to show beside").get_by_role("button", name=name, exact=True)
    chip.click()
    chip.wait_for(state="hidden")


def choose_tool(page: Page, name: str) -> None:
    page.get_by_role("button", name="More of the plots").click()
    page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()


@pytest.fixture(scope="module")
def solution() -> dyn.Solution:
    there = solution_at("puma560", AT)
    return dyn.forward_dynamics(there.system, there.state, there.tau)


def panel(page: Page, number: int) -> Locator:
    return page.get_by_role("group", name=re.compile(rf"^Panel {number}:"))


def heading(page: Page, number: int) -> str:
    return panel(page, number).get_by_role("heading").text_content() or ""


def readings(page: Page, number: int) -> dict[str, str]:
    rows = "dl => [...dl.children].map(row => [...row.querySelectorAll('dt, dd')].map(cell => cell.textContent))"
    return dict(panel(page, number).locator("dl").evaluate(rows))


def says(page: Page, number: int, wanted: dict[str, str]) -> None:
    wait_until(page, lambda: readings(page, number) == wanted)


def ranges(page: Page) -> list[tuple[float, float]]:
    """(start, end) of every plot in sight."""
    return [tuple(pair) for pair in page.evaluate(f"() => {FIGURES}.map(m => [m.x_range.start, m.x_range.end])")]


def followed(page: Page) -> str:
    return heading(page, 1).rpartition("· ")[2]


def search(page: Page, words: str) -> list[str]:
    page.get_by_label("Search quantities").fill(words)
    rows = "list => [...list.querySelectorAll('[data-key]')].map(row => row.dataset.key)"
    return list(page.get_by_role("listbox", name="Quantities").evaluate(rows))


def vector(values: np.ndarray, words: tuple[str, str], units: tuple[str, str]) -> dict[str, str]:
    """Readings of [angular; linear]."""
    names = [f"{word}{axis}" for word in words for axis in "xyz"]
    shown = [number_text(float(value), size_of(values)) for value in values]
    return {name: f"{text} {units[k // 3]}".strip() for k, (name, text) in enumerate(zip(names, shown, strict=True))}


def test_quantities_are_read_saved_searched_and_plotted(still: Page, solution: dyn.Solution, tmp_path: Path) -> None:
    name = followed(still)
    k = solution.system.link_names.index(name)
    stage = solution.stages["filter"]
    # Readings are the numbers of the mechanics.
    says(still, 1, vector(stage["kalman_gain"][k], ("M", "F"), ("", "1/m")))
    says(still, 2, {name: f"{number_text(float(stage['joint_inertia'][k]))} kg m²"})
    says(still, 4, {name: f"{number_text(float(stage['innovation'][k]))} N m"})
    raw = panel(still, 4).locator("dd").first.get_attribute("title")
    assert raw == f"{raw_text(float(stage['innovation'][k]))}: a click copies it"

    # What is visible is saved as numbers and as pictures.
    def saved(press: Callable[[], None]) -> Path:
        with still.expect_download() as download:
            press()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        return file

    def picture(ending: str) -> Path:
        still.get_by_role("button", name="Choices of panel 1").click()
        return saved(still.get_by_role("button", name=f"Save {ending}", exact=True).click)

    file = saved(lambda: choose_tool(still, "Save what is visible as CSV"))
    with file.open(newline="", encoding="utf-8") as text:
        head, *rows = list(csv.reader(text))
    assert head[0] == "time/s"
    row = int(np.argmin([abs(float(row[0]) - AT) for row in rows]))
    assert float(rows[row][0]) == pytest.approx(AT)
    column = next(at for at, name in enumerate(head) if "joint_inertia" in name and followed(still) in name)
    assert float(rows[row][column]) == pytest.approx(solution.stages["filter"]["joint_inertia"][k].item(), rel=1e-9)
    png = picture("PNG")
    assert colors(pixels(png.read_bytes())) > 4
    # They are found in both vocabularies and by symbol.
    still.get_by_role("button", name="Quantities", exact=True).click()
    still.get_by_label("Search quantities").wait_for()
    for words in ("torque", "tau"):
        assert search(still, words)[0] == "motion/tau"
    for words in ("kalman", "force carried", "g(k)"):
        assert "filter/kalman_gain" in search(still, words)
    assert "filter/articulated_inertia" in search(still, "articulated-body")
    assert "filter/innovation/whitened" in search(still, "epsilon whitened")
    assert search(still, "no such thing") == []
    # One is dragged into a panel, another put into a new one by keys alone.
    search(still, "joint position")
    still.locator("[data-key='motion/q']").drag_to(panel(still, 3), target_position={"x": 60.0, "y": 40.0})
    says(still, 3, {name: f"{number_text(float(solution.state.q[k]))} rad"})
    search(still, "joint velocity")
    below = {"x": 60.0, "y": box_of(panel(still, 3))["height"] - 30.0}
    still.locator("[data-key='motion/qd']").drag_to(panel(still, 3), target_position=below)
    wait_until(still, lambda: "θ̇" in heading(still, 3) and "θ(k)" in heading(still, 3))
    choose_tool(still, "Add an empty panel")
    panel(still, 5).wait_for()
    field = still.get_by_label("Search quantities")
    field.focus()
    still.keyboard.press("Control+a")
    still.keyboard.type("spatial force smooth")
    still.locator("[data-key='smoother/force'][aria-selected=true]").wait_for()
    still.get_by_label("Panel to put it into").select_option("4")
    field.focus()
    still.keyboard.press("Enter")
    says(still, 5, vector(solution.stages["smoother"]["force"][k], ("M", "F"), ("N m", "N")))
    panel(still, 5).focus()
    still.keyboard.press("Delete")
    panel(still, 5).wait_for(state="hidden")
    # Bars of all links, and a link that stays.
    panel(still, 4).get_by_role("button", name="Choices of panel 4").click()
    still.get_by_label("Bars: every link now").check()
    still.keyboard.press("Escape")
    for j, link in enumerate(solution.system.link_names):
        amount = f"{number_text(float(stage['innovation'][j]))} N m"
        panel(still, 4).get_by_role("button", name=f"{link}: {amount}", exact=True).wait_for()
    last = solution.system.n_links - 1
    still.get_by_role("button", name="Choices of panel 1").click()
    still.get_by_label("Whose").select_option(str(last))
    still.keyboard.press("Escape")
    says(still, 1, vector(stage["kalman_gain"][last], ("M", "F"), ("", "1/m")))
    open_plots(still, "Motion")
    beside(still, "Energy")
    start = Session("puma560").run.solution_at(0.0).potential_energy
    energy = {"kinetic": solution.kinetic_energy, "potential": solution.potential_energy - start}
    energy["total"] = sum(energy.values())
    says(still, 2, {each: f"{number_text(value)} J" for each, value in energy.items()})
    # Folded, the plots are one line, and the world has their room.
    world = still.locator(CANVAS)
    before = box_of(world)["height"]
    still.get_by_role("button", name="Fold plots").click()
    wait_until(still, lambda: box_of(world)["height"] > before + 100.0)
    still.get_by_role("button", name="Show plots").click()
    wait_until(still, lambda: box_of(world)["height"] == before)


HIGHEST = f"""left => {{
  const views = {FIGURES}.map(figure => Bokeh.index.find_one_by_id(figure.id))
  const view = views.find(view => Math.abs(view.el.getBoundingClientRect().left - left) < 2)
  const figure = view.model, at = 400
  const {{xs, ys}} = figure.renderers[0].data_source.data
  const values = ys.map(line => line[at])
  const top = Math.max(...values), {{x_scale, y_scale}} = view.frame
  return [x_scale.compute(xs[0][at]), y_scale.compute(top),
    values.indexOf(top)]
}}"""
"""Where in the figure at ``left`` pixels the highest line is, pixels, and which it is."""


def test_plots_are_zoomed_panned_and_clicked(still: Page, solution: dyn.Solution) -> None:
    # Zoom by wheel, keys and box: every plot shows the same stretch of time.
    box = box_of(panel(still, 2).locator(".bk-Figure canvas").first)
    still.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.5 * box["height"])
    still.mouse.wheel(0.0, -400.0)
    wait_until(still, lambda: ranges(still)[0][1] - ranges(still)[0][0] < 9.0)
    assert len(set(ranges(still))) == 1
    choose_tool(still, "Show the whole run")
    wait_until(still, lambda: set(ranges(still)) == {(0.0, 10.0)})
    still.keyboard.press("Tab")  # from where the pointer has been, arrows are the walk's
    panel(still, 1).focus()
    still.keyboard.press("+")
    wait_until(still, lambda: ranges(still)[0][1] == pytest.approx(7.3))
    before = ranges(still)[0][0]
    still.keyboard.press("ArrowRight")
    wait_until(still, lambda: ranges(still)[0][0] == pytest.approx(before + 0.15 * 7.0))
    still.keyboard.press("0")
    wait_until(still, lambda: set(ranges(still)) == {(0.0, 10.0)})
    # A click seeks the time; one on a line selects its link.
    box = box_of(panel(still, 2).locator(".bk-Figure canvas").first)
    still.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 2.0)
    wait_until(still, lambda: 3.0 < shown_time(still) < 6.0)
    name = followed(still)
    left, top, line = still.evaluate(HIGHEST, box["x"])
    still.evaluate(PICTURES, 4)  # longer than a double click takes
    still.mouse.click(box["x"] + left, box["y"] + top)
    wait_until(still, lambda: followed(still) == solution.system.link_names[int(line)])
    assert followed(still) != name
