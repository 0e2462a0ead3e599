"""R88: the gain in both forms and its limits, influence matrices."""

from functools import lru_cache
from itertools import pairwise

import numpy as np
import pytest

import dynamics as dyn
from dynamics.solve.influence import acceleration_parts, contact_gain, contact_influence_sweep, influence
from dynamics.witness.equation_of_motion import grasp_map, selected_directions
from tests.dynamics.dense_machine import close, motion_of_links, tip_jacobians
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


@every(DRAWN)
def test_the_gain_and_the_squeeze_of_any_grasp(*case: object) -> None:
    """Against the contact stage, which shares no line with it: the gain, the shares, and what squeezes."""
    twin = drawn(*case)
    system, state = twin.system, twin.state
    found = contact_gain(system, state)
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
    found, selection = contact_gain(system, state), selected_directions(system, state)
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
    gains = [contact_gain(heavier(system, mass), state) for mass in (1e-6, 1e0, 1e6)]
    parts = [gain.squeezing @ x for gain in gains]
    assert np.allclose(parts, parts[1], atol=1e-7 * np.abs(x).max())
    found = contact_gain(system, state)
    against = np.linalg.svd(found.grasp_map)[2][6:]  # forces that do nothing to the object
    assert np.allclose(found.squeezing @ against.T, against.T, atol=1e-8)
    assert np.allclose(found.by_inertia, found.by_mobility, rtol=1e-7, atol=1e-9)
    shares = [gain.shares for gain in gains]
    assert np.all(shares[0] > 1.0 - 1e-4)
    assert np.all(shares[2] < 1e-3)
    assert np.all(np.diff(shares, axis=0) < 0.0)


def influenced(case: object) -> tuple[dyn.System, dyn.State]:
    rng = np.random.default_rng(4)
    if case == "flyer":
        twin = one_arm(rng, draw_robot(rng, 6, branching=0.3), floating=True)
        return twin.system, twin.state
    if case == "contacts of one tree":
        return draw_forked_group(rng, False, ["rigid", "point", "rigid"])
    if case == "one floats":
        return draw_forked_group(rng, (True, False), ["rigid", "point", "point"])
    twin = drawn(*case)
    return twin.system, twin.state


@every((case,) for case in (*DRAWN, "flyer", "contacts of one tree", "one floats"))
def test_influence_maps_are_what_torques_do(case: object) -> None:
    """(10.5)-(10.11), bases that float among them, against what unit torques do in the dense solve."""
    system, state = influenced(case)
    maps, n = influence(system, state), system.n_joints
    rest, *pushed = (dyn.forward_dynamics(system, state, tau, method="kkt") for tau in (np.zeros(n), *np.eye(n)))
    answers = np.array([each.packed_acceleration - rest.packed_acceleration for each in pushed]).T
    assert close(maps.W, answers[:n], 1e-8)
    assert close(maps.link_acceleration, motion_of_links(system, state)[0] @ answers, 1e-8)
    assert np.max(np.abs(maps.W - maps.W.T)) < 1e-10 * np.abs(maps.W_free).max()
    if not system.is_held:
        return
    assert close(maps.object_acceleration, answers[-6:], 1e-8)
    force = np.array([(each.contact_force - rest.contact_force).ravel() for each in pushed]).T
    assert close(maps.contact_force, force, 1e-7)
    assert np.linalg.eigvalsh(maps.delta_W).min() > -1e-9 * np.abs(maps.W_free).max()
    alone = influence(dyn.release(system), state)
    assert np.allclose(alone.W, maps.W_free, rtol=1e-9, atol=1e-12)
    if system.is_floating:
        return
    # Result 10.1: a unit torque at joint k of free arms gives its link -H~'(k). (10.11): S(i) takes away the rest.
    output = maps.sweeps["outward_covariance"]["output_map"]
    assert close(-np.einsum("kik->ki", alone.link_acceleration), output, 1e-8)
    if case in DRAWN:  # arms that hold once
        sweep = maps.sweeps["inward_influence"]["contact_influence_sweep"]
        assert close(np.einsum("ki,kij,kj->k", output, sweep, output), np.diag(maps.delta_W), 1e-8)
    # Lambda(0) = J M^-1 J' with all contacts' Jacobians: those of one tree feel each other.
    jacobian = tip_jacobians(system, state).reshape(-1, n)
    expected = jacobian @ np.linalg.solve(dyn.mass_matrix(system, state)[:n, :n], jacobian.T)
    assert close(maps.sweeps["outward_covariance"]["tip_costate_covariance"], expected, 1e-9)
    assert (np.abs(expected[:6, 6:12]).max(initial=0.0) > 1e-6 * np.abs(expected).max()) == (
        case == "contacts of one tree"
    )


@every(DRAWN)
def test_accelerations_are_the_sum_of_four_answers_whatever_pushes(*case: object) -> None:
    twin = drawn(*case)
    system, state, tau, rng = twin.system, twin.state, twin.tau, np.random.default_rng(5)
    pushes = {system.link_names[1]: rng.normal(size=6), "object": rng.normal(size=6)}
    for solution in (
        dyn.forward_dynamics(system, state, tau, external_forces=pushes),
        dyn.forward_dynamics(system, state, tau, external_forces=pushes, method="kkt"),
        dyn.forward_dynamics(dyn.release(system), state, tau),
    ):
        parts = acceleration_parts(solution)
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
    assert np.array_equal(contact_influence_sweep(system, state), sweep)
