"""Arms in one plane and the object between them as in JZ Section 5, compiled: equations, torques, the published step.

The paper's own numbering: joint 1 is the base's, link n the last. Angles count from the x axis, and a link points from
its joint to the next. A point is a complex number x + i y, and i z is z turned by a right angle. Spatial vectors are
[angular; x; y] or [moment; x; y] in world axes, where no frame turns. There is no gravity in the plane.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dynamics.checks import Array
from dynamics.compiler.kernels import allocating
from dynamics.motion.control_law import progress

LENGTH, MASS, CENTER, INERTIA = 0.2, 0.5, 0.1, 0.0015  # of every link, JZ Table 1
DURATION = 5.0  # t_f, s
TIMING = np.array([0.0, DURATION, 0.0])
RIGID, POINT = 0, 1  # the first direction of [moment; x; y] that a contact transmits
DIVERGED = 1e9


class PlanarArms(NamedTuple):
    """Where arms stand and how they hold the object; arm 1 holds it rigidly."""

    base: NDArray[np.complex128]  # (arms,)
    grip: NDArray[np.complex128]  # (arms,), r_ck in the object's axes
    contact: NDArray[np.int64]  # (arms,), RIGID or POINT
    object_inertia: Array  # (3,), the diagonal of M_o
    last_link: float  # angle of arm 1's last link against the object


class PlanarTask(NamedTuple):
    """Move the object from ``start`` by ``way``, [angle; x; y], along 10 u^3 - 15 u^4 + 6 u^5; JZ (43)-(45)."""

    start: Array  # (3,)
    way: Array  # (3,)
    share: float  # of the group's inverse dynamics (40)-(42) in the torques
    stiffness: float  # K and B of the control in task space, (47)-(48)
    damping: float
    lead: float  # of the wanted velocity in (48): one as printed, zero without it


@allocating
def arm_equations(base, q, qd):
    """W, V, the tip's Jacobian (3, n), its rate times qd, and the points of joints and tip of an arm; JZ (5)-(16).

    In the plane Omega_i is a row of ones, Phi_i and u_i vanish, and beta_i turns each lever by a right angle.
    """
    n = q.shape[0]
    w, v, jacobian, rate = np.zeros((n, n)), np.zeros(n), np.ones((3, n)), np.zeros(3)
    points = np.full(n + 1, base)
    angle, speed, swing = 0.0, 0.0, 0.0j  # of link i; the acceleration of its joint at qdd = 0
    for i in range(n):
        angle += q[i]
        speed += qd[i]
        along = np.exp(1j * angle)
        beta = 1j * (points[i] + CENTER * along - points[: i + 1])  # JZ (8), (11)
        theta = swing - CENTER * speed * speed * along  # JZ (12), (13)
        for j in range(i + 1):
            v[j] += MASS * (theta * beta[j].conjugate()).real  # JZ (16)
            for h in range(i + 1):
                w[j, h] += MASS * (beta[j] * beta[h].conjugate()).real + INERTIA  # JZ (15)
        points[i + 1] = points[i] + LENGTH * along
        swing -= LENGTH * speed * speed * along
    lever = 1j * (points[n] - points[:n])
    jacobian[1], jacobian[2] = lever.real, lever.imag
    rate[1], rate[2] = swing.real, swing.imag
    return w, v, jacobian, rate, points


@allocating
def grip_matrix(arms, k, angle):
    """The lever r_ck in world axes, and G_k (3, l) of JZ (30)."""
    lever = arms.grip[k] * np.exp(1j * angle)
    g = np.eye(3)
    g[0, 1], g[0, 2] = -lever.imag, lever.real
    return lever, g[:, arms.contact[k] :].copy()


@allocating
def held_arm(arms, k, q, qd, place, velocity):
    """W, V, J_tr (l, n) and G (3, l) of arm k, and what J_tr qdd is while the object does not accelerate; JZ (39)."""
    w, v, jacobian, rate, _ = arm_equations(arms.base[k], q[k], qd[k])
    lever, g = grip_matrix(arms, k, place[0])
    wanted = -rate
    wanted[1] -= velocity[0] * velocity[0] * lever.real
    wanted[2] -= velocity[0] * velocity[0] * lever.imag
    first = arms.contact[k]
    return w, v, jacobian[first:].copy(), g, wanted[first:]


@allocating
def held_object(arms, q, qd):
    """Place and velocity of the object, [angle; x; y], from the arm that holds it rigidly; JZ (38)."""
    _, _, jacobian, _, points = arm_equations(arms.base[0], q[0], qd[0])
    angle = q[0].sum() - arms.last_link
    lever = arms.grip[0] * np.exp(1j * angle)
    middle, tip = points[-1] - lever, jacobian @ qd[0]
    return (
        np.array([angle, middle.real, middle.imag]),
        np.array([tip[0], tip[1] + tip[0] * lever.imag, tip[2] - tip[0] * lever.real]),
    )


@allocating
def wanted_acceleration(task, t):
    """X_o'' of the desired trajectory, differentiated."""
    u = t / DURATION
    rate = 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / (DURATION * DURATION) if 0.0 <= u <= 1.0 else 0.0
    return rate * task.way


@allocating
def joint_torques(arms, task, t, end, q, qd, place, velocity):
    """P_k (arms, n) of the sampling interval from t to ``end``.

    Inverse dynamics asks for the acceleration at the interval's end, where its step 5 has moved t to. Both
    pseudo-inverses are of matrices of full row rank: A+ = A' (A A')^-1.
    """
    done, pace = progress(TIMING, t)
    ahead = wanted_acceleration(task, end)
    force = task.share * arms.object_inertia * ahead  # JZ (36)
    force += task.stiffness * (task.start + done * task.way - place)  # JZ (48)
    force += task.damping * (task.lead * pace * task.way - velocity)
    gram, torque = np.zeros((3, 3)), np.empty_like(q)
    for k in range(len(q)):
        _, g = grip_matrix(arms, k, place[0])
        gram += g @ g.T
    shared = np.linalg.solve(gram, force)
    for k in range(len(q)):
        w, v, j, g, wanted = held_arm(arms, k, q, qd, place, velocity)
        torque[k] = j.T @ (g.T @ shared)  # JZ (41) on the object, (42), (47)
        if task.share > 0.0:
            qdd = j.T @ np.linalg.solve(j @ j.T, g.T @ ahead + wanted)  # JZ (39), (40)
            torque[k] += task.share * (v + w @ qdd)  # JZ (42)
    return torque


@allocating
def sweep(arms, q, qd, torque, place, velocity, assumed):
    """JZ 4.2 steps 3 and 4: qdd (arms, n) for an object's acceleration, and the object's that their forces give."""
    qdd, reaction = np.empty_like(q), np.zeros(3)
    for k in range(len(q)):
        w, v, j, g, wanted = held_arm(arms, k, q, qd, place, velocity)
        response, free = np.linalg.solve(w, j.T.copy()), np.linalg.solve(w, torque[k] - v)
        force = np.linalg.solve(j @ response, g.T @ assumed + wanted - j @ free)  # JZ (29): lambda
        qdd[k] = free + response @ force  # JZ (34)
        reaction += g @ force
    return qdd, -reaction / arms.object_inertia  # JZ (36), (37)


@allocating
def run_staggered(arms, task, q, qd, dt, steps, every, places, joints):
    """JZ 4.2 as published: one sweep a sample, with the object's acceleration of the sample before.

    The paper says only that qdd is integrated; here rates come first, then positions with the new rates. The object
    is where the arm that holds it rigidly has it. ``q`` and ``qd`` (arms, n) are overwritten; every so many samples
    ``places`` (T, 3) and ``joints`` (T, arms, n) are written.

    Returns:
        the steps done: fewer where the forces grow beyond all bounds.
    """
    acceleration = wanted_acceleration(task, 0.0)  # step 1
    for step in range(steps + 1):
        place, velocity = held_object(arms, q, qd)
        if step % every == 0:
            places[step // every], joints[step // every] = place, q
        torque = joint_torques(arms, task, step * dt, step * dt + dt, q, qd, place, velocity)
        qdd, acceleration = sweep(arms, q, qd, torque, place, velocity, acceleration)
        if not np.abs(arms.object_inertia * acceleration).max() < DIVERGED:
            return step
        qd += dt * qdd
        q += dt * qd
    return steps
