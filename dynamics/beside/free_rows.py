"""Rows of what floats in a mass matrix or among accelerations: where they stand, and in which axes they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from dynamics.beside.numbering import Numbering
from dynamics.beside.rerun import Run
from dynamics.checks import Array
from dynamics.system.plain_kinematics import PlainKinematics, shift
from dynamics.system.state import State
from dynamics.system.system import System

INERTIAL, OWN = "inertial axes", "its own axes"


class FreeRows(NamedTuple):
    """How six rows of what floats are written.

    Attributes:
        order: which half comes first.
        angular: in which axes the angular half is resolved,
        linear: and the linear one; Pinocchio has both in the body's own, MuJoCo the linear one in inertial axes.
        point: at which it is taken.
        thing: where the object's rows stand; empty where there are none.
    """

    order: str
    angular: str
    linear: str
    point: str
    thing: str

    @property
    def words(self) -> str:
        """The same, as one says it."""
        axes = f"in {self.linear}" if self.linear == self.angular else (
            f"the linear half in {self.linear}, the angular one in {self.angular}"
        )  # fmt: skip
        said = f"rows of what floats {self.order}, {axes}, at its {self.point}"
        return f"{said}; the object's rows {self.thing}" if self.thing else said


ORDERS = ("linear first", "angular first")


def ways(system: System, rows: int) -> Iterator[FreeRows]:
    """Those that a matrix of so many rows may have; none where nothing floats in it."""
    own = system.n_joints + 6 * system.n_bases
    things = ("",) if rows == own else ("last", "first")
    if rows not in (own, own + 6 * (system.task_object is not None)) or rows == system.n_joints:
        return
    for thing, order, angular, linear in product(things, ORDERS, (OWN, INERTIAL), (OWN, INERTIAL)):
        for point in ("origin", "mass centre") if system.is_floating else ("origin",):
            yield FreeRows(order, angular, linear, point, thing)


def places(system: System, numbering: Numbering, thing: str = "") -> list[int]:
    """For each of their rows ours: joints, then what floats, then the object."""
    n = system.n_joints
    found: list[int] = []
    for k in numbering.links:
        found += [k] if k < n else list(range(n + 6 * (k - n), n + 6 * (k - n) + 6))
    object_rows = list(range(n + 6 * system.n_bases, n + 6 * system.n_bases + 6))
    return [*object_rows, *found] if thing == "first" else [*found, *object_rows] if thing == "last" else found


def ancestors(system: System, rows: Sequence[int]) -> list[list[int]]:
    """For each of their rows those, itself among them, that move it: a joint's way inward, a body's rows before it."""
    n, at = system.n_joints, {row: j for j, row in enumerate(rows)}
    found = []
    for row in rows:
        first = row if row < n else n + 6 * ((row - n) // 6)
        link = row if row < n else n + (row - n) // 6
        inward = list(system.path_inward(link)[1:]) if link < system.n_links else []
        others = [i for k in inward for i in ([k] if k < n else range(n + 6 * (k - n), n + 6 * (k - n) + 6))]
        found.append(sorted(at[i] for i in [*range(first, row + 1), *others]))
    return found


def theirs_to_ours(system: System, state: State, moved: PlainKinematics, way: FreeRows) -> Array:
    """S, which makes our velocities of theirs; joints have the same."""
    n, count = system.n_joints, system.n_joints + 6 * (system.n_bases + bool(way.thing))
    whole = np.eye(count)
    for at in range((count - n) // 6):
        rows = slice(n + 6 * at, n + 6 * at + 6)
        whole[rows, rows] = _ours_of(system, state, moved, way, at)
    return whole


def _ours_of(system: System, state: State, moved: PlainKinematics, way: FreeRows, at: int) -> Array:
    """(6, 6): our velocity, [angular; linear] in inertial axes at the origin, of theirs."""
    k = system.n_joints + at
    is_object = at == system.n_bases
    assert not is_object or state.object_pose is not None
    turn = state.object_pose[:3, :3] if is_object and state.object_pose is not None else moved.pose[k, :3, :3]
    matrix = np.zeros((6, 6))
    matrix[:3, :3] = turn if way.angular == OWN else np.eye(3)
    matrix[3:, 3:] = turn if way.linear == OWN else np.eye(3)
    if way.point == "mass centre" and not is_object:
        matrix = shift(-moved.mass_lever[k]).T @ matrix
    return np.roll(matrix, 3, axis=1) if way.order == "linear first" else matrix


def rates_by_bodies(system: System, rates: Array, places: Sequence[int]) -> Array:
    """(links, 6): of numbers in somebody's order ours, a joint's in the first column, what floats as its six."""
    ours = np.empty(len(places))
    ours[list(places)] = rates
    return _by_links(system, ours)


def accelerations_shown(system: System, run: Run, way: FreeRows) -> Array:
    """(links, 6): ours as the rates of change of velocities that are written so."""
    n, moved, found = system.n_joints, run.moved, run.letters["theta_dd"]
    accelerations, velocities = run.of_points, run.letters["V"]
    for at in range(system.n_bases):
        k, matrix = n + at, _ours_of(system, run.state, moved, way, at)
        acceleration, velocity = accelerations[k].copy(), np.linalg.solve(matrix, velocities[k])
        omega, lever = velocities[k, :3], moved.mass_lever[k]
        if way.point == "mass centre":
            acceleration[3:] += np.cross(omega, np.cross(omega, lever))
        rates = np.linalg.solve(matrix, acceleration)
        if way.linear == OWN:  # the axes turn beneath it
            linear = slice(0, 3) if way.order == "linear first" else slice(3, 6)
            rates[linear] -= np.cross(moved.pose[k, :3, :3].T @ omega, velocity[linear])
        found = np.append(found, rates)
    return _by_links(system, found)


def _by_links(system: System, rates: Array) -> Array:
    n = system.n_joints
    found = np.zeros((system.n_links, 6))
    found[:n, 0], found[n:] = rates[:n], rates[n:].reshape(-1, 6)
    return found


def by_bodies(system: System, gaps: Array) -> Array:
    """Gaps of rows by joints, and by what floats the worst of its six; the object's last."""
    n = system.n_joints
    return np.concatenate([gaps[:n], gaps[n:].reshape(-1, 6).max(axis=1)])
