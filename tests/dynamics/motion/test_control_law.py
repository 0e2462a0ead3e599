"""One evaluation of every controller against its formula, with Jacobians and pseudo-inverses in full."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import dynamics as dyn
from dynamics.lanes.forward import lane_motion_state
from dynamics.lanes.workspace import Workspace
from dynamics.motion.control_law import command, progress
from dynamics.system.link_tables import machine_length
from dynamics.system.plain_kinematics import forward_kinematics
from dynamics.witness.equation_of_motion import grasp_map, selected_directions
from dynamics.witness.kkt import dense_equations
from tests.dynamics.dense_machine import tip_jacobians
from tests.dynamics.refusals import refused
from tests.dynamics.systems import GRAVITY, draw_object, draw_pose, draw_robot
from tests.dynamics.twins import draw_arms, one_arm

pytestmark = pytest.mark.compiled_only
Array = NDArray[np.float64]


def torque(system: dyn.System, start: dyn.State, now: dyn.State, controller: dyn.Controller, t: float) -> Array:
    law, arena, tau = controller.law(system, start), Workspace(system).arena, np.zeros(system.n_joints)
    x, v = system.pack(now)
    lane_motion_state(arena, x, v)
    command(arena, law, t, x, v, tau)
    return tau


def quintic(u: float) -> tuple[float, float]:
    """10 u^3 - 15 u^4 + 6 u^5 and its derivative."""
    curve = np.polynomial.Polynomial([0.0, 0.0, 0.0, 10.0, -15.0, 6.0])
    return float(curve(u)), float(curve.deriv()(u))


ON_THE_WAY = [  # t, there_and_back, share of the way, direction
    (0.4, 0.0, 0.1, 1.0), (2.0, 0.0, 0.5, 1.0), (3.0, 0.0, 0.75, 1.0), (9.0, 0.0, 1.0, 1.0), (0.0, 0.0, 0.0, 1.0),
    (3.0, 1.0, 0.75, 1.0), (5.0, 1.0, 0.75, -1.0), (9.5, 1.0, 0.375, 1.0), (15.0, 1.0, 0.25, -1.0),
]  # fmt: skip


def test_progress_is_a_quintic_and_effort_is_limited() -> None:
    for t, there_and_back, u, direction in ON_THE_WAY:
        place, rate = quintic(u)
        found = progress(np.array([0.5, 4.0, there_and_back]), t + 0.5)
        assert found == pytest.approx((place, direction * rate / 4.0), abs=1e-14), t
        assert progress(np.array([0.5, 0.0, there_and_back]), t) == (1.0, 0.0)
    rng = np.random.default_rng(13)
    robot = draw_robot(rng, 3, kinds=("revolute",)).load()
    robot = replace(robot, joints=tuple(replace(joint, effort=2.0) for joint in robot.joints))
    system = dyn.single_arm(robot)
    found = torque(system, system.state(), system.state(), dyn.ConstantTorque([5.0, -7.0, 1.0]), 0.0)
    assert np.array_equal(found, [2.0, -2.0, 1.0])


@given(
    st.booleans(), st.integers(0, 2**31), st.sampled_from([1.2, 3.9, 4.0, 4.6, 6.0, 19.0]), st.sampled_from([0.0, 0.5])
)
def test_joint_control(floating: bool, seed: int, t: float, run_up: float) -> None:
    """To the goal in 4 s, then on a closed path at 2 rad/s: to that pace evenly, in a share of the first round."""
    rng = np.random.default_rng(seed)
    twin = one_arm(rng, draw_robot(rng, 6, branching=0.4), floating=floating)
    system, n = twin.system, twin.system.n_joints
    start, goal, feedforward = rng.normal(size=(3, n))
    waves = rng.normal(size=(n, 6))
    stiffness, damping = rng.uniform(1.0, 9.0, n), rng.uniform(1.0, 9.0, n)
    begun, fast = replace(twin.state, q=start), np.pi
    until = run_up * fast
    controller = dyn.JointPD(
        goal, stiffness, damping, 4.0, gravity_compensation=False, feedforward=feedforward, waves=waves, period=fast,
        run_up=until,
    )  # fmt: skip
    since = max(t - 4.0, 0.0)
    phase = 2.0 * (since - until / 2.0) if since >= until else since**2 / until
    pace = 2.0 * (t >= 4.0) if since >= until else 2.0 * since / until
    shift = sum(waves[:, i - 1] * (np.cos(i * phase) - 1.0) + waves[:, 2 + i] * np.sin(i * phase) for i in (1, 2, 3))
    speed = sum(
        i * pace * (waves[:, 2 + i] * np.cos(i * phase) - waves[:, i - 1] * np.sin(i * phase)) for i in (1, 2, 3)
    )
    place, rate = quintic(min(t / 4.0, 1.0))
    target = start + place * (goal - start) + shift
    target_rate = rate / 4.0 * (goal - start) + speed
    expected = feedforward + stiffness * (target - twin.state.q) + damping * (target_rate - twin.state.qd)
    assert np.allclose(torque(system, begun, twin.state, controller, t), expected, rtol=0.0, atol=1e-12)
    carrying = replace(controller, gravity_compensation=True)
    expected += weight_of_links(system, twin.state)
    assert np.allclose(torque(system, begun, twin.state, carrying, t), expected, rtol=0.0, atol=1e-11)


def test_impossible_controllers_are_refused() -> None:
    system = dyn.single_arm(dyn.planar_chain(2))
    for bad in (np.zeros((2, 3)), np.zeros((2, 18)), np.zeros((3, 4)), np.zeros(2), [[np.nan, 0.0]] * 2, "waves"):
        with pytest.raises(dyn.StateError, match="waves"):
            dyn.JointPD(waves=bad, period=1.0).law(system, system.state())
    for words, wrong in (("period", -1.0), ("period", np.nan), ("run_up", -1.0)):
        with pytest.raises(dyn.StateError, match=words):
            dyn.JointPD(**{words: wrong}).law(system, system.state())
    with pytest.raises(dyn.StateError, match="there_and_back"):
        dyn.JointPD(period=1.0, there_and_back=True).law(system, system.state())
    # Kernels run it: what has another shape would be read beyond its end.
    system, state = dyn.example("two_arms_and_box")
    law = dyn.JointPD().law(system, state)

    def own(said: object) -> object:
        return SimpleNamespace(law=lambda system, state: said)

    for name in law._fields:
        for wrong in (None, "text", np.ones(1), np.full(getattr(law, name).shape, np.nan), getattr(law, name) + 1j):
            assert name in refused(dyn.simulate, system, state, own(law._replace(**{name: wrong})), 2e-3)
    for wrong in (None, 1.0, tuple(law)):
        assert "expected a ControlLaw" in refused(dyn.simulate, system, state, own(wrong), 2e-3)
    run = dyn.simulate(system, state, own(law._replace(feedforward=[0.0] * 14)), duration=2e-3)
    assert np.array_equal(run.x, dyn.simulate(system, state, dyn.JointPD(), duration=2e-3).x)


def weight_of_links(system: dyn.System, state: dyn.State) -> Array:
    """-sum J' m g over all links, the joints' part: the bias of the dense equations at rest."""
    base = np.zeros(6) if system.is_floating else None
    still = replace(state, qd=np.zeros(system.n_joints), base_velocity=base)
    poses = forward_kinematics(system, still).pose
    return dense_equations(system, still, poses, np.zeros((system.n_links + 1, 6))).bias[: system.n_joints]


@pytest.fixture
def held() -> tuple[dyn.System, dyn.State]:
    rng = np.random.default_rng(14)
    robots = []
    for drawn in draw_arms(rng, [7, 6]):
        robot = drawn.load(tip=drawn.leaf)
        robots.append(replace(robot, tips=(replace(robot.tips[0], pose=draw_pose(rng)),)))
    system = dyn.multi_arm(robots, [draw_pose(rng), draw_pose(rng)], draw_object(rng), GRAVITY)
    state = system.state(*rng.normal(size=(2, 13)), object_pose=draw_pose(rng), object_velocity=rng.normal(size=6))
    system = dyn.grasp(system, state, ["rigid", "point"])
    return system, dyn.project(system, state)


def joint_torques(system: dyn.System, state: dyn.State, wrench: Array) -> Array:
    """J' G+ wrench, JZ (48): the smallest contact forces, in transmitted directions, that put it on the object.

    Moments count over the machine's length.
    """
    share = 1.0 / np.tile(np.repeat([1.0, machine_length(system.robots, system.task_object)], 3), len(system.contacts))
    c = selected_directions(system, state)
    c = c * np.linalg.norm(c * share, axis=1)[:, None]
    forces = c.T @ np.linalg.pinv(grasp_map(system, state) @ c.T) @ wrench
    return np.einsum("cij,ci->j", tip_jacobians(system, state), forces.reshape(-1, 6))


def test_task_space_control(held: tuple[dyn.System, dyn.State]) -> None:
    rng = np.random.default_rng(15)
    system, state = held
    begun, goal = replace(state, object_pose=draw_pose(rng)), draw_pose(rng)
    stiffness, damping, own = rng.uniform(1.0, 9.0, 6), rng.uniform(1.0, 9.0, 6), rng.uniform(1.0, 9.0, system.n_joints)
    controller = dyn.TaskSpacePD(goal, stiffness, damping, own, duration=4.0)
    place, rate = quintic(0.3)
    turn = Rotation.from_matrix(goal[:3, :3] @ begun.object_pose[:3, :3].T).as_rotvec()
    shift = goal[:3, 3] - begun.object_pose[:3, 3]
    wanted = Rotation.from_rotvec(place * turn).as_matrix() @ begun.object_pose[:3, :3]
    error = np.concatenate([
        Rotation.from_matrix(wanted @ state.object_pose[:3, :3].T).as_rotvec(),
        begun.object_pose[:3, 3] + place * shift - state.object_pose[:3, 3],
    ])  # fmt: skip
    lag = rate / 4.0 * np.concatenate([turn, shift]) - state.object_velocity
    expected = joint_torques(system, state, stiffness * error + damping * lag) - own * state.qd
    found = torque(system, begun, state, controller, 1.2)
    assert np.allclose(found, expected, rtol=0.0, atol=1e-11 * np.max(np.abs(expected)))


def test_arms_carry_the_object(held: tuple[dyn.System, dyn.State]) -> None:
    """With gravity compensation nothing that rests begins to move."""
    system, state = held
    still = replace(state, qd=np.zeros(system.n_joints), object_velocity=np.zeros(6))
    tau = torque(system, still, still, dyn.JointPD(stiffness=0.0, damping=0.0), 0.0)
    assert np.max(np.abs(dyn.forward_dynamics(system, still, tau).packed_acceleration)) < 1e-9
    weight = np.concatenate([np.zeros(3), -system.task_object.mass * np.asarray(system.gravity)])
    expected = weight_of_links(system, still) + joint_torques(system, still, weight)
    assert np.allclose(tau, expected, rtol=0.0, atol=1e-10)
