"""Filter and smoother of an arm, a tree, or several of them, as the papers write them: R87 VIII, JR Section 2.

Links are numbered from tip to base; i is the inboard neighbor of link k, j an outboard one. Everything is in inertial
axes, at O_k; vectors are columns, H(k) is a row. A function within a sweep is one half of its step.
"""

import numpy as np

from dynamics.textbook.blackboard import I, solve, stack, tilde


def bias(links, omega, W, W_plus, turn, slide, l, J, m, p, g, f):
    """Contribution of velocity, weight and pushes f to accelerations and forces; W is the cross product with omega."""
    a, w, b = np.zeros((3, len(links), 6, 1))

    def prediction(k):
        a[k] = stack(W_plus[k] @ turn[k], W_plus[k] @ W_plus[k] @ l[k] + 2 * W_plus[k] @ slide[k])  # JR (2.2)
        w[k] = stack(m[k] * tilde(p[k]) @ g, m[k] * g)  # R87 (7)
        b[k] = stack(W[k] @ J[k] @ omega[k], m[k] * W[k] @ W[k] @ p[k]) - w[k] - f[k]  # R87 (7)

    for k in links:
        prediction(k)
    return a, w, b


def inward_filter(links, joints, outboard, phi, H, M, I_r, a, b, tau, tau_loss):
    """From the tips to the base. R87's own form omits P a from z_minus, adds P+ a to z_R and also gets z_plus."""
    P, P_plus, tau_bar = np.zeros((3, len(links), 6, 6))
    z, z_plus, z_minus, z_R = np.zeros((4, len(links), 6, 1))
    D, eps, nu, e_minus, e_plus = np.zeros((5, len(joints), 1, 1))
    G = np.zeros((len(joints), 6, 1))

    def prediction(k):
        P[k] = sum(phi(k, j) @ P_plus[j] @ phi(k, j).T for j in outboard(k)) + M[k]  # R87 (37)
        z[k] = sum(phi(k, j) @ z_plus[j] for j in outboard(k)) + b[k] + P[k] @ a[k]  # JR (2.13a)
        z_minus[k] = sum(phi(k, j) @ z_R[j] for j in outboard(k)) + b[k]  # R87 (36)

    def correction(k):
        D[k] = H[k] @ P[k] @ H[k].T + I_r[k]  # R87 (38)
        G[k] = P[k] @ H[k].T / D[k]  # R87 (39)
        eps[k] = tau[k] - tau_loss[k] - H[k] @ z[k]  # JR (2.13a)
        z_plus[k] = z[k] + G[k] @ eps[k]  # JR (2.13a)
        P_plus[k] = P[k] - G[k] @ H[k] @ P[k]  # R87 (43)
        nu[k] = eps[k] / D[k]  # JR (2.13a)
        tau_bar[k] = I - G[k] @ H[k]  # JR (2.6)
        e_minus[k] = tau[k] - tau_loss[k] - H[k] @ z_minus[k]  # R87 (40)
        z_R[k] = z_minus[k] + G[k] @ e_minus[k] + P_plus[k] @ a[k]  # R87 (41)
        e_plus[k] = e_minus[k] / D[k]  # R87 (42)

    for k in links:
        prediction(k)
        if k in joints:
            correction(k)
    return P, P_plus, D, G, z, z_plus, eps, nu, tau_bar, z_minus, z_R, e_minus, e_plus


def outward_smoother(links, joints, inboard, phi, H, G, P, a, z, nu):
    """From the base to the tips. A floating body moves as its force requires; the world stands still."""
    alpha, alpha_plus = np.zeros((2, len(links) + 1, 6, 1))  # the last row is the world's
    theta_dd, x = np.zeros((len(joints), 1, 1)), np.zeros((len(links), 6, 1))

    def base(k):
        alpha[k] = -solve(P[k], z[k])  # JR (3.2)

    def prediction(k, i):
        alpha_plus[k] = phi(i, k).T @ alpha[i]  # R87 (45)

    def correction(k):
        theta_dd[k] = nu[k] - G[k].T @ alpha_plus[k]  # JR (2.13b)
        alpha[k] = alpha_plus[k] + H[k].T @ theta_dd[k] + a[k]  # R87 (47)

    def force(k):
        x[k] = z[k] - P[k] @ a[k] + P[k] @ alpha[k]  # R87 (34)

    for k in reversed(links):
        if k in joints:
            prediction(k, inboard(k))
            correction(k)
        else:
            base(k)
        force(k)
    return alpha, alpha_plus, theta_dd, x


def costate_covariance(links, joints, inboard, phi, H, P, D, tau_bar):
    """How easily each link accelerates: the inverse of its operational-space inertia."""
    Lam, Lam_plus = np.zeros((2, len(links) + 1, 6, 6))

    def base(k):
        Lam[k] = solve(P[k], I)  # JR (4.8)

    def prediction(k, i):
        Lam_plus[k] = phi(i, k).T @ Lam[i] @ phi(i, k)  # R87 (67)

    def correction(k):
        Lam[k] = tau_bar[k].T @ Lam_plus[k] @ tau_bar[k] + H[k].T @ H[k] / D[k]  # R87 (68)

    for k in reversed(links):
        if k in joints:
            prediction(k, inboard(k))
            correction(k)
        else:
            base(k)
    return Lam, Lam_plus
