"""TML: Newton-Euler in both forms and Lagrange against Pinocchio, Lagrange's energies, both formulations as one."""

from typing import Any

import numpy as np
import pinocchio as pin
import pytest

import dynamics as dyn
from dynamics.solve.formulations import INVERSE, RECURSIONS
from dynamics.spatial.plain_vectors import Number
from dynamics.system.axis_frames import Recursion
from dynamics.system.couplings import Ties
from dynamics.witness import lagrange, strobing
from dynamics.witness.equivalence import steps_of_the_proof
from dynamics.witness.strobing import torque_parts, velocity_coefficients
from tests.dynamics.dense_machine import dense, off
from tests.dynamics.every import every
from tests.dynamics.systems import GRAVITY, draw_object, draw_robot
from tests.dynamics.twins import arms_and_object, draw_arms, joint_vector, one_arm

FORMULATIONS = {name: INVERSE[name] for name in RECURSIONS}
SHAPES = [(1, 0.0), (2, 0.0), (3, 0.5), (6, 0.0), (7, 0.4), (11, 0.6)]


@every([*SHAPES, (30, 0.0), (20, 0.3)])
def test_inverse_dynamics_is_pinocchios(n: int, branching: float) -> None:
    rng = np.random.default_rng([n, int(10 * branching)])
    twin = one_arm(rng, draw_robot(rng, n, branching=branching))
    qdd, world = rng.normal(size=n), twin.world
    named = {f"1/{name}": float(x) for name, x in zip(twin.system.joint_names, qdd, strict=True)}
    expected = pin.rnea(world.model, world.data, twin.x, twin.v, world.torque(named))
    expected = joint_vector(twin.system, {name: float(expected[world.column(name)]) for name in named})
    for name, formulation in FORMULATIONS.items():
        assert off(formulation(twin.system, twin.state, qdd, None), expected) < 1e-11, name


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
        assert off(found, dyn.mass_matrix(system, state)) < 1e-12, name
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
        assert off(formulation(system, state, qdd, None), expected) < 1e-12, name
        with pytest.raises(dyn.ModelError, match="floats"):
            formulation(floating, floating.state(), np.zeros(2), None)
        with pytest.raises(dyn.ModelError, match="holds an object"):
            formulation(held, two.state(), np.zeros(12), None)
    system = dyn.single_arm(dyn.planar_chain(2))
    ties, wrench = Ties(np.zeros((0, 2)), np.zeros(0)), np.zeros((3, 6))
    with pytest.raises(dyn.ModelError, match="moves no inertia"):
        strobing.forward_dynamics(system, system.state(), np.zeros(2), lambda *_: np.zeros(2), wrench, ties)


def arm(n: int, seed: int, kinds: tuple[str, ...] = ("revolute", "prismatic")) -> dyn.System:
    rng = np.random.default_rng(seed)
    return dyn.single_arm(draw_robot(rng, n, kinds=kinds, mass_decades=1.0).load(), gravity=GRAVITY)


@every([0.0, 0.5])
def test_energies(branching: float) -> None:
    """(2.1)-(2.6), by traces, are the solution's."""
    rng = np.random.default_rng(10)
    system = dyn.single_arm(draw_robot(rng, 6, branching=branching, mass_decades=1.0).load(), gravity=GRAVITY)
    state = system.state(rng.normal(size=6), rng.normal(size=6))
    solution = dyn.forward_dynamics(system, state)
    expected = solution.kinetic_energy, solution.potential_energy
    assert lagrange.energies(system, state) == pytest.approx(expected, rel=1e-11)


@every([2, 3, 6])
def test_every_line_of_the_proof_that_both_formulations_are_one(n: int) -> None:
    """(4.1)-(4.33): vectors carried from link to link, beside the derivatives of transforms."""
    system, rng = arm(n, 20 + n, ("revolute",)), np.random.default_rng(n)
    state, pull = system.state(rng.normal(size=n), rng.normal(size=n)), rng.normal(size=n)
    lines = steps_of_the_proof(system, state, pull)
    assert list(lines) == [f"4.{k}" for k in range(1, 34)]
    for number, (left, right) in lines.items():
        assert np.abs(left - right).max() < 1e-11 * np.abs(left).max(), number
    # What all links need about the base's joint is (2.11), and the last link's by itself is (4.27).
    assert lines["4.27"][1][-1] == pytest.approx(dyn.inverse_dynamics(system, state, pull, method="lagrange")[0])
    with pytest.raises(dyn.ModelError, match="turning joints"):
        steps_of_the_proof(arm(n, 3, ("prismatic",)), arm(n, 3, ("prismatic",)).state(rng.normal(size=n)), pull)


def test_torques_of_accelerations_rates_and_gravity_are_apart() -> None:
    """(2.11): tau = M theta'' + C + G; C is the rates' square, G what holds the arm at rest."""
    system, rng = arm(5, 30), np.random.default_rng(6)
    state, pull = system.state(rng.normal(size=5), rng.normal(size=5)), rng.normal(size=5)
    for formulation in (FORMULATIONS[name] for name in ("lagrange", "newton_euler")):
        inertial, rates, gravity = torque_parts(system, state, pull, formulation)
        expected = dyn.inverse_dynamics(system, state, pull)
        assert np.allclose(inertial + rates + gravity, expected, atol=1e-10 * np.abs(expected).max())
        assert np.allclose(inertial, dyn.mass_matrix(system, state) @ pull, atol=1e-10 * np.abs(inertial).max())
        squares = np.einsum("ijk,j,k->i", velocity_coefficients(system, state, formulation), state.qd, state.qd)
        assert np.allclose(rates, squares, atol=1e-10 * np.abs(rates).max())
        still = dyn.inverse_dynamics(system, system.state(state.q), np.zeros(5))
        assert np.allclose(gravity, still, atol=1e-10 * np.abs(still).max())
