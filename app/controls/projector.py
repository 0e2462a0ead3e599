"""Projector mode: large type, and only the controls that a lecture needs."""

from __future__ import annotations

from collections.abc import Sequence

import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

from app.state import Session


class Projector(Viewer):
    """A button; ``few`` are out of sight while the mode is on."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, few: Sequence[Viewable], **params: object) -> None:
        self._few = tuple(few)
        self._button = pmui.IconButton(
            icon="co_present", description="Projector mode (P)", size="small", margin=(10, 4), sx={"color": "#FFFFFF"}
        )
        super().__init__(session=session, **params)
        self._button.on_click(lambda _: self.toggle())

    def toggle(self) -> None:
        self.session.projector = not self.session.projector

    @param.depends("session.projector", watch=True, on_init=True)
    def _follow(self) -> None:
        on = self.session.projector
        self._button.param.update(
            icon="close_fullscreen" if on else "co_present",
            description="Leave projector mode (P)" if on else "Projector mode (P)",
        )
        for part in self._few:
            part.visible = not on

    def __panel__(self) -> Viewable:
        return self._button
