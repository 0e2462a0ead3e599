"""What *Edit* points out in the picture: the joint at the cursor, by its axis, and the frame of its link."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.state import Session

POINTED = ("axes", "frames")
"""Layers of which the cursor's alone is shown, unless the user has chosen to see all of them."""


def pointed(session: Session) -> tuple[str, ...]:
    """The layers that are shown for it."""
    return tuple(name for name in POINTED if name not in session.layers) if session.edits else ()


def pointed_only(session: Session, system: dyn.System) -> dict[str, NDArray[np.bool_]]:
    """Of these, whose: (links,)."""
    return dict.fromkeys(pointed(session), np.arange(system.n_links) == session.cursor.link)
