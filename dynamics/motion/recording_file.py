"""A recording as one zip file: its records as JSON, its arrays as separate binary members.

Nothing in a file is executed or trusted: sizes, shapes and kinds are checked, robots as if they came from a URDF file,
systems by rebuilding them.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import MISSING, fields
from math import isfinite, prod
from pathlib import Path
from typing import Any

import numpy as np

from dynamics.checks import brief, flag, is_among, is_index, listed, numbers, pose
from dynamics.errors import ModelError, StateError
from dynamics.motion.atomic_write import atomic_write
from dynamics.record import Record
from dynamics.robot.model import Frame, Geometry, Joint, Link, Loop, Robot
from dynamics.robot.task_object import TaskObject
from dynamics.robot.validity import check_robot
from dynamics.system.assembly import free_flyer, multi_arm, single_arm, with_contacts
from dynamics.system.grasp import SELECTIONS
from dynamics.system.system import Contact, System

AnyArray = np.ndarray[Any, Any]
VERSION = 1  # of the file format; a reader knows all versions up to its own
HEAD = "recording.json"
TYPES = {"float64": "<f8", "bool": "|b1"}
MOST_BYTES, MOST_TEXT = 2**30, 2**26  # bytes of all arrays and of the JSON text, unpacked
MOST_AXES = 8  # of an array
DAMAGED = (
    zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, LookupError, TypeError, ArithmeticError
)  # fmt: skip
"""The exceptions raised while reading a damaged recording, or a file that is not one."""
KINDS: Mapping[str, type[Record]] = {
    kind.__name__: kind for kind in (Contact, Frame, Geometry, Joint, Link, Loop, Robot, System, TaskObject)
}
SYSTEM_FIELDS = ("kind", "robots", "floating", "base_poses", "task_object", "gravity", "contacts")
"""The fields of a system that determine the others."""
GRIPS = (*SELECTIONS, "selection")


class RecordWriter:
    """Turns records into JSON values: each record once, after those that it refers to.

    Attributes:
        records: the records, in an order in which they can be read.
        arrays: the arrays, to which the records refer by number.
    """

    def __init__(self) -> None:
        self.records: list[object] = []
        self.arrays: list[AnyArray] = []
        self._known: dict[int, tuple[int, object]] = {}  # keeps the record alive: otherwise its id could be reused

    def value(self, value: Any) -> object:
        """A value for JSON, or a reference to a record or an array."""
        if isinstance(value, np.ndarray):
            self.arrays.append(value)
            return {"array": len(self.arrays) - 1}
        if isinstance(value, Record):
            return {"record": self._number(value)}
        if isinstance(value, tuple):
            return [self.value(one) for one in value]
        if isinstance(value, Mapping):
            return {"map": {key: self.value(one) for key, one in value.items()}}
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, float) and not isfinite(value):
            return {"float": repr(value)}
        return value

    def _number(self, record: Record) -> int:
        if id(record) not in self._known:
            has = {name: self.value(getattr(record, name)) for name in _field_names(type(record))}
            self.records.append({"kind": type(record).__name__, "has": has})
            self._known[id(record)] = len(self.records) - 1, record
        return self._known[id(record)][0]


class RecordReader:
    """Rebuilds the records.

    Args:
        records, arrays: as in ``RecordWriter``.

    Raises:
        ModelError: for an invalid record.
    """

    def __init__(self, records: Any, arrays: list[AnyArray]) -> None:
        self._arrays = arrays
        self._records: list[Record] = []
        if not isinstance(records, list):
            raise ModelError(f"{brief(records)} is not a list of records.")
        for one in records:
            self._records.append(self._record(one))

    def value(self, value: Any) -> Any:
        """The value that ``RecordWriter.value`` was given."""
        if isinstance(value, list):
            return tuple(self.value(one) for one in value)
        if not isinstance(value, dict):
            return value
        kind, content = next(iter(value.items()), ("", None))
        if kind == "array" and is_index(content, len(self._arrays)):
            return self._arrays[content]
        if kind == "record" and is_index(content, len(self._records)):
            return self._records[content]
        if kind == "map" and isinstance(content, dict):
            return {key: self.value(one) for key, one in content.items()}
        if kind == "float" and is_among(content, ("inf", "-inf", "nan")):
            return float(str(content))
        raise ModelError(f"{brief(value)} is not part of a recording.")

    def _record(self, entry: Any) -> Record:
        kind, has = (str(entry.get("kind")), entry.get("has")) if isinstance(entry, dict) else ("", None)
        if not is_among(kind, KINDS) or not isinstance(has, dict):
            raise ModelError(f"{brief(entry)} is not part of a recording.")
        cls, values = KINDS[kind], {name: self.value(value) for name, value in has.items()}
        names = _field_names(cls)
        optional = {one.name for one in fields(cls) if one.default is not MISSING}  # type: ignore[arg-type]
        required = set(names) - (set() if cls is System else optional)  # a field may be newer than the file
        if not required <= set(values) <= set(names):
            raise ModelError(f"a {kind} has {brief(sorted(values))}; expected {', '.join(names)}.")
        if cls is System:
            return _system(**values)
        record = cls(**values)
        if isinstance(record, Robot):
            check_robot(record)
        return record


def _field_names(cls: type[Record]) -> tuple[str, ...]:
    return SYSTEM_FIELDS if cls is System else tuple(one.name for one in fields(cls))  # type: ignore[arg-type]


def _system(
    kind: Any, robots: Any, floating: Any, base_poses: Any, task_object: Any, gravity: Any, contacts: Any
) -> System:
    """A system built from its fields, after each has been checked."""
    arms = listed(robots, "robots", "a sequence of robots", ModelError)
    if kind == "multi_arm":
        floats = [flag(one, "floating", ModelError) for one in listed(floating, "floating", "flags", ModelError)]
        system = multi_arm(arms, base_poses, task_object, gravity, floats)
    elif len(arms) == 1 and task_object is None and kind in ("single_arm", "free_flyer"):
        base_pose = numbers(base_poses, (1, 4, 4), "base_poses", ModelError)[0]
        system = single_arm(arms[0], gravity, base_pose) if kind == "single_arm" else free_flyer(arms[0], gravity)
    else:
        raise ModelError(f"{brief(kind)} with {len(arms)} robots is not a kind of system.")
    holds = listed(contacts, "contacts", "contacts", ModelError)
    for one in holds:
        _check_contact(system, one)
    if len({one.tip for one in holds}) < len(holds):
        raise ModelError("contacts: a tip holds twice.")
    return with_contacts(system, holds) if holds else system


def _check_contact(system: System, one: Any) -> None:
    if not isinstance(one, Contact) or system.task_object is None or not is_index(one.tip, system.n_tips):
        raise ModelError(f"{brief(one)} is not a contact of this system.")
    tip = system.tips[one.tip]
    if (one.arm, one.link) != (tip.arm, tip.link) or not is_among(one.kind, GRIPS):
        raise ModelError(f"contact of tip {one.tip}: it is on arm {brief(one.arm)}, link {brief(one.link)}; expected "
                         f"arm {tip.arm}, link {tip.link}.")  # fmt: skip
    rows = len(one.selection) if isinstance(one.selection, np.ndarray) else 0
    if not 1 <= rows <= 6:
        raise ModelError(f"contact of tip {one.tip}: it transmits {rows} directions; expected 1 to 6.")
    numbers(one.selection, (rows, 6), f"contact of tip {one.tip}: selection", ModelError)
    for name in ("tip_pose", "object_pose"):
        pose(getattr(one, name), f"contact of tip {one.tip}: {name}", ModelError)
    if not isinstance(one.holonomic, np.ndarray) or one.holonomic.dtype != bool or one.holonomic.shape != (rows,):
        raise ModelError(f"contact of tip {one.tip}: holonomic is {brief(one.holonomic)}; expected {rows} flags.")


def write_recording(path: str | Path, tree: object, arrays: list[AnyArray]) -> None:
    """Write a tree of JSON values, and the arrays to which it refers.

    Raises:
        StateError: if the file cannot be written, or would exceed the limits of ``read_recording``.
    """
    if (size := sum(array.nbytes for array in arrays)) > MOST_BYTES:
        raise StateError(f"it holds {size:,} bytes; at most {MOST_BYTES:,} are kept. Save it in parts.")
    with atomic_write(path) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as file:
        heads = [{"of": array.dtype.name, "shape": array.shape} for array in arrays]
        file.writestr(HEAD, json.dumps({"form": VERSION, "arrays": heads, "tree": tree}, allow_nan=False))
        for k, array in enumerate(arrays):
            file.writestr(f"arrays/{k}", array.astype(TYPES[array.dtype.name]).tobytes())


def read_recording(path: str | Path) -> tuple[Any, list[AnyArray]]:
    """The tree and the arrays that ``write_recording`` wrote.

    Raises:
        StateError: if the file cannot be read, is not a recording, or has a later version.
    """
    if not isinstance(path, str | Path):
        raise StateError(f"path is {brief(path)}; expected that of a file.")
    name = brief(str(path))
    try:
        with zipfile.ZipFile(path) as file:
            return _read(file, name)
    except DAMAGED:
        raise StateError(f"{name} is not a recording, or is incomplete.") from None
    except StateError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "is not a recording, or is incomplete"
        raise StateError(f"{name} cannot be read: {reason}.") from None


def _read(file: zipfile.ZipFile, name: str) -> tuple[Any, list[AnyArray]]:
    size = sum(info.file_size for info in file.infolist())
    if size > MOST_BYTES or file.getinfo(HEAD).file_size > MOST_TEXT:
        raise StateError(f"{name} holds {size:,} bytes; at most {MOST_BYTES:,} are read.")
    head = json.loads(_unpacked(file, HEAD))
    version = head["form"] if isinstance(head, dict) else None
    if not is_index(version, VERSION + 1, 1):
        raise StateError(
            f"{name} has format {brief(version)}; this version reads formats up to {VERSION}. Use a newer version."
        )
    arrays = []
    for k, one in enumerate(head["arrays"]):
        shape, kind, entry = tuple(one["shape"]), np.dtype(TYPES[one["of"]]), f"arrays/{k}"
        fits = len(shape) <= MOST_AXES and all(is_index(length, MOST_BYTES) for length in shape)
        if not fits or prod(shape) * kind.itemsize != file.getinfo(entry).file_size:
            raise StateError(f"{name}: array {k} does not have the shape that is stated for it.")
        arrays.append(np.frombuffer(_unpacked(file, entry), kind).reshape(shape).astype(kind.newbyteorder("=")))
    return head["tree"], arrays


def _unpacked(file: zipfile.ZipFile, entry: str) -> bytes:
    """The content of a part; no more than its stated size is unpacked, whatever is packed in it."""
    with file.open(entry) as part:
        return part.read(file.getinfo(entry).file_size)
