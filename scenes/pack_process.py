"""A process that embeds the meshes beside a robot file in its text: mesh readers meet untrusted input here.

It reads the archive from standard input and writes the result to standard output. The caller sets its limits of time
and memory.
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import re
import sys
import types
import warnings
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

if __name__ == "__main__":  # importing the package itself would take seconds
    sys.modules["scenes"] = types.ModuleType("scenes")
    sys.modules["scenes"].__path__ = [str(Path(__file__).parent)]

from scenes import pack_model
from scenes.pack_archive import ROBOT, RefusedError, found_in, members_of, opened, read, straight, the_robot, with_tags

MOST_TRIANGLES, MOST_IN_ALL, FEWEST = 3000, 45_000, 40
"""Largest number for one mesh, and for all; the least that each gets if there are very many."""
LARGEST_MESH = 24 * 2**20
"""Bytes of a mesh, unpacked: readers of text formats take fifteen times as much memory."""
MOST_THAT_WEIGH = 30_000
"""Triangles of a mesh from which an inertia is computed, as it must not be decimated."""
FARTHEST = 1e9
"""Largest distance from a mesh's origin, in its own units, perhaps millimetres or less; refused beyond it."""
STL_LETTERS = 66
"""Base64 characters per triangle."""
SUFFIXES = ".stl", ".obj", ".ply", ".dae", ".glb", ".gltf"
INSIDE, DRAWN = "data:model/stl;base64,", "data:model/stl;use=drawing;base64,"
"""Prefix of an embedded mesh's address, and, in a MuJoCo model, of one that contributes no mass."""
FILE_NAME = re.compile(r"(\sfilename\s*=\s*)(\"[^\"]*\"|'[^']*')", re.DOTALL)
"""A reference to another file in a tag of a URDF."""


def packed(data: bytes) -> dict[str, Any]:
    """``name`` and ``text`` of the robot in an archive, meshes embedded, and ``remarks`` on what is left out."""
    with contextlib.closing(opened(data)) as archive:
        members = members_of(archive)
        name, text = the_robot(archive, members)
        files = _Files(archive, members, PurePosixPath(name).parent)
        root = ROBOT.search(text)
        found = _of_model(text, files) if root and root[1] == "mujoco" else _of_urdf(text, files)
    return {"name": PurePosixPath(name).name, "text": found, "remarks": files.remarks}


class _Files:
    """The files that a robot refers to, read from its archive, and remarks on those that are left out."""

    def __init__(self, archive: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo], folder: PurePosixPath) -> None:
        self.remarks = list[str]()
        self._archive, self._members, self._folder = archive, members, folder

    def text(self, name: str) -> str:
        """The text of an included part of a model."""
        found = found_in(self._members, self._folder, PurePosixPath(name.replace("\\", "/")))
        if found is None:
            raise RefusedError(f"{name[:80]!r}, which its model includes, is not in it, or several have that name.")
        return read(self._archive, found).decode("utf-8", "replace")

    def mesh(self, reference: str, most: int) -> str | None:
        """A mesh as STL in base64, decimated; None if it is left out."""
        try:
            member = member_of(reference, self._folder, self._members)
            return base64.b64encode(stl_of(self._archive, member, most)).decode()
        except RefusedError as error:
            self.remarks.append(f"mesh {reference[:80]!r} is left out: {error}")
            return None

    def weighing(self, reference: str, most: int) -> str:
        """A mesh from which an inertia is computed, not decimated; if it is not usable, the robot is refused."""
        try:
            member = member_of(reference, self._folder, self._members)
            points, faces = triangles_of(self._archive, member)
            if len(faces) > most:
                bounds = f"{MOST_THAT_WEIGH:,} of one such mesh and {MOST_IN_ALL:,} of all"
                raise RefusedError(f"it has {len(faces):,} triangles, which is beyond {bounds}")
        except RefusedError as error:
            raise RefusedError(
                f"an inertia comes from mesh {reference[:80]!r}, but {error}. Give its body an <inertial>: "
                "mujoco.mj_saveLastXML writes them."
            ) from None
        return base64.b64encode(as_stl(points, faces)).decode()


def _of_urdf(text: str, files: _Files) -> str:
    wanted = dict[str, None]()

    def noted(reference: str) -> None:
        wanted[reference] = None

    filled(text, noted)
    most = share(len(wanted))
    found = {reference: files.mesh(reference, most) for reference in wanted}
    return filled(text, {reference: INSIDE + mesh for reference, mesh in found.items() if mesh is not None}.get)


def _of_model(text: str, files: _Files) -> str:
    text = pack_model.with_included(text, files.text)
    meshes = pack_model.meshes_of(text)
    most = share(sum(mesh.is_drawn for mesh in meshes.values()))
    inside, left = dict[str, str](), MOST_IN_ALL
    for name, mesh in meshes.items():
        if mesh.weighs:
            whole = files.weighing(mesh.file, min(MOST_THAT_WEIGH, left))
            inside[name], left = INSIDE + whole, left - len(whole) // STL_LETTERS
        elif not mesh.is_drawn:
            inside[name] = DRAWN
        elif (drawing := files.mesh(mesh.file, most)) is not None:
            inside[name] = DRAWN + drawing
    return pack_model.filled(text, inside)


def share(meshes: int) -> int:
    """Triangles allowed for each of that many meshes."""
    return max(FEWEST, min(MOST_TRIANGLES, MOST_IN_ALL // max(meshes, 1)))


def member_of(reference: str, folder: PurePosixPath, members: Mapping[str, zipfile.ZipInfo]) -> zipfile.ZipInfo:
    """The file that a mesh's name refers to."""
    scheme, separator, rest = reference.partition("://")
    if separator and scheme not in ("package", "file"):
        raise RefusedError(f"{scheme[:20]} addresses are not opened")
    path = PurePosixPath((rest if separator else reference).replace("\\", "/"))
    if path.suffix.lower() not in SUFFIXES:
        raise RefusedError(f"its name ends in {path.suffix[:20] or 'no suffix'}, not in one of {', '.join(SUFFIXES)}")
    if (found := found_in(members, folder, path)) is None:
        raise RefusedError("there is no such file in the archive, or several")
    return found


def stl_of(archive: zipfile.ZipFile, one: zipfile.ZipInfo, most: int) -> bytes:
    """A mesh as binary STL of at most ``most`` triangles, in its own units and axes."""
    points, faces = triangles_of(archive, one)
    if len(faces) > most:
        import numpy as np
        import pyvista as pv

        mesh = pv.PolyData.from_regular_faces(points, faces).clean()
        mesh = mesh.decimate(1.0 - most / mesh.n_cells).clean() if mesh.n_cells > most else mesh
        points, faces = np.array(mesh.points, dtype=np.float64), mesh.regular_faces
    return as_stl(points, faces)


def triangles_of(archive: zipfile.ZipFile, one: zipfile.ZipInfo) -> tuple[Any, Any]:
    """Points and triangles of a mesh."""
    if one.file_size > LARGEST_MESH:  # before the readers are loaded
        raise RefusedError(f"it has more than {LARGEST_MESH // 2**20} MB unpacked")
    import numpy as np
    import trimesh

    suffix = PurePosixPath(one.filename).suffix.lower()[1:]
    data = io.BytesIO(read(archive, one))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loaded: Any = trimesh.load(data, file_type=suffix, force="mesh", resolver=_Resolver(archive, one.filename))
        points, faces = np.array(loaded.vertices, dtype=np.float64), np.array(loaded.faces)
    except Exception as error:  # whatever a reader raises for a file that it cannot read
        raise RefusedError(f"it cannot be read ({type(error).__name__})") from None
    if not len(faces) or not np.isfinite(points).all():
        raise RefusedError("it holds no triangles, or points with coordinates that are not finite")
    if np.abs(points).max() > FARTHEST:
        raise RefusedError(f"it has points more than {FARTHEST:.0e} of its units from its origin")
    return points, faces


def as_stl(points: Any, faces: Any) -> bytes:
    """Binary STL."""
    import trimesh

    stl: Any = trimesh.Trimesh(points, faces, process=False).export(file_type="stl")
    return bytes(stl)


class _Resolver(Mapping[str, bytes]):
    """Resolves a mesh's references beside it in the archive, and nowhere else."""

    def __init__(self, archive: zipfile.ZipFile, name: str) -> None:
        self._archive, self._folder = archive, PurePosixPath(name).parent

    def __getitem__(self, name: str) -> bytes:
        return read(self._archive, self._archive.getinfo(straight(self._folder / name)))

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def filled(text: str, inside: Callable[[str], str | None]) -> str:
    """A URDF with the file names of its visible meshes replaced by other names or by meshes; line numbers are kept."""
    is_visible = False

    def instead(tag: str) -> str:
        nonlocal is_visible
        if "visual" in tag[:8]:
            is_visible = tag[1] != "/" and tag[-2] != "/"
        elif is_visible and (file := FILE_NAME.search(tag)):
            mesh = inside(file[2][1:-1])
            return tag if mesh is None else f'{tag[: file.end(1)]}"{mesh}"{tag[file.end() :]}'
        return tag

    return with_tags(text, ["visual", "mesh"], instead)


def limit(seconds: int, megabytes: int) -> None:
    """Limits time and memory, beyond which the process ends, and forbids writing. Windows has only the time limit."""
    with contextlib.suppress(ImportError):
        import resource

        for kind, most in (
            (resource.RLIMIT_CPU, seconds),
            (resource.RLIMIT_AS, megabytes * 2**20),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
        ):
            with contextlib.suppress(ValueError, OSError):  # macOS does not support all of them
                resource.setrlimit(kind, (most, most))


def main(arguments: Sequence[str]) -> None:
    """Reads the archive, packs the robot and writes the result."""
    limit(int(arguments[0]), int(arguments[1]))
    try:
        found = packed(sys.stdin.buffer.read())
    except RefusedError as error:
        found = {"refused": str(error)}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
