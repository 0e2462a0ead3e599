"""Kilometres, micrograms or days: whatever units a machine is written in, every form gives the same digits."""

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import dynamics as dyn
from dynamics.witness import group_inverse
from tests.dynamics.every import every
from tests.dynamics.scaled import Units

POWERS = st.sampled_from([-6, -3, 0, 0, 2, 6])
UNITS = st.builds(lambda *powers: Units(*(10.0**power for power in powers)), POWERS, POWERS, POWERS)
EXTREME = [Units(1e-6, 1e-6, 1e6), Units(length=1e6)]
LIGHT = ["two_arms_and_box", "two_planar_arms", "point_contact", "four_arms_and_box"]


@cache
def moving(name: str) -> tuple[dyn.System, dyn.State, np.ndarray]:
    """An example without its joints' friction, whose turning point is a speed in SI units, that moves under torques."""
    system, state = dyn.example(name)
    smooth = [replace(r, joints=tuple(replace(j, friction=(0.0, 0.0)) for j in r.joints)) for r in system.robots]
    kinds = [contact.kind for contact in system.contacts]
    if system.kind == "free_flyer":
        system = dyn.free_flyer(smooth[0], system.gravity)
    elif system.kind == "single_arm":
        system = dyn.single_arm(smooth[0], system.gravity)
    else:
        system = dyn.multi_arm(smooth, system.base_poses, system.task_object, system.gravity)
        system = dyn.grasp(system, state, kinds)
    rng = np.random.default_rng(3)
    state = replace(state, qd=rng.normal(size=system.n_joints))
    return system, dyn.project(system, state), rng.normal(size=system.n_joints)


def near(found: np.ndarray, expected: np.ndarray, unit: np.ndarray, allowed: float = 1e-11) -> bool:
    return bool(np.abs(found / unit - expected).max(initial=0.0) <= allowed * np.abs(expected).max(initial=0.0))


def rounding(omega: np.ndarray) -> float:
    """What rounding in Omega may do to what it is solved for, its directions in their own units."""
    unit = np.sqrt(np.diag(omega))
    seen = np.linalg.eigvalsh(omega / np.outer(unit, unit))
    seen = seen[seen > 1e-12 * seen.max()]
    return float(4.0 * np.finfo(float).eps * seen.max() / seen.min())


@given(st.sampled_from(dyn.examples()), UNITS)
@example("two_arms_and_box", Units(1e-6, 1e-6, 1e-6))
@example("free_flyer", Units(1e6, 1e6, 1e6))
@example("point_contact", Units(1e-6, 1e6, 1e6))
@example("puma560", Units(1e6, 1e-6, 1e-6))
def test_every_form_gives_the_same_digits(name: str, units: Units) -> None:
    system, state, tau = moving(name)
    scaled, moved = units.system(system, state)
    pull = units.of_torques(system) * tau
    rate = units.of_velocities(system) / units.time**2
    expected = dyn.forward_dynamics(system, state, tau)
    n = system.n_joints
    for method in dyn.methods(system):
        if method == "lagrange" and n > 8:
            continue
        found = dyn.forward_dynamics(scaled, moved, pull, method)
        assert near(found.packed_acceleration, expected.packed_acceleration, rate, 1e-9), method
        if system.task_object is not None:
            assert near(found.contact_force, expected.contact_force, units.wrench, 1e-9), method
    text = dyn.read_textbook(scaled, moved, pull).solution
    assert near(text.packed_acceleration, expected.packed_acceleration, rate)
    if system.task_object is not None:
        assert np.shape(text.indeterminate) == np.shape(expected.indeterminate)
        assert near(text.contact_force, expected.contact_force, units.wrench)
    if not system.is_floating:
        maps, to = dyn.influence(scaled, moved), dyn.influence(system, state)
        assert near(maps.W @ pull, to.W @ tau, rate[:n])
        if maps.contact_force is not None and to.contact_force is not None:
            found, force = ((m @ t).reshape(-1, 6) for m, t in ((maps.contact_force, pull), (to.contact_force, tau)))
            assert near(found, force, units.wrench)
    x, v = scaled.pack(moved)
    assert near(dyn.solver(scaled)(x, v, pull), expected.packed_acceleration, rate)
    batch = dyn.forward_dynamics_batch(
        scaled, moved.q[None], moved.qd[None], pull[None], base_pose=moved.base_pose, base_velocity=moved.base_velocity,
        object_pose=moved.object_pose, object_velocity=moved.object_velocity,
    )  # fmt: skip
    assert near(batch.joint_acceleration[0], expected.joint_acceleration, rate[:n])
    if system.task_object is not None:
        assert near(batch.object_acceleration[0], expected.object_acceleration, rate[-6:])
        assert near(batch.contact_force[0], expected.contact_force, units.wrench)
    assert dyn.agreement(scaled, moved, pull, only=["kkt"]).worst < 1e-9
    run = dyn.simulate(system, state, tau=tau, duration=0.02)
    other = dyn.simulate(scaled, moved, tau=pull, duration=0.02 * units.time, dt=1e-3 * units.time)
    assert other.stopped == run.stopped
    assert near(other.v[-1], run.v[-1], units.of_velocities(system) / units.time, 1e-10)
    if system.is_held:
        assert np.abs(dyn.project(scaled, moved).q - moved.q).max() <= 1e-12 * max(1.0, np.abs(moved.q).max())


@every([Units(length=1e-6), Units(mass=1e6), Units(time=1e-6)])
def test_forces_that_no_motion_reveals_hang_on_no_unit(units: Units) -> None:
    """Planar arms that carry a weight out of their plane: how they share it is a choice, by a norm without a unit."""
    system, state, tau = moving("two_planar_arms")
    heavy = dyn.multi_arm(system.robots, system.base_poses, system.task_object, (0.0, 0.0, -9.81))
    heavy = dyn.grasp(heavy, state, ["rigid"] * 2)
    scaled, moved = units.system(heavy, state)
    pull = units.of_torques(heavy) * tau
    expected = dyn.forward_dynamics(heavy, state, tau)
    assert np.abs(expected.contact_force[:, 5]).min() > 1.0
    assert expected.indeterminate.shape == (2, 6, 3)  # two turns and a shift out of the plane
    x, v = scaled.pack(moved)
    solver = dyn.solver(scaled)
    solver(x, v, pull)
    found = {method: dyn.forward_dynamics(scaled, moved, pull, method).contact_force for method in dyn.methods(heavy)}
    text = dyn.read_textbook(scaled, moved, pull).solution
    null = text.indeterminate.reshape(-1, 3)
    assert np.allclose(null.T @ null, np.eye(3), rtol=0.0, atol=1e-9)
    found["textbook"] = text.contact_force
    found["solver"] = solver.stages["contact"]["contact_force"]
    for name, force in found.items():
        assert near(force, expected.contact_force, units.wrench), name


@every(product(LIGHT, [1e-2, 1e-4, 1e-6, 1e-8]))
def test_a_light_object(name: str, mass: float) -> None:
    """All that such an object leaves of Omega is its arms' share: a small one, and all the same no rounding."""
    system, state = dyn.example(name)
    assert system.task_object is not None
    system = dyn.with_task_object(system, system.task_object.with_mass(mass))
    tau = np.random.default_rng(0).normal(size=system.n_joints)
    expected = dyn.forward_dynamics(system, state, tau)
    dense = dyn.forward_dynamics(system, state, tau, "kkt")
    allowed = max(1e-9, rounding(expected.stages["contact"]["omega"]))
    text = dyn.read_textbook(system, state, tau).solution
    assert text.indeterminate.shape == expected.indeterminate.shape
    for found in (text, expected):
        assert near(found.joint_acceleration, dense.joint_acceleration, np.ones(1), allowed)
        assert near(found.contact_force, dense.contact_force, np.ones(1), allowed)
    change = dyn.forward_dynamics(system, state, 2.0 * tau).joint_acceleration - expected.joint_acceleration
    assert near(dyn.influence(system, state).W @ tau, change, np.ones(1), allowed)


@every((name, units) for name in dyn.examples() for units in EXTREME)
def test_what_is_checked_hangs_on_no_unit(name: str, units: Units) -> None:
    """Every identity holds, and a fault of a thousandth shows in as many stages as in metres and kilograms."""
    system, state, tau = moving(name)
    scaled, moved = units.system(system, state)

    def shown(solution: dyn.Solution) -> set[tuple[str, str]]:
        assert all(check.holds for check in dyn.identities(solution))
        found = set()
        for stage, name in (("filter", "predicted_force"), ("filter", "joint_inertia"), ("filter", "corrected_force")):
            faulty = {**solution.stages[stage], name: 1.001 * solution.stages[stage][name]}
            broken = replace(solution, stages={**solution.stages, stage: faulty})
            if not all(check.holds for check in dyn.identities(broken)):
                found.add((stage, name))
        return found

    one = dyn.forward_dynamics(system, state, tau)
    assert shown(dyn.forward_dynamics(scaled, moved, units.of_torques(system) * tau)) == shown(one)


@every((name, units) for name in dyn.examples() if name != "free_flyer" for units in EXTREME)
def test_what_a_tip_shows_the_world_hangs_on_no_unit(name: str, units: Units) -> None:
    """In a singular posture, too; many packaged ones are."""
    system, state, _ = moving(name)
    scaled, moved = units.system(system, state)
    found, expected = (dyn.operational_space_inertia(*each) for each in ((scaled, moved), (system, state)))
    unit = np.outer(units.wrench * units.time**2, 1.0 / units.twist)
    assert near(found, expected, unit, 1e-6)


@every(
    (name, units)
    for name in ("two_arms_and_box", "point_contact", "four_arms_and_box")
    for units in (*EXTREME, Units(length=1e-6))
)
def test_torques_give_what_was_asked_in_any_unit(name: str, units: Units) -> None:
    system, state = dyn.example(name)
    scaled, moved = units.system(system, state)
    wanted = units.twist / units.time**2 * [1.0, 2.0, 3.0, -1.0, 0.5, 0.3]
    found = dyn.forward_dynamics(scaled, moved, group_inverse(scaled, moved, wanted).tau).object_acceleration
    assert found / wanted == pytest.approx(1.0, abs=1e-9)


def floating(name: str) -> tuple[dyn.System, dyn.State]:
    """An example whose arms float, so that how hard they squeeze what they hold moves them."""
    system, state, _ = moving(name)
    kinds = [contact.kind for contact in system.contacts]
    free = dyn.multi_arm(system.robots, system.base_poses, system.task_object, system.gravity, floating=True)
    aside = state.object_pose.copy()
    aside[:3, 3] += 0.02, 0.03, 0.01  # of what they hold alike, each takes its half in every norm
    begun = free.state(q=state.q, object_pose=aside)
    return dyn.grasp(free, begun, kinds), begun


@given(st.sampled_from(["two_arms_and_box", "point_contact"]), st.booleans(), UNITS)
def test_what_a_controller_has_arms_press_with_hangs_on_no_unit(name: str, task: bool, units: Units) -> None:
    system, state = floating(name)
    gains = np.array([3.0, 4.0, 5.0, 1.0, 2.0, 3.0])

    def run(own: Units) -> dyn.Recording:
        scaled, moved = own.system(system, state)
        of_joints, of_object = own.of_torques(system) / own.of_joints(system), own.wrench / own.twist
        controller: dyn.JointPD | dyn.TaskSpacePD = dyn.JointPD(None, 5.0 * of_joints, own.time * of_joints)
        if task:
            goal = moved.object_pose.copy()
            goal[0, 3] += 0.1 * own.length
            controller = dyn.TaskSpacePD(goal, gains * of_object, own.time * gains * of_object)
        return dyn.simulate(scaled, moved, controller, duration=0.02 * own.time, dt=1e-3 * own.time)

    expected, found = run(Units()), run(units)
    assert (expected.stopped, found.stopped) == (None, None)
    assert near(found.v[-1], expected.v[-1], units.of_velocities(system) / units.time, 1e-9)
