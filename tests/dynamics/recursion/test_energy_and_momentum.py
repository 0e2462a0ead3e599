"""Kinetic and potential energy and momentum as sums over bodies, and the energy as half v' M v."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import dynamics as dyn
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import Twin, arms_and_object, draw_arms, one_arm

Array = NDArray[np.float64]


@pytest.fixture(params=["tree", "free flyer", "two arms"])
def twin(request: pytest.FixtureRequest) -> Twin:
    rng = np.random.default_rng(6)
    if request.param == "two arms":
        return arms_and_object(rng, draw_arms(rng, [4, 5]), ["rigid", "point"])
    return one_arm(rng, draw_robot(rng, 6, branching=0.4), floating=request.param == "free flyer")


def bodies(solution: dyn.Solution) -> list[tuple[float, Array, Array, Array, Array]]:
    """Mass, inertia about the mass centre, angular velocity, mass centre and its velocity, all in the world."""
    system, state = solution.system, solution.state
    result = []
    for k, link in enumerate(system.link_models):
        rotation, omega = solution.link_pose[k, :3, :3], solution.link_velocity[k, :3]
        p = rotation @ link.center_of_mass
        velocity = solution.link_velocity[k, 3:] + np.cross(omega, p)
        inertia = rotation @ link.inertia @ rotation.T
        result.append((link.mass, inertia, omega, solution.link_pose[k, :3, 3] + p, velocity))
    if system.task_object is not None:
        rotation, twist = state.object_pose[:3, :3], state.object_velocity
        inertia = rotation @ system.task_object.inertia @ rotation.T
        result.append((system.task_object.mass, inertia, twist[:3], state.object_pose[:3, 3], twist[3:]))
    return result


def test_sums_over_bodies(twin: Twin) -> None:
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    kinetic, potential, angular, linear = 0.0, 0.0, np.zeros(3), np.zeros(3)
    for mass, inertia, omega, place, velocity in bodies(solution):
        kinetic += 0.5 * (mass * velocity @ velocity + omega @ inertia @ omega)
        potential -= mass * np.asarray(twin.system.gravity) @ place
        angular += inertia @ omega + mass * np.cross(place, velocity)
        linear += mass * velocity
    assert solution.kinetic_energy == pytest.approx(kinetic, rel=1e-13)
    assert solution.potential_energy == pytest.approx(potential, rel=1e-12)
    assert np.allclose(solution.momentum, np.concatenate([angular, linear]), rtol=1e-12, atol=1e-12)


def test_rotors_take_their_share(twin: Twin) -> None:
    """Kinetic energy is half v' M v, rotors on the diagonal of M."""
    rng = np.random.default_rng(7)
    robots = [with_rotors(robot, rng) for robot in twin.system.robots]
    gravity, bases = twin.system.gravity, twin.system.base_poses
    if twin.system.is_floating:
        system = dyn.free_flyer(robots[0], gravity=gravity)
    elif len(robots) == 1:
        system = dyn.single_arm(robots[0], gravity=gravity, base_pose=bases[0])
    else:
        system = dyn.multi_arm(robots, base_poses=bases, task_object=twin.system.task_object, gravity=gravity)
    v = system.pack(twin.state)[1]
    energy = dyn.forward_dynamics(system, twin.state).kinetic_energy
    assert energy == pytest.approx(0.5 * v @ dyn.mass_matrix(system, twin.state, "kkt") @ v, rel=1e-12)


def with_rotors(robot: dyn.Robot, rng: np.random.Generator) -> dyn.Robot:
    return replace(
        robot,
        joints=tuple(replace(joint, rotor_inertia=float(rng.uniform(0.1, 2.0))) for joint in robot.joints),
    )
