"""The 3D view: the scene of the running system, moved to the cursor's instant."""

from __future__ import annotations

import asyncio

from panel.viewable import Viewable, Viewer

import dynamics as dyn
import scenes
from app.state import Session
from app.viewer import Viewer as View3D
from scenes import palette


class SceneView(Viewer):
    """Sends a system's meshes once and then 48 bytes a mesh and frame; pictures where there is no WebGL."""

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self._view = View3D(min_height=200)
        self._scene: scenes.Scene | None = None
        self._system: dyn.System | None = None
        self._shown: tuple[object, ...] = ()
        self._picture: asyncio.Future[bytes] | None = None

    def paint(self, theme: palette.Theme) -> None:
        self._view.theme = theme

    def draw(self) -> None:
        session = self._session
        wanted = (session.run, session.time)
        if wanted == self._shown:
            return
        solution = session.solution()
        if session.system is not self._system or self._scene is None:
            self._open(session.system, solution)
        else:
            self._view.move(self._scene.transforms(solution))
        self._shown = wanted

    def _open(self, system: dyn.System, solution: dyn.Solution) -> None:
        self._scene, self._system = scenes.Scene(system, solution), system
        self._view.set_scene(self._scene.meshes, self._scene.transforms(solution))

    def stop(self) -> None:
        if self._picture is not None:
            self._picture.cancel()

    def __panel__(self) -> Viewable:
        return self._view
