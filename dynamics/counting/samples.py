"""The arms that operations are counted on: no special angle, so that nothing is saved by chance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dynamics.counting.number import Tally, counting
from dynamics.robot.denavit_hartenberg import from_denavit_hartenberg
from dynamics.robot.model import Robot
from dynamics.system.assembly import single_arm
from dynamics.system.axis_frames import AxisLink, axis_links
from dynamics.system.system import System
from dynamics.system.tables import Work, make_work

GRAVITY = 9.81


def sample_robot(n_links: int) -> Robot:
    """A revolute arm without special angles; mass centres on the x axes and principal axes along the link's."""
    steps = np.arange(n_links)
    rows = np.column_stack(
        [0.3 + 0.01 * np.sin(steps), 1.1 + np.cos(steps), 0.1 * np.cos(2.0 * steps), 0.2 * np.sin(3.0 * steps)]
    )
    centers = np.column_stack([0.1 + 0.02 * np.cos(steps), np.zeros(n_links), np.zeros(n_links)])
    inertias = np.tile([0.02, 0.05, 0.06], (n_links, 1))
    return from_denavit_hartenberg(rows, 1.0 + 0.1 * steps, centers, inertias, convention="modified", name="sample")


def sample_values(n: int, phase: float) -> list[float]:
    return [float(x) for x in 0.7 * np.sin(phase + 1.3 * np.arange(n))]


def sample_motion(n: int) -> tuple[tuple[AxisLink, ...], list[float], list[float], list[float]]:
    """The arm's links, and displacements, rates and accelerations of its joints."""
    q, qd, qdd = (sample_values(n, phase) for phase in (0.1, 0.2, 0.3))
    return axis_links(single_arm(sample_robot(n))), q, qd, qdd


def floating(robot: Robot) -> Robot:
    """The robot with a root link that has mass."""
    return replace(robot, root=replace(robot.root, mass=5.0, inertia=np.diag([0.2, 0.3, 0.4])))


def counting_work(system: System, tally: Tally) -> tuple[Any, Any, Any, Any, Work]:
    """(tables, x, v, tau, work) of a system in some state, for twins of kernels."""
    state = system.state(q=sample_values(system.n_joints, 0.1), qd=sample_values(system.n_joints, 0.2))
    x, v = system.pack(state)
    work = make_work(system.tables)
    return *counting((system.tables, x, v, np.array(sample_values(system.n_joints, 0.3))), tally), counting(work, tally)
