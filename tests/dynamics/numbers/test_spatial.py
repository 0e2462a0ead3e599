"""Packed operations and small symmetric matrices, of full rank and not, against plain NumPy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from dynamics.numbers import spatial, vector
from dynamics.numbers.small_matrices import factor, factor_firmly, invert_packed, solve_factored, solve_packed
from dynamics.numbers.spatial import expand_symmetric
from tests.dynamics.every import every

Array = NDArray[np.float64]
PLACES = spatial.SYMMETRIC_INDEX
UPPER3 = np.triu_indices(3)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def skew(v: Sequence[float]) -> Array:
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def phi(lever: Sequence[float]) -> Array:
    return np.block([[np.eye(3), skew(lever)], [np.zeros((3, 3)), np.eye(3)]])


def draw3(rng: np.random.Generator) -> tuple[float, ...]:
    return tuple(map(float, rng.normal(size=3)))


def draw_symmetric(rng: np.random.Generator, size: int) -> Array:
    half = rng.normal(size=(size, size))
    return half + half.T


def packed(matrix: Array) -> tuple[float, ...]:
    """The 21 numbers of a symmetric 6x6 matrix, block A, then B row by row, then C."""
    blocks = (matrix[:3, :3][UPPER3], matrix[:3, 3:].ravel(), matrix[3:, 3:][UPPER3])
    return tuple(map(float, np.concatenate(blocks)))


def same(found: object, expected: object) -> bool:
    return np.allclose(np.array(found, dtype=float), np.array(expected, dtype=float), rtol=0.0, atol=1e-13)


def test_vectors_rotations_and_tensors(rng: np.random.Generator) -> None:
    a, b = draw3(rng), draw3(rng)
    assert same(vector.add3(a, b), np.add(a, b))
    assert same(vector.sub3(a, b), np.subtract(a, b))
    assert same(vector.scale3(1.7, a), 1.7 * np.array(a))
    assert same(vector.dot3(a, b), np.dot(a, b))
    assert same(vector.cross(a, b), np.cross(a, b))
    r, s = Rotation.random(2, rng=rng).as_matrix()
    rows, others, v = tuple(r.ravel()), tuple(s.ravel()), draw3(rng)
    assert same(vector.rotate(rows, v), r @ v)
    assert same(vector.compose(rows, others), (r @ s).ravel())
    j = draw_symmetric(rng, 3)
    assert same(vector.symmetric3(tuple(j[UPPER3]), v), j @ v)
    assert same(vector.congruence3(tuple(r.ravel()), tuple(j[UPPER3])), (r @ j @ r.T)[UPPER3])


def test_table_columns(rng: np.random.Generator) -> None:
    for get, put, size in ((vector.get3, vector.put3, 3), (vector.get9, vector.put9, 9),
                           (spatial.get21, spatial.put21, 21)):  # fmt: skip
        table = rng.normal(size=(3, 40))
        expected = table.copy()
        expected[2, 7 : 7 + size] = table[1, 5 : 5 + size]
        put(table, 2, 7, get(table, 1, 5))
        assert np.array_equal(table, expected)


def test_inertias_and_their_shifts(rng: np.random.Generator) -> None:
    j, p, m = draw_symmetric(rng, 3), draw3(rng), 2.5
    expected = np.block([[j, m * skew(p)], [-m * skew(p), m * np.eye(3)]])
    assert same(spatial.spatial_inertia(tuple(j[UPPER3]), m, tuple(m * x for x in p)), packed(expected))
    p, lever = draw_symmetric(rng, 6), draw3(rng)
    assert same(spatial.shift_inertia(packed(p), lever), packed(phi(lever) @ p @ phi(lever).T))
    assert same(spatial.shift_mobility(packed(p), lever), packed(phi(lever).T @ p @ phi(lever)))


def test_products_of_a_packed_matrix(rng: np.random.Generator) -> None:
    p, a, b = draw_symmetric(rng, 6), draw3(rng), draw3(rng)
    assert same(np.concatenate(spatial.times_vector(packed(p), a, b)), p @ np.array(a + b))
    assert same(np.concatenate(spatial.times_angular(packed(p), a)), p[:, :3] @ a)
    assert same(np.concatenate(spatial.times_linear(packed(p), a)), p[:, 3:] @ a)


def test_sums_of_packed_matrices(rng: np.random.Generator) -> None:
    p, q = draw_symmetric(rng, 6), draw_symmetric(rng, 6)
    assert same(spatial.add21(packed(p), packed(q)), packed(p + q))
    u, v, h, s = draw3(rng), draw3(rng), draw3(rng), 0.3
    w = np.array(u + v)
    assert same(spatial.minus_outer(packed(p), u, v, s), packed(p - s * np.outer(w, w)))
    for revolute in (True, False):
        row = np.array((*h, 0.0, 0.0, 0.0) if revolute else (0.0, 0.0, 0.0, *h))
        expected = p - np.outer(row, w) - np.outer(w, row) + s * np.outer(row, row)
        assert same(spatial.minus_symmetric_outer(packed(p), u, v, s, h, revolute), packed(expected))
    table = np.full((6, 6), np.nan)
    spatial.expand(packed(p), table)
    assert np.array_equal(table, p)
    assert np.array_equal(spatial.expand_symmetric(np.array(packed(p))), p)


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


def test_packed_equations() -> None:
    rng = np.random.default_rng(1)
    half = rng.normal(size=(6, 6))
    matrix, b = half @ half.T + np.eye(6), rng.normal(size=6)
    found = np.concatenate(solve_packed(packed(matrix), tuple(b[:3]), tuple(b[3:])))
    assert np.allclose(found, np.linalg.solve(matrix, b), rtol=0.0, atol=1e-12)
    inverse = expand_symmetric(np.array(invert_packed(packed(matrix))))
    assert np.allclose(inverse, np.linalg.inv(matrix), rtol=0.0, atol=1e-12)


@every([1, 4, 7])
def test_firm_factor(size: int) -> None:
    half = np.random.default_rng(size).normal(size=(size, size))
    matrix = half @ half.T + np.eye(size)
    factored, order = np.full((size, size), np.nan), np.zeros(size + 2, dtype=np.int64)
    assert factor_firmly(matrix, size, factored, order)
    assert np.allclose(np.tril(factored), np.linalg.cholesky(matrix), rtol=0.0, atol=1e-13 * size)
    assert order.tolist() == [*range(size), size, 0]
    assert not factor_firmly(matrix - np.linalg.eigvalsh(matrix)[0] * np.eye(size), size, factored, order)
