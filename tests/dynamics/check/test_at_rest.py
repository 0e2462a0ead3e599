"""Where everything is in balance what is left is rounding, and no identity takes rounding for a failure."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import dynamics as dyn
from app.motion.presets import PRESETS
from app.state import Session
from dynamics.check.identities import HOLDS
from tests.dynamics.every import every
from tests.dynamics.systems import draw_robot


def failed(solution: dyn.Solution) -> dict[str, float]:
    found = {}
    for checked in dyn.identities(solution):
        worst = float(np.nanmax(checked.residual, initial=0.0))
        if worst > HOLDS / 10.0:
            found[f"{checked.identity.key} in {checked.stage}"] = worst
    return found


@pytest.mark.compiled_only
@every(PRESETS)
def test_every_motion_begins_with_identities_that_hold(preset: str) -> None:
    run = Session(preset).run
    run.accept(run.compute())
    assert failed(run.solution_at(0.0)) == {}
    assert failed(run.solution_at(run.end)) == {}


@given(st.integers(0, 2**32 - 1))
def test_an_arm_that_its_motors_hold_still(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = draw_robot(rng, int(rng.integers(1, 9)), branching=0.3 * (seed % 2), mass_decades=seed % 5).load()
    system = dyn.single_arm(robot)
    state = system.state(q=rng.uniform(-1.0, 1.0, system.n_joints))
    tau = dyn.inverse_dynamics(system, state, np.zeros(system.n_joints))
    assert failed(dyn.forward_dynamics(system, state, tau)) == {}


def test_torques_that_a_locked_machine_does_not_feel() -> None:
    """Two hinges askew that hold one body cannot move: what their accelerations are beside is what is asked of them."""
    robot = draw_robot(np.random.default_rng(0), 1).load()
    places = [np.eye(4), np.eye(4)]
    places[1][:3, :3] = Rotation.from_rotvec([0.3, 1.0, -0.4]).as_matrix()
    places[1][:3, 3] = (1.0, 0.2, -0.5)
    system = dyn.multi_arm([robot, robot], places, dyn.TaskObject.box([0.2, 0.3, 0.1], 1.0), [0.0, 0.0, 0.0])
    state = system.state()
    held = dyn.grasp(system, state, ["rigid", "rigid"])
    solution = dyn.forward_dynamics(held, state, [3.0, -2.0])
    assert np.abs(solution.joint_acceleration).max() < 1e-12
    assert failed(solution) == {}


@every(range(3))
def test_a_floating_arm_that_falls(seed: int) -> None:
    """Nothing in it feels its weight: forces and torques are all rounding."""
    rng = np.random.default_rng(seed)
    system = dyn.free_flyer(draw_robot(rng, 4).load(), gravity=[2.4, 3.9, 7.2])
    turned = np.eye(4)
    turned[:3, :3] = Rotation.from_rotvec(rng.normal(size=3)).as_matrix()
    state = system.state(q=rng.uniform(-1.0, 1.0, system.n_joints), base_pose=turned)
    assert failed(dyn.forward_dynamics(system, state)) == {}


@every(["iiwa14", "free_flyer", "two_arms_and_box"])
def test_a_solution_without_stages_has_no_identities(name: str) -> None:
    system, state = dyn.example(name)
    for method in dyn.methods(system):
        solution = dyn.forward_dynamics(system, state, np.ones(system.n_joints), method)
        if method == "filter_smoother":
            assert dyn.identities(solution)
        elif not solution.stages:
            for ask in (dyn.identities, dyn.paper_sums):
                with pytest.raises(dyn.ModelError, match="does not leave"):
                    ask(solution)
        else:
            assert method == "two_filter"
