"""Reads and writes a file's elements with their lines: no document type or entities, size limits while reading."""

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
from dynamics.checks import text as require_text
from dynamics.errors import ModelError

MAXIMUM_BYTES = 20_000_000
MOST_ELEMENTS = 50_000
DEEPEST, MOST_ATTRIBUTES = 250, 100
LONGEST_NUMBER = 9
PACKED = {
    b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b": "a gzip archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a RAR archive",
}
PIECE = 4096
HEAD = 200
"""Bytes at a file's beginning in which its encoding is looked for."""
ENCODING = re.compile(rb"""(<\?xml[^>]*?)\s+encoding\s*=\s*["'](?!(?i:utf-8)["'])([^"']*)["']""")
"""A declared encoding other than UTF-8."""
DECLARED, PREFIX = re.compile(rb"xmlns:([\w.-]+)"), re.compile(rb"[<\s/]([A-Za-z_][\w.-]*):[A-Za-z_]")
DECLARATION, ROOT = re.compile(rb"<\?xml\s[^>]*\?>"), re.compile(rb"<[A-Za-z_][\w.:-]*")
COMMENT = re.compile(rb"<!--(.*?)(-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)", re.DOTALL)
"""A comment, which contains no elements; or CDATA, which contains no comments."""
DOCTYPE, SPACE = re.compile(rb"<!DOCTYPE\s[^\[\]<>]*>"), re.compile(rb"""\sxmlns\s*=\s*("[^"<]*"|'[^'<]*')""")
"""A document type that declares nothing; the default namespace."""
BLANK = bytes(byte if byte in b"\r\n" else ord(" ") for byte in range(256))
READ_AS_LATIN = "the file is not in UTF-8, and names no other encoding that is known: read as Latin-1"
WORDS = "#text"
"""The tag of text between elements, which no element can have."""
INCLUDED, END_OF_INCLUDED = "included", "end-of-included"
"""Processing instructions where an included file's lines begin, from a given number on, and end."""


@dataclass(frozen=True, eq=False, slots=True)
class Element:
    """An element of a file.

    Attributes:
        tag: its name, after ``{namespace}`` if it has one; the same for attributes.
        attributes: by name.
        line: the line where it begins, from 1.
        inner: the elements in it.
        file: the file of the line, if another file includes it; empty for the file itself.
    """

    tag: str
    attributes: Mapping[str, str]
    line: int
    inner: list[Element] = field(default_factory=list)
    file: str = ""

    @property
    def place(self) -> str:
        """Where it begins, as in messages."""
        return place_of(self.line, self.file)

    def get(self, attribute: str) -> str | None:
        return self.attributes.get(attribute)

    def as_tree(self) -> ElementTree.Element:
        """The element as a standard-library tree."""
        found = ElementTree.Element(self.tag, dict(self.attributes))
        found.extend(element.as_tree() for element in self.inner)
        return found

    def all(self, tag: str) -> list[Element]:
        return [element for element in self.inner if element.tag == tag]

    def first(self, tag: str) -> Element | None:
        return next((element for element in self.inner if element.tag == tag), None)


def place_of(line: int, file: str = "") -> str:
    """A line, and its file if another file includes it."""
    return f"line {line} of {brief(file)}" if file else f"line {line}"


def bytes_of(text: str | bytes, name: str) -> bytes:
    """A robot file's content; what is neither text nor bytes is refused, and so is a name that is no text."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    require_text(name, "name", ModelError)
    if not isinstance(data, bytes | bytearray):
        raise ModelError(f"robot file {brief(name)} is {brief(text)}; expected its text or its bytes.")
    return data


def read_xml(data: bytes, where: str, file: str = "") -> tuple[Element, tuple[str, ...]]:
    """The root of a file, and remarks on how it was read; ``file`` is its name if the file ``where`` includes it.

    A file that is too large, has too many elements or too deep ones, is not XML, or declares entities is
    refused. Parsing stops where a limit is exceeded.
    """
    if len(data) > MAXIMUM_BYTES:
        raise ModelError(
            f"{where} has {len(data)} bytes; expected at most {MAXIMUM_BYTES}. Leave meshes in files of their own."
        )
    if packed := next((kind for head, kind in PACKED.items() if data.startswith(head)), ""):
        raise ModelError(
            f"{where} is {packed}, not text; expected a robot file. Unpack it, and give the robot file in it."
        )
    text, reader = readable(data), _Reader(where, file)
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
    is_latin = not _is_utf(data) and not _is_known(data)
    return reader.file.inner[0], (f"{place_of(1, file)}: {READ_AS_LATIN}",) if is_latin else ()


def readable(data: bytes) -> bytes:
    """A file's bytes, repaired so that an XML parser accepts what laxer programs do; elements keep their lines.

    Latin-1 becomes UTF-8, dashes in comments are replaced, prefixes are declared. An unknown encoding,
    a document type that declares nothing, the default namespace and a misplaced declaration are left out.
    """
    if not _is_known(data):
        data = data if _is_utf(data) else data.decode("latin-1").encode()
        data = ENCODING.sub(rb"\1", data[:HEAD], count=1) + data[HEAD:]
    data = COMMENT.sub(lambda found: b"<!--%s-->" % _undashed(found[1]) if found[2] else found[0], data)
    bare = COMMENT.sub(lambda found: _blank(found[0]), data)
    if (document := DOCTYPE.search(bare)) is not None:
        data, bare = (_without(text, document.span()) for text in (data, bare))
    if (root := ROOT.search(bare)) is not None:
        space = SPACE.search(bare, root.end(), max(bare.find(b">", root.end()), root.end()))
        if space is not None and b"xacro" not in space[1]:
            data, bare = (_without(text, space.span()) for text in (data, bare))
    try:
        parser = DefusedXMLParser(target=object(), forbid_dtd=True)
        parser.feed(data)
    except (DefusedXmlException, ParseError, ValueError, LookupError) as error:
        code = errors.messages.get(error.code) if isinstance(error, ParseError) else None
        if code == errors.XML_ERROR_UNBOUND_PREFIX and root is not None:
            new = sorted({*PREFIX.findall(bare)} - {b"xml", b"xmlns", *DECLARED.findall(bare)})[:MOST_ATTRIBUTES]
            spaces = b"".join(b' xmlns:%s="urn:undeclared:%s"' % (prefix, prefix) for prefix in new)
            data = data[: root.end()] + spaces + data[root.end() :]
        elif code == errors.XML_ERROR_MISPLACED_XML_PI and (declaration := DECLARATION.search(bare)) is not None:
            data = _without(data, declaration.span())
    return data


def _undashed(comment: bytes) -> bytes:
    """A comment's text without dashes that would end it."""
    softened = comment.replace(b"--", b"==")
    return softened[:-1] + b"=" if softened.endswith(b"-") else softened


def _blank(text: bytes) -> bytes:
    return text.translate(BLANK)


def _without(text: bytes, span: tuple[int, int]) -> bytes:
    start, end = span
    return text[:start] + _blank(text[start:end]) + text[end:]


def _is_utf(data: bytes) -> bool:
    with suppress(UnicodeDecodeError):
        data.decode("utf-8")
        return True
    return data.startswith((BOM_UTF16_LE, BOM_UTF16_BE))


def _is_known(data: bytes) -> bool:
    """Whether a file names an encoding that the parser knows, other than UTF-8."""
    if (named := ENCODING.search(data[:HEAD])) is not None:
        with suppress(DefusedXmlException, ParseError, ValueError, LookupError):
            DefusedXMLParser(target=object()).feed(b'<?xml version="1.0" encoding="%s"?><a>\xe9</a>' % named[2])
            return True
    return False


class _Reader:
    """A parser target that counts elements, and keeps them with their lines."""

    def __init__(self, where: str, name: str) -> None:
        self.file = Element("", {}, 0)
        self._name, self._shift, self._around = name, 0, list[tuple[str, int, int]]()
        self._where, self._open, self._count = where, [self.file], 0
        self.parser = DefusedXMLParser(target=self, forbid_dtd=True)

    def place(self, line: int) -> str:
        """The place of a line of the text, in its own file."""
        return place_of(line + self._shift, self._name)

    def pi(self, kind: str, words: str = "") -> None:
        """Handle the instructions about line numbers; others are not for this program."""
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
            raise ModelError(f"{place}: {DEEPEST} elements are nested; expected a robot.")
        if len(attributes) > MOST_ATTRIBUTES:
            raise ModelError(f"{place}: an element has {len(attributes)} attributes; expected a robot.")
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
    """The first element's tag; empty if there is none. Little more of the file is parsed."""
    text, reader = readable(data), _Reader("", "")
    with suppress(DefusedXmlException, ParseError, ValueError, LookupError):
        for start in range(0, len(text), PIECE):
            reader.parser.feed(text[start : start + PIECE])
            if reader.file.inner:
                break
    return reader.file.inner[0].tag if reader.file.inner else ""


def written(root: Element) -> tuple[str, list[str]]:
    """A file with the same elements, each on its own line, and their places in the original."""
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
