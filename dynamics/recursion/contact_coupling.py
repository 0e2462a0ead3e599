"""Contacts of one tree feel each other: the blocks of Lambda(0) off its diagonal; a part of ``contact_stage``."""

from __future__ import annotations

from dynamics.compiler.compiled import inlined, kernel
from dynamics.numbers.spatial import get21, times_vector
from dynamics.numbers.vector import add3, cross, dot3, get3, get6, scale3, sub3
from dynamics.system.layout import (
    CONTACT_DIRECTIONS,
    CONTACT_LINK,
    COSTATE_COVARIANCE,
    DIRECTION,
    INBOARD,
    JOINT_AXIS,
    KALMAN_GAIN,
    KIND,
    LEVER,
    REVOLUTE,
    TIP_LEVER,
)


@inlined
def carried_inward(rows, k, revolute, moment, force):
    """A force through joint k, carried by the filter to the next link: psi(k+1, k) = phi (1 - G H).

    Returns:
        what the joint sees of it, H dz, and its moment and force there.
    """
    h, g = get3(rows, k, JOINT_AXIS), get6(rows, k, KALMAN_GAIN)
    seen = dot3(h, moment) if revolute else dot3(h, force)
    moment, force = sub3(moment, scale3(seen, g[0])), sub3(force, scale3(seen, g[1]))
    return seen, add3(moment, cross(get3(rows, k, LEVER), force)), force


@kernel
def direction_inward(tables, work, i, direction, meeting):
    """psi(meeting, 0) c: a unit force in a direction of contact i, as the filter carries it to a link inward."""
    k = tables.contacts[i, CONTACT_LINK]
    moment, force = get6(work.directions, direction, DIRECTION)
    moment = add3(moment, cross(get3(work.contacts, i, TIP_LEVER), force))
    while k != meeting:
        _, moment, force = carried_inward(work.links, k, tables.tree[k, KIND] == REVOLUTE, moment, force)
        k = tables.tree[k, INBOARD]
    return moment, force


@inlined
def couple_contacts(tables, work, i, first):
    """Lambda(0)'s blocks between contact i and those before it that share links with it: psi' Lambda(c) psi.

    The two ways inward meet at link c; where they meet only in the world there is nothing to add.
    """
    tree = tables.tree
    before = 0
    for other in range(i):
        a, b = tables.contacts[i, CONTACT_LINK], tables.contacts[other, CONTACT_LINK]
        while a != b:  # an inboard link always has the higher number
            if a < b:
                a = tree[a, INBOARD]
            else:
                b = tree[b, INBOARD]
        count = tables.contacts[other, CONTACT_DIRECTIONS]
        if a < tree.shape[0]:
            mobility = get21(work.links, a, COSTATE_COVARIANCE)
            for m in range(first, first + tables.contacts[i, CONTACT_DIRECTIONS]):
                own_moment, own_force = direction_inward(tables, work, i, m, a)
                y_angular, y_linear = times_vector(mobility, own_moment, own_force)
                for n in range(before, before + count):
                    moment, force = direction_inward(tables, work, other, n, a)
                    work.omega[m, n] += dot3(moment, y_angular) + dot3(force, y_linear)
                    work.omega[n, m] = work.omega[m, n]
        before += count
