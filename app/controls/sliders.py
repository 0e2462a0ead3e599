"""What can be changed about the motion: a mass, and a torque for each joint."""

from __future__ import annotations

import math

import numpy as np
import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

import dynamics as dyn
from app.state import Session
from app.state.masses import mass_name, mass_of

DECADES = 1.0
"""A mass slider spans this many decades to either side of the mass that was loaded."""
MOST_SLIDERS = 40
"""Joints of one arm that get a slider, from the base on; a page with hundreds would be slow and of no use."""
STRONGEST = 100.0
"""Largest slider torque (N m or N) of a joint whose file states no limit."""


class Sliders(Viewer):
    """The sliders of one arm at a time; they are made anew only for another machine.

    Attributes:
        arm, mass, torques: the menu of arms, the mass and the torques, to be laid out by the tab.
    """

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, **params: object) -> None:
        self.arm = pmui.Select(label="Arm", options={}, size="small", sizing_mode="stretch_width", margin=(8, 10))
        self.mass = pmui.DiscreteSlider(options={"1 kg": 1.0}, value=1.0, sizing_mode="stretch_width", margin=(4, 18))
        self._torques: dict[str, pmui.FloatSlider] = {}
        self.torques = pmui.Column(sizing_mode="stretch_width", margin=0)
        self._machine: dyn.System | None = None
        super().__init__(session=session, **params)
        self.arm.param.watch(self._choose_arm, "value")
        self.mass.param.watch(self._set_mass, "value")

    @param.depends("session.run", watch=True, on_init=True)
    def _follow(self) -> None:
        """Shows the session's values; a torque slider that the user is moving already has its own."""
        session = self.session
        if session.loaded is not self._machine:
            self._machine = session.loaded
            self._build(session.loaded)
        for name, slider in self._torques.items():
            slider.value = session.torques[name]
        self.mass.value = nearest(list(self.mass.options.values()), session.mass)

    def _build(self, system: dyn.System) -> None:
        masses = mass_of(system) * np.logspace(-DECADES, DECADES, 41)
        self.mass.param.update(
            label=f"{mass_name(system)}: mass",
            options={f"{mass:.3g} kg": float(mass) for mass in masses},
            value=float(masses[20]),
        )
        arms = {f"Arm {arm + 1}: {robot.name}": arm for arm, robot in enumerate(system.robots)}
        self.arm.param.update(options=arms, value=self.session.cursor.arm)
        self.arm.param.trigger("value")  # its words may be new though the arm is not
        self.arm.visible = system.n_arms > 1
        self._torques = {name: self._torque(system, k, name) for k, name in enumerate(system.joint_names)}
        self._show_arm(system, self.session.cursor.arm)

    def _show_arm(self, system: dyn.System, arm: int) -> None:
        own = [slider for k, slider in enumerate(self._torques.values()) if system.arm_of_link[k] == arm]
        # The base's joint first, as one reads a robot.
        self.torques.objects = [*own[::-1][:MOST_SLIDERS]]

    def _torque(self, system: dyn.System, k: int, name: str) -> pmui.FloatSlider:
        joint = system.joint_models[k]
        most = joint.effort if math.isfinite(joint.effort) and joint.effort > 0.0 else STRONGEST
        unit = "N m" if joint.kind == "revolute" else "N"
        slider = pmui.FloatSlider(
            label=f"{name} ({unit})",
            start=-most,
            end=most,
            step=most / 100.0,
            value=0.0,
            size="small",
            sizing_mode="stretch_width",
            margin=(2, 18),
        )
        slider.param.watch(lambda event: self._set_torque(name, event.new), "value")
        return slider

    def _set_torque(self, name: str, value: float) -> None:
        if value != self.session.torques.get(name):
            self.session.set_torque(name, value)

    def _set_mass(self, event: param.parameterized.Event) -> None:
        if not math.isclose(event.new, self.session.mass):
            self.session.set_mass(event.new)

    def _choose_arm(self, event: param.parameterized.Event) -> None:
        if event.new is not None and event.new != self.session.cursor.arm:
            self.session.select_arm(event.new)

    @param.depends("session.cursor.arm", watch=True)
    def _follow_arm(self) -> None:
        self.arm.value = self.session.cursor.arm
        self._show_arm(self.session.system, self.session.cursor.arm)

    def __panel__(self) -> Viewable:
        return pmui.Column(self.mass, self.arm, self.torques, sizing_mode="stretch_both", scroll="y", margin=0)


def nearest(values: list[float], value: float) -> float:
    """The value of the list that is nearest to ``value``."""
    return min(values, key=lambda other: abs(other - value))
