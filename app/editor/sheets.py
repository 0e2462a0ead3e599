"""What a robot's sheets show, cell by cell, and the robot that a typed number makes of it. Rows go from base to tip."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

import numpy as np
from scipy.spatial.transform import Rotation

import dynamics as dyn
from dynamics.editing import denavit_hartenberg, with_body, with_denavit_hartenberg, with_joint

DEGREE = math.pi / 180.0
PLACES = {"Ixx": (0, 0), "Iyy": (1, 1), "Izz": (2, 2), "Ixy": (0, 1), "Ixz": (0, 2), "Iyz": (1, 2)}
NONE = "–"
"""How a limit that is none is shown, and typed."""
Convention = Literal["standard", "modified"]


@dataclass(frozen=True)
class Column:
    """One number of each row.

    Attributes:
        unit: of a link, or of a joint that turns.
        sliding: of a joint that slides, where it is another one.
        read: of the robot, by the row's link.
        change: the robot with another number there.
        may_be_none: whether it is a limit, which may be none.
    """

    title: str
    unit: str
    read: Callable[[dyn.Robot, int], float]
    change: Callable[[dyn.Robot, int, float], dyn.Robot]
    sliding: str = ""
    may_be_none: bool = False

    def unit_of(self, robot: dyn.Robot, k: int) -> str:
        """Of a row's number."""
        slides = self.sliding and k < len(robot.joints) and robot.joints[k].kind == "prismatic"
        return self.sliding if slides else self.unit

    def scale(self, robot: dyn.Robot, k: int) -> float:
        """What one of its unit is in SI."""
        return DEGREE if self.unit_of(robot, k).startswith("°") else 1.0

    def shown(self, robot: dyn.Robot, k: int) -> float:
        """In its unit; degrees that were typed come back as they were."""
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


def _center(at: int) -> Column:
    def change(robot: dyn.Robot, k: int, value: float) -> dyn.Robot:
        link = _link(robot, k)
        return with_body(robot, link.name, center_of_mass=_with(link.center_of_mass, at, value))

    return Column("xyz"[at], "m", lambda robot, k: float(_link(robot, k).center_of_mass[at]), change)


def _inertia(name: str) -> Column:
    row, column = PLACES[name]

    def change(robot: dyn.Robot, k: int, value: float) -> dyn.Robot:
        tensor = _link(robot, k).inertia.copy()
        tensor[row, column] = tensor[column, row] = value
        return with_body(robot, _link(robot, k).name, inertia=tensor)

    return Column(name, "kg m²", lambda robot, k: float(_link(robot, k).inertia[row, column]), change)


def _with_mass(robot: dyn.Robot, k: int, value: float) -> dyn.Robot:
    """Its inertia goes along with its mass, where it has one: so it is the same body of other stuff."""
    link = _link(robot, k)
    share = value / link.mass if link.mass > 0.0 and value > 0.0 else 1.0
    return with_body(robot, link.name, mass=value, inertia=share * link.inertia)


def _joint(title: str, unit: str, field: str, sliding: str = "", may_be_none: bool = False) -> Column:
    def change(robot: dyn.Robot, k: int, value: float) -> dyn.Robot:
        return with_joint(robot, robot.joints[k].name, **{field: value})  # type: ignore[arg-type]

    return Column(title, unit, lambda robot, k: float(getattr(robot.joints[k], field)), change, sliding, may_be_none)


def _axis(at: int) -> Column:
    def change(robot: dyn.Robot, k: int, value: float) -> dyn.Robot:
        return with_joint(robot, robot.joints[k].name, axis=_with(robot.joints[k].axis, at, value))

    return Column(f"axis {'xyz'[at]}", "", lambda robot, k: float(robot.joints[k].axis[at]), change)


def _friction(title: str, at: int) -> Column:
    def change(robot: dyn.Robot, k: int, value: float) -> dyn.Robot:
        return with_joint(robot, robot.joints[k].name, friction=_with(np.array(robot.joints[k].friction), at, value))

    return Column(title, "N m", lambda robot, k: robot.joints[k].friction[at], change, "N")


def _place(at: int) -> Column:
    def change(robot: dyn.Robot, k: int, value: float) -> dyn.Robot:
        origin = robot.joints[k].origin.copy()
        origin[at, 3] = value
        return with_joint(robot, robot.joints[k].name, origin=origin)

    return Column("xyz"[at], "m", lambda robot, k: float(robot.joints[k].origin[at, 3]), change)


def _turn(title: str, at: int) -> Column:
    def change(robot: dyn.Robot, k: int, value: float) -> dyn.Robot:
        origin = robot.joints[k].origin.copy()
        angles = _with(rpy_of(origin), at, value)
        quarters = np.round(Rotation.from_euler("xyz", angles).as_matrix(), 15)
        origin[:3, :3] = quarters
        return with_joint(robot, robot.joints[k].name, origin=origin)

    return Column(title, "°", lambda robot, k: float(rpy_of(robot.joints[k].origin)[at]), change)


def rpy_of(pose: np.ndarray) -> np.ndarray:
    """Turns about x, y and z, all fixed, rad; where the second is a right angle the third is none."""
    m = pose[:3, :3]
    level = math.hypot(m[0, 0], m[1, 0])
    yaw = math.atan2(m[1, 0], m[0, 0]) if level > 1e-14 else 0.0
    c, s = math.cos(yaw), math.sin(yaw)
    roll = math.atan2(s * m[0, 2] - c * m[1, 2], c * m[1, 1] - s * m[0, 1])
    return np.array([roll, math.atan2(-m[2, 0], level), yaw])


@lru_cache(maxsize=2)
def _rows_of_table(robot: dyn.Robot, convention: Convention) -> np.ndarray:
    """One for all cells of a sheet."""
    return denavit_hartenberg(robot, convention).rows


def _table(title: str, unit: str, at: int, convention: Convention) -> Column:
    def read(robot: dyn.Robot, k: int) -> float:
        return float(_rows_of_table(robot, convention)[len(robot.links) - 1 - k, at])

    def change(robot: dyn.Robot, k: int, value: float) -> dyn.Robot:
        rows = _rows_of_table(robot, convention).copy()
        rows[len(robot.links) - 1 - k, at] = value
        return with_denavit_hartenberg(robot, rows, convention)

    return Column(title, unit, read, change)


def _tables(convention: Convention) -> tuple[Column, ...]:
    columns = (("a", "m"), ("α", "°"), ("d", "m"), ("θ", "°"))
    return tuple(_table(title, unit, at, convention) for at, (title, unit) in enumerate(columns))


def _with(values: np.ndarray, at: int, value: float) -> np.ndarray:
    changed = np.array(values, dtype=float)
    changed[at] = value
    return changed


SHEETS: Mapping[str, Sequence[Column]] = MappingProxyType(
    {
        "Masses": (
            Column("mass", "kg", lambda robot, k: _link(robot, k).mass, _with_mass),
            *map(_center, range(3)),
        ),
        "Inertias": tuple(map(_inertia, PLACES)),
        "Joint axes": tuple(map(_axis, range(3))),
        "Limits": (
            _joint("from", "°", "lower", "m", may_be_none=True),
            _joint("to", "°", "upper", "m", may_be_none=True),
            _joint("speed", "°/s", "velocity", "m/s", may_be_none=True),
            _joint("effort", "N m", "effort", "N", may_be_none=True),
        ),
        "Losses": (
            _joint("rotor", "kg m²", "rotor_inertia", "kg"),
            _joint("damping", "N m s/rad", "damping", "N s/m"),
            _friction("friction −", 0),
            _friction("friction +", 1),
        ),
        "Frames": (*map(_place, range(3)), *map(_turn, ("roll", "pitch", "yaw"), range(3))),
        "D–H": _tables("standard"),
        "D–H, Craig's": _tables("modified"),
    }
)
"""Name -> columns, few enough for a telephone."""
OF_LINKS = ("Masses", "Inertias")
"""Sheets with a row for each body; the others have one for each joint."""
TABLE = "{}, all joints at zero. Bodies stay on their own joints; between parallel axes d stands at the next one."
SAID: Mapping[str, str] = MappingProxyType(
    {
        "Masses": "Mass, with which the inertia goes along, and mass centre in the link's own axes.",
        "Inertias": "About the mass centre, in the link's own axes; products are the tensor's own elements.",
        "Joint axes": "In the link's own axes, of any length.",
        "Limits": "Left empty, there is no limit.",
        "Losses": "Rotor inertia as the joint feels it, viscous damping, Coulomb friction against either direction.",
        "Frames": "Where each joint stands in the link that carries it, the joint being at zero: lengths are here.",
        "D–H": TABLE.format("Rz(θ) Tz(d) Tx(a) Rx(α)"),
        "D–H, Craig's": TABLE.format("Modified D–H, Rx(α) Tx(a) Rz(θ) Tz(d)"),
    }
)


def rows_of(robot: dyn.Robot, sheet: str, floats: bool) -> list[int]:
    """The links that a sheet has rows for, base to tip; a root that floats has a body and no joint."""
    return [*([len(robot.links)] if sheet in OF_LINKS and floats else []), *range(len(robot.links))[::-1]]


def name_of(robot: dyn.Robot, sheet: str, k: int) -> str:
    """What a row is called."""
    return _link(robot, k).name if sheet in OF_LINKS else robot.joints[k].name
