"""How a scene's geometry is sent: all shapes end to end in few arrays, large ones only when a browser requests them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

LARGE = 1 << 12
"""Size in bytes from which on a shape has a digest, by which the browser requests it unless it has it already."""
SHAPES = 2**32 - 2
"""Replaces a frame's scene version to mark shapes that were requested."""


class Mesh(Protocol):
    """What the view needs from a mesh; `scenes.SceneMesh` is one."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def link(self) -> int | None: ...
    @property
    def arm(self) -> int | None: ...
    @property
    def points(self) -> np.ndarray: ...
    @property
    def normals(self) -> np.ndarray: ...
    @property
    def faces(self) -> np.ndarray: ...
    @property
    def color(self) -> Sequence[float]: ...


Shape = tuple[np.ndarray, ...]
"""Points int16 (n, 3), normals int8 (n, 3), faces uint16 or uint32 (m, 3), and colors uint8 (n or 0, 4)."""


class SceneGeometry:
    """The geometry of a scene.

    Args:
        whole: whether the arrays include large shapes as well, for a page without a server.
    """

    def __init__(self, meshes: Sequence[Mesh], whole: bool = False) -> None:
        self._large: dict[str, Shape] = {}
        index = np.uint16 if all(len(mesh.points) <= 1 << 16 for mesh in meshes) else np.uint32
        places: dict[object, dict[str, Any]] = {}
        table: list[dict[str, Any]] = []
        kept: list[Shape] = []
        ends = [0, 0, 0]
        for mesh in meshes:
            painted = getattr(mesh, "colors", None)  # of a mesh with several colors; a single-color mesh may lack it
            key = id(mesh.points), id(painted)
            if key not in places:
                shape = _shape(mesh, painted, index)
                digest = ""
                if sum(part.nbytes for part in shape) >= LARGE:
                    digest = hashlib.sha256(b"".join(part.tobytes() for part in shape)).hexdigest()[:16]
                    self._large[digest] = shape
                place: dict[str, Any] = {"unit": _unit(mesh)} | ({"digest": digest} if digest else {})
                if whole or not digest:
                    counts = len(shape[0]), len(shape[2]), len(shape[3])
                    for name, at, count in zip(("points", "faces", "colors"), ends, counts, strict=True):
                        if count:
                            place[name] = [at, at + count]
                    ends = [at + count for at, count in zip(ends, counts, strict=True)]
                    kept.append(shape)
                places[key] = place
            said: dict[str, Any] = {
                "name": mesh.name,
                "kind": mesh.kind,
                "link": None if mesh.link is None else int(mesh.link),
                "arm": None if mesh.arm is None else int(mesh.arm),
                "color": [round(float(c), 3) for c in mesh.color],
            }
            table.append({name: value for name, value in said.items() if value is not None} | places[key])
        kinds = ("points", np.int16, 3), ("normals", np.int8, 3), ("faces", index, 3), ("colors", np.uint8, 4)
        self.data: dict[str, Any] = {
            name: np.concatenate([np.empty((0, width), dtype), *(shape[k] for shape in kept)])
            for k, (name, dtype, width) in enumerate(kinds)
        }
        # A single string: Bokeh would inspect each of thousands of parts.
        self.data["meshes"] = json.dumps(table, separators=(",", ":"))

    def answer(self, asked: object) -> bytes | None:
        """Large shapes that a browser lacks: each with its digest and the lengths of its parts."""
        if not isinstance(asked, list):
            return None
        names = dict.fromkeys(name for name in asked[: len(self._large)] if isinstance(name, str))
        found = [(name, self._large[name]) for name in names if name in self._large]
        return np.array([SHAPES, len(found)], np.uint32).tobytes() + b"".join(_message(*each) for each in found)


def _message(digest: str, shape: Shape) -> bytes:
    points, _, faces, colors = shape
    head = np.array([len(points), len(faces), faces.itemsize, len(colors)], np.uint32).tobytes()
    parts = b"".join(part.tobytes() for part in (faces, points, colors, shape[1]))  # this order keeps numbers aligned
    return digest.encode() + head + parts + b"\0" * (-len(parts) % 4)


def _shape(mesh: Mesh, painted: np.ndarray | None, index: type) -> Shape:
    points = np.rint(np.asarray(mesh.points).reshape(-1, 3) / _unit(mesh)).astype(np.int16)
    normals = np.rint(127.0 * np.asarray(mesh.normals).reshape(-1, 3)).astype(np.int8)
    colors = np.empty((0, 4), np.uint8) if painted is None else np.asarray(painted, np.uint8).reshape(-1, 4)
    return points, normals, np.asarray(mesh.faces).reshape(-1, 3).astype(index), colors


def _unit(mesh: Mesh) -> float:
    """m per integer step of its points: the coordinate farthest from the origin gets the largest 16-bit integer."""
    return float(np.max(np.abs(mesh.points), initial=1e-6)) / 32767
