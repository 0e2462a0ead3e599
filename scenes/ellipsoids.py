"""Inertia and covariance matrices of a moment as ellipsoids, one 3x3 block a link and layer; which cannot be seen."""

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
from scenes.mesh import SceneMesh
from scenes.scales import Scales

if TYPE_CHECKING:
    import dynamics as dyn

WAYS = 32
"""Number of directions from a joint in which the surface of its links is sought."""
PEEKING = 0.15
"""Share of the directions in which a hidden ellipsoid may protrude a little and still not be recognized."""
FAINT = 0.004
"""Half-axis, as a share of the reach, that is no more than a dot."""


def covers(system: dyn.System, start: dyn.Solution, bodies: Mapping[int, SceneMesh], reach: float) -> Array:
    """(joints,) m: the radius up to which a ball about O_k is within link k and the body that it sits on.

    Args:
        start: the moment whose posture is measured.
        bodies: the links' meshes in their own axes; key -1 - arm is the body an arm is bolted to, in its root's axes.
    """
    ways = _ways()
    found = np.zeros(system.n_joints)
    for k in range(system.n_joints):
        inner, arm = int(system.inboard[k]), int(system.arm_of_link[k])
        far = _exits(bodies.get(k), start.link_pose[k], start.link_pose[k, :3, 3], ways)
        inner, pose = (inner, start.link_pose[inner]) if inner >= 0 else (-1 - arm, system.base_poses[arm])
        far = np.maximum(far, _exits(bodies.get(inner), pose, start.link_pose[k, :3, 3], ways))
        found[k] = max(float(np.quantile(far, PEEKING)), FAINT * reach)
    return found


def _ways() -> Array:
    """(WAYS, 3) unit vectors, evenly distributed."""
    height = 1.0 - (2.0 * np.arange(WAYS) + 1.0) / WAYS
    angle = np.pi * (3.0 - np.sqrt(5.0)) * np.arange(WAYS)
    level = np.sqrt(1.0 - height * height)
    return np.column_stack([level * np.cos(angle), level * np.sin(angle), height])


def _exits(body: SceneMesh | None, pose: Array, origin: Array, ways: Array) -> Array:
    """(ways,) m: distance from ``origin`` to the outermost surface of a body in each direction; 0 if there is none."""
    if body is None:
        return np.zeros(len(ways))
    points = (np.asarray(body.points, float) @ pose[:3, :3].T + pose[:3, 3] - origin)[np.asarray(body.faces, int)]
    # The three corners of a face span a cone from the origin: a direction within it meets the face.
    a, b, c = points[:, 0], points[:, 1], points[:, 2]
    normal = np.cross(b - a, c - a)
    volume = np.einsum("fi,fi->f", a, normal)
    edges = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)])
    sides = np.einsum("efi,wi->ewf", edges, ways) * np.sign(volume)
    toward = np.einsum("fi,wi->wf", normal, ways) * np.sign(volume)
    met = (sides >= 0.0).all(axis=0) & (toward > 0.0)
    far = np.where(met, np.abs(volume) / np.where(met, toward, 1.0), 0.0)
    return np.asarray(far.max(axis=1, initial=0.0), float)


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
        covered: (joints,) m, from ``scenes.ellipsoids``.
    """
    half = np.linalg.norm(moved[..., :3], 2, axis=(-2, -1))
    drawn, joints = half > 0.0, len(covered)
    return drawn.sum(axis=-1), (drawn[..., :joints] & (half[..., :joints] < covered)).sum(axis=-1)
