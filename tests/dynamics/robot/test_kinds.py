"""Robots and states put together by hand, of what does not belong there: refused by name where they are used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from tests.dynamics.every import every
from tests.dynamics.refusals import assert_all_refused

ROBOT = dyn.planar_chain(2)


def with_link(**changes: Any) -> dyn.Robot:
    return replace(ROBOT, links=(replace(ROBOT.links[0], **changes), ROBOT.links[1]))


def with_joint(**changes: Any) -> dyn.Robot:
    return replace(ROBOT, joints=(replace(ROBOT.joints[0], **changes), ROBOT.joints[1]))


WRONG: dict[str, tuple[Callable[[], dyn.Robot], str]] = {
    "no links": (lambda: replace(ROBOT, links=None), "links is None"),
    "text as a mass": (lambda: with_link(mass="1"), r"links\[0\].mass is '1'"),
    "a complex mass": (lambda: with_link(mass=1 + 2j), r"links\[0\].mass"),
    "a mass that is no number": (lambda: with_link(mass=np.nan), "mass is nan"),
    "an inertia of two by two": (lambda: with_link(inertia=np.eye(2)), "inertia"),
    "an axis by its name": (lambda: with_joint(axis="z"), r"joints\[0\].axis is 'z'"),
    "an unknown joint": (lambda: with_joint(kind="ball"), "is 'ball'"),
    "a list as a kind": (lambda: with_joint(kind=[]), r"joints\[0\].kind"),
    "half an index": (lambda: replace(ROBOT, inboard=(0.5, 2)), r"inboard\[0\] is 0.5"),
    "numbers as tips": (lambda: replace(ROBOT, tips=(3,)), r"tips\[0\] is 3"),
    "a home of no number": (lambda: replace(ROBOT, home={"joint_1": None}), "home"),
    "no root": (lambda: replace(ROBOT, root=None), "root is None"),
    "a friction of one": (lambda: with_joint(friction=(1.0,)), r"joints\[0\].friction"),
    "a shape that is none": (lambda: with_link(geometry=("box",)), r"links\[0\].geometry\[0\]"),
}


SHAPES: list[tuple[Any, Any, Any]] = [
    ("box", (1.0, 1.0, 1.0), np.eye(3)), ("box", (1.0, 1.0, 1.0), np.ones(16)),
    ("box", (1.0, 1.0, 1.0), np.zeros((4, 4))), ("box", (1.0, 1.0, np.nan), np.eye(4)), ("box", (1.0,), np.eye(4)),
    ("cylinder", (1.0,), np.eye(4)), ("blob", (1.0,), np.eye(4)),
]  # fmt: skip


def test_robots_and_shapes_put_together_wrongly_are_refused_where_they_are_used() -> None:
    uses = (dyn.single_arm, dyn.free_flyer, lambda robot: dyn.multi_arm([ROBOT, robot]))
    rows = {
        f"{name} {k}": (lambda use=use, make=make: use(make()), words)
        for name, (make, words) in WRONG.items()
        for k, use in enumerate(uses)
    }
    shape = dyn.TaskObject.box([1.0, 1.0, 1.0], 1.0).geometry[0]
    for kind, size, pose in SHAPES:
        wrong = replace(shape, kind=kind, size=size, pose=pose)
        act = partial(dyn.TaskObject, 1.0, np.eye(3), (wrong,), "crate")
        rows[f"{kind} {size} {pose}"] = (act, r"crate: .*(pose|size|kind)")
    assert_all_refused(rows)


@every([None, "text", [0.0, 0.0], np.zeros(3), np.zeros(2, dtype=complex), np.zeros((2, 1))])
def test_a_state_put_together_wrongly_is_refused_where_it_is_used(q: Any) -> None:
    system = dyn.single_arm(ROBOT)
    for state in (dyn.State(q, np.zeros(2)), dyn.State(np.zeros(2), q)):
        for use in (dyn.forward_dynamics, dyn.tip_poses, dyn.simulate, dyn.mass_matrix, dyn.System.pack):
            with pytest.raises(dyn.StateError):
                use(system, state)
