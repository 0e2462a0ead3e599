"""Inverse dynamics of arms that hold an object with a desired acceleration: JZ Section 4, in inertial axes.

The smallest consistent accelerations and forces are taken, as plain numbers. ``constrained`` has the preceding steps.
"""

from dynamics.textbook.blackboard import o, smallest, stack


def torques(links, joints, W_k, V_k, e, I_r, tau_loss, C, A, M_C, J_C, m_C, g, f_C, omega_C, W_C, J_c, gap, alpha_C):
    """The arms follow the object, the contacts share its load, and the motors do both."""
    J_c, gap = J_c.reshape(C.shape[1], -1), gap.reshape(-1, 1)
    W_v = sum(W_k[k] for k in links) + sum(e[k].T @ I_r[k] @ e[k] for k in joints)  # JZ (34)
    V_v = sum(V_k[k] for k in links) + sum(e[k].T @ tau_loss[k] for k in joints)  # JZ (34)
    v_dd = smallest(C @ J_c, C @ (A.T @ alpha_C - gap))  # JZ (40)
    w_C = stack(o, m_C * g)  # JZ (36)
    F_C = M_C @ alpha_C + stack(W_C @ J_C @ omega_C, o) - w_C - f_C  # JZ (36)
    F = smallest(A @ C.T, F_C)  # JZ (41)
    P_v = W_v @ v_dd + V_v + J_c.T @ C.T @ F  # JZ (42)
    return J_c, gap, W_v, V_v, v_dd, w_C, F_C, F, P_v
