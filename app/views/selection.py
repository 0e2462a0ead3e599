"""From a mesh that was clicked to the cursor, and from the cursor to the meshes that it stands on."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
import scenes
from app.state import Session
from scenes.layers import owner

AFTER = ("articulated_inertia_updated",)
"""What the second half of a step shows; the first half shows the rest."""


def follow_click(session: Session, mesh: scenes.SceneMesh, solution: dyn.Solution) -> None:
    """Moves the cursor to a mesh's link, and to the stage that owns what it draws."""
    if mesh.link is None or mesh.link >= session.system.n_links:
        return
    session.select_link(mesh.link)
    session.clicks += 1
    layer = scenes.CHOICES.get(mesh.layer)
    stage = None if layer is None else owner(layer, solution, session.cursor.stage)
    if stage is not None:
        session.select_stage(stage)
        session.cursor.half = int(mesh.layer in AFTER)


def marked(
    scene: scenes.Scene, session: Session, solution: dyn.Solution, visible: Iterable[str]
) -> tuple[int, NDArray[np.int64]]:
    """(the cursor's link, and with it the ellipsoids and arrows that its stage owns there) as indices of meshes."""
    cursor = session.cursor
    owned = {
        name
        for name in visible
        if name in scenes.CHOICES and owner(scenes.CHOICES[name], solution, cursor.stage) == cursor.stage
    }
    halves = {name for name in owned if (name in AFTER) == bool(cursor.half)}
    if cursor.stage == "filter":
        owned = halves
    found = [
        i
        for name in ("links", *owned)
        for i in scene.layers[name]
        if scene.meshes[i].link == cursor.link and scene.meshes[i].kind != "trail"
    ]
    body = next((i for i in found if scene.meshes[i].layer == "links"), -1)
    return int(body), np.array(found, np.int64)
