"""The length that a machine's other lengths are measured by."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from dynamics.robot.model import Robot
from dynamics.robot.task_object import TaskObject


def machine_length(robots: Iterable[Robot], task_object: TaskObject) -> float:
    """m: the longest way from a root through the joints to a tip, or the object's radius of gyration."""
    longest = math.sqrt(float(np.trace(task_object.inertia)) / (2.0 * task_object.mass))
    for robot in robots:
        reach = np.zeros(len(robot.links) + 1)  # the root's last
        for k in reversed(range(len(robot.links))):
            reach[k] = reach[robot.inboard[k]] + np.linalg.norm(robot.joints[k].origin[:3, 3])
        longest = max([longest, *(float(reach[tip.link] + np.linalg.norm(tip.pose[:3, 3])) for tip in robot.tips)])
    return longest
