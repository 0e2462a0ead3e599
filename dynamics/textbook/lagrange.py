"""Lagrange's equations by 4x4 matrices T and their derivatives; TML Section 2 and its appendix (Uicker, Kahn).

T(k) maps from the axes of link k to the base's, T(j,k) to those of link j. Q(j), a derivative, is to the right of T.
"""

import numpy as np

from dynamics.textbook.blackboard import trace


def transforms(joints, inboard, way, T_k, Q, base):
    """The pose of every link, and its derivative with respect to each joint on the path to the base."""
    T, S = np.zeros((len(joints) + 1, 4, 4)), np.zeros((len(joints), len(joints), 4, 4))
    U = np.zeros((len(joints), len(joints), 4, 4))
    T[-1] = base

    def transform(k, i):
        T[k] = T[i] @ T_k[k]  # TML (1.15)

    def chained(k, i, j):
        S[j, k] = S[j, i] @ T_k[k]  # TML (1.15)
        U[k, j] = T[j] @ Q[j] @ S[j, k]  # TML (1.18)

    def own(k):
        S[k, k] = base  # TML (1.15)
        U[k, k] = T[k] @ Q[k] @ S[k, k]  # TML (1.18)

    for k in reversed(joints):
        transform(k, inboard(k))
        own(k)
        for j in way(k)[1:]:
            chained(k, inboard(k), j)
    return T, S, U


def kinetic_terms(joints, way, pairs, Q, S, U, J, theta_d, theta_dd):
    """The acceleration of every link's points, weighted by its pseudo-inertia."""
    U_2 = np.zeros((len(joints), len(joints), len(joints), 4, 4))
    U_d = np.zeros((len(joints), len(joints), 4, 4))
    T_dd, B = np.zeros((2, len(joints), 4, 4))

    def second(k, s, j):
        U_2[k, s, j] = U[s, j] @ Q[s] @ S[s, k]  # TML (1.19)
        U_2[k, j, s] = U_2[k, s, j]  # TML (1.19)

    def rate(k, j):
        U_d[k, j] = sum(U_2[k, j, s] * theta_d[s] for s in way(k))  # TML (2.10)

    def kinetic(k):
        T_dd[k] = sum(U[k, j] * theta_dd[j] for j in way(k)) + sum(U_d[k, j] * theta_d[j] for j in way(k))  # TML (2.10)
        B[k] = T_dd[k] @ J[k]  # TML (2.9)

    for k in reversed(joints):
        for s, j in pairs(k):
            second(k, s, j)
        for j in way(k):
            rate(k, j)
        kinetic(k)
    return U_2, U_d, T_dd, B


def torques(joints, carried, U, B, w, E, I_r, tau_loss, theta_dd):
    """One torque per joint: from the inertia forces of all links outboard of it, their weight and external forces."""
    kin, grav, push, tau = np.zeros((4, len(joints), 1, 1))

    def torque(j):
        kin[j] = sum(trace(B[k] @ U[k, j].T) for k in carried(j))  # TML (2.11)
        grav[j] = -sum(trace(w[k] @ U[k, j].T) for k in carried(j))  # TML (2.8)
        push[j] = sum(trace(E[k] @ U[k, j].T) for k in carried(j))  # TML (2.7)
        tau[j] = kin[j] + grav[j] - push[j] + I_r[j] * theta_dd[j] + tau_loss[j]  # TML (2.11)

    for j in joints:
        torque(j)
    return kin, grav, push, tau
