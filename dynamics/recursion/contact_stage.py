"""Stage 3 of R88: the contact forces that let arms and object accelerate together; stage 4: the correction.

Compiled for a page's frames of every system that holds an object (row ``page``: they may cost 5 ms, and the
textbook alone takes 7), and for the hot path unless all contacts are rigid grips, a case without a row: a
call takes 7 us there. ``correct_inward`` handles one state and eight (see ``fields``).

The contact operator is built by its root: Omega = W' W, a row for each joint, six for each floating base and the
object. As a sum of squares, Omega keeps the digits of a direction in which arms and object hardly respond; Lambda(0),
propagated from link to link, loses them beside free directions. W itself keeps twice that.
"""

from __future__ import annotations

import math

from dynamics.compiler.kernels import inlined, kernel
from dynamics.recursion.kinematics import count_joints
from dynamics.spatial.algebra import get21, put21, shift_mobility
from dynamics.spatial.factor_by_root import CONSISTENCY, factor_root, solve_by_rank
from dynamics.spatial.fields import at, put
from dynamics.spatial.small_matrices import eliminate_linear, factor3, factor_firmly
from dynamics.spatial.vector import add3, cross, dot3, get3, get6, get9, put3, put6, scale3, sub3
from dynamics.system.effort import largest_effort
from dynamics.system.layout import (
    ACCELERATION,
    ANSWER,
    ARTICULATED_INERTIA,
    CONTACT_BIAS,
    CONTACT_DIRECTIONS,
    CONTACT_FORCE,
    CONTACT_LINK,
    COSTATE_COVARIANCE,
    DIRECTION,
    DIRECTION_INWARD,
    DIRECTION_ON_OBJECT,
    DIRECTION_RESPONSE,
    FINAL_MOTION,
    FORCE_CORRECTION,
    FREE,
    FREE_MOTION,
    INBOARD,
    INNOVATION,
    JOINT_AXIS,
    JOINT_INERTIA,
    KALMAN_GAIN,
    KEPT_HELD_WIDTH,
    KIND,
    LEVER,
    MODIFIED_INNOVATION,
    MODIFIED_RESIDUAL,
    OBJECT_ACCELERATION,
    OBJECT_FREE_ACCELERATION,
    OBJECT_INERTIA,
    OBJECT_MASS,
    OBJECT_ROTATION_NOW,
    PREDICTED_FORCE,
    REVOLUTE,
    TIP_ACCELERATION,
    TIP_COVARIANCE,
    TIP_LEVER,
    VELOCITY,
)


@inlined
def whitened3(root, row, m, f, v):
    """Three rows w of column m with w' w = v' (L D L')^-1 v."""
    y = v[1] - f[0] * v[0]
    root[row, m] = v[0] * math.sqrt(f[3])
    root[row + 1, m] = y * math.sqrt(f[4])
    root[row + 2, m] = (v[2] - f[1] * v[0] - f[2] * y) * math.sqrt(f[5])


@inlined
def carried_inward(rows, k, revolute, moment, force):
    """A force through joint k, carried by the filter to the next link: psi(k+1, k) = phi (1 - G H).

    Returns:
        the joint's component of it, H dz, and its moment and force there.
    """
    h, g = get3(rows, k, JOINT_AXIS), get6(rows, k, KALMAN_GAIN)
    seen = dot3(h, moment) if revolute else dot3(h, force)
    moment, force = sub3(moment, scale3(seen, g[0])), sub3(force, scale3(seen, g[1]))
    return seen, add3(moment, cross(get3(rows, k, LEVER), force)), force


@inlined
def carry_direction(tree, rows, k, m, moment, force, root):
    """What the joints from link k on see of a unit force there, H psi(k, 0) C', and the base, psi C'; R88 (8.3).

    For one state and for eight (see ``fields``).

    Args:
        root: column m is written along the force's path: for ``whiten``.
    """
    n_links, n_joints = tree.shape[0], count_joints(tree)
    while k < n_links:
        if tree[k, KIND] == FREE:
            row = n_joints + 6 * (k - n_joints)
            for j in range(3):
                put(root, row + j, m, moment[j])
                put(root, row + 3 + j, m, force[j])
        else:
            seen, moment, force = carried_inward(rows, k, tree[k, KIND] == REVOLUTE, moment, force)
            put(root, k, m, seen)
        k = tree[k, INBOARD]


@kernel
def whiten(tree, links, root):
    """D^-1/2 of the joints' rows and P^-1/2 of the floating bases'."""
    n_joints, size = count_joints(tree), root.shape[1]
    for k in range(n_joints):
        share = 1.0 / math.sqrt(links[k, JOINT_INERTIA])
        for m in range(size):
            root[k, m] *= share
    for k in range(n_joints, tree.shape[0]):
        c, schur, (x, y, z) = eliminate_linear(get21(links, k, ARTICULATED_INERTIA))
        row = n_joints + 6 * (k - n_joints)
        for m in range(size):
            moment = root[row, m], root[row + 1, m], root[row + 2, m]
            force = root[row + 3, m], root[row + 4, m], root[row + 5, m]
            whitened3(root, row, m, schur, sub3(moment, (dot3(x, force), dot3(y, force), dot3(z, force))))
            whitened3(root, row + 3, m, c, force)


@kernel
def contact_root(tables, work):
    """The rows of the arms: D^-1/2 H psi(k, 0) C' of the joints and P^-1/2 psi C' of floating bases; R88 (8.3)."""
    root, m = work.root, 0
    for row in range(root.shape[0]):
        for n in range(root.shape[1]):
            root[row, n] = 0.0
    for i in range(tables.contacts.shape[0]):
        for _ in range(tables.contacts[i, CONTACT_DIRECTIONS]):
            moment, force = get3(work.directions, m, DIRECTION_INWARD), get3(work.directions, m, DIRECTION + 3)
            carry_direction(tables.tree, work.links, tables.contacts[i, CONTACT_LINK], m, moment, force, root)
            m += 1
    whiten(tables.tree, work.links, root)


@kernel
def object_root(tables, work):
    """The object's six rows, M^-1/2(C) A C'; R88 (8.3)."""
    own, root = tables.task_object, work.root
    last = root.shape[0] - 6
    r = get9(work.task_object, 0, OBJECT_ROTATION_NOW)
    inertia = factor3(get3(own, 0, OBJECT_INERTIA) + get3(own, 0, OBJECT_INERTIA + 3))
    mass = math.sqrt(own[0, OBJECT_MASS])
    for m in range(work.directions.shape[0]):
        moment, force = get6(work.directions, m, DIRECTION_ON_OBJECT)
        moment = (
            r[0] * moment[0] + r[3] * moment[1] + r[6] * moment[2],
            r[1] * moment[0] + r[4] * moment[1] + r[7] * moment[2],
            r[2] * moment[0] + r[5] * moment[1] + r[8] * moment[2],
        )
        whitened3(root, last, m, inertia, moment)
        for j in range(3):
            root[last + 3 + j, m] = force[j] / mass


@kernel
def square(root, matrix):
    """W' W, skipping zeros in W, e.g. an arm's joints for the contacts of others."""
    size = matrix.shape[0]
    for m in range(size):
        for n in range(size):
            matrix[m, n] = 0.0
    for row in range(root.shape[0]):
        for m in range(size):
            w = root[row, m]
            if w != 0.0:
                for n in range(m, size):
                    matrix[m, n] += w * root[row, n]
    for m in range(size):
        for n in range(m):
            matrix[m, n] = matrix[n, m]


ANSWER_WIDTH = KEPT_HELD_WIDTH - FORCE_CORRECTION
# Forces that move less than this share of what the contacts hold together are rounding.
NEGLIGIBLE = 1e-13
REFINEMENTS = 2


@inlined
def tip_accelerations(tables, work):
    """lambda_FREE(0) = phi' alpha(1) + a(0) of every contact; R88 (8.2)."""
    for i in range(tables.contacts.shape[0]):
        k = tables.contacts[i, CONTACT_LINK]
        lever = get3(work.contacts, i, TIP_LEVER)
        omega = get3(work.links, k, VELOCITY)
        angular = get3(work.links, k, FREE_MOTION + ACCELERATION)
        linear = get3(work.links, k, FREE_MOTION + ACCELERATION + 3)
        bias = cross(omega, cross(omega, lever))  # a(0)
        put3(work.contacts, i, TIP_ACCELERATION, angular)
        put3(work.contacts, i, TIP_ACCELERATION + 3, add3(add3(linear, cross(angular, lever)), bias))


@inlined
def tip_covariances(tables, work):
    """Lambda(0) = phi' Lambda(1) phi of every contact; R88 (8.2)."""
    for i in range(tables.contacts.shape[0]):
        mobility = get21(work.links, tables.contacts[i, CONTACT_LINK], COSTATE_COVARIANCE)
        put21(work.contacts, i, TIP_COVARIANCE, shift_mobility(mobility, get3(work.contacts, i, TIP_LEVER)))


@inlined
def contact_operator(tables, work):
    """Omega = C (Lambda(0) + A' M^-1(C) A) C' = W' W, factored; R88 (8.3). After ``contact_root``."""
    object_root(tables, work)
    square(work.root, work.omega)
    factor_operator(tables, work)


@inlined
def factor_operator(tables, work):
    """Omega by Cholesky if that keeps its digits, else by its root W, which is overwritten."""
    if not factor_firmly(work.omega, work.directions.shape[0], work.factored, work.order):
        factor_root(work.root, work.omega, work.factored, work.order)


@kernel
def contact_forces(tables, v, work):
    """Omega f = C (lambda_FREE(0) - eta + A' M^-1(C) b(C)), then alpha(C) = M^-1(C) [A x(0) - b(C)].

    If Omega is singular, f is the solution of smallest norm, the least sum of Omega_mm f_m^2: a force is measured
    by what it would move alone, independent of its unit.

    Returns:
        False if no force closes the chain: the right-hand side leaves the range of Omega.
    """
    size = work.directions.shape[0]
    m = 0
    for i in range(tables.contacts.shape[0]):
        for _ in range(tables.contacts[i, CONTACT_DIRECTIONS]):
            arm, payload = free_accelerations(work, i, m)
            work.forces[m] = arm - payload
            m += 1
    left = solve_by_rank(work.omega, work.factored, work.order, work.forces, work.scratch)
    spread_forces(tables, work)
    if work.order[size] == size:
        return True
    largest = max(largest_free(tables, work), largest_effort(tables, v))
    return left <= CONSISTENCY * max(largest, largest_innovation(tables.tree, work.links))


@inlined
def free_accelerations(work, i, m):
    """Along direction m of contact i, the motion of arm and object without it: C (lambda_FREE - eta), C A' alpha_b."""
    directions, arm, payload = work.directions, 0.0, 0.0
    for j in range(6):
        own = work.contacts[i, TIP_ACCELERATION + j] - work.contacts[i, CONTACT_BIAS + j]
        arm += directions[m, DIRECTION + j] * own
        payload += directions[m, DIRECTION_ON_OBJECT + j] * work.task_object[0, OBJECT_FREE_ACCELERATION + j]
    return arm, payload


@inlined
def largest_free(tables, work):
    """The largest whitened motion of arm or object without contact, over all directions."""
    largest, m = 0.0, 0
    for i in range(tables.contacts.shape[0]):
        for _ in range(tables.contacts[i, CONTACT_DIRECTIONS]):
            arm, payload = free_accelerations(work, i, m)
            largest = max(largest, max(abs(arm), abs(payload)) / math.sqrt(work.omega[m, m]))
            m += 1
    return largest


@inlined
def largest_innovation(tree, links):
    """The largest (|eps| + |H z|) / sqrt(D) of all joints: terms that may cancel in an arm at rest."""
    largest = 0.0
    for k in range(count_joints(tree)):
        h, z = get3(links, k, JOINT_AXIS), get6(links, k, PREDICTED_FORCE)
        predicted = dot3(h, z[0]) if tree[k, KIND] == REVOLUTE else dot3(h, z[1])
        size = abs(links[k, INNOVATION]) + abs(predicted)
        largest = max(largest, size / math.sqrt(links[k, JOINT_INERTIA]))
    return largest


@inlined
def spread_forces(tables, work):
    """x_i(0) = C_i' f_i, and alpha(C) = M^-1(C) [A x(0) - b(C)]; R88 (4.4), (8.3)."""
    now, size = work.task_object, work.directions.shape[0]
    for j in range(6):
        acceleration = now[0, OBJECT_FREE_ACCELERATION + j]
        for m in range(size):
            acceleration += work.directions[m, DIRECTION_RESPONSE + j] * work.forces[m]
        now[0, OBJECT_ACCELERATION + j] = acceleration
    tip_forces(tables, work, work.forces)


@kernel
def tip_forces(tables, work, forces):
    """x_i(0) = C_i' f_i; R88 (4.4)."""
    m = 0
    for i in range(tables.contacts.shape[0]):
        for j in range(6):
            work.contacts[i, CONTACT_FORCE + j] = 0.0
        for _ in range(tables.contacts[i, CONTACT_DIRECTIONS]):
            for j in range(6):
                work.contacts[i, CONTACT_FORCE + j] += work.directions[m, DIRECTION + j] * forces[m]
            m += 1


@inlined
def is_delicate(work):
    """Whether some contact direction depends on so little of Omega that rounding in it shows in the forces."""
    return work.order[work.directions.shape[0] + 1] > 0


@kernel
def refine_forces(tables, work):
    """One step of iterative refinement: adds the forces f' for the contact accelerations that still differ.

    The residual C (lambda(0) - eta - A' alpha(C)) comes from the sweep itself, not from Omega, so the rounding in
    Omega is corrected too. x(0) is then that of f' alone, to which the sweeps respond, and ``tip_forces`` restores the
    total: with forces that are large relative to their effect, their rounding would move more than f' does.

    Returns:
        False, with nothing changed, if f' would move nothing: its motion, whitened, is sqrt(f' Omega f').
    """
    directions, now = work.directions, work.task_object
    lacking, gaps = work.scratch[2], work.scratch[3]
    m = 0
    for i in range(tables.contacts.shape[0]):
        k = tables.contacts[i, CONTACT_LINK]
        lever = get3(work.contacts, i, TIP_LEVER)
        omega = get3(work.links, k, VELOCITY)
        angular = get3(work.links, k, FINAL_MOTION + ACCELERATION)
        linear = get3(work.links, k, FINAL_MOTION + ACCELERATION + 3)
        linear = add3(add3(linear, cross(angular, lever)), cross(omega, cross(omega, lever)))
        angular = sub3(angular, get3(work.contacts, i, CONTACT_BIAS))
        linear = sub3(linear, get3(work.contacts, i, CONTACT_BIAS + 3))
        for _ in range(tables.contacts[i, CONTACT_DIRECTIONS]):
            gap = dot3(get3(directions, m, DIRECTION), angular) + dot3(get3(directions, m, DIRECTION + 3), linear)
            for j in range(6):
                gap -= directions[m, DIRECTION_ON_OBJECT + j] * now[0, OBJECT_ACCELERATION + j]
            gaps[m] = gap
            lacking[m] = gap
            m += 1
    solve_by_rank(work.omega, work.factored, work.order, lacking, work.scratch)
    moves, least = 0.0, NEGLIGIBLE * largest_free(tables, work)
    for i in range(m):
        moves += lacking[i] * gaps[i]
    if not moves > least * least:
        return False
    for i in range(m):
        work.forces[i] += lacking[i]
        for j in range(6):
            now[0, OBJECT_ACCELERATION + j] += directions[i, DIRECTION_RESPONSE + j] * lacking[i]
    tip_forces(tables, work, lacking)
    return True


@inlined
def put_answer_aside(rows):
    """Stores the results of stages 4 and 5 while the response to more forces is computed."""
    for k in range(rows.shape[0]):
        for j in range(ANSWER_WIDTH):
            put(rows, k, ANSWER + j, at(rows, k, FORCE_CORRECTION + j))


@inlined
def add_answer(rows):
    """Adds the stored results of stages 4 and 5 to the response to more forces."""
    for k in range(rows.shape[0]):
        for j in range(ANSWER_WIDTH):
            put(rows, k, FORCE_CORRECTION + j, at(rows, k, FORCE_CORRECTION + j) + at(rows, k, ANSWER + j))


@inlined
def start_correction(tables, work):
    """dz of every link: phi(1, 0) x(0) of the contacts there, or zero."""
    links = work.links
    for k in range(tables.tree.shape[0] + 1):
        for j in range(6):
            put(links, k, FORCE_CORRECTION + j, 0.0)
    for i in range(tables.contacts.shape[0]):
        k = tables.contacts[i, CONTACT_LINK]
        before, (moment, force) = get6(links, k, FORCE_CORRECTION), get6(work.contacts, i, CONTACT_FORCE)
        moment = add3(moment, cross(get3(work.contacts, i, TIP_LEVER), force))
        put6(links, k, FORCE_CORRECTION, (add3(before[0], moment), add3(before[1], force)))


@inlined
def correct_inward(tree, rows, share):
    """Stage 4: dz(k+1) = psi(k+1, k) dz(k), added to the present value, and the innovation less H dz; R88 (8.4).

    For one state and for eight (see ``fields``).

    Args:
        share: 1.0 corrects the filter's own innovation; 0.0 gives the response to x(0) alone.
    """
    for k in range(tree.shape[0]):
        moment, force = get6(rows, k, FORCE_CORRECTION)
        if tree[k, KIND] == FREE:  # the base takes the whole predicted force: z + dz
            z = get6(rows, k, PREDICTED_FORCE)
            moment, force = add3(moment, scale3(share, z[0])), add3(force, scale3(share, z[1]))
            put6(rows, k, FORCE_CORRECTION, (moment, force))
        else:
            inboard = tree[k, INBOARD]
            seen, moment, force = carried_inward(rows, k, tree[k, KIND] == REVOLUTE, moment, force)
            innovation = share * at(rows, k, INNOVATION) - seen  # R88 (8.4)
            put(rows, k, MODIFIED_INNOVATION, innovation)
            put(rows, k, MODIFIED_RESIDUAL, innovation / at(rows, k, JOINT_INERTIA))
            inner = get6(rows, inboard, FORCE_CORRECTION)
            put6(rows, inboard, FORCE_CORRECTION, (add3(inner[0], moment), add3(inner[1], force)))


@kernel
def correct_filter(tables, work, share):
    """Stage 4 for one state, from the contact forces x(0); R88 (8.4). ``share`` as in ``correct_inward``."""
    start_correction(tables, work)
    correct_inward(tables.tree, work.links, share)
