"""The parts of the text that a system needs, in order, and their inputs: the operators of one state by letter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag

from dynamics.system.plain_kinematics import Kinematics, joint_losses, joint_rows, shift, spatial_inertias, tilde
from dynamics.system.state import State
from dynamics.system.system import System

Array = NDArray[np.float64]
WORLD = -1


@dataclass(frozen=True, eq=False)
class Part:
    """One sweep of the text within a stage."""

    stage: str  # as in ``Solution.stages``
    text: str  # the module of the text
    function: str  # in it
    renamed: Mapping[str, str] = field(default_factory=dict)  # what it reads under another name: parameter -> letter


BIAS = Part("filter", "arm", "bias")
FILTER = Part("filter", "arm", "inward_filter")
SMOOTHER = Part("smoother", "arm", "outward_smoother")
COVARIANCE = Part("smoother", "arm", "costate_covariance")
OBJECT = Part("contact", "contact", "object_bias")
TIPS = Part("contact", "contact", "contact_prediction")
FORCES = Part("contact", "contact", "contact_forces")
CORRECTION = Part("filter_correction", "contact", "filter_correction")
FINAL = Part("smoother_final", "arm", "outward_smoother", {"z": "z_new", "nu": "nu_new"})
DUAL = Part("dual_filter", "free_flyer", "dual_filter")
BOTH = Part("dual_filter", "free_flyer", "both_filters")


def parts_of(system: System) -> tuple[Part, ...]:
    """The parts that a system needs, in the order in which ``walk`` visits its stages."""
    held = (OBJECT, TIPS, FORCES, CORRECTION, FINAL) if system.is_held else ()
    alone = (OBJECT,) if system.task_object is not None and not system.is_held else ()
    dual = (DUAL, BOTH) if system.kind == "free_flyer" else ()
    return (BIAS, FILTER, SMOOTHER, COVARIANCE, *alone, *held, *dual)


def motion_parts(system: System, by_both: bool = False) -> tuple[Part, ...]:
    """The parts that the accelerations need; ``by_both``: those that both filters together give a free flyer."""
    skipped = {COVARIANCE} if by_both else {DUAL, BOTH} if system.is_held else {DUAL, BOTH, COVARIANCE}
    return tuple(part for part in parts_of(system) if part not in skipped)


def given(system: System, state: State, moved: Kinematics, tau: Array, wrench: Array) -> dict[str, Any]:
    """Every letter that the text does not compute itself; vectors are columns, in inertial axes, at O_k.

    Args:
        tau: (joints,), the motors'.
        wrench: (links + 1, 6), external [moment; force] on each link at O_k; the last row is the object's.
    """
    n, inboard = system.n_joints, [int(i) for i in system.inboard]
    outboard: list[list[int]] = [[] for _ in inboard]
    for k, i in enumerate(inboard):
        if i != WORLD:
            outboard[i].append(k)
    omega = moved.velocity[:, :3]
    omega_plus = np.array([omega[i] if i != WORLD else np.zeros(3) for i in inboard]).reshape(-1, 3)
    along = np.zeros((2, system.n_links, 3))
    for k, joint in enumerate(system.joint_models):
        along[0 if joint.kind == "revolute" else 1, k] = moved.axis[k] * state.qd[k]
    M = spatial_inertias(system, moved.pose, moved.mass_lever)
    letters = {
        "links": range(system.n_links),
        "joints": range(n),
        "inboard": inboard.__getitem__,
        "outboard": outboard.__getitem__,
        "beside": lambda k: [j for j in outboard[inboard[k]] if j != k],
        "phi": _shifts(inboard, moved.lever),
        "H": joint_rows(system, moved.axis)[:, None],
        "M": M,
        "J": M[:, :3, :3],
        "m": numbers([link.mass for link in system.link_models]),
        "I_r": numbers([joint.rotor_inertia for joint in system.joint_models]),
        "tau": numbers(tau),
        "tau_loss": numbers(joint_losses(system, state.qd)),
        "omega": omega[..., None],
        "W": tilde(omega),
        "W_plus": tilde(omega_plus),
        "turn": along[0, :, :, None],
        "slide": along[1, :, :, None],
        "l": moved.lever[..., None],
        "p": moved.mass_lever[..., None],
        "g": np.asarray(system.gravity)[:, None],
        "f": wrench[:-1, :, None],
    }
    return letters | _of_the_object(system, state, moved, wrench[-1])


def numbers(values: Any) -> Array:
    """Numbers as 1x1 matrices."""
    return np.asarray(values, dtype=float).reshape(-1, 1, 1)


def _shifts(inboard: list[int], lever: Array) -> Callable[[int, int], Array]:
    """phi(k, j) between neighbors, in either direction."""
    inward, outward = shift(lever), shift(-lever)
    matrices = {(i, k): inward[k] for k, i in enumerate(inboard)} | {(k, i): outward[k] for k, i in enumerate(inboard)}
    return lambda to, start: matrices[to, start]


def _of_the_object(system: System, state: State, moved: Kinematics, wrench: Array) -> dict[str, Any]:
    payload = system.task_object
    if payload is None or state.object_pose is None or state.object_velocity is None:
        return {}
    rotation, velocity = state.object_pose[:3, :3], state.object_velocity
    M = np.zeros((6, 6))
    M[:3, :3], M[3:, 3:] = rotation @ payload.inertia @ rotation.T, payload.mass * np.eye(3)
    letters: dict[str, Any] = {
        "m_C": np.array([[payload.mass]]),
        "J_C": M[:3, :3],
        "M_C": M,
        "omega_C": velocity[:3, None],
        "W_C": tilde(velocity[:3]),
        "f_C": wrench[:, None],
    }
    return letters | _of_the_contacts(system, moved, rotation, velocity) if system.is_held else letters


def _of_the_contacts(system: System, moved: Kinematics, rotation: Array, velocity: Array) -> dict[str, Any]:
    holding = [contact.link for contact in system.contacts]
    way = [system.path_inward(k) for k in holding]
    arm_speed = (shift(moved.contact_lever).transpose(0, 2, 1) @ moved.velocity[holding][..., None])[..., 0]
    on_object = shift(moved.object_lever)
    gap = arm_speed - on_object.transpose(0, 2, 1) @ velocity
    turned = [np.kron(np.eye(2), (rotation @ contact.object_pose[:3, :3]).T) for contact in system.contacts]
    return {
        "holding": holding,
        "meeting": meetings(system),
        "way": lambda c, k: way[c][: way[c].index(k)],
        "held_by": lambda k: [c for c, link in enumerate(holding) if link == k],
        "phi_0": shift(moved.contact_lever),
        "l_0": moved.contact_lever[..., None],
        "r": moved.object_lever[..., None],
        "dw": gap[:, :3, None],
        "dv": gap[:, 3:, None],
        "C": block_diag(*(contact.selection @ turn for contact, turn in zip(system.contacts, turned, strict=True))),
        "A": np.concatenate(list(on_object), axis=1),
    }


def meetings(system: System) -> list[tuple[int, int, int]]:
    """Contacts c and d, and the link k where their paths inward meet; none for paths that meet only in the world.

    The text couples them in this order; each of two contacts comes first once.
    """
    ways = [system.path_inward(contact.link) for contact in system.contacts]
    return [
        (c, d, next(k for k in first if k in second))
        for c, first in enumerate(ways)
        for d, second in enumerate(ways)
        if c != d and not set(first).isdisjoint(second)
    ]
