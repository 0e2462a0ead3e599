"""Solving with matrices of mixed units: the rank and the solution that the compiled sweeps find."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.linalg import expm

from dynamics.spatial import rotation
from dynamics.spatial.factor_by_root import factor_root, solve_by_rank
from dynamics.spatial.least_norm import LeastNorm
from dynamics.textbook.blackboard import least, null
from tests.dynamics.every import every


@given(st.integers(0, 5), st.sampled_from([1e-12, 1e-6, 1e-3, 1.0, 1e4, 1e12]))
def test_one_rule_for_every_form(seed: int, unit: float) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 13))
    rank = int(rng.integers(1, size + 1))
    units = np.where(rng.random(size) < 0.5, 1.0, unit)  # half of the root's columns, chosen at random, are in another
    root = (rng.normal(size=(size, rank)) * units[:, None]).T.copy()
    matrix = root.T @ root
    own = np.sqrt(np.diag(matrix))
    factored, order, scratch = np.empty((size, size)), np.empty(size + 2, dtype=np.int64), np.empty((2, size))
    factor_root(root, matrix, factored, order)
    assert order[size] == rank
    apart = LeastNorm(matrix)
    reached = matrix @ (rng.normal(size=size) / own)
    assert apart.null.shape == null(matrix).shape == (size, size - rank)
    for lost in (apart.null, null(matrix)):
        assert np.allclose(lost.T @ lost, np.eye(size - rank), rtol=0.0, atol=1e-12)
    expected = reached.copy()
    left = solve_by_rank(matrix, factored, order, expected, scratch)
    assert left < 1e-12 * np.abs(reached / own).max()
    asked = np.abs(reached / own).max()
    for found in (expected, apart.solve(reached), least(matrix, reached[:, None])[:, 0]):
        assert np.abs((matrix @ found - reached) / own).max() < 1e-9 * asked
        assert np.allclose(own * found, own * expected, rtol=0.0, atol=1e-9 * np.abs(own * expected).max())
        assert np.linalg.norm(own * found) <= (1.0 + 1e-9) * np.linalg.norm(own * smallest(matrix, reached, own))
    half = apart.half(np.eye(size))
    assert np.allclose(own * (half.T @ (half @ reached)), own * expected, rtol=0.0, atol=1e-9 * asked)


def smallest(matrix: np.ndarray, right: np.ndarray, own: np.ndarray) -> np.ndarray:
    scaled = np.linalg.pinv(matrix / np.outer(own, own), rcond=1e-10, hermitian=True)
    return scaled @ (right / own) / own


@every(
    (left, counts, unit)
    for left, counts in ((1e-3, True), (1e-5, True), (1e-7, False), (0.0, False))
    for unit in (1e-9, 1.0, 1e9)
)
def test_what_is_left_of_a_direction_says_whether_it_counts(left: float, counts: bool, unit: float) -> None:
    """A share of 1e-10 does, one of 1e-14 is rounding; whatever the unit, and however many directions are beside it."""
    root = np.array([[1.0, 1.0, 0.0], [0.0, left, 0.0], [0.0, 0.0, 1.0]]) * [1.0, unit, 1.0]
    apart, own = LeastNorm(root.T @ root), np.array([1.0, unit, 1.0])
    assert apart.null.shape == (3, 0 if counts else 1)
    wanted = np.array([2.0, -1.0 if counts else 2.0, 3.0]) / own
    found = apart.solve(root.T @ (root @ wanted))
    assert np.allclose(own * found, own * wanted, rtol=0.0, atol=1e-15 / left**2 + 1e-6 if counts else 1e-6)


Array = NDArray[np.float64]
AXES = [np.array(axis) / np.linalg.norm(axis) for axis in ((3.0, 1.0, 0.5), (-0.5, 3.0, 1.0), (1.0, -0.5, -3.0))]
# Both sides of the series' ends, and turns beyond a right angle where another component leads.
ANGLES = [1e-9, 3e-4, 0.99e-3, 1.1e-3, 0.9e-2, 1.1e-2, 0.5, 2.0, 3.0, 3.14]


def plain(values: Array) -> tuple[float, ...]:
    return tuple(map(float, np.ravel(values)))


def cross_matrix(v: Array) -> Array:
    return np.cross(v, np.eye(3)).T


@every((axis, angle) for axis in AXES for angle in ANGLES)
def test_rotation_vectors(axis: Array, angle: float) -> None:
    s = angle * axis
    w, *rest = rotation.quaternion_exponential(plain(s))
    assert w == pytest.approx(np.cos(angle / 2), abs=4e-16)
    assert np.allclose(rest, np.sin(angle / 2) * axis, rtol=1e-15, atol=0.0)
    for sign in (1.0, -1.0):
        matrix = expm(cross_matrix(sign * s))
        assert np.allclose(rotation.rotation_vector(plain(matrix)), sign * s, rtol=1e-12, atol=1e-15)


@every(ANGLES)
def test_rate_of_the_rotation_vector(angle: float) -> None:
    """w = dexp(s) s', with dexp = sum of s~^k / (k+1)!, the top right block of one matrix exponential."""
    rng = np.random.default_rng(4)
    s, w = angle * AXES[0], rng.normal(size=3)
    block = np.zeros((6, 6))
    block[:3, :3], block[:3, 3:] = cross_matrix(s), np.eye(3)
    dexp = expm(block)[:3, 3:]
    rate = rotation.inverse_exponential_rate(plain(s), plain(w))
    assert np.allclose(dexp @ rate, w, rtol=0.0, atol=1e-12)
