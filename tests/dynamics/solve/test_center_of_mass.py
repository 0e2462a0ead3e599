"""What floats: its mass centre and momentum, the same machine counted from another base, and several bases at once."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pinocchio as pin
import pytest

import dynamics as dyn
from dynamics.solve.other_base import from_another_base
from dynamics.solve.rebase import rebase
from tests.dynamics.dense_machine import off
from tests.dynamics.every import every
from tests.dynamics.systems import GRAVITY, draw_joint_values, draw_pose, draw_robot
from tests.dynamics.twins import Twin, one_arm

CASES = [(2, 0.0), (6, 0.0), (9, 0.6)]


@lru_cache(maxsize=4)
def drawn(n: int, branching: float) -> Twin:
    rng = np.random.default_rng(70 + n)
    return one_arm(rng, draw_robot(rng, n, branching=branching), floating=True)


@every(CASES)
def test_what_another_base_changes_and_what_not(*case: object) -> None:
    """Against operators that know of no second machine; nothing holds the new base: P alpha + z = 0."""
    twin = drawn(*case)
    wrench = np.zeros((twin.system.n_links + 1, 6))
    wrench[:-1] = np.random.default_rng(5).normal(size=(twin.system.n_links, 6))
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau, external_forces=wrench)
    alpha, theta = solution.stages["smoother"]["acceleration"], solution.joint_acceleration
    inertia = dyn.operational_space_inertia(twin.system, twin.state)
    for link in twin.system.link_names:
        other = from_another_base(solution, rebase(twin.system, link), wrench)
        assert off(other.acceleration, alpha) < 1e-9
        assert off(other.joint_acceleration, theta) < 1e-9
        assert off(other.operational_space_inertia, inertia) < 1e-9
        both = other.articulated_inertia + other.dual_articulated_inertia
        assert off(both, other.operational_space_inertia) < 1e-12
    system = twin.system
    P, S = solution.stages["filter"]["articulated_inertia"], solution.stages["dual_filter"]["dual_articulated_inertia"]
    for base, link in enumerate(system.link_names):
        other = from_another_base(solution, rebase(system, link), wrench)
        rates = np.concatenate([twin.state.qd, solution.link_velocity[base]])  # JR (A.6): the energy is what it was
        assert 0.5 * rates @ other.mass_matrix @ rates == pytest.approx(solution.kinetic_energy, rel=1e-9)
        on_the_way = set(system.path_inward(base))
        for k in range(system.n_links):
            if k not in on_the_way:  # the same lies outboard of it, the same inboard
                assert off(other.articulated_inertia[k], P[k]) < 1e-9
                assert np.abs(other.dual_articulated_inertia[k] - S[k]).max() < 1e-9 * np.abs(P[k] + S[k]).max()
        assert off(other.articulated_inertia[base], P[base] + S[base]) < 1e-9  # everything is outboard of a base
        assert np.abs(other.dual_articulated_inertia[base]).max() < 1e-12 * np.abs(P[base]).max()
        if base < system.n_joints:
            assert off(other.articulated_inertia[-1], P[-1]) > 1e-3
            assert off(other.mass_matrix, dyn.mass_matrix(system, twin.state)) > 1e-3
    # f = P (alpha - a) + z at the new base, which nothing holds, is what pushes it from outside: nothing.
    other = from_another_base(solution, rebase(twin.system, twin.system.link_names[0]), wrench)
    held = other.articulated_inertia[0] @ other.acceleration[0]
    assert np.allclose(held + other.predicted_force[0], 0.0, atol=1e-8 * np.abs(held).max())


def spinning(seed: int, joints: int = 6) -> tuple[dyn.System, dyn.State]:
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
    found = dyn.center_of_mass(twin.system, twin.state)
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
    met = [dyn.center_of_mass(system, run.state_at(t)) for t in times]
    straight = met[0].coast(times)
    gone = float(np.linalg.norm(straight[-1] - straight[0]))
    assert gone > 0.01
    np.testing.assert_allclose([each.position for each in met], straight, atol=1e-8 * gone)
    for name in ("linear_momentum", "angular_momentum"):
        stays = np.array([getattr(each, name) for each in met])
        np.testing.assert_allclose(stays, np.broadcast_to(stays[0], stays.shape), atol=1e-8 * np.abs(stays[0]).max())


def test_a_push_changes_momentum_by_its_impulse_and_a_held_object_counts() -> None:
    system, state = spinning(7)
    before = dyn.center_of_mass(system, state)
    push, link = np.array([0.3, -0.2, 0.5]), system.n_links - 1
    wrench = np.zeros((system.n_links + 1, 6))
    wrench[link, 3:] = push
    run = dyn.simulate(system, state, duration=0.1, dt=1e-3, external_forces=wrench)
    after = dyn.center_of_mass(system, run.state_at(0.1))
    np.testing.assert_allclose(after.linear_momentum - before.linear_momentum, 0.1 * push, atol=1e-9)
    assert np.abs(after.position - before.coast([0.1])[0]).max() > 1e-5
    assert np.abs(after.angular_momentum - before.angular_momentum).max() > 1e-4
    system, state = dyn.example("two_arms_and_box")
    found = dyn.center_of_mass(system, state)
    links = sum(link.mass for link in system.link_models)
    assert found.mass == pytest.approx(links + system.task_object.mass, rel=1e-12)
    with pytest.raises(dyn.StateError, match="times"):
        found.coast([0.0, np.nan])


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


def test_several_floating_bases_each_have_their_own_place() -> None:
    """One behind a bolted arm and one before it: mass matrix, its solution, and torques from accelerations."""
    rng = np.random.default_rng(1987)
    arms = [draw_robot(rng, n, branching=0.4).load() for n in (4, 3, 5)]
    payload = dyn.TaskObject.box((0.3, 0.2, 0.1), 2.0)
    system = dyn.multi_arm(arms, [draw_pose(rng) for _ in arms], payload, GRAVITY, floating=(True, False, True))
    state = system.state(
        rng.normal(size=system.n_joints), rng.normal(size=system.n_joints), base_velocity=rng.normal(size=(2, 6)),
        object_pose=draw_pose(rng), object_velocity=rng.normal(size=6),
    )  # fmt: skip
    wrench, tau = rng.normal(size=(system.n_links + 1, 6)), rng.normal(size=system.n_joints)
    pushes = dict(zip((*system.link_names, "object"), wrench, strict=True))
    expected = dyn.forward_dynamics(system, state, tau, external_forces=pushes, method="kkt")
    found = dyn.forward_dynamics(system, state, tau, external_forces=pushes, method="mass_matrix")
    assert off(dyn.mass_matrix(system, state), dyn.mass_matrix(system, state, "kkt")) < 1e-12
    assert off(found.packed_acceleration, expected.packed_acceleration) < 1e-9
    torque = dyn.inverse_dynamics(system, state, expected.joint_acceleration, external_forces=wrench)
    assert off(torque, tau) < 1e-9
