"""The button that turns dragging into posing."""

from __future__ import annotations

import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

from app.binding import Binding
from app.state.manipulation import Manipulation


class PoseSwitch(Viewer):
    """Pressed while dragging a body poses the start; otherwise dragging pushes."""

    manipulation = param.ClassSelector(class_=Manipulation)

    def __init__(self, manipulation: Manipulation, **params: object) -> None:
        self._button = pmui.Toggle(
            label="Pose",
            description="Pose: drag a body, or an arm's base, to set the start of the run. Off: dragging pushes",
            size="small",
            variant="outlined",
            color="primary",
            margin=(12, 8),
            sx={"height": "2.125rem", "width": "4.5rem", "textTransform": "none", "fontSize": "0.9rem"},
        )
        super().__init__(manipulation=manipulation, **params)
        self._binding = Binding(self._button, lambda: manipulation.mode == "pose", self._choose)

    def _choose(self, poses: bool) -> None:
        self.manipulation.mode = "pose" if poses else "push"

    @param.depends("manipulation.mode", watch=True)
    def _follow(self) -> None:
        self._binding.follow()

    def __panel__(self) -> Viewable:
        return self._button
