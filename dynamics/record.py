"""What is handed out: read by anybody, from any thread, in any process, and written by nobody."""

from __future__ import annotations

import copyreg
from dataclasses import fields
from functools import singledispatch
from types import MappingProxyType
from typing import Any, Self, TypeVar

import numpy as np

from dynamics.errors import ModelError

Value = TypeVar("Value")
PLAIN = frozenset({str, int, float, bool, bytes, type(None)})


def frozen(array: Value) -> Value:
    """An array that is ours, write-protected, and with it whatever it is a part of; anything else as it is."""
    part: Any = array
    while isinstance(part, np.ndarray):
        part.flags.writeable = False
        part = part.base
    return array


def unwritable(value: Any) -> Any:
    """The value with nothing in it that can be written, all the way down: what somebody could still write is copied."""
    if type(value) in PLAIN or isinstance(value, Record):
        return value
    if isinstance(value, np.ndarray):
        return value if _is_frozen(value) else frozen(value.copy())
    if isinstance(value, dict | MappingProxyType):
        return MappingProxyType({key: unwritable(one) for key, one in value.items()})
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


@singledispatch
def notebook_html(value: Any) -> str | None:
    """The HTML that a notebook shows of a value; None for its text alone. ``dynamics.notebook`` adds the classes."""
    del value
    return None


class Record:
    """What every frozen dataclass of this package is: unwritable, picklable, and so its own copy.

    An array that a caller may still write is copied, so that nothing changes with it. Only the fields are pickled:
    what is worked out from them is worked out anew.
    """

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


# Python's read-only view of a dictionary does not pickle by itself; here it is a value.
copyreg.pickle(MappingProxyType, lambda view: (unwritable, (dict(view),)))  # type: ignore[arg-type]
