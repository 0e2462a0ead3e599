"""The button that drops the object, and takes it again."""

from __future__ import annotations

import panel_material_ui as pmui
from panel.viewable import Viewable, Viewer

from app.state import Session


class GraspButton(Viewer):
    """Says what it would do at the cursor's instant; out of sight where there is no object."""

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(**params)
        self._session = session
        self._button = pmui.Button(label="", variant="outlined", size="small", margin=(12, 8), sx={"width": "7.5rem"})
        self._button.on_click(lambda _: session.release() if session.is_held else session.grasp())

    def draw(self) -> None:
        session = self._session
        visible = session.system.task_object is not None
        label = "Release" if session.is_held else "Grasp"
        if (self._button.visible, self._button.label) != (visible, label):
            self._button.param.update(visible=visible, label=label)

    def stop(self) -> None:
        """Nothing of this button outlives the session."""

    def __panel__(self) -> Viewable:
        return self._button
