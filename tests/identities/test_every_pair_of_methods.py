"""Every method against every other, with bounds that follow the condition number where digits must be lost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import dynamics as dyn
from dynamics.methods.formulations import INVERSE
from tests.dynamics.systems import draw_object, draw_pose, draw_robot

EPS = float(np.finfo(float).eps)
ROUNDING = 50.0  # rounding errors of a sweep, in units of the last digit


@dataclass(frozen=True)
class Case:
    name: str
    n: int
    kinds: tuple[str, ...] = ("revolute", "continuous", "prismatic")
    branching: float = 0.0
    decades: float = 2.0
    floating: bool = False
    gravity: bool = True


CASES = [
    Case("one joint", 1),
    Case("two joints", 2),
    Case("chain", 7),
    Case("long chain", 30),
    Case("sliders only", 6, kinds=("prismatic",)),
    Case("turners only", 8, kinds=("revolute",)),
    Case("tree", 10, branching=0.5),
    Case("star", 6, branching=0.95),
    Case("mass ratios to a million", 8, decades=6.0),
    Case("tree, mass ratios to a million", 12, branching=0.4, decades=6.0),
    Case("no gravity", 7, gravity=False),
    Case("floating chain", 7, floating=True),
    Case("floating tree, mass ratios to a million", 9, branching=0.4, decades=6.0, floating=True),
    Case("one floating joint", 1, floating=True),
]


def build(case: Case, seed: int) -> tuple[dyn.System, dyn.State, np.ndarray]:
    rng = np.random.default_rng([seed, case.n, round(10 * case.decades)])
    robot = draw_robot(rng, case.n, branching=case.branching, kinds=case.kinds, mass_decades=case.decades).load()
    gravity = (0.5, -1.0, -9.0) if case.gravity else (0.0, 0.0, 0.0)
    if case.floating:
        system = dyn.free_flyer(robot, gravity)
        motion = {"base_pose": draw_pose(rng), "base_velocity": rng.normal(size=6)}
    else:
        system, motion = dyn.single_arm(robot, gravity, draw_pose(rng)), {}
    n = system.n_joints
    state = system.state(q=rng.uniform(-2, 2, n), qd=rng.normal(size=n), **motion)
    return system, state, rng.normal(size=n)


def bound(matrix: np.ndarray) -> float:
    """1e-9, or what the condition number of the equilibrated mass matrix leaves of the last digit."""
    scale = 1.0 / np.sqrt(np.diag(matrix))
    return max(1e-9, ROUNDING * EPS * float(np.linalg.cond(matrix * scale * scale[:, None])))


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_free_systems(case: Case, seed: int) -> None:
    system, state, tau = build(case, seed)
    matrix = dyn.mass_matrix(system, state)
    methods = [name for name in dyn.methods(system) if name != "lagrange" or system.n_joints <= 8]
    found = dyn.agreement(system, state, tau, only=methods)
    assert found.worst < bound(matrix), found.rows
    assert found.worst_residual < 1e-9
    assert {row.left for row in found.rows} | {row.right for row in found.rows} == set(methods)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_mass_matrix_and_its_inverse(case: Case) -> None:
    system, state, _ = build(case, 2)
    matrix, n = dyn.mass_matrix(system, state), system.n_joints
    size = np.sqrt(np.outer(np.diag(matrix), np.diag(matrix)))
    assert np.all(np.abs(matrix - matrix.T) <= 1e-13 * size)
    np.linalg.cholesky(matrix)
    assert np.all(np.abs(dyn.mass_matrix(system, state, "kkt") - matrix) <= 1e-12 * size)
    if not case.floating:
        inverse = dyn.mass_matrix_inverse(system, state)
        identity = (inverse * size) @ (matrix / size)
        assert np.max(np.abs(identity - np.eye(n))) < bound(matrix)
        for method in ("newton_euler", "newton_euler_modified", "appel"):
            assert np.all(np.abs(dyn.mass_matrix(system, state, method) - matrix) <= 1e-11 * size)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_inverse_undoes_forward(case: Case) -> None:
    system, state, tau = build(case, 3)
    solution = dyn.forward_dynamics(system, state, tau)
    matrix = dyn.mass_matrix(system, state)
    # What each torque is made of: the difference of terms this large.
    size = np.abs(matrix) @ np.abs(solution.packed_acceleration)
    methods = ["two_sweeps"] if case.floating else [m for m in INVERSE if m != "lagrange" or case.n <= 8]
    for method in methods:
        found = dyn.inverse_dynamics(system, state, solution.joint_acceleration, method)
        assert np.all(np.abs(found - tau) <= 1e-11 * (1.0 + size[: case.n]).max()), method


@pytest.mark.parametrize("bend", [1e-2, 1e-5, 1e-8, 0.0])
def test_stretched_out_and_folded_up(bend: float) -> None:
    """Near and at a singular posture the joints still have their accelerations; the tip has lost a direction."""
    system = dyn.single_arm(dyn.planar_chain(4, length=0.4))
    state = system.state(q=np.full(4, bend), qd=[0.5, -1.0, 1.5, -0.5])
    found = dyn.agreement(system, state, np.ones(4))
    assert found.worst < bound(dyn.mass_matrix(system, state))
    inertia = dyn.operational_space_inertia(system, state)
    assert np.all(np.isfinite(inertia))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n_arms", [1, 2, 3, 4, 5, 6])
def test_held_systems(n_arms: int, seed: int) -> None:
    rng = np.random.default_rng([seed, n_arms, 77])
    robots = [draw_robot(rng, int(rng.integers(3, 9)), fixed=0.0, mass_decades=2.0).load() for _ in range(n_arms)]
    system = dyn.multi_arm(robots, [draw_pose(rng) for _ in robots], draw_object(rng))
    n = system.n_joints
    state = system.state(q=rng.uniform(-2, 2, n), qd=rng.normal(size=n), object_pose=draw_pose(rng))
    kinds = [str(rng.choice(["rigid", "point", "soft_finger"])) for _ in robots]
    held = dyn.grasp(system, state, kinds)
    state = dyn.project(held, state)
    tau = rng.normal(size=n)
    solution = dyn.forward_dynamics(held, state, tau)
    omega = solution.stages["contact"]["omega"]
    scale = 1.0 / np.sqrt(np.diag(omega))
    values = np.linalg.eigvalsh(omega * scale * scale[:, None])
    condition = values[-1] / values[values > 1e-11 * values[-1]][0]
    found = dyn.agreement(held, state, tau)
    assert {"appel", "kkt"} < set(dyn.methods(held))
    assert found.worst < max(1e-9, ROUNDING * EPS * condition), (kinds, condition)
    assert found.worst_residual < 1e-9


def test_light_and_heavy_objects() -> None:
    """From a grain to a mountain: the contact stage solves both ends of R88's limits."""
    system, state = dyn.example("two_arms_and_box")
    for mass in np.logspace(-6, 6, 7):
        other = dyn.with_task_object(system, system.task_object.with_mass(float(mass)))
        found = dyn.agreement(other, state, np.ones(system.n_joints))
        assert found.worst < 1e-7, mass
        assert found.worst_residual < 1e-7, mass
