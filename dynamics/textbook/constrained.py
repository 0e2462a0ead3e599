"""One dense equation with Lagrange multipliers (KKT): arms by their Jacobians, closed by the contacts; JZ Section 4.

v contains the joint rates, then six rates per floating base. The multipliers are the contact forces on the object.
"""

import numpy as np

from dynamics.textbook.blackboard import least, o, solve, stack


def jacobians(links, joints, inboard, phi, H, a, e, e_b):
    """The motion of each link due to v, and the contribution of velocities to its acceleration."""
    J_v, gam = np.zeros((len(links) + 1, 6, e.shape[2])), np.zeros((len(links) + 1, 6, 1))  # the last row: the world's

    def base(k):
        J_v[k] = e_b[k]  # JZ (33)

    def outward(k, i):
        J_v[k] = phi(i, k).T @ J_v[i] + H[k].T @ e[k]  # JZ (33)
        gam[k] = phi(i, k).T @ gam[i] + a[k]  # JZ (35)

    for k in reversed(links):
        if k in joints:
            outward(k, inboard(k))
        else:
            base(k)
    return J_v, gam


def resistance(links, M, b, J_v, gam):
    """The inertia and bias force of each link, mapped by its Jacobian to generalized coordinates."""
    W_k, V_k = np.zeros((len(links), *J_v.shape[2:] * 2)), np.zeros((len(links), J_v.shape[2], 1))

    def share(k):
        W_k[k] = J_v[k].T @ M[k] @ J_v[k]  # JZ (34)
        V_k[k] = J_v[k].T @ (M[k] @ gam[k] + b[k])  # JZ (34)

    for k in links:
        share(k)
    return W_k, V_k


def free_acceleration(links, joints, W_k, V_k, e, I_r, tau, tau_loss):
    """Arms that hold nothing: the sum over all links."""
    W_v = sum(W_k[k] for k in links) + sum(e[k].T @ I_r[k] @ e[k] for k in joints)  # JZ (34)
    V_v = sum(V_k[k] for k in links)  # JZ (34)
    T_v = sum(e[k].T @ tau[k] for k in joints) - sum(e[k].T @ tau_loss[k] for k in joints)  # JZ (34)
    v_FREE = solve(W_v, T_v - V_v)  # JZ (34)
    return W_v, V_v, T_v, v_FREE


def contacts(holding, phi_0, l_0, r, dw, dv, W, W_C, J_v, gam):
    """The motion of the point where link k holds the object, and the relative acceleration due to velocities."""
    J_c, gap = np.zeros((len(holding), 6, J_v.shape[2])), np.zeros((len(holding), 6, 1))
    a_tip, a_obj = np.zeros((2, len(holding), 6, 1))

    def contact(c, k):
        J_c[c] = phi_0[c].T @ J_v[k]  # JZ (33)
        a_tip[c] = phi_0[c].T @ gam[k] + stack(o, W[k] @ W[k] @ l_0[c])  # JZ (35)
        a_obj[c] = stack(W_C @ dw[c], W_C @ W_C @ r[c] + 2 * W_C @ dv[c])  # JZ (39)
        gap[c] = a_tip[c] - a_obj[c]  # JZ (39)

    for c, k in enumerate(holding):
        contact(c, k)
    return J_c, a_tip, a_obj, gap


def multipliers(C, A, M_C, J_C, m_C, g, f_C, omega_C, W_C, J_c, gap, W_v, v_FREE):
    """The contact forces for which arms and object accelerate together, and their accelerations."""
    J_c, gap = J_c.reshape(C.shape[1], -1), gap.reshape(-1, 1)
    w_C = stack(o, m_C * g)  # JZ (36)
    b_C = stack(W_C @ J_C @ omega_C, o) - w_C - f_C  # JZ (36)
    L = C @ (J_c @ solve(W_v, J_c.T) + A.T @ solve(M_C, A)) @ C.T  # JZ (29)
    F = least(L, C @ (J_c @ v_FREE + gap + A.T @ solve(M_C, b_C)))  # JZ (29)
    v_dd = v_FREE - solve(W_v, J_c.T @ C.T @ F)  # JZ (34)
    alpha_C = solve(M_C, A @ C.T @ F - b_C)  # JZ (36)
    return J_c, gap, w_C, b_C, L, F, v_dd, alpha_C
