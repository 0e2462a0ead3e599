"""Draws a scene off-screen with VTK. Runs in the render process only: VTK without OpenGL ends its process."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from PIL import Image
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkRenderer

from scenes import palette

FOLLOWS_CAMERA = "camera light"
# Position relative to the camera (right, up, towards), color, strength.
LIGHTS = (
    ((-0.55, 0.85, 1.0), "#FFFFFF", 0.78),
    ((1.0, 0.15, 0.6), "#DCE8FF", 0.30),
    ((0.1, 0.9, -0.8), "#FFF3E0", 0.34),
)
SHADING = {  # ambient, diffuse, specular; for all but bodies
    "ground": (1.0, 0.0, 0.0), "arrow": (0.42, 0.66, 0.0), "axis": (0.36, 0.70, 0.0), "ellipsoid": (0.62, 0.48, 0.10),
}  # fmt: skip
SHADOW_SLANT = (0.30, 0.22)  # slant of the shadow-casting light, across and along the floor
SHINES_THROUGH = 0.32  # opacity of the part of an arrow that a body hides


class Drawing:
    """One plotter that draws one scene after another.

    Args:
        multi_samples: antialiasing by the rasterizer; 0 for none.
    """

    def __init__(self, multi_samples: int = 4) -> None:
        self._plotter = pv.Plotter(off_screen=True, window_size=[320, 200], lighting="none")
        self._plotter.render_window.SetMultiSamples(multi_samples)
        for position, color, strength in LIGHTS:
            self._plotter.add_light(
                pv.Light(position=position, color=color, intensity=strength, light_type=FOLLOWS_CAMERA)
            )
        self._overlay = vtkRenderer()
        self._overlay.SetLayer(1)
        self._overlay.InteractiveOff()
        self._overlay.SetActiveCamera(self._plotter.renderer.GetActiveCamera())
        self._plotter.render_window.SetNumberOfLayers(2)
        self._plotter.render_window.AddRenderer(self._overlay)
        self._plotter.renderer.SetActiveCamera(self._overlay.GetActiveCamera())
        self._actors: list[list[Any]] = []
        self._matrices: list[vtkMatrix4x4] = []
        self._ghosts: list[Any] = []
        self._shadows: dict[int, tuple[Any, vtkMatrix4x4]] = {}
        self._flatten: NDArray[np.float64] | None = None

    def load(
        self,
        meshes: Sequence[Mapping[str, Any]],
        floor: tuple[Sequence[float], float] | None = None,
        shadow: str = "#000000",
    ) -> None:
        """Replaces what is drawn.

        Args:
            meshes: from ``SceneMesh.arrays``.
            floor: its unit normal and its height along it, metres; bodies cast a shadow on it.
            shadow: the shadow's color.
        """
        for actors in self._actors:
            self._plotter.remove_actor(actors[0], render=False)
        for flat, _ in self._shadows.values():
            self._plotter.renderer.RemoveActor(flat)
        for ghost in self._ghosts:
            self._overlay.RemoveActor(ghost)
        self._actors, self._matrices, self._ghosts, self._shadows = [], [], [], {}
        self._flatten = None if floor is None else _onto_floor(np.asarray(floor[0], float), float(floor[1]))
        for mesh in meshes:
            self._add(mesh, palette.rgb(shadow))

    def _add(self, mesh: Mapping[str, Any], shadow: tuple[float, float, float]) -> None:
        surface = pv.PolyData.from_regular_faces(mesh["points"], mesh["faces"].astype(np.int64))
        surface.point_data.active_normals = mesh["normals"]
        *color, opacity = mesh["color"]
        look: dict[str, Any] = {"color": color, "opacity": opacity}
        if mesh["colors"] is not None:
            surface.point_data["rgba"] = mesh["colors"]
            look = {"scalars": "rgba", "rgba": True}
        ambient, diffuse, specular = SHADING.get(mesh["kind"], (0.27, 0.82, 0.20))
        actor = self._plotter.add_mesh(
            surface, **look, show_scalar_bar=False, reset_camera=False, render=False, smooth_shading=True,
            ambient=ambient, diffuse=diffuse, specular=specular, specular_power=24.0, copy_mesh=False,
        )  # fmt: skip
        if mesh["colors"] is not None and int(mesh["colors"][:, 3].min()) < 255:
            actor.ForceTranslucentOn()
        matrix = vtkMatrix4x4()
        actor.SetUserMatrix(matrix)
        actors = [actor]
        if mesh["kind"] == "arrow":
            ghost = pv.Actor(mapper=actor.mapper)
            ghost.prop.color, ghost.prop.opacity = color, SHINES_THROUGH
            ghost.prop.ambient, ghost.prop.diffuse = 0.6, 0.6
            ghost.SetUserMatrix(matrix)
            self._overlay.AddActor(ghost)
            self._ghosts.append(ghost)
            actors.append(ghost)
        if mesh["kind"] in ("link", "object") and self._flatten is not None:
            mapper = pv.DataSetMapper(surface)
            mapper.ScalarVisibilityOff()
            flat = pv.Actor(mapper=mapper)
            flat.prop.color, flat.prop.lighting = shadow, False
            below = vtkMatrix4x4()
            flat.SetUserMatrix(below)
            self._plotter.renderer.AddActor(flat)
            self._shadows[len(self._actors)] = (flat, below)
        self._actors.append(actors)
        self._matrices.append(matrix)

    def picture(
        self,
        transforms: NDArray[np.float32],
        camera: Mapping[str, Any],
        size: tuple[int, int],
        background: tuple[str, str],
        smooth: int = 1,
        file_format: str = "png",
        quality: int = 82,
    ) -> bytes:
        """One moment as a PNG or JPEG file, or, with ``raw``, its pixels, three bytes each.

        Args:
            smooth: factor by which the picture is drawn larger and then averaged down.
        """
        for actors, matrix, row in zip(self._actors, self._matrices, np.asarray(transforms, float), strict=True):
            seen = bool(np.abs(row.reshape(3, 4)[:, :3]).sum() > 1e-9)
            for actor in actors:
                actor.SetVisibility(seen)
            if seen:
                matrix.DeepCopy([*row.tolist(), 0.0, 0.0, 0.0, 1.0])
        self._cast_shadows(np.asarray(transforms, float))
        plotter = self._plotter
        wide, high = size[0] * smooth, size[1] * smooth
        if list(plotter.window_size) != [wide, high]:
            plotter.window_size = [wide, high]
        plotter.set_background(background[0], top=background[1])
        view = plotter.camera
        view.position, view.focal_point, view.up = camera["position"], camera["focal_point"], camera["up"]
        view.view_angle = camera.get("angle", 30.0)
        plotter.renderer.ResetCameraClippingRange()
        plotter.render()
        pixels = plotter.screenshot(return_img=True)
        image = Image.fromarray(np.ascontiguousarray(pixels[..., :3]))
        if smooth > 1:
            image = image.reduce(smooth)
        if file_format == "raw":
            return image.tobytes()
        out = io.BytesIO()
        if file_format == "jpeg":
            image.save(out, "JPEG", quality=quality)
        else:
            image.save(out, "PNG", compress_level=6 if smooth > 1 else 1)
        return out.getvalue()

    def _cast_shadows(self, transforms: NDArray[np.float64]) -> None:
        """Draws every body again, flattened onto the floor."""
        for i, (flat, matrix) in self._shadows.items():
            row = transforms[i].reshape(3, 4)
            flat.SetVisibility(bool(np.abs(row[:, :3]).sum() > 1e-9))
            matrix.DeepCopy((self._flatten @ np.vstack([row, [0.0, 0.0, 0.0, 1.0]])).ravel().tolist())


def _onto_floor(normal: NDArray[np.float64], height: float) -> NDArray[np.float64]:
    """The 4x4 projection along the light onto a plane just above the floor."""
    across = np.eye(3)[np.argmin(np.abs(normal))]
    across -= (across @ normal) * normal
    across /= np.linalg.norm(across)
    light = normal + SHADOW_SLANT[0] * across + SHADOW_SLANT[1] * np.cross(normal, across)
    flatten = np.eye(4)
    flatten[:3, :3] -= np.outer(light, normal)
    flatten[:3, 3] = (height + 2e-3) * light
    return flatten
