"""The keys of the walk."""

from __future__ import annotations

from functools import partial

from app.controls.keyboard import Shortcut
from app.state import Session, walk
from app.state.walk import AutoWalk


def walk_shortcuts(session: Session, auto_walk: AutoWalk) -> tuple[Shortcut, ...]:
    """Right follows the order of the computation; down is the next stage."""
    by = session.walk_by
    return (
        Shortcut("arrowright", "→", "one step forward in the computation", lambda: session.walk_half(1), True),
        Shortcut("arrowleft", "←", "one step back", lambda: session.walk_half(-1), True),
        Shortcut("shift+arrowright", "Shift →", "on to the stage's next link", partial(by, walk.walk_link, 1), True),
        Shortcut("shift+arrowleft", "Shift ←", "back to the link before", partial(by, walk.walk_link, -1), True),
        Shortcut("arrowdown", "↓", "on to the next stage", partial(by, walk.walk_stage, 1), True),
        Shortcut("arrowup", "↑", "back to the stage before", partial(by, walk.walk_stage, -1), True),
        Shortcut("]", "]", "to the next arm", partial(by, walk.walk_arm, 1), True),
        Shortcut("[", "[", "to the arm before", partial(by, walk.walk_arm, -1), True),
        Shortcut("w", "W", "walk by itself, and stop", auto_walk.toggle),
    )
