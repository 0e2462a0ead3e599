"""Newton-Euler in both of TML's forms, and strobing, against Pinocchio and the dense equations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest

import dynamics as dyn
from dynamics.witness import lagrange, newton_euler, newton_euler_modified, strobing
from dynamics.witness.kkt import dense_equations
from tests.dynamics.systems import GRAVITY, draw_object, draw_pose, draw_robot
from tests.dynamics.twins import arms_and_object, draw_arms, joint_vector, one_arm

FORMULATIONS: dict[str, Callable] = {
    "newton_euler": newton_euler.inverse_dynamics,
    "newton_euler_modified": newton_euler_modified.inverse_dynamics,
    "lagrange": lagrange.inverse_dynamics,
}
every_formulation = pytest.mark.parametrize("formulation", FORMULATIONS.values(), ids=FORMULATIONS)
SHAPES = [(1, 0.0), (2, 0.0), (3, 0.5), (6, 0.0), (7, 0.4), (11, 0.6)]


def relative(found: np.ndarray, expected: np.ndarray) -> float:
    return float(np.abs(found - expected).max() / max(np.abs(expected).max(), 1e-9))


def dense(system: dyn.System, state: dyn.State, wrench: np.ndarray | None = None):
    none = np.zeros((system.n_links + 1, 6))
    return dense_equations(system, state, dyn.link_poses(system, state), none if wrench is None else wrench)


@every_formulation
@pytest.mark.parametrize(("n", "branching"), [*SHAPES, (30, 0.0), (20, 0.3)])
def test_inverse_dynamics_is_pinocchios(formulation: Callable, n: int, branching: float) -> None:
    rng = np.random.default_rng([n, int(10 * branching)])
    twin = one_arm(rng, draw_robot(rng, n, branching=branching))
    qdd = {name: float(x) for name, x in zip(twin.system.joint_names, rng.normal(size=n), strict=True)}
    named = {f"1/{name}": x for name, x in qdd.items()}
    world = twin.world
    expected = pin.rnea(world.model, world.data, twin.x, twin.v, world.torque(named))
    expected = joint_vector(twin.system, {name: float(expected[world.column(name)]) for name in named})
    found = formulation(twin.system, twin.state, twin.system.to_joint_vector(qdd), None)
    assert relative(found, expected) < 1e-11


@every_formulation
@pytest.mark.parametrize("kinds", [("revolute",), ("prismatic",), ("revolute", "prismatic")], ids="-".join)
@pytest.mark.parametrize("gravity", [GRAVITY, (0.0, 0.0, 0.0)], ids=["gravity", "weightless"])
def test_external_forces_rotors_and_losses(
    formulation: Callable, kinds: tuple[str, ...], gravity: tuple[float, ...]
) -> None:
    rng = np.random.default_rng(5)
    robot = draw_robot(rng, 6, branching=0.3, kinds=kinds).load()
    joints = tuple(
        replace(joint, rotor_inertia=0.3, damping=0.7, friction=(0.4, 0.9), axis=axis)
        for joint, axis in zip(robot.joints, [*np.eye(3), *-np.eye(3)], strict=True)
    )
    system = dyn.single_arm(replace(robot, joints=joints), gravity=gravity, base_pose=draw_pose(rng))
    state = system.state(q=rng.normal(size=6), qd=rng.normal(size=6))
    wrench, qdd = rng.normal(size=(7, 6)), rng.normal(size=6)
    equations = dense(system, state, wrench)
    found = formulation(system, state, qdd, wrench)
    assert relative(found, equations.mass_matrix @ qdd + equations.bias) < 1e-12


@every_formulation
def test_arms_that_hold_nothing_are_independent(formulation: Callable) -> None:
    rng = np.random.default_rng(6)
    twin = arms_and_object(rng, draw_arms(rng, [3, 4]), [], held=False)
    system, state, n = twin.system, twin.state, twin.system.n_joints
    equations = dense(system, state)
    qdd = rng.normal(size=n)
    expected = (equations.mass_matrix[:n, :n] @ qdd) + equations.bias[:n]
    assert relative(formulation(system, state, qdd, None), expected) < 1e-12


@every_formulation
def test_what_floats_or_holds_is_refused(formulation: Callable) -> None:
    rng = np.random.default_rng(7)
    floating = dyn.free_flyer(draw_robot(rng, 2).load())
    with pytest.raises(dyn.ModelError, match="floats"):
        formulation(floating, floating.state(), np.zeros(2), None)
    arms = [arm.load(tip=arm.leaf) for arm in draw_arms(rng, [6, 6])]
    system = dyn.multi_arm(arms, task_object=draw_object(rng))
    held = dyn.grasp(system, system.state(), ["rigid", "rigid"])
    with pytest.raises(dyn.ModelError, match="holds an object"):
        formulation(held, system.state(), np.zeros(12), None)


@every_formulation
@pytest.mark.parametrize(("n", "branching"), SHAPES)
def test_strobing(formulation: Callable, n: int, branching: float) -> None:
    """TML Sections 3 and 7: mass matrix, bias, velocity coefficients and forward dynamics."""
    rng = np.random.default_rng([8, n])
    robot = draw_robot(rng, n, branching=branching, mass_decades=1.0).load()
    joints = tuple(replace(joint, damping=0.2, friction=(0.1, 0.3)) for joint in robot.joints)
    system = dyn.single_arm(replace(robot, joints=joints), gravity=GRAVITY)
    state = system.state(q=rng.normal(size=n), qd=rng.normal(size=n))
    wrench, tau = rng.normal(size=(n + 1, 6)), rng.normal(size=n)
    mass_matrix, bias = strobing.mass_matrix_and_bias(system, state, formulation, wrench)
    equations = dense(system, state, wrench)
    assert relative(mass_matrix, equations.mass_matrix) < 1e-11
    assert relative(mass_matrix, mass_matrix.T) < 1e-11
    assert relative(bias, equations.bias) < 1e-11

    found = strobing.forward_dynamics(system, state, tau, formulation, wrench)
    expected = dyn.forward_dynamics(system, state, tau, "kkt", wrench).joint_acceleration
    assert relative(found, expected) < 1e-11 * np.linalg.cond(mass_matrix)

    if n > 6:
        return
    bare = dyn.single_arm(robot, gravity=(0, 0, 0))
    moving = dense(bare, bare.state(q=state.q, qd=state.qd)).bias
    coefficients = strobing.velocity_coefficients(system, state, formulation)
    assert relative(coefficients @ state.qd @ state.qd, moving) < 1e-10 or np.abs(moving).max() < 1e-12


def test_an_arm_that_moves_no_inertia_is_named() -> None:
    system = dyn.single_arm(dyn.planar_chain(2))
    state = system.state()

    def massless(system: dyn.System, state: dyn.State, qdd: np.ndarray, wrench: np.ndarray) -> np.ndarray:
        return np.zeros(2)

    with pytest.raises(dyn.ModelError, match="moves no inertia"):
        strobing.forward_dynamics(system, state, np.zeros(2), massless)
