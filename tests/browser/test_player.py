"""The browser plays: what it shows between two instants, in which picture, and what it asks of the server for that."""

from __future__ import annotations

import base64
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from app.state import Session
from app.viewer import piece
from app.views.playback import INTERVAL
from app.views.scene_view import ALWAYS
from scenes import Look, Scene
from tests.browser.conftest import visit
from tests.browser.test_page import PATIENCE, shown_time, wait_until

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
WATCH = """() => {
  window.seen = []
  const find = root => { // through every shadow
    for (const one of root.querySelectorAll("*")) {
      if (one.matches("canvas[role=application]")) return one
      const inner = one.shadowRoot && find(one.shadowRoot)
      if (inner) return inner
    }
  }
  const canvas = find(document)
  const lines = () => Bokeh.documents.flatMap(one => [...one.all_models]).filter(model => model.name === "cursor")
  document.addEventListener("armsweep:moment", ({detail}) => queueMicrotask(() => window.seen.push(
    [detail.time, Number(canvas.dataset.moment), ...lines().map(line => line.location)])))
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


@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box", "free_flyer"])
def test_between_two_instants_bodies_are_where_the_mechanics_has_them(page: Page, preset: str) -> None:
    times = [0.0, *np.random.default_rng(7).uniform(0.0, 2.0, 12).tolist(), 2.0]
    found, exact, made, scene = shown_between(page, preset, 1, times)
    far = 0.0
    for shown, true in zip(found, exact, strict=True):
        got = whole(shown, len(scene.meshes)).reshape(-1, 3, 4)
        want = true.reshape(-1, 3, 4)
        for k, mesh in enumerate(scene.meshes):
            if mesh.kind == "ellipsoid":
                assert np.abs(got[k] - want[k])[:, :3].max() <= 2e-3 * np.abs(want[k][:, :3]).max(), mesh.name
            elif mesh.kind in ("link", "object"):
                far = max(far, float(np.abs(got[k] - want[k]).max()))
                turn = got[k][:, :3]
                np.testing.assert_allclose(turn @ turn.T, np.eye(3) * bool(turn.any()), atol=1e-6)
    assert far < 1e-3
    np.testing.assert_array_equal(whole(found[0], len(scene.meshes)), made[0])


def test_few_instants_serve_until_all_have_come_and_too_few_do_not(page: Page) -> None:
    found, exact, _, scene = shown_between(page, "puma560", 5, [0.63, 1.27])
    for shown, true in zip(found, exact, strict=True):
        assert np.abs(whole(shown, len(scene.meshes))[:6] - true[:6]).max() < 0.02
    found, *_ = shown_between(page, "puma560", 20, [0.0, 0.11])
    assert found[0] is not None
    assert found[1] is None


def test_scene_timeline_and_plots_move_in_the_same_picture(lead: Callable[[str], Page]) -> None:
    page = lead("")
    wait_until(page, lambda: shown_time(page) > 0.3)
    page.evaluate(WATCH)
    page.wait_for_timeout(1500)
    seen = page.evaluate("seen")
    assert len(seen) > 5
    for time, *elsewhere in seen[1:]:
        assert elsewhere == [time] * len(elsewhere)
    assert len(seen[-1]) >= 4  # the view and two plots at least


MARKS = """() => {
    const roots = [document]
    for (const root of roots)
        for (const node of root.querySelectorAll("*")) if (node.shadowRoot) roots.push(node.shadowRoot)
    const marks = roots.map(root => root.querySelector(".timeline .marks")).find(one => one)
    const track = marks.parentNode.getBoundingClientRect()
    return [...marks.children].map(one => {
        const {left, right} = one.getBoundingClientRect(), tick = getComputedStyle(one, "::before")
        const at = left + parseFloat(tick.left) - track.left
        return [one.textContent, left - track.left, right - track.left, track.width, at, one.ariaLabel ?? one.title]
    })
}"""


@pytest.mark.parametrize("width", [1280, 390])
def test_words_at_marks_stand_within_the_track_and_beside_each_other(lead: Callable[[str], Page], width: int) -> None:
    page = lead("preset=two_arms_and_box&drive=free&mass=120&t=0.5&play=0")
    page.set_viewport_size({"width": width, "height": 800})
    wait_until(page, lambda: len(page.evaluate(MARKS)) > 6)
    page.wait_for_timeout(500)
    marks = page.evaluate(MARKS)
    page.set_viewport_size({"width": 1280, "height": 800})
    said = [mark for mark in marks if mark[0]]
    assert 0 < len(said) < len(marks)
    assert all(mark[5] for mark in marks)
    edge = -1.0
    for _, left, right, whole, *_ in said:
        assert left >= edge
        assert right <= whole + 1.0
        edge = right
    ticks = [mark[4] for mark in marks]
    assert all(b > a - 0.5 for a, b in pairwise(ticks))  # each where its event is, wherever its words have gone


def test_a_run_that_has_come_costs_the_server_next_to_nothing(page: Page, serve: Callable[[str], str]) -> None:
    """What travels while it plays: no picture, no plot, no reading; how much that costs is for ``benchmarks``."""
    came: list[str | bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda payload: came.append(payload)))
    visit(page, f"{serve('app')}?preset=planar_chain&play=1")
    page.locator("canvas[role=application]").wait_for(timeout=60_000.0)
    page.get_by_role("tab", name="Show").click()

    def quiet() -> bool:
        before = len(came)
        page.wait_for_timeout(1500)
        return sum(len(part) for part in came[before:]) < 6_000

    wait_until(page, quiet, 60_000.0)
    first = shown_time(page)
    wait_until(page, lambda: shown_time(page) != first)


ENDS = "Bokeh.documents.flatMap(one => [...one.all_models]).filter(one => one.type === 'Range1d').map(one => one.end)"


def test_without_an_end_it_goes_on_and_the_timeline_goes_along(lead: Callable[[str], Page]) -> None:
    page = lead("preset=planar_chain&t=9.500&play=0&speed=2")
    wait_until(page, lambda: shown_time(page) == 9.5)
    slider = page.get_by_role("slider", name="Time")
    assert "of 10 s" in str(slider.get_attribute("aria-valuetext"))
    page.get_by_role("button", name="Without an end").click()
    wait_until(page, lambda: slider.get_attribute("max") == "60")
    wait_until(page, lambda: 60 in page.evaluate(ENDS))  # the plots show as much
    page.keyboard.press(" ")
    wait_until(page, lambda: shown_time(page) > 11.0)
    page.keyboard.press(" ")
    stopped = shown_time(page)
    slider.press("ArrowLeft")
    wait_until(page, lambda: shown_time(page) == pytest.approx(stopped - 0.01, abs=0.011))  # within what is kept
    assert "of ∞" in str(slider.get_attribute("aria-valuetext"))
    page.get_by_role("button", name="Without an end").click()
    wait_until(page, lambda: "of 10 s" in str(slider.get_attribute("aria-valuetext")))
    assert shown_time(page) <= 10.0


COUNT_SENT = """() => {
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


def test_a_scrub_asks_nothing_of_the_server_until_it_rests(lead: Callable[[str], Page]) -> None:
    page = lead("preset=planar_chain&t=0.500&play=0")
    wait_until(page, lambda: shown_time(page) == 0.5)
    page.evaluate(COUNT_SENT)
    page.locator("canvas[role=application]").evaluate("canvas => { window.canvas = canvas }")
    slider = page.get_by_role("slider", name="Time")
    times = [0.7, 1.3, 2.1, 1.9, 0.4, 3.2, 2.8]
    # what is around a moment that is rested at comes first: here all has come
    wait_until(page, lambda: slider.evaluate(SCRUB, [*times, 9.9])[0] == [*times, 9.9], 60_000.0)
    shown, sent = slider.evaluate(SCRUB, times)
    assert shown == pytest.approx(times)  # in the same task of the browser
    assert sent == 0
    slider.evaluate("slider => slider.dispatchEvent(new Event('change'))")
    assert page.evaluate("sent") > 0
    wait_until(page, lambda: "t=2.800" in page.url)
    assert shown_time(page) == 2.8


def test_numbers_at_the_cursor_are_those_of_the_moment_shown(lead: Callable[[str], Page]) -> None:
    """They run with the picture; at a pause the server says them, and they do not jump."""
    page = lead("")
    wait_until(page, lambda: shown_time(page) > 1.0)
    readings = page.locator("section.cell:visible dd")

    def numbers() -> list[float]:
        texts = [(text.split() or ["–"])[0] for text in readings.all_inner_texts()]
        return [np.nan if text == "–" else float(text.replace("−", "-")) for text in texts]

    wait_until(page, lambda: bool(np.isfinite(numbers()).all()), 60_000.0)  # the samples have come
    before = numbers()
    wait_until(page, lambda: numbers() != before)
    page.keyboard.press(" ")
    page.get_by_role("button", name="Play (space)").wait_for(timeout=PATIENCE)
    wait_until(page, lambda: all(readings.evaluate_all("all => all.map(one => one.title)")))
    paused = numbers()
    titles = readings.evaluate_all("all => all.map(one => one.title.split(':')[0])")
    raw = [float(text.replace("−", "-") or "nan") for text in titles]
    np.testing.assert_allclose(paused, raw, rtol=1e-3, atol=1e-6)
    page.keyboard.press(".")
    page.wait_for_timeout(500)
    page.keyboard.press(" ")
    page.wait_for_timeout(60)
    after = numbers()
    size = np.abs(paused).max()
    assert np.abs(np.array(after) - paused).max() < 0.5 * size


def test_a_scrubber_is_let_go_where_it_was_taken_hold_of(lead: Callable[[str], Page]) -> None:
    """No change is told of it by the browser; the page plays on all the same, and shows the moment's own picture."""
    page = lead("preset=puma560&t=0.000&play=0")
    canvas = page.locator("canvas[role=application]")
    wait_until(page, lambda: canvas.get_attribute("data-visible") is not None)
    visible = canvas.get_attribute("data-visible")
    box = page.get_by_label("Time", exact=True).bounding_box()
    assert box is not None
    left, middle = box["x"] + 9, box["y"] + box["height"] / 2
    page.mouse.move(left, middle)
    page.mouse.down()
    page.mouse.move(left + 200, middle, steps=4)
    assert shown_time(page) > 1.0
    page.mouse.move(left, middle, steps=4)
    page.mouse.up()
    assert shown_time(page) == 0.0
    wait_until(page, lambda: canvas.get_attribute("data-visible") == visible)
    page.keyboard.press(" ")
    wait_until(page, lambda: shown_time(page) > 0.0)


def test_a_pause_is_at_once_however_late_the_server_hears_of_it(lead: Callable[[str], Page]) -> None:
    page = lead("")
    wait_until(page, lambda: shown_time(page) > 1.0)
    page.evaluate("""() => {
      const send = WebSocket.prototype.send
      WebSocket.prototype.send = function(data) { setTimeout(() => send.call(this, data), 400) }
      window.mend = () => { WebSocket.prototype.send = send }
    }""")
    page.keyboard.press(" ")
    at = shown_time(page)
    page.wait_for_timeout(200)
    assert shown_time(page) == pytest.approx(at, abs=0.021)
    page.get_by_role("button", name="Play (space)").wait_for(timeout=PATIENCE)
    assert shown_time(page) == pytest.approx(at, abs=0.021)
    page.evaluate("setTimeout(window.mend, 1000)")
    page.wait_for_timeout(1100)
