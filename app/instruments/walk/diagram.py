"""The map of the computation with the cursor in it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import param

import dynamics as dyn
from app.component import Component
from app.instruments.walk.map_layout import Map, map_of
from app.state import walk
from app.state.walk import Place
from app.views.components import with_elements
from scenes import palette

FAMILIES = (
    "articulated_inertia",
    "acceleration",
    "predicted",
    "corrected",
    "dual_articulated_inertia",
    "operational_space_inertia",
)

PAGE = {"light": "#FFFFFF", "dark": "#121212"}
"""Color behind the map."""


class Diagram(Component):
    """Drawn in the browser; a system's map is sent once, then one number per half-step."""

    map = param.Dict(default={}, doc="Nodes and arrows, as `Map.as_dict` gives them.")
    at = param.Integer(default=0, doc="The cursor's half-step in the whole walk.")
    colors = param.Dict(default={}, doc="CSS colors by family.")

    _esm = with_elements(Path(__file__).with_name("diagram.js"))

    def __init__(self, choose: Callable[[Place], None], **params: Any) -> None:
        super().__init__(sizing_mode="stretch_width", margin=0, **params)
        self._choose = choose
        self._system: dyn.System | None = None
        self._map = Map((), (), (), ())
        self._steps: dict[Place, int] = {}

    def paint(self, theme: palette.Theme) -> None:
        self.colors = {family: palette.quantity(family, theme) for family in FAMILIES} | {
            "ink": palette.INK[theme],
            "paper": palette.BACKGROUND[theme],
            "ground": PAGE[theme],
            "selected": palette.SELECTED[theme],
            "focus": palette.quantity("predicted", theme),
            "object": palette.TASK_OBJECT[theme],
        }

    def show(self, system: dyn.System, place: Place) -> None:
        """Sends the map of a new system, or the new position of the cursor."""
        changed: dict[str, object] = {}
        if system is not self._system:
            before, self._system = self._system, system
            if before is None or not same_shape(before, system):
                self._map = map_of(system)
                self._steps = {place: at for at, place in enumerate(walk.whole_walk(system))}
                changed["map"] = self._map.as_dict()
        at = self._steps[place]
        if at != self.at:
            changed["at"] = at
        if changed:
            self.param.update(**changed)

    def _handle_msg(self, data: object) -> None:
        """Receives the index of the clicked node."""
        if isinstance(data, int) and 0 <= data < len(self._map.nodes):
            self._choose(self._map.nodes[data].place)


def same_shape(one: dyn.System, other: dyn.System) -> bool:
    """Whether two systems have the same map: a heavier object does not change it."""
    return (
        one.kind == other.kind
        and one.link_names == other.link_names
        and [c.link for c in one.contacts] == [c.link for c in other.contacts]
        and (one.inboard == other.inboard).all()
        and (one.task_object is None) == (other.task_object is None)
    )
