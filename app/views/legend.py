"""What the scene shows, in words and colors."""

from __future__ import annotations

import html

import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

import dynamics as dyn
from app.state import Session
from app.views.style import STYLE
from scenes import palette


class Legend(Viewer):
    """The first tab: what moves, and what each thing drawn means."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, **params: object) -> None:
        self._layers = pmui.CheckBoxGroup.from_param(session.param.layers, label="", inline=True, margin=(4, 12, 0, 12))
        self._pane = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(4, 12))
        self._theme: palette.Theme = "light"
        self._told = ""
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
            f"<li><span class='swatch' style='background:{palette.quantity(name, self._theme)}'></span>"
            f"<span><b>{symbol}</b> {words(stage, name)}</span></li>"
            for stage, name, symbol in ITEMS
            if system.task_object is not None or stage != "contact"
        )
        self._pane.object = (
            f"<h3>{html.escape(session.title)}</h3><p>{counted}.</p><ul class='legend'>{rows}</ul>{self._told}"
            "<p>Drag turns the view, the wheel zooms, the right button shifts, a double click shows all. "
            "Keys: <kbd>space</kbd> play and pause, <kbd>,</kbd> <kbd>.</kbd> step, <kbd>R</kbd> reset.</p>"
        )

    def draw(self) -> None:
        """Says when a joint met a limit, or what else happened to the run."""
        events = "".join(f"<li>{at:.2f} s: {html.escape(word)}</li>" for at, word in self.session.run.events)
        told = f"<p>In this run:</p><ul>{events}</ul>" if events else ""
        if told != self._told:
            self._told = told
            self._write()

    def stop(self) -> None:
        """Nothing of this view outlives the session."""

    def __panel__(self) -> Viewable:
        return pn.Column(self._layers, self._pane, sizing_mode="stretch_both", scroll="y", margin=0)


ITEMS = (
    ("filter", "articulated_inertia", "P(k)"),
    ("filter", "joint_inertia", "D(k)"),
    ("filter", "kalman_gain", "G(k)"),
    ("filter", "innovation", "ε(k)"),
    ("contact", "predicted_contact_force", "x<sub>FREE</sub>"),
    ("contact", "corrected_contact_force", "x(0)"),
    ("contact", "object_acceleration", "α(C)"),
)


def words(stage: str, name: str) -> str:
    """Both names of a quantity: to the estimator, and to the mechanic."""
    quantity = dyn.registry[stage, name]
    return f"{html.escape(quantity.estimation_name)}: <i>{html.escape(quantity.mechanics_name)}</i>"
