"""How much a link's inertia, with all those outboard of it, is enlarged when it is shown on its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scenes.layers import Block
from scenes.scales import round_below

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]
BEFORE_AND_AFTER = ("articulated_inertia", "articulated_inertia_updated")
"""Layers of the filter's step at a link."""
ROWS: dict[Block, slice] = {"rotational": slice(0, 3), "translational": slice(3, 6)}
OUT_OF_COVER = 1.5
"""Half an axis, in radii of the links that hide it."""
LEAST = 0.05
"""Half an axis, as a share of the reach."""
MOST_TIMES = 1000.0
KEPT = 8
"""Number of systems whose sizes are cached: a held object comes and goes."""


@dataclass(frozen=True, eq=False)
class CloseUp:
    """An enlargement of ``BEFORE_AND_AFTER``.

    Attributes:
        times: factor by which it is drawn larger than the scale; 1, 2 or 5 times a power of ten.
        links: (links,) whether a link is included: the chosen one and all outboard of it.
    """

    times: float
    links: NDArray[np.bool_]

    def whole(self, only: Mapping[str, NDArray[np.bool_]]) -> dict[str, float]:
        """Factor of each layer that shows only these links; ``only``: (links,) mask of each layer."""
        drawn = [name for name in BEFORE_AND_AFTER if name in only and not (only[name] & ~self.links).any()]
        return dict.fromkeys(drawn, self.times)


class CloseUps:
    """The close-ups of one scene; a link's is the same at every instant, fixed when it is first looked at.

    Args:
        covered: (joints,) m, from ``scenes.ellipsoids``.
    """

    def __init__(self, covered: Array, reach: float) -> None:
        self._wanted = np.maximum(OUT_OF_COVER * covered, LEAST * reach)
        self._roots: dict[dyn.System, dict[Block, Array]] = {}

    def of(self, solution: dyn.Solution, link: int, block: Block, scale: float) -> CloseUp:
        """The close-up of a link at a ``scale``, metres drawn per root of the block's unit."""
        system = solution.system
        links = np.zeros(system.n_links, bool)
        links[link] = True
        for k in reversed(range(link)):
            inner = int(system.inboard[k])
            links[k] = inner >= 0 and links[inner]
        size = scale * float(self._sizes(solution)[block][link]) if link < len(self._wanted) else 0.0
        short = float(self._wanted[link]) / size if size > 0.0 else 1.0
        times = 1.0 / round_below(1.0 / max(short, 1.0))  # a reciprocal, so that the scale stays a round number
        return CloseUp(min(times, MOST_TIMES), links)

    def _sizes(self, solution: dyn.Solution) -> dict[Block, Array]:
        """(links,) the root of each block's largest eigenvalue."""
        if solution.system not in self._roots:
            inertia = solution.stages["filter"][BEFORE_AND_AFTER[0]]
            finite = np.where(np.asarray(np.isfinite(inertia).all(axis=(1, 2)))[:, None, None], inertia, 0.0)
            values = {block: np.linalg.eigvalsh(finite[:, rows, rows])[:, 2] for block, rows in ROWS.items()}
            self._roots[solution.system] = {block: np.sqrt(np.maximum(most, 0.0)) for block, most in values.items()}
            for oldest in list(self._roots)[:-KEPT]:
                del self._roots[oldest]
        return self._roots[solution.system]
