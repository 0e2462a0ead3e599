"""Rigid grips in lanes, for speed: the contact stage if every contact transmits all six directions.

Without it the rows ``two_arms_call``, ``four_arms_call`` and ``one_second_of_two_arms`` would fail.

Then no contact operator over all directions is needed. With S_i = Lambda_i(1)^-1, the inertia of arm i
at O_1 of the holding link, and B_i = phi(C, 1), which carries a force from there to the object's mass
centre, R88 (8.3) becomes, by the matrix inversion lemma,

    (M(C) + sum_i B_i S_i B_i') (alpha(C) - alpha_b) = sum_i B_i S_i (r_i - B_i' alpha_b)
    phi(1, 0) x_i(0) = S_i (r_i - B_i' alpha(C))

with r_i = lambda_FREE,i - eta_i, both at O_1: one 6x6 inverse per arm and one for the object. At O_1 the small
inertias of a light wrist are not lost beside the products of its mass and the levers. It is valid if each arm's Lambda
can be inverted, which its pivots show; otherwise ``contact_stage`` solves for the contact forces themselves.
"""

from __future__ import annotations

from dynamics.compiler.kernels import inlined, kernel
from dynamics.lanes import layout as lane
from dynamics.lanes.contacts import gathered3, hand3, hand6
from dynamics.lanes.filter import arms_inward, arms_outward, load36, moved, shifted_inertia, store36, times6
from dynamics.lanes.kinematics import composed, load9, rotated
from dynamics.lanes.workspace import opened
from dynamics.recursion.contact_geometry import LEAST_SHARE, machine_rate
from dynamics.spatial.factor_in_lanes import minus_inverse
from dynamics.spatial.lanes import angular, cross, dot, join, linear, load3, load6, spread, store
from dynamics.spatial.rotation import rotation_vector
from dynamics.spatial.vector import compose, congruence3, get3, get9
from dynamics.system.layout import (
    ARM,
    CONTACT_FORCE,
    CONTACT_LINK,
    MACHINE_LENGTH,
    OBJECT_ACCELERATION,
    OBJECT_FREE_ACCELERATION,
    OBJECT_INERTIA,
    OBJECT_MASS,
    OBJECT_POSITION,
    OBJECT_POSITION_NOW,
    OBJECT_ROTATION,
    OBJECT_ROTATION_NOW,
    OBJECT_VELOCITY,
    TIP_LEVER,
    TIP_POSITION,
    TIP_ROTATION,
)


@kernel
def grip_geometry(arena):
    """Levers, and the velocity terms of lambda_FREE(0) - eta, for every grip; as ``contact_geometry``."""
    tables, work, lanes = opened(arena)
    links, grips, now = lanes.links, lanes.grips, work.task_object
    center = gathered3(now, 0, OBJECT_POSITION_NOW)
    omega_c, velocity_c = gathered3(now, 0, OBJECT_VELOCITY), gathered3(now, 0, OBJECT_VELOCITY + 3)
    zero = spread(0.0, 0.0, 0.0)
    for i in range(tables.contacts.shape[0]):
        k = tables.contacts[i, CONTACT_LINK]
        tip_lever = rotated(load9(links, k), tables.contact_model, i, TIP_POSITION)
        lever = load3(links, k, lane.POSITION) + tip_lever - center
        motion = load6(links, k, lane.VELOCITY)
        omega = angular(motion)
        swing, swing_c = cross(omega, tip_lever), cross(omega_c, lever)
        turn_rate_gap = omega - omega_c
        rate_gap = linear(motion) + swing - velocity_c - swing_c
        # eta, including the rotation of C if the tip slips
        eta = cross(join(omega_c, omega_c), join(turn_rate_gap, swing_c + 2.0 * rate_gap))
        inward = arms_outward(-tip_lever)
        store(grips, i, lane.GRIP_LEVER, tip_lever)
        store(grips, i, lane.GRIP_OBJECT_LEVER, lever)
        store(grips, i, lane.GRIP_CENTER_LEVER, lever - tip_lever)
        store(grips, i, lane.GRIP_BIAS, moved(inward, join(zero, cross(omega, swing)) - eta))
        store(grips, i, lane.GRIP_VELOCITY_GAP, moved(inward, join(turn_rate_gap, rate_gap)))


@inlined
def turn_between(frame, tip_frame):
    """The vector s with exp(s~) F = T, for two rotations by columns."""
    sine = cross(frame[0], tip_frame[0]) + cross(frame[1], tip_frame[1]) + cross(frame[2], tip_frame[2])
    w = 1.0 + dot(frame[0], tip_frame[0]) + dot(frame[1], tip_frame[1]) + dot(frame[2], tip_frame[2])
    sine_squared = dot(sine, sine)
    if w > 0.0 and sine_squared < 1e-6 * w * w:  # the series of ``rotation_vector``, equally accurate to the last digit
        tangent_squared = sine_squared / (w * w)
        return (2.0 / w * (1.0 - tangent_squared * (1.0 / 3.0 - 0.2 * tangent_squared))) * sine
    s = rotation_vector(compose(in_rows(tip_frame), transposed(in_rows(frame))))
    return spread(s[0], s[1], s[2])


@inlined
def in_rows(c):
    """A rotation by columns, row by row."""
    return c[0][0], c[1][0], c[2][0], c[0][1], c[1][1], c[2][1], c[0][2], c[1][2], c[2][2]


@inlined
def transposed(r):
    """R' of a rotation, row by row."""
    return r[0], r[3], r[6], r[1], r[4], r[7], r[2], r[5], r[8]


@inlined
def largest_along(frame, v):
    """The largest component of v in a frame's own axes."""
    return max(abs(dot(frame[0], v)), abs(dot(frame[1], v)), abs(dot(frame[2], v)))


@kernel
def grip_gaps(arena, v):
    """The gap of every grip, at O_1; after ``grip_geometry``.

    Returns:
        As ``worst_gaps``, in the contacts' own axes.
    """
    tables, work, lanes = opened(arena)
    grips = lanes.grips
    r = get9(work.task_object, 0, OBJECT_ROTATION_NOW)
    center_rotation = spread(r[0], r[3], r[6]), spread(r[1], r[4], r[7]), spread(r[2], r[5], r[8])
    position, velocity, share = 0.0, 0.0, 1.0 / tables.task_object[0, MACHINE_LENGTH]
    for i in range(tables.contacts.shape[0]):
        frame = composed(center_rotation, tables.contact_model, i, OBJECT_ROTATION)
        tip_frame = composed(
            load9(lanes.links, tables.contacts[i, CONTACT_LINK]), tables.contact_model, i, TIP_ROTATION
        )
        turn = turn_between(frame, tip_frame)
        apart = load3(grips, i, lane.GRIP_OBJECT_LEVER) - rotated(
            center_rotation, tables.contact_model, i, OBJECT_POSITION
        )
        lever = load3(grips, i, lane.GRIP_LEVER)
        store(grips, i, lane.GRIP_POSITION_GAP, moved(arms_outward(-lever), join(turn, apart)))
        rate = moved(arms_outward(lever), load6(grips, i, lane.GRIP_VELOCITY_GAP))
        position = max(position, largest_along(frame, turn), share * largest_along(frame, apart))
        velocity = max(velocity, largest_along(frame, angular(rate)), share * largest_along(frame, linear(rate)))
    return position, velocity / machine_rate(tables, v)


@inlined
def object_inertia(tables, work):
    """M(C), by columns."""
    own = tables.task_object
    i = congruence3(
        get9(work.task_object, 0, OBJECT_ROTATION_NOW), get3(own, 0, OBJECT_INERTIA) + get3(own, 0, OBJECT_INERTIA + 3)
    )
    m, zero = own[0, OBJECT_MASS], spread(0.0, 0.0, 0.0)
    return (
        join(spread(i[0], i[1], i[2]), zero), join(spread(i[1], i[3], i[4]), zero),
        join(spread(i[2], i[4], i[5]), zero), join(zero, spread(m, 0.0, 0.0)),
        join(zero, spread(0.0, m, 0.0)), join(zero, spread(0.0, 0.0, m)),
    )  # fmt: skip


@inlined
def grip_inertias(tables, work, grips):
    """-S_i of every grip, and minus the inverse of M(C) + sum_i B_i S_i B_i'.

    Returns:
        Whether all pivots are firm and the object has enough inertia: the forces on a very light one are small
        differences of the arms' large ones, S_i (r_i - B_i' alpha(C)), and lose digits.
    """
    n = tables.contacts.shape[0]
    payload = object_inertia(tables, work)
    total = payload
    grips[n, lane.GRIPS_FIRM] = 0.0
    for i in range(n):
        s, firm = minus_inverse(load36(grips, i, lane.GRIP_MOBILITY))
        if not firm:
            return False
        store36(grips, i, lane.GRIP_INERTIA, s)
        lever = load3(grips, i, lane.GRIP_CENTER_LEVER)
        s = shifted_inertia(s, arms_inward(lever), lever)
        total = (
            total[0] - s[0], total[1] - s[1], total[2] - s[2], total[3] - s[3], total[4] - s[4], total[5] - s[5],
        )  # fmt: skip
    inverse, firm = minus_inverse(total)
    store36(grips, n, lane.GRIP_INERTIA, inverse)
    firm = firm and payload[0][0] > LEAST_SHARE * total[0][0] and payload[1][1] > LEAST_SHARE * total[1][1]
    firm = firm and payload[2][2] > LEAST_SHARE * total[2][2] and payload[3][4] > LEAST_SHARE * total[3][4]
    if firm:
        grips[n, lane.GRIPS_FIRM] = 1.0
    return firm


@kernel
def grip_forces(arena, column, base, to):
    """The forces x_i(0) that remove the gap in ``column`` of ``grips`` between the arms and an object with ``base``.

    They are written to ``grips``, and for the sweeps over the arms to columns ``to`` of ``tip_forces``.

    Returns:
        What the forces add to ``base``.
    """
    tables, _, lanes = opened(arena)
    n, grips = tables.contacts.shape[0], lanes.grips
    zero = spread(0.0, 0.0, 0.0)
    wanted = join(zero, zero)
    for i in range(n):
        lever = load3(grips, i, lane.GRIP_CENTER_LEVER)
        apart = load6(grips, i, column) - moved(arms_outward(lever), base)
        store(grips, i, lane.GRIP_APART, apart)
        wanted = wanted + moved(arms_inward(lever), times6(load36(grips, i, lane.GRIP_INERTIA), apart))
    added = times6(load36(grips, n, lane.GRIP_INERTIA), wanted)
    for i in range(n):
        answer = moved(arms_outward(load3(grips, i, lane.GRIP_CENTER_LEVER)), added)
        force = times6(load36(grips, i, lane.GRIP_INERTIA), answer - load6(grips, i, lane.GRIP_APART))
        store(grips, i, lane.GRIP_FORCE, force)
        store(lanes.tip_forces, tables.tree[tables.contacts[i, CONTACT_LINK], ARM], to, force)
    return added


@kernel
def contacts_of_grips(arena):
    """Write x_i(0) and l(1, 0) of every grip to where stages are read from; after ``grip_response``."""
    tables, work, lanes = opened(arena)
    grips = lanes.grips
    for i in range(tables.contacts.shape[0]):
        lever, force = load3(grips, i, lane.GRIP_LEVER), load6(grips, i, lane.GRIP_FORCE)
        hand6(work.contacts, i, CONTACT_FORCE, moved(arms_inward(-lever), force))
        hand3(work.contacts, i, TIP_LEVER, lever)


@kernel
def grip_response(arena):
    """Stage 3 of R88 Section 9: contact forces and the object's acceleration; after Lambda(1) and alpha_FREE(1).

    Returns:
        False, without a result, if some pivot is not firm.
    """
    tables, work, lanes = opened(arena)
    grips = lanes.grips
    if not grip_inertias(tables, work, grips):
        return False
    for i in range(tables.contacts.shape[0]):
        free = load6(grips, i, lane.GRIP_FREE_ACCELERATION)
        store(grips, i, lane.GRIP_ACCELERATION, free + load6(grips, i, lane.GRIP_BIAS))
    now = work.task_object
    base = join(gathered3(now, 0, OBJECT_FREE_ACCELERATION), gathered3(now, 0, OBJECT_FREE_ACCELERATION + 3))
    hand6(now, 0, OBJECT_ACCELERATION, base + grip_forces(arena, lane.GRIP_ACCELERATION, base, 0))
    return True
