"""Every number of a run as a column of one table, with what it is about, its unit and its axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dynamics.checks import Array, brief
from dynamics.errors import StateError
from dynamics.system.registry import AT_OBJECT, JOINT
from dynamics.system.system import System

AT_BASE = "inertial axes, at the root link's frame origin"
PLACE = {"x": "m", "y": "m", "z": "m", "qw": "1", "qx": "1", "qy": "1", "qz": "1"}
TWIST = {"wx": "rad/s", "wy": "rad/s", "wz": "rad/s", "vx": "m/s", "vy": "m/s", "vz": "m/s"}


class Head(NamedTuple):
    """What stands over a column.

    Attributes:
        name: ``qd/elbow/rate``; no two are alike.
        part: the body or joint, ``joint/elbow``, ``1/base``, ``object``, ``closure``; empty for the time.
        quantity: of that part, ``qd/rate``.
        unit: SI.
        frame: axes, and the point of reference.
    """

    name: str
    part: str
    quantity: str
    unit: str
    frame: str

    @property
    def told(self) -> str:
        """The name with its unit, and with its axes unless it is along its joint: ``object/vx [m/s; inertial …]``."""
        axes = f"; {self.frame}" if self.frame not in ("", JOINT) else ""
        return f"{self.name} [{self.unit}{axes}]"


class Column(NamedTuple):
    """One number of every sample.

    Attributes:
        head: what it is.
        values: (samples,).
    """

    head: Head
    values: Array


def columns_of(
    system: System, times: Array, x: Array, v: Array, acceleration: Array, tau: Array, drift: Array
) -> tuple[Column, ...]:
    """The columns of a run, whose arrays are as a segment of a recording has them; the time first.

    Raises:
        StateError: if two joints are called so that two columns would have one name.
    """
    places, motions, efforts = [], [], []
    for joint, model in zip(system.joint_names, system.joint_models, strict=True):
        part, slides = f"joint/{joint}", model.kind == "prismatic"
        unit = "m" if slides else "rad"
        places.append(Head(f"q/{joint}", part, "q", unit, JOINT))
        motions.append(Head(f"qd/{joint}", part, "qd", f"{unit}/s", JOINT))
        efforts.append(Head(f"tau/{joint}", part, "tau", "N" if slides else "N m", JOINT))
    for body, frame in _bodies(system).items():
        places += [Head(f"{body}/{axis}", body, axis, unit, frame) for axis, unit in PLACE.items()]
        motions += [Head(f"{body}/{axis}", body, axis, unit, frame) for axis, unit in TWIST.items()]
    rates = [Head(f"{one.name}/rate", one.part, f"{one.quantity}/rate", f"{one.unit}^2", one.frame) for one in motions]
    gaps = [Head(f"drift/{what}", "closure", f"drift/{what}", "1", "") for what in ("position", "velocity")]
    heads = [Head("time", "", "time", "s", ""), *places, *motions, *rates, *efforts, *gaps]
    _require_own_names([head.name for head in heads])
    values = [times, *x.T, *v.T, *acceleration.T, *tau.T, *drift.T]
    return tuple(Column(head, own) for head, own in zip(heads, values, strict=True))


def _bodies(system: System) -> dict[str, str]:
    """What has a place of its own -> its axes and point, in the order of packed arrays."""
    alone = system.kind == "free_flyer"
    bases = {("base" if alone else f"{arm + 1}/base"): AT_BASE for arm in np.flatnonzero(system.floating)}
    return bases | ({"object": AT_OBJECT} if system.task_object is not None else {})


def _require_own_names(names: Sequence[str]) -> None:
    if len(set(names)) < len(names):
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        raise StateError(f"two columns would be called {brief(twice)}; give one of these joints another name.")
