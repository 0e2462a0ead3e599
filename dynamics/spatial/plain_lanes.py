"""The register operations in uncompiled form, on arrays of four or eight numbers; see ``lanes``."""

from __future__ import annotations

import numpy as np

# Lanes of a three-vector that give, with these signs, the columns of v~.
TILDE = ((3, 2, 1, 3), (2, 3, 0, 3), (1, 0, 3, 3))
TILDE_SIGNS = ((0.0, 1.0, -1.0, 0.0), (-1.0, 0.0, 1.0, 0.0), (1.0, -1.0, 0.0, 0.0))
TURNS = ((0, 1, 2, 3), (1, 2, 0, 3), (2, 0, 1, 3))


def on_halves(lanes: tuple[int, ...], count: int) -> tuple[int, ...]:
    """The same choice of lanes in the single part of a three-vector, or in both parts of a spatial vector."""
    return lanes if count == 4 else (*lanes, *(4 + lane for lane in lanes))


def load3(table, k, c):
    """The three-vector that takes four columns of row k from column c on."""
    return table[k, c : c + 4].copy()


def load6(table, k, c):
    """The spatial vector that takes eight columns of row k from column c on."""
    return table[k, c : c + 8].copy()


def store(table, k, c, v):
    """Write all lanes into row k from column c on."""
    table[k, c : c + len(v)] = v


def store_six(table, k, c, v):
    """Write the six components of a spatial vector into row k from column c on, without the zero lanes."""
    table[k, c : c + 6] = v[[0, 1, 2, 4, 5, 6]]


def spread(x, y, z):
    """The three-vector (x, y, z)."""
    return np.array([x, y, z, 0.0])


def everywhere(number):
    """The same number in all eight lanes."""
    return np.array([number] * 8)


def whole(v):
    """The largest whole numbers not above v, lane by lane."""
    return np.floor(v)


def cross(v, w):
    """v x w; for spatial vectors, of the angular and the linear parts separately."""
    if len(v) == 8:
        return np.concatenate([cross(v[:4], w[:4]), cross(v[4:], w[4:])])
    return np.array(
        [v[1] * w[2] - v[2] * w[1], v[2] * w[0] - v[0] * w[2], v[0] * w[1] - v[1] * w[0], 0.0], dtype=v.dtype
    )


def dot(v, w):
    """The sum of v w over all lanes."""
    return (v * w).sum()


def angular(v):
    """The angular part of a spatial vector."""
    return v[:4].copy()


def linear(v):
    """The linear part of a spatial vector."""
    return v[4:].copy()


def join(a, b):
    """The spatial vector [a; b]."""
    return np.concatenate([a, b])


def tildes(v, j):
    """Columns j of v~ and of v~', [v x e_j; e_j x v]; j is a constant."""
    column = np.array(TILDE_SIGNS[j]) * v[list(TILDE[j])]
    return np.concatenate([column, -column])


def turned(v, n):
    """The components of each part rotated by n places, n being 1 (yzx) or 2 (zxy); a constant."""
    return v[list(on_halves(TURNS[n], len(v)))]


def exchanged(v, n):
    """Angular and linear part exchanged, and rotated by n places as in ``turned``."""
    return turned(np.concatenate([v[4:], v[:4]]), n)
