"""A file's elements in a form that can be edited, edits of them and of the file's own text, and the findings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array, brief
from dynamics.record import Record
from dynamics.robot_files.urdf_elements import DOUBLE, KEPT, LONGEST
from dynamics.robot_files.xml import WORDS, Element, place_of

Weight = Literal["wrong", "doubtful", "note"]


@dataclass(frozen=True, eq=False)
class Finding(Record):
    """A place in a robot's file that is wrong or probably wrong, and how to fix it.

    Attributes:
        kind: the fault in a word or two, such as ``triangle inequality``; the same for the same fault elsewhere.
        weight: ``wrong`` is impossible, ``doubtful`` may be right, ``note`` reports how the file was read.
        line: in the file, from 1; 0 if unknown.
        where: the element, such as ``link 'forearm'``.
        words: what is there.
        remedy: how to fix it; empty if only its author can.
        edits: the remedy as edits of the file.
        file: the included file that the line is in; empty for the robot's own.
        changes: what the edits change, with the numbers before and after, such as ``mass 1 → 2 kg``.
    """

    kind: str
    weight: Weight
    line: int
    where: str
    words: str
    remedy: str = ""
    edits: tuple[Edit, ...] = ()
    file: str = ""
    changes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The whole finding in one line."""
        line = place_of(self.line, self.file) if self.line else ""
        place = ", ".join(part for part in (line, self.where) if part)
        remedy = f" Remedy: {self.remedy}." if self.remedy else ""
        return f"{place}: {self.words}.{remedy}"


@dataclass(frozen=True, eq=False)
class Edit(Record):
    """An attribute set to a new value.

    Attributes:
        at: the number of an element in its file, from 0.
        name: of the attribute.
        value: of the attribute.
        path: tags that lead from that element to the one with the attribute; those that are missing are added.
    """

    at: int
    name: str
    value: str
    path: tuple[str, ...] = ()


@dataclass(eq=False)
class Draft:
    """An element with its number in the text; elements that no robot language has are not included."""

    number: int
    tag: str
    attributes: dict[str, str]
    line: int
    inner: list[Draft] = field(default_factory=list)

    def get(self, attribute: str) -> str | None:
        return self.attributes.get(attribute)

    @property
    def name(self) -> str:
        return self.attributes.get("name", "")

    @property
    def title(self) -> str:
        """The element's name in a finding."""
        return f"{self.tag} {brief(self.name)}" if self.name else f"<{brief(self.tag)[1:-1]}>"

    def first(self, *path: str) -> Draft | None:
        """The first element with a tag, within this one, and so on along a path."""
        found: Draft | None = self
        for tag in path:
            found = None if found is None else next((each for each in found.inner if each.tag == tag), None)
        return found

    def all(self, tag: str) -> list[Draft]:
        return [each for each in self.inner if each.tag == tag]

    def every(self) -> Iterator[Draft]:
        """This element and all within it."""
        yield self
        for each in self.inner:
            yield from each.every()

    def known(self) -> Iterator[Draft]:
        """This element and all within it that a robot file has there: nothing of other programs."""
        yield self
        for each in self.inner:
            if each.tag in KEPT.get(self.tag, ()):
                yield from each.known()

    def numbers(self, attribute: str, count: int) -> Array | None:
        """The numbers of an attribute; None if there are not ``count`` valid ones."""
        return numbers_of(self.attributes.get(attribute, ""), count)

    def set(self, attribute: str, *values: float | str) -> Edit:
        """Sets an attribute to numbers as ``text_of`` writes them."""
        texts = (value if isinstance(value, str) else text_of(value) for value in values)
        return Edit(self.number, attribute, " ".join(texts))


def text_of(values: ArrayLike) -> str:
    """Numbers with all their digits."""
    return " ".join(repr(float(value)) for value in np.ravel(values))


def numbers_of(text: str, count: int) -> Array | None:
    """``count`` finite numbers, or None."""
    parts = text.split() if len(text) <= LONGEST else []
    if len(parts) != count or not all(DOUBLE.fullmatch(part) for part in parts):
        return None
    values = np.array([float(part) for part in parts])
    return values if np.isfinite(values).all() else None


def drafted(root: Element) -> Draft:
    """The elements of a file, numbered in document order, those that only other programs read included."""
    count = -1

    def copy(element: Element) -> Draft:
        nonlocal count
        count += 1
        own = {name: text for name, text in element.attributes.items() if not name.startswith("{")}
        draft = Draft(count, element.tag, own, element.line)
        inner = [copy(each) for each in element.inner if each.tag != WORDS]
        draft.inner = [each for each in inner if not each.tag.startswith("{")]
        return draft

    return copy(root)


def edited(root: Draft, edits: Iterable[Edit]) -> Draft:
    """A copy with edits applied to the elements that it has."""

    def copied(old: Draft) -> Draft:
        return Draft(old.number, old.tag, dict(old.attributes), old.line, [copied(each) for each in old.inner])

    copy = copied(root)
    known = {each.number: each for each in copy.every()}
    for edit in edits:
        if (draft := known[edit.at].first(*edit.path)) is not None:
            draft.attributes[edit.name] = edit.value
    return copy


def changes(root: Draft, several: Iterable[Iterable[Edit]]) -> Iterator[tuple[str, ...]]:
    """What edits change: each number before and after, a line for each link if there are several."""
    known = {each.number: each for each in root.every()}
    bodies = (each for each in known.values() if each.tag in ("link", "body"))
    link_of = {each.number: body.name for body in bodies for each in body.every()}  # the innermost
    for edits in several:
        by_link = dict[str, list[str]]()
        for edit in edits:
            own = known[edit.at].first(*edit.path)
            old, new = _brief(None if own is None else own.get(edit.name)), _brief(edit.value)
            if old != new:
                tag = (known[edit.at].tag, *edit.path)[-1]
                by_link.setdefault(link_of.get(edit.at, ""), []).append(f"{tag} {edit.name} {old} → {new}")
        yield tuple(f"{link}: " * (len(by_link) > 1) + ", ".join(dict.fromkeys(each)) for link, each in by_link.items())


def _brief(text: str | None) -> str:
    """Numbers to four digits."""
    if text is None:
        return "none"
    values = numbers_of(text, len(text.split()))
    return text if values is None else " ".join(f"{value:.4g}" for value in values)


PAIR = r"""\s+([^\s=/>]+)\s*=\s*("[^"]*"|'[^']*')"""
ATTRIBUTE = re.compile(PAIR)
TAG = re.compile(rf"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<(/?)([^\s/>!?]+)((?:{PAIR})*)(\s*/?)>", re.DOTALL)
"""Also matches constructs that are not tags but may contain what looks like one."""
ENCODING = re.compile(r"""\s+encoding\s*=\s*["']([^"']*)["']""")


@dataclass(eq=False)
class _Place:
    """An element in the text: its start tag, the position of its end tag, and the first element of each tag in it."""

    start: re.Match[str]
    close: int | None = None
    inner: dict[str, _Place] = field(default_factory=dict)


def mended_text(data: bytes, edits: Iterable[Edit]) -> str:
    """A well-formed file's text with edits applied, to be encoded in UTF-8.

    Everything else stays exactly as written, and each element on its line; a new one is the last child of its parent.
    """
    text = _decoded(data)
    places, known, new = _places(text), dict[_Place, dict[str, str]](), dict[_Place, ElementTree.Element]()
    for edit in edits:
        place, path = places[edit.at], edit.path
        while path and path[0] in place.inner:
            place, path = place.inner[path[0]], path[1:]
        if not path:
            known.setdefault(place, {})[edit.name] = edit.value
            continue
        element = new.setdefault(place, ElementTree.Element("new"))
        for tag in path:
            inner = element.find(tag)
            element = ElementTree.SubElement(element, tag) if inner is None else inner
        element.set(edit.name, edit.value)
    replaced = [each for place, values in known.items() for each in _of_attributes(place.start, values)]
    for place, element in new.items():
        words = "".join(ElementTree.tostring(each, encoding="unicode") for each in element)
        if place.close is None:
            replaced.append((place.start.start(6), place.start.end(), f">{words}</{place.start[2]}>"))
        else:
            replaced.append((place.close, place.close, words))
    parts, at = list[str](), 0
    for start, end, words in sorted(replaced):
        parts += [text[at:start], words]
        at = end
    return "".join([*parts, text[at:]])


def _decoded(data: bytes) -> str:
    """The text without its encoding declaration."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16")
    else:
        declared = ENCODING.search(data.partition(b"?>")[0].decode("latin-1")) if data.startswith(b"<?xml") else None
        text = data.decode(declared[1] if declared else "utf-8-sig")
    head, end, rest = text.removeprefix("\ufeff").partition("?>")
    return f"{ENCODING.sub('', head) if head.startswith('<?xml') else head}{end}{rest}"


def _places(text: str) -> list[_Place]:
    """All elements, in document order."""
    found, within = list[_Place](), list[_Place]()
    for tag in TAG.finditer(text):
        if tag[2] is None:
            continue
        if tag[1]:
            within.pop().close = tag.start()
            continue
        found.append(place := _Place(tag))
        if within:
            within[-1].inner.setdefault(tag[2], place)
        if "/" not in tag[6]:
            within.append(place)
    return found


def _of_attributes(tag: re.Match[str], values: dict[str, str]) -> Iterator[tuple[int, int, str]]:
    """Replacements in a start tag: each where it begins, where it ends, and its text."""
    rest = dict(values)
    for found in ATTRIBUTE.finditer(tag.string, tag.start(3), tag.end(3)):
        value, old = rest.pop(found[1], None), found[2][1:-1]
        if value is not None and (words := quoteattr(_as_it_was(old, value)))[1:-1] != old:
            yield *found.span(2), words
    if rest:
        yield tag.end(3), tag.end(3), "".join(f" {name}={quoteattr(text)}" for name, text in rest.items())


def _as_it_was(before: str, after: str) -> str:
    """Equal numbers keep their original spelling."""
    old, new = before.split(), after.split()
    one, other = numbers_of(before, len(old)), numbers_of(after, len(old))
    return after if one is None or other is None else " ".join(np.where(one == other, old, new))
