"""The sweeps for a held object in lanes, for speed: Lambda(k), and the filter's correction; see ``kinematics``.

Without it the rows ``two_arms_call`` and ``four_arms_call`` would fail.

There are few contacts, so ``contact_geometry`` and ``contact_stage`` handle them in their ordinary form. They read
the rows of the holding links from the ordinary table, where ``hand_over_motion`` and ``hand_over_response`` put them.
Rigid grips do not need those tables: ``grips``.
"""

from __future__ import annotations

from dynamics.compiler.kernels import inlined, inlined_entry, kernel
from dynamics.lanes import layout as lane
from dynamics.lanes.filter import arms_inward, arms_outward, load36, moved, no_inertia, store36, times6
from dynamics.lanes.smoother import packed_symmetric
from dynamics.lanes.workspace import opened
from dynamics.recursion.contact_geometry import contact_geometry
from dynamics.spatial.algebra import put21
from dynamics.spatial.lanes import angular, dot, join, linear, load3, load6, spread, store
from dynamics.spatial.small_matrices import invert_packed
from dynamics.system.layout import (
    ACCELERATION,
    ARTICULATED_INERTIA,
    CONTACT_FORCE,
    CONTACT_LINK,
    COSTATE_COVARIANCE,
    FINAL_MOTION,
    FREE,
    FREE_MOTION,
    INBOARD,
    INNOVATION,
    JOINT_AXIS,
    JOINT_INERTIA,
    KALMAN_GAIN,
    KIND,
    LEVER,
    POSITION,
    PREDICTED_FORCE,
    REVOLUTE,
    ROTATION,
    TIP_LEVER,
    VELOCITY,
)


@inlined
def shifted_mobility(q, arms, lever):
    """phi' Q phi, by columns."""
    x, y, z = lever[0], lever[1], lever[2]
    a, b, c = q[0], q[1], q[2]
    return (
        moved(arms, a), moved(arms, b), moved(arms, c),
        moved(arms, q[3] + z * b - y * c),
        moved(arms, q[4] + x * c - z * a),
        moved(arms, q[5] + y * a - x * b),
    )  # fmt: skip


@inlined
def unpacked_symmetric(p):
    """Six columns from 21 numbers."""
    return (
        join(spread(p[0], p[1], p[2]), spread(p[6], p[7], p[8])),
        join(spread(p[1], p[3], p[4]), spread(p[9], p[10], p[11])),
        join(spread(p[2], p[4], p[5]), spread(p[12], p[13], p[14])),
        join(spread(p[6], p[9], p[12]), spread(p[15], p[16], p[17])),
        join(spread(p[7], p[10], p[13]), spread(p[16], p[18], p[19])),
        join(spread(p[8], p[11], p[14]), spread(p[17], p[19], p[20])),
    )  # fmt: skip


@kernel
def lane_covariance(tree, links, held):
    """R87 (67)-(68), R88 Lambda(k): D- = T' D+ T + H' D^-1 H with T = 1 - G H; D+(k-1) = phi' D-(k) phi."""
    n_links, q = tree.shape[0], no_inertia()
    for k in range(n_links - 1, -1, -1):
        if tree[k, KIND] == FREE:
            q = unpacked_symmetric(invert_packed(packed_symmetric(links, k, lane.ARTICULATED_INERTIA)))
        else:
            inboard = tree[k, INBOARD]
            if inboard == n_links:
                q = no_inertia()
            else:
                if inboard != k + 1:
                    q = load36(held, inboard, lane.COSTATE_COVARIANCE)
                lever = load3(links, k, lane.LEVER)
                q = shifted_mobility(q, arms_outward(lever), lever)
            gain, axis = load6(links, k, lane.KALMAN_GAIN), load6(links, k, lane.JOINT_AXIS)
            y = times6(q, gain)  # D+ G
            c = dot(gain, y) + 1.0 / links[k, lane.JOINT_INERTIA]
            w = y - 0.5 * c * axis
            # T' D+ T + H' D^-1 H = D+ - H' w' - w H
            q = (
                q[0] - w[0] * axis - axis[0] * w, q[1] - w[1] * axis - axis[1] * w, q[2] - w[2] * axis - axis[2] * w,
                q[3] - w[4] * axis - axis[4] * w, q[4] - w[5] * axis - axis[5] * w, q[5] - w[6] * axis - axis[6] * w,
            )  # fmt: skip
        store36(held, k, lane.COSTATE_COVARIANCE, q)


@inlined
def gathered3(table, k, c):
    """A three-vector from three columns of an ordinary table."""
    return spread(table[k, c], table[k, c + 1], table[k, c + 2])


@inlined
def contact_wrench(contact_work, i):
    """phi(1, 0) x(0): the force of contact i at O of the holding link."""
    force = join(gathered3(contact_work, i, CONTACT_FORCE), gathered3(contact_work, i, CONTACT_FORCE + 3))
    return moved(arms_inward(gathered3(contact_work, i, TIP_LEVER)), force)


@inlined_entry
def are_firm(grips):
    """Whether rigid grips were solved by ``grips``."""
    n = grips.shape[0] - 1
    return n >= 0 and grips[n, lane.GRIPS_FIRM] > 0.0


@kernel
def lane_correction(tree, contacts, contact_work, grips, links, held, share):
    """Stage 4: dz(0) = x(0), dz(k) = psi(k, k-1) dz(k-1), and the innovation minus H dz; R88 (8.4).

    Args:
        grips: x(0) is read from here if the grips are firm, otherwise from ``contact_work``.
        share: 1.0 corrects the filter's own innovation; 0.0 leaves the response to x(0) alone.
    """
    n_links = tree.shape[0]
    zero = spread(0.0, 0.0, 0.0)
    nothing = join(zero, zero)
    for k in range(n_links + 1):
        store(held, k, lane.FORCE_CORRECTION, nothing)
    for i in range(contacts.shape[0]):
        k = contacts[i, CONTACT_LINK]
        f = load6(grips, i, lane.GRIP_FORCE) if are_firm(grips) else contact_wrench(contact_work, i)
        store(held, k, lane.FORCE_CORRECTION, f + load6(held, k, lane.FORCE_CORRECTION))
    carried = nothing
    for k in range(n_links):
        f = load6(held, k, lane.FORCE_CORRECTION) + carried
        carried = nothing
        if tree[k, KIND] == FREE:  # the base takes the whole predicted force: z + dz
            store(held, k, lane.FORCE_CORRECTION, f + share * load6(links, k, lane.PREDICTED_FORCE))
            continue
        store(held, k, lane.FORCE_CORRECTION, f)
        seen = dot(load6(links, k, lane.JOINT_AXIS), f)
        innovation = share * links[k, lane.INNOVATION] - seen
        held[k, lane.MODIFIED_INNOVATION] = innovation
        held[k, lane.MODIFIED_RESIDUAL] = innovation / links[k, lane.JOINT_INERTIA]
        # phi (1 - G H) dz
        f = moved(arms_inward(load3(links, k, lane.LEVER)), f) - seen * load6(links, k, lane.GAIN_INBOARD)
        inboard = tree[k, INBOARD]
        if inboard == k + 1:
            carried = f
        else:
            store(held, inboard, lane.FORCE_CORRECTION, f + load6(held, inboard, lane.FORCE_CORRECTION))


@inlined
def hand3(to, k, column, v):
    """Write three numbers into row k."""
    for i in range(3):
        to[k, column + i] = v[i]


@inlined
def hand6(to, k, column, v):
    """Write the six numbers of a spatial vector into row k."""
    hand3(to, k, column, angular(v))
    hand3(to, k, column + 3, linear(v))


@kernel
def hand_over_motion(contacts, links, full):
    """Write pose and velocity of the holding links into the ordinary table."""
    for i in range(contacts.shape[0]):
        k = contacts[i, CONTACT_LINK]
        for j in range(3):
            column = load3(links, k, lane.ROTATION + 4 * j)
            for row in range(3):
                full[k, ROTATION + 3 * row + j] = column[row]
        hand3(full, k, POSITION, load3(links, k, lane.POSITION))
        hand6(full, k, VELOCITY, load6(links, k, lane.VELOCITY))


@kernel
def contact_geometry_in_full(arena):
    """Levers, gaps, biases and directions of the contacts in the ordinary tables, which rigid grips do not need."""
    tables, work, lanes = opened(arena)
    hand_over_motion(tables.contacts, lanes.links, work.links)
    contact_geometry(tables, work)


@kernel
def hand_over_response(contacts, links, full):
    """Write the acceleration of the holding links into the ordinary table."""
    for i in range(contacts.shape[0]):
        k = contacts[i, CONTACT_LINK]
        hand6(full, k, FREE_MOTION + ACCELERATION, load6(links, k, lane.ACCELERATION))


@kernel
def hand_over_covariance(contacts, held, full):
    """Write Lambda of the holding links into the ordinary table."""
    for i in range(contacts.shape[0]):
        k = contacts[i, CONTACT_LINK]
        put21(full, k, COSTATE_COVARIANCE, packed_symmetric(held, k, lane.COSTATE_COVARIANCE))


@kernel
def hand_over_arms(tree, links, full):
    """Write the filter's results that a force at a tip needs on its way inward into the ordinary table."""
    for k in range(tree.shape[0]):
        axis = load6(links, k, lane.JOINT_AXIS)
        hand3(full, k, JOINT_AXIS, angular(axis) if tree[k, KIND] == REVOLUTE else linear(axis))
        hand3(full, k, LEVER, load3(links, k, lane.LEVER))
        hand6(full, k, KALMAN_GAIN, load6(links, k, lane.KALMAN_GAIN))
        hand6(full, k, PREDICTED_FORCE, load6(links, k, lane.PREDICTED_FORCE))
        if tree[k, KIND] == FREE:
            put21(full, k, ARTICULATED_INERTIA, packed_symmetric(links, k, lane.ARTICULATED_INERTIA))
        full[k, JOINT_INERTIA], full[k, INNOVATION] = links[k, lane.JOINT_INERTIA], links[k, lane.INNOVATION]


@kernel
def hand_over_to_grips(contacts, links, held, grips):
    """Write Lambda(1) and alpha_FREE(1) of the arms, from the sweeps over all their links."""
    for i in range(contacts.shape[0]):
        k = contacts[i, CONTACT_LINK]
        store36(grips, i, lane.GRIP_MOBILITY, load36(held, k, lane.COSTATE_COVARIANCE))
        store(grips, i, lane.GRIP_FREE_ACCELERATION, load6(links, k, lane.ACCELERATION))


@kernel
def hand_over_final(contacts, held, full):
    """Write the corrected acceleration of the holding links into the ordinary table."""
    for i in range(contacts.shape[0]):
        k = contacts[i, CONTACT_LINK]
        hand6(full, k, FINAL_MOTION + ACCELERATION, load6(held, k, lane.FINAL_ACCELERATION))


@inlined
def put_answer_aside(held):
    """``contact_stage.put_answer_aside``."""
    for k in range(held.shape[0]):
        store(held, k, lane.ANSWER, load6(held, k, lane.FORCE_CORRECTION))
        store(held, k, lane.ANSWER + 8, load6(held, k, lane.FINAL_ACCELERATION))
        store(held, k, lane.ANSWER + 16, load6(held, k, lane.MODIFIED_INNOVATION))


@inlined
def add_answer(tree, held, acceleration):
    """``contact_stage.add_answer``, and all accelerations packed.

    Returns:
        The sum of the absolute joint accelerations.
    """
    n_links, at, total = tree.shape[0], 0, 0.0
    for k in range(n_links):
        store(held, k, lane.FORCE_CORRECTION, load6(held, k, lane.FORCE_CORRECTION) + load6(held, k, lane.ANSWER))
        alpha = load6(held, k, lane.FINAL_ACCELERATION) + load6(held, k, lane.ANSWER + 8)
        store(held, k, lane.FINAL_ACCELERATION, alpha)
        for j in range(3):
            held[k, lane.MODIFIED_INNOVATION + j] += held[k, lane.ANSWER + 16 + j]
        if tree[k, KIND] == FREE:
            for j in range(3):
                acceleration[at + j] = alpha[j]
                acceleration[at + 3 + j] = alpha[4 + j]
            at += 6
        else:
            acceleration[at] = held[k, lane.FINAL_JOINT_ACCELERATION]
            total += abs(acceleration[at])
            at += 1
    return total
