"""Postures: away from one by turns this way and that, within the stops, and closed again round what is held."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn

Array = NDArray[np.float64]
MARGIN, SHARE = 0.05, 0.1
"""rad or m that stay free before a stop, or such a share of the joint's range where that is less."""
NO_SIZE = 0.25
"""m that count as the size of a machine whose parts are all in one place."""


def away(system: dyn.System, state: dyn.State, reach: float, margin: float = MARGIN) -> dyn.State:
    """The state at rest in a posture ``reach`` (rad) away at every joint, by turns this way and that, within limits.

    ``margin`` (rad or m, or a tenth of the range where that is less) stays free before each stop. A slide goes as
    large a share of its range, or of the machine's size where that is less. A joint that has hardly any room on its
    side goes to the other.
    """
    lower = np.array([joint.lower for joint in system.joint_models])
    upper = np.array([joint.upper for joint in system.joint_models])
    with np.errstate(over="ignore"):
        span = upper - lower
    slides = np.array([joint.kind == "prismatic" for joint in system.joint_models])
    signs = np.where(np.arange(system.n_joints) % 2 == 0, 1.0, -1.0)
    way = reach * signs * np.where(slides, np.minimum(span, size_of(system, state)), 1.0)
    free = np.minimum(margin, SHARE * span)
    goals = np.array([_within(state.q + turn * way, lower + free, upper - free) for turn in (1.0, -1.0)])
    gone = np.abs(goals - state.q)
    q = np.where((gone[0] < 0.5 * np.abs(way)) & (gone[1] > gone[0]), goals[1], goals[0])
    return replace(state, q=system.couplings.followed(q), qd=np.zeros(system.n_joints))


def size_of(system: dyn.System, state: dyn.State) -> float:
    """m: how far apart the machine's links and tips are at most."""
    places = np.concatenate(
        [dyn.forward_kinematics(system, state).pose[:, :3, 3], dyn.forward_kinematics(system, state).tip_pose[:, :3, 3]]
    )
    return float(np.linalg.norm(np.ptp(places, axis=0))) or NO_SIZE


def _within(q: Array, lower: Array, upper: Array) -> Array:
    return np.clip(q, lower, np.maximum(lower, upper))


def posed(system: dyn.System, state: dyn.State, posture: np.ndarray) -> dyn.State:
    """The state with other joint angles, at rest; a held chain is closed again as near to them as it can be."""
    moved = replace(state, q=system.couplings.followed(posture), qd=np.zeros(system.n_joints))
    return dyn.project(system, in_hand(system, moved) if system.is_held else moved)


def within(system: dyn.System, state: dyn.State) -> dyn.State:
    """The state with joints that would be beyond a stop at that stop."""
    lower, upper = ([getattr(joint, end) for joint in system.joint_models] for end in ("lower", "upper"))
    return replace(state, q=system.couplings.followed(np.clip(state.q, lower, upper)))


def in_hand(system: dyn.System, state: dyn.State) -> dyn.State:
    """The state with the held object at rest where the firmest of its contacts has it."""
    contact = max(system.contacts, key=lambda contact: len(contact.selection))
    hand = dyn.forward_kinematics(system, state).pose[contact.link] @ contact.tip_pose
    return replace(state, object_pose=hand @ np.linalg.inv(contact.object_pose), object_velocity=np.zeros(6))
