"""A system as meshes: built once, then moved by one array of transforms per moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, product
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from scenes import palette, parts, quantity_meshes, surroundings
from scenes.arrows import CORRECTING, CUT_AT, Arrows
from scenes.bodies import bodies_of
from scenes.close_up import CloseUp, CloseUps
from scenes.contact_ways import ContactWays
from scenes.ellipsoids import Ellipsoids, hidden
from scenes.flight import Flight
from scenes.ghosts import GhostRun, Ghosts, shades_of
from scenes.instants import Moments, kind_of
from scenes.layers import CHOICES, LAYERS, START, Block, layers_of
from scenes.marks import Marks
from scenes.mesh import SceneMesh
from scenes.options import Look
from scenes.scales import Scales, lengths, proportions
from scenes.surroundings import Camera

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]
PLAIN = Look()
NOWHERE: Mapping[str, float] = MappingProxyType({})


class Scene:
    """The meshes of one system, and where they are at any moment of it.

    Links have the robot's own geometry, or tubes and drums sized by length and mass. ``scenes.layers`` lists what
    is drawn beside them. At each contact start the force applied to the object x(0), beside it the predicted force
    x_FREE, and from the head of the latter the correction that the gain adds, so that predicted + correction =
    applied (R88 (9.1)); a small correction is drawn ``times`` larger. Around each joint are the ellipsoids of 3x3
    blocks of inertias and covariances: semi-axes are the standard deviations, the roots of the eigenvalues, which
    mechanics reads as roots of the mass felt in each direction.

    Args:
        system: its structure; contacts may come and go, as those of each moment's own solution are drawn.
        solution: a first moment, which determines scales, floor and camera; default the home posture.
        theme: selects the palette; ``light`` or ``dark``.
        haunts: other runs whose bodies are drawn too, see-through; of its own system or another.
        start: the moment for which the floor leaves room; default ``solution``. Use one start for runs on one floor.

    Attributes:
        meshes: in the order of ``transforms``. Many share their arrays of points, normals and faces.
        layers: layer name -> indices of its meshes.
        scales: metres drawn per unit.
        bounds: (xmin, xmax, ymin, ymax, zmin, zmax) of the workspace, metres.
        camera: the initial point of view.
        floor: (unit normal, height along it in metres), None without one.
        ground_height: of a level floor, along z; None without one or when gravity is not along z.
        remarks: what could not be drawn as the robot's file asks, and why.
    """

    def __init__(
        self,
        system: dyn.System,
        solution: dyn.Solution | None = None,
        theme: palette.Theme = "light",
        haunts: Sequence[GhostRun] = (),
        start: dyn.Solution | None = None,
    ) -> None:
        self.system = system
        self.theme: palette.Theme = theme
        self.sizes = proportions(system)
        self._reach = float(self.sizes.reach.min())
        if solution is None:
            import dynamics

            free = dynamics.release(system) if system.contacts else system
            solution = dynamics.forward_dynamics(free, system.home())
        self._build(solution, haunts, start or solution)

    @property
    def polydata(self) -> tuple[pv.PolyData, ...]:
        """The meshes for a ``pv.Plotter``, each in its own frame."""
        return tuple(mesh.polydata for mesh in self.meshes)

    @property
    def force_scale(self) -> float:
        """Metres drawn per newton: 1, 2 or 5 times a power of ten."""
        return self.scales["N"]

    def stated(
        self, visible: Iterable[str], block: Block = "translational", near: Mapping[str, float] = NOWHERE
    ) -> dict[str, tuple[str, float]]:
        """Unit of each visible layer that has a scale, and how much of it ten centimetres stand for.

        Args:
            near: factor of each layer that is drawn as a close-up.
        """
        found = {}
        for layer in layers_of(self.system):
            if layer.name in set(visible) and layer.unit(block):
                unit = layer.unit(block)
                found[layer.name] = (unit, 0.1 / (self.scales[unit] * self.times(layer.name, near)))
        return found

    def times(self, name: str, near: Mapping[str, float] = NOWHERE) -> float:
        """Factor by which a layer is drawn larger than others of its unit; ``near``: factors of close-ups."""
        return self.scales.enlarged if name == CORRECTING else near.get(name, 1.0)

    def close_up(self, solution: dyn.Solution, link: int, block: Block = "translational") -> CloseUp:
        """The close-up of a link's inertia at a moment: how much larger it is drawn when shown on its own."""
        return self._close_ups.of(solution, link, block, self.scales["√kg" if block == "translational" else "√kg m"])

    def in_words(self, name: str, amount: float, unit: str, near: Mapping[str, float] = NOWHERE) -> str:
        """What ten centimetres of a layer stand for; names the layer if others of its unit are drawn smaller."""
        whose = " (correction)" if name == CORRECTING else " (at this link)"
        return amount_in_words(amount, unit) + (whose if self.times(name, near) > 1.0 else "")

    def hidden(self, name: str, transforms: NDArray[np.float32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How many ellipsoids of a layer ``transforms`` (..., meshes, 12) draw, and how many of these cannot be seen.

        The latter lie within the links that meet at their joint.
        """
        rows = transforms[..., self.layers[name], :]
        return hidden(rows.reshape(*rows.shape[:-1], 3, 4), self._covered)

    def cut_short(self, transforms: NDArray[np.float32]) -> dict[str, NDArray[np.bool_]]:
        """Layer -> whether ``transforms`` (..., meshes, 12) draw any of its arrows shorter than the scale says."""
        return {
            name: self._longest(transforms, name) > share * self._reach * (1.0 - 1e-5) for name, share in CUT_AT.items()
        }

    def _longest(self, transforms: NDArray[np.float32], name: str) -> NDArray[np.float64]:
        """(...) m, the longest of a layer's arrows."""
        arrows = transforms[..., self.layers[name], 2::4]
        return np.asarray(np.linalg.norm(arrows, axis=-1).max(axis=-1, initial=0.0))

    def caption(
        self, visible: Iterable[str], block: Block = "translational", near: Mapping[str, float] = NOWHERE
    ) -> str:
        """The current scales in words; empty if nothing has one.

        For a layer that is drawn larger than others of its unit the legend states the factor.
        """
        said: dict[str, list[str]] = {"ellipsoids": [], "arrows": []}
        stated = self.stated(visible, block, near)
        plain = {unit for name, (unit, _) in stated.items() if self.times(name, near) == 1.0}
        for name, (unit, amount) in stated.items():
            if self.times(name, near) != 1.0 and unit in plain:
                continue
            sort = "ellipsoids" if CHOICES[name].group == "ellipsoids" else "arrows"
            words = self.in_words(name, amount, unit, near)
            if words not in said[sort]:
                said[sort].append(words)
        return "; ".join(f"{sort}: 10 cm = {', '.join(words)}" for sort, words in said.items() if words)

    def transforms(
        self, solution: dyn.Solution, visible: Iterable[str] | None = None, look: Look = PLAIN
    ) -> NDArray[np.float32]:
        """World <- mesh of every mesh at one moment, the stretch of arrows and ellipsoids included.

        May move ``scales`` a step: at once when something outgrows the scene, and back only after it has been
        small for a while.

        Args:
            solution: the moment; of this system, with any contacts and any base poses.
            visible: names of the layers to show; default all.
            look: what else the picture depends on.

        Returns:
            (meshes, 12) float32, row-major 3x4; zeros for what is hidden, never NaN.
        """
        return self.pictures([solution], visible, [look])[0]

    def pictures(
        self, solutions: Sequence[dyn.Solution], visible: Iterable[str] | None, looks: Sequence[Look]
    ) -> NDArray[np.float32]:
        """``transforms`` of several moments at less cost each; if one outgrows a scale, the scale changes for all.

        Args:
            looks: one per moment; alike except for paths, course, pushes, influence and ghosts.

        Returns:
            (moments, meshes, 12) float32.
        """
        shown = set(LAYERS) if visible is None else set(visible)
        unknown = shown - set(LAYERS)
        if unknown:
            raise ValueError(f"visible: no layer {sorted(unknown)[0]!r}; expected among {', '.join(LAYERS)}.")
        out = np.zeros((len(solutions), len(self.meshes), 3, 4))
        at = 0
        for _, alike in groupby(zip(solutions, looks, strict=True), lambda each: kind_of(*each)):
            moments = Moments(*zip(*alike, strict=True))
            self._put(out[at : at + len(moments)], moments, shown)
            at += len(moments)
        result = out.reshape(len(solutions), -1, 12).astype(np.float32)
        result[~np.isfinite(result).all(axis=2)] = 0.0
        return result

    def camera_on(self, transforms: NDArray[np.float32], aspect: float = 1.6) -> Camera:
        """A view like ``camera`` in which every body is in sight at all moments (moments, meshes, 12).

        Args:
            aspect: the picture's width over its height.
        """
        found = []
        for rows, mesh in zip(transforms.transpose(1, 0, 2).astype(float), self.meshes, strict=True):
            if mesh.layer in ("links", "object"):
                pose = rows[rows.any(axis=1)].reshape(-1, 3, 4)
                corners = np.array(list(product(*zip(mesh.points.min(axis=0), mesh.points.max(axis=0), strict=True))))
                found.append((corners @ pose[:, :, :3].transpose(0, 2, 1) + pose[:, None, :, 3]).reshape(-1, 3))
        return surroundings.camera(self.system, np.concatenate(found), self._axes, aspect)

    def _put(self, out: Array, moments: Moments, shown: set[str]) -> None:
        """Writes moments of one kind into (moments, meshes, 3, 4)."""
        for i, layer in enumerate(self._fixed_layer):
            if layer in shown:
                arm = self.meshes[i].arm  # None for the ground
                out[:, i] = self._fixed_pose[i] if arm is None else moments.system.base_poses[arm][:3]
        if "links" in shown:
            out[:, self._links] = moments.link_pose[:, :, :3]
        if START in shown:
            out[:, self.layers[START]] = self._start_pose
        for part in (self._marks, self._ellipsoids, self._arrows, self._flight):
            part.put(out, self.layers, moments, shown)
        for one, solution, look in zip(out, moments.solutions, moments.looks, strict=True):
            if solution.state.object_pose is not None and "object" in shown:
                one[self.layers["object"]] = solution.state.object_pose[:3]
            if self.system.task_object is not None:
                self._ways.put(one, self.layers, solution, shown)
            if "ghost" in shown:
                self._ghosts.put(one, self.layers["ghost"], look.ghosts)

    def _build(self, solution: dyn.Solution, haunts: Sequence[GhostRun], start: dyn.Solution) -> None:
        system, theme, sizes = self.system, self.theme, self.sizes
        points, axes = surroundings.landmarks(system, solution)
        self._axes = axes
        own = bodies_of(system, start, sizes, theme)
        roots, floor, self._covered, self.remarks = own.roots, own.floor, own.covered, own.remarks
        bodies = [*own.links, *own.things]
        quantities = quantity_meshes.quantity_meshes(system, theme)
        begun = [body for body in own.links if system.is_floating and (body.link or 0) >= system.n_joints]
        shades = [
            replace(body, name="base at the start", layer=START) for body in shades_of(begun, GhostRun(system), theme)
        ]
        self._start_pose = start.link_pose[[body.link for body in begun if body.link is not None], :3]
        facing = surroundings.facing(system, axes)
        self._ghosts = Ghosts(system, haunts, bodies, theme, facing, self._reach)
        self.meshes: tuple[SceneMesh, ...] = (
            *(mesh for mesh, _ in roots), *bodies, *quantities, *shades, *self._ghosts.meshes
        )  # fmt: skip
        self.layers: Mapping[str, NDArray[np.int64]] = MappingProxyType(
            {name: np.array([i for i, m in enumerate(self.meshes) if m.layer == name], np.int64) for name in LAYERS}
        )
        self._fixed_pose = np.array([pose[:3] for _, pose in roots]).reshape(-1, 3, 4)
        self._fixed_layer = [mesh.layer for mesh, _ in roots]
        self._links = np.array([i for i, m in enumerate(self.meshes) if m.kind == "link" and m.link is not None])
        self.scales = Scales(lengths(self._reach), {"N": surroundings.typical_force(solution)})
        self._close_ups = CloseUps(self._covered, self._reach)
        self._marks = Marks(system, sizes)
        self._ellipsoids = Ellipsoids(system, self.scales, self._reach)
        self._arrows = Arrows(self.scales, self._reach)
        self._flight = Flight(self.scales, self._reach)
        self._ways = ContactWays(self._reach)
        self.transforms(solution, ("articulated_inertia",))  # sets the scale of the ellipsoids
        up = surroundings.up_direction(system)
        self.floor = None if floor is None else ((float(up[0]), float(up[1]), float(up[2])), floor)
        self.ground_height = floor if parts.is_level(up) else None
        self.bounds = surroundings.workspace(system, points, sizes)
        self.camera = surroundings.camera(system, self._outline(solution), axes)

    def _outline(self, solution: dyn.Solution) -> Array:
        """(m, 3) world: the points of the solid bodies."""
        pose = self.transforms(solution, ("links", "object")).reshape(-1, 3, 4).astype(float)
        found = []
        for mesh, matrix in zip(self.meshes, pose, strict=True):
            if mesh.layer in ("links", "object"):
                found.append(mesh.points @ matrix[:, :3].T + matrix[:, 3])
        return np.concatenate(found)


def amount_in_words(amount: float, unit: str) -> str:
    """A number and its unit, such as ``20 N`` or ``0.2/√kg``."""
    return f"{amount:,.6g}{unit}" if unit.startswith("/") else f"{amount:,.6g} {unit}"
