"""Which numbers of an array are drawn together as the lines of one plot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
AXES = ("x", "y", "z")
BRIEF = {"moment": "M", "force": "F", "angular": "rot ", "linear": "lin "}


@dataclass(frozen=True)
class Channel:
    """One number of several: its word, its unit at turning and at sliding joints, and a word of a few letters."""

    label: str
    unit: str
    sliding_unit: str = ""
    brief: str = ""


@dataclass(frozen=True)
class Component:
    """A choice of numbers from an array.

    Attributes:
        key: how a panel refers to it.
        label: what a menu says.
        channels: what tells its numbers apart, one a number.
        shape: what follows the rows in the array that it is picked from.
        pick: (rows, *shape) to (rows, channels).
        positive: whether the numbers cannot be negative, so that a logarithmic axis suits them.
    """

    key: str
    label: str
    channels: tuple[Channel, ...]
    shape: tuple[int, ...]
    pick: Callable[[Array], Array]
    positive: bool = False


def scalar(unit: str) -> tuple[Component, ...]:
    """The one component of a quantity with one number a row."""
    turning, _, sliding = unit.partition(" or ")
    positive = turning == "kg m^2"
    return (Component("value", "value", (Channel("", turning, sliding),), (), lambda a: a[:, None], positive),)


def vector(unit: str) -> tuple[Component, ...]:
    """The components of [angular; linear]: all six, either half, each number, the length of either half."""
    lines = tuple(
        Channel(f"{half} {axis}", *units, BRIEF[half] + axis) for half, units in _halves(unit) for axis in AXES
    )
    found = [_picked("all", "all six", lines, range(6), (6,))]
    for start, (half, _) in zip((0, 3), _halves(unit), strict=True):
        found.append(_picked(half, f"{half}: x, y, z", lines, range(start, start + 3), (6,)))
    found += [_picked(line.label, line.label, lines, (k,), (6,)) for k, line in enumerate(lines)]
    for start, (half, units) in zip((0, 3), _halves(unit), strict=True):
        found.append(_length(start, half, Channel(f"|{half}|", *units, f"|{BRIEF[half].strip()}|")))
    return tuple(found)


def _halves(unit: str) -> tuple[tuple[str, tuple[str, str]], tuple[str, tuple[str, str]]]:
    """(word, (unit, unit at a sliding joint)) of the angular and of the linear half."""
    plain, _, other = unit.partition(" (or ")
    angular, linear = plain.split("; ")
    sliding = other.rstrip(")").split("; ") if other else ["", ""]
    moments = angular in ("N m", "1")
    words = ("moment", "force") if moments else ("angular", "linear")
    return (words[0], (angular, sliding[0])), (words[1], (linear, sliding[1]))


def _picked(key: str, label: str, lines: tuple[Channel, ...], numbers: range | tuple[int, ...], shape: tuple[int, ...]
            ) -> Component:  # fmt: skip
    """Some numbers of the flattened array."""
    chosen = list(numbers)

    def pick(array: Array) -> Array:
        return array.reshape(len(array), -1)[:, chosen]

    return Component(key, label, tuple(lines[k] for k in chosen), shape, pick)


def _length(start: int, half: str, line: Channel) -> Component:
    def pick(array: Array) -> Array:
        return np.linalg.norm(array[:, start : start + 3], axis=1)[:, None]

    return Component(f"|{half}|", f"|{half}|", (line,), (6,), pick, positive=True)


def matrix(unit: str) -> tuple[Component, ...]:
    """The components of a 6 by 6 array: its diagonal, and each entry."""
    blocks = _blocks(unit)
    lines = tuple(Channel(f"{r + 1},{c + 1}", blocks[r // 3][c // 3]) for r in range(6) for c in range(6))
    diagonal = _picked("diagonal", "diagonal", lines, tuple(range(0, 36, 7)), (6, 6))
    return (
        diagonal,
        *(_picked(line.label, f"entry {line.label}", lines, (k,), (6, 6)) for k, line in enumerate(lines)),
    )


def _blocks(unit: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """The units of the four 3 by 3 blocks of ``a, b; c, d``."""
    (a, b), (c, d) = (row.split(", ") for row in unit.split("; "))
    return (a, b), (c, d)


def entries(shape: tuple[int, ...], unit: str) -> tuple[Component, ...]:
    """The components of an array of another shape: its diagonal where it is square, and each entry."""
    rows, columns = shape
    parts = {part for row in unit.split("; ") for part in row.split(", ")}
    shared = " or ".join(sorted(parts))
    lines = tuple(Channel(f"{r + 1},{c + 1}", shared) for r in range(rows) for c in range(columns))
    found = [_picked(line.label, f"entry {line.label}", lines, (k,), shape) for k, line in enumerate(lines)]
    if rows == columns:
        found.insert(0, _picked("diagonal", "diagonal", lines, tuple(range(0, rows * rows, rows + 1)), shape))
    return tuple(found)


def _of_block(start: int, values: Callable[[Array], Array]) -> Callable[[Array], Array]:
    return lambda array: values(array[:, start : start + 3, start : start + 3])


def traces(unit: str) -> tuple[Component, ...]:
    """The traces of the angular and of the linear diagonal block: two units, never added."""
    blocks = _blocks(unit)
    return tuple(
        Component(
            half, half, (Channel(f"{half} trace", blocks[k][k], "", BRIEF[half].strip()),), (6, 6),
            _of_block(3 * k, lambda block: np.trace(block, axis1=1, axis2=2)[:, None]), positive=True,
        )
        for k, half in enumerate(("angular", "linear"))
    )  # fmt: skip


def spectrum(unit: str) -> tuple[Component, ...]:
    """The eigenvalues, ascending, of the angular and of the linear diagonal block: two units, never mixed."""
    blocks = _blocks(unit)
    found = []
    for k, half in enumerate(("angular", "linear")):
        lines = tuple(Channel(f"{half} {number}", blocks[k][k], "", f"{BRIEF[half]}{number}") for number in (1, 2, 3))
        found.append(Component(half, f"{half}: 3", lines, (6, 6), _of_block(3 * k, eigenvalues), True))
    both = Component(
        "all", "all six", found[0].channels + found[1].channels, (6, 6),
        lambda array: np.concatenate([each.pick(array) for each in found], axis=1), positive=True,
    )  # fmt: skip
    single = [_one_eigenvalue(each, k) for each in found for k in range(3)]
    return (both, *found, *single)


def eigenvalues(block: Array) -> Array:
    """(rows, 3) of (rows, 3, 3), ascending."""
    finite = np.asarray(np.isfinite(block).all(axis=(1, 2)))  # an algorithm that is broken on purpose divides by zero
    found = np.linalg.eigvalsh(np.where(finite[:, None, None], block, 0.0))
    return np.where(finite[:, None], found, np.nan).astype(np.float64, copy=False)


def _one_eigenvalue(block: Component, k: int) -> Component:
    line = block.channels[k]
    return Component(line.label, line.label, (line,), (6, 6), lambda a: block.pick(a)[:, k : k + 1], positive=True)
