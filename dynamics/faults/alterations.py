"""Everything that may be wrong with somebody's algorithm, each as something altered in ours."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from dynamics.checks import Array
from dynamics.faults.alteration import ALPHA_PLUS, Alteration, Carry, any_form, carried, spatial
from dynamics.faults.faults_of_lines import LINE_FAULTS
from dynamics.faults.faults_of_machine import MACHINE
from dynamics.faults.faults_of_text import text_faults
from dynamics.system.plain_kinematics import PlainKinematics, tilde

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
    "the transformation X is transposed": lambda E, r, s: carried(E, r).T,
    "the transformation X is left out": lambda E, r, s: np.eye(6),
    "the transformation X is the inverse one": lambda E, r, s: carried(E.T, -E @ r),
    "X is the transformation of forces where it should be that of motions, or the other way round":
        lambda E, r, s: _block(E, np.zeros((3, 3)), -E @ tilde(r)),
    "the rotation E in X is transposed": lambda E, r, s: carried(E.T, r),
    "the rotation E in X is left out": lambda E, r, s: carried(Eye, r),
    "the lever r in X has the other sign": lambda E, r, s: carried(E, -r),
    "the lever r in X is left out": lambda E, r, s: carried(E, 0.0 * r),
    "the lever r in X stands on the wrong side of the rotation": lambda E, r, s: _block(E, -tilde(r) @ E),
    "the lever r in X lacks the joint's slide": lambda E, r, s: carried(E, r - s),
    "the lever r in X has the joint's slide with the other sign": lambda E, r, s: carried(E, r - 2.0 * s),
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


def _own_turned(turn: Callable[[Array], Array]) -> Given:
    """The moment of inertia about the mass centre brought from link axes to inertial ones by another rotation."""

    def given(letters: dict[str, Any], moved: PlainKinematics, k: int) -> None:
        R = moved.pose[k, :3, :3]

        def alter(own: Array, steiner: Array) -> Array:
            wrong = turn(R)
            return np.asarray(wrong @ (R.T @ own @ R) @ wrong.T + steiner)

        _rotational(alter)(letters, moved, k)

    return given


def _center_turned(turn: Callable[[Array], Array]) -> Given:
    """The mass centre brought from link axes to inertial ones by another rotation."""

    def given(letters: dict[str, Any], moved: PlainKinematics, k: int) -> None:
        R, mass = moved.pose[k, :3, :3], letters["m"][k].item()
        right, wrong = tilde(moved.mass_lever[k]), tilde(turn(R) @ R.T @ moved.mass_lever[k])
        letters["M"][k, :3, :3] += mass * (right @ right - wrong @ wrong)
        letters["M"][k, :3, 3:], letters["M"][k, 3:, :3] = mass * wrong, -mass * wrong

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
    "Steiner's part of the inertia is m |p|² on the diagonal alone":
        _rotational(lambda own, steiner: own + 0.5 * np.trace(steiner) * Eye),
    "Steiner's part of the inertia has the other sign": _rotational(lambda own, steiner: own - steiner),
    "Steiner's part of the inertia is counted twice": _rotational(lambda own, steiner: own + 2.0 * steiner),
    "the inertia about the mass centre is taken in link axes as if it were in inertial ones":
        _own_turned(lambda R: Eye),
    "the inertia about the mass centre is turned the wrong way: RᵀIR": _own_turned(lambda R: R.T),
    "the mass centre is taken in link axes as if it were in inertial ones": _center_turned(lambda R: Eye),
    "the mass centre is turned the wrong way": _center_turned(lambda R: R.T),
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
