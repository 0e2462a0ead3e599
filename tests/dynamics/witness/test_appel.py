"""Appel's Gibbs function against its definition, and an arm whose tip is held."""

import numpy as np
import pytest

import dynamics as dyn
from dynamics.witness import appel
from dynamics.witness.constrained_arm import constrained_arm, constrained_motion
from tests.dynamics.dense_machine import close, phi
from tests.dynamics.every import every
from tests.dynamics.systems import GRAVITY, draw_pose, draw_robot


def drawn(n: int, branching: float) -> tuple[dyn.System, dyn.State]:
    rng = np.random.default_rng([0, n, int(10 * branching)])
    system = dyn.single_arm(draw_robot(rng, n, branching=branching).load(), GRAVITY, draw_pose(rng))
    return system, system.state(q=rng.normal(size=n), qd=rng.normal(size=n))


@every([(4, 0.0), (9, 0.5)])
def test_the_gibbs_function_is_the_acceleration_energy(n: int, branching: float) -> None:
    """JZ (14) against S = sum 1/2 m a'a + 1/2 eps'I eps + (w x I w)'eps, with the filter's accelerations."""
    system, state = drawn(n, branching)
    solution, expected = dyn.forward_dynamics(system, state, np.ones(n)), 0.0
    for k, link in enumerate(system.link_models):
        rotation, alpha = solution.link_pose[k, :3, :3], solution.stages["smoother"]["acceleration"][k]
        omega, eps, c = rotation.T @ solution.link_velocity[k, :3], rotation.T @ alpha[:3], link.center_of_mass
        a = rotation.T @ alpha[3:] + np.cross(eps, c) + np.cross(omega, np.cross(omega, c))
        expected += 0.5 * link.mass * a @ a + 0.5 * eps @ link.inertia @ eps
        expected += np.cross(omega, link.inertia @ omega) @ eps
    gibbs, qdd = appel.gibbs_function(system, state), solution.joint_acceleration
    found = 0.5 * qdd @ gibbs.mass_matrix @ qdd + gibbs.velocity_terms @ qdd + gibbs.rest
    assert found == pytest.approx(expected, rel=1e-10)


def test_point_motion_differentiates_its_jacobian() -> None:
    system, state = drawn(6, 0.0)
    point, h = np.array([0.1, -0.2, 0.3]), 1e-6

    def at(step: float) -> appel.PointMotion:
        moved = system.state(q=state.q + step * state.qd, qd=state.qd)
        return appel.point_motion(appel.gibbs_function(system, moved), system, 0, point)

    rate = (at(h).jacobian - at(-h).jacobian) @ state.qd / (2.0 * h)
    assert at(0.0).rate == pytest.approx(rate, rel=1e-6, abs=1e-6)


def test_a_constrained_tip_holds_still_or_accelerates_as_given() -> None:
    """JZ (27)-(29): lambda, applied as an external force, holds the tip still."""
    system, state = drawn(8, 0.0)
    tau, tip = np.ones(8), system.tips[0]
    motion = constrained_arm(system, state, tau)
    held = appel.point_motion(appel.gibbs_function(system, state), system, tip.link, tip.pose[:3, 3])
    scale = np.abs(motion.acceleration).max()
    assert np.abs(held.jacobian @ motion.acceleration + held.rate).max() < 1e-10 * scale
    link, wrench = dyn.link_poses(system, state)[tip.link], np.zeros((system.n_links + 1, 6))
    wrench[tip.link] = phi(link[:3, :3] @ tip.pose[:3, 3]) @ motion.force
    freed = dyn.forward_dynamics(system, state, tau, external_forces=wrench).joint_acceleration
    assert close(freed, motion.acceleration, 1e-9)
    system, state = drawn(5, 0.0)
    rows, tip = np.eye(6)[[3, 5]], system.tips[0]
    motion = constrained_arm(system, state, np.zeros(5), rows, [0.3, -0.7])
    held = appel.point_motion(appel.gibbs_function(system, state), system, tip.link, tip.pose[:3, 3])
    assert rows @ (held.jacobian @ motion.acceleration + held.rate) == pytest.approx([0.3, -0.7], abs=1e-9)
    assert motion.indeterminate.shape == (2, 0)


def test_constraints_of_too_few_joints_at_rest() -> None:
    # A rank-deficient Jacobian: the paper's matrix is singular; the smallest force is returned.
    system = dyn.single_arm(draw_robot(np.random.default_rng(3), 2).load(), (0, 0, -9.81))
    state = system.state(q=[0.3, -0.4])
    motion = constrained_arm(system, state, np.zeros(2))
    assert np.abs(motion.acceleration).max() < 1e-10
    assert motion.indeterminate.shape == (6, 4)
    gibbs = appel.gibbs_function(system, state)
    w, _ = appel.equations_of_motion(gibbs, system, state)
    jacobian = appel.point_motion(gibbs, system, 0, system.tips[0].pose[:3, 3]).jacobian
    moved = np.einsum("ij,ji->i", jacobian, np.linalg.solve(w, jacobian.T)) * motion.force  # by each force alone
    assert np.abs(motion.indeterminate.T @ moved).max() < 1e-9 * np.abs(moved).max()
    system = dyn.single_arm(draw_robot(np.random.default_rng(3), 2).load())
    with pytest.raises(dyn.SingularConfigurationError, match="constrained directions"):
        constrained_arm(system, system.state(), np.zeros(2), acceleration=np.ones(6))
    with pytest.raises(dyn.ModelError, match="positive definite"):
        constrained_motion(np.zeros((1, 1)), np.ones(1), np.ones((1, 1)), np.ones(1))
