"""The keys of the walk."""

from __future__ import annotations

from app.controls.keyboard import Shortcut
from app.state import Session
from app.state.auto_walk import AutoWalk


def walk_shortcuts(session: Session, auto_walk: AutoWalk) -> tuple[Shortcut, ...]:
    """Right is the way that the computation runs, down is the stage that comes later."""
    return (
        Shortcut("arrowright", "→", "one step on in the computation", lambda: session.walk_half(1), True),
        Shortcut("arrowleft", "←", "one step back", lambda: session.walk_half(-1), True),
        Shortcut("shift+arrowright", "Shift →", "on to the stage's next link", lambda: session.walk_link(1), True),
        Shortcut("shift+arrowleft", "Shift ←", "back to the link before", lambda: session.walk_link(-1), True),
        Shortcut("arrowdown", "↓", "on to the next stage", lambda: session.walk_stage(1), True),
        Shortcut("arrowup", "↑", "back to the stage before", lambda: session.walk_stage(-1), True),
        Shortcut("]", "]", "to the next arm", lambda: session.walk_arm(1), True),
        Shortcut("[", "[", "to the arm before", lambda: session.walk_arm(-1), True),
        Shortcut("w", "W", "walk by itself, and stop", auto_walk.toggle),
    )
