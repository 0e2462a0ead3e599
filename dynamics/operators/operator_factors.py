"""The mass matrix as a product of filters: M = (1 + H phi K) D (1 + H phi K)'; R87 Section XI, JR Lemma 2.1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dynamics.errors import ModelError
from dynamics.recursion.transport import Transport, transport
from dynamics.system.state import State
from dynamics.system.system import System

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class OperatorFactors:
    """Dense operators of a bolted-down system, one block row a joint.

    Attributes:
        h: (n, 6n). phi, psi: (6n, 6n), unit lower triangular in blocks (outboard to inboard).
        k: (6n, n), the gains one step inward, phi(k+1, k) G(k). d: (n, n) diagonal.
        factor: 1 + H phi K. inverse_factor: 1 - H psi K.
    """

    h: Array
    phi: Array
    psi: Array
    k: Array
    d: Array
    factor: Array
    inverse_factor: Array


def operator_factors(system: System, state: State) -> OperatorFactors:
    """Form H, phi, psi, K, D in full; memory is quadratic, so for showing and testing.

    Raises:
        ModelError: for a free flyer, whose base has six freedoms more than these operators carry.
    """
    if system.is_floating:
        raise ModelError("the operators are written for bolted-down arms; a free flyer has none of this size.")
    t, n = transport(system, state), system.n_joints
    h, k = np.zeros((n, 6 * n)), np.zeros((6 * n, n))
    for i in range(n):
        h[i, 6 * i : 6 * i + 6] = t.rows[i]
        inner = t.inboard[i]
        if inner >= 0:
            k[6 * inner : 6 * inner + 6, i] = t.shift[i] @ t.gain[i]
    phi, psi = _transitions(t, n, reduced=False), _transitions(t, n, reduced=True)
    return OperatorFactors(h, phi, psi, k, np.diag(t.joint_inertia), np.eye(n) + h @ phi @ k, np.eye(n) - h @ psi @ k)


def _transitions(t: Transport, n: int, reduced: bool) -> Array:
    """Block (k, i) is phi(k, i), or psi(k, i) = the product of phi(j+1, j) tau bar(j)."""
    matrix = np.zeros((6 * n, 6 * n))
    for i in range(n):
        carried: Array = np.eye(6)
        path = t.outboard_paths[i]
        for step, k in enumerate(path):
            if step:
                before = path[step - 1]
                carried = t.shift[before] @ (t.reduction[before] if reduced else np.eye(6)) @ carried
            matrix[6 * k : 6 * k + 6, 6 * i : 6 * i + 6] = carried
    return matrix
