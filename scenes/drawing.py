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
SHINES_THROUGH = 0.32  # opacity of an arrow where a body hides it


class Drawing:
    """One plotter, filled with one scene after another.

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

    def load(self, meshes: Sequence[Mapping[str, Any]]) -> None:
        """Replaces what is drawn by the meshes of ``SceneMesh.arrays``."""
        for actors in self._actors:
            self._plotter.remove_actor(actors[0], render=False)
        for ghost in self._ghosts:
            self._overlay.RemoveActor(ghost)
        self._actors, self._matrices, self._ghosts = [], [], []
        for mesh in meshes:
            self._add(mesh)

    def _add(self, mesh: Mapping[str, Any]) -> None:
        surface = pv.PolyData.from_regular_faces(mesh["points"], mesh["faces"].astype(np.int64))
        surface.point_data.active_normals = mesh["normals"]
        *color, opacity = mesh["color"]
        look: dict[str, Any] = {"color": color, "opacity": opacity}
        if mesh["colors"] is not None:
            surface.point_data["rgba"] = mesh["colors"]
            look = {"scalars": "rgba", "rgba": True}
        flat = mesh["kind"] in ("ground", "arrow", "axis")
        actor = self._plotter.add_mesh(
            surface, **look, show_scalar_bar=False, reset_camera=False, render=False, smooth_shading=True,
            lighting=mesh["kind"] != "ground", ambient=0.36 if flat else 0.20, diffuse=0.86,
            specular=0.0 if flat else 0.22, specular_power=24.0, copy_mesh=False,
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
        """One moment as a PNG or JPEG file; ``smooth`` draws that many times larger and averages down."""
        for actors, matrix, row in zip(self._actors, self._matrices, np.asarray(transforms, float), strict=True):
            seen = bool(np.abs(row.reshape(3, 4)[:, :3]).sum() > 1e-9)
            for actor in actors:
                actor.SetVisibility(seen)
            if seen:
                matrix.DeepCopy([*row.tolist(), 0.0, 0.0, 0.0, 1.0])
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
        out = io.BytesIO()
        if file_format == "jpeg":
            image.save(out, "JPEG", quality=quality)
        else:
            image.save(out, "PNG", compress_level=6 if smooth > 1 else 1)
        return out.getvalue()


def default_background(theme: palette.Theme) -> tuple[str, str]:
    """Bottom and top color."""
    return palette.HORIZON[theme], palette.BACKGROUND[theme]
