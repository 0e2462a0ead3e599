"""Inertia and covariance matrices of a moment as ellipsoids: one 3x3 block a link and layer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scenes import motion
from scenes.close_up import BEFORE_AND_AFTER, ROWS
from scenes.instants import Moments
from scenes.layers import ELLIPSOIDS, Block, Layer, layers_of, owner
from scenes.scales import Scales

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]
LONGEST = 0.7  # reaches; longer semi-axes (directions that can hardly move) are cut off
LARGER = 2.6
"""How many times longer than the others the largest may be drawn."""
SPREAD = 6.0
"""Multiple of a typical link's size up to which the largest is drawn to scale."""
SINGULAR = 1e-11  # eigenvalues below this share of the largest are directions in which nothing moves


class LinkInertias:
    """M(k) of every link of a system about O_k, in link axes; cached until the system changes."""

    def __init__(self) -> None:
        self._system: dyn.System | None = None
        self._mass = np.empty(0)
        self._inertia = np.empty((0, 3, 3))

    def block(self, moments: Moments, block: Block) -> Array:
        """(moments, links, 3, 3) inertial axes: m I, or the inertia J about O_k."""
        if moments.system is not self._system:
            self._system = moments.system
            models = moments.system.link_models
            self._mass = np.array([model.mass for model in models])
            arm = np.array([model.center_of_mass for model in models])
            squares = np.einsum("ki,ki->k", arm, arm)[:, None, None] * np.eye(3) - np.einsum("ki,kj->kij", arm, arm)
            self._inertia = np.array([model.inertia for model in models]) + self._mass[:, None, None] * squares
        if block == "translational":
            return np.tile(self._mass[:, None, None] * np.eye(3), (len(moments), 1, 1, 1))
        turn = moments.link_pose[:, :, :3, :3]
        return turn @ self._inertia @ turn.swapaxes(2, 3)


def blocks(layer: Layer, moments: Moments, block: Block, links: LinkInertias, stage: str = "") -> Array | None:
    """(moments, links, 3, 3) of one layer; None where the moments do not have it.

    The operational-space inertia of arms that are bolted down is the pseudo-inverse of Lambda(k): where a link
    cannot move in some direction its inertia is infinite, and the block is flat there.
    """
    if layer.name == "spatial_inertia":
        return links.block(moments, block)
    rows = ROWS[block]
    found = moments.stage_array(owner(layer, moments.solutions[0], stage), layer.quantity)
    if layer.name in OF_NO_STAGE:
        each = [OF_NO_STAGE[layer.name](solution) for solution in moments.solutions]
        known = [matrices for matrices in each if matrices is not None]
        found = np.stack(known) if len(known) == len(each) else None
    if found is None and layer.name == "operational_space_inertia":
        mobility = moments.stage_array("smoother", "costate_covariance")
        if mobility is not None:
            finite = np.isfinite(mobility).all(axis=(1, 2, 3), keepdims=True)
            inverse = np.linalg.pinv(np.where(finite, mobility, 0.0), rcond=SINGULAR, hermitian=True)
            found = np.where(finite, inverse, np.nan)
    return None if found is None else found[..., rows, rows]


def _smoothed(solution: dyn.Solution) -> Array:
    """R87 (65)."""
    from dynamics.solve import smoothed_force_covariance

    return smoothed_force_covariance(solution.system, solution.state)


def _influence_sweep(solution: dyn.Solution) -> Array | None:
    """R88's S(i), below (10.10); None if nothing is held."""
    from dynamics.solve import contact_influence_sweep

    if not solution.system.is_held:
        return None
    return contact_influence_sweep(solution.system, solution.state)


OF_NO_STAGE: Mapping[str, Callable[[dyn.Solution], Array | None]] = MappingProxyType(
    {"smoothed_force_covariance": _smoothed, "contact_influence_sweep": _influence_sweep}
)
"""Matrices that no stage of the forward dynamics needs."""


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

    def put(self, out: Array, rows: Mapping[str, NDArray[np.int64]], moments: Moments, shown: set[str]) -> None:
        """Writes the transforms of the visible layers into (moments, meshes, 3, 4)."""
        look = moments.look
        step = BEFORE_AND_AFTER if "freed" in shown and look.stage == "filter" and look.link is not None else ()
        visible = [layer for layer in self._layers if layer.name in shown or layer.name in step]
        candidates = [(layer, blocks(layer, moments, look.block, self._inertias, look.stage)) for layer in visible]
        found = [(layer, block) for layer, block in candidates if block is not None]
        if not found:
            return
        of_layers = np.stack([block for _, block in found])
        shape = of_layers.shape[:3]  # layers, moments, links
        links = shape[2]
        values, vectors = motion.principal_axes(of_layers.reshape(-1, 3, 3))
        largest: dict[str, float] = {}
        drawn: dict[str, frozenset[str]] = {}  # what the user chose: a step that comes and goes changes no scale
        for (layer, _), own in zip(found, values.reshape(*shape, 3), strict=True):
            unit = layer.unit(look.block)
            largest[unit] = max(largest.get(unit, 0.0), self._root(layer.name, own))
            drawn[unit] = drawn.get(unit, frozenset()) | ({layer.name} & shown)
        self._scales.follow(largest, drawn)
        scale = np.array([[self._scales[layer.unit(look.block)]] * links for layer, _ in found])
        if look.close_up is not None:
            near = np.array([look.close_up.links & (layer.name in BEFORE_AND_AFTER) for layer, _ in found])
            scale = np.where(near, look.close_up.times * scale, scale)
        scale = np.broadcast_to(scale[:, None], shape).ravel()
        center = np.broadcast_to(moments.link_pose[:, :, :3, 3], (*shape, 3)).reshape(-1, 3)
        moved = motion.ellipsoid_transforms(center, values, vectors, scale, longest=LONGEST * self._reach)
        for (layer, _), mine in zip(found, moved.reshape(*shape, 3, 4), strict=True):
            seen = look.only.get(layer.name, look.links)
            if layer.name not in shown:
                seen = np.arange(links) == look.link
            out[:, rows[layer.name]] = mine if seen is None else mine * seen[:, None, None]

    def _root(self, name: str, values: Array) -> float:
        """Root of the eigenvalue that the scale follows, the largest over all moments.

        A floating base is heavy and may be drawn larger; so may the largest link where it would leave the others too
        small to be read. Where arms can hardly move in some direction, the inverse of their mobility is unbounded, so
        the median is used.
        """
        roots = np.sqrt(values.max(axis=-1, initial=0.0))
        if name == "operational_space_inertia" and self._bolted:
            return float(_typical(roots).max())
        own = roots[:, : self._joints]
        largest, typical = own.max(axis=1, initial=0.0), _typical(own)
        heavy = roots[:, self._joints :].max(axis=1, initial=0.0) / LARGER
        return float(np.maximum(np.maximum(np.minimum(largest, SPREAD * typical), largest / LARGER), heavy).max())


def _typical(roots: Array) -> Array:
    """(moments,) median of each row's nonzero entries; for an even count the lower of the two middle ones."""
    if not roots.shape[1]:
        return np.zeros(len(roots))
    ordered, count = np.sort(np.where(roots > 0.0, roots, np.inf), axis=1), (roots > 0.0).sum(axis=1)
    middle = np.take_along_axis(ordered, np.maximum(count - 1, 0)[:, None] // 2, axis=1)[:, 0]
    return np.where(count > 0, middle, 0.0)


def hidden(moved: NDArray[np.floating], covered: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many of a layer's ellipsoids (..., links, 3, 4) are drawn, and how many of these lie within the links.

    Args:
        covered: (joints,) m, from ``scenes.visible_size``.
    """
    half = np.linalg.norm(moved[..., :3], 2, axis=(-2, -1))
    drawn, joints = half > 0.0, len(covered)
    return drawn.sum(axis=-1), (drawn[..., :joints] & (half[..., :joints] < covered)).sum(axis=-1)
