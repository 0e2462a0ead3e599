"""Arms in one plane and the object between them, the setting of JZ Section 5 (l = 3), compiled.

The paper's own numbering: joint 1 is the base's, link n the last. Angles count from the x axis, and a link points
from its joint to the next. Spatial vectors of the plane are [angular; linear] or [moment; force], three numbers,
in world axes, where no frame turns. There is no gravity in the plane.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dynamics.checks import Array
from dynamics.compiler.compiled import allocating
from dynamics.numbers.small_matrices import factor, solve_factored

RIGID, POINT = 0, 1  # the first direction of [moment; force] that a contact transmits


class PlanarGroup(NamedTuple):
    """Arms of n revolute joints, link by link from the base, and what they hold; arm 1 holds it rigidly."""

    base: Array  # (arms, 2)
    length: Array  # (arms, n)
    mass: Array  # (arms, n)
    center: Array  # (arms, n), from the joint along the link
    inertia: Array  # (arms, n), about the mass centre
    grip: Array  # (arms, 2), r_ck in the object's axes
    contact: NDArray[np.int64]  # (arms,) RIGID or POINT
    object_inertia: Array  # (3,), the diagonal of M_o
    last_link: float  # angle of arm 1's last link against the object


@allocating
def arm_equations(group, k, q, qd):
    """Of arm k: W, V, J_w, the rate of J_w times qd, and the places of its joints and tip; JZ (5)-(16).

    In the plane Omega_i is a row of ones, Phi_i and u_i vanish, and beta_i turns each lever by a right angle.
    """
    n = q.shape[0]
    w, v = np.zeros((n, n)), np.zeros(n)
    jacobian, rate = np.zeros((3, n)), np.zeros(3)
    points = np.zeros((n + 1, 2))
    beta = np.zeros((2, n))
    at_x, at_y = group.base[k, 0], group.base[k, 1]
    angle, speed, swing_x, swing_y = 0.0, 0.0, 0.0, 0.0  # of link i; acceleration of its joint at qdd = 0
    for i in range(n):
        points[i, 0], points[i, 1] = at_x, at_y
        angle += q[i]
        speed += qd[i]
        c, s = np.cos(angle), np.sin(angle)
        d, m = group.center[k, i], group.mass[k, i]
        theta_x = swing_x - d * speed * speed * c  # JZ (12), (13)
        theta_y = swing_y - d * speed * speed * s
        for j in range(i + 1):
            beta[0, j] = points[j, 1] - at_y - d * s  # JZ (8), (11)
            beta[1, j] = at_x + d * c - points[j, 0]
        for j in range(i + 1):
            v[j] += m * (theta_x * beta[0, j] + theta_y * beta[1, j])  # JZ (16)
            for h in range(i + 1):
                w[j, h] += m * (beta[0, j] * beta[0, h] + beta[1, j] * beta[1, h]) + group.inertia[k, i]  # JZ (15)
        at_x += group.length[k, i] * c
        at_y += group.length[k, i] * s
        swing_x -= group.length[k, i] * speed * speed * c
        swing_y -= group.length[k, i] * speed * speed * s
    points[n, 0], points[n, 1] = at_x, at_y
    for j in range(n):
        jacobian[0, j] = 1.0
        jacobian[1, j] = points[j, 1] - at_y
        jacobian[2, j] = at_x - points[j, 0]
    rate[1], rate[2] = swing_x, swing_y
    return w, v, jacobian, rate, points


@allocating
def solve_positive(matrix, right):
    """matrix^-1 right for a symmetric positive matrix, row by row of ``right`` (m, size): the answer's transpose."""
    size = matrix.shape[0]
    root = matrix.copy()
    factor(root, size)
    answer = right.copy()
    for row in range(right.shape[0]):
        solve_factored(root, size, answer[row])
    return answer


@allocating
def lever_of(group, k, angle):
    """r_ck in world axes, from the mass centre to contact k."""
    c, s = np.cos(angle), np.sin(angle)
    x, y = group.grip[k, 0], group.grip[k, 1]
    return c * x - s * y, s * x + c * y


@allocating
def grip_matrix(group, k, angle):
    """G_k (3, l_c) of JZ (30), in world axes."""
    x, y = lever_of(group, k, angle)
    g = np.eye(3)
    g[0, 1], g[0, 2] = -y, x
    return g[:, group.contact[k] :].copy()


@allocating
def held_object(group, q, qd):
    """Place and velocity of the object, [angle; x; y], from the arm that holds it rigidly; JZ (38)."""
    _, _, jacobian, _, points = arm_equations(group, 0, q[0], qd[0])
    angle = q[0].sum() - group.last_link
    x, y = lever_of(group, 0, angle)
    tip = np.zeros(3)
    for i in range(3):
        for j in range(qd.shape[1]):
            tip[i] += jacobian[i, j] * qd[0, j]
    place = np.array([angle, points[-1, 0] - x, points[-1, 1] - y])
    return place, np.array([tip[0], tip[1] + tip[0] * y, tip[2] - tip[0] * x])


@allocating
def wanted_tip(group, k, drift, place, velocity):
    """What J_tr qdd has to be, by JZ (39), while X_o'' = 0: the tip turns with the object, less J_tr' qd."""
    x, y = lever_of(group, k, place[0])
    wanted = -drift
    wanted[1] -= velocity[0] * velocity[0] * x
    wanted[2] -= velocity[0] * velocity[0] * y
    return wanted[group.contact[k] :]


@allocating
def constrained_planar_arm(group, k, q, qd, torque, place, velocity):
    """JZ (34) of arm k for an object that does not accelerate, and how the answer follows when it does.

    Returns:
        qdd (n,) and, per unit of X_o'', (3, n); G lambda (3,) and, per unit of X_o'', (3, 3).
    """
    w, v, whole, drift, _ = arm_equations(group, k, q, qd)
    g = grip_matrix(group, k, place[0])
    j = whole[group.contact[k] :].copy()
    l, n = j.shape
    right = np.zeros((l + 1, n))
    right[:l] = j
    right[l] = torque - v
    response = solve_positive(w, right)  # rows of J W^-1, and free accelerations
    mobility = np.zeros((l, l))  # J W^-1 J'
    unknown = np.zeros((4, l))
    wanted = wanted_tip(group, k, drift, place, velocity)
    for a in range(l):
        unknown[3, a] = wanted[a]
        for i in range(n):
            unknown[3, a] -= j[a, i] * response[l, i]
        for b in range(l):
            for i in range(n):
                mobility[a, b] += j[a, i] * response[b, i]
        for i in range(3):
            unknown[i, a] = g[i, a]
    force = solve_positive(mobility, unknown)  # JZ (29): lambda for X_o'' = 0, and per unit of X_o''
    qdd, follow = response[l].copy(), np.zeros((3, n))
    reaction, growth = np.zeros(3), np.zeros((3, 3))
    for a in range(l):
        for i in range(n):
            qdd[i] += response[a, i] * force[3, a]
            for h in range(3):
                follow[h, i] += response[a, i] * force[h, a]
        for i in range(3):
            reaction[i] += g[i, a] * force[3, a]
            for h in range(3):
                growth[i, h] += g[i, a] * force[h, a]
    return qdd, follow, reaction, growth


class Sweep(NamedTuple):
    """All arms at once: qdd = free + follow X_o'', sum G lambda = reaction + growth X_o''."""

    free: Array  # (arms, n)
    follow: Array  # (arms, 3, n)
    reaction: Array  # (3,)
    growth: Array  # (3, 3)


@allocating
def sweep(group, q, qd, torque, place, velocity):
    """JZ 4.2 step 3, arm by arm."""
    arms, n = q.shape
    free, follow = np.zeros((arms, n)), np.zeros((arms, 3, n))
    reaction, growth = np.zeros(3), np.zeros((3, 3))
    for k in range(arms):
        own, own_follow, force, more = constrained_planar_arm(group, k, q[k], qd[k], torque[k], place, velocity)
        free[k] = own
        follow[k] = own_follow
        reaction += force
        growth += more
    return Sweep(free, follow, reaction, growth)


@allocating
def joint_accelerations(arms, acceleration):
    """qdd (arms, n) of a sweep for an acceleration of the object."""
    qdd = arms.free.copy()
    for h in range(3):
        qdd += acceleration[h] * arms.follow[:, h]
    return qdd
