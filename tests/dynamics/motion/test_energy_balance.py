"""The balance of a motion that is known to be mechanics: chosen by hand, its torques by inverse dynamics."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

import dynamics as dyn
from dynamics.motion.energy_balance import DOUBTFUL_SHARE, ROUNDING, energy_balance
from dynamics.system.plain_kinematics import plain_kinematics

pytestmark = pytest.mark.compiled_only
Array = np.ndarray
SAMPLES = 13


class Motion(NamedTuple):
    """Arguments of the balance."""

    system: dyn.System
    times: Array
    x: Array
    v: Array
    acceleration: Array
    tau: Array
    wrench: Array


@pytest.fixture(scope="module")
def motion() -> Motion:
    """Two arms that swing in damped joints, pushed at a link, and an object that is pushed and spun past them."""
    held, home = dyn.example("two_planar_arms")
    robots = [replace(r, joints=tuple(replace(j, damping=0.3) for j in r.joints)) for r in held.robots]
    system = dyn.multi_arm(robots, held.base_poses, held.task_object, [0.0, -9.81, 0.0])
    n, thing = system.n_joints, system.task_object
    assert thing is not None
    wrench = np.zeros((system.n_links + 1, 6))
    wrench[1], wrench[-1] = [0.0, 0.0, 0.7, 3.0, -2.0, 0.0], [0.0, 0.0, 0.4, 6.0, 20.0, 0.0]
    linear = wrench[-1, 3:] / thing.mass + system.gravity
    spin = wrench[-1, 2] / thing.inertia[2, 2]
    times, rows = np.linspace(0.0, 0.3, SAMPLES), []
    for t in times:
        phase = 3.0 * t + np.arange(n)
        q, qd, qdd = home.q + 0.4 * np.sin(phase), 1.2 * np.cos(phase), -3.6 * np.sin(phase)
        pose, angle = np.eye(4), 0.5 + 0.8 * t + 0.5 * spin * t * t
        pose[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        pose[:3, 3] = np.array([0.2, -0.5, 0.0]) * t + 0.5 * linear * t * t
        velocity = np.array([0.0, 0.0, 0.8 + spin * t, *(np.array([0.2, -0.5, 0.0]) + linear * t)])
        state = system.state(q, qd, object_pose=pose, object_velocity=velocity)
        tau = dyn.inverse_dynamics(system, state, qdd, external_forces=wrench)
        rows.append((*system.pack(state), np.array([*qdd, 0.0, 0.0, spin, *linear]), tau))
    x, v, acceleration, tau = (np.array(column) for column in zip(*rows, strict=True))
    return Motion(system, times, x, v, acceleration, tau, wrench)


def test_a_true_motion_leaves_no_unexplained_energy(motion: Motion) -> None:
    """To the fourth power of the step; what the corrected ends of the trapezoids leave out, and no more, is allowed."""
    found, allowed = energy_balance(*motion, every_step=True)
    states = [motion.system.unpack(*row) for row in zip(motion.x, motion.v, strict=True)]
    solved = [
        dyn.forward_dynamics(motion.system, state, tau, external_forces=motion.wrench)
        for state, tau in zip(states, motion.tau, strict=True)
    ]
    kinetic = np.array([one.kinetic_energy for one in solved])
    total = kinetic + [one.potential_energy for one in solved]
    assert np.abs(found).max() < 2e-5 * kinetic.max()
    # The trapezoids alone: what they miss is what their ends are corrected by.
    n = motion.system.n_joints
    speeds = [[*plain_kinematics(motion.system, one).velocity, one.object_velocity] for one in states]
    given = [(motion.wrench * np.array(speed)).sum() for speed in speeds]
    damped = motion.tau - 0.3 * motion.v[:, :n]
    power = given + np.einsum("sj,sj->s", damped, motion.v[:, :n])
    missed = np.diff(total) - [np.trapezoid(power[i : i + 2], motion.times[i : i + 2]) for i in range(SAMPLES - 1)]
    assert np.abs(np.diff(found))[1:-1].max() < 0.01 * np.abs(missed).max()  # at the ends a rate has one neighbor
    rounding = DOUBTFUL_SHARE * kinetic.max() + ROUNDING * np.abs(total).max()
    np.testing.assert_allclose(allowed[0], rounding, rtol=1e-13)
    np.testing.assert_allclose(allowed[-1] - allowed[0], np.abs(missed).sum(), rtol=0.1)


def test_the_allowance_covers_speeds_between_the_samples(motion: Motion) -> None:
    """A speed that was not what the accelerations make of it, by so much in each step, under the largest torque."""
    n, span = motion.system.n_joints, motion.times[1]
    odd = 0.01 * np.arange(SAMPLES)[:, None] * np.ones(n)
    bent = motion._replace(v=motion.v.copy(), acceleration=np.zeros_like(motion.acceleration))
    bent.v[:, :n] = odd
    straight, every = energy_balance(*bent, every_step=False)[1], energy_balance(*bent, every_step=True)[1]
    torque = np.maximum(np.abs(motion.tau[1:]), np.abs(motion.tau[:-1])).sum(axis=1)
    np.testing.assert_allclose(np.diff(straight - every), span * 0.01 * torque, rtol=1e-9)
    pushed = bent._replace(acceleration=bent.acceleration.copy())
    pushed.acceleration[::2, :n], pushed.acceleration[1::2, :n] = 0.5 * 0.01 / span, 1.5 * 0.01 / span
    np.testing.assert_allclose(energy_balance(*pushed, every_step=False)[1], every, rtol=1e-9)


def test_energy_lost_at_a_stop_is_not_counted(motion: Motion) -> None:
    """The samples concerned follow from how far a joint may move within a step."""
    n, span = motion.system.n_joints, motion.times[1]
    wrong = motion._replace(tau=motion.tau + 5.0 * np.sign(motion.v[:, :n]))
    q, speed = motion.x[:, 0], np.abs(motion.v[:, 0])
    reach = span * np.maximum(speed[1:], speed[:-1])
    high, low = np.maximum(q[1:], q[:-1]) + reach, np.minimum(q[1:], q[:-1]) - reach
    for above, stops in ((True, {"upper": high[3] - 1e-9}), (False, {"lower": low[3] + 1e-9})):
        first, *others = motion.system.robots
        joints = (replace(first.joints[0], **stops), *first.joints[1:])
        robots = [replace(first, joints=joints), *others]
        stopped = dyn.multi_arm(robots, motion.system.base_poses, motion.system.task_object, motion.system.gravity)
        gained = np.diff(energy_balance(*wrong._replace(system=stopped), every_step=True)[0])
        met = high >= stops["upper"] if above else low <= stops["lower"]
        assert 0 < met.sum() < len(met)
        assert np.array_equal(gained == 0.0, met)
