"""A file's elements with their lines: no document type, no entities, and bounded before they are kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from dynamics.checks import brief
from dynamics.errors import ModelError

MAXIMUM_BYTES = 20_000_000
MOST_ELEMENTS = 50_000
DEEPEST = MOST_ATTRIBUTES = 100


@dataclass(frozen=True, eq=False, slots=True)
class Element:
    """An element of a file.

    Attributes:
        tag: its name, behind the name of its space and a blank where it has one; so with attributes.
        attributes: by name.
        line: where it begins, from 1.
        inner: the elements in it.
    """

    tag: str
    attributes: Mapping[str, str]
    line: int
    inner: list[Element] = field(default_factory=list)

    def get(self, attribute: str) -> str | None:
        return self.attributes.get(attribute)

    def all(self, tag: str) -> list[Element]:
        return [element for element in self.inner if element.tag == tag]

    def first(self, tag: str) -> Element | None:
        return next((element for element in self.inner if element.tag == tag), None)


def read_xml(data: bytes, where: str) -> tuple[Element, frozenset[str]]:
    """The root of a file, and the prefixes and names of the spaces that its elements are in.

    Args:
        data: the file's bytes.
        where: what messages call it.

    Raises:
        ModelError: a file that is too large, has too many elements or too deep ones, is no XML, or declares a document
            type or entities. What is too much is refused where it begins.
    """
    if len(data) > MAXIMUM_BYTES:
        raise ModelError(
            f"{where} has {len(data)} bytes; expected at most {MAXIMUM_BYTES}. Leave meshes in files of their own."
        )
    reader = _Reader(where)
    try:
        reader.parser.Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"{where} is not well-formed XML: {error}. Correct the file at that place.") from None
    return reader.root.inner[0], frozenset(reader.spaces)


class _Reader:
    def __init__(self, where: str) -> None:
        self.root, self.spaces = Element("", {}, 0), set[str]()
        self._where, self._open, self._count = where, [self.root], 0
        self._prefixes: dict[str, str] = {}
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler, self.parser.EndElementHandler = self._start, self._end
        self.parser.StartNamespaceDeclHandler = self._name_space
        self.parser.StartDoctypeDeclHandler = self._refuse_document_type

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.parser.CurrentLineNumber
        self._count += 1
        if self._count > MOST_ELEMENTS:
            raise ModelError(
                f"{self._where} has more than {MOST_ELEMENTS} elements (line {line}); expected one robot. "
                "Leave out what is repeated."
            )
        if len(self._open) > DEEPEST:
            raise ModelError(f"{self._where}, line {line}: {DEEPEST} elements stand in each other; expected a robot.")
        if len(attributes) > MOST_ATTRIBUTES:
            raise ModelError(f"{self._where}, line {line}: an element of {len(attributes)} attributes is no robot's.")
        element = Element(tag, attributes, line)
        space = tag.partition(" ")[0] if " " in tag else ""
        if space:
            self.spaces.add(f"{self._prefixes.get(space)}: {space}")
        self._open[-1].inner.append(element)
        self._open.append(element)

    def _name_space(self, prefix: str | None, space: str | None) -> None:
        self._prefixes[space or ""] = prefix or ""

    def _end(self, _: str) -> None:
        self._open.pop()

    def _refuse_document_type(self, name: str, *_: Any) -> None:
        raise ModelError(
            f"{self._where} declares a document type or entities ({brief(name)}), which are refused as unsafe. "
            "Remove the <!DOCTYPE …> part."
        )
