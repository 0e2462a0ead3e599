"""The button that turns dragging into posing."""

from __future__ import annotations

import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

from app.binding import Binding
from app.state.hand import Hand


class PoseSwitch(Viewer):
    """Pressed while dragging a body poses the start; otherwise dragging pushes."""

    hand = param.ClassSelector(class_=Hand)

    def __init__(self, hand: Hand, **params: object) -> None:
        self._button = pmui.Toggle(
            label="Pose",
            description="Pose: drag a body to set the start of the run. Off: dragging pushes",
            size="small",
            variant="outlined",
            color="primary",
            width=72,
            margin=(12, 8),
            sx={"height": "34px", "textTransform": "none", "fontSize": "0.9rem"},
        )
        super().__init__(hand=hand, **params)
        self._binding = Binding(self._button, lambda: hand.mode == "pose", self._choose)

    def _choose(self, poses: bool) -> None:
        self.hand.mode = "pose" if poses else "push"

    @param.depends("hand.mode", watch=True)
    def _follow(self) -> None:
        self._binding.follow()

    def __panel__(self) -> Viewable:
        return self._button
