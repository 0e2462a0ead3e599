"""Simpler machines: links taken off leave the rest where it stood, and simpler numbers are still what they were."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import dynamics as dyn
from dynamics.minimal.cut import without_links
from dynamics.minimal.rounder import (
    rounded,
    simpler_axes,
    simpler_inertias,
    simpler_masses,
    simpler_numbers,
    simpler_rotations,
    weight,
)
from dynamics.robot.validity import check_robot
from tests.dynamics.beside.drawn import drawn
from tests.dynamics.every import every

pytestmark = pytest.mark.compiled_only  # no kernel runs


@every(range(4))
def test_what_is_left_stands_where_it_stood(seed: int) -> None:
    it = drawn(seed, (6, 9), 0.4)
    rng, robot = np.random.default_rng(seed), it.system.robots[0]
    n = len(robot.links)
    gone = set(rng.choice(n, size=n // 2, replace=False).tolist())
    left = [k for k in range(n) if k not in gone]
    q = np.where(np.isin(np.arange(n), list(gone)), 0.0, it.state.q)
    poses = dyn.link_poses(it.system, it.system.state(q))
    cut = without_links(robot, gone)
    check_robot(cut.robot)
    system = dyn.single_arm(cut.robot)
    state = system.state(q[left])
    assert np.abs(dyn.link_poses(system, state) - poses[left]).max() < 1e-14
    tips = dyn.tip_poses(it.system, it.system.state(q))
    for tip, was in zip(dyn.tip_poses(system, state), cut.tips, strict=True):
        assert np.abs(tip - tips[was]).max() < 1e-14
    assert {tip.link for tip in cut.robot.tips} <= set(range(len(left))) - set(cut.robot.inboard)


def test_a_chain_cut_to_its_first_link_keeps_its_tip() -> None:
    robot = replace(dyn.planar_chain(4), frames={})
    cut = without_links(robot, {0, 1, 2})
    assert [link.name for link in cut.robot.links] == ["link_4"]
    assert cut.robot.tips[0].pose[:3, 3] == pytest.approx([0.0, -1.2, 0.0])


@every([(0, 1), (1, -1), (-1, 2), (1, 0.5), (2, 0.25), (0.1, -0.1), (0.3, 1 / 3), (300.0, 310.0)])
def test_what_is_lighter(lighter: float, heavier: float) -> None:
    assert weight(lighter) < weight(heavier)
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


@every(KINDS)
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
