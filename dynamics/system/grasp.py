"""Grasping the object and releasing it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamics.checks import Array, brief, choices, listed, numbers
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.system.assembly import with_contacts
from dynamics.system.plain_kinematics import forward_kinematics
from dynamics.system.state import State
from dynamics.system.system import Contact, System

# What each kind of contact transmits, [moment; force] in the contact frame, z along the outward normal.
SELECTIONS: dict[str, Array] = {"rigid": np.eye(6), "point": np.eye(6)[3:], "soft_finger": np.eye(6)[[3, 4, 5, 2]]}


@public
def grasp(system: System, state: State, contacts: Sequence[str | ArrayLike | None]) -> System:
    """The same system with its object held where each arm's tip is now.

    Args:
        system: with a task object.
        state: gives the poses of tips and object.
        contacts: for each arm's tip (each tip, where arms branch) ``"rigid"`` (six directions), ``"point"``
            (point contact with friction: three forces), ``"soft_finger"`` (three forces and the moment about
            the normal), an (l, 6) selection matrix in the contact frame, [moment; force], or None for a tip that
            stays free. The contact frame's z axis is the object's outward normal.

    Returns:
        A new system; the state is unchanged, and closed in position.

    Raises:
        ModelError: for a system without an object, a wrong number of contacts, an unknown kind, or a
            selection matrix whose rows are dependent.
        StateError: for a state of another system.

    Example:
        >>> system, state = dyn.example("two_arms_and_box")
        >>> dyn.grasp(dyn.release(system), state, ["rigid", "point"]).contacts[1].kind
        'point'

    Cost: linear in the links.
    """
    if system.task_object is None:
        raise ModelError("there is no object to grasp; make the system with multi_arm(..., task_object=...).")
    assert state.object_pose is not None
    expected = f"{system.n_tips} entries, one for each arm's tip"
    asked = listed(contacts, "contacts", expected, ModelError)
    if isinstance(contacts, str | Mapping | Iterator) or len(asked) != system.n_tips:
        raise ModelError(f"contacts: expected {expected}, got {brief(contacts)}.")
    poses = forward_kinematics(system, state).pose
    made = []
    for index, (tip, wanted) in enumerate(zip(system.tips, asked, strict=True)):
        if wanted is None:
            continue
        kind, selection = _selection(wanted, index)
        tip_now = poses[tip.link] @ tip.pose
        on_object = np.linalg.solve(state.object_pose, tip_now)
        frame = _contact_frame(on_object[:3, 3], system.task_object.outward_normal(on_object[:3, 3]))
        made.append(
            Contact(
                tip=index,
                arm=tip.arm,
                link=tip.link,
                kind=kind,
                selection=selection,
                tip_pose=np.linalg.solve(poses[tip.link], state.object_pose @ frame),
                object_pose=frame,
                holonomic=_holonomic(selection),
            )
        )
    if not made:
        raise ModelError("contacts: every entry is None; at least one arm must hold the object.")
    return with_contacts(system, made)


@public
def release(system: System) -> System:
    """The same system with the object released: the arms are free and the object flies on.

    Args:
        system: one that holds an object.

    Returns:
        A new system without contacts.

    Raises:
        ModelError: if nothing is held.

    Example:
        >>> system, state = dyn.example("two_arms_and_box")
        >>> dyn.release(system).is_held
        False

    Cost: linear in the links.
    """
    if not system.is_held:
        raise ModelError("nothing is held, so nothing can be released.")
    return with_contacts(system, ())


def _selection(wanted: str | ArrayLike, arm: int) -> tuple[str, Array]:
    if isinstance(wanted, str):
        if wanted not in SELECTIONS:
            raise ModelError(
                f"contacts[{arm}]: unknown kind {brief(wanted)}; use {choices(SELECTIONS)}, or an (l, 6) matrix."
            )
        return wanted, SELECTIONS[wanted]
    try:
        rows = len(wanted)  # type: ignore[arg-type]
    except TypeError:
        raise ModelError(f"contacts[{arm}]: expected a kind or an (l, 6) matrix, got {brief(wanted)}.") from None
    matrix = numbers(wanted, (rows, 6), f"contacts[{arm}]", ModelError)
    if rows == 0 or np.linalg.matrix_rank(matrix) < rows:
        raise ModelError(f"contacts[{arm}]: the {rows} rows of the selection matrix must be independent, 1 to 6.")
    return "selection", matrix


def _holonomic(selection: Array) -> NDArray[np.bool_]:
    """A translation along a direction can be closed in position; a rotation only if all three rotations are fixed."""
    angular = np.any(selection[:, :3] != 0.0, axis=1)
    all_turns = np.linalg.matrix_rank(selection[:, :3]) == 3
    return np.asarray(~angular | all_turns)


def _contact_frame(point: Array, normal: Array) -> Array:
    """object <- contact, at ``point``, z along ``normal``, x as close as possible to an axis of the object."""
    reference = np.eye(3)[int(np.argmin(np.abs(normal)))]
    x = reference - (reference @ normal) * normal
    x /= np.linalg.norm(x)
    frame = np.eye(4)
    frame[:3, :3] = np.column_stack([x, np.cross(normal, x), normal])
    frame[:3, 3] = point
    return frame
