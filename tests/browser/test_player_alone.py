"""The player by itself, before a stage that only notes what it is shown: acts of the user, other runs, gaps."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from app.viewer import piece
from app.views.playback import INTERVAL

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
BUNDLE = Path(__file__).resolve().parents[2] / "app/viewer/bundle/viewer.bundle.js"
ALONE = """async ([source, texts, script]) => {
  const {Piece, Player} = await import(URL.createObjectURL(new Blob([source], {type: "text/javascript"})))
  const shown = [], sent = []
  const stage = {
    version: 1, canvas: {dataset: {}}, actors: {meshes: [{userData: {kind: "link"}}]}, receive: () => {},
    show: frame => shown.push(frame.transforms[3]),
  }
  const player = new Player(stage, message => sent.push(message))
  player.wake = () => {} // nothing moves but by the test
  const pieces = texts.map(text => new Piece(Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer))
  let number = 0
  const follow = state => player.follow({
    number: number += 1, track: 1, interval: 0.02, jump: 0, time: 0, playing: true, speed: 1, known: 1, complete: true,
    duration: 1, live: false, report: 1, run: 0, act: 0, whole: false, ...state,
  })
  const found = await new Function("player", "follow", "pieces", "shown", "sent", `return (async () => {${script}})()`)(
    player, follow, pieces, shown, sent)
  player.dispose()
  return found
}"""


def packed(track: int, places: dict[int, float]) -> str:
    """One mesh that is at some x, m, at some instants of a track, which lie as far apart as the first two."""
    indices = list(places)
    poses = np.tile(np.eye(3, 4).ravel(), (len(places), 1, 1))
    poses[:, 0, 3] = list(places.values())
    stride = indices[1] - indices[0]
    made = piece(1, track, 1, indices[0], stride, [INTERVAL * k for k in indices], poses.astype(np.float32))
    return base64.b64encode(made).decode()


def alone(page: Page, script: str, *pieces: str) -> Any:
    return page.evaluate(ALONE, [BUNDLE.read_text("utf-8"), pieces, script])


ONE, TWO, THREE = (packed(track, dict.fromkeys(range(51), float(track))) for track in (1, 2, 3))


def test_the_motion_of_another_run_is_not_shown_by_pictures_of_the_last(page: Page) -> None:
    """Another look of the same run is: the old look until the new one has come."""
    script = """
      follow({}); player.take(pieces[0]); player.time = 0.5; player.draw()
      follow({track: 2, run: 1}); player.draw()
      const before = shown.length
      player.take(pieces[1]); player.draw()
      follow({track: 3, run: 1}); player.draw()
      player.take(pieces[2]); player.draw()
      return [before, shown]"""
    assert alone(page, script, ONE, TWO, THREE) == [1, [1, 2, 2, 3]]


def test_two_presses_within_a_round_trip_leave_the_picture_where_it_is(page: Page) -> None:
    """The server's answer to the first, and where it stood then, are overtaken by the second."""
    script = """
      follow({}); player.take(pieces[0]); player.time = 0.5
      player.toggle(); const paused = player.running
      player.toggle(); player.time = 0.6
      follow({playing: false, jump: 1, time: 0.4, act: 1})
      const between = [player.time, player.running]
      follow({playing: true, jump: 0, act: 2})
      return [paused, between, player.time, player.running, sent.filter(each => each.act).map(each => each.playing)]"""
    assert alone(page, script, ONE) == [False, [0.6, True], 0.6, True, [False, True]]


def test_where_the_server_has_moved_it_after_the_last_wish_it_goes(page: Page) -> None:
    script = """
      follow({}); player.time = 0.5; player.toggle()
      follow({playing: false, jump: 1, time: 0.2, act: 0})
      const before = player.time
      follow({playing: false, jump: 1, time: 0.2, act: 1})
      return [before, player.time, player.running]"""
    assert alone(page, script) == [0.5, 0.2, False]


def test_a_step_is_at_once(page: Page) -> None:
    places = {k: 0.01 * k for k in range(51)}
    script = """
      follow({}); player.take(pieces[0]); player.time = 0.5004
      player.step(1); player.step(-1); player.step(-1)
      return [shown, player.running, sent.at(-1)]"""
    shown, running, said = alone(page, script, packed(1, places))
    assert shown == pytest.approx([0.255, 0.25, 0.245], abs=1e-6)
    assert not running
    assert said == {"moment": pytest.approx(0.49), "jump": 0, "held": False, "playing": False, "act": 3}


def test_what_the_walk_draws_is_not_drawn_as_the_run_has_it_while_one_steps_or_scrubs(page: Page) -> None:
    """A body moves at once; the walk's mesh stays until the server has sent that of the new instant, and is gone
    while the scrubber is held."""
    poses = np.tile(np.eye(3, 4).ravel(), (51, 3, 1))
    poses[:, :, 3] = 0.01 * np.arange(51)[:, None] + np.array([0.0, 10.0, 20.0])
    made = piece(1, 1, 1, 0, 1, [INTERVAL * k for k in range(51)], poses.astype(np.float32))
    script = """
      const stage = player.stage, pictures = []
      stage.actors.meshes = [0, 1, 2].map(() => ({userData: {kind: "link"}}))
      stage.show = frame => {
        stage.frame = frame
        pictures.push([[...frame.runs], [...frame.transforms].filter((_, i) => i % 12 === 3)])
      }
      follow({playing: false, time: 0.5, ruled: [1, 2]}); player.take(pieces[0])
      stage.frame = {runs: [0, 2], transforms: Float32Array.from([...Array(24)].map((_, i) => i % 12 === 3 ? 77 : 0))}
      player.step(1)
      player.seek(0.6, true)
      follow({playing: true, act: 1})
      player.held = false
      player.draw()
      return pictures"""
    stepped, held, playing = alone(page, script, base64.b64encode(made).decode())
    assert stepped == [[0, 1, 1, 2, 2, 3], [pytest.approx(0.255), 77, pytest.approx(20.255)]]
    assert held == [[0, 1, 2, 3], [pytest.approx(0.3), pytest.approx(20.3)]]
    assert playing[1] == [pytest.approx(0.3), pytest.approx(10.3), pytest.approx(20.3)]


def test_what_is_wished_before_anything_is_known_is_done_then_and_said_until_it_is_heard(page: Page) -> None:
    script = """
      player.toggle(); follow({})
      const first = [player.running, sent.length]
      await new Promise(done => setTimeout(done, 1200))
      const again = sent.map(each => [each.playing, each.act])
      follow({playing: false, act: 1})
      await new Promise(done => setTimeout(done, 1200))
      return [first, again, sent.length]"""
    assert alone(page, script) == [[False, 1], [[False, 1], [False, 1]], 2]


def test_a_gap_without_a_solution_is_gone_over_when_all_that_there_is_has_come(page: Page) -> None:
    before, after = packed(1, dict.fromkeys(range(11), 1.0)), packed(1, dict.fromkeys(range(30, 41), 2.0))
    script = """
      follow({}); player.take(pieces[0]); player.take(pieces[1])
      player.time = 0.19; player.draw(); player.advance(0.1)
      const stuck = player.time
      follow({whole: true})
      for (let k = 0; k < 9; k += 1) { player.advance(0.1); player.draw() }
      return [stuck, player.time, shown]"""
    stuck, time, shown = alone(page, script, before, after)
    assert stuck == pytest.approx(0.19)
    assert shown == [1, 1, 1, 1, 1, 2, 2, 2, 2, 1]
    assert time == 0.0


def test_in_a_hidden_tab_nothing_moves_and_nothing_is_sent_and_it_goes_on_when_seen_again(page: Page) -> None:
    """A browser draws no pictures there, however long; headless ones hide no tab, so that its clock is played here."""
    script = """
      let now = 0, frames = []
      Object.defineProperty(performance, "now", {value: () => now})
      window.requestAnimationFrame = frame => frames.push(frame)
      const picture = () => { now += 33; for (const frame of frames.splice(0)) frame(now) }
      const see = seen => {
        Object.defineProperty(document, "hidden", {value: !seen, configurable: true})
        document.dispatchEvent(new Event("visibilitychange"))
      }
      delete player.wake
      follow({report: 0.1}); player.take(pieces[0])
      for (let k = 0; k < 10; k += 1) picture()
      see(false)
      const [time, count] = [player.time, sent.length]
      now += 600000
      const hidden = [player.time - time, sent.length - count, sent.at(-1).moment - time]
      see(true)
      picture(); const first = player.time - time
      picture(); picture()
      return [time, hidden, first, player.time - time]"""
    time, hidden, first, then = alone(page, script, ONE)
    assert time == pytest.approx(9 * 0.033)
    assert hidden == [0, 0, 0]
    assert 0.0 <= first <= 0.25 + 1e-9
    assert then == pytest.approx(first + 0.066)
