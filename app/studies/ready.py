"""Questions that are ready to be asked of a machine."""

from __future__ import annotations

from dataclasses import dataclass

import dynamics as dyn
from app.studies.asked import KINDS, Asked, kinds_of
from app.studies.motion import Motion


@dataclass(frozen=True)
class Ready:
    """A question that is ready to be asked."""

    words: str
    asked: Asked


def ready_of(system: dyn.System) -> tuple[Ready, ...]:
    """Those of a machine."""
    known = kinds_of(system)
    near = {"q": 0.3} if system.is_held else {"q": KINDS["q"].far}
    near = near if "q" in known else {}
    base = f"filter.joint_inertia:{system.joint_names[-1]}"
    found = [
        Ready("Smallest D at the base: where?", Asked(near, base, 100_000)),
        Ready("Methods disagree most: where?", Asked(near | {"tau": 10.0}, "agreement", 1_000)),
    ]
    if "mass" in known:
        found.append(Ready("The tip, masses known to 5 %", Asked({"mass": 5.0}, "tip_acceleration", 1_000)))
    if system.is_held:
        found += [
            Ready("Largest squeeze: which torques?", Asked({"tau": 10.0}, "squeeze", 100_000)),
            Ready("Largest contact gain 𝒢 near by", Asked(near, "contact.contact_kalman_gain", 10_000)),
            Ready("ρ above 1: with which objects?", Asked({"object_mass": 100.0}, "rho", 1_000)),
            Ready("Drift of the closure: in which steps?", Asked({"dt": KINDS["dt"].far}, "run:drift", 100, Motion())),
        ]
    return tuple(one for one in found if one.asked.over and set(one.asked.over) <= set(known))
