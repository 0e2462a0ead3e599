"""Links added and taken away: the same numbers as a file that had them so from the first."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from tests.dynamics.systems import draw_pose, draw_robot


def body(name: str) -> dyn.Link:
    return dyn.Link(name, 0.5, np.array([0.0, -0.1, 0.0]), 0.01 * np.eye(3))


def step(name: str, y: float = -0.3, kind: str = "revolute") -> dyn.Joint:
    origin = np.eye(4)
    origin[1, 3] = y
    return dyn.Joint(name, kind, np.array([1.0, 0.0, 0.0]), origin)  # type: ignore[arg-type]


def accelerations(robot: dyn.Robot, q: dict[str, float]) -> dict[str, float]:
    system = dyn.single_arm(robot)
    state = system.state(q=system.to_joint_vector(q), qd=system.to_joint_vector(q))
    return dict(zip(robot.joint_names, dyn.forward_dynamics(system, state).joint_acceleration.tolist(), strict=True))


def test_a_chain_of_three_is_one_of_two_and_a_link() -> None:
    three = dyn.planar_chain(3)
    two = dyn.without_link(three, "link_1")
    assert two.joint_names == ("joint_2", "joint_3")
    assert [(tip.name, tip.link, tip.pose[1, 3]) for tip in two.tips] == [("tip", 0, pytest.approx(-0.3))]
    again = dyn.with_link(two, "link_2", three.links[0], three.joints[0])
    assert again.joint_names == three.joint_names
    assert [(tip.name, tip.link) for tip in again.tips] == [("link_1", 0)]
    q = {"joint_1": 0.3, "joint_2": -0.4, "joint_3": 0.5}
    assert accelerations(again, q) == accelerations(three, q)


def test_a_branch_is_a_tip_more_and_goes_as_it_came() -> None:
    chain = dyn.planar_chain(3)
    tree = dyn.with_link(chain, "link_2", body("thumb"), step("opposing"))
    assert tree.joint_names == ("joint_1", "opposing", "joint_2", "joint_3")
    assert tree.inboard == (2, 2, 3, 4)
    assert [(tip.name, tip.link) for tip in tree.tips] == [("tip", 0), ("thumb", 1)]
    back = dyn.without_link(tree, "thumb")
    assert back.inboard == chain.inboard
    assert [(tip.name, tip.link) for tip in back.tips] == [("tip", 0)]
    q = {"joint_1": 0.3, "joint_2": -0.4, "joint_3": 0.5}
    assert accelerations(back, q) == accelerations(chain, q)


def test_a_tool_point_may_stand_elsewhere_than_the_new_link() -> None:
    end = np.eye(4)
    end[:3, 3] = 0.0, -0.3, 0.0
    made = dyn.with_link(dyn.planar_chain(2), "link_1", body("hand"), step("wrist"), end)
    assert [(tip.name, tip.link, tip.pose[1, 3]) for tip in made.tips] == [("hand_tip", 0, -0.3)]
    assert made.frames["hand"].pose[1, 3] == 0.0
    with pytest.raises(dyn.ModelError, match="'hand_tip' is a link's or frame's"):
        dyn.with_link(dyn.without_link(made, "link_2"), "base", body("hand_tip"), step("other"))


def test_a_link_on_the_root_is_a_branch() -> None:
    tree = dyn.with_link(dyn.planar_chain(2), "base", body("flag"), step("mast"))
    assert tree.inboard == (1, 3, 3)
    assert [tip.name for tip in tree.tips] == ["tip", "flag"]


def test_what_a_link_carried_is_carried_by_its_neighbor_where_it_stood() -> None:
    robot = draw_robot(np.random.default_rng(7), 5, fixed=0.0).load()
    name = robot.links[2].name
    made = dyn.without_link(robot, name)
    before, after = dyn.single_arm(robot), dyn.single_arm(made)
    q = {joint: 0.2 * k for k, joint in enumerate(made.joint_names)}
    poses = dict(zip(before.link_names, dyn.link_poses(before, before.state(q=before.to_joint_vector(q))), strict=True))
    found = dyn.link_poses(after, after.state(q=after.to_joint_vector(q)))
    for link, pose in zip(after.link_names, found, strict=True):
        np.testing.assert_allclose(pose, poses[link], rtol=0, atol=1e-14)


def test_a_branch_is_removed_with_all_that_it_carries() -> None:
    tree = dyn.with_link(dyn.planar_chain(3), "base", body("flag"), step("mast"))
    made = dyn.without_link(tree, "link_3", "remove")
    assert made.joint_names == ("mast",)
    assert [(tip.name, tip.link) for tip in made.tips] == [("flag", 0)]
    assert set(made.frames) == {"base", "flag"}


@pytest.mark.parametrize("seed", range(4))
def test_a_tree_grown_at_random_is_read_again_as_it_is(seed: int) -> None:
    """Links in the order of a file's, tips that are its own, and the same motion."""
    rng = np.random.default_rng(seed)
    robot = dyn.planar_chain(2)
    for k in range(6):
        carrier = str(rng.choice([link.name for link in (*robot.links, robot.root)]))
        joint = dyn.Joint(f"j{k}", "revolute", np.array([0.0, 0.6, 0.8]), draw_pose(rng, 0.3))
        robot = dyn.with_link(robot, carrier, body(f"l{k}"), joint)
    again = dyn.load_urdf_text(dyn.urdf_text(robot))
    assert again.joint_names == robot.joint_names
    assert [(tip.name, tip.link) for tip in again.tips] == [(tip.name, tip.link) for tip in robot.tips]
    outermost = set(range(len(robot.links))) - set(robot.inboard)
    assert {tip.link for tip in robot.tips} == outermost
    q = {joint: 0.1 * k for k, joint in enumerate(robot.joint_names)}
    one, other = accelerations(robot, q), accelerations(again, q)
    assert other == pytest.approx(one, rel=1e-11, abs=1e-11)


@pytest.mark.parametrize(
    ("inboard", "link", "joint", "words"),
    [
        ("hand", body("a"), step("b"), "there is no link 'hand'; the links are link_1, link_2, base"),
        ("link_1", body("link_2"), step("b"), "'link_2' is a link's or frame's"),
        ("link_1", body("tip"), step("b"), "'tip' is a link's or frame's"),
        ("link_1", body("a"), step("joint_2"), "joint name 'joint_2' is used twice"),
        ("link_1", dyn.Link("a", 0.0, np.zeros(3), np.zeros((3, 3))), step("b"), "outermost moving link without mass"),
        ("link_1", body("a"), step("b", kind="screw"), "'screw'"),
    ],
)
def test_a_link_that_cannot_be_is_refused(inboard: str, link: dyn.Link, joint: dyn.Joint, words: str) -> None:
    with pytest.raises(dyn.ModelError, match=words):
        dyn.with_link(dyn.planar_chain(2), inboard, link, joint)


@pytest.mark.parametrize(
    ("link", "outboard", "words"),
    [
        ("base", "join", "there is no moving link 'base'"),
        ("link_2", "remove", "nothing of it moves"),
        ("link_1", "weld", "outboard is 'weld'"),
    ],
)
def test_a_link_that_cannot_go_stays(link: str, outboard: str, words: str) -> None:
    with pytest.raises(dyn.ModelError, match=words):
        dyn.without_link(dyn.planar_chain(2), link, outboard)  # type: ignore[arg-type]
