"""A file's elements as something that can be changed, changes of them, and what a report has found."""

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
    """What is wrong at a place of a robot's file, or likely to be, and what would mend it.

    Attributes:
        kind: what it is, in a word or two, such as ``triangle inequality``; the same for the same fault elsewhere.
        weight: ``wrong`` cannot be, ``doubtful`` can be right, ``note`` says what was made of the file.
        line: in the file, from 1; 0 where nobody knows.
        where: the element, such as ``link 'forearm'``.
        words: what is there.
        remedy: what would mend it; empty where only its author can.
        edits: the same as changes of the file.
        file: that the line is of, where the robot's own includes it; empty for that itself.
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
        """All of it in one line."""
        line = place_of(self.line, self.file) if self.line else ""
        place = ", ".join(part for part in (line, self.where) if part)
        remedy = f" Remedy: {self.remedy}." if self.remedy else ""
        return f"{place}: {self.words}.{remedy}"


@dataclass(frozen=True, eq=False)
class Edit(Record):
    """One change of a file.

    Attributes:
        act: ``set`` an attribute, ``remove`` or ``insert`` an element.
        at: the element's number in its file, from 0; of ``insert``, that of the element around the new one.
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
    """An element with its number in the text; what is of no language of robots is not among them."""

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
        """This one and all in it."""
        yield self
        for each in self.inner:
            yield from each.every()

    def known(self) -> Iterator[Draft]:
        """This one and all in it that a robot file has there: nothing that is another program's."""
        yield self
        for each in self.inner:
            if each.tag in KEPT.get(self.tag, ()):
                yield from each.known()

    def numbers(self, attribute: str, count: int) -> Array | None:
        """The numbers of an attribute; None where they are not as many, or none."""
        return numbers_of(self.attributes.get(attribute, ""), count)

    def set(self, attribute: str, *values: float | str) -> Edit:
        """Numbers as ``text_of`` writes them."""
        texts = (value if isinstance(value, str) else text_of(value) for value in values)
        return Edit("set", self.number, attribute, " ".join(texts))


def text_of(values: ArrayLike) -> str:
    """Numbers with every digit that they have."""
    return " ".join(repr(float(value)) for value in np.ravel(values))


def numbers_of(text: str, count: int) -> Array | None:
    """So many finite numbers, or None."""
    parts = text.split() if len(text) <= LONGEST else []
    if len(parts) != count or not all(DOUBLE.fullmatch(part) for part in parts):
        return None
    values = np.array([float(part) for part in parts])
    return values if np.isfinite(values).all() else None


def drafted(root: Element) -> Draft:
    """The elements of a file, numbered as they stand in it, what other programs read of it included."""
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
    """A copy with changes made, one after the other; one of an element that is gone changes nothing."""
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
    """What edits change: each number before and after, a line for each link where it is more than one."""
    known = {each.number: each for each in root.every()}
    bodies = (each for each in known.values() if each.tag in ("link", "body"))
    link_of = {each.number: body.name for body in bodies for each in body.every()}  # the innermost
    for edits in several:
        tags, told = dict[int, str](), dict[str, list[str]]()
        for edit in edits:
            if edit.act == "insert":
                tags[edit.number], link_of[edit.number] = edit.name, link_of.get(edit.at, "")
            elif edit.act == "set":
                own = known.get(edit.at)
                old, new = _brief(None if own is None else own.get(edit.name)), _brief(edit.value)
                if old != new:
                    tag = tags.get(edit.at, "") if own is None else own.tag
                    told.setdefault(link_of.get(edit.at, ""), []).append(f"{tag} {edit.name} {old} → {new}")
        yield tuple(f"{link}: " * (len(told) > 1) + ", ".join(dict.fromkeys(each)) for link, each in told.items())


def _brief(text: str | None) -> str:
    """Numbers to four digits."""
    if text is None:
        return "none"
    values = numbers_of(text, len(text.split()))
    return text if values is None else " ".join(f"{value:.4g}" for value in values)


def _copied(draft: Draft) -> Draft:
    return Draft(draft.number, draft.tag, dict(draft.attributes), draft.line, [_copied(each) for each in draft.inner])


class Additions:
    """Elements that remedies add, each with a number that no other has; one of a tag in an element, for all of them."""

    def __init__(self) -> None:
        self._next = MOST_ELEMENTS
        self._known: dict[tuple[int, str], int] = {}

    def inside(self, around: Draft, tag: str, attributes: Mapping[str, str] = MappingProxyType({})) -> list[Edit]:
        """The element of a tag in another: changed where it is there, new where it is not."""
        present = around.first(tag)
        if present is not None:
            number, new = present.number, list[Edit]()
        else:
            number = self._known.setdefault((around.number, tag), self._next)
            self._next += number == self._next
            new = [Edit("insert", around.number, tag, number=number)]
        return new + [Edit("set", number, name, text) for name, text in attributes.items()]

    def new(self, around: Draft, tag: str) -> tuple[Draft, list[Edit]]:
        """An empty element in another, to be filled."""
        edits = self.inside(around, tag)
        return Draft(edits[0].number, tag, {}, around.line), edits
