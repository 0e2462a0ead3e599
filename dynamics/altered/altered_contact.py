"""Stages 3 and 4 of R88 in plain NumPy, every term with a factor: see ``altered_filter``."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dynamics.altered.alteration import Alteration
from dynamics.altered.altered_filter import Given
from dynamics.recursion.transport import path_inward, shift_matrix
from dynamics.system.layout import (
    CONTACT_BIAS,
    DIRECTION,
    DIRECTION_ON_OBJECT,
    OBJECT_INERTIA,
    OBJECT_LEVER,
    OBJECT_MASS,
    OBJECT_ROTATION_NOW,
    OBJECT_VELOCITY,
    TIP_LEVER,
)
from dynamics.system.system import System
from dynamics.system.tables import Work

Array = NDArray[np.float64]
RANK = 1e-10


class Grasped(NamedTuple):
    """The object and how it is held, never altered; inertial axes."""

    link: list[int]  # of each contact
    owner: NDArray[np.intp]  # contact of each transmitted direction, (l,)
    rows: Array  # C in inertial axes, (l, 6)
    on_object: Array  # (A C')', (l, 6)
    tip_lever: Array  # l(1, 0), (contacts, 3)
    object_lever: Array  # r, (contacts, 3)
    slip: Array  # eta less its centripetal part: the arm turns or slips on the object, (contacts, 6)
    inertia: Array  # M(C), (6, 6)
    omega: Array  # (3,), the object's
    weight: Array  # (3,), m g
    wrench: Array  # (6,), external


def grasped(system: System, work: Work) -> Grasped:
    """How the object is held; after ``motion_state``."""
    thing, now = work.task_object[0], system.tables.task_object[0]
    rotation = thing[OBJECT_ROTATION_NOW : OBJECT_ROTATION_NOW + 9].reshape(3, 3)
    xx, xy, xz, yy, yz, zz = now[OBJECT_INERTIA : OBJECT_INERTIA + 6]
    inertia = np.zeros((6, 6))
    inertia[:3, :3] = rotation @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ rotation.T
    inertia[3:, 3:] = now[OBJECT_MASS] * np.eye(3)
    omega = thing[OBJECT_VELOCITY : OBJECT_VELOCITY + 3]
    lever = work.contacts[:, OBJECT_LEVER : OBJECT_LEVER + 3]
    slip = work.contacts[:, CONTACT_BIAS : CONTACT_BIAS + 6].copy()
    slip[:, 3:] -= np.cross(omega, np.cross(omega, lever))
    return Grasped(
        link=[contact.link for contact in system.contacts],
        owner=np.repeat(np.arange(len(system.contacts)), [len(contact.selection) for contact in system.contacts]),
        rows=work.directions[:, DIRECTION : DIRECTION + 6],
        on_object=work.directions[:, DIRECTION_ON_OBJECT : DIRECTION_ON_OBJECT + 6],
        tip_lever=work.contacts[:, TIP_LEVER : TIP_LEVER + 3],
        object_lever=lever,
        slip=slip,
        inertia=inertia,
        omega=omega,
        weight=now[OBJECT_MASS] * np.asarray(system.gravity),
        wrench=work.wrench[-1],
    )


def object_bias_force(thing: Grasped, alteration: Alteration) -> Array:
    """b(C) = [w x I w - T; -F - m g], (6,)."""
    gyroscopic, weight, external = alteration.line("contact", "measured_object_force")
    b = np.zeros(6)
    b[:3] = gyroscopic * np.cross(thing.omega, thing.inertia[:3, :3] @ thing.omega)
    b[3:] = -weight * thing.weight
    return b - external * thing.wrench


def contact_stage(
    system: System,
    g: Given,
    thing: Grasped,
    filtered: dict[str, Array],
    smoothed: dict[str, Array],
    alteration: Alteration,
) -> dict[str, Array]:
    """R88 (8.2)-(8.3): from the free arms' accelerations to the contact forces; (9.1) beside it."""
    alpha, mobility = smoothed["acceleration"], smoothed["costate_covariance"]
    count = len(thing.link)

    carried, lever, own_a = alteration.line("contact", "free_tip_acceleration")
    free_tip = np.zeros((count, 6))
    for i, k in enumerate(thing.link):
        free_tip[i] = carried * shift_matrix(lever * thing.tip_lever[i]).T @ alpha[k]
        free_tip[i, 3:] += own_a * np.cross(g.omega[k], np.cross(g.omega[k], thing.tip_lever[i]))  # a(0)

    centripetal, slipping = alteration.line("contact", "contact_bias_acceleration")
    eta = slipping * thing.slip
    eta[:, 3:] += centripetal * np.cross(thing.omega, np.cross(thing.omega, thing.object_lever))

    carried, lever = alteration.line("contact", "tip_costate_covariance")
    phi = [shift_matrix(lever * thing.tip_lever[i]) for i in range(count)]
    tip_mobility = np.array([carried * phi[i].T @ mobility[k] @ phi[i] for i, k in enumerate(thing.link)])

    b = object_bias_force(thing, alteration)
    arms, body = alteration.line("contact", "omega")
    response = np.linalg.solve(thing.inertia, thing.on_object.T).T  # (M^-1 A C')'
    own = arms_part(g, thing, filtered, mobility, tip_mobility)
    omega = arms * own + body * thing.on_object @ response.T  # R88 (8.3)

    arm_side, object_side = alteration.line("contact", "contact_force")
    wanted = np.einsum("mj,mj->m", thing.rows, (arm_side * free_tip - eta)[thing.owner])
    answer = np.linalg.solve(thing.inertia, b)
    f = pseudo_inverse(omega) @ (wanted + object_side * thing.on_object @ answer)  # R88 (8.3)
    forces, bias_part = alteration.line("contact", "object_acceleration")
    alpha_c = np.linalg.solve(thing.inertia, forces * thing.on_object.T @ f - bias_part * b)

    free, alone = np.zeros(len(f)), np.zeros(len(f))
    tips_alone = np.array([thing.rows[m] @ free_tip[i] for m, i in enumerate(thing.owner)])
    for arm in {contact.arm for contact in system.contacts}:
        of_arm = np.flatnonzero([system.contacts[i].arm == arm for i in thing.owner])
        answer = pseudo_inverse(own[np.ix_(of_arm, of_arm)])
        free[of_arm], alone[of_arm] = answer @ wanted[of_arm], answer @ tips_alone[of_arm]
    gain = pseudo_inverse(omega) @ response
    corrected = free + gain @ (b - thing.on_object.T @ free)  # R88 (9.1)
    corrected += pseudo_inverse(omega) @ (wanted - own @ free)  # where an arm cannot answer

    tips = [contact.tip for contact in system.contacts]

    def on_tips(values: Array) -> Array:
        result = np.zeros((system.n_tips, *values.shape[1:]))
        result[tips] = values
        return result

    def at_contacts(values: Array) -> Array:
        result = np.zeros((count, 6, *values.shape[1:]))
        for m, i in enumerate(thing.owner):
            result[i] += np.multiply.outer(thing.rows[m], values[m])
        return on_tips(result)

    return {
        "free_tip_acceleration": on_tips(free_tip),
        "contact_bias_acceleration": on_tips(eta),
        "tip_costate_covariance": on_tips(tip_mobility),
        "free_tip_force": at_contacts(alone),
        "omega": omega,
        "contact_kalman_gain": at_contacts(gain).reshape(-1, 6),
        "predicted_contact_force": at_contacts(free),
        "measured_object_force": b,
        "predicted_object_force": thing.on_object.T @ free,
        "corrected_contact_force": at_contacts(corrected),
        "contact_force": at_contacts(f),
        "object_acceleration": alpha_c,
        "indeterminate_directions": at_contacts(null_space(omega)).reshape(6 * system.n_tips, -1),
    }


def arms_part(g: Given, thing: Grasped, filtered: dict[str, Array], mobility: Array, tip_mobility: Array) -> Array:
    """C Lambda(0) C', (l, l); contacts on one tree couple by psi' Lambda(c) psi at the link c where they meet."""
    size = len(thing.owner)
    inboard = np.array(g.inboard)
    result = np.zeros((size, size))
    phi = shift_matrix(g.lever)
    for i, first in enumerate(thing.link):
        mine = thing.owner == i
        result[np.ix_(mine, mine)] = thing.rows[mine] @ tip_mobility[i] @ thing.rows[mine].T
        for j, second in enumerate(thing.link[:i]):
            theirs = thing.owner == j
            there = path_inward(inboard, second)
            meeting = next((k for k in path_inward(inboard, first) if k in there), None)
            if meeting is None:
                continue
            ends = []
            for contact, chosen in ((i, mine), (j, theirs)):
                force = shift_matrix(thing.tip_lever[contact]) @ thing.rows[chosen].T
                way = path_inward(inboard, thing.link[contact])
                for k in way[: way.index(meeting)]:
                    force = phi[k] @ (force - np.outer(filtered["kalman_gain"][k], g.rows[k] @ force))  # psi
                ends.append(force)
            result[np.ix_(mine, theirs)] = ends[0].T @ mobility[meeting] @ ends[1]
            result[np.ix_(theirs, mine)] = result[np.ix_(mine, theirs)].T
    return result


def filter_correction(
    g: Given, thing: Grasped, filtered: dict[str, Array], force: Array, alteration: Alteration
) -> tuple[dict[str, Array], Array]:
    """R88 (8.4): dz(0) = x(0) carried inward, and what it changes in the innovations.

    Args:
        force: (contacts, 6), x(0).

    Returns:
        the stage, and the residuals nu that the last smoother starts from.
    """
    links, n = len(g.lever), len(g.rate)
    change, innovation = np.zeros((links, 6)), np.zeros(n)
    carried, lever, reduced = alteration.line("filter_correction", "force_correction")
    kept, removed = alteration.line("filter_correction", "modified_innovation")
    phi = shift_matrix(lever * g.lever)
    for i, k in enumerate(thing.link):
        change[k] += carried * shift_matrix(lever * thing.tip_lever[i]) @ force[i]
    for k in range(links):
        for i in g.outboard[k]:
            left = change[i] - reduced * filtered["kalman_gain"][i] * (g.rows[i] @ change[i])  # tau bar dz
            change[k] += carried * phi[i] @ left  # R88 (8.4)
        if k < n:
            innovation[k] = kept * filtered["innovation"][k] - removed * g.rows[k] @ change[k]
    stage = {"force_correction": change, "modified_innovation": innovation}
    return stage, innovation / filtered["joint_inertia"]


def pseudo_inverse(matrix: Array) -> Array:
    """Of a symmetric matrix; not a number where an alteration has left no number."""
    if not np.all(np.isfinite(matrix)):
        return np.full_like(matrix, np.nan)
    return np.asarray(np.linalg.pinv(matrix, rcond=RANK, hermitian=True))


def null_space(matrix: Array) -> Array:
    """(l, d), the directions that a symmetric matrix does not see."""
    if not np.all(np.isfinite(matrix)):
        return np.zeros((len(matrix), 0))
    values, vectors = np.linalg.eigh(matrix)
    return np.asarray(vectors[:, np.abs(values) <= RANK * np.abs(values).max(initial=0.0)])
