"""Postures in which a run can start, by the words for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

import dynamics as dyn
from app.motion.bent_postures import away
from app.motion.errors import ERRORS
from app.motion.run import Run
from app.motion.setup import Machine, within

BENT = 0.5
"""rad from the posture as loaded."""
NEAR = 1e-9
STILL = 1e-6
"""rad/s² or m/s²: what accelerates less stands still for who looks."""
AS_LOADED = "As loaded"


def starts_of(machine: Machine) -> Mapping[str, tuple[float, ...] | None]:
    """What to call each start, and its posture (joints,), rad or m; None for that of the machine as loaded.

    Arms that hold something have that one alone: they are led elsewhere joint by joint.
    """
    system, state = machine.system, machine.state
    if system.is_closed:
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


def bent_out_of_balance(run: Run) -> tuple[float, ...] | None:
    """A posture (joints,) from which a run would move that rests in balance where it starts; None where it moves.

    None also where bending helps nothing, for nothing pulls, or for the arms hold something.
    """
    system, start = run.actuation.system, run.start
    if system.is_closed or not np.any(system.gravity) or np.any(start.qd):
        return None
    try:
        bent = within(system, away(system, start, BENT))
        moved = dyn.forward_dynamics(system, bent, np.zeros(system.n_joints))
        rests = _is_still(run.solution_at(run.begin)) and not _is_still(moved)
    except ERRORS:
        return None
    return tuple(bent.q.tolist()) if rests else None


def _is_still(solution: dyn.Solution) -> bool:
    """Whether no joint accelerates."""
    return bool(np.abs(solution.joint_acceleration).max(initial=0.0) < STILL)
