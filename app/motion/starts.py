"""Postures in which a run can start, by the words for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from app.motion.away import away
from app.motion.setup import Machine, within

BENT = 0.5
"""rad from the posture as loaded."""
NEAR = 1e-9
AS_LOADED = "As loaded"


def starts_of(machine: Machine) -> Mapping[str, tuple[float, ...] | None]:
    """What to call each start, and its posture (joints,), rad or m; None for that of the machine as loaded.

    Arms that hold something have that one alone: they are led elsewhere joint by joint.
    """
    system, state = machine.system, machine.state
    if system.is_held:
        return {AS_LOADED: None}
    ends = np.array([[joint.lower, joint.upper] for joint in system.joint_models])
    middle = np.where(np.isfinite(ends).all(axis=1), np.nan_to_num(ends).mean(axis=1), 0.0)
    found: dict[str, tuple[float, ...] | None] = {AS_LOADED: None}
    seen = [state.q]
    for words, q in (
        ("Every joint at zero", np.zeros(system.n_joints)),
        ("Every joint in the middle of its range", middle),
        ("Bent this way and that", away(system, state, BENT).q),
    ):
        kept = within(system, replace(state, q=q)).q
        if all(np.abs(kept - other).max() > NEAR for other in seen):
            found[words] = tuple(kept.tolist())
            seen.append(kept)
    return found
