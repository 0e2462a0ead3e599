"""The shapes that mark a contact's directions, along z: transmitted, free, or not revealed by any motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import pyvista as pv

from scenes import shapes
from scenes.glyphs import freed_slide, freed_turn, joined, torus


def plates() -> pv.PolyData:
    """A transmitted force: a bar along z with a plate at either end, to press and pull on."""
    half = [(0.2, 0.9), (0.2, 1.0), (0.0, 1.0)]
    lower = [(radius, -height) for radius, height in reversed(half)]
    return _bar([*lower, (0.035, -0.9), (0.035, 0.9), *half])


def wheels() -> pv.PolyData:
    """A transmitted moment: a bar along z with a wheel round either end."""
    rings = [torus(0.3, 0.05, shapes.frame_along((0, 0, 1), (0, 0, at)), sides=6, parts=32) for at in (-0.62, 0.62)]
    bar = [(0.0, -0.8), (0.02, -0.8), (0.02, 0.8), (0.0, 0.8)]
    return joined([_bar(bar), *rings])


def _bar(profile: Sequence[tuple[float, float]]) -> pv.PolyData:
    """A round bar with few sides."""
    return shapes.revolved(profile, 14)


def stacked_arrow(heads: int = 1) -> pv.PolyData:
    """An unknowable force: an arrow of unit length along z with a shaft of stacked cups; two heads for a moment."""
    end = 0.78 if heads == 1 else 0.6
    pitch, profile = end / 5, [(0.0, 0.0)]
    for cup in range(5):
        profile += [(0.045, cup * pitch), (0.014, (cup + 0.9) * pitch)]
    if heads == 2:
        profile += [(0.014, end), (shapes.HEAD, end), (0.014, 0.79)]
    last = 0.8 if heads == 2 else end
    return shapes.revolved([*profile, (0.014, last), (shapes.HEAD, last), (0.0, 1.0)], shapes.ROUND)


OF_CONTACTS: Mapping[str, Callable[[], pv.PolyData]] = MappingProxyType(
    {
        "plates": plates,
        "wheels": wheels,
        "slide": freed_slide,
        "bent": freed_turn,
        "stacked": stacked_arrow,
        "stacked, two heads": lambda: stacked_arrow(heads=2),
    }
)
"""The signs of a contact's directions, along z."""
