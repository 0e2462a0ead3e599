"""Arms in one plane and the object between them, as JZ simulates them in Section 5: compiled.

The paper's own setting, l = 3, with its own numbering: joint 1 is the base's, link n the last. Angles are
counted from the x axis; a link points from its joint to the next. Spatial vectors are [moment; force] or
[angular; linear] of the plane, three numbers, in world axes. No gravity in the plane.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dynamics.compiled import kernel

Array = NDArray[np.float64]
RIGID, POINT = 0, 1  # the first direction that a contact transmits, of [moment; force]


class PlanarGroup(NamedTuple):
    """Arms of revolute joints, link by link from the base, and what they hold."""

    base: Array  # (arms, 2)
    length: Array  # (arms, n)
    mass: Array  # (arms, n)
    center: Array  # (arms, n), from the joint along the link
    inertia: Array  # (arms, n), about the mass centre
    grip: Array  # (arms, 2), r_ck in the object's axes
    contact: NDArray[np.int64]  # (arms,) RIGID or POINT
    thing: Array  # (2,): mass, moment of inertia


@kernel
def arm_equations(group, k, q, qd):
    """W, V, J_w and the rate of J_w times qd of arm k, and the place of its tip; JZ (5)-(16) in the plane.

    In the plane Omega_i is a row of ones, Phi_i and u_i vanish, and beta_i turns each lever by a right angle.
    """
    n = q.shape[0]
    w, v = np.zeros((n, n)), np.zeros(n)
    jacobian, rate = np.zeros((3, n)), np.zeros(3)
    joints = np.zeros((n, 2))
    at_x, at_y = group.base[k, 0], group.base[k, 1]
    angle, speed, swing_x, swing_y = 0.0, 0.0, 0.0, 0.0  # of link i; acceleration of its joint at qdd = 0
    beta = np.zeros((2, n))
    for i in range(n):
        joints[i, 0], joints[i, 1] = at_x, at_y
        angle += q[i]
        speed += qd[i]
        c, s = np.cos(angle), np.sin(angle)
        d, m = group.center[k, i], group.mass[k, i]
        theta_x, theta_y = swing_x - d * speed * speed * c, swing_y - d * speed * speed * s  # JZ (12)
        for j in range(i + 1):
            beta[0, j] = -(at_y + d * s - joints[j, 1])  # JZ (8), (11)
            beta[1, j] = at_x + d * c - joints[j, 0]
        for j in range(i + 1):
            v[j] += m * (theta_x * beta[0, j] + theta_y * beta[1, j])  # JZ (16)
            for h in range(i + 1):
                w[j, h] += m * (beta[0, j] * beta[0, h] + beta[1, j] * beta[1, h]) + group.inertia[k, i]  # JZ (15)
        at_x += group.length[k, i] * c
        at_y += group.length[k, i] * s
        swing_x -= group.length[k, i] * speed * speed * c
        swing_y -= group.length[k, i] * speed * speed * s
    for j in range(n):
        jacobian[0, j] = 1.0
        jacobian[1, j] = -(at_y - joints[j, 1])
        jacobian[2, j] = at_x - joints[j, 0]
    rate[1], rate[2] = swing_x, swing_y
    return w, v, jacobian, rate, np.array([at_x, at_y])


@kernel
def grip_geometry(group, k, place):
    """G_k of JZ (30) in world axes, (3, l_c), and the lever from the mass centre to the contact."""
    c, s = np.cos(place[0]), np.sin(place[0])
    x = c * group.grip[k, 0] - s * group.grip[k, 1]
    y = s * group.grip[k, 0] + c * group.grip[k, 1]
    whole = np.eye(3)
    whole[0, 1], whole[0, 2] = -y, x
    return whole[:, group.contact[k] :].copy(), np.array([x, y])


@kernel
def constrained_arm(group, k, q, qd, torque, place, velocity, acceleration):
    """JZ (34) of arm k for a given acceleration of the object: its qdd, and G_k lambda_k.

    Returns:
        qdd; G lambda, the force of this arm's reaction, (3,); and G (J W^-1 J')^-1 G', (3, 3), by which that
        force grows with the object's acceleration.
    """
    w, v, whole, drift, _ = arm_equations(group, k, q, qd)
    g, lever = grip_geometry(group, k, place)
    j = whole[group.contact[k] :].copy()
    wanted = np.dot(g.T, acceleration) - drift[group.contact[k] :]  # JZ (39); world axes turn no frame
    wanted[-2] -= velocity[0] * velocity[0] * lever[0]
    wanted[-1] -= velocity[0] * velocity[0] * lever[1]
    free = np.linalg.solve(w, torque - v)
    response = np.linalg.solve(w, j.T.copy())
    stiffness = np.linalg.solve(np.dot(j, response), np.eye(j.shape[0]))
    force = np.dot(stiffness, wanted - np.dot(j, free))  # JZ (29)
    growth = np.dot(np.dot(g, stiffness), g.T.copy())
    return free + np.dot(response, force), np.dot(g, force), growth


@kernel
def object_acceleration(group, reaction):
    """JZ (36)-(37): the object's acceleration under -sum_k G_k lambda_k."""
    mass, inertia = group.thing[0], group.thing[1]
    return np.array([-reaction[0] / inertia, -reaction[1] / mass, -reaction[2] / mass])


@kernel
def held_place(group, k, q, qd):
    """Place and velocity of the object that arm k grips rigidly, given the angle of its last link at the grip."""
    _, _, whole, _, tip = arm_equations(group, k, q, qd)
    return tip, np.dot(whole, qd)
