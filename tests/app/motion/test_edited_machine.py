"""A machine whose robot was edited: the same place, posture and world, and a file that says the same."""

import zlib
from pathlib import PurePath

import dynamics as dyn
from app.motion.built_machine import edited, is_alike, robot_at, text_of
from app.motion.presets import PRESETS
from app.motion.setup import Setup, machine_of_file, machine_of_preset
from dynamics.editing import with_joint, without_link


def setup_of(preset: str) -> Setup:
    return Setup(machine_of_preset(PRESETS[preset]))


def heavier(robot: dyn.Robot) -> dyn.Robot:
    return with_joint(robot, robot.joint_names[0], rotor_inertia=0.5)


def test_it_is_held_as_before_and_says_itself_in_its_file() -> None:
    for preset in ["puma560", "planar_chain", "two_arms_and_box", "free_flyer", "two_planar_arms"]:
        setup = setup_of(preset)
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
    setup = Setup(
        machine_of_preset(PRESETS["planar_chain"]),
        posture=posture,
        gravity=(0.0, 0.0, -1.0),
        torques={"joint_1": 0.3, "joint_2": 0.4},
    )
    robot, _ = robot_at(setup, 0)
    made = edited(setup, 0, without_link(robot, "link_1"))
    assert (made.posture, made.gravity, dict(made.torques)) == (
        (0.2, 0.3, 0.4, 0.5),
        (0.0, 0.0, -1.0),
        {"joint_2": 0.4},
    )
    assert not is_alike(made.machine, setup.machine)
    sliding = edited(setup, 0, with_joint(robot, "joint_2", kind="prismatic"))
    assert sliding.posture == (0.1, sliding.machine.state.q[1], 0.3, 0.4, 0.5)
    assert sliding.posture[1] != 0.2  # an angle is no length
    limited = edited(setup, 0, with_joint(robot, "joint_5", lower=-0.2, upper=0.2))
    assert limited.posture == (0.1, 0.2, 0.3, 0.4, 0.2)
    limited.run()


def test_changed_bodies_are_part_of_the_edited_robot_and_the_object_stays_changed() -> None:
    setup = setup_of("planar_chain")
    changed = Setup(setup.machine, bodies={0: setup.body(0).scaled(7.0)})
    assert robot_at(changed, 0)[0].links[0].mass == 7.0
    made = edited(changed, 0, heavier(robot_at(changed, 0)[0]))
    assert not made.bodies
    assert made.machine.system.robots[0].links[0].mass == 7.0
    held = setup_of("two_arms_and_box")
    n = held.machine.system.n_links
    changed = Setup(held.machine, bodies={n: held.body(n).scaled(9.0)})
    made = edited(changed, 0, without_link(robot_at(changed, 0)[0], "link_1"))
    assert {k: body.mass for k, body in made.bodies.items()} == {n - 2: 9.0}


def test_a_mesh_is_named_without_its_folder() -> None:
    """Its place on the server stays private."""
    robot = dyn.load("ur5e")
    paths = [shape.path for link in robot.links for shape in link.geometry if shape.path is not None]
    setup = edited(Setup(machine_of_preset(PRESETS["ur5e"])), 0, robot)
    for text in (text_of(robot), zlib.decompress(setup.machine.source).decode()):
        assert 'filename="wrist3.stl"' in text
        assert not any(str(PurePath(path).parent) in text for path in paths)
