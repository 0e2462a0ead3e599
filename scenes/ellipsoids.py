"""Inertia and covariance matrices of a moment as ellipsoids: one 3x3 block a link and layer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scenes import motion
from scenes.close_up import BEFORE_AND_AFTER, ROWS
from scenes.layers import ELLIPSOIDS, Block, Layer, layers_of, owner
from scenes.look import Look
from scenes.scales import Scales

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]
LONGEST = 0.7  # reaches; longer semi-axes, of what can hardly move, are cut off
LARGER = 2.5
"""How much longer than others the largest may be drawn."""
SPREAD = 6.0
"""Times a typical link's size, up to which the largest is drawn as long as it should be."""
SINGULAR = 1e-11  # eigenvalues below this share of the largest are directions in which nothing moves


class LinkInertias:
    """M(k) of every link of a system about O_k, in link axes; kept for as long as the system is the same."""

    def __init__(self) -> None:
        self._system: dyn.System | None = None
        self._mass = np.empty(0)
        self._inertia = np.empty((0, 3, 3))

    def block(self, solution: dyn.Solution, block: Block) -> Array:
        """(links, 3, 3) inertial axes: m I, or the inertia J about O_k."""
        if solution.system is not self._system:
            self._system = solution.system
            models = solution.system.link_models
            self._mass = np.array([model.mass for model in models])
            arm = np.array([model.center_of_mass for model in models])
            squares = np.einsum("ki,ki->k", arm, arm)[:, None, None] * np.eye(3) - np.einsum("ki,kj->kij", arm, arm)
            self._inertia = np.array([model.inertia for model in models]) + self._mass[:, None, None] * squares
        if block == "translational":
            return self._mass[:, None, None] * np.eye(3)
        turn = solution.link_pose[:, :3, :3]
        return turn @ self._inertia @ turn.transpose(0, 2, 1)


def blocks(layer: Layer, solution: dyn.Solution, block: Block, links: LinkInertias, stage: str = "") -> Array | None:
    """(links, 3, 3) of one layer; None where the moment does not hold it.

    The operational-space inertia of arms that are bolted down is the pseudo-inverse of Lambda(k): where a link
    cannot move in some direction its inertia is infinite, and the block is flat there.
    """
    if layer.name == "spatial_inertia":
        return links.block(solution, block)
    rows = ROWS[block]
    name = owner(layer, solution, stage)
    found: Array | None = None if name is None else solution.stages[name].get(layer.quantity)
    if layer.name in OF_NO_STAGE:
        found = OF_NO_STAGE[layer.name](solution)
    if found is None and layer.name == "operational_space_inertia":
        mobility = solution.stages.get("smoother", {}).get("costate_covariance")
        if mobility is not None and np.isfinite(mobility).all():
            found = np.asarray(np.linalg.pinv(mobility, rcond=SINGULAR, hermitian=True), float)
    return None if found is None else found[:, rows, rows]


def _smoothed(solution: dyn.Solution) -> Array:
    """R87 (65)."""
    import dynamics

    return dynamics.smoothed_force_covariance(solution.system, solution.state)


def _influence_sweep(solution: dyn.Solution) -> Array | None:
    """R88's S(i), below (10.10); None while nothing is held."""
    import dynamics

    if not solution.system.is_held:
        return None
    maps = dynamics.influence(solution.system, solution.state)
    return maps.sweeps["inward_influence"]["contact_influence_sweep"]


OF_NO_STAGE: Mapping[str, Callable[[dyn.Solution], Array | None]] = MappingProxyType(
    {"smoothed_force_covariance": _smoothed, "contact_influence_sweep": _influence_sweep}
)
"""Matrices that no stage of the forward dynamics has any need of."""


class Ellipsoids:
    """The ellipsoids of one system, all layers and links in one pass."""

    def __init__(self, system: dyn.System, scales: Scales, reach: float) -> None:
        own = set(layers_of(system))
        self._layers = [layer for layer in ELLIPSOIDS if layer in own]
        self._bolted = system.kind != "free_flyer"
        self._joints = system.n_joints
        self._scales = scales
        self._reach = reach
        self._inertias = LinkInertias()

    def put(
        self, out: Array, rows: Mapping[str, NDArray[np.int64]], solution: dyn.Solution, shown: set[str], look: Look
    ) -> None:
        """Writes the transforms of the visible layers into (meshes, 3, 4)."""
        step = BEFORE_AND_AFTER if "freed" in shown and look.stage == "filter" and look.link is not None else ()
        visible = [layer for layer in self._layers if layer.name in shown or layer.name in step]
        candidates = [(layer, blocks(layer, solution, look.block, self._inertias, look.stage)) for layer in visible]
        found = [(layer, block) for layer, block in candidates if block is not None]
        if not found:
            return
        values, vectors = motion.principal_axes(np.concatenate([block for _, block in found]))
        links = len(solution.link_pose)
        largest: dict[str, float] = {}
        drawn: dict[str, frozenset[str]] = {}  # by the user's choice: a step that comes and goes moves no scale
        for i, (layer, _) in enumerate(found):
            unit = layer.unit(look.block)
            root = self._root(layer.name, values[i * links : (i + 1) * links])
            largest[unit] = max(largest.get(unit, 0.0), root)
            drawn[unit] = drawn.get(unit, frozenset()) | ({layer.name} & shown)
        self._scales.follow(largest, drawn)
        scale = np.repeat([self._scales[layer.unit(look.block)] for layer, _ in found], links)
        if look.close_up is not None:
            near = [look.close_up.links & (layer.name in BEFORE_AND_AFTER) for layer, _ in found]
            scale = np.where(np.concatenate(near), look.close_up.times * scale, scale)
        center = np.tile(solution.link_pose[:, :3, 3], (len(found), 1))
        moved = motion.ellipsoid_transforms(center, values, vectors, scale, longest=LONGEST * self._reach)
        for i, (layer, _) in enumerate(found):
            mine = moved[i * links : (i + 1) * links]
            seen = look.only.get(layer.name, look.links)
            if layer.name not in shown:
                seen = np.arange(links) == look.link
            out[rows[layer.name]] = mine if seen is None else mine * seen[:, None, None]

    def _root(self, name: str, values: Array) -> float:
        """The root of an eigenvalue that the scale follows.

        A floating base is heavy and may be drawn larger; so may the largest link where it would leave the others too
        small to be read. Where arms can hardly move in some direction, the inverse
        of their mobility has no bound: its middle value serves.
        """
        roots = np.sqrt(values.max(axis=1, initial=0.0))
        if name == "operational_space_inertia" and self._bolted:
            return _typical(roots)
        largest, typical = float(roots[: self._joints].max(initial=0.0)), _typical(roots[: self._joints])
        heavy = float(roots[self._joints :].max(initial=0.0)) / LARGER
        return max(min(largest, SPREAD * typical), largest / LARGER, heavy)


def _typical(roots: Array) -> float:
    """The middle of those that are not zero."""
    positive = roots[roots > 0.0]
    return float(np.median(positive)) if len(positive) else 0.0


def hidden(moved: NDArray[np.floating], covered: Array) -> tuple[int, int]:
    """How many of a layer's ellipsoids (links, 3, 4) are drawn, and how many of these are within the links.

    Args:
        covered: (joints,) m, of ``scenes.cover``.
    """
    half = np.linalg.norm(moved[:, :, :3], 2, axis=(1, 2))
    drawn = half > 0.0
    joints = len(covered)
    return int(drawn.sum()), int((drawn[:joints] & (half[:joints] < covered)).sum())
