"""A file's own text with edits made in it: what is not mended stays as it was written, to the letter."""

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
"""Also what is no tag, though it may hold what looks like one."""
ENCODING = re.compile(r"""\s+encoding\s*=\s*["']([^"']*)["']""")


class Place(NamedTuple):
    """Where an element stands: its first tag, the start of its last one, and its end; both those of an empty one."""

    first: re.Match[str]
    close: int
    end: int

    @property
    def is_empty(self) -> bool:
        return self.close == self.first.start()


class Change(NamedTuple):
    """Words in place of those from ``start`` to ``end``."""

    start: int
    end: int
    words: str


def mended_text(data: bytes, edits: Iterable[Edit]) -> str:
    """A file's text with edits made.

    Args:
        data: the file, well-formed.
        edits: of its elements, by their numbers in it; a new one stands last in the element around it.

    Returns:
        The text, to be encoded in UTF-8; each element is on the line that it was on.
    """
    text, made = _decoded(data), list(edits)
    parts, at = list[str](), 0
    for change in sorted(_changes(text, made)):
        if change.start >= at:  # else within what is removed
            parts += [text[at : change.start], change.words]
            at = change.end
    return "".join([*parts, text[at:]])


def _decoded(data: bytes) -> str:
    """The text, which declares no encoding any more."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16")
    else:
        declared = ENCODING.search(data.partition(b"?>")[0].decode("latin-1")) if data.startswith(b"<?xml") else None
        text = data.decode(declared[1] if declared else "utf-8-sig")
    head, end, rest = text.removeprefix("\ufeff").partition("?>")
    return f"{ENCODING.sub('', head) if head.startswith('<?xml') else head}{end}{rest}"


def _places(text: str) -> list[Place]:
    """All elements, in the order in which they begin."""
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
    """Numbers that are the same, as they were written."""
    old, new = before.split(), after.split()
    one, other = numbers_of(before, len(old)), numbers_of(after, len(old))
    return after if one is None or other is None else " ".join(np.where(one == other, old, new))
