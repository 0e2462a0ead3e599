"""Joint arguments of callers: an array from tip to base or in another order, or numbers by joint name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamics.checks import Array, brief, choices, is_among, nearest, number, numbers, real_array
from dynamics.errors import StateError
from dynamics.system.layout import LEADER

if TYPE_CHECKING:
    from dynamics.system.system import System

JointValues: TypeAlias = ArrayLike | Mapping[str, ArrayLike]
Order: TypeAlias = Literal["tip", "base"] | Sequence[str]
"""The end at which arrays begin, or the joints' names in the order of arrays; irrelevant for values given by name."""
OFF = 1e-6
"""Largest deviation of a follower's value, if given by name, from what its leader determines."""


def joint_vector(system: System, value: JointValues | None, what: str, order: Order = "tip") -> Array:
    """A new (joints,) array, tip to base, arm after arm; zero for None, and for joints that are not named."""
    given = np.zeros(system.n_joints) if value is None else tip_first(system, value, what, order)
    return numbers(given, (system.n_joints,), what)


def tip_first(system: System, value: JointValues, what: str, order: Order) -> ArrayLike:
    """The same as an array whose last axis runs from tip to base; the caller refuses wrong lengths."""
    places = None if is_among(order, ("tip",)) else joint_order(system, order)
    if isinstance(value, Mapping):
        return _by_name(system.joint_names, value, what)
    if places is None:
        return value
    array = real_array(value, f"{system.n_joints} numbers", what)
    return array[..., np.argsort(places)] if array.shape[-1:] == (system.n_joints,) else array


def joint_order(system: System, order: Order) -> NDArray[np.intp]:
    """(joints,): the tip-to-base indices of an array's consecutive entries."""
    if is_among(order, ("tip", "base")):
        return np.arange(system.n_joints) if order == "tip" else system.base_order
    is_list = isinstance(order, Iterable) and not isinstance(order, str | Set)  # Pinocchio's are no Sequence
    names = [str(name) for name in islice(order, system.n_joints + 1)] if is_list else []
    if sorted(names) != sorted(system.joint_names):
        raise StateError(
            f"order is {brief(order)}; expected 'tip' or 'base', where arrays begin, or the names of all joints in the "
            f"order of the arrays: {choices(system.joint_names)}."
        )
    return np.array([system.joint_names.index(name) for name in names], dtype=np.intp)


def _by_name(names: tuple[str, ...], values: Mapping[str, ArrayLike], what: str) -> Array:
    columns: dict[int, Array] = {}
    for name, value in values.items():
        k, own = _place(names, name, f"{what}: "), f"{what}: the value of joint {brief(name)}"
        column = columns[k] = real_array(value, "a finite number", own)
        if column.ndim == 0:
            number(column[()], own, "a finite number")
    if any(column.ndim > 1 for column in columns.values()) or len({len(c) for c in columns.values() if c.ndim}) > 1:
        raise StateError(f"{what}: expected a number for each joint, or as many for each as there are states.")
    states = next((column.shape for column in columns.values() if column.ndim), ())
    array = np.zeros((*states, len(names)))
    for k, column in columns.items():
        array[..., k] = column
    return array


def require_followed(system: System, value: JointValues | None, given: Array, found: Array, what: str) -> None:
    """Refuse a value given by name for a follower if it differs from what its leader determines."""
    for k in system.couplings.followers if isinstance(value, Mapping) else ():
        name, leader = system.joint_names[k], system.joint_names[system.tables.tree[k, LEADER]]
        if name in value and abs(given[k] - found[k]) > OFF * max(1.0, abs(found[k])):  # type: ignore[operator]
            raise StateError(
                f"{what}: joint {brief(name)} follows {brief(leader)}, which puts it at {found[k]:.6g}, not at "
                f"{given[k]:.6g}; give the leader's value alone."
            )


def by_joint(system: System, array: Array, order: Order = "tip", axis: int = 0) -> dict[str, Any]:
    """A quantity's values by joint name, in this order; where ``axis`` is of links, floating ones have no joint."""
    rows = np.moveaxis(array, axis, 0)[: system.n_joints]
    places = joint_order(system, order).tolist()
    return {system.joint_names[k]: float(rows[k]) if array.ndim == 1 else rows[k] for k in places}


def joint_index(system: System, joint: str) -> int:
    """The index of a joint in arrays."""
    return _place(system.joint_names, joint)


def _place(names: tuple[str, ...], joint: str, where: str = "") -> int:
    if not is_among(joint, names):
        known = choices(names)
        raise StateError(f"{where}there is no joint {brief(joint)}{nearest(joint, names)}; the joints are {known}.")
    return names.index(joint)
