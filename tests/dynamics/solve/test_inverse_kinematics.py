"""Postures that reach a place: random arms, limits, redundancy, closed chains, and places that nothing reaches."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import least_squares, minimize
from scipy.spatial.transform import Rotation

import dynamics as dyn
from dynamics.recursion.contact_geometry import worst_gaps
from dynamics.recursion.filter_smoother import motion_state
from dynamics.solve import move_joint
from dynamics.system import Tip
from dynamics.system.link_tables import machine_length
from dynamics.system.tables import make_work
from dynamics.witness.kkt import dense_equations
from tests.dynamics.refusals import assert_all_refused
from tests.dynamics.systems import draw_robot
from tests.fuzz.systems import Case, made

pytestmark = pytest.mark.compiled_only
HELD = ["two_arms_and_box", "point_contact", "four_arms_and_box", "two_planar_arms"]


def drawn_arm(seed: int, n_joints: int, limit: float = np.inf) -> dyn.System:
    robot = draw_robot(np.random.default_rng(seed), n_joints).load()
    joints = tuple(replace(joint, lower=-limit, upper=limit) for joint in robot.joints)
    return dyn.single_arm(replace(robot, joints=joints))


def apart(one: np.ndarray, other: np.ndarray) -> tuple[float, float]:
    turn = Rotation.from_matrix(one[:3, :3] @ other[:3, :3].T).magnitude()
    return float(np.linalg.norm(one[:3, 3] - other[:3, 3])), float(turn)


@settings(max_examples=max(2, settings().max_examples // 2))  # each is expensive
@given(st.integers(1, 10), st.sampled_from([np.inf, 1.5]), st.integers(0, 3))
def test_what_can_be_reached_is_reached(n_joints: int, limit: float, seed: int) -> None:
    system = drawn_arm(100 * n_joints + seed, n_joints, limit)
    rng = np.random.default_rng(seed)
    goal = system.state(q=rng.uniform(-1.4, 1.4, n_joints))
    start = system.state(q=rng.uniform(-1.0, 1.0, n_joints))
    target = dyn.forward_kinematics(system, goal).tip_pose[0]
    for wanted in (target, target[:3, 3]):
        found = dyn.inverse_kinematics(system, start, 0, wanted, attempts=40)
        position, rotation = apart(dyn.forward_kinematics(system, found.state).tip_pose[0], target)
        assert found.reached, (found.position_error, found.rotation_error)
        assert position < 2e-9
        if wanted is target:
            assert rotation < 1e-7
            assert found.rotation_error == pytest.approx(rotation, abs=1e-8)
        else:
            assert found.rotation_error is None
        assert np.abs(found.state.q).max() <= limit
        assert not found.state.qd.any()


@settings(max_examples=max(2, settings().max_examples // 6))  # each is expensive
@given(st.integers(0, 5))
def test_beyond_reach_it_is_the_nearest_place(seed: int) -> None:
    """The least distance is that which scipy's bounded least squares finds from many starts."""
    limit = 0.8
    system = drawn_arm(seed, 4, limit)
    rng = np.random.default_rng(seed)
    target = 10.0 * rng.normal(size=3)
    found = dyn.inverse_kinematics(system, system.state(), 0, target, attempts=20)

    def miss(q: np.ndarray) -> np.ndarray:
        return dyn.forward_kinematics(system, system.state(q=q)).tip_pose[0, :3, 3] - target

    starts = rng.uniform(-limit, limit, (6, 4))
    best = min(np.linalg.norm(least_squares(miss, start, bounds=(-limit, limit)).fun) for start in starts)
    assert not found.reached
    assert found.position_error == pytest.approx(np.linalg.norm(miss(found.state.q)), abs=1e-9)
    assert found.position_error <= best * (1.0 + 1e-6)
    at_limit = {name for name, q in zip(system.joint_names, found.state.q, strict=True) if abs(q) >= limit}
    assert set(found.at_limit) == at_limit


@given(st.sampled_from(["iiwa14", "panda", "long_chain"]))
def test_a_redundant_arm_stays_as_near_as_it_can(name: str) -> None:
    """Against scipy's sequential quadratic programming, from the answer and from the start."""
    system, start = dyn.example(name)
    goal = start.q + 0.3 * np.sin(np.arange(system.n_joints))
    lower = np.array([joint.lower for joint in system.joint_models])
    upper = np.array([joint.upper for joint in system.joint_models])
    target = dyn.forward_kinematics(system, system.state(q=np.clip(goal, lower, upper))).tip_pose[0, :3, 3]
    found = dyn.inverse_kinematics(system, start, 0, target)
    assert found.reached

    def miss(q: np.ndarray) -> np.ndarray:
        miss = dyn.forward_kinematics(system, system.state(q=q)).tip_pose[0, :3, 3] - target
        return miss[1:] if name == "long_chain" else miss  # it moves in a plane

    best = min(
        minimize(
            lambda q: 0.5 * np.sum((q - start.q) ** 2), first, jac=lambda q: q - start.q, method="SLSQP",
            bounds=list(zip(lower, upper, strict=True)), constraints={"type": "eq", "fun": miss},
            options={"ftol": 1e-14, "maxiter": 300},
        ).fun
        for first in (found.state.q, start.q)
    )  # fmt: skip
    assert 0.5 * np.sum((found.state.q - start.q) ** 2) <= best + 1e-6


@given(st.sampled_from(HELD))
def test_a_held_object_is_led_and_every_arm_follows(name: str) -> None:
    system, state = dyn.example(name)
    still = dyn.project(system, replace(state, qd=np.zeros(system.n_joints), object_velocity=np.zeros(6)))
    target = still.object_pose.copy()
    target[:3, 3] += [0.0, 0.02, 0.0] if "planar" in name else [0.03, -0.02, 0.04]
    found = dyn.inverse_kinematics(system, still, "object", target)
    assert found.reached
    assert apart(found.state.object_pose, target)[0] < 2e-9
    assert apart(found.state.object_pose, target)[1] < 1e-7
    dyn.forward_dynamics(system, found.state)  # raises for a state off the closure
    far = target.copy()
    far[0, 3] += 5.0
    short = dyn.inverse_kinematics(system, still, "object", far, attempts=1)
    assert not short.reached
    assert short.position_error == pytest.approx(apart(short.state.object_pose, far)[0], abs=1e-9)
    dyn.forward_dynamics(system, short.state)
    lower = np.array([joint.lower for joint in system.joint_models])
    upper = np.array([joint.upper for joint in system.joint_models])
    for state in (found.state, short.state):
        assert (state.q >= lower - 1e-9).all()
        assert (state.q <= upper + 1e-9).all()


@given(st.sampled_from(HELD))
def test_one_joint_of_a_closed_chain_takes_the_others_along(name: str) -> None:
    system, state = dyn.example(name)
    joint = system.joint_names[1]
    found = move_joint(system, state, joint, state.q[1] + 0.2)
    assert found.reached
    assert found.state.q[1] == pytest.approx(state.q[1] + 0.2, abs=1e-9)
    assert np.abs(np.delete(found.state.q - state.q, 1)).max() > 1e-3
    dyn.forward_dynamics(system, found.state)
    limit = system.joint_models[1].upper
    beyond = move_joint(system, state, 1, 12.0)
    assert beyond.reached == (limit == np.inf)
    assert beyond.state.q[1] <= limit
    assert beyond.position_error == pytest.approx(12.0 - beyond.state.q[1], abs=1e-9)
    dyn.forward_dynamics(system, beyond.state)


def test_any_point_can_be_led_from_any_start() -> None:
    system, state = dyn.example("free_flyer")
    target = dyn.forward_kinematics(system, state).tip_pose[0, :3, 3] + [0.05, 0.1, -0.05]
    found = dyn.inverse_kinematics(system, state, 0, target)
    assert found.reached
    assert found.state.base_pose == pytest.approx(state.base_pose, abs=1e-15)
    assert not found.state.base_velocity.any()
    system, state = dyn.example("puma560")
    pose = np.eye(4)
    pose[:3, 3] = [0.0, 0.05, 0.1]
    elbow = Tip(0, 3, pose)
    target = (dyn.forward_kinematics(system, system.state(q=state.q + 0.2)).pose[3] @ pose)[:3, 3]
    found = dyn.inverse_kinematics(system, state, elbow, target)
    assert (dyn.forward_kinematics(system, found.state).pose[3] @ pose)[:3, 3] == pytest.approx(target, abs=1e-8)
    assert found.state.q[:3] == pytest.approx(state.q[:3])  # what lies outward has no part in it
    system, state = dyn.example("puma560")
    wild = system.state(q=state.q + 100.0)
    found = dyn.inverse_kinematics(system, wild, 0, dyn.forward_kinematics(system, state).tip_pose[0])
    assert found.reached
    for joint, q in zip(system.joint_models, found.state.q, strict=True):
        assert joint.lower <= q <= joint.upper


def test_an_impossible_target_is_refused_by_name() -> None:
    system, state = dyn.example("puma560")
    pose = np.zeros(3)
    reach = [
        (1, pose, "there is no tip 1"), (-1, pose, "there is no tip -1"), ("object", pose, "nothing is held"),
        ("tool", pose, "there is no 'tool'"), (Tip(0, 9, np.eye(4)), pose, "link 9 does not exist"),
        (0, np.zeros(2), "expected shape"), (0, [0.0, np.nan, 0.0], "finite"), (0, np.full((4, 4), 0.5), "target"),
    ]  # fmt: skip
    rows = {f"{t} {x}": (lambda t=t, x=x: dyn.inverse_kinematics(system, state, t, x), words) for t, x, words in reach}
    rows["elbow"] = (lambda: move_joint(system, state, "elbow", 0.0), "there is no 'elbow'")
    rows["infinite"] = (lambda: move_joint(system, state, 0, np.inf), "finite")
    rows["attempts"] = (lambda: dyn.inverse_kinematics(system, state, 0, pose, attempts=0), "attempts is 0")
    assert_all_refused(rows)


HOLDS = [("rigid", "rigid"), ("point", "rigid"), ("soft_finger", "point"), ("rigid", "rigid", "point")]
# What one step on the velocity's gap left apart: several tips of a tree, each holding.
ONCE_REFUSED = [
    Case(1954759373, (5, 4, 5, 5), ("soft_finger", "rigid", "soft_finger", "point"), True, True, speed=1.0),
    Case(775180234, (7, 5, 5), ("point", "soft_finger", "point"), True, True, decades=3.0, speed=1.0),
    Case(1920410541, (3, 7, 7, 4), ("rigid", "point", "point", "soft_finger"), True, True, decades=3.0, stretched=2,
        speed=1.0),
    Case(1687353756, (5, 3, 7), ("rigid", "point", "rigid"), False, True, decades=3.0, speed=1.0),
    Case(2093128810, (4, 1, 6, 1), ("soft_finger", "point", "point", "soft_finger"), False, True, True, decades=3.0,
        speed=1.0),
    Case(1874769005, (3, 7, 5), ("point", "point", "rigid"), False, True, decades=3.0, speed=1.0),
]  # fmt: skip


UNITS = [(0, 0, 0), (-6, 0, 0), (6, 6, -6)]


def gaps(system: dyn.System, state: dyn.State) -> tuple[float, float]:
    x, v = system.pack(state)
    work = make_work(system.tables)
    motion_state(system.tables, x, v, work)
    return worst_gaps(system.tables, work, v)


def require_closed(system: dyn.System, state: dyn.State, case: object) -> dyn.State:
    closed = dyn.project(system, state)
    assert max(gaps(system, closed)) < 1e-12, case
    return closed


def test_projection_takes_as_many_steps_as_it_must() -> None:
    for case in ONCE_REFUSED:
        require_closed(*made(case)[:2], case)
    # No step is longer than half the machine, so that none leaps over where the arms can hold.
    for name, lengths in (("two_arms_and_box", 15.0), ("point_contact", 12.0)):
        system, state = dyn.example(name)
        away = state.object_pose.copy()
        away[0, 3] += lengths * machine_length(system.robots, system.task_object)
        require_closed(system, replace(state, object_pose=away), name)
    # A turn about the normal alone has no place to return to: it must not count among what is to be closed.
    for number in (0, 4, 8, 13, 14, 24, 37, 40, 54, 55):
        contacts = ("soft_finger rigid", "soft_finger", "soft_finger point", "drawn rigid")[number % 4].split()
        joints = ((3, 2), (4,), (3, 3), (2, 3))[number % 4]
        system, state, _ = made(Case(number, joints, tuple(contacts), branching=number % 3 > 0, inner=number % 2 == 0))
        q = state.q + 1e-2 * np.random.default_rng(number).normal(size=system.n_joints)
        require_closed(system, system.state(q, object_pose=state.object_pose), number)
    for seed in range(12):  # ordinary chains, in any unit
        contacts = HOLDS[seed % len(HOLDS)]
        joints = tuple(3 + (seed + i) % 5 for i in range(len(contacts)))
        stretched, units = (0, 2, 6)[seed % 3], UNITS[seed // 4 % 3]
        case = Case(seed, joints, contacts, decades=2.0, stretched=stretched, speed=seed % 3 - 1.0, units=units)
        system, state, _ = made(case)
        closed = require_closed(system, state, case)
        again = dyn.project(system, closed)
        assert np.allclose(again.q, closed.q, rtol=0.0, atol=1e-12 * max(1.0, float(np.abs(closed.q).max()))), seed


@given(st.sampled_from(HELD), st.integers(0, 2**31))
def test_velocities_jump_as_in_a_perfectly_inelastic_impact(name: str, seed: int) -> None:
    """The least change in the metric of the kinetic energy: v - M^-1 C' (C M^-1 C')^+ C v."""
    rng = np.random.default_rng(seed)
    system, state = dyn.example(name)
    closed = dyn.project(system, state)
    qd, payload = rng.normal(size=system.n_joints), rng.normal(size=6)
    moving = system.state(closed.q, qd, object_pose=closed.object_pose, object_velocity=payload)
    v, found = (system.pack(each)[1] for each in (moving, dyn.project(system, moving)))
    poses = dyn.forward_kinematics(system, moving).pose
    equations = dense_equations(system, moving, poses, np.zeros((system.n_links + 1, 6)))
    response = np.linalg.solve(equations.mass_matrix, equations.constraint.T)
    impulse = np.linalg.pinv(equations.constraint @ response, rcond=1e-10) @ equations.constraint @ v
    expected = v - response @ impulse
    assert np.allclose(found, expected, rtol=0.0, atol=1e-8 * np.abs(expected).max())
