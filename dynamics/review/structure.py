"""Faults of a URDF's elements: names, references, what is there twice."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from itertools import count

from dynamics.checks import brief
from dynamics.descriptions.urdf_elements import KEPT, KNOWN, MANY, MOST_UNKNOWN, meant_by
from dynamics.descriptions.urdf_tree import JOINT_TYPES
from dynamics.review.draft import Additions, Draft, Edit, edited
from dynamics.review.finding import Finding, Weight

LIKE = 0.6
"""From this on one name is taken for another one misspelt."""
ONCE = {
    "link": ("inertial",),
    "joint": ("parent", "child", "origin", "axis", "limit", "dynamics"),
    "visual": ("geometry",),
}
"""Of what is there twice, what changes how a robot moves or looks."""
SLIP = 2
"""Letters more or fewer that a misspelt word may have; what has more may be so on purpose."""
NAMED = ("link", "joint")
WORLD = "world"
MOST_LINKS, LONGEST = 150, 40
"""Whose names an unknown one is held against."""


def structure(robot: Draft, additions: Additions) -> Iterator[Finding]:
    """Every fault of this kind."""
    yield from _misspelt_and_doubled(robot)
    named = list(_names(robot))
    yield from named
    yield from _references(edited(robot, (edit for each in named for edit in each.edits)), additions)


def title_of(draft: Draft) -> str:
    """What a finding calls an element."""
    return f"{draft.tag} {brief(draft.name)}" if draft.name else f"<{brief(draft.tag)[1:-1]}>"


def _misspelt_and_doubled(robot: Draft) -> Iterator[Finding]:
    """Elements that are unknown, and second ones where there may be one: the first is kept."""
    guesses = iter(range(1, MOST_UNKNOWN))
    for around in robot.known():
        seen, kept = set[tuple[str, str]](), KEPT.get(around.tag, ())
        for each in around.inner if kept else ():
            what = (each.tag, each.name if each.tag == "material" else "")
            if each.tag in kept and what in seen and each.tag not in MANY.get(around.tag, ()):
                weight: Weight = "wrong" if each.tag in ONCE.get(around.tag, ()) else "doubtful"
                yield Finding("doubled element", weight, each.line, title_of(around), f"has a second <{each.tag}>",
                              "without that", (Edit("remove", each.number),))  # fmt: skip
            is_known = each.tag in (*kept, *KNOWN.get(around.tag, ()))
            if not is_known and next(guesses, None) and (meant := meant_by(each.tag, around.element())):
                words = f"<{brief(each.tag)[1:-1]}> is unknown and left out"
                # what has a word added, inertial_off, may be so on purpose; a nameless link or joint is none
                is_slip = abs(len(each.tag) - len(meant)) <= SLIP and (meant not in NAMED or bool(each.name))
                yield Finding("misspelt element", "wrong" if is_slip else "doubtful", each.line, title_of(around),
                              words, f"<{meant}>", (Edit("rename", each.number, meant),))  # fmt: skip
            seen.add(what)


def _names(robot: Draft) -> Iterator[Finding]:
    for tag in ("link", "joint"):
        taken, seen, last = {each.name for each in robot.all(tag)}, set[str](), dict[str, int]()
        wanted = _wanted(robot, taken) if tag == "link" else ""
        for each in robot.all(tag):
            if each.name and each.name not in seen:
                seen.add(each.name)
                continue
            stem = each.name or tag
            last[stem] = next(k for k in count(last.get(stem, 1) + 1) if f"{stem}_{k}" not in taken)
            name, wanted = wanted or f"{stem}_{last[stem]}", ""
            taken.add(name)
            seen.add(name)
            kind, words = ("doubled name", "has a name twice") if each.name else ("no name", "has no name")
            yield Finding(kind, "wrong", each.line, title_of(each), words, repr(name), (each.set("name", name),))


def _wanted(robot: Draft, links: set[str]) -> str:
    """The one name by which joints mean a link that is not there, where one has another's name or none."""
    ends = (end for joint in robot.all("joint") for tag in ("parent", "child") if (end := joint.first(tag)) is not None)
    missing = {end.get("link") or "" for end in ends} - links - {WORLD, ""}
    return missing.pop() if len(missing) == len(robot.all("link")) - len(links - {""}) == 1 else ""


def _references(robot: Draft, additions: Additions) -> Iterator[Finding]:
    links = {each.name for each in robot.all("link")}
    near_by = {name[:LONGEST]: name for name in sorted(links)[:MOST_LINKS]}
    guesses = iter(range(MOST_UNKNOWN))  # of so many names it is tried what they mean
    for joint in robot.all("joint"):
        kind = joint.get("type") or ""
        if kind not in JOINT_TYPES:
            near = next(iter(difflib.get_close_matches(kind.strip().lower()[:LONGEST], JOINT_TYPES, 1, LIKE)), "")
            types = (joint.set("type", near),) if near else ()
            words = f"type {brief(kind)} is none of {', '.join(JOINT_TYPES)}" if kind else "has no type"
            yield Finding("joint type", "wrong", joint.line, title_of(joint), words, near, types)
        for end in ("parent", "child"):
            element = joint.first(end)
            if element is None:
                yield Finding("no " + end, "wrong", joint.line, title_of(joint), f"has no <{end}>")
            elif (name := element.get("link") or "") not in links:
                words, edits = f"its {end} {brief(name)} is no link", tuple[Edit, ...]()
                if end == "parent" and name == WORLD:
                    links.add(WORLD)
                    words, remedy = f"{words}: some programs take it for granted", '<link name="world"/>'
                    edits = additions.beside(robot, "link", WORLD)
                else:
                    tried = near_by if next(guesses, None) is not None else {}
                    near = near_by.get(next(iter(difflib.get_close_matches(name[:LONGEST], tried, 1, LIKE)), ""), "")
                    remedy, edits = near and repr(near), (element.set("link", near),) if near else ()
                yield Finding("unknown link", "wrong", element.line, title_of(joint), words, remedy, edits)
