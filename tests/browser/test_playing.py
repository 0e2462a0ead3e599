"""The browser plays: scene, timeline, plots and numbers move as one, and a run goes on without an end."""

import re
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.moment import shown_time, stand_at, wait_until
from tests.browser.picture import CANVAS

WATCH = """canvas => {
  window.seen = []
  const lines = () => Bokeh.documents.flatMap(one => [...one.all_models]).filter(model => model.name === "cursor")
  document.addEventListener("armsweep:moment", ({detail}) => queueMicrotask(() => window.seen.push(
    [detail.time, Number(canvas.dataset.moment), ...lines().map(line => line.location)])))
}"""
LATE = """() => {
  const send = WebSocket.prototype.send
  let open
  const gate = new Promise(done => { open = done })
  WebSocket.prototype.send = function (data) { gate.then(() => send.call(this, data)) }
  window.mend = () => { WebSocket.prototype.send = send; open() }
}"""
"""From now on what the page says to its server waits until it is mended."""


def test_scene_timeline_plots_and_numbers_move_and_stop_as_one(open_page: Callable[..., Page]) -> None:
    page = open_page("preset=puma560&play=1")
    wait_until(page, lambda: shown_time(page) > 0.3)
    page.locator(CANVAS).evaluate(WATCH)
    wait_until(page, lambda: len(page.evaluate("seen")) > 6)
    for time, *elsewhere in page.evaluate("seen")[1:]:
        assert elsewhere == [time] * len(elsewhere)
    assert len(page.evaluate("seen.at(-1)")) == 3  # the view, and one line for all plots
    readings = page.locator("section.cell:visible dd")

    def numbers() -> np.ndarray:
        texts = [(text.split() or ["–"])[0] for text in readings.all_inner_texts()]
        return np.array([np.nan if text == "–" else float(text.replace("−", "-")) for text in texts])

    wait_until(page, lambda: bool(np.isfinite(numbers()).all()))  # the samples have come
    before = numbers()
    wait_until(page, lambda: not np.array_equal(numbers(), before))
    # A pause is at once, though the server hears of it later; then it says the same numbers.
    page.evaluate(LATE)
    page.keyboard.press(" ")
    held = shown_time(page)
    page.evaluate("count => { window.count = seen.length }")
    page.evaluate("() => new Promise(done => setTimeout(done, 300))")
    assert shown_time(page) == pytest.approx(held, abs=0.021)
    page.evaluate("mend()")
    page.get_by_role("button", name="Play (space)").wait_for()

    def raw() -> np.ndarray:
        titles = readings.evaluate_all("all => all.map(one => one.title.split(':')[0])")
        return np.array([float(text.replace("−", "-") or "nan") for text in titles])

    def agree() -> bool:
        shown, whole = numbers(), raw()
        return shown.shape == whole.shape and np.allclose(shown, whole, rtol=1e-3, atol=1e-6)

    wait_until(page, agree)
    assert shown_time(page) == pytest.approx(held, abs=0.021)
    # Steps, and the start again.
    held = shown_time(page)
    for _ in range(10):
        page.keyboard.press(".")
    wait_until(page, lambda: shown_time(page) == pytest.approx(held + 0.1, abs=0.011))
    for _ in range(20):
        page.keyboard.press(",")
    wait_until(page, lambda: shown_time(page) == pytest.approx(held - 0.1, abs=0.011))
    page.keyboard.press("r")  # what stood still stands still
    wait_until(page, lambda: shown_time(page) == 0.0)
    heard = page.locator(".drawing > [aria-live=polite]")
    wait_until(page, lambda: heard.text_content() == "Reset.")
    page.get_by_role("button", name="Play (space)").wait_for()


ENDS = "Bokeh.documents.flatMap(one => [...one.all_models]).filter(one => one.type === 'Range1d').map(one => one.end)"


@pytest.mark.full
def test_a_run_goes_on_without_an_end_and_one_that_has_come_costs_the_server_little(
    new_page: Callable[..., Page], serve: Callable[[str], str]
) -> None:
    """What travels while it plays: no picture, no plot, no reading."""
    came: list[str | bytes] = []
    page = new_page()
    page.on("websocket", lambda socket: socket.on("framereceived", lambda payload: came.append(payload)))
    page.goto(f"{serve('app')}?preset=planar_chain&t=9.500&play=0&speed=2")
    page.locator("#opening").wait_for(state="detached")
    stand_at(page, 9.5)
    slider = page.get_by_role("slider", name="Time")
    expect(slider).to_have_attribute("aria-valuetext", re.compile("of 10 s"))
    page.get_by_role("button", name="Without an end").click()
    wait_until(page, lambda: slider.get_attribute("max") == "60")
    wait_until(page, lambda: 60 in page.evaluate(ENDS))  # the plots show as much
    page.keyboard.press(" ")
    wait_until(page, lambda: shown_time(page) > 11.0)
    page.keyboard.press(" ")
    page.get_by_role("button", name="Play (space)").wait_for()
    stopped = shown_time(page)
    slider.press("ArrowLeft")
    wait_until(page, lambda: shown_time(page) == pytest.approx(stopped - 0.01, abs=0.011))  # within what is kept
    expect(slider).to_have_attribute("aria-valuetext", re.compile("of ∞"))
    page.get_by_role("button", name="Without an end").click()
    expect(slider).to_have_attribute("aria-valuetext", re.compile("of 10 s"))
    assert shown_time(page) <= 10.0
    page.keyboard.press(" ")

    def is_quiet() -> bool:
        before, start = len(came), shown_time(page)
        wait_until(page, lambda: abs(shown_time(page) - start) > 1.0)
        return sum(len(part) for part in came[before:]) < 6_000

    wait_until(page, is_quiet)
