"""R87 Sections III-X step by step: each sum and each recursion against what a dense or a drawn-out sum gives."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from dynamics.numbers.spatial import expand_symmetric
from dynamics.operators import operator_factors as operators
from dynamics.operators.composite_inertia import composite_inertia, link_inertias
from dynamics.operators.estimation import (
    covariance_from_both_sides,
    reduced_covariance,
    sample_estimation,
    smoothed_costate,
    smoothed_state,
)
from dynamics.operators.few_numbers import (
    Body,
    body_matrix,
    freed,
    joined,
    propagated,
)
from dynamics.operators.inverse_sweeps import bias_torque, two_sweeps
from dynamics.operators.operator_factors import operator_factors
from dynamics.system.plain_kinematics import shift
from dynamics.witness.kkt import dense_equations, jacobians, joint_motion
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import Twin, one_arm


@pytest.fixture(params=[(1, 0.0), (7, 0.0), (9, 0.5)], ids=lambda case: f"{case[0]} joints, branching {case[1]}")
def twin(request: pytest.FixtureRequest) -> Twin:
    n, branching = request.param
    rng = np.random.default_rng(870 + n)
    return one_arm(rng, draw_robot(rng, n, branching=branching, mass_decades=1.0))


def close(found: np.ndarray, expected: np.ndarray, tolerance: float = 1e-11) -> bool:
    return bool(np.max(np.abs(found - expected)) <= tolerance * max(np.max(np.abs(expected)), 1e-300))


def outboard_of(system: dyn.System, k: int) -> list[int]:
    """Link k and everything that hangs on it."""
    found = []
    for i in range(system.n_links):
        at = i
        while at >= 0:
            if at == k:
                found.append(i)
            at = int(system.inboard[at])
    return found


def moved(inertia: np.ndarray, lever: np.ndarray) -> np.ndarray:
    """A spatial inertia about a point from which its own lies at ``lever``, by cross products alone."""
    phi = np.eye(6)
    for i in range(3):
        phi[:3, 3 + i] = np.cross(lever, np.eye(3)[i])
    return phi @ inertia @ phi.T


def test_transitions_form_a_group() -> None:
    """R87 (2)-(3)."""
    rng = np.random.default_rng(1)
    a, b, c = rng.normal(size=(3, 3))  # three points
    force = rng.normal(size=6)
    phi = shift(b - a)  # phi(a, b): forces at b, told at a
    expected = np.concatenate([force[:3] + np.cross(b - a, force[3:]), force[3:]])
    assert np.allclose(phi @ force, expected, rtol=1e-9, atol=1e-14)
    assert np.allclose(shift(c - a), phi @ shift(c - b), rtol=1e-9, atol=1e-14)
    assert np.array_equal(shift(a - a), np.eye(6))
    assert np.allclose(np.linalg.inv(phi), shift(a - b), rtol=1e-9, atol=1e-14)


def test_link_inertia_is_twice_the_kinetic_energy(twin: Twin) -> None:
    """R87 (1): 1/2 V M V of every link, against velocities of its mass centre."""
    system, state = twin.system, twin.state
    solution = dyn.forward_dynamics(system, state)
    inertias = link_inertias(system, solution.link_pose)
    for k, link in enumerate(system.link_models):
        rotation, (omega, v) = solution.link_pose[k, :3, :3], solution.link_velocity[k].reshape(2, 3)
        at_center = v + np.cross(omega, rotation @ link.center_of_mass)
        turning = rotation.T @ omega
        energy = link.mass * at_center @ at_center + turning @ link.inertia @ turning
        assert solution.link_velocity[k] @ inertias[k] @ solution.link_velocity[k] == pytest.approx(energy, rel=1e-10)


def test_forces_balance_on_every_link(twin: Twin) -> None:
    """R87 (4)-(10), (16)-(21): Newton and Euler of each link about its mass centre, from the forces at its joints."""
    system, state = twin.system, twin.state
    n = system.n_joints
    accelerations = np.random.default_rng(2).normal(size=n)
    rows, force = two_sweeps(system, state, accelerations, np.zeros(6), np.zeros((n + 1, 6)))
    poses = dyn.link_poses(system, state)
    _, v = system.pack(state)
    motion = joint_motion(system, poses, v)
    centers = np.array([(poses[k] @ [*link.center_of_mass, 1.0])[:3] for k, link in enumerate(system.link_models)])
    at_center = jacobians(motion, np.arange(n), centers, v)
    alpha = at_center.angular @ accelerations + at_center.angular_rate
    linear = at_center.linear @ accelerations + at_center.linear_rate
    for k, link in enumerate(system.link_models):
        net = force[k].copy()
        net[:3] += np.cross(poses[k, :3, 3] - centers[k], force[k, 3:])
        for i in range(n):
            if system.inboard[i] == k:
                net[3:] -= force[i, 3:]
                net[:3] -= force[i, :3] + np.cross(poses[i, :3, 3] - centers[k], force[i, 3:])
        inertia = poses[k, :3, :3] @ link.inertia @ poses[k, :3, :3].T
        omega = motion.omega[k]
        moment = inertia @ alpha[k] + np.cross(omega, inertia @ omega)
        expected = np.concatenate([moment, link.mass * (linear[k] - system.gravity)])
        assert np.abs(net - expected).max() < 1e-10 * np.abs(force).max()
    torque = dyn.inverse_dynamics(system, state, accelerations)
    assert close(np.einsum("ki,ki->k", rows, force), torque, 1e-10)


def test_sums_that_lead_to_the_mass_matrix(twin: Twin) -> None:
    """R87 (22)-(28), (30)-(31): the same forces, sums drawn out; the two orders of summing agree, (26)."""
    system, state = twin.system, twin.state
    n, f = system.n_joints, operator_factors(system, state)
    poses = dyn.link_poses(system, state)
    inertias = link_inertias(system, poses)

    def phi(k: int, i: int) -> np.ndarray:
        return shift(poses[i, :3, 3] - poses[k, :3, 3]) if i in outboard_of(system, k) else np.zeros((6, 6))

    r = operators.state_covariance(f)
    for k in range(n):
        for i in range(n):
            expected = sum(phi(k, j) @ inertias[j] @ phi(i, j).T for j in range(n))
            assert np.abs(r[6 * k : 6 * k + 6, 6 * i : 6 * i + 6] - expected).max() < 1e-11 * np.abs(r).max()
    accelerations = np.random.default_rng(3).normal(size=n)
    rows, force = two_sweeps(system, state, accelerations, np.zeros(6), np.zeros((n + 1, 6)))
    solution = dyn.forward_dynamics(system, state)
    a, b = solution.bias_acceleration, solution.bias_force
    costates = np.array(
        [sum(phi(i, k).T @ (rows[i] * accelerations[i] + a[i]) for i in range(n)) for k in range(n)]
    )  # (23)
    assert close(operators.link_acceleration(f, accelerations, a.ravel()), costates.ravel())
    summed = np.array([sum(phi(k, j) @ (inertias[j] @ costates[j] + b[j]) for j in range(n)) for k in range(n)])  # (24)
    assert np.abs(force - summed).max() < 1e-10 * np.abs(force).max()
    assert (
        np.abs(operators.link_force(f, costates.ravel(), b.ravel()) - summed.ravel()).max()
        < 1e-10 * np.abs(force).max()
    )
    pushed = (rows * accelerations[:, None] + a).ravel()
    other_order = r @ pushed + f.phi @ b.ravel()  # (25)-(27)
    assert np.abs(other_order - summed.ravel()).max() < 1e-10 * np.abs(force).max()
    equations = dense_equations(system, state, poses, np.zeros((n + 1, 6)))
    assert close(bias_torque(system, state, np.zeros((n + 1, 6))), equations.bias, 1e-10)  # (31)
    assert close(dyn.mass_matrix(system, state), equations.mass_matrix)  # (22), (30)


def test_composite_body_is_everything_outboard(twin: Twin) -> None:
    """R87 (28)-(29) and its ten numbers, (32)-(33): masses, centres and inertias of all that hangs on a link."""
    system, state = twin.system, twin.state
    poses = dyn.link_poses(system, state)
    found, inertias = composite_inertia(system, state), link_inertias(system, poses)
    for k in range(system.n_links):
        expected = sum(moved(inertias[i], poses[i, :3, 3] - poses[k, :3, 3]) for i in outboard_of(system, k))
        assert close(found[k], expected)
    if np.array_equal(system.inboard[:-1], np.arange(1, system.n_links)):
        body = Body(0.0, np.zeros(3), np.zeros((3, 3)))
        for k in range(system.n_links):
            lever = poses[k - 1, :3, 3] - poses[k, :3, 3] if k else np.zeros(3)
            body = joined(body, lever, own_numbers(system, poses, k))
            assert close(body_matrix(body), found[k])
            assert body.mass == pytest.approx(sum(link.mass for link in system.link_models[: k + 1]))


def test_articulated_body_in_21_numbers() -> None:
    """R87 (84): propagation and update of mass, moment and inertia, against the filter's P and P+."""
    rng = np.random.default_rng(84)
    twin = one_arm(rng, draw_robot(rng, 7, kinds=("revolute",)))
    system, state = twin.system, twin.state
    poses = dyn.link_poses(system, state)
    stage = dyn.forward_dynamics(system, state).stages["filter"]
    body = np.zeros(21)
    for k, joint in enumerate(system.joint_models):
        lever = poses[k - 1, :3, 3] - poses[k, :3, 3] if k else np.zeros(3)
        link, before = own_numbers(system, poses, k), parts(body)
        body = propagated(body, lever, link)
        mass, moment, inertia = parts(body)
        skew, turned = cross_matrix(lever), cross_matrix(lever) @ before[1].T
        assert close(mass, before[0] + link.mass * np.eye(3))
        assert close(moment, before[1] + skew @ before[0] + link.mass * cross_matrix(link.center))
        assert close(inertia, before[2] + turned + turned.T + skew @ before[0] @ skew.T + link.inertia)
        assert close(expand_symmetric(body), stage["articulated_inertia"][k], 1e-10)
        axis = poses[k, :3, :3] @ joint.axis
        seen, along = inertia @ axis, moment.T @ axis
        d = axis @ seen
        assert d == pytest.approx(stage["joint_inertia"][k], rel=1e-10)
        body = freed(body, axis)
        size = np.abs(stage["articulated_inertia"][k]).max()
        free = mass - np.outer(along, along) / d, moment - np.outer(seen, along) / d, inertia - np.outer(seen, seen) / d
        assert all(np.abs(a - b).max() < 1e-11 * size for a, b in zip(parts(body), free, strict=True))
        assert np.abs(expand_symmetric(body) - stage["articulated_inertia_updated"][k]).max() < 1e-10 * size
        assert np.linalg.matrix_rank(free[0]) == 3
        if k:  # the mass is a matrix now: no number times 1
            assert np.ptp(np.linalg.eigvalsh(free[0])) > 1e-6 * np.abs(free[0]).max()


def parts(body: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mass, moment and inertia, 3x3 each, of 21 numbers."""
    matrix = expand_symmetric(body)
    return matrix[3:, 3:], matrix[:3, 3:], matrix[:3, :3]


def cross_matrix(lever: np.ndarray) -> np.ndarray:
    return np.cross(lever, np.eye(3)).T


def own_numbers(system: dyn.System, poses: np.ndarray, k: int) -> Body:
    link, rotation = system.link_models[k], poses[k, :3, :3]
    center = rotation @ link.center_of_mass
    turned = rotation @ link.inertia @ rotation.T
    return Body(link.mass, center, turned + link.mass * (center @ center * np.eye(3) - np.outer(center, center)))


def test_other_forms_of_the_updates(twin: Twin) -> None:
    """R87 (34), (48)-(51) with the numbers of a dense solve."""
    system, state, tau = twin.system, twin.state, twin.tau
    solution = dyn.forward_dynamics(system, state, tau)
    stage, a = solution.stages["filter"], solution.bias_acceleration
    dense = dyn.forward_dynamics(system, state, tau, method="kkt").joint_acceleration
    rows, force = two_sweeps(system, state, dense, np.zeros(6), np.zeros((system.n_links + 1, 6)))
    accelerations = accelerations_of(system, state, dense)
    for k in range(system.n_joints):
        p, gain = stage["articulated_inertia"][k], stage["kalman_gain"][k]
        updated = stage["articulated_inertia_updated"][k]
        size = np.abs(p).max()
        assert np.abs(reduced_covariance(p, gain, rows[k]) - updated).max() < 1e-9 * size
        assert np.abs(covariance_from_both_sides(p, gain, rows[k]) - updated).max() < 1e-9 * size
        inner = int(system.inboard[k])
        phi = shift(solution.link_pose[k, :3, 3] - solution.link_pose[inner, :3, 3]).T
        inboard = phi @ accelerations[inner] if inner >= 0 else np.zeros(6)
        # R87's residual: its innovation leaves P a out, e+ = nu + G' a.
        residual = stage["residual"][k] + gain @ a[k]
        found = smoothed_costate(inboard + a[k], gain, rows[k], np.asarray(residual))
        assert np.abs(found - accelerations[k]).max() < 1e-8 * np.abs(accelerations).max()  # (48)
        scale = np.abs(force).max()
        predicted = stage["predicted_force"][k] - p @ a[k]
        assert np.abs(smoothed_state(predicted, p, accelerations[k]) - force[k]).max() < 1e-8 * scale  # (34)
        corrected = smoothed_state(stage["corrected_force"][k], updated, inboard)
        assert np.abs(corrected - force[k]).max() < 1e-8 * scale  # (49): the other side of the joint


def accelerations_of(system: dyn.System, state: dyn.State, joint_acceleration: np.ndarray) -> np.ndarray:
    """(links, 6) from Jacobians and their rates."""
    poses = dyn.link_poses(system, state)
    _, v = system.pack(state)
    points = jacobians(joint_motion(system, poses, v), np.arange(system.n_links), poses[:, :3, 3], v)
    angular = points.angular @ joint_acceleration + points.angular_rate
    return np.hstack([angular, points.linear @ joint_acceleration + points.linear_rate])


def test_sums_that_lead_to_the_inverse(twin: Twin) -> None:
    """R87 (72)-(82): z, e+, lambda+, theta'' and Delta+ as sums, of an arm at rest without weight."""
    system = dyn.single_arm(twin.system.robots[0], gravity=(0.0, 0.0, 0.0))
    state, n = system.state(twin.state.q), system.n_joints
    f = operator_factors(system, state)
    solution = dyn.forward_dynamics(system, state, twin.tau)
    stage, poses = solution.stages["filter"], solution.link_pose
    rows = np.array([f.h[k, 6 * k : 6 * k + 6] for k in range(n)])

    def psi(k: int, i: int) -> np.ndarray:
        """psi(k-, i+), (72): across each joint between, what a free joint passes on."""
        if i not in outboard_of(system, k) or i == k:
            return np.zeros((6, 6))
        at = int(system.inboard[i])
        carried = shift(poses[i, :3, 3] - poses[at, :3, 3])
        while at != k:
            inner = int(system.inboard[at])
            passed = np.eye(6) - np.outer(stage["kalman_gain"][at], rows[at])
            carried = shift(poses[at, :3, 3] - poses[inner, :3, 3]) @ passed @ carried
            at = inner
        return carried

    z = np.array([sum(psi(k, i) @ stage["kalman_gain"][i] * twin.tau[i] for i in range(n)) for k in range(n)])
    scale = max(np.abs(z).max(), 1e-9)
    assert np.abs(operators.predicted_force(f, twin.tau) - z.ravel()).max() < 1e-9 * scale  # (73)
    assert np.abs(stage["predicted_force"] - z).max() < 1e-9 * scale
    residual = (twin.tau - np.einsum("ki,ki->k", rows, z)) / stage["joint_inertia"]
    assert close(operators.residuals(f, twin.tau), residual, 1e-9)  # (74)
    dense = np.linalg.solve(dense_equations(system, state, poses, np.zeros((n + 1, 6))).mass_matrix, twin.tau)
    assert close(operators.accelerations_from_residuals(f, residual), dense, 1e-8)  # (76), (77)
    moving = accelerations_of(system, state, dense)
    inboard = np.array(
        [
            shift(poses[k, :3, 3] - poses[i, :3, 3]).T @ moving[i] if i >= 0 else np.zeros(6)
            for k, i in enumerate(system.inboard)
        ]
    )
    found = operators.costate_inboard(f, residual).reshape(-1, 6)
    assert np.abs(found - inboard).max() < 1e-8 * np.abs(moving).max()  # (75)
    summed = [
        sum(
            psi(i, k).T @ np.outer(rows[i], rows[i]) @ psi(i, k) / stage["joint_inertia"][i]
            for i in range(n)
            if i != k and k in outboard_of(system, i)
        )
        for k in range(n)
    ]
    delta = operators.costate_covariance_inboard(f)
    costate = solution.stages["smoother"]["costate_covariance"]
    for k in range(n):
        own = delta[6 * k : 6 * k + 6, 6 * k : 6 * k + 6]
        assert np.abs(own - summed[k]).max() < 1e-9 * np.abs(costate).max()  # (80)
        inner = int(system.inboard[k])
        if inner >= 0:  # (81)
            phi = shift(poses[k, :3, 3] - poses[inner, :3, 3])
            assert np.abs(own - phi.T @ costate[inner] @ phi).max() < 1e-9 * np.abs(costate).max()
        passed = np.eye(6) - np.outer(stage["kalman_gain"][k], rows[k])
        updated = passed.T @ own @ passed + np.outer(rows[k], rows[k]) / stage["joint_inertia"][k]
        assert np.abs(updated - costate[k]).max() < 1e-9 * np.abs(costate).max()  # (82)


def test_estimates_are_conditional_expectations() -> None:
    """R87 (54), (59), (60): the filter and the smoother of drawn data, against dense Gaussian conditioning."""
    system, _ = dyn.example("puma560")
    state = system.state(np.linspace(-1.0, 1.0, 6))
    drawn = sample_estimation(system, state, 5, seed=4)
    f, n = operator_factors(system, state), system.n_joints
    rotor = np.diag([joint.rotor_inertia for joint in system.joint_models])
    prior = operators.state_covariance(f)
    for count in range(n + 1):
        seen = f.h[:count]
        gain = prior @ seen.T @ np.linalg.inv(seen @ prior @ seen.T + rotor[:count, :count])
        best = (drawn.measured[:, :count] @ gain.T).reshape(-1, n, 6)
        if count < n:
            predicted = drawn.state[:, count] - drawn.prediction_error[:, count]
            assert np.abs(predicted - best[:, count]).max() < 1e-9 * np.abs(drawn.state).max()  # (54)
        if count:
            corrected = drawn.state[:, count - 1] - drawn.corrected_error[:, count - 1]
            assert np.abs(corrected - best[:, count - 1]).max() < 1e-9 * np.abs(drawn.state).max()  # (59)
    smoothed = drawn.state - drawn.smoothed_error
    assert np.abs(smoothed - best).max() < 1e-8 * np.abs(drawn.state).max()  # (60)


def test_covariances_of_corrected_states_and_costates() -> None:
    """R87 (58), (66) by sampling."""
    system, _ = dyn.example("puma560")
    state = system.state(np.linspace(-1.0, 1.0, 6))
    count = 40_000
    drawn = sample_estimation(system, state, count, seed=5)
    solution = dyn.forward_dynamics(system, state)
    for sample, expected in (
        (drawn.corrected_error, solution.stages["filter"]["articulated_inertia_updated"]),
        (drawn.costate, solution.stages["smoother"]["costate_covariance"]),
    ):
        found = np.einsum("ski,skj->kij", sample, sample) / count
        spread = np.sqrt(np.maximum(np.einsum("kii->ki", expected), 0.0))
        bound = 5.0 * np.sqrt(2.0 / count) * spread[:, :, None] * spread[:, None, :] + 1e-9
        assert np.all(np.abs(found - expected) <= bound)
