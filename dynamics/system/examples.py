"""Systems ready to run, each in an instructive posture."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from scipy.spatial.transform import Rotation

from dynamics.checks import Array, brief, choices, is_among
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.robot.model import Frame, Geometry, Joint, Link, Robot
from dynamics.robot.task_object import TaskObject
from dynamics.robot_files.library import load, planar_chain
from dynamics.system.assembly import free_flyer, multi_arm, single_arm
from dynamics.system.grasp import grasp
from dynamics.system.plain_kinematics import forward_kinematics
from dynamics.system.state import State
from dynamics.system.system import System

Example = tuple[System, State]


@public
def examples() -> tuple[str, ...]:
    """The names of the packaged systems, for ``example``.

    Returns:
        Their names.

    Cost: none.
    """
    return tuple(_EXAMPLES)


@public
def example(name: str) -> Example:
    """A packaged system and its starting state.

    Args:
        name: one of ``examples()``.

    Returns:
        The system, and a state of it that is closed if an object is held.

    Raises:
        ModelError: for an unknown name.

    Example:
        >>> system, state = dyn.example("two_arms_and_box")
        >>> system
        System(multi_arm, 'iiwa14' and 'iiwa14', 14 joints, holds an object, gravity=[ 0.  ,  0.  , -9.81])

    Cost: that of reading its robot's file, some 20 ms.
    """
    if not is_among(name, _EXAMPLES):
        raise ModelError(f"there is no example {brief(name)}; choose among {choices(_EXAMPLES)}.")
    return _EXAMPLES[name]()


def placed(x: float = 0.0, y: float = 0.0, z: float = 0.0, yaw: float = 0.0) -> Array:
    """A 4x4 pose: translated, and rotated about the vertical."""
    pose = np.eye(4)
    pose[:3, :3] = Rotation.from_euler("z", yaw).as_matrix()
    pose[:3, 3] = (x, y, z)
    return pose


def _at_home(name: str) -> Example:
    system = single_arm(load(name))
    return system, system.home()


def _floating() -> Example:
    system = free_flyer(load("free_flyer"))
    home = system.home()
    rates = {"shoulder_yaw_joint": 0.25, "shoulder_pitch_joint": 0.3, "elbow_joint": -0.4, "wrist_joint": 0.5}
    return system, system.state(q=home.q, qd=system.to_joint_vector(rates), base_velocity=[0.02, -0.03, 0.05, 0, 0, 0])


def _floating_at_rest(name: str) -> Example:
    """A tree in free flight: its branches meet at the body. At rest, so that it has no momentum."""
    system = free_flyer(load(name))
    return system, system.home()


def _around_object(
    robots: Sequence[Robot],
    bases: Sequence[Array],
    posture: dict[str, float],
    task_object: TaskObject,
    contacts: Sequence[str],
) -> Example:
    """Arms in equal postures round an object in the middle of their tips, which grasp it there."""
    system = multi_arm(robots, bases, task_object)
    q = system.to_joint_vector({f"{arm + 1}/{name}": v for arm in range(len(robots)) for name, v in posture.items()})
    return _grasped(system, q, contacts)


def _grasped(system: System, q: Array, contacts: Sequence[str]) -> Example:
    """The object in the middle of the tips, which hold it there."""
    tips = forward_kinematics(system, system.state(q=q)).tip_pose
    state = system.state(q=q, object_pose=placed(*tips[:, :3, 3].mean(axis=0)))
    return grasp(system, state, contacts), state


# The flange points forward, level, at shoulder height.
_REACHING = {"joint_2": 0.6, "joint_4": -1.6, "joint_6": -0.629204}
_REACH = 0.687  # from the base's axis to the flange in that posture, m


def _two_iiwas(*contacts: str) -> Example:
    robot, half = load("iiwa14"), 0.18
    bases = [placed(x=-_REACH - half), placed(x=_REACH + half, yaw=math.pi)]
    return _around_object([robot] * 2, bases, _REACHING, TaskObject.box((2 * half, 0.26, 0.22), 4.0), contacts)


def _four_iiwas() -> Example:
    robot, half = load("iiwa14"), 0.22
    bases = [
        placed(-(_REACH + half) * math.cos(turn), -(_REACH + half) * math.sin(turn), 0.0, turn)
        for turn in np.arange(4) * math.pi / 2
    ]
    box = TaskObject.box((2 * half, 2 * half, 0.18), 10.0)
    return _around_object([robot] * 4, bases, _REACHING, box, ["rigid"] * 4)


def jazidie_arm(n_links: int, name: str = "jazidie_arm") -> Robot:
    """One arm with links as in JZ Table 1: 0.2 m and 0.5 kg, turning about z."""
    along_x = placed(x=0.1)
    along_x[:3, :3] = Rotation.from_euler("y", math.pi / 2).as_matrix()
    rod = Geometry("capsule", (0.018, 0.2), along_x)
    link = Link("link", 0.5, np.array([0.1, 0.0, 0.0]), np.diag([0.0001, 0.0015, 0.0015]), (rod,))
    axis = np.array([0.0, 0.0, 1.0])
    numbers = range(n_links, 0, -1)
    joints = [Joint(f"joint_{k}", "revolute", axis, placed(x=0.0 if k == 1 else 0.2)) for k in numbers]
    links = [replace(link, name=f"link_{k}") for k in numbers]
    root = Link("base", 0.0, np.zeros(3), np.zeros((3, 3)))
    inboard = tuple(range(1, n_links + 1))
    return Robot(name, tuple(links), tuple(joints), inboard, root, (Frame("tip", 0, placed(x=0.2)),))


def _jazidie_arms(arm: Robot, length: float, bases: Sequence[Array]) -> System:
    """Two of them and a bar, without gravity in their plane."""
    bar = Geometry("box", (length, 0.04, 0.04), np.eye(4))
    payload = TaskObject(5.0, np.diag([0.5, 0.5, 0.5]), (bar,), "bar")
    return multi_arm([arm, arm], bases, payload, gravity=(0.0, 0.0, 0.0))


def _two_planar_arms() -> Example:
    """JZ Example 1: two mirrored planar arms, the object between them, no gravity in the plane."""
    system = _jazidie_arms(jazidie_arm(3), 0.1, [placed(), placed(x=0.44641)])
    left = np.radians([-30.0, -60.0, 120.0])  # tip to base
    right = np.radians([30.0, 60.0, 60.0])
    return _grasped(system, np.concatenate([left, right]), ["rigid", "rigid"])


def _one_arm_by_a_point() -> Example:
    """JZ Example 2: arms of six links, one that holds a bar rigidly and one by a point with friction; no gravity.

    The posture gives the printed place of the object and the printed contact angle; the figure with it is lost.
    """
    arm, half, base = jazidie_arm(6, "jazidie_arm_6"), 0.09, -0.04
    directions = np.radians([165.0, 120.0, 90.0, 60.0, 30.0, -30.0])  # of arm 1's links, base to tip
    middle = base + 0.2 * float(np.cos(directions).sum()) + half
    system = _jazidie_arms(arm, 2.0 * half, [placed(x=base), placed(x=2.0 * middle - base)])
    left, right = (np.diff(turned, prepend=0.0)[::-1] for turned in (directions, math.pi - directions))
    return _grasped(system, np.concatenate([left, right]), ["rigid", "point"])


def _long_chain() -> Example:
    system = single_arm(planar_chain(12, length=0.12, mass=0.3))
    return system, system.state(q=np.full(12, 0.12))


_EXAMPLES: dict[str, Callable[[], Example]] = {
    **{name: partial(_at_home, name) for name in ("puma560", "iiwa14", "panda", "ur5e", "duaro_scara", "stanford")},
    **{name: partial(_at_home, name) for name in ("talos", "planar_chain")},
    "long_chain": _long_chain,
    "two_arms_and_box": partial(_two_iiwas, "rigid", "rigid"),
    "point_contact": partial(_two_iiwas, "rigid", "point"),
    "four_arms_and_box": _four_iiwas,
    "two_planar_arms": _two_planar_arms,
    "one_arm_by_a_point": _one_arm_by_a_point,
    "free_flyer": _floating,
    **{name: partial(_floating_at_rest, name) for name in ("two_arm_flyer", "dual_arm_satellite", "solo12")},
}
