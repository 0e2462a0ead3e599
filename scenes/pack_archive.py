"""A zip archive with a robot: its files, under the paths by which the robot file refers to them, and the robot file."""

from __future__ import annotations

import contextlib
import io
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

MOST_MEMBERS, MOST_BYTES = 2000, 200 * 2**20
"""Limits of an archive, unpacked."""
LARGEST_TEXT, MOST_TEXT = 5 * 2**20, 20 * 2**20
"""Limits of one robot file, and of all candidates, as each of them is searched."""
ROBOT = re.compile(r"<(robot|mujoco)\b")
DEEPEST, MOST_ELEMENTS = 100, 50_000
FILE = re.compile(r"(\sfile\s*=\s*)(\"[^\"]*\"|'[^']*')", re.DOTALL)
"""A reference to another file in a tag of a MuJoCo model."""
SCENE = "scene.xml"
"""Name of the top-level file in MuJoCo's own collection."""


class RefusedError(ValueError):
    """The archive is refused; the message says why."""


def opened(data: bytes) -> zipfile.ZipFile:
    """The archive, opened, if its unpacked size is within the limits."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise RefusedError("this is not a zip archive, or not all of one.") from None
    entries = archive.infolist()
    if len(entries) > MOST_MEMBERS or sum(one.file_size for one in entries) > MOST_BYTES:
        raise RefusedError(
            f"it holds more than {MOST_MEMBERS:,} files, or more than {MOST_BYTES // 2**20} MB unpacked; leave out "
            "what the robot does not need."
        )
    return archive


def members_of(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """Its files by path, as a robot file refers to them, except paths that lead out of it and special files."""
    found = {}
    for one in archive.infolist():
        path = PurePosixPath(one.filename.replace("\\", "/"))
        is_link = (one.external_attr >> 16) & 0o170000 == 0o120000
        if one.is_dir() or is_link or path.is_absolute() or ".." in path.parts or "__MACOSX" in path.parts:
            continue
        found[str(path)] = one
    return found


def the_robot(archive: zipfile.ZipFile, members: Mapping[str, zipfile.ZipInfo]) -> tuple[str, str]:
    """Path and text of its one robot description: the outermost of those that no other includes."""
    found = []
    likely = {
        path: one
        for path, one in members.items()
        if PurePosixPath(path).suffix.lower() in (".urdf", ".xml") and one.file_size <= LARGEST_TEXT
    }
    if sum(one.file_size for one in likely.values()) > MOST_TEXT:
        raise RefusedError(f"its .urdf and .xml files have more than {MOST_TEXT // 2**20} MB; leave one robot in it.")
    for path, one in likely.items():
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
    alike = {path: text for depth, is_mujoco, path, text in found if (depth, is_mujoco) == found[0][:2]}
    included = _included(alike, members)
    left = [path for path in alike if path not in included] or list(alike)
    left = [path for path in left if PurePosixPath(path).name == SCENE] or left
    if len(left) > 1:
        raise RefusedError(f"it holds several robots: {', '.join(left[:4])}; leave one in it.")
    return left[0], alike[left[0]]


def _included(models: Mapping[str, str], members: Mapping[str, zipfile.ZipInfo]) -> set[str]:
    """The models that others include."""
    paths = {one.filename: path for path, one in members.items()}
    found = set[str]()
    for path, text in models.items():
        for tag in tags(text, "include"):
            if file := FILE.search(tag):
                one = found_in(members, PurePosixPath(path).parent, PurePosixPath(file[2][1:-1]))
                found |= {paths[one.filename]} - {path} if one else set()
    return found


def tags(text: str, *names: str) -> list[str]:
    """The tags with these names in a text, in order."""
    found = list[str]()

    def noted(tag: str) -> str:
        found.append(tag)
        return tag

    with_tags(text, names, noted)
    return found


def with_tags(text: str, names: Sequence[str], instead: Callable[[str], str]) -> str:
    """The text with each tag of these names, closing ones too, replaced; comments stay.

    Cost: linear in any text, however malformed.
    """
    if not any(name in text for name in names):
        return text
    is_comment = False

    def one(found: re.Match[str]) -> str:
        nonlocal is_comment
        if found[0] in ("<!--", "-->"):
            is_comment = found[0] == "<!--"
        return found[0] if is_comment or found[1] is None else instead(found[0])

    return re.sub(rf"<!--|-->|</?({'|'.join(names)})(?=[\s/>])[^<>]*>", one, text)


def elements(text: str) -> Element | None:
    """The XML tree of a text that a robot may have; None for any other: the robot's reader reports what is wrong."""
    if "<![CDATA[" in text:
        return None
    with contextlib.suppress(ParseError, ValueError, LookupError, DefusedXmlException):
        return _parsed(text)
    return None


def where_broken(text: str) -> str:
    """Where a text is not well-formed XML, in words; empty if it is."""
    try:
        with contextlib.suppress(ValueError, LookupError, DefusedXmlException):
            _parsed(text)
    except ParseError as error:
        return f": line {error.position[0]}, column {error.position[1]}"
    return ""


def _parsed(text: str) -> Element:
    parser = DefusedXMLParser(target=_LimitedTreeBuilder(), forbid_dtd=True)
    parser.feed(text)
    found: Element = parser.close()
    return found


class _LimitedTreeBuilder(TreeBuilder):
    """Builds an XML tree and refuses one that is too deep or too large."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = self._count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> Element:  # type: ignore[override]
        self._depth, self._count = self._depth + 1, self._count + 1
        if self._depth > DEEPEST or self._count > MOST_ELEMENTS:
            raise ValueError("too much")
        return super().start(tag, attributes)

    def end(self, tag: str) -> Element:
        self._depth -= 1
        return super().end(tag)


def found_in(
    members: Mapping[str, zipfile.ZipInfo], folder: PurePosixPath, path: PurePosixPath
) -> zipfile.ZipInfo | None:
    """The file that a name refers to: beside the robot's, in a package of the archive, or the only one of that name."""
    for place in (folder / path, path):
        if (known := members.get(straight(place))) is not None:
            return known
    parts = [part for part in path.parts if part not in ("/", "..", ".")]
    for k in range(len(parts)):  # a package's folder may have another name in the archive
        tail = tuple(parts[k:])
        alike = [one for name, one in members.items() if PurePosixPath(name).parts[-len(tail) :] == tail]
        if len(alike) == 1:
            return alike[0]
    return None


def straight(path: PurePosixPath) -> str:
    """The path without ``..`` and ``.``; it never leads out of the archive."""
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return str(PurePosixPath(*parts))


def read(archive: zipfile.ZipFile, one: zipfile.ZipInfo) -> bytes:
    """A file's content, up to the size that the archive states."""
    try:
        with archive.open(one) as file:
            data = file.read(one.file_size + 1)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError, ValueError):
        raise RefusedError("it cannot be unpacked") from None
    if len(data) != one.file_size:
        raise RefusedError("it cannot be unpacked")
    return data
