"""A file's own text with changes made in it: what is not mended stays as it was written, to the letter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

import numpy as np
from defusedxml.ElementTree import DefusedXMLParser

from dynamics.review.draft import Draft, numbers_of

PAIR = rb"""\s+([^\s=/>]+)\s*=\s*("[^"]*"|'[^']*')"""
ATTRIBUTE, TAG = re.compile(PAIR), re.compile(rb"<([^\s/>]+)(?:" + PAIR + rb")*(\s*/?>)")
ENCODING = re.compile(r"""\s+encoding\s*=\s*["']([^"']*)["']""")


class Place(NamedTuple):
    """Where an element stands, in bytes: from ``start`` to ``end``; its last tag, if it has one, from ``close`` on."""

    start: int
    close: int
    end: int


class Change(NamedTuple):
    """Words in place of those from ``start`` to ``end``."""

    start: int
    end: int
    words: bytes


def mended_text(data: bytes, before: Draft, after: Draft) -> str:
    """A file's text with the elements of one draft made those of another.

    Args:
        data: the file, well-formed.
        before: its elements, by their numbers in it.
        after: the same, changed; an element with a number that the file does not have is new, and stands last.

    Returns:
        The text, to be encoded in UTF-8; each element is on the line that it was on.
    """
    own = _in_utf8(data)
    places = _places(own)
    parts, at = list[bytes](), 0
    for change in sorted(_changes(own, places, before, after)):
        parts += [own[at : change.start], change.words]
        at = change.end
    return b"".join([*parts, own[at:]]).decode()


def _in_utf8(data: bytes) -> bytes:
    """The same file in the encoding that none has to declare."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16")
    else:
        declared = ENCODING.search(data.partition(b"?>")[0].decode("latin-1")) if data.startswith(b"<?xml") else None
        text = data.decode(declared[1] if declared else "utf-8-sig")
    head, end, rest = text.removeprefix("\ufeff").partition("?>")
    return (f"{ENCODING.sub('', head)}{end}{rest}" if head.startswith("<?xml") else head + end + rest).encode()


def _places(data: bytes) -> Mapping[int, Place]:
    """Of every element of a language of robots, by its number as ``drafted`` has it."""
    reader = _Reader(data)
    reader.parser.feed(data)
    reader.parser.close()
    return reader.places


class _Reader:
    """What a parser tells of a file it numbers, and keeps its place."""

    def __init__(self, data: bytes) -> None:
        self.places: dict[int, Place] = {}
        self._data, self._count = data, 0
        self._open: list[tuple[int, int]] = []  # number and beginning; -1 within what other programs have in the file
        self.parser = DefusedXMLParser(target=self, forbid_dtd=True)

    @property
    def _at(self) -> int:
        return int(self.parser.parser.CurrentByteIndex)

    def start(self, tag: str, _: dict[str, str]) -> None:
        is_other = tag.startswith("{") or bool(self._open and self._open[-1][0] < 0)
        self._open.append((-1 if is_other else self._count, self._at))
        self._count += not is_other

    def end(self, _: str) -> None:
        (number, start), close = self._open.pop(), self._at
        if number >= 0:
            # What follows an empty element may close another one.
            end = close if _is_empty(_tag(self._data, start)) else self._data.index(b">", close) + 1
            self.places[number] = Place(start, close, end)

    def close(self) -> None:
        """Nothing is left to do."""


def _tag(data: bytes, start: int) -> re.Match[bytes]:
    """The first tag of an element; there is one, as the file is well-formed."""
    found = TAG.match(data, start)
    assert found is not None
    return found


def _is_empty(tag: re.Match[bytes]) -> bool:
    return tag[0].endswith(b"/>")


def _changes(data: bytes, places: Mapping[int, Place], before: Draft, after: Draft) -> Iterator[Change]:
    """What turns an element that both have, and all in it, from one into the other."""
    place = places[before.number]
    first = _tag(data, place.start)
    left = {each.number: each for each in after.inner}
    for inner in before.inner:
        if inner.number in left:
            yield from _changes(data, places, inner, left[inner.number])
        else:
            gone = places[inner.number]
            yield Change(gone.start, gone.end, b"\n" * data.count(b"\n", gone.start, gone.end))
    known = {each.number for each in before.inner}
    added = b"".join(_written(each) for each in after.inner if each.number not in known)
    is_empty = _is_empty(first)
    name = after.tag.encode()
    if before.tag != after.tag:
        yield Change(first.start(1), first.end(1), name)
        if not is_empty:
            yield Change(place.close + 2, place.close + 2 + len(first[1]), name)
    yield from _attributes(first, before.attributes, after.attributes)
    if added and is_empty:
        yield Change(first.end() - 2, first.end(), b">" + added + b"</" + name + b">")
    elif added:
        yield Change(place.close, place.close, added)


def _attributes(tag: re.Match[bytes], before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Change]:
    for found in ATTRIBUTE.finditer(tag[0], len(tag[1])):
        name, start = found[1].decode(), tag.start()
        if name in before and name not in after:
            yield Change(start + found.start(), start + found.end(), b"")
        elif name in before and before[name] != after[name]:
            words = quoteattr(_as_it_was(before[name], after[name])).encode()
            if words[1:-1] != found[2][1:-1]:
                yield Change(start + found.start(2), start + found.end(2), words)
    new = "".join(f" {name}={quoteattr(text)}" for name, text in after.items() if name not in before)
    if new:
        yield Change(tag.start(4), tag.start(4), new.encode())


def _as_it_was(before: str, after: str) -> str:
    """Numbers that are the same, as they were written."""
    old, new = before.split(), after.split()
    one, other = numbers_of(before, len(old)), numbers_of(after, len(old))
    if one is None or other is None:
        return after
    return before if np.array_equal(one, other) else " ".join(np.where(one == other, old, new))


def _written(draft: Draft) -> bytes:
    attributes = "".join(f" {name}={quoteattr(text)}" for name, text in draft.attributes.items())
    inner = b"".join(map(_written, draft.inner))
    return f"<{draft.tag}{attributes}>".encode() + inner + f"</{draft.tag}>".encode()
