"""How small values may be before they are nothing, beside what the machine weighs and how large it is."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

import dynamics as dyn

NOTHING = 1e-12
"""Of a machine of the usual size, in SI units."""
ROOM = 1e3
"""Within so many times one unit, either way, a machine is of the usual size."""
OF_MASS_AND_LENGTH: Mapping[str, tuple[int, int, bool]] = {
    "kg": (1, 0, False), "kg m": (1, 1, False), "kg m²": (1, 2, False),
    "kg m/s": (1, 1, False), "N s": (1, 1, False), "kg m²/s": (1, 2, False), "N m s": (1, 2, False),
    "N": (1, 1, True), "N m": (1, 2, True), "J": (1, 2, True), "W": (1, 2, True),
}  # fmt: skip
"""Powers of a unit, and whether it grows with the rate of a fall, 1/s²; times are a person's whatever the machine."""


def smallest(system: dyn.System, unit: str) -> float:
    """Below which values of a unit are nothing; of a unit without mass that is the same for each machine."""
    of_mass, of_length, falls = OF_MASS_AND_LENGTH.get(unit, (0, 0, False))
    mass = sum(link.mass for link in system.link_models)
    steps = [np.linalg.norm(joint.origin[:3, 3]) for joint in system.joint_models]
    centers = [np.linalg.norm(link.center_of_mass) for link in system.link_models]
    length = float(np.max([*steps, *centers], initial=0.0))
    if of_mass == 0 or mass == 0.0 or length == 0.0:
        return NOTHING
    rate = max(1.0, float(np.linalg.norm(system.gravity)) / length) if falls else 1.0
    size = mass**of_mass * length**of_length * rate
    return NOTHING * max(min(ROOM * size, 1.0), size / ROOM)
