"""Turns a caller's arguments into finite arrays of the right shape, or reports what is wrong."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Container, Iterable, Sequence
from dataclasses import is_dataclass
from difflib import get_close_matches
from inspect import signature
from itertools import islice
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamics.errors import StateError

Array = NDArray[np.float64]
# A rotation that is less accurate than this is considered a mistake.
ROTATION_TOLERANCE, ROUNDING = 1e-6, 4e-15
# How many characters of a value a message quotes, and how many names it lists.
BRIEF_LENGTH = 80
CHOICES_LISTED = 20
# NumPy kinds of real numbers: not complex, no dates, text or objects.
REAL = "fiub"
# The most entries that a caller may count or list; more would only exhaust memory.
MOST_LISTED = 1_000_000


class _ShortRepr(reprlib.Repr):
    """Python's own shortened ``repr``, with arrays by shape and first numbers and records by their type."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = BRIEF_LENGTH - 10
        self.maxlevel = 3

    def repr_ndarray(self, array: NDArray[np.generic], level: int) -> str:
        first = ", ".join(self.repr1(value, level - 1) for value in array.flat[:3].tolist())
        return f"an array of shape {array.shape}: {first}{', …' if array.size > 3 else ''}"

    def repr_int(self, number: int, level: int) -> str:
        bits = number.bit_length()  # Python refuses to print integers of more than some thousand digits
        return repr(number) if bits < 256 else f"a whole number of {bits} bits"

    def repr_bytes(self, data: bytes, level: int) -> str:
        return repr(data[: self.maxstring])

    def repr_instance(self, value: object, level: int) -> str:
        if isinstance(value, np.generic):
            plain = value.item()  # unchanged if Python has no such type
            return super().repr_instance(value, level) if isinstance(plain, np.generic) else self.repr1(plain, level)
        if is_dataclass(value) and not isinstance(value, type):
            return f"a {type(value).__name__}"  # a state or a system in full is a page of numbers
        return super().repr_instance(value, level)


_quoted = _ShortRepr()


def brief(value: object) -> str:
    """A value as a message quotes it.

    Args:
        value: anything: text is quoted, arrays show their shape and first numbers, a record shows its type.

    Returns:
        One line of at most 80 characters that can be printed anywhere.

    Cost: does not grow with the value, except for foreign objects, whose own ``repr`` is called.
    """
    text = " ".join(_quoted.repr(value).split())
    return text if len(text) <= BRIEF_LENGTH else text[: BRIEF_LENGTH - 1] + "…"


def choices(known: Iterable[str]) -> str:
    """The names that a caller may choose from: all of them, or the first twenty and the number of the others."""
    every = list(known)
    shown = [brief(name)[1:-1] for name in islice(every, CHOICES_LISTED)]
    more = [f"and {len(every) - len(shown)} more"] if len(every) > len(shown) else []
    return ", ".join(shown + more)


def nearest(name: object, known: Iterable[str]) -> str:
    """`` (did you mean 'elbow'?)`` if an unknown name is similar to a known one; otherwise empty."""
    if not isinstance(name, str) or not name:
        return ""
    every, given = list(known), name[:BRIEF_LENGTH]
    found = get_close_matches(given, every, 1) or sorted((each for each in every if given in each), key=len)[:1]
    return f" (did you mean {brief(found[0])}?)" if found else ""


def numbers(value: ArrayLike, shape: Sequence[int], name: str, error: type[ValueError] = StateError) -> Array:
    """A new float64 array of exactly ``shape``, finite; otherwise ``error`` naming the first offender."""
    array = real_array(value, f"numbers of shape {tuple(shape)}", name, error)
    if array.shape != tuple(shape):
        raise error(f"{name}: expected shape {tuple(shape)}, got {array.shape}.")
    if not np.isfinite(array).all():
        index = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise error(f"{name}: entry {list(index)} is {array[index]}; every entry must be a finite number.")
    return array.copy()


def real_array(value: ArrayLike, expected: str, name: str, error: type[ValueError] = StateError) -> Array:
    """A float64 array of real numbers, the caller's own if it is one; text, dates, masks and complex are refused."""
    try:
        if isinstance(value, range) and len(value) > MOST_LISTED:
            raise ValueError
        given = np.asarray(value)
        if given.dtype.kind not in REAL or isinstance(value, np.ma.MaskedArray):
            raise TypeError
        with np.errstate(over="ignore"):  # numbers beyond float64 become infinite
            return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError, MemoryError) as cause:
        raise error(f"{name}: expected {expected}, got {brief(value)}.") from cause


def number(value: object, name: str, expected: str, error: type[ValueError] = StateError) -> float:
    """One finite float64; otherwise ``error`` with what was ``expected``. Text is never a number."""
    found = value if type(value) is float else _as_float(value)
    if not math.isfinite(found):
        raise error(f"{name} is {brief(value)}; expected {expected}.")
    return found


def _as_float(value: Any) -> float:
    is_real = getattr(getattr(value, "dtype", None), "kind", "f") in REAL and getattr(value, "ndim", 0) == 0
    if not is_real or value is np.ma.masked or isinstance(value, str | bytes | bytearray | np.ma.MaskedArray):
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def whole_number(
    value: object, name: str, expected: str, least: int, error: type[ValueError] = StateError, most: int = MOST_LISTED
) -> int:
    """One whole number, ``least`` to ``most``; otherwise ``error`` with what was ``expected``."""
    found = number(value, name, expected, error)
    if not (found.is_integer() and least <= found <= most):
        raise error(f"{name} is {brief(value)}; expected {expected}{f', at most {most}' if found > most else ''}.")
    return int(found)


def is_index(value: object, count: int, least: int = 0) -> TypeGuard[int]:
    """Whether a value is an integer from ``least`` to ``count`` - 1."""
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool | np.timedelta64)
    return is_whole and least <= value < count  # type: ignore[operator]


def flag(value: object, name: str, error: type[ValueError] = StateError) -> bool:
    """True or false; otherwise ``error``: other truthy values are rarely intended."""
    if not isinstance(value, bool | np.bool_):
        raise error(f"{name} is {brief(value)}; expected true or false.")
    return bool(value)


def text(value: object, name: str, error: type[ValueError] = StateError) -> str:
    """The value if it is text; otherwise ``error``."""
    if not isinstance(value, str):
        raise error(f"{name} is {brief(value)}; expected text.")
    return value


def listed(value: object, name: str, expected: str, error: type[ValueError] = StateError) -> tuple[Any, ...]:
    """The entries of an iterable, at most a million; otherwise ``error`` with what was ``expected``."""
    try:
        entries = tuple(islice(value, MOST_LISTED + 1))  # type: ignore[call-overload]
    except (TypeError, ValueError):
        entries = None
    if entries is None or len(entries) > MOST_LISTED:
        raise error(f"{name} is {brief(value)}; expected {expected}.")
    return entries


def is_among(name: object, known: Container[str]) -> bool:
    """Whether a name is one of those known; a value that is not text never is."""
    return isinstance(name, str) and name in known


def names(value: object, name: str, error: type[ValueError] = StateError) -> tuple[str, ...]:
    """The names that a caller lists, or a single name; otherwise ``error``."""
    expected = "a name, or a sequence of names"
    found = (value,) if isinstance(value, str) else listed(value, name, expected, error)
    if not all(isinstance(one, str) for one in found):
        raise error(f"{name} is {brief(value)}; expected {expected}.")
    return found


def must_hear(listener: object, name: str, of_what: str, things: int) -> None:
    """Check a listener before anything is computed; errors that it raises later are its own."""
    try:
        if listener is None:
            return
        if callable(listener) and not isinstance(listener, type):
            signature(listener).bind(*range(things))
            return
    except TypeError:
        pass
    except ValueError:  # some functions written in C have no signature
        return
    raise StateError(f"{name} is {brief(listener)}; expected a function of {of_what}.")


def pose(value: ArrayLike, name: str, error: type[ValueError] = StateError) -> Array:
    """A 4x4 rigid pose; its rotation is orthonormalized unless it already is to rounding."""
    matrix = numbers(value, (4, 4), name, error)
    if not np.allclose(matrix[3], (0.0, 0.0, 0.0, 1.0), atol=ROTATION_TOLERANCE, rtol=0.0):
        raise error(f"{name}: the last row is {matrix[3]}; a pose ends in (0, 0, 0, 1).")
    rotation = matrix[:3, :3]
    with np.errstate(all="ignore"):
        gap, determinant = float(np.abs(rotation @ rotation.T - np.eye(3)).max()), float(np.linalg.det(rotation))
    if not gap <= ROTATION_TOLERANCE or determinant < 0.0:
        raise error(
            f"{name}: its upper left 3x3 block is no rotation (R R' is off the identity by {gap:.2g}, "
            f"determinant {determinant:.6g}); give an orthonormal, right-handed one."
        )
    if gap > ROUNDING:  # an already orthonormalized rotation stays bit for bit
        left, _, right = np.linalg.svd(rotation)
        matrix[:3, :3] = left @ right
    matrix[3] = (0.0, 0.0, 0.0, 1.0)
    return matrix
