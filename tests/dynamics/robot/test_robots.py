"""Robots edited: each change and each refusal; and the table of Denavit and Hartenberg, both ways."""

from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dynamics as dyn
from dynamics.robot import (
    DenavitHartenberg,
    denavit_hartenberg,
    from_denavit_hartenberg,
    with_denavit_hartenberg,
    with_density,
    with_joint,
    with_link,
    without_link,
)
from tests.dynamics.refusals import assert_all_refused
from tests.dynamics.robot.test_denavit_hartenberg import PUMA_ROWS, puma
from tests.dynamics.systems import draw_pose, draw_robot

pytestmark = pytest.mark.compiled_only


def test_home_posture_and_joint_inertia_follow_a_changed_joint() -> None:
    assert with_joint(dyn.planar_chain(2), "joint_1", friction=0.3).joints[0].friction == (0.3, 0.3)
    robot = dyn.load("puma560")
    assert robot.home["joint_2"] > 0.5
    made = with_joint(robot, "joint_2", name="shoulder", upper=0.25)
    assert made.home["shoulder"] == 0.25
    assert "joint_2" not in made.home
    # A hanging rod turns about its end: D grows by its rotor.
    robot = dyn.planar_chain(1)

    def gain(robot: dyn.Robot) -> float:
        system = dyn.single_arm(robot)
        stages = dyn.forward_dynamics(system, system.state()).stages
        return float(stages["filter"]["joint_inertia"][0])

    assert gain(with_joint(robot, "joint_1", rotor_inertia=0.5)) == pytest.approx(gain(robot) + 0.5, abs=1e-15)
    longer = robot.joints[0].origin.copy()
    longer[:3, 3] = 0.0, -1.0, 0.0
    assert gain(with_joint(robot, "joint_1", origin=longer)) == pytest.approx(gain(robot), abs=1e-15)


CHANGES = [
    ({"joint": "elbow"}, "there is no joint 'elbow'; the joints are joint_1, joint_2"),
    ({"name": "joint_2"}, "joint name 'joint_2' is used twice"), ({"kind": "screw"}, "'screw'"),
    ({"axis": (0, 0, 0)}, "expected a direction"), ({"axis": (0, 1)}, "axis"), ({"origin": 2 * np.eye(4)}, "origin"),
    ({"lower": 2.0, "upper": 1.0}, "lower limit 2 is above upper limit 1"), ({"lower": np.nan}, "lower is nan"),
    ({"damping": -1.0}, "damping is -1"), ({"damping": np.inf}, "damping is inf"),
    ({"friction": (1, 2, 3)}, "friction"), ({"rotor_inertia": -0.1}, "rotor inertia is -0.1"),
    ({"effort": -1}, "effort limit is -1"), ({"velocity": "fast"}, "velocity"),
]  # fmt: skip


def test_impossible_joints_links_and_solids_are_refused_by_name() -> None:
    chain, first = dyn.planar_chain(2), {"joint": "joint_1"}
    rows = {
        f"joint, {words}": (lambda c=changes: with_joint(chain, **(first | c)), words) for changes, words in CHANGES
    }
    weightless = dyn.Link("a", 0.0, np.zeros(3), np.zeros((3, 3)))
    added = [
        ("hand", body("a"), step("b"), "there is no link 'hand'; the links are link_1, link_2, base"),
        ("link_1", body("link_2"), step("b"), "'link_2' belongs to a link or frame"),
        ("link_1", body("tip"), step("b"), "'tip' belongs to a link or frame"),
        ("link_1", body("a"), step("joint_2"), "joint name 'joint_2' is used twice"),
        ("link_1", weightless, step("b"), "moves no inertia"),
        ("link_1", body("a"), step("b", kind="screw"), "'screw'"),
    ]
    taken = [
        ("base", "join", "there is no moving link 'base'"), ("link_2", "remove", "nothing moves"),
        ("link_1", "weld", "outboard is 'weld'"),
    ]  # fmt: skip
    rows |= {words: (lambda a=arguments: with_link(chain, *a), words) for *arguments, words in added}
    rows |= {words: (lambda a=arguments: without_link(chain, *a), words) for *arguments, words in taken}
    whole = {"link": "link_1", "density": 1000.0}
    rows |= {f"{given}": (lambda a=given: with_density(chain, **(whole | a)), words) for given, words in SOLIDS}
    assert len(rows) == len(CHANGES) + len(added) + len(taken) + len(SOLIDS)
    assert_all_refused(rows)


def body(name: str) -> dyn.Link:
    return dyn.Link(name, 0.5, np.array([0.0, -0.1, 0.0]), 0.01 * np.eye(3))


def step(name: str, y: float = -0.3, kind: str = "revolute") -> dyn.Joint:
    origin = np.eye(4)
    origin[1, 3] = y
    return dyn.Joint(name, kind, np.array([1.0, 0.0, 0.0]), origin)


def accelerations(robot: dyn.Robot, q: dict[str, float]) -> dict[str, float]:
    system = dyn.single_arm(robot)
    state = system.state(q=system.to_joint_vector(q), qd=system.to_joint_vector(q))
    return dict(zip(robot.joint_names, dyn.forward_dynamics(system, state).joint_acceleration.tolist(), strict=True))


def test_links_are_added_and_removed() -> None:
    three = dyn.planar_chain(3)
    two = without_link(three, "link_1")
    assert two.joint_names == ("joint_2", "joint_3")
    assert [(tip.name, tip.link, tip.pose[1, 3]) for tip in two.tips] == [("tip", 0, pytest.approx(-0.3))]
    again = with_link(two, "link_2", three.links[0], three.joints[0])
    assert again.joint_names == three.joint_names
    assert [(tip.name, tip.link) for tip in again.tips] == [("link_1", 0)]
    q = {"joint_1": 0.3, "joint_2": -0.4, "joint_3": 0.5}
    assert accelerations(again, q) == accelerations(three, q)
    chain = dyn.planar_chain(3)
    tree = with_link(chain, "link_2", body("thumb"), step("opposing"))
    assert tree.joint_names == ("joint_1", "opposing", "joint_2", "joint_3")
    assert tree.inboard == (2, 2, 3, 4)
    assert [(tip.name, tip.link) for tip in tree.tips] == [("tip", 0), ("thumb", 1)]
    back = without_link(tree, "thumb")
    assert back.inboard == chain.inboard
    assert [(tip.name, tip.link) for tip in back.tips] == [("tip", 0)]
    assert accelerations(back, q) == accelerations(chain, q)
    two = with_link(dyn.planar_chain(2), "base", body("flag"), step("mast"))
    assert two.inboard == (1, 3, 3)
    assert [tip.name for tip in two.tips] == ["tip", "flag"]
    tree = with_link(dyn.planar_chain(3), "base", body("flag"), step("mast"))
    made = without_link(tree, "link_3", "remove")
    assert made.joint_names == ("mast",)
    assert [(tip.name, tip.link) for tip in made.tips] == [("flag", 0)]
    assert set(made.frames) == {"base", "flag"}
    robot = draw_robot(np.random.default_rng(7), 5, fixed=0.0).load()
    name = robot.links[2].name
    made = without_link(robot, name)
    before, after = dyn.single_arm(robot), dyn.single_arm(made)
    q = {joint: 0.2 * k for k, joint in enumerate(made.joint_names)}
    poses, found = (
        dict(zip(each.link_names, dyn.forward_kinematics(each, each.state(q=q)).pose, strict=True))
        for each in (before, after)
    )
    for link, pose in found.items():
        np.testing.assert_allclose(pose, poses[link], rtol=0, atol=1e-14)


@given(st.integers(0, 2**31))
def test_a_tree_grown_at_random_is_read_again_as_it_is(seed: int) -> None:
    """Links in the order of a file's, tips that are its own, and the same motion."""
    rng = np.random.default_rng(seed)
    robot = dyn.planar_chain(2)
    for k in range(6):
        carrier = str(rng.choice([link.name for link in (*robot.links, robot.root)]))
        joint = dyn.Joint(f"j{k}", "revolute", np.array([0.0, 0.6, 0.8]), draw_pose(rng, 0.3))
        robot = with_link(robot, carrier, body(f"l{k}"), joint)
    again = dyn.load_urdf_text(dyn.urdf_text(robot))
    assert again.joint_names == robot.joint_names
    assert [(tip.name, tip.link) for tip in again.tips] == [(tip.name, tip.link) for tip in robot.tips]
    outermost = set(range(len(robot.links))) - set(robot.inboard)
    assert {tip.link for tip in robot.tips} == outermost
    q = {joint: 0.1 * k for k, joint in enumerate(robot.joint_names)}
    one, other = accelerations(robot, q), accelerations(again, q)
    assert other == pytest.approx(one, rel=1e-11, abs=1e-11)


INSIDE = {
    "box": lambda p, s: (np.abs(p) <= 0.5 * np.array(s)).all(axis=1),
    "sphere": lambda p, s: (p**2).sum(axis=1) <= s[0] ** 2,
    "cylinder": lambda p, s: (np.hypot(p[:, 0], p[:, 1]) <= s[0]) & (np.abs(p[:, 2]) <= 0.5 * s[1]),
    "capsule": lambda p, s: (p[:, 0] ** 2 + p[:, 1] ** 2 + np.maximum(np.abs(p[:, 2]) - 0.5 * s[1], 0.0) ** 2 <= s[0]
        ** 2),
}  # fmt: skip
SIZES = {"box": (0.2, 0.3, 0.5), "sphere": (0.3,), "cylinder": (0.2, 0.6), "capsule": (0.2, 0.5)}
HALF_EDGES = {"box": (0.1, 0.15, 0.25), "sphere": (0.3,) * 3, "cylinder": (0.2, 0.2, 0.3), "capsule": (0.2, 0.2, 0.45)}
"""Of a box around each."""


def test_a_solid_has_the_mass_and_inertia_of_points_drawn_in_it() -> None:
    rng = np.random.default_rng(0)
    for kind, size in SIZES.items():
        pose = draw_pose(rng)
        robot = with_density(dyn.planar_chain(2), "link_1", 800.0, [dyn.Geometry(kind, size, pose)])
        body = robot.links[0]
        points = rng.uniform(-1.0, 1.0, (400_000, 3)) * HALF_EDGES[kind]
        inside = points[INSIDE[kind](points, size)]
        each = 800.0 * 8.0 * np.prod(HALF_EDGES[kind]) / len(points)
        spread = inside.T @ inside * each
        inertia = pose[:3, :3] @ (np.trace(spread) * np.eye(3) - spread) @ pose[:3, :3].T
        assert body.mass == pytest.approx(each * len(inside), rel=0.01), kind
        np.testing.assert_allclose(body.center_of_mass, pose[:3, 3], atol=1e-14)
        np.testing.assert_allclose(body.inertia, inertia, rtol=0, atol=0.01 * np.abs(inertia).max(), err_msg=kind)


SOLIDS = [
    ({"link": "elbow"}, "there is no link 'elbow'"), ({"density": 0.0}, "density is 0 kg/m"),
    ({"density": "lead"}, "density"), ({"link": "tip", "shapes": [3]}, "there is no link"),
    ({"shapes": [3]}, "3 is not a Geometry"), ({"link": "base"}, "has no shape to weigh"),
    ({"shapes": [dyn.Geometry("mesh", (1.0, 1.0, 1.0), np.eye(4))]}, "the volume of a mesh is not known"),
    ({"shapes": [dyn.Geometry("box", (1.0, -1.0, 1.0), np.eye(4))]}, "lengths above zero"),
    ({"shapes": [dyn.Geometry("box", (1.0,), np.eye(4))]}, "size of a box"),
]  # fmt: skip
CONVENTIONS = ("standard", "modified")
Convention = Literal["standard", "modified"]
PANDA = [  # as its maker prints it: a, alpha, d, theta, modified
    (0, 0, 0.333, 0), (0, -np.pi / 2, 0, 0), (0, np.pi / 2, 0.316, 0), (0.0825, np.pi / 2, 0, 0),
    (-0.0825, -np.pi / 2, 0.384, 0), (0, np.pi / 2, 0, 0), (0.088, np.pi / 2, 0, 0),
]  # fmt: skip


def remade(table: DenavitHartenberg, robot: dyn.Robot) -> dyn.Robot:
    joints = robot.joints[::-1]
    return from_denavit_hartenberg(
        table.rows, table.masses, table.centers, table.inertias, convention=table.convention, kinds=table.kinds,
        base=table.base, tool=table.tool, rotor_inertia=[joint.rotor_inertia for joint in joints],
        damping=[joint.damping for joint in joints], friction=[joint.friction for joint in joints],
    )  # fmt: skip


def assert_moves_alike(one: dyn.Robot, other: dyn.Robot, rng: np.random.Generator) -> None:
    a, b = dyn.single_arm(one), dyn.single_arm(other)
    q, qd, tau = rng.normal(size=(3, len(one.joints)))
    expected = dyn.forward_dynamics(a, a.state(q=q, qd=qd), tau).joint_acceleration
    found = dyn.forward_dynamics(b, b.state(q=q, qd=qd), tau).joint_acceleration
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11 * np.abs(expected).max())
    tips = [dyn.forward_kinematics(system, system.state(q=q)).tip_pose for system in (a, b)]
    np.testing.assert_allclose(tips[1], tips[0], rtol=0, atol=1e-12)


def test_the_puma_and_the_panda_have_the_tables_that_are_printed_of_them() -> None:
    table = denavit_hartenberg(puma())
    np.testing.assert_allclose(table.rows, PUMA_ROWS, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(table.base, np.eye(4))
    np.testing.assert_allclose(table.tool, np.eye(4), atol=1e-15)
    assert table.joint_names == tuple(f"joint_{k}" for k in range(1, 7))
    of_file = denavit_hartenberg(dyn.load("puma560", tip="link_6"))
    np.testing.assert_allclose(of_file.rows, PUMA_ROWS, rtol=0, atol=1e-15)
    np.testing.assert_allclose(of_file.masses, table.masses)
    np.testing.assert_allclose(of_file.centers, table.centers, atol=1e-15)
    table = denavit_hartenberg(dyn.load("panda", tip="link_7"), "modified")
    np.testing.assert_allclose(table.rows, PANDA, rtol=0, atol=1e-15)


@given(st.integers(0, 2**31), st.sampled_from(CONVENTIONS))
def test_a_drawn_chain_moves_by_its_table(seed: int, convention: Convention) -> None:
    rng = np.random.default_rng(seed)
    robot = draw_robot(rng, 6).load()
    table = denavit_hartenberg(robot, convention)
    assert_moves_alike(robot, remade(table, robot), rng)
    assert_moves_alike(robot, with_denavit_hartenberg(robot, table.rows, table.convention), rng)


@given(st.integers(0, 2**31), st.sampled_from(CONVENTIONS))
def test_a_drawn_table_comes_back(seed: int, convention: Convention) -> None:
    """With angles within a right one no row has a twin; the last row is the tool's."""
    rng = np.random.default_rng(seed)
    rows = rng.uniform(-1.5, 1.5, (5, 4))
    if convention == "modified":
        rows[0, :2] = 0.0  # of the first axis to the base: any other is in ``base``
    kinds = ["revolute", "prismatic", "revolute", "revolute", "prismatic"]
    robot = from_denavit_hartenberg(
        rows, np.ones(5), np.zeros((5, 3)), np.ones((5, 3)), convention=convention, kinds=kinds
    )
    table = denavit_hartenberg(robot, convention)
    np.testing.assert_allclose(table.rows, rows, rtol=0, atol=1e-12)
    np.testing.assert_allclose(table.base, np.eye(4), atol=1e-14)


def test_a_number_of_the_table_is_the_length_of_a_link() -> None:
    """PUMA's a2 by a hand's breadth: the elbow is farther out, and bodies stay on their own joints."""
    robot = dyn.load("puma560", tip="link_6")
    rows = denavit_hartenberg(robot).rows.copy()
    rows[1, 0] += 0.1
    longer = with_denavit_hartenberg(robot, rows)
    assert_moves_alike(longer, remade(denavit_hartenberg(longer), longer), np.random.default_rng(3))
    np.testing.assert_allclose(denavit_hartenberg(longer).rows, rows, rtol=0, atol=1e-14)
    at = robot.joint_names.index("joint_3")
    moved = longer.joints[at].origin[:3, 3] - robot.joints[at].origin[:3, 3]
    np.testing.assert_allclose(moved, (0.1, 0.0, 0.0), atol=1e-15)
    assert all(a is b for a, b in zip(robot.links, longer.links, strict=True))


def test_a_robot_without_a_table_is_refused() -> None:
    chain, table, other = dyn.planar_chain(2), denavit_hartenberg, with_denavit_hartenberg
    turned = with_joint(chain, "joint_1", axis=(np.cos(1e-8), np.sin(1e-8), 0.0))  # all but parallel
    assert_all_refused({
        "a tree": (lambda: table(dyn.load("two_arm_flyer")), "branches"),
        "an inner tip": (lambda: table(dyn.load("puma560", tip="link_4")), "describes a single chain"),
        "convention": (lambda: table(chain, "craig"), "convention is 'craig'"),
        "parallel": (lambda: table(turned), "'joint_2' and 'joint_1' are parallel"),
        "too many rows": (lambda: other(chain, np.zeros((3, 4))), r"expected shape \(2, 4\)"),
        "no numbers": (lambda: other(chain, np.full((2, 4), np.nan)), "nan"),
    })  # fmt: skip
