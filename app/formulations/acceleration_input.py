"""The input of inverse dynamics: an acceleration of each joint, or of the held object."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import panel_material_ui as pmui
from numpy.typing import NDArray

import dynamics as dyn
from app.controls.number_field import FIELD, NumberField
from app.equations.rounding import Loads
from app.equations.sheet import Figures
from app.formulations.sheet import ASKED, FOUND, MISSED, accelerations_of, apart, joints_table
from app.messages import in_words
from app.motion.errors import ERRORS
from app.number_text import read_number
from app.state import Session
from app.state.walk import joint_called
from app.views.components import View
from dynamics.reading import FormulationReading

Array = NDArray[np.float64]
MOST = 1e4  # Largest acceleration that can be entered, rad/s^2 or m/s^2
OF_JOINTS, OF_OBJECT = ASKED


class AccelerationInput(View):
    """Fields of the accelerations; they show the current ones until one is typed.

    Args:
        changed: called when other accelerations are wanted.
    """

    def __init__(self, session: Session, changed: Callable[[], None]) -> None:
        super().__init__()
        self._session, self._changed = session, changed
        self._made: tuple[tuple[str, ...], str] = ((), "")
        self._fields: list[NumberField] = []
        self._present: Array = np.zeros(0)
        self._row = pmui.FlexBox(sizing_mode="stretch_width", margin=(16, 8, 0, 8), gap="0px")
        self._back = pmui.Button(label="As they are now", size="small", variant="outlined", margin=(0, 12, 4, 12))
        self._back.on_click(lambda _: self._forget())
        self.view = pmui.Column(self._row, self._back, sizing_mode="stretch_width", margin=0, visible=False)

    def of(self, solution: dyn.Solution, name: str) -> tuple[Array, Array | None]:
        """Accelerations of the joints, and of the object, for which a formulation is evaluated.

        Current ones that are only rounding errors are set to zero, as a formulation cannot recognize them.
        """
        loads = Loads.of(solution.system, solution.stages)
        joints = loads.without_rounding("theta_dd", np.asarray(solution.joint_acceleration))
        payload = solution.object_acceleration
        if payload is not None:
            payload = loads.without_rounding("alpha_C", payload[None])[0]
        asked = self._asked(solution.system, name)
        if asked is None or name not in ASKED:
            return joints, payload
        return (asked, payload) if name == OF_JOINTS else (joints, asked)

    def follow(self, solution: dyn.Solution, name: str) -> None:
        """Sets the fields of a formulation to the wanted or the current accelerations."""
        self.view.visible = name in ASKED
        if name not in ASKED:
            return
        system = solution.system
        if self._made != (system.joint_names, name):
            self._made = system.joint_names, name
            self._fields = [
                NumberField(
                    self._session, title, partial(self._ask, k), least=-MOST, most=MOST, written="{:z.4g}",
                    has_label=True, width=118, sizing_mode=None, margin=(8, 6), sx=FIELD,
                )
                for k, title in enumerate(_titles(system, name))
            ]  # fmt: skip
            self._row[:] = [field.widget for field in self._fields]
        joints, payload = self.of(solution, name)
        self._present = joints if name == OF_JOINTS or payload is None else payload
        for field, value in zip(self._fields, self._present.tolist(), strict=True):
            field.show(value)
        self._back.disabled = self._asked(system, name) is None

    @property
    def _said(self) -> dict[str, str]:
        """For each formulation with typed accelerations, these as a link gives them."""
        parts = (each.partition(":") for each in self._session.accelerations.split(";"))
        return {name: row for name, _, row in parts if name}

    def _say(self, said: dict[str, str]) -> None:
        self._session.accelerations = ";".join(f"{name}:{row}" for name, row in said.items())
        self._changed()

    def _asked(self, system: dyn.System, name: str) -> Array | None:
        """The accelerations typed for a formulation; None for the current ones, or if they are another machine's."""
        values = [read_number(each) for each in self._said.get(name, "").split(",")]
        if None in values or len(values) != len(_titles(system, name)):
            return None
        return np.clip(np.array(values, dtype=float), -MOST, MOST)

    def _ask(self, k: int, value: float) -> None:
        wanted = self._present.copy()
        wanted[k] = value
        self._say({**self._said, self._made[1]: ",".join(map(repr, wanted.tolist()))})

    def _forget(self) -> None:
        self._say({name: row for name, row in self._said.items() if name != self._made[1]})


def _titles(system: dyn.System, name: str) -> Sequence[str]:
    if name == OF_OBJECT:
        return [f"{part} {axis} ({unit})" for part, unit in (("turn", "rad/s²"), ("shift", "m/s²")) for axis in "xyz"]
    return [
        f"{joint_called(system, k)} ({'rad/s²' if joint.kind == 'revolute' else 'm/s²'})"
        for k, joint in enumerate(system.joint_models)
    ]


def check_html(reading: FormulationReading, solution: dyn.Solution, wrench: Array | None, figures: Figures) -> str:
    """Whether forward dynamics of the resulting torques returns the wanted accelerations."""
    try:
        again = dyn.forward_dynamics(reading.system, solution.state, reading.answer, external_forces=wrench)
    except ERRORS as error:
        return f"<p class='warning'>{html.escape(in_words(error))}</p>"
    is_of_joints = reading.name == OF_JOINTS
    wanted = np.asarray(reading.letter("theta_dd" if is_of_joints else "alpha_C")).ravel()
    found = np.asarray(again.joint_acceleration if is_of_joints else again.object_acceleration)
    gap = apart(found, wanted, accelerations_of(again))
    figures.put(gap)
    if gap > MISSED and not is_of_joints and not reading.breaks:
        said = (
            "Arms and contacts cannot give the object this acceleration: a direction is left free, or they cannot move "
            "so. Forward dynamics of these torques leads to another one"
        )
    else:
        whose = "the joints' accelerations" if is_of_joints else "the object's acceleration"
        said = f"Forward dynamics of its torques {'does not give' if gap > MISSED else 'gives'} {whose} back"
    return f"<p class='arrival'>{said}: relative difference <b class='apart' data-digits='2'>{figures.one()}</b></p>"


def torques_html(reading: FormulationReading, solution: dyn.Solution, figures: Figures) -> str:
    """The resulting torques, beside the motors' own."""
    columns = [("it takes", reading.answer), ("the motors give", solution.tau)]
    return f"<h3>Torques</h3>{joints_table(reading.system, FOUND['torque'], columns, figures)}"
