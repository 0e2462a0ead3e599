"""R88: rates and accelerations of a held object, the gain in both forms and its limits, influence matrices."""

from functools import lru_cache
from itertools import pairwise

import numpy as np
import pytest

import dynamics as dyn
from dynamics.operators.influence import influence
from dynamics.operators.object_balance import grasp_map, selected_directions
from dynamics.posture import arm_rates
from tests.dynamics.dense_machine import close
from tests.dynamics.every import every
from tests.dynamics.systems import draw_forked_group, draw_robot
from tests.dynamics.twins import Twin, arms_and_object, draw_arms, one_arm

DRAWN = [((7, 7), ("rigid", "rigid")), ((6, 8, 5), ("rigid", "point", "rigid")), ((4,), ("rigid",))]


@lru_cache(maxsize=4)
def drawn(joints: tuple[int, ...], kinds: tuple[str, ...]) -> Twin:
    rng = np.random.default_rng(sum(joints))
    return arms_and_object(rng, draw_arms(rng, joints), kinds)


def moving(name: str, seed: int = 0) -> tuple[dyn.System, dyn.State]:
    system, state = dyn.example(name)
    rng = np.random.default_rng(seed)
    rates = rng.normal(size=system.n_joints)
    thrown = {} if name == "two_planar_arms" else {"object_velocity": rng.normal(size=6)}
    return system, dyn.project(system, system.state(state.q, rates, object_pose=state.object_pose, **thrown))


def heavier(system: dyn.System, mass: float) -> dyn.System:
    return dyn.with_task_object(system, system.task_object.with_mass(mass))


@every(["two_arms_and_box", "two_planar_arms", "four_arms_and_box"])
def test_results_5_1_to_5_3(name: str) -> None:
    system, state = moving(name)
    velocities = arm_rates.link_velocities(system, state)
    assert np.allclose(velocities, dyn.forward_dynamics(system, state).link_velocity, rtol=1e-9, atol=1e-13)
    assert np.allclose(arm_rates.object_velocity(system, state), state.object_velocity, rtol=1e-9, atol=1e-9)
    contact = (arm_rates.tip_jacobians(system, state) @ state.qd).ravel()
    assert np.allclose(contact, grasp_map(system, state).T @ state.object_velocity, rtol=1e-9, atol=1e-9)


def test_smallest_rates_and_accelerations() -> None:
    """Results 5.5 to 5.7; and planar arms say what they cannot follow."""
    system, state = moving("two_arms_and_box")
    wanted = np.array([0.1, -0.2, 0.3, 0.2, 0.1, -0.1])
    rates, lost = arm_rates.smallest_rates(system, state, wanted)
    jacobian = arm_rates.tip_jacobians(system, state).reshape(-1, system.n_joints)
    assert lost == 0
    expected = np.linalg.pinv(jacobian) @ grasp_map(system, state).T @ wanted
    assert np.allclose(rates, expected, rtol=1e-9, atol=1e-10)
    system, state = moving("two_planar_arms")
    in_plane = np.array([0.0, 0.0, 0.4, 0.1, -0.2, 0.0])
    rates, lost = arm_rates.smallest_rates(system, state, in_plane)
    assert lost == 6  # three directions an arm
    found = (arm_rates.tip_jacobians(system, state) @ rates).ravel()
    assert np.allclose(found, grasp_map(system, state).T @ in_plane, rtol=1e-9, atol=1e-12)
    with pytest.raises(dyn.ModelError, match="nothing is held"):
        arm_rates.smallest_rates(*dyn.example("puma560"), np.zeros(6))
    system, state = moving("four_arms_and_box")
    torn = system.state(state.q, state.qd + 0.1, object_pose=state.object_pose)
    rates, _ = arm_rates.projected_rates(system, torn)
    closed = system.state(state.q, rates, object_pose=state.object_pose)
    contact = (arm_rates.tip_jacobians(system, closed) @ rates).ravel()
    moved = grasp_map(system, closed).T @ arm_rates.object_velocity(system, closed)
    assert np.allclose(contact, moved, rtol=1e-9, atol=1e-10)
    solution = dyn.forward_dynamics(system, state, np.ones(system.n_joints))
    found, _ = arm_rates.smallest_accelerations(system, state, solution.object_acceleration)
    jacobian = arm_rates.tip_jacobians(system, state)
    assert np.allclose(jacobian @ found, jacobian @ solution.joint_acceleration, rtol=1e-9, atol=1e-9)
    assert np.linalg.norm(found) <= np.linalg.norm(solution.joint_acceleration) + 1e-9


def test_arms_without_a_joint_to_spare_have_only_one_set_of_rates() -> None:
    """Result 5.4, by a dense solve; where it holds it is Result 5.5, and redundant arms are refused."""
    twin = arms_and_object(rng := np.random.default_rng(12), draw_arms(rng, (6, 6)), ("rigid", "rigid"))
    wanted = rng.normal(size=6)
    rates = arm_rates.only_rates(twin.system, twin.state, wanted)
    contact = (arm_rates.tip_jacobians(twin.system, twin.state) @ rates).ravel()
    assert np.allclose(contact, grasp_map(twin.system, twin.state).T @ wanted, atol=1e-9)
    smallest, lost = arm_rates.smallest_rates(twin.system, twin.state, wanted)
    assert lost == 0
    assert close(rates, smallest, 1e-8)
    with pytest.raises(dyn.SingularConfigurationError, match="smallest_rates"):
        arm_rates.only_rates(*dyn.example("two_arms_and_box"), wanted)


@every([False, True])
def test_influence_on_bases_that_float(held: bool) -> None:
    """(10.5)-(10.11) where the bases move along, against what unit torques do in the dense solve."""
    rng = np.random.default_rng(4)
    if held:
        system, state = draw_forked_group(rng, (True, False), ["rigid", "point", "point"])
    else:
        twin = one_arm(rng, draw_robot(rng, 6, branching=0.3), floating=True)
        system, state = twin.system, twin.state
    maps, n = influence(system, state), system.n_joints
    rest, *pushed = (dyn.forward_dynamics(system, state, tau, method="kkt") for tau in (np.zeros(n), *np.eye(n)))
    answers = np.array([each.packed_acceleration - rest.packed_acceleration for each in pushed]).T
    assert close(maps.W, answers[:n], 1e-8)
    bases = answers[n : n + 6 * system.n_bases].reshape(-1, 6, n)
    assert close(maps.link_acceleration[n:], bases, 1e-8)
    if held:
        assert close(maps.object_acceleration, answers[-6:], 1e-8)
        force = np.array([(each.contact_force - rest.contact_force).ravel() for each in pushed]).T
        assert close(maps.contact_force, force, 1e-7)


@every(DRAWN)
def test_the_gain_and_the_squeeze_of_any_grasp(*case: object) -> None:
    """Against the contact stage, which shares no line with it: the gain, the shares, and what squeezes."""
    twin = drawn(*case)
    system, state = twin.system, twin.state
    found = dyn.contact_gain(system, state)
    rows = np.concatenate([np.arange(6 * contact.tip, 6 * contact.tip + 6) for contact in system.contacts])
    stage = dyn.forward_dynamics(system, state, twin.tau).stages["contact"]
    expected = stage["contact_kalman_gain"][rows]
    assert close(found.by_mobility, expected, 1e-8)
    if found.by_inertia is not None:
        assert all(len(contact.selection) == 6 for contact in system.contacts)
        assert close(found.by_inertia, expected, 1e-7)
    assert np.all(np.diff(found.shares) <= 0.0)
    assert -1e-9 < found.shares[-1] <= found.shares[0] < 1.0 + 1e-9
    theirs = np.sort(np.linalg.eigvals(found.grasp_map @ expected).real)[::-1]
    assert np.allclose(found.shares, theirs, atol=1e-7)
    # It cancels out in the object, the rest alone has their effect, and both together waste no effort.
    found, selection = dyn.contact_gain(system, state), selected_directions(system, state)
    forces = dyn.forward_dynamics(system, state, twin.tau).contact_force
    x = forces[[contact.tip for contact in system.contacts]].ravel()
    for some in (x, selection.T @ np.random.default_rng(9).normal(size=len(selection)) * np.abs(x).max()):
        squeeze = found.squeezing @ some
        size = (np.abs(found.grasp_map) @ np.abs(some)).max()
        assert np.all(np.abs(found.grasp_map @ squeeze) <= 1e-7 * size)
        assert np.allclose(found.squeezing @ squeeze, squeeze, atol=1e-7 * np.abs(some).max())
        effort = (selection @ (some - squeeze)) @ found.omega @ (selection @ squeeze)
        sizes = [(selection @ part) @ found.omega @ (selection @ part) for part in (some, some - squeeze, squeeze)]
        assert abs(effort) <= 1e-7 * sizes[0]
        assert sizes[1] + sizes[2] == pytest.approx(sizes[0], rel=1e-6)


def test_limits_of_the_gain() -> None:
    """An object that grows heavy: gain -> 0. One that weighs nothing: A gain -> 1. Either is squeezed alike."""
    system, state = moving("two_arms_and_box")
    a, tau = grasp_map(system, state), np.ones(system.n_joints)

    def gain(mass: float) -> np.ndarray:
        return dyn.forward_dynamics(heavier(system, mass), state, tau).stages["contact"]["contact_kalman_gain"]

    sizes = [np.abs(gain(mass)).max() for mass in (1e1, 1e3, 1e5, 1e7)]
    gaps = [np.abs(a @ gain(mass) - np.eye(6)).max() for mass in (1e0, 1e-2, 1e-4, 1e-6)]
    assert all(later < earlier for each in (sizes, gaps) for earlier, later in pairwise(each))
    assert sizes[-1] < 1e-4
    assert gaps[-1] < 1e-5
    # Two arms that push against each other squeeze as much whatever they hold; the arms decide less of a heavy one.
    x = dyn.forward_dynamics(system, state, np.zeros(system.n_joints)).contact_force.ravel()
    gains = [dyn.contact_gain(heavier(system, mass), state) for mass in (1e-6, 1e0, 1e6)]
    parts = [gain.squeezing @ x for gain in gains]
    assert np.allclose(parts, parts[1], atol=1e-7 * np.abs(x).max())
    found = dyn.contact_gain(system, state)
    against = np.linalg.svd(found.grasp_map)[2][6:]  # forces that do nothing to the object
    assert np.allclose(found.squeezing @ against.T, against.T, atol=1e-8)
    assert np.allclose(found.by_inertia, found.by_mobility, rtol=1e-7, atol=1e-9)
    shares = [gain.shares for gain in gains]
    assert np.all(shares[0] > 1.0 - 1e-4)
    assert np.all(shares[2] < 1e-3)
    assert np.all(np.diff(shares, axis=0) < 0.0)


@every(DRAWN)
def test_influence_maps_are_what_torques_do(*case: object) -> None:
    """And accelerations are the sum of four answers, whatever pushes."""
    twin = drawn(*case)
    system, state = twin.system, twin.state
    maps, change = influence(system, state), np.random.default_rng(1).normal(size=system.n_joints)
    before, after = (dyn.forward_dynamics(system, state, tau) for tau in (twin.tau, twin.tau + change))
    links = [each.stages["smoother_final"]["acceleration"] for each in (before, after)]
    for found, difference in (
        (maps.W @ change, after.joint_acceleration - before.joint_acceleration),
        (maps.contact_force @ change, (after.contact_force - before.contact_force).ravel()),
        (maps.object_acceleration @ change, after.object_acceleration - before.object_acceleration),
        (maps.link_acceleration @ change, links[1] - links[0]),
    ):
        assert np.max(np.abs(found - difference)) < 1e-8 * max(np.max(np.abs(difference)), 1e-3)
    assert np.max(np.abs(maps.W - maps.W.T)) < 1e-10 * np.abs(maps.W_free).max()
    assert np.linalg.eigvalsh(maps.delta_W).min() > -1e-9 * np.abs(maps.W_free).max()
    assert np.allclose(influence(dyn.release(system), state).W, maps.W_free, rtol=1e-9, atol=1e-12)
    system, state, tau, rng = twin.system, twin.state, twin.tau, np.random.default_rng(5)
    pushes = {system.link_names[1]: rng.normal(size=6), "object": rng.normal(size=6)}
    for solution in (
        dyn.forward_dynamics(system, state, tau, external_forces=pushes),
        dyn.forward_dynamics(system, state, tau, external_forces=pushes, method="kkt"),
        dyn.forward_dynamics(dyn.release(system), state, tau),
    ):
        parts = dyn.acceleration_parts(solution)
        each = np.array([parts.torque, parts.bias_force, parts.bias_acceleration, parts.contact])
        assert np.max(np.abs(each.sum(axis=0) - solution.joint_acceleration)) < 1e-8 * np.abs(each).max()
        assert np.any(parts.contact != 0.0) == solution.system.is_held


def test_breaking_and_making_the_chain() -> None:
    system, state = moving("two_arms_and_box")
    free, torque = dyn.release(system), np.ones(system.n_joints)
    let_go = dyn.forward_dynamics(free, state, torque)
    assert np.array_equal(let_go.contact_force, np.zeros((2, 6)))
    for arm, robot in enumerate(system.robots):
        alone, own = dyn.single_arm(robot, base_pose=system.base_poses[arm]), slice(7 * arm, 7 * arm + 7)
        expected = dyn.forward_dynamics(alone, alone.state(state.q[own], state.qd[own]), torque[own])
        assert np.allclose(let_go.joint_acceleration[own], expected.joint_acceleration, rtol=1e-12, atol=1e-10)
    again = dyn.forward_dynamics(dyn.grasp(free, state, ["rigid", "rigid"]), state, torque).packed_acceleration
    assert close(again, dyn.forward_dynamics(system, state, torque).packed_acceleration, 1e-9)
    maps = influence(system, state)
    assert np.all(maps.W_free[:7, 7:] == 0.0)
    assert np.abs(maps.W[:7, 7:]).max() > 1e-3 * np.abs(maps.W).max()
    sweep = maps.sweeps["inward_influence"]["contact_influence_sweep"]
    assert np.linalg.eigvalsh(sweep).min() > -1e-9 * np.abs(sweep).max()
    assert np.array_equal(dyn.contact_influence_sweep(system, state), sweep)
    with pytest.raises(dyn.ModelError, match="bolted-down"):
        influence(*dyn.example("free_flyer"))
