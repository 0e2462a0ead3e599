"""TML Sections 1 and 2: rotations, the derivative as a product, chained transforms, traces, energies."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import dynamics as dyn
from dynamics.system.axis_frames import axis_links
from dynamics.witness import lagrange, newton_euler
from dynamics.witness.equivalence import steps_of_the_proof
from dynamics.witness.newton_euler_modified import trace_moment
from dynamics.witness.strobing import torque_parts, velocity_coefficients
from tests.dynamics.every import every
from tests.dynamics.systems import GRAVITY, draw_robot

STEP = 1e-5


def arm(n: int, seed: int, kinds: tuple[str, ...] = ("revolute", "prismatic")) -> dyn.System:
    rng = np.random.default_rng(seed)
    return dyn.single_arm(draw_robot(rng, n, kinds=kinds, mass_decades=1.0).load(), gravity=GRAVITY)


def chained(links: tuple, path: list[int], q: np.ndarray) -> np.ndarray:
    product = np.eye(4).tolist()
    for k in path:
        product = lagrange.chained_transform(product, lagrange.joint_transform(links[k], float(q[k])))
    return np.array(product)


def test_transforms_turn_and_chain() -> None:
    """(1.1)-(1.4), (1.6)-(1.12), (1.15)-(1.17): rotations, T Q d as a cross product, origins that add up."""
    system, q = arm(4, 1, ("revolute",)), np.array([0.3, -1.1, 2.0, 0.7])
    rng = np.random.default_rng(2)
    turn = np.eye(3)
    for k, link in reversed(list(enumerate(axis_links(system)))):
        r, _ = (np.array(part) for part in newton_euler.joint_transform(link, float(q[k])))
        expected = np.array(link.turn) @ Rotation.from_rotvec([0.0, 0.0, q[k]]).as_matrix()
        assert np.allclose(r, expected, rtol=1e-9, atol=1e-14)
        assert np.allclose(r.T @ r, np.eye(3), rtol=1e-9, atol=1e-14)
        b, c = rng.normal(size=(2, 3))
        assert np.allclose(r @ np.cross(b, c), np.cross(r @ b, r @ c), rtol=1e-9, atol=1e-13)
        turn = turn @ r  # (1.2)
        axis = system.joint_models[k].axis
        assert np.allclose(turn[:, 2], dyn.link_poses(system, system.state(q))[k, :3, :3] @ axis, rtol=1e-9, atol=1e-12)
    # (1.6)-(1.9), (1.11)-(1.12): T Q d turns d about the joint's axis, in any frame.
    system, q = arm(3, 3, ("revolute",)), np.array([0.4, -0.8, 1.3])
    links = axis_links(system)
    d = np.array([0.2, -0.5, 0.9, 1.0])
    t = chained(links, [2, 1, 0], q)
    moved = np.array(lagrange.times_q(t.tolist(), revolute=True)) @ d
    assert np.allclose(moved[:3], np.cross(t[:3, 2], t[:3, :3] @ d[:3]), rtol=1e-9, atol=1e-13)
    assert moved[3] == 0.0
    # (1.15)-(1.17): origins add up link by link, and points go with their frames.
    system = arm(5, 4)
    q = np.random.default_rng(5).normal(size=5)
    links, poses = axis_links(system), dyn.link_poses(system, system.state(q))
    place, turn = np.zeros(3), np.eye(3)
    for k in reversed(range(5)):
        own = np.array(lagrange.joint_transform(links[k], float(q[k])))
        place = place + turn @ own[:3, 3]  # (1.16)
        turn = turn @ own[:3, :3]
        t = chained(links, list(range(4, k - 1, -1)), q)
        assert np.allclose(t[:3, 3], place, rtol=1e-9, atol=1e-13)
        assert np.allclose(t[:3, 3], poses[k, :3, 3], rtol=1e-9, atol=1e-12)
        d = np.array([0.3, -0.2, 0.5])
        assert np.allclose((t @ [*d, 1.0])[:3], place + turn @ d, rtol=1e-9, atol=1e-13)  # (1.17)


def test_derivatives_of_positions() -> None:
    """(1.18), (1.19): the last columns of dT and d2T, by differences."""
    system = arm(4, 6)
    q = np.random.default_rng(7).normal(size=4)
    links, path = axis_links(system), [3, 2, 1, 0]

    def first(j: int, at: np.ndarray) -> np.ndarray:
        left = lagrange.times_q(chained(links, path[: path.index(j) + 1], at).tolist(), links[j].revolute)
        return np.array(lagrange.first_derivative(left, chained(links, path[path.index(j) + 1 :], at).tolist()))

    for j in path:
        step = STEP * np.eye(4)[j]
        expected = (chained(links, path, q + step) - chained(links, path, q - step)) / (2 * STEP)
        assert np.allclose(first(j, q), expected, rtol=1e-9, atol=1e-8)
        for outer in path[path.index(j) :]:
            at = path.index(outer) + 1
            up_to = lagrange.times_q(chained(links, path[: path.index(j) + 1], q).tolist(), links[j].revolute)
            between = lagrange.first_derivative(up_to, chained(links, path[path.index(j) + 1 : at], q).tolist())
            once = lagrange.times_q(between, links[outer].revolute)
            found = np.array(lagrange.second_derivative(once, chained(links, path[at:], q).tolist()))
            step = STEP * np.eye(4)[outer]
            expected = (first(j, q + step) - first(j, q - step)) / (2 * STEP)
            assert np.allclose(found, expected, rtol=1e-9, atol=1e-8)


def test_traces_are_moments() -> None:
    # (1.23).
    a, b = np.random.default_rng(8).normal(size=(2, 4, 4))
    assert lagrange.trace_of_product(a.tolist(), b.tolist()) == pytest.approx(np.trace(a @ b.T), rel=1e-13)
    assert np.trace(a @ b.T) == pytest.approx(np.trace(b @ a.T), rel=1e-13)
    # (1.20)-(1.22) at work in (5.2): sum of d x (alpha x d + w x (w x d)) over a cloud of points.
    rng = np.random.default_rng(9)
    points, masses = rng.normal(size=(40, 3)), rng.uniform(0.1, 1.0, 40)
    omega, alpha = rng.normal(size=(2, 3))
    k = np.einsum("n,ni,nj->ij", masses, points, points)
    skew = np.cross(alpha, np.eye(3)).T
    a = np.outer(omega, omega) - omega @ omega * np.eye(3) + skew
    expected = sum(
        m * np.cross(d, np.cross(alpha, d) + np.cross(omega, np.cross(omega, d)))
        for m, d in zip(masses, points, strict=True)
    )
    found = trace_moment(tuple(map(tuple, a)), tuple(map(tuple, k)))
    assert np.allclose(found, expected, rtol=1e-9, atol=1e-11)


@every([0.0, 0.5])
def test_energies(branching: float) -> None:
    """(2.1)-(2.6): by traces, against each mass centre's speed and height."""
    rng = np.random.default_rng(10)
    system = dyn.single_arm(draw_robot(rng, 6, branching=branching, mass_decades=1.0).load(), gravity=GRAVITY)
    state = system.state(rng.normal(size=6), rng.normal(size=6))
    solution = dyn.forward_dynamics(system, state)
    kinetic = potential = 0.0
    for k, link in enumerate(system.link_models):
        pose, (omega, v) = solution.link_pose[k], solution.link_velocity[k].reshape(2, 3)
        center = pose[:3, :3] @ link.center_of_mass
        own, moving = pose[:3, :3].T @ omega, v + np.cross(omega, center)
        kinetic += 0.5 * (link.mass * moving @ moving + own @ link.inertia @ own)
        potential -= link.mass * system.gravity @ (pose[:3, 3] + center)
    assert lagrange.energies(system, state) == pytest.approx((kinetic, potential), rel=1e-11)


def transform(links: tuple, k: int, q: np.ndarray) -> np.ndarray:
    """T_0^k by plain products."""
    path = lagrange.path_to(links, k)
    product = np.eye(4)
    for j in path:
        product = product @ np.array(lagrange.joint_transform(links[j], float(q[j])))
    return product


@every([["revolute"], ["prismatic"]])
def test_q_differentiates(kinds: list[str]) -> None:
    """dT/dq = T Q, TML (1.5): a central difference agrees to its own accuracy."""
    rng = np.random.default_rng(3)
    links = axis_links(dyn.single_arm(draw_robot(rng, 1, kinds=kinds).load()))
    q, h = 0.7, 1e-6
    left, right = (transform(links, 0, np.array([q + step])) for step in (h, -h))
    derivative = lagrange.times_q(transform(links, 0, np.array([q])).tolist(), links[0].revolute)
    np.testing.assert_allclose(derivative, (left - right) / (2 * h), atol=1e-9)


def test_pseudo_inertia_gives_the_inertia_back() -> None:
    """TML (1.27): I = Tr{J} E - J about O_k, less the parallel-axis term about the mass centre."""
    rng = np.random.default_rng(4)
    for link in axis_links(dyn.single_arm(draw_robot(rng, 5).load())):
        j = np.array(lagrange.pseudo_inertia(link))
        c = np.array(link.center)
        about_joint = np.trace(j[:3, :3]) * np.eye(3) - j[:3, :3]
        about_center = about_joint - link.mass * (c @ c * np.eye(3) - np.outer(c, c))
        np.testing.assert_allclose(about_center, link.inertia, atol=1e-12 * np.trace(j))
        np.testing.assert_allclose(j[3], [*link.first_moment, link.mass])


@every([0.0, 0.5])
def test_power_is_the_rate_of_energy(branching: float) -> None:
    """theta' . tau = d/dt (kinetic + potential) along any motion, without losses."""
    rng = np.random.default_rng(9)
    system = dyn.single_arm(draw_robot(rng, 6, branching=branching, mass_decades=1.0).load(), gravity=GRAVITY)
    q, qd, qdd = rng.normal(size=(3, 6))

    def energy(t: float) -> float:
        state = system.state(q=q + t * qd + 0.5 * t * t * qdd, qd=qd + t * qdd)
        solution = dyn.forward_dynamics(system, state)
        return solution.kinetic_energy + solution.potential_energy

    power = qd @ lagrange.inverse_dynamics(system, system.state(q=q, qd=qd), qdd)
    h = 1e-5
    assert power == pytest.approx((energy(h) - energy(-h)) / (2 * h), rel=1e-6)


@every([2, 3, 6])
def test_every_line_of_the_proof_that_both_formulations_are_one(n: int) -> None:
    """(4.1)-(4.33): vectors carried from link to link, beside the derivatives of transforms."""
    system, rng = arm(n, 20 + n, ("revolute",)), np.random.default_rng(n)
    state, pull = system.state(rng.normal(size=n), rng.normal(size=n)), rng.normal(size=n)
    lines = steps_of_the_proof(system, state, pull)
    assert list(lines) == [f"4.{k}" for k in range(1, 34)]
    for number, (left, right) in lines.items():
        assert np.abs(left - right).max() < 1e-11 * np.abs(left).max(), number
    # What all links need about the base's joint is (2.11), and the last link's by itself is (4.27).
    assert lines["4.27"][1][-1] == pytest.approx(dyn.inverse_dynamics(system, state, pull, method="lagrange")[0])
    with pytest.raises(dyn.ModelError, match="turning joints"):
        steps_of_the_proof(arm(n, 3, ("prismatic",)), arm(n, 3, ("prismatic",)).state(rng.normal(size=n)), pull)


def test_torques_of_accelerations_rates_and_gravity_are_apart() -> None:
    """(2.11): tau = M theta'' + C + G; C is the rates' square, G what holds the arm at rest."""
    system, rng = arm(5, 30), np.random.default_rng(6)
    state, pull = system.state(rng.normal(size=5), rng.normal(size=5)), rng.normal(size=5)
    for formulation in (lagrange.inverse_dynamics, newton_euler.inverse_dynamics):
        inertial, rates, gravity = torque_parts(system, state, pull, formulation)
        expected = dyn.inverse_dynamics(system, state, pull)
        assert np.allclose(inertial + rates + gravity, expected, atol=1e-10 * np.abs(expected).max())
        assert np.allclose(inertial, dyn.mass_matrix(system, state) @ pull, atol=1e-10 * np.abs(inertial).max())
        squares = np.einsum("ijk,j,k->i", velocity_coefficients(system, state, formulation), state.qd, state.qd)
        assert np.allclose(rates, squares, atol=1e-10 * np.abs(rates).max())
        still = dyn.inverse_dynamics(system, system.state(state.q), np.zeros(5))
        assert np.allclose(gravity, still, atol=1e-10 * np.abs(still).max())
