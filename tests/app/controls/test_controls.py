"""The page's controls follow the session, move it once, and ignore a slow browser's echo."""

from collections.abc import Callable
from typing import Any

import numpy as np
import param
import pytest

from app.binding import Receipts
from app.controls.bodies import Bodies
from app.controls.change import in_words
from app.controls.chooser import Chooser
from app.controls.push import Push
from app.controls.sliders import STRONGEST, Posture, Sliders
from app.controls.transport import Transport
from app.motion.presets import presets_of
from app.state import Session
from app.state.manipulation import Manipulation
from app.views.show import Show
from tests.app.files.test_upload import chain


@pytest.fixture(autouse=True)
def receipts() -> Receipts:
    """Of a browser that is there and draws nothing."""
    return Receipts(seen=0)


Control = tuple[param.Parameterized, Callable[[Any], object], list[Any]]
"""A widget, what changes the session, and values that come one after the other."""


def torque(session: Session) -> Control:
    view = Sliders(session)
    joint = session.system.joint_names[view._joints[0]]
    return view.rows[0].slider, lambda value: session.set_torque(joint, value), [3.0, -5.0, 1.0]


def mass(session: Session) -> Control:
    view = Bodies(session)
    masses = list(view.mass.options.values())
    return view.mass, session.set_mass, [masses[3], masses[30], masses[12]]


CONTROLS: dict[str, Callable[[Session], Control]] = {
    "torque": torque,
    "mass": mass,
    "arm": lambda session: (Sliders(session).arm, session.select_arm, [1, 0, 1]),
    "mode": lambda session: (
        Chooser(session)._mode,
        lambda mode: session.open_preset(presets_of(mode)[0].name),
        ["Single arm", "Free-flying", "Multi-arm"],
    ),
    "preset": lambda session: (
        Chooser(session)._preset, session.open_preset, ["two_planar_arms", "four_arms_and_box", "two_arms_and_box"]
    ),
    "speed": lambda session: (
        Transport(session, Manipulation(session))._speed,
        lambda value: setattr(session, "speed", value),
        [0.1, 2.0, 0.5],
    ),
    "block": lambda session: (
        Show(session, dict)._block,
        lambda value: setattr(session, "block", value),
        ["rotational", "translational", "rotational"],
    ),
}  # fmt: skip


def test_a_control_follows_moves_once_and_hears_no_echo() -> None:
    for control in CONTROLS:
        session = Session("two_arms_and_box")
        widget, change, values = CONTROLS[control](session)
        for value in values:
            change(value)
            assert widget.value == value
        before = (session.setup, session.cursor.param.values(), session.speed, session.block)
        for late in values[:-1]:
            widget.value = late
            assert widget.value == values[-1]
        assert before == (session.setup, session.cursor.param.values(), session.speed, session.block)


def test_a_posture_is_in_degrees_and_what_is_no_number_does_not_stay() -> None:
    session = Session("puma560")
    view = Posture(session)
    view.draw()
    row = view._rows[0]
    field, shown, setup = row.field.widget, row.field.widget.value, session.setup
    field.value = "a lot"
    assert field.value == field.value_input == shown
    assert session.setup is setup
    assert "'a lot'; expected a number" in session.whispered
    field.value = "12,5"
    assert (field.value, row.slider.value) == ("12.50", 12.5)
    assert session.setup.posture[0] == pytest.approx(np.radians(12.5))
    session.undo()
    view.draw()
    assert field.value == shown


def test_a_torque_is_added_to_what_the_drive_does_as_far_as_its_joint_goes() -> None:
    for drive in ["free", "reach", "circle", "hand"]:
        session = Session("puma560")
        session.set_drive(drive)
        first, second = session.system.joint_names[:2]
        before = session.run.solution_at(0.0).tau
        session.set_torque(first, 0.02)
        session.set_torque(second, -0.03)
        for _ in range(2):
            session.run.accept(session.run.compute())
        added = session.run.solution_at(0.0).tau - before
        assert added == pytest.approx([0.02, -0.03, *[0.0] * (len(added) - 2)], abs=1e-12)
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
            torque = 0.25 * slider.end
            slider.value = torque
            assert session.torques == {**session.torques, name: torque}
        assert [session.torques[name] for name in names] == [slider.value for slider in shown]


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


def test_names_in_what_is_said_are_escaped(open_file: Callable[[Session, bytes, str], None]) -> None:
    session = Session("iiwa14")
    limit = b"type='revolute'><limit effort='0' velocity='1' lower='-1' upper='1'/>"
    open_file(session, chain(2).replace(b"type='continuous'>", limit).replace(b"'j1'", b"'&lt;b&gt;'"), "weak.urdf")
    assert session.message == ""
    assert "&lt;b&gt;" in in_words(session)
    assert "<b>" not in in_words(session)
