"""The lines of MATH's filter and smoother, one by one, on every link of random systems, in plain NumPy."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest
from numpy.typing import NDArray

import dynamics as dyn
from tests.dynamics.pinocchio_world import WORLD_AXES
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import Twin, arms_and_object, draw_arms, one_arm

Array = NDArray[np.float64]
TOLERANCE = 1e-11


def skew(v: Array) -> Array:
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def phi(lever: Array) -> Array:
    return np.block([[np.eye(3), skew(lever)], [np.zeros((3, 3)), np.eye(3)]])


def close(found: Array, expected: Array, scale: float | None = None) -> bool:
    size = max(np.max(np.abs(expected)), 1e-12) if scale is None else scale
    return bool(np.max(np.abs(np.asarray(found) - expected)) <= TOLERANCE * size)


class Stages:
    """The arrays of a solution with what the equations need beside them."""

    def __init__(self, solution: dyn.Solution) -> None:
        self.solution, system = solution, solution.system
        self.n = system.n_joints
        self.inboard = system.inboard
        self.pose = solution.link_pose
        self.point = self.pose[:, :3, 3]
        self.axis = []
        for k, joint in enumerate(system.joint_models):
            h = np.zeros(6)
            h[0 if joint.kind == "revolute" else 3 :][:3] = self.pose[k, :3, :3] @ joint.axis
            self.axis.append(h)

    def shift(self, k: int) -> Array:
        """phi(k+1, k), from link k to its inboard link."""
        return phi(self.point[k] - self.point[self.inboard[k]])

    def rigid_inertia(self, k: int) -> Array:
        link, rotation = self.solution.system.link_models[k], self.pose[k, :3, :3]
        p = rotation @ link.center_of_mass
        about_center = np.zeros((6, 6))
        about_center[:3, :3] = rotation @ link.inertia @ rotation.T
        about_center[3:, 3:] = link.mass * np.eye(3)
        return phi(p) @ about_center @ phi(p).T

    def outboard(self, k: int) -> list[int]:
        return [i for i in range(self.n) if self.inboard[i] == k]


@pytest.fixture(params=["chain", "tree", "free flyer", "two arms"])
def twin(request: pytest.FixtureRequest) -> Twin:
    rng = np.random.default_rng(31)
    if request.param == "two arms":
        return arms_and_object(rng, draw_arms(rng, [7, 6]), ["rigid", "point"])
    branching = 0.0 if request.param == "chain" else 0.4
    return one_arm(rng, draw_robot(rng, 9, branching=branching), floating=request.param == "free flyer")


@pytest.fixture
def stages(twin: Twin) -> Stages:
    return Stages(dyn.forward_dynamics(twin.system, twin.state, twin.tau))


def test_every_line_of_the_filter(stages: Stages) -> None:
    s, solution = stages.solution.stages["filter"], stages.solution
    for k in range(solution.system.n_links):
        predicted, force = stages.rigid_inertia(k), solution.bias_force[k].copy()
        for i in stages.outboard(k):
            predicted = predicted + stages.shift(i) @ s["articulated_inertia_updated"][i] @ stages.shift(i).T
            force = force + stages.shift(i) @ s["corrected_force"][i]
        p = s["articulated_inertia"][k]
        assert close(p, predicted)
        assert close(p, p.T)
        assert np.min(np.linalg.eigvalsh(p)) > 0.0
        assert close(s["predicted_force"][k], force + p @ solution.bias_acceleration[k])
        if k >= stages.n:
            continue
        h, gain, updated = stages.axis[k], s["kalman_gain"][k], s["articulated_inertia_updated"][k]
        assert close(s["joint_inertia"][k], h @ p @ h)
        assert close(gain, p @ h / (h @ p @ h))
        assert close(h @ gain, 1.0)
        assert close(updated, (np.eye(6) - np.outer(gain, h)) @ p, np.max(np.abs(p)))
        assert close(h @ updated, np.zeros(6), np.max(np.abs(p)))
        assert np.min(np.linalg.eigvalsh(updated)) > -TOLERANCE * np.max(np.abs(p))
        scale = np.max(np.abs(s["predicted_force"][k])) + abs(solution.tau[k])
        assert close(s["innovation"][k], solution.tau[k] - h @ s["predicted_force"][k], scale)
        assert close(s["corrected_force"][k], s["predicted_force"][k] + gain * s["innovation"][k], scale)
        assert close(s["residual"][k], s["innovation"][k] / s["joint_inertia"][k])


def test_every_line_of_the_smoother(stages: Stages) -> None:
    solution = stages.solution
    f, s = solution.stages["filter"], solution.stages["smoother"]
    for k in range(stages.n):
        inboard = stages.inboard[k]
        arriving = np.zeros(6) if inboard < 0 else stages.shift(k).T @ s["acceleration"][inboard]
        scale = np.max(np.abs(s["acceleration"]))
        assert close(s["acceleration_inboard"][k], arriving, scale)
        assert close(s["joint_acceleration"][k], f["residual"][k] - f["kalman_gain"][k] @ arriving, scale)
        expected = arriving + stages.axis[k] * s["joint_acceleration"][k] + solution.bias_acceleration[k]
        assert close(s["acceleration"][k], expected, scale)


def test_joint_forces_are_the_torques(stages: Stages) -> None:
    """H x = tau with x = z+ + P+ alpha+, and where an object is held with the force of the last stage."""
    solution = stages.solution
    f, s = solution.stages["filter"], solution.stages["smoother"]
    for k in range(stages.n):
        force = f["corrected_force"][k] + f["articulated_inertia_updated"][k] @ s["acceleration_inboard"][k]
        assert close(stages.axis[k] @ force, solution.tau[k], np.max(np.abs(force)))
        if "smoother_final" in solution.stages:
            force = solution.stages["smoother_final"]["force"][k]
            assert close(stages.axis[k] @ force, solution.tau[k], np.max(np.abs(force)) * 10)


def test_costate_covariance_is_the_inverse_operational_space_inertia(twin: Twin, stages: Stages) -> None:
    """Lambda(k) = J(k) M^-1 J(k)', with Pinocchio's M and Jacobians."""
    model, data = twin.world.model, twin.world.data
    mass = pin.crba(model, data, twin.x)
    mass = np.triu(mass) + np.triu(mass, 1).T
    pin.computeJointJacobians(model, data, twin.x)
    pin.updateFramePlacements(model, data)
    found = stages.solution.stages["smoother"]["costate_covariance"]
    for k, name in enumerate(twin.system.link_names):
        frame = model.getFrameId(name if "/" in name else f"1/{name}", pin.FrameType.BODY)
        jacobian = pin.getFrameJacobian(model, data, frame, WORLD_AXES)
        jacobian = np.vstack([jacobian[3:], jacobian[:3]])
        assert close(found[k], jacobian @ np.linalg.solve(mass, jacobian.T))


def test_poses_velocities_and_accelerations_of_every_link(twin: Twin, stages: Stages) -> None:
    solution, model, data = stages.solution, twin.world.model, twin.world.data
    expected = twin.expected()
    final = solution.stages["smoother_final" if twin.grips else "smoother"]
    pin.forwardKinematics(model, data, twin.x, twin.v, expected.generalized)
    pin.updateFramePlacements(model, data)
    for k, name in enumerate(twin.system.link_names):
        frame = model.getFrameId(name if "/" in name else f"1/{name}", pin.FrameType.BODY)
        velocity = pin.getFrameVelocity(model, data, frame, WORLD_AXES)
        acceleration = pin.getFrameClassicalAcceleration(model, data, frame, WORLD_AXES)
        assert close(solution.link_pose[k], data.oMf[frame].homogeneous)
        assert close(solution.link_velocity[k], np.concatenate([velocity.angular, velocity.linear]))
        scale = np.max(np.abs(final["acceleration"])) * 10
        assert close(final["acceleration"][k], np.concatenate([acceleration.angular, acceleration.linear]), scale)


def test_energy_and_momentum(twin: Twin, stages: Stages) -> None:
    solution, model, data = stages.solution, twin.world.model, twin.world.data
    assert close(solution.kinetic_energy, pin.computeKineticEnergy(model, data, twin.x, twin.v))
    if twin.world.floating:
        pin.computeCentroidalMomentum(model, data, twin.x, twin.v)
        angular = data.hg.angular + np.cross(data.com[0], data.hg.linear)
        assert close(solution.momentum, np.concatenate([angular, data.hg.linear]))
        rest = pin.computePotentialEnergy(model, data, twin.x)
        assert close(solution.potential_energy, rest)


def test_object_balance() -> None:
    """Newton and Euler for the object alone, from the forces that the contacts report."""
    rng = np.random.default_rng(7)
    twin = arms_and_object(rng, draw_arms(rng, [7, 6]), ["rigid", "point"])
    solution, state = dyn.forward_dynamics(twin.system, twin.state, twin.tau), twin.state
    rotation, center = state.object_pose[:3, :3], state.object_pose[:3, 3]
    inertia = rotation @ twin.system.task_object.inertia @ rotation.T
    omega, mass = state.object_velocity[:3], twin.system.task_object.mass
    total = np.concatenate([-np.cross(omega, inertia @ omega), mass * np.asarray(twin.system.gravity)])
    for grip, force in zip(twin.grips, solution.contact_force, strict=True):
        arm = (state.object_pose @ grip.object_pose)[:3, 3] - center
        total += phi(arm) @ force
    expected = np.concatenate([inertia @ solution.object_acceleration[:3], mass * solution.object_acceleration[3:]])
    assert close(total, expected, np.max(np.abs(solution.contact_force)) * 10)


def test_predictor_and_corrector() -> None:
    """(9.1): x = x_FREE + K (b - A x_FREE), with the gain in both of its forms."""
    rng = np.random.default_rng(6)
    twin = arms_and_object(rng, draw_arms(rng, [7, 8]), ["rigid", "rigid"])
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    contact, smoother = solution.stages["contact"], solution.stages["smoother"]
    rotation, center = twin.state.object_pose[:3, :3], twin.state.object_pose[:3, 3]
    thing = np.zeros((6, 6))
    thing[:3, :3] = rotation @ twin.system.task_object.inertia @ rotation.T
    thing[3:, 3:] = twin.system.task_object.mass * np.eye(3)
    tips = [(twin.state.object_pose @ grip.object_pose)[:3, 3] for grip in twin.grips]
    a = np.hstack([phi(tip - center) for tip in tips])
    mobility = np.zeros((12, 12))
    for arm, tip in enumerate(twin.system.tips):
        k = tip.link
        shift = phi(tips[arm] - solution.link_pose[k, :3, 3])
        mobility[6 * arm : 6 * arm + 6, 6 * arm : 6 * arm + 6] = shift.T @ smoother["costate_covariance"][k] @ shift
    omega = mobility + a.T @ np.linalg.solve(thing, a)
    c = np.zeros((12, 12))  # into the contact frames
    for i, held in enumerate(twin.system.contacts):
        c[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] = np.kron(np.eye(2), (rotation @ held.object_pose[:3, :3]).T)
    assert close(contact["omega"], c @ omega @ c.T)
    gain = np.linalg.solve(omega, a.T @ np.linalg.inv(thing))
    operational = np.linalg.inv(mobility)
    other = operational @ a.T @ np.linalg.inv(a @ operational @ a.T + thing)
    size = np.max(np.abs(gain)) * np.linalg.cond(omega)
    assert close(gain, other, size)
    assert close(contact["contact_kalman_gain"], gain, size)
    # Two forces of the arms alone: of tips that do not accelerate, and of tips that follow a spinning object.
    free, eta = contact["free_tip_acceleration"].ravel(), contact["contact_bias_acceleration"].ravel()
    worst = np.max(np.abs(operational)) * np.max(np.abs(free))
    assert close(contact["free_tip_force"].ravel(), operational @ free, worst)
    assert close(contact["predicted_contact_force"].ravel(), operational @ (free - eta), worst)
    assert np.max(np.abs(contact["free_tip_force"] - contact["predicted_contact_force"])) > 1e-3 * worst
    assert close(contact["corrected_contact_force"], solution.contact_force)
    object_bias = np.concatenate(
        [
            np.cross(twin.state.object_velocity[:3], thing[:3, :3] @ twin.state.object_velocity[:3]),
            -twin.system.task_object.mass * np.asarray(twin.system.gravity),
        ]
    )
    free = contact["predicted_contact_force"].ravel()
    corrected = free + gain @ (object_bias - a @ free)
    assert close(solution.contact_force.ravel(), corrected, np.max(np.abs(free)) * np.linalg.cond(omega))


def test_registry_names_every_stage_array(stages: Stages) -> None:
    for stage, arrays in stages.solution.stages.items():
        for name in arrays:
            quantity = dyn.registry[stage, name]
            assert quantity.symbol
            assert quantity.estimation_name
            assert quantity.mechanics_name
            assert quantity.unit


def test_agreement_is_small_and_names_its_residuals(twin: Twin) -> None:
    agreement = dyn.agreement(twin.system, twin.state, twin.tau)
    assert agreement.worst < 1e-9
    assert agreement.rows
    assert all(value < 1e-9 for value in agreement.residuals.values())
