"""Lagrange's products of 4x4 matrices: the derivatives themselves, and energy."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from dynamics.system.axis_frames import axis_links
from dynamics.witness import lagrange, newton_euler, strobing
from tests.dynamics.every import every
from tests.dynamics.systems import GRAVITY, draw_robot


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


def test_mass_matrix_equals_newton_eulers() -> None:
    """The two formulations of TML's title."""
    rng = np.random.default_rng(10)
    system = dyn.single_arm(draw_robot(rng, 8, branching=0.2).load(), gravity=GRAVITY)
    state = system.state(q=rng.normal(size=8), qd=rng.normal(size=8))
    for left, right in zip(
        strobing.mass_matrix_and_bias(system, state, lagrange.inverse_dynamics),
        strobing.mass_matrix_and_bias(system, state, newton_euler.inverse_dynamics),
        strict=True,
    ):
        np.testing.assert_allclose(left, right, rtol=0, atol=1e-12 * np.abs(right).max())
