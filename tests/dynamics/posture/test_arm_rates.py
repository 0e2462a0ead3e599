"""Rates and accelerations of a held object, for every grasp: against a dense Jacobian of all contacts at once."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dynamics as dyn
from dynamics.operators.object_balance import contact_points
from dynamics.posture.arm_rates import (
    closure_gap,
    object_velocity,
    projected_accelerations,
    tip_jacobians,
)
from dynamics.posture.reach import contact_covariance, inward, velocity_covariance
from tests.dynamics.dense_machine import dense, motion_of_links
from tests.dynamics.refusals import refused
from tests.dynamics.systems import draw_object, draw_pose, draw_robot, forked

NORMAL_ALONE = np.array([[0.0, 0.0, 0.0, 0.0, 0.0, 1.0]])
SCREW = np.vstack([np.eye(6)[3:], [0.3, -0.2, 1.0, 0.0, 0.1, 0.0]])
# arms (joints and branching), which of them float, and the contact of each tip
GRASPS = [
    ([(7, 0.0), (7, 0.0)], False, ["rigid", "point"]),
    ([(7, 0.0), (8, 0.0)], False, ["soft_finger", SCREW]),
    ([(14, 0.25), (7, 0.0)], False, ["rigid", "rigid", "rigid"]),
    ([(14, 0.25), (7, 0.0)], True, ["rigid", "point", "soft_finger"]),
    ([(14, 0.25), (7, 0.0)], (True, False), ["point", "rigid", SCREW]),
    ([(7, 0.0)], False, ["point"]),
    ([(7, 0.0), (7, 0.0)], True, [NORMAL_ALONE, "rigid"]),
]
UNITS = [1.0, 1e-4, 1e4]
pytestmark = pytest.mark.compiled_only


@dataclass(frozen=True)
class Case:
    system: dyn.System
    state: dyn.State
    joints: np.ndarray  # (directions, joints): the joints' columns of the dense constraint
    thing: np.ndarray  # (directions, 6): the object's, its sign turned
    scale: np.ndarray  # (directions,): a gap times this is in radians, or in lengths of its arm
    bases: np.ndarray  # (directions,): what the bases' velocities do

    @property
    def wanted(self) -> np.ndarray:
        return self.thing @ self.state.object_velocity - self.bases


@cache
def draw_case(index: int, unit: float, seed: int = 0) -> Case:
    """A moving system in a unit of length of its own: a metre is ``unit`` metres."""
    arms, floating, kinds = GRASPS[index]
    rng = np.random.default_rng([index, seed])
    robots = []
    for n, branching in arms:
        # Revolute alone where units change: the norm of rates that mix radians and metres changes with the unit.
        drawn_kinds = ("revolute", "prismatic") if unit == 1.0 else ("revolute",)
        told = {"branching": branching, "fixed": 0.0, "mass_decades": 1.0, "reach": 0.4 * unit, "kinds": drawn_kinds}
        drawn = draw_robot(rng, n, **told)
        while branching and not forked(drawn):
            drawn = draw_robot(rng, n, **told)
        robots.append(drawn.load(tip=forked(drawn)) if branching else drawn.load())
    away = np.random.default_rng([index, seed, 1])  # contacts lie away from the links' points
    robots = [
        replace(robot, tips=tuple(replace(tip, pose=draw_pose(away, 0.1 * unit)) for tip in robot.tips))
        for robot in robots
    ]
    thing = dyn.TaskObject.box((0.3 * unit, 0.2 * unit, 0.1 * unit), 2.0)
    system = dyn.multi_arm(robots, [draw_pose(rng, unit) for _ in robots], thing, (0.1, -0.2, -9.0), floating=floating)
    moved = rng.normal(size=(1 + system.n_bases, 6)) * np.repeat([1.0, unit], 3)
    base = {"base_velocity": moved[1:]} if system.is_floating else {}
    state = system.state(
        rng.normal(size=system.n_joints), rng.normal(size=system.n_joints), object_pose=draw_pose(rng, unit),
        object_velocity=moved[0], **base,
    )  # fmt: skip
    return dense_case(dyn.grasp(system, state, kinds), state)


def dense_case(system: dyn.System, state: dyn.State) -> Case:
    _, v = system.pack(state)
    n = system.n_joints
    constraint = dense(system, state).constraint
    poses = dyn.forward_kinematics(system, state).pose
    points = contact_points(system, poses)
    size = np.zeros(system.n_arms)
    for contact, point in zip(system.contacts, points, strict=True):
        at = contact.link
        while at >= 0:
            size[contact.arm] = max(size[contact.arm], np.linalg.norm(point - poses[at, :3, 3]))
            at = int(system.inboard[at])
    scale = [
        1.0 / np.hypot(np.linalg.norm(row[:3]), size[contact.arm] * np.linalg.norm(row[3:]))
        for contact in system.contacts
        for row in contact.selection
    ]
    return Case(system, state, constraint[:, :n], -constraint[:, -6:], np.array(scale), constraint[:, n:-6] @ v[n:-6])


def moved(system: dyn.System, state: dyn.State, rates: np.ndarray, velocity: np.ndarray) -> dyn.State:
    return system.state(state.q, rates, state.base_pose, state.base_velocity, state.object_pose, velocity)


INDICES = st.sampled_from(range(len(GRASPS)))
CASES = st.tuples(INDICES, st.sampled_from(UNITS)).map(lambda drawn: draw_case(*drawn))


@given(CASES)
def test_the_gap_and_the_inward_sweep_are_the_dense_constraint(case: Case) -> None:
    """R88 (5.4) in the directions that the contacts transmit; (5.8): H X is what J' makes of forces at the contacts."""
    _, v = case.system.pack(case.state)
    expected = dense(case.system, case.state).constraint @ v
    assert np.allclose(case.scale * closure_gap(case.system, case.state), case.scale * expected, rtol=0.0, atol=1e-11)
    # R88 (5.8): H X is what J' makes of forces at the contacts.
    system, poses = case.system, dyn.forward_kinematics(case.system, case.state).pose
    force = np.random.default_rng(1).normal(size=(len(system.contacts), 6))
    jacobian = tip_jacobians(system, case.state).reshape(-1, system.n_joints)
    expected = jacobian.T @ force.ravel()
    assert np.max(np.abs(inward(system, poses, force) - expected)) < 1e-12 * np.abs(expected).max()


@given(CASES)
def test_projected_rates_close_the_chain(case: Case) -> None:
    """R88 Result 5.6, and (5.5) against the pseudo-inverse of all contacts' Jacobian at once."""
    system, state = case.system, case.state
    rates, lost = dyn.projected_rates(system, state)
    scaled = case.scale[:, None] * np.hstack([case.joints, -case.thing])
    bases = case.scale * case.bases
    size = np.abs(bases).max() + np.linalg.norm(scaled[:, : system.n_joints], 2) * np.linalg.norm(rates)
    # Some motion of the object closes it: all that the rates do is what a rigid body's points can do.
    done = bases + scaled[:, : system.n_joints] @ rates
    rigid = scaled[:, system.n_joints :] * np.repeat([1.0, 1.0 / case.scale.min()], 3)
    assert np.abs(done + rigid @ np.linalg.lstsq(rigid, -done)[0]).max() < 1e-9 * size
    if not lost:  # then it is the motion of Result 5.3
        closed = moved(system, state, rates, object_velocity(system, state))
        assert np.abs(case.scale * closure_gap(system, closed)).max() < 1e-11 * size
    # R88 (5.5) against the pseudo-inverse of all contacts' Jacobian at once.
    rates, lost = dyn.smallest_rates(case.system, case.state, case.state.object_velocity)
    scaled = case.scale[:, None] * case.joints
    expected = np.linalg.pinv(scaled, rcond=1e-7) @ (case.scale * case.wanted)
    assert lost == len(scaled) - np.linalg.matrix_rank(scaled, tol=1e-7 * np.linalg.norm(scaled, 2))
    assert np.linalg.norm(rates - expected) < 1e-8 * np.linalg.norm(expected)
    if not lost:
        closed = moved(case.system, case.state, rates, case.state.object_velocity)
        size = np.abs(case.scale * case.wanted).max() + np.linalg.norm(scaled, 2) * np.linalg.norm(rates)
        assert np.abs(case.scale * closure_gap(case.system, closed)).max() < 1e-12 * size


@given(INDICES)
def test_object_velocity_is_the_nearest_rigid_motion(index: int) -> None:
    """Result 5.3, by a dense least-squares solve; and 5.7's projection: one motion of the object fits all."""
    case = draw_case(index, 1.0)
    _, v = case.system.pack(case.state)
    felt = case.joints @ v[: case.system.n_joints] + case.bases
    start = case.state.object_velocity
    change = object_velocity(case.system, case.state) - start
    rest = felt - case.thing @ (start + change)
    assert np.allclose(case.thing.T @ rest, 0.0, rtol=1e-9, atol=1e-10)  # no motion comes nearer
    expected = np.linalg.pinv(case.thing, rcond=1e-9) @ (felt - case.thing @ start)
    assert np.allclose(case.thing @ change, case.thing @ expected)
    if np.linalg.matrix_rank(case.thing, tol=1e-9) == 6:
        assert np.allclose(change, expected)
    # Result 5.7's projection: accelerations drawn at random become such that one motion of the object fits all.
    torn = draw_case(index, 1.0)
    system, state = torn.system, dyn.project(torn.system, torn.state)
    rng = np.random.default_rng(index)
    base = None if state.base_velocity is None else rng.normal(size=state.base_velocity.shape)
    found, _ = projected_accelerations(system, state, rng.normal(size=system.n_joints), base)
    equations = dense(system, state)
    known = np.concatenate([found, *([] if base is None else [base.ravel()])])
    done = equations.constraint[:, :-6] @ known + equations.constraint_bias
    fitting = np.linalg.lstsq(equations.constraint[:, -6:], -done)[0]
    assert np.abs(done + equations.constraint[:, -6:] @ fitting).max() < 1e-8 * (1.0 + np.abs(done).max())


@given(INDICES)
def test_accelerations_are_the_smallest_that_the_contacts_allow(index: int) -> None:
    """Result 5.7 with its velocity bias: what a dense solve's contacts do, by smaller accelerations."""
    torn = draw_case(index, 1.0)
    system, state = torn.system, dyn.project(torn.system, torn.state)
    tau = np.random.default_rng(index).normal(size=system.n_joints)
    solution = dyn.forward_dynamics(system, state, tau, method="kkt")
    found, lost = dyn.smallest_accelerations(system, state, solution.object_acceleration, solution.base_acceleration)
    equations = dense(system, state)
    joints, n = equations.constraint[:, : system.n_joints], system.n_joints
    expected = np.linalg.pinv(joints, rcond=1e-7) @ (joints @ solution.joint_acceleration)
    size = np.linalg.norm(expected) + np.linalg.norm(solution.packed_acceleration)
    assert np.linalg.norm(found - expected) < 1e-8 * size
    rest = [solution.base_acceleration, solution.object_acceleration]
    packed = np.concatenate([found, *(part.ravel() for part in rest if part is not None)])
    assert np.abs(equations.constraint @ packed + equations.constraint_bias).max() < 1e-8 * size
    again, _ = projected_accelerations(system, state, solution.joint_acceleration, solution.base_acceleration)
    if np.linalg.matrix_rank(equations.constraint[:, -6:]) == 6:
        assert np.linalg.norm(again - found) < 1e-7 * size
    assert np.linalg.norm(joints @ again - joints @ solution.joint_acceleration) < 1e-7 * size
    assert len(found) == n
    assert lost == len(joints) - np.linalg.matrix_rank(joints, tol=1e-7)


@given(CASES)
def test_covariance_of_rates_by_recursion(case: Case) -> None:
    """R88 (5.6), (5.7): Q is J J' of every link, and of all contacts together."""
    system, state = case.system, case.state
    poses = dyn.forward_kinematics(system, state).pose
    q = velocity_covariance(system, poses, np.ones(system.n_joints))
    unit = np.diag(np.repeat([1.0, 1.0 / np.abs(poses[:, :3, 3]).max()], 3))
    for own, by_joints in zip(q, motion_of_links(system, state)[0][:, :, : system.n_joints], strict=True):
        assert np.allclose(unit @ own @ unit, unit @ by_joints @ by_joints.T @ unit, rtol=1e-9, atol=1e-11)
    jacobian = tip_jacobians(system, state).reshape(-1, system.n_joints)
    found = contact_covariance(system, poses, np.ones(system.n_joints))
    assert np.max(np.abs(found - jacobian @ jacobian.T)) < 1e-12 * np.abs(found).max()


def four_joints_and_seven() -> tuple[dyn.System, dyn.State]:
    """Two arms that hold rigidly, torn; one of them cannot follow two directions."""
    rng = np.random.default_rng(8)
    robots = [draw_robot(rng, n, fixed=0.0, mass_decades=1.0).load() for n in (4, 7)]
    thing = dyn.TaskObject.box((0.3, 0.2, 0.1), 2.0)
    system = dyn.multi_arm(robots, [draw_pose(rng), draw_pose(rng)], thing)
    state = system.state(*rng.normal(size=(2, 11)), object_pose=draw_pose(rng), object_velocity=rng.normal(size=6))
    return dyn.grasp(system, state, ["rigid", "rigid"]), state


def test_an_arm_of_four_joints_follows_what_it_can() -> None:
    """Result 5.6 where no arm follows every motion: the projection still closes the chain."""
    system, state = four_joints_and_seven()
    rates, lost = dyn.projected_rates(system, state)
    assert lost == 2
    velocities = tip_jacobians(system, state) @ rates
    levers = contact_points(system, dyn.forward_kinematics(system, state).pose) - state.object_pose[:3, 3]
    at_center = [v[3:] - np.cross(v[:3], lever) for v, lever in zip(velocities, levers, strict=True)]
    assert np.allclose(velocities[0, :3], velocities[1, :3], rtol=1e-9, atol=1e-10)
    assert np.allclose(at_center[0], at_center[1], rtol=1e-9, atol=1e-10)
    assert np.linalg.norm(rates) > 0.1


ASKED = {
    "closure_gap": lambda system, state: closure_gap(system, state),
    "object_velocity": lambda system, state: object_velocity(system, state),
    "projected_rates": lambda system, state: dyn.projected_rates(system, state),
    "smallest_rates": lambda system, state: dyn.smallest_rates(system, state, np.zeros(6)),
    "smallest_accelerations": lambda system, state: dyn.smallest_accelerations(system, state, np.zeros(6)),
    "projected_accelerations": lambda system, state: projected_accelerations(system, state, np.zeros(system.n_joints)),
}


def test_rates_without_a_grasp_are_refused() -> None:
    held, state = dyn.example("two_arms_and_box")
    nothing = [dyn.example(other) for other in ("iiwa14", "free_flyer", "puma560")] + [(dyn.release(held), state)]
    beside = dyn.multi_arm(held.robots, held.base_poses)
    others = [dyn.example(other)[1] for other in ("iiwa14", "free_flyer", "two_planar_arms")] + [beside.home()]
    for name, ask in ASKED.items():
        for system, own in nothing:
            assert "nothing is held" in refused(ask, system, own), name
        for other in others:
            with pytest.raises(dyn.StateError):
                ask(held, other)
    floating = draw_case(3, 1.0)
    for system, own, rates in ((held, state, np.zeros(14)), (floating.system, floating.state, np.zeros(6))):
        for wrong in ("abc", np.ones((9, 6)), np.full((2, 6), np.nan)):
            assert "base_acceleration" in refused(dyn.smallest_accelerations, system, own, np.zeros(6), wrong), wrong
            assert system is not held or "base_acceleration" in refused(
                projected_accelerations, system, own, rates, wrong
            )


def no_rounding(system: dyn.System, state: dyn.State, rng: np.random.Generator) -> None:
    """Rates are of the size of what is asked: no lever of 1e-16 m turns rounding into a motion."""
    asked = rng.normal(size=6)
    jacobian = tip_jacobians(system, state)
    bound = 1e3 * (1.0 + np.abs(state.qd).max() + np.abs(state.object_velocity).max()) ** 2
    smallest, lost = dyn.smallest_rates(system, state, asked)
    for found in (
        (smallest, lost), dyn.projected_rates(system, state), dyn.smallest_accelerations(system, state, asked),
        projected_accelerations(system, state, rng.normal(size=system.n_joints)),
    ):  # fmt: skip
        assert np.abs(found[0]).max() < bound
        assert found[1] == lost
    # What the joints then do is nearest to what was asked in the directions that are no rounding.
    seen = np.linalg.svd(jacobian.reshape(-1, system.n_joints), compute_uv=False)
    assert lost == 6 * len(system.contacts) - int(np.sum(seen > 1e-9 * seen.max()))


@given(st.integers(0, 7), st.sampled_from([1e-6, 1.0, 1e4]))
def test_a_contact_at_the_only_joint(seed: int, size: float) -> None:
    """A link that turns about its own tip: its lever is what rounding leaves, whatever the machine's size and place."""
    rng = np.random.default_rng(seed)
    drawn = draw_robot(rng, 1, kinds=("revolute",), fixed=0.0, reach=0.4 * size)
    n_arms = 1 + seed % 2
    robots = [drawn.load() for _ in range(n_arms)]
    system = dyn.multi_arm(robots, [draw_pose(rng, size) for _ in robots], draw_object(rng))
    speed = np.concatenate([rng.normal(size=3), size * rng.normal(size=3)])
    state = system.state(
        q=rng.uniform(-3.0, 3.0, n_arms), qd=rng.normal(size=n_arms), object_pose=draw_pose(rng, size),
        object_velocity=speed,
    )  # fmt: skip
    held = dyn.grasp(system, state, ["rigid"] * n_arms)
    no_rounding(held, state, rng)
    rates, lost = dyn.smallest_rates(held, state, speed)
    assert lost == 5 * n_arms
    axes = motion_of_links(held, state)[0][:, :3, :n_arms].sum(axis=2)
    assert np.allclose(rates, axes @ speed[:3], rtol=0.0, atol=1e-9)
