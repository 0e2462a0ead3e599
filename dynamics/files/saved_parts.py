"""What a recording is made of as plain values, and made again from them by those who check what they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from math import isfinite
from typing import Any

import numpy as np

from dynamics.checks import brief, is_among, is_index
from dynamics.errors import ModelError
from dynamics.files.remade import remade
from dynamics.record import Record
from dynamics.robot.model import Frame, Geometry, Joint, Link, Loop, Robot
from dynamics.robot.task_object import TaskObject
from dynamics.robot.validity import check_robot
from dynamics.system.contact import Contact
from dynamics.system.system import System

KINDS: Mapping[str, type[Record]] = {
    kind.__name__: kind for kind in (Contact, Frame, Geometry, Joint, Link, Loop, Robot, System, TaskObject)
}
MADE_OF = ("kind", "robots", "floating", "base_poses", "task_object", "gravity", "contacts")
"""Of a system; the rest follows."""


class Told:
    """Records as plain values: each once, after those that it is made of.

    Attributes:
        records: one after the other.
        arrays: which they hold.
    """

    def __init__(self) -> None:
        self.records: list[object] = []
        self.arrays: list[np.ndarray[Any, Any]] = []
        self._known: dict[int, tuple[int, object]] = {}  # the record, too: what lives keeps its number to itself

    def of(self, value: Any) -> object:
        """The value, or where it stands."""
        if isinstance(value, np.ndarray):
            self.arrays.append(value)
            return {"array": len(self.arrays) - 1}
        if isinstance(value, Record):
            return {"record": self._place(value)}
        if isinstance(value, tuple):
            return [self.of(one) for one in value]
        if isinstance(value, Mapping):
            return {"map": {key: self.of(one) for key, one in value.items()}}
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, float) and not isfinite(value):
            return {"float": repr(value)}
        return value

    def _place(self, record: Record) -> int:
        if id(record) not in self._known:
            has = {name: self.of(getattr(record, name)) for name in _parts(type(record))}
            self.records.append({"kind": type(record).__name__, "has": has})
            self._known[id(record)] = len(self.records) - 1, record
        return self._known[id(record)][0]


class Made:
    """The records again.

    Args:
        records, arrays: as ``Told`` has them.

    Raises:
        ModelError: for a part that cannot be.
    """

    def __init__(self, records: Any, arrays: list[np.ndarray[Any, Any]]) -> None:
        self._arrays = arrays
        self._records: list[Record] = []
        for each in _listed(records):
            self._records.append(self._made(each))

    def of(self, value: Any) -> Any:
        """The value, or what stands where it says."""
        if isinstance(value, list):
            return tuple(self.of(one) for one in value)
        if not isinstance(value, dict):
            return value
        kind, what = next(iter(value.items()), ("", None))
        if kind == "array" and is_index(what, len(self._arrays)):
            return self._arrays[what]
        if kind == "record" and is_index(what, len(self._records)):
            return self._records[what]
        if kind == "map" and isinstance(what, dict):
            return {key: self.of(one) for key, one in what.items()}
        if kind == "float" and is_among(what, ("inf", "-inf", "nan")):
            return float(str(what))
        raise ModelError(f"{brief(value)} is no part of a recording.")

    def _made(self, told: Any) -> Record:
        kind, has = (str(told.get("kind")), told.get("has")) if isinstance(told, dict) else ("", None)
        if not is_among(kind, KINDS) or not isinstance(has, dict):
            raise ModelError(f"{brief(told)} is no part of a recording.")
        values = {name: self.of(value) for name, value in has.items()}
        cls = KINDS[kind]
        names = _parts(cls)
        if not _required(cls) <= set(values) <= set(names):
            raise ModelError(f"a {kind} has {brief(sorted(values))}; expected {', '.join(names)}.")
        if cls is System:
            return remade(**values)
        made = cls(**values)
        if isinstance(made, Robot):
            check_robot(made)
        return made


def _parts(kind: type[Record]) -> tuple[str, ...]:
    """Which fields of such a record stand in the file."""
    return MADE_OF if kind is System else tuple(one.name for one in fields(kind))  # type: ignore[arg-type]


def _required(kind: type[Record]) -> set[str]:
    """Those without which there is none; the others may be younger than the file."""
    optional = {one.name for one in fields(kind) if one.default is not MISSING}  # type: ignore[arg-type]
    return set(_parts(kind)) - (set() if kind is System else optional)


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ModelError(f"{brief(value)} is no list of parts.")
    return value
