"""The inertial parameters of any link or of the object: mass, mass center and inertia, by slider and in numbers."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import panel_material_ui as pmui
import param

from app.binding import Binding, nearest
from app.controls.number_field import NumberField
from app.motion.setup import Machine
from app.motion.world import INERTIA, LENGTH, LIGHTEST, MASS, Body, body_names, body_of, main_body
from app.state import Session
from app.views.components import View, text_pane

DECADES = 1.0  # A mass slider spans this many decades to either side of the loaded mass
WEIGHTLESS = 1.0  # Middle of the slider, in kg, for a body that was loaded without mass
CENTER = "x", "y", "z"
INERTIAS = "Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz"
OPEN = "Not applied yet: no body can be like this. Go on with the other numbers, or <i>Drop them</i>."
LOADED, DROP = "As loaded", "Drop them"


class Bodies(View):
    """Shows one body at a time. Numbers that are not physically consistent stay in their fields and change nothing."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, **params: object) -> None:
        self.body = pmui.Select(label="Body", options={}, size="small", sizing_mode="stretch_width", margin=(8, 10))
        self.mass = pmui.DiscreteSlider(
            label="Mass (kg)", options={"1 kg": 1.0}, value=1.0, show_value=False, size="small",
            sizing_mode="stretch_width", margin=(4, 6, 4, 18),
        )  # fmt: skip
        self._machine: Machine | None = None
        self._draft: Body | None = None
        self._masses = [1.0]
        self.mass_field = NumberField(session, "Mass (kg)", self._set_mass, least=LIGHTEST, most=MASS)
        self.center, self.inertia = (
            [
                NumberField(session, f"{name} ({unit})", partial(act, k), least=-most, most=most, has_label=True)
                for k, name in enumerate(names)
            ]
            for names, unit, act, most in (
                (CENTER, "m", partial(self._set, "center"), LENGTH),
                (INERTIAS, "kg m²", partial(self._set, "inertia"), INERTIA),
            )
        )  # fmt: skip
        self._said = text_pane("", (2, 18))
        self._loaded = pmui.Button(label=LOADED, variant="outlined", size="small", margin=(8, 14))
        self._bodies = Binding(self.body, lambda: self._chosen, self._choose)
        self._mass = Binding(self.mass, lambda: nearest(self._masses, self._present.mass), self._set_mass)
        self._centers = self._group("Mass centre, in the body's own axes", self.center)
        self.view = pmui.Column(
            self.body,
            pmui.Row(self.mass, self.mass_field, sizing_mode="stretch_width", margin=0),
            self._centers,
            self._group("Inertia about the mass centre, in the body's own axes; a new mass scales it", self.inertia),
            self._said,
            self._loaded,
            sizing_mode="stretch_width",
            margin=0,
        )
        super().__init__(session=session, **params)
        self._loaded.on_click(lambda _: self._as_loaded())

    def _group(self, title: str, fields: list[NumberField]) -> pmui.Column:
        threes = [fields[k : k + 3] for k in range(0, len(fields), 3)]
        rows = [pmui.Row(*three, sizing_mode="stretch_width", margin=(0, 10)) for three in threes]
        head = text_pane(f"<h4 style='margin: 0; font-weight: 500'>{title}</h4>", (8, 16, 0, 16))
        return pmui.Column(head, *rows, sizing_mode="stretch_width", margin=0)

    @property
    def _chosen(self) -> int:
        """The body that is shown: the chosen one, if this machine has it."""
        names = body_names(self.session.loaded)
        body = self.session.changing.body
        return names.index(body) if body in names else main_body(self.session.loaded)

    @property
    def _present(self) -> Body:
        return self.session.setup.body(self._chosen)

    @param.depends("session.run", "session.message", watch=True, on_init=True)
    def _follow(self) -> None:
        """Shows the session's values; numbers not applied yet are dropped when another body is shown."""
        session = self.session
        if session.setup.machine is not self._machine:
            self._machine, self._draft = session.setup.machine, None
            self._bodies.follow(options={name: k for k, name in enumerate(body_names(session.loaded))})
        self._show()

    @param.depends("session.changing", watch=True)
    def _look_at_another(self) -> None:
        if self._bodies.shown != self._chosen:
            self._draft = None
            self._bodies.follow()
            self._show()

    def _show(self) -> None:
        loaded, present = body_of(self.session.loaded, self._chosen), self._present
        masses = (loaded.mass or WEIGHTLESS) * np.logspace(-DECADES, DECADES, 41)
        self._masses = [float(mass) for mass in masses]
        self._mass.follow(options={f"{mass:.3g} kg": mass for mass in self._masses})
        shown = self._draft or present
        self.mass_field.show(shown.mass, shown.mass != present.mass)
        for fields, values, own in (
            (self.center, shown.center, present.center),
            (self.inertia, shown.inertia, present.inertia),
        ):
            for field, value, is_own in zip(fields, values, own, strict=True):
                field.show(value, value != is_own)
        words = f'<span role="status">{OPEN}</span>' if self._draft is not None else scaled_words(loaded, present)
        self._said.param.update(object=words, visible=bool(words))
        self._loaded.param.update(
            label=LOADED if self._draft is None else DROP,
            disabled=self._draft is None and self._chosen not in self.session.setup.bodies,
        )

    def _choose(self, body: int) -> None:
        loaded = self.session.loaded
        name = "" if body == main_body(loaded) else body_names(loaded)[body]
        self.session.choose("changing", body=name)

    def _set_mass(self, value: float) -> None:
        if self._draft is not None:
            self._try(self._draft.scaled(value))
        else:
            self.session.set_mass(value, self._chosen)

    def _set(self, what: str, at: int, value: float) -> None:
        body = self._draft or self._present
        values = getattr(body, what)
        self._try(replace(body, **{what: (*values[:at], value, *values[at + 1 :])}))  # type: ignore[arg-type]

    def _try(self, body: Body) -> None:
        """Applies the body, or keeps its numbers in the fields until the others are consistent with them."""
        self._draft = None
        if not self.session.set_body(self._chosen, body):
            self._draft = body
        self._show()

    def _as_loaded(self) -> None:
        """Restores the loaded values; the run is unchanged if there were only numbers not applied yet."""
        waits, self._draft = self._draft is not None, None
        if not waits and self._chosen in self.session.setup.bodies:
            self.session.set_body(self._chosen, None)
        self._show()


def scaled_words(loaded: Body, present: Body) -> str:
    """A note that the inertia was scaled with the mass; empty if it was not."""
    if present == loaded or loaded.mass <= 0.0 or present != loaded.scaled(present.mass):
        return ""
    return f"Its inertia was scaled with its mass: both {present.mass / loaded.mass:.3g} times as loaded."
