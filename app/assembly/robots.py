"""The robots that a machine can be put together of, by name."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import MappingProxyType

import dynamics as dyn


def _first_of(example: str) -> dyn.Robot:
    return dyn.example(example)[0].robots[0]


_LOADED: Mapping[str, tuple[str, Callable[[], dyn.Robot]]] = MappingProxyType(
    {
        "puma560": ("PUMA 560", lambda: dyn.load("puma560")),
        "iiwa14": ("KUKA iiwa 14", lambda: dyn.load("iiwa14")),
        "panda": ("Panda", lambda: dyn.load("panda")),
        "ur5e": ("UR5e", lambda: dyn.load("ur5e")),
        "duaro_scara": ("duAro SCARA", lambda: dyn.load("duaro_scara")),
        "stanford": ("Stanford arm", lambda: dyn.load("stanford")),
        "talos": ("TALOS, waist up", lambda: dyn.load("talos")),
        "free_flyer": ("Servicer's arm", lambda: dyn.load("free_flyer")),
        "two_arm_flyer": ("Servicer with two arms", lambda: dyn.load("two_arm_flyer")),
        "dual_arm_satellite": ("Satellite with two arms", lambda: dyn.load("dual_arm_satellite")),
        "solo12": ("Solo 12", lambda: dyn.load("solo12")),
        "planar_chain": ("Planar chain of five links", lambda: dyn.load("planar_chain")),
        "long_chain": ("Planar chain of twelve links", lambda: _first_of("long_chain")),
        "jazidie_arm": ("Planar arm of three links", lambda: _first_of("two_planar_arms")),
        "jazidie_arm_6": ("Planar arm of six links", lambda: _first_of("one_arm_by_a_point")),
    }
)
TITLES: Mapping[str, str] = MappingProxyType({name: title for name, (title, _) in _LOADED.items()})
"""Every packaged robot, and what to call it."""


@functools.cache
def packaged(name: str) -> dyn.Robot:
    """One of ``TITLES``: the same for everybody, since nothing of it can be changed."""
    return _LOADED[name][1]()
