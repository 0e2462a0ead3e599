"""Everything that may be wrong with somebody's algorithm, each as something altered in ours."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from dynamics.checks import Array
from dynamics.faults.alteration import ALPHA_PLUS, Alteration, Carry, Draft, any_form, carried, spatial
from dynamics.faults.faults_of_lines import LINE_FAULTS
from dynamics.faults.faults_of_text import text_faults
from dynamics.robot.model import Joint, Link
from dynamics.system.plain_kinematics import PlainKinematics, tilde, turn_about

P, Z, Z_MINUS = (
    "inward_filter.prediction.P",
    "inward_filter.prediction.z",
    "inward_filter.prediction.z_minus",
)
USES: Mapping[str, tuple[str, ...]] = {
    "everywhere": ("V", P, Z, Z_MINUS, ALPHA_PLUS),
    "where velocities go outward": ("V",),
    "where inertias go inward": (P,),
    "where forces go inward": (Z, Z_MINUS),
    "where inertias and forces go inward": (P, Z, Z_MINUS),
    "where accelerations go outward": (ALPHA_PLUS,),
    "where velocities and accelerations go outward": ("V", ALPHA_PLUS),
}
Eye = np.eye(3)


def _block(E: Array, lower: Array, upper: Array | None = None) -> Array:
    return np.block([[E, np.zeros((3, 3)) if upper is None else upper], [lower, E]])


CARRIES: Mapping[str, Carry] = {
    "the transformation X is transposed": lambda E, r: carried(E, r).T,
    "the transformation X is left out": lambda E, r: np.eye(6),
    "the transformation X is the inverse one": lambda E, r: carried(E.T, -E @ r),
    "X is the transformation of forces where it should be that of motions, or the other way round":
        lambda E, r: _block(E, np.zeros((3, 3)), -E @ tilde(r)),
    "the rotation E in X is transposed": lambda E, r: carried(E.T, r),
    "the rotation E in X is left out": lambda E, r: carried(Eye, r),
    "the lever r in X has the other sign": lambda E, r: carried(E, -r),
    "the lever r in X is left out": lambda E, r: carried(E, 0.0 * r),
    "the lever r in X stands on the wrong side of the rotation": lambda E, r: _block(E, -tilde(r) @ E),
}  # fmt: skip


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

Given = Callable[[dict[str, Any], PlainKinematics, int], None]


def _axis(turn: Callable[[Array], Array]) -> Given:
    def given(letters: dict[str, Any], moved: PlainKinematics, k: int) -> None:
        if k < len(letters["H"]):
            letters["H"][k] = turn(letters["H"][k])

    return given


def _turned_axis(letters: dict[str, Any], moved: PlainKinematics, k: int) -> None:
    if k < len(letters["H"]):
        inboard = letters["inboard"](k)
        outer = moved.pose[inboard, :3, :3] if inboard >= 0 else Eye
        own = moved.pose[k, :3, :3]
        letters["H"][k] = letters["H"][k] @ np.kron(np.eye(2), own @ outer.T @ own @ own.T).T


def _rotational(alter: Callable[[Array, Array], Array]) -> Given:
    """J of M, of the moment of inertia about the mass centre and what Steiner adds."""

    def given(letters: dict[str, Any], moved: PlainKinematics, k: int) -> None:
        p = tilde(moved.mass_lever[k])
        steiner = -letters["m"][k] * p @ p
        letters["M"][k, :3, :3] = alter(letters["M"][k, :3, :3] - steiner, steiner)

    return given


def _coupling(factor: Callable[[float], float]) -> Given:
    def given(letters: dict[str, Any], moved: PlainKinematics, k: int) -> None:
        scale = factor(letters["m"][k].item())
        letters["M"][k, :3, 3:] *= scale
        letters["M"][k, 3:, :3] *= scale

    return given


def _push(alter: Callable[[Array, Array, Array], Array]) -> Given:
    def given(letters: dict[str, Any], moved: PlainKinematics, k: int) -> None:
        letters["f"] = letters["f"].copy()
        letters["f"][k, :, 0] = alter(letters["f"][k, :, 0], moved.pose[k, :3, :3], moved.mass_lever[k])

    return given


GIVEN: Mapping[str, Given] = {
    "H has the other sign": _axis(lambda H: -H),
    "H has its halves exchanged: a turning joint is taken to slide, a sliding one to turn":
        _axis(lambda H: np.roll(H, 3, axis=1)),
    "H of a sliding joint is that of a turning one":
        _axis(lambda H: np.roll(H, 3, axis=1) if not H[0, :3].any() else H),
    "H is resolved in the axes of the inboard link": _turned_axis,
    "the inertia about the mass centre is taken to be about the joint: Steiner's part is left out":
        _rotational(lambda own, steiner: own),
    "Steiner's part of the inertia has the other sign": _rotational(lambda own, steiner: own - steiner),
    "Steiner's part of the inertia is counted twice": _rotational(lambda own, steiner: own + 2.0 * steiner),
    "the first moment m p in the link's inertia has the other sign": _coupling(lambda m: -1.0),
    "the first moment m p in the link's inertia is left out": _coupling(lambda m: 0.0),
    "the first moment in the link's inertia is p, without the mass":
        _coupling(lambda m: 1.0 / m if m else 1.0),
    "external forces are given in inertial axes and taken in link axes":
        _push(lambda f, R, p: np.kron(np.eye(2), R) @ f),
    "external forces are turned the wrong way": _push(lambda f, R, p: np.kron(np.eye(2), R @ R) @ f),
    "external forces at the mass centre are taken to be at the joint, or the other way round":
        _push(lambda f, R, p: f + np.append(np.cross(p, f[3:]), np.zeros(3))),
    "the moment and the force of a push are exchanged": _push(lambda f, R, p: np.roll(f, 3)),
}  # fmt: skip


@functools.cache
def alterations() -> tuple[Alteration, ...]:
    """All of them; what is more usual, or more simply said, comes first."""
    found = [Alteration(words, words, machine=machine) for words, machine in MACHINE.items()]
    found += [Alteration(words, words, given=given) for words, given in GIVEN.items()]
    found += LINE_FAULTS
    found += list(_carried())
    return (*found, *text_faults())


def _carried() -> Iterator[Alteration]:
    for words, carry in CARRIES.items():
        for where, uses in USES.items():
            yield Alteration(
                f"{words}, {where}",
                f"{words}, {where}",
                carry=carry,
                uses=uses,
                fits=spatial if "V" in uses else any_form,
            )
