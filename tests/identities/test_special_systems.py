"""Single links, locked or massless joints, indeterminate forces, singular grasps: the answer or the named error."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import dynamics as dyn
from dynamics.solve.formulations import INVERSE
from dynamics.witness.equation_of_motion import composite_inertia
from tests.dynamics.systems import KINDS, draw_pose, draw_robot, with_losses


def test_a_motion_that_no_force_can_close_is_refused() -> None:
    """Two stretched arms that turn at different rates: the chain would have to tear."""
    arm = dyn.planar_chain(2, length=0.5)
    base = np.eye(4)
    base[:3, 3] = (0.0, -2.2, 0.0)
    base[:3, :3] = np.diag([1.0, -1.0, -1.0])
    payload = dyn.TaskObject.box((0.1, 0.2, 0.1), 1.0)
    system = dyn.multi_arm([arm, arm], [np.eye(4), base], payload, gravity=(0, 0, 0))
    tips = dyn.forward_kinematics(system, system.state()).tip_pose
    middle = np.eye(4)
    middle[:3, 3] = tips[:, :3, 3].mean(axis=0)
    state = system.state(object_pose=middle)
    held = dyn.grasp(system, state, ["rigid", "rigid"])
    still = dyn.forward_dynamics(held, state)
    assert np.allclose(still.packed_acceleration, 0.0, atol=1e-9)
    # Both arms may swing sideways for an instant, but then the way between the bases would have to grow.
    swinging = dyn.project(held, held.state(qd=[0.0, 1.0, 0.0, 1.0], object_pose=middle))
    assert np.abs(swinging.qd).max() > 0.1
    with pytest.raises(dyn.SingularConfigurationError, match=r"no contact force closes the chain here.*arm"):
        dyn.forward_dynamics(held, swinging)
    with pytest.raises(dyn.SingularConfigurationError, match="no contact force closes the chain"):
        dyn.forward_dynamics(held, swinging, method="kkt")


EPS = float(np.finfo(float).eps)
ROUNDING = 50.0  # rounding errors of a sweep, in units of the last digit


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
    wrench = rng.normal(size=(system.n_links + 1, 6)) * np.append(np.ones(system.n_links), 0.0)[:, None]
    methods = [name for name in dyn.methods(system) if name != "lagrange" or n <= 8]
    matrix = dyn.mass_matrix(system, state)
    found = dyn.agreement(system, state, tau, wrench, only=methods)
    assert found.worst < bound(matrix), found.rows
    assert {row.left for row in found.rows} | {row.right for row in found.rows} == set(methods)

    size = np.sqrt(np.outer(np.diag(matrix), np.diag(matrix)))
    assert np.all(np.abs(matrix - matrix.T) <= 1e-13 * size)
    np.linalg.cholesky(matrix)
    assert np.all(np.abs(dyn.mass_matrix(system, state, "kkt") - matrix) <= 1e-12 * size)
    inverse = np.linalg.inv(matrix / size)[:n, :n]
    gap = dyn.mass_matrix_inverse(system, state) * size[:n, :n] - inverse
    assert np.abs(gap).max() < bound(matrix) * np.abs(inverse).max()
    if not floating:
        for method in ("newton_euler", "newton_euler_modified", "appel", *["lagrange"][: n <= 8]):
            assert np.all(np.abs(dyn.mass_matrix(system, state, method) - matrix) <= 1e-11 * size), method

    solution = dyn.forward_dynamics(system, state, tau, external_forces=wrench)
    assert all(check.holds for check in dyn.identities(solution, wrench))
    composite = composite_inertia(system, state)  # P(k) <= r(k): freeing joints can only make a body lighter
    gap = composite - solution.stages["filter"]["articulated_inertia"]
    assert np.linalg.eigvalsh(gap).min() > -1e-9 * np.abs(composite).max()
    # What each torque is made of: the difference of terms this large.
    terms = (np.abs(matrix) @ np.abs(solution.packed_acceleration))[:n]
    for method in ["two_sweeps"] if floating else [m for m in INVERSE if m != "lagrange" or n <= 8]:
        torque = dyn.inverse_dynamics(system, state, solution.joint_acceleration, method, wrench)
        assert np.all(np.abs(torque - tau) <= 1e-11 * (1.0 + terms).max()), method
