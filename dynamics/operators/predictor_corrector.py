"""The contact stage as an estimator of forces or of the object's acceleration; R88 Section 9, for rigid contacts.

It takes plain arrays, so that each formula stands alone: P = Lambda^-1(0), (6c, 6c); A, (6, 6c); M(C), (6, 6).
``contact_gain`` provides them for a posture, with any contacts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dynamics.checks import Array
from dynamics.numbers.least_norm import LeastNorm
from dynamics.operators.influence import contact_mobility
from dynamics.operators.object_balance import grasp_map, object_inertia, selected_directions
from dynamics.public import public
from dynamics.record import Record
from dynamics.system.state import State
from dynamics.system.system import System

MOST_CONDITION = 1e12
"""Condition number up to which tip mobilities, scaled by their own diagonal, are inverted."""

LEAST_SHARE = 1e-10
"""Share of the largest from which the arms count as holding the object in a direction."""


def gain_by_inertia(tip_inertia: Array, grasp_map: Array, object_inertia: Array) -> Array:
    """P A' [A P A' + M(C)]^-1, R88 Result 9.1 below (9.1), (6c, 6)."""
    spread = tip_inertia @ grasp_map.T
    return np.asarray(np.linalg.solve((grasp_map @ spread + object_inertia).T, spread.T).T)


@dataclass(frozen=True, eq=False)
class ContactGain(Record):
    """The contact gain of a posture and its components; c contacts, contact after contact, inertial axes.

    Attributes:
        grasp_map: A, (6, 6c).
        object_inertia: M(C), (6, 6).
        omega: C (Lambda(0) + A' M^-1(C) A) C', (directions, directions).
        tip_inertia: Lambda^-1(0), (6c, 6c): the inertia of the tips; None if they cannot accelerate in some direction,
            or a contact does not transmit all of them.
        by_mobility: C' Omega^-1 C A' M^-1(C), (6c, 6), which always exists.
        by_inertia: P A' [A P A' + M(C)]^-1, (6c, 6); None if there is no P.
        shares: (6,), descending, the eigenvalues of A gain: in as many directions, how far the arms decide what the
            object does, from 0 to 1. They are dimensionless and do not depend on units.
        squeezing: (6c, 6c), extracts from contact forces x the part that cancels in the object: A squeezing x = 0. The
            rest carries it: of all forces with the same A x those of least x' Lambda(0) x, by which the arms would
            give way. It does not depend on units, and on the object only if Omega is singular: in a part that no
            motion reveals.
    """

    grasp_map: Array
    object_inertia: Array
    omega: Array
    tip_inertia: Array | None
    by_mobility: Array
    by_inertia: Array | None
    shares: Array
    squeezing: Array


@public
def contact_gain(system: System, state: State) -> ContactGain:
    """The Kalman gain of the contact stage in both of its forms; R88 Result 9.1.

    Args:
        system: arms that hold an object.
        state: only its posture is used.

    Returns:
        Both forms, each computed separately from tip mobilities, grasp and the object's inertia.

    Raises:
        ModelError: if nothing is held, or for a joint that moves no inertia.

    Cost: cubic in the contact directions.
    """
    on_object = grasp_map(system, state)
    selection, inertia = selected_directions(system, state), object_inertia(system, state)
    tips = np.concatenate([np.arange(6 * contact.tip, 6 * contact.tip + 6) for contact in system.contacts])
    spread, omega = contact_mobility(system, state)
    mobility = spread[np.ix_(tips, tips)]
    response = np.linalg.solve(inertia, on_object).T  # A' M^-1(C)
    gain = selection.T @ LeastNorm(omega).solve(selection @ response)
    weight = _inverse(mobility) if len(selection) == len(tips) else None
    # A gain is similar to a symmetric matrix: its eigenvalues are real, and those of L^-1 A gain L, M = L L'.
    root = np.linalg.cholesky(inertia)
    similar = np.linalg.solve(root, on_object @ gain @ root)
    similar = 0.5 * (similar + similar.T)
    carrying = (
        gain @ root @ np.linalg.pinv(similar, rcond=LEAST_SHARE, hermitian=True) @ np.linalg.solve(root, on_object)
    )
    return ContactGain(
        grasp_map=on_object,
        object_inertia=inertia,
        omega=omega,
        tip_inertia=weight,
        by_mobility=gain,
        by_inertia=None if weight is None else gain_by_inertia(weight, on_object, inertia),
        shares=np.asarray(np.linalg.eigvalsh(similar)[::-1], dtype=np.float64),
        squeezing=np.eye(len(tips)) - carrying,
    )


def _inverse(mobility: Array) -> Array | None:
    """The inverse; None if a direction moves by less than rounding beside its own diagonal."""
    size = np.sqrt(np.diagonal(mobility))
    if not size.all() or np.linalg.cond(scaled := mobility / np.outer(size, size)) > MOST_CONDITION:
        return None
    return np.asarray(np.linalg.inv(scaled) / np.outer(size, size))
