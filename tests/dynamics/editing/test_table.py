"""Denavit-Hartenberg tables out of robots and robots out of tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import dynamics as dyn
from tests.dynamics.robot.test_denavit_hartenberg import PUMA_ROWS, puma
from tests.dynamics.systems import draw_robot

CONVENTIONS = ("standard", "modified")
PANDA = [  # as its maker prints it: a, alpha, d, theta, modified
    (0, 0, 0.333, 0), (0, -np.pi / 2, 0, 0), (0, np.pi / 2, 0.316, 0), (0.0825, np.pi / 2, 0, 0),
    (-0.0825, -np.pi / 2, 0.384, 0), (0, np.pi / 2, 0, 0), (0.088, np.pi / 2, 0, 0),
]  # fmt: skip


def remade(table: dyn.DenavitHartenberg, robot: dyn.Robot) -> dyn.Robot:
    joints = robot.joints[::-1]
    return dyn.from_denavit_hartenberg(
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
    tips = [dyn.tip_poses(system, system.state(q=q)) for system in (a, b)]
    np.testing.assert_allclose(tips[1], tips[0], rtol=0, atol=1e-12)


def test_the_puma_has_the_table_that_is_printed_of_it() -> None:
    table = dyn.denavit_hartenberg(puma())
    np.testing.assert_allclose(table.rows, PUMA_ROWS, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(table.base, np.eye(4))
    np.testing.assert_allclose(table.tool, np.eye(4), atol=1e-15)
    assert table.joint_names == tuple(f"joint_{k}" for k in range(1, 7))
    of_file = dyn.denavit_hartenberg(dyn.load("puma560", tip="link_6"))
    np.testing.assert_allclose(of_file.rows, PUMA_ROWS, rtol=0, atol=1e-15)
    np.testing.assert_allclose(of_file.masses, table.masses)
    np.testing.assert_allclose(of_file.centers, table.centers, atol=1e-15)


def test_the_panda_has_the_table_that_its_maker_prints() -> None:
    table = dyn.denavit_hartenberg(dyn.load("panda", tip="link_7"), "modified")
    np.testing.assert_allclose(table.rows, PANDA, rtol=0, atol=1e-15)


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("name", ["puma560", "iiwa14", "panda", "free_flyer", "planar_chain"])
def test_a_packaged_chain_moves_by_its_table(name: str, convention: str) -> None:
    robot = dyn.load(name)
    table = dyn.denavit_hartenberg(robot, convention)  # type: ignore[arg-type]
    assert_moves_alike(robot, remade(table, robot), np.random.default_rng(0))
    assert_moves_alike(
        robot, dyn.with_denavit_hartenberg(robot, table.rows, table.convention), np.random.default_rng(1)
    )


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("seed", range(5))
def test_a_drawn_chain_moves_by_its_table(seed: int, convention: str) -> None:
    """Axes in any direction, slides among them."""
    rng = np.random.default_rng(seed)
    robot = draw_robot(rng, 6).load()
    table = dyn.denavit_hartenberg(robot, convention)  # type: ignore[arg-type]
    assert_moves_alike(robot, remade(table, robot), rng)
    assert_moves_alike(robot, dyn.with_denavit_hartenberg(robot, table.rows, table.convention), rng)


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("seed", range(5))
def test_a_drawn_table_comes_back(seed: int, convention: str) -> None:
    """With angles within a right one no row has a twin; the last row is the tool's."""
    rng = np.random.default_rng(seed)
    rows = rng.uniform(-1.5, 1.5, (5, 4))
    if convention == "modified":
        rows[0, :2] = 0.0  # of the first axis to the base: any other is in ``base``
    kinds = ["revolute", "prismatic", "revolute", "revolute", "prismatic"]
    robot = dyn.from_denavit_hartenberg(
        rows, np.ones(5), np.zeros((5, 3)), np.ones((5, 3)), convention=convention, kinds=kinds  # type: ignore[arg-type]
    )  # fmt: skip
    table = dyn.denavit_hartenberg(robot, convention)  # type: ignore[arg-type]
    np.testing.assert_allclose(table.rows, rows, rtol=0, atol=1e-12)
    np.testing.assert_allclose(table.base, np.eye(4), atol=1e-14)


def test_a_number_of_the_table_is_the_length_of_a_link() -> None:
    """PUMA's a2 by a hand's breadth: the elbow is farther out, and bodies stay on their own joints."""
    robot = dyn.load("puma560", tip="link_6")
    rows = dyn.denavit_hartenberg(robot).rows.copy()
    rows[1, 0] += 0.1
    longer = dyn.with_denavit_hartenberg(robot, rows)
    assert_moves_alike(longer, remade(replace(dyn.denavit_hartenberg(longer)), longer), np.random.default_rng(3))
    np.testing.assert_allclose(dyn.denavit_hartenberg(longer).rows, rows, rtol=0, atol=1e-14)
    at = robot.joint_names.index("joint_3")
    moved = longer.joints[at].origin[:3, 3] - robot.joints[at].origin[:3, 3]
    np.testing.assert_allclose(moved, (0.1, 0.0, 0.0), atol=1e-15)
    assert all(a is b for a, b in zip(robot.links, longer.links, strict=True))


def turned_by(robot: dyn.Robot, angle: float) -> dyn.Robot:
    """The second joint of a planar chain all but parallel to the first."""
    return dyn.with_joint(robot, "joint_1", axis=(np.cos(angle), np.sin(angle), 0.0))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: dyn.denavit_hartenberg(dyn.load("two_arm_flyer")), "branches"),
        (lambda: dyn.denavit_hartenberg(dyn.load("puma560", tip="link_4")), "one row after the other"),
        (lambda: dyn.denavit_hartenberg(dyn.planar_chain(2), "craig"), "convention is 'craig'"),  # type: ignore[arg-type]
        (lambda: dyn.denavit_hartenberg(turned_by(dyn.planar_chain(2), 1e-8)), "'joint_2' and 'joint_1' are parallel"),
        (lambda: dyn.with_denavit_hartenberg(dyn.planar_chain(2), np.zeros((3, 4))), r"expected shape \(2, 4\)"),
        (lambda: dyn.with_denavit_hartenberg(dyn.planar_chain(2), np.full((2, 4), np.nan)), "nan"),
    ],
)  # fmt: skip
def test_what_a_table_cannot_say_is_said(make, words: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(dyn.ModelError, match=words):
        make()
