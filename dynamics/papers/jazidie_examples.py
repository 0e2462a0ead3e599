"""The two numerical examples of JZ Section 5, as plain data: Tables 1-3, Fig. 7 and Fig. 9.

The scan lost the figure with Example 2's posture, and Table 1's arms of three links could not reach its object
from the origin: its arms have n = 6 links of 0.2 m each. The links' directions 165, 120, 90, 60, 30 and -30
degrees give the printed contact angle of pi/6 and put the tip at (0.153225, 0.598174) m from the base, both digit
for digit those of X_o(0) = (0.203225, 0.598174) m less a round 0.05 m. With the stated half length of 0.09 m the
bases then stand at x = -0.04 m and its mirror image. Table 3 is followed in kind, not in digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dynamics.checks import Array, brief, choices
from dynamics.errors import StateError
from dynamics.motion.control_law import progress
from dynamics.papers.planar_arm_group import POINT, RIGID, PlanarGroup, arm_equations
from dynamics.papers.planar_task import PlanarSamples, PlanarTask, run_exact, run_staggered
from dynamics.record import Record
from dynamics.robot.task_object import TaskObject
from dynamics.system.assembly import multi_arm
from dynamics.system.examples import example, jazidie_arm, placed
from dynamics.system.grasp import grasp
from dynamics.system.state import State
from dynamics.system.system import System

DURATION = 5.0  # t_f, s
SAMPLING_TIME = 1e-4  # s


class ObjectTable(NamedTuple):
    """JZ Table 2: [x (m), y (m), angle (rad)] at t = 0, 1, ... 5 s."""

    desired: Array  # (6, 3)
    simulated: Array  # (6, 3)


TABLE_1 = {
    "link length": 0.2, "link mass": 0.5, "link center of mass": 0.1, "link inertia": 0.0015,
    "object length": 0.1, "object mass": 5.0, "object center of mass": 0.05, "object inertia": 0.5,
}  # fmt: skip
TABLE_2 = ObjectTable(
    np.array(
        [
            [0.2232050, 0.4464100, 0.0], [0.2261010, 0.4406180, 0.0], [0.2390770, 0.4146660, 0.0],
            [0.2573330, 0.3781540, 0.0], [0.2703090, 0.3522020, 0.0], [0.2732050, 0.3464100, 0.0],
        ]
    ),
    np.array(
        [
            [0.2232050, 0.4464100, 0.0], [0.2261014, 0.4406173, 0.0], [0.2390779, 0.4146645, 0.0],
            [0.2573339, 0.3781540, 0.0], [0.2703094, 0.3522022, 0.0], [0.2732050, 0.3464113, 0.0],
        ]
    ),
)  # fmt: skip
# JZ Table 3: angles between the last links and the object, rad, at t = 0, 1, ... 5 s: arm 1 (rigid), arm 2 (point).
TABLE_3 = np.array(
    [
        [0.523599, -0.523599], [0.523599, -0.475667], [0.523599, -0.210124],
        [0.523599, 0.223329], [0.523599, 0.578254], [0.523599, 0.706632],
    ]
)  # fmt: skip
EXAMPLE_2_DIRECTIONS = np.radians([165.0, 120.0, 90.0, 60.0, 30.0, -30.0])  # of arm 1's links, base to tip


@dataclass(frozen=True, eq=False)
class PlanarRun(Record):
    """One run of an example. Places are [x, y, angle] as in the paper, m and rad.

    Attributes:
        method: ``staggered`` (as published) or ``exact``.
        times: (T,), s.
        desired, simulated: (T, 3), X_o^d and X_o.
        error: (T,), E_p of (46): Fig. 7.
        sticks: (T, arms, n + 1, 2), joints and tip of each arm, base first: Fig. 9.
        ends: (T, arms, 2), where the object is held: the object's own stick.
        contact_angle: (T, arms), from the last link to the object, rad: Table 3.
        radius: (T,), the contraction radius of the staggered step.
        diverged: whether the run broke off.
    """

    method: str
    times: Array
    desired: Array
    simulated: Array
    error: Array
    sticks: Array
    ends: Array
    contact_angle: Array
    radius: Array
    diverged: bool


def example_1(
    method: str = "staggered",
    duration: float = DURATION,
    dt: float = SAMPLING_TIME,
    record_every: int = 100,
    object_mass: float = 5.0,
) -> PlanarRun:
    """JZ Example 1: a rigid grasp, torques by inverse dynamics at each sample, (43)-(45); Table 2, and (46) in Fig. 7.

    Args:
        method: ``staggered``, the forward step as published, or ``exact``.
        object_mass: kg; its inertia goes along. Below about 2.2 kg the published step diverges.

    Raises:
        StateError: for an unknown method, or a duration that is no whole number of samples.
    """
    group, q = _group(np.radians([120.0, 60.0, 30.0]), np.array([0.0, 0.0]), 0.05, RIGID, object_mass)
    start = np.array([0.0, 0.223205, 0.446410])
    group = group._replace(base=np.array([[0.0, 0.0], [2.0 * start[1], 0.0]]))
    q = _at_grips(group, q, start)
    task = PlanarTask(start, np.array([0.0, 0.05, -0.1]), np.array([0.0, DURATION, 0.0]), 1.0, np.zeros(3), np.zeros(3))
    return _run(group, task, q, method, duration, dt, record_every)


def example_2(
    method: str = "exact", duration: float = DURATION, dt: float = SAMPLING_TIME, record_every: int = 100
) -> PlanarRun:
    """JZ Example 2: arm 1 holds rigidly, arm 2 by a point contact with friction; task-space PD, (47)-(51); Fig. 9.

    Arguments and errors as for ``example_1``.
    """
    group, q = _group(EXAMPLE_2_DIRECTIONS, np.array([-0.04, 0.0]), 0.09, POINT, 5.0)
    start = np.array([0.0, 0.203225, 0.598174])
    q = _at_grips(group, q, start)
    gains = np.full(3, 100.0), np.full(3, 10.0)
    task = PlanarTask(start, np.array([math.pi / 3.0, 0.0, -0.1]), np.array([0.0, DURATION, 0.0]), 0.0, *gains)
    return _run(group, task, q, method, duration, dt, record_every)


def example_2_system() -> tuple[System, State]:
    """Example 2 in space, for every method of this package; no gravity, arms turning about z."""
    thing = example("two_planar_arms")[0].task_object
    assert thing is not None
    robot = jazidie_arm(len(EXAMPLE_2_DIRECTIONS), "jazidie_arm_6")
    group, q = _group(EXAMPLE_2_DIRECTIONS, np.array([-0.04, 0.0]), 0.09, POINT, 5.0)
    q = _at_grips(group, q, np.array([0.0, 0.203225, 0.598174]))
    bases = [placed(x=float(place[0])) for place in group.base]
    system = multi_arm([robot, robot], bases, TaskObject(thing.mass, thing.inertia, (), "bar"), (0.0, 0.0, 0.0))
    state = system.state(q=np.concatenate([q[0, ::-1], q[1, ::-1]]), object_pose=placed(x=0.203225, y=0.598174))
    return grasp(system, state, ["rigid", "point"]), state


def planar_call() -> tuple[Callable[..., int], tuple[Any, ...]]:
    """The kernel that the examples are run by as published, with arguments of the types that it is called with."""
    group, q = _group(EXAMPLE_2_DIRECTIONS, np.zeros(2), 0.09, POINT, 5.0)
    task = PlanarTask(np.zeros(3), np.zeros(3), np.array([0.0, DURATION, 0.0]), 0.0, np.zeros(3), np.zeros(3))
    return run_staggered, (group, task, q, np.zeros_like(q), SAMPLING_TIME, 0, 1, _room(1, q))


def _room(count: int, q: Array) -> PlanarSamples:
    """For so many samples."""
    arms, n = q.shape
    return PlanarSamples(
        np.zeros(count), np.zeros((count, 3)), np.zeros((count, arms, n)), np.zeros((count, arms, n + 1, 2)),
        np.zeros((count, 3, 3)),
    )  # fmt: skip


def _group(directions: Array, base: Array, half: float, second: int, mass: float) -> tuple[PlanarGroup, Array]:
    """Two mirrored arms of Table 1's links, and their joint angles, base to tip."""
    n = len(directions)
    ones = np.ones((2, n))
    tip = base[0] + TABLE_1["link length"] * float(np.cos(directions).sum())
    mirror = 2.0 * (tip + half)
    angles = np.array([np.diff(directions, prepend=0.0), np.diff(math.pi - directions, prepend=0.0)])
    group = PlanarGroup(
        base=np.array([base, [mirror - base[0], base[1]]]),
        length=TABLE_1["link length"] * ones,
        mass=TABLE_1["link mass"] * ones,
        center=TABLE_1["link center of mass"] * ones,
        inertia=TABLE_1["link inertia"] * ones,
        grip=np.array([[-half, 0.0], [half, 0.0]]),
        contact=np.array([RIGID, second]),
        object_inertia=np.array([TABLE_1["object inertia"] * mass / 5.0, mass, mass]),
        last_link=float(angles[0].sum()),
    )
    return group, angles


def _at_grips(group: PlanarGroup, q: Array, start: Array) -> Array:
    """The nearest joint angles that put every tip on its grip to the last digit; the paper prints six."""
    q = q.copy()
    for k in range(len(q)):
        direction = q[k].sum()
        for _ in range(5):
            _, _, jacobian, _, points = arm_equations(group, k, q[k], np.zeros_like(q[k]))
            gap = np.concatenate([[direction - q[k].sum()], start[1:] + group.grip[k] - points[-1]])
            q[k] += np.linalg.pinv(jacobian) @ gap
    return q


def _run(
    group: PlanarGroup, task: PlanarTask, q: Array, method: str, duration: float, dt: float, record_every: int
) -> PlanarRun:
    methods: dict[str, Callable[..., int]] = {"staggered": run_staggered, "exact": run_exact}
    if method not in methods:
        raise StateError(f"there is no method {brief(method)}; choose among {choices(methods)}.")
    steps = round(duration / dt)
    if steps < 0 or abs(steps * dt - duration) > 1e-9 * max(1.0, duration) or record_every < 1:
        raise StateError(f"duration {duration} s must be a whole number of samples of {dt} s, record_every at least 1.")
    samples = _room(steps // record_every + 1, q)
    done = methods[method](group, task, q.copy(), np.zeros_like(q), dt, steps, record_every, samples)
    times, place, joints, points, growth = (part[: done // record_every + 1] for part in samples)
    desired = np.array([task.start + progress(task.timing, t)[0] * task.way for t in times])
    gap = place - desired
    reach = group.length.sum() + float(np.linalg.norm(group.grip, axis=1).sum())
    error = np.hypot(gap[:, 1], gap[:, 2]) / reach + np.abs(gap[:, 0]) / (2.0 * math.pi)  # JZ (46)
    outward = np.array([0.0, math.pi])  # the second arm's last link is seen against the object's other end
    return PlanarRun(
        method=method,
        times=times,
        desired=desired[:, [1, 2, 0]],
        simulated=place[:, [1, 2, 0]],
        error=error,
        sticks=points,
        ends=points[:, :, -1],
        contact_angle=place[:, :1] - joints.sum(axis=2) + outward,
        radius=np.abs(np.linalg.eigvals(growth / group.object_inertia[:, None])).max(axis=1),
        diverged=done < steps,
    )
