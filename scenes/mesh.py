"""One mesh of a scene: a single rigid piece, with its place in the system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyvista as pv
from numpy.typing import NDArray

from scenes import palette, shapes


@dataclass(frozen=True, eq=False)
class SceneMesh:
    """A triangle mesh in its own frame, drawn at the world <- mesh transform of each moment.

    Attributes:
        name: unique in its scene, such as ``link 1/elbow`` or ``predicted_contact_force 2``.
        kind: ``link``, ``object``, ``arrow``, ``ellipsoid``, ``ground``, ``axis``, or ``beacon``: seen through bodies.
        layer: the layer that shows and hides it.
        link, arm: index of its link and of its arm, None where there is none.
        quantity: registry name of the quantity that it shows, which also gives its color.
        points, normals: (m, 3) float32. Normals are split at sharp edges.
        faces: (k, 3) uint32, counterclockwise seen from outside.
        color: red, green, blue, alpha in 0..1 of the whole mesh, or of most of its surface.
        colors: (m, 4) uint8 red, green, blue, alpha of each point where the mesh has several colors, else None.
        polydata: the same mesh for a ``pv.Plotter``.
    """

    name: str
    kind: str
    layer: str
    link: int | None
    arm: int | None
    quantity: str | None
    points: NDArray[np.float32]
    normals: NDArray[np.float32]
    faces: NDArray[np.uint32]
    color: tuple[float, float, float, float]
    colors: NDArray[np.uint8] | None
    polydata: pv.PolyData = field(repr=False)

    def arrays(self) -> dict[str, Any]:
        """All but the PolyData, as plain values and arrays: what is sent to a browser or to the render process."""
        names = ("name", "kind", "layer", "link", "arm", "quantity", "points", "normals", "faces", "color", "colors")
        return {name: getattr(self, name) for name in names}


def scene_mesh(
    name: str,
    kind: str,
    layer: str,
    polydata: pv.PolyData,
    *,
    link: int | None = None,
    arm: int | None = None,
    quantity: str | None = None,
    color: str = "#FFFFFF",
    opacity: float = 1.0,
    sharp: float = shapes.SHARP_EDGE,
) -> SceneMesh:
    """Splits normals at edges sharper than ``sharp`` degrees and builds the arrays; point colors take precedence."""
    shaded = polydata.compute_normals(
        cell_normals=False, split_vertices=True, feature_angle=sharp, consistent_normals=False
    )
    colors = shaded.point_data.get("rgba", None)
    whole = (*palette.rgb(color), opacity)
    if colors is not None and (colors == colors[0]).all():
        red, green, blue, alpha = (float(part) / 255.0 for part in colors[0])
        whole, colors = (red, green, blue, alpha), None
        shaded.point_data.remove("rgba")
    elif colors is not None:
        whole = _prevailing(shaded, colors)
    return SceneMesh(
        name=name,
        kind=kind,
        layer=layer,
        link=link,
        arm=arm,
        quantity=quantity,
        points=np.ascontiguousarray(shaded.points, np.float32),
        normals=np.ascontiguousarray(shaded.point_data["Normals"], np.float32),
        faces=np.ascontiguousarray(shaded.regular_faces, np.uint32),
        color=whole,
        colors=None if colors is None else np.ascontiguousarray(colors, np.uint8),
        polydata=shaded,
    )


def _prevailing(mesh: pv.PolyData, colors: NDArray[np.uint8]) -> tuple[float, float, float, float]:
    """The color that covers the largest area."""
    corners = mesh.points[mesh.regular_faces].astype(float)
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    kinds, which = np.unique(colors[mesh.regular_faces[:, 0]], axis=0, return_inverse=True)
    red, green, blue, alpha = kinds[np.argmax(np.bincount(which.ravel(), weights=area))] / 255.0
    return float(red), float(green), float(blue), float(alpha)


def shared(meshes: Sequence[SceneMesh]) -> list[SceneMesh]:
    """The same meshes with equal shapes merged, so that identical arms are sent and stored once."""
    known: dict[tuple[bytes, bytes, bytes], SceneMesh] = {}
    out = []
    for mesh in meshes:
        key = (mesh.points.tobytes(), mesh.normals.tobytes(), mesh.faces.tobytes())
        first = known.setdefault(key, mesh)
        out.append(replace(mesh, points=first.points, normals=first.normals, faces=first.faces))
    return out
