"""Solving with small symmetric matrices, of full rank and not, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from dynamics.numbers.small_matrices import (
    factor,
    factor_by_rank,
    invert_packed,
    solve_by_rank,
    solve_factored,
    solve_packed,
)
from dynamics.numbers.spatial import expand_symmetric
from tests.dynamics.numbers.test_spatial import packed


def test_factor_and_solve() -> None:
    rng = np.random.default_rng(0)
    half = rng.normal(size=(5, 5))
    matrix, b = half @ half.T, rng.normal(size=5)
    lower, x = matrix.copy(), b.copy()
    assert factor(lower, 5)
    assert np.allclose(np.tril(lower), np.linalg.cholesky(matrix), rtol=0.0, atol=1e-13)
    solve_factored(lower, 5, x)
    assert np.allclose(matrix @ x, b, rtol=0.0, atol=1e-11)
    assert not factor(matrix - 2.0 * np.linalg.eigvalsh(matrix)[0] * np.eye(5), 5)


def test_packed() -> None:
    rng = np.random.default_rng(1)
    half = rng.normal(size=(6, 6))
    matrix, b = half @ half.T + np.eye(6), rng.normal(size=6)
    found = np.concatenate(solve_packed(packed(matrix), tuple(b[:3]), tuple(b[3:])))
    assert np.allclose(found, np.linalg.solve(matrix, b), rtol=0.0, atol=1e-12)
    inverse = expand_symmetric(np.array(invert_packed(packed(matrix))))
    assert np.allclose(inverse, np.linalg.inv(matrix), rtol=0.0, atol=1e-12)


@pytest.mark.parametrize(("size", "rank"), [(6, 6), (7, 4), (5, 1), (4, 0)])
def test_smallest_solution_by_rank(size: int, rank: int) -> None:
    rng = np.random.default_rng(size)
    half = rng.normal(size=(size, rank)) * rng.uniform(0.1, 10.0, size)[:, None]
    matrix, b = half @ half.T, rng.normal(size=size)
    factored, order = np.full((size, size), np.nan), np.zeros(size, dtype=np.int64)
    assert factor_by_rank(matrix, size, factored, order) == rank
    lower = np.tril(factored)[:, :rank]
    assert np.allclose(lower @ lower.T, matrix[np.ix_(order, order)], rtol=0.0, atol=1e-11)
    expected = np.linalg.pinv(matrix, rcond=1e-10, hermitian=True) @ b
    solve_by_rank(factored, order, size, rank, b, np.full((size + 2, size), np.nan))
    assert np.allclose(b, expected, rtol=1e-9, atol=1e-9 * np.max(np.abs(expected), initial=1e-9))


def test_rank_does_not_depend_on_units() -> None:
    """A row in other units is as good as any: each is judged by its share of its own diagonal element."""
    rng = np.random.default_rng(8)
    half = rng.normal(size=(5, 3)) * np.array([1.0, 1e-8, 1.0, 1e8, 1.0])[:, None]
    assert factor_by_rank(half @ half.T, 5, np.zeros((5, 5)), np.zeros(5, dtype=np.int64)) == 3
    assert factor_by_rank(np.diag([1.0, 1e-16]), 2, np.zeros((2, 2)), np.zeros(2, dtype=np.int64)) == 2
