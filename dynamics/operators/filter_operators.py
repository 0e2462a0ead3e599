"""The filter's operators of a posture, each a dense matrix: phi, psi, G, K, tau bar; R88 (3.1), JR (2.5)-(2.9).

``operator_factors`` puts them together. Here each is one equation: of N joints (and six rows a base), n links.
"""

from __future__ import annotations

import numpy as np

from dynamics.checks import Array
from dynamics.recursion.transport import Transport


def transition_matrix(t: Transport) -> Array:
    """phi of all arms, R88 (3.1), JR (2.5): block (k, i) is phi(k, i) where link i hangs on link k, zero elsewhere."""
    return _carried_inward(t, t.shift)


def reduced_transition_matrix(t: Transport) -> Array:
    """psi of all arms, JR (2.9): block (k, i) is the product of phi(j+1, j) tau bar(j) on the way from i to k."""
    return _carried_inward(t, t.step)


def _carried_inward(t: Transport, step: Array) -> Array:
    links = len(t.outboard_paths)
    matrix = np.zeros((6 * links, 6 * links))
    for i, path in enumerate(t.outboard_paths):
        carried: Array = np.eye(6)
        for number, k in enumerate(path):
            if number:
                carried = step[path[number - 1]] @ carried
            matrix[6 * k : 6 * k + 6, 6 * i : 6 * i + 6] = carried
    return matrix


def one_step(transition: Array) -> Array:
    """E of phi = (1 - E)^-1, or of psi: the blocks between neighbors alone; JR (2.5), (2.9)."""
    return np.asarray(np.eye(len(transition)) - np.linalg.solve(transition, np.eye(len(transition))))


def kalman_gain(p: Array, h: Array, d: Array) -> Array:
    """G = P H' D^-1, JR (2.7), (6n, N): the force through each joint that a unit of its torque makes; D with rotors."""
    return np.asarray(np.linalg.solve(d, h @ p).T)


def gain_inward(phi: Array, gain: Array) -> Array:
    """K = E_phi G, JR (2.7), (6n, N): the same seen at the next link inward."""
    return one_step(phi) @ gain


def reduction(gain: Array, h: Array) -> Array:
    """tau bar = 1 - G H, JR (2.7), (6n, 6n): what of a force passes a joint that is free to move."""
    return np.eye(len(gain)) - gain @ h
