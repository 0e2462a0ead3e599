"""Appel's equations: the energy of accelerations is quadratic in them; JZ Section 2, at mass centers, base axes.

The acceleration of link k's mass center is beta theta'' + Theta; its angular acceleration is Omega theta'' + Phi.
"""

import numpy as np

from dynamics.textbook.blackboard import solve, stack, tilde


def coefficients(joints, inboard, h, d, e, l, p, W, W_plus, turn, slide):
    """The coefficients of the joint accelerations, and the terms due to velocities."""
    Omega_k, beta = np.zeros((2, len(joints) + 1, 3, len(joints)))  # the last row is the world's
    Phi, Theta = np.zeros((2, len(joints) + 1, 3, 1))
    l_c, q_c = np.zeros((2, len(joints), 3, 1))

    def outward(k, i):
        l_c[k] = l[k] - p[i]  # JZ (4)
        Omega_k[k] = Omega_k[i] + h[k] @ e[k]  # JZ (9)
        beta[k] = beta[i] - tilde(l_c[k]) @ Omega_k[i] - tilde(p[k]) @ Omega_k[k] + d[k] @ e[k]  # JZ (11)
        Phi[k] = Phi[i] + W_plus[k] @ turn[k]  # JZ (10)
        q_c[k] = W_plus[k] @ W_plus[k] @ l_c[k] + W[k] @ W[k] @ p[k] + 2 * W_plus[k] @ slide[k]  # JZ (13)
        Theta[k] = Theta[i] + tilde(Phi[i]) @ l_c[k] + tilde(Phi[k]) @ p[k] + q_c[k]  # JZ (12)

    for k in reversed(joints):
        outward(k, inboard(k))
    return l_c, Omega_k, beta, Phi, q_c, Theta


def gibbs_function(joints, m, I_c, p, omega, g, f, Omega_k, beta, Phi, Theta):
    """W, V and D of S = theta''^T W theta'' / 2 + V theta'' + D, link by link; Y and f are the external forces."""
    n = len(joints)
    W_k, V_k, D_k = np.zeros((n, n, n)), np.zeros((n, 1, n)), np.zeros((n, 1, 1))
    u, Y_k = np.zeros((n, 3, 1)), np.zeros((n, n, 1))

    def share(k):
        u[k] = -tilde(omega[k]) @ I_c[k] @ omega[k]  # JZ (18)
        W_k[k] = m[k] * beta[k].T @ beta[k] + Omega_k[k].T @ I_c[k] @ Omega_k[k]  # JZ (15)
        V_k[k] = m[k] * Theta[k].T @ beta[k] + (I_c[k] @ Phi[k] - u[k]).T @ Omega_k[k]  # JZ (16)
        D_k[k] = 0.5 * m[k] * Theta[k].T @ Theta[k] + 0.5 * Phi[k].T @ I_c[k] @ Phi[k] - u[k].T @ Phi[k]  # JZ (17)
        Y_k[k] = m[k] * beta[k].T @ g + stack(Omega_k[k], beta[k] + tilde(p[k]) @ Omega_k[k]).T @ f[k]  # JZ (22)

    for k in joints:
        share(k)
    return u, W_k, V_k, D_k, Y_k


def equations_of_motion(joints, W_k, V_k, D_k, Y_k, e, I_r, tau, tau_loss):
    """The derivative of S with respect to each acceleration equals the torque of motors and weight there."""
    tau, tau_loss = tau.reshape(-1, 1), tau_loss.reshape(-1, 1)
    W_S = sum(W_k[k] for k in joints) + sum(e[k].T @ I_r[k] @ e[k] for k in joints)  # JZ (15)
    V_S = sum(V_k[k] for k in joints)  # JZ (16)
    D_S = sum(D_k[k] for k in joints)  # JZ (17)
    Y = sum(Y_k[k] for k in joints)  # JZ (22)
    theta_dd = solve(W_S, tau - tau_loss + Y - V_S.T)  # JZ (20)
    S_A = 0.5 * theta_dd.T @ W_S @ theta_dd + V_S @ theta_dd + D_S  # JZ (14)
    return tau, tau_loss, W_S, V_S, D_S, Y, theta_dd, S_A
