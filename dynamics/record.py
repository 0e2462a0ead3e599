"""Immutable results: they can be read from any thread and in any process, and never written."""

from __future__ import annotations

import copyreg
import difflib
import reprlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from functools import singledispatch
from types import MappingProxyType
from typing import Any, Self, TypeVar

import numpy as np

from dynamics.errors import ModelError

Value = TypeVar("Value")
PLAIN = frozenset({str, int, float, bool, bytes, type(None)})
MOST_NAMES = 20
LINE = 120
"""Characters of a ``repr``."""
FEW = 8
"""Numbers that a ``repr`` shows; for larger arrays it shows the shape."""


def frozen(array: Value) -> Value:
    """An array of our own, write-protected together with every array that it is a view of; other values unchanged."""
    part: Any = array
    while isinstance(part, np.ndarray):
        part.flags.writeable = False
        part = part.base
    return array


def unwritable(value: Any) -> Any:
    """The value made immutable at every level: anything that the caller could still write is copied."""
    if type(value) in PLAIN or isinstance(value, Record):
        return value
    if isinstance(value, np.ndarray):
        return value if _is_frozen(value) else frozen(value.copy())
    if isinstance(value, dict | MappingProxyType):
        return NamedValues({key: unwritable(one) for key, one in value.items()})
    if isinstance(value, set):
        return frozenset(value)
    if isinstance(value, list | tuple):
        parts = [unwritable(one) for one in value]
        if isinstance(value, tuple) and all(map(_is, parts, value)):
            return value
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def _is(one: object, other: object) -> bool:
    return one is other


def _is_frozen(array: Any) -> bool:
    while isinstance(array, np.ndarray) and not array.flags.writeable:
        array = array.base
    return array is None


def in_a_line(name: str, parts: Iterable[str]) -> str:
    """``name(part, part)``, with an ellipsis for parts that do not fit on a line."""
    text = f"{name}({', '.join(parts)})"
    return text if len(text) <= LINE else f"{text[: LINE - 2]}…)"


def short(value: object) -> str:
    """A value in a few words: short arrays as numbers, long ones by shape, records by kind and count."""
    if isinstance(value, np.ndarray):
        few = value.ndim == 1 and value.size <= FEW
        return np.array2string(value, precision=3, separator=", ") if few else f"array{value.shape}"
    if isinstance(value, Record):
        return type(value).__name__
    if isinstance(value, Mapping):
        return f"{len(value)} named"
    if isinstance(value, tuple) and value and not isinstance(value[0], int | float | str):
        return f"{len(value)} × {type(value[0]).__name__}"
    return f"{value:.6g}" if isinstance(value, float) else " ".join(reprlib.repr(value).split())


class NamedValues(Mapping[Any, Any]):
    """Values by their names, such as the stages of a solution: read-only; for a wrong name the nearest is suggested."""

    def __init__(self, values: Mapping[Any, Any]) -> None:
        self._values = values

    def __getitem__(self, name: Any) -> Any:
        try:
            return self._values[name]
        except KeyError:
            asked, names = str(name)[:LINE], [str(each) for each in self._values]
            near = [each for each in names if asked and asked in each] or difflib.get_close_matches(asked, names, 1)
            advice = f"do you mean {near[0]}?" if near else f"there are {', '.join(names[:MOST_NAMES])}."
            raise KeyError(f"there is no {reprlib.repr(name)}; {advice}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._values  # without the search for the nearest name, which takes milliseconds

    def get(self, name: Any, default: Any = None) -> Any:
        return self._values.get(name, default)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __or__(self, other: Mapping[Any, Any]) -> dict[Any, Any]:
        return {**self, **other}

    def __ror__(self, other: Mapping[Any, Any]) -> dict[Any, Any]:
        return {**other, **self}

    def __reduce__(self) -> tuple[Any, ...]:
        return unwritable, (dict(self._values),)  # arrays may come out of a pickle writable

    def __repr__(self) -> str:
        return in_a_line("", (f"{name}: {short(value)}" for name, value in self.items()))


@singledispatch
def notebook_html(value: Any) -> str | None:
    """The HTML that a notebook shows of a value; None for its text alone. ``dynamics.notebook`` adds the classes."""
    del value
    return None


class Record:
    """The base of every frozen dataclass of this package: immutable, picklable, and therefore its own copy.

    An array that a caller can still write is copied, so that a record never changes. Only the fields are pickled;
    derived values are recomputed. Its ``repr`` is one line.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.__repr__ = cls.__repr__  # type: ignore[method-assign]  # otherwise dataclass would generate an unbounded one

    def __repr__(self) -> str:
        shown = (each.name for each in fields(self) if each.repr)  # type: ignore[arg-type]
        given = ((name, getattr(self, name)) for name in shown)
        return in_a_line(type(self).__name__, (f"{name}={short(value)}" for name, value in given if value is not None))

    def __post_init__(self) -> None:
        try:
            self.__setstate__(dict(vars(self)))
        except RecursionError:
            raise ModelError(f"{type(self).__name__}: a list in it is nested without end.") from None

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: vars(self)[field.name] for field in fields(self)}  # type: ignore[arg-type]

    def __setstate__(self, state: dict[str, Any]) -> None:
        own = vars(self)
        for name, value in state.items():
            own[name] = unwritable(value)

    def _repr_html_(self) -> str | None:
        return notebook_html(self)

    def __deepcopy__(self, memo: object) -> Self:
        return self


# Python's read-only view of a dictionary cannot be pickled by itself; here it is treated as a value.
copyreg.pickle(MappingProxyType, lambda view: (unwritable, (dict(view),)))  # type: ignore[arg-type]
