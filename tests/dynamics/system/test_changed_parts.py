"""A system whose bodies, gravity or losses were changed is the one that Pinocchio makes of a file that says so."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

import dynamics as dyn
from dynamics.robot import with_body, with_damping
from dynamics.system import with_object_center, with_parts
from tests.dynamics.every import every
from tests.dynamics.refusals import assert_all_refused
from tests.dynamics.systems import DrawnLink, DrawnRobot, draw_robot
from tests.dynamics.twins import arms_and_object, one_arm

HEAVY = np.array([[0.9, 0.05, -0.1], [0.05, 0.7, 0.02], [-0.1, 0.02, 0.5]])
CENTER = np.array([0.11, -0.07, 0.2])
MOON = (0.3, -0.2, -1.62)


def heavier(drawn: DrawnRobot, number: int) -> DrawnRobot:
    link = DrawnLink(6.5, CENTER, np.zeros(3), HEAVY)
    return replace(drawn, links=(*drawn.links[:number], link, *drawn.links[number + 1 :]))


@every((number, floating) for number in (0, 2, 5) for floating in (False, True))
def test_one_link_of_a_tree(number: int, floating: bool) -> None:
    """Number 0 is the root, which a fixed base does not feel and a floating one does."""
    drawn = draw_robot(np.random.default_rng(number), 6, branching=0.5, fixed=0.0)
    robots = drawn, heavier(drawn, number)
    plain, twin = (one_arm(np.random.default_rng(8), robot, floating=floating) for robot in robots)
    robot = with_body(plain.system.robots[0], f"l{number}", 6.5, CENTER, HEAVY)
    twin.require(dyn.forward_dynamics(with_parts(plain.system, [robot]), twin.state, twin.tau))


@every([["rigid", "rigid"], ["rigid", "point"]])
def test_one_of_two_arms_of_one_robot_that_hold_an_object(contacts: Sequence[str]) -> None:
    drawn = draw_robot(np.random.default_rng(3), 6, fixed=0.0, mass_decades=1.0)
    others = drawn, heavier(drawn, 4)
    plain, twin = (arms_and_object(np.random.default_rng(4), [drawn, other], contacts) for other in others)
    first, second = plain.system.robots
    assert first is second
    changed = with_parts(plain.system, [first, with_body(second, "l4", 6.5, CENTER, HEAVY)], MOON)
    twin.world.model.gravity.linear = np.array(MOON)
    twin.require(dyn.forward_dynamics(changed, twin.state, twin.tau))
    assert changed.contacts is plain.system.contacts
    dropped = dyn.release(changed)
    assert dropped.robots == changed.robots
    np.testing.assert_array_equal(dropped.gravity, MOON)


BODIES = [
    ({"inertia": np.diag([1.0, 0.1, 0.1])}, "triangle inequality"),
    ({"inertia": np.diag([-1.0, 1.0, 1.0])}, "none below zero"),
    ({"inertia": [[1.0, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]}, "not symmetric"),
    ({"mass": -1.0}, "zero or more"),
    ({"mass": 0.0}, "a body without mass"),
    ({"mass": 0.0, "center_of_mass": np.zeros(3), "inertia": np.zeros((3, 3))}, "moves no inertia"),
    ({"mass": np.nan}, "finite"),
    ({"center_of_mass": [0.0, np.inf, 0.0]}, "finite"),
    ({"link": "elbow"}, "there is no link 'elbow'"),
]


def test_parts_that_no_matter_has_or_that_do_not_fit_are_refused() -> None:
    robot, flyer = dyn.planar_chain(2), dyn.free_flyer(dyn.load("free_flyer"))
    system, first, root = dyn.single_arm(robot), robot.joints[0], flyer.robots[0].root.name
    turned = {"axis": np.array([0.0, 1.0, 0.0])}, {"origin": first.origin @ np.diag([-1.0, -1.0, 1.0, 1.0])}
    rows = {f"{c}": (lambda c=c: with_body(robot, **({"link": "link_1"} | c)), words) for c, words in BODIES}
    others = [dyn.planar_chain(3), *(replace(robot, joints=(replace(first, **c), robot.joints[1])) for c in turned)]
    rows |= {
        f"other {k}": (lambda o=other: with_parts(system, [o]), "other links, joints, loops or tips")
        for k, other in enumerate(others)
    }
    light = with_body(flyer.robots[0], root, 0.0, np.zeros(3), np.zeros((3, 3)))
    assert_all_refused(rows | {
        "damping": (lambda: with_damping(robot, {"joint_1": -0.1}), "zero or more"),
        "knee": (lambda: with_damping(robot, {"knee": 1.0}), "no joint 'knee'"),
        "object": (lambda: with_object_center(system, np.zeros(3)), "no task object"),
        "none": (lambda: with_parts(system, []), "expected 1, one for each arm"),
        "gravity": (lambda: with_parts(system, gravity=(0.0, np.nan, 0.0)), "gravity"),
        "flyer": (lambda: with_parts(flyer, [light]), "positive"),
    })  # fmt: skip


@every([0, 1])
def test_an_object_whose_mass_centre_is_elsewhere_is_a_link_that_weighs_so(seed: int) -> None:
    """Held rigidly by one arm it is a part of the last link, so both must move alike under the same torques."""
    rng = np.random.default_rng(seed)
    drawn = draw_robot(rng, 5, fixed=0.0)
    held = arms_and_object(rng, [drawn], ["rigid"])
    away = rng.normal(0.0, 0.3, 3)
    moved = with_object_center(held.system, away)
    pose, velocity = held.state.object_pose, held.state.object_velocity
    place, twist, lever = pose.copy(), velocity.copy(), pose[:3, :3] @ away
    place[:3, 3] += lever
    twist[3:] += np.cross(velocity[:3], lever)
    state = replace(held.state, object_pose=place, object_velocity=twist)
    robot, payload, contact = held.system.robots[0], held.system.task_object, held.system.contacts[0]
    link = robot.links[[each.name for each in robot.links].index(held.system.link_names[contact.link])]
    at = contact.tip_pose @ np.linalg.inv(contact.object_pose)
    center = at[:3, 3] + at[:3, :3] @ away
    mass = link.mass + payload.mass
    both = (link.mass * link.center_of_mass + payload.mass * center) / mass
    inertia = link.inertia + at[:3, :3] @ payload.inertia @ at[:3, :3].T
    for weight, where in ((link.mass, link.center_of_mass), (payload.mass, center)):
        arm = where - both
        inertia = inertia + weight * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    whole = with_body(robot, link.name, mass, both, inertia)
    merged = dyn.single_arm(whole, held.system.gravity, held.system.base_poses[0])
    alone = dyn.forward_dynamics(merged, merged.state(state.q, state.qd), held.tau).joint_acceleration
    carried = dyn.forward_dynamics(moved, state, held.tau).joint_acceleration
    before = held.expected().joint_acceleration
    np.testing.assert_allclose(carried, alone, rtol=0.0, atol=1e-9 * np.abs(alone).max())
    assert np.abs(carried - list(before.values())).max() > 1e-3 * np.abs(alone).max()
    assert dyn.agreement(moved, state, held.tau).worst < 1e-9
