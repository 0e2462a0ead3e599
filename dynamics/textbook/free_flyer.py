"""A free flyer by two filters that run in opposite directions: JR Section 3, the signs of its (3.6) repaired."""

import numpy as np

from dynamics.textbook.blackboard import O, Z, solve


def dual_filter(links, joints, inboard, beside, phi, H, M, I_r, a, b, tau, tau_loss, P_plus, z_plus):
    """From the base to the tips: everything inboard of link k; j are the other branches of its inboard neighbor i."""
    R, S, S_plus = np.zeros((3, len(links), 6, 6))
    q_s, z_s, z_s_plus = np.zeros((3, len(links), 6, 1))
    D_s, eps_s, nu_s = np.zeros((3, len(joints), 1, 1))
    G_s = np.zeros((len(joints), 6, 1))

    def base(k):
        S[k] = O  # JR (3.3)
        z_s[k] = Z  # JR (3.5)

    def prediction(k, i):
        R[k] = sum(phi(i, j) @ P_plus[j] @ phi(i, j).T for j in beside(k))  # JR Section 3.4
        S_plus[k] = phi(k, i) @ (S[i] + M[i] + R[k]) @ phi(k, i).T  # JR (3.3)
        q_s[k] = sum(phi(i, j) @ z_plus[j] for j in beside(k))  # JR Section 3.4
        z_s_plus[k] = phi(k, i) @ (z_s[i] + b[i] + q_s[k]) - S_plus[k] @ a[k]  # JR (3.5)

    def correction(k):
        D_s[k] = H[k] @ S_plus[k] @ H[k].T + I_r[k]  # JR (3.3)
        G_s[k] = -S_plus[k] @ H[k].T / D_s[k]  # JR (3.3)
        eps_s[k] = tau[k] - tau_loss[k] + H[k] @ z_s_plus[k]  # JR (3.5)
        S[k] = S_plus[k] + G_s[k] @ H[k] @ S_plus[k]  # JR (3.3)
        z_s[k] = z_s_plus[k] + G_s[k] @ eps_s[k]  # JR (3.5)
        nu_s[k] = eps_s[k] / D_s[k]  # JR (3.5)

    for k in reversed(links):
        if k in joints:
            prediction(k, inboard(k))
            correction(k)
        else:
            base(k)
    return R, S, S_plus, D_s, G_s, q_s, z_s, z_s_plus, eps_s, nu_s


def both_filters(links, joints, a, P, z, S, z_s, G_s, nu_s):
    """Outboard and inboard parts meet at a link and give it one acceleration, independent of the other links."""
    Y, alpha_k = np.zeros((len(links), 6, 6)), np.zeros((len(links), 6, 1))
    theta_dd_k = np.zeros((len(joints), 1, 1))

    def combination(k):
        Y[k] = P[k] + S[k]  # JR (4.11)
        alpha_k[k] = -solve(P[k] + S[k], z[k] + z_s[k] - P[k] @ a[k])  # JR (3.12)

    def correction(k):
        theta_dd_k[k] = nu_s[k] - G_s[k].T @ alpha_k[k]  # JR (3.13)

    for k in links:
        combination(k)
        if k in joints:
            correction(k)
    return Y, alpha_k, theta_dd_k
