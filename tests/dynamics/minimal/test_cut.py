"""A machine with links taken off it moves as the whole one does with these joints at zero."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import dynamics as dyn
from dynamics.minimal.cut import without_links
from dynamics.robot.validity import check_robot
from tests.dynamics.beside.drawn import drawn

pytestmark = pytest.mark.compiled_only  # no kernel knows of it


@pytest.mark.parametrize("seed", range(6))
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
