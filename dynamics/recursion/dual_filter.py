"""The second filter of a free flyer: from the base outward, the mirror image of the first.

S(k) is the articulated inertia of everything inboard of joint k, seen at O_k by a link that the joint
leaves free. Neither base nor tip is preferred: S runs outward exactly as P runs inward.
"""

from __future__ import annotations

from dynamics.compiler.compiled import from_python, kernel
from dynamics.compiler.separate_kernel import separate_kernel
from dynamics.numbers.spatial import (
    add21,
    get21,
    minus_outer,
    put21,
    shift_inertia,
    times_angular,
    times_linear,
    times_vector,
)
from dynamics.numbers.vector import add3, cross, dot3, get3, put3, scale3, sub3
from dynamics.recursion.inward_filter import measured_torque
from dynamics.recursion.kinematics import own_inertia
from dynamics.system.layout import (
    ARTICULATED_INERTIA_UPDATED,
    BIAS_ACCELERATION,
    BIAS_FORCE,
    CORRECTED_FORCE,
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
    JOINT_AXIS,
    KIND,
    LEVER,
    REVOLUTE,
    ROTOR_INERTIA,
    SIBLING_FORCE,
    SIBLING_INERTIA,
)


@kernel
def add_branch(work, to, at, k):
    """Add link k's updated inertia and force, moved to O of its inboard link, to columns of row ``to``."""
    lever = get3(work, k, LEVER)
    inertia = shift_inertia(get21(work, k, ARTICULATED_INERTIA_UPDATED), lever)
    force = get3(work, k, CORRECTED_FORCE + 3)
    moment = add3(get3(work, k, CORRECTED_FORCE), cross(lever, force))
    for i in range(21):
        work[to, at + i] += inertia[i]
    for i in range(3):
        work[to, at + 21 + i] += moment[i]
        work[to, at + 24 + i] += force[i]


@kernel
def is_chain(tree):
    """Whether every link hangs on the next one: nobody has siblings then."""
    in_line = 0
    for k in range(tree.shape[0]):
        if tree[k, KIND] == FREE or tree[k, INBOARD] == k + 1:
            in_line += 1
    return in_line == tree.shape[0]


@kernel
def sum_siblings(tree, work):
    """For every link, what the *other* branches of its inboard link contribute there: JR 3.4.

    Sums of those before and those after it, so that nothing is subtracted and nothing cancels.
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


@from_python
@separate_kernel
def dual_filter(tree, model, v, tau, work):
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
        own = own_inertia(model, work, inboard)
        total = get21(work, inboard, DUAL_INERTIA)
        siblings = get21(work, k, SIBLING_INERTIA)
        lever = scale3(-1.0, get3(work, k, LEVER))
        s = shift_inertia(add21(add21(total, own), siblings), lever)  # JR (3.3)
        moment = add3(get3(work, inboard, DUAL_FORCE), get3(work, inboard, BIAS_FORCE))
        moment = add3(moment, get3(work, k, SIBLING_FORCE))
        force = add3(get3(work, inboard, DUAL_FORCE + 3), get3(work, inboard, BIAS_FORCE + 3))
        force = add3(force, get3(work, k, SIBLING_FORCE + 3))
        moment = add3(moment, cross(lever, force))
        s_a = times_vector(s, get3(work, k, BIAS_ACCELERATION), get3(work, k, BIAS_ACCELERATION + 3))
        moment, force = sub3(moment, s_a[0]), sub3(force, s_a[1])  # JR (3.6), a with its sign repaired
        put21(work, k, DUAL_INERTIA_PREDICTED, s)
        put3(work, k, DUAL_FORCE_PREDICTED, moment)
        put3(work, k, DUAL_FORCE_PREDICTED + 3, force)

        h = get3(work, k, JOINT_AXIS)
        if tree[k, KIND] == REVOLUTE:
            u_angular, u_linear = times_angular(s, h)
            d = dot3(h, u_angular) + model[k, ROTOR_INERTIA]  # JR (3.3): D_s = H S+ H'
            seen = dot3(h, moment)
        else:
            u_angular, u_linear = times_linear(s, h)
            d = dot3(h, u_linear) + model[k, ROTOR_INERTIA]
            seen = dot3(h, force)
        if not d > 0.0:
            return k
        g_angular, g_linear = scale3(-1.0 / d, u_angular), scale3(-1.0 / d, u_linear)  # G_s = -S+ H' D_s^-1
        innovation = measured_torque(model, k, v[k], tau[k]) + seen  # eps_s = T + H z_s+
        put21(work, k, DUAL_INERTIA, minus_outer(s, u_angular, u_linear, 1.0 / d))  # S = (1 + G_s H) S+
        put3(work, k, DUAL_FORCE, add3(moment, scale3(innovation, g_angular)))  # z_s = z_s+ + G_s eps_s
        put3(work, k, DUAL_FORCE + 3, add3(force, scale3(innovation, g_linear)))
        work[k, DUAL_JOINT_INERTIA] = d
        put3(work, k, DUAL_GAIN, g_angular)
        put3(work, k, DUAL_GAIN + 3, g_linear)
        work[k, DUAL_INNOVATION] = innovation
        work[k, DUAL_RESIDUAL] = innovation / d
    return -1
