"""Postures that bring a tip, or a held object, to a target: damped least squares within the joints' limits."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import brief, choices, is_index, number, numbers, pose, whole_number
from dynamics.errors import ModelError, StateError
from dynamics.public import public
from dynamics.record import Record
from dynamics.solve.closure import project
from dynamics.solve.posture_search import PostureSearch
from dynamics.system.joint_vectors import JointValues, joint_vector
from dynamics.system.state import State
from dynamics.system.system import System, Tip

MOST_ATTEMPTS, MOST_STEPS = 10_000, 100_000


@dataclass(frozen=True, eq=False)
class Placement(Record):
    """The result of ``inverse_kinematics``.

    Attributes:
        state: the posture, at rest; bases and an object that is not held are unchanged.
        reached: whether the target is met to the requested accuracy; otherwise this is the nearest posture found.
        position_error: metres from the target.
        rotation_error: radians from the target; None if only a position was requested.
        at_limit: names of the joints that ended at a limit.
        steps: number of steps of the search.
    """

    state: State
    reached: bool
    position_error: float
    rotation_error: float | None
    at_limit: tuple[str, ...]
    steps: int


@public
def inverse_kinematics(
    system: System,
    state: State,
    tip: int | Tip | str,
    target: ArrayLike,
    *,
    nearest_to: JointValues | None = None,
    attempts: int = 8,
    accuracy: float | None = None,
    most_steps: int = 200,
) -> Placement:
    """A posture that brings a tip to a target, or as near to it as possible.

    Levenberg-Marquardt damped least squares over the analytic rows B' Phi' H' (R88 (5.1)): each step
    minimizes |J d + e|^2 + lambda |d|^2 over the joints that are not at a limit; a held object's closure is kept
    exactly, by moving along its null space and back onto it. Of the postures that reach the target, a
    redundant arm takes one whose joints (rad and machine's lengths alike) are nearest to ``nearest_to``: a minimum
    within the null space.

    Args:
        system: any.
        state: the start of the search; joints beyond a limit start at it.
        tip: index of a tool point, a custom ``Tip`` fixed in any link, or ``"object"`` for a held one.
        target: (3,) a point in the world, or (4, 4) world <- tip. If a pose cannot be reached, a radian of rotation
            counts as much as a quarter of the arm's length.
        nearest_to: (joints,) default ``state.q``.
        attempts: number of starts to try if the first does not reach the target; the others are random but always the
            same; a held system is only started from ``state``.
        accuracy: metres, radians converted, to which a target is met; default a billionth of the machine's
            length.
        most_steps: of one descent; following a pointer by hand needs few.

    Returns:
        The posture, its error in metres and radians, and which joints are at a limit.

    Raises:
        StateError: for a tip that does not exist, or a target that is neither a point nor a pose.
        ModelError: for ``"object"`` if none is held.
        SingularConfigurationError: if a held object cannot be closed within the joints' limits from ``state``.

    Example:
        >>> system = dyn.single_arm(dyn.load("panda"))
        >>> target = dyn.forward_kinematics(system, system.home()).tip_pose[0]
        >>> dyn.inverse_kinematics(system, system.state(), 0, target).reached
        True

    Cost: per step one outward sweep and a least-squares problem of the target's size: 0.1 ms for seven joints.
    """
    body = _body(system, tip)
    wanted = numbers(target, (3,), "target") if np.shape(target) == (3,) else pose(target, "target")
    home = joint_vector(system, state.q if nearest_to is None else nearest_to, "nearest_to")
    attempts = whole_number(attempts, "attempts", "one or more", least=1, most=MOST_ATTEMPTS)
    accuracy, most_steps = _bounds(accuracy, most_steps)
    return _found(system, state, PostureSearch(system, body, wanted, home, accuracy, most_steps), attempts)


@public
def move_joint(
    system: System,
    state: State,
    joint: int | str,
    value: float,
    *,
    nearest_to: JointValues | None = None,
    accuracy: float | None = None,
    most_steps: int = 200,
) -> Placement:
    """The posture with one joint at a given value; if an object is held, the others follow to keep the chain closed.

    By the same damped least squares as ``inverse_kinematics``: if limits or the closure do not allow the value, the
    joint comes as near to it as possible.

    Args:
        system: any.
        state: the start of the search.
        joint: index or name.
        value: rad or m.
        nearest_to: (joints,), tip to base, preferred positions of the other joints, default ``state.q``.
        accuracy: rad or m to which the value is met; default a billionth of a radian, or of the machine's length.
        most_steps: of the search.

    Returns:
        ``position_error`` is the joint's remaining error, rad or m.

    Raises:
        StateError: for a joint that does not exist, or a value that is not finite.
        ModelError: for a joint that moves no inertia.
        SingularConfigurationError: as for ``inverse_kinematics``.

    Cost: that of ``inverse_kinematics`` with a target of one row.
    """
    index = {name: k for k, name in enumerate(system.joint_names)}.get(joint, -1) if isinstance(joint, str) else joint
    if not is_index(index, system.n_joints):
        raise StateError(f"joint: there is no {brief(joint)}; the joints are {choices(system.joint_names)}.")
    target = np.array([number(value, "value", "a finite number of rad or m")])
    home = joint_vector(system, state.q if nearest_to is None else nearest_to, "nearest_to")
    accuracy, most_steps = _bounds(accuracy, most_steps)
    return _found(system, state, PostureSearch(system, int(index), target, home, accuracy, most_steps), 1)


def _bounds(accuracy: float | None, most_steps: int) -> tuple[float | None, int]:
    """The search's end conditions as numbers, or a ``StateError``."""
    met = None if accuracy is None else number(accuracy, "accuracy", "more than zero")
    if met is not None and met <= 0.0:
        raise StateError(f"accuracy is {brief(accuracy)}; expected more than zero.")
    return met, whole_number(most_steps, "most_steps", "one or more", least=1, most=MOST_STEPS)


def _found(system: System, state: State, search: PostureSearch, attempts: int) -> Placement:
    x, _ = system.pack(state)
    best = search.from_start(x)
    rng = np.random.default_rng(0)
    for _ in range(0 if system.is_closed else attempts - 1):
        if search.misses(best) <= search.accuracy:
            break
        other = search.from_start(search.elsewhere(x, rng))
        best = other if search.misses(other) < search.misses(best) - search.accuracy else best
    reached = search.misses(best) <= search.accuracy
    best = search.come_nearer(best) if reached else best
    v = np.zeros(system.n_velocity)
    if state.object_velocity is not None and not system.is_held:
        v[-6:] = state.object_velocity
    position_error, rotation_error = search.errors(best)
    return Placement(
        state=project(system, system.unpack(best, v)),
        reached=reached,
        position_error=position_error,
        rotation_error=rotation_error if search.is_pose else None,
        at_limit=tuple(np.array(system.joint_names)[search.joints_at_limit(best)].tolist()),
        steps=search.steps,
    )


def _body(system: System, tip: int | Tip | str) -> Tip | None:
    """The specified tool point, or None for the object."""
    if isinstance(tip, str):
        if tip != "object":
            raise StateError(f"tip: there is no {brief(tip)}; give an index, a Tip, or 'object'.")
        if not system.is_held:
            raise ModelError("tip: nothing is held, so no posture moves the object; grasp it first.")
        return None
    if isinstance(tip, Tip):
        if not is_index(tip.link, system.n_links):
            raise StateError(
                f"tip: link {brief(tip.link)} does not exist; this system has links 0 to {system.n_links - 1}."
            )
        return replace(tip, pose=pose(tip.pose, "tip.pose"))
    if not is_index(tip, system.n_tips):
        raise StateError(f"tip: there is no tip {brief(tip)}; this system has {system.n_tips}, counted from 0.")
    return system.tips[tip]
