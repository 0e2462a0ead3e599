"""The same motion, integrated with accelerations of every formulation."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn

SINGLE = ["newton_euler", "newton_euler_modified", "lagrange", "mass_matrix", "appel", "kkt"]


@pytest.mark.parametrize(
    ("name", "method"),
    [("planar_chain", method) for method in SINGLE]
    + [("free_flyer", "two_filter"), ("free_flyer", "kkt"), ("two_planar_arms", "appel")],
)
def test_rk4_by_every_formulation(name: str, method: str) -> None:
    system, state = dyn.example(name)
    tau = 0.1 * np.ones(system.n_joints)
    expected = dyn.simulate(system, state, tau=tau, duration=0.02, dt=4e-3)
    found = dyn.simulate_by(system, state, method, tau, duration=0.02, dt=4e-3)
    assert np.allclose(found.times, expected.times, atol=1e-15)
    assert np.max(np.abs(found.x - expected.x)) < 1e-9
    assert np.max(np.abs(found.v - expected.v)) < 1e-8 * max(1.0, float(np.abs(expected.v).max()))


def test_a_step_must_be_positive() -> None:
    system, state = dyn.example("planar_chain")
    with pytest.raises(dyn.StateError, match="longer than zero"):
        dyn.simulate_by(system, state, "kkt", dt=0.0)
