"""Pushing without a pointer in the picture: body, direction, force and duration."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import panel_material_ui as pmui
import param

from app.binding import Binding
from app.component import Component
from app.controls.number_field import NumberRow
from app.motion.world import FORCE
from app.number_text import row_html
from app.state import Session
from app.state.manipulation import Manipulation
from app.state.point_force import BodyPoint, PointForce, end_of, most_force
from app.views.components import View, text_pane, with_elements
from scenes.scales import round_below


class PressAndHold(Component):
    """Calls ``press`` when the button goes down and ``release`` when it comes up, loses focus, or is removed."""

    name_shown = param.String(default="", doc="The words on it.")
    hint = param.String(default="", doc="Shown when the pointer rests on it.")

    _esm = with_elements(Path(__file__).with_name("press_and_hold.js"))

    def __init__(self, press: Callable[[], None], release: Callable[[], None], **params: object) -> None:
        super().__init__(**params)
        self._press, self._release = press, release

    def _handle_msg(self, data: object) -> None:
        if data == "press":
            self._press()
        elif data == "release":
            self._release()


DIRECTIONS = {
    "+x": (1.0, 0.0, 0.0), "−x": (-1.0, 0.0, 0.0),
    "+y": (0.0, 1.0, 0.0), "−y": (0.0, -1.0, 0.0),
    "+z": (0.0, 0.0, 1.0), "−z": (0.0, 0.0, -1.0),
}  # fmt: skip
STEPS = 40
OBJECT = "object"
FORCE_DIGITS = 6
FORCE_NAME = "Force (N)"


class Push(View):
    """Pushes the end of the selected link, or the object; its readout also shows a push by the pointer."""

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, manipulation: Manipulation, **params: object) -> None:
        self._manipulation = manipulation
        self._body = pmui.Select(label="Body", options={}, size="small", sizing_mode="stretch_width", margin=(8, 10))
        self._direction = pmui.RadioButtonGroup(
            options=list(DIRECTIONS), value="+x", size="small", label="Direction", margin=(4, 10), sx=NARROW
        )
        self._half = 0.5
        self._size = NumberRow(session, FORCE_NAME, 0.0, 1.0, 0.1, self._choose_size, least=0.0, most=FORCE)
        self._button = PressAndHold(
            self._press, manipulation.let_go, name_shown="Hold to push", hint="Space or Enter, held down, pushes too",
            sizing_mode="stretch_width", margin=(6, 10),
        )  # fmt: skip
        self._tap = pmui.Button(
            label="Tap for 0.2 s", variant="outlined", size="small", height=36, sizing_mode="stretch_width",
            margin=(6, 10),
        )  # fmt: skip
        self._readout = text_pane(HELP, (4, 10))
        self._body_point = BodyPoint(0, np.zeros(3))
        self._measured: tuple[object, ...] = ()
        self._bodies = Binding(self._body, self._chosen, self._choose)
        self._directions = Binding(
            self._direction,
            lambda: self._way,
            lambda way: session.choose("changing", direction=list(DIRECTIONS).index(way)),
        )
        super().__init__(session=session, **params)
        self._tap.on_click(lambda _: manipulation.tap(self._body_point, self._force()))
        self.view = pmui.Column(
            self._body, self._direction, self._size, pmui.Row(self._button, self._tap, margin=0), self._readout,
            sizing_mode="stretch_width", margin=0,
        )  # fmt: skip

    def draw(self) -> None:
        """Follows the selected link, sets the slider's range for it, and shows how the present force comes about."""
        session = self.session
        self._directions.follow()
        self._bodies.follow(options={name: k for k, name in enumerate(self._names)})
        wanted = (session.setup.machine, self._chosen())
        if wanted != self._measured:
            self._measured = wanted
            self._measure(self._chosen())
        self._size.show(self._newtons)
        self._readout.object = HELP if session.point_force is None else described(session.point_force)

    def _measure(self, body: int) -> None:
        """Scales the slider to the force that the body withstands without being thrown about."""
        self._body_point = end_of(self.session.system, body)
        most = round_below(most_force(self.session.solution(), self._body_point))
        self._half = 0.5 * most
        self._size.look(FORCE_NAME, 0.0, most, most / STEPS)

    def _choose_size(self, newtons: float) -> None:
        self.session.choose("changing", newtons=newtons, pushed=self._names[self._chosen()])
        self._size.show(newtons)

    @property
    def _way(self) -> str:
        ways, way = list(DIRECTIONS), self.session.changing.direction
        return ways[way] if way < len(ways) else ways[0]

    @property
    def _newtons(self) -> float:
        """The force chosen for this body in N; half of its largest until one is chosen."""
        chosen = self.session.changing
        said = chosen.newtons if chosen.pushed == self._names[self._chosen()] else None
        return self._half if said is None else min(max(said, 0.0), FORCE)

    @property
    def _names(self) -> list[str]:
        system = self.session.system
        return [*system.link_names, *([OBJECT] if system.task_object is not None else [])]

    def _chosen(self) -> int:
        system = self.session.system
        pushes_object = self.session.changing.pushed == OBJECT and system.task_object is not None
        return system.n_links if pushes_object else self.session.cursor.link

    def _choose(self, body: int) -> None:
        is_object = body >= self.session.system.n_links
        self.session.choose("changing", newtons=None, pushed=OBJECT if is_object else "")
        if not is_object:
            self.session.select_link(body)

    def _force(self) -> np.ndarray:
        return self._newtons * np.array(DIRECTIONS[self._way])

    def _press(self) -> None:
        self.draw()
        self._manipulation.press(self._body_point, self._force())


def described(point_force: PointForce) -> str:
    """The force in numbers; for a spring also as force = stiffness · stretch − damping · velocity."""
    rows = [
        ("stretch, m", point_force.target - point_force.point),
        ("velocity, m/s", point_force.velocity),
        ("force, N", point_force.force),
    ]
    cells = "".join(
        f"<tr><td>{name}</td>"
        + "".join(f'<td class="number">{cell}</td>' for cell in row_html(vector, FORCE_DIGITS))
        + "</tr>"
        for name, vector in rows
        if point_force.stiffness or name != "stretch, m"
    )
    law = (
        f"<p>force = {point_force.stiffness:.7g} N/m · stretch − {point_force.damping:.7g} N s/m · velocity, "
        f"at most {point_force.limit:.5g} N</p>"
        if point_force.stiffness
        else ""
    )
    limited = "<p><b>The spring is at its limit.</b></p>" if point_force.is_limited else ""
    head = "<tr><th></th><th>x</th><th>y</th><th>z</th></tr>"
    return f'<p><b>{point_force.size:.3f} N</b></p><table class="numbers push">{head}{cells}</table>{law}{limited}'


HELP = (
    "<p>In the picture, drag a link or the object to push it. Here the end of the body is pushed, for as long as "
    "the button is held.</p>"
)
NARROW = {"& .MuiToggleButton-root": {"padding": "3px 9px", "textTransform": "none", "fontSize": "0.95rem"}}
