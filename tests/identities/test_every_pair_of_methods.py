"""Every method against every other, with bounds that follow the condition number where digits must be lost."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

import dynamics as dyn
from dynamics.methods.formulations import INVERSE
from tests.dynamics.every import every
from tests.dynamics.systems import draw_object, draw_pose, draw_robot, with_losses

EPS = float(np.finfo(float).eps)
ROUNDING = 50.0  # rounding errors of a sweep, in units of the last digit
KINDS = ("revolute", "continuous", "prismatic")


def bound(matrix: np.ndarray) -> float:
    """1e-9, or what the condition number of the equilibrated mass matrix leaves of the last digit."""
    scale = 1.0 / np.sqrt(np.diag(matrix))
    return max(1e-9, ROUNDING * EPS * float(np.linalg.cond(matrix * scale * scale[:, None])))


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 12),
    kinds=st.sampled_from([KINDS, KINDS, ("prismatic",), ("revolute",)]),
    branching=st.sampled_from([0.0, 0.4, 0.5, 0.95]),
    decades=st.sampled_from([2.0, 6.0]),
    floating=st.booleans(),
    gravity=st.sampled_from([(0.5, -1.0, -9.0), (0.5, -1.0, -9.0), (0.0, 0.0, 0.0)]),
    losses=st.booleans(),
)
@example(1, 30, KINDS, 0.0, 2.0, False, (0.5, -1.0, -9.0), False)
@example(2, 9, KINDS, 0.4, 6.0, True, (0.5, -1.0, -9.0), False)
@example(3, 1, KINDS, 0.0, 2.0, True, (0.5, -1.0, -9.0), True)
def test_free_systems(
    seed: int, n: int, kinds: tuple[str, ...], branching: float, decades: float, floating: bool,
    gravity: tuple[float, float, float], losses: bool,
) -> None:  # fmt: skip
    """Accelerations, mass matrices, their inverse; and the inverse dynamics undo the forward dynamics."""
    rng = np.random.default_rng(seed)
    robot = draw_robot(rng, n, branching=branching, kinds=kinds, mass_decades=decades).load()
    robot = with_losses(robot, rng) if losses else robot
    if floating:
        system = dyn.free_flyer(robot, gravity)
        motion = {"base_pose": draw_pose(rng), "base_velocity": rng.normal(size=6)}
    else:
        system, motion = dyn.single_arm(robot, gravity, draw_pose(rng)), {}
    state, tau = system.state(q=rng.uniform(-2, 2, n), qd=rng.normal(size=n), **motion), rng.normal(size=n)
    methods = [name for name in dyn.methods(system) if name != "lagrange" or n <= 8]
    matrix = dyn.mass_matrix(system, state)
    found = dyn.agreement(system, state, tau, only=methods)
    assert found.worst < bound(matrix), found.rows
    assert found.worst_residual < 1e-9
    assert {row.left for row in found.rows} | {row.right for row in found.rows} == set(methods)

    size = np.sqrt(np.outer(np.diag(matrix), np.diag(matrix)))
    assert np.all(np.abs(matrix - matrix.T) <= 1e-13 * size)
    np.linalg.cholesky(matrix)
    assert np.all(np.abs(dyn.mass_matrix(system, state, "kkt") - matrix) <= 1e-12 * size)
    if not floating:
        identity = (dyn.mass_matrix_inverse(system, state) * size) @ (matrix / size)
        assert np.max(np.abs(identity - np.eye(n))) < bound(matrix)
        for method in ("newton_euler", "newton_euler_modified", "appel"):
            assert np.all(np.abs(dyn.mass_matrix(system, state, method) - matrix) <= 1e-11 * size), method

    solution = dyn.forward_dynamics(system, state, tau)
    # What each torque is made of: the difference of terms this large.
    terms = (np.abs(matrix) @ np.abs(solution.packed_acceleration))[:n]
    for method in ["two_sweeps"] if floating else [m for m in INVERSE if m != "lagrange" or n <= 8]:
        torque = dyn.inverse_dynamics(system, state, solution.joint_acceleration, method)
        assert np.all(np.abs(torque - tau) <= 1e-11 * (1.0 + terms).max()), method


@every([1e-2, 1e-5, 1e-8, 0.0])
def test_stretched_out_and_folded_up(bend: float) -> None:
    """Near and at a singular posture the joints still have their accelerations; the tip has lost a direction."""
    system = dyn.single_arm(dyn.planar_chain(4, length=0.4))
    state = system.state(q=np.full(4, bend), qd=[0.5, -1.0, 1.5, -0.5])
    found = dyn.agreement(system, state, np.ones(4))
    assert found.worst < bound(dyn.mass_matrix(system, state))
    assert np.all(np.isfinite(dyn.operational_space_inertia(system, state)))


@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_held_systems(seed: int, n_arms: int) -> None:
    rng = np.random.default_rng([seed, n_arms, 77])
    robots = [draw_robot(rng, int(rng.integers(3, 9)), fixed=0.0, mass_decades=2.0).load() for _ in range(n_arms)]
    system = dyn.multi_arm(robots, [draw_pose(rng) for _ in robots], draw_object(rng))
    n = system.n_joints
    state = system.state(q=rng.uniform(-2, 2, n), qd=rng.normal(size=n), object_pose=draw_pose(rng))
    kinds = [str(rng.choice(["rigid", "point", "soft_finger"])) for _ in robots]
    held = dyn.grasp(system, state, kinds)
    state, tau = dyn.project(held, state), rng.normal(size=n)
    omega = dyn.forward_dynamics(held, state, tau).stages["contact"]["omega"]
    scale = 1.0 / np.sqrt(np.diag(omega))
    values = np.linalg.eigvalsh(omega * scale * scale[:, None])
    condition = values[-1] / values[values > 1e-11 * values[-1]][0]
    found = dyn.agreement(held, state, tau)
    assert {"appel", "kkt"} < set(dyn.methods(held))
    assert found.worst < max(1e-9, ROUNDING * EPS * condition), (kinds, condition)
    assert found.worst_residual < 1e-9


@every(float(mass) for mass in np.logspace(-6, 6, 7))
def test_light_and_heavy_objects(mass: float) -> None:
    """From a grain to a mountain: the contact stage solves both ends of R88's limits."""
    system, state = dyn.example("two_arms_and_box")
    other = dyn.with_task_object(system, system.task_object.with_mass(mass))
    found = dyn.agreement(other, state, np.ones(system.n_joints))
    assert found.worst < 1e-7
    assert found.worst_residual < 1e-7
