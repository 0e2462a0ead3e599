"""The contact stage as predictor and corrector: R88 (9.1), spelled out for showing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dynamics.numbers.factor_by_root import solve_by_rank
from dynamics.numbers.least_norm import LeastNorm
from dynamics.system.columns import named
from dynamics.system.system import System
from dynamics.system.tables import Work

Array = NDArray[np.float64]


def contact_stages(system: System, work: Work) -> dict[str, Array]:
    """Predictor, measurement, gain and corrector of the contact forces.

    In the transmitted directions, with R = C Lambda(0) C': stage 2's force of the free tips is R^-1 C lambda_FREE(0).
    Tips that follow a spinning object give the prediction f_FREE = R^-1 C (lambda_FREE(0) - eta), then
    gain = Omega^-1 C A' M^-1(C), f = f_FREE + gain [b(C) - A C' f_FREE]; x = C' f. For rigid contacts and
    invertible Lambda(0) these are R88 (9.1) as printed. Where R is singular its pseudo-inverse stands in,
    and f gains Omega^-1 (C (lambda_FREE(0) - eta) - R f_FREE), which is zero otherwise.
    """
    contacts, directions = work.contacts, work.directions
    thing = work.task_object[0]
    arms = [contact.tip for contact in system.contacts]
    owner = np.repeat(np.arange(len(arms)), [len(contact.selection) for contact in system.contacts])
    rows, mobility = named(directions, "direction"), named(contacts, "tip_costate_covariance")
    relative = named(contacts, "free_tip_acceleration") - named(contacts, "contact_bias_acceleration")
    on_object, response = named(directions, "direction_on_object"), named(directions, "direction_response")
    wanted = np.einsum("mj,mj->m", rows, relative[owner])
    tips_alone = np.einsum("mj,mj->m", rows, named(contacts, "free_tip_acceleration")[owner])
    arm_of = np.array([contact.arm for contact in system.contacts])[owner]
    free, unreachable, alone = np.zeros(len(rows)), np.zeros(len(rows)), np.zeros(len(rows))
    for arm in np.unique(arm_of):  # contacts of one arm couple through the links they share
        own = np.flatnonzero(arm_of == arm)
        covariance = work.omega[np.ix_(own, own)] - on_object[own] @ response[own].T
        for i in np.unique(owner[own]):  # within a contact without the subtraction, which costs digits
            inside = np.flatnonzero(owner[own] == i)
            covariance[np.ix_(inside, inside)] = rows[own[inside]] @ mobility[i] @ rows[own[inside]].T
        # In Omega's units: where joints move nothing the covariance's own diagonal is rounding.
        mobile = LeastNorm(covariance, like=np.diag(work.omega)[own])
        alone[own] = mobile.solve(tips_alone[own])  # R88 after (8.2), D'Alembert's
        free[own] = mobile.solve(wanted[own])
        unreachable[own] = wanted[own] - covariance @ free[own]
    gain = solved(work, response)

    rotation = named(thing, "object_rotation")
    task_object = system.task_object
    assert task_object is not None
    inertia = np.zeros((6, 6))
    inertia[:3, :3] = rotation @ task_object.inertia @ rotation.T
    inertia[3:, 3:] = task_object.mass * np.eye(3)
    measured = -inertia @ named(thing, "object_free_acceleration")  # b(C)
    predicted = on_object.T @ free  # A x_FREE
    corrected = free + gain @ (measured - predicted)  # R88 (9.1)
    # Where an arm cannot answer no prior force exists; what it leaves open goes to the object through Omega.
    corrected += solved(work, unreachable[:, None])[:, 0]

    transmitted = np.zeros((system.n_tips, 6, len(rows)))  # C' of each arm
    for m, i in enumerate(owner):
        transmitted[arms[i], :, m] = rows[m]

    def on_arms(values: Array) -> Array:
        """(l, ...) in transmitted directions to (tips, 6, ...)."""
        return transmitted @ values

    def of_contacts(name: str) -> Array:
        result = np.zeros((system.n_tips, 6))
        result[arms] = named(contacts, name)
        return result

    tip_covariance = np.zeros((system.n_tips, 6, 6))
    tip_covariance[arms] = mobility
    return {
        "free_tip_acceleration": of_contacts("free_tip_acceleration"),
        "contact_bias_acceleration": of_contacts("contact_bias_acceleration"),
        "tip_costate_covariance": tip_covariance,
        "free_tip_force": on_arms(alone),
        "omega": work.omega.copy(),
        "contact_kalman_gain": on_arms(gain).reshape(-1, 6),
        "predicted_contact_force": on_arms(free),
        "measured_object_force": measured,
        "predicted_object_force": predicted,
        "corrected_contact_force": on_arms(corrected),
        "contact_force": of_contacts("contact_force"),
        "object_acceleration": named(thing, "object_acceleration").copy(),
        "indeterminate_directions": on_arms(unseen(work)).reshape(6 * system.n_tips, -1),
    }


def solved(work: Work, right: Array) -> Array:
    """Omega^-1 of (l, columns), by the factor and the rank that the forces were found with."""
    result = right.T.copy()
    for column in result:
        solve_by_rank(work.omega, work.factored, work.order, column, work.scratch)
    return np.asarray(result.T)


def unseen(work: Work) -> Array:
    """(l, l - rank), orthonormal: what Omega does not see, by that factor."""
    size = len(work.omega)
    order, rank = work.order[:size], work.order[size]
    null, unit = np.zeros((size, size - rank)), np.sqrt(np.diag(work.omega))[:, None]
    null[order[:rank]], null[order[rank:]] = -work.factored[:rank, rank:], np.eye(size - rank)
    return np.asarray(np.linalg.qr(np.linalg.qr(null * unit)[0] / unit)[0])
