"""One machine in three modes, put together or edited: kept by switches of the mode, links, undo and session files."""

import zlib
from collections.abc import Callable
from functools import partial
from pathlib import PurePath

import numpy as np
import pytest

import dynamics as dyn
from app.files.session_file import found_in, written
from app.motion.build import OWN, Base, Build, Payload, packaged
from app.motion.built_machine import edited, is_alike, robot_at, text_of
from app.motion.presets import PRESETS
from app.motion.setup import Setup, machine_of_file, machine_of_preset
from app.state import Session
from app.state.address import asked, parse_setup, query_of, query_of_setup
from app.state.machine_loader import RefusedError
from app.state.robot_editing import RobotEditing
from dynamics.robot import with_joint, without_link
from tests.app.arrival import paused, plain
from tests.dynamics.systems import draw_robot

Settled = Callable[..., None]
BUILDS = [
    Build("single_arm", ("free_flyer",)),
    Build("multi_arm", ("iiwa14",) * 2, Payload("beam", (1.3, 0.15), 7.5), (Base(-1.3, 0.02, 0.3), Base(1.3, 0, 3.4))),
    Build("multi_arm", ("jazidie_arm",) * 2, Payload("cylinder", (0.1, 0.3))),
]


def same(one: Setup, other: Setup) -> None:
    assert one.machine.built.build == other.machine.built.build
    assert one.machine.state.q == pytest.approx(other.machine.state.q, abs=0.0)
    assert one.machine.preset == other.machine.preset


def test_the_robot_is_kept_when_the_mode_is_switched_and_undone(settled: Settled) -> None:
    session = Session("puma560")
    settled(session, partial(session.put_together, Build("single_arm", ("free_flyer",))))
    seen = [session.setup]
    for mode in ("Multi-arm", "Free-flying", "Single arm", "Multi-arm"):
        settled(session, partial(session.open_mode, mode))
        assert ((session.message, session.mode), set(session.build.robots)) == (("", mode), {"free_flyer"})
        for robot in session.loaded.robots:
            assert robot.joint_names == packaged("free_flyer").joint_names
        seen.append(session.setup)
    for setup in seen[-2::-1]:
        session.undo()
        assert session.setup is setup
    for setup in seen[1:]:
        session.redo()
        assert session.setup is setup


def test_a_file_of_the_users_own_holds_with_another(open_file: Callable[..., None], settled: Settled) -> None:
    session = Session("puma560")
    text = draw_robot(np.random.default_rng(0), 6, kinds=("revolute",)).urdf().encode()
    open_file(session, text, "mine.urdf")
    settled(session, lambda: session.put_together(Build("multi_arm", (OWN, "panda"))))
    assert session.message == ""
    query = query_of_setup(session.setup)
    assert query["preset"] == "file"
    setup, _ = parse_setup(query, machine_of_file(text, "mine.urdf"))
    same(setup, session.setup)
    saved, texts = found_in(written(session).encode(), Session("puma560"))
    same(saved.setup, session.setup)
    assert list(texts.values()) == [text]
    with pytest.raises(RefusedError, match="not part of a link"):
        parse_setup(query)


def test_a_link_and_a_session_file_bring_it_back(settled: Settled) -> None:
    for build in BUILDS:
        session = Session("puma560")
        settled(session, partial(session.put_together, build))
        assert session.message == ""
        query = query_of(session)
        found = asked(query, Session("puma560"))
        same(found.setup, session.setup)
        assert found.setup.run().start.q == pytest.approx(session.run.start.q, abs=0.0)
        saved, _ = found_in(written(session).encode(), Session("puma560"))
        same(saved.setup, session.setup)


def test_what_a_link_says_of_a_machine_is_not_trusted() -> None:
    for text in (
        "", "single_arm", "two_arm;puma560", "single_arm;robot", "single_arm;puma560,puma560",
        "single_arm;puma560;box", "multi_arm;" + ",".join(["puma560"] * 9), "multi_arm;puma560;egg",
        "multi_arm;puma560;box,1,2", "multi_arm;puma560;box,1,2,1e9", "multi_arm;puma560;box,nan,1,1",
        "multi_arm;puma560;box,0kg", "multi_arm;puma560;box;1,2", "multi_arm;puma560;box;1,2,99",
        "multi_arm;puma560;box;1,2,3;4", "multi_arm;" + ",;" * 10_000,
    ):  # fmt: skip
        with pytest.raises(RefusedError):
            parse_setup({"preset": "built", "build": text})


def test_what_cannot_be_put_together_leaves_the_machine(settled: Settled) -> None:
    session = Session("puma560")
    before = session.setup
    far = Build("multi_arm", ("panda",) * 2, bases=(Base(-9.0, 0.0, 0.0), Base(1.0, 0.0, 0.0)))
    settled(session, lambda: session.put_together(far))
    assert "Arm 1, Panda, does not reach" in session.message
    assert session.setup is before
    assert session.mode_ahead == "Single arm"


def test_each_edit_is_a_step_back_and_on_again() -> None:
    session = paused("puma560", 0.0)
    session.walk_to_start()
    editing = RobotEditing(session)
    names = editing.robot.joint_names
    for value in (1.0, 2.0):
        editing.apply(lambda robot, value=value: with_joint(robot, names[0], damping=value))
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


def heavier(robot: dyn.Robot) -> dyn.Robot:
    return with_joint(robot, robot.joint_names[0], rotor_inertia=0.5)


def test_it_is_held_as_before_and_says_itself_in_its_file() -> None:
    for preset in ["puma560", "planar_chain", "two_arms_and_box", "free_flyer", "two_planar_arms"]:
        setup = plain(preset)
        robot, arm = robot_at(setup, 0)
        made = edited(setup, arm, heavier(robot))
        system, old = made.machine.system, setup.machine.system
        assert (system.kind, system.link_names, system.joint_names) == (old.kind, old.link_names, old.joint_names)
        assert {one.joints[0].rotor_inertia for one in system.robots} == {0.5}
        again = machine_of_file(zlib.decompress(made.machine.source), made.machine.file.name)
        assert (again.file, again.system.robots[0].joints[0].rotor_inertia) == (made.machine.file, 0.5)
        assert made.machine.origin is setup.machine
        assert is_alike(made.machine, setup.machine)


def test_the_posture_goes_along_where_it_still_fits() -> None:
    posture = (0.1, 0.2, 0.3, 0.4, 0.5)
    pull, torques = (0.0, 0.0, -1.0), {"joint_1": 0.3, "joint_2": 0.4}
    setup = Setup(machine_of_preset(PRESETS["planar_chain"]), posture=posture, gravity=pull, torques=torques)
    robot, _ = robot_at(setup, 0)
    made = edited(setup, 0, without_link(robot, "link_1"))
    assert (made.posture, made.gravity, dict(made.torques)) == (posture[1:], pull, {"joint_2": 0.4})
    assert not is_alike(made.machine, setup.machine)
    sliding = edited(setup, 0, with_joint(robot, "joint_2", kind="prismatic"))
    assert sliding.posture == (0.1, sliding.machine.state.q[1], 0.3, 0.4, 0.5)
    assert sliding.posture[1] != 0.2  # an angle is no length
    limited = edited(setup, 0, with_joint(robot, "joint_5", lower=-0.2, upper=0.2))
    assert limited.posture == (0.1, 0.2, 0.3, 0.4, 0.2)
    limited.run()


def test_changed_bodies_are_part_of_the_edited_robot_and_the_object_stays_changed() -> None:
    setup = plain("planar_chain")
    changed = Setup(setup.machine, bodies={0: setup.body(0).scaled(7.0)})
    assert robot_at(changed, 0)[0].links[0].mass == 7.0
    made = edited(changed, 0, heavier(robot_at(changed, 0)[0]))
    assert not made.bodies
    assert made.machine.system.robots[0].links[0].mass == 7.0
    held = plain("two_arms_and_box")
    n = held.machine.system.n_links
    changed = Setup(held.machine, bodies={n: held.body(n).scaled(9.0)})
    made = edited(changed, 0, without_link(robot_at(changed, 0)[0], "link_1"))
    assert {k: body.mass for k, body in made.bodies.items()} == {n - 2: 9.0}


def test_a_mesh_is_named_without_its_folder() -> None:
    """Its place on the server stays private."""
    robot = dyn.load("ur5e")
    paths = [shape.path for link in robot.links for shape in link.geometry if shape.path is not None]
    setup = edited(plain("ur5e"), 0, robot)
    for text in (text_of(robot), zlib.decompress(setup.machine.source).decode()):
        assert 'filename="wrist3.stl"' in text
        assert not any(str(PurePath(path).parent) in text for path in paths)
