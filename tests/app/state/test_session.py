"""What the controls do to a session, without a page."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import dynamics as dyn
from app.motion.presets import MODES, PRESETS, presets_of
from app.state import Session
from app.state.session import PATIENCE, RHYTHM, SERIES


@pytest.fixture
def carrying() -> Session:
    session = Session("two_arms_and_box")
    while session.run.end < 0.5:
        session.run.accept(session.run.compute())
    session.seek(0.4)
    return session


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_opens_and_moves(name: str) -> None:
    session = Session(name)
    assert session.message == ""
    assert session.mode == PRESETS[name].mode
    assert session.playing
    session.run.accept(session.run.compute())
    assert session.run.failure == ""
    start, later = session.run.solution_at(0.0), session.run.solution_at(session.run.end)
    assert np.abs(later.link_pose - start.link_pose).max() > 1e-5


def test_every_mode_has_presets() -> None:
    assert all(presets_of(mode) for mode in MODES)
    assert {preset.example for preset in PRESETS.values()} <= set(dyn.examples())


def test_a_torque_starts_another_run_from_the_beginning() -> None:
    session = Session("puma560")
    before, name = session.run, session.system.joint_names[2]
    session.cursor.time = 0.1
    session.set_torque(name, 5.0)
    assert session.run is not before
    assert session.torques[name] == 5.0
    assert session.cursor.time == 0.0


def test_while_paused_a_slider_leaves_the_cursor_where_it_is() -> None:
    session = Session("puma560")
    session.run.accept(session.run.compute())
    session.param.update(playing=False)
    session.seek(0.2)
    session.set_torque(session.system.joint_names[0], 5.0)
    assert session.cursor.time == 0.2


@pytest.mark.parametrize("name", ["puma560", "two_arms_and_box", "free_flyer"])
def test_a_mass_changes_that_body_alone(name: str) -> None:
    session = Session(name)
    before = session.system
    session.set_mass(2.0 * session.mass)
    after = session.system
    assert session.message == ""
    assert after.gravity == pytest.approx(before.gravity)
    masses = [link.mass for link in before.link_models]
    if before.task_object is None:
        masses[0] *= 2.0
    else:
        assert after.task_object is not None
        assert after.task_object.mass == pytest.approx(2.0 * before.task_object.mass)
    assert [link.mass for link in after.link_models] == pytest.approx(masses)


def test_release_and_grasp(carrying: Session) -> None:
    assert carrying.is_held
    carrying.release()
    assert carrying.message == ""
    assert not carrying.is_held
    carrying.seek(0.3)
    assert carrying.is_held
    carrying.run.accept(carrying.run.compute())
    carrying.seek(0.5)
    assert not carrying.is_held
    carrying.grasp()
    assert carrying.message == ""
    assert carrying.is_held


def test_release_drops_the_object(carrying: Session) -> None:
    carrying.release()
    while not carrying.run.complete and carrying.run.end < 0.8:
        carrying.run.accept(carrying.run.compute())
    there = carrying.run.solution_at(0.4).state.object_pose
    later = carrying.run.solution_at(0.6).state.object_pose
    assert there is not None
    assert later is not None
    assert later[2, 3] < there[2, 3] - 0.05


def test_reset_brings_back_what_was_loaded() -> None:
    session = Session("puma560")
    mass = session.mass
    session.set_mass(3.0 * mass)
    session.set_torque(session.system.joint_names[0], 1.0)
    session.reset()
    assert session.mass == mass
    assert set(session.torques.values()) == {0.0}
    assert session.cursor.time == 0.0
    assert session.playing
    session.playing = False
    session.reset()  # of a motion that stands still: its start, to be looked at
    assert not session.playing
    session.undo()


def test_what_was_paused_stays_paused_in_the_next_machine() -> None:
    session = Session("puma560")
    assert session.playing  # the first opening plays
    session.open_preset("planar_chain")
    assert session.playing
    session.seek(0.4)
    session.playing = False
    for change in (
        lambda: session.open_preset("panda"),
        lambda: session.open_preset("two_arms_and_box"),
        session.undo,
        session.redo,
    ):
        change()
        assert (session.playing, session.time) == (False, 0.0)
    session.playing = True
    session.open_mode("Single arm")
    assert session.playing


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"not a robot",
        b"<robot name='r'><link name='a'/></robot>",
        b"<!DOCTYPE r [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><robot name='r'>&e;</robot>",
        b"\xff\xfe\x00\x00",
    ],
)
def test_a_bad_file_says_so_and_changes_nothing(text: bytes, open_file: Callable[..., None]) -> None:
    session = Session("puma560")
    system, run, playing = session.system, session.run, session.playing
    open_file(session, text, "bad.urdf")
    assert session.message
    assert (session.system, session.run, session.playing) == (system, run, playing)


def test_a_good_file_opens(open_file: Callable[..., None]) -> None:
    session = Session("puma560")
    inertial = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
    text = (
        f"<robot name='r'><link name='base'/><link name='arm'>{inertial}</link>"
        "<joint name='turn' type='continuous'><parent link='base'/>"
        "<child link='arm'/><axis xyz='0 1 0'/></joint></robot>"
    )
    open_file(session, text.encode(), "mine.urdf")
    assert session.message == ""
    assert session.system.joint_names == ("turn",)
    assert session.title == "mine.urdf"


def test_the_cursor_keeps_to_the_timeline() -> None:
    session = Session("puma560")
    session.seek(-1.0)
    assert session.cursor.time == 0.0
    session.seek(1e9)
    assert session.cursor.time == session.run.duration
    session.step(-1)
    assert not session.playing


@pytest.mark.parametrize("pauses", [(0.05, 0.05, 0.05), (0.8, 0.8, 0.8), (1.5, 0.4, 0.9), (2.5, 2.5)])
def test_who_changes_it_again_and_again_is_not_overtaken_by_what_follows(
    monkeypatch: pytest.MonkeyPatch, pauses: tuple[float, ...]
) -> None:
    """Within a series of changes it waits longer than their longest pause; else, and after it, hardly at all."""
    now = [100.0]
    monkeypatch.setattr("app.state.session.time.monotonic", lambda: now[0])
    session = Session("puma560")
    session.playing = False
    joint = session.system.joint_names[0]
    for turn, pause in enumerate((9.0, *pauses)):
        now[0] += pause
        session.set_torque(joint, 1.0 + turn)
    longest = max((pause for pause in pauses if pause < SERIES), default=0.0)
    now[0] += max(longest, PATIENCE / 2)
    assert session.is_restless
    now[0] += max(RHYTHM * longest, PATIENCE) - max(longest, PATIENCE / 2) + 0.01
    assert not session.is_restless
    assert not session.is_asked
    session.set_torque(joint, 0.5)
    session.playing = True
    assert not session.is_restless
