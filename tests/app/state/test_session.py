"""What the controls do to a session, without a page, and its search for the worst moment."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import dynamics as dyn
from app.motion.interventions import Pushed
from app.state import Session
from app.state.agreement_search import COARSE, ROUNDS, AgreementSearch, agreement_at


def test_a_torque_starts_another_run_from_the_beginning() -> None:
    session = Session("puma560")
    before, name = session.run, session.system.joint_names[2]
    session.cursor.time = 0.1
    session.set_torque(name, 5.0)
    assert session.run is not before
    assert session.torques[name] == 5.0
    assert session.cursor.time == 0.0


def test_a_mass_changes_that_body_alone(subtests: pytest.Subtests) -> None:
    for name in ["puma560", "two_arms_and_box", "free_flyer"]:
        with subtests.test(name=name):
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


def test_a_bad_file_says_so_and_changes_nothing(subtests: pytest.Subtests, open_file: Callable[..., None]) -> None:
    for text in (
        b"", b"not a robot", b"<robot name='r'><link name='a'/></robot>",
        b"<!DOCTYPE r [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><robot name='r'>&e;</robot>", b"\xff\xfe\x00\x00",
    ):  # fmt: skip
        with subtests.test(text=text):
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


@pytest.fixture
def session() -> Session:
    session = Session("puma560")
    session.run.accept(session.run.compute())
    return session


def test_it_ends_at_the_worst_of_a_bounded_number_of_instants(session: Session) -> None:
    search = AgreementSearch(session.run)
    slices = 0
    while not search.done:
        search.accept(search.look())
        slices += 1
    assert COARSE <= len(search.found) <= search.most == COARSE + 2 * ROUNDS
    assert slices > 1
    instant, worst = search.worst
    assert worst == max(search.found.values())
    solution = session.run.solution_at(instant)
    assert worst == dyn.agreement(solution.system, solution.state, solution.tau).worst
    times, values = search.curve
    assert times == sorted(times)
    assert values[times.index(instant)] == worst


def test_a_push_is_part_of_the_comparison(session: Session) -> None:
    wrench = np.zeros((session.system.n_links + 1, 6))
    wrench[0, 3:] = 5.0, -3.0, 2.0
    session.seek(0.1)
    session.intervene(Pushed(0.1, wrench))
    session.run.accept(session.run.compute())
    solution = session.run.solution_at(0.15)
    found = agreement_at(session.run, 0.15)
    assert found.worst == dyn.agreement(solution.system, solution.state, solution.tau, wrench).worst
    assert found.worst_residual < 1e-9
