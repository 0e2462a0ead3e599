"""Sentences for a screen reader."""

from collections.abc import Callable

from app.motion.world import main_body
from app.state import Session
from app.views.announcer import Announcer
from tests.app.arrival import computed


class AnnouncedSession:
    """A session, the sentences that are heard of it, and a clock of its own."""

    def __init__(self, preset: str) -> None:
        self.session, self.said, self.time = Session(preset), list[str](), 0.0
        self.compute()
        self.announcer = Announcer(self.session, self.said.append, lambda: self.time)
        self.after(0.1)

    def compute(self) -> None:
        computed(self.session.run, 0.5)

    def after(self, seconds: float) -> list[str]:
        """What is said in the seconds to come, in which the page is looked at ten times a second."""
        begun = len(self.said)
        for _ in range(round(10 * seconds)):
            self.time += 0.1
            self.announcer.draw()
        return self.said[begun:]


def test_pause_play_and_steps_are_said_once_when_they_rest() -> None:
    heard = AnnouncedSession("two_arms_and_box")
    session = heard.session
    session.seek(0.2)
    session.playing = False
    assert heard.after(0.1) == ["Paused at 0.20 s."]
    for _ in range(3):
        session.step(1)
        assert heard.after(0.3) == []
    assert heard.after(2.0) == ["At 0.23 s."]
    session.step(-5)
    assert heard.after(2.0) == ["At 0.18 s."]
    session.step(1)
    session.playing = True
    assert heard.after(2.0) == ["Playing."]


def heavier(session: Session) -> None:
    session.set_mass(1.5 * session.mass)


ACTS: list[tuple[str, Callable[[Session], None], str]] = [
    ("two_arms_and_box", heavier, "Mass of object {mass:.4g} kg, its inertia in proportion."),
    ("puma560", heavier, "Mass of {tip} {mass:.4g} kg, its inertia in proportion."),
    ("puma560", lambda session: session.set_damping(2.5), "Damping 2.5."),
    ("free_flyer", lambda session: session.open_preset("planar_chain"), "Single arm: {title}."),
    ("two_arms_and_box", lambda session: session.release(), "Released at 0.30 s."),
    ("two_arms_and_box", lambda session: session.grip(1, "soft_finger"), "Held as soft finger at 0.30 s."),
    ("puma560", lambda session: session.reset(), "Reset."),
]


def test_each_thing_done_is_one_sentence() -> None:
    for preset, act, words in ACTS:
        heard = AnnouncedSession(preset)
        heard.session.seek(0.3)
        act(heard.session)
        session = heard.session
        tip = [*session.system.link_names, "object"][main_body(session.system)]
        assert heard.after(3.0) == [words.format(mass=session.mass, tip=tip, title=session.preset.title)]


def test_undo_and_redo_say_what_has_come_back() -> None:
    heard = AnnouncedSession("two_arms_and_box")
    session, before, joint = heard.session, heard.session.mass, heard.session.system.joint_names[1]
    heavier(session)
    heard.after(1.0)
    session.undo()
    assert heard.after(1.0) == [f"Undone: mass of object back to {before:.4g} kg, its inertia in proportion."]
    session.redo()
    assert heard.after(1.0) == [f"Redone: mass of object {session.mass:.4g} kg, its inertia in proportion."]
    session.set_torque(joint, 11.0)
    heard.after(1.0)
    session.open_preset("planar_chain")
    heard.after(1.0)
    session.undo()
    assert heard.after(1.0) == [f"Undone: back to Multi-arm: {session.preset.title}."]
    session.undo()
    (said,) = heard.after(1.0)
    assert said.startswith(f"Undone: torque of {joint} back")
