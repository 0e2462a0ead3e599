"""Motion, energy, momentum and contact forces of random systems against Pinocchio."""

from functools import lru_cache

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

import dynamics as dyn
from dynamics.system import with_parts
from dynamics.witness.equation_of_motion import selected_directions
from tests.dynamics.dense_machine import close as near
from tests.dynamics.every import every
from tests.dynamics.pinocchio_world import WORLD_AXES, mass_matrix
from tests.dynamics.systems import KINDS, draw_robot, with_losses
from tests.dynamics.twins import Twin, arms_and_object, draw_arms, joint_vector, one_arm

Array = NDArray[np.float64]
TOLERANCE = 1e-11
TWINS = [(kind, seed) for kind in ("chain", "tree", "free flyer", "two arms") for seed in (31, 32)]


def close(found: Array, expected: Array, scale: float | None = None) -> bool:
    size = max(np.max(np.abs(expected)), 1e-12) if scale is None else scale
    return bool(np.max(np.abs(np.asarray(found) - expected)) <= TOLERANCE * size)


@lru_cache(maxsize=16)
def drawn(kind: str, seed: int) -> tuple[Twin, dyn.Solution]:
    rng = np.random.default_rng(seed)
    if kind == "two arms":
        twin = arms_and_object(rng, draw_arms(rng, [7, 6]), ["rigid", "point"])
    else:
        robot = draw_robot(rng, 9, branching=0.0 if kind == "chain" else 0.4)
        twin = one_arm(rng, robot, floating=kind == "free flyer")
    return twin, dyn.forward_dynamics(twin.system, twin.state, twin.tau)


@every(TWINS)
def test_motion_of_every_link_is_pinocchios(kind: str, seed: int) -> None:
    """Its accelerations; Lambda(k) = J(k) M^-1 J(k)', with Pinocchio's M and Jacobians."""
    twin, solution = drawn(kind, seed)
    model, data = twin.world.model, twin.world.data
    final = solution.stages["smoother_final" if twin.grips else "smoother"]["acceleration"]
    mass = mass_matrix(model, twin.x)
    pin.computeJointJacobians(model, data, twin.x)
    pin.forwardKinematics(model, data, twin.x, twin.v, twin.expected().generalized)
    pin.updateFramePlacements(model, data)
    for k, name in enumerate(twin.system.link_names):
        frame = model.getFrameId(name if "/" in name else f"1/{name}", pin.FrameType.BODY)
        acceleration = pin.getFrameClassicalAcceleration(model, data, frame, WORLD_AXES)
        expected = np.concatenate([acceleration.angular, acceleration.linear])
        assert close(final[k], expected, np.max(np.abs(final)) * 10)
        jacobian = pin.getFrameJacobian(model, data, frame, WORLD_AXES)[[3, 4, 5, 0, 1, 2]]
        mobility = jacobian @ np.linalg.solve(mass, jacobian.T)
        assert close(solution.stages["smoother"]["costate_covariance"][k], mobility)


@every(TWINS)
def test_energy_and_momentum(kind: str, seed: int) -> None:
    """Pinocchio's; with rotors the kinetic energy is half v' M v."""
    twin, solution = drawn(kind, seed)
    system, state, model, data = twin.system, twin.state, twin.world.model, twin.world.data
    assert close(solution.kinetic_energy, pin.computeKineticEnergy(model, data, twin.x, twin.v))
    assert close(solution.potential_energy, pin.computePotentialEnergy(model, data, twin.x))
    pin.computeCentroidalMomentum(model, data, twin.x, twin.v)
    angular = data.hg.angular + np.cross(data.com[0], data.hg.linear)
    assert close(solution.momentum, np.concatenate([angular, data.hg.linear]))
    rotors = with_parts(dyn.release(system) if system.is_held else system,
                            [with_losses(robot, np.random.default_rng(7)) for robot in system.robots])  # fmt: skip
    v, energy = rotors.pack(state)[1], dyn.forward_dynamics(rotors, state).kinetic_energy
    assert energy == pytest.approx(0.5 * v @ dyn.mass_matrix(rotors, state, "kkt") @ v, rel=1e-12)


@given(
    seed=st.integers(0, 2**32 - 1),
    n_joints=st.integers(1, 40),
    branching=st.sampled_from([0.0, 0.2, 0.4, 0.8]),
    kinds=st.sampled_from([KINDS, KINDS, *((kind,) for kind in KINDS)]),
    floating=st.booleans(),
    losses=st.booleans(),
)
@example(seed=8, n_joints=6, branching=0.0, kinds=KINDS, floating=False, losses=True)
@example(seed=8, n_joints=6, branching=0.4, kinds=KINDS, floating=True, losses=True)
def test_any_tree(
    seed: int, n_joints: int, branching: float, kinds: tuple[str, ...], floating: bool, losses: bool
) -> None:
    """Rotor inertia adds to D; damping and dry friction, smoothed over 0.01 rad/s, act as joint torques."""
    rng = np.random.default_rng(seed)
    drawn = draw_robot(rng, n_joints, branching=branching, kinds=kinds)
    twin = one_arm(rng, drawn, floating=floating)
    system, torque = twin.system, twin.torque.copy()
    if losses:
        robot = with_losses(system.robots[0], rng)
        system, armature = with_parts(system, [robot]), np.array(twin.world.model.armature)
        for joint in robot.joints:
            column = twin.world.column(f"1/{joint.name}")
            speed, armature[column] = twin.v[column], joint.rotor_inertia
            against = joint.friction[1] if speed > 0 else joint.friction[0]
            torque[column] -= joint.damping * speed + np.tanh(speed / 0.01) * against
        twin.world.model.armature = armature
    expected = twin.world.free_motion(twin.x, twin.v, torque)
    twin.require(dyn.forward_dynamics(system, twin.state, twin.tau), 1e-10, expected)


def test_losses_can_be_switched_off_and_no_force_acts_on_a_free_root() -> None:
    robot = with_losses(dyn.planar_chain(3), np.random.default_rng(1)).without("friction", "damping", "rotor_inertia")
    assert all(joint.rotor_inertia == joint.damping == 0.0 and joint.friction == (0.0, 0.0) for joint in robot.joints)
    system, state = dyn.example("free_flyer")
    tau, solver = np.ones(system.n_joints), dyn.solver(system)
    solver(*system.pack(state), tau)
    batch = dyn.forward_dynamics_batch(
        system, state.q[None], state.qd, tau, "stages", base_pose=state.base_pose, base_velocity=state.base_velocity
    )
    found = [dyn.forward_dynamics(system, state, tau).stages, solver.stages]
    forces = [stages["smoother"]["force"] for stages in found] + [batch.stages["smoother"]["force"][0]]
    for force in forces:
        assert not force[-1].any()
        assert np.allclose(force, forces[0], rtol=0.0, atol=1e-12 * np.abs(force).max())


CASES = {  # joints of each arm, and how each holds the object
    "one redundant arm": ([7], ["rigid"]),
    "one six-joint arm": ([6], ["rigid"]),
    "one long arm, a point": ([9], ["point"]),
    "two arms": ([7, 6], ["rigid", "rigid"]),
    "two arms, one a point": ([6, 7], ["rigid", "point"]),
    "two points": ([6, 6], ["point", "point"]),
    "three lengths": ([3, 8, 12], ["rigid", "rigid", "rigid"]),
    "under-actuated arms, points": ([2, 2, 7], ["point", "point", "rigid"]),
    "four arms": ([7, 7, 7, 7], ["rigid"] * 4),
    "eight arms": ([4, 5, 6, 7, 8, 6, 5, 9], ["rigid", "point"] * 4),
}


@every(CASES)
def test_accelerations_and_forces_of_arms_that_hold(name: str) -> None:
    """Against dense saddle-point systems made of Pinocchio's mass matrix and Jacobians."""
    (sizes, contacts), rng = CASES[name], np.random.default_rng([0, len(name)])
    twin = arms_and_object(rng, draw_arms(rng, sizes), contacts)
    for method in ("filter_smoother", "kkt"):
        twin.require(dyn.forward_dynamics(twin.system, twin.state, twin.tau, method))


@every([[2, 2, 2], [1] * 8])
def test_indeterminate_forces(sizes: list[int]) -> None:
    """More contact directions than freedoms: accelerations are exact, the force is the one of least norm."""
    rng = np.random.default_rng(2)
    twin = arms_and_object(rng, draw_arms(rng, sizes), ["rigid"] * len(sizes))
    expected = twin.expected()
    assert expected.force_rank_deficiency == 6 * len(sizes) - sum(sizes) - 6
    solution = dyn.forward_dynamics(twin.system, twin.state, twin.tau)
    contact = solution.stages["contact"]
    indeterminate = contact["indeterminate_directions"]
    assert indeterminate.shape == (6 * len(sizes), expected.force_rank_deficiency)
    directions = selected_directions(twin.system, twin.state)
    weighed = np.diag(contact["omega"]) * (directions @ solution.contact_force.ravel())
    assert np.max(np.abs((directions @ indeterminate).T @ weighed)) < 1e-7 * np.max(np.abs(weighed))
    assert near(solution.contact_force, expected.contact_force, 1e-7)
    # The object and the arms cannot move at all: their acceleration is zero beside that of free arms.
    free = twin.world.free_motion(twin.x, twin.v, twin.torque)
    scale = np.max(np.abs(list(free.joint_acceleration.values())))
    difference = solution.joint_acceleration - joint_vector(twin.system, expected.joint_acceleration)
    assert np.max(np.abs(difference)) < 1e-9 * scale
