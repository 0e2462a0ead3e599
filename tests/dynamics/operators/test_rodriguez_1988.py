"""R88: rates and accelerations of a held object, the gain in both forms and its limits, influence matrices."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import dynamics as dyn
from dynamics.operators.influence import influence
from dynamics.operators.object_balance import grasp_map, selected_directions
from dynamics.posture.arm_rates import (
    link_velocities,
    object_velocity,
    projected_rates,
    smallest_accelerations,
    smallest_rates,
    tip_jacobians,
)
from tests.dynamics.twins import Twin, arms_and_object, draw_arms

RIGID = ["two_arms_and_box", "two_planar_arms", "four_arms_and_box"]


def moving(name: str, seed: int = 0) -> tuple[dyn.System, dyn.State]:
    system, state = dyn.example(name)
    rng = np.random.default_rng(seed)
    rates = rng.normal(size=system.n_joints)
    if name == "two_planar_arms":
        return system, dyn.project(system, system.state(state.q, rates, object_pose=state.object_pose))
    thrown = system.state(state.q, rates, object_pose=state.object_pose, object_velocity=rng.normal(size=6))
    return system, dyn.project(system, thrown)


@pytest.fixture(params=[([7, 7], ["rigid", "rigid"]), ([6, 8, 5], ["rigid", "point", "rigid"]), ([4], ["rigid"])])
def drawn(request: pytest.FixtureRequest) -> Twin:
    joints, kinds = request.param
    rng = np.random.default_rng(sum(joints))
    return arms_and_object(rng, draw_arms(rng, joints), kinds)


@pytest.mark.parametrize("name", RIGID)
def test_results_5_1_to_5_3(name: str) -> None:
    system, state = moving(name)
    velocities = link_velocities(system, state)
    assert np.allclose(velocities, dyn.forward_dynamics(system, state).link_velocity, rtol=1e-9, atol=1e-13)
    assert np.allclose(object_velocity(system, state), state.object_velocity, rtol=1e-9, atol=1e-9)
    contact = (tip_jacobians(system, state) @ state.qd).ravel()
    assert np.allclose(contact, grasp_map(system, state).T @ state.object_velocity, rtol=1e-9, atol=1e-9)


def test_result_5_5_is_the_smallest_norm() -> None:
    system, state = moving("two_arms_and_box")
    wanted = np.array([0.1, -0.2, 0.3, 0.2, 0.1, -0.1])
    rates, lost = smallest_rates(system, state, wanted)
    jacobian = tip_jacobians(system, state).reshape(-1, system.n_joints)
    expected = np.linalg.pinv(jacobian) @ grasp_map(system, state).T @ wanted
    assert lost == 0
    assert np.allclose(rates, expected, rtol=1e-9, atol=1e-10)


def test_planar_arms_say_what_they_cannot_follow() -> None:
    system, state = moving("two_planar_arms")
    in_plane, lost = smallest_rates(system, state, [0.0, 0.0, 0.4, 0.1, -0.2, 0.0])
    assert lost == 6  # three directions an arm
    jacobian = tip_jacobians(system, state) @ in_plane
    reached = grasp_map(system, state).T @ np.array([0.0, 0.0, 0.4, 0.1, -0.2, 0.0])
    assert np.allclose(jacobian.ravel(), reached, rtol=1e-9, atol=1e-12)


def test_result_5_6_projects_and_5_7_accelerates() -> None:
    system, state = moving("four_arms_and_box")
    torn = system.state(state.q, state.qd + 0.1, object_pose=state.object_pose)
    rates, _ = projected_rates(system, torn)
    closed = system.state(state.q, rates, object_pose=state.object_pose)
    contact = (tip_jacobians(system, closed) @ rates).ravel()
    assert np.allclose(contact, grasp_map(system, closed).T @ object_velocity(system, closed), rtol=1e-9, atol=1e-10)
    solution = dyn.forward_dynamics(system, state, np.ones(system.n_joints))
    assert solution.object_acceleration is not None
    found, _ = smallest_accelerations(system, state, solution.object_acceleration)
    jacobian = tip_jacobians(system, state)
    assert np.allclose(jacobian @ found, jacobian @ solution.joint_acceleration, rtol=1e-9, atol=1e-9)
    assert np.linalg.norm(found) <= np.linalg.norm(solution.joint_acceleration) + 1e-9


@pytest.mark.parametrize("name", ["two_arms_and_box", "four_arms_and_box"])
def test_gain_in_both_forms(name: str) -> None:
    """R88 (9.1): Omega^-1 A' M^-1 = P A' [A P A' + M]^-1 with P = Lambda^-1(0), for rigid contacts."""
    system, state = moving(name)
    contact = dyn.forward_dynamics(system, state, np.ones(system.n_joints)).stages["contact"]
    arms = system.n_arms
    inertia = np.zeros((6 * arms, 6 * arms))
    for arm, covariance in enumerate(contact["tip_costate_covariance"]):
        inertia[6 * arm : 6 * arm + 6, 6 * arm : 6 * arm + 6] = np.linalg.inv(covariance)
    a = grasp_map(system, state)
    rotation, thing = state.object_pose[:3, :3], system.task_object
    mass = np.zeros((6, 6))
    mass[:3, :3], mass[3:, 3:] = rotation @ thing.inertia @ rotation.T, thing.mass * np.eye(3)
    expected = inertia @ a.T @ np.linalg.inv(a @ inertia @ a.T + mass)
    gain = contact["contact_kalman_gain"]
    assert np.max(np.abs(gain - expected)) < 1e-9 * np.max(np.abs(expected))
    predicted = inertia @ (contact["free_tip_acceleration"] - contact["contact_bias_acceleration"]).ravel()
    assert np.allclose(contact["predicted_contact_force"].ravel(), predicted, atol=1e-8 * np.abs(predicted).max())
    assert np.allclose(
        contact["corrected_contact_force"], contact["contact_force"], atol=1e-8 * np.abs(predicted).max()
    )
    # (9.2): alpha(C) = alpha_b + gain' [lambda - A' alpha_b]
    free = -np.linalg.solve(mass, contact["measured_object_force"])
    relative = (contact["free_tip_acceleration"] - contact["contact_bias_acceleration"]).ravel()
    assert np.allclose(free + gain.T @ (relative - a.T @ free), contact["object_acceleration"], rtol=1e-9, atol=1e-9)


def test_the_gain_by_itself_and_what_of_the_object_the_arms_decide(drawn: Twin) -> None:
    """Against the contact stage of the filter, which shares no line with it; for every draw of arms and contacts."""
    system, state = drawn.system, drawn.state
    found = dyn.contact_gain(system, state)
    stage = dyn.forward_dynamics(system, state, drawn.tau).stages["contact"]
    rows = np.concatenate([np.arange(6 * contact.tip, 6 * contact.tip + 6) for contact in system.contacts])
    expected = stage["contact_kalman_gain"][rows]
    assert np.max(np.abs(found.by_mobility - expected)) < 1e-8 * np.max(np.abs(expected))
    transmits_all = all(len(contact.selection) == 6 for contact in system.contacts)
    if found.by_inertia is not None:
        assert transmits_all
        assert np.max(np.abs(found.by_inertia - expected)) < 1e-7 * np.max(np.abs(expected))
    assert np.all(np.diff(found.shares) <= 0.0)
    assert -1e-9 < found.shares[-1] <= found.shares[0] < 1.0 + 1e-9
    theirs = np.sort(np.linalg.eigvals(found.grasp_map @ expected).real)[::-1]
    assert np.allclose(found.shares, theirs, atol=1e-7)


def test_what_of_the_contact_forces_squeezes(drawn: Twin) -> None:
    """It cancels out in the object, the rest alone has their effect, and both together waste no effort."""
    system, state = drawn.system, drawn.state
    found, selection = dyn.contact_gain(system, state), selected_directions(system, state)
    forces = dyn.forward_dynamics(system, state, drawn.tau).contact_force
    x = forces[[contact.tip for contact in system.contacts]].ravel()
    for some in (x, selection.T @ np.random.default_rng(9).normal(size=len(selection)) * np.abs(x).max()):
        squeeze = found.squeezing @ some
        carry = some - squeeze
        size = np.abs(found.grasp_map) @ np.abs(some)
        assert np.all(np.abs(found.grasp_map @ squeeze) <= 1e-7 * size.max())
        again = found.squeezing @ squeeze
        assert np.allclose(again, squeeze, atol=1e-7 * np.abs(some).max())
        effort = (selection @ carry) @ found.omega @ (selection @ squeeze)
        sizes = [(selection @ part) @ found.omega @ (selection @ part) for part in (some, carry, squeeze)]
        assert abs(effort) <= 1e-7 * sizes[0]
        assert sizes[1] + sizes[2] == pytest.approx(sizes[0], rel=1e-6)


def test_who_squeezes_hangs_neither_on_the_object_nor_on_units() -> None:
    """Two arms that push against each other: all of it is squeeze, whatever they hold."""
    system, state = moving("two_arms_and_box")
    x = dyn.forward_dynamics(system, state, np.zeros(system.n_joints)).contact_force.ravel()
    parts = [
        dyn.contact_gain(dyn.with_task_object(system, system.task_object.with_mass(mass)), state).squeezing @ x
        for mass in (1e-4, 1.0, 1e4)
    ]
    assert np.allclose(parts, parts[1], atol=1e-7 * np.abs(x).max())
    found = dyn.contact_gain(system, state)
    against = np.linalg.svd(found.grasp_map)[2][6:]  # forces that do nothing to the object
    assert np.allclose(found.squeezing @ against.T, against.T, atol=1e-8)


def test_shares_hang_on_no_unit() -> None:
    system, state = moving("two_arms_and_box")
    before = dyn.contact_gain(system, state)
    assert before.by_inertia is not None
    assert np.allclose(before.by_inertia, before.by_mobility, rtol=1e-7, atol=1e-9)
    shares = [
        dyn.contact_gain(dyn.with_task_object(system, system.task_object.with_mass(mass)), state).shares
        for mass in (1e-6, 1e0, 1e6)
    ]
    assert np.all(shares[0] > 1.0 - 1e-4)
    assert np.all(shares[2] < 1e-3)
    assert np.all(np.diff(shares, axis=0) < 0.0)


def test_limits_of_the_gain() -> None:
    """An object that grows heavy: gain -> 0. One that weighs nothing: A gain -> 1."""
    system, state = moving("two_arms_and_box")
    a = grasp_map(system, state)

    def contact(mass: float):
        heavy = dyn.with_task_object(system, system.task_object.with_mass(mass))
        return dyn.forward_dynamics(heavy, state, np.ones(system.n_joints)).stages["contact"]

    sizes = [np.abs(contact(mass)["contact_kalman_gain"]).max() for mass in (1e1, 1e3, 1e5, 1e7)]
    assert all(later < earlier for earlier, later in pairwise(sizes))
    assert sizes[-1] < 1e-4
    gaps = [np.abs(a @ contact(mass)["contact_kalman_gain"] - np.eye(6)).max() for mass in (1e0, 1e-2, 1e-4, 1e-6)]
    assert all(later < earlier for earlier, later in pairwise(gaps))
    assert gaps[-1] < 1e-5


def link_accelerations(solution: dyn.Solution) -> np.ndarray:
    return solution.stages["smoother_final" if solution.system.is_held else "smoother"]["acceleration"]


def test_influence_maps_are_what_torques_do(drawn: Twin) -> None:
    system, state = drawn.system, drawn.state
    maps = influence(system, state)
    change = np.random.default_rng(1).normal(size=system.n_joints)
    before = dyn.forward_dynamics(system, state, drawn.tau)
    after = dyn.forward_dynamics(system, state, drawn.tau + change)
    for found, difference in (
        (maps.W @ change, after.joint_acceleration - before.joint_acceleration),
        (maps.contact_force @ change, (after.contact_force - before.contact_force).ravel()),
        (maps.object_acceleration @ change, after.object_acceleration - before.object_acceleration),
        (maps.link_acceleration @ change, link_accelerations(after) - link_accelerations(before)),
    ):
        assert np.max(np.abs(found - difference)) < 1e-8 * max(np.max(np.abs(difference)), 1e-3)
    assert np.max(np.abs(maps.W - maps.W.T)) < 1e-10 * np.abs(maps.W_free).max()
    assert np.linalg.eigvalsh(maps.delta_W).min() > -1e-9 * np.abs(maps.W_free).max()
    free = dyn.release(system)
    assert np.allclose(influence(free, state).W, maps.W_free, rtol=1e-9, atol=1e-12)


def test_accelerations_are_the_sum_of_four_answers(drawn: Twin) -> None:
    system = drawn.system
    rng = np.random.default_rng(5)
    pushes = {system.link_names[1]: rng.normal(size=6), "object": rng.normal(size=6)}
    for solution in (
        dyn.forward_dynamics(system, drawn.state, drawn.tau, external_forces=pushes),
        dyn.forward_dynamics(system, drawn.state, drawn.tau, external_forces=pushes, method="kkt"),
        dyn.forward_dynamics(dyn.release(system), drawn.state, drawn.tau),
    ):
        parts = dyn.acceleration_parts(solution)
        each = np.array([parts.torque, parts.bias_force, parts.bias_acceleration, parts.contact])
        found = each.sum(axis=0)
        assert np.max(np.abs(found - solution.joint_acceleration)) < 1e-8 * np.abs(each).max()
        assert np.any(parts.contact != 0.0) == solution.system.is_held


def test_closed_chain_couples_different_arms() -> None:
    system, state = moving("two_arms_and_box")
    maps = influence(system, state)
    assert np.all(maps.W_free[:7, 7:] == 0.0)
    assert np.abs(maps.W[:7, 7:]).max() > 1e-3 * np.abs(maps.W).max()
    sweep = maps.sweeps["inward_influence"]["contact_influence_sweep"]
    assert np.linalg.eigvalsh(sweep).min() > -1e-9 * np.abs(sweep).max()
    assert np.array_equal(dyn.contact_influence_sweep(system, state), sweep)


def test_breaking_and_making_the_chain() -> None:
    system, state = moving("two_arms_and_box")
    free = dyn.release(system)
    torque = np.ones(system.n_joints)
    let_go = dyn.forward_dynamics(free, state, torque)
    assert np.array_equal(let_go.contact_force, np.zeros((2, 6)))
    for arm, robot in enumerate(system.robots):
        alone = dyn.single_arm(robot, base_pose=system.base_poses[arm])
        own = slice(7 * arm, 7 * arm + 7)
        expected = dyn.forward_dynamics(alone, alone.state(state.q[own], state.qd[own]), torque[own])
        assert np.allclose(let_go.joint_acceleration[own], expected.joint_acceleration, rtol=1e-12, atol=1e-10)
    again = dyn.grasp(free, state, ["rigid", "rigid"])
    expected = dyn.forward_dynamics(system, state, torque)
    found = dyn.forward_dynamics(again, state, torque)
    scale = np.abs(expected.packed_acceleration).max()
    assert np.max(np.abs(found.packed_acceleration - expected.packed_acceleration)) < 1e-9 * scale


def test_what_needs_a_held_object_says_so() -> None:
    system, state = dyn.example("puma560")
    with pytest.raises(dyn.ModelError, match="nothing is held"):
        smallest_rates(system, state, np.zeros(6))
    flyer, floating = dyn.example("free_flyer")
    with pytest.raises(dyn.ModelError, match="bolted-down"):
        influence(flyer, floating)
