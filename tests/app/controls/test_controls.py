"""The page's controls follow the session, move it once, and give a slow browser's echo no hearing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import panel as pn
import param
import pytest

from app.controls.bodies import Bodies
from app.controls.change import Change
from app.controls.chooser import Chooser
from app.controls.pose_switch import PoseSwitch
from app.controls.posture import Posture
from app.controls.push import Push
from app.controls.sliders import STRONGEST, Sliders
from app.controls.transport import SPEEDS, Transport
from app.motion.presets import presets_of
from app.state import Session
from app.state.manipulation import Manipulation
from app.views.show import Show
from app.views.status import Status


@pytest.fixture(autouse=True)
def endless_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a first compilation takes."""
    monkeypatch.setattr("app.binding.PATIENCE", 1e9)


def sliders(session: Session) -> tuple[param.Parameterized, str, Callable[[Any], None], list[Any]]:
    view = Sliders(session)
    joint = session.system.joint_names[view._joints[0]]
    return view.rows[0].slider, "value", lambda value: session.set_torque(joint, value), [3.0, -5.0, 1.0]


def mass(session: Session) -> tuple[param.Parameterized, str, Callable[[Any], None], list[Any]]:
    view = Bodies(session)
    masses = list(view.mass.options.values())
    return view.mass, "value", session.set_mass, [masses[3], masses[30], masses[12]]


def arm(session: Session) -> tuple[param.Parameterized, str, Callable[[Any], None], list[Any]]:
    return Sliders(session).arm, "value", session.select_arm, [1, 0, 1]


def mode(session: Session) -> tuple[param.Parameterized, str, Callable[[Any], None], list[Any]]:
    modes = ["Single arm", "Free-flying", "Multi-arm"]
    return Chooser(session)._mode, "value", lambda mode: session.open_preset(presets_of(mode)[0].name), modes


def preset(session: Session) -> tuple[param.Parameterized, str, Callable[[Any], None], list[Any]]:
    names = ["two_planar_arms", "four_arms_and_box", "two_arms_and_box"]
    return Chooser(session)._preset, "value", session.open_preset, names


def speed(session: Session) -> tuple[param.Parameterized, str, Callable[[Any], None], list[Any]]:
    widget = Transport(session, Manipulation(session))._speed
    return widget, "value", lambda value: setattr(session, "speed", value), [0.1, 2.0, 0.5]


def pose(session: Session) -> tuple[param.Parameterized, str, Callable[[Any], None], list[Any]]:
    manipulation = Manipulation(session)
    widget = PoseSwitch(manipulation)._button
    return widget, "value", lambda on: setattr(manipulation, "mode", "pose" if on else "push"), [True, False, True]


def block(session: Session) -> tuple[param.Parameterized, str, Callable[[Any], None], list[Any]]:
    widget = Show(session, dict)._block
    values = ["rotational", "translational", "rotational"]
    return widget, "value", lambda value: setattr(session, "block", value), values


@pytest.mark.parametrize("control", [sliders, mass, arm, mode, preset, speed, pose, block])
def test_a_control_follows_moves_once_and_hears_no_echo(control: Callable[[Session], Any]) -> None:
    session = Session("two_arms_and_box")
    widget, name, change, values = control(session)
    for value in values:
        change(value)
        assert getattr(widget, name) == value
    before = (session.setup, session.cursor.param.values(), session.speed, session.block)
    for late in values[:-1]:
        setattr(widget, name, late)
        assert getattr(widget, name) == values[-1]
    assert before == (session.setup, session.cursor.param.values(), session.speed, session.block)


def test_a_torque_by_hand_is_one_change() -> None:
    session = Session("puma560")
    view = Sliders(session)
    runs: list[object] = []
    session.param.watch(lambda event: runs.append(event.new), "run")
    view.rows[2].slider.value = 4.0
    assert session.torques[session.system.joint_names[3]] == 4.0  # the third from the base, of six
    assert len(runs) == 1
    session.undo()
    assert view.rows[2].slider.value == 0.0


@pytest.mark.parametrize("drive", ["free", "reach", "circle", "hand"])
def test_a_torque_is_added_to_what_the_drive_does_as_far_as_its_joint_goes(drive: str) -> None:
    session = Session("puma560")
    view = Change(session, Manipulation(session))
    view._group.value = "Torques"
    told = [str(pane.object) for pane in view.__panel__().select(pn.pane.HTML)]
    assert told == ["<p role='status'>Opening Torques …</p>"]  # at once, before any of the sliders
    view.draw()
    assert any("added to what <i>Drive</i> does" in str(pane.object) for pane in view.__panel__().select(pn.pane.HTML))
    session.set_drive(drive)
    first, second = session.system.joint_names[:2]
    before = session.run.solution_at(0.0).tau
    session.set_torque(first, 0.02)
    session.set_torque(second, -0.03)
    for _ in range(2):
        session.run.accept(session.run.compute())
    added = session.run.solution_at(0.0).tau - before
    assert added == pytest.approx([0.02, -0.03, *[0.0] * (len(added) - 2)], abs=1e-12)
    if drive == "free":
        assert session.run.solution_at(session.run.end).tau == pytest.approx(added, abs=1e-12)
    session.set_torque(first, 1e5)
    assert session.run.solution_at(0.0).tau[0] == session.system.joint_models[0].effort


def test_each_slider_is_a_joint_of_the_arm_in_sight() -> None:
    session = Session("two_arms_and_box")
    view = Sliders(session)
    for preset, arm in (("", 1), ("", 0), ("panda", 0), ("planar_chain", 0), ("two_arms_and_box", 1)):
        if preset:
            session.open_preset(preset)
        session.cursor.arm = arm
        system = session.system
        names = [name for k, name in enumerate(system.joint_names) if system.arm_of_link[k] == arm][::-1]
        shown = [row.slider for row in view.rows if row.visible]
        assert [slider.label.rpartition(" (")[0] for slider in shown] == names
        for slider, name in zip(shown, names, strict=True):
            effort = system.joint_models[system.joint_names.index(name)].effort
            most = effort if 0.0 < effort < np.inf else STRONGEST
            assert 0.95 * most < slider.end == -slider.start <= most * (1.0 + 1e-9)
            places = slider.end / slider.step
            assert places == pytest.approx(round(places))
            assert f"{slider.step:.0e}"[0] in "125"
            assert 50 < places <= 250
            torque = 0.25 * slider.end
            slider.value = torque
            assert session.torques == {**session.torques, name: torque}
        assert [session.torques[name] for name in names] == [slider.value for slider in shown]


def test_what_is_no_number_does_not_stay_in_a_joints_field() -> None:
    session = Session("puma560")
    view = Posture(session)
    view.draw()
    row = view._rows[0]
    field = row.field.widget
    shown = field.value
    setup = session.setup
    field.value = "a lot"
    assert field.value == field.value_input == shown
    assert session.setup is setup
    assert "'a lot'; expected a number" in session.whispered
    field.value = "12,5"
    assert (field.value, row.slider.value) == ("12.50", 12.5)
    assert session.setup.posture[0] == pytest.approx(12.5 * 3.141592653589793 / 180.0)


def test_a_late_echo_of_a_joints_slider_poses_nothing() -> None:
    session = Session("puma560")
    view = Posture(session)
    view.draw()
    row, places = view._rows[1], []
    for q in (0.1, 0.2, 0.3):
        session.change(posture=(0.0, q, 0.0, 0.0, 0.0, 0.0))
        view.draw()
        places.append(row.slider.value)
    setup = session.setup
    for late in places[:-1]:
        row.slider.value = late
    assert session.setup is setup
    assert row.slider.value == places[-1]


def test_the_body_that_is_pushed_is_the_cursors_unless_it_is_the_object() -> None:
    session = Session("two_arms_and_box")
    view = Push(session, Manipulation(session))
    view.draw()
    assert view._body.value == session.cursor.link
    session.select_link(2)
    view.draw()
    assert view._body.value == 2
    view._body.value = 5
    assert session.cursor.link == 5
    view._body.value = session.system.n_links
    session.select_link(3)
    view.draw()
    assert view._body.value == session.system.n_links
    session.open_preset("puma560")
    view.draw()
    assert view._body.value == session.cursor.link


def test_the_speed_of_a_link_is_shown() -> None:
    session = Session("puma560")
    session.speed = 0.0333333  # as an address says it
    assert Transport(session, Manipulation(session))._speed.value == SPEEDS["1/30 speed"]
    assert session.speed == 0.0333333


def test_closing_the_alert_clears_the_message_and_an_echo_does_not() -> None:
    session = Session("puma560")
    status = Status(session)
    session.set_mass(-1.0)
    assert not status._alert.closed
    status._alert.closed = True
    assert (session.message, status._alert.title, status._alert.object) == ("", "", "")  # nor read by who hears it
    session.set_mass(-1.0)
    session.message = ""
    session.set_mass(-2.0)
    status._alert.closed = True  # late: it is the message before that was closed
    assert session.message
    assert not status._alert.closed
