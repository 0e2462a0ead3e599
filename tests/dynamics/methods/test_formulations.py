"""What a formulation says that it serves, it serves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import dynamics as dyn
from tests.dynamics.every import every
from tests.dynamics.systems import GRAVITY, draw_pose, draw_robot


def worst(found: np.ndarray, expected: np.ndarray) -> float:
    return float(np.max(np.abs(found - expected)) / np.max(np.abs(expected)))


def test_several_floating_bases_each_have_their_own_place() -> None:
    """One behind a bolted arm and one before it: mass matrix, its solution, and torques from accelerations."""
    rng = np.random.default_rng(1987)
    arms = [draw_robot(rng, n, branching=0.4).load() for n in (4, 3, 5)]
    thing = dyn.TaskObject.box((0.3, 0.2, 0.1), 2.0)
    system = dyn.multi_arm(arms, [draw_pose(rng) for _ in arms], thing, GRAVITY, floating=(True, False, True))
    state = system.state(
        rng.normal(size=system.n_joints),
        rng.normal(size=system.n_joints),
        base_velocity=rng.normal(size=(2, 6)),
        object_pose=draw_pose(rng),
        object_velocity=rng.normal(size=6),
    )
    wrench, tau = rng.normal(size=(system.n_links + 1, 6)), rng.normal(size=system.n_joints)
    pushes = dict(zip((*system.link_names, "object"), wrench, strict=True))
    expected = dyn.forward_dynamics(system, state, tau, external_forces=pushes, method="kkt")
    found = dyn.forward_dynamics(system, state, tau, external_forces=pushes, method="mass_matrix")
    assert worst(dyn.mass_matrix(system, state), dyn.mass_matrix(system, state, "kkt")) < 1e-12
    assert worst(found.packed_acceleration, expected.packed_acceleration) < 1e-9
    torque = dyn.inverse_dynamics(system, state, expected.joint_acceleration, external_forces=wrench)
    assert worst(torque, tau) < 1e-9


@every(["iiwa14", "free_flyer"])
def test_a_joint_that_moves_no_inertia_is_refused_by_every_method(name: str) -> None:
    example, state = dyn.example(name)
    (robot,) = example.robots
    tip = replace(robot.links[0], mass=0.0, center_of_mass=np.zeros(3), inertia=np.zeros((3, 3)))
    joint = replace(robot.joints[0], rotor_inertia=0.0)
    bare = replace(robot, links=(tip, *robot.links[1:]), joints=(joint, *robot.joints[1:]))
    system = dyn.free_flyer(bare) if example.is_floating else dyn.single_arm(bare)
    still = system.state(state.q, base_pose=state.base_pose)
    for method in dyn.methods(system):
        with pytest.raises(dyn.ModelError, match="moves no inertia"):
            dyn.forward_dynamics(system, still, method=method)
