"""R88 Sections 4 and 8-10 in operator form: every formula against a dense solve of the closed chain."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from dynamics.operators import closed_chain as operators
from dynamics.operators import object_balance as balance
from dynamics.operators import predictor_corrector as estimator
from dynamics.operators.closed_chain import closed_chain
from dynamics.operators.estimation import smoothed_state
from dynamics.operators.influence import influence
from dynamics.operators.inverse_sweeps import two_sweeps
from dynamics.operators.vertical_sweeps import (
    accelerations_by_contact_forces,
    closed_chain_influence,
    composite_influence,
    free_influence,
    influence_taken_away,
    modified_output_map,
)
from dynamics.recursion.transport import transport
from dynamics.witness.kkt import dense_equations, jacobians, joint_motion
from tests.dynamics.recursion.test_coupled_contacts import draw_group
from tests.dynamics.twins import Twin, arms_and_object, draw_arms

CHAINS = [([7, 7], ["rigid", "rigid"]), ([6, 8, 5], ["rigid", "point", "rigid"]), ([4], ["rigid"])]


@pytest.fixture(params=CHAINS, ids=str)
def twin(request: pytest.FixtureRequest) -> Twin:
    joints, kinds = request.param
    rng = np.random.default_rng(sum(joints))
    return arms_and_object(rng, draw_arms(rng, joints), kinds)


@pytest.fixture(params=[False, True, (True, False)], ids=str)
def group(request: pytest.FixtureRequest) -> tuple[dyn.System, dyn.State]:
    """Two tips on one tree beside a chain, on bases that float or not."""
    return draw_group(np.random.default_rng(12), request.param, ["rigid", "point", "soft_finger"])


def dense(system: dyn.System, state: dyn.State):
    poses = dyn.link_poses(system, state)
    return dense_equations(system, state, poses, np.zeros((system.n_links + 1, 6)))


def close(found: np.ndarray, expected: np.ndarray, tolerance: float = 1e-8) -> bool:
    return bool(np.max(np.abs(found - expected)) <= tolerance * max(np.max(np.abs(expected)), 1e-300))


def change_of(
    system: dyn.System, state: dyn.State, change: np.ndarray
) -> tuple[np.ndarray, dyn.Solution, dyn.Solution]:
    """What a change of torque does to joints and bases, by the dense solve."""
    before = dyn.forward_dynamics(system, state, np.zeros(system.n_joints), method="kkt")
    after = dyn.forward_dynamics(system, state, change, method="kkt")
    return (after.packed_acceleration - before.packed_acceleration)[:-6], before, after


def test_result_8_2_for_every_chain(group: tuple[dyn.System, dyn.State]) -> None:
    """(8.7): what a change of torques does, trees, floating bases and selected directions included."""
    system, state = group
    change = np.random.default_rng(1).normal(size=system.n_joints)
    expected, before, after = change_of(system, state, change)
    chain = closed_chain(system, state)
    torque = np.concatenate([change, np.zeros(6 * system.n_bases)])
    assert close(operators.accelerations(chain, torque), expected)
    forces = operators.contact_forces(chain, operators.free_innovations(chain, torque))
    held = [contact.tip for contact in system.contacts]
    assert close(forces, (after.contact_force - before.contact_force)[held])


def test_each_operator_of_result_8_2(group: tuple[dyn.System, dyn.State]) -> None:
    """(8.8)-(8.10), (10.1), (10.2), (10.6), (10.7), (10.9), (10.10), each against the dense mass matrix."""
    system, state = group
    chain, equations = closed_chain(system, state), dense(system, state)
    size = len(chain.root_d)
    matrix, jacobian = equations.mass_matrix[:size, :size], equations.constraint[:, :size]
    torque = np.random.default_rng(2).normal(size=size)
    # L is strictly triangular, and (1 - L) M (1 - L)' = D: e_FREE has the energy of the torque.
    assert np.array_equal(chain.l[: system.n_joints], np.tril(chain.l[: system.n_joints], -1))
    one = np.eye(size) - chain.l
    assert close(one @ matrix @ one.T, chain.root_d @ chain.root_d.T, 1e-10)
    free = operators.free_innovations(chain, torque)
    expected_free = np.linalg.solve(matrix, torque)
    assert free @ free == pytest.approx(torque @ expected_free, rel=1e-9)
    # (10.1), (8.10): a free arm's accelerations from its innovations.
    assert close(operators.smoothed_accelerations(chain, free), expected_free)
    # (10.7): K' e_FREE is what the tips then do, and K' K their mobility.
    assert close(operators.free_tip_acceleration(chain, free), jacobian @ expected_free)
    assert close(chain.k.T @ chain.k, jacobian @ np.linalg.solve(matrix, jacobian.T))
    thing = equations.constraint[:, -6:]
    mobility = thing @ np.linalg.solve(equations.mass_matrix[-6:, -6:], thing.T)
    assert close(chain.omega, chain.k.T @ chain.k + mobility)
    # (8.9): what is left of the innovations moves tips and object alike.
    left = operators.modified_innovations(chain, free)
    accelerations = operators.smoothed_accelerations(chain, left)
    pull = operators.contact_forces(chain, free)
    moved = np.linalg.solve(equations.mass_matrix[-6:, -6:], balance.grasp_map(system, state) @ pull.ravel())
    gap = jacobian @ accelerations + thing @ moved
    assert np.abs(gap).max() < 1e-9 * np.abs(jacobian @ expected_free).max()


def test_contact_forces_move_the_joints(twin: Twin) -> None:
    """(10.8): theta'' - theta''_FREE = H~(k) psi(k, 0) x(0)."""
    system, state = twin.system, twin.state
    held = dyn.forward_dynamics(system, state, twin.tau, method="kkt")
    free = dyn.forward_dynamics(dyn.release(system), state, twin.tau, method="kkt")
    tip_map = influence(system, state).sweeps["inward_influence"]["tip_map"]
    found = tip_map @ held.contact_force.ravel()
    assert close(found, held.joint_acceleration - free.joint_acceleration)
    swept = accelerations_by_contact_forces(system, state, held.contact_force)
    assert close(swept, held.joint_acceleration - free.joint_acceleration)


def test_output_map_is_the_answer_of_the_joints_own_link(twin: Twin) -> None:
    """Result 10.1: a unit torque at joint k gives its link the acceleration -H~'(k), by the dense solve."""
    system, state = twin.system, twin.state
    n, poses = system.n_joints, dyn.link_poses(system, state)
    motion = joint_motion(system, poses, np.zeros(system.n_velocity))
    moved = jacobians(motion, np.arange(n), poses[:, :3, 3], np.zeros(system.n_velocity))
    by_rates = np.concatenate([moved.angular, moved.linear], axis=1)[:, :, :n]  # (links, 6, n)
    answers = np.linalg.inv(dense(system, state).mass_matrix[:n, :n])
    expected = -np.einsum("kij,jk->ki", by_rates, answers)
    assert close(modified_output_map(transport(system, state)), expected)


def test_influence_by_vertical_sweeps(twin: Twin) -> None:
    """Results 10.2 and 10.7, (10.4) and (10.12), against dense inverses."""
    system, state = twin.system, twin.state
    n = system.n_joints
    matrix = dense(system, state).mass_matrix[:n, :n]
    assert close(free_influence(system, state), np.linalg.inv(matrix))
    change = np.random.default_rng(3).normal(size=n)
    expected, *_ = change_of(system, state, change)
    found = closed_chain_influence(system, state)
    assert close(found @ change, expected)
    assert np.array_equal(found, found.T)


def test_blocks_of_s_between_arms(twin: Twin) -> None:
    """(10.11): S(i) of all arms at once; its blocks between arms carry one arm's torque to another's joint."""
    system, state = twin.system, twin.state
    maps, n = influence(system, state), system.n_joints
    output = maps.sweeps["outward_covariance"]["output_map"]
    arms = [np.flatnonzero(system.arm_of_link == a) for a in range(system.n_arms)]
    matrix = np.linalg.inv(dense(system, state).mass_matrix[:n, :n])
    closed = np.column_stack([change_of(system, state, unit)[0] for unit in np.eye(n)])
    expected = matrix - closed  # Delta W
    assert close(influence_taken_away(system, state), expected)
    for number in range(1, max(len(arm) for arm in arms) + 1):
        s = composite_influence(system, maps, number)
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


def test_sweeps_refuse_trees_and_free_tips(group: tuple[dyn.System, dyn.State]) -> None:
    with pytest.raises(dyn.ModelError, match="do not branch"):
        free_influence(*group)
    system, state = dyn.example("two_arms_and_box")
    one_hand = dyn.grasp(dyn.release(system), state, ["rigid", None])
    with pytest.raises(dyn.ModelError, match="every arm must hold"):
        closed_chain_influence(one_hand, state)


def test_balance_at_the_object(twin: Twin) -> None:
    """(4.1)-(4.6) of a moving chain: forces, velocities and accelerations that a dense solve found."""
    system, state = twin.system, twin.state
    solution = dyn.forward_dynamics(system, state, twin.tau, method="kkt")
    points = balance.contact_points(system, solution.link_pose)
    levers = points - state.object_pose[:3, 3]
    forces = solution.contact_force
    net = np.concatenate([(forces[:, :3] + np.cross(levers, forces[:, 3:])).sum(axis=0), forces[:, 3:].sum(axis=0)])
    assert close(balance.net_force(system, state, forces), net, 1e-12)  # (4.1), (4.5)
    omega, velocity = state.object_velocity[:3], state.object_velocity[3:]
    expected = np.hstack([np.tile(omega, (len(points), 1)), velocity + np.cross(omega, levers)])
    assert close(balance.contact_velocity(system, state, state.object_velocity), expected, 1e-12)  # (4.2)
    alpha = solution.object_acceleration
    rotation, mass = state.object_pose[:3, :3], system.task_object.mass
    inertia = rotation @ system.task_object.inertia @ rotation.T
    spun = np.concatenate([inertia @ alpha[:3] + np.cross(omega, inertia @ omega), mass * (alpha[3:] - system.gravity)])
    assert close(balance.force_on_object(system, state, alpha), spun, 1e-12)  # (4.4)
    assert close(balance.force_on_object(system, state, alpha), net, 1e-8)
    # (4.3), (4.6): the tips' own accelerations, from the Jacobians' rates, in the directions that are held.
    selected = balance.selected_directions(system, state)
    equations = dense(system, state)
    arms = equations.constraint[:, :-6] @ solution.joint_acceleration + equations.constraint_bias
    object_side = -equations.constraint[:, -6:] @ alpha
    found = selected @ balance.contact_acceleration(system, state, alpha).ravel()
    eta = selected @ balance.contact_bias(system, state).ravel()
    assert close(found, object_side + eta, 1e-11)
    scale = np.abs(found).max()
    assert np.abs(arms - object_side).max() < 1e-8 * scale
    held = selected @ balance.acceleration_under_forces(system, state, forces).ravel()
    assert np.abs(held - found).max() < 1e-8 * scale


def test_velocity_bias_by_differences() -> None:
    """eta of (4.3): how fast the object's contact points change velocity while the object only spins on."""
    rng = np.random.default_rng(4)
    twin = arms_and_object(rng, draw_arms(rng, [7, 6]), ["rigid", "rigid"])
    system, state, step = twin.system, twin.state, 1e-5
    omega = state.object_velocity[:3]

    def velocity(at: float) -> np.ndarray:
        angle = np.linalg.norm(omega) * at
        k = np.cross(np.eye(3), omega / np.linalg.norm(omega)).T * -1.0
        turn = np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * k @ k
        levers = balance.contact_points(system, dyn.link_poses(system, state)) - state.object_pose[:3, 3]
        return np.cross(omega, levers @ turn.T)

    expected = (velocity(step) - velocity(-step)) / (2.0 * step)
    found = balance.contact_bias(system, state)
    assert np.allclose(found[:, :3], 0.0, rtol=1e-9, atol=1e-9)
    assert np.allclose(found[:, 3:], expected, rtol=1e-9, atol=1e-6)


@pytest.fixture(params=["two_arms_and_box", "four_arms_and_box"])
def rigid(request: pytest.FixtureRequest) -> tuple[dyn.System, dyn.State]:
    system, state = dyn.example(request.param)
    rng = np.random.default_rng(5)
    moving = system.state(
        state.q, rng.normal(size=system.n_joints), object_pose=state.object_pose, object_velocity=rng.normal(size=6)
    )
    return system, dyn.project(system, moving)


def test_predictor_and_corrector_by_themselves(rigid: tuple[dyn.System, dyn.State]) -> None:
    """(9.1) and (9.2), each from dense matrices, against the dense solve's forces and acceleration."""
    system, state = rigid
    torque = np.random.default_rng(6).normal(scale=5.0, size=system.n_joints)
    solution = dyn.forward_dynamics(system, state, torque, method="kkt")
    equations, n = dense(system, state), system.n_joints
    selection = balance.selected_directions(system, state)
    jacobian = selection.T @ equations.constraint[:, :n]
    matrix = equations.mass_matrix[:n, :n]
    free_joints = np.linalg.solve(matrix, torque - equations.bias[:n])
    relative = selection.T @ (equations.constraint[:, :n] @ free_joints + equations.constraint_bias)
    mobility = jacobian @ np.linalg.solve(matrix, jacobian.T)
    a = -(equations.constraint[:, -6:].T @ selection)
    inertia, bias = equations.mass_matrix[-6:, -6:], equations.bias[-6:]
    tip_inertia = np.linalg.inv(mobility)
    gain = estimator.gain_by_inertia(tip_inertia, a, inertia)
    assert close(gain, estimator.gain_by_mobility(mobility, a, inertia), 1e-8)
    x_free = estimator.predicted_contact_force(tip_inertia, relative)
    assert close(estimator.corrected_contact_force(x_free, gain, a, bias), solution.contact_force.ravel(), 1e-7)
    alone = estimator.free_object_acceleration(inertia, bias)
    dropped = dyn.forward_dynamics(dyn.release(system), state, torque, method="kkt")
    assert close(alone, dropped.object_acceleration, 1e-10)
    corrected = estimator.corrected_object_acceleration(alone, gain, a, relative)
    assert close(corrected, solution.object_acceleration, 1e-8)


def heavy(system: dyn.System, state: dyn.State, mass: float, torque: np.ndarray) -> tuple[dyn.Solution, np.ndarray]:
    held = dyn.with_task_object(system, system.task_object.with_mass(mass))
    solution = dyn.forward_dynamics(held, state, torque)
    free = solution.stages["contact"]["predicted_contact_force"]
    return solution, solution.contact_force - free


@pytest.mark.parametrize("name", ["two_arms_and_box", "four_arms_and_box"])
def test_a_heavy_object_moves_as_its_own_forces_would_have_it(name: str) -> None:
    """M(C) -> infinity: the gain vanishes and alpha(C) -> -M^-1 b(C); x -> x_FREE only where b acts with no weight."""
    system, state = dyn.example(name)
    torque = np.random.default_rng(0).normal(scale=5.0, size=system.n_joints)
    weightless = replace_gravity(system, state)
    fallen, apart = heavy(system, state, 1e9, torque)
    # Under gravity it falls at g, the arms with it, and their forces stay apart from x_FREE by tens of newtons.
    assert np.allclose(fallen.object_acceleration, [0, 0, 0, *system.gravity], rtol=1e-9, atol=1e-4)
    gain = fallen.stages["contact"]["contact_kalman_gain"]
    assert np.abs(gain).max() < 1e-4
    assert np.abs(apart).max() > 5.0
    contact = fallen.stages["contact"]
    a = balance.grasp_map(system, state)
    mobility = contact["tip_costate_covariance"]
    relative = contact["free_tip_acceleration"] - contact["contact_bias_acceleration"]
    carried = relative - (a.T @ np.concatenate([np.zeros(3), system.gravity])).reshape(-1, 6)
    expected = np.linalg.solve(mobility, carried[..., None])[..., 0]  # P (lambda - A' alpha_b)
    assert np.abs(fallen.contact_force - expected).max() < 1e-4 * np.abs(expected).max()
    # Without gravity nothing moves it: an immobile object, and x = x_FREE.
    still, gap = heavy(weightless, state, 1e10, torque)
    assert np.abs(still.object_acceleration).max() < 1e-6
    assert np.abs(gap).max() < 1e-4 * np.abs(still.contact_force).max()


def replace_gravity(system: dyn.System, state: dyn.State) -> dyn.System:
    arms = dyn.multi_arm(system.robots, system.base_poses, system.task_object, gravity=(0.0, 0.0, 0.0))
    return dyn.grasp(arms, state, [contact.kind for contact in system.contacts])


def test_figures_of_the_heavy_box() -> None:
    """The limits in numbers, as the page on R88 states them: two arms and a box of 1e12 kg."""
    system, state = dyn.example("two_arms_and_box")
    torque = np.zeros(system.n_joints)
    _, falling = heavy(system, state, 1e12, torque)
    _, floating = heavy(replace_gravity(system, state), state, 1e12, np.full(system.n_joints, 5.0))
    assert 50.0 < np.abs(falling).max() < 100.0
    assert np.abs(floating).max() < 1e-2


def test_filter_predicts_what_l_predicts(twin: Twin) -> None:
    """(8.1) beside (8.8): the filter's own innovations of arms at rest and weightless are D^1/2 e_FREE."""
    system = twin.system
    still = system.state(twin.state.q, object_pose=twin.state.object_pose)
    arms = dyn.multi_arm(system.robots, system.base_poses, system.task_object, gravity=(0.0, 0.0, 0.0))
    held = dyn.grasp(arms, still, [contact.kind for contact in system.contacts])
    stage = dyn.forward_dynamics(held, still, twin.tau).stages["filter"]
    chain = closed_chain(held, still)
    found = chain.root_d @ operators.free_innovations(chain, twin.tau)
    assert close(stage["innovation"], found, 1e-9)


def test_forces_of_a_held_chain(twin: Twin) -> None:
    """(8.6): x = z + dz + P (alpha - a), against Newton and Euler with a dense solve's accelerations and forces."""
    system, state = twin.system, twin.state
    dense_solution = dyn.forward_dynamics(system, state, twin.tau, method="kkt")
    solution = dyn.forward_dynamics(system, state, twin.tau)
    pushes = np.zeros((system.n_links + 1, 6))
    for contact in system.contacts:
        point = (solution.link_pose[contact.link] @ contact.tip_pose)[:3, 3]
        force = -dense_solution.contact_force[contact.tip]  # on the arm
        lever = point - solution.link_pose[contact.link, :3, 3]
        pushes[contact.link] += np.concatenate([force[:3] + np.cross(lever, force[3:]), force[3:]])
    _, expected = two_sweeps(system, state, dense_solution.joint_acceleration, np.zeros(6), pushes)
    stage, final = solution.stages["filter"], solution.stages["smoother_final"]
    correction = solution.stages["filter_correction"]["force_correction"]
    scale = np.abs(expected).max()
    for k in range(system.n_links):
        p, a = stage["articulated_inertia"][k], solution.bias_acceleration[k]
        z = stage["predicted_force"][k] + correction[k] - p @ a
        assert np.abs(smoothed_state(z, p, final["acceleration"][k]) - expected[k]).max() < 1e-7 * scale
    assert np.abs(final["force"] - expected).max() < 1e-7 * scale


def test_inertia_in_one_step(twin: Twin) -> None:
    """(10.3): G(i, i-1) = phi P H' D^-1, psi = phi - G H, P(i) = psi P(i-1) psi' + M(i), D = H P H'."""
    system, state = twin.system, twin.state
    solution = dyn.forward_dynamics(system, state, twin.tau)
    stage, poses = solution.stages["filter"], solution.link_pose
    p, d = stage["articulated_inertia"], stage["joint_inertia"]
    for k, joint in enumerate(system.joint_models):
        h = np.zeros(6)
        h[0 if joint.kind == "revolute" else 3 :][:3] = poses[k, :3, :3] @ joint.axis
        assert d[k] == pytest.approx(h @ p[k] @ h, rel=1e-9)
        inner = int(system.inboard[k])
        if inner < 0:
            continue
        phi = np.eye(6)
        phi[:3, 3:] = np.cross(poses[k, :3, 3] - poses[inner, :3, 3], np.eye(3)).T
        gain = phi @ p[k] @ h / d[k]
        assert close(phi @ stage["kalman_gain"][k], gain, 1e-9)
        psi, link = phi - np.outer(gain, h), system.link_models[inner]
        turned, center = (
            poses[inner, :3, :3] @ link.inertia @ poses[inner, :3, :3].T,
            poses[inner, :3, :3] @ link.center_of_mass,
        )
        skew = np.cross(center, np.eye(3)).T
        own = np.block(
            [[turned - link.mass * skew @ skew, link.mass * skew], [-link.mass * skew, link.mass * np.eye(3)]]
        )
        assert close(psi @ p[k] @ psi.T + own, p[inner], 1e-9)
