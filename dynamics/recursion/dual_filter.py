"""The second filter of a free flyer: from the base outward, the mirror image of the first.

S(k) is the articulated inertia of everything inboard of joint k, as seen at O_k by a link that the joint
leaves free. Neither base nor tip is special: S runs outward exactly as P runs inward.

Compiled for P + S of machines that branch, and for a flyer's stages in every frame of a page; for a chain
``link_inertia`` gives P + S alone, for the row ``every_link_inertia``.
"""

from __future__ import annotations

from dynamics.compiler.kernels import kernel
from dynamics.recursion.inward_filter import carried_inward, corrected, observed
from dynamics.recursion.kinematics import own_inertia
from dynamics.spatial.algebra import add21, get21, put21, shift_inertia, times_vector
from dynamics.spatial.small_matrices import solve_packed
from dynamics.spatial.vector import add3, cross, dot3, get3, get6, put6, scale3, sub3
from dynamics.system.layout import (
    ARTICULATED_INERTIA,
    BIAS_ACCELERATION,
    BIAS_FORCE,
    COMBINED_ACCELERATION,
    COMBINED_JOINT_ACCELERATION,
    DUAL_FORCE,
    DUAL_FORCE_PREDICTED,
    DUAL_GAIN,
    DUAL_INERTIA,
    DUAL_INERTIA_PREDICTED,
    DUAL_INNOVATION,
    DUAL_JOINT_INERTIA,
    DUAL_RESIDUAL,
    FREE,
    INBOARD,
    INNOVATION,
    JOINT_AXIS,
    JOINT_INERTIA,
    KALMAN_GAIN,
    KIND,
    LEVER,
    PREDICTED_FORCE,
    REVOLUTE,
    ROTOR_INERTIA,
    SIBLING_FORCE,
    SIBLING_INERTIA,
    TORQUE,
)


@kernel
def add_branch(work, to, column, k):
    """Add link k's updated inertia and force, moved to O of its inboard link, to columns of row ``to``."""
    p, z, g = get21(work, k, ARTICULATED_INERTIA), get6(work, k, PREDICTED_FORCE), get6(work, k, KALMAN_GAIN)
    p, z = corrected(p, z, g, work[k, JOINT_INERTIA], work[k, INNOVATION])
    inertia, (moment, force) = carried_inward(p, z, get3(work, k, LEVER))
    for i in range(21):
        work[to, column + i] += inertia[i]
    for i in range(3):
        work[to, column + 21 + i] += moment[i]
        work[to, column + 24 + i] += force[i]


@kernel
def is_chain(tree):
    """Whether every link is attached to the next one, so that no link has siblings."""
    in_line = 0
    for k in range(tree.shape[0]):
        if tree[k, KIND] == FREE or tree[k, INBOARD] == k + 1:
            in_line += 1
    return in_line == tree.shape[0]


@kernel
def sum_siblings(tree, work):
    """For every link, the contribution of the *other* branches of its inboard link there: JR Section 3.4.

    It adds the branches before and after the link, so that nothing is subtracted and nothing cancels.
    """
    n_links = tree.shape[0]
    if is_chain(tree):
        for k in range(n_links):
            for i in range(27):
                work[k, SIBLING_INERTIA + i] = 0.0
        return
    accumulator = DUAL_INERTIA  # 27 numbers that are written later: a link's S and part of its S+
    for k in range(n_links + 1):
        for i in range(27):
            work[k, accumulator + i] = 0.0
    for k in range(n_links):
        inboard = tree[k, INBOARD]
        for i in range(27):
            work[k, SIBLING_INERTIA + i] = work[inboard, accumulator + i]
        if tree[k, KIND] != FREE:
            add_branch(work, inboard, accumulator, k)
    for k in range(n_links + 1):
        for i in range(27):
            work[k, accumulator + i] = 0.0
    for k in range(n_links - 1, -1, -1):
        inboard = tree[k, INBOARD]
        for i in range(27):
            work[k, SIBLING_INERTIA + i] += work[inboard, accumulator + i]
        if tree[k, KIND] != FREE:
            add_branch(work, inboard, accumulator, k)


@kernel
def dual_filter(tree, model, work):
    """JR (3.3)-(3.6) with its signs repaired, outward from S(n) = 0, z_s(n) = 0; after ``inward_filter``.

    Returns:
        -1, or the first link whose dual joint inertia is not positive.
    """
    sum_siblings(tree, work)
    for k in range(tree.shape[0] - 1, -1, -1):
        if tree[k, KIND] == FREE:
            for i in range(21):
                work[k, DUAL_INERTIA + i] = 0.0
                work[k, DUAL_INERTIA_PREDICTED + i] = 0.0
            for i in range(6):
                work[k, DUAL_FORCE + i] = 0.0
                work[k, DUAL_FORCE_PREDICTED + i] = 0.0
            continue
        inboard = tree[k, INBOARD]
        # [S + M + siblings](k+1), then the lever from O_k back to O_k+1 points the other way.
        total = add21(get21(work, inboard, DUAL_INERTIA), own_inertia(model, work, inboard))
        lever = scale3(-1.0, get3(work, k, LEVER))
        s = shift_inertia(add21(total, get21(work, k, SIBLING_INERTIA)), lever)  # JR (3.3)
        z, b, others = get6(work, inboard, DUAL_FORCE), get6(work, inboard, BIAS_FORCE), get6(work, k, SIBLING_FORCE)
        force = add3(add3(z[1], b[1]), others[1])
        moment = add3(add3(add3(z[0], b[0]), others[0]), cross(lever, force))
        a = get6(work, k, BIAS_ACCELERATION)
        s_a = times_vector(s, a[0], a[1])
        moment, force = sub3(moment, s_a[0]), sub3(force, s_a[1])  # JR (3.6), a with its sign repaired
        put21(work, k, DUAL_INERTIA_PREDICTED, s)
        put6(work, k, DUAL_FORCE_PREDICTED, (moment, force))

        # JR (3.3): S+ H', D_s = H S+ H' and H z_s+
        revolute, rotor = tree[k, KIND] == REVOLUTE, model[k, ROTOR_INERTIA]
        u, d, seen = observed(s, (moment, force), get3(work, k, JOINT_AXIS), revolute, rotor)
        if not d > 0.0:
            return k
        g = scale3(-1.0 / d, u[0]), scale3(-1.0 / d, u[1])  # G_s = -S+ H' D_s^-1
        innovation = work[k, TORQUE] + seen  # eps_s = T + H z_s+
        s, z_s = corrected(s, (moment, force), g, d, innovation)  # S = (1 + G_s H) S+, z_s = z_s+ + G_s eps_s
        put21(work, k, DUAL_INERTIA, s)
        put6(work, k, DUAL_FORCE, z_s)
        work[k, DUAL_JOINT_INERTIA] = d
        put6(work, k, DUAL_GAIN, g)
        work[k, DUAL_INNOVATION] = innovation
        work[k, DUAL_RESIDUAL] = innovation / d
    return -1


@kernel
def combine_filters(tree, work):
    """Every link's acceleration from both filters, each link independent of the others; JR (3.12), (3.13)."""
    for k in range(tree.shape[0]):
        combined_acceleration(work, k, tree[k, KIND] != FREE)


@kernel
def combined_acceleration(work, k, hinged):
    """alpha(k) = -[P + S]^-1 [z + z_s - P a], theta'' = nu_s - G_s' alpha; JR (3.12), (3.13)."""
    p, a = get21(work, k, ARTICULATED_INERTIA), get6(work, k, BIAS_ACCELERATION)
    p_a, z, z_s = times_vector(p, a[0], a[1]), get6(work, k, PREDICTED_FORCE), get6(work, k, DUAL_FORCE)
    moment, force = sub3(sub3(p_a[0], z[0]), z_s[0]), sub3(sub3(p_a[1], z[1]), z_s[1])
    alpha = solve_packed(add21(p, get21(work, k, DUAL_INERTIA)), moment, force)  # JR (3.12)
    put6(work, k, COMBINED_ACCELERATION, alpha)
    if hinged:
        g_s = get6(work, k, DUAL_GAIN)
        seen = dot3(g_s[0], alpha[0]) + dot3(g_s[1], alpha[1])
        work[k, COMBINED_JOINT_ACCELERATION] = work[k, DUAL_RESIDUAL] - seen  # JR (3.13)
