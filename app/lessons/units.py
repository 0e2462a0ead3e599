"""The unit of an expression: that by which its value changes as kilogram, metre and second are made others.

Nothing of the expression is read for it: it is computed once more with every quantity in other units, each entry by the
unit that the registry gives it. What adds unlike things up, or takes a sine of metres, changes by no power of the
units, and of that nothing is said.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.formula import unit_at_joint
from app.lessons.language import Expression
from app.lessons.quantities import STAGES, Scope
from app.lessons.values import CONSTANTS, ExpressionError, Value
from app.unit_text import in_si, unit_words

Powers = Mapping[str, Fraction]
BASES = ("kg", "m", "s")
TIMES = (2.0, 3.0)
"""By how much a base is made smaller, one after the other: an accident hardly fits both."""
ROUNDING = 1e-6
"""Of a power that is found from two values."""
FORCE, SPIN, INERTIA = "N m; N", "rad/s; m/s", "kg m^2, kg m; kg m, kg"
OF: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("links", "joints", "arms", "shares", "contact_directions", "indeterminate", "link"), "1"),
        **dict.fromkeys(("kinetic_energy", "potential_energy", "energy"), "J"),
        **dict.fromkeys(("length", "center_distance", "mass_center", "tip_position"), "m"),
        **dict.fromkeys(("link_velocity", "object_velocity"), SPIN),
        **dict.fromkeys(("bias_acceleration", "base_acceleration"), "rad/s^2; m/s^2"),
        **dict.fromkeys(("bias_force", "squeeze"), FORCE),
        **dict.fromkeys(("spatial_inertia", "object_inertia"), INERTIA),
        "time": "s",
        "gravity": "m/s^2",
        "momentum": "N m s; N s",
        "angular_momentum": "N m s",
        "mass": "kg",
        "object_mass": "kg",
        "turned": "rad",
        "position": "rad or m",
        "rate": "rad/s or m/s",
        "torque": "N m or N",
        "rotor_inertia": "kg m^2 or kg",
        "joint_axis": "1",
    }
)
"""Of what is not in the registry, as it writes units; a whitened innovation is one of standard deviations, and none."""
OF_TWO_JOINTS: Mapping[str, int] = MappingProxyType({"mass_matrix": 1, "inverse_mass_matrix": -1})
"""Kinetic energy by the rates of two joints, or one over it."""
UNLIKE = "directions", "d)"
"""In the shape of an array whose entries lie along axes of their own, with a unit each."""


def unit_of_value(expression: Expression, scope: Scope) -> Powers | None:
    """Powers of kg, m and s; None for what is nought, adds unlike things up, or has parts of which no unit is known."""
    try:
        here = expression.number(scope)
        found = {base: _power(expression, scope, base, here) for base in BASES}
    except ExpressionError:
        return None
    return {base: power for base, power in found.items() if power}


def other_unit(expression: Expression, unit: str, scope: Scope) -> str | None:
    """The unit that a value has where that is not the one which is said of it; None where it is, or none is known."""
    found, said = unit_of_value(expression, scope), in_si(unit)
    if found is None or said is None or (found == said[1] and (said[0] == 1.0 or _changes_over(expression))):
        return None
    return "rad" if not found and unit == "°" else unit_words(found)


def _changes_over(expression: Expression) -> bool:
    """Whether a number that is written in it may change a unit over, as 180 / pi does."""
    return any(
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Mult | ast.Div)
        and any(map(_is_number, (node.left, node.right)))
        for node in ast.walk(expression.tree)
    )


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id in CONSTANTS)


def _power(expression: Expression, scope: Scope, base: str, here: float) -> Fraction:
    """Of one base in the unit of a value.

    Raises:
        ExpressionError: where its value goes with no power of it.
    """
    powers = set[Fraction]()
    for times in TIMES:
        there = expression.number(_Smaller(scope, base, times))
        if here == 0.0 or there / here <= 0.0:
            raise ExpressionError("what is nought has any unit.")
        power = math.log(there / here) / math.log(times)
        near = Fraction(round(2.0 * power), 2)
        if abs(power - near) > ROUNDING:
            raise ExpressionError("it adds up what is unlike.")
        powers.add(near)
    if len(powers) > 1:
        raise ExpressionError("it adds up what is unlike.")
    return powers.pop()


class _Smaller:
    """The same quantities in units of which one base is so many times smaller, their numbers as much larger."""

    def __init__(self, scope: Scope, base: str, times: float) -> None:
        self._scope, self._base, self._times = scope, base, times

    def value(self, path: tuple[str, ...], at: tuple[int, ...], time: float | None) -> Value:
        """See ``language.Names``."""
        found = self._scope.value(path, at, time)
        if isinstance(found, bool):
            return found
        if len(path) == 1 and path[0] in self._scope.supposed:
            return found * self._by(self._scope.supposed[path[0]].unit)
        known, path = self._scope.moment_of(path)
        name = path[-1]
        slides = [joint.kind == "prismatic" for joint in known.solution.system.joint_models]
        if name in OF_TWO_JOINTS:
            factors = self._of_two_joints(slides) ** OF_TWO_JOINTS[name]
            scaled = found * (factors[at[0] - 1, at[1] - 1] if at else factors)
        else:
            unit, shape = unit_at(path)
            of_joints = " or " in unit or " (or " in unit
            if any(each in shape for each in UNLIKE):
                raise ExpressionError(f"{name} has entries of many units.")
            if of_joints and not at:
                scaled = found * np.array([self._entries(unit_at_joint(unit, each), ()) for each in slides])
            else:
                scaled = found * self._entries(unit_at_joint(unit, of_joints and slides[at[0] - 1]), np.shape(found))
        return float(scaled) if np.ndim(scaled) == 0 else scaled

    def _of_two_joints(self, slides: list[bool]) -> NDArray[np.float64]:
        ways = np.array([self._by("m") if each else 1.0 for each in slides])
        return self._by("kg m^2") / np.outer(ways, ways)

    def _entries(self, unit: str, shape: tuple[int, ...]) -> NDArray[np.float64] | float:
        """Of a value: angular part first where it has two, rows of a matrix likewise."""
        rows = [[self._by(each.strip()) for each in row.split(",")] for row in unit.split(";")]
        if len(rows) == 1:
            return rows[0][0]
        if shape == (6,):
            return np.repeat(np.ravel(rows), 3)
        if shape == (6, 6):
            return np.kron(np.array(rows), np.ones((3, 3)))
        raise ExpressionError(f"{unit} is of no array of this shape.")

    def _by(self, unit: str) -> float:
        """By how much a number in a unit grows."""
        known = in_si(unit)
        if known is None:
            raise ExpressionError(f"{unit} is no unit.")
        return float(self._times ** known[1].get(self._base, 0))


def unit_at(path: tuple[str, ...]) -> tuple[str, str]:
    """(unit, shape) of a quantity by its name, as the registry writes them.

    Raises:
        ExpressionError: for one of which none is known.
    """
    name, stage = path[-1], path[-2] if len(path) > 1 and path[-2] in STAGES else None
    if path[0] == "counted":
        return "1", ""
    if name in OF and stage is None:
        return OF[name], ""
    quantity = next((each for key, each in dyn.registry.items() if key[1] == name and stage in (None, key[0])), None)
    if quantity is None:
        raise ExpressionError(f"of {name} no unit is known.")
    return quantity.unit, quantity.shape
