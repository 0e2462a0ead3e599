"""Where to find a robot file's meshes, as its author's programs would find them; never over a network."""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

SUFFIXES = (".stl", ".obj", ".ply", ".dae", ".glb", ".gltf")
PACKAGES = ("package", "model")
"""Schemes of addresses with a package folder and a path in it."""
SCHEME = re.compile(r"(file):(?=/[^/])|([^/:]+)://")
"""The start of an address; ``file:`` needs only one slash."""
BEGINS = {".ply": b"ply", ".dae": b"COLLADA", ".glb": b"glTF", ".gltf": b"{"}
"""A text in the first bytes of a file of that kind."""
HEAD = 4096
"""Bytes read from a file's beginning."""
SEARCHED = {"ROS_PACKAGE_PATH": "", "AMENT_PREFIX_PATH": "share"}
"""Environment variables that list folders of packages, and the subfolder in which the packages lie."""


def find_mesh(
    reference: str, folder: Path | None, package_dirs: Sequence[str | Path] = (), suffixes: Sequence[str] = SUFFIXES
) -> tuple[Path | None, str]:
    """The file that a ``<mesh filename>`` names, or None and the reason why it is left out.

    ``package://name/path`` is searched for in ``package_dirs``, in the folders of ROS_PACKAGE_PATH, in those of
    AMENT_PREFIX_PATH under ``share``, and among the file's parents, as a folder with that name or one whose
    ``package.xml`` has it, and under the robot file's own folder. Other references are relative to that folder. Case
    is ignored in names if only one fits. A robot given as text has no folder, and opens no file.
    """
    if folder is None:
        return None, "a robot given as text has no folder to look in"
    begins = SCHEME.match(reference)
    scheme = "" if begins is None else begins[1] or begins[2]
    if scheme not in ("", "file", *PACKAGES):
        return None, f"{scheme} addresses are not opened"
    rest = unquote(reference[begins.end() :]) if begins else reference
    if scheme == "file" and rest.startswith("localhost/"):
        rest = rest.removeprefix("localhost")
    path = PurePosixPath(rest if scheme == "file" else rest.replace("\\", "/"))
    if path.suffix.lower() not in suffixes:
        return None, f"its name ends in {path.suffix or 'no suffix'}, not in one of {', '.join(suffixes)}"
    folder = folder.resolve()
    places, others = [folder / path, folder / unquote(str(path))], chain[Path]()
    if scheme in PACKAGES:
        name, inner = path.parts[0], PurePosixPath(*path.parts[1:])
        listed = (
            (each, below) for key, below in SEARCHED.items() for each in os.environ.get(key, "").split(os.pathsep)
        )
        known = [Path(each, below) for each, below in listed if each]
        for above in (*map(Path, package_dirs), *known, folder, *folder.parents):
            places += [above / name / inner, *([above / inner] if above.name == name else [])]
        around = (*map(Path, package_dirs), *known)
        inside = (each.parent for above in around if above.is_dir() for each in above.glob("*/package.xml"))
        called = (above / inner for above in chain((folder, *folder.parents), inside) if _is_package(above, name))
        others = chain(called, (Path(above) / inner for above in (*package_dirs, folder)))
    for place in chain(places, others):
        try:
            if (found := next(_named(place), None)) is not None:
                return (found.resolve(), "") if _holds_mesh(found) else (None, "it cannot be read as a mesh")
        except (OSError, ValueError):
            continue
    return None, "there is no such file"


def _is_package(folder: Path, name: str) -> bool:
    """Whether a folder is a package of that name, even if the folder's own name differs."""
    try:
        found = re.search(r"<name>\s*(.*?)\s*</name>", (folder / "package.xml").read_text(errors="replace"))
    except OSError:
        return False
    return found is not None and found[1] == name


def _holds_mesh(path: Path) -> bool:
    """Whether a file begins as its kind should, and has a triangle; only this much of it is read."""
    kind = path.suffix.lower()
    with path.open("rb") as file:
        head, size = file.read(HEAD), path.stat().st_size
        if kind == ".obj":  # its faces come last
            return size > 0 and mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ).rfind(b"\nf") >= 0
    if kind == ".stl":
        count = int.from_bytes(head[80:84], "little")
        is_binary = size >= 134 and ((size - 84) % 50 == 0 or 84 < 84 + 50 * count <= size)  # some files count wrongly
        return is_binary or (b"solid" in head.lower() and b"facet" in head.lower())
    return BEGINS.get(kind, b"") in head


def _named(place: Path) -> Iterator[Path]:
    """The file with that name, or the only one whose name differs by case."""
    if place.is_file():
        yield place
        return
    at = Path(place.anchor)
    for part in place.relative_to(at).parts:
        if part == ".." or (at / part).exists():
            at = at / part
            continue
        alike = [each for each in at.iterdir() if each.name.lower() == part.lower()] if at.is_dir() else []
        if len(alike) != 1:
            return
        at = alike[0]
    if at.is_file():
        yield at
