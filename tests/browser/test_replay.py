"""The replay file in a browser without a network: it plays, walks by the page's keys, says what the mechanics says."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page

import dynamics as dyn
from app.motion.presets import PRESETS
from app.state import Session
from tests.app.arrival import computed
from tests.browser.equations import agrees, at, here, number, spoken
from tests.browser.moment import wait_until
from tests.browser.page import SAMPLED, violations
from tests.browser.picture import CANVAS, data, difference, pixels

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


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[dyn.Recording, Path]]:
    folder = tmp_path_factory.mktemp("replays")
    made: dict[str, tuple[dyn.Recording, Path]] = {}

    def write(preset: str) -> tuple[dyn.Recording, Path]:
        if preset not in made:
            run, path = computed(Session(preset).run, LENGTH), folder / f"{preset}.html"
            recording = run.legs[0].recording.until(LENGTH)
            recording.to_html(path, title=PRESETS[preset].title, walked=WALKED)
            made[preset] = recording, path
        return made[preset]

    return write


@pytest.fixture
def play(new_page: Callable[..., Page]) -> Iterator[Callable[[Path], Page]]:
    """`play(path)` gives the file, standing at its start; it may ask nobody for anything."""
    asked: list[str] = []

    def open_file(path: Path) -> Page:
        page = new_page(offline=True)
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"file://{path}")
        page.wait_for_function("() => window.armsweepReplay")
        page.evaluate("() => armsweepReplay.stand(0)")
        return page

    yield open_file
    assert {url.partition(":")[0] for url in asked} <= {"file", "blob", "data", "about"}


def _value(solution: dyn.Solution, stage: str, name: str, link: int) -> np.ndarray | None:
    found = solution.stages.get(stage, {}).get(name)
    if found is None:
        return None
    rows = {solution.system.n_links, solution.system.n_joints}
    return np.ravel(found[link]) if found.ndim and len(found) in rows and link < len(found) else None


@pytest.mark.parametrize("preset", ["two_arms_and_box", pytest.param("free_flyer", marks=pytest.mark.full)])
def test_it_says_what_the_mechanics_says(
    preset: str, written: Callable[[str], tuple[dyn.Recording, Path]], play: Callable[[Path], Page]
) -> None:
    """Of every few half-steps all left sides, at instants of the walk; and the plots, at the links walked to."""
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
    solution = recording.solution_at(0.25)
    inertia, gain = (solution.stages["filter"][name] for name in ("articulated_inertia", "kalman_gain"))
    for link in (1, 4):
        page.evaluate(
            "([link]) => { armsweepReplay.stand(0.25); armsweepReplay.walk(walks => walks.select(link)) }", [link]
        )

        def is_right(link: int = link) -> bool:
            now, texts = page.evaluate(READINGS)
            cells = [np.array([number(text.split()[0]) for text in cell]) for cell in texts]
            heavy = np.linalg.eigvalsh(inertia[link][3:, 3:])
            return now == 0.25 and agrees(cells[0], gain[link]) and agrees(np.sort(cells[2][3:]), heavy)

        wait_until(page, is_right)


@pytest.mark.full
def test_the_page_saves_one_that_plays_and_is_walked_by_the_same_keys(
    open_page: Callable[..., Page], play: Callable[[Path], Page], tmp_path: Path, axe: str
) -> None:
    """What is saved is what the page showed: its time, its layers, its step."""
    page = open_page("preset=two_planar_arms&t=0.500&play=0&stage=smoother&link=1")
    at(page, "outward smoother")
    wait_until(page, lambda: page.evaluate(SAMPLED) > 9.9)  # a replay holds all of the run
    with page.expect_download() as download:
        page.get_by_role("button", name="Save replay").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.suffix == ".html"
    page.get_by_text("it opens in any browser").wait_for()
    replay = play(path)
    assert replay.title().endswith("Armsweep replay")
    assert replay.evaluate("() => armsweepReplay.data.time") == 0.5
    assert replay.evaluate("() => armsweepReplay.walks.stretch.steps[armsweepReplay.walks.step]") == ["smoother", 1, 0]
    # Walked by the same keys both are at the same half-step.
    replay.evaluate("() => armsweepReplay.stand(0.5)")
    wait_until(page, lambda: here(page) == here(replay) != "")
    arrows = "ArrowRight", "Shift+ArrowRight", "ArrowDown", "ArrowUp", "ArrowLeft", "]", "ArrowDown"
    seen = set()
    for key in arrows:
        page.keyboard.press(key)
        replay.keyboard.press(key)
        wait_until(page, lambda: here(page) == here(replay) and spoken(page) == spoken(replay) != "")
        seen.add(spoken(replay))
    assert len(seen) >= 5
    # It plays, and stops; a step is of a moment that stands still.
    now = "() => armsweepReplay.now"
    replay.evaluate("() => armsweepReplay.stand(0)")
    replay.keyboard.press(".")
    wait_until(replay, lambda: replay.evaluate(now) == pytest.approx(0.01))
    replay.keyboard.press(" ")
    wait_until(replay, lambda: replay.evaluate(now) > 0.2)
    replay.keyboard.press(" ")
    wait_until(replay, lambda: abs(float(data(replay)["moment"]) - replay.evaluate(now)) < 1e-6)
    assert not replay.evaluate("() => armsweepReplay.clock.playing")
    # A layer that is switched on is drawn though nothing moves; both themes serve a screen reader.
    canvas = replay.locator(CANVAS)

    def picture() -> np.ndarray:
        wait_until(replay, lambda: data(replay)["refined"] == data(replay)["frames"])
        return pixels(canvas.screenshot())

    before = picture()
    replay.get_by_role("tab", name="Show").click()
    layer = replay.locator("input[value=spatial_inertia]")
    layer.check()
    wait_until(replay, lambda: difference(picture(), before) > 1e-3)
    full = picture()
    layer.uncheck()
    wait_until(replay, lambda: difference(picture(), full) > 1e-3)
    for _ in range(2):
        assert violations(replay, axe, None) == []
        replay.get_by_role("button", name="Toggle theme").click()
