"""A link more or less, what its joint does, and what it weighs by its shapes."""

from __future__ import annotations

import html
from collections.abc import Callable

import numpy as np
import panel as pn
import panel_material_ui as pmui
from panel.viewable import Viewable, Viewer

import dynamics as dyn
from app.binding import Binding
from app.controls.number_field import NumberField
from app.state import Session
from app.state.robot_editing import RobotEditing
from app.views.style import STYLE
from dynamics.editing import with_density, with_joint, with_link, without_link

KINDS = {"turns": "revolute", "slides": "prismatic"}
AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
OUTBOARD = {"stays": "join", "goes, too": "remove"}
ALUMINIUM = 2700.0
"""kg/m^3."""
COLOR = (0.24, 0.47, 0.72, 1.0)


class Parts(Viewer):
    """What can be done with the link at the cursor beside its numbers.

    Args:
        chosen: moves the cursor to one of the robot's links.
    """

    def __init__(self, session: Session, editing: RobotEditing, chosen: Callable[[int], None]) -> None:
        super().__init__()
        self._session, self._editing, self._chosen, self._at = session, editing, chosen, 0
        self._kind_now = "revolute"
        self.kind = pmui.Select(label="Its joint", options=KINDS, value="revolute", **SELECT)
        self._kind = Binding(self.kind, lambda: self._kind_now, self._set_kind)
        self.density = self._field("Density (kg/m³)", ALUMINIUM, 0.1, 1e5)
        self.weigh = pmui.Button(label="Weigh it by its shapes", **BUTTON)
        self.new_kind = pmui.Select(label="New joint", options=KINDS, value="revolute", **SELECT)
        self.axis = pmui.Select(label="Axis", options=list(AXES), value="x", **SELECT)
        self.length = self._field("Length (m)", 0.3, 1e-3, 100.0)
        self.radius = self._field("Radius (m)", 0.03, 1e-4, 10.0)
        self.add = pmui.Button(label="Add a rod to it", **BUTTON)
        self.outboard = pmui.Select(label="What it carries", options=OUTBOARD, value="join", **SELECT)
        self.remove = pmui.Button(label="Remove it", **BUTTON)
        self.title = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(4, 14, 0, 14))
        self.weigh.on_click(lambda _: self._weigh())
        self.add.on_click(lambda _: self._add())
        self.remove.on_click(lambda _: self._remove())

    def _field(self, name: str, value: float, least: float, most: float) -> NumberField:
        field = NumberField(
            name, lambda value: field.show(value), self._refuse, least=least, most=most, has_label=True, value=value,
            width=None, margin=(4, 6), sizing_mode="stretch_width", sx={},
        )  # fmt: skip
        return field

    def _refuse(self, words: str) -> None:
        self._session.whispered = words

    def show(self, robot: dyn.Robot, at: int) -> None:
        """For a link of a robot; of the root, where none of its own is at the cursor."""
        is_root = not 0 <= at < len(robot.links)
        self._at = len(robot.links) if is_root else at
        name = robot.root.name if is_root else robot.links[at].name
        words = f"<h3>At the cursor: {html.escape(name)}</h3>"
        if self.title.object != words:
            self.title.object = words
        for each in (self.kind, self.remove, self.outboard):
            if each.disabled != is_root:
                each.disabled = is_root
        if not is_root:
            self._kind_now = robot.joints[at].kind
            self._kind.follow()

    @property
    def _name(self) -> str:
        robot = self._editing.robot
        return (*robot.links, robot.root)[self._at].name

    def _set_kind(self, kind: str) -> None:
        if self._at < len(self._editing.robot.joints):
            at = self._at
            self._editing.apply(lambda robot: with_joint(robot, robot.joints[at].name, kind=kind))  # type: ignore[arg-type]

    def _weigh(self) -> None:
        name, density = self._name, self.density.value
        self._editing.apply(lambda robot: with_density(robot, name, density))

    def _add(self) -> None:
        robot, name, kind, axis = self._editing.robot, self._name, str(self.new_kind.value), AXES[str(self.axis.value)]
        length, radius, density = (field.value for field in (self.length, self.radius, self.density))

        def longer(present: dyn.Robot) -> dyn.Robot:
            return with_rod(present, name, kind, axis, length, radius, density)

        if self._editing.apply(longer):
            known = [link.name for link in robot.links]
            added = next(k for k, link in enumerate(self._editing.robot.links) if link.name not in known)
            self._chosen(added)

    def _remove(self) -> None:
        name, outboard = self._name, str(self.outboard.value)
        self._editing.apply(lambda robot: without_link(robot, name, outboard))  # type: ignore[arg-type]

    def __panel__(self) -> Viewable:
        wide = {"sizing_mode": "stretch_width", "margin": (0, 8)}
        return pmui.Column(
            self.title,
            pmui.Row(self.kind, self.density, **wide),
            pmui.Row(self.weigh, **wide),
            pmui.Row(self.new_kind, self.axis, **wide),
            pmui.Row(self.length, self.radius, **wide),
            pmui.Row(self.add, **wide),
            pmui.Row(self.outboard, self.remove, **wide),
            sizing_mode="stretch_width", margin=0,
        )  # fmt: skip


SELECT = {"size": "small", "sizing_mode": "stretch_width", "margin": (4, 6)}
BUTTON = {"variant": "outlined", "size": "small", "margin": (10, 6)}


def with_rod(
    robot: dyn.Robot, carrier: str, kind: str, axis: tuple[float, float, float], length: float, radius: float,
    density: float,
) -> dyn.Robot:  # fmt: skip
    """The robot with a rod at a link's tool point, or at its origin where it has none: along z, solid, joined there."""
    names = [*(link.name for link in robot.links), robot.root.name]
    taken = {*names, *robot.joint_names, *robot.frames}
    number = next(k for k in range(1, len(taken) + 2) if not {f"rod_{k}", f"rod_{k}_joint", f"rod_{k}_tip"} & taken)
    at = names.index(carrier)
    start = next((tip.pose for tip in robot.tips if tip.link == at), np.eye(4))
    middle = np.eye(4)
    middle[2, 3] = 0.5 * length
    shape = dyn.Geometry("cylinder", (radius, length), middle, COLOR)
    # Some body, for a robot without one cannot be; what its shape weighs is set at once.
    link = dyn.Link(f"rod_{number}", 1.0, middle[:3, 3], np.eye(3), (shape,))
    joint = dyn.Joint(f"rod_{number}_joint", kind, np.array(axis), start)  # type: ignore[arg-type]
    end = np.eye(4)
    end[2, 3] = length
    return with_density(with_link(robot, carrier, link, joint, end), link.name, density)
