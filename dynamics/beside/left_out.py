"""What somebody's machine may lack that ours has: losses and rotors, which most libraries leave out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, combinations
from typing import Any

from dynamics.beside.convention import Found
from dynamics.beside.rerun import Moment, altered
from dynamics.faults.alteration import Alteration, Draft
from dynamics.robot.model import Joint

FRICTION, DAMPING, ROTORS = "friction", "damping", "the rotors' inertia"
NONE: Mapping[str, Mapping[str, Any]] = {
    FRICTION: {"friction": (0.0, 0.0)},
    DAMPING: {"damping": 0.0},
    ROTORS: {"rotor_inertia": 0.0},
}


def moments_without(moment: Moment) -> Iterator[tuple[str, Moment]]:
    """The moment without something that its machine has, and what that is: least first."""
    joints = moment.system.joint_models
    has = {
        FRICTION: any(any(joint.friction) for joint in joints),
        DAMPING: any(joint.damping for joint in joints),
        ROTORS: any(joint.rotor_inertia for joint in joints),
    }
    present = [part for part, there in has.items() if there]
    for parts in chain.from_iterable(combinations(present, count) for count in range(1, len(present) + 1)):
        yield _said(parts), altered(moment, Alteration("", "", machine=_without(parts)))


def agreement(found: Found, tolerance: float) -> float:
    """How much of theirs is ours: links of arrays, and arrays that are so wholly."""
    shares = [match.share(tolerance) for match in found.matches.values()]
    return sum(share + (share >= 1.0) for share in shares)


def _without(parts: tuple[str, ...]) -> Callable[[Draft, int], None]:
    changes = {name: value for part in parts for name, value in NONE[part].items()}

    def machine(draft: Draft, k: int) -> None:
        if k < len(draft.joints):
            joint: Joint = replace(draft.joints[k], **changes)
            draft.joints[k] = joint

    return machine


def _said(parts: tuple[str, ...]) -> str:
    *others, last = parts
    return f"{', '.join(others)} and {last}" if others else last
