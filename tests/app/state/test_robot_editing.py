"""Edits of the robot at the cursor: P and D at once, a step back each, refused in words."""

from __future__ import annotations

import numpy as np

import dynamics as dyn
from app.state import Session
from app.state.robot_editing import RobotEditing


def gain(session: Session) -> np.ndarray:
    return session.solution().stages["filter"]["joint_inertia"]


def walking() -> tuple[Session, RobotEditing]:
    session = Session("puma560")
    session.playing = False
    session.seek(0.0)
    session.walk_to_start()
    return session, RobotEditing(session)


def test_the_walk_shows_the_change_at_once_where_it_stands() -> None:
    session, editing = walking()
    session.walk_link(1)
    place, before = session.place, gain(session)
    assert editing.apply(lambda robot: dyn.with_joint(robot, robot.joint_names[2], rotor_inertia=5.0))
    assert session.place == place
    assert session.walked
    old = session.history.past[-1].setup.machine.system.robots[0].joints[2].rotor_inertia
    np.testing.assert_allclose((gain(session) - before)[2], 5.0 - old, rtol=1e-12)
    inertia = session.solution().stages["filter"]["articulated_inertia"]
    editing.apply(lambda robot: dyn.with_body(robot, robot.links[1].name, mass=9.0))
    assert np.abs(session.solution().stages["filter"]["articulated_inertia"] - inertia)[1].max() > 1.0


def test_each_edit_is_a_step_back_and_on_again() -> None:
    session, editing = walking()
    names = editing.robot.joint_names
    for value in (1.0, 2.0):
        editing.apply(lambda robot, value=value: dyn.with_joint(robot, names[0], damping=value))
    session.undo()
    assert editing.robot.joints[0].damping == 1.0
    assert session.walked
    session.undo()
    assert editing.origin is None
    session.redo()
    session.redo()
    assert editing.robot.joints[0].damping == 2.0
    editing.reset()
    assert editing.origin is None
    assert session.can_undo


def test_what_cannot_be_is_said_and_nothing_is_changed() -> None:
    session, editing = walking()
    setup = session.setup
    assert not editing.apply(lambda robot: dyn.with_joint(robot, "joint_1", damping=-1.0))
    assert "damping is -1" in session.message
    assert session.setup is setup
    assert not session.can_undo


def test_a_link_less_opens_the_machine_anew_and_saves_so() -> None:
    session, editing = walking()
    editing.apply(lambda robot: dyn.without_link(robot, robot.links[0].name))
    assert session.system.n_links == 5
    assert session.cursor.link == 0
    assert dyn.load_urdf_text(editing.urdf()).joint_names == session.system.joint_names
    assert editing.file_name == "PUMA 560 edited.urdf"
    session.set_body_mass(0, 3.0)
    assert dyn.load_urdf_text(editing.urdf()).links[0].mass == 3.0
