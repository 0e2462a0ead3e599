"""A system's links as the batch kernel wants them: in axes whose z is the joint's."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from dynamics.batch.layout import (
    MODEL_FIRST_MOMENT,
    MODEL_INERTIA,
    MODEL_INERTIA_VECTORS,
    MODEL_MASS,
    MODEL_POSITION,
    MODEL_ROTATION,
    MODEL_WIDTH,
)
from dynamics.system.layout import (
    AXIS,
    CENTER_OF_MASS,
    FREE,
    INBOARD,
    INERTIA,
    KIND,
    MASS,
    ORIGIN_POSITION,
    ORIGIN_ROTATION,
)
from dynamics.system.system import System

Array = NDArray[np.float64]

_MODELS: WeakKeyDictionary[System, tuple[Array, Array]] = WeakKeyDictionary()


def batch_model(system: System) -> tuple[Array, Array]:
    """The links' constants, (links, MODEL_WIDTH), and (links, 3, 3) link <- axes whose z is the joint's.

    A joint then turns about its own z: its rotation changes two columns only, and its axis is the third. An
    inertia, split into its smallest principal moment and two squares, turns with two vectors.
    """
    if system not in _MODELS:
        _MODELS[system] = _build(system)
    return _MODELS[system]


def _build(system: System) -> tuple[Array, Array]:
    tree, model = system.tables.tree, system.tables.model
    axes = np.array([_frame_about(row[AXIS : AXIS + 3]) for row in model]).reshape(-1, 3, 3)
    axes[tree[:, KIND] == FREE] = np.eye(3)
    inboard_axes = np.concatenate([axes, np.eye(3)[None]])[tree[:, INBOARD]]
    origin = model[:, ORIGIN_ROTATION : ORIGIN_ROTATION + 9].reshape(-1, 3, 3)
    upper = np.triu_indices(3)
    inertia = np.zeros((len(tree), 3, 3))
    inertia[:, upper[0], upper[1]] = inertia[:, upper[1], upper[0]] = model[:, INERTIA : INERTIA + 6]
    moments, principal = np.linalg.eigh(_transposed(axes) @ inertia @ axes)
    excess = np.sqrt(np.maximum(moments[:, 1:] - moments[:, :1], 0.0))

    table = np.zeros((len(tree), MODEL_WIDTH))
    rotation = _transposed(inboard_axes) @ origin @ axes
    table[:, MODEL_ROTATION : MODEL_ROTATION + 9] = rotation.reshape(-1, 9)
    table[:, MODEL_POSITION : MODEL_POSITION + 3] = _turned(
        _transposed(inboard_axes), model[:, ORIGIN_POSITION : ORIGIN_POSITION + 3]
    )
    first_moment = model[:, MASS, None] * model[:, CENTER_OF_MASS : CENTER_OF_MASS + 3]
    table[:, MODEL_FIRST_MOMENT : MODEL_FIRST_MOMENT + 3] = _turned(_transposed(axes), first_moment)
    table[:, MODEL_MASS] = model[:, MASS]
    table[:, MODEL_INERTIA] = moments[:, 0]
    vectors = _transposed(principal[:, :, 1:] * excess[:, None, :])
    table[:, MODEL_INERTIA_VECTORS : MODEL_INERTIA_VECTORS + 6] = vectors.reshape(-1, 6)
    return table, axes


def _transposed(matrices: Array) -> Array:
    return matrices.swapaxes(-1, -2)


def _turned(rotations: Array, vectors: Array) -> Array:
    return np.einsum("kij,kj->ki", rotations, vectors)


def _frame_about(axis: Array) -> Array:
    """A right-handed frame whose z is ``axis``."""
    length = np.linalg.norm(axis)
    if length == 0.0:
        return np.eye(3)
    z = axis / length
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])
