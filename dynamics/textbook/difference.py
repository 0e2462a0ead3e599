"""How far two answers for one state are from each other, over all that both computed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dynamics.system.solution import Solution


@dataclass(frozen=True)
class Difference:
    """The worst difference of two solutions, relative to the size of the array it stands in.

    Attributes:
        relative: its size.
        stage, quantity: where; empty where nothing differs.
    """

    relative: float
    stage: str = ""
    quantity: str = ""


def stage_difference(found: Solution, expected: Solution) -> Difference:
    """The worst relative difference over every stage array that both solutions have.

    An array is measured by its own largest number; the directions of ``indeterminate_directions`` are not compared,
    for any basis of them is right.

    Returns:
        infinite where one has numbers that are not finite.
    """
    worst = Difference(0.0)
    for stage, quantities in expected.stages.items():
        for name, right in quantities.items():
            left = found.stages.get(stage, {}).get(name)
            if left is None or name == "indeterminate_directions" or left.shape != right.shape or not right.size:
                continue
            gap = float(np.abs(left - right).max())
            size = max(float(np.abs(right).max()), 1e-300)
            relative = gap / size if gap > 0.0 else 0.0
            relative = relative if np.isfinite(gap) else np.inf
            if relative > worst.relative:
                worst = Difference(relative, stage, name)
    return worst
