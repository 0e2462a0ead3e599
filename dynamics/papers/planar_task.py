"""What the planar arms of JZ Section 5 are told to do, and the two ways in which their motion is computed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dynamics.checks import Array
from dynamics.compiler.compiled import allocating
from dynamics.motion.control_law import progress
from dynamics.papers.planar_arm_group import (
    arm_equations,
    grip_matrix,
    held_object,
    joint_accelerations,
    solve_positive,
    sweep,
    wanted_tip,
)


class PlanarTask(NamedTuple):
    """Move the object from ``start`` by ``way``, [angle; x; y], along 10 u^3 - 15 u^4 + 6 u^5; JZ (43)-(45).

    The torques are ``share`` of the group's inverse dynamics, (40)-(42), plus task-space PD, (47)-(48).
    """

    start: Array  # (3,)
    way: Array  # (3,)
    timing: Array  # (3,): start, duration, 0
    share: float
    stiffness: Array  # (3,), K
    damping: Array  # (3,), B


class PlanarSamples(NamedTuple):
    """What a run records."""

    times: Array  # (T,)
    place: Array  # (T, 3), the object
    joints: Array  # (T, arms, n)
    points: Array  # (T, arms, n + 1, 2), joints and tip
    growth: Array  # (T, 3, 3), sum G Lambda^-1 G'


@allocating
def wanted_acceleration(task, t):
    """X_o'' of the desired trajectory, differentiated."""
    duration = task.timing[1]
    u = (t - task.timing[0]) / duration
    rate = 0.0
    if 0.0 <= u <= 1.0:
        rate = 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / (duration * duration)
    return rate * task.way


@allocating
def joint_torques(group, task, t, end, q, qd, place, velocity):
    """P_k (arms, n) of one sampling interval from t to ``end``.

    Inverse dynamics asks for the acceleration at the interval's end, where its step 5 has moved t to. Both
    pseudo-inverses are of matrices of full row rank: A+ = A' (A A')^-1.
    """
    arms, n = q.shape
    torque = np.zeros((arms, n))
    done, pace = progress(task.timing, t)
    ahead = wanted_acceleration(task, end)
    gram, force = np.zeros((3, 3)), np.zeros((1, 3))
    for i in range(3):
        force[0, i] = task.share * group.object_inertia[i] * ahead[i]  # JZ (36)
        error = task.start[i] + done * task.way[i] - place[i]
        force[0, i] += task.stiffness[i] * error + task.damping[i] * (pace * task.way[i] - velocity[i])  # JZ (48)
    for k in range(arms):
        g = grip_matrix(group, k, place[0])
        for i in range(3):
            for h in range(3):
                for a in range(g.shape[1]):
                    gram[i, h] += g[i, a] * g[h, a]
    shared = solve_positive(gram, force)[0]
    for k in range(arms):
        g = grip_matrix(group, k, place[0])
        w, v, whole, drift, _ = arm_equations(group, k, q[k], qd[k])
        j = whole[group.contact[k] :].copy()
        l = j.shape[0]
        wanted = wanted_tip(group, k, drift, place, velocity)
        gram_of_arm, right = np.zeros((l, l)), np.zeros((1, l))
        for a in range(l):
            pressed, right[0, a] = 0.0, wanted[a]
            for i in range(3):
                pressed += g[i, a] * shared[i]  # JZ (41), on the object
                right[0, a] += g[i, a] * ahead[i]  # JZ (39)
            for i in range(n):
                torque[k, i] += j[a, i] * pressed  # JZ (42), (47)
            for b in range(l):
                for i in range(n):
                    gram_of_arm[a, b] += j[a, i] * j[b, i]
        if task.share > 0.0:
            least = solve_positive(gram_of_arm, right)[0]
            qdd = np.zeros(n)
            for a in range(l):
                qdd += j[a] * least[a]  # JZ (40)
            for i in range(n):
                torque[k, i] += task.share * v[i]
                for h in range(n):
                    torque[k, i] += task.share * w[i, h] * qdd[h]  # JZ (42)
    return torque


@allocating
def record(group, t, q, qd, place, growth, row, samples):
    """Write one sample."""
    samples.times[row] = t
    samples.place[row] = place
    samples.joints[row] = q
    samples.growth[row] = growth
    for k in range(q.shape[0]):
        samples.points[row, k] = arm_equations(group, k, q[k], qd[k])[4]


@allocating
def run_staggered(group, task, q, qd, dt, steps, record_every, samples):
    """JZ 4.2 as published: one sweep a sample, with the object's acceleration of the sample before.

    The paper says only that qdd is integrated; here rates come first, then positions with the new rates. The
    object is where the arm that holds it rigidly has it. ``q`` and ``qd`` (arms, n) are overwritten.

    Returns:
        the steps done: fewer where the forces grow beyond all bounds.
    """
    acceleration = wanted_acceleration(task, task.timing[0])  # step 1
    for step in range(steps + 1):
        t = step * dt
        place, velocity = held_object(group, q, qd)
        torque = joint_torques(group, task, t, t + dt, q, qd, place, velocity)
        arms = sweep(group, q, qd, torque, place, velocity)
        if step % record_every == 0:
            record(group, t, q, qd, place, arms.growth, step // record_every, samples)
        qdd = joint_accelerations(arms, acceleration)
        largest = 0.0
        felt = acceleration.copy()
        for i in range(3):
            force = arms.reaction[i]
            for h in range(3):
                force += arms.growth[i, h] * acceleration[h]
            felt[i] = -force / group.object_inertia[i]  # JZ (36), (37)
            largest = max(largest, abs(force))
        if not largest < 1e9:
            return step
        acceleration = felt
        qd += dt * qdd
        q += dt * qd
    return steps


@allocating
def exact_accelerations(group, q, qd, torque):
    """Joint accelerations (arms, n) with the object's as an unknown: the fixed point of the sweep."""
    place, velocity = held_object(group, q, qd)
    arms = sweep(group, q, qd, torque, place, velocity)
    whole, right = arms.growth.copy(), np.zeros((1, 3))
    for i in range(3):
        whole[i, i] += group.object_inertia[i]
        right[0, i] = -arms.reaction[i]
    return joint_accelerations(arms, solve_positive(whole, right)[0])


@allocating
def run_exact(group, task, q, qd, dt, steps, record_every, samples):
    """The same task with every instant solved exactly: torques held over a sample, midpoint rule."""
    for step in range(steps + 1):
        t = step * dt
        place, velocity = held_object(group, q, qd)
        torque = joint_torques(group, task, t, t + dt, q, qd, place, velocity)
        if step % record_every == 0:
            growth = sweep(group, q, qd, torque, place, velocity).growth
            record(group, t, q, qd, place, growth, step // record_every, samples)
        half = 0.5 * dt
        first = exact_accelerations(group, q, qd, torque)
        middle = exact_accelerations(group, q + half * qd, qd + half * first, torque)
        q += dt * (qd + half * first)
        qd += dt * middle
    return steps
