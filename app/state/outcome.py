"""What a broken text computes at one instant, and which identities it still satisfies; found in a worker thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

import dynamics as dyn
from app.state.walk import direction, number
from dynamics.check import Check, text_identities
from dynamics.reading import (
    FormulationReading,
    Reading,
    StageDifference,
    formulation_lines,
    letter_difference,
    read_formulation,
    readable_formulations,
    stage_difference,
)

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
class Arrival:
    """Where a formulation arrives that is broken.

    Attributes:
        name: of it.
        finds: ``torque`` or ``joint_acceleration``.
        by: relative to the largest of the true ones, how far it is off at most; infinite where it has no number.
        joint: where that is.
    """

    name: str
    finds: str
    by: float
    joint: int


@dataclass(frozen=True)
class Outcome:
    """What the broken text computes at one instant.

    Attributes:
        breaks: everything that is broken.
        reading: of the text as it is broken.
        arrivals: of each other formulation that is broken.
        checks: which identities it still satisfies.
        difference: from the motion.
        silent: keys of the breaks that change nothing at this instant, beside the others.
    """

    breaks: frozenset[str]
    reading: Reading
    arrivals: tuple[Arrival, ...]
    checks: tuple[Check, ...]
    difference: StageDifference
    silent: frozenset[str]


def first_of(checks: Sequence[Check], system: dyn.System) -> Check | None:
    """What fails first: in the first stage that fails at all, at the link that its sweep visits first."""
    failing = [check for check in checks if not check.holds]
    if not failing:
        return None
    stage = failing[0].stage
    way = 1 if direction(stage) == "inward" else -1

    def order(check: Check) -> float:
        return way * number(system, check.first_link) if check.first_link >= 0 else float("inf")

    return min((check for check in failing if check.stage == stage), key=order)


def laws_failing(checks: Sequence[Check]) -> tuple[Check, ...]:
    """Of each law of mechanics that the motion does not obey its check in the last stage that speaks of it."""
    last = {check.identity.key: check for check in checks}
    return tuple(last[key] for key in LAWS if key in last and not last[key].holds)


def checks_of(solution: dyn.Solution, reading: Reading, wrench: np.ndarray | None) -> tuple[Check, ...]:
    """Everything that must hold by itself, stage by stage: of a solution, and of what the text has besides."""
    checks = (*dyn.identities(solution, wrench), *text_identities(reading))
    order = list(solution.stages)
    return tuple(sorted(checks, key=lambda check: order.index(check.stage)))


def broken_at(true: dyn.Solution, wrench: np.ndarray | None, breaks: frozenset[str]) -> Outcome:
    """The broken text at the instant of a solution."""
    reading = dyn.read_textbook(true.system, true.state, true.tau, wrench, breaks)
    silent = set()
    for key in reading.breaks:
        without = dyn.read_textbook(true.system, true.state, true.tau, wrench, breaks - {key})
        if letter_difference(reading, without) <= ROUNDING:
            silent.add(key)
    difference = stage_difference(reading.solution, true)
    arrivals, quiet = arrivals_of(true, wrench, breaks)
    checks = checks_of(reading.solution, reading, wrench)
    return Outcome(breaks, reading, arrivals, checks, difference, frozenset(silent | quiet))


def arrivals_of(
    true: dyn.Solution, wrench: np.ndarray | None, breaks: frozenset[str]
) -> tuple[tuple[Arrival, ...], frozenset[str]]:
    """Where the other formulations arrive that are broken, and which of the breaks change nothing there."""
    arrivals, silent, heard = list[Arrival](), set[str](), set[str]()
    for name in readable_formulations(true.system):
        keys = {each.key for line in formulation_lines(true.system, name) for each in line.breaks}
        if not keys & breaks:
            continue
        read = formulation_at(true, wrench, name, breaks)
        whole = formulation_at(true, wrench, name).answer
        gap = distance(read.answer, whole)
        joint = int(np.argmax(gap))
        arrivals.append(Arrival(name, read.arrives, float(gap[joint]), joint))
        for key in read.breaks:
            without = formulation_at(true, wrench, name, breaks - {key})
            moves = distance(read.answer, without.answer).max() > ROUNDING
            (heard if moves else silent).add(key)
    return tuple(arrivals), frozenset(silent - heard)


def formulation_at(
    true: dyn.Solution, wrench: np.ndarray | None, name: str, breaks: frozenset[str] = frozenset()
) -> FormulationReading:
    """Another formulation at the instant of a solution, asked for just that motion."""
    thing = true.object_acceleration if true.system.is_held else None
    joints = true.joint_acceleration
    return read_formulation(true.system, true.state, name, true.tau, joints, wrench, thing, breaks)


def distance(found: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Joint by joint, relative to the largest of ``whole``; infinite where there is no number."""
    gap = np.abs(found - whole) / (np.abs(whole).max(initial=0.0) or 1.0)
    return np.where(np.isfinite(gap), gap, np.inf)
