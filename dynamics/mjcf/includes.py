"""Inserts the other files that a model on disk includes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os.path import relpath
from pathlib import Path

from dynamics.checks import brief
from dynamics.descriptions.xml import DEEPEST, MAXIMUM_BYTES, MOST_ELEMENTS, Element, read_xml
from dynamics.errors import ModelError

MOST_FILES = 50


def with_included(root: Element, folder: Path, where: str) -> tuple[Element, tuple[str, ...]]:
    """The model with everything it includes, each element with its file; and remarks on how these were read.

    Raises:
        ModelError: for a missing file, one that is named twice, or an exceeded limit.
    """
    including = _IncludeReader(folder.resolve(), where)
    return including.expanded(root), (*including.remarks,)


def read_part(folder: Path, element: Element, where: str) -> tuple[Path, bytes]:
    """The file that an element names, and its content.

    Raises:
        ModelError: for a file that cannot be read.
    """
    named = element.get("file") or ""
    try:
        path = (folder / named).resolve()
        with path.open("rb") as file:
            return path, file.read(MAXIMUM_BYTES + 1)
    except (OSError, ValueError):
        place = f"{where}, {element.place}: <{element.tag}> of {brief(named)}"
        raise ModelError(f"{place} cannot be read. Give an existing file.") from None


class _IncludeReader:
    def __init__(self, folder: Path, where: str) -> None:
        self._folder, self._where = folder, where
        self._known, self._elements = set[Path](), 0
        self.remarks = list[str]()

    def expanded(self, element: Element, depth: int = 0) -> Element:
        self._elements += 1
        if depth > DEEPEST:
            raise ModelError(f"{self._where}: with what it includes, {DEEPEST} elements are nested.")
        if self._elements > MOST_ELEMENTS:
            raise ModelError(f"{self._where} includes more than {MOST_ELEMENTS} elements; expected one robot.")
        inner = list(self._inner(element.inner, depth + 1))
        return Element(element.tag, element.attributes, element.line, inner, element.file)

    def _inner(self, elements: Iterable[Element], depth: int) -> Iterator[Element]:
        for child in elements:
            if child.tag == "include":
                if depth > DEEPEST:
                    raise ModelError(f"{self._where}, {child.place}: too many files include one another here.")
                yield from self._inner(self._included(child), depth + 1)
            else:
                yield self.expanded(child, depth)

    def _included(self, include: Element) -> list[Element]:
        folder = self._folder
        if include.file and not (folder / (include.get("file") or "")).is_file():
            folder = (folder / include.file).parent  # the folder of the including file
        path, data = read_part(folder, include, self._where)
        if path in self._known or len(self._known) == MOST_FILES:
            place = f"{self._where}, {include.place}: <include> of {brief(include.get('file'))}"
            raise ModelError(f"{place}: a file is included twice, or more than {MOST_FILES} are. Leave that out.")
        self._known.add(path)
        part, read = read_xml(data, self._where, Path(relpath(path, self._folder)).as_posix())
        self.remarks += read
        return part.inner
