"""The modified Newton-Euler form: one matrix A gives every point's acceleration, no mass center needed; TML Section 5.

A b = omega x (omega x b) + alpha x b. In base axes, at the inner joint O_k, as ``newton_euler``.
"""

import numpy as np

from dynamics.textbook.blackboard import axial, tilde


def motions(joints, inboard, h, d, l, theta_d, theta_dd):
    """The angular motion of every link, its matrix A, and the acceleration of its joint; the base is at rest."""
    omega, alpha, a_plus, a = np.zeros((4, len(joints) + 1, 3, 1))  # the last row is the world's
    A = np.zeros((len(joints) + 1, 3, 3))

    def outward(k, i):
        omega[k] = omega[i] + h[k] * theta_d[k]  # TML (3.3)
        alpha[k] = alpha[i] + h[k] * theta_dd[k] + tilde(omega[i]) @ h[k] * theta_d[k]  # TML (3.4)
        A[k] = tilde(omega[k]) @ tilde(omega[k]) + tilde(alpha[k])  # TML Section 5
        a_plus[k] = a[i] + A[i] @ l[k]  # TML (5.1)
        a[k] = a_plus[k] + d[k] * theta_dd[k] + 2 * tilde(omega[i]) @ d[k] * theta_d[k]  # TML (5.1)

    for k in reversed(joints):
        outward(k, inboard(k))
    return omega, alpha, A, a_plus, a


def forces(joints, outboard, h, d, l, m, mp, K, g, f_ext, n_ext, I_r, theta_dd, tau_loss, A, a):
    """The force and moment at each joint; the moment of a link's inertia is the axial part of the product A K."""
    f_o, f, n_o, n = np.zeros((4, len(joints), 3, 1))
    tau = np.zeros((len(joints), 1, 1))

    def balance(k):
        f_o[k] = sum(f[j] for j in outboard(k))  # TML (5.1)
        f[k] = f_o[k] + A[k] @ mp[k] + m[k] * (a[k] - g) - f_ext[k]  # TML (5.1)
        n_o[k] = sum(n[j] for j in outboard(k)) + sum(tilde(l[j]) @ f[j] for j in outboard(k))  # TML (5.2)
        n[k] = n_o[k] + axial(A[k] @ K[k]) + tilde(mp[k]) @ (a[k] - g) - n_ext[k]  # TML (5.2)

    def torque(k):
        tau[k] = h[k].T @ n[k] + d[k].T @ f[k] + I_r[k] * theta_dd[k] + tau_loss[k]  # TML (3.13)

    for k in joints:
        balance(k)
        torque(k)
    return f_o, f, n_o, n, tau
