"""Contacts of every kind: several on one tree, on floating arms, oblique, with losses and pushes, in every method."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import dynamics as dyn
from dynamics.numbers.factor_by_root import CONSISTENCY
from dynamics.operators.influence import influence
from dynamics.posture.arm_rates import tip_jacobians
from dynamics.posture.closure import project_packed, step_configuration
from dynamics.recursion.contact_stage import correct_filter, refine_forces, spread_forces
from dynamics.recursion.filter_smoother import filter_and_smooth, motion_state
from dynamics.recursion.outward_smoother import outward_smoother
from dynamics.system import layout
from dynamics.system.tables import make_work
from tests.dynamics.dense_machine import close, phi
from tests.dynamics.every import every
from tests.dynamics.systems import (
    GRAVITY,
    draw_forked_group,
    draw_group_of_tips,
    draw_object,
    draw_pose,
    draw_robot,
    with_losses,
)
from tests.dynamics.twins import Twin, arms_and_object, draw_arms
from tests.fuzz.systems import ROUNDINGS, Case, apart, known, made, own

Array = NDArray[np.float64]
SCREW = np.array([[0.3, -0.2, 0.7, 0.5, -0.4, 0.2], [0.1, 0.6, -0.3, -0.2, 0.9, 0.4]])
GROUPS = ["tree", "free flyer", "released", "held", "slipping", "floating group"]
FLOATING = [False, True, (True, False)]


def draw_system(rng: np.random.Generator, kind: str) -> tuple[dyn.System, dyn.State]:
    """With losses, moving slowly enough that friction's smoothed step is no step yet."""
    if kind in ("tree", "free flyer"):
        robot = with_losses(draw_robot(rng, 6, branching=0.4).load(), rng)
        system = dyn.single_arm(robot, gravity=GRAVITY) if kind == "tree" else dyn.free_flyer(robot, gravity=GRAVITY)
        q, qd = rng.normal(size=6), 0.02 * rng.normal(size=6)
        base = {} if kind == "tree" else {"base_pose": draw_pose(rng), "base_velocity": rng.normal(size=6)}
        return system, system.state(q=q, qd=qd, **base)
    drawn = [draw_robot(rng, n, fixed=0.0, mass_decades=1.0) for n in (7, 6)]
    robots = [with_losses(each.load(tip=each.leaf), rng) for each in drawn]
    floats = kind == "floating group"
    system = dyn.multi_arm(robots, [draw_pose(rng), draw_pose(rng)], draw_object(rng), GRAVITY, floating=floats)
    base = {"base_velocity": rng.normal(size=(2, 6))} if floats else {}
    q, qd = rng.normal(size=13), 0.02 * rng.normal(size=13)
    state = system.state(q=q, qd=qd, object_pose=draw_pose(rng), object_velocity=rng.normal(size=6), **base)
    if kind == "released":
        return system, state
    oblique = rng.normal(size=(2, 6))  # a screw: turns and shifts mixed
    system = dyn.grasp(system, state, [oblique, "point"] if kind == "slipping" else ["rigid", "point"])
    return system, dyn.project(system, state)


@every(GROUPS)
def test_losses_and_wrenches_in_every_method(kind: str) -> None:
    """Rotors, damping, friction and external forces: all methods agree, and the inverse undoes the forward dynamics."""
    rng = np.random.default_rng(21)
    system, state = draw_system(rng, kind)
    tau, wrench = rng.normal(size=system.n_joints), 5.0 * rng.normal(size=(system.n_links + 1, 6))
    found = dyn.agreement(system, state, tau, wrench)
    assert found.worst < 1e-9
    assert found.worst_residual < 1e-9
    if kind != "floating group":
        free = dyn.release(system) if system.is_held else system
        acceleration = dyn.forward_dynamics(free, state, tau, external_forces=wrench).joint_acceleration
        torque = dyn.inverse_dynamics(free, state, acceleration, external_forces=wrench)
        assert np.allclose(torque, tau, rtol=0.0, atol=1e-9 * np.max(np.abs(acceleration)))
        composite, by_dense = dyn.mass_matrix(system, state), dyn.mass_matrix(system, state, "kkt")
        assert np.allclose(composite, by_dense, rtol=0.0, atol=1e-12 * np.max(by_dense))


@every((floating, kinds) for floating in FLOATING for kinds in (["rigid"] * 3, ["rigid", "point", "soft_finger"]))
def test_every_method_agrees_where_contacts_share_links(floating: object, kinds: list[str]) -> None:
    for seed in range(2):
        rng = np.random.default_rng([seed, 5])
        system, state = draw_forked_group(rng, floating, kinds)
        tau = rng.normal(size=system.n_joints)
        found = dyn.agreement(system, state, tau)
        # A singular Omega (branches share the joints below the fork) costs digits in the forces.
        assert found.worst < 1e-8
        assert found.worst_residual < 1e-9


@every([0, 1])
def test_contacts_of_one_tree_feel_each_other(seed: int) -> None:
    """Lambda(0) = J M^-1 J' with all contacts' Jacobians, blocks between them too; and influence follows."""
    system, state = draw_forked_group(np.random.default_rng([seed, 6]), False, ["rigid", "point", "rigid"])
    jacobian = tip_jacobians(system, state).reshape(-1, system.n_joints)
    expected = jacobian @ np.linalg.solve(dyn.mass_matrix(system, state)[:-6, :-6], jacobian.T)
    maps = influence(system, state)
    found = maps.sweeps["outward_covariance"]["tip_costate_covariance"]
    assert close(found, expected, 1e-9)
    assert np.abs(expected[:6, 6:12]).max() > 1e-6 * np.abs(expected).max()
    assert np.abs(found[:12, 12:]).max() < 1e-9 * np.abs(expected).max()
    change = np.random.default_rng(8).normal(size=system.n_joints)
    before, after = dyn.forward_dynamics(system, state), dyn.forward_dynamics(system, state, change)
    assert close(maps.W @ change, after.joint_acceleration - before.joint_acceleration, 1e-8)
    omega = before.stages["contact"]["omega"]
    assert np.allclose(omega, omega.T)


@every([0, 1])
def test_predictor_and_corrector_meet_the_force(seed: int) -> None:
    rng = np.random.default_rng([seed, 9])
    system, state = draw_forked_group(rng, (True, False), ["rigid", "point", "rigid"])
    contact = dyn.forward_dynamics(system, state, rng.normal(size=system.n_joints)).stages["contact"]
    largest = max(np.abs(contact["contact_force"]).max(), np.abs(contact["predicted_contact_force"]).max())
    assert np.max(np.abs(contact["corrected_contact_force"] - contact["contact_force"])) < 1e-7 * largest


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


@every([False, True])
def test_contacts_away_from_their_links_points(floating: bool) -> None:
    """Two tips on one link and one further inward, all oblique; each base is where the state says."""
    rng = np.random.default_rng(31)
    system, state = draw_group_of_tips(rng, floating)
    wrench, tau = 5.0 * rng.normal(size=(system.n_links + 1, 6)), rng.normal(size=13)
    found = dyn.agreement(system, state, tau, wrench)
    assert found.worst < 1e-9
    assert found.worst_residual < 1e-9
    if floating:
        solution = dyn.forward_dynamics(dyn.release(system), state)
        assert np.allclose(solution.link_pose[13:], state.base_pose, rtol=0.0, atol=1e-14)
        assert np.array_equal(solution.link_velocity[13:], state.base_velocity)
    else:
        before, after = dyn.forward_dynamics(system, state), dyn.forward_dynamics(system, state, tau)
        moved = after.joint_acceleration - before.joint_acceleration
        assert close(influence(system, state).W @ tau, moved, 1e-9)


@pytest.mark.compiled_only
def test_momentum_of_floating_arms_that_carry_an_object() -> None:
    """Nothing outside acts: the momentum of two free flyers and their object stays, the chain stays closed."""
    robot = dyn.load("free_flyer").without("limits")
    shifted, middle = np.eye(4), np.eye(4)
    shifted[:3, 3] = (0.0, 4.0, 0.0)
    thing = dyn.TaskObject.box((0.4, 0.4, 0.4), 20.0)
    system = dyn.multi_arm([robot, robot], [np.eye(4), shifted], thing, gravity=(0, 0, 0), floating=True)
    home = {f"{arm}/{name}": value for arm in (1, 2) for name, value in robot.home.items()}
    state = system.state(q=system.to_joint_vector(home))
    middle[:3, 3] = dyn.tip_poses(system, state)[:, :3, 3].mean(axis=0)
    rates = np.random.default_rng(1).normal(size=system.n_joints) * 0.1
    state = system.state(q=state.q, qd=rates, object_pose=middle, object_velocity=[0.05, 0, 0, 0.1, 0, 0])
    held = dyn.grasp(system, state, ["rigid", "rigid"])
    recording = dyn.simulate(held, dyn.project(held, state), duration=0.5, dt=1e-3, record_every=100)
    momentum = np.array([recording.solution_at(t).momentum for t in recording.times])
    assert np.max(np.abs(momentum - momentum[0])) < 1e-9 * np.linalg.norm(momentum[0])
    assert recording.drift.max() < 1e-9
    assert recording.state_at(0.5).base_pose.shape == (2, 4, 4)
    assert recording.solution_at(0.5).base_acceleration.shape == (2, 6)


def test_floating_flags_and_contacts_must_fit() -> None:
    robot = dyn.load("free_flyer")
    with pytest.raises(dyn.ModelError, match="floating: expected 2"):
        dyn.multi_arm([robot, robot], floating=(True,))
    with pytest.raises(dyn.ModelError, match="needs all of them positive"):
        dyn.multi_arm([dyn.planar_chain(3)], floating=True)
    system = dyn.multi_arm([robot, robot], task_object=dyn.TaskObject.box((1, 1, 1), 1.0), floating=True)
    with pytest.raises(dyn.StateError, match="base_pose"):
        system.state(base_pose=np.eye(4))
    with pytest.raises(dyn.ModelError, match="expected 2 entries"):
        dyn.grasp(system, system.state(), ["rigid"])


def held() -> Twin:
    rng = np.random.default_rng(22)
    return arms_and_object(rng, draw_arms(rng, [7, 6]), ["rigid", "point"])


def test_a_step_moves_every_body() -> None:
    rng = np.random.default_rng(23)
    turns = Rotation.random(2, rng=rng)
    places, change, joints = rng.normal(size=(2, 3)), rng.normal(size=14), rng.normal(size=2)
    bodies = [[*place, *turn.as_quat(scalar_first=True)] for place, turn in zip(places, turns, strict=True)]
    result = np.zeros(16)
    step_configuration(2, np.concatenate([joints, *bodies]), change, result)
    assert np.allclose(result[:2], joints + change[:2], rtol=0.0, atol=1e-15)
    for i in range(2):
        moved, by = result[2 + 7 * i : 9 + 7 * i], change[2 + 6 * i : 8 + 6 * i]
        assert np.allclose(moved[:3], places[i] + by[3:], rtol=0.0, atol=1e-15)
        expected = (Rotation.from_rotvec(by[:3]) * turns[i]).as_matrix()
        assert np.allclose(Rotation.from_quat(moved[3:], scalar_first=True).as_matrix(), expected, rtol=0.0, atol=1e-14)


@every(["rigid", "point", "soft_finger", "screw", "six mixed rows"])
def test_gaps_are_relative_poses_and_velocities(contact: str) -> None:
    """In the object's contact frame, row by row; rows that fix a part of a rotation have no position."""
    twin, rng = held(), np.random.default_rng(24)
    rows = {"screw": SCREW, "six mixed rows": np.random.default_rng(25).normal(size=(6, 6))}
    system = dyn.grasp(dyn.release(twin.system), twin.state, [rows.get(contact, contact), "rigid"])
    object_pose, qd = twin.state.object_pose @ draw_pose(rng, 0.1), rng.normal(size=13)
    state = system.state(twin.state.q, qd, object_pose=object_pose, object_velocity=rng.normal(size=6))
    work = make_work(system.tables)
    motion_state(system.tables, *system.pack(state), work)
    solution = dyn.forward_dynamics(dyn.release(system), state)
    for i, model in enumerate(system.contacts):
        tip, frame = solution.link_pose[model.link] @ model.tip_pose, object_pose @ model.object_pose
        turn = Rotation.from_matrix(tip[:3, :3] @ frame[:3, :3].T).as_rotvec()
        axes = np.kron(np.eye(2), frame[:3, :3].T)
        gap = model.selection @ axes @ np.concatenate([turn, tip[:3, 3] - frame[:3, 3]])
        at_tip = phi(tip[:3, 3] - solution.link_pose[model.link, :3, 3]).T @ solution.link_velocity[model.link]
        on_object = phi(tip[:3, 3] - object_pose[:3, 3]).T @ state.object_velocity
        rate, size = model.selection @ axes @ (at_tip - on_object), len(model.selection)
        found = work.contacts[i, layout.POSITION_GAP : layout.POSITION_GAP + size]
        assert np.allclose(found, model.holonomic * gap, rtol=0.0, atol=1e-13)
        found = work.contacts[i, layout.VELOCITY_GAP : layout.VELOCITY_GAP + size]
        assert np.allclose(found, rate, rtol=0.0, atol=1e-12)
    assert np.all(system.contacts[0].holonomic) == (contact in ("rigid", "point", "six mixed rows"))


@every([False, True])
def test_refinement_returns_the_forces(slipping: bool) -> None:
    """Forces that are off by anything come back in one step: the residual of the sweep is Omega times the error."""
    twin, rng = held(), np.random.default_rng(26)
    system, state = twin.system, twin.state
    if slipping:
        system = dyn.grasp(dyn.release(system), state, [SCREW, "point"])
        state = dyn.project(system, replace(state, qd=rng.normal(size=13), object_velocity=rng.normal(size=6)))
    work, (x, v) = make_work(system.tables), system.pack(state)
    motion_state(system.tables, x, v, work)
    assert filter_and_smooth(system.tables, v, twin.tau, work, np.zeros(system.n_velocity)) == -1
    forces = work.forces.copy()
    work.forces[:] += rng.normal(size=len(forces)) * np.max(np.abs(forces))
    spread_forces(system.tables, work)
    correct_filter(system.tables, work, 1.0)
    outward_smoother(
        system.tables.tree, work.links, layout.MODIFIED_RESIDUAL, layout.FORCE_CORRECTION, 1.0, layout.FINAL_MOTION
    )
    refine_forces(system.tables, work)
    assert np.allclose(work.forces, forces, rtol=0.0, atol=1e-8 * np.max(np.abs(forces)))


def test_a_long_newton_step_is_shortened_to_half_a_unit() -> None:
    rng = np.random.default_rng(35)
    twin = arms_and_object(rng, draw_arms(rng, [7, 6]), ["rigid", "point"])
    system, away = twin.system, twin.state.object_pose.copy()
    away[:3, 3] += (3.0, -2.0, 4.0)
    x, v = system.pack(replace(twin.state, object_pose=away))
    before, change = x.copy(), np.zeros(system.n_velocity)
    project_packed(system.tables, x, v, np.zeros(13), make_work(system.tables), change, 1, 1e-13)
    turns = np.array([joint.kind == "revolute" for joint in system.joint_models] + [False] * 3)
    unit = np.where(turns, 1.0, system.tables.task_object[0, layout.MACHINE_LENGTH])
    assert 0.1 < (np.abs(x - before)[: 13 + 3] / unit).max() <= 0.5 + 1e-12
