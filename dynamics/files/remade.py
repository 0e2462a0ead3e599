"""A system made again of what it was made of, wherever that has been meanwhile."""

from __future__ import annotations

from typing import Any

import numpy as np

from dynamics.checks import brief, flag, is_among, is_index, listed, numbers, pose
from dynamics.errors import ModelError
from dynamics.system.assembly import free_flyer, multi_arm, single_arm, with_contacts
from dynamics.system.contact import Contact
from dynamics.system.grasp import SELECTIONS
from dynamics.system.system import System

GRIPS = (*SELECTIONS, "selection")


def remade(
    kind: Any, robots: Any, floating: Any, base_poses: Any, task_object: Any, gravity: Any, contacts: Any
) -> System:
    """The system of these parts, each checked; its fields bear the same names.

    Raises:
        ModelError: for parts that cannot be, or do not fit together.
    """
    arms = listed(robots, "robots", "a sequence of robots", ModelError)
    if kind == "multi_arm":
        floats = [flag(one, "floating", ModelError) for one in listed(floating, "floating", "flags", ModelError)]
        system = multi_arm(arms, base_poses, task_object, gravity, floats)
    elif len(arms) == 1 and task_object is None and kind in ("single_arm", "free_flyer"):
        only = numbers(base_poses, (1, 4, 4), "base_poses", ModelError)[0]
        system = single_arm(arms[0], gravity, only) if kind == "single_arm" else free_flyer(arms[0], gravity)
    else:
        raise ModelError(f"{brief(kind)} with {len(arms)} robots is no kind of system.")
    holds = listed(contacts, "contacts", "contacts", ModelError)
    for one in holds:
        _check_contact(system, one)
    if len({one.tip for one in holds}) < len(holds):
        raise ModelError("contacts: a tip holds twice.")
    return with_contacts(system, holds) if holds else system


def _check_contact(system: System, one: Any) -> None:
    if not isinstance(one, Contact) or system.task_object is None or not is_index(one.tip, system.n_tips):
        raise ModelError(f"{brief(one)} is no contact of this system.")
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
