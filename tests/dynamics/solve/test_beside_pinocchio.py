"""What people compare first, beside Pinocchio: kinematics, Jacobians, gravity, velocity terms; of trees and flyers."""

from functools import lru_cache

import numpy as np
import pinocchio as pin
import pytest

import dynamics as dyn
from tests.dynamics.every import every
from tests.dynamics.pinocchio_world import mass_matrix
from tests.dynamics.systems import draw_robot
from tests.dynamics.twins import Twin, arms_and_object, draw_arms, one_arm

KINDS = ("arm", "tree", "flyer", "object")
CASES = [(seed, kind) for seed in range(3) for kind in KINDS]
ROWS = [3, 4, 5, 0, 1, 2]
"""Ours have the angular half first."""
FRAMES = {"LOCAL": {"axes": "body"}, "LOCAL_WORLD_ALIGNED": {}, "WORLD": {"point": "world_origin"}}


@lru_cache(maxsize=12)
def drawn(seed: int, kind: str) -> Twin:
    rng = np.random.default_rng([seed, 43])
    if kind == "object":
        return arms_and_object(rng, draw_arms(rng, (3, 4)), (), held=False)
    robot = draw_robot(rng, int(rng.integers(3, 9)), branching=0.0 if kind == "arm" else 0.5, mass_decades=1.0)
    return one_arm(rng, robot, floating=kind == "flyer")


def pinocchio_name(twin: Twin, name: str) -> str:
    return name if len(twin.system.robots) > 1 else f"1/{name}"


def velocity_map(twin: Twin) -> tuple[np.ndarray, np.ndarray]:
    """T of v(Pinocchio) = T v(ours), and its rate: names for joints; of what floats R' in each half, linear first."""
    system, state, model = twin.system, twin.state, twin.world.model
    T, rate = np.zeros((2, model.nv, system.n_velocity))
    for k, name in enumerate(system.joint_names):
        T[twin.world.column(pinocchio_name(twin, name)), k] = 1.0
    first = system.n_joints
    bodies = [
        ("root_joint", state.base_pose, state.base_velocity),
        ("object", state.object_pose, state.object_velocity),
    ]
    for name, pose, velocity in bodies:
        if pose is None or velocity is None:
            continue
        at, turn = twin.world.column(name), pose[:3, :3].T
        turning = -turn @ pin.skew(velocity[:3])
        for matrix, part in ((T, turn), (rate, turning)):
            matrix[at : at + 3, first + 3 : first + 6] = matrix[at + 3 : at + 6, first : first + 3] = part
        first += 6
    return T, rate


def close(found: np.ndarray, expected: np.ndarray, share: float = 1e-12, floor: float = 0.0) -> None:
    """To a share of the largest number, or of what its terms come to where they cancel."""
    size = np.abs(expected).max(initial=floor)
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=share * size)


@every(CASES)
def test_gravity_coriolis_and_bias_are_pinocchios(seed: int, kind: str) -> None:
    """Rows of what floats are [moment; force] at its origin in inertial axes, which makes T' of Pinocchio's."""
    twin = drawn(seed, kind)
    system, state, model, x, v = twin.system, twin.state, twin.world.model, twin.x, twin.v
    T, rate = velocity_map(twin)
    data, own = model.createData(), system.pack(state)[1]
    mass = mass_matrix(model, x)
    turned, speed = mass @ rate @ own, np.abs(own).max()
    felt = np.abs(T.T @ mass @ T).max() * speed
    close(T @ own, v, 1e-14)
    close(dyn.gravity_torque(system, state), T.T @ pin.computeGeneralizedGravity(model, data, x))
    close(dyn.bias_torque(system, state), T.T @ (pin.nonLinearEffects(model, data, x, v) + turned))
    C = pin.computeCoriolisMatrix(model, data, x, v).copy()
    close(dyn.coriolis_torque(system, state), T.T @ (C @ v + turned), floor=felt * speed)
    close(dyn.coriolis_matrix(system, state), T.T @ (C @ T + mass @ rate), floor=felt)
    close(dyn.coriolis_matrix(system, state) @ own, dyn.coriolis_torque(system, state), floor=felt * speed)


@every(CASES)
def test_poses_jacobians_and_their_rates_are_pinocchios(seed: int, kind: str) -> None:
    twin = drawn(seed, kind)
    system, state, model, data = twin.system, twin.state, twin.world.model, twin.world.model.createData()
    T, rate = velocity_map(twin)
    pin.computeJointJacobiansTimeVariation(model, data, twin.x, twin.v)
    pin.forwardKinematics(model, data, twin.x, twin.v)
    pin.updateFramePlacements(model, data)
    ours = dyn.forward_kinematics(system, state)
    for k, name in enumerate(system.link_names):
        number = model.getFrameId(pinocchio_name(twin, name), pin.FrameType.BODY)
        close(ours.pose[k], data.oMf[number].homogeneous)
        moving = pin.getFrameVelocity(model, data, number, pin.LOCAL_WORLD_ALIGNED).vector[ROWS]
        close(ours.velocity[k], moving)
        for frame, where in FRAMES.items():
            reference = getattr(pin.ReferenceFrame, frame)
            J = pin.getFrameJacobian(model, data, number, reference)
            J_rate = pin.getFrameJacobianTimeVariation(model, data, number, reference)
            close(dyn.jacobian(system, state, name, **where), (J @ T)[ROWS])
            close(
                dyn.jacobian_rate(system, state, name, **where),
                (J_rate @ T + J @ rate)[ROWS],
                floor=np.abs(twin.v).max(),
            )
        body = model.frames[number]
        center = body.placement * pin.SE3(np.eye(3), np.array(system.link_models[k].center_of_mass))
        J = pin.getFrameJacobian(model, data, body.parentJoint, center, pin.LOCAL_WORLD_ALIGNED)
        close(dyn.jacobian(system, state, name, point="mass_center"), (J @ T)[ROWS])
    for tip, held in enumerate(system.tips):
        at = ours.pose[held.link] @ held.pose
        close(ours.tip_pose[tip], at, 1e-14)
        body = model.frames[model.getFrameId(pinocchio_name(twin, system.link_names[held.link]), pin.FrameType.BODY)]
        J = pin.getFrameJacobian(model, data, body.parentJoint, body.placement * pin.SE3(held.pose), pin.LOCAL)
        close(dyn.jacobian(system, state, tip, axes="body"), (J @ T)[ROWS])
    if kind == "object":
        close(dyn.jacobian(system, state, "object")[:, -6:], np.eye(6), 1e-15)


def test_what_there_is_not_is_refused_by_name() -> None:
    system, state = dyn.example("puma560")
    for wrong in ({"of": "wrist"}, {"of": 1}, {"of": "object"}, {"axes": "link"}, {"point": "hand"}):
        with pytest.raises(dyn.StateError, match=f"^{next(iter(wrong))} is"):
            dyn.jacobian(system, state, **wrong)
