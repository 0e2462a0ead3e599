"""A system as meshes: built once, then moved by one array of transforms a moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from scenes import motion, palette, parts, surroundings
from scenes.mesh import SceneMesh
from scenes.proportions import proportions
from scenes.scales import Scale

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]
LAYERS = ("ground", "links", "object", "contact_forces", "ellipsoids", "axes")
MOST_MESHES = 72  # with more, joint axes are left out: a frame in the browser is 48 bytes a mesh


class Scene:
    """The meshes of one system, and where they are at any moment of it.

    Links wear the robot's own geometry, or tubes and drums sized by length and mass. At each contact three
    arrows start: the force applied to the object x(0), the predicted force x_FREE, and from the head of the
    latter the correction that the gain adds, so that predicted + correction = applied (R88 (9.1)). Around each
    joint the ellipsoid of the force covariance's linear 3x3 block of P(k): its semi-axes are the standard
    deviations, the roots of the eigenvalues, which mechanics reads as roots of the mass felt in each direction.

    Args:
        system: its structure; contacts may come and go, as those of each moment's own solution are drawn.
        solution: a first moment, which chooses scales, floor and camera; default the home posture.
        theme: which strength of the palette; ``light`` or ``dark``.

    Attributes:
        meshes: in the order of ``transforms``.
        layers: layer name -> indices of its meshes.
        bounds: (xmin, xmax, ymin, ymax, zmin, zmax) of the workspace, metres.
        camera: a first point of view.
        floor: (unit normal, height along it in metres), None without one.
        ground_height: of a level floor, along z; None without one or when gravity is not along z.
        remarks: what could not be drawn as the robot's file asks, and why.
    """

    def __init__(
        self, system: dyn.System, solution: dyn.Solution | None = None, theme: palette.Theme = "light"
    ) -> None:
        self.system = system
        self.theme: palette.Theme = theme
        self.sizes = proportions(system)
        self._reach = float(self.sizes.reach.min())
        if solution is None:
            import dynamics

            free = dynamics.release(system) if system.contacts else system
            solution = dynamics.forward_dynamics(free, system.home())
        self._contacts: tuple[dyn.Contact, ...] = ()
        self._build(solution)

    @property
    def polydata(self) -> tuple[pv.PolyData, ...]:
        """The meshes for a ``pv.Plotter``, each in its own frame."""
        return tuple(mesh.polydata for mesh in self.meshes)

    @property
    def force_scale(self) -> float:
        """Metres drawn per newton of contact force: 1, 2 or 5 times a power of ten."""
        return self._force.value

    @property
    def ellipsoid_scale(self) -> float:
        """Metres of semi-axis drawn per root of a kilogram: 1, 2 or 5 times a power of ten."""
        return self._inertia.value

    @property
    def caption(self) -> str:
        """The scales in words, for as long as they hold."""
        ellipsoids = f"ellipsoids of P: {_length(self.ellipsoid_scale)} per √kg"
        if not len(self.layers["contact_forces"]):
            return ellipsoids
        return f"arrows: {_length(self.force_scale)} per N; {ellipsoids}"

    def transforms(self, solution: dyn.Solution, visible: Iterable[str] | None = None) -> NDArray[np.float32]:
        """World <- mesh of every mesh at one moment, the stretch of arrows and ellipsoids included.

        May move ``force_scale`` and ``ellipsoid_scale`` a step: at once when something outgrows the scene, and
        back only after it has been small for a while.

        Args:
            solution: the moment; of this system, whichever contacts it has.
            visible: names of the layers to show; default all.

        Returns:
            (meshes, 12) float32, row-major 3x4; zeros for what is hidden, never NaN.
        """
        shown = set(LAYERS) if visible is None else set(visible)
        unknown = shown - set(LAYERS)
        if unknown:
            raise ValueError(f"visible: no layer {sorted(unknown)[0]!r}; expected among {', '.join(LAYERS)}.")
        out = np.zeros((len(self.meshes), 3, 4))
        poses = solution.link_pose
        for i, layer in enumerate(self._fixed_layer):
            if layer in shown:
                out[i] = self._fixed_pose[i]
        if "links" in shown:
            out[self._links] = poses[:, :3]
        if "axes" in shown and len(self.layers["axes"]):
            out[self.layers["axes"]] = poses[: self.system.n_joints, :3]
        if solution.state.object_pose is not None and "object" in shown:
            out[self.layers["object"]] = solution.state.object_pose[:3]
        if "ellipsoids" in shown:
            out[self.layers["ellipsoids"]] = self._ellipsoids(solution)
        if "contact_forces" in shown and len(self.layers["contact_forces"]):
            out[self.layers["contact_forces"]] = self._arrows(solution).reshape(-1, 3, 4)
        result = out.reshape(-1, 12).astype(np.float32)
        result[~np.isfinite(result).all(axis=1)] = 0.0
        return result

    def _arrows(self, solution: dyn.Solution) -> Array:
        """(arms, 3, 3, 4): applied, predicted, correction of each arm; zeros for an arm that does not hold."""
        out = np.zeros((self.system.n_arms, 3, 3, 4))
        contacts = solution.system.contacts
        if not contacts or solution.contact_force is None:
            return out
        if contacts is not self._contacts:
            self._contacts = contacts
            self._holding = np.array([contact.arm for contact in contacts])
            self._holding_link = np.array([contact.link for contact in contacts])
            self._holding_point = np.array([contact.tip_pose[:3, 3] for contact in contacts])
        pose = solution.link_pose[self._holding_link]
        point = np.einsum("mij,mj->mi", pose[:, :3, :3], self._holding_point) + pose[:, :3, 3]
        applied = solution.contact_force[self._holding, 3:]
        predicted = solution.stages.get("contact", {}).get("predicted_contact_force")
        predicted = np.full_like(applied, np.nan) if predicted is None else predicted[self._holding, 3:]
        # Where the predicted force does not exist there is no correction either: NaN hides both.
        start = np.stack([point, point, point], axis=1)
        force = np.stack([applied, predicted, applied - predicted], axis=1)
        length = np.sqrt(np.einsum("mij,mij->mi", force, force))
        scale = self._force.follow(float(np.nanmax(length, initial=0.0)))
        start[:, 2] += scale * predicted
        thickness = self._thickness * np.sqrt(np.clip(scale * length / self._reach, 0.01, 1.0)) * self._reach
        moved = motion.arrow_transforms(start.reshape(-1, 3), scale * force.reshape(-1, 3), thickness.ravel())
        out[self._holding] = moved.reshape(-1, 3, 3, 4)
        return out

    def _build(self, solution: dyn.Solution) -> None:
        system, theme, sizes = self.system, self.theme, self.sizes
        points, axes = surroundings.landmarks(system, solution)
        roots, floor = parts.roots_and_floor(system, points, axes, sizes, theme)
        bodies, remarks = parts.link_meshes(system, sizes, theme)
        bodies += parts.object_meshes(system, theme)
        quantities = parts.arrow_meshes(system, theme) + parts.ellipsoid_meshes(system, theme)
        if len(roots) + len(bodies) + len(quantities) + system.n_joints <= MOST_MESHES:
            quantities += parts.axis_meshes(system, sizes, theme)
        else:
            remarks.append("joint axes are not drawn apart from the joints' drums: there are meshes enough.")
        self.remarks = tuple(remarks)
        self.meshes: tuple[SceneMesh, ...] = (*(mesh for mesh, _ in roots), *bodies, *quantities)
        self.layers: Mapping[str, NDArray[np.int64]] = MappingProxyType(
            {name: np.array([i for i, m in enumerate(self.meshes) if m.layer == name], np.int64) for name in LAYERS}
        )
        self._fixed_pose = np.array([pose[:3] for _, pose in roots]).reshape(-1, 3, 4)
        self._fixed_layer = [mesh.layer for mesh, _ in roots]
        self._links = np.array([i for i, m in enumerate(self.meshes) if m.kind == "link" and m.link is not None])
        self._thickness = np.array(parts.ARROW_WEIGHTS)
        self._force = Scale(0.42 * self._reach, surroundings.typical_force(solution))
        self._inertia = Scale(0.19 * self._reach)
        self._ellipsoids(solution)  # which chooses their scale
        up = surroundings.up_direction(system)
        self.floor = None if floor is None else ((float(up[0]), float(up[1]), float(up[2])), floor)
        self.ground_height = floor if up[2] > 1.0 - 1e-9 else None
        self.bounds = surroundings.workspace(system, points, sizes)
        self.camera = surroundings.camera(system, self._outline(solution), axes)

    def _outline(self, solution: dyn.Solution) -> Array:
        """(m, 3) world: the points of what is solid."""
        pose = self.transforms(solution, ("links", "object")).reshape(-1, 3, 4).astype(float)
        found = []
        for mesh, matrix in zip(self.meshes, pose, strict=True):
            if mesh.layer in ("links", "object"):
                found.append(mesh.points @ matrix[:, :3].T + matrix[:, 3])
        return np.concatenate(found)

    def _ellipsoids(self, solution: dyn.Solution) -> Array:
        inertia = solution.stages.get("filter", {}).get("articulated_inertia")
        if inertia is None:
            return np.zeros((self.system.n_links, 3, 4))
        values, vectors = motion.principal_axes(inertia[:, 3:, 3:])
        scale = self._inertia.follow(self._root(values))
        return motion.ellipsoid_transforms(solution.link_pose[:, :3, 3], values, vectors, scale)

    def _root(self, values: Array) -> float:
        """The largest root of an eigenvalue; a floating base is heavy and may be drawn larger."""
        roots = np.sqrt(values.max(axis=1, initial=0.0))
        roots[self.system.n_joints :] /= 2.5
        return float(roots.max(initial=0.0))


def _length(metres: float) -> str:
    """Metres in the unit that makes a small whole number of them."""
    for unit, size in (("m", 1.0), ("cm", 0.01), ("mm", 0.001)):
        if metres >= 0.999 * size:
            return f"{metres / size:g} {unit}"
    return f"{metres * 1e6:g} µm"
