"""A file's elements with their lines, read and written: no document type or entities, bounded before they are kept."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from xml.etree import ElementTree
from xml.etree.ElementTree import ParseError
from xml.parsers.expat import errors
from xml.sax.saxutils import quoteattr

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from dynamics.checks import brief
from dynamics.errors import ModelError

MAXIMUM_BYTES = 20_000_000
MOST_ELEMENTS = 50_000
DEEPEST = MOST_ATTRIBUTES = 100
LONGEST_NUMBER = 9
PACKED = {
    b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b": "a gzip archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a RAR archive",
}
HEAD = 200
"""Bytes that a file's first line has at most, with its encoding."""
ENCODING = re.compile(rb"""<\?xml[^>]*encoding\s*=\s*["']([^"']*)""")
DECLARED, PREFIX = re.compile(rb"xmlns:([\w.-]+)"), re.compile(rb"[<\s/]([A-Za-z_][\w.-]*):[A-Za-z_]")
DECLARATION, ROOT = re.compile(rb"<\?xml\s[^>]*\?>"), re.compile(rb"<[A-Za-z_][\w.:-]*")
READ_AS_LATIN = "line 1: the file is not in UTF-8, and names no other encoding: read as Latin-1"
WORDS = "#text"
"""Where there are words between elements they stand as one of this tag, which no element can have."""
INCLUDED, END_OF_INCLUDED = "included", "end-of-included"
"""Instructions of a text that has taken others in: a file's lines begin here, from a number on, and end here."""


@dataclass(frozen=True, eq=False, slots=True)
class Element:
    """An element of a file.

    Attributes:
        tag: its name, behind ``{the name of its space}`` where it has one; so with attributes.
        attributes: by name.
        line: where it begins, from 1.
        inner: the elements in it.
        file: that the line is of, where another includes it; empty for the file itself.
    """

    tag: str
    attributes: Mapping[str, str]
    line: int
    inner: list[Element] = field(default_factory=list)
    file: str = ""

    @property
    def place(self) -> str:
        """Where it begins, as messages say it."""
        return place_of(self.line, self.file)

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


def place_of(line: int, file: str = "") -> str:
    """A line, and of which file where another includes it."""
    return f"line {line} of {brief(file)}" if file else f"line {line}"


def read_xml(data: bytes, where: str, file: str = "") -> tuple[Element, tuple[str, ...]]:
    """The root of a file, and remarks on how it was read.

    Args:
        data: the file's bytes.
        where: what messages call it, or what includes it.
        file: its name where another includes it.

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
    text = readable(data)
    reader = _Reader(where, file)
    try:
        reader.parser.feed(text)
        reader.parser.close()
    except DefusedXmlException as error:
        raise ModelError(
            f"{where} declares a document type or entities ({type(error).__name__}), which are refused as unsafe. "
            "Remove the <!DOCTYPE …> part."
        ) from None
    except (ParseError, ValueError, LookupError) as error:
        if isinstance(error, ModelError):
            raise
        words = str(error)
        if isinstance(error, ParseError):
            line = error.position[0]
            words = words.replace(place_of(line), reader.place(line))
        raise ModelError(f"{where} is not well-formed XML: {words}. Correct the file at that place.") from None
    return reader.file.inner[0], (READ_AS_LATIN,) if _is_latin(data) else ()


def readable(data: bytes) -> bytes:
    """A file's bytes as an XML parser takes them where laxer programs do: Latin-1 in UTF-8, prefixes declared, and a
    declaration left out that does not come first; all others as they are."""
    if _is_latin(data):
        data = data.decode("latin-1").encode()
    try:
        parser = DefusedXMLParser(target=object(), forbid_dtd=True)
        parser.feed(data)
    except (DefusedXmlException, ParseError, ValueError, LookupError) as error:
        if isinstance(error, ParseError) and error.code == errors.codes[errors.XML_ERROR_UNBOUND_PREFIX]:
            new = sorted({*PREFIX.findall(data)} - {b"xml", b"xmlns", *DECLARED.findall(data)})[:MOST_ATTRIBUTES]
            spaces = b"".join(b' xmlns:%s="urn:undeclared:%s"' % (prefix, prefix) for prefix in new)
            data = ROOT.sub(lambda tag: tag[0] + spaces, data, count=1)
        elif isinstance(error, ParseError) and error.code == errors.codes[errors.XML_ERROR_MISPLACED_XML_PI]:
            data = DECLARATION.sub(b"", data, count=1)
    return data


def _is_latin(data: bytes) -> bool:
    """Whether a file says that it is UTF-8, or nothing, and is not."""
    with suppress(UnicodeDecodeError):
        data.decode("utf-8")
        return False
    named = ENCODING.search(data[:HEAD])
    return not data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) and (named is None or named[1].lower() == b"utf-8")


class _Reader:
    """What a parser tells of a file is counted, and kept with its lines."""

    def __init__(self, where: str, name: str) -> None:
        self.file = Element("", {}, 0)
        self._name, self._shift, self._around = name, 0, list[tuple[str, int, int]]()
        self._where, self._open, self._count = where, [self.file], 0
        self.parser = DefusedXMLParser(target=self, forbid_dtd=True)

    def place(self, line: int) -> str:
        """Of a line of the text, in the file that it is of."""
        return place_of(line + self._shift, self._name)

    def pi(self, kind: str, words: str = "") -> None:
        """What is said of the text's lines; nothing else is meant for this program."""
        now = self.parser.parser.CurrentLineNumber
        if kind == INCLUDED:
            line, _, name = words.partition(" ")
            if len(self._around) == DEEPEST or not (line.isdecimal() and len(line) < LONGEST_NUMBER):
                raise ModelError(f"{self._where}, {self.place(now)}: <?{INCLUDED}?> is wrong. Leave it out.")
            self._around.append((self._name, self._shift, now))
            self._name, self._shift = name, int(line) - now
        elif kind == END_OF_INCLUDED and self._around:
            self._name, shift, begun = self._around.pop()
            self._shift = shift - (now - begun)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        now = self.parser.parser.CurrentLineNumber
        place = f"{self._where}, {self.place(now)}"
        self._count += 1
        if self._count > MOST_ELEMENTS:
            raise ModelError(
                f"{self._where} has more than {MOST_ELEMENTS} elements ({self.place(now)}); expected one robot. "
                "Leave out what is repeated."
            )
        if len(self._open) > DEEPEST:
            raise ModelError(f"{place}: {DEEPEST} elements stand in each other; expected a robot.")
        if len(attributes) > MOST_ATTRIBUTES:
            raise ModelError(f"{place}: an element of {len(attributes)} attributes is no robot's.")
        element = Element(tag, attributes, now + self._shift, file=self._name)
        self._open[-1].inner.append(element)
        self._open.append(element)

    def end(self, _: str) -> None:
        self._open.pop()

    def data(self, words: str) -> None:
        around = self._open[-1]
        if words.strip() and not (around.inner and around.inner[-1].tag == WORDS):
            around.inner.append(Element(WORDS, {}, around.line, file=around.file))

    def close(self) -> None:
        """Nothing is left to do."""


def first_tag(data: bytes) -> str:
    """What a file begins with; nothing where that is no element."""
    reader = _First()
    with suppress(_FoundError, DefusedXmlException, ParseError, ValueError, LookupError):
        reader.parser.feed(data)
    return reader.tag


def written(root: Element) -> tuple[str, list[str]]:
    """A file with the same elements, each on a line of its own, and the places of these in what it was read from."""
    parts, places = list[str](), list[str]()

    def write(element: Element) -> None:
        places.append(element.place)
        attributes = "".join(f" {name}={quoteattr(text)}" for name, text in element.attributes.items())
        parts.append(f"\n<{element.tag}{attributes}>")
        for inner in element.inner:
            write(inner)
        parts.append(f"</{element.tag}>")

    write(root)
    return "".join(parts).lstrip("\n"), places


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
