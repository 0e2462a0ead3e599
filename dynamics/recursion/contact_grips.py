"""The contact stage where each contact is rigid and has its own arm: R88 (9.1), linear in the arms.

With S_i = Lambda_i(1)^-1, the inertia of arm i at O_1, B_i = phi(C, 1), and r_i = lambda_FREE,i - eta_i
there, (9.1) reads

    (M(C) + sum_i B_i S_i B_i') (alpha(C) - alpha_b) = sum_i B_i S_i (r_i - B_i' alpha_b)
    phi(1, 0) x_i(0) = S_i (r_i - B_i' alpha(C))

that is, one 6x6 factor per arm and one for the object: 6 (N_A + 1) pivots. ``contact_stage`` factors Omega instead, is
cubic in the arms, and handles every contact. Compiled for the row ``page``; ``lanes.grips`` is the hot path's text.
"""

from __future__ import annotations

from dynamics.compiler.kernels import inlined, kernel
from dynamics.spatial.algebra import add21, get21, put21, shift_inertia, spatial_inertia, times_vector
from dynamics.spatial.small_matrices import invert_packed, solve_packed
from dynamics.spatial.vector import add3, congruence3, cross, get3, get6, get9, put6, sub3
from dynamics.system.layout import (
    ARM,
    CONTACT_BIAS,
    CONTACT_DIRECTIONS,
    CONTACT_FORCE,
    CONTACT_LINK,
    COSTATE_COVARIANCE,
    OBJECT_ACCELERATION,
    OBJECT_FREE_ACCELERATION,
    OBJECT_INERTIA,
    OBJECT_LEVER,
    OBJECT_MASS,
    OBJECT_ROTATION_NOW,
    TIP_ACCELERATION,
    TIP_INERTIA,
    TIP_LEVER,
)

# The one threshold, for dimensionless numbers: the share of a direction of a tip's mobility that is independent of the
# five others, and the object's share of the inertia at its mass centre. Below it, (9.1) loses three digits.
LEAST_SHARE = 1e-3
# Positions of the six diagonal elements of a packed matrix.
DIAGONAL = (0, 3, 5, 15, 18, 20)


@kernel
def are_separate_grips(tables):
    """Whether every contact transmits all six directions and has an arm to itself."""
    for i in range(tables.contacts.shape[0]):
        if tables.contacts[i, CONTACT_DIRECTIONS] != 6:
            return False
        for j in range(i):
            if tables.tree[tables.contacts[i, CONTACT_LINK], ARM] == tables.tree[tables.contacts[j, CONTACT_LINK], ARM]:
                return False
    return True


@kernel
def tip_inertias(tables, work):
    """S = Lambda(1)^-1 of every arm that holds, at O_1.

    Returns:
        False if some arm has none, or nearly none: a share 1 / (Lambda_jj S_jj) is below ``LEAST_SHARE``.
    """
    for i in range(tables.contacts.shape[0]):
        mobility = get21(work.links, tables.contacts[i, CONTACT_LINK], COSTATE_COVARIANCE)
        s = invert_packed(mobility)
        for j in DIAGONAL:
            if not 0.0 < LEAST_SHARE * mobility[j] * s[j] < 1.0:
                return False
        put21(work.contacts, i, TIP_INERTIA, s)
    return True


@inlined
def moved_outward(motion, lever):
    """phi' of an acceleration [angular; linear]."""
    return motion[0], add3(motion[1], cross(motion[0], lever))


@kernel
def grip_forces(tables, work):
    """x(0) of every arm and alpha(C), after ``tip_inertias``; R88 (9.1), (4.4).

    Returns:
        False, without a result, for an object so light that it is lost among the arms.
    """
    own, now = tables.task_object, work.task_object
    inertia = get3(own, 0, OBJECT_INERTIA) + get3(own, 0, OBJECT_INERTIA + 3)
    nothing = (0.0, 0.0, 0.0)
    payload = spatial_inertia(congruence3(get9(now, 0, OBJECT_ROTATION_NOW), inertia), own[0, OBJECT_MASS], nothing)
    total, moment, force = payload, nothing, nothing
    free = get6(now, 0, OBJECT_FREE_ACCELERATION)
    for i in range(tables.contacts.shape[0]):
        tip = get3(work.contacts, i, TIP_LEVER)
        lever = sub3(get3(work.contacts, i, OBJECT_LEVER), tip)
        arm, bias = get6(work.contacts, i, TIP_ACCELERATION), get6(work.contacts, i, CONTACT_BIAS)
        angular, linear = sub3(arm[0], bias[0]), sub3(arm[1], bias[1])
        taken = moved_outward(free, lever)
        apart = sub3(angular, taken[0]), sub3(sub3(linear, cross(angular, tip)), taken[1])
        put6(work.contacts, i, CONTACT_FORCE, apart)
        s = get21(work.contacts, i, TIP_INERTIA)
        total = add21(total, shift_inertia(s, lever))
        wanted = times_vector(s, apart[0], apart[1])
        moment, force = add3(moment, add3(wanted[0], cross(lever, wanted[1]))), add3(force, wanted[1])
    for j in DIAGONAL:
        if not payload[j] > LEAST_SHARE * total[j]:
            return False
    added = solve_packed(total, moment, force)
    put6(now, 0, OBJECT_ACCELERATION, (add3(free[0], added[0]), add3(free[1], added[1])))
    for i in range(tables.contacts.shape[0]):
        tip = get3(work.contacts, i, TIP_LEVER)
        taken = moved_outward(added, sub3(get3(work.contacts, i, OBJECT_LEVER), tip))
        apart = get6(work.contacts, i, CONTACT_FORCE)
        x = times_vector(get21(work.contacts, i, TIP_INERTIA), sub3(apart[0], taken[0]), sub3(apart[1], taken[1]))
        put6(work.contacts, i, CONTACT_FORCE, (sub3(x[0], cross(tip, x[1])), x[1]))
    size = work.directions.shape[0]
    work.order[size], work.order[size + 1] = 0, 0  # no Omega has been factored, and none has lost digits
    return True
