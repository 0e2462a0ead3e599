"""Solving with matrices of mixed units: the rank and the solution that the compiled sweeps find."""

from __future__ import annotations

import numpy as np
import pytest

from dynamics.numbers.least_norm import LeastNorm
from dynamics.numbers.small_matrices import factor_by_rank, solve_by_rank
from dynamics.textbook.blackboard import least, null


def draw(rng: np.random.Generator, size: int, rank: int, unit: float) -> np.ndarray:
    """Of this rank; half of its rows, chosen at random, are in another unit."""
    half = rng.normal(size=(size, rank)) * np.where(rng.random(size) < 0.5, 1.0, unit)[:, None]
    return half @ half.T


@pytest.mark.parametrize("unit", [1e-6, 1e-3, 1.0, 1e4])
@pytest.mark.parametrize("seed", range(6))
def test_one_rule_for_every_form(seed: int, unit: float) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 13))
    rank = int(rng.integers(1, size + 1))
    matrix = draw(rng, size, rank, unit)
    factored, order, scratch = np.empty((size, size)), np.empty(size, dtype=np.int64), np.empty((size + 2, size))
    assert factor_by_rank(matrix, size, factored, order) == rank
    apart = LeastNorm(matrix)
    reached = matrix @ (rng.normal(size=size) / np.sqrt(np.diag(matrix)))
    assert apart.null.shape == null(matrix).shape == (size, size - rank)
    own = np.sqrt(np.diag(matrix))
    for lost in (apart.null, null(matrix)):
        assert np.allclose(lost.T @ lost, np.eye(size - rank), rtol=0.0, atol=1e-12)
        assert np.abs((matrix @ lost) / own[:, None]).max(initial=0.0) < 1e-9 * own.max()
    expected = reached.copy()
    solve_by_rank(factored, order, size, rank, expected, scratch)
    asked = np.abs(reached / own).max()
    # The compiled solve squares the ratio of the units where directions are lost: up to 9e-4 off here.
    is_solved = np.abs((matrix @ expected - reached) / own).max() < 1e-8 * asked
    assert is_solved or unit == 1e-6
    for found in (apart.solve(reached), least(matrix, reached[:, None])[:, 0]):
        assert np.abs((matrix @ found - reached) / own).max() < 1e-8 * asked
        assert np.linalg.norm(found) < (1.0 + 1e-6) * np.linalg.norm(expected) or not is_solved
        assert np.abs(apart.null.T @ found).max(initial=0.0) < 1e-9 * np.abs(found).max()
    half = apart.half(np.eye(size))
    assert np.allclose(
        half.T @ (half @ reached), apart.solve(reached), rtol=1e-6, atol=1e-9 * np.abs(apart.solve(reached)).max()
    )


def test_units_of_another_diagonal() -> None:
    """Where a direction's own element is rounding, another diagonal says what is small."""
    matrix = np.diag([2.0, 3e-32, 5e-12])
    found = LeastNorm(matrix, like=np.array([1.0, 1.0, 1e-12]))
    assert np.allclose(found.solve(np.ones(3)), [0.5, 0.0, 2e11])
    whole = matrix + np.diag([1.0, 1.0, 1e-12])
    assert np.allclose(least(matrix, np.ones((3, 1)), whole)[:, 0], [0.5, 0.0, 2e11])
    assert np.allclose(np.abs(found.null[:, 0]), [0.0, 1.0, 0.0])
