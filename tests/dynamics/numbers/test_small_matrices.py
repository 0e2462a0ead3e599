"""Solving with small symmetric matrices, of full rank and not, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from dynamics.numbers.small_matrices import (
    factor,
    factor_firmly,
    invert_packed,
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


@pytest.mark.parametrize("size", [1, 4, 7])
def test_firm_factor(size: int) -> None:
    half = np.random.default_rng(size).normal(size=(size, size))
    matrix = half @ half.T + np.eye(size)
    factored, order = np.full((size, size), np.nan), np.zeros(size + 2, dtype=np.int64)
    assert factor_firmly(matrix, size, factored, order)
    assert np.allclose(np.tril(factored), np.linalg.cholesky(matrix), rtol=0.0, atol=1e-13 * size)
    assert order.tolist() == [*range(size), size, 0]
    assert not factor_firmly(matrix - np.linalg.eigvalsh(matrix)[0] * np.eye(size), size, factored, order)
