"""What all bodies are in, and how their motion is computed: gravity, damping, integrator and time step."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

from app.binding import Binding
from app.controls.number_field import NumberField
from app.controls.number_row import NumberRow
from app.motion.bounds import DAMPING, GRAVITY
from app.motion.numerics import ADAPTIVE, FIXED, STEPS
from app.motion.world import OTHER_PULL, PULLS, place_of
from app.state import Session
from app.views.style import STYLE

MOST_DAMPED = 5.0
"""N m s/rad or N s/m at the end of the slider."""
DAMPING_NAME = "Damping of every joint, on top of its own (N m s/rad, N s/m)"
METHODS = {title: name for name, (title, _) in FIXED.items()} | {title: name for name, title in ADAPTIVE.items()}
WORDS = "<p style='margin: 6px 0'>Gravity compensation uses this gravity and the masses as they are set.</p>"
SHORT = "<p style='margin: 6px 0'>A step is at least 0.1 ms. Marks on the timeline show where a step loses energy.</p>"
OWN_STEPS = "<p style='margin: 6px 0'>It chooses its own steps.</p>"


class World(Viewer):
    """Menus and numbers that hold for the whole machine."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, **params: object) -> None:
        look = {"size": "small", "sizing_mode": "stretch_width", "margin": (8, 10)}
        self.place = pmui.Select(label="Gravity", options=[*PULLS], value="Earth", **look)
        self.pull = [
            NumberField(
                f"g{axis} (m/s²)", partial(self._set_pull, k), self._refuse, least=-GRAVITY, most=GRAVITY,
                has_label=True, width=None, margin=(4, 6), sizing_mode="stretch_width", sx={},
            )
            for k, axis in enumerate("xyz")
        ]  # fmt: skip
        self.damping = NumberRow(
            DAMPING_NAME, 0.0, MOST_DAMPED, MOST_DAMPED / 100, session.set_damping, self._refuse,
            least=0.0, most=DAMPING,
        )  # fmt: skip
        self.method = pmui.Select(label="Integrator", options=METHODS, value="rk4", **look)
        self.step = pmui.Select(
            label="Time step", options={f"{1e3 * step:g} ms": step for step in STEPS}, value=STEPS[3], **look
        )
        self._words = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(0, 12))
        self._places = Binding(self.place, lambda: place_of(self._gravity), self._go)
        self._methods = Binding(self.method, lambda: session.setup.numerics.method, self._set_method)
        self._steps = Binding(self.step, lambda: session.setup.numerics.step, self._set_step)
        self._column = pmui.Column(
            self.place,
            pmui.Row(*self.pull, sizing_mode="stretch_width", margin=(0, 4)),
            self.damping,
            self.method,
            self.step,
            self._words,
            sizing_mode="stretch_width",
            margin=0,
        )
        super().__init__(session=session, **params)

    @property
    def _gravity(self) -> tuple[float, ...]:
        return tuple(self.session.system.gravity.tolist())

    @param.depends("session.run", "session.message", watch=True, on_init=True)
    def _follow(self) -> None:
        """Shows the session's values; after a choice that failed, those as well."""
        setup, place = self.session.setup, place_of(self._gravity)
        self._places.follow(options=[*PULLS, *([place] if place == OTHER_PULL else [])])
        for field, value in zip(self.pull, self._gravity, strict=True):
            field.show(value)
        self.damping.show(setup.damping)
        self._methods.follow()
        self._steps.follow()
        adaptive = setup.numerics.is_adaptive
        words = WORDS + (OWN_STEPS if adaptive else SHORT)
        if (self.step.visible, self._words.object) != (not adaptive, words):
            self.step.visible = not adaptive
            self._words.object = words

    def _refuse(self, words: str) -> None:
        self.session.whispered = words

    def _go(self, place: str) -> None:
        if place in PULLS:
            self.session.set_gravity(PULLS[place])

    def _set_pull(self, at: int, value: float) -> None:
        pull = self._gravity
        self.session.set_gravity((*pull[:at], value, *pull[at + 1 :]))

    def _set_method(self, name: str) -> None:
        if name in (*FIXED, *ADAPTIVE):
            self.session.change("", numerics=replace(self.session.setup.numerics, method=name))

    def _set_step(self, step: float) -> None:
        if step in STEPS:
            self.session.change("", numerics=replace(self.session.setup.numerics, step=step))

    def __panel__(self) -> Viewable:
        return self._column
