"""What a broken text computes at one instant, and which identities it still satisfies; found in a worker thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

import dynamics as dyn
from app.state.walk import direction, number

ROUNDING = 1e-12
"""Relative change up to which a break has changed nothing."""

LAWS: Mapping[str, str] = MappingProxyType(
    {
        "newton": "Newton–Euler",
        "newton_joint": "the joints' equation of motion",
        "kinematics": "the kinematics of the links",
        "torque": "the torque at a joint",
        "object_balance": "Newton–Euler of the object",
        "contacts_close": "the contact of tips and object",
        "base_balance": "momentum",
        "energy": "energy",
    }
)
"""Identities that any motion must satisfy, however it is computed, by their keys, as one sentence names them."""


@dataclass(frozen=True)
class Outcome:
    """What the broken text computes at one instant.

    Attributes:
        reading: of the text as it is broken.
        checks: which identities it still satisfies.
        difference: from the motion.
        silent: keys of the breaks that change nothing at this instant, beside the others.
    """

    reading: dyn.Reading
    checks: tuple[dyn.Check, ...]
    difference: dyn.StageDifference
    silent: frozenset[str]


def first_of(checks: Sequence[dyn.Check], system: dyn.System) -> dyn.Check | None:
    """What fails first: in the first stage that fails at all, at the link that its sweep visits first."""
    failing = [check for check in checks if not check.holds]
    if not failing:
        return None
    stage = failing[0].stage
    way = 1 if direction(stage) == "inward" else -1

    def order(check: dyn.Check) -> float:
        return way * number(system, check.first_link) if check.first_link >= 0 else float("inf")

    return min((check for check in failing if check.stage == stage), key=order)


def laws_failing(checks: Sequence[dyn.Check]) -> tuple[dyn.Check, ...]:
    """Of each law of mechanics that the motion does not obey its check in the last stage that speaks of it."""
    last = {check.identity.key: check for check in checks}
    return tuple(last[key] for key in LAWS if key in last and not last[key].holds)


def broken_at(true: dyn.Solution, wrench: np.ndarray | None, breaks: frozenset[str]) -> Outcome:
    """The broken text at the instant of a solution."""
    reading = dyn.read_textbook(true.system, true.state, true.tau, wrench, breaks)
    silent = set()
    for key in breaks:
        without = dyn.read_textbook(true.system, true.state, true.tau, wrench, breaks - {key})
        if dyn.stage_difference(reading.solution, without.solution).relative <= ROUNDING:
            silent.add(key)
    difference = dyn.stage_difference(reading.solution, true)
    return Outcome(reading, dyn.identities(reading.solution, wrench), difference, frozenset(silent))
