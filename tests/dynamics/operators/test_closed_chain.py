"""R88 Sections 4 and 8-10 in operator form: every formula against a dense solve of the closed chain."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import dynamics as dyn
from dynamics.operators import closed_chain as operators
from dynamics.operators import object_balance as balance
from dynamics.operators import predictor_corrector as estimator
from dynamics.operators import vertical_sweeps as sweeps
from dynamics.operators.closed_chain import closed_chain
from dynamics.operators.estimation import smoothed_state
from dynamics.operators.influence import influence
from dynamics.operators.inverse_sweeps import two_sweeps
from dynamics.recursion.transport import transport
from tests.dynamics.dense_machine import accelerations_of_links, close, dense, motion_of_links, phi
from tests.dynamics.every import every
from tests.dynamics.systems import draw_forked_group, draw_group_of_tips
from tests.dynamics.twins import Twin, arms_and_object, draw_arms

Array = np.ndarray
CHAINS = [((7, 7), ("rigid", "rigid")), ((6, 8, 5), ("rigid", "point", "rigid")), ((4,), ("rigid",))]
GROUPS = [False, True, ((True, False),)]
"""Whether the bases of a tree with two tips and of a chain float."""


@lru_cache(maxsize=4)
def drawn(joints: tuple[int, ...], kinds: tuple[str, ...]) -> Twin:
    rng = np.random.default_rng(sum(joints))
    return arms_and_object(rng, draw_arms(rng, joints), kinds)


@lru_cache(maxsize=4)
def group(floating: bool | tuple[bool, ...]) -> tuple[dyn.System, dyn.State]:
    return draw_forked_group(np.random.default_rng(12), floating, ["rigid", "point", "soft_finger"])


def change_of(system: dyn.System, state: dyn.State, change: Array) -> tuple[Array, Array]:
    """What a change of torque does to joints and bases, and to the forces on the object, by the dense solve."""
    before, after = (dyn.forward_dynamics(system, state, tau, method="kkt") for tau in (0.0 * change, change))
    moved = (after.packed_acceleration - before.packed_acceleration)[:-6]
    return moved, (after.contact_force - before.contact_force)[[contact.tip for contact in system.contacts]]


@every(GROUPS)
def test_operators_of_a_closed_chain(floating: object) -> None:
    """Result 8.2, (8.7)-(8.10), (10.1)-(10.10): trees, floating bases, selected directions, against dense solves."""
    system, state = group(floating)
    change = np.random.default_rng(1).normal(size=system.n_joints)
    moved, pulled = change_of(system, state, change)
    chain, torque = closed_chain(system, state), np.concatenate([change, np.zeros(6 * system.n_bases)])
    assert close(operators.accelerations(chain, torque), moved, 1e-8)
    assert close(operators.contact_forces(chain, operators.free_innovations(chain, torque)), pulled, 1e-8)
    # (8.8)-(8.10), (10.1), (10.2), (10.6), (10.7), (10.9), (10.10), each against the dense mass matrix.
    chain, equations = closed_chain(system, state), dense(system, state)
    size = len(chain.root_d)
    matrix, jacobian = equations.mass_matrix[:size, :size], equations.constraint[:, :size]
    torque = np.random.default_rng(2).normal(size=size)
    # L is strictly triangular, and (1 - L) M (1 - L)' = D: e_FREE has the energy of the torque.
    assert np.array_equal(chain.l[: system.n_joints], np.tril(chain.l[: system.n_joints], -1))
    one = np.eye(size) - chain.l
    assert close(one @ matrix @ one.T, chain.root_d @ chain.root_d.T, 1e-10)
    free, moving = operators.free_innovations(chain, torque), np.linalg.solve(matrix, torque)
    assert free @ free == pytest.approx(torque @ moving, rel=1e-9)
    assert close(operators.smoothed_accelerations(chain, free), moving, 1e-8)  # (10.1), (8.10)
    # (10.7): K' e_FREE is what the tips then do, and K' K their mobility.
    assert close(operators.free_tip_acceleration(chain, free), jacobian @ moving, 1e-8)
    assert close(chain.k.T @ chain.k, jacobian @ np.linalg.solve(matrix, jacobian.T), 1e-8)
    thing, inertia = equations.constraint[:, -6:], equations.mass_matrix[-6:, -6:]
    assert close(chain.omega, chain.k.T @ chain.k + thing @ np.linalg.solve(inertia, thing.T), 1e-8)
    # (8.9): what is left of the innovations moves tips and object alike.
    accelerations = operators.smoothed_accelerations(chain, operators.modified_innovations(chain, free))
    pull = operators.contact_forces(chain, free)
    moved = np.linalg.solve(inertia, balance.grasp_map(system, state) @ pull.ravel())
    assert np.abs(jacobian @ accelerations + thing @ moved).max() < 1e-9 * np.abs(jacobian @ moving).max()


@every(CHAINS)
def test_vertical_sweeps_against_dense_inverses(*case: object) -> None:
    """Results 10.1, 10.2, 10.7 and (10.4), (10.8), (10.11), (10.12)."""
    twin = drawn(*case)
    system, state = twin.system, twin.state
    held = dyn.forward_dynamics(system, state, twin.tau, method="kkt")
    free = dyn.forward_dynamics(dyn.release(system), state, twin.tau, method="kkt")
    moved = held.joint_acceleration - free.joint_acceleration
    tip_map = influence(system, state).sweeps["inward_influence"]["tip_map"]
    assert close(tip_map @ held.contact_force.ravel(), moved, 1e-8)
    assert close(sweeps.accelerations_by_contact_forces(system, state, held.contact_force), moved, 1e-8)
    # Result 10.1: a unit torque at joint k gives its link the acceleration -H~'(k), by the dense solve.
    system, state, n = twin.system, twin.state, twin.system.n_joints
    by_rates, _ = motion_of_links(system, state)
    answers = np.linalg.inv(dense(system, state).mass_matrix[:n, :n])
    expected = -np.einsum("kij,jk->ki", by_rates[:, :, :n], answers)
    assert close(sweeps.modified_output_map(transport(system, state)), expected, 1e-8)
    # Results 10.2 and 10.7, (10.4) and (10.12), against dense inverses.
    assert close(sweeps.free_influence(system, state), np.linalg.inv(dense(system, state).mass_matrix[:n, :n]), 1e-8)
    change, found = np.random.default_rng(3).normal(size=n), sweeps.closed_chain_influence(system, state)
    assert close(found @ change, change_of(system, state, change)[0], 1e-8)
    assert np.array_equal(found, found.T)
    # (10.11): S(i) of all arms at once; its blocks between arms carry one arm's torque to another's joint.
    maps = influence(system, state)
    output = maps.sweeps["outward_covariance"]["output_map"]
    arms = [np.flatnonzero(system.arm_of_link == a) for a in range(system.n_arms)]
    closed = np.column_stack([change_of(system, state, unit)[0] for unit in np.eye(n)])
    expected = np.linalg.inv(dense(system, state).mass_matrix[:n, :n]) - closed  # Delta W
    assert close(sweeps.influence_taken_away(system, state), expected, 1e-8)
    for number in range(1, max(len(arm) for arm in arms) + 1):
        s = sweeps.composite_influence(system, maps, number)
        assert close(s, s.T, 1e-12)
        for a, one in enumerate(arms):
            for b, other in enumerate(arms):
                block = s[6 * a : 6 * a + 6, 6 * b : 6 * b + 6]
                if number > min(len(one), len(other)):
                    assert not block.any()
                    continue
                k, i = one[number - 1], other[number - 1]
                assert abs(output[k] @ block @ output[i] - expected[k, i]) < 1e-8 * np.abs(expected).max()
    if system.n_arms > 1:
        assert np.abs(expected[np.ix_(arms[0], arms[1])]).max() > 1e-6 * np.abs(expected).max()


def test_sweeps_refuse_trees_and_free_tips() -> None:
    with pytest.raises(dyn.ModelError, match="do not branch"):
        sweeps.free_influence(*group(False))
    system, state = dyn.example("two_arms_and_box")
    one_hand = dyn.grasp(dyn.release(system), state, ["rigid", None])
    with pytest.raises(dyn.ModelError, match="every arm must hold"):
        sweeps.closed_chain_influence(one_hand, state)


@every(CHAINS)
def test_balance_at_the_object(*case: object) -> None:
    """(4.1)-(4.6) of a moving chain: forces, velocities and accelerations that a dense solve found."""
    twin = drawn(*case)
    system, state = twin.system, twin.state
    solution = dyn.forward_dynamics(system, state, twin.tau, method="kkt")
    levers = balance.contact_points(system, solution.link_pose) - state.object_pose[:3, 3]
    forces, alpha = solution.contact_force, solution.object_acceleration
    net = sum(phi(lever) @ force for lever, force in zip(levers, forces, strict=True))
    assert close(balance.net_force(system, state, forces), net, 1e-12)  # (4.1), (4.5)
    expected = np.array([phi(lever).T @ state.object_velocity for lever in levers])
    assert close(balance.contact_velocity(system, state, state.object_velocity), expected, 1e-12)  # (4.2)
    rotation, mass, omega = state.object_pose[:3, :3], system.task_object.mass, state.object_velocity[:3]
    inertia = rotation @ system.task_object.inertia @ rotation.T
    spun = np.concatenate([inertia @ alpha[:3] + np.cross(omega, inertia @ omega), mass * (alpha[3:] - system.gravity)])
    assert close(balance.force_on_object(system, state, alpha), spun, 1e-12)  # (4.4)
    assert close(balance.force_on_object(system, state, alpha), net, 1e-8)
    # (4.3), (4.6): the tips' own accelerations, from the Jacobians' rates, in the directions that are held.
    selected, equations = balance.selected_directions(system, state), dense(system, state)
    arms = equations.constraint[:, :-6] @ solution.joint_acceleration + equations.constraint_bias
    object_side = -equations.constraint[:, -6:] @ alpha
    found = selected @ balance.contact_acceleration(system, state, alpha).ravel()
    assert close(found, object_side + selected @ balance.contact_bias(system, state).ravel(), 1e-11)
    scale = np.abs(found).max()
    assert np.abs(arms - object_side).max() < 1e-8 * scale
    held = selected @ balance.acceleration_under_forces(system, state, forces).ravel()
    assert np.abs(held - found).max() < 1e-8 * scale


def test_velocity_bias_by_differences() -> None:
    """eta of (4.3): how fast the object's contact points change velocity while the object only spins on.

    And of tips that slip: their own accelerations are, in the held directions, what the object asks of them.
    """
    system, state = draw_group_of_tips(np.random.default_rng(33), False)
    solution = dyn.forward_dynamics(system, state, method="kkt")
    held = np.array([contact.link for contact in system.contacts])
    points = balance.contact_points(system, solution.link_pose)
    arms = accelerations_of_links(system, state, solution.packed_acceleration, points, held)
    asked = balance.contact_acceleration(system, state, solution.object_acceleration)
    selected = balance.selected_directions(system, state)
    assert np.abs(selected @ (arms - asked).ravel()).max() < 1e-8 * np.abs(arms).max()
    twin = drawn((7, 7), ("rigid", "rigid"))
    system, state, step = twin.system, twin.state, 1e-5
    omega = state.object_velocity[:3]
    levers = balance.contact_points(system, dyn.forward_kinematics(system, state).pose) - state.object_pose[:3, 3]
    after, before = (np.cross(omega, Rotation.from_rotvec(at * omega).apply(levers)) for at in (step, -step))
    found = balance.contact_bias(system, state)
    assert np.allclose(found[:, :3], 0.0, rtol=1e-9, atol=1e-9)
    assert np.allclose(found[:, 3:], (after - before) / (2.0 * step), rtol=1e-9, atol=1e-6)


@every(["two_arms_and_box", "four_arms_and_box"])
def test_predictor_and_corrector_by_themselves(name: str) -> None:
    """(9.1) and (9.2), each from dense matrices, against the dense solve's forces and acceleration."""
    system, state = dyn.example(name)
    rng, n = np.random.default_rng(5), system.n_joints
    state = replace(state, qd=rng.normal(size=n), object_velocity=rng.normal(size=6))
    state, torque = dyn.project(system, state), np.random.default_rng(6).normal(scale=5.0, size=n)
    solution = dyn.forward_dynamics(system, state, torque, method="kkt")
    equations, selection = dense(system, state), balance.selected_directions(system, state)
    jacobian, matrix = selection.T @ equations.constraint[:, :n], equations.mass_matrix[:n, :n]
    free_joints = np.linalg.solve(matrix, torque - equations.bias[:n])
    relative = selection.T @ (equations.constraint[:, :n] @ free_joints + equations.constraint_bias)
    mobility = jacobian @ np.linalg.solve(matrix, jacobian.T)
    a = -(equations.constraint[:, -6:].T @ selection)
    inertia, bias, tip_inertia = equations.mass_matrix[-6:, -6:], equations.bias[-6:], np.linalg.inv(mobility)
    gain = estimator.gain_by_inertia(tip_inertia, a, inertia)
    assert close(gain, estimator.gain_by_mobility(mobility, a, inertia), 1e-8)
    x_free = estimator.predicted_contact_force(tip_inertia, relative)
    assert close(estimator.corrected_contact_force(x_free, gain, a, bias), solution.contact_force.ravel(), 1e-7)
    alone = estimator.free_object_acceleration(inertia, bias)
    dropped = dyn.forward_dynamics(dyn.release(system), state, torque, method="kkt")
    assert close(alone, dropped.object_acceleration, 1e-10)
    corrected = estimator.corrected_object_acceleration(alone, gain, a, relative)
    assert close(corrected, solution.object_acceleration, 1e-8)


@every(CHAINS)
def test_forces_of_a_held_chain(*case: object) -> None:
    """(8.6): x = z + dz + P (alpha - a), against Newton and Euler; and what the filter alone predicts, (8.1)."""
    twin = drawn(*case)
    system, state = twin.system, twin.state
    by_dense = dyn.forward_dynamics(system, state, twin.tau, method="kkt")
    solution, pushes = dyn.forward_dynamics(system, state, twin.tau), np.zeros((system.n_links + 1, 6))
    for contact in system.contacts:
        own = solution.link_pose[contact.link]
        pushes[contact.link] -= phi(own[:3, :3] @ contact.tip_pose[:3, 3]) @ by_dense.contact_force[contact.tip]
    _, expected = two_sweeps(system, state, by_dense.joint_acceleration, np.zeros(6), pushes)
    stage, final = solution.stages["filter"], solution.stages["smoother_final"]
    correction, scale = solution.stages["filter_correction"]["force_correction"], np.abs(expected).max()
    for k in range(system.n_links):
        p = stage["articulated_inertia"][k]
        z = stage["predicted_force"][k] + correction[k] - p @ solution.bias_acceleration[k]
        assert np.abs(smoothed_state(z, p, final["acceleration"][k]) - expected[k]).max() < 1e-7 * scale
    assert np.abs(final["force"] - expected).max() < 1e-7 * scale
    # (8.1) beside (8.8): the filter's own innovations of arms at rest and weightless are D^1/2 e_FREE.
    still = twin.system.state(twin.state.q, object_pose=twin.state.object_pose)
    arms = dyn.multi_arm(system.robots, system.base_poses, system.task_object, gravity=(0.0, 0.0, 0.0))
    held = dyn.grasp(arms, still, [contact.kind for contact in system.contacts])
    chain = closed_chain(held, still)
    found = chain.root_d @ operators.free_innovations(chain, twin.tau)
    assert close(dyn.forward_dynamics(held, still, twin.tau).stages["filter"]["innovation"], found, 1e-9)
