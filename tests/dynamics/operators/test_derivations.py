"""R87 Sections III-X step by step: each sum and each recursion against what a dense or a drawn-out sum gives."""

from functools import lru_cache

import numpy as np
import pytest

import dynamics as dyn
from dynamics.numbers.spatial import expand_symmetric
from dynamics.operators import estimation
from dynamics.operators import operator_factors as operators
from dynamics.operators.composite_inertia import composite_inertia, link_inertias
from dynamics.operators.few_numbers import Body, body_matrix, freed, joined, propagated
from dynamics.operators.inverse_sweeps import bias_torque, two_sweeps
from dynamics.operators.operator_factors import operator_factors
from dynamics.system.plain_kinematics import shift
from tests.dynamics import dense_machine as machine
from tests.dynamics.every import every
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import Twin, one_arm

Array = np.ndarray
CASES = [(1, 0.0), (7, 0.0), (9, 0.5)]  # joints and branching
STILL = np.zeros(6)


@lru_cache(maxsize=4)
def drawn(n: int, branching: float) -> Twin:
    rng = np.random.default_rng(870 + n)
    return one_arm(rng, draw_robot(rng, n, branching=branching, mass_decades=1.0))


def no_push(system: dyn.System) -> Array:
    return np.zeros((system.n_links + 1, 6))


def test_transitions_form_a_group() -> None:
    """R87 (2)-(3)."""
    rng = np.random.default_rng(1)
    (a, b, c), force = rng.normal(size=(3, 3)), rng.normal(size=6)
    expected = np.concatenate([force[:3] + np.cross(b - a, force[3:]), force[3:]])
    assert np.allclose(shift(b - a) @ force, expected, rtol=1e-9, atol=1e-14)
    assert np.allclose(shift(c - a), shift(b - a) @ shift(c - b), rtol=1e-9, atol=1e-14)
    assert np.allclose(np.linalg.inv(shift(b - a)), shift(a - b), rtol=1e-9, atol=1e-14)


@every(CASES)
def test_forces_and_energy_of_every_link(n: int, branching: float) -> None:
    """R87 (1), (4)-(10), (16)-(21): Newton, Euler and the kinetic energy of each link about its mass centre."""
    system, state = drawn(n, branching).system, drawn(n, branching).state
    solution = dyn.forward_dynamics(system, state)
    inertias = link_inertias(system, solution.link_pose)
    for k, link in enumerate(system.link_models):
        rotation, (omega, v) = solution.link_pose[k, :3, :3], solution.link_velocity[k].reshape(2, 3)
        at_center, turning = v + np.cross(omega, rotation @ link.center_of_mass), rotation.T @ omega
        energy = link.mass * at_center @ at_center + turning @ link.inertia @ turning
        assert solution.link_velocity[k] @ inertias[k] @ solution.link_velocity[k] == pytest.approx(energy, rel=1e-10)
    # R87 (4)-(10), (16)-(21): Newton and Euler of each link about its mass centre, from the forces at its joints.
    accelerations = np.random.default_rng(2).normal(size=n)
    rows, force = two_sweeps(system, state, accelerations, STILL, no_push(system))
    poses, velocity = dyn.forward_kinematics(system, state).pose, dyn.forward_dynamics(system, state).link_velocity
    centers = machine.mass_centers(system, poses)
    alpha = machine.accelerations_of_links(system, state, accelerations, centers)
    for k, link in enumerate(system.link_models):
        net = force[k].copy()
        net[:3] += np.cross(poses[k, :3, 3] - centers[k], force[k, 3:])
        for i in np.flatnonzero(system.inboard[:n] == k):
            net[3:] -= force[i, 3:]
            net[:3] -= force[i, :3] + np.cross(poses[i, :3, 3] - centers[k], force[i, 3:])
        inertia, omega = machine.link_inertia_about_center(system, poses, k), velocity[k, :3]
        moment = inertia @ alpha[k, :3] + np.cross(omega, inertia @ omega)
        expected = np.concatenate([moment, link.mass * (alpha[k, 3:] - system.gravity)])
        assert np.abs(net - expected).max() < 1e-10 * np.abs(force).max()
    torque = dyn.inverse_dynamics(system, state, accelerations)
    assert machine.close(np.einsum("ki,ki->k", rows, force), torque, 1e-10)


@every(CASES)
def test_sums_that_lead_to_the_mass_matrix(n: int, branching: float) -> None:
    """R87 (22)-(33): the same forces as sums drawn out, in both orders; composite bodies."""
    system, state = drawn(n, branching).system, drawn(n, branching).state
    f, poses = operator_factors(system, state), dyn.forward_kinematics(system, state).pose
    inertias = link_inertias(system, poses)
    shifts = np.zeros((n, n, 6, 6))
    for k in range(n):
        for i in machine.links_on(system, k):
            shifts[k, i] = machine.phi(poses[i, :3, 3] - poses[k, :3, 3])
    r = operators.state_covariance(f)
    expected = np.einsum("kjab,jbc,ijdc->kaid", shifts, inertias, shifts).reshape(6 * n, 6 * n)
    assert np.abs(r - expected).max() < 1e-11 * np.abs(r).max()
    accelerations = np.random.default_rng(3).normal(size=n)
    rows, force = two_sweeps(system, state, accelerations, STILL, no_push(system))
    solution = dyn.forward_dynamics(system, state)
    a, b = solution.bias_acceleration, solution.bias_force
    pushed = rows * accelerations[:, None] + a
    costates = np.einsum("ikab,ia->kb", shifts, pushed)  # (23)
    assert machine.close(operators.link_acceleration(f, accelerations, a.ravel()), costates.ravel())
    summed = np.einsum("kjab,jb->ka", shifts, np.einsum("jab,jb->ja", inertias, costates) + b)  # (24)
    size = np.abs(force).max()
    assert np.abs(force - summed).max() < 1e-10 * size
    assert np.abs(operators.link_force(f, costates.ravel(), b.ravel()) - summed.ravel()).max() < 1e-10 * size
    other_order = r @ pushed.ravel() + f.phi @ b.ravel()  # (25)-(27)
    assert np.abs(other_order - summed.ravel()).max() < 1e-10 * size
    equations = machine.dense(system, state)
    assert machine.close(bias_torque(system, state, no_push(system)), equations.bias, 1e-10)  # (31)
    assert machine.close(dyn.mass_matrix(system, state), equations.mass_matrix)  # (22), (30)
    # R87 (28)-(29) and its ten numbers, (32)-(33): masses, centres and inertias of all that hangs on a link.
    poses = dyn.forward_kinematics(system, state).pose
    found, inertias = composite_inertia(system, state), link_inertias(system, poses)
    body = Body(0.0, np.zeros(3), np.zeros((3, 3)))
    for k in range(n):
        levers = {i: machine.phi(poses[i, :3, 3] - poses[k, :3, 3]) for i in machine.links_on(system, k)}
        assert machine.close(found[k], sum(lever @ inertias[i] @ lever.T for i, lever in levers.items()))
        if not branching:
            lever = poses[k - 1, :3, 3] - poses[k, :3, 3] if k else np.zeros(3)
            body = joined(body, lever, own_numbers(system, poses, k))
            assert machine.close(body_matrix(body), found[k])
            assert body.mass == pytest.approx(sum(link.mass for link in system.link_models[: k + 1]))


def test_articulated_body_in_21_numbers() -> None:
    """R87 (84): propagation and update of mass, moment and inertia, against the filter's P and P+."""
    rng = np.random.default_rng(84)
    twin = one_arm(rng, draw_robot(rng, 7, kinds=("revolute",)))
    system, poses = twin.system, dyn.forward_kinematics(twin.system, twin.state).pose
    stage = dyn.forward_dynamics(system, twin.state).stages["filter"]
    body = np.zeros(21)
    for k, joint in enumerate(system.joint_models):
        lever = poses[k - 1, :3, 3] - poses[k, :3, 3] if k else np.zeros(3)
        link, before = own_numbers(system, poses, k), parts(body)
        body = propagated(body, lever, link)
        mass, moment, inertia = parts(body)
        skew, turned = machine.cross_matrix(lever), machine.cross_matrix(lever) @ before[1].T
        assert machine.close(mass, before[0] + link.mass * np.eye(3))
        assert machine.close(moment, before[1] + skew @ before[0] + link.mass * machine.cross_matrix(link.center))
        assert machine.close(inertia, before[2] + turned + turned.T + skew @ before[0] @ skew.T + link.inertia)
        assert machine.close(expand_symmetric(body), stage["articulated_inertia"][k], 1e-10)
        axis = poses[k, :3, :3] @ joint.axis
        seen, along = inertia @ axis, moment.T @ axis
        d, size = axis @ seen, np.abs(stage["articulated_inertia"][k]).max()
        assert d == pytest.approx(stage["joint_inertia"][k], rel=1e-10)
        body = freed(body, axis)
        free = mass - np.outer(along, along) / d, moment - np.outer(seen, along) / d, inertia - np.outer(seen, seen) / d
        assert all(np.abs(a - b).max() < 1e-11 * size for a, b in zip(parts(body), free, strict=True))
        assert np.abs(expand_symmetric(body) - stage["articulated_inertia_updated"][k]).max() < 1e-10 * size


def parts(body: Array) -> tuple[Array, Array, Array]:
    """Mass, moment and inertia, 3x3 each, of 21 numbers."""
    matrix = expand_symmetric(body)
    return matrix[3:, 3:], matrix[:3, 3:], matrix[:3, :3]


def own_numbers(system: dyn.System, poses: Array, k: int) -> Body:
    link = system.link_models[k]
    center = poses[k, :3, :3] @ link.center_of_mass
    about_joint = link.mass * (center @ center * np.eye(3) - np.outer(center, center))
    return Body(link.mass, center, machine.link_inertia_about_center(system, poses, k) + about_joint)


@every(CASES)
def test_other_forms_of_the_updates(n: int, branching: float) -> None:
    """R87 (34), (48)-(51) with the numbers of a dense solve."""
    twin = drawn(n, branching)
    system, state, tau = twin.system, twin.state, twin.tau
    solution = dyn.forward_dynamics(system, state, tau)
    stage, a = solution.stages["filter"], solution.bias_acceleration
    accelerations = dyn.forward_dynamics(system, state, tau, method="kkt").joint_acceleration
    rows, force = two_sweeps(system, state, accelerations, STILL, no_push(system))
    alpha = machine.accelerations_of_links(system, state, accelerations)
    fastest, scale = np.abs(alpha).max(), np.abs(force).max()
    for k in range(n):
        p, gain, updated = (stage[x][k] for x in ("articulated_inertia", "kalman_gain", "articulated_inertia_updated"))
        size = np.abs(p).max()
        assert np.abs(estimation.reduced_covariance(p, gain, rows[k]) - updated).max() < 1e-9 * size  # (50)
        assert np.abs(estimation.covariance_from_both_sides(p, gain, rows[k]) - updated).max() < 1e-9 * size  # (51)
        inner = int(system.inboard[k])
        lever = solution.link_pose[k, :3, 3] - solution.link_pose[inner, :3, 3]
        inboard = machine.phi(lever).T @ alpha[inner] if inner >= 0 else np.zeros(6)
        # R87's residual: its innovation leaves P a out, e+ = nu + G' a.
        residual = np.asarray(stage["residual"][k] + gain @ a[k])
        found = estimation.smoothed_costate(inboard + a[k], gain, rows[k], residual)
        assert np.abs(found - alpha[k]).max() < 1e-8 * fastest  # (48)
        predicted = stage["predicted_force"][k] - p @ a[k]
        assert np.abs(estimation.smoothed_state(predicted, p, alpha[k]) - force[k]).max() < 1e-8 * scale  # (34)
        corrected = estimation.smoothed_state(stage["corrected_force"][k], updated, inboard)
        assert np.abs(corrected - force[k]).max() < 1e-8 * scale  # (49): the other side of the joint


@every(CASES)
def test_sums_that_lead_to_the_inverse(n: int, branching: float) -> None:
    """R87 (72)-(82): z, e+, lambda+, theta'' and Delta+ as sums, of an arm at rest without weight."""
    twin = drawn(n, branching)
    system = dyn.single_arm(twin.system.robots[0], gravity=(0.0, 0.0, 0.0))
    state, tau = system.state(twin.state.q), twin.tau
    f, solution = operator_factors(system, state), dyn.forward_dynamics(system, state, tau)
    stage, point = solution.stages["filter"], solution.link_pose[:, :3, 3]
    gain, d = stage["kalman_gain"], stage["joint_inertia"]
    rows = np.array([f.h[k, 6 * k : 6 * k + 6] for k in range(n)])
    passed = [np.eye(6) - np.outer(gain[k], rows[k]) for k in range(n)]

    def psi(k: int, i: int) -> Array:
        """psi(k-, i+), (72): across each joint between, what a free joint passes on."""
        if i not in machine.links_on(system, k) or i == k:
            return np.zeros((6, 6))
        at = int(system.inboard[i])
        carried = machine.phi(point[i] - point[at])
        while at != k:
            inner = int(system.inboard[at])
            carried, at = machine.phi(point[at] - point[inner]) @ passed[at] @ carried, inner
        return carried

    z = np.array([sum(psi(k, i) @ gain[i] * tau[i] for i in range(n)) for k in range(n)])
    scale = max(np.abs(z).max(), 1e-9)
    assert np.abs(operators.predicted_force(f, tau) - z.ravel()).max() < 1e-9 * scale  # (73)
    assert np.abs(stage["predicted_force"] - z).max() < 1e-9 * scale
    residual = (tau - np.einsum("ki,ki->k", rows, z)) / d
    assert machine.close(operators.residuals(f, tau), residual, 1e-9)  # (74)
    accelerations = np.linalg.solve(machine.dense(system, state).mass_matrix, tau)
    assert machine.close(operators.accelerations_from_residuals(f, residual), accelerations, 1e-8)  # (76), (77)
    alpha = machine.accelerations_of_links(system, state, accelerations)
    inboard = np.array(
        [machine.phi(point[k] - point[i]).T @ alpha[i] if i >= 0 else np.zeros(6) for k, i in enumerate(system.inboard)]
    )
    found = operators.costate_inboard(f, residual).reshape(-1, 6)
    assert np.abs(found - inboard).max() < 1e-8 * np.abs(alpha).max()  # (75)
    delta, costate = operators.costate_covariance_inboard(f), solution.stages["smoother"]["costate_covariance"]
    size = np.abs(costate).max()
    for k in range(n):
        own = delta[6 * k : 6 * k + 6, 6 * k : 6 * k + 6]
        terms = [psi(i, k).T @ np.outer(rows[i], rows[i]) @ psi(i, k) / d[i] for i in range(n)]
        assert np.abs(own - sum(terms)).max() < 1e-9 * size  # (80)
        inner = int(system.inboard[k])
        if inner >= 0:  # (81)
            lever = machine.phi(point[k] - point[inner])
            assert np.abs(own - lever.T @ costate[inner] @ lever).max() < 1e-9 * size
        updated = passed[k].T @ own @ passed[k] + np.outer(rows[k], rows[k]) / d[k]
        assert np.abs(updated - costate[k]).max() < 1e-9 * size  # (82)


def test_estimates_are_conditional_expectations() -> None:
    """R87 (54), (59), (60): the filter and the smoother of drawn data, against dense Gaussian conditioning."""
    system, _ = dyn.example("puma560")
    state = system.state(np.linspace(-1.0, 1.0, 6))
    drawn = estimation.sample_estimation(system, state, 5, seed=4)
    f, n = operator_factors(system, state), system.n_joints
    rotor = np.diag([joint.rotor_inertia for joint in system.joint_models])
    prior, size = operators.state_covariance(f), np.abs(drawn.state).max()
    for count in range(n + 1):
        seen = f.h[:count]
        gain = prior @ seen.T @ np.linalg.inv(seen @ prior @ seen.T + rotor[:count, :count])
        best = (drawn.measured[:, :count] @ gain.T).reshape(-1, n, 6)
        if count < n:
            predicted = drawn.state[:, count] - drawn.prediction_error[:, count]
            assert np.abs(predicted - best[:, count]).max() < 1e-9 * size  # (54)
        if count:
            corrected = drawn.state[:, count - 1] - drawn.corrected_error[:, count - 1]
            assert np.abs(corrected - best[:, count - 1]).max() < 1e-9 * size  # (59)
    assert np.abs(drawn.state - drawn.smoothed_error - best).max() < 1e-8 * size  # (60)
