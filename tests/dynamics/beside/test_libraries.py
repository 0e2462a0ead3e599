"""What Pinocchio and MuJoCo keep inside is recognised, whatever the robot, with nothing said about it."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from tests.dynamics.beside.drawn import drawn, mujoco_arrays, pinocchio_arrays

pytestmark = pytest.mark.compiled_only  # no kernel knows of it


@pytest.mark.parametrize("seed", range(20))
def test_pinocchio(seed: int) -> None:
    it = drawn(seed, branching=0.3 * (seed % 2))
    for convention in ("LOCAL", "WORLD"):
        theirs = pinocchio_arrays(it, convention)
        found = dyn.compare(it.system, it.state, theirs, it.tau)
        assert found.agrees, str(found)
        assert f"Pinocchio ({convention.lower()})" in found.libraries
        assert not found.ambiguous
        ours = dyn.forward_dynamics(it.system, it.state, it.tau)
        for stage, name in (("filter", "kalman_gain"), ("smoother", "joint_acceleration")):
            expected = ours.stages[stage][name]
            assert np.abs(found.converted[name] - expected).max() < 1e-10 * np.abs(expected).max()


@pytest.mark.parametrize("seed", range(20))
def test_mujoco(seed: int) -> None:
    it = drawn(seed, branching=0.3 * (seed % 2))
    found = dyn.compare(it.system, it.state, mujoco_arrays(it), it.tau)
    assert found.agrees, str(found)
    assert found.libraries == ("MuJoCo",)
    assert not found.ambiguous
    expected = dyn.mass_matrix(it.system, it.state)
    assert np.abs(found.converted["mass_matrix"] - expected).max() < 1e-10 * np.abs(expected).max()
