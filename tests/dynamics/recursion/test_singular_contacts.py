"""Near-singular contacts: directions in which an arm hardly gives way keep their digits; contradictions are found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import dynamics as dyn
from dynamics.recursion.contact_stage import contact_forces
from dynamics.recursion.filter_smoother import filter_and_smooth, motion_state
from dynamics.robot.model import Frame, Joint, Link
from dynamics.system.effort import largest_effort
from dynamics.system.layout import TIP_ACCELERATION
from dynamics.system.tables import make_work
from dynamics.system.tip_poses import link_poses
from dynamics.witness.kkt import Dense, dense_equations, solve_dense
from tests.dynamics.every import every
from tests.fuzz.systems import agree


@every(["point", "soft_finger"])
def test_a_heavy_object_hangs_on_the_bearings_of_its_arm(kind: str) -> None:
    """Of a tilted planar arm, and of a tip on its joint's axis, where two large numbers leave little of each other."""
    tilted = np.eye(4)
    tilted[:3, :3] = Rotation.from_rotvec([0.3, 0.5, 0.7]).as_matrix()
    box = dyn.TaskObject.box((0.1, 0.1, 0.1), 1e6)
    system = dyn.multi_arm([dyn.planar_chain(3)], [tilted], box)
    q = [0.4, 0.7, -0.3]
    place = tilted.copy()
    place[:3, 3] = dyn.tip_poses(system, system.state(q=q))[0, :3, 3] + 0.05 * tilted[:3, 0]
    state = system.state(q=q, qd=[0.3, -0.2, 0.5], object_pose=place)
    agree(dyn.grasp(system, state, [kind]), state, np.array([1.0, 2.0, 3.0]))
    # The arm's own answer there is what two large numbers leave of each other: it is squared nowhere.
    axis = np.array([0.36, 0.48, 0.8])
    tip = np.eye(4)
    tip[:3, 3] = 4.0 * axis
    link = Link("spindle", 0.2, 0.1 * axis, 0.02 * np.eye(3))
    joint, root = Joint("turn", "revolute", axis, np.eye(4)), Link("root", 1.0, np.zeros(3), np.eye(3))
    robot = dyn.Robot("spindle", (link,), (joint,), (1,), root, (Frame("tip", 0, tip),))
    system = dyn.multi_arm([robot], task_object=dyn.TaskObject.box((0.9, 0.7, 0.4), 1e6), gravity=(1.0, -2.0, 5.0))
    place = tip.copy()
    place[:3, 3] += (0.8, -0.5, 0.4)
    state = system.state(q=[0.4], qd=[70.0], object_pose=place, object_velocity=[20.0, -30.0, 10.0, 0.0, 0.0, 0.0])
    agree(dyn.grasp(system, state, [kind]), state, np.array([300.0]))


def test_a_flyer_whose_masses_lie_twelve_decades_apart_keeps_its_digits_by_two_filters() -> None:
    """S of a heavy base, seen through its joints, is what rounding leaves of it: the answer is refined."""
    robot = dyn.planar_chain(4)
    masses = (1e-6, 1e-3, 2e-5, 1e-6)
    links = tuple(replace(link, mass=m, inertia=m * link.inertia) for link, m in zip(robot.links, masses, strict=True))
    heavy = Link("root", 1e6, np.array([0.1, 0.2, 0.3]), 1e5 * np.diag([2.0, 3.0, 4.0]))
    system = dyn.free_flyer(replace(robot, links=links, root=heavy))
    state = system.state(
        q=[0.4, -0.9, 0.7, 1.1], qd=[1.0, -2.0, 0.5, 3.0], base_velocity=[0.3, 0.1, -0.2, 1.0, 2.0, 3.0]
    )
    tau = np.array([1e-7, -2e-7, 3e-6, 1e-6])
    expected = dyn.forward_dynamics(system, state, tau, "kkt").packed_acceleration
    found = dyn.forward_dynamics(system, state, tau, "two_filter").packed_acceleration
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


def test_what_is_nothing_beside_a_motion_is_no_contradiction() -> None:
    """As of links that turn about one axis inside an arm whose tips stand still: what these show is rounding."""
    system, state = dyn.example("two_planar_arms")
    system = replace(system, gravity=np.zeros(3))
    work, (x, still) = make_work(system.tables), system.pack(replace(state, qd=0.0 * state.qd))
    turning = still.copy()
    turning[: system.n_joints] = 0.1
    motion_state(system.tables, x, still, work)
    filter_and_smooth(system.tables, still, np.zeros(system.n_joints), work, np.zeros(system.n_velocity))
    work.contacts[0, TIP_ACCELERATION : TIP_ACCELERATION + 6] += 1e-12  # out of the arms' plane, too
    assert not contact_forces(system.tables, still, work)
    work.contacts[0, TIP_ACCELERATION : TIP_ACCELERATION + 6] += 1e-12
    assert contact_forces(system.tables, turning, work)

    at_rest = replace(state, qd=0.0 * state.qd, object_velocity=np.zeros(6))
    dense = dense_equations(system, at_rest, link_poses(system, at_rest), work.wrench)
    apart = dense._replace(constraint_bias=dense.constraint_bias + 1e-12 * (np.arange(12) < 6))
    with pytest.raises(dyn.SingularConfigurationError):
        solve_dense(apart, np.zeros(system.n_joints))
    solve_dense(apart._replace(effort=largest_effort(system.tables, turning)), np.zeros(system.n_joints))


def light_in_one_direction(seed: int) -> tuple[Dense, np.ndarray]:
    """Eight coordinates that weigh next to nothing along one direction, across which eight rows of rank three act."""
    rng = np.random.default_rng(seed)
    n, rank, rows = 8, 3, 8
    light = rng.normal(size=n)
    light /= np.linalg.norm(light)
    across = np.eye(n) - np.outer(light, light)
    spread = across @ rng.normal(size=(n, n))
    mass = spread @ spread.T + 1e-12 * np.eye(n)
    constraint = rng.normal(size=(rows, rank)) @ rng.normal(size=(rank, n)) @ across
    acceleration = rng.normal(size=n)
    return Dense(
        0.5 * (mass + mass.T), rng.normal(size=n), constraint, -constraint @ acceleration, np.zeros((rows, 0)), 0.0
    ), rng.normal(size=n)


@every(range(6))
def test_what_falls_freely_so_fast_that_rounding_hides_the_rest_is_solved(seed: int) -> None:
    equations, tau = light_in_one_direction(seed)
    a, _ = solve_dense(equations, tau)
    terms = np.abs(equations.constraint) @ np.abs(a)
    left = equations.constraint @ a + equations.constraint_bias
    assert (np.abs(left) <= len(a) * np.finfo(float).eps * terms).all()
    assert terms.max() > 1e10 * np.abs(equations.constraint_bias).max()  # or nothing would have cancelled
    with pytest.raises(dyn.SingularConfigurationError, match="no contact force"):
        solve_dense(equations._replace(constraint_bias=equations.constraint_bias + 0.1 * np.eye(8)[0]), tau)
