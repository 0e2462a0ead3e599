"""V of the equation of motion: the torques that keep the rates constant, without joint accelerations; R87 (31)."""

import numpy as np

from dynamics.textbook.blackboard import solve


def bias_torque(joints, inboard, outboard, phi, H, M, a, b, tau_loss):
    """Two sweeps without joint accelerations: the torques due to velocities, weight and external forces."""
    alpha_V, x_V = np.zeros((len(joints) + 1, 6, 1)), np.zeros((len(joints), 6, 1))
    V = np.zeros((len(joints), 1, 1))

    def outward(k, i):
        alpha_V[k] = phi(i, k).T @ alpha_V[i] + a[k]  # R87 (18)

    def inward(k):
        x_V[k] = sum(phi(k, j) @ x_V[j] for j in outboard(k)) + M[k] @ alpha_V[k] + b[k]  # R87 (16)
        V[k] = H[k] @ x_V[k] + tau_loss[k]  # R87 (31)

    for k in reversed(joints):
        outward(k, inboard(k))
    for k in joints:
        inward(k)
    return alpha_V, x_V, V


def motion(joints, mass, V, tau):
    """The equation of motion, solved for the accelerations."""
    W, V, tau = mass.transpose(0, 2, 1, 3).reshape(len(joints), -1), V.reshape(-1, 1), tau.reshape(-1, 1)
    theta_dd = solve(W, tau - V)  # R87 (22)
    return W, V, tau, theta_dd
