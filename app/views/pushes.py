"""External forces of a moment as arrows: those that the run recorded, and the one that is being pulled with."""

from __future__ import annotations

import numpy as np

import dynamics as dyn
import scenes
from app.state import Session
from scenes.options import pushes


def pushes_of(session: Session, solution: dyn.Solution, time: float) -> tuple[scenes.Push, ...]:
    """What pulls now; else each force recorded at ``time``, s, at the point of its line of action nearest to O_k."""
    if session.point_force is not None:
        return (
            scenes.Push(np.asarray(session.point_force.point, float), np.asarray(session.point_force.force, float)),
        )
    wrench = session.run.pushes_at(time)
    return () if wrench is None else pushes(wrench, solution)
