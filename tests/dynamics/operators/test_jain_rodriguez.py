"""JR: two filters, no preferred base, operational-space inertia, and Algorithm 7's drift."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from dynamics.operators.dual_smoother import (
    costate_covariance_inward,
    dual_smoother,
    forces_from_inboard,
    forces_from_outboard,
    inboard_accelerations,
    inertia_across_joints,
)
from dynamics.operators.operational_space import operational_space_inertia
from dynamics.operators.rebase import rebase, rebase_state
from dynamics.study.redundant_coordinates import run_redundant
from dynamics.witness.kkt import dense_equations, jacobians, joint_motion
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import Twin, one_arm

compiled_only = pytest.mark.compiled_only
CASES = [(1, 0.0), (7, 0.0), (10, 0.6), (25, 0.3)]


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]} joints, branching {case[1]}")
def twin(request: pytest.FixtureRequest) -> Twin:
    n, branching = request.param
    rng = np.random.default_rng(40 + n)
    return one_arm(rng, draw_robot(rng, n, branching=branching, mass_decades=4.0), floating=True)


def close(found: np.ndarray, expected: np.ndarray, tolerance: float = 1e-9) -> bool:
    return bool(np.max(np.abs(found - expected)) <= tolerance * np.max(np.abs(expected)))


def test_both_filters_give_every_link_its_acceleration(twin: Twin) -> None:
    """(3.12) and (3.13): each link alone, from what comes from either side."""
    stages = dyn.forward_dynamics(twin.system, twin.state, twin.tau).stages
    dual, smoother = stages["dual_filter"], stages["smoother"]
    assert close(dual["acceleration"], smoother["acceleration"])
    assert close(dual["joint_acceleration"], smoother["joint_acceleration"])


def test_force_from_the_other_side(twin: Twin) -> None:
    """-f(k) = S alpha + z_s."""
    stages = dyn.forward_dynamics(twin.system, twin.state, twin.tau).stages
    dual, smoother = stages["dual_filter"], stages["smoother"]
    n = twin.system.n_joints
    other = np.einsum("kij,kj->ki", dual["dual_articulated_inertia"], smoother["acceleration"])
    other += dual["dual_corrected_force"]
    scale = np.abs(smoother["force"]).max() + np.abs(other).max()
    assert np.max(np.abs(smoother["force"][:n] + other[:n])) < 1e-9 * scale


def test_the_dual_smoother_starts_at_link_1(twin: Twin) -> None:
    """(3.5b): the sweep that belongs to the dual filter, against the dense solve and its Jacobians."""
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    expected = dyn.forward_dynamics(twin.system, twin.state, twin.tau, method="kkt")
    alpha, joint = dual_smoother(solution)
    assert close(joint, expected.joint_acceleration, 1e-7)
    _, v = twin.system.pack(twin.state)
    motion = joint_motion(twin.system, solution.link_pose, v)
    moved = jacobians(motion, np.arange(twin.system.n_links), solution.link_pose[:, :3, 3], v)
    jacobian = np.concatenate([moved.angular, moved.linear], axis=1)
    rate = np.concatenate([moved.angular_rate, moved.linear_rate], axis=1)
    assert close(alpha, jacobian @ expected.packed_acceleration + rate, 1e-7)


def test_costate_covariance_from_the_other_end(twin: Twin) -> None:
    """(4.9) inward gives what (4.7) gives outward, and both the dense J M^-1 J'."""
    found = costate_covariance_inward(dyn.forward_dynamics(twin.system, twin.state))
    poses = dyn.link_poses(twin.system, twin.state)
    equations = dense_equations(twin.system, twin.state, poses, np.zeros((twin.system.n_links + 1, 6)))
    _, v = twin.system.pack(twin.state)
    moved = jacobians(joint_motion(twin.system, poses, v), np.arange(twin.system.n_links), poses[:, :3, 3], v)
    for k in range(twin.system.n_links):
        j = np.vstack([moved.angular[k], moved.linear[k]])
        expected = j @ np.linalg.solve(equations.mass_matrix, j.T)
        assert close(found[k], expected, 1e-15 * max(np.linalg.cond(equations.mass_matrix), 1e7))


def test_the_force_through_a_joint_is_one_force(twin: Twin) -> None:
    """(3.7) and (3.11): from outboard and from inboard, against Newton and Euler of all that is outboard."""
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    system, poses = twin.system, solution.link_pose
    n = system.n_joints
    dense = dyn.forward_dynamics(system, twin.state, twin.tau, method="kkt")
    _, v = system.pack(twin.state)
    motion = joint_motion(system, poses, v)
    centers = np.array([(poses[k] @ [*link.center_of_mass, 1.0])[:3] for k, link in enumerate(system.link_models)])
    moved = jacobians(motion, np.arange(system.n_links), centers, v)
    angular = moved.angular @ dense.packed_acceleration + moved.angular_rate
    linear = moved.linear @ dense.packed_acceleration + moved.linear_rate
    expected = np.zeros((system.n_links, 6))
    for i, link in enumerate(system.link_models):
        inertia = poses[i, :3, :3] @ link.inertia @ poses[i, :3, :3].T
        moment = inertia @ angular[i] + np.cross(motion.omega[i], inertia @ motion.omega[i])
        force = link.mass * (linear[i] - system.gravity)
        at = i
        while at >= 0:
            expected[at] += np.concatenate([moment + np.cross(centers[i] - poses[at, :3, 3], force), force])
            at = int(system.inboard[at])
    scale = np.abs(expected).max()
    assert np.abs(forces_from_outboard(solution) - expected[:n]).max() < 1e-8 * scale
    assert np.abs(forces_from_inboard(solution) + expected[:n]).max() < 1e-8 * scale


def test_either_side_of_a_joint(twin: Twin) -> None:
    """(3.12)'s second line and (4.10b): the inboard link's material at O_k, by its Jacobian there."""
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    system, poses, n = twin.system, solution.link_pose, twin.system.n_joints
    _, v = system.pack(twin.state)
    inner = np.asarray(system.inboard[:n])
    moved = jacobians(joint_motion(system, poses, v), inner, poses[:n, :3, 3], v)
    # alpha+ leaves the swing w x (w x l) to a(k).
    omega = solution.link_velocity[inner, :3]
    swing = np.cross(omega, np.cross(omega, poses[:n, :3, 3] - poses[inner, :3, 3]))
    dense = dyn.forward_dynamics(system, twin.state, twin.tau, method="kkt").packed_acceleration
    expected = np.hstack([moved.angular @ dense + moved.angular_rate, moved.linear @ dense + moved.linear_rate - swing])
    assert close(inboard_accelerations(solution), expected, 1e-7)
    matrix = dyn.mass_matrix(system, twin.state)
    for k in range(n):
        j = np.vstack([moved.angular[k], moved.linear[k]])
        mobility = j @ np.linalg.solve(matrix, j.T)
        assert close(inertia_across_joints(solution)[k] @ mobility, np.eye(6), 1e-12 * np.linalg.cond(matrix))


def test_both_need_a_dual_filter() -> None:
    system, state = dyn.example("puma560")
    with pytest.raises(dyn.ModelError, match="no dual filter"):
        dual_smoother(dyn.forward_dynamics(system, state))


def test_dual_inertia_is_a_covariance(twin: Twin) -> None:
    s = dyn.forward_dynamics(twin.system, twin.state, twin.tau).stages["dual_filter"]["dual_articulated_inertia"]
    size = np.abs(s).max(axis=(1, 2)) + 1e-12
    assert np.all(np.linalg.eigvalsh(s)[:, 0] > -1e-9 * size)
    assert np.array_equal(s, np.swapaxes(s, 1, 2))


def test_operational_space_inertia_is_p_plus_s(twin: Twin) -> None:
    """(4.11) against the dense J M^-1 J' of every link, and against the co-state covariance (4.7)."""
    found = operational_space_inertia(twin.system, twin.state)
    poses = dyn.link_poses(twin.system, twin.state)
    equations = dense_equations(twin.system, twin.state, poses, np.zeros((twin.system.n_links + 1, 6)))
    _, v = twin.system.pack(twin.state)
    motion = joint_motion(twin.system, poses, v)
    moved = jacobians(motion, np.arange(twin.system.n_links), poses[:, :3, 3], v)
    covariance = dyn.forward_dynamics(twin.system, twin.state).stages["smoother"]["costate_covariance"]
    limit = 1e-15 * max(np.linalg.cond(equations.mass_matrix), 1e5)
    for k in range(twin.system.n_links):
        j = np.vstack([moved.angular[k], moved.linear[k]])
        mobility = j @ np.linalg.solve(equations.mass_matrix, j.T)
        assert close(found[k] @ mobility, np.eye(6), limit * np.linalg.cond(mobility))
        assert close(found[k] @ covariance[k], np.eye(6), 1e-12 * np.linalg.cond(mobility))


@pytest.mark.parametrize("joints", [1, 2, 7, 8, 17, 40])
def test_chain_in_lanes_and_readable_recursions(joints: int) -> None:
    """Every link of a chain, of any number of links, of turning and sliding joints."""
    rng = np.random.default_rng(joints)
    twin = one_arm(rng, draw_robot(rng, joints, fixed=0.0), floating=True)
    system = twin.system
    found = operational_space_inertia(system, twin.state)
    solution = dyn.forward_dynamics(system, twin.state)
    expected = solution.stages["dual_filter"]["operational_space_inertia"]
    size = np.abs(expected).max(axis=(1, 2), keepdims=True)
    assert np.all(np.abs(found - expected) <= 1e-12 * size)
    np.testing.assert_array_equal(operational_space_inertia(system, twin.state), found)


def test_a_state_of_another_system_is_refused() -> None:
    system, _ = dyn.example("free_flyer")
    _, other = dyn.example("two_arms_and_box")
    with pytest.raises(dyn.StateError, match="another system"):
        operational_space_inertia(system, other)


def test_bolted_arms_show_the_inverse_of_their_covariance() -> None:
    system, state = dyn.example("two_arms_and_box")
    inertia = operational_space_inertia(system, state)
    covariance = dyn.forward_dynamics(system, state).stages["contact"]["tip_costate_covariance"]
    assert inertia.shape == (2, 6, 6)
    for one, other in zip(inertia, covariance, strict=True):
        assert np.allclose(one @ other, np.eye(6), rtol=1e-9, atol=1e-8)


def test_no_base_is_preferred(twin: Twin) -> None:
    """Rename any link the base: accelerations, forces between links and P + S stay; P does not."""
    system, state = twin.system, twin.state
    before = dyn.forward_dynamics(system, state, twin.tau)
    joints = system.from_joint_vector(before.joint_acceleration)
    torques = system.from_joint_vector(twin.tau)
    for link in system.link_names:
        other = rebase(system, link)
        told = rebase_state(system, other, state)
        after = dyn.forward_dynamics(other, told, other.to_joint_vector(torques))
        found = other.from_joint_vector(after.joint_acceleration)
        scale = max(abs(value) for value in joints.values())
        assert max(abs(found[name] - joints[name]) for name in joints) < 1e-8 * scale
        assert np.allclose(after.momentum, before.momentum, rtol=1e-9, atol=1e-9 * np.abs(before.momentum).max())
        assert after.kinetic_energy == pytest.approx(before.kinetic_energy, rel=1e-10)
        old = system.link_names.index(link)
        # The new base's point is that link's own O_k, so the base's acceleration is that link's.
        assert after.base_acceleration is not None
        expected = before.stages["smoother"]["acceleration"][old]
        assert close(after.base_acceleration, expected, 1e-8)
        assert close(
            after.stages["dual_filter"]["operational_space_inertia"][-1],
            before.stages["dual_filter"]["operational_space_inertia"][old],
            1e-8,
        )


def test_rebasing_back_is_the_same_machine() -> None:
    system, state = dyn.example("free_flyer")
    there = rebase(system, "hand")
    back = rebase(there, "bus")
    told = rebase_state(there, back, rebase_state(system, there, state))
    one, other = dyn.forward_dynamics(system, state), dyn.forward_dynamics(back, told)
    assert back.joint_names == system.joint_names
    assert np.allclose(one.joint_acceleration, other.joint_acceleration, rtol=1e-9, atol=1e-12)
    assert np.allclose(one.tip_pose, other.tip_pose, rtol=1e-9, atol=1e-12)


def test_rebase_refuses_bolted_arms_and_unknown_links() -> None:
    system, _ = dyn.example("puma560")
    with pytest.raises(dyn.ModelError, match="free flyer"):
        rebase(system, "link_1")
    flyer, _ = dyn.example("free_flyer")
    with pytest.raises(dyn.ModelError, match="no link 'nose'"):
        rebase(flyer, "nose")


def test_a_state_is_not_told_in_the_words_of_a_stranger() -> None:
    flyer, state = dyn.example("free_flyer")
    for name in ("puma560", "iiwa14", "two_planar_arms"):
        stranger, own = dyn.example(name)
        with pytest.raises(dyn.ModelError, match="rebased: its base"):
            rebase_state(flyer, stranger, state)
        with pytest.raises(dyn.StateError):
            rebase_state(flyer, flyer, own)


@pytest.mark.slow
@compiled_only
def test_algorithm_7_follows_the_minimal_form_and_drifts() -> None:
    system, state = dyn.example("free_flyer")
    exact = dyn.simulate(system, state, duration=0.4, dt=1e-3)
    gaps = []
    for dt in (8e-3, 4e-3):
        run = run_redundant(system, state, duration=0.4, dt=dt)
        assert np.allclose(run.poses[-1][-1][:3, 3], exact.state_at(0.4).base_pose[:3, 3], rtol=1e-9, atol=1e-6)
        gaps.append(run.gap[-1])
    assert gaps[0] > gaps[1] > 0.0  # open a little, less for shorter steps
    assert gaps[0] / gaps[1] > 8.0  # fourth order, or nearly
