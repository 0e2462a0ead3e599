"""A file's elements in a form that can be edited, edits of them, and the findings of a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from dynamics.checks import Array
from dynamics.descriptions.urdf_elements import DOUBLE, KEPT, LONGEST
from dynamics.descriptions.xml import MOST_ELEMENTS, WORDS, Element, place_of
from dynamics.record import Record

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
    """One change of a file.

    Attributes:
        act: ``set`` an attribute, ``remove`` or ``insert`` an element.
        at: the element's number in its file, from 0; for ``insert``, that of the parent element.
        name: of the attribute, or the new element's tag.
        value: of the attribute.
        number: of a new element.
    """

    act: Literal["set", "remove", "insert"]
    at: int
    name: str = ""
    value: str = ""
    number: int = -1


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

    def first(self, tag: str) -> Draft | None:
        return next((each for each in self.inner if each.tag == tag), None)

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
        return Edit("set", self.number, attribute, " ".join(texts))


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
    """A copy with edits applied in order; an edit of an element that is gone changes nothing."""
    copy = _copied(root)
    by_number: dict[int, Draft] = {each.number: each for each in copy.every()}
    around = {inner.number: each for each in by_number.values() for inner in each.inner}
    for edit in edits:
        draft = by_number.get(edit.at)
        if draft is None:
            continue
        if edit.act == "set":
            draft.attributes[edit.name] = edit.value
        elif edit.act == "insert":
            if edit.number not in by_number:
                by_number[edit.number] = Draft(edit.number, edit.name, {}, draft.line)
                draft.inner.append(by_number[edit.number])
                around[edit.number] = draft
        elif edit.at in around:
            holder = around[edit.at]
            holder.inner = [one for one in holder.inner if one is not draft]
    return copy


def changes(root: Draft, several: Iterable[Iterable[Edit]]) -> Iterator[tuple[str, ...]]:
    """What edits change: each number before and after, a line for each link if there are several."""
    known = {each.number: each for each in root.every()}
    bodies = (each for each in known.values() if each.tag in ("link", "body"))
    link_of = {each.number: body.name for body in bodies for each in body.every()}  # the innermost
    for edits in several:
        tags, by_link = dict[int, str](), dict[str, list[str]]()
        for edit in edits:
            if edit.act == "insert":
                tags[edit.number], link_of[edit.number] = edit.name, link_of.get(edit.at, "")
            elif edit.act == "set":
                own = known.get(edit.at)
                old, new = _brief(None if own is None else own.get(edit.name)), _brief(edit.value)
                if old != new:
                    tag = tags.get(edit.at, "") if own is None else own.tag
                    by_link.setdefault(link_of.get(edit.at, ""), []).append(f"{tag} {edit.name} {old} → {new}")
        yield tuple(f"{link}: " * (len(by_link) > 1) + ", ".join(dict.fromkeys(each)) for link, each in by_link.items())


def _brief(text: str | None) -> str:
    """Numbers to four digits."""
    if text is None:
        return "none"
    values = numbers_of(text, len(text.split()))
    return text if values is None else " ".join(f"{value:.4g}" for value in values)


def _copied(draft: Draft) -> Draft:
    return Draft(draft.number, draft.tag, dict(draft.attributes), draft.line, [_copied(each) for each in draft.inner])


class Additions:
    """Elements that remedies add, with unique numbers; remedies share one new element per parent and tag."""

    def __init__(self) -> None:
        self._next = MOST_ELEMENTS
        self._known: dict[tuple[int, str], int] = {}

    def inside(self, around: Draft, tag: str, attributes: Mapping[str, str] = MappingProxyType({})) -> list[Edit]:
        """The child element with a tag: edited if it exists, added if not."""
        present = around.first(tag)
        if present is not None:
            number, new = present.number, list[Edit]()
        else:
            number = self._known.setdefault((around.number, tag), self._next)
            self._next += number == self._next
            new = [Edit("insert", around.number, tag, number=number)]
        return new + [Edit("set", number, name, text) for name, text in attributes.items()]

    def new(self, around: Draft, tag: str) -> tuple[Draft, list[Edit]]:
        """An empty new child element, to be filled."""
        edits = self.inside(around, tag)
        return Draft(edits[0].number, tag, {}, around.line), edits
