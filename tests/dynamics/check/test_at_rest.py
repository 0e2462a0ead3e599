"""Where everything is in balance what is left is rounding, and no identity takes rounding for a failure."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from app.motion.presets import PRESETS
from app.state import Session
from dynamics.check.identities import HOLDS
from tests.dynamics.systems import draw_robot


def failed(solution: dyn.Solution) -> dict[str, float]:
    found = {}
    for checked in dyn.identities(solution):
        worst = float(np.nanmax(checked.residual, initial=0.0))
        if worst > HOLDS / 10.0:
            found[f"{checked.identity.key} in {checked.stage}"] = worst
    return found


@pytest.mark.compiled_only
@pytest.mark.parametrize("preset", PRESETS)
def test_every_motion_begins_with_identities_that_hold(preset: str) -> None:
    run = Session(preset).run
    run.accept(run.compute())
    for time in (0.0, 0.05, run.end):
        assert failed(run.solution_at(time)) == {}


@pytest.mark.parametrize("seed", range(30))
def test_an_arm_that_its_motors_hold_still(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = draw_robot(rng, int(rng.integers(1, 9)), branching=0.3 * (seed % 2), mass_decades=seed % 5).load()
    system = dyn.single_arm(robot)
    state = system.state(q=rng.uniform(-1.0, 1.0, system.n_joints))
    tau = dyn.inverse_dynamics(system, state, np.zeros(system.n_joints))
    assert failed(dyn.forward_dynamics(system, state, tau)) == {}
