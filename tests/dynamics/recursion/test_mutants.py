"""Cases that only a mutated recursion brought up: levers, blocks and signs that the usual grasps leave at zero."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import dynamics as dyn
from dynamics.methods.innovations import innovations
from dynamics.operators.composite_inertia import composite_inertia
from dynamics.operators.influence import influence
from dynamics.operators.rebase import rebase, rebase_state
from dynamics.posture.closure import project_packed
from dynamics.recursion.contact_stage import contact_forces
from dynamics.recursion.filter_smoother import filter_and_smooth, motion_state
from dynamics.system.layout import MACHINE_LENGTH, TIP_ACCELERATION
from dynamics.system.plain_kinematics import shift
from dynamics.system.tables import make_work
from dynamics.system.tip_poses import link_poses
from dynamics.witness.kkt import dense_equations, solve_dense
from tests.dynamics.systems import GRAVITY, draw_object, draw_pose, draw_robot
from tests.dynamics.twins import Twin, arms_and_object, draw_arms, one_arm

Array = NDArray[np.float64]


def with_tips(robot: dyn.Robot, links: list[int], rng: np.random.Generator) -> dyn.Robot:
    """Tips away from the links' own points, one for each entry."""
    return replace(
        robot,
        tips=tuple(replace(robot.tips[0], name=f"t{i}", link=k, pose=draw_pose(rng)) for i, k in enumerate(links)),
    )


def draw_group(rng: np.random.Generator, floating: bool) -> tuple[dyn.System, dyn.State]:
    """A chain, then a tree that holds with two tips on one link and with one further inward."""
    chain = draw_robot(rng, 5, fixed=0.0, mass_decades=1.0)
    tree = draw_robot(rng, 8, fixed=0.0, mass_decades=1.0).load()
    robots = [chain.load(), with_tips(tree, [0, 0, 3], rng)]
    system = dyn.multi_arm(robots, [draw_pose(rng), draw_pose(rng)], draw_object(rng), GRAVITY, floating=floating)
    base = {}
    if floating:
        base = {"base_pose": np.stack([draw_pose(rng)] * 2), "base_velocity": rng.normal(size=(2, 6))}
        base["base_pose"][1] = draw_pose(rng)
    state = system.state(
        q=rng.normal(size=13),
        qd=rng.normal(size=13),
        object_pose=draw_pose(rng),
        object_velocity=rng.normal(size=6),
        **base,
    )
    system = dyn.grasp(system, state, [rng.normal(size=(2, 6)) for _ in range(4)])
    return system, dyn.project(system, state)


@pytest.mark.parametrize("floating", [False, True])
def test_contacts_away_from_their_links_points(floating: bool) -> None:
    rng = np.random.default_rng(31)
    system, state = draw_group(rng, floating)
    wrench = 5.0 * rng.normal(size=(system.n_links + 1, 6))
    found = dyn.agreement(system, state, rng.normal(size=13), wrench)
    assert found.worst < 1e-9
    assert found.worst_residual < 1e-9


def test_influence_of_oblique_contacts() -> None:
    rng = np.random.default_rng(32)
    system, state = draw_group(rng, False)
    change = rng.normal(size=13)
    before, after = dyn.forward_dynamics(system, state), dyn.forward_dynamics(system, state, change)
    expected = after.joint_acceleration - before.joint_acceleration
    assert np.allclose(influence(system, state).W @ change, expected, rtol=0.0, atol=1e-9 * np.abs(expected).max())


def test_every_base_is_where_the_state_says() -> None:
    rng = np.random.default_rng(33)
    system, state = draw_group(rng, True)
    solution = dyn.forward_dynamics(dyn.release(system), state)
    assert np.allclose(solution.link_pose[13:], state.base_pose, rtol=0.0, atol=1e-14)
    assert np.array_equal(solution.link_velocity[13:], state.base_velocity)


@pytest.fixture
def flyer() -> Twin:
    rng = np.random.default_rng(34)
    return one_arm(rng, draw_robot(rng, 6, branching=0.3), floating=True)


def test_whitened_innovations(flyer: Twin) -> None:
    found = innovations(flyer.system, flyer.state, flyer.tau)
    d = dyn.forward_dynamics(flyer.system, flyer.state, flyer.tau).stages["filter"]["joint_inertia"]
    assert np.allclose(found.jain_whitened, found.jain / np.sqrt(d), rtol=1e-14)
    assert np.allclose(found.rodriguez_whitened, found.rodriguez / np.sqrt(d), rtol=1e-14)


def test_another_base_sees_the_whole_inertia(flyer: Twin) -> None:
    """phi(k, n) r phi'(k, n) is the inertia of the frozen machine about the new base's point."""
    system, state = flyer.system, flyer.state
    points = dyn.link_poses(system, state)[:, :3, 3]
    for name in system.link_names[:3]:
        other = rebase(system, name)
        about_new = composite_inertia(other, rebase_state(system, other, state))[-1]
        t = shift(points[-1] - points[system.link_names.index(name)])
        expected = t @ composite_inertia(system, state)[-1] @ t.T
        assert np.allclose(about_new, expected, rtol=0.0, atol=1e-12 * np.abs(expected).max())


def test_a_long_newton_step_is_shortened_to_half_a_unit() -> None:
    rng = np.random.default_rng(35)
    twin = arms_and_object(rng, draw_arms(rng, [7, 6]), ["rigid", "point"])
    system = twin.system
    away = twin.state.object_pose.copy()
    away[:3, 3] += (3.0, -2.0, 4.0)
    x, v = system.pack(replace(twin.state, object_pose=away))
    before = x.copy()
    change = np.zeros(system.n_velocity)
    project_packed(system.tables, x, v, np.zeros(13), make_work(system.tables), change, 1, 1e-13)
    turns = np.array([joint.kind == "revolute" for joint in system.joint_models] + [False] * 3)
    moved = np.abs(x - before)[: 13 + 3] / np.where(turns, 1.0, system.tables.task_object[0, MACHINE_LENGTH])
    assert 0.1 < moved.max() <= 0.5 + 1e-12


def test_what_no_contact_force_can_follow_is_noticed() -> None:
    """Planar arms cannot leave their plane: a millimetre per second squared out of it is no rounding."""
    system, state = dyn.example("two_planar_arms")
    work, (x, v) = make_work(system.tables), system.pack(state)
    motion_state(system.tables, x, v, work)
    tau = np.full(system.n_joints, 0.1)
    assert filter_and_smooth(system.tables, v, tau, work, np.zeros(system.n_velocity)) == -1
    assert contact_forces(system.tables, v, work)
    work.contacts[0, TIP_ACCELERATION : TIP_ACCELERATION + 6] += 1e-3
    assert not contact_forces(system.tables, v, work)
    dense = dense_equations(system, state, link_poses(system, state), work.wrench)
    solve_dense(dense, tau)
    with pytest.raises(dyn.SingularConfigurationError):
        solve_dense(dense._replace(constraint_bias=dense.constraint_bias + 1e-3 * (np.arange(12) < 6)), tau)
