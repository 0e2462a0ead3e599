"""Inverse dynamics by two sweeps, accelerations outward and forces inward: R87 Section VII, at O_k in inertial axes."""

import numpy as np


def accelerations(joints, inboard, phi, H, a, theta_dd):
    """From the base, which is at rest, to the tips."""
    alpha, alpha_plus = np.zeros((2, len(joints) + 1, 6, 1))  # the last row is the world's

    def outward(k, i):
        alpha_plus[k] = phi(i, k).T @ alpha[i]  # R87 (18)
        alpha[k] = alpha_plus[k] + H[k].T @ theta_dd[k] + a[k]  # R87 (19)

    for k in reversed(joints):
        outward(k, inboard(k))
    return alpha, alpha_plus


def torques(joints, outboard, phi, H, M, b, I_r, tau_loss, theta_dd, alpha):
    """From the free tips to the base."""
    x, T = np.zeros((len(joints), 6, 1)), np.zeros((len(joints), 1, 1))

    def inward(k):
        x[k] = sum(phi(k, j) @ x[j] for j in outboard(k)) + M[k] @ alpha[k] + b[k]  # R87 (16)

    def output(k):
        T[k] = H[k] @ x[k] + I_r[k] @ theta_dd[k] + tau_loss[k]  # R87 (20)

    for k in joints:
        inward(k)
        output(k)
    return x, T
