"""Newton and Euler, link by link, in base axes: motions outward, forces and moments inward; TML Section 3.

TML puts a link's reference point at its outer end; here O_k is at the inner joint, which is unique in a tree.
"""

import numpy as np

from dynamics.textbook.blackboard import tilde


def motions(joints, inboard, h, d, l, p, theta_d, theta_dd):
    """The angular motion of every link, and the accelerations of its joint and mass center; the base is at rest."""
    omega, alpha, a_plus, a, a_c = np.zeros((5, len(joints) + 1, 3, 1))  # the last row is the world's

    def outward(k, i):
        omega[k] = omega[i] + h[k] * theta_d[k]  # TML (3.3)
        alpha[k] = alpha[i] + h[k] * theta_dd[k] + tilde(omega[i]) @ h[k] * theta_d[k]  # TML (3.4)
        a_plus[k] = a[i] + tilde(alpha[i]) @ l[k] + tilde(omega[i]) @ tilde(omega[i]) @ l[k]  # TML (3.7)
        a[k] = a_plus[k] + d[k] * theta_dd[k] + 2 * tilde(omega[i]) @ d[k] * theta_d[k]  # TML (3.7)
        a_c[k] = a[k] + tilde(alpha[k]) @ p[k] + tilde(omega[k]) @ tilde(omega[k]) @ p[k]  # TML (3.8)

    for k in reversed(joints):
        outward(k, inboard(k))
    return omega, alpha, a_plus, a, a_c


def forces(joints, outboard, h, d, l, p, m, I_c, g, f_ext, n_ext, I_r, theta_dd, tau_loss, omega, alpha, a_c):
    """The force on each link, and the force and moment at its joint for it and all links outboard of it."""
    F, N, f, n_o, n = np.zeros((5, len(joints), 3, 1))
    tau = np.zeros((len(joints), 1, 1))

    def balance(k):
        F[k] = m[k] * (a_c[k] - g)  # TML (3.9)
        N[k] = I_c[k] @ alpha[k] + tilde(omega[k]) @ I_c[k] @ omega[k]  # TML (3.10)
        f[k] = sum(f[j] for j in outboard(k)) + F[k] - f_ext[k]  # TML (3.9)
        n_o[k] = sum(n[j] for j in outboard(k)) + sum(tilde(l[j]) @ f[j] for j in outboard(k))  # TML (3.12)
        n[k] = n_o[k] + N[k] + tilde(p[k]) @ F[k] - n_ext[k]  # TML (3.12)

    def torque(k):
        tau[k] = h[k].T @ n[k] + d[k].T @ f[k] + I_r[k] * theta_dd[k] + tau_loss[k]  # TML (3.13)

    for k in joints:
        balance(k)
        torque(k)
    return F, N, f, n_o, n, tau
