"""What a picture of a run shows beside the bodies of the moment: whose quantities, trails, pushes, ghosts."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
import scenes
from app.kept import Ghost
from app.motion.computed_legs import leg_at
from app.state import Session
from app.views.past import Past
from app.views.pointed import pointed_only
from app.views.pushes import pushes_of
from app.views.staging import Staged
from scenes.close_up import CloseUp

Array = NDArray[np.float64]
INSTANT = 1e-9
"""s within which two instants are one."""
KNOWN_EVERY = 0.5
"""s by which a broken motion must have gone on before its pictures are made again."""


def look_at(
    session: Session,
    past: Past,
    solution: dyn.Solution,
    time: float,
    layers: Collection[str] | None = None,
    walked: Staged | None = None,
    close_up: CloseUp | None = None,
) -> scenes.Look:
    """How the session looks at an instant, s, of its run, whose ``solution`` is given.

    Args:
        past: where bodies were before that; quick for instants that follow each other.
        layers: that are on; the session's unless others are said.
        walked: what the walk shows there, where it chooses.
        close_up: an inertia that is looked at alone.
    """
    cursor, on = session.cursor, session.layers if layers is None else layers
    links = None
    if session.around == "arm":
        links = solution.system.arm_of_link == cursor.arm
    elif session.around == "link":
        links = np.arange(solution.system.n_links) == cursor.link
    return scenes.Look(
        block=session.block,
        links=links if walked is None else None,
        only=pointed_only(session, solution.system) | ({} if walked is None else dict(walked.only)),
        stage=cursor.stage,
        link=cursor.link,
        close_up=close_up,
        paths=past.paths(session.run, time, solution) if "trails" in on else None,
        course=past.course(session.run, time, solution) if "mass_center_path" in on else None,
        pushes=pushes_of(session, solution, time) if "push" in on else (),
        influence=answers(solution, session.torqued_here) if _answers(solution, on) else None,
        ghosts=tuple(shade(ghost, time) for ghost in session.ghosts),
    )


def _answers(solution: dyn.Solution, layers: Collection[str]) -> bool:
    return "influence" in layers and not solution.system.is_floating


def answers(solution: dyn.Solution, joint: int) -> Array:
    """(links, 2, 3): each link's mass centre, m, and its acceleration by a unit torque or force at a joint."""
    system, poses = solution.system, solution.link_pose
    link = dyn.influence(system, solution.state).link_acceleration[:, :, joint]
    lever = np.array([pose[:3, :3] @ body.center_of_mass for pose, body in zip(poses, system.link_models, strict=True)])
    return np.stack([poses[:, :3, 3] + lever, link[:, 3:] + np.cross(link[:, :3], lever)], axis=1)


def shade(ghost: Ghost, time: float) -> scenes.Shade:
    """Where the bodies of a run are at an instant, s; nothing where it is not followed, or not known so far."""
    run = ghost.run
    if not max(run.begin, ghost.since) - INSTANT <= time <= run.end + INSTANT:
        return scenes.Shade(np.empty((0, 4, 4)), None, ghost.letter)
    leg = leg_at(run.legs, time)
    state = leg.recording.state_at(leg.own(min(time, run.end)))
    return scenes.Shade(dyn.forward_kinematics(leg.leg.system, state).pose, state.object_pose, ghost.letter)


def known_of(ghost: Ghost) -> float:
    """s as far as the pictures of a ghost hold: those of instants that are not known yet have nothing of it."""
    run = ghost.run
    if run.complete:
        return run.end
    return 0.0 if ghost.letter else (run.end - ghost.since) // KNOWN_EVERY
