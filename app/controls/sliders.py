"""A torque slider for each joint, added to the drive's torque."""

from __future__ import annotations

import html
import math

import numpy as np
import panel_material_ui as pmui
import param

import dynamics as dyn
from app.binding import Binding
from app.controls.number_field import NumberRow
from app.motion.world import DISPLACEMENT, TORQUE
from app.state import Session
from app.state.manipulation import set_joint
from app.views.components import View, text_pane

MOST_SLIDERS = 40
"""Largest number of joints of one arm that get a slider, from the base on; hundreds would be slow and of no use."""
STRONGEST = 100.0  # Largest slider torque (N m or N) of a joint whose file states no limit

ABOUT = "They are added to what <i>Drive</i> does, from the run's start to its end. No joint gives more than its limit."


class Sliders(param.Parameterized):
    """The sliders of one arm at a time; for another arm they are only relabeled.

    Attributes:
        arm, about, torques: the menu of arms, the explanation of torques, and the sliders, to be laid out by *Change*.
    """

    session: Session = param.ClassSelector(class_=Session)  # type: ignore[assignment]

    def __init__(self, session: Session, **params: object) -> None:
        self.arm = pmui.Select(label="Arm", options={}, size="small", sizing_mode="stretch_width", margin=(8, 10))
        self.about = text_pane(ABOUT, (2, 12, 8, 12))
        self.rows: list[NumberRow] = []
        self._joints: list[int] = []  # the joint of each row
        self.torques = pmui.Column(sizing_mode="stretch_width", margin=0)
        self._machine: dyn.System | None = None
        self._arm = Binding(self.arm, lambda: session.cursor.arm, session.select_arm)
        super().__init__(session=session, **params)

    @param.depends("session.run", "session.message", watch=True, on_init=True)
    def _follow(self) -> None:
        """Shows the session's values, except in a slider that the user is moving."""
        session = self.session
        if session.loaded is not self._machine:
            self._machine = session.loaded
            self._build(session.loaded)
        self._show()

    def _build(self, system: dyn.System) -> None:
        self._arm.follow(options={f"Arm {arm + 1}: {robot.name}": arm for arm, robot in enumerate(system.robots)})
        self.arm.visible = system.n_arms > 1
        self._show_arm()

    def _show_arm(self) -> None:
        """Gives each slider a joint of this arm: sending another label and range costs far less than another slider."""
        system = self.session.system
        arm = min(self.session.cursor.arm, system.n_arms - 1)  # the cursor may still be in the previous machine
        own = [k for k in reversed(range(system.n_joints)) if system.arm_of_link[k] == arm]
        self._joints = own[:MOST_SLIDERS]  # the base's joint first, as one reads a robot
        if (missing := len(self._joints) - len(self.rows)) > 0:
            self.rows += [self._row(at) for at in range(len(self.rows), len(self.rows) + missing)]
            self.torques.objects = [*self.rows]
        for at, row in enumerate(self.rows):
            row.visible = at < len(self._joints)
        for row, k in zip(self.rows, self._joints, strict=False):
            row.look(*range_of(system, k))

    def _row(self, at: int) -> NumberRow:
        def act(torque: float) -> None:
            self.session.set_torque(self.session.system.joint_names[self._joints[at]], torque)

        return NumberRow(self.session, "", -1.0, 1.0, 0.01, act, least=-TORQUE, most=TORQUE)

    def _show(self) -> None:
        names = self.session.system.joint_names
        for row, k in zip(self.rows, self._joints, strict=False):
            row.show(self.session.setup.torques.get(names[k], 0.0))

    @param.depends("session.cursor.arm", watch=True)
    def _follow_arm(self) -> None:
        self._arm.follow()
        self._show_arm()
        self._show()


def range_of(system: dyn.System, k: int) -> tuple[str, float, float, float]:
    """Label, ends and step of a joint's torque slider."""
    joint = system.joint_models[k]
    most = joint.effort if math.isfinite(joint.effort) and joint.effort > 0.0 else STRONGEST
    unit = "N m" if joint.kind == "revolute" else "N"
    step = round_step(most / 100.0)
    end = step * math.floor(most / step * (1.0 + 1e-9))  # the end is a slider position, too
    return f"{system.joint_names[k]} ({unit})", -end, end, step


def round_step(most: float) -> float:
    """The largest of 1, 2 and 5 times a power of ten that is at most ``most``."""
    power = 10.0 ** math.floor(math.log10(most) + 1e-9)
    return max(digit * power for digit in (1.0, 2.0, 5.0) if digit * power <= most * (1.0 + 1e-9))


DEGREE = math.pi / 180.0
FREE_TURN, FREE_SLIDE = 180.0, 1.0  # Range to either side of a joint without limits, in degrees or m


class Posture(View):
    """The sliders of one arm at a time; what a closed chain does not allow is stated above them."""

    session: Session = param.ClassSelector(class_=Session)  # type: ignore[assignment]

    def __init__(self, session: Session, **params: object) -> None:
        self._rows: list[NumberRow] = []
        self._machine: object = None
        self._shown: tuple[object, ...] = ()
        self._said = text_pane("", (2, 18))
        self._said.visible = False
        self._here = pmui.Button(label="Start from this moment", variant="outlined", size="small", margin=(6, 4, 6, 14))
        self._loaded = pmui.Button(label="As loaded", variant="outlined", size="small", margin=(6, 4))
        self.view = pmui.Column(sizing_mode="stretch_width", margin=0)
        super().__init__(session=session, **params)
        self._here.on_click(lambda _: self._start_here())
        self._loaded.on_click(lambda _: self._pose(None))

    def draw(self) -> None:
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
                self.view.objects = [buttons, self._said, *own[::-1][:MOST_SLIDERS]]
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
            self.session, f"{system.joint_names[k]} ({unit})", lower, upper, step, lambda value: self._set(k, value),
            least=-most, most=most, written=written,
        )  # fmt: skip

    def _show(self, system: dyn.System, start: np.ndarray) -> None:
        for k, row in enumerate(self._rows):
            row.show(float(start[k]) / unit_of(system, k)[1])

    def _set(self, k: int, value: float) -> None:
        session = self.session
        system = session.system
        name, (_, scale) = system.joint_names[k], unit_of(system, k)
        self._say(set_joint(session, name, value * scale))
        self._shown = (self._shown[0], b"")
        self.draw()

    def _say(self, words: str) -> None:
        self._said.param.update(object=f'<span role="status">{html.escape(words)}</span>', visible=bool(words))

    def _start_here(self) -> None:
        """Makes the present posture the initial posture of the run, at rest."""
        self._pose(tuple(self.session.solution().state.q.tolist()))

    def _pose(self, posture: tuple[float, ...] | None) -> None:
        session = self.session
        if session.change("", posture=posture):
            session.playing = False
            session.seek(0.0)
        self._say("")


def unit_of(system: dyn.System, k: int) -> tuple[str, float]:
    """Unit in which a joint's displacement is shown, and its size in rad or m."""
    return ("°", DEGREE) if system.joint_models[k].kind == "revolute" else ("m", 1.0)
