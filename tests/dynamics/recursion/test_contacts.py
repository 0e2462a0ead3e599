"""Contacts of every kind: on one tree, on floating arms, oblique, singular, with losses and pushes, in every method."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import dynamics as dyn
from dynamics.recursion.contact_stage import contact_forces
from dynamics.recursion.filter_smoother import filter_and_smooth, motion_state
from dynamics.robot.model import Frame, Joint, Link
from dynamics.spatial.factor_by_root import CONSISTENCY
from dynamics.system.effort import largest_effort
from dynamics.system.layout import TIP_ACCELERATION
from dynamics.system.plain_kinematics import forward_kinematics
from dynamics.system.tables import make_work
from dynamics.witness.kkt import dense_equations, solve_dense
from tests.dynamics.every import every
from tests.fuzz.systems import ROUNDINGS, Case, agree, apart, known, made, own


@settings(max_examples=max(2, settings().max_examples // 3))  # each is expensive
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from([0.0, -3.0, -6.0, 6.0]),
    st.sampled_from([((6, 3), ("rigid", "soft_finger")), ((1, 3, 1), ("point",) * 3)]),
)
def test_predictor_and_corrector_whatever_the_arms_cannot_answer(
    seed: int, carried: float, arms: tuple[tuple[int, ...], tuple[str, ...]]
) -> None:
    """(9.1): what is left of Lambda(0) along what no joint moves, or beside a light object, is nothing to divide by."""
    system, state, tau = made(Case(seed, *arms, branching=True, inner=True, square=True, carried=carried))
    state = dyn.project(system, state)
    sure = known(system, state, tau, None, ROUNDINGS)
    if sure is None or sure[0].left > CONSISTENCY:
        return
    exact, allowed = sure
    contact = dyn.forward_dynamics(system, state, tau).stages["contact"]
    corrected = contact["corrected_contact_force"][[held.tip for held in system.contacts]]
    assert apart(replace(exact, force=own(exact, corrected)), exact, exact)[1] <= allowed[1]


@pytest.mark.compiled_only
def test_momentum_of_floating_arms_that_carry_an_object() -> None:
    """Nothing outside acts: the momentum of two free flyers and their object stays, the chain stays closed."""
    robot = dyn.load("free_flyer").without("limits")
    shifted, middle = np.eye(4), np.eye(4)
    shifted[:3, 3] = (0.0, 4.0, 0.0)
    payload = dyn.TaskObject.box((0.4, 0.4, 0.4), 20.0)
    system = dyn.multi_arm([robot, robot], [np.eye(4), shifted], payload, gravity=(0, 0, 0), floating=True)
    home = {f"{arm}/{name}": value for arm in (1, 2) for name, value in robot.home.items()}
    state = system.state(q=system.to_joint_vector(home))
    middle[:3, 3] = dyn.forward_kinematics(system, state).tip_pose[:, :3, 3].mean(axis=0)
    rates = np.random.default_rng(1).normal(size=system.n_joints) * 0.1
    state = system.state(q=state.q, qd=rates, object_pose=middle, object_velocity=[0.05, 0, 0, 0.1, 0, 0])
    held = dyn.grasp(system, state, ["rigid", "rigid"])
    recording = dyn.simulate(held, dyn.project(held, state), duration=0.5, dt=1e-3, record_every=100)
    momentum = np.array([recording.solution_at(t).momentum for t in recording.t])
    assert np.max(np.abs(momentum - momentum[0])) < 1e-9 * np.linalg.norm(momentum[0])
    assert recording.drift.max() < 1e-9
    assert recording.state_at(0.5).base_pose.shape == (2, 4, 4)
    assert recording.solution_at(0.5).base_acceleration.shape == (2, 6)


@every(["point", "soft_finger"])
def test_a_heavy_object_hangs_on_the_bearings_of_its_arm(kind: str) -> None:
    """Of a tilted planar arm, and of a tip on its joint's axis, where two large numbers leave little of each other."""
    tilted = np.eye(4)
    tilted[:3, :3] = Rotation.from_rotvec([0.3, 0.5, 0.7]).as_matrix()
    box = dyn.TaskObject.box((0.1, 0.1, 0.1), 1e6)
    system = dyn.multi_arm([dyn.planar_chain(3)], [tilted], box)
    q = [0.4, 0.7, -0.3]
    place = tilted.copy()
    place[:3, 3] = dyn.forward_kinematics(system, system.state(q=q)).tip_pose[0, :3, 3] + 0.05 * tilted[:3, 0]
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
    state = system.state([0.4, -0.9, 0.7, 1.1], [1.0, -2.0, 0.5, 3.0], base_velocity=[0.3, 0.1, -0.2, 1.0, 2.0, 3.0])
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
    dense = dense_equations(system, at_rest, forward_kinematics(system, at_rest).pose, work.wrench)
    apart = dense._replace(constraint_bias=dense.constraint_bias + 1e-12 * (np.arange(12) < 6))
    with pytest.raises(dyn.SingularConfigurationError):
        solve_dense(apart, np.zeros(system.n_joints))
    solve_dense(apart._replace(effort=largest_effort(system.tables, turning)), np.zeros(system.n_joints))
