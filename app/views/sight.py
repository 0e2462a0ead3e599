"""What of a picture is said beside it: which layers have something to show, and what of them is too small for that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

import scenes
from scenes.layers import CONTACTS, ELLIPSOIDS, WAYS

OCCASIONAL = ("push", "contact_influence_sweep", *(layer.name for layer in (*CONTACTS, *WAYS)))
"""Layers that have nothing to show while nobody pushes and nothing is held."""
CONSERVED = ("momentum", "angular_momentum")
"""Layers whose arrow may have no length: then that is said."""


@dataclass(frozen=True)
class Sight:
    """What there is in a picture.

    Attributes:
        present: of the layers that may have nothing to show, those that have.
        small: of ellipsoids' layers, how many are drawn, and how many of these are too small to be seen.
        cut_short: layers of which an arrow is drawn shorter than the scale says.
    """

    present: frozenset[str] = frozenset()
    small: Mapping[str, tuple[int, int]] = field(default_factory=lambda: MappingProxyType({}))
    cut_short: frozenset[str] = frozenset()


def sights_of(scene: scenes.Scene, pictures: NDArray[np.float32]) -> list[Sight]:
    """Of each of the (moments, meshes, 12)."""
    drawn = np.asarray(pictures.any(axis=2))
    has = {name: np.asarray(drawn[:, scene.layers[name]].any(axis=1)) for name in (*OCCASIONAL, *CONSERVED)}
    balls = [layer.name for layer in ELLIPSOIDS if drawn[:, scene.layers[layer.name]].any()]
    small = {name: scene.hidden(name, pictures) for name in balls}
    cut_short = scene.cut_short(pictures)
    return [
        Sight(
            frozenset(name for name, each in has.items() if each[at]),
            MappingProxyType({name: (int(many[at]), int(few[at])) for name, (many, few) in small.items() if many[at]}),
            frozenset(name for name, each in cut_short.items() if each[at]),
        )
        for at in range(len(pictures))
    ]
