"""A process that puts the meshes beside a robot file into its text: readers of meshes meet what anybody may send.

The archive comes on its input, what came of it goes to its output. Whoever starts it says how long it may take and how
much memory it may have.
"""

from __future__ import annotations

import base64
import contextlib
import io
import json
import re
import sys
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

MOST_MEMBERS, MOST_BYTES = 2000, 200 * 2**20
"""Of an archive, unpacked."""
LARGEST_TEXT = 5 * 2**20
MOST_TRIANGLES, MOST_IN_ALL, FEWEST = 3000, 45_000, 40
"""Of one mesh, and of all; of one among very many."""
SUFFIXES = ".stl", ".obj", ".ply", ".dae", ".glb", ".gltf"
INSIDE = "data:model/stl;base64,"
VISUAL = re.compile(r"<visual\b.*?</visual\s*>", re.DOTALL)
MESH = re.compile(r"(<mesh\b[^>]*?\bfilename\s*=\s*)(\"[^\"]*\"|'[^']*')", re.DOTALL)
ROBOT = re.compile(r"<(robot|mujoco)\b")


class RefusedError(ValueError):
    """Why nothing comes of it, in words."""


def packed(data: bytes) -> dict[str, Any]:
    """``name`` and ``text`` of the robot in an archive, its meshes in the text, and ``remarks`` on what is left out."""
    with contextlib.closing(opened(data)) as archive:
        members = members_of(archive)
        name, text = the_robot(archive, members)
        wanted = list(dict.fromkeys(found[1][1:-1] for part in VISUAL.findall(text) for found in MESH.findall(part)))
        most = max(FEWEST, min(MOST_TRIANGLES, MOST_IN_ALL // max(len(wanted), 1)))
        inside, remarks = dict[str, str](), list[str]()
        for reference in wanted:
            try:
                member = member_of(reference, PurePosixPath(name).parent, members)
                inside[reference] = INSIDE + base64.b64encode(stl_of(archive, member, most)).decode()
            except RefusedError as error:
                remarks.append(f"mesh {reference[:80]!r} is left out: {error}")
    return {"name": PurePosixPath(name).name, "text": filled(text, inside), "remarks": remarks}


def opened(data: bytes) -> zipfile.ZipFile:
    """An archive that is no larger, unpacked, than it may be."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise RefusedError("this is no zip archive, or not all of one.") from None
    told = archive.infolist()
    if len(told) > MOST_MEMBERS or sum(one.file_size for one in told) > MOST_BYTES:
        raise RefusedError(
            f"it holds more than {MOST_MEMBERS:,} files, or more than {MOST_BYTES // 2**20} MB unpacked; leave out "
            "what the robot does not need."
        )
    return archive


def members_of(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """Its files by their paths, as a robot file refers to them; what leads out of it, or is no plain file, is none."""
    found = {}
    for one in archive.infolist():
        path = PurePosixPath(one.filename.replace("\\", "/"))
        is_link = (one.external_attr >> 16) & 0o170000 == 0o120000
        if one.is_dir() or is_link or path.is_absolute() or ".." in path.parts or "__MACOSX" in path.parts:
            continue
        found[str(path)] = one
    return found


def the_robot(archive: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo]) -> tuple[str, str]:
    """The one robot description in it, the outermost of several: its path and text."""
    found = []
    for path, one in members.items():
        if PurePosixPath(path).suffix.lower() in (".urdf", ".xml") and one.file_size <= LARGEST_TEXT:
            text = read(archive, one).decode("utf-8", "replace")
            if root := ROBOT.search(text):
                found.append((len(PurePosixPath(path).parts), root[1] == "mujoco", path, text))
    if not found:
        hint = (
            "; expand xacro first: xacro robot.urdf.xacro > robot.urdf"
            if any("xacro" in path for path in members)
            else ""
        )
        raise RefusedError(f"it holds no robot description of up to 5 MB, no .urdf and no .xml{hint}.")
    found.sort()
    alike = [path for depth, is_mujoco, path, _ in found if (depth, is_mujoco) == found[0][:2]]
    if len(alike) > 1:
        raise RefusedError(f"it holds several robots: {', '.join(alike[:4])}; leave one in it.")
    return found[0][2:]


def member_of(reference: str, folder: PurePosixPath, members: Mapping[str, zipfile.ZipInfo]) -> zipfile.ZipInfo:
    """The file that a mesh's name means: beside the robot's, in a package of the archive, or the only one called so."""
    scheme, separator, rest = reference.partition("://")
    if separator and scheme not in ("package", "file"):
        raise RefusedError(f"{scheme[:20]} addresses are not opened")
    path = PurePosixPath((rest if separator else reference).replace("\\", "/"))
    if path.suffix.lower() not in SUFFIXES:
        raise RefusedError(f"{path.suffix[:20] or 'no suffix'} is not among {', '.join(SUFFIXES)}")
    for place in (folder / path, path):
        if (known := members.get(_straight(place))) is not None:
            return known
    parts = [part for part in path.parts if part not in ("/", "..", ".")]
    for k in range(len(parts)):  # a package's folder may be called otherwise in the archive
        tail = tuple(parts[k:])
        alike = [one for name, one in members.items() if PurePosixPath(name).parts[-len(tail) :] == tail]
        if len(alike) == 1:
            return alike[0]
    raise RefusedError("there is no such file in the archive, or several")


def _straight(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return str(PurePosixPath(*parts))


def read(archive: zipfile.ZipFile, one: zipfile.ZipInfo) -> bytes:
    """A file, as large as the archive says and no larger."""
    try:
        with archive.open(one) as file:
            data = file.read(one.file_size + 1)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError, ValueError):
        raise RefusedError("it cannot be unpacked") from None
    if len(data) != one.file_size:
        raise RefusedError("it cannot be unpacked")
    return data


def stl_of(archive: zipfile.ZipFile, one: zipfile.ZipInfo, most: int) -> bytes:
    """A mesh as binary STL of at most so many triangles, in its own units and axes."""
    import numpy as np
    import pyvista as pv
    import trimesh

    suffix = PurePosixPath(one.filename).suffix.lower()[1:]
    data = io.BytesIO(read(archive, one))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loaded: Any = trimesh.load(data, file_type=suffix, force="mesh", resolver=_Beside(archive, one.filename))
        points, faces = np.array(loaded.vertices, dtype=np.float64), np.array(loaded.faces)
    except Exception as error:  # whatever a reader says of what it cannot read
        raise RefusedError(f"it cannot be read ({type(error).__name__})") from None
    if not len(faces) or not np.isfinite(points).all():
        raise RefusedError("it holds no triangles, or points that are nowhere")
    if len(faces) > most:
        mesh = pv.PolyData.from_regular_faces(points, faces).clean()
        mesh = mesh.decimate(1.0 - most / mesh.n_cells).clean() if mesh.n_cells > most else mesh
        points, faces = np.array(mesh.points, dtype=np.float64), mesh.regular_faces
    stl: Any = trimesh.Trimesh(points, faces, process=False).export(file_type="stl")
    return bytes(stl)


class _Beside(Mapping[str, bytes]):
    """What a mesh refers to is sought beside it in the archive, and nowhere else."""

    def __init__(self, archive: zipfile.ZipFile, name: str) -> None:
        self._archive, self._folder = archive, PurePosixPath(name).parent

    def __getitem__(self, name: str) -> bytes:
        return read(self._archive, self._archive.getinfo(_straight(self._folder / name)))

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def filled(text: str, inside: Mapping[str, str]) -> str:
    """The text with meshes instead of their files' names, line by line as it was."""

    def named(found: re.Match[str]) -> str:
        mesh = inside.get(found[2][1:-1])
        return found[0] if mesh is None else f'{found[1]}"{mesh}"'

    return VISUAL.sub(lambda visual: MESH.sub(named, visual[0]), text)


def limit(seconds: int, megabytes: int) -> None:
    """What is more than that ends the process; it writes no file. Windows has no such limits, but the time's."""
    with contextlib.suppress(ImportError):
        import resource

        for kind, most in (
            (resource.RLIMIT_CPU, seconds),
            (resource.RLIMIT_AS, megabytes * 2**20),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
        ):
            with contextlib.suppress(ValueError, OSError):  # macOS knows not all of them
                resource.setrlimit(kind, (most, most))


def main(arguments: Sequence[str]) -> None:
    """Reads, packs and tells."""
    limit(int(arguments[0]), int(arguments[1]))
    try:
        found = packed(sys.stdin.buffer.read())
    except RefusedError as error:
        found = {"refused": str(error)}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
