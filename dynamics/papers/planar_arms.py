"""Arms in one plane and the object between them as in JZ Section 5, compiled: equations, torques, the published step.

The paper's own numbering: joint 1 is the base's, link n the last. Angles count from the x axis, and a link points from
its joint to the next. A point is a complex number x + i y, and i z is z rotated by a right angle. Spatial vectors are
[angular; x; y] or [moment; x; y] in world axes, in which no frame rotates. There is no gravity in the plane. Sums of
vectors are written out: numba compiles them sooner than array arithmetic.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dynamics.checks import Array
from dynamics.compiler.kernels import allocating
from dynamics.motion.control_law import progress
from dynamics.spatial.small_matrices import factor, solve_factored

LENGTH, MASS, CENTER, INERTIA = 0.2, 0.5, 0.1, 0.0015  # of every link, JZ Table 1
DURATION = 5.0  # t_f, s
TIMING = np.array([0.0, DURATION, 0.0])
RIGID, POINT = 0, 1  # the first direction of [moment; x; y] that a contact transmits
DIVERGED = 1e9


class PlanarArms(NamedTuple):
    """The bases of the arms and how they hold the object; arm 1 holds it rigidly."""

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
    lead: float  # of the desired velocity in (48): one as printed, zero without it


@allocating
def arm_equations(base, q, qd):
    """W, V, the tip's Jacobian (3, n), its rate times qd, and the points of joints and tip of an arm; JZ (5)-(16).

    In the plane Omega_i is a row of ones, Phi_i and u_i vanish, and beta_i turns each lever by a right angle.
    """
    n = len(q)
    w, v, jacobian, rate = np.zeros((n, n)), np.zeros(n), np.ones((3, n)), np.zeros(3)
    points = np.full(n + 1, base)
    angle, speed, swing = 0.0, 0.0, 0.0j  # of link i; the acceleration of its joint at qdd = 0
    for i in range(n):
        angle += q[i]
        speed += qd[i]
        along = np.exp(1j * angle)
        center = points[i] + CENTER * along
        theta = swing - CENTER * speed * speed * along  # JZ (12), (13)
        for j in range(i + 1):
            beta = 1j * (center - points[j])  # JZ (8), (11)
            v[j] += MASS * (theta * beta.conjugate()).real  # JZ (16)
            for h in range(i + 1):
                w[j, h] += MASS * (beta.conjugate() * 1j * (center - points[h])).real + INERTIA  # JZ (15)
        points[i + 1] = points[i] + LENGTH * along
        swing -= LENGTH * speed * speed * along
    for j in range(n):
        lever = 1j * (points[n] - points[j])
        jacobian[1, j], jacobian[2, j] = lever.real, lever.imag
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
def held_arm(arms, k, q, qd, place, velocity, assumed):
    """W, V, J_tr (l, n) and G (3, l) of arm k, and J_tr qdd for an acceleration of the object; JZ (39)."""
    w, v, jacobian, rate, _ = arm_equations(arms.base[k], q[k], qd[k])
    lever, g = grip_matrix(arms, k, place[0])
    rate[1] += velocity[0] * velocity[0] * lever.real
    rate[2] += velocity[0] * velocity[0] * lever.imag
    first, wanted = arms.contact[k], g.T @ assumed
    for i in range(len(wanted)):
        wanted[i] -= rate[first + i]
    return w, v, jacobian[first:].copy(), g, wanted


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
    out = np.empty(3)
    for i in range(3):
        out[i] = rate * task.way[i]
    return out


@allocating
def joint_torques(arms, task, t, end, q, qd, place, velocity):
    """P_k (arms, n) of the sampling interval from t to ``end``.

    Inverse dynamics uses the acceleration at the interval's end, because JZ's step 5 has advanced t to it. Both
    pseudo-inverses are of matrices of full row rank: A+ = A' (A A')^-1.
    """
    done, pace = progress(TIMING, t)
    ahead = wanted_acceleration(task, end)
    force, gram, torque = np.empty(3), np.zeros((3, 3)), np.empty_like(q)
    for i in range(3):
        force[i] = task.share * arms.object_inertia[i] * ahead[i]  # JZ (36)
        force[i] += task.stiffness * (task.start[i] + done * task.way[i] - place[i])  # JZ (48)
        force[i] += task.damping * (task.lead * pace * task.way[i] - velocity[i])
    for k in range(len(q)):
        _, g = grip_matrix(arms, k, place[0])
        each = g @ g.T
        for i in range(3):
            for j in range(3):
                gram[i, j] += each[i, j]
    factor(gram, len(gram))
    solve_factored(gram, len(gram), force)
    for k in range(len(q)):
        w, v, j, g, wanted = held_arm(arms, k, q, qd, place, velocity, ahead)
        shared = j.T @ (g.T @ force)  # JZ (41) on the object, (42), (47)
        for i in range(len(v)):
            torque[k, i] = shared[i]
        if task.share > 0.0:
            square = j @ j.T
            factor(square, len(j))
            solve_factored(square, len(j), wanted)
            inverse = w @ (j.T @ wanted)  # JZ (39), (40)
            for i in range(len(v)):
                torque[k, i] += task.share * (v[i] + inverse[i])  # JZ (42)
    return torque


@allocating
def sweep(arms, q, qd, torque, place, velocity, assumed):
    """JZ 4.2 steps 3 and 4: qdd (arms, n) for an assumed object acceleration, and the one that the forces then give."""
    qdd, acceleration = np.empty_like(q), np.zeros(3)
    for k in range(len(q)):
        w, v, j, g, force = held_arm(arms, k, q, qd, place, velocity, assumed)
        n, response = len(v), j.copy()  # W^-1 J', transposed
        factor(w, n)
        for row in response:
            solve_factored(w, n, row)
        for i in range(n):
            qdd[k, i] = torque[k, i] - v[i]
        solve_factored(w, n, qdd[k])
        free = j @ qdd[k]
        for i in range(len(force)):
            force[i] -= free[i]
        square = j @ response.T
        factor(square, len(j))
        solve_factored(square, len(j), force)  # JZ (29): lambda
        bent, reaction = response.T @ force, g @ force
        for i in range(n):
            qdd[k, i] += bent[i]  # JZ (34)
        for i in range(3):
            acceleration[i] -= reaction[i] / arms.object_inertia[i]  # JZ (36), (37)
    return qdd, acceleration


@allocating
def run_staggered(arms, task, q, qd, dt, steps, every, places, joints):
    """JZ 4.2 as published: one sweep a sample, with the object's acceleration of the sample before.

    The paper says only that qdd is integrated; here rates are updated first, then positions with the new rates. The
    arm that holds the object rigidly determines its place. ``q`` and ``qd`` (arms, n) are overwritten; ``places``
    (T, 3) and ``joints`` (T, arms, n) are written at every ``every``-th sample.

    Returns:
        the steps done: fewer if the forces diverge.
    """
    acceleration = wanted_acceleration(task, 0.0)  # step 1
    for step in range(steps + 1):
        place, velocity = held_object(arms, q, qd)
        if step % every == 0:
            places[step // every] = place
            joints[step // every] = q
        torque = joint_torques(arms, task, step * dt, step * dt + dt, q, qd, place, velocity)
        qdd, acceleration = sweep(arms, q, qd, torque, place, velocity, acceleration)
        for i in range(3):
            if not abs(arms.object_inertia[i] * acceleration[i]) < DIVERGED:
                return step
        for k in range(len(q)):
            for i in range(q.shape[1]):
                qd[k, i] += dt * qdd[k, i]
                q[k, i] += dt * qd[k, i]
    return steps
