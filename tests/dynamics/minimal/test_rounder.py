"""What is called simpler is: lighter, and still a mass, an axis, a rotation, a tensor of some body."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from dynamics.minimal.rounder import (
    rounded,
    simpler_axes,
    simpler_inertias,
    simpler_masses,
    simpler_numbers,
    simpler_rotations,
    weight,
)

pytestmark = pytest.mark.compiled_only  # no kernel knows of it


@pytest.mark.parametrize(
    ("lighter", "heavier"), [(0, 1), (1, -1), (-1, 2), (1, 0.5), (2, 0.25), (0.1, -0.1), (0.3, 1 / 3), (300.0, 310.0)]
)
def test_what_is_lighter(lighter: float, heavier: float) -> None:
    assert weight(lighter) < weight(heavier)


def test_digits() -> None:
    assert rounded([1234.5, -0.0126, 0.0], 2).tolist() == [1200.0, -0.013, 0.0]
    assert weight(rounded(np.pi, 3)) == weight(3.14)


def drawn_tensor(rng: np.random.Generator) -> np.ndarray:
    cloud = rng.normal(size=(3, 3))
    return np.trace(cloud @ cloud.T) * np.eye(3) - cloud @ cloud.T


def unit(rng: np.random.Generator) -> np.ndarray:
    axis = rng.normal(size=3)
    return np.asarray(axis / np.linalg.norm(axis))


def is_rotation(matrix: np.ndarray) -> bool:
    return bool(np.abs(matrix @ matrix.T - np.eye(3)).max() < 1e-15 and np.linalg.det(matrix) > 0.0)


def is_tensor(matrix: np.ndarray) -> bool:
    moments = np.linalg.eigvalsh(matrix)
    return bool(moments[0] > 0.0 and moments[0] + moments[1] > moments[2])


KINDS: dict[str, tuple[Callable[..., Iterator[np.ndarray]], Callable[..., np.ndarray], Callable[..., bool], int]] = {
    "numbers": (simpler_numbers, lambda rng: rng.normal(size=3), lambda value: True, 0),
    "a number": (simpler_numbers, lambda rng: np.asarray(rng.normal()), lambda value: True, 0),
    "masses": (simpler_masses, lambda rng: np.asarray(rng.uniform(0.1, 9.0)), lambda value: value > 0.0, 1),
    "axes": (simpler_axes, unit, lambda value: abs(value @ value - 1.0) < 1e-15, 1),
    "rotations": (simpler_rotations, lambda rng: Rotation.random(rng=rng).as_matrix(), is_rotation, weight(np.eye(3))),
    "tensors": (simpler_inertias, drawn_tensor, is_tensor, weight(np.eye(3))),
}


@pytest.mark.parametrize("kind", KINDS)
def test_it_gets_simpler_until_nothing_is(kind: str) -> None:
    simpler, draw, is_one, least = KINDS[kind]
    for seed in range(20):
        value = draw(np.random.default_rng(seed))
        found = list(simpler(value))
        assert len(found) >= 3
        assert [weight(each) for each in found] == sorted(weight(each) for each in found)
        assert all(weight(each) < weight(value) and is_one(each) and each.shape == value.shape for each in found)
        while found := list(simpler(value)):
            value = found[-1]
        assert weight(value) == least
