"""The dense solve where much cancels: what no force closes is told from what rounding leaves."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from dynamics.witness.kkt import Dense, solve_dense


def light_in_one_direction(seed: int) -> tuple[Dense, np.ndarray]:
    """Eight coordinates that weigh next to nothing along one direction, across which eight rows of rank three act."""
    rng = np.random.default_rng(seed)
    n, rank, rows = 8, 3, 8
    light = rng.normal(size=n)
    light /= np.linalg.norm(light)
    across = np.eye(n) - np.outer(light, light)
    spread = across @ rng.normal(size=(n, n))
    mass = spread @ spread.T + 1e-12 * np.eye(n)
    constraint = rng.normal(size=(rows, rank)) @ rng.normal(size=(rank, n)) @ across
    acceleration = rng.normal(size=n)
    return Dense(
        0.5 * (mass + mass.T), rng.normal(size=n), constraint, -constraint @ acceleration, np.zeros((rows, 0)), 0.0
    ), rng.normal(size=n)


@pytest.mark.parametrize("seed", range(6))
def test_what_falls_freely_so_fast_that_rounding_hides_the_rest_is_solved(seed: int) -> None:
    equations, tau = light_in_one_direction(seed)
    a, _ = solve_dense(equations, tau)
    terms = np.abs(equations.constraint) @ np.abs(a)
    left = equations.constraint @ a + equations.constraint_bias
    assert (np.abs(left) <= len(a) * np.finfo(float).eps * terms).all()
    assert terms.max() > 1e10 * np.abs(equations.constraint_bias).max()  # or nothing would have cancelled
    with pytest.raises(dyn.SingularConfigurationError, match="no contact force"):
        solve_dense(equations._replace(constraint_bias=equations.constraint_bias + 0.1 * np.eye(8)[0]), tau)
