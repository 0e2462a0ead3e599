"""The browser plays: what it shows between two instants, in which picture, and what it asks of the server for that."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from playwright.sync_api import expect

from app.state import Session
from app.viewer import piece
from app.views.playback import INTERVAL
from app.views.scene_view import ALWAYS
from scenes import Look, Scene
from tests.browser.page import CANVAS, box_of, data, shown_time, stand_at, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
BUNDLE = Path(__file__).resolve().parents[2] / "app/viewer/bundle/viewer.bundle.js"
BETWEEN = """async ([source, pieces, kinds, interval, times]) => {
  const url = URL.createObjectURL(new Blob([source], {type: "text/javascript"}))
  const {Piece, Track} = await import(url)
  const track = new Track(1, interval)
  for (const text of pieces) {
    const piece = new Piece(Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer)
    if (!piece.fits(kinds.length)) throw new Error("it does not fit")
    track.take(piece)
  }
  return times.map(time => {
    if (!track.covers(time)) return null
    const {runs, transforms} = track.at(time, mesh => kinds[mesh])
    return [[...runs], [...transforms]]
  })
}"""


def shown_between(page: Page, preset: str, stride: int, times: list[float]) -> tuple[Any, list[Any], list[Any], Scene]:
    """What the browser's track makes of a run at some times, from instants a stride apart."""
    session = Session(preset)
    while session.run.end < 2.0:
        session.run.accept(session.run.compute())
    scene = Scene(session.loaded, session.run.solution_at(0.0))
    visible = (*ALWAYS, "articulated_inertia", "acceleration")
    indices = list(range(0, round(2.0 / INTERVAL) + 1, stride))
    made = [scene.transforms(session.run.solution_at(k * INTERVAL), visible, Look()) for k in indices]
    packed = piece(1, 1, 1, 0, stride, [k * INTERVAL for k in indices], np.stack(made))
    kinds = [mesh.kind for mesh in scene.meshes]
    page.evaluate("delete window.__THREE__")  # of a bundle before
    found = page.evaluate(
        BETWEEN,
        [BUNDLE.read_text("utf-8"), [base64.b64encode(packed).decode()], kinds, INTERVAL, times],
    )
    exact = [scene.transforms(session.run.solution_at(t), visible, Look()) for t in times]
    return found, exact, made, scene


def whole(found: Any, n_meshes: int) -> np.ndarray:
    runs, numbers = found
    out = np.zeros((n_meshes, 12))
    rows = np.array(numbers).reshape(-1, 12)
    where = np.concatenate([np.arange(a, b) for a, b in np.array(runs).reshape(-1, 2)])
    out[where] = rows
    return out


def test_between_two_instants_bodies_are_where_the_mechanics_has_them(new_page: Callable[..., Page]) -> None:
    page = new_page()
    times = [0.0, *np.random.default_rng(7).uniform(0.0, 2.0, 12).tolist(), 2.0]
    for preset in ("puma560", "two_arms_and_box", "free_flyer"):
        found, exact, made, scene = shown_between(page, preset, 1, times)
        far = 0.0
        for shown, true in zip(found, exact, strict=True):
            got = whole(shown, len(scene.meshes)).reshape(-1, 3, 4)
            want = true.reshape(-1, 3, 4)
            for k, mesh in enumerate(scene.meshes):
                if mesh.kind == "ellipsoid":
                    apart = np.abs(got[k] - want[k])[:, :3].max()
                    assert apart <= 2e-3 * np.abs(want[k][:, :3]).max(), (preset, mesh.name)
                elif mesh.kind in ("link", "object"):
                    far = max(far, float(np.abs(got[k] - want[k]).max()))
                    turn = got[k][:, :3]
                    np.testing.assert_allclose(turn @ turn.T, np.eye(3) * bool(turn.any()), atol=1e-6)
        assert far < 1e-3, preset
        np.testing.assert_array_equal(whole(found[0], len(scene.meshes)), made[0])
    # Few instants serve until all have come, and too few do not.
    found, exact, _, scene = shown_between(page, "puma560", 5, [0.63, 1.27])
    for shown, true in zip(found, exact, strict=True):
        assert np.abs(whole(shown, len(scene.meshes))[:6] - true[:6]).max() < 0.02
    found, *_ = shown_between(page, "puma560", 20, [0.0, 0.11])
    assert found[0] is not None
    assert found[1] is None


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
    assert len(page.evaluate("seen.at(-1)")) >= 4  # the view and two plots at least
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
    wait_until(page, lambda: all(readings.evaluate_all("all => all.map(one => one.title)")))
    assert shown_time(page) == pytest.approx(held, abs=0.021)
    titles = readings.evaluate_all("all => all.map(one => one.title.split(':')[0])")
    raw = [float(text.replace("−", "-") or "nan") for text in titles]
    np.testing.assert_allclose(numbers(), raw, rtol=1e-3, atol=1e-6)
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


COUNT_SENT = """canvas => {
  window.canvas = canvas
  window.sent = 0
  const send = WebSocket.prototype.send
  WebSocket.prototype.send = function (...args) { window.sent += 1; return send.apply(this, args) }
}"""
SCRUB = """(slider, times) => {
  const before = window.sent
  const shown = times.map(time => {
    slider.value = time
    slider.dispatchEvent(new Event("input"))
    return Number(window.canvas.dataset.moment)
  })
  return [shown, window.sent - before]
}"""


def test_a_scrub_asks_nothing_of_the_server_until_it_rests(open_page: Callable[..., Page]) -> None:
    page = stand_at(open_page("preset=planar_chain&t=0.500&play=0"), 0.5)
    page.locator(CANVAS).evaluate(COUNT_SENT)
    slider = page.get_by_role("slider", name="Time")
    times = [0.7, 1.3, 2.1, 1.9, 0.4, 3.2, 2.8]
    # what is around a moment that is rested at comes first: here all has come
    wait_until(page, lambda: slider.evaluate(SCRUB, [*times, 9.9])[0] == [*times, 9.9])
    shown, sent = slider.evaluate(SCRUB, times)
    assert shown == pytest.approx(times)  # in the same task of the browser
    assert sent == 0
    slider.evaluate("slider => slider.dispatchEvent(new Event('change'))")
    assert page.evaluate("sent") > 0
    wait_until(page, lambda: "t=2.800" in page.url)
    assert shown_time(page) == 2.8
    # Let go where it was taken hold of: the browser says no change, and the page shows the moment's own picture.
    page.keyboard.press("r")
    wait_until(page, lambda: shown_time(page) == 0.0)
    visible = data(page)["visible"]
    box = box_of(page.get_by_label("Time", exact=True))
    left, middle = box["x"] + 9, box["y"] + box["height"] / 2
    page.mouse.move(left, middle)
    page.mouse.down()
    page.mouse.move(left + 200, middle, steps=4)
    assert shown_time(page) > 1.0
    page.mouse.move(left, middle, steps=4)
    page.mouse.up()
    assert shown_time(page) == 0.0
    wait_until(page, lambda: data(page)["visible"] == visible)
    page.keyboard.press(" ")
    wait_until(page, lambda: shown_time(page) > 0.0)


ENDS = "Bokeh.documents.flatMap(one => [...one.all_models]).filter(one => one.type === 'Range1d').map(one => one.end)"


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
