"""Opens a robot description file from the user's own machine."""

from __future__ import annotations

from pathlib import PurePath

import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

from app.state import Session

LARGEST = 5 * 1024 * 1024


class Upload(Viewer):
    """A file button; the file is read as text alone, so that it reaches no other file."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, **params: object) -> None:
        self._button = pmui.FileInput(
            label="Open a URDF file", accept=".urdf,.xml", max_file_size=LARGEST, sizing_mode="stretch_width"
        )
        self._word = pn.pane.HTML(
            "A robot description of up to 5 MB. Its joints, masses and simple shapes are used; mesh files are not.",
            sizing_mode="stretch_width",
        )
        super().__init__(session=session, **params)
        self._button.param.watch(self._open, "value")

    def _open(self, event: param.parameterized.Event) -> None:
        if not event.new:
            return
        name = PurePath(str(self._button.filename or "robot.urdf").replace("\\", "/")).name
        if len(event.new) > LARGEST:
            self.session.message = f"{name}: {len(event.new) / 1e6:.1f} MB is more than the 5 MB that a file may have."
        else:
            self.session.open_robot(event.new, name)
        self._button.clear()

    def __panel__(self) -> Viewable:
        return pmui.Column(self._button, self._word, sizing_mode="stretch_width", margin=(8, 4))
