"""What a picture of a run shows beside the bodies of the moment: whose quantities, trails, pushes, a ghost."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

import dynamics as dyn
import scenes
from app.state import Session
from app.views.past import Past
from app.views.pushes import pushes_of
from app.views.staging import Staged


def look_at(
    session: Session,
    past: Past,
    solution: dyn.Solution,
    time: float,
    layers: Collection[str] | None = None,
    walked: Staged | None = None,
) -> scenes.Look:
    """How the session looks at an instant, s, of its run, whose ``solution`` is given.

    Args:
        past: where bodies were before that; quick for instants that follow each other.
        layers: that are on; the session's unless others are said.
        walked: what the walk shows there, where it chooses.
    """
    cursor, ghost, on = session.cursor, session.ghost, session.layers if layers is None else layers
    links = None
    if session.around == "arm":
        links = solution.system.arm_of_link == cursor.arm
    elif session.around == "link":
        links = np.arange(solution.system.n_links) == cursor.link
    return scenes.Look(
        block=session.block,
        links=links if walked is None else None,
        only={} if walked is None else walked.only,
        stage=cursor.stage,
        link=cursor.link,
        paths=past.paths(session.run, time, solution) if "trails" in on else None,
        course=past.course(session.run, time, solution) if "mass_center_path" in on else None,
        pushes=pushes_of(session, solution, time) if "push" in on else (),
        ghost=None if ghost is None else ghost.run.solution_at(time),
    )
