"""Where each contact is, how it moves, and how far arm and object have drifted apart there; and the grips of (9.1).

Where each contact is rigid and has its own arm, the contact stage is linear in the arms. With S_i = Lambda_i(1)^-1,
the inertia of arm i at O_1, B_i = phi(C, 1), and r_i = lambda_FREE,i - eta_i there, R88 (9.1) reads

    (M(C) + sum_i B_i S_i B_i') (alpha(C) - alpha_b) = sum_i B_i S_i (r_i - B_i' alpha_b)
    phi(1, 0) x_i(0) = S_i (r_i - B_i' alpha(C))

that is, one 6x6 factor per arm and one for the object: 6 (N_A + 1) pivots. ``contact_stage`` factors Omega instead, is
cubic in the arms, and handles every contact. Compiled for the row ``page``; ``lanes.grips`` is the hot path's text.
"""

from __future__ import annotations

import math

from dynamics.compiler.kernels import inlined, kernel
from dynamics.spatial.algebra import add21, get21, put21, shift_inertia, spatial_inertia, times_vector
from dynamics.spatial.rotation import quaternion_matrix, rotation_vector
from dynamics.spatial.small_matrices import invert_packed, solve_packed
from dynamics.spatial.vector import (
    add3,
    compose,
    congruence3,
    cross,
    dot3,
    get3,
    get6,
    get9,
    put3,
    put6,
    put9,
    rotate,
    scale3,
    sub3,
    symmetric3,
)
from dynamics.system.layout import (
    ARM,
    CONTACT_BIAS,
    CONTACT_DIRECTIONS,
    CONTACT_FORCE,
    CONTACT_LINK,
    COSTATE_COVARIANCE,
    DIRECTION,
    DIRECTION_INWARD,
    DIRECTION_ON_OBJECT,
    DIRECTION_RESPONSE,
    FREE,
    GAP_SHARE,
    HOLONOMIC,
    KIND,
    MACHINE_LENGTH,
    OBJECT_ACCELERATION,
    OBJECT_FREE_ACCELERATION,
    OBJECT_INERTIA,
    OBJECT_INVERSE_INERTIA,
    OBJECT_LEVER,
    OBJECT_MASS,
    OBJECT_POSITION,
    OBJECT_POSITION_NOW,
    OBJECT_ROTATION,
    OBJECT_ROTATION_NOW,
    OBJECT_VELOCITY,
    POSITION,
    POSITION_GAP,
    REVOLUTE,
    ROTATION,
    SELECTION,
    TIP_ACCELERATION,
    TIP_INERTIA,
    TIP_LEVER,
    TIP_POSITION,
    TIP_ROTATION,
    VELOCITY,
    VELOCITY_GAP,
)

# 1/s: anything slower counts as at rest.
SLOWEST = 1e-6


@inlined
def object_motion(tables, work, x, v):
    """The object's pose and velocity, and alpha_b = -M^-1(C) b(C), its acceleration when not held.

    b(C) = [w x I w - T; -F - m g], MATH block 4 of R88 9 with its velocity bias.
    """
    if tables.task_object.shape[0] == 0:
        return
    n_x, n_v = x.shape[0] - 7, v.shape[0] - 6
    rotation = quaternion_matrix(x[n_x + 3], x[n_x + 4], x[n_x + 5], x[n_x + 6])
    omega = (v[n_v], v[n_v + 1], v[n_v + 2])
    now = work.task_object
    put9(now, 0, OBJECT_ROTATION_NOW, rotation)
    put3(now, 0, OBJECT_POSITION_NOW, (x[n_x], x[n_x + 1], x[n_x + 2]))
    put3(now, 0, OBJECT_VELOCITY, omega)
    put3(now, 0, OBJECT_VELOCITY + 3, (v[n_v + 3], v[n_v + 4], v[n_v + 5]))
    own = tables.task_object
    inertia = congruence3(rotation, get3(own, 0, OBJECT_INERTIA) + get3(own, 0, OBJECT_INERTIA + 3))
    inverse = congruence3(rotation, get3(own, 0, OBJECT_INVERSE_INERTIA) + get3(own, 0, OBJECT_INVERSE_INERTIA + 3))
    n_links = tables.tree.shape[0]
    moment = sub3(get3(work.wrench, n_links, 0), cross(omega, symmetric3(inertia, omega)))
    put3(now, 0, OBJECT_FREE_ACCELERATION, symmetric3(inverse, moment))
    force = scale3(1.0 / own[0, OBJECT_MASS], get3(work.wrench, n_links, 3))
    gravity = (tables.gravity[0], tables.gravity[1], tables.gravity[2])
    put3(now, 0, OBJECT_FREE_ACCELERATION + 3, add3(force, gravity))


@kernel
def contact_geometry(tables, work):
    """Levers, gaps, velocity bias, and the rows of C, A C' and M^-1 A C' of every contact.

    A gap is the arm's less the object's, in the transmitted directions. A row that fixes only a part of the
    relative rotation has no position to return to (it is not integrable): its position gap is zero.
    """
    own, now = tables.task_object, work.task_object
    center = get3(now, 0, OBJECT_POSITION_NOW)
    rotation = get9(now, 0, OBJECT_ROTATION_NOW)
    omega_c = get3(now, 0, OBJECT_VELOCITY)
    velocity_c = get3(now, 0, OBJECT_VELOCITY + 3)
    inverse = congruence3(rotation, get3(own, 0, OBJECT_INVERSE_INERTIA) + get3(own, 0, OBJECT_INVERSE_INERTIA + 3))
    m = 0
    for i in range(tables.contacts.shape[0]):
        k = tables.contacts[i, CONTACT_LINK]
        link_rotation = get9(work.links, k, ROTATION)
        tip_lever = rotate(link_rotation, get3(tables.contact_model, i, TIP_POSITION))
        tip = add3(get3(work.links, k, POSITION), tip_lever)
        lever = sub3(tip, center)
        frame = compose(rotation, get9(tables.contact_model, i, OBJECT_ROTATION))
        tip_frame = compose(link_rotation, get9(tables.contact_model, i, TIP_ROTATION))
        transposed = (frame[0], frame[3], frame[6], frame[1], frame[4], frame[7], frame[2], frame[5], frame[8])
        turn_gap = rotation_vector(compose(tip_frame, transposed))
        place_gap = sub3(lever, rotate(rotation, get3(tables.contact_model, i, OBJECT_POSITION)))
        omega = get3(work.links, k, VELOCITY)
        turn_rate_gap = sub3(omega, omega_c)
        swing_c = cross(omega_c, lever)
        tip_velocity = add3(get3(work.links, k, VELOCITY + 3), cross(omega, tip_lever))
        rate_gap = sub3(sub3(tip_velocity, velocity_c), swing_c)
        put3(work.contacts, i, TIP_LEVER, tip_lever)
        put3(work.contacts, i, OBJECT_LEVER, lever)
        # eta = [0; w x (w x r)], and where the contact lets the tip slip, the rotation of C itself.
        put3(work.contacts, i, CONTACT_BIAS, cross(omega_c, turn_rate_gap))
        slip = scale3(2.0, cross(omega_c, rate_gap))
        put3(work.contacts, i, CONTACT_BIAS + 3, add3(cross(omega_c, swing_c), slip))
        for n in range(tables.contacts[i, CONTACT_DIRECTIONS], 6):
            work.contacts[i, POSITION_GAP + n] = 0.0
            work.contacts[i, VELOCITY_GAP + n] = 0.0
        for n in range(tables.contacts[i, CONTACT_DIRECTIONS]):
            angular = rotate(frame, get3(tables.contact_model, i, SELECTION + 6 * n))
            linear = rotate(frame, get3(tables.contact_model, i, SELECTION + 6 * n + 3))
            on_object = add3(angular, cross(lever, linear))
            put3(work.directions, m, DIRECTION, angular)
            put3(work.directions, m, DIRECTION + 3, linear)
            put3(work.directions, m, DIRECTION_INWARD, add3(angular, cross(tip_lever, linear)))
            put3(work.directions, m, DIRECTION_ON_OBJECT, on_object)  # A C'
            put3(work.directions, m, DIRECTION_ON_OBJECT + 3, linear)
            put3(work.directions, m, DIRECTION_RESPONSE, symmetric3(inverse, on_object))  # M^-1 A C'
            put3(work.directions, m, DIRECTION_RESPONSE + 3, scale3(1.0 / own[0, OBJECT_MASS], linear))
            held = tables.contact_model[i, HOLONOMIC + n]
            work.contacts[i, POSITION_GAP + n] = held * (dot3(angular, turn_gap) + dot3(linear, place_gap))
            work.contacts[i, VELOCITY_GAP + n] = dot3(angular, turn_rate_gap) + dot3(linear, rate_gap)
            m += 1


@inlined
def largest_coordinate(tables, v):
    """The largest packed velocity coordinate, or change, of a system with an object; lengths in machine's lengths."""
    tree, share = tables.tree, 1.0 / tables.task_object[0, MACHINE_LENGTH]
    largest, at = 0.0, 0
    for k in range(tree.shape[0] + 1):
        if k == tree.shape[0] or tree[k, KIND] == FREE:
            for j in range(3):
                largest = max(largest, abs(v[at + j]), share * abs(v[at + 3 + j]))
            at += 6
        else:
            largest = max(largest, abs(v[at]) if tree[k, KIND] == REVOLUTE else share * abs(v[at]))
            at += 1
    return largest


@kernel
def machine_rate(tables, v):
    """1/s, the scale of rates: how fast the machine moves, or would fall through its own length."""
    g = tables.gravity[0] * tables.gravity[0] + tables.gravity[1] * tables.gravity[1]
    falling = math.sqrt(math.sqrt(g + tables.gravity[2] * tables.gravity[2]) / tables.task_object[0, MACHINE_LENGTH])
    return max(SLOWEST, falling, largest_coordinate(tables, v))


@kernel
def worst_gaps(tables, work, v):
    """The largest gap of all contacts in position, rad or machine's lengths, and in velocity, shares of its rate."""
    if tables.contacts.shape[0] == 0:  # there may be no object either, and its row has the machine's length
        return 0.0, 0.0
    position = 0.0
    velocity = 0.0
    for i in range(tables.contacts.shape[0]):
        for n in range(tables.contacts[i, CONTACT_DIRECTIONS]):
            share = tables.contact_model[i, GAP_SHARE + n]
            position = max(position, share * abs(work.contacts[i, POSITION_GAP + n]))
            velocity = max(velocity, share * abs(work.contacts[i, VELOCITY_GAP + n]))
    return position, velocity / machine_rate(tables, v)


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
