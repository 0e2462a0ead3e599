"""What each joint's torque moves, as maps with named rows and columns; R88 Section 10."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.equations.pictures import contact_titles
from app.state.walk import called, number
from dynamics.operators import Influence

Array = NDArray[np.float64]
HELD, FREE, TAKEN = "W", "W_FREE", "ΔW"
AXES = "xyz"


@dataclass(frozen=True)
class Row:
    """The acceleration or force that a row of a map describes.

    Attributes:
        brief: label beside its cells.
        words: for the readout and for screen readers.
        unit: of the response to one newton-metre, or one newton.
        joint: the joint whose acceleration it is; -1 for a force or the object's.
    """

    brief: str
    words: str
    unit: str
    joint: int = -1


@dataclass(frozen=True)
class Band:
    """Rows of one unit under one heading."""

    title: str
    rows: tuple[Row, ...]


def joint_label(system: dyn.System, joint: int) -> str:
    """A joint's number as in the papers, with its arm if there are several."""
    own = str(number(system, joint))
    return f"{int(system.arm_of_link[joint]) + 1}.{own}" if system.n_arms > 1 else own


def slides(system: dyn.System, joint: int) -> bool:
    return system.joint_models[joint].kind == "prismatic"


def torque_unit(system: dyn.System, joint: int) -> str:
    """Unit of the force or torque along a joint."""
    return "N" if slides(system, joint) else "N m"


def acceleration_unit(system: dyn.System, joint: int) -> str:
    """Unit of a joint's own acceleration."""
    return "m/s²" if slides(system, joint) else "rad/s²"


def bands_of(system: dyn.System) -> tuple[Band, ...]:
    """The rows of all maps: joints, then floating bases, then the forces transmitted by contacts, then the object."""
    joints = tuple(
        Row(joint_label(system, k), f"acceleration of {called(system, k)}", acceleration_unit(system, k), k)
        for k in range(system.n_joints)
    )
    found = [Band("Joints accelerate", joints)]
    for name in system.link_names[system.n_joints :]:
        found += _motion_of(name)
    if not system.is_held:
        return tuple(found)
    for title in contact_titles(system):
        whose = f" of {title}" if max(system.n_arms, len(system.contacts)) > 1 else ""
        for part, unit in (("moment", "N m"), ("force", "N")):
            rows = tuple(Row(axis, f"{part} {axis} at the tip{whose}", unit) for axis in AXES)
            found.append(Band(f"{part.capitalize()} at the tip{whose}", rows))
    return (*found, *_motion_of("object"))


def _motion_of(name: str) -> Iterator[Band]:
    """The motion of a body not determined by joints alone: the object, or a floating base."""
    for part, unit in (("angular", "rad/s²"), ("linear", "m/s²")):
        rows = tuple(Row(axis, f"{part} acceleration {axis} of the {name}", unit) for axis in AXES)
        yield Band(f"{name[:1].upper()}{name[1:]}, {part}", rows)


def choices(system: dyn.System) -> tuple[str, ...]:
    """The distinct maps to the joints' accelerations: a single one for arms that hold nothing."""
    return (HELD, FREE, TAKEN) if system.is_held else (HELD,)


def stacked(system: dyn.System, maps: Influence, choice: str) -> Array:
    """(rows, joints): every row of ``bands_of``, with one of the ``choices`` for the joints."""
    joints = {HELD: maps.W, FREE: maps.W_free, TAKEN: maps.delta_W}[choice]
    found = [joints, *maps.link_acceleration[system.n_joints :]]
    if system.is_held:
        found += [maps.contact_force[6 * contact.tip : 6 * contact.tip + 6] for contact in system.contacts]
        found.append(maps.object_acceleration)
    return np.concatenate(found)
