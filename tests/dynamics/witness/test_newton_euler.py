"""Newton-Euler in both of TML's forms and Lagrange against Pinocchio, and what they serve."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pinocchio as pin
import pytest

import dynamics as dyn
from dynamics.numbers.plain_vectors import Number
from dynamics.solve.formulations import RECURSIONS
from dynamics.system.axis_frames import Recursion
from dynamics.witness import lagrange, newton_euler, newton_euler_modified, strobing
from tests.dynamics.dense_machine import dense
from tests.dynamics.every import every
from tests.dynamics.systems import draw_object, draw_robot
from tests.dynamics.twins import arms_and_object, draw_arms, joint_vector, one_arm

FORMULATIONS: dict[str, Callable] = {
    "newton_euler": newton_euler.inverse_dynamics,
    "newton_euler_modified": newton_euler_modified.inverse_dynamics,
    "lagrange": lagrange.inverse_dynamics,
}
SHAPES = [(1, 0.0), (2, 0.0), (3, 0.5), (6, 0.0), (7, 0.4), (11, 0.6)]


def relative(found: np.ndarray, expected: np.ndarray) -> float:
    return float(np.abs(found - expected).max() / max(np.abs(expected).max(), 1e-9))


@every([*SHAPES, (30, 0.0), (20, 0.3)])
def test_inverse_dynamics_is_pinocchios(n: int, branching: float) -> None:
    rng = np.random.default_rng([n, int(10 * branching)])
    twin = one_arm(rng, draw_robot(rng, n, branching=branching))
    qdd, world = rng.normal(size=n), twin.world
    named = {f"1/{name}": float(x) for name, x in zip(twin.system.joint_names, qdd, strict=True)}
    expected = pin.rnea(world.model, world.data, twin.x, twin.v, world.torque(named))
    expected = joint_vector(twin.system, {name: float(expected[world.column(name)]) for name in named})
    for name, formulation in FORMULATIONS.items():
        assert relative(formulation(twin.system, twin.state, qdd, None), expected) < 1e-11, name


def test_strobing_runs_a_recursion_twice_however_many_joints_there_are() -> None:
    rng = np.random.default_rng(7)
    system, runs = one_arm(rng, draw_robot(rng, 20, branching=0.3)).system, list[Recursion]()
    state = system.state(rng.normal(size=20), rng.normal(size=20))

    def counted(recursion: Recursion) -> Recursion:
        def run(*values: Any) -> list[Number]:
            runs.append(recursion)
            return recursion(*values)

        return run

    for name, recursion in RECURSIONS.items():
        found, _ = strobing.mass_matrix_and_bias(system, state, counted(recursion))
        assert relative(found, dyn.mass_matrix(system, state)) < 1e-12, name
    assert len(runs) == 2 * len(RECURSIONS)


def test_arms_that_hold_nothing_are_independent_and_what_floats_or_holds_is_refused() -> None:
    rng = np.random.default_rng(6)
    twin = arms_and_object(rng, draw_arms(rng, [3, 4]), [], held=False)
    system, state, n = twin.system, twin.state, twin.system.n_joints
    equations, qdd = dense(system, state), rng.normal(size=n)
    expected = (equations.mass_matrix[:n, :n] @ qdd) + equations.bias[:n]
    floating = dyn.free_flyer(draw_robot(rng, 2).load())
    two = dyn.multi_arm([arm.load(tip=arm.leaf) for arm in draw_arms(rng, [6, 6])], task_object=draw_object(rng))
    held = dyn.grasp(two, two.state(), ["rigid", "rigid"])
    for name, formulation in FORMULATIONS.items():
        assert relative(formulation(system, state, qdd, None), expected) < 1e-12, name
        with pytest.raises(dyn.ModelError, match="floats"):
            formulation(floating, floating.state(), np.zeros(2), None)
        with pytest.raises(dyn.ModelError, match="holds an object"):
            formulation(held, two.state(), np.zeros(12), None)
    system = dyn.single_arm(dyn.planar_chain(2))
    with pytest.raises(dyn.ModelError, match="moves no inertia"):
        strobing.forward_dynamics(system, system.state(), np.zeros(2), lambda *_: np.zeros(2))
