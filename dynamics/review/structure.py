"""Faults of a URDF's elements: names, references, what is there twice."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from dynamics.checks import brief
from dynamics.descriptions.urdf_elements import KEPT, KNOWN, MANY, MOST_UNKNOWN, NUMBERS, TEXTS, meant_by
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
OTHER_WORDS = {"rotational": "revolute", "hinge": "revolute", "slider": "prismatic", "linear": "prismatic"}
WORLD = "world"
MOST_LINKS, LONGEST = 150, 40
"""Whose names an unknown one is held against."""


def structure(robot: Draft, additions: Additions) -> Iterator[Finding]:
    """Every fault of this kind."""
    yield from _misspelt(robot)
    yield from _misspelt_attributes(robot)
    named = list(_names(robot))
    yield from named
    yield from _doubled(robot)
    yield from _references(edited(robot, (edit for each in named for edit in each.edits)), additions)


def title_of(draft: Draft) -> str:
    """What a finding calls an element."""
    return f"{draft.tag} {brief(draft.name)}" if draft.name else f"<{brief(draft.tag)[1:-1]}>"


def _misspelt(robot: Draft) -> Iterator[Finding]:
    for around in robot.every():
        unknown = [each for each in around.inner if each.tag not in KEPT.get(around.tag, (each.tag,))]
        unknown = [each for each in unknown if each.tag not in KNOWN.get(around.tag, ())][:MOST_UNKNOWN]
        inside = around.element() if unknown else None
        for each in unknown:
            if inside is not None and (meant := meant_by(each.tag, inside)):
                words = f"<{brief(each.tag)[1:-1]}> is unknown and left out"
                rename = Edit("rename", each.number, meant)
                yield Finding("misspelt element", "wrong", each.line, title_of(around), words, f"<{meant}>", (rename,))


def _misspelt_attributes(robot: Draft) -> Iterator[Finding]:
    """Numbers that are left out because of what they are called: a joint without its xyz is at its parent's frame."""
    guesses = iter(range(MOST_UNKNOWN))
    for each in robot.every():
        known = [attribute for tag, attribute in NUMBERS if tag == each.tag]
        missing = [attribute for attribute in known if attribute not in each.attributes]
        for attribute in each.attributes:
            if attribute in known or attribute in TEXTS.get(each.tag, ()) or attribute.startswith("{") or not missing:
                continue
            if next(guesses, None) is None:
                return
            meant = next(iter(difflib.get_close_matches(attribute.lower()[:LONGEST], missing, 1, LIKE)), "")
            if meant:
                words = f"attribute {brief(attribute)[1:-1]} is unknown and left out"
                edits = (each.set(meant, each.attributes[attribute]), Edit("drop", each.number, attribute))
                yield Finding("misspelt attribute", "wrong", each.line, title_of(each), words, f"{meant}=", edits)


def _doubled(robot: Draft) -> Iterator[Finding]:
    """Elements of which there may be one: the first is kept."""
    for around in robot.every():
        seen = set[tuple[str, str]]()
        for each in around.inner if around.tag in KEPT else ():
            if each.tag not in KEPT[around.tag] or each.tag in MANY.get(around.tag, ()):
                continue
            what = (each.tag, each.name if each.tag == "material" else "")
            if what in seen:
                weight: Weight = "wrong" if each.tag in ONCE.get(around.tag, ()) else "doubtful"
                yield Finding("doubled element", weight, each.line, title_of(around), f"has a second <{each.tag}>",
                              "without that", (Edit("remove", each.number),))  # fmt: skip
            seen.add(what)


def _names(robot: Draft) -> Iterator[Finding]:
    if not robot.name:
        remedy = (robot.set("name", "robot"),)
        yield Finding("no name", "note", robot.line, "<robot>", "has no name", "'robot'", remedy)
    for tag in ("link", "joint"):
        taken = {each.name for each in robot.all(tag)}
        seen, last = set[str](), dict[str, int]()
        wanted = _wanted(robot, taken) if tag == "link" else ""
        for each in robot.all(tag):
            if each.name and each.name not in seen:
                seen.add(each.name)
                continue
            stem = each.name or tag
            number = last.get(stem, 1) + 1
            while f"{stem}_{number}" in taken:
                number += 1
            last[stem] = number
            name, wanted = wanted or f"{stem}_{number}", ""
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
            near = OTHER_WORDS.get(kind.lower()) or next(
                iter(difflib.get_close_matches(kind[:LONGEST], JOINT_TYPES, 1, LIKE)), ""
            )
            if not kind:  # what turns has an axis
                near = "fixed" if joint.first("axis") is None else "revolute"
            edits = (joint.set("type", near),) if near else ()
            words = f"type {brief(kind)} is none of {', '.join(JOINT_TYPES)}" if kind else "has no type"
            yield Finding("joint type", "wrong", joint.line, title_of(joint), words, near, edits)
        for end in ("parent", "child"):
            element = joint.first(end)
            if element is None:
                yield Finding("no " + end, "wrong", joint.line, title_of(joint), f"has no <{end}>")
            elif (name := element.get("link") or "") not in links and end == "parent" and name == WORLD:
                links.add(WORLD)
                words = f"its parent {name!r} is no link: some programs take it for granted"
                added = additions.beside(robot, "link", WORLD)
                yield Finding(
                    "unknown link", "wrong", element.line, title_of(joint), words, '<link name="world"/>', added
                )
            elif name not in links:
                tried = near_by if next(guesses, None) is not None else {}
                near = near_by.get(next(iter(difflib.get_close_matches(name[:LONGEST], tried, 1, LIKE)), ""), "")
                edits = (element.set("link", near),) if near else ()
                words = f"its {end} {brief(name)} is no link"
                yield Finding("unknown link", "wrong", element.line, title_of(joint), words, near and repr(near), edits)
        if (mimic := joint.first("mimic")) is not None:
            words = f"follows joint {brief(mimic.get('joint'))}"
            remedy = "it moves by itself", (Edit("remove", mimic.number),)
            yield Finding("mimic", "note", mimic.line, title_of(joint), words, *remedy)
