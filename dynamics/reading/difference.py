"""The difference between two results for one state, over everything that both computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dynamics.errors import ModelError
from dynamics.public import public_as_computed
from dynamics.reading.reading import Reading
from dynamics.record import Record
from dynamics.system.registry import quantity_of
from dynamics.system.solution import Solution


@dataclass(frozen=True)
class StageDifference(Record):
    """The largest difference of two solutions, relative to the scale of its quantity.

    Attributes:
        relative: its size.
        stage: its stage.
        quantity: its quantity; both are empty if nothing differs.
    """

    relative: float
    stage: str = ""
    quantity: str = ""


@public_as_computed
def stage_difference(found: Solution, expected: Solution) -> StageDifference:
    """The largest relative difference over every stage array that both solutions have.

    A number is scaled by the largest of its unit anywhere in the stages, innovations and accelerations also
    by what torques and weight would each cause alone, so that a number that is zero but for rounding is not divided by
    itself, even at rest. If all of a unit are zero, the scale is one unit. ``indeterminate_directions`` are left out:
    any basis of them is right.

    Args:
        found: e.g. of ``read_textbook``.
        expected: of ``forward_dynamics`` for the same state.

    Returns:
        the largest difference and where it is; infinite if one has numbers that are not finite.

    Cost: linear in the numbers.
    """
    largest = _cancelled(expected)
    for key, array in _arrays(expected):
        unit = quantity_of(*key).unit
        largest[unit] = max(largest.get(unit, 0.0), float(np.abs(array).max(initial=0.0)))
    worst = StageDifference(0.0)
    for key, right in _arrays(expected):
        left = found.stages.get(key[0], {}).get(key[1])
        if left is None or left.shape != right.shape:
            continue
        gap = float(np.abs(left - right).max(initial=0.0))
        relative = gap / (largest[quantity_of(*key).unit] or 1.0) if np.isfinite(gap) else np.inf
        if relative > worst.relative:
            worst = StageDifference(relative, *key)
    return worst


@public_as_computed
def letter_difference(found: Reading, expected: Reading) -> float:
    """The largest relative difference over every letter that two readings of one system computed.

    It includes letters on which no motion depends, R88 (9.2) and R87's printed form. Each is scaled by its own largest
    number in either; any basis of the indeterminate directions is right.

    Args:
        found: of ``read_textbook``.
        expected: of the same state.

    Returns:
        the difference; infinite if one has numbers that are not finite and the other has.

    Raises:
        ModelError: for readings of two different systems.

    Cost: linear in the numbers.
    """
    if found.system is not expected.system:
        raise ModelError("the readings are of different systems; compare two of the same system.")
    worst = 0.0
    for part, names in expected.evaluation.computed.items():
        for name in names:
            left, right = (each.evaluation.scopes[part][name] for each in (found, expected))
            if callable(left) or name == "N":
                continue
            size = max(float(np.abs(each).max(initial=0.0)) for each in (left, right))
            gap = (
                float(np.abs(left - right).max(initial=0.0))
                if np.array_equal(np.isnan(left), np.isnan(right))
                else np.inf
            )
            worst = max(worst, gap / size if np.isfinite(gap) and 0.0 < size < np.inf else 0.0 if not gap else np.inf)
    return worst


def _cancelled(solution: Solution) -> dict[str, float]:
    """The size of innovations and accelerations if nothing cancelled in them, by unit."""
    filtered = solution.stages.get("filter")
    if filtered is None:
        return {}
    parts = np.maximum(np.abs(solution.tau), np.abs(solution.tau - filtered["innovation"]))
    with np.errstate(all="ignore"):
        rates = parts / filtered["joint_inertia"]
    forces, turns = (float(each[np.isfinite(each)].max(initial=0.0)) for each in (parts, rates))
    weight = max(turns, float(np.abs(solution.system.gravity).max()))
    if "dual_filter" in solution.stages:
        joints, links = _cancelled_between(filtered, solution.stages["dual_filter"])
        turns, weight = max(turns, joints), max(weight, links)
    return {
        quantity_of("filter", "innovation").unit: forces,
        quantity_of("smoother", "joint_acceleration").unit: turns,
        quantity_of("smoother", "acceleration").unit: weight,
    }


def _cancelled_between(filtered: Mapping[str, np.ndarray], dual: Mapping[str, np.ndarray]) -> tuple[float, float]:
    """The same for joints and links where both filters meet, JR (3.12) and (3.13), from each term of a sum."""
    forces = np.abs(filtered["predicted_force"]) + np.abs(dual["dual_corrected_force"])
    links = np.einsum("kij,kj->ki", np.abs(np.linalg.pinv(dual["operational_space_inertia"])), forces)
    gain = np.abs(dual["dual_kalman_gain"])
    joints = np.abs(dual["dual_residual"]) + np.sum(gain * links[: len(gain)], axis=1)
    return float(joints.max(initial=0.0)), float(links.max(initial=0.0))


def _arrays(solution: Solution) -> list[tuple[tuple[str, str], np.ndarray]]:
    return [
        ((stage, name), array)
        for stage, quantities in solution.stages.items()
        for name, array in quantities.items()
        if name != "indeterminate_directions"
    ]
