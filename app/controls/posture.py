"""The posture at the start: a slider for each joint, in degrees or metres."""

from __future__ import annotations

import html
import math

import numpy as np
import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

import dynamics as dyn
from app.controls.number_row import NumberRow
from app.controls.sliders import MOST_SLIDERS
from app.motion.bounds import DISPLACEMENT
from app.state import Session
from app.state.posing import set_joint
from app.views.style import STYLE

DEGREE = math.pi / 180.0
FREE_TURN, FREE_SLIDE = 180.0, 1.0
"""Range to either side of a joint without limits, degrees or m."""


class Posture(Viewer):
    """The sliders of one arm at a time; what a closed chain does not allow is said above them."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, **params: object) -> None:
        self._rows: list[NumberRow] = []
        self._machine: object = None
        self._shown: tuple[object, ...] = ()
        self._said = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(2, 18), visible=False)
        self._here = pmui.Button(label="Start from this moment", variant="outlined", size="small", margin=(6, 4, 6, 14))
        self._loaded = pmui.Button(label="As loaded", variant="outlined", size="small", margin=(6, 4))
        self._column = pmui.Column(sizing_mode="stretch_width", margin=0)
        super().__init__(session=session, **params)
        self._here.on_click(lambda _: self._start_here())
        self._loaded.on_click(lambda _: self._pose(None))

    def draw(self) -> None:
        """Shows the posture that the run starts with."""
        session = self.session
        system, arm = session.system, session.cursor.arm
        if session.setup.machine is not self._machine:
            self._machine = session.setup.machine
            self._rows = [self._row(system, k) for k in range(system.n_joints)]
            self._shown = ()
        start = session.run.start.q
        if self._shown != (arm, start.tobytes()):
            if not self._shown or self._shown[0] != arm:
                own = [row for k, row in enumerate(self._rows) if system.arm_of_link[k] == arm]
                buttons = pmui.Row(self._here, self._loaded, margin=0)
                # The base's joint first, as one reads a robot.
                self._column.objects = [buttons, self._said, *own[::-1][:MOST_SLIDERS]]
            self._shown = (arm, start.tobytes())
            self._show(system, start)

    def _row(self, system: dyn.System, k: int) -> NumberRow:
        joint, (unit, scale) = system.joint_models[k], unit_of(system, k)
        free = FREE_TURN if joint.kind == "revolute" else FREE_SLIDE
        lower = joint.lower / scale if math.isfinite(joint.lower) else -free
        upper = joint.upper / scale if math.isfinite(joint.upper) else free
        step, written = (0.5, "{:z.2f}") if joint.kind == "revolute" else (0.005, "{:z.4f}")
        most = DISPLACEMENT / scale
        return NumberRow(
            f"{system.joint_names[k]} ({unit})", lower, upper, step, lambda value: self._set(k, value), self._refuse,
            least=-most, most=most, written=written,
        )  # fmt: skip

    def _refuse(self, words: str) -> None:
        self.session.whispered = words

    def _show(self, system: dyn.System, start: np.ndarray) -> None:
        for k, row in enumerate(self._rows):
            row.show(float(start[k]) / unit_of(system, k)[1])

    def _set(self, k: int, value: float) -> None:
        session = self.session
        assert session is not None
        system = session.system
        name, (_, scale) = system.joint_names[k], unit_of(system, k)
        self._say(set_joint(session, name, value * scale))
        self._shown = (self._shown[0], b"")
        self.draw()

    def _say(self, words: str) -> None:
        self._said.param.update(object=f'<span role="status">{html.escape(words)}</span>', visible=bool(words))

    def _start_here(self) -> None:
        """The present posture becomes the one that the run starts with, at rest."""
        self._pose(tuple(self.session.solution().state.q.tolist()))

    def _pose(self, posture: tuple[float, ...] | None) -> None:
        session = self.session
        if session.change("", posture=posture):
            session.playing = False
            session.seek(0.0)
        self._say("")

    def __panel__(self) -> Viewable:
        return self._column


def unit_of(system: dyn.System, k: int) -> tuple[str, float]:
    """How a joint's displacement is shown, and how much of it that is in rad or m."""
    return ("°", DEGREE) if system.joint_models[k].kind == "revolute" else ("m", 1.0)
