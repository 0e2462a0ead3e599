"""JR: two filters, no preferred base, operational-space inertia, and Algorithm 7's drift."""

from functools import lru_cache

import numpy as np
import pytest

import dynamics as dyn
from dynamics.papers.redundant_coordinates import run_redundant
from dynamics.solve.operational_space import operational_space_inertia
from dynamics.solve.rebase import rebase, rebase_state
from tests.dynamics.dense_machine import accelerations_of_links, close, dense, motion_of_links
from tests.dynamics.every import every
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import Twin, one_arm

CASES = [(1, 0.0), (7, 0.0), (10, 0.6), (25, 0.3)]  # joints and branching; masses of four decades


@lru_cache(maxsize=4)
def drawn(n: int, branching: float) -> tuple[Twin, dyn.Solution, np.ndarray]:
    """A free flyer, what the filters say and the accelerations by the dense solve."""
    rng = np.random.default_rng(40 + n)
    twin = one_arm(rng, draw_robot(rng, n, branching=branching, mass_decades=4.0), floating=True)
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    return twin, solution, dyn.forward_dynamics(twin.system, twin.state, twin.tau, method="kkt").packed_acceleration


@every(CASES)
def test_both_filters_and_both_smoothers_move_every_link(*case: object) -> None:
    """(3.12), (3.13), (4.7), (4.11): from either side, against the smoother, the dense solve and its Jacobians."""
    twin, solution, _ = drawn(*case)
    both, smoother = solution.stages["dual_filter"], solution.stages["smoother"]
    assert close(both["acceleration"], smoother["acceleration"], 1e-9)
    assert close(both["joint_acceleration"], smoother["joint_acceleration"], 1e-9)
    s = both["dual_articulated_inertia"]
    size = np.abs(s).max(axis=(1, 2)) + 1e-12
    assert np.all(np.linalg.eigvalsh(s)[:, 0] > -1e-9 * size)  # a covariance
    assert np.array_equal(s, np.swapaxes(s, 1, 2))
    # (4.11) against the dense J M^-1 J' of every link, and against the co-state covariance (4.7).
    found, matrix = operational_space_inertia(twin.system, twin.state), dense(twin.system, twin.state).mass_matrix
    covariance = solution.stages["smoother"]["costate_covariance"]
    limit = 1e-15 * max(np.linalg.cond(matrix), 1e5)
    for k, j in enumerate(motion_of_links(twin.system, twin.state)[0]):
        mobility = j @ np.linalg.solve(matrix, j.T)
        assert close(found[k] @ mobility, np.eye(6), limit * np.linalg.cond(mobility))
        assert close(found[k] @ covariance[k], np.eye(6), 1e-12 * np.linalg.cond(mobility))


@every(CASES)
def test_accelerations_and_inertias_on_either_side_of_a_joint(*case: object) -> None:
    """(3.12)'s second line and (4.10b): the inboard link's material at O_k, by its Jacobian there."""
    twin, solution, packed = drawn(*case)
    system, point, n = twin.system, solution.link_pose[:, :3, 3], twin.system.n_joints
    inner = np.asarray(system.inboard[:n])
    expected = accelerations_of_links(system, twin.state, packed, point[:n], inner)
    omega = solution.link_velocity[inner, :3]
    expected[:, 3:] -= np.cross(omega, np.cross(omega, point[:n] - point[inner]))  # alpha+ leaves the swing to a(k)
    stage, both = solution.stages["filter"], solution.stages["dual_filter"]
    pushed = both["dual_articulated_inertia_predicted"]
    across = (stage["articulated_inertia_updated"] + pushed)[:n]  # P+ + S+
    force = stage["corrected_force"] + both["dual_predicted_force"]
    force = force + np.einsum("kij,kj->ki", pushed, solution.bias_acceleration)
    assert close(-np.linalg.solve(across, force[:n, :, None])[..., 0], expected, 1e-7)
    matrix = dyn.mass_matrix(system, twin.state)
    for k, j in enumerate(motion_of_links(system, twin.state, point[:n], inner)[0]):
        found = across[k] @ j @ np.linalg.solve(matrix, j.T)
        assert close(found, np.eye(6), 1e-12 * np.linalg.cond(matrix))


def test_rebasing_back_is_the_same_machine_and_bolted_arms_are_refused() -> None:
    system, state = dyn.example("free_flyer")
    there = rebase(system, "hand")
    back = rebase(there, "bus")
    again = rebase_state(there, back, rebase_state(system, there, state))
    one, other = dyn.forward_dynamics(system, state), dyn.forward_dynamics(back, again)
    assert back.joint_names == system.joint_names
    assert np.allclose(one.joint_acceleration, other.joint_acceleration, rtol=1e-9, atol=1e-12)
    assert np.allclose(one.tip_pose, other.tip_pose, rtol=1e-9, atol=1e-12)
    flyer, state = dyn.example("free_flyer")
    with pytest.raises(dyn.StateError, match="another system"):
        operational_space_inertia(flyer, dyn.example("two_arms_and_box")[1])
    for name in ("puma560", "iiwa14", "two_planar_arms"):
        stranger, own = dyn.example(name)
        with pytest.raises(dyn.ModelError, match="rebased: its base"):
            rebase_state(flyer, stranger, state)
        with pytest.raises(dyn.StateError):
            rebase_state(flyer, flyer, own)
    system, state = dyn.example("two_arms_and_box")
    inertia = operational_space_inertia(system, state)
    covariance = dyn.forward_dynamics(system, state).stages["contact"]["tip_costate_covariance"]
    assert inertia.shape == (2, 6, 6)
    assert np.allclose(inertia @ covariance, np.eye(6), rtol=1e-9, atol=1e-8)


@pytest.mark.compiled_only
def test_algorithm_7_follows_the_minimal_form_and_drifts() -> None:
    system, state = dyn.example("free_flyer")
    exact = dyn.simulate(system, state, duration=0.16, dt=1e-3).state_at(0.16).base_pose[:3, 3]
    runs = [run_redundant(system, state, duration=0.16, dt=dt) for dt in (8e-3, 4e-3)]
    for run in runs:
        assert np.allclose(run.poses[-1][-1][:3, 3], exact, rtol=1e-9, atol=1e-6)
    gaps = [run.gap[-1] for run in runs]
    assert gaps[0] > gaps[1] > 0.0  # open a little, less for shorter steps
    assert gaps[0] / gaps[1] > 8.0  # fourth order, or nearly
