"""The two numerical examples of JZ Section 5: the printed tables, and runs of the published step.

The scan lost the figure with Example 2's posture, and Table 1's arms of three links could not reach its object
from the origin: its arms have n = 6 links of 0.2 m each. The links' directions 165, 120, 90, 60, 30 and -30
degrees give the printed contact angle of pi/6 and put the tip at (0.153225, 0.598174) m from the base, both digit
for digit those of X_o(0) = (0.203225, 0.598174) m less a round 0.05 m. With the stated half length of 0.09 m the
bases then stand at x = -0.04 m and its mirror image. Table 3 depends on two things that are not printed: whether (48)
leads by the desired velocity, and the order of the six directions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dynamics.checks import Array
from dynamics.errors import StateError
from dynamics.motion.control_law import progress
from dynamics.papers.planar_arms import (
    CENTER,
    DURATION,
    INERTIA,
    LENGTH,
    MASS,
    POINT,
    RIGID,
    TIMING,
    PlanarArms,
    PlanarTask,
    arm_equations,
    run_staggered,
)
from dynamics.record import Record

SAMPLING_TIME, RECORDED = 1e-4, 100
"""s, and the number of samples per recorded one."""
TABLE_1 = {
    "link length": LENGTH, "link mass": MASS, "link center of mass": CENTER, "link inertia": INERTIA,
    "object length": 0.1, "object mass": 5.0, "object center of mass": 0.05, "object inertia": 0.5,
}  # fmt: skip
# JZ Table 2: [x (m), y (m), angle (rad)] at t = 0, 1, ... 5 s.
TABLE_2_DESIRED = np.array(
    [
        [0.2232050, 0.4464100, 0.0], [0.2261010, 0.4406180, 0.0], [0.2390770, 0.4146660, 0.0],
        [0.2573330, 0.3781540, 0.0], [0.2703090, 0.3522020, 0.0], [0.2732050, 0.3464100, 0.0],
    ]
)  # fmt: skip
TABLE_2_SIMULATED = np.array(
    [
        [0.2232050, 0.4464100, 0.0], [0.2261014, 0.4406173, 0.0], [0.2390779, 0.4146645, 0.0],
        [0.2573339, 0.3781540, 0.0], [0.2703094, 0.3522022, 0.0], [0.2732050, 0.3464113, 0.0],
    ]
)  # fmt: skip
# JZ Table 3: angles between the last links and the object, rad, at t = 0, 1, ... 5 s: arm 1 (rigid), arm 2 (point).
TABLE_3 = np.array(
    [
        [0.523599, -0.523599], [0.523599, -0.475667], [0.523599, -0.210124],
        [0.523599, 0.223329], [0.523599, 0.578254], [0.523599, 0.706632],
    ]
)  # fmt: skip
EXAMPLE_1_DIRECTIONS = np.radians([120.0, 60.0, 30.0])  # of arm 1's links, base to tip
EXAMPLE_2_DIRECTIONS = np.radians([165.0, 120.0, 90.0, 60.0, 30.0, -30.0])
ANOTHER_ORDER = np.radians([90.0, 165.0, 120.0, 60.0, 30.0, -30.0])  # the same tip, and nearer to Table 3


@dataclass(frozen=True, eq=False)
class PlanarRun(Record):
    """One run of an example. Places are [x, y, angle] as in the paper, m and rad.

    Attributes:
        times: (T,), s.
        desired, simulated: (T, 3), X_o^d and X_o.
        error: (T,), E_p of (46): Fig. 7.
        sticks: (T, arms, n + 1, 2), joints and tip of each arm, base first: Fig. 9.
        contact_angle: (T, arms), from the last link to the object, rad: Table 3.
    """

    times: Array
    desired: Array
    simulated: Array
    error: Array
    sticks: Array
    contact_angle: Array


def example_1(duration: float = DURATION, object_mass: float = 5.0) -> PlanarRun:
    """JZ Example 1: a rigid grasp, torques by inverse dynamics at each sample, (43)-(45); Table 2, and (46) in Fig. 7.

    Args:
        duration: s, an integer number of samples.
        object_mass: kg; its inertia is scaled along.

    Raises:
        StateError: if the published step diverges, with less than about 2.2 kg.
    """
    start = np.array([0.0, 0.223205, 0.446410])
    arms, q = planar_arms(EXAMPLE_1_DIRECTIONS, start, (0.0, 2.0 * start[1]), 0.05, RIGID, object_mass)
    return _run(arms, PlanarTask(start, np.array([0.0, 0.05, -0.1]), 1.0, 0.0, 0.0, 0.0), q, duration)


def example_2(
    duration: float = DURATION, feed_forward: bool = True, directions: Array = EXAMPLE_2_DIRECTIONS
) -> PlanarRun:
    """JZ Example 2: arm 1 holds rigidly, arm 2 by a point contact with friction; task-space PD, (47)-(51); Fig. 9.

    Args:
        feed_forward: whether (48) contains the desired velocity, as printed.
        directions: (6,) rad, of arm 1's links at the start, base to tip.
    """
    start = np.array([0.0, 0.203225, 0.598174])
    tip = -0.04 + LENGTH * float(np.cos(directions).sum())
    arms, q = planar_arms(directions, start, (-0.04, 2.0 * (tip + 0.09) + 0.04), 0.09, POINT)
    task = PlanarTask(start, np.array([math.pi / 3.0, 0.0, -0.1]), 0.0, 100.0, 10.0, 1.0 if feed_forward else 0.0)
    return _run(arms, task, q, duration)


def planar_call() -> tuple[Callable[..., int], tuple[Any, ...]]:
    """The kernel that runs the examples, with arguments of the types it is called with."""
    arms, q = planar_arms(EXAMPLE_1_DIRECTIONS, None, (0.0, 1.0), 0.05, RIGID)
    task = PlanarTask(np.zeros(3), np.zeros(3), 0.0, 0.0, 0.0, 0.0)
    return run_staggered, (arms, task, q, np.zeros_like(q), SAMPLING_TIME, 0, 1, np.zeros((1, 3)), q[None].copy())


def planar_arms(
    directions: Array, start: Array | None, bases: tuple[float, float], half: float, second: int, mass: float = 5.0
) -> tuple[PlanarArms, Array]:
    """Two mirrored arms and their joint angles (arms, n), base to tip.

    Args:
        directions: of arm 1's links, the start of a search for the nearest angles that put every tip on its grip to
            machine precision, since the paper prints six digits.
        start: the object's place, [angle; x; y]; None keeps the directions' angles.
    """
    q = np.array([np.diff(directions, prepend=0.0), np.diff(math.pi - directions, prepend=0.0)])
    inertia = np.array([TABLE_1["object inertia"] * mass / 5.0, mass, mass])
    grip = np.array([-half + 0.0j, half + 0.0j])
    arms = PlanarArms(np.array(bases, dtype=complex), grip, np.array([RIGID, second]), inertia, float(q[0].sum()))
    for k, turned in enumerate(q.sum(axis=1) if start is not None else ()):
        assert start is not None
        for _ in range(5):
            _, _, jacobian, _, points = arm_equations(arms.base[k], q[k], np.zeros_like(q[k]))
            gap = complex(*start[1:]) + grip[k] - points[-1]
            q[k] += np.linalg.pinv(jacobian) @ [turned - q[k].sum(), gap.real, gap.imag]
    return arms, q


def _run(arms: PlanarArms, task: PlanarTask, q: Array, duration: float) -> PlanarRun:
    steps = round(duration / SAMPLING_TIME)
    count = steps // RECORDED + 1
    places, joints = np.zeros((count, 3)), np.zeros((count, *q.shape))
    done = run_staggered(arms, task, q.copy(), np.zeros_like(q), SAMPLING_TIME, steps, RECORDED, places, joints)
    if done < steps:
        raise StateError(f"the staggered step diverges after {done} samples; use a heavier object or lighter arms.")
    times: Array = RECORDED * SAMPLING_TIME * np.arange(count, dtype=np.float64)
    desired = np.array([task.start + progress(TIMING, t)[0] * task.way for t in times])
    gap, reach = places - desired, LENGTH * q.size + float(np.abs(arms.grip).sum())
    links = LENGTH * np.exp(1j * joints.cumsum(axis=2))
    points = arms.base[:, None] + np.concatenate([np.zeros((count, len(q), 1)), links.cumsum(axis=2)], axis=2)
    outward = np.array([0.0, math.pi])  # the second arm's last link is measured from the object's other end
    return PlanarRun(
        times,
        desired[:, [1, 2, 0]],
        places[:, [1, 2, 0]],
        np.hypot(gap[:, 1], gap[:, 2]) / reach + np.abs(gap[:, 0]) / (2.0 * math.pi),  # JZ (46)
        np.stack([points.real, points.imag], axis=-1),
        places[:, :1] - joints.sum(axis=2) + outward,
    )
