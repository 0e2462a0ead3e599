"""A file's own text with edits applied: everything else stays exactly as written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

import numpy as np

from dynamics.review.draft import Edit, numbers_of

PAIR = r"""\s+([^\s=/>]+)\s*=\s*("[^"]*"|'[^']*')"""
ATTRIBUTE = re.compile(PAIR)
TAG = re.compile(rf"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<(/?)([^\s/>!?]+)((?:{PAIR})*)(\s*/?)>", re.DOTALL)
"""Also matches constructs that are not tags but may contain what looks like one."""
ENCODING = re.compile(r"""\s+encoding\s*=\s*["']([^"']*)["']""")


class Place(NamedTuple):
    """The position of an element: its start tag, the start of its end tag, and its end; equal for an empty one."""

    first: re.Match[str]
    close: int
    end: int

    @property
    def is_empty(self) -> bool:
        return self.close == self.first.start()


class Change(NamedTuple):
    """Replacement text for the span from ``start`` to ``end``."""

    start: int
    end: int
    words: str


def mended_text(data: bytes, edits: Iterable[Edit]) -> str:
    """A file's text with edits applied.

    Args:
        data: the file, well-formed.
        edits: of its elements, by their numbers; a new element becomes the last child of its parent.

    Returns:
        The text, to be encoded in UTF-8; each element stays on its line.
    """
    text, made = _decoded(data), list(edits)
    parts, at = list[str](), 0
    for change in sorted(_changes(text, made)):
        if change.start >= at:  # otherwise it is within removed text
            parts += [text[at : change.start], change.words]
            at = change.end
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


def _places(text: str) -> list[Place]:
    """All elements, in document order."""
    found, within = list[Place](), list[int]()
    for tag in TAG.finditer(text):
        if tag[2] is None:
            continue
        if tag[1]:
            number = within.pop()
            found[number] = Place(found[number].first, tag.start(), tag.end())
        else:
            found.append(Place(tag, tag.start(), tag.end()))
            within += [len(found) - 1] if "/" not in tag[6] else []
    return found


def _changes(text: str, edits: list[Edit]) -> Iterator[Change]:
    places = _places(text)
    attributes = dict[int, dict[str, str]]()
    for edit in edits:
        if edit.act == "set":
            attributes.setdefault(edit.at, {})[edit.name] = edit.value
    inserted = {edit.number: edit for edit in edits if edit.act == "insert"}

    def written(new: Edit) -> str:
        own = "".join(f" {name}={quoteattr(value)}" for name, value in attributes.get(new.number, {}).items())
        inner = "".join(written(each) for each in inserted.values() if each.at == new.number)
        return f"<{new.name}{own}>{inner}</{new.name}>"

    for number, values in attributes.items():
        if number < len(places):
            yield from _of_attributes(places[number].first, values)
    for at in {edit.at for edit in inserted.values() if edit.at < len(places)}:
        place, words = places[at], "".join(written(each) for each in inserted.values() if each.at == at)
        if place.is_empty:
            yield Change(place.first.start(6), place.end, f">{words}</{place.first[2]}>")
        else:
            yield Change(place.close, place.close, words)
    for at in {edit.at for edit in edits if edit.act == "remove" and edit.at < len(places)}:
        start, end = places[at].first.start(), places[at].end
        yield Change(start, end, "\n" * text.count("\n", start, end))


def _of_attributes(tag: re.Match[str], values: dict[str, str]) -> Iterator[Change]:
    known = set[str]()
    for found in ATTRIBUTE.finditer(tag.string, tag.start(3), tag.end(3)):
        known.add(name := found[1])
        old = found[2][1:-1]
        if name in values and (words := quoteattr(_as_it_was(old, values[name])))[1:-1] != old:
            yield Change(*found.span(2), words)
    added = "".join(f" {name}={quoteattr(text)}" for name, text in values.items() if name not in known)
    if added:
        yield Change(tag.end(3), tag.end(3), added)


def _as_it_was(before: str, after: str) -> str:
    """Equal numbers keep their original spelling."""
    old, new = before.split(), after.split()
    one, other = numbers_of(before, len(old)), numbers_of(after, len(old))
    return after if one is None or other is None else " ".join(np.where(one == other, old, new))
