"""What random arms lack elsewhere: rotors, damping, friction and external wrenches, in every method at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import dynamics as dyn
from tests.dynamics.systems import GRAVITY, draw_object, draw_pose, draw_robot

Array = NDArray[np.float64]
KINDS = ["tree", "free flyer", "released", "held", "slipping", "floating group"]


def with_losses(robot: dyn.Robot, rng: np.random.Generator) -> dyn.Robot:
    return replace(
        robot,
        joints=tuple(
            replace(
                joint,
                rotor_inertia=float(rng.uniform(0.1, 2.0)),
                damping=float(rng.uniform(0.1, 2.0)),
                friction=tuple(rng.uniform(0.1, 3.0, 2)),
            )
            for joint in robot.joints
        ),
    )


def draw_system(rng: np.random.Generator, kind: str) -> tuple[dyn.System, dyn.State]:
    """Moving slowly enough that friction's smoothed step is no step yet."""
    if kind in ("tree", "free flyer"):
        robot = with_losses(draw_robot(rng, 6, branching=0.4).load(), rng)
        system = dyn.single_arm(robot, gravity=GRAVITY) if kind == "tree" else dyn.free_flyer(robot, gravity=GRAVITY)
        q, qd = rng.normal(size=6), 0.02 * rng.normal(size=6)
        base = {} if kind == "tree" else {"base_pose": draw_pose(rng), "base_velocity": rng.normal(size=6)}
        return system, system.state(q=q, qd=qd, **base)
    robots = []
    for n in (7, 6):
        drawn = draw_robot(rng, n, fixed=0.0, mass_decades=1.0)
        robots.append(with_losses(drawn.load(tip=drawn.leaf), rng))
    floating = kind == "floating group"
    system = dyn.multi_arm(robots, [draw_pose(rng), draw_pose(rng)], draw_object(rng), GRAVITY, floating=floating)
    base = {"base_velocity": rng.normal(size=(2, 6))} if floating else {}
    state = system.state(
        q=rng.normal(size=13),
        qd=0.02 * rng.normal(size=13),
        object_pose=draw_pose(rng),
        object_velocity=rng.normal(size=6),
        **base,
    )
    if kind == "released":
        return system, state
    oblique = rng.normal(size=(2, 6))  # a screw: turns and shifts mixed
    system = dyn.grasp(system, state, [oblique, "point"] if kind == "slipping" else ["rigid", "point"])
    return system, dyn.project(system, state)


@pytest.fixture(params=KINDS)
def drawn(request: pytest.FixtureRequest) -> tuple[dyn.System, dyn.State, Array, Array]:
    rng = np.random.default_rng(21)
    system, state = draw_system(rng, request.param)
    return system, state, rng.normal(size=system.n_joints), 5.0 * rng.normal(size=(system.n_links + 1, 6))


def test_every_method_agrees(drawn: tuple[dyn.System, dyn.State, Array, Array]) -> None:
    system, state, tau, wrench = drawn
    found = dyn.agreement(system, state, tau, wrench)
    assert found.worst < 1e-9
    assert found.worst_residual < 1e-9


def test_inverse_of_forward_is_the_torque(drawn: tuple[dyn.System, dyn.State, Array, Array]) -> None:
    system, state, tau, wrench = drawn
    if system.is_held:
        system = dyn.release(system)
    if not system.is_floating or system.n_bases == 1:
        acceleration = dyn.forward_dynamics(system, state, tau, external_forces=wrench).joint_acceleration
        found = dyn.inverse_dynamics(system, state, acceleration, external_forces=wrench)
        assert np.allclose(found, tau, rtol=0.0, atol=1e-9 * np.max(np.abs(acceleration)))


def test_mass_matrices_agree(drawn: tuple[dyn.System, dyn.State, Array, Array]) -> None:
    system, state, _, _ = drawn
    if not system.is_floating or system.n_bases == 1:
        composite, dense = dyn.mass_matrix(system, state), dyn.mass_matrix(system, state, "kkt")
        assert np.allclose(composite, dense, rtol=0.0, atol=1e-12 * np.max(dense))
