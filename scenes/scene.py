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
        ground_height: of the floor along z, None without one or when gravity is not along z.
        remarks: what could not be drawn as the robot's file asks, and why.
    """

    def __init__(self, system: dyn.System, solution: dyn.Solution | None = None, theme: palette.Theme = "light") -> None:
        self.system = system
        self.theme: palette.Theme = theme
        self.sizes = proportions(system)
        self._reach = float(self.sizes.reach.min())
        if solution is None:
            import dynamics

            solution = dynamics.forward_dynamics(system, system.home(), method="filter_smoother")
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

    def _ellipsoids(self, solution: dyn.Solution) -> Array:
        inertia = solution.stages.get("filter", {}).get("articulated_inertia")
        if inertia is None:
            return np.zeros((self.system.n_links, 3, 4))
        block = inertia[:, 3:, 3:]
        values, vectors = motion.principal_axes(block)
        scale = self._inertia.follow(float(np.sqrt(values.max(initial=0.0))))
        return motion.ellipsoid_transforms(solution.link_pose[:, :3, 3], values, vectors, scale)

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
        roots, floor = parts.roots_and_floor(system, points, sizes, theme)
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
        self._inertia = Scale(0.17 * self._reach, _largest_root(solution))
        self.ground_height = floor
        self.bounds = surroundings.workspace(system, points, sizes)
        self.camera = surroundings.camera(system, self._outline(solution), axes)

    def _outline(self, solution: dyn.Solution) -> Array:
        """(m, 3) world: the corners of what is solid, and of the room that it needs."""
        pose = self.transforms(solution, ("links", "object")).reshape(-1, 3, 4).astype(float)
        corners = []
        for mesh, matrix in zip(self.meshes, pose, strict=True):
            if mesh.layer in ("links", "object"):
                low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
                ends = np.array([[(low, high)[b >> axis & 1][axis] for axis in range(3)] for b in range(8)])
                corners.append(ends @ matrix[:, :3].T + matrix[:, 3])
        return np.concatenate(corners)


def _largest_root(solution: dyn.Solution) -> float:
    """The root of the largest eigenvalue among the linear blocks of P, kg^(1/2); 0 where there is no P."""
    inertia = solution.stages.get("filter", {}).get("articulated_inertia")
    if inertia is None or not len(inertia) or not np.isfinite(inertia).all():
        return 0.0
    return float(np.sqrt(max(np.linalg.eigvalsh(inertia[:, 3:, 3:]).max(), 0.0)))
