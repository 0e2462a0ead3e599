"""Drawn sizes, and metres drawn per unit of a quantity, in steps of 1-2-5 that change only when they must."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

PATIENCE = 90  # moments in a row that draw too small before the scale grows
CORRECTION = "correction"
"""A key beside the units: the gain's correction may be a small part of a contact's force, so it has its own scale."""
MOST_TIMES = 1000.0


def readable_scale(length: float, largest: float) -> float:
    """The 1, 2 or 5 times a power of ten that draws ``largest`` at most ``length`` long."""
    if not (np.isfinite(largest) and largest > 0.0 and length > 0.0):
        return 1.0
    return round_below(length / largest)


def round_below(most: float) -> float:
    """The largest of 1, 2 or 5 times a power of ten not above ``most``, which must be positive."""
    most *= 1.0 + 1e-12  # a value a rounding error below a round number counts as that number
    power = 10.0 ** np.floor(np.log10(most))
    return float(max(step * power for step in (1.0, 2.0, 5.0) if step * power <= most))


class Scale:
    """Shrinks at once when something outgrows the scene; grows only after it has been too small for a while."""

    def __init__(self, length: float, largest: float = 0.0) -> None:
        self.length = length
        self.value = readable_scale(length, largest)
        self._chosen = largest > 0.0  # without a first guess, the first moment that draws anything decides
        self._small = 0
        self._drawn: frozenset[str] = frozenset()
        self._most = 0.0

    @property
    def is_chosen(self) -> bool:
        """Whether anything has been drawn to it, or was expected."""
        return self._chosen

    def follow(self, largest: float, drawn: frozenset[str] | None = None, grows: bool = True) -> float:
        """The scale for a moment whose largest value is ``largest``.

        Args:
            drawn: names of what is drawn to it; if they change, the scale is chosen afresh.
            grows: whether moments come in viewing order, so that small ones count.
        """
        if drawn and drawn != self._drawn:
            self._chosen = self._chosen and not self._drawn  # a first guess holds for the first names, too
            self._drawn = drawn
        size = largest * self.value
        if not np.isfinite(size) or size <= 0.0:
            return self.value
        self._most = max(self._most, largest)
        if size > 1.5 * self.length or not self._chosen:
            self.value, self._small, self._chosen = readable_scale(self.length, largest), 0, True
        elif size < 0.15 * self.length:
            self._small += grows
            if self._small > PATIENCE:
                self.value, self._small = readable_scale(self.length, largest), 0
        else:
            self._small = 0
        return self.value

    def fit(self, largest: float, drawn: frozenset[str]) -> None:
        """Chooses the scale for what is ``drawn``, from its largest value over all moments."""
        if np.isfinite(largest) and largest > 0.0:
            self.value, self._small, self._chosen = readable_scale(self.length, largest), 0, True
            self._drawn = drawn

    def begin(self) -> None:
        """Starts a run: the moments that follow belong to it."""
        self._most = 0.0

    def refit(self) -> None:
        """Grows if every moment since ``begin`` draws too small."""
        if 0.0 < self._most * self.value < 0.15 * self.length:
            self.value, self._small = readable_scale(self.length, self._most), 0


class Scales:
    """One scale per unit, so that quantities in the same unit can be compared by eye.

    Args:
        lengths: unit -> metres that the largest value may be drawn long.
        guesses: unit -> a largest value to begin with.

    Attributes:
        grows: whether moments come in viewing order.
        fixed: units whose scale no longer changes.
    """

    grows = True

    def __init__(self, lengths: Mapping[str, float], guesses: Mapping[str, float]) -> None:
        self.fixed: frozenset[str] = frozenset()
        self._scales = {unit: Scale(length, guesses.get(unit, 0.0)) for unit, length in lengths.items()}

    def __getitem__(self, unit: str) -> float:
        """Metres drawn per unit: 1, 2 or 5 times a power of ten."""
        return self._scales[unit].value

    def follow(self, largest: Mapping[str, float], drawn: Mapping[str, frozenset[str]]) -> None:
        """Lets each unit follow the largest value that a moment draws in it."""
        for unit, value in largest.items():
            if unit in self.fixed:
                continue
            self._scales[unit].follow(value, drawn[unit], self.grows)

    def fit(self, unit: str, largest: float, drawn: frozenset[str]) -> None:
        """Chooses a unit's scale for what is ``drawn``, from its largest value over all moments."""
        self._scales[unit].fit(largest, drawn)

    @property
    def enlarged(self) -> float:
        """Factor by which a contact's correction is drawn larger than other forces; its scale is a round one, too."""
        own = self._scales[CORRECTION]
        times = round(own.value / self["N"], 6) if own.is_chosen else 1.0
        return min(max(times, 1.0), MOST_TIMES)

    @property
    def units(self) -> frozenset[str]:
        """All units."""
        return frozenset(self._scales)

    @property
    def values(self) -> tuple[float, ...]:
        """The scales of all units."""
        return tuple(scale.value for scale in self._scales.values())

    def begin(self) -> None:
        """Starts a run: the moments that follow belong to it."""
        for scale in self._scales.values():
            scale.begin()

    def refit(self) -> None:
        """Grows the scales at which every moment since ``begin`` draws too small."""
        for scale in self._scales.values():
            scale.refit()


def lengths(reach: float) -> dict[str, float]:
    """Unit -> metres that the largest value may be drawn long, beside an arm of that reach."""
    balls = dict.fromkeys(("√kg", "√kg m", "/√kg", "/(√kg m)"), 0.19 * reach)
    return (
        balls
        | {"N": 0.42 * reach, CORRECTION: 0.3 * reach}
        | dict.fromkeys(("N m", "m/s²", "m/s² per N m", "rad/s²", "m/s", "rad/s", "N s", "N m s"), 0.34 * reach)
    )


if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Proportions:
    """Lengths in metres to which all shapes of one system are drawn.

    Attributes:
        reach: (arms,) the longest stretched-out path from base to tip.
        joint_radius: (joints,) radius of the drum of each joint, larger towards the base.
        outboard: for each link the joints that sit on it; the last entry is the world-fixed roots' joints.
    """

    reach: Array
    joint_radius: Array
    outboard: tuple[tuple[int, ...], ...]

    def first(self, system: dyn.System, arm: int) -> list[int]:
        """The joints on the bolted root of an arm."""
        return [j for j in self.outboard[-1] if int(system.arm_of_link[j]) == arm]


def proportions(system: dyn.System) -> Proportions:
    """Reach and radii, from joint offsets and the mass that each joint carries."""
    inboard = np.asarray(system.inboard)
    arms = np.asarray(system.arm_of_link)
    n = system.n_joints
    outboard = tuple(tuple(int(j) for j in np.flatnonzero(inboard[:n] == k)) for k in [*range(system.n_links), -1])
    step = np.array([np.linalg.norm(joint.origin[:3, 3]) for joint in system.joint_models])
    travel = np.array([max(abs(j.lower), abs(j.upper)) if j.kind == "prismatic" else 0.0 for j in system.joint_models])
    step = step + np.where(np.isfinite(travel), travel, 0.0)
    carried = np.array([link.mass for link in system.link_models], float)
    for k in range(n):  # every body before its inboard neighbor
        if inboard[k] >= 0:
            carried[inboard[k]] += carried[k]
    path = np.zeros(system.n_links)
    for k in reversed(range(n)):
        path[k] = step[k] + (path[inboard[k]] if inboard[k] >= 0 else 0.0)
    tip_step = np.zeros(system.n_links)
    for tip in system.tips:
        tip_step[tip.link] = max(tip_step[tip.link], np.linalg.norm(tip.pose[:3, 3]))
    for k in range(n):  # a leaf that ends at its own joint is drawn to its mass centre and beyond
        if not outboard[k] and tip_step[k] == 0.0:
            tip_step[k] = 2.0 * np.linalg.norm(system.link_models[k].center_of_mass)
    count = int(arms.max(initial=0)) + 1
    reach = np.array([max((path + tip_step)[arms == arm], default=0.0) for arm in range(count)])
    reach = np.where(reach > 1e-6, reach, 0.3)

    radius = np.zeros(n)
    for arm in range(count):
        mine = np.flatnonzero(arms[:n] == arm)
        if not len(mine):
            continue
        segments = np.concatenate([step[mine], tip_step[mine]])
        segments = segments[segments > 0.02 * reach[arm]]
        typical = float(np.median(segments)) if len(segments) else reach[arm]
        share = carried[mine] / max(carried[mine].max(), 1e-12)
        radius[mine] = np.minimum(reach[arm] * (0.026 + 0.036 * np.sqrt(share)), 0.34 * typical)
    return Proportions(reach, radius, outboard)


def equal_inertia_box(mass: float, inertia: ArrayLike) -> tuple[Array, Array]:
    """Edges (3,) and axes (3, 3, columns) of the uniform box with this mass and inertia about its mass centre."""
    moments, axes = np.linalg.eigh(np.asarray(inertia, float))
    if np.linalg.det(axes) < 0.0:
        axes = axes * [1.0, 1.0, -1.0]
    squares = 6.0 * (moments.sum() - 2.0 * moments) / max(mass, 1e-12)
    edges = np.sqrt(np.maximum(squares, 0.0))
    return np.maximum(edges, max(0.05 * edges.max(), 1e-3)), axes
