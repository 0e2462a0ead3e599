"""The 3D view: the scene of the running system, moved to the cursor's instant."""

from __future__ import annotations

import numpy as np
import param
from panel.viewable import Viewable, Viewer

import dynamics as dyn
import scenes
from app.state import Session
from app.state.hand import Hand
from app.state.pull import Grip, Pull
from app.viewer import Drag
from app.viewer import Viewer as View3D
from app.views.pictures import Pictures
from scenes import palette

ALWAYS = ("links", "object")
LAYERS = (*ALWAYS, "contact_forces", "ellipsoids", "axes")
"""What of the scene is sent to the page; the floor is the view's own grid."""
ARROWS = (("contact force, applied", "applied"), ("predicted", "predicted"), ("correction", "corrected"))


class SceneView(Viewer):
    """Sends a system's meshes once and then 48 bytes a mesh and frame; pictures where there is no WebGL."""

    def __init__(self, session: Session, hand: Hand | None = None, **params: object) -> None:
        super().__init__(**params)
        self._session, self._hand = session, hand
        self._view = View3D(min_height=200)
        self._pictures = Pictures()
        self._theme: palette.Theme = "light"
        self._scene: scenes.Scene | None = None
        self._built_for: tuple[dyn.System, palette.Theme] | None = None
        self._meshes = np.empty(0, int)
        self._shown: tuple[object, ...] = ()
        self._view.param.watch(self._select, "selected")
        if hand is not None:
            self._view.on_drag(self._drag)

    def _drag(self, drag: Drag) -> None:
        """The pointer has taken hold of a body, or moves it, or lets it go."""
        hand, session = self._hand, self._session
        assert hand is not None
        if drag.phase == "end":
            hand.move(drag.target)
            hand.let_go()
        elif drag.phase == "move":
            hand.move(drag.target)
        elif self._scene is not None:
            mesh = self._scene.meshes[self._meshes[drag.mesh]]
            body = session.system.n_links if mesh.kind == "object" else mesh.link
            if body is not None and body < session.system.n_links + (session.system.task_object is not None):
                if body < session.system.n_links:
                    session.select_link(body)
                hand.take(Grip(body, drag.place), drag.target)

    def _select(self, event: param.parameterized.Event) -> None:
        """A click on a link, or on its ellipsoid, moves the cursor there."""
        if event.new >= 0 and self._scene is not None:
            link = self._scene.meshes[self._meshes[event.new]].link
            if link is not None and link < self._session.system.n_links:
                self._session.select_link(link)

    def paint(self, theme: palette.Theme) -> None:
        self._theme = self._view.theme = theme
        self._shown = ()

    def _say(self) -> None:
        """How hard the hand pulls, or how far it falls short, beside the pointer."""
        pull, aim = self._session.pull, self._session.aim
        words = aim.words if aim is not None else "" if pull is None else pull_words(pull)
        if words != self._view.words:
            self._view.words = words

    def draw(self) -> None:
        session = self._session
        self._say()
        if self._view.webgl is False:
            self._view.fallback_image = self._pictures.newest or self._view.fallback_image
        wanted = (session.run, session.time, self._theme, tuple(session.layers))
        if wanted == self._shown or (self._view.webgl is False and self._pictures.busy):
            return
        solution = session.solution()
        if self._scene is None or self._built_for != (session.loaded, self._theme):
            self._open(session.loaded, solution)
        assert self._scene is not None
        transforms = self._scene.transforms(solution, (*ALWAYS, *session.layers))
        if self._view.webgl is False:
            self._pictures.ask(self._scene, transforms)
        else:
            self._view.move(transforms[self._meshes])
        self._state_scale()
        self._shown = wanted

    def _open(self, system: dyn.System, solution: dyn.Solution) -> None:
        scene = self._scene = scenes.Scene(system, solution, self._theme)
        self._pictures.forget()
        self._view.fallback_image = None
        self._built_for = (system, self._theme)
        self._meshes = np.flatnonzero([mesh.layer in LAYERS for mesh in scene.meshes])
        first = scene.transforms(solution, LAYERS)[self._meshes]
        self._view.set_scene([scene.meshes[k] for k in self._meshes], first, ground=scene.ground_height)
        legend = [("ellipsoids: P(k)", "articulated_inertia")]
        if system.task_object is not None:
            legend += ARROWS
        self._view.legend = [{"name": name, "color": palette.quantity(family, self._theme)} for name, family in legend]

    def _state_scale(self) -> None:
        """Every arrow and ellipsoid states its scale."""
        assert self._scene is not None
        said = f"10 cm of an ellipsoid: {0.1 / self._scene.ellipsoid_scale:,.6g} √kg"
        if self._session.system.task_object is not None:
            said += f", of an arrow: {0.1 / self._scene.force_scale:,.6g} N"
        if said != self._view.caption:
            self._view.caption = said

    def stop(self) -> None:
        self._pictures.stop()

    def __panel__(self) -> Viewable:
        return self._view


def pull_words(pull: Pull) -> str:
    """The force in newtons, and whether it may not grow."""
    return f"{pull.size:.1f} N" + (", the most here" if pull.is_limited else "")
