"""The run on its way to the browser: what it gets and in which order, and who moves the cursor."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest

import dynamics as dyn
from app.motion.interventions import Released
from app.state import Session
from app.state.address import query_of
from app.state.manipulation import Manipulation
from app.viewer import Receipt, Report
from app.views import playback
from app.views.playback import COARSE, INTERVAL
from app.views.scene_view import ALWAYS, SceneView
from scenes import Look
from tests.app.viewer.test_viewer import instants_of


class Page:
    """A scene view whose browser is this test."""

    def __init__(self, preset: str, monkeypatch: pytest.MonkeyPatch, end: float = np.inf) -> None:
        monkeypatch.setattr(playback, "BUDGET", 0.0)  # one instant a tick
        self.session = Session(preset)
        self.followed = True
        self.view = SceneView(self.session, Manipulation(self.session), lambda: self.followed)
        self.inner = self.view._view
        self.states: list[dict[str, object]] = []
        self.pieces: list[bytes] = []
        self.frames = 0
        self.begun_after: object = None
        monkeypatch.setattr(self.inner, "_send_msg", self._take)
        self.compute(end)
        self.view.draw()
        self.pieces = [part.tobytes() for part in self.inner.scene["pieces"]]
        self.states = [self.inner.scene["play"], *self.states]
        self.scene = self.inner.scene
        self.inner.webgl = True
        self.acknowledge()
        self.say("ready")  # it has the scene, and what came with it

    def compute(self, end: float) -> None:
        run = self.session.run
        while run.end < end and not run.complete:
            run.accept(run.compute())

    def _take(self, message: object) -> None:
        if isinstance(message, dict) and "begun" in message:
            self.begun_after = self.states[-1]["number"]
        elif isinstance(message, dict):
            self.states += [message["play"]] if "play" in message else []
        elif isinstance(message, bytes) and message[:4] == b"\xff\xff\xff\xff":
            self.pieces.append(message)
        else:
            self.frames += 1

    def take_scene(self) -> None:
        """What comes with another scene."""
        if self.inner.scene is not self.scene:
            self.scene = self.inner.scene
            self.pieces += [part.tobytes() for part in self.scene["pieces"]]
            self.states = sorted([*self.states, self.scene["play"]], key=lambda state: state["number"])

    def say(self, message: object) -> None:
        self.inner._handle_msg(message)

    def acknowledge(self) -> None:
        for part in self.pieces:
            _, _, track, number, *_ = np.frombuffer(part, np.uint32, 8)
            self.say({"taken": int(track), "number": int(number)})

    def play(self) -> None:
        """Until the browser has everything."""
        for _ in range(1000):
            self.view.draw()
            self.take_scene()
            self.acknowledge()
            if self.view.is_settled():
                return
        raise AssertionError("it does not come to an end")

    def report(self, moment: float, jump: int | None = None, held: bool = False) -> None:
        self.say({"moment": moment, "jump": self.states[-1]["jump"] if jump is None else jump, "held": held})

    def instants(self) -> dict[int, tuple[float, np.ndarray]]:
        """What the browser has of the track that is on, by index; no instant came twice."""
        found: dict[int, tuple[float, np.ndarray]] = {}
        for part in self.pieces:
            if tuple(np.frombuffer(part, np.uint32, 3)[1:]) == (self.inner.version, self.states[-1]["track"]):
                head, times, poses = instants_of(part, len(json.loads(self.inner.scene["meshes"])))
                for k in range(len(times)):
                    index = head[4] + k * head[5]
                    assert index not in found
                    found[index] = (times[k], poses[k])
        return found


@pytest.mark.parametrize("preset", ["planar_chain", "two_arms_and_box", "free_flyer"])
def test_the_browser_gets_every_instant_as_the_mechanics_has_it(preset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(preset, monkeypatch, 1.0)
    session = page.session
    session.layers = ["articulated_inertia", "trails", "corrected_contact_force"]
    page.play()
    found = page.instants()
    assert sorted(found) == list(range(round(1.0 / INTERVAL) + 1))
    scene = page.view._scene
    assert scene is not None
    for index in (0, 1, 17, 50):
        time, poses = found[index]
        assert time == pytest.approx(index * INTERVAL)
        solution = session.run.solution_at(time)
        bodies = scene.transforms(solution, ALWAYS, Look())[page.view._meshes]
        np.testing.assert_array_equal(poses[bodies.any(axis=1)], bodies[bodies.any(axis=1)])
        assert poses.any(axis=1).sum() > bodies.any(axis=1).sum()


def test_the_last_instant_is_the_runs_own_end(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("planar_chain", monkeypatch)
    run = page.session.run
    end = run.end - 0.003
    monkeypatch.setattr(run, "end", end)
    monkeypatch.setattr(run, "failure", "a joint broke")
    page.play()
    last = max(page.instants())
    assert page.instants()[last][0] == pytest.approx(end)
    assert page.states[-1]["complete"]


def test_first_comes_what_is_near_the_cursor_and_first_a_few_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("planar_chain", monkeypatch, 3.0)
    page.pieces.clear()
    page.session.playing = False
    page.session.seek(2.0)
    page.session.layers = []  # another look: nothing of it is there
    page.play()
    order = [
        head[4:7]
        for head in (instants_of(part, len(json.loads(page.inner.scene["meshes"])))[0] for part in page.pieces)
    ]
    here = round(2.0 / INTERVAL)
    assert order[0][:2] == [here, COARSE]
    fine = [first for first, stride, _ in order if stride == 1]
    assert fine[0] == here + 1
    assert min(fine) == 0  # what is past comes last
    assert fine.index(min(fine)) > 0


def test_a_report_moves_the_cursor_and_a_stale_one_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("planar_chain", monkeypatch, 2.0)
    page.play()
    session, before = page.session, len(page.states)
    assert session.has_player
    page.report(0.5)
    assert session.cursor.time == 0.5
    page.view.draw()
    assert len(page.states) == before  # what the browser knows is not told
    session.seek(1.5)
    page.report(0.6)  # on its way before the browser heard of that
    assert session.cursor.time == 1.5
    page.view.draw()
    assert (page.states[-1]["jump"], page.states[-1]["time"]) == (page.states[-2]["jump"] + 1, 1.5)
    page.report(0.7, jump=page.states[-2]["jump"])
    assert session.cursor.time == 1.5
    page.report(99.0)
    assert session.cursor.time == session.run.duration


def test_a_scrubber_that_is_held_is_told_and_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("planar_chain", monkeypatch, 2.0)
    page.report(0.8, held=True)
    assert page.session.scrubbing
    page.report(0.9)
    assert not page.session.scrubbing
    assert page.session.cursor.time == 0.9


def test_a_scrubber_that_rested_is_let_go_at_the_moments_own_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """The browser draws its own over it, which has not the filter's step."""
    page = Page("planar_chain", monkeypatch, 2.0)
    page.session.playing = False
    page.play()
    for held in (True, False):
        frames = page.frames
        page.report(0.8, held=held)
        page.view.draw()
        page.view.draw()
        assert page.frames == frames + 1


def test_a_run_begins_anew_however_far_the_browser_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("planar_chain", monkeypatch, 0.5)
    session = page.session
    for value in (1.0, 2.0, 3.0):  # a slider on its way, faster than the browser reports
        before = page.states[-1]
        session.set_mass(value)
        page.view.draw()
        assert (page.states[-1]["jump"], page.states[-1]["time"]) == (before["jump"] + 1, 0.0)


def test_a_scene_that_is_drawn_anew_goes_on_where_the_browser_is(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("planar_chain", monkeypatch, 1.0)
    page.view.draw()
    page.report(0.3)
    page.view.paint("dark")
    page.view.draw()
    page.scene = page.inner.scene
    page.states.append(page.scene["play"])
    before = page.states[-1]["jump"]
    page.report(0.5)
    page.pieces.clear()  # lost: of a scene that it had not drawn
    page.say("redrawn")
    page.play()
    assert (page.states[-1]["jump"], page.session.cursor.time) == (before, 0.5)
    assert sorted(page.instants()) == list(range(round(1.0 / INTERVAL) + 1))


def test_at_a_pause_the_server_says_where_and_sends_that_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("planar_chain", monkeypatch, 2.0)
    page.play()
    frames = page.frames
    for moment in (0.3, 0.6):
        page.report(moment)
        page.view.draw()
    assert page.frames == frames  # while the browser plays it needs no pictures
    page.session.playing = False
    page.view.draw()
    assert page.frames == frames + 1
    assert (page.states[-1]["playing"], page.states[-1]["time"]) == (False, 0.6)
    assert page.states[-1]["jump"] == page.states[-2]["jump"] + 1


def test_another_run_or_look_is_another_track(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("two_arms_and_box", monkeypatch, 0.5)
    page.play()
    session = page.session
    for change in (
        lambda: session.set_mass(session.mass * 2.0),
        lambda: session.param.update(layers=["acceleration"]),
        lambda: session.param.update(around="arm"),
        lambda: session.keep(),
        lambda: session.intervene(Released(0.1)),
        lambda: session.open_preset("planar_chain"),
    ):
        before = page.states[-1]["track"]
        change()
        page.compute(0.5)
        page.play()
        assert page.states[-1]["track"] > before
        assert sorted(page.instants()) == list(range(int(session.run.end / INTERVAL + 1e-6) + 1))
    session.layers = ["articulated_inertia"]
    page.play()
    before = page.states[-1]["track"]
    session.select_link(1)
    session.seek(0.2)
    for stage in ("smoother", "filter"):
        session.select_stage(stage)
        page.play()
    assert page.states[-1]["track"] == before  # where the cursor is changes no picture of the run
    session.layers = ["acceleration"]  # which several stages compute
    page.play()
    before = page.states[-1]["track"]
    session.select_stage("smoother")
    page.play()
    assert page.states[-1]["track"] > before


def test_what_nobody_acknowledged_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("planar_chain", monkeypatch, 1.0)
    page.view.draw()
    assert not page.view.is_settled()
    page.pieces.clear()
    page.say("ready")  # a browser that has only the scene
    page.play()
    scene = [part.tobytes() for part in page.inner.scene["pieces"]]
    page.pieces += scene
    assert sorted(page.instants()) == list(range(round(1.0 / INTERVAL) + 1))


def test_not_more_is_on_its_way_than_a_slow_line_bears(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playback, "IN_FLIGHT", 20_000)
    page = Page("two_arms_and_box", monkeypatch, 2.0)
    before = len(page.pieces)
    for _ in range(100):
        page.view.draw()
    assert 20_000 <= sum(map(len, page.pieces[before:])) < 20_000 + playback.MOST * 48 * 40
    page.play()
    assert sorted(page.instants()) == list(range(round(2.0 / INTERVAL) + 1))


def test_without_webgl_and_under_the_users_hand_the_server_leads(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("planar_chain", monkeypatch, 1.0)
    session = page.session
    page.play()
    session.point_force = object()
    monkeypatch.setattr(page.view, "_say", lambda: None)
    session.layers = []
    frames = page.frames
    for moment in (0.1, 0.2):
        session.cursor.time = moment
        page.view.draw()
        assert (page.states[-1]["live"], page.states[-1]["time"], session.has_player) == (True, moment, False)
    assert page.frames == frames + 2
    page.report(0.9)
    assert session.cursor.time == 0.2
    session.point_force = None
    page.view.draw()
    assert (page.states[-1]["live"], page.states[-1]["time"], session.has_player) == (False, 0.2, True)
    page.inner.webgl = False
    page.view.draw()
    assert not session.has_player
    page.report(0.7, held=True)  # the timeline is the user's all the same
    assert (session.cursor.time, session.scrubbing) == (0.7, True)


def test_reports_are_rare_where_nothing_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("planar_chain", monkeypatch, 1.0)
    page.view.draw()
    often = page.states[-1]["report"]
    page.followed = False
    page.view.draw()
    assert page.states[-1]["report"] > often


def test_scales_hold_for_the_whole_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each instant is drawn to the scale that is stated at the end; the run's largest arrow or ellipsoid fits."""
    page = Page("puma560_falling", monkeypatch, 3.0)
    session = page.session
    session.layers = ["acceleration", "articulated_inertia"]
    page.play()
    page.play()
    scene = page.view._scene
    assert scene is not None
    values = scene.scales.values
    for index in (0, 40, 120):
        time, poses = page.instants()[index]
        solution = session.run.solution_at(time)
        again = page.view._transforms(solution, time, tuple(session.layers))[page.view._meshes]
        np.testing.assert_array_equal(poses, again)
    assert scene.scales.values == values


def test_messages_of_another_kind_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("planar_chain", monkeypatch, 1.0)
    page.play()
    before = page.session.cursor.time
    for told in (Receipt(10**9, 3), Receipt(1, 10**9), Report(-5.0, page.states[-1]["jump"], False)):
        page.view._playback._hear(told)
    assert page.session.cursor.time == before == 0.0


def test_what_held_the_place_goes_when_no_jump_is_on_its_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that has just drawn is told where to be; only then may another clock hand its time over to it."""
    page = Page("planar_chain", monkeypatch, 1.0)
    page.view.draw()
    page.say("ready")  # drawn once more, as after a lost connection
    before = page.states[-1]["jump"]
    page.view.begin()
    assert page.begun_after is None
    page.view.draw()
    assert page.states[-1]["jump"] == before + 1
    assert page.begun_after == page.states[-1]["number"]
    page.say({"moment": 0.7, "jump": page.states[-1]["jump"], "held": False})
    assert page.session.cursor.time == pytest.approx(0.7)


def test_a_page_without_webgl_begins_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("planar_chain", monkeypatch, 1.0)
    page.say("ready")
    page.inner.webgl = False
    page.view.begin()
    page.view.draw()
    assert page.begun_after is not None


def test_a_stop_before_the_server_has_said_where_it_stands_is_not_overtaken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the browser plays, the server's own clock has gone on; what is seen to be stopped stays where it is."""
    page = Page("planar_chain", monkeypatch, 1.5)  # drawn, before the server has looked again
    page.session.playing, page.session.cursor.time = True, 0.9
    page.view.begin()
    assert page.begun_after is None
    page.view.draw()
    there = page.states[-1]
    assert page.begun_after == there["number"]
    page.say({"moment": 0.23, "jump": there["jump"], "held": False})
    page.say({"moment": 0.23, "jump": there["jump"], "held": False, "playing": False, "act": 1})
    page.view.draw()
    assert not page.session.playing
    assert page.session.cursor.time == pytest.approx(0.23)
    assert page.states[-1]["jump"] == there["jump"]


def test_pictures_that_fail_are_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("planar_chain", monkeypatch, 1.0)
    exact = page.session.run.solutions_at

    def fail(times: Sequence[float]) -> list[dyn.Solution | None]:
        raise RuntimeError("not foreseen")

    monkeypatch.setattr(page.session.run, "solutions_at", fail)
    with pytest.raises(RuntimeError):
        page.view.draw()
    monkeypatch.setattr(page.session.run, "solutions_at", exact)
    page.play()
    assert sorted(page.instants()) == list(range(round(1.0 / INTERVAL) + 1))


def test_a_moment_without_a_solution_leaves_a_gap_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("planar_chain", monkeypatch, 1.0)
    exact = page.session.run.solutions_at

    def with_a_gap(times: Sequence[float]) -> list[dyn.Solution | None]:
        found = exact(times)
        return [None if abs(time - 0.6) < 1e-9 else one for time, one in zip(times, found, strict=True)]

    monkeypatch.setattr(page.session.run, "solutions_at", with_a_gap)
    page.play()
    assert sorted(page.instants()) == [k for k in range(round(1.0 / INTERVAL) + 1) if k != round(0.6 / INTERVAL)]
    assert page.view._scene is not None
    assert page.view._scene.scales.grows


def test_what_the_user_does_in_the_browser_is_confirmed_and_moves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("planar_chain", monkeypatch, 1.0)
    page.play()
    jump = page.states[-1]["jump"]
    for act, playing in ((1, False), (2, True), (3, False)):
        page.say({"moment": 0.1 * act, "jump": jump, "held": False, "playing": playing, "act": act})
        page.view.draw()
        told = page.states[-1]
        assert (told["playing"], told["act"], told["jump"]) == (playing, act, jump)
        assert page.session.playing == playing
        assert page.session.cursor.time == pytest.approx(0.1 * act)
    page.say({"moment": 0.3, "jump": jump, "held": False, "playing": True, "act": 2})  # said again, and overtaken
    assert not page.session.playing


def test_a_wish_counts_also_where_the_server_has_moved_the_cursor_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("planar_chain", monkeypatch, 1.0)
    page.play()
    page.session.seek(0.7)
    page.view.draw()
    page.say({"moment": 0.2, "jump": page.states[0]["jump"], "held": False, "playing": False, "act": 1})
    page.view.draw()
    told = page.states[-1]
    assert (told["playing"], told["act"], told["time"]) == (False, 1, pytest.approx(0.7))


def test_another_run_has_another_number_and_another_look_has_not(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("planar_chain", monkeypatch, 1.0)
    page.play()
    before = page.states[-1]
    page.session.layers = []
    page.view.draw()
    look = page.states[-1]
    assert (look["track"] != before["track"], look["run"]) == (True, before["run"])
    page.session.set_torque(page.session.system.joint_names[0], 1.0)
    page.view.draw()
    assert page.states[-1]["run"] != look["run"]


def test_it_is_told_when_it_has_all_that_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("planar_chain", monkeypatch)
    assert not page.states[-1]["whole"]
    page.play()
    page.view.draw()
    assert page.states[-1]["whole"]
    page.session.layers = []
    page.view.draw()
    assert not page.states[-1]["whole"]


def test_a_wish_while_another_machine_opens_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """What opens plays; who has pressed Space meanwhile wants it to stand still."""
    page = Page("planar_chain", monkeypatch, 1.0)
    page.play()
    page.say({"moment": 0.2, "jump": page.states[-1]["jump"], "held": False, "playing": False, "act": 1})
    assert page.session.playing  # a page that is not loaded yet would not show it
    assert query_of(page.session)["play"] == "0"  # but a moment that is kept now is what the user sees
    page.session.open_preset("puma560")
    page.compute(0.1)
    page.view.draw()
    told = page.inner.scene["play"]
    assert (page.session.playing, told["playing"], told["act"]) == (False, False, 1)
    page.session.playing = True
    assert query_of(page.session)["play"] == "1"


def test_the_browser_is_told_which_meshes_the_walk_draws_while_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("puma560", monkeypatch, end=0.5)
    session = page.session
    assert page.states[-1]["ruled"] == ()
    session.playing = False
    session.walk_half(1)
    page.view.draw()
    edges = page.states[-1]["ruled"]
    assert isinstance(edges, tuple)
    ruled = {k for first, end in zip(edges[::2], edges[1::2], strict=True) for k in range(first, end)}
    layers = [json.loads(page.scene["meshes"])[k]["name"] for k in sorted(ruled)]
    assert any("articulated inertia" in name for name in layers)
    assert any("acceleration" in name for name in layers)
    assert not any(name.startswith(("link", "base", "trail")) for name in layers)
    assert not any("velocity" in name for name in layers)
    session.playing = True
    page.view.draw()
    assert page.states[-1]["ruled"] == ()
