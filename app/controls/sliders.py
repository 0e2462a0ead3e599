"""What can be changed about the motion: a mass, and a torque for each joint."""

from __future__ import annotations

import math

import numpy as np
import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

import dynamics as dyn
from app.binding import Binding, nearest
from app.motion.masses import mass_name, mass_of
from app.state import Session

DECADES = 1.0
"""A mass slider spans this many decades to either side of the mass that was loaded."""
MOST_SLIDERS = 40
"""Joints of one arm that get a slider, from the base on; a page with hundreds would be slow and of no use."""
STRONGEST = 100.0
"""Largest slider torque (N m or N) of a joint whose file states no limit."""


class Sliders(Viewer):
    """The sliders of one arm at a time; those of another arm are the same ones with other words.

    Attributes:
        arm, mass, torques: the menu of arms, the mass and the torques, to be laid out by the tab.
    """

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, **params: object) -> None:
        self.arm = pmui.Select(label="Arm", options={}, size="small", sizing_mode="stretch_width", margin=(8, 10))
        self.mass = pmui.DiscreteSlider(options={"1 kg": 1.0}, value=1.0, sizing_mode="stretch_width", margin=(4, 18))
        self._sliders: list[pmui.FloatSlider] = []
        self._torques: list[Binding[float]] = []
        self._joints: list[int] = []  # whose torque each slider is
        self.torques = pmui.Column(sizing_mode="stretch_width", margin=0)
        self._masses = [1.0]
        self._machine: dyn.System | None = None
        self._arm = Binding(self.arm, lambda: session.cursor.arm, session.select_arm)
        self._mass = Binding(self.mass, lambda: nearest(self._masses, session.mass), session.set_mass)
        super().__init__(session=session, **params)

    @param.depends("session.run", watch=True, on_init=True)
    def _follow(self) -> None:
        """Shows the session's values; a slider that the user is moving already has its own."""
        session = self.session
        if session.loaded is not self._machine:
            self._machine = session.loaded
            self._build(session.loaded)
        for binding in (*self._torques[: len(self._joints)], self._mass):
            binding.follow()

    def _build(self, system: dyn.System) -> None:
        masses = mass_of(system) * np.logspace(-DECADES, DECADES, 41)
        self._masses = [float(mass) for mass in masses]
        self._mass.follow(label=f"{mass_name(system)}: mass", options={f"{mass:.3g} kg": mass for mass in self._masses})
        self._arm.follow(options={f"Arm {arm + 1}: {robot.name}": arm for arm, robot in enumerate(system.robots)})
        self.arm.visible = system.n_arms > 1
        self._show_arm()

    def _show_arm(self) -> None:
        """Gives each slider a joint of this arm: to send other words and another end costs far less than a slider."""
        system = self.session.system
        arm = min(self.session.cursor.arm, system.n_arms - 1)  # the cursor may still be in the machine before
        own = [k for k in reversed(range(system.n_joints)) if system.arm_of_link[k] == arm]
        self._joints = own[:MOST_SLIDERS]  # the base's joint first, as one reads a robot
        if (missing := len(self._joints) - len(self._sliders)) > 0:
            self._sliders += [self._slider(row) for row in range(len(self._sliders), len(self._sliders) + missing)]
            self.torques.objects = [*self._sliders]
        for row, slider in enumerate(self._sliders):
            slider.visible = row < len(self._joints)
        for torque, k in zip(self._torques, self._joints, strict=False):
            torque.follow(**range_of(system, k))

    def _slider(self, row: int) -> pmui.FloatSlider:
        def name() -> str:
            return self.session.system.joint_names[self._joints[row]]

        def act(torque: float) -> None:
            self.session.set_torque(name(), torque)

        slider = pmui.FloatSlider(size="small", sizing_mode="stretch_width", margin=(2, 18))
        self._torques.append(Binding(slider, lambda: self.session.setup.torques.get(name(), 0.0), act))
        return slider

    @param.depends("session.cursor.arm", watch=True)
    def _follow_arm(self) -> None:
        self._arm.follow()
        self._show_arm()

    def __panel__(self) -> Viewable:
        return pmui.Column(self.mass, self.arm, self.torques, sizing_mode="stretch_both", scroll="y", margin=0)


def range_of(system: dyn.System, k: int) -> dict[str, str | float]:
    """Words, ends and step of the slider of a joint's torque."""
    joint = system.joint_models[k]
    most = joint.effort if math.isfinite(joint.effort) and joint.effort > 0.0 else STRONGEST
    unit = "N m" if joint.kind == "revolute" else "N"
    return {"label": f"{system.joint_names[k]} ({unit})", "start": -most, "end": most, "step": most / 100.0}
