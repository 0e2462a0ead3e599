"""Filter and smoother of one arm as R87 VIII prints them: the bias acceleration enters behind the joint."""

import numpy as np

from dynamics.textbook.blackboard import solve


def inward_filter(links, joints, outboard, phi, H, M, I_r, a, b, tau, tau_loss):
    """From the tips to the base; the innovation knows nothing of a."""
    P, P_plus = np.zeros((2, len(links), 6, 6))
    z_minus, z_R = np.zeros((2, len(links), 6, 1))
    D, e_minus, e_plus = np.zeros((3, len(joints), 1, 1))
    G = np.zeros((len(joints), 6, 1))

    def prediction(k):
        z_minus[k] = sum(phi(k, j) @ z_R[j] for j in outboard(k)) + b[k]  # R87 (36)
        P[k] = sum(phi(k, j) @ P_plus[j] @ phi(k, j).T for j in outboard(k)) + M[k]  # R87 (37)

    def correction(k):
        D[k] = H[k] @ P[k] @ H[k].T + I_r[k]  # R87 (38)
        G[k] = P[k] @ H[k].T / D[k]  # R87 (39)
        P_plus[k] = P[k] - G[k] @ H[k] @ P[k]  # R87 (43)
        e_minus[k] = tau[k] - tau_loss[k] - H[k] @ z_minus[k]  # R87 (40)
        z_R[k] = z_minus[k] + G[k] @ e_minus[k] + P_plus[k] @ a[k]  # R87 (41)
        e_plus[k] = e_minus[k] / D[k]  # R87 (42)

    for k in links:
        prediction(k)
        if k in joints:
            correction(k)
    return P, P_plus, D, G, z_minus, z_R, e_minus, e_plus


def outward_smoother(links, joints, inboard, phi, H, G, P, a, z_minus, e_plus):
    """From the base to the tips; what floats moves as its force would have it."""
    alpha, alpha_plus = np.zeros((2, len(links) + 1, 6, 1))  # the last row is the world's
    theta_dd = np.zeros((len(joints), 1, 1))

    def base(k):
        alpha[k] = -solve(P[k], z_minus[k])  # JR (3.2)

    def prediction(k, i):
        alpha_plus[k] = phi(i, k).T @ alpha[i]  # R87 (45)

    def correction(k):
        theta_dd[k] = e_plus[k] - G[k].T @ (alpha_plus[k] + a[k])  # R87 (46)
        alpha[k] = alpha_plus[k] + H[k].T @ theta_dd[k] + a[k]  # R87 (47)

    for k in reversed(links):
        if k in joints:
            prediction(k, inboard(k))
            correction(k)
        else:
            base(k)
    return alpha, alpha_plus, theta_dd


def other_form(links, joints, H, G, P, a, z_minus, e_minus, e_plus):
    """What joins both forms: JR's filter has P a in its prediction, and its innovation knows of a."""
    z, z_plus = np.zeros((2, len(links), 6, 1))
    eps, nu = np.zeros((2, len(joints), 1, 1))

    def prediction(k):
        z[k] = z_minus[k] + P[k] @ a[k]  # JR (2.13a)

    def correction(k):
        eps[k] = e_minus[k] - H[k] @ P[k] @ a[k]  # JR (2.13a)
        z_plus[k] = z[k] + G[k] @ eps[k]  # JR (2.13a)
        nu[k] = e_plus[k] - G[k].T @ a[k]  # JR (2.13a)

    for k in links:
        prediction(k)
        if k in joints:
            correction(k)
    return z, z_plus, eps, nu
