"""Where a robot file's meshes lie: only inside its own folder or package, never from a network."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

SUFFIXES = (".stl", ".obj", ".ply", ".dae", ".glb", ".gltf")


def find_mesh(reference: str, folder: Path | None) -> tuple[Path | None, str]:
    """The file that a ``<mesh filename>`` names, or None and the reason why it is left out.

    ``package://name/path`` is sought in the folder of that name among the file's parents when it is a package
    (holds ``package.xml``), and under the robot file's own folder. Other references are relative to that folder.

    Args:
        reference: the text of the attribute.
        folder: the robot file's folder; None for a robot that came as text.
    """
    if folder is None:
        return None, "a robot given as text has no folder to look in"
    folder = folder.resolve()
    scheme, separator, rest = reference.partition("://")
    if separator and scheme != "package":
        return None, f"{scheme} addresses are not opened"
    path = PurePosixPath(rest if separator else reference)
    if path.suffix.lower() not in SUFFIXES:
        return None, f"its name ends in {path.suffix or 'no suffix'}, not in one of {', '.join(SUFFIXES)}"
    places = [(folder, path)]
    if separator:
        inner = PurePosixPath(*path.parts[1:])
        places.append((folder, inner))
        places += [
            (parent, inner)
            for parent in (folder, *folder.parents)
            if parent.name == path.parts[0] and (parent / "package.xml").is_file()
        ]
    outside = False
    for root, relative in places:
        try:
            found = (root / relative).resolve()
            if not found.is_relative_to(root):
                outside = True
            elif found.is_file():
                return found, ""
        except (OSError, ValueError):
            continue
    return None, "it lies outside the robot's folder" if outside else "there is no such file"
