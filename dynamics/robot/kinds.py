"""Whether every field of a robot built by a caller holds a value of the right type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np

from dynamics.checks import brief, is_among
from dynamics.errors import ModelError

SHAPES = {"center_of_mass": (3,), "inertia": (3, 3), "axis": (3,), "origin": (4, 4), "pose": (4, 4)}
_hints = cache(get_type_hints)


def check_kinds(record: object, where: str) -> None:
    """Refuse a record if it, or anything within it, holds a wrong type, such as text for a number.

    Raises:
        ModelError: with the name of the first such field, and the expected type.
    """
    for place, value, expected in _misfits(record, type(record), ""):
        raise ModelError(f"{where}: {place} is {brief(value)}; expected {_in_words(expected)}.")


def _in_words(hint: Any) -> str:
    if get_origin(hint) is Literal:
        fixed = " (a link whose joint is locked is a frame: Robot.locked)" if "revolute" in get_args(hint) else ""
        return f"one of {', '.join(get_args(hint))}{fixed}"
    if get_origin(hint) is np.ndarray:
        return "an array of finite numbers"
    if isinstance(hint, str):
        return hint
    return {float: "a number", int: "a whole number", str: "text"}.get(hint, f"a {getattr(hint, '__name__', hint)}")


def _misfits(value: Any, hint: Any, place: str) -> Iterator[tuple[str, object, Any]]:
    origin, parts = get_origin(hint), get_args(hint)
    if origin is tuple and isinstance(value, tuple):
        kinds = [parts[0]] * len(value) if parts[-1] is Ellipsis else parts
        if len(kinds) != len(value):
            yield place, value, hint
        for k, (each, kind) in enumerate(zip(value, kinds, strict=False)):
            yield from _misfits(each, kind, f"{place}[{k}]")
    elif origin is Mapping and isinstance(value, Mapping):
        for key, each in value.items():
            yield from _misfits(each, parts[1], f"{place}[{brief(key)}]")
    elif is_dataclass(hint) and isinstance(value, hint):  # type: ignore[arg-type]
        for name, kind in _hints(hint).items():  # type: ignore[arg-type]
            held = getattr(value, name)
            if name in SHAPES and np.shape(held) != SHAPES[name]:
                yield f"{place}.{name}".lstrip("."), held, f"an array of shape {SHAPES[name]}"
            yield from _misfits(held, kind, f"{place}.{name}".lstrip("."))
    elif not _is_plain(value, hint, origin, parts):
        yield place, value, hint


def _is_plain(value: Any, hint: Any, origin: Any, parts: tuple[Any, ...]) -> bool:
    if origin is Literal:
        return is_among(value, parts)
    if origin is UnionType:
        return any(next(_misfits(value, part, ""), None) is None for part in parts)
    if origin is np.ndarray:
        return isinstance(value, np.ndarray) and value.dtype.kind == "f" and bool(np.isfinite(value).all())
    if hint in (float, int):
        return isinstance(value, hint | int | np.floating | np.integer) and not isinstance(value, bool | np.timedelta64)
    return origin is None and isinstance(value, hint)
