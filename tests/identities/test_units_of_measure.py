"""Kilometres, micrograms or days: whatever units a machine is written in, the digits are the same."""

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import dynamics as dyn
from dynamics.solve import move_joint
from dynamics.witness import group_inverse
from tests.dynamics.every import every
from tests.dynamics.scaled import Units

POWERS = st.sampled_from([-6, -3, 0, 0, 2, 6])
UNITS = st.builds(lambda *powers: Units(*(10.0**power for power in powers)), POWERS, POWERS, POWERS)


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


@given(st.sampled_from(dyn.examples()), UNITS)
@example("two_arms_and_box", Units(1e-6, 1e-6, 1e-6))
@example("free_flyer", Units(1e6, 1e6, 1e6))
@example("point_contact", Units(1e-6, 1e6, 1e6))
@example("puma560", Units(1e6, 1e-6, 1e-6))
def test_units_change_no_digit(name: str, units: Units) -> None:
    system, state, tau = moving(name)
    scaled, moved = units.system(system, state)
    pull = units.of_torques(system) * tau
    rate = units.of_velocities(system) / units.time**2
    expected = dyn.forward_dynamics(system, state, tau)
    n = system.n_joints
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
    assert dyn.agreement(scaled, moved, pull, only=["kkt"]).worst < 1e-9
    run = dyn.simulate(system, state, tau=tau, duration=0.02)
    other = dyn.simulate(scaled, moved, tau=pull, duration=0.02 * units.time, dt=1e-3 * units.time)
    assert other.stopped == run.stopped
    assert near(other.v[-1], run.v[-1], units.of_velocities(system) / units.time, 1e-10)
    if system.is_held:
        assert np.abs(dyn.project(scaled, moved).q - moved.q).max() <= 1e-12 * max(1.0, np.abs(moved.q).max())
    assert all(check.holds for check in dyn.identities(dyn.forward_dynamics(scaled, moved, pull)))
    if name != "free_flyer":  # in a singular posture, too; many packaged ones are
        found, inertia = (dyn.operational_space_inertia(*each) for each in ((scaled, moved), (system, state)))
        assert near(found, inertia, np.outer(units.wrench * units.time**2, 1.0 / units.twist), 1e-6)
    if name in ("two_arms_and_box", "point_contact", "four_arms_and_box"):
        wanted = units.twist / units.time**2 * [1.0, 2.0, 3.0, -1.0, 0.5, 0.3]
        torques = group_inverse(scaled, moved, wanted).tau
        answer = dyn.forward_dynamics(scaled, moved, torques).object_acceleration
        assert answer / wanted == pytest.approx(1.0, abs=1e-9)
    if not system.is_floating:
        assert_same_postures(system, state, scaled, moved, units)


def assert_same_postures(
    system: dyn.System, state: dyn.State, scaled: dyn.System, moved: dyn.State, units: Units
) -> None:
    """Neither what is reached, nor which of many postures, nor what one joint takes along."""
    there = system.state(state.q + 0.02, object_pose=state.object_pose)
    target, places = dyn.forward_kinematics(system, there).tip_pose[0, :3, 3], units.of_joints(system)
    tip = dyn.inverse_kinematics(system, state, 0, target, attempts=2)
    joint = move_joint(system, state, 0, there.q[0])
    for one, other in (
        (tip, dyn.inverse_kinematics(scaled, moved, 0, units.length * target, attempts=2)),
        (joint, move_joint(scaled, moved, 0, places[0] * there.q[0])),
    ):
        assert other.reached == one.reached
        assert np.abs(other.state.q / places - one.state.q).max() < 1e-7


@every(product(["two_arms_and_box", "two_planar_arms", "point_contact", "four_arms_and_box"], [1e-4, 1e-8]))
def test_a_light_object(name: str, mass: float) -> None:
    """All that such an object leaves of Omega is its arms' share: a small one, and all the same no rounding."""
    system, state = dyn.example(name)
    assert system.task_object is not None
    system = dyn.with_task_object(system, system.task_object.with_mass(mass))
    tau = np.random.default_rng(0).normal(size=system.n_joints)
    expected = dyn.forward_dynamics(system, state, tau)
    omega = expected.stages["contact"]["omega"]
    unit = np.sqrt(np.diag(omega))
    seen = np.linalg.eigvalsh(omega / np.outer(unit, unit))
    seen = seen[seen > 1e-12 * seen.max()]
    allowed = max(1e-9, float(4.0 * np.finfo(float).eps * seen.max() / seen.min()))  # what rounding in Omega may do
    dense = dyn.forward_dynamics(system, state, tau, "kkt")
    text = dyn.read_textbook(system, state, tau).solution
    assert text.indeterminate.shape == expected.indeterminate.shape
    for found in (text, expected):
        assert near(found.joint_acceleration, dense.joint_acceleration, np.ones(1), allowed)
        assert near(found.contact_force, dense.contact_force, np.ones(1), allowed)
    change = dyn.forward_dynamics(system, state, 2.0 * tau).joint_acceleration - expected.joint_acceleration
    assert near(dyn.influence(system, state).W @ tau, change, np.ones(1), allowed)
