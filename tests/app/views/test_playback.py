"""The run on its way to the browser: which pictures it gets, in which order, and who moves the cursor."""

import json

import numpy as np
import pytest

from app.motion.interventions import ObjectRelease
from app.state import Session
from app.state.manipulation import Manipulation
from app.views import playback
from app.views.playback import INTERVAL
from app.views.scene_view import ALWAYS, SceneView
from scenes import Look
from tests.app.arrival import computed
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
        computed(self.session.run, end)

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


def test_the_browser_gets_every_instant_as_the_mechanics_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for preset in ("planar_chain", "two_arms_and_box", "free_flyer"):
        page = Page(preset, monkeypatch, 1.0)
        session = page.session
        session.layers = ["articulated_inertia", "trails", "corrected_contact_force"]
        page.play()
        found = page.instants()
        assert sorted(found) == list(range(round(1.0 / INTERVAL) + 1)), preset
        scene = page.view._scene
        assert scene is not None
        for index in (0, 1, 17, 50):
            time, poses = found[index]
            assert time == pytest.approx(index * INTERVAL)
            bodies = scene.transforms(session.run.solution_at(time), ALWAYS, Look())[page.view._meshes]
            seen = bodies.any(axis=1)
            np.testing.assert_array_equal(poses[seen], bodies[seen], preset)
            assert poses.any(axis=1).sum() > seen.sum()


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


def test_another_run_or_look_is_another_track(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("two_arms_and_box", monkeypatch, 0.5)
    page.play()
    session = page.session
    for change in (
        lambda: session.set_mass(session.mass * 2.0),
        lambda: session.param.update(layers=["acceleration"]),
        lambda: session.param.update(around="arm"),
        lambda: session.keep(),
        lambda: session.intervene(ObjectRelease(0.1)),
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
    assert (page.session.cursor.time, page.states[-1]["jump"]) == (pytest.approx(0.23), there["jump"])


def test_what_the_user_does_in_the_browser_is_confirmed_and_moves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page("planar_chain", monkeypatch, 1.0)
    page.play()
    jump = page.states[-1]["jump"]
    for act, playing in ((1, False), (2, True), (3, False)):
        page.say({"moment": 0.1 * act, "jump": jump, "held": False, "playing": playing, "act": act})
        page.view.draw()
        told = page.states[-1]
        assert ((told["playing"], told["act"], told["jump"]), page.session.playing) == ((playing, act, jump), playing)
        assert page.session.cursor.time == pytest.approx(0.1 * act)
    page.say({"moment": 0.3, "jump": jump, "held": False, "playing": True, "act": 2})  # said again, and overtaken
    assert not page.session.playing
