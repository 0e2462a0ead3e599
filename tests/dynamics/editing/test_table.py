"""Denavit-Hartenberg tables out of robots and robots out of tables."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dynamics as dyn
from tests.dynamics.refusals import assert_all_refused
from tests.dynamics.robot.test_denavit_hartenberg import PUMA_ROWS, puma
from tests.dynamics.systems import draw_robot

pytestmark = pytest.mark.compiled_only
CONVENTIONS = ("standard", "modified")
Convention = Literal["standard", "modified"]
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


def test_the_puma_and_the_panda_have_the_tables_that_are_printed_of_them() -> None:
    table = dyn.denavit_hartenberg(puma())
    np.testing.assert_allclose(table.rows, PUMA_ROWS, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(table.base, np.eye(4))
    np.testing.assert_allclose(table.tool, np.eye(4), atol=1e-15)
    assert table.joint_names == tuple(f"joint_{k}" for k in range(1, 7))
    of_file = dyn.denavit_hartenberg(dyn.load("puma560", tip="link_6"))
    np.testing.assert_allclose(of_file.rows, PUMA_ROWS, rtol=0, atol=1e-15)
    np.testing.assert_allclose(of_file.masses, table.masses)
    np.testing.assert_allclose(of_file.centers, table.centers, atol=1e-15)
    table = dyn.denavit_hartenberg(dyn.load("panda", tip="link_7"), "modified")
    np.testing.assert_allclose(table.rows, PANDA, rtol=0, atol=1e-15)


def assert_moves_by_its_table(robot: dyn.Robot, convention: Convention, rng: np.random.Generator) -> None:
    table = dyn.denavit_hartenberg(robot, convention)
    assert_moves_alike(robot, remade(table, robot), rng)
    assert_moves_alike(robot, dyn.with_denavit_hartenberg(robot, table.rows, table.convention), rng)


def test_packaged_chains_move_by_their_tables() -> None:
    for name in ("puma560", "iiwa14", "panda", "free_flyer", "planar_chain"):
        for convention in CONVENTIONS:
            assert_moves_by_its_table(dyn.load(name), convention, np.random.default_rng(0))


@given(st.integers(0, 2**31), st.sampled_from(CONVENTIONS))
def test_a_drawn_chain_moves_by_its_table(seed: int, convention: Convention) -> None:
    """Axes in any direction, slides among them."""
    rng = np.random.default_rng(seed)
    assert_moves_by_its_table(draw_robot(rng, 6).load(), convention, rng)


@given(st.integers(0, 2**31), st.sampled_from(CONVENTIONS))
def test_a_drawn_table_comes_back(seed: int, convention: Convention) -> None:
    """With angles within a right one no row has a twin; the last row is the tool's."""
    rng = np.random.default_rng(seed)
    rows = rng.uniform(-1.5, 1.5, (5, 4))
    if convention == "modified":
        rows[0, :2] = 0.0  # of the first axis to the base: any other is in ``base``
    kinds = ["revolute", "prismatic", "revolute", "revolute", "prismatic"]
    robot = dyn.from_denavit_hartenberg(
        rows, np.ones(5), np.zeros((5, 3)), np.ones((5, 3)), convention=convention, kinds=kinds
    )
    table = dyn.denavit_hartenberg(robot, convention)
    np.testing.assert_allclose(table.rows, rows, rtol=0, atol=1e-12)
    np.testing.assert_allclose(table.base, np.eye(4), atol=1e-14)


def test_a_number_of_the_table_is_the_length_of_a_link() -> None:
    """PUMA's a2 by a hand's breadth: the elbow is farther out, and bodies stay on their own joints."""
    robot = dyn.load("puma560", tip="link_6")
    rows = dyn.denavit_hartenberg(robot).rows.copy()
    rows[1, 0] += 0.1
    longer = dyn.with_denavit_hartenberg(robot, rows)
    assert_moves_alike(longer, remade(dyn.denavit_hartenberg(longer), longer), np.random.default_rng(3))
    np.testing.assert_allclose(dyn.denavit_hartenberg(longer).rows, rows, rtol=0, atol=1e-14)
    at = robot.joint_names.index("joint_3")
    moved = longer.joints[at].origin[:3, 3] - robot.joints[at].origin[:3, 3]
    np.testing.assert_allclose(moved, (0.1, 0.0, 0.0), atol=1e-15)
    assert all(a is b for a, b in zip(robot.links, longer.links, strict=True))


def test_a_robot_without_a_table_is_refused() -> None:
    chain, table, other = dyn.planar_chain(2), dyn.denavit_hartenberg, dyn.with_denavit_hartenberg
    turned = dyn.with_joint(chain, "joint_1", axis=(np.cos(1e-8), np.sin(1e-8), 0.0))  # all but parallel
    assert_all_refused(
        {
            "a tree": (lambda: table(dyn.load("two_arm_flyer")), "branches"),
            "an inner tip": (lambda: table(dyn.load("puma560", tip="link_4")), "one row after the other"),
            "convention": (lambda: table(chain, "craig"), "convention is 'craig'"),
            "parallel": (lambda: table(turned), "'joint_2' and 'joint_1' are parallel"),
            "too many rows": (lambda: other(chain, np.zeros((3, 4))), r"expected shape \(2, 4\)"),
            "no numbers": (lambda: other(chain, np.full((2, 4), np.nan)), "nan"),
        }
    )
