"""The same system in link axes that suit speed: every joint turns about, or slides along, the z axis of its link.

Each link's axes are turned once, by a constant rotation that brings z onto the joint's axis; O_k stays where it is.
A joint's rotation then mixes two columns of its frame only, and its axis is the third. Whatever the recursions give
in inertial axes is the same; a link's own rotation differs by the constant turn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dynamics.system.layout import (
    AXIS,
    CENTER_OF_MASS,
    CONTACT_LINK,
    FREE,
    INBOARD,
    INERTIA,
    KIND,
    ORIGIN_POSITION,
    ORIGIN_ROTATION,
    SPREAD,
    TIP_POSITION,
    TIP_ROTATION,
)
from dynamics.system.tables import Tables

Array = NDArray[np.float64]
UPPER = np.triu_indices(3)


def aligned_tables(tables: Tables) -> Tables:
    """``tables`` with every joint's axis along z and each link's inertia also as a a' + b b' + c 1."""
    n_links = len(tables.tree)
    joints = zip(tables.tree[:, KIND], tables.model[:, AXIS : AXIS + 3], strict=True)
    turns = np.array([np.eye(3) if kind == FREE else onto_z(axis) for kind, axis in joints]).reshape(-1, 3, 3)
    turns = np.concatenate([turns, np.eye(3)[None]])  # the world's, last
    inner = turns[tables.tree[:, INBOARD]]
    own = turns[:n_links]
    model = tables.model.copy()
    rotation = model[:, ORIGIN_ROTATION : ORIGIN_ROTATION + 9].reshape(-1, 3, 3)
    model[:, ORIGIN_ROTATION : ORIGIN_ROTATION + 9] = (inner.transpose(0, 2, 1) @ rotation @ own).reshape(-1, 9)
    for column, turn in ((ORIGIN_POSITION, inner), (CENTER_OF_MASS, own)):
        model[:, column : column + 3] = np.einsum("kji,kj->ki", turn, model[:, column : column + 3])
    model[:, AXIS : AXIS + 3] = np.where(tables.tree[:, KIND, None] == FREE, 0.0, (0.0, 0.0, 1.0))
    inertia = np.zeros((n_links, 3, 3))
    inertia[:, *UPPER] = tables.model[:, INERTIA : INERTIA + 6]
    inertia[:, UPPER[1], UPPER[0]] = tables.model[:, INERTIA : INERTIA + 6]
    inertia = own.transpose(0, 2, 1) @ inertia @ own
    model[:, INERTIA : INERTIA + 6] = inertia[:, *UPPER]
    moments, axes = np.linalg.eigh(inertia)
    spread = np.sqrt(moments[:, 1:] - moments[:, :1])[:, None, :] * axes[:, :, 1:]
    model[:, SPREAD : SPREAD + 6] = spread.transpose(0, 2, 1).reshape(-1, 6)
    model[:, SPREAD + 6] = moments[:, 0]
    contact_model = tables.contact_model.copy()
    held = turns[tables.contacts[:, CONTACT_LINK]]
    contact_model[:, TIP_POSITION : TIP_POSITION + 3] = np.einsum(
        "ikj,ik->ij", held, tables.contact_model[:, TIP_POSITION : TIP_POSITION + 3]
    )
    tip_rotation = tables.contact_model[:, TIP_ROTATION : TIP_ROTATION + 9].reshape(-1, 3, 3)
    contact_model[:, TIP_ROTATION : TIP_ROTATION + 9] = (held.transpose(0, 2, 1) @ tip_rotation).reshape(-1, 9)
    aligned = tables._replace(model=model, contact_model=contact_model)
    for array in aligned:
        array.flags.writeable = False
    return aligned


def onto_z(axis: Array) -> Array:
    """A rotation that takes z to the unit vector ``axis``: the identity where it is z."""
    if axis[2] == 1.0:
        return np.eye(3)
    least = np.eye(3)[int(np.argmin(np.abs(axis)))]
    x = np.cross(least, axis)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(axis, x), axis])
