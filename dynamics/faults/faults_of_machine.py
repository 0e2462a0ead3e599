"""Faults of the machine: where joints and mass centres are, how they turn, what weighs, and what drives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from dynamics.checks import Array
from dynamics.faults.alteration import Draft
from dynamics.robot.model import Joint, Link
from dynamics.system.plain_kinematics import tilde, turn_about

Eye = np.eye(3)


def _joint(alter: Callable[[Joint], Mapping[str, Any]]) -> Callable[[Draft, int], None]:
    def machine(draft: Draft, k: int) -> None:
        if k < len(draft.joints):
            draft.joints[k] = replace(draft.joints[k], **alter(draft.joints[k]))

    return machine


def _link(alter: Callable[[Link], Mapping[str, Any]]) -> Callable[[Draft, int], None]:
    def machine(draft: Draft, k: int) -> None:
        draft.links[k] = replace(draft.links[k], **alter(draft.links[k]))

    return machine


def _posed(rotation: Array, point: Array) -> Array:
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = rotation, point
    return pose


def _origin(alter: Callable[[Array, Array], tuple[Array, Array]]) -> Callable[[Draft, int], None]:
    return _joint(lambda joint: {"origin": _posed(*alter(joint.origin[:3, :3], joint.origin[:3, 3]))})


def _about_own(roll: float, pitch: float, yaw: float) -> tuple[Array, Array, Array]:
    return tuple(turn_about(axis, angle) for axis, angle in zip(Eye, (roll, pitch, yaw), strict=True))  # type: ignore[return-value]


def _angles(R: Array) -> tuple[float, float, float]:
    """Roll, pitch and yaw, as URDF has them: R = Rz(yaw) Ry(pitch) Rx(roll)."""
    pitch = np.arctan2(-R[2, 0], np.hypot(R[2, 1], R[2, 2]))
    return float(np.arctan2(R[2, 1], R[2, 2])), float(pitch), float(np.arctan2(R[1, 0], R[0, 0]))


def _other_order(R: Array) -> Array:
    x, y, z = _about_own(*_angles(R))
    return x @ y @ z


def _roll_for_yaw(R: Array) -> Array:
    x, y, z = _about_own(*_angles(R)[::-1])
    return z @ y @ x


def _reordered(*places: int) -> Callable[[Draft, int], None]:
    """The inertia's xx, yy, zz, yz, xz, xy, each read from the place of another."""

    def alter(link: Link) -> Mapping[str, Any]:
        xx, yy, zz, yz, xz, xy = (link.inertia[SIX][k] for k in places)
        return {"inertia": np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])}

    return _link(alter)


SIX = (0, 1, 2, 1, 0, 0), (0, 1, 2, 2, 2, 1)


def _q(alter: Callable[[float], float], kinds: tuple[str, ...] = ("revolute",)) -> Callable[[Draft, int], None]:
    def machine(draft: Draft, k: int) -> None:
        if k < len(draft.joints) and draft.joints[k].kind in kinds:
            draft.q[k] = alter(draft.q[k])

    return machine


def _both(*several: Callable[[Draft, int], None]) -> Callable[[Draft, int], None]:
    def machine(draft: Draft, k: int) -> None:
        for each in several:
            each(draft, k)

    return machine


def _turned_first(draft: Draft, k: int) -> None:
    if k < len(draft.joints):
        joint = draft.joints[k]
        turn = np.eye(4)
        if joint.kind == "revolute":
            turn[:3, :3] = turn_about(joint.axis, draft.q[k])
        else:
            turn[:3, 3] = draft.q[k] * joint.axis
        back = _posed(turn[:3, :3].T, -turn[:3, :3].T @ turn[:3, 3])
        draft.joints[k] = replace(joint, origin=turn @ joint.origin @ back)


def _rate_of(name: str, factor: float) -> Callable[[Draft, int], None]:
    def machine(draft: Draft, k: int) -> None:
        if name == "gravity":
            draft.gravity = factor * draft.gravity if k == 0 else draft.gravity
        else:
            getattr(draft, name)[k : k + 1] *= factor

    return machine


def _losses(factor: float) -> Callable[[Draft, int], None]:
    return _joint(
        lambda joint: {
            "damping": factor * joint.damping,
            "friction": tuple(factor * each for each in joint.friction),
        }
    )


def _reversed_torques(draft: Draft, k: int) -> None:
    if k == 0:
        draft.tau = draft.tau[::-1].copy()


MACHINE: Mapping[str, Callable[[Draft, int], None]] = {
    "the rotation of the joint's own turn is transposed": _q(lambda q: -q),
    "the fixed rotation between two links is transposed": _origin(lambda R, r: (R.T, r)),
    "the fixed rotation between two links is left out": _origin(lambda R, r: (Eye, r)),
    "both rotations between two links are transposed, that of the joint and the fixed one":
        _both(_q(lambda q: -q), _origin(lambda R, r: (R.T, r))),
    "the joint turns before the fixed transformation instead of after it": _turned_first,
    "the angles roll, pitch, yaw of the fixed rotation are applied in the other order":
        _origin(lambda R, r: (_other_order(R), r)),
    "roll and yaw of the fixed rotation are exchanged": _origin(lambda R, r: (_roll_for_yaw(R), r)),
    "the lever between two joints has the other sign": _origin(lambda R, r: (R, -r)),
    "the lever between two joints is left out": _origin(lambda R, r: (R, 0.0 * r)),
    "the lever between two joints is taken in the outer link's axes": _origin(lambda R, r: (R, R @ r)),
    "the lever between two joints is turned by the wrong rotation": _origin(lambda R, r: (R, R.T @ r)),
    "the angle is taken for degrees": _q(np.deg2rad),
    "the angle is turned into degrees": _q(np.rad2deg),
    "the joint's turn is left out": _q(lambda q: 0.0),
    "the joint's slide is left out": _q(lambda q: 0.0, ("prismatic",)),
    "the joint's slide has the other sign": _q(lambda q: -q, ("prismatic",)),
    "the joint's axis is taken in the inboard link's axes":
        _joint(lambda joint: {"axis": joint.origin[:3, :3].T @ joint.axis}),
    "the joint's axis is turned into the inboard link's axes":
        _joint(lambda joint: {"axis": joint.origin[:3, :3] @ joint.axis}),
    "the joint's axis has the other sign": _joint(lambda joint: {"axis": -joint.axis}),
    "the mass centre has the other sign": _link(lambda link: {"center_of_mass": -link.center_of_mass}),
    "the mass centre is taken to lie at the joint": _link(lambda link: {"center_of_mass": 0.0 * link.center_of_mass}),
    "the products of inertia have the other sign":
        _link(lambda link: {"inertia": 2.0 * np.diag(np.diag(link.inertia)) - link.inertia}),
    "the products of inertia I_xy and I_xz are exchanged": _reordered(0, 1, 2, 3, 5, 4),
    "the products of inertia I_xz and I_yz are exchanged": _reordered(0, 1, 2, 4, 3, 5),
    "the products of inertia I_xy and I_yz are exchanged": _reordered(0, 1, 2, 5, 4, 3),
    "the moments of inertia I_xx and I_zz are exchanged": _reordered(2, 1, 0, 3, 4, 5),
    "the moments of inertia I_yy and I_zz are exchanged": _reordered(0, 2, 1, 3, 4, 5),
    "the inertia's six numbers are read in the order xx, xy, xz, yy, yz, zz where they are xx, yy, zz, xy, xz, yz":
        _reordered(0, 5, 3, 4, 2, 1),
    "the products of inertia are left out": _link(lambda link: {"inertia": np.diag(np.diag(link.inertia))}),
    "the moment of inertia is left out": _link(lambda link: {"inertia": 0.0 * link.inertia}),
    "the link's mass and inertia are left out":
        _link(lambda link: {"inertia": 0.0 * link.inertia, "mass": 0.0}),
    "the inertia given about the joint is taken to be about the mass centre":
        _link(lambda link: {"inertia": link.inertia - link.mass * tilde(link.center_of_mass) @
                            tilde(link.center_of_mass)}),
    "the rotor's inertia is left out": _joint(lambda joint: {"rotor_inertia": 0.0}),
    "the rotor's inertia is counted twice": _joint(lambda joint: {"rotor_inertia": 2.0 * joint.rotor_inertia}),
    "damping and friction are left out": _losses(0.0),
    "damping and friction have the other sign": _losses(-1.0),
    "friction is left out": _joint(lambda joint: {"friction": (0.0, 0.0)}),
    "the motors' torques have the other sign": _rate_of("tau", -1.0),
    "the motors' torques are left out": _rate_of("tau", 0.0),
    "the motors' torques are counted from the other end": _reversed_torques,
    "external forces have the other sign": _rate_of("wrench", -1.0),
    "external forces are left out": _rate_of("wrench", 0.0),
    "gravity has the other sign": _rate_of("gravity", -1.0),
    "gravity is left out": _rate_of("gravity", 0.0),
    "gravity is counted twice": _rate_of("gravity", 2.0),
}  # fmt: skip
