"""The cells of a robot's sheets, and the robot that a typed number makes of it. Rows go from base to tip."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeGuard

import numpy as np
import panel_material_ui as pmui
import param
from scipy.spatial.transform import Rotation

import dynamics as dyn
from app.binding import Binding
from app.component import Component
from app.controls.number_field import NumberField
from app.number_text import beside_numbers
from app.state import Session
from app.state.robot_editing import RobotEditing
from app.views.components import ELEMENTS, View, text_pane
from dynamics.robot import (
    denavit_hartenberg,
    with_body,
    with_denavit_hartenberg,
    with_density,
    with_joint,
    with_link,
    without_link,
)

DEGREE = math.pi / 180.0
PLACES = {"Ixx": (0, 0), "Iyy": (1, 1), "Izz": (2, 2), "Ixy": (0, 1), "Ixz": (0, 2), "Iyz": (1, 2)}
NONE = "–"  # how the absence of a limit is shown, and typed
Convention = Literal["standard", "modified"]


@dataclass(frozen=True)
class Column:
    """One number of each row."""

    title: str
    unit: str  # for a link, or for a joint that turns
    read: Callable[[dyn.Robot, int], float]  # of the robot, by the row's link
    change: Callable[[dyn.Robot, int, float], dyn.Robot]  # returns the robot with another number there
    sliding: str = ""  # for a joint that slides, if it differs
    may_be_none: bool = False  # whether it is a limit that may be absent

    def unit_of(self, robot: dyn.Robot, k: int) -> str:
        slides = self.sliding and k < len(robot.joints) and robot.joints[k].kind == "prismatic"
        return self.sliding if slides else self.unit

    def scale(self, robot: dyn.Robot, k: int) -> float:
        """The SI value of one unit."""
        return DEGREE if self.unit_of(robot, k).startswith("°") else 1.0

    def shown(self, robot: dyn.Robot, k: int) -> float:
        """The number in its unit; typed degrees come back unchanged."""
        value, scale = self.read(robot, k), self.scale(robot, k)
        return value if scale == 1.0 or not math.isfinite(value) else _degrees(value)

    def with_shown(self, robot: dyn.Robot, k: int, value: float) -> dyn.Robot:
        """The robot with another number, given in its unit."""
        return self.change(robot, k, value * self.scale(robot, k))


def _degrees(radians: float) -> float:
    value = radians / DEGREE
    near = float(f"{value:.12g}")
    return near if near * DEGREE == radians or abs(near - value) < 1e-12 * max(abs(value), 1.0) else value


def _link(robot: dyn.Robot, k: int) -> dyn.Link:
    return (*robot.links, robot.root)[k]


def _entry(
    title: str, unit: str, at: int | tuple[int, int], read: Callable[[dyn.Robot, int], np.ndarray],
    change: Callable[[dyn.Robot, int, np.ndarray], dyn.Robot], sliding: str = "",
) -> Column:  # fmt: skip
    """A column for one entry of an array that each link or joint has."""

    def changed(robot: dyn.Robot, k: int, value: float) -> dyn.Robot:
        values = np.array(read(robot, k), dtype=float)
        values[at] = value
        return change(robot, k, values)

    return Column(title, unit, lambda robot, k: float(read(robot, k)[at]), changed, sliding)


def _of_body(title: str, unit: str, at: int | tuple[int, int], field: str) -> Column:
    def change(robot: dyn.Robot, k: int, values: np.ndarray) -> dyn.Robot:
        if isinstance(at, tuple):  # an inertia, which is symmetric
            values[at[::-1]] = values[at]
        return with_body(robot, _link(robot, k).name, **{field: values})  # type: ignore[arg-type]

    return _entry(title, unit, at, lambda robot, k: getattr(_link(robot, k), field), change)


def _of_joint(title: str, unit: str, at: int | tuple[int, int], field: str, sliding: str = "") -> Column:
    def change(robot: dyn.Robot, k: int, values: np.ndarray) -> dyn.Robot:
        return with_joint(robot, robot.joints[k].name, **{field: values})  # type: ignore[arg-type]

    return _entry(title, unit, at, lambda robot, k: np.array(getattr(robot.joints[k], field)), change, sliding)


def _with_mass(robot: dyn.Robot, k: int, value: float) -> dyn.Robot:
    """Scales the inertia with the mass, if there is any: the same body with another density."""
    link = _link(robot, k)
    share = value / link.mass if link.mass > 0.0 and value > 0.0 else 1.0
    return with_body(robot, link.name, mass=value, inertia=share * link.inertia)


def _joint(title: str, unit: str, field: str, sliding: str = "", may_be_none: bool = False) -> Column:
    def change(robot: dyn.Robot, k: int, value: float) -> dyn.Robot:
        return with_joint(robot, robot.joints[k].name, **{field: value})  # type: ignore[arg-type]

    return Column(title, unit, lambda robot, k: float(getattr(robot.joints[k], field)), change, sliding, may_be_none)


def _turn(title: str, at: int) -> Column:
    def change(robot: dyn.Robot, k: int, angles: np.ndarray) -> dyn.Robot:
        origin = robot.joints[k].origin.copy()
        origin[:3, :3] = np.round(Rotation.from_euler("xyz", angles).as_matrix(), 15)  # exact for quarter turns
        return with_joint(robot, robot.joints[k].name, origin=origin)

    return _entry(title, "°", at, lambda robot, k: rpy_of(robot.joints[k].origin), change)


def rpy_of(pose: np.ndarray) -> np.ndarray:
    """Turns about x, y and z, all fixed, rad; if the second is a right angle, the third is zero."""
    m = pose[:3, :3]
    level = math.hypot(m[0, 0], m[1, 0])
    yaw = math.atan2(m[1, 0], m[0, 0]) if level > 1e-14 else 0.0
    c, s = math.cos(yaw), math.sin(yaw)
    roll = math.atan2(s * m[0, 2] - c * m[1, 2], c * m[1, 1] - s * m[0, 1])
    return np.array([roll, math.atan2(-m[2, 0], level), yaw])


@lru_cache(maxsize=2)
def _rows_of_table(robot: dyn.Robot, convention: Convention) -> np.ndarray:
    """Computed once for all cells of a sheet."""
    return denavit_hartenberg(robot, convention).rows


def _table(title: str, unit: str, at: int, convention: Convention) -> Column:
    def read(robot: dyn.Robot, k: int) -> np.ndarray:
        return np.asarray(_rows_of_table(robot, convention)[len(robot.links) - 1 - k])

    def change(robot: dyn.Robot, k: int, row: np.ndarray) -> dyn.Robot:
        rows = _rows_of_table(robot, convention).copy()
        rows[len(robot.links) - 1 - k] = row
        return with_denavit_hartenberg(robot, rows, convention)

    return _entry(title, unit, at, read, change)


def _tables(convention: Convention) -> tuple[Column, ...]:
    columns = (("a", "m"), ("α", "°"), ("d", "m"), ("θ", "°"))
    return tuple(_table(title, unit, at, convention) for at, (title, unit) in enumerate(columns))


SHEETS: Mapping[str, Sequence[Column]] = {
    "Masses": (
        Column("mass", "kg", lambda robot, k: _link(robot, k).mass, _with_mass),
        *(_of_body("xyz"[at], "m", at, "center_of_mass") for at in range(3)),
    ),
    "Inertias": tuple(_of_body(name, "kg m²", at, "inertia") for name, at in PLACES.items()),
    "Joint axes": tuple(_of_joint(f"axis {'xyz'[at]}", "", at, "axis") for at in range(3)),
    "Limits": (
        _joint("from", "°", "lower", "m", may_be_none=True),
        _joint("to", "°", "upper", "m", may_be_none=True),
        _joint("speed", "°/s", "velocity", "m/s", may_be_none=True),
        _joint("effort", "N m", "effort", "N", may_be_none=True),
    ),
    "Losses": (
        _joint("rotor", "kg m²", "rotor_inertia", "kg"),
        _joint("damping", "N m s/rad", "damping", "N s/m"),
        _of_joint("friction −", "N m", 0, "friction", "N"),
        _of_joint("friction +", "N m", 1, "friction", "N"),
    ),
    "Frames": (
        *(_of_joint("xyz"[at], "m", (at, 3), "origin") for at in range(3)),
        *map(_turn, ("roll", "pitch", "yaw"), range(3)),
    ),
    "D–H": _tables("standard"),
    "D–H, Craig's": _tables("modified"),
}
"""Name -> columns, few enough for a phone."""
OF_LINKS = ("Masses", "Inertias")  # sheets with a row per body; the others have a row per joint
TABLE = "{}, all joints at zero. Bodies stay on their own joints; between parallel axes d is the next joint's."
SAID: Mapping[str, str] = {
    "Masses": "Mass, with which the inertia scales, and mass centre in the link's own axes.",
    "Inertias": "About the mass centre, in the link's own axes; products are the tensor's own elements.",
    "Joint axes": "In the link's own axes, of any length.",
    "Limits": "An empty cell means no limit.",
    "Losses": "Rotor inertia as seen at the joint, viscous damping, Coulomb friction in either direction.",
    "Frames": "Each joint's place in the link that carries it, with the joint at zero: lengths are here.",
    "D–H": TABLE.format("Rz(θ) Tz(d) Tx(a) Rx(α)"),
    "D–H, Craig's": TABLE.format("Modified D–H, Rx(α) Tx(a) Rz(θ) Tz(d)"),
}


def rows_of(robot: dyn.Robot, sheet: str, floats: bool) -> list[int]:
    """The links that are rows of a sheet, base to tip; a floating root has a body but no joint."""
    return [*([len(robot.links)] if sheet in OF_LINKS and floats else []), *range(len(robot.links))[::-1]]


def name_of(robot: dyn.Robot, sheet: str, k: int) -> str:
    return _link(robot, k).name if sheet in OF_LINKS else robot.joints[k].name


KINDS = {"turns": "revolute", "slides": "prismatic"}
AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
OUTBOARD = {"stays": "join", "goes, too": "remove"}
ALUMINIUM = 2700.0  # kg/m^3
COLOR = (0.24, 0.47, 0.72, 1.0)


class Parts(View):
    """Controls for the link at the cursor, beside its numbers.

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
        self.weigh = pmui.Button(label="Mass and inertia from its shapes", **BUTTON)
        self.new_kind = pmui.Select(label="New joint", options=KINDS, value="revolute", **SELECT)
        self.axis = pmui.Select(label="Axis", options=list(AXES), value="x", **SELECT)
        self.length = self._field("Length (m)", 0.3, 1e-3, 100.0)
        self.radius = self._field("Radius (m)", 0.03, 1e-4, 10.0)
        self.add = pmui.Button(label="Add a rod to it", **BUTTON)
        self.outboard = pmui.Select(label="What it carries", options=OUTBOARD, value="join", **SELECT)
        self.remove = pmui.Button(label="Remove it", **BUTTON)
        self.title = text_pane("", (4, 14, 0, 14))
        self.weigh.on_click(lambda _: self._weigh())
        self.add.on_click(lambda _: self._add())
        self.remove.on_click(lambda _: self._remove())
        wide = {"sizing_mode": "stretch_width", "margin": (0, 8)}
        self.view = pmui.Column(
            self.title,
            pmui.Row(self.kind, self.density, **wide),
            pmui.Row(self.weigh, **wide),
            pmui.Row(self.new_kind, self.axis, **wide),
            pmui.Row(self.length, self.radius, **wide),
            pmui.Row(self.add, **wide),
            pmui.Row(self.outboard, self.remove, **wide),
            sizing_mode="stretch_width", margin=0,
        )  # fmt: skip

    def _field(self, name: str, value: float, least: float, most: float) -> NumberField:
        field = NumberField(
            self._session, name, lambda value: field.show(value), least=least, most=most, has_label=True, value=value
        )
        return field

    def show(self, robot: dyn.Robot, at: int) -> None:
        """Shows a link of a robot; the root if none of its own links is at the cursor."""
        is_root = not 0 <= at < len(robot.links)
        self._at = len(robot.links) if is_root else at
        name = robot.root.name if is_root else robot.links[at].name
        self.title.object = f"<h3>At the cursor: {html.escape(name)}</h3>"
        for each in (self.kind, self.remove, self.outboard):
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


SELECT = {"size": "small", "sizing_mode": "stretch_width", "margin": (4, 6)}
BUTTON = {"variant": "outlined", "size": "small", "margin": (10, 6)}


def with_rod(
    robot: dyn.Robot, carrier: str, kind: str, axis: tuple[float, float, float], length: float, radius: float,
    density: float,
) -> dyn.Robot:  # fmt: skip
    """The robot with a solid rod joined to a link at its tool point, or at its origin without one, along z."""
    names = [*(link.name for link in robot.links), robot.root.name]
    taken = {*names, *robot.joint_names, *robot.frames}
    number = next(k for k in range(1, len(taken) + 2) if not {f"rod_{k}", f"rod_{k}_joint", f"rod_{k}_tip"} & taken)
    at = names.index(carrier)
    start = next((tip.pose for tip in robot.tips if tip.link == at), np.eye(4))
    middle = np.eye(4)
    middle[2, 3] = 0.5 * length
    shape = dyn.Geometry("cylinder", (radius, length), middle, COLOR)
    # Any body, as a robot without one is invalid; the mass of its shape is set at once.
    link = dyn.Link(f"rod_{number}", 1.0, middle[:3, 3], np.eye(3), (shape,))
    joint = dyn.Joint(f"rod_{number}_joint", kind, np.array(axis), start)  # type: ignore[arg-type]
    end = np.eye(4)
    end[2, 3] = length
    return with_density(with_link(robot, carrier, link, joint, end), link.name, density)


LONGEST = 60  # characters of a typed number


class SheetTable(Component):
    """Rows of numbers; reports edited cells and the selected row.

    Args:
        typed: receives row, column and text.
        chosen_by_user: receives a row.
    """

    columns: param.List = param.List(default=[], item_type=str, doc="Titles, the rows' own first.")
    rows: param.List = param.List(
        default=[], item_type=dict, doc="Dicts of name and cells: short text, every digit, and what it is called."
    )
    caption = param.String(default="", doc="What the sheet is about.")
    chosen = param.Integer(default=-1, doc="The row that the cursor is at; -1 for none.")
    heard = param.Integer(default=0, doc="How many texts were judged: a cell that was refused shows its own again.")

    _esm = beside_numbers(ELEMENTS, Path(__file__).with_name("sheet_table.js"))
    _stylesheets = ["sheet_table.css"]  # noqa: RUF012

    def __init__(
        self, typed: Callable[[int, int, str], None], chosen_by_user: Callable[[int], None], **params: Any
    ) -> None:
        super().__init__(sizing_mode="stretch_width", margin=(4, 12), **params)
        self._typed, self._chosen_by_user = typed, chosen_by_user

    def _handle_msg(self, data: object) -> None:
        """Accepts a row with a column and a text, or a row alone; ignores anything else."""
        if not isinstance(data, dict):
            return
        row, column, text, chosen = (data.get(key) for key in ("row", "column", "text", "chosen"))
        n, width = len(self.rows), len(self.columns) - 1
        if _is_index(chosen, n):
            self._chosen_by_user(chosen)
        elif isinstance(text, str) and _is_index(row, n) and _is_index(column, width):
            self._typed(row, column, text[:LONGEST])
            self.heard += 1


def _is_index(value: object, count: int) -> TypeGuard[int]:
    return type(value) is int and 0 <= value < count
