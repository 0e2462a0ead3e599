"""The tables of a system: its tree, its links, its contacts and its object as rows of numbers.

Every joint turns about, or slides along, the z axis of its link: each link's own axes are rotated once, by a constant
rotation that brings z onto the joint's axis; O_k stays in place. A joint's rotation then mixes only two columns of its
frame, and its axis is the third. An inertia, split into its smallest principal moment and two squares, rotates with
two vectors.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dynamics.checks import Array
from dynamics.robot.model import HELD_TURNS, Joint, Link, Loop, Robot
from dynamics.robot.rigid_body import onto_z
from dynamics.robot.task_object import TaskObject
from dynamics.system import layout as at
from dynamics.system.system import Contact

Follows = tuple[int, float, float]
"""The joint that a joint follows, m and b; -1 for none."""


def tree_table(
    joints: Sequence[Joint], inboard: Sequence[int], arms: Sequence[int], follows: Sequence[Follows]
) -> NDArray[np.int64]:
    """(links, TREE_WIDTH); ``inboard`` is -1 for links that are bolted to the world."""
    world = len(inboard)
    kinds = [at.REVOLUTE if joint.kind == "revolute" else at.PRISMATIC for joint in joints]
    kinds += [at.FREE] * (world - len(joints))
    rows = [world if inner < 0 else inner for inner in inboard]
    gathers = [0] * world
    for k, inner in enumerate(rows):
        if inner != k + 1 and inner < world:
            gathers[inner] = 1
    middle = [_middle(arms) if len(joints) == world else world] * world
    leaders = [leader for leader, _, _ in follows]
    return np.array([rows, kinds, arms, gathers, middle, leaders], dtype=np.int64).T.copy()


def _middle(arms: Sequence[int]) -> int:
    """First link of the arm at which the links divide most evenly."""
    starts = [k for k in range(1, len(arms)) if arms[k] != arms[k - 1]]
    return min(starts, key=lambda k: abs(2 * k - len(arms)), default=len(arms))


def axes_about_z(joints: Sequence[Joint], n_links: int) -> Array:
    """(links + 1, 3, 3), a link's own axes <- axes whose z is its joint's; the world's, unchanged, last."""
    return np.array([onto_z(joint.axis) for joint in joints] + [np.eye(3)] * (n_links + 1 - len(joints)))


def model_table(
    links: Sequence[Link],
    joints: Sequence[Joint],
    inboard: Sequence[int],
    axes: Array,
    base_poses: Array,
    follows: Sequence[Follows],
) -> Array:
    """(links, MODEL_WIDTH). A joint that follows another has no stops of its own.

    Args:
        axes: from ``axes_about_z``.
        base_poses: (links, 4, 4), of each link's arm if it is bolted down.
    """
    table = np.zeros((len(links), at.MODEL_WIDTH))
    for k, link in enumerate(links):
        c, m = axes[k].T @ link.center_of_mass, link.mass
        about_origin = axes[k].T @ link.inertia @ axes[k] + m * (c @ c * np.eye(3) - np.outer(c, c))
        moments, principal = np.linalg.eigh(about_origin)
        table[k, at.MASS] = m
        table[k, at.CENTER_OF_MASS : at.CENTER_OF_MASS + 3] = c
        table[k, at.SPREAD : at.SPREAD + 6] = (np.sqrt(moments[1:] - moments[0]) * principal[:, 1:]).T.ravel()
        table[k, at.SPREAD + 6] = moments[0]
        table[k, at.OWN_AXES : at.OWN_AXES + 9] = axes[k].T.ravel()
    for k, joint in enumerate(joints):
        origin = joint.origin if inboard[k] >= 0 else base_poses[k] @ joint.origin
        inner = axes[inboard[k]]  # -1 is the world
        table[k, at.ORIGIN_ROTATION : at.ORIGIN_ROTATION + 9] = (inner.T @ origin[:3, :3] @ axes[k]).ravel()
        table[k, at.ORIGIN_POSITION : at.ORIGIN_POSITION + 3] = inner.T @ origin[:3, 3]
        table[k, at.ROTOR_INERTIA : at.ROTOR_INERTIA + 4] = (joint.rotor_inertia, joint.damping, *joint.friction)
        leader, *line = follows[k]
        limits = (joint.lower, joint.upper) if leader < 0 else (-np.inf, np.inf)
        table[k, at.LOWER : at.LOWER + 3] = (*limits, joint.effort)
        table[k, at.MULTIPLIER : at.MULTIPLIER + 2] = line
    return table


def contact_table(contacts: Sequence[Contact], axes: Array, things: Array) -> Array:
    """(contacts, CONTACT_WIDTH); ``things`` as from ``object_table``."""
    table = np.zeros((len(contacts), at.CONTACT_WIDTH))
    for i, contact in enumerate(contacts):
        rows, turn = len(contact.selection), axes[contact.link].T
        table[i, at.TIP_POSITION : at.TIP_POSITION + 3] = turn @ contact.tip_pose[:3, 3]
        table[i, at.TIP_ROTATION : at.TIP_ROTATION + 9] = (turn @ contact.tip_pose[:3, :3]).ravel()
        table[i, at.OBJECT_POSITION : at.OBJECT_POSITION + 3] = contact.object_pose[:3, 3]
        table[i, at.OBJECT_ROTATION : at.OBJECT_ROTATION + 9] = contact.object_pose[:3, :3].ravel()
        table[i, at.SELECTION : at.SELECTION + 6 * rows] = contact.selection.ravel()
        table[i, at.HOLONOMIC : at.HOLONOMIC + rows] = contact.holonomic
        turn_share, shift_share = np.linalg.norm(contact.selection.reshape(rows, 2, 3), axis=2).T
        table[i, at.GAP_SHARE : at.GAP_SHARE + rows] = 1.0 / (turn_share + things[0, at.MACHINE_LENGTH] * shift_share)
    return table


def loop_tables(loops: Sequence[Loop], axes: Array, length: float) -> tuple[NDArray[np.int64], Array]:
    """(loops, 3), (loops, LOOP_WIDTH); ``length`` is the machine's."""
    ends, table = np.zeros((len(loops), 3), dtype=np.int64), np.zeros((len(loops), at.LOOP_WIDTH))
    for i, loop in enumerate(loops):
        for column, frame in ((at.FIRST_POSITION, loop.first), (at.SECOND_POSITION, loop.second)):
            turned = axes[frame.link].T @ frame.pose[:3]  # -1 is the world
            table[i, column : column + 3], table[i, column + 3 : column + 12] = turned[:, 3], turned[:, :3].ravel()
        ends[i] = loop.first.link % len(axes), loop.second.link % len(axes), HELD_TURNS[loop.kind]
        table[i, at.LENGTH_SHARE] = 1.0 / (length or 1.0)
    return ends, table


def object_table(task_object: TaskObject | None, robots: Sequence[Robot]) -> Array:
    """(1, OBJECT_WIDTH), or no row."""
    if task_object is None:
        return np.zeros((0, at.OBJECT_WIDTH))
    upper = np.triu_indices(3)
    inverse = np.linalg.solve(task_object.inertia, np.eye(3))
    inverse = 0.5 * (inverse + inverse.T)
    length = machine_length(robots, task_object)
    return np.concatenate([[task_object.mass], task_object.inertia[upper], inverse[upper], [length]])[None]


def coordinate_units(joints: Sequence[Joint], bodies: int, length: float) -> Array:
    """(velocity,), one for each rotation rate, a length for each translation rate: joints, then six of each body."""
    units = np.array([1.0 if joint.kind == "revolute" else length for joint in joints])
    return np.append(units, np.tile([1.0] * 3 + [length] * 3, bodies))


def machine_length(robots: Sequence[Robot], task_object: TaskObject | None) -> float:
    """m: the longest path from a root through the joints to a tip, or the object's radius of gyration.

    It is the scale of gaps at contacts, which would otherwise depend on the unit of length.
    """
    longest = math.sqrt(float(np.trace(task_object.inertia)) / (2.0 * task_object.mass)) if task_object else 0.0
    for robot in robots:
        reach = np.zeros(len(robot.links) + 1)  # the root's last
        for k in reversed(range(len(robot.links))):
            reach[k] = reach[robot.inboard[k]] + np.linalg.norm(robot.joints[k].origin[:3, 3])
        longest = max([longest, *(float(reach[tip.link] + np.linalg.norm(tip.pose[:3, 3])) for tip in robot.tips)])
    return longest
