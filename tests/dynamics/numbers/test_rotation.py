"""Quaternions and rotation vectors against SciPy's, on both sides of every branch."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from dynamics.numbers import rotation
from tests.dynamics.every import every

Array = NDArray[np.float64]
AXES = [np.array(axis) / np.linalg.norm(axis) for axis in ((3.0, 1.0, 0.5), (-0.5, 3.0, 1.0), (1.0, -0.5, -3.0))]
# Both sides of the series' ends, and turns beyond a right angle where another component leads.
ANGLES = [1e-9, 3e-4, 0.99e-3, 1.1e-3, 0.9e-2, 1.1e-2, 0.5, 2.0, 3.0, 3.14]


def numbers(values: Array) -> tuple[float, ...]:
    return tuple(map(float, np.ravel(values)))


def skew(v: Array) -> Array:
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


@every(range(3))
def test_quaternion_matrix_and_product(seed: int) -> None:
    first, second = Rotation.random(2, rng=np.random.default_rng(seed))
    a, b = numbers(first.as_quat(scalar_first=True)), numbers(second.as_quat(scalar_first=True))
    assert np.allclose(rotation.quaternion_matrix(*a), first.as_matrix().ravel(), rtol=0.0, atol=1e-15)
    product = rotation.quaternion_product(numbers(1.01 * np.array(a)), numbers(0.98 * np.array(b)))
    assert abs(np.linalg.norm(product) - 1.0) < 1e-15
    assert np.allclose(rotation.quaternion_matrix(*product), (first * second).as_matrix().ravel(), rtol=0.0, atol=1e-15)


@every((axis, angle) for axis in AXES for angle in ANGLES)
def test_rotation_vectors(axis: Array, angle: float) -> None:
    s = angle * axis
    w, *rest = rotation.quaternion_exponential(numbers(s))
    assert w == pytest.approx(np.cos(angle / 2), abs=4e-16)
    assert np.allclose(rest, np.sin(angle / 2) * axis, rtol=1e-15, atol=0.0)
    for sign in (1.0, -1.0):
        matrix = expm(skew(sign * s))
        assert np.allclose(rotation.rotation_vector(numbers(matrix)), sign * s, rtol=1e-12, atol=1e-15)


def test_series_to_the_last_digit() -> None:
    """Where the series ends its last term is 2.5e-16, four units in the last place."""
    _, x, _, _ = rotation.quaternion_exponential((0.99e-3, 0.0, 0.0))
    assert abs(x / 0.99e-3 - np.sin(0.495e-3) / 0.99e-3) < 1.5e-16
    assert rotation.rotation_vector(numbers(np.eye(3))) == (0.0, 0.0, 0.0)


@every(ANGLES)
def test_rate_of_the_rotation_vector(angle: float) -> None:
    """w = dexp(s) s', with dexp = sum of s~^k / (k+1)!, the top right block of one matrix exponential."""
    rng = np.random.default_rng(4)
    s, w = angle * AXES[0], rng.normal(size=3)
    block = np.zeros((6, 6))
    block[:3, :3], block[:3, 3:] = skew(s), np.eye(3)
    dexp = expm(block)[:3, 3:]
    rate = rotation.inverse_exponential_rate(numbers(s), numbers(w))
    assert np.allclose(dexp @ rate, w, rtol=0.0, atol=1e-12)
