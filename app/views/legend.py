"""What the scene shows, in words and colors."""

from __future__ import annotations

import html

import panel as pn
import param
from panel.viewable import Viewable, Viewer

from app.state import Session
from app.views.style import STYLE
from scenes import palette


class Legend(Viewer):
    """The first tab: what moves, and what each thing drawn means."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, **params: object) -> None:
        self._pane = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(4, 12))
        self._theme: palette.Theme = "light"
        super().__init__(session=session, **params)

    def paint(self, theme: palette.Theme) -> None:
        self._theme = theme
        self._write()

    @param.depends("session.system", watch=True, on_init=True)
    def _write(self) -> None:
        session = self.session
        system = session.system
        counted = f"{system.n_arms} arm{'s' if system.n_arms > 1 else ''}, {system.n_joints} joints"
        if system.task_object is not None:
            counted += f", one object of {system.task_object.mass:.3g} kg"
        rows = "".join(
            f"<li><span class='swatch' style='background:{palette.quantity(name, self._theme)}'></span>{words}</li>"
            for name, words in ITEMS
            if system.task_object is not None or "contact" not in name
        )
        self._pane.object = (
            f"<h3>{html.escape(session.title)}</h3><p>{counted}.</p><ul class='legend'>{rows}</ul>"
            "<p>Drag to turn the view, scroll to come nearer, right-drag to shift it. "
            "Keys: <kbd>space</kbd> play and pause, <kbd>,</kbd> <kbd>.</kbd> step, <kbd>R</kbd> reset.</p>"
        )

    def __panel__(self) -> Viewable:
        return self._pane


ITEMS = (
    ("articulated_inertia", "P(k), articulated inertia: the covariance that the filter carries inward"),
    ("joint_inertia", "D(k), joint inertia: the variance of the innovation"),
    ("kalman_gain", "G(k), Kalman gain"),
    ("innovation", "ε(k), innovation: the torque that the prediction did not expect"),
    ("predicted_contact_force", "contact force as predicted by each arm on its own"),
    ("corrected_contact_force", "contact force as corrected by the object"),
    ("energy", "energy"),
    ("momentum", "momentum"),
)
