"""A recording as a scene for other programs: every body a node, and one animation of their poses.

It follows the Khronos Group's specification of glTF 2.0: metres, radians, y up, quaternions with the real part last,
linear colors.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from scenes import palette
from scenes.mesh import SceneMesh
from scenes.reel.glb import ATTRIBUTES, INDICES, Arrays, write_glb
from scenes.scene import Scene
from scenes.surroundings import turn_to, up_direction

if TYPE_CHECKING:
    import dynamics as dyn

Array = NDArray[np.float64]
BODIES = ("ground", "links", "object")
UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
"""glTF's axes <- axes with z up."""
ROUGHNESS = 0.55
PROGRESS_EVERY = 200
"""Progress is reported every this many instants."""


def write_gltf(
    recording: dyn.Recording,
    path: Path,
    rate: float,
    theme: palette.Theme,
    progress: Callable[[int, int], object] | None,
) -> None:
    """Implements ``Recording.to_gltf``."""
    scene = Scene(recording.segments[0].system, recording.solution_at(recording.t[0]), theme)
    times = _times(recording, rate)
    poses = _poses(recording, times, progress)
    with path.open("wb") as file:
        write_glb(file, *_written(scene, recording, times, poses))


def _times(recording: dyn.Recording, rate: float) -> NDArray[np.float32]:
    """(instants,) s from the first, strictly ascending in single precision, too."""
    length = recording.duration - float(recording.t[0])
    times = np.append(np.arange(0.0, length - 1e-6 / rate, 1.0 / rate), length).astype(np.float32)
    return np.unique(times)


def _poses(
    recording: dyn.Recording, times: NDArray[np.float32], progress: Callable[[int, int], object] | None
) -> Array:
    """(instants, links and object, 4, 4) world <- body at exactly these single-precision instants."""
    import dynamics

    found = []
    begin, end = float(recording.t[0]), recording.duration
    for number, time in enumerate(times.tolist(), 1):
        at = min(begin + time, end)
        state = recording.state_at(at)
        links = dynamics.forward_kinematics(recording.system_at(at), state).pose
        found.append(links if state.object_pose is None else np.concatenate([links, state.object_pose[None]]))
        if progress is not None and (number % PROGRESS_EVERY == 0 or number == len(times)):
            progress(number, len(times))
    return np.stack(found)


def _written(
    scene: Scene, recording: dyn.Recording, times: NDArray[np.float32], poses: Array
) -> tuple[dict[str, Any], Arrays]:
    """The JSON tree of a file, and its arrays."""
    arrays, wardrobe = Arrays(), Resources()
    still = scene.transforms(recording.solution_at(recording.t[0]), BODIES).reshape(-1, 3, 4).astype(float)
    nodes: list[dict[str, Any]] = []
    moving: list[tuple[int, Array]] = []
    for mesh, pose in zip(scene.meshes, still, strict=True):
        if mesh.layer not in BODIES:
            continue
        body = _body(mesh, len(scene.system.link_names))
        if body is not None:
            moving.append((len(nodes), poses[:, body]))
            pose = poses[0, body]
        nodes.append({"name": mesh.name, "mesh": wardrobe.mesh(mesh, arrays), **_placed(pose)})
    up = UP @ turn_to(up_direction(scene.system)).T
    world = {"name": "world", "children": list(range(len(nodes))), "rotation": _turns(up[None])[0].tolist()}
    tree = {
        "asset": {"version": "2.0", "generator": "armsweep"},
        "scene": 0,
        "scenes": [{"nodes": [len(nodes)]}],
        "nodes": [*nodes, world],
        "meshes": wardrobe.meshes,
        "materials": wardrobe.materials,
        "animations": [_animation(times, moving, arrays)],
    }
    return tree, arrays


def _body(mesh: SceneMesh, links: int) -> int | None:
    """Index of its pose: a link's number, or the object's after them; None if it stands still."""
    if mesh.layer == "object":
        return links
    return mesh.link if mesh.layer == "links" else None


def _placed(pose: Array) -> dict[str, Any]:
    return {"translation": pose[:3, 3].tolist(), "rotation": _turns(pose[None, :3, :3])[0].tolist()}


def _turns(rotations: Array) -> Array:
    """(m, 4) unit quaternions, x y z w; of each pair of signs the one nearer to the quaternion before it."""
    found = np.asarray(Rotation.from_matrix(rotations).as_quat(), float).reshape(-1, 4)
    turned = np.sign(np.einsum("ij,ij->i", found[1:], found[:-1]))
    found[1:] *= np.cumprod(np.where(turned < 0.0, -1.0, 1.0))[:, None]
    return found


def _animation(times: NDArray[np.float32], moving: list[tuple[int, Array]], arrays: Arrays) -> dict[str, Any]:
    """The position and rotation of each body at each instant."""
    at = arrays.add(times, bounded=True)
    samplers: list[dict[str, Any]] = []
    channels: list[dict[str, Any]] = []
    for node, poses in moving:
        for path, values in (("translation", poses[:, :3, 3]), ("rotation", _turns(poses[:, :3, :3]))):
            channels.append({"sampler": len(samplers), "target": {"node": node, "path": path}})
            output = arrays.add(values.astype(np.float32))
            samplers.append({"input": at, "output": output, "interpolation": "LINEAR"})
    return {"name": "motion", "samplers": samplers, "channels": channels}


class Resources:
    """The meshes and the materials of a file, each once."""

    def __init__(self) -> None:
        self.meshes: list[dict[str, Any]] = []
        self.materials: list[dict[str, Any]] = []
        self._known: dict[tuple[float, ...], int] = {}

    def mesh(self, mesh: SceneMesh, arrays: Arrays) -> int:
        """The index of a mesh."""
        attributes = {
            "POSITION": arrays.add(mesh.points, ATTRIBUTES, bounded=True),
            "NORMAL": arrays.add(_unit(mesh.normals), ATTRIBUTES),
        }
        color = np.array(mesh.color)
        if mesh.colors is not None:
            attributes["COLOR_0"] = arrays.add(_linear(mesh.colors / 255.0), ATTRIBUTES)
            color = np.array([1.0, 1.0, 1.0, mesh.colors[:, 3].min() / 255.0])
        faces = arrays.add(mesh.faces.ravel(), INDICES)
        primitive = {"attributes": attributes, "indices": faces, "material": self._material(color, mesh.colors is None)}
        self.meshes.append({"name": mesh.name, "primitives": [primitive]})
        return len(self.meshes) - 1

    def _material(self, color: Array, is_plain: bool) -> int:
        """The index of a material; where points have their own color, it only says whether it is transparent."""
        factor = _linear(color[None])[0].tolist() if is_plain else [1.0, 1.0, 1.0, 1.0]
        is_clear = bool(color[3] < 1.0)
        key = (*factor, is_clear)
        if key not in self._known:
            self._known[key] = len(self.materials)
            surface = {"baseColorFactor": factor, "metallicFactor": 0.0, "roughnessFactor": ROUGHNESS}
            mode = {"alphaMode": "BLEND"} if is_clear else {}
            self.materials.append({"pbrMetallicRoughness": surface, **mode})
        return self._known[key]


def _unit(normals: NDArray[np.float32]) -> NDArray[np.float32]:
    """Normals of length one: a face without area has none, so it gets an arbitrary one."""
    length = np.linalg.norm(normals.astype(float), axis=1, keepdims=True)
    return np.where(length > 0.0, normals / np.where(length > 0.0, length, 1.0), (0.0, 0.0, 1.0)).astype(np.float32)


def _linear(colors: Array) -> NDArray[np.float32]:
    """(m, 4) linear colors from sRGB in 0..1, opacity unchanged."""
    out = np.where(colors <= 0.04045, colors / 12.92, ((colors + 0.055) / 1.055) ** 2.4)
    out[:, 3] = colors[:, 3]
    return out.astype(np.float32)
