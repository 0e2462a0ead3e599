"""Posing the start: by a joint, by a point of a link, by the object; what cannot be is told and nothing breaks."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from app.state import Session
from app.state.manipulation import Manipulation
from app.state.point_force import BodyPoint, end_of, frame_of
from app.state.posing import FELT, set_joint


def computed(session: Session, until: float) -> Session:
    while session.run.end < until and not session.run.complete:
        session.run.accept(session.run.compute())
    return session


def place(session: Session, body_point: BodyPoint) -> np.ndarray:
    frame = frame_of(session.solution(), body_point.body)
    return np.asarray(frame[:3, :3] @ body_point.place + frame[:3, 3])


def posing(preset: str) -> tuple[Session, Manipulation]:
    session = computed(Session(preset), 0.4)
    session.seek(0.3)
    manipulation = Manipulation(session)
    manipulation.mode = "pose"
    return session, manipulation


def test_whoever_poses_sees_the_start_standing_still() -> None:
    session, manipulation = posing("puma560")
    assert (session.playing, session.time) == (False, 0.0)
    assert manipulation.mode == "pose"


@pytest.mark.parametrize("preset", ["puma560", "iiwa14", "panda", "planar_chain", "free_flyer"])
def test_the_tip_follows_the_pointer(preset: str) -> None:
    session, manipulation = posing(preset)
    body_point, before = end_of(session.system, 0), session.setup
    start = place(session, body_point)
    manipulation.take(body_point, start)
    for step in range(1, 8):
        target = start + step * np.array([0.0, 0.01, 0.012])
        manipulation.move(target)
        manipulation.attend(step)
        assert place(session, body_point) == pytest.approx(target, abs=1e-4)
        assert session.aim.words == ""
    manipulation.let_go()
    assert session.aim is None
    assert session.message == ""
    assert not session.solution().state.qd.any()
    computed(session, 0.2)
    assert session.run.failure == ""
    session.undo()
    assert session.setup == before


def test_out_of_reach_it_comes_as_near_as_it_can_and_says_so() -> None:
    session, manipulation = posing("puma560")
    body_point = end_of(session.system, 0)
    target = np.array([3.0, 0.0, 1.0])
    manipulation.take(body_point, target)
    for _ in range(12):
        manipulation.move(target + 1e-9 * np.random.default_rng(0).normal(size=3))
        manipulation.attend(0)
    nearest = dyn.inverse_kinematics(session.system, session.solution().state, 0, target, attempts=20)
    miss = float(np.linalg.norm(place(session, body_point) - target))
    assert miss == pytest.approx(nearest.position_error, rel=0.02)
    assert session.aim.miss == pytest.approx(miss, abs=1e-6)
    assert "mm short" in session.aim.words


@pytest.mark.parametrize("preset", ["two_arms_and_box", "four_arms_and_box", "two_planar_arms", "point_contact"])
def test_a_held_object_takes_all_arms_along(preset: str) -> None:
    session, manipulation = posing(preset)
    system = session.system
    body_point = BodyPoint(system.n_links, np.array([0.02, 0.01, 0.0]))
    start = place(session, body_point)
    manipulation.take(body_point, start)
    for step in range(1, 5):
        manipulation.move(start + step * np.array([0.0, 0.005, 0.0 if "planar" in preset else 0.01]))
        manipulation.attend(step)
    target = start + 4 * np.array([0.0, 0.005, 0.0 if "planar" in preset else 0.01])
    assert place(session, body_point) == pytest.approx(target, abs=2e-4)
    assert session.is_held
    computed(session, 0.1)
    assert session.run.failure == ""


def test_a_joint_is_set_and_its_limit_is_told() -> None:
    session = computed(Session("puma560"), 0.3)
    session.seek(0.2)
    name = session.system.joint_names[3]
    assert set_joint(session, name, -0.4) == ""
    assert (session.playing, session.time) == (False, 0.0)
    assert session.solution().state.q[3] == pytest.approx(-0.4)
    limit = session.system.joint_models[3].upper
    assert "its limit" in set_joint(session, name, limit + 1.0)
    assert session.solution().state.q[3] == pytest.approx(limit, abs=FELT)


@pytest.mark.parametrize("preset", ["two_arms_and_box", "two_planar_arms"])
def test_a_joint_of_a_closed_chain_takes_the_others_along(preset: str) -> None:
    session = Session(preset)
    before = session.solution().state
    name = session.system.joint_names[1]
    assert set_joint(session, name, before.q[1] + 0.1) == ""
    after = session.solution().state
    assert after.q[1] == pytest.approx(before.q[1] + 0.1, abs=1e-4)
    assert np.abs(np.delete(after.q - before.q, 1)).max() > 1e-3
    computed(session, 0.1)
    assert session.run.failure == ""
    words = set_joint(session, name, before.q[1] + 2.5)
    assert name in words or session.solution().state.q[1] == pytest.approx(before.q[1] + 2.5, abs=FELT)


def test_playing_on_ends_the_posing() -> None:
    session, manipulation = posing("puma560")
    manipulation.take(end_of(session.system, 0), place(session, end_of(session.system, 0)))
    session.playing = True
    manipulation.attend(0)
    assert not manipulation.is_holding
