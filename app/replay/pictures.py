"""The 3D view of a run for a page without a server: shapes, every layer at every instant, legend and scales."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
import scenes
from app.batch_size import Pace
from app.motion.errors import ERRORS
from app.replay.curves import Parcel
from app.state import Session
from app.viewer import Viewer
from app.views.scene_options import FLYING, INBOARD, PastPaths, look_at
from app.views.scene_words import entry, larger, title
from app.views.show import groups_of
from scenes import palette
from scenes.close_up import BEFORE_AND_AFTER

BODIES = ("links", "object")
SIGHTED = 5  # One of this many instants is used to determine the scales
STEP = 6e-3  # Seconds of work for which instants are solved in one batch


class Pictures:
    """Draws a run with constant scales, which are fitted first to the layers that are visible at the start.

    Args:
        only: the layers that can be shown; by default all.
        grain: rounding of positions (m) and axes (1), a power of two; by default none.
    """

    def __init__(
        self, session: Session, times: NDArray[np.float64], only: Sequence[str] | None = None, grain: float = 0.0
    ) -> None:
        self._session, self._times, self._grain = session, times, grain
        own = {layer.name: layer for layer in scenes.layers_of(session.system)}
        wanted = own if only is None else [name for name in own if name in only]
        self._layers = {name: own[name] for name in wanted if name not in ("freed", *INBOARD)}
        self._past = PastPaths()
        self._begun: dict[dyn.System, tuple[float, dyn.Solution]] = {}  # the first drawn instant of each system
        first = session.run.solution_at(0.0)
        self._scenes = {
            theme: scenes.Scene(session.system, first, theme, start=session.setup.machine.first)
            for theme in palette.THEMES
        }
        self._scene = self._scenes["light"]
        self._order = (*BODIES, *self._layers)
        # The floor is the view's own grid; a replay has no second run, and no layer of a single half-step.
        self._meshes = [k for k, mesh in enumerate(self._scene.meshes) if mesh.layer in self._order]
        self._transforms = np.zeros((len(times), len(self._meshes), 12), np.float32)

    def draw(self) -> Iterator[None]:
        """Draws every instant; a step is a few milliseconds of work."""
        session, scales = self._session, self._scene.scales
        scales.grows = False
        seen = [name for name in session.layers if name in self._layers]
        for drawn in (seen, self._layers):
            scales.begin()
            for _ in self._drawn(self._times[::SIGHTED], (*BODIES, *drawn)):
                yield
            scales.refit()
            scales.fixed = frozenset(unit for unit, _ in self._scene.stated(drawn, session.block).values())
        scales.fixed = scales.units
        for number, transforms in enumerate(self._drawn(self._times, self._order)):
            self._transforms[number] = transforms
            yield
        if self._grain:
            self._transforms = np.round(self._transforms / self._grain) * np.float32(self._grain)
        kept = {self._scene.meshes[k].layer for k, is_seen in zip(self._meshes, self._seen, strict=True) if is_seen}
        self._layers = {name: layer for name, layer in self._layers.items() if name in kept}

    @property
    def _seen(self) -> NDArray[np.bool_]:
        return np.asarray(self._transforms.any(axis=(0, 2)))

    def _drawn(self, times: NDArray[np.float64], layers: Sequence[str]) -> Iterator[NDArray[np.float32] | float]:
        """(meshes, 12) at each of some instants; zeros where the mechanics has no answer."""
        pace, first = Pace(STEP, len(times)), 0
        while first < len(times):
            some = times[first : first + pace.size].tolist()
            with pace.kept(len(some)):
                solutions = self._session.run.solutions_at(some)
            for time, solution in zip(some, solutions, strict=True):
                if solution is not None and "filter" in solution.stages:
                    self._begun.setdefault(solution.system, (time, solution))
                yield 0.0 if solution is None else self._transforms_of(solution, time, layers)
            first += len(some)

    def _transforms_of(self, solution: dyn.Solution, time: float, layers: Sequence[str]) -> NDArray[np.float32] | float:
        try:
            look = look_at(self._session, self._past, solution, time, (*self._session.layers, *FLYING))
            return self._scene.transforms(solution, layers, look)[self._meshes]
        except ERRORS:
            return 0.0

    def data(self, parcel: Parcel) -> dict[str, Any]:
        session, scene = self._session, self._scene
        view = Viewer()
        named = [replace(scene.meshes[k], name=title(scene.meshes[k], session.system)) for k in self._meshes]
        view.set_scene(named, self._transforms[0], ground=scene.ground_height, whole=True)
        packed = {**view.scene, "meshes": json.loads(view.scene["meshes"])}
        for key in ("points", "normals", "faces", "colors", "transforms"):
            packed[key] = parcel.array(packed[key])
        poses = self._transforms.reshape(len(self._times), -1).T
        return {
            "scene": packed,
            "colors": {
                theme: [list(map(float, self._scenes[theme].meshes[k].color)) for k in self._meshes]
                for theme in palette.THEMES
            },
            "layerOf": [self._order.index(scene.meshes[k].layer) for k in self._meshes],
            "layers": self._order,
            "on": [name for name in session.layers if name in self._layers],
            "poses": parcel.series(poses),
            "legend": {theme: self._legend(theme) for theme in palette.THEMES},
            "groups": {
                theme: groups_of(self._layers.values(), session.system, theme) for theme in palette.THEMES
            },
            "scales": {
                name: {"sort": "ellipsoid" if self._layers[name].group == "ellipsoids" else "arrow",
                       "words": scene.in_words(name, amount, unit)}
                for name, (unit, amount) in scene.stated(self._layers, session.block).items()
            },
            "closeUps": [
                {"since": time, "links": [self._close_up(solution, link) for link in range(solution.system.n_joints)]}
                for time, solution in sorted(self._begun.values(), key=itemgetter(0))
            ],
        }  # fmt: skip

    def _close_up(self, solution: dyn.Solution, link: int) -> dict[str, Any]:
        """The magnification of a link's inertia in a guided walk, the links concerned, and its scale in words."""
        scene, block = self._scene, self._session.block
        near = scene.close_up(solution, link, block)
        times = {name: near.times for name in BEFORE_AND_AFTER if name in self._layers}
        words = {
            name: scene.in_words(name, amount, unit, times)
            for name, (unit, amount) in scene.stated(times, block, times).items()
        }
        whose = np.flatnonzero(near.links).tolist()
        return {"times": near.times, "whose": whose, "words": words, "larger": larger(near.times)}

    def _legend(self, theme: palette.Theme) -> dict[str, dict[str, str]]:
        system = self._session.system
        return {
            name: entry(layer, system, theme, larger(self._scene.times(name))) for name, layer in self._layers.items()
        }
