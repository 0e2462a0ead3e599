"""A run as a table with a column per recorded number, written as CSV, NPZ, Parquet or MATLAB; and as a plot."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.io import savemat

from dynamics.checks import Array, brief
from dynamics.errors import StateError
from dynamics.motion.atomic_write import atomic_write
from dynamics.system.registry import AT_OBJECT, JOINT
from dynamics.system.system import System

AT_BASE = "inertial axes, at the root link's frame origin"
POSE = {"x": "m", "y": "m", "z": "m", "qw": "1", "qx": "1", "qy": "1", "qz": "1"}
TWIST = {"wx": "rad/s", "wy": "rad/s", "wz": "rad/s", "vx": "m/s", "vy": "m/s", "vz": "m/s"}
LONGEST_NAME = 63  # characters of a variable's name in MATLAB
Event = tuple[float, str]  # its time, s, and what happened


class Head(NamedTuple):
    """The description of a column."""

    name: str  # unique, e.g. ``qdd/elbow``.
    part: str  # the body or joint, e.g. ``joint/elbow``, ``1/base``, ``object``, ``closure``; empty for the time.
    quantity: str  # the part's quantity, e.g. ``qdd``.
    unit: str  # SI
    frame: str  # axes, and the reference point

    @property
    def title(self) -> str:
        """The name with its unit, and its axes unless it is a joint's scalar: ``object/vx [m/s; inertial …]``."""
        axes = f"; {self.frame}" if self.frame not in ("", JOINT) else ""
        return f"{self.name} [{self.unit}{axes}]"


class Table(NamedTuple):
    """A run's numbers, a row for each sample."""

    heads: Sequence[Head]  # one per column, the time first
    values: Sequence[Array]  # (samples,) for each column
    events: Sequence[Event]  # in order
    stopped: str | None  # why the run ended early, or None

    def about(self, field: str) -> list[str]:
        """The name, unit or frame of every column."""
        return [getattr(head, field) for head in self.heads]


def heads_of(system: System) -> list[Head]:
    """The columns of a run in the order of packed arrays; their names are unique."""
    positions, rates, changes, torques = [], [], [], []
    for joint, model in zip(system.joint_names, system.joint_models, strict=True):
        part, slides = f"joint/{joint}", model.kind == "prismatic"
        unit = "m" if slides else "rad"
        positions.append(Head(f"q/{joint}", part, "q", unit, JOINT))
        rates.append(Head(f"qd/{joint}", part, "qd", f"{unit}/s", JOINT))
        changes.append(Head(f"qdd/{joint}", part, "qdd", f"{unit}/s^2", JOINT))
        torques.append(Head(f"tau/{joint}", part, "tau", "N" if slides else "N m", JOINT))
    for body, frame in _free_bodies(system).items():
        positions += [Head(f"{body}/{axis}", body, axis, unit, frame) for axis, unit in POSE.items()]
        rates += [Head(f"{body}/{axis}", body, axis, unit, frame) for axis, unit in TWIST.items()]
        changes += [Head(f"{body}/{axis}/rate", body, f"{axis}/rate", f"{u}^2", frame) for axis, u in TWIST.items()]
    gaps = [Head(f"drift/{gap}", "closure", f"drift/{gap}", "1", "") for gap in ("position", "velocity")]
    return [Head("t", "", "t", "s", ""), *positions, *rates, *changes, *torques, *gaps]


def _free_bodies(system: System) -> dict[str, str]:
    """Each body with its own pose -> the axes and reference point of its columns, in the order of packed arrays."""
    single = system.kind == "free_flyer"
    bases = {("base" if single else f"{arm + 1}/base"): AT_BASE for arm in np.flatnonzero(system.floating)}
    return bases | ({"object": AT_OBJECT} if system.task_object is not None else {})


def write_table(path: str | Path, form: str, table: Table) -> None:
    """Write a table as ``csv``, ``npz``, ``parquet`` or ``mat``.

    Raises:
        StateError: if the file cannot be written, or pyarrow is missing.
    """
    if form == "parquet":
        installed("pyarrow.parquet", "to_parquet", "files")
    with atomic_write(path) as temporary:
        FORMS[form](temporary, table)


def _write_csv(path: Path, table: Table) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(table.about("title"))
        writer.writerows(zip(*(values.tolist() for values in table.values), strict=True))


def _write_npz(path: Path, table: Table) -> None:
    arrays = dict(zip(table.about("name"), table.values, strict=True))
    about = {f"{field}s": np.array(table.about(field)) for field in ("name", "unit", "frame")}
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays, **about)  # type: ignore[arg-type]


def _write_parquet(path: Path, table: Table) -> None:
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    fields = []
    for head in table.heads:
        about = {"unit": head.unit, "frame": head.frame, "part": head.part, "quantity": head.quantity}
        fields.append(arrow.field(head.name, arrow.float64(), nullable=False, metadata=about))
    metadata = {"armsweep": json.dumps({"events": table.events, "stopped": table.stopped})}
    columns = [arrow.array(values) for values in table.values]
    parquet.write_table(arrow.Table.from_arrays(columns, schema=arrow.schema(fields, metadata)), path)


def installed(module: str, purpose: str, extra: str) -> Any:
    """A module that ``purpose`` needs and an extra of armsweep installs, e.g. ``pyarrow.parquet``.

    Raises:
        StateError: if it is missing, with the command that installs it.
    """
    try:
        return import_module(module)
    except ImportError as cause:
        name = module.partition(".")[0]
        raise StateError(f'{purpose} needs {name}: pip install "armsweep[{extra}]".') from cause


def _write_mat(path: Path, table: Table) -> None:
    names = matlab_names(table.about("name"))
    content: dict[str, Any] = dict(zip(names, table.values, strict=True))
    content |= {f"{field}s": dict(zip(names, table.about(field), strict=True)) for field in ("name", "unit", "frame")}
    content["event_times"] = np.array([time for time, _ in table.events])
    content["events"] = np.array([event for _, event in table.events], dtype=object)
    content["stopped"] = table.stopped or ""
    with path.open("wb") as file:
        savemat(file, content, long_field_names=True, do_compression=True, oned_as="column")


def matlab_names(names: Sequence[str]) -> list[str]:
    """Names that MATLAB accepts: other characters become ``_``, and a number distinguishes equal names."""
    found: dict[str, None] = {}
    for name in names:
        plain = re.sub(r"\W", "_", name, flags=re.ASCII)
        plain = (plain if plain[0].isalpha() else f"x{plain}")[:LONGEST_NAME]
        unique, count = plain, 1
        while unique in found:
            count += 1
            unique = f"{plain[: LONGEST_NAME - len(str(count)) - 1]}_{count}"
        found[unique] = None
    return list(found)


FORMS = {"csv": _write_csv, "npz": _write_npz, "parquet": _write_parquet, "mat": _write_mat}


def data_frame(table: Table) -> Any:
    """A table as a pandas ``DataFrame``."""
    pandas, names = installed("pandas", "to_dataframe", "frames"), table.about("name")
    frame = pandas.DataFrame(dict(zip(names, table.values, strict=True)))
    for field in ("unit", "frame"):
        frame.attrs[f"{field}s"] = dict(zip(names, table.about(field), strict=True))
    frame.attrs |= {"events": list(table.events), "stopped": table.stopped}
    return frame


def data_set(table: Table) -> Any:
    """A table as an xarray ``Dataset``: a quantity of all joints is one variable over ``t`` and ``joint``."""
    xarray = installed("xarray", "to_xarray", "frames")
    of_joints: dict[str, list[int]] = {}
    variables: dict[str, Any] = {}
    for k, head in enumerate(table.heads):
        if head.part.startswith("joint/"):
            of_joints.setdefault(head.quantity, []).append(k)
        else:
            variables[head.name] = ("t", table.values[k], {"units": head.unit, "frame": head.frame})
    joints: list[str] = []
    for quantity, places in of_joints.items():
        heads = [table.heads[k] for k in places]
        joints, units = [head.part.partition("/")[2] for head in heads], [head.unit for head in heads]
        about = {"units": units[0] if len(set(units)) == 1 else units, "frame": JOINT}
        variables[quantity] = (("t", "joint"), np.stack([table.values[k] for k in places], axis=1), about)
    coordinates = {"t": variables.pop("t")} | ({"joint": joints} if joints else {})
    about = {"events": [f"{time:g} s: {word}" for time, word in table.events], "stopped": table.stopped or ""}
    return xarray.Dataset(variables, coordinates, about)


COMPONENTS = "angular x", "angular y", "angular z", "linear x", "linear y", "linear z"
MOST_NAMED = 14  # lines in a legend


def plot_lines(t: Array, values: Array, rows: Sequence[str], title: str, unit: str, axes: Any = None) -> Any:
    """The axes with a line for each number of ``values``.

    Args:
        t: (samples,) s.
        values: (samples, ...).
        rows: what the second axis of ``values`` runs over, unless it is one of ``COMPONENTS``.
        axes: the axes to draw on; by default new ones.

    Raises:
        StateError: if matplotlib is missing, or ``axes`` is not an axes object.
    """
    if axes is not None and not hasattr(axes, "plot"):
        raise StateError(f"axes is {brief(axes)}; expected axes of matplotlib.")
    axes = installed("matplotlib.pyplot", "plot", "plot").subplots()[1] if axes is None else axes
    names: list[Sequence[str]] = [
        COMPONENTS if size == len(COMPONENTS) else [str(k + 1) for k in range(size)] for size in values.shape[1:]
    ]
    names[:1] = [rows] if rows else names[:1]
    for index in np.ndindex(values.shape[1:]):
        words = [own[at] for own, at in zip(names, index, strict=True)]
        axes.plot(t, values[(slice(None), *index)], label=", ".join(words))
    axes.set(title=title, xlabel="t, s", ylabel=unit)
    if 1 < values[0].size <= MOST_NAMED:
        axes.legend()
    return axes
