"""Moments of one system that are drawn together, in one array that costs little more than a single moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scenes.options import Look

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]


class Moments:
    """Solutions of one system with the same stages, and how each is looked at.

    Attributes:
        look: common to all, except paths, course, pushes, influence and ghosts.
    """

    def __init__(self, solutions: Sequence[dyn.Solution], looks: Sequence[Look]) -> None:
        self.solutions, self.looks = tuple(solutions), tuple(looks)
        self.system, self.look = solutions[0].system, looks[0]

    def __len__(self) -> int:
        return len(self.solutions)

    def stacked(self, read: Callable[[dyn.Solution], Array]) -> Array:
        """(moments, ...) of an array that each solution has."""
        return np.stack([read(solution) for solution in self.solutions])

    def stage_array(self, stage: str | None, name: str) -> Array | None:
        """(moments, ...) of an array of a stage; None where the moments do not have it."""
        if stage is None or name not in self.solutions[0].stages.get(stage, {}):
            return None
        return self.stacked(lambda solution: solution.stages[stage][name])

    @cached_property
    def link_pose(self) -> Array:
        """(moments, links, 4, 4) world <- link."""
        return self.stacked(lambda solution: solution.link_pose)


def kind_of(solution: dyn.Solution, look: Look) -> tuple[object, ...]:
    """A key that is equal for moments that may be drawn together."""
    return id(solution.system), len(look.pushes), look.paths is None, look.influence is None
