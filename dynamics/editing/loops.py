"""A robot with one loop more: two of its links held together that its tree does not join."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array, brief, choices, is_among, numbers, pose, real_array
from dynamics.editing.joints import direction
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.robot.model import HELD_TURNS, Frame, Loop, Robot
from dynamics.robot.poses import moved_by, onto_z
from dynamics.robot.validity import check_parts, check_robot

Place = str | tuple[str, ArrayLike]
"""A frame by its name; or that and a point, (3,) m, or a frame, (4, 4), in it."""


@public
def with_loop(
    robot: Robot,
    first: Place,
    second: Place,
    kind: Literal["hinge", "point", "rigid"] = "hinge",
    axis: ArrayLike = (0.0, 0.0, 1.0),
) -> Robot:
    """The same robot with two places of it held together, which makes a four-bar of a chain of three bars.

    What holds them there is exact, as a joint is: see ``Solution.coupling_torque`` and ``project``.

    Args:
        robot: any; it is not changed.
        first: a place on one link, by the name of a link or frame; or that and a point, (3,) m, or a frame, (4, 4), in
            its axes.
        second: a place on another link, or on the root.
        kind: ``hinge`` (both turn about an axis that they share: five forces and moments), ``point`` (they share a
            point: three forces) or ``rigid`` (six).
        axis: (3,), of a hinge, in the axes of either place.

    Returns:
        A new robot. Not every posture is one of it: ``project`` finds those near by that are.

    Raises:
        ModelError: for a name that no link or frame has, a kind that there is not, places on one link, or numbers that
            are none.

    Cost: linear in the links, some 50 us each.
    """
    check_parts(robot)
    title = f"robot {brief(robot.name)}"
    if not is_among(kind, HELD_TURNS):
        raise ModelError(f"{title}: kind is {brief(kind)}; a loop's is one of {choices(HELD_TURNS)}.")
    onto_axis = np.eye(4)
    onto_axis[:3, :3] = onto_z(direction(axis, f"{title}: axis"))
    ends = (_frame(robot, place, f"{title}: {word}") for place, word in ((first, "first"), (second, "second")))
    ends = (replace(end, pose=end.pose @ onto_axis) for end in ends)
    made = replace(robot, loops=(*robot.loops, Loop(kind, *ends)))
    check_robot(made)
    return made


def _frame(robot: Robot, place: Place, where: str) -> Frame:
    known = {link.name: Frame(link.name, k, np.eye(4)) for k, link in enumerate((*robot.links, robot.root))}
    known |= robot.frames
    name, inside = place if isinstance(place, tuple) and len(place) == 2 else (place, np.eye(4))
    if not is_among(name, known):
        raise ModelError(f"{where} is {brief(name)}; expected a link or frame, one of {choices(known)}.")
    at = real_array(inside, "a point or a pose", where, ModelError)
    own: Array = pose(at, where, ModelError) if at.ndim == 2 else moved_by(numbers(at, (3,), where, ModelError))
    return replace(known[str(name)], pose=known[str(name)].pose @ own)
