"""A file's elements with their lines, read and written: no document type or entities, bounded before they are kept."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from xml.etree import ElementTree
from xml.etree.ElementTree import ParseError
from xml.sax.saxutils import quoteattr

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from dynamics.errors import ModelError

MAXIMUM_BYTES = 20_000_000
MOST_ELEMENTS = 50_000
DEEPEST = MOST_ATTRIBUTES = 100
PACKED = {
    b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b": "a gzip archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a RAR archive",
}
WORDS = "#text"
"""Where there are words between elements they stand as one of this tag, which no element can have."""


@dataclass(frozen=True, eq=False, slots=True)
class Element:
    """An element of a file.

    Attributes:
        tag: its name, behind ``{the name of its space}`` where it has one; so with attributes.
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

    def as_tree(self) -> ElementTree.Element:
        """As the standard library has it."""
        found = ElementTree.Element(self.tag, dict(self.attributes))
        found.extend(element.as_tree() for element in self.inner)
        return found

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
    packed = next((kind for head, kind in PACKED.items() if data.startswith(head)), "")
    if packed:
        raise ModelError(
            f"{where} is {packed}, not text; expected a robot file. Unpack it, and give the robot file in it."
        )
    reader = _Reader(where)
    try:
        reader.parser.feed(data)
        reader.parser.close()
    except DefusedXmlException as error:
        raise ModelError(
            f"{where} declares a document type or entities ({type(error).__name__}), which are refused as unsafe. "
            "Remove the <!DOCTYPE …> part."
        ) from None
    except (ParseError, ValueError, LookupError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"{where} is not well-formed XML: {error}. Correct the file at that place.") from None
    return reader.file.inner[0], frozenset(reader.spaces)


class _Reader:
    """What a parser tells of a file is counted, and kept with its lines."""

    def __init__(self, where: str) -> None:
        self.file, self.spaces = Element("", {}, 0), set[str]()
        self._where, self._open, self._count = where, [self.file], 0
        self._prefixes: dict[str, str] = {}
        self.parser = DefusedXMLParser(target=self, forbid_dtd=True)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.parser.parser.CurrentLineNumber
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
        if tag.startswith("{"):
            space = tag[1:].partition("}")[0]
            self.spaces.add(f"{self._prefixes.get(space)}: {space}")
        self._open[-1].inner.append(element)
        self._open.append(element)

    def end(self, _: str) -> None:
        self._open.pop()

    def data(self, words: str) -> None:
        around = self._open[-1]
        if words.strip() and not (around.inner and around.inner[-1].tag == WORDS):
            around.inner.append(Element(WORDS, {}, around.line))

    def start_ns(self, prefix: str, space: str) -> None:
        self._prefixes[space] = prefix

    def close(self) -> None:
        """Nothing is left to do."""


def first_tag(data: bytes) -> str:
    """What a file begins with; nothing where that is no element."""
    reader = _First()
    with suppress(_FoundError, DefusedXmlException, ParseError, ValueError, LookupError):
        reader.parser.feed(data)
    return reader.tag


def written(root: Element) -> str:
    """A file with the same elements, each on its line: whatever reads it tells of the lines of the first."""
    parts, line = list[str](), 1

    def write(element: Element) -> None:
        nonlocal line
        parts.append("\n" * (element.line - line))
        line = max(line, element.line)
        attributes = "".join(f" {name}={quoteattr(text)}" for name, text in element.attributes.items())
        parts.append(f"<{element.tag}{attributes}>")
        for inner in element.inner:
            write(inner)
        parts.append(f"</{element.tag}>")

    write(root)
    return "".join(parts)


class _FoundError(Exception):
    """The first element has come."""


class _First:
    """Of what a parser tells, the first element's tag."""

    def __init__(self) -> None:
        self.tag = ""
        self.parser = DefusedXMLParser(target=self, forbid_dtd=True)

    def start(self, tag: str, _: dict[str, str]) -> None:
        self.tag = tag
        raise _FoundError

    def close(self) -> None:
        """Nothing is left to do."""
