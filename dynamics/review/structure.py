"""Faults of a URDF's elements: duplicates, names, references, numbers, axes and limits of joints."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from itertools import count

from dynamics.checks import brief
from dynamics.descriptions.urdf import AXIS_MINIMUM, MOVING
from dynamics.descriptions.urdf_elements import KEPT, LONGEST, MANY, MOST_UNKNOWN, NUMBERS
from dynamics.descriptions.urdf_tree import JOINT_TYPES
from dynamics.review.draft import Draft, Edit, Finding, Weight, edited, numbers_of

LIKE = 0.6
"""Similarity from which a name is taken for a misspelling of another."""
ONCE = {
    "link": ("inertial",),
    "joint": ("parent", "child", "origin", "axis", "limit", "dynamics"),
    "visual": ("geometry",),
}
"""Elements whose duplicates change how a robot moves or looks."""
MOST_LINKS, LONGEST_NAME = 150, 40
"""Limits on the names with which an unknown one is compared."""
MEANT = {"commas between numbers": (re.compile(r"\s*[,;]\s*"), " "), "decimal comma": (re.compile(","), ".")}
READ = ("box", "mesh")
"""Elements whose numbers may also be separated by commas."""
AT_LEAST_ZERO = (("limit", "velocity"), ("limit", "effort"), ("dynamics", "damping"), ("dynamics", "friction"))


def structure(robot: Draft) -> Iterator[Finding]:
    """Duplicates, names and references."""
    yield from _doubled(robot)
    named = list(_names(robot))
    yield from named
    yield from _references(edited(robot, (edit for each in named for edit in each.edits)))


def title_of(draft: Draft) -> str:
    """An element's name in a finding."""
    return f"{draft.tag} {brief(draft.name)}" if draft.name else f"<{brief(draft.tag)[1:-1]}>"


def _doubled(robot: Draft) -> Iterator[Finding]:
    """Repeated elements where only one is allowed: the first is kept."""
    for around in robot.known():
        seen, kept = set[tuple[str, str]](), KEPT.get(around.tag, ())
        for each in around.inner if kept else ():
            what = (each.tag, each.name if each.tag == "material" else "")
            if each.tag in kept and what in seen and each.tag not in MANY.get(around.tag, ()):
                weight: Weight = "wrong" if each.tag in ONCE.get(around.tag, ()) else "doubtful"
                yield Finding("doubled element", weight, each.line, title_of(around), f"has a second <{each.tag}>",
                              "without that", (Edit("remove", each.number),))  # fmt: skip
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
    """The one missing link name that joints refer to, if one link has a duplicate name or none."""
    ends = (end for joint in robot.all("joint") for tag in ("parent", "child") if (end := joint.first(tag)) is not None)
    missing = {end.get("link") or "" for end in ends} - links - {""}
    return missing.pop() if len(missing) == len(robot.all("link")) - len(links - {""}) == 1 else ""


def _references(robot: Draft) -> Iterator[Finding]:
    links = {each.name for each in robot.all("link")}
    near_by = {name[:LONGEST_NAME]: name for name in sorted(links)[:MOST_LINKS]}
    guesses = iter(range(MOST_UNKNOWN))  # only so many unknown names are compared with known ones
    for joint in robot.all("joint"):
        kind = joint.get("type") or ""
        if kind not in JOINT_TYPES:
            near = next(iter(difflib.get_close_matches(kind.strip().lower()[:LONGEST_NAME], JOINT_TYPES, 1, LIKE)), "")
            types = (joint.set("type", near),) if near else ()
            words = f"type {brief(kind)} is not one of {', '.join(JOINT_TYPES)}" if kind else "has no type"
            yield Finding("joint type", "wrong", joint.line, title_of(joint), words, near, types)
        for end in ("parent", "child"):
            element = joint.first(end)
            if element is None:
                yield Finding("no " + end, "wrong", joint.line, title_of(joint), f"has no <{end}>")
            elif (name := element.get("link") or "") not in links:
                tried = near_by if next(guesses, None) is not None else {}
                near = near_by.get(next(iter(difflib.get_close_matches(name[:LONGEST_NAME], tried, 1, LIKE)), ""), "")
                words, edits = f"its {end} {brief(name)} is not a link", (element.set("link", near),) if near else ()
                yield Finding("unknown link", "wrong", element.line, title_of(joint), words, near and repr(near), edits)


def numbers(robot: Draft) -> Iterator[Finding]:
    """Invalid numbers, such as those written with commas."""
    for each in robot.known():
        for attribute, text in each.attributes.items():
            counts, _ = NUMBERS.get((each.tag, attribute), ((), False))
            if not counts or any(numbers_of(text, count) is not None for count in counts):
                continue
            if each.tag == "limit" and text.strip().lstrip("+-").lower() == "inf":
                continue
            tried = {kind: comma.sub(by, text).strip() for kind, (comma, by) in MEANT.items() if len(text) <= LONGEST}
            fits = (kind for kind in tried if any(numbers_of(tried[kind], count) is not None for count in counts))
            kind = next(fits, "no number")
            edits = (each.set(attribute, tried[kind]),) if kind in tried else ()
            weight = "note" if kind == "commas between numbers" and each.tag in READ else "wrong"
            words = (
                f'{attribute}="{brief(text)[1:-1]}" is not {counts[-1]} finite number{"s" if counts[-1] > 1 else ""}'
            )
            remedy = f'{attribute}="{tried[kind]}"' if edits else ""
            yield Finding(kind, weight, each.line, title_of(each), words, remedy, edits)  # type: ignore[arg-type]


def joints(robot: Draft) -> Iterator[Finding]:
    """Axes without a direction, impossible limits and losses."""
    for joint in robot.all("joint"):
        title, kind = title_of(joint), joint.get("type")
        axis = joint.first("axis") if kind in (*MOVING, "planar") else None
        direction = None if axis is None else axis.numbers("xyz", 3)
        if axis is not None and direction is not None and not abs(direction).max() >= AXIS_MINIMUM:
            yield Finding("axis without direction", "wrong", axis.line, title, "its axis is zero",
                          "x, the default axis of a joint without one", (axis.set("xyz", "1 0 0"),))  # fmt: skip
        for tag, name in AT_LEAST_ZERO if kind in MOVING else ():
            element = joint.first(tag)
            value = None if element is None else element.numbers(name, 1)
            if element is not None and value is not None and value[0] < 0.0:
                yield Finding(f"negative {name}", "wrong", element.line, title, f"its {name} is {value[0]:g}",
                              f"{-value[0]:g}", (element.set(name, -value[0]),))  # fmt: skip
        limit = joint.first("limit") if kind in ("revolute", "prismatic") else None
        ends = [] if limit is None else [limit.numbers(name, 1) for name in ("lower", "upper")]
        if limit is not None and all(end is not None for end in ends):
            low, high = (float(end[0]) for end in ends if end is not None)
            if low > high:
                yield Finding("limits the wrong way", "wrong", limit.line, title, f"its limits are {low:g} to {high:g}",
                              "exchanged", (limit.set("lower", high), limit.set("upper", low)))  # fmt: skip
            elif low == high:
                yield Finding("no room", "doubtful", limit.line, title, f"its limits are both {low:g}: it cannot move")
