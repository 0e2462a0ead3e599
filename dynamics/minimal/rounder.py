"""What is simpler than a number, a vector, an axis or a rotation: the simplest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations, product

import numpy as np

from dynamics.checks import Array

DIGITS = (1, 2, 3)
TURNS = tuple(
    np.eye(3)[list(order)] * np.array(signs)[:, None]
    for order in permutations(range(3))
    for signs in product((1.0, -1.0), repeat=3)
    if np.linalg.det(np.eye(3)[list(order)] * np.array(signs)[:, None]) > 0.0
)
"""The rotations that lay axes on axes, the one that turns nothing first."""
RIGHT_TRIANGLE = 0.6, 0.8
"""Sine and cosine that are round both."""


def weight(values: float | Array) -> int:
    """How much there is to read: nothing for 0, little for 1, else two for a digit and one for a sign."""
    return sum(_weight(float(value)) for value in np.ravel(values))


def _weight(value: float) -> int:
    if value == 0.0:
        return 0
    digits = f"{abs(value):.11e}" if float(f"{value:.12g}") == value else f"{abs(value):.16e}"
    many = len(digits.partition("e")[0].replace(".", "").rstrip("0"))
    return 1 + (value < 0.0) + 2 * many * (abs(value) != 1.0)


def rounded(values: float | Array, digits: int) -> Array:
    """Each number to so many digits."""
    own = np.asarray(values, float)
    return np.array([float(f"{value:.{digits - 1}e}") for value in own.ravel()]).reshape(own.shape)


def simpler(found: Iterable[Array], value: Array) -> Iterator[Array]:
    """Those of less weight than a value, each once, the lightest first."""
    lighter = {each.tobytes(): each for each in found if weight(each) < weight(value)}
    yield from sorted(lighter.values(), key=weight)


def simpler_numbers(value: Array) -> Iterator[Array]:
    """Of numbers of any kind, or one: none of them, one alone, ones, some left out, fewer digits."""
    flat = value.ravel()
    found = [np.zeros_like(flat), np.sign(flat)]
    for at in np.argsort(-np.abs(flat), kind="stable"):
        one = np.eye(len(flat))[at]
        found += [one, np.copysign(1.0, flat[at]) * one, np.where(one > 0.0, 0.0, flat)]
    found += [rounded(flat, digits) for digits in DIGITS]
    yield from simpler((each.reshape(value.shape) + 0.0 for each in found), value)


def simpler_masses(value: Array) -> Iterator[Array]:
    """Of a mass: 1 kg, or fewer digits."""
    yield from simpler([np.ones_like(value), *(rounded(value, digits) for digits in DIGITS)], value)


def simpler_inertias(value: Array) -> Iterator[Array]:
    """Of a tensor: that of a ball, three unlike moments, its own ones, fewer digits; each a body's if it was one."""
    moments = np.diag(np.diag(value))
    found = [np.eye(3), np.diag([2.0, 3.0, 4.0]), moments]
    found += [rounded(each, digits) for each in (moments, value) for digits in DIGITS]
    yield from simpler((each for each in found if _is_inertia(each)), value)


def _is_inertia(tensor: Array) -> bool:
    least, middle, most = np.linalg.eigvalsh(tensor)
    return bool(least > 0.0 and least + middle > most * (1.0 + 1e-9))


def simpler_axes(value: Array) -> Iterator[Array]:
    """Of a unit vector: along x, y or z, the nearest first; or in a plane of two of them, with round numbers."""
    order = np.argsort(-np.abs(value), kind="stable")
    found = [np.eye(3)[at] for at in order]
    found.append(np.copysign(1.0, value[order[0]]) * found[0])
    slanted = np.zeros(3)
    slanted[order[:2]] = np.copysign(RIGHT_TRIANGLE[::-1], value[order[:2]])
    yield from simpler([*found, np.abs(slanted), slanted], value)


def simpler_rotations(value: Array) -> Iterator[Array]:
    """Of a rotation: none, those that lay axes on axes, the nearest first, and round ones about one axis or two."""
    near = sorted(TURNS, key=lambda turn: -float(np.trace(turn.T @ value)))
    one = [_slanted(at) for at in range(3)]
    found = [np.eye(3), *near[:3], *one, *(each.T for each in one), one[2] @ one[0]]
    yield from simpler((each + 0.0 for each in found), value)


def _slanted(at: int) -> Array:
    sine, cosine = RIGHT_TRIANGLE
    j, k = (at + 1) % 3, (at + 2) % 3
    turn = np.eye(3)
    turn[j, j] = turn[k, k] = cosine
    turn[j, k], turn[k, j] = -sine, sine
    return turn
