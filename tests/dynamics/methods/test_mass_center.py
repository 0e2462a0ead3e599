"""The mass centre of what floats goes straight, its momentum stays; both are those of an independent library."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

import dynamics as dyn
from tests.dynamics.every import every
from tests.dynamics.systems import draw_joint_values, draw_pose, draw_robot
from tests.dynamics.twins import one_arm


def spinning(seed: int, joints: int = 6) -> tuple[dyn.System, dyn.State]:
    """A random tree that flies and turns, its joints in motion."""
    rng = np.random.default_rng(seed)
    drawn = draw_robot(rng, joints, branching=0.4, mass_decades=1.0)
    leaves = sorted({f"l{k}" for k in range(len(drawn.links))} - {f"l{joint.parent}" for joint in drawn.joints})
    system = dyn.free_flyer(drawn.load(leaves))
    q, qd = (system.to_joint_vector(draw_joint_values(rng, system.joint_names, size)) for size in (1.0, 0.6))
    velocity = rng.uniform(-0.5, 0.5, 6)
    return system, system.state(q=q, qd=qd, base_pose=draw_pose(rng), base_velocity=velocity)


@every((seed, floating) for seed in range(3) for floating in (False, True))
def test_place_and_momentum_are_pinocchios(seed: int, floating: bool) -> None:
    rng = np.random.default_rng(seed)
    twin = one_arm(rng, draw_robot(rng, 7, branching=0.4), floating=floating)
    found = dyn.mass_center(dyn.forward_dynamics(twin.system, twin.state))
    world, data = twin.world, twin.world.model.createData()
    expected = pin.computeCentroidalMomentum(world.model, data, twin.x, twin.v)
    place = pin.centerOfMass(world.model, data, twin.x, twin.v)
    size = np.abs(expected.vector).max()
    if floating:  # of a bolted arm, the root counts as part of the world here, there as a body without motion
        assert found.mass == pytest.approx(sum(inertia.mass for inertia in world.model.inertias), rel=1e-12)
        np.testing.assert_allclose(found.position, place, atol=1e-12 * max(np.abs(place).max(), 1.0))
        np.testing.assert_allclose(found.velocity, data.vcom[0], atol=1e-12 * np.abs(data.vcom[0]).max())
        np.testing.assert_allclose(found.angular_momentum, expected.angular, atol=1e-11 * size)
    np.testing.assert_allclose(found.linear_momentum, expected.linear, atol=1e-12 * size)


@pytest.mark.compiled_only
def test_in_free_flight_the_path_is_straight_and_momentum_stays() -> None:
    system, state = spinning(0)
    tau = np.random.default_rng(0).uniform(-0.05, 0.05, system.n_joints)  # inner torques move no mass centre
    run = dyn.simulate(system, state, tau=tau, duration=0.4, dt=1e-3)
    times = np.linspace(0.0, 0.4, 9)
    met = [dyn.mass_center(run.solution_at(t)) for t in times]
    straight = met[0].coast(times)
    gone = float(np.linalg.norm(straight[-1] - straight[0]))
    assert gone > 0.01
    np.testing.assert_allclose([each.position for each in met], straight, atol=1e-8 * gone)
    for name in ("linear_momentum", "angular_momentum"):
        stays = np.array([getattr(each, name) for each in met])
        np.testing.assert_allclose(stays, np.broadcast_to(stays[0], stays.shape), atol=1e-8 * np.abs(stays[0]).max())


def test_a_push_changes_both_by_its_impulse() -> None:
    system, state = spinning(7)
    start = dyn.forward_dynamics(system, state)
    before = dyn.mass_center(start)
    push, link = np.array([0.3, -0.2, 0.5]), system.n_links - 1
    wrench = np.zeros((system.n_links + 1, 6))
    wrench[link, 3:] = push
    run = dyn.simulate(system, state, duration=0.1, dt=1e-3, external_forces=wrench)
    after = dyn.mass_center(run.solution_at(0.1))
    np.testing.assert_allclose(after.linear_momentum - before.linear_momentum, 0.1 * push, atol=1e-9)
    assert np.abs(after.position - before.coast([0.1])[0]).max() > 1e-5
    assert np.abs(after.angular_momentum - before.angular_momentum).max() > 1e-4


def test_under_gravity_alone_it_falls_as_a_stone() -> None:
    system, state = dyn.example("free_flyer")
    falling = dyn.free_flyer(system.robots[0], gravity=(0.0, 0.0, -9.81))
    run = dyn.simulate(falling, state, duration=0.2, dt=1e-3)
    start, end = (dyn.mass_center(run.solution_at(t)) for t in (0.0, 0.2))
    np.testing.assert_allclose(end.position, start.coast([0.2])[0], atol=1e-9)


def test_a_held_object_counts_and_gaps_in_times_are_refused() -> None:
    system, state = dyn.example("two_arms_and_box")
    found = dyn.mass_center(dyn.forward_dynamics(system, state))
    links = sum(link.mass for link in system.link_models)
    assert found.mass == pytest.approx(links + system.task_object.mass, rel=1e-12)
    with pytest.raises(dyn.StateError, match="times"):
        found.coast([0.0, np.nan])
