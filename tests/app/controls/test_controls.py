"""The page's controls follow the session, move it once, and ignore a slow browser's echo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import panel_material_ui as pmui
import param
import pytest

from app.controls.bodies import Bodies
from app.controls.chooser import Chooser
from app.controls.drive import OWN_START, Drive, in_words
from app.controls.number_row import NumberRow
from app.controls.pose_switch import PoseSwitch
from app.controls.posture import Posture
from app.controls.push import Push
from app.controls.sliders import STRONGEST, Sliders
from app.controls.transport import Transport
from app.controls.undo import Undo
from app.motion.interventions import Released
from app.motion.landing import LANDS
from app.motion.presets import presets_of
from app.state import Session
from app.state.manipulation import Manipulation
from app.views.show import Show
from app.views.status import Status
from tests.app.upload.test_upload import chain


@pytest.fixture(autouse=True)
def endless_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a first compilation takes."""
    monkeypatch.setattr("app.binding.PATIENCE", 1e9)


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


def pose(session: Session) -> Control:
    hand = Manipulation(session)
    return PoseSwitch(hand)._button, lambda on: setattr(hand, "mode", "pose" if on else "push"), [True, False, True]


CONTROLS: dict[str, Callable[[Session], Control]] = {
    "torque": torque,
    "mass": mass,
    "pose": pose,
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


def test_a_control_follows_moves_once_and_hears_no_echo(subtests: pytest.Subtests) -> None:
    for control in CONTROLS:
        with subtests.test(control=control):
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


def test_a_torque_is_added_to_what_the_drive_does_as_far_as_its_joint_goes(subtests: pytest.Subtests) -> None:
    for drive in ["free", "reach", "circle", "hand"]:
        with subtests.test(drive=drive):
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


def test_a_kept_run_is_announced_and_its_name_is_no_markup() -> None:
    session = Session("planar_chain")
    undo = Undo(session)
    undo.keep()
    assert undo._told.words.startswith(f"Kept as A: {session.title}.")
    session.change_kept("A", title="<b>light</b>")
    undo.keep()
    assert undo._told.words.startswith("This run is kept already, as A: &lt;b&gt;light&lt;/b&gt;.")
    session.set_mass(2.0 * session.mass)
    undo._keep.clicks += 1
    assert undo._told.words.startswith("Kept as B: ")
    assert [each.letter for each in session.kept] == ["A", "B"]


Open = Callable[[Session, bytes, str], None]


@pytest.fixture
def session() -> Session:
    return Session("iiwa14")


def test_a_drive_is_chosen_undone_and_made_again(session: Session) -> None:
    view, before = Drive(session), session.run
    assert view._drive.value == "reach"
    view._drive.value = "circle"
    assert (session.setup.drive, session.title) == ("circle", "KUKA iiwa 14, reaching, a circle with the tip")
    assert "across" in view._words.object
    session.undo()
    assert (session.setup.drive, view._drive.value) == ("", "reach")
    assert "another posture and back" in view._words.object
    session.redo()
    assert view._drive.value == "circle"
    session.reset()
    assert (session.setup.drive, view._drive.value) == ("", "reach")
    assert session.run is not before


def test_what_does_not_fit_is_not_offered_and_why_is_said() -> None:
    session = Session("two_arms_and_box")
    view = Drive(session)
    assert list(view._drive.options.values()) == ["free", "hand", "carry"]
    assert "A circle with the tip (the tips hold an object)" in view._words.object
    session.open_preset("free_flyer")
    assert list(view._drive.options.values()) == ["free", "reach", "hand"]
    run = session.run
    session.set_drive("circle")
    assert "does not fit, for its base floats" in session.message
    assert (session.run, view._drive.value) == (run, "reach")


def test_a_start_is_chosen_and_what_posture_sets_is_shown(session: Session) -> None:
    view = Drive(session)
    view._start.value = "Every joint at zero"
    assert session.setup.posture == (0.0,) * 7
    session.change("posture", posture=(0.1,) * 7)
    assert (view._start.value, view._start.options[-1]) == (OWN_START, OWN_START)
    view._start.value = "Bent this way and that"
    assert session.setup.posture not in (None, (0.1,) * 7)
    assert OWN_START not in view._start.options
    session.undo()
    assert (session.setup.posture, view._start.value) == ((0.1,) * 7, OWN_START)


def test_names_in_what_is_said_are_escaped(session: Session, open_file: Open) -> None:
    limit = b"type='revolute'><limit effort='0' velocity='1' lower='-1' upper='1'/>"
    open_file(session, chain(2).replace(b"type='continuous'>", limit).replace(b"'j2'", b"'&lt;b&gt;'"), "weak.urdf")
    assert session.message == ""
    assert "&lt;b&gt;" in in_words(session)
    assert "<b>" not in in_words(session)


def test_the_timeline_is_as_long_as_the_run_and_marks_what_happened() -> None:
    session = Session("two_arms_and_box")
    transport = Transport(session, Manipulation(session))
    transport.draw()
    assert (transport._timeline.duration, transport._timeline.marks) == (session.run.duration, [])
    while session.run.end < 0.5:
        session.run.accept(session.run.compute())
    session.intervene(Released(0.3))
    session.run.accept(session.run.compute())
    transport.draw()
    first, second = transport._timeline.marks
    assert first == {"value": 0.3, "label": "released", "word": "released"}
    assert second["word"].startswith(LANDS)
    session.open_preset("planar_chain")
    transport.draw()
    assert (transport._timeline.duration, transport._timeline.marks) == (10.0, [])


class Joint:
    """A joint row, and what it was told."""

    def __init__(self) -> None:
        self.acts: list[float] = []
        self.most = 1e3
        self.told: list[str] = []
        self.row = NumberRow(
            "joint (°)", -170.0, 170.0, 0.5, self._act, self.told.append, least=-1e3, most=1e3, written="{:z.2f}"
        )
        (self.slider,) = self.row.__panel__().select(pmui.FloatSlider)
        (self.field,) = self.row.__panel__().select(pmui.TextInput)

    def _act(self, value: float) -> None:
        self.acts.append(value)
        self.row.show(min(value, self.most))


@pytest.fixture
def joint() -> Joint:
    joint = Joint()
    joint.row.show(45.0)
    return joint


def test_what_a_browser_repeats_does_not_stay_in_the_field(joint: Joint) -> None:
    for value in (45.5, 46.0, 46.5):
        joint.slider.value = value
    joint.field.value_input = "46.00"  # late
    assert joint.field.value_input == "46.50"
    joint.field.param.update(value="45.50", value_input="45.50")
    assert joint.field.value_input == joint.field.value == "46.50"
    assert joint.acts == [45.5, 46.0, 46.5]


def test_a_wrong_number_is_marked_at_its_field_until_something_else_is_typed(joint: Joint) -> None:
    joint.field.param.update(value="4000", value_input="4000")
    assert joint.field.helper_text == "'4000' is no number from -1000 to 1000"
    assert joint.field.error_state
    joint.row.show(45.0)  # the state may change meanwhile
    assert joint.field.error_state
    joint.field.value_input = "4"
    assert (joint.field.helper_text, joint.field.error_state) == ("", False)
    joint.field.param.update(value="40", value_input="40")
    assert (joint.acts, joint.field.helper_text) == ([40.0], "")


def test_the_place_where_the_slider_is_let_go_counts(joint: Joint) -> None:
    """Its last move may be taken back in the browser by the one before."""
    joint.slider.value = 45.5
    joint.slider.param.update(value_throttled=47.0)
    assert joint.acts == [45.5, 47.0]
    assert (joint.slider.value, joint.field.value) == (47.0, "47.00")
    joint.most = 50.0
    joint.slider.param.update(value=60.0, value_throttled=60.0)
    assert joint.acts == [45.5, 47.0, 60.0]
    assert (joint.slider.value, joint.field.value) == (50.0, "50.00")
