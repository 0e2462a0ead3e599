"""The contact stage as predictor and corrector: R88 (9.1), written out for display."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dynamics.spatial.factor_by_root import solve_each
from dynamics.spatial.least_norm import LeastNorm
from dynamics.system.columns import named
from dynamics.system.system import System
from dynamics.system.tables import Work

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
EPSILON = float(np.finfo(float).eps)
SURELY = 10.0
"""Factor by which a value must exceed rounding to count."""


def contact_stages(system: System, work: Work) -> dict[str, Array]:
    """Predictor, measurement, gain and corrector of the contact forces.

    In the transmitted directions, with R = C Lambda(0) C': stage 2's force of the free tips is R^-1 C lambda_FREE(0).
    Tips that follow a spinning object give the prediction f_FREE = R^-1 C (lambda_FREE(0) - eta), then
    gain = Omega^-1 C A' M^-1(C), f = f_FREE + gain [b(C) - A C' f_FREE]; x = C' f. For rigid contacts and
    invertible Lambda(0) these are R88 (9.1) as printed. Where R is singular its pseudo-inverse is used,
    and f gains Omega^-1 (C (lambda_FREE(0) - eta) - R f_FREE), which is zero otherwise.

    For one state, or many at once: then every array of ``work``, and of the result, has a leading axis.
    States may differ in the number of indeterminate directions: those with fewer are padded with zero columns.
    """
    contacts, directions, payload = work.contacts, work.directions, work.task_object[..., 0, :]
    states = contacts.shape[:-2]
    arms = [contact.tip for contact in system.contacts]
    owner = np.repeat(np.arange(len(arms)), [len(contact.selection) for contact in system.contacts])
    rows, mobility = named(directions, "direction"), named(contacts, "tip_costate_covariance")
    relative = named(contacts, "free_tip_acceleration") - named(contacts, "contact_bias_acceleration")
    on_object, response = named(directions, "direction_on_object"), named(directions, "direction_response")
    wanted = np.einsum("...mj,...mj->...m", rows, relative[..., owner, :])
    tips_alone = np.einsum("...mj,...mj->...m", rows, named(contacts, "free_tip_acceleration")[..., owner, :])
    arm_of = np.array([contact.arm for contact in system.contacts])[owner]
    own_share = np.diagonal(work.omega, axis1=-2, axis2=-1)
    free, unreachable, alone = np.zeros(wanted.shape), np.zeros(wanted.shape), np.zeros(wanted.shape)
    for arm in np.unique(arm_of):  # contacts of one arm couple through the links they share
        own = np.flatnonzero(arm_of == arm)
        left = work.omega[..., own[:, None], own] - on_object[..., own, :] @ _transposed(response[..., own, :])
        covariance, unit = left.copy(), np.sqrt(own_share[..., own])
        for i in np.unique(owner[own]):  # within a contact without the subtraction, which costs digits
            inside, row = np.flatnonzero(owner[own] == i), rows[..., owner == i, :]
            covariance[..., inside[:, None], inside] = row @ mobility[..., i, :, :] @ _transposed(row)
        # In Omega's units: where joints move nothing the covariance's own diagonal is rounding, of the size of the
        # difference between its two computations plus what the subtraction has lost.
        apart = np.abs(covariance - left) / (unit[..., :, None] * unit[..., None, :])
        rounding = SURELY * (apart.max(axis=(-2, -1), initial=0.0) + len(own) * EPSILON)
        mobile = LeastNorm(covariance, like=own_share[..., own], rounding=rounding)
        alone[..., own] = mobile.solve(tips_alone[..., own])  # R88 after (8.2), D'Alembert's
        free[..., own] = mobile.solve(wanted[..., own])
        unreachable[..., own] = wanted[..., own] - _times(covariance, free[..., own])
    gain = solved(work, response)

    rotation = named(payload, "object_rotation")
    task_object = system.task_object
    assert task_object is not None
    inertia = np.zeros((*states, 6, 6))
    inertia[..., :3, :3] = rotation @ task_object.inertia @ _transposed(rotation)
    inertia[..., 3:, 3:] = task_object.mass * np.eye(3)
    measured = -_times(inertia, named(payload, "object_free_acceleration"))  # b(C)
    predicted = _times(_transposed(on_object), free)  # A x_FREE
    corrected = free + _times(gain, measured - predicted)  # R88 (9.1)
    # Where an arm cannot respond there is no prior force; Omega assigns what it leaves open to the object.
    corrected += solved(work, unreachable[..., None])[..., 0]

    transmitted = np.zeros((*states, system.n_tips, 6, len(owner)))  # C' of each arm
    for m, i in enumerate(owner):
        transmitted[..., arms[i], :, m] = rows[..., m, :]

    def on_arms(values: Array) -> Array:
        """(..., l) in transmitted directions to (..., tips, 6)."""
        return np.asarray(_times(transmitted, values[..., None, :]))

    def matrix_on_arms(values: Array) -> Array:
        """(..., l, columns) in transmitted directions to (..., 6 tips, columns)."""
        return (transmitted @ values[..., None, :, :]).reshape(*states, 6 * system.n_tips, values.shape[-1])

    def of_contacts(name: str) -> Array:
        result = np.zeros((*states, system.n_tips, 6))
        result[..., arms, :] = named(contacts, name)
        return result

    tip_covariance = np.zeros((*states, system.n_tips, 6, 6))
    tip_covariance[..., arms, :, :] = mobility
    return {
        "free_tip_acceleration": of_contacts("free_tip_acceleration"),
        "contact_bias_acceleration": of_contacts("contact_bias_acceleration"),
        "tip_costate_covariance": tip_covariance,
        "free_tip_force": on_arms(alone),
        "omega": work.omega.copy(),
        "contact_kalman_gain": matrix_on_arms(gain),
        "predicted_contact_force": on_arms(free),
        "measured_object_force": measured,
        "predicted_object_force": predicted,
        "corrected_contact_force": on_arms(corrected),
        "contact_force": of_contacts("contact_force"),
        "object_acceleration": named(payload, "object_acceleration").copy(),
        "indeterminate_directions": matrix_on_arms(unseen(work)),
    }


def _transposed(matrix: Array) -> Array:
    return np.swapaxes(matrix, -1, -2)


def _times(matrix: Array, vector: Array) -> Array:
    return np.asarray((matrix @ vector[..., None])[..., 0])


def solved(work: Work, right: Array) -> Array:
    """Omega^-1 times (..., l, columns), with the factor and rank that gave the forces."""
    size, columns = right.shape[-2:]
    count = math.prod(right.shape[:-2])
    result = np.array(_transposed(right), order="C")
    solve_each(
        work.omega.reshape(count, size, size),
        work.factored.reshape(count, size, size),
        work.order.reshape(count, size + 2),
        result.reshape(count, columns, size),
        np.zeros((3, size)),
    )
    return _transposed(result)


def indeterminate_count(work: Work) -> Integers:
    """(...): the dimension of Omega's null space, l - rank."""
    size = work.omega.shape[-1]
    return np.asarray(size - work.order[..., size])


def unseen(work: Work) -> Array:
    """(..., l, l - rank), orthonormal basis of Omega's null space, by that factor; padded with zero columns."""
    counts = indeterminate_count(work)
    result = np.zeros((*work.omega.shape[:-1], int(counts.max(initial=0))))
    for at in np.ndindex(counts.shape):
        if counts[at]:
            result[at][:, : counts[at]] = _unseen(work.omega[at], work.factored[at], work.order[at])
    return result


def _unseen(omega: Array, factored: Array, orders: Integers) -> Array:
    """The same for one state."""
    size = len(omega)
    order, rank = orders[:size], orders[size]
    null, unit = np.zeros((size, size - rank)), np.sqrt(np.diag(omega))[:, None]
    null[order[:rank]], null[order[rank:]] = -factored[:rank, rank:], np.eye(size - rank)
    return np.asarray(np.linalg.qr(np.linalg.qr(null * unit)[0] / unit)[0])
