"""Turning what a caller passed into arrays that are finite and of the right shape, or saying what is wrong."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Container, Iterable, Sequence
from dataclasses import is_dataclass
from itertools import islice

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamics.errors import StateError

Array = NDArray[np.float64]
# A rotation given to fewer digits than this is taken to be a mistake.
ROTATION_TOLERANCE = 1e-6
# What a message quotes of a value, and how many names it lists.
BRIEF_LENGTH = 80
CHOICES_LISTED = 20


class _Brief(reprlib.Repr):
    """Python's own shortened ``repr``, with arrays by shape and first numbers and records by their type."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = BRIEF_LENGTH - 10
        self.maxlevel = 3

    def repr_ndarray(self, array: NDArray[np.generic], level: int) -> str:
        first = ", ".join(self.repr1(value, level - 1) for value in array.flat[:3].tolist())
        return f"an array of shape {array.shape}: {first}{', …' if array.size > 3 else ''}"

    def repr_int(self, number: int, level: int) -> str:
        bits = number.bit_length()  # Python refuses to write out what is longer than some thousand digits
        return repr(number) if bits < 256 else f"a whole number of {bits} bits"

    def repr_bytes(self, data: bytes, level: int) -> str:
        return repr(data[: self.maxstring])

    def repr_instance(self, value: object, level: int) -> str:
        if isinstance(value, np.generic):
            return self.repr1(value.item(), level)
        if is_dataclass(value) and not isinstance(value, type):
            return f"a {type(value).__name__}"  # a state or a system written out in full is a page of numbers
        return super().repr_instance(value, level)


_quoted = _Brief()


def brief(value: object) -> str:
    """What a message quotes of a value that it was given.

    Args:
        value: anything: text is quoted, of arrays the shape and the first numbers are told, of a record its type.

    Returns:
        one line of at most 80 characters that can be printed anywhere.

    Cost: does not grow with the value, but for objects of others, whose own ``repr`` is asked.
    """
    text = " ".join(_quoted.repr(value).split())
    return text if len(text) <= BRIEF_LENGTH else text[: BRIEF_LENGTH - 1] + "…"


def choices(known: Iterable[str]) -> str:
    """The names that a caller may choose among: all of them, or the first twenty and how many more there are."""
    every = list(known)
    shown = [brief(name)[1:-1] for name in islice(every, CHOICES_LISTED)]
    more = [f"and {len(every) - len(shown)} more"] if len(every) > len(shown) else []
    return ", ".join(shown + more)


def numbers(value: ArrayLike, shape: Sequence[int], name: str, error: type[ValueError] = StateError) -> Array:
    """A new float64 array of exactly ``shape``, finite; otherwise ``error`` naming the first offender."""
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as cause:
        raise error(f"{name}: expected numbers of shape {tuple(shape)}, got {brief(value)}.") from cause
    if array.shape != tuple(shape):
        raise error(f"{name}: expected shape {tuple(shape)}, got {array.shape}.")
    if not np.isfinite(array).all():
        index = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise error(f"{name}: entry {list(index)} is {array[index]}; every entry must be a finite number.")
    return array


def number(value: object, name: str, expected: str, error: type[ValueError] = StateError) -> float:
    """One finite float64; otherwise ``error`` with what was ``expected``. Text is no number, whatever it spells."""
    try:
        found = float("nan") if isinstance(value, str | bytes) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        found = float("nan")
    if not math.isfinite(found):
        raise error(f"{name} is {brief(value)}; expected {expected}.")
    return found


def whole_number(value: object, name: str, expected: str, least: int, error: type[ValueError] = StateError) -> int:
    """One whole number, ``least`` or more; otherwise ``error`` with what was ``expected``."""
    found = number(value, name, expected, error)
    if not found.is_integer() or found < least:
        raise error(f"{name} is {brief(value)}; expected {expected}.")
    return int(found)


def is_among(name: object, known: Container[str]) -> bool:
    """Whether a name is one of those known; whatever is no text is none."""
    return isinstance(name, str) and name in known


def names(value: object, name: str, error: type[ValueError] = StateError) -> tuple[str, ...]:
    """The names that a caller lists, or the one that stands alone; otherwise ``error``."""
    listed = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else (value,)
    if not all(isinstance(one, str) for one in listed):
        raise error(f"{name} is {brief(value)}; expected a name, or a sequence of names.")
    return listed


def pose(value: ArrayLike, name: str, error: type[ValueError] = StateError) -> Array:
    """A 4x4 rigid pose, its rotation brought back to the group."""
    matrix = numbers(value, (4, 4), name, error)
    if not np.allclose(matrix[3], (0.0, 0.0, 0.0, 1.0), atol=ROTATION_TOLERANCE, rtol=0.0):
        raise error(f"{name}: the last row is {matrix[3]}; a pose ends in (0, 0, 0, 1).")
    rotation = matrix[:3, :3]
    gap = float(np.abs(rotation @ rotation.T - np.eye(3)).max())
    if gap > ROTATION_TOLERANCE or np.linalg.det(rotation) < 0.0:
        raise error(
            f"{name}: its upper left 3x3 block is no rotation (R R' is off the identity by {gap:.2g}, "
            f"determinant {np.linalg.det(rotation):.6g}); give an orthonormal, right-handed one."
        )
    left, _, right = np.linalg.svd(rotation)
    matrix[:3, :3] = left @ right
    matrix[3] = (0.0, 0.0, 0.0, 1.0)
    return matrix
