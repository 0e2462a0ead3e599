"""The control law that integration evaluates; every controller is this law with some gains zero.

It reads what the sweeps in lanes leave behind, so that integration needs no other sweep: see ``lanes.kinematics``.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dynamics.compiler.kernels import allocating, kernel
from dynamics.lanes import layout as lane
from dynamics.lanes.contacts import contact_geometry_in_full, contact_wrench
from dynamics.lanes.filter import arms_inward, moved
from dynamics.lanes.workspace import opened
from dynamics.record import in_a_line, short
from dynamics.recursion.filter_smoother import SOLVED
from dynamics.spatial.factor_by_root import factor_root, solve_by_rank
from dynamics.spatial.lanes import cross, dot, join, load3, load6, spread, store
from dynamics.spatial.rotation import quaternion_exponential, quaternion_matrix, quaternion_product, rotation_vector
from dynamics.spatial.vector import compose, scale3
from dynamics.system.layout import (
    CONTACT_DIRECTIONS,
    CONTACT_FORCE,
    CONTACT_LINK,
    DIRECTION,
    DIRECTION_ON_OBJECT,
    EFFORT,
    FREE,
    GAP_SHARE,
    INBOARD,
    KIND,
    MACHINE_LENGTH,
    MASS,
    OBJECT_MASS,
)

Array = NDArray[np.float64]
WAVES = 8
"""Harmonics of a closed path: enough for paths as smooth as a tip's circle."""
REACHED = 1e-3
"""Least effect of the contacts along an object's axis, relative to a contact's own direction, for anything to be
asked there: otherwise arms would need forces a thousand times as large for mere rounding or a just-sliding hold."""


class ControlLaw(NamedTuple):
    """tau = feedforward + joint PD + J' G+ (task PD) + gravity compensation, limited to each joint's effort.

    Targets move from start to goal along 10 u^3 - 15 u^4 + 6 u^5, the form of JZ (43)-(45); from there the joints'
    target may follow a closed path repeatedly. SI units, world axes.

    Attributes:
        feedforward: (joints,) N m or N.
        joint_start: (joints,) rad or m, where the joints' target starts.
        joint_goal: (joints,) where it arrives.
        joint_stiffness: (joints,) N m/rad or N/m.
        joint_damping: (joints,) N m s/rad or N s/m.
        joint_waves: (joints, 2 WAVES) rad or m, the closed path from the goal: coefficients of cos(i phase) - 1,
            then of sin(i phase), i from 1.
        round: (2,) s per round, 0 for none; s in which its pace grows from rest.
        object_start: (7,) position and quaternion where the object's target begins.
        object_turn: (6,) from start to goal: rotation vector, shift.
        object_stiffness: (6,) [angular; linear].
        object_damping: (6,) [angular; linear].
        timing: (3,) start in s, duration (0: at the goal at once), 1 to go there and back repeatedly.
        switches: (2,) gravity compensation, task-space control.
    """

    feedforward: Array
    joint_start: Array
    joint_goal: Array
    joint_stiffness: Array
    joint_damping: Array
    joint_waves: Array
    round: Array
    object_start: Array
    object_turn: Array
    object_stiffness: Array
    object_damping: Array
    timing: Array
    switches: Array

    def __repr__(self) -> str:
        return in_a_line("ControlLaw", (f"{name}={short(value)}" for name, value in self._asdict().items()))


@kernel
def progress(timing, t):
    """How far the target has moved, 0..1, and how fast."""
    duration = timing[1]
    if duration <= 0.0:
        return 1.0, 0.0
    u = max(t - timing[0], 0.0) / duration
    direction = 1.0
    if timing[2] > 0.0:
        u = u % 2.0
        if u > 1.0:
            u, direction = 2.0 - u, -1.0
    u = min(u, 1.0)
    place = u * u * u * (10.0 + u * (6.0 * u - 15.0))
    rate = 30.0 * u * u * (1.0 - u) * (1.0 - u) * direction / duration
    return place, rate


@kernel
def joint_torques(law, place, rate, x, v, tau):
    """tau = feedforward + joint PD about the moving target."""
    for k in range(tau.shape[0]):
        way = law.joint_goal[k] - law.joint_start[k]
        error = law.joint_start[k] + place * way - x[k]
        tau[k] = law.feedforward[k] + law.joint_stiffness[k] * error + law.joint_damping[k] * (rate * way - v[k])


@kernel
def phase_of(law, t):
    """Phase of the target on its closed path, rad, and its rate; the pace grows linearly from rest."""
    since = t - law.timing[0] - law.timing[1]
    if since < 0.0:
        return 0.0, 0.0
    pace, until = 2.0 * math.pi / law.round[0], law.round[1]
    if since < until:
        return 0.5 * pace * since * since / until, pace * since / until
    return pace * (since - 0.5 * until), pace


@kernel
def add_round(law, phase, pace, tau):
    """Add the spring and damper torques of a target that is on the closed path instead of at the goal."""
    for i in range(WAVES):
        cosine, sine, number = math.cos((i + 1) * phase), math.sin((i + 1) * phase), i + 1.0
        for k in range(tau.shape[0]):
            even, odd = law.joint_waves[k, i], law.joint_waves[k, WAVES + i]
            tau[k] += law.joint_stiffness[k] * (even * (cosine - 1.0) + odd * sine)
            tau[k] += law.joint_damping[k] * pace * number * (odd * cosine - even * sine)


@kernel
def within_effort(model, tau):
    """Limit each torque to its joint's effort."""
    for k in range(tau.shape[0]):
        limit = model[k, EFFORT]
        tau[k] = min(max(tau[k], -limit), limit)


@allocating
def carry(tables, law, place, rate, x, v, work):
    """Contact forces for the object: G+ [K dX + B dX'], JZ (48), and its weight where gravity is compensated."""
    wanted = np.zeros(6)
    if law.switches[0] > 0.0:
        for j in range(3):
            wanted[3 + j] = -tables.task_object[0, OBJECT_MASS] * tables.gravity[j]
    if law.switches[1] > 0.0:
        at, by = x.shape[0] - 7, v.shape[0] - 6
        turn = (law.object_turn[0], law.object_turn[1], law.object_turn[2])
        start = (law.object_start[3], law.object_start[4], law.object_start[5], law.object_start[6])
        target = quaternion_product(quaternion_exponential(scale3(place, turn)), start)
        back = quaternion_matrix(x[at + 3], -x[at + 4], -x[at + 5], -x[at + 6])
        error = rotation_vector(compose(quaternion_matrix(target[0], target[1], target[2], target[3]), back))
        for j in range(3):
            shift = law.object_start[j] + place * law.object_turn[3 + j] - x[at + j]
            wanted[j] += law.object_stiffness[j] * error[j]
            wanted[j] += law.object_damping[j] * (rate * law.object_turn[j] - v[by + j])
            wanted[3 + j] += law.object_stiffness[3 + j] * shift
            wanted[3 + j] += law.object_damping[3 + j] * (rate * law.object_turn[3 + j] - v[by + 3 + j])
    # G+ = G' (G G')+: the smallest forces that produce it together; moments are divided by the machine's length.
    directions, contacts = work.directions, tables.contacts
    root, gram = directions[:, DIRECTION_ON_OBJECT : DIRECTION_ON_OBJECT + 6].copy(), np.zeros((6, 6))
    m = 0
    for i in range(contacts.shape[0]):
        for n in range(contacts[i, CONTACT_DIRECTIONS]):
            for j in range(6):
                root[m, j] *= tables.contact_model[i, GAP_SHARE + n]
                gram[j, j] += root[m, j] * root[m, j]
            m += 1
    length = tables.task_object[0, MACHINE_LENGTH]
    for j in range(6):
        if gram[j, j] * (length * length if j > 2 else 1.0) < REACHED * REACHED:
            # No contact pushes or turns along this axis, so nothing is asked there.
            wanted[j], gram[j, j] = 0.0, 1.0
            for n in range(root.shape[0]):
                root[n, j] = 0.0
    factored, order = np.empty((6, 6)), np.empty(8, dtype=np.int64)
    factor_root(root, gram, factored, order)
    solve_by_rank(gram, factored, order, wanted, np.empty((2, 6)))
    m = 0
    for i in range(contacts.shape[0]):
        for j in range(6):
            work.contacts[i, CONTACT_FORCE + j] = 0.0
        for n in range(contacts[i, CONTACT_DIRECTIONS]):
            f, share = 0.0, tables.contact_model[i, GAP_SHARE + n]
            for j in range(6):
                f += share * share * directions[m, DIRECTION_ON_OBJECT + j] * wanted[j]
            for j in range(6):
                work.contacts[i, CONTACT_FORCE + j] += directions[m, DIRECTION + j] * f
            m += 1


@kernel
def is_constant(law):
    """Whether the law's torques depend on neither state nor time."""
    if law.switches[0] > 0.0 or law.switches[1] > 0.0:
        return False
    for k in range(law.feedforward.shape[0]):
        if law.joint_stiffness[k] != 0.0 or law.joint_damping[k] != 0.0:
            return False
    return True


@kernel
def command(arena, law, t, x, v, tau):
    """Write the joint torques of the law at time t; after ``lane_motion_state``. Returns SOLVED."""
    tables, work, lanes = opened(arena)
    place, rate = progress(law.timing, t)
    joint_torques(law, place, rate, x, v, tau)
    if law.round[0] > 0.0:
        phase, pace = phase_of(law, t)
        add_round(law, phase, pace, tau)
    held = tables.contacts.shape[0] > 0
    compensates = law.switches[0] > 0.0
    if compensates or (held and law.switches[1] > 0.0):
        if held:
            if lanes.grips.shape[0] > 0:
                contact_geometry_in_full(arena)
            carry(tables, law, place, rate, x, v, work)
        add_static_torques(arena, compensates, held, tau)
    within_effort(tables.model, tau)
    return SOLVED


@kernel
def add_static_torques(arena, compensates, held, tau):
    """Add the torques that hold the links' weight and press the contact forces onto the object.

    One inward sweep; it uses the columns of the smoother's acceleration, which is written later.
    """
    tables, work, lanes = opened(arena)
    tree, links = tables.tree, lanes.links
    n_links = tree.shape[0]
    g = spread(tables.gravity[0], tables.gravity[1], tables.gravity[2])
    zero = spread(0.0, 0.0, 0.0)
    for k in range(n_links + 1):
        weight = zero
        if compensates and k < n_links:
            weight = zero - tables.model[k, MASS] * g
        store(links, k, lane.ACCELERATION, join(cross(load3(links, k, lane.LEVER_TO_MASS), weight), weight))
    if held:
        for i in range(tables.contacts.shape[0]):
            k = tables.contacts[i, CONTACT_LINK]
            f = contact_wrench(work.contacts, i)
            store(links, k, lane.ACCELERATION, f + load6(links, k, lane.ACCELERATION))
    for k in range(n_links):
        if tree[k, KIND] == FREE:
            break
        f = load6(links, k, lane.ACCELERATION)
        tau[k] += dot(load6(links, k, lane.JOINT_AXIS), f)
        f = moved(arms_inward(load3(links, k, lane.LEVER)), f)
        inboard = tree[k, INBOARD]
        store(links, inboard, lane.ACCELERATION, f + load6(links, inboard, lane.ACCELERATION))
