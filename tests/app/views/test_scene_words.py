"""What a machine is called is what it is: arms, trees of branches, what floats and what is held."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dynamics as dyn
from app.views.scene_words import machine
from tests.dynamics.systems import legged_file

EXAMPLES = {
    "puma560": "1 arm, 6 joints",
    "talos": "1 tree of 3 branches, 18 joints",
    "two_arms_and_box": "2 arms, 14 joints, one object of 4 kg",
    "free_flyer": "1 arm on 1 body that floats, 7 joints",
    "two_arm_flyer": "1 tree of 2 branches on 1 body that floats, 12 joints",
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_tree_is_no_arm(name: str) -> None:
    assert machine(dyn.example(name)[0]) == EXAMPLES[name]


def test_a_walker_and_several_trees_are_counted(tmp_path: Path) -> None:
    (tmp_path / "r.urdf").write_text(legged_file(6, 3))
    legged = dyn.load(tmp_path / "r.urdf", tip=[f"l{leg}_2" for leg in range(6)])
    assert machine(dyn.free_flyer(legged)) == "1 tree of 6 branches on 1 body that floats, 18 joints"
    (tmp_path / "two.urdf").write_text(legged_file(2, 1))
    small = dyn.load(tmp_path / "two.urdf", tip=["l0_0", "l1_0"])
    poses = [np.eye(4), np.eye(4), np.eye(4)]
    poses[1][0, 3], poses[2][0, 3] = 2.0, 4.0
    several = dyn.multi_arm([small, legged, dyn.load("puma560")], base_poses=poses)
    assert machine(several) == "1 arm and 2 trees of 2 and 6 branches, 26 joints"
