"""An object that was let go comes to rest on the ground: a plastic landing, the simplest contact that can be stated.

When the first point of its surface reaches the ground, it stands still at once: it does not bounce, slide or topple.
From then on the ground bears whatever else acts on it, until it is taken again.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.motion.leg import Leg

Array = NDArray[np.float64]
LANDS = "the object lands"


def falls(leg: Leg) -> bool:
    """Whether the leg has an object in the air that may come to the ground and stay: gravity does not lift it."""
    system = leg.system
    if leg.ground is None or leg.lies or system.is_held or system.task_object is None:
        return False
    return float(system.gravity[2]) <= 0.0


def touch(leg: Leg, recording: dyn.Recording, since: float) -> float | None:
    """The last recorded instant, s of the leg, before the object is in the ground; None while it is above.

    Args:
        since: s of the leg, up to which it is known to be above.
    """
    if leg.ground is None or not falls(leg):
        return None
    first = int(np.searchsorted(recording.t, since - 1e-9))
    inside = np.flatnonzero(leg.ground.clearance(recording.x[first:, -7:]) <= 0.0)
    return float(recording.t[first + max(int(inside[0]) - 1, 0)]) if len(inside) else None


def landed(leg: Leg) -> Leg:
    """The leg, entered in the last instant before the object lands, with the object at rest on the ground.

    It is set down the rest of its way, less than a step's. What it had above that in energy the landing takes.
    """
    system, state = leg.system, leg.state
    thing, pose, velocity = system.task_object, state.object_pose, state.object_velocity
    assert leg.ground is not None
    assert thing is not None
    assert pose is not None
    assert velocity is not None
    gap = max(float(leg.ground.clearance(system.pack(state)[0][None, -7:])[0]), 0.0)
    turn, speed = pose[:3, :3].T @ velocity[:3], float(np.linalg.norm(velocity[3:]))
    energy = 0.5 * float(turn @ thing.inertia @ turn) + 0.5 * thing.mass * speed**2
    energy -= thing.mass * float(system.gravity[2]) * gap
    down = pose.copy()
    down[2, 3] -= gap
    word = f"{LANDS}: the ground takes {energy:.3g} J and {thing.mass * speed:.3g} N s"
    rest = replace(state, object_pose=down, object_velocity=np.zeros(6))
    return replace(leg, state=rest, lies=True, word=", ".join(filter(None, (leg.word, word))))
