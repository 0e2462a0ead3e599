"""Several arms, one object, contacts c and d held by links k: stages 3 and 4 of R88 Section 8, and Section 9.

Without an index: all contacts, stacked. C selects the transmitted directions, A moves forces to the object.
"""

import numpy as np

from dynamics.textbook.blackboard import least, null, o, solve, stack


def object_bias(omega_C, W_C, J_C, m_C, M_C, g, f_C):
    """The force that the object needs for its present motion, and its acceleration when not held."""
    w_C = stack(o, m_C * g)  # R88 (4.4)
    b_C = stack(W_C @ J_C @ omega_C, o) - w_C - f_C  # R88 (4.4)
    alpha_b = -solve(M_C, b_C)  # R88 (9.2)
    return w_C, b_C, alpha_b


def contact_prediction(holding, meeting, way, inboard, phi, phi_0, l_0, r, dw, dv, W, W_C, alpha, Lam, tau_bar):
    """The arms' accelerations at their tips if they held nothing, and how easily the tips give way."""
    a_0, lam_FREE, eta, lam_bar = np.zeros((4, len(holding), 6, 1))
    Lam_0 = np.zeros((len(holding), len(holding), 6, 6))

    def psi(k, c):
        """The part of a force at contact c that free joints transmit to link k, R88 psi(k, 0)."""
        force = phi_0[c]
        for j in way(c, k):
            force = phi(inboard(j), j) @ tau_bar[j] @ force
        return force

    def prediction(c, k):
        a_0[c] = stack(o, W[k] @ W[k] @ l_0[c])  # JR (2.2)
        lam_FREE[c] = phi_0[c].T @ alpha[k] + a_0[c]  # R88 (8.2)
        eta[c] = stack(W_C @ dw[c], W_C @ W_C @ r[c] + 2 * W_C @ dv[c])  # R88 (4.3)
        lam_bar[c] = lam_FREE[c] - eta[c]  # R88 (8.3)
        Lam_0[c, c] = phi_0[c].T @ Lam[k] @ phi_0[c]  # R88 (8.2)

    def coupling(c, d, k):
        Lam_0[c, d] = psi(k, c).T @ Lam[k] @ psi(k, d)  # R88 (8.2)

    for c, k in enumerate(holding):
        prediction(c, k)
    for c, d, k in meeting:
        coupling(c, d, k)
    return a_0, lam_FREE, eta, lam_bar, Lam_0, psi


def contact_forces(C, A, M_C, b_C, alpha_b, lam_FREE, lam_bar, Lam_0):
    """The forces that let arms and object accelerate together, in one step and as predictor and corrector."""
    lam_FREE, lam_bar = lam_FREE.reshape(-1, 1), lam_bar.reshape(-1, 1)
    Lam_0 = Lam_0.transpose(0, 2, 1, 3).reshape(C.shape[1], -1)
    Omega = C @ (Lam_0 + A.T @ solve(M_C, A)) @ C.T  # R88 (8.3)
    F = least(Omega, C @ (lam_bar + A.T @ solve(M_C, b_C)))  # R88 (8.3)
    x_0 = C.T @ F  # R88 (8.3)
    alpha_C = solve(M_C, A @ x_0 - b_C)  # R88 (4.4)
    N = C.T @ null(Omega)  # after R88 (8.3)
    x_tip = C.T @ least(C @ Lam_0 @ C.T, C @ lam_FREE, Omega)  # R88 (8.2)
    x_FREE = C.T @ least(C @ Lam_0 @ C.T, C @ lam_bar, Omega)  # R88 (9.1)
    y = A @ x_FREE  # R88 (9.1)
    gain = C.T @ least(Omega, C @ solve(M_C, A).T)  # R88 (9.1)
    rho = C.T @ least(Omega, C @ (lam_bar - Lam_0 @ x_FREE))  # after R88 (8.3)
    x_new = x_FREE + gain @ (b_C - y) + rho  # R88 (9.1)
    alpha_new = alpha_b + gain.T @ (lam_bar - A.T @ alpha_b)  # R88 (9.2)
    return lam_FREE, lam_bar, Lam_0, Omega, F, x_0, alpha_C, N, x_tip, x_FREE, y, gain, rho, x_new, alpha_new


def filter_correction(links, joints, outboard, held_by, phi, phi_0, H, D, tau_bar, eps, z, x_0):
    """The contact forces carried inward, with the gains already known; they correct the innovations."""
    x_0 = x_0.reshape(-1, 6, 1)  # contact by contact
    q, dz, z_new = np.zeros((3, len(links), 6, 1))
    eps_new, nu_new = np.zeros((2, len(joints), 1, 1))

    def prediction(k):
        q[k] = sum(phi_0[c] @ x_0[c] for c in held_by(k))  # R88 (8.4)
        dz[k] = sum(phi(k, j) @ tau_bar[j] @ dz[j] for j in outboard(k)) + q[k]  # R88 (8.4)
        z_new[k] = z[k] + dz[k]  # R88 (8.6)

    def correction(k):
        eps_new[k] = eps[k] - H[k] @ dz[k]  # R88 (8.4)
        nu_new[k] = eps_new[k] / D[k]  # R88 (8.4)

    for k in links:
        prediction(k)
        if k in joints:
            correction(k)
    return x_0, q, dz, z_new, eps_new, nu_new
