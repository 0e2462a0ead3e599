"""What is spoken: one sentence for each thing done, when it has come to rest, and nothing twice."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

import dynamics as dyn
from app.motion.bodies import main_body
from app.state import Session
from app.state.address import asked, query_of
from app.state.manipulation import Manipulation
from app.state.point_force import BodyPoint
from app.views.announcer import FIRST_STEP, LAST_STEP, REST, Announcer


class Heard:
    """A session, the sentences that are heard of it, and a clock of its own."""

    def __init__(self, preset: str) -> None:
        self.session, self.said, self.time = Session(preset), [], 0.0  # type: ignore[var-annotated]
        self.compute()
        self.announcer = Announcer(self.session, self.said.append, lambda: self.time)
        self.after(0.1)

    def compute(self) -> None:
        """The run as far as the tests look at it."""
        while self.session.run.end < 0.5:
            self.session.run.accept(self.session.run.compute())

    def after(self, seconds: float) -> list[str]:
        """What is said in the seconds to come, in which the page is looked at ten times a second."""
        begun = len(self.said)
        for _ in range(round(10 * seconds)):
            self.time += 0.1
            self.announcer.draw()
        return self.said[begun:]


def test_nothing_is_said_of_a_page_that_opens() -> None:
    assert Heard("puma560").after(3.0) == []


def test_pause_and_play_are_said_at_once_and_once() -> None:
    heard = Heard("puma560")
    heard.session.seek(0.3)
    heard.session.playing = False
    assert heard.after(0.1) == ["Paused at 0.30 s."]
    heard.session.playing = True
    assert heard.after(2.0) == ["Playing."]


def test_steps_in_time_say_where_they_have_led_when_they_rest() -> None:
    heard = Heard("two_arms_and_box")
    heard.session.seek(0.2)
    heard.session.playing = False
    heard.after(1.0)
    for _ in range(3):
        heard.session.step(1)
        assert heard.after(0.3) == []
    assert heard.after(2.0) == ["At 0.23 s."]
    heard.session.step(-5)
    assert heard.after(2.0) == ["At 0.18 s."]
    heard.session.step(1)
    heard.session.playing = True
    assert heard.after(2.0) == ["Playing."]


def test_a_step_that_pauses_says_so_and_where() -> None:
    heard = Heard("puma560")
    heard.session.playing = True
    heard.after(2.0)
    heard.session.seek(0.3)
    heard.session.step(1)
    assert heard.after(2.0) == ["Paused at 0.31 s."]


@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box", "free_flyer"])
def test_either_end_of_the_walk_is_said_each_time_somebody_wants_to_go_on(preset: str) -> None:
    heard = Heard(preset)
    session = heard.session
    session.walk_to_start()
    session.walk_half(-1)
    assert heard.said == [FIRST_STEP]
    session.walk_half(1)
    assert heard.said == [FIRST_STEP]
    while not session.at_end_of_walk:
        session.walk_half(1)
    assert heard.said == [FIRST_STEP]
    session.walk_half(1)
    session.walk_half(1)
    assert heard.said == [FIRST_STEP, LAST_STEP, LAST_STEP]


def test_a_slider_is_silent_until_it_rests() -> None:
    heard = Heard("puma560")
    joint = heard.session.system.joint_names[2]
    for torque in range(1, 40):
        heard.session.set_torque(joint, float(torque))
        assert heard.after(0.2) == []
    assert heard.after(REST + 0.2) == [f"Torque of {joint} 39 N m."]
    assert heard.after(3.0) == []
    heard.session.set_torque(joint, 0.0)
    assert heard.after(1.0) == [f"Torque of {joint} 0 N m."]


def heavier(session: Session) -> None:
    session.set_mass(1.5 * session.mass)


@pytest.mark.parametrize(
    ("preset", "act", "words"),
    [
        ("two_arms_and_box", heavier, "Mass of object {mass:.4g} kg, its inertia in proportion."),
        ("puma560", heavier, "Mass of {tip} {mass:.4g} kg, its inertia in proportion."),
        ("puma560", lambda session: session.set_damping(2.5), "Damping 2.5."),
        ("two_arms_and_box", lambda session: session.open_mode("Single arm"), "Single arm: {title}."),
        ("free_flyer", lambda session: session.open_preset("planar_chain"), "Single arm: {title}."),
        ("two_arms_and_box", lambda session: session.release(), "Released at 0.30 s."),
        ("two_arms_and_box", lambda session: session.grip(1, "soft_finger"), "Held as soft finger at 0.30 s."),
        ("two_planar_arms", lambda session: session.grip(0, "rigid"), "Held rigidly at 0.30 s."),
        ("puma560", lambda session: session.reset(), "Reset."),
    ],
)
def test_each_thing_done_is_one_sentence(preset: str, act: Callable[[Session], None], words: str) -> None:
    heard = Heard(preset)
    heard.session.seek(0.3)
    act(heard.session)
    session = heard.session
    tip = [*session.system.link_names, "object"][main_body(session.system)]
    assert heard.after(3.0) == [words.format(mass=session.mass, tip=tip, title=session.preset.title)]


def test_undo_and_redo_say_what_has_come_back() -> None:
    heard = Heard("two_arms_and_box")
    session, before = heard.session, heard.session.mass
    heavier(session)
    heard.after(1.0)
    session.undo()
    assert heard.after(1.0) == [f"Undone: mass of object back to {before:.4g} kg, its inertia in proportion."]
    session.redo()
    assert heard.after(1.0) == [f"Redone: mass of object {session.mass:.4g} kg, its inertia in proportion."]
    heard.compute()
    session.seek(0.2)
    session.release()
    session.undo()
    assert heard.after(1.0) == ["Undone."]  # before it was heard of
    session.playing = False
    assert heard.after(0.1) == ["Paused at 0.20 s."]
    heard.compute()
    session.seek(0.3)
    session.release()
    assert heard.after(1.0) == ["Released at 0.30 s, playing."]
    session.undo()
    assert heard.after(1.0) == ["Undone: not released at 0.30 s."]


def test_a_text_that_is_mended_by_undo_is_heard_of() -> None:
    heard = Heard("puma560")
    session = heard.session
    session.break_texts(frozenset({"inward_filter.prediction.P~phi-P_plus-phi~drop"}))
    assert heard.after(1.0) == []  # whoever breaks it is asked what fails
    session.undo()
    assert heard.after(1.0) == ["Undone: nothing is broken."]
    session.redo()
    assert heard.after(1.0) == ["Redone: broken in one place."]


def test_what_is_undone_is_told_by_what_it_is_now() -> None:
    heard = Heard("puma560")
    session, joint = heard.session, heard.session.system.joint_names[1]
    session.set_torque(joint, 11.0)
    heavier(session)  # or both torques were one change
    session.set_torque(joint, 7.0)
    heard.after(1.0)
    session.undo()
    assert heard.after(1.0) == [f"Undone: torque of {joint} back to 11 N m."]
    session.redo()
    assert heard.after(1.0) == [f"Redone: torque of {joint} 7 N m."]
    session.set_drive("free")
    heard.after(1.0)
    session.undo()
    assert heard.after(1.0) == ["Undone: drive back to Springs, to and fro."]
    session.set_damping(2.5)
    heard.after(1.0)
    session.undo()
    assert heard.after(1.0) == ["Undone: damping back to 0."]
    session.open_preset("planar_chain")
    heard.after(1.0)
    session.undo()
    assert heard.after(1.0) == [f"Undone: back to Single arm: {session.preset.title}."]


def test_reset_is_told_from_a_drive_that_is_the_machines_own_again() -> None:
    heard = Heard("puma560")
    heard.session.set_drive("free")
    assert heard.after(1.0)[0].startswith("Drive: ")
    heard.session.set_drive("reach")
    assert heard.after(1.0)[0].startswith("Drive: ")
    heard.session.set_damping(1.0)
    heard.session.set_torque(heard.session.system.joint_names[0], 2.0)
    assert len(heard.after(1.0)) == 1
    heard.session.reset()
    assert heard.after(1.0) == ["Reset."]


def test_a_hand_that_pushes_hears_nothing() -> None:
    heard = Heard("puma560")
    session, hand = heard.session, Manipulation(heard.session)
    session.seek(0.2)
    place = dyn.link_poses(session.system, session.solution().state)[2][:3, 3]
    hand.take(BodyPoint(2, (0.0, 0.0, 0.0)), place + 0.1)  # type: ignore[arg-type]
    for _ in range(20):
        hand.attend(0)
        assert heard.after(0.1) == []
    hand.let_go()
    assert heard.after(2.0) == []


def test_what_is_not_possible_is_the_messages_business() -> None:
    heard = Heard("puma560")
    heard.session.set_mass(-1.0)
    assert heard.session.message
    assert heard.after(2.0) == []
    assert query_of(heard.session)["preset"] == "puma560"


def test_nothing_is_said_of_what_a_link_shows() -> None:
    """Its moment comes after the page, as a setup that is as it was loaded."""
    session, said = Session("puma560"), list[str]()
    link = session.opening = SimpleNamespace(awaits_link=True)  # type: ignore[assignment]
    announcer = Announcer(session, said.append, lambda: 0.0)
    announcer.draw()
    asked({"preset": "puma560", "t": "0.4", "play": "0"}, session).show(session)
    link.awaits_link = False
    announcer.draw()
    announcer.draw()
    assert said == []
