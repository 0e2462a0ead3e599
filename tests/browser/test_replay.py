"""The replay file in a browser without a network: it plays, walks by the page's keys, says what the mechanics says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import dynamics as dyn
from app.motion.presets import PRESETS
from app.replay import Replay
from app.state import Session
from tests.browser.test_page import PATIENCE, wait_until
from tests.browser.test_panels import sampled
from tests.browser.test_walker import agrees, here, number, spoken

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
LENGTH, WALKED = 0.6, 0.25
"""s of each motion, and between two instants at which its walk can be read: 0, 0.25, 0.5 and the end."""
EVERY = 5
"""Of so many half-steps one is read."""
READ = """([time, every]) => {
  const replay = window.armsweepReplay
  replay.stand(time)
  const found = []
  const sheet = document.querySelector("[aria-label='The step'] > div").shadowRoot
  const { steps } = replay.walks.stretch
  for (let step = 0; step < steps.length; step += every) {
    replay.walk(walks => walks.goTo(step))
    for (const section of sheet.querySelectorAll("[data-equation]")) {
      const cells = [...section.querySelector(".term")?.querySelectorAll("[data-n]") ?? []]
      found.push([steps[step], section.dataset.equation, cells.map(cell => cell.textContent)])
    }
  }
  return [replay.walks.time, found]
}"""
READINGS = """() => {
  const cells = document.querySelector(".dock").shadowRoot.querySelectorAll(".cell:not([hidden]) .readings")
  const texts = list => [...list.querySelectorAll("dd")].map(dd => dd.textContent)
  return [window.armsweepReplay.now, [...cells].map(texts)]
}"""


def recorded(preset: str) -> dyn.Recording:
    """The beginning of what the page shows of a preset."""
    session = Session(preset)
    while session.run.end < LENGTH:
        session.run.accept(session.run.compute())
    return session.run.legs[0].recording.until(LENGTH)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[dyn.Recording, Path]]:
    """A preset's replay, made once."""
    folder = tmp_path_factory.mktemp("replays")
    made: dict[str, tuple[dyn.Recording, Path]] = {}

    def write(preset: str) -> tuple[dyn.Recording, Path]:
        if preset not in made:
            recording, path = recorded(preset), folder / f"{preset}.html"
            recording.to_html(path, title=PRESETS[preset].title, walked=WALKED)
            made[preset] = recording, path
        return made[preset]

    return write


@pytest.fixture(scope="module")
def offline(chromium: Browser) -> Iterator[tuple[Page, list[str]]]:
    page = chromium.new_context(viewport={"width": 1280, "height": 800}, offline=True).new_page()
    complaints: list[str] = []
    page.on("console", lambda told: complaints.append(told.text) if told.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(f"uncaught: {error}"))
    yield page, complaints
    page.context.close()


@pytest.fixture
def play(offline: tuple[Page, list[str]]) -> Iterator[Callable[[Path], Page]]:
    """`play(path)` gives the file, standing at its start; it may ask nobody for anything and complain of nothing."""
    page, complaints = offline
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    def open_file(path: Path) -> Page:
        page.goto(f"file://{path}")
        page.wait_for_function("() => window.armsweepReplay", timeout=PATIENCE)
        page.evaluate("() => armsweepReplay.stand(0)")
        return page

    yield open_file
    page.goto("about:blank")
    told, complaints[:] = list(complaints), []
    assert not told, "\n".join(told)
    assert {url.partition(":")[0] for url in asked} <= {"file", "blob", "data", "about"}


@pytest.mark.parametrize("preset", PRESETS)
def test_it_says_what_the_mechanics_says(
    preset: str, written: Callable[[str], tuple[dyn.Recording, Path]], play: Callable[[Path], Page]
) -> None:
    """Of every few half-steps all left sides, to the digits shown, at instants of the walk."""
    recording, path = written(preset)
    page = play(path)
    compared = set[str]()
    for wanted in (0.26, LENGTH):
        time, found = page.evaluate(READ, [wanted, EVERY])
        assert abs(time - wanted) <= WALKED / 2
        solution = recording.solution_at(time)
        for (stage, link, _), equation, texts in found:
            where, _, name = equation.partition(" ")
            value = _value(solution, where, name, link)
            if value is not None and value.size == len(texts):
                shown = np.array([number(text) for text in texts])
                assert agrees(shown, value), (time, stage, link, equation)
                compared.add(equation)
    assert len(compared) >= 13


def _value(solution: dyn.Solution, stage: str, name: str, link: int) -> np.ndarray | None:
    """What the fast form says of a quantity there."""
    found = solution.stages.get(stage, {}).get(name)
    if found is None:
        return None
    rows = {solution.system.n_links, solution.system.n_joints}
    return np.ravel(found[link]) if found.ndim and len(found) in rows and link < len(found) else None


@pytest.mark.parametrize("preset", ["two_arms_and_box", "free_flyer"])
def test_the_plots_read_what_the_mechanics_says(
    preset: str, written: Callable[[str], tuple[dyn.Recording, Path]], play: Callable[[Path], Page]
) -> None:
    """The gain and the eigenvalues of whichever link is walked to."""
    recording, path = written(preset)
    page = play(path)
    solution = recording.solution_at(0.25)
    for link in (1, 4):
        page.evaluate(
            "([link]) => { armsweepReplay.stand(0.25); armsweepReplay.walk(walks => walks.select(link)) }", [link]
        )
        eigenvalues = np.linalg.eigvalsh(solution.stages["filter"]["articulated_inertia"][link][3:, 3:])
        gain = np.ravel(solution.stages["filter"]["kalman_gain"][link])

        def read() -> Any:
            now, cells = page.evaluate(READINGS)
            return now, [[number(text.split()[0]) for text in cell] for cell in cells]

        def right(gain: np.ndarray = gain, eigenvalues: np.ndarray = eigenvalues) -> bool:
            now, cells = read()
            return now == 0.25 and agrees(np.array(cells[0]), gain) and agrees(np.sort(cells[2][3:]), eigenvalues)

        wait_until(page, right)


def test_it_plays_and_obeys_the_keys_of_the_page(
    written: Callable[[str], tuple[dyn.Recording, Path]], play: Callable[[Path], Page]
) -> None:
    _, path = written("two_arms_and_box")
    page = play(path)

    def moment() -> float:
        return float(page.evaluate("() => armsweepReplay.now"))

    def drawn() -> float:
        return float(page.locator("canvas[role=application]").evaluate("canvas => canvas.dataset.moment"))

    page.keyboard.press(".")
    wait_until(page, lambda: moment() == pytest.approx(0.01))
    page.keyboard.press(" ")
    wait_until(page, lambda: moment() > 0.2)
    page.keyboard.press(" ")
    wait_until(page, lambda: abs(drawn() - moment()) < 1e-6)
    rest = moment()
    page.wait_for_timeout(200)
    assert moment() == rest
    page.evaluate("() => armsweepReplay.walk(walks => walks.goTo(0))")
    page.keyboard.press("Shift+ArrowRight")
    wait_until(page, lambda: "inward filter, arm 1, link 2" in here(page))
    page.keyboard.press("ArrowDown")
    wait_until(page, lambda: "outward smoother, arm 1, link 2" in here(page))
    page.keyboard.press("]")
    wait_until(page, lambda: "arm 2" in here(page))
    assert moment() in (0.0, 0.25, 0.5, LENGTH), "a walk goes through a moment that can be read"
    assert f"Numbers of {moment():.2f} s" in page.locator(".at").inner_text()
    page.get_by_role("tab", name="Contact").click()
    page.get_by_role("group", name="Panel 1: Contact force").wait_for(timeout=PATIENCE)
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").wait_for(timeout=PATIENCE)
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    wait_until(page, lambda: page.evaluate("() => armsweepReplay.clock.playing"))
    page.keyboard.press("[")  # the open tab, which was clicked, keeps the arrows
    assert not page.evaluate("() => armsweepReplay.clock.playing"), "a step is of a moment that stands still"


@pytest.mark.parametrize("preset", ["point_contact", "free_flyer"])
def test_page_and_replay_are_walked_by_the_same_keys(
    preset: str,
    lead: Callable[[str], Page],
    written: Callable[[str], tuple[dyn.Recording, Path]],
    play: Callable[[Path], Page],
) -> None:
    """After each key both are at the same half-step of the same moment."""
    page = lead(f"preset={preset}&t=0.250&play=0&stage=filter&link=0")
    replay = play(written(preset)[1])
    replay.evaluate("() => { armsweepReplay.stand(0.25); armsweepReplay.walk(walks => walks.goTo(0)) }")
    wait_until(page, lambda: here(page) == here(replay) != "")
    arrows = (
        "ArrowRight", "ArrowRight", "Shift+ArrowRight", "ArrowDown", "Shift+ArrowRight", "ArrowRight", "ArrowUp",
        "ArrowLeft", "]", "ArrowDown", "Shift+ArrowLeft", "[",
    )  # fmt: skip
    seen = [here(page)]
    for key in (*arrows, "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
        replay.keyboard.press(key)
        wait_until(page, lambda: here(page) == here(replay) and spoken(page) == spoken(replay) != "")
        seen.append(spoken(replay))
    assert len(set(seen)) >= 8


def test_layers_and_themes(written: Callable[[str], tuple[dyn.Recording, Path]], play: Callable[[Path], Page]) -> None:
    """A layer that is switched on is drawn though nothing moves, and none is drawn that is off."""
    _, path = written("two_arms_and_box")
    page = play(path)
    canvas = page.locator("canvas[role=application]")

    def picture() -> bytes:
        page.wait_for_timeout(300)
        wait_until(page, lambda: canvas.get_attribute("data-refined") == canvas.get_attribute("data-frames"))
        return canvas.screenshot()

    before = picture()
    page.get_by_role("tab", name="Show").click()
    box = page.locator("input[value=spatial_inertia]")
    box.check()
    with_more = picture()
    assert with_more != before
    box.uncheck()
    assert picture() == before
    page.get_by_role("button", name="Toggle theme").click()
    assert picture() != before
    page.get_by_role("button", name="Toggle theme").click()
    assert picture() == before


def test_nothing_serious_for_whoever_does_not_see_or_point(
    written: Callable[[str], tuple[dyn.Recording, Path]], play: Callable[[Path], Page]
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    _, path = written("free_flyer")
    page = play(path)
    for _ in range(2):
        found = axe.Axe().run(page).response["violations"]
        assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []
        page.get_by_role("button", name="Toggle theme").click()


def test_ten_seconds_of_two_arms_take_less_than_five_megabytes(tmp_path: Path, play: Callable[[Path], Page]) -> None:
    session = Session("two_arms_and_box")
    while not session.run.complete:
        session.run.accept(session.run.compute())
    replay = Replay(session)
    for _ in replay.gather():
        pass
    path = tmp_path / "two_arms.html"
    path.write_text(replay.html(), encoding="utf-8")
    assert session.run.end == 10.0
    assert path.stat().st_size <= 5e6
    assert play(path).evaluate("() => armsweepReplay.walks.times.length") == 51


def test_the_page_saves_one(lead: Callable[[str], Page], play: Callable[[Path], Page], tmp_path: Path) -> None:
    """What is saved is what the page showed: its torque, its time, its layers, its step."""
    page = lead("preset=planar_chain&t=0.500&play=0&stage=smoother&link=1")
    wait_until(page, lambda: "outward smoother" in here(page))
    wait_until(page, lambda: sampled(page) > 9.9)  # a replay holds all of the run
    with page.expect_download(timeout=PATIENCE) as download:
        page.get_by_role("button", name="Save replay").click()
    assert download.value.suggested_filename == "planar_chain_swinging.html"
    path = tmp_path / "saved.html"
    download.value.save_as(path)
    page.get_by_text("it opens in any browser").wait_for(timeout=PATIENCE)
    replay = play(path)
    assert replay.title() == "Planar chain, swinging · Armsweep replay"
    assert replay.evaluate("() => armsweepReplay.data.time") == 0.5
    assert replay.evaluate("() => armsweepReplay.walks.stretch.steps[armsweepReplay.walks.step]") == ["smoother", 1, 0]


WIDTHS = """() => Bokeh.documents[0].roots().flatMap(figure => figure.renderers.filter(line => line.visible)
  .map(({glyph}) => [glyph.line_width.value ?? glyph.line_width, [glyph.line_dash.value ?? glyph.line_dash].flat()]))"""


def test_lines_and_letters_grow_with_the_screen_as_the_pages_do(
    written: Callable[[str], tuple[dyn.Recording, Path]], play: Callable[[Path], Page]
) -> None:
    """On four thousand pixels 1.8 times, at every link; and back."""
    _, path = written("free_flyer")
    page = play(path)
    letters = "() => parseFloat(getComputedStyle(document.querySelector('h1')).fontSize)"
    look = "link => armsweepReplay.walk(walks => walks.select(link))"
    usual, size = {}, page.evaluate(letters)
    for link in (2, 4):
        page.evaluate(look, link)
        usual[link] = page.evaluate(WIDTHS)
    assert any(dash for _, dash in usual[2])
    try:
        for screen, times in (((3840, 2160), 1.8), ((2560, 1440), 1.2), ((1280, 800), 1.0)):
            page.set_viewport_size({"width": screen[0], "height": screen[1]})
            wait_until(page, lambda times=times: page.evaluate(letters) == pytest.approx(times * size, rel=1e-3))
            for link in (4, 2):
                page.evaluate(look, link)
                now = page.evaluate(WIDTHS)
                assert [width for width, _ in now] == pytest.approx([times * width for width, _ in usual[link]])
                for (_, dash), (_, before) in zip(now, usual[link], strict=True):
                    assert dash == pytest.approx([times * part for part in before])
    finally:
        page.set_viewport_size({"width": 1280, "height": 800})
