"""Links of a URDF that form no tree: loops, and what is joined to nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from dynamics.checks import brief
from dynamics.descriptions.urdf_tree import CLOSING
from dynamics.review.draft import Draft, Edit
from dynamics.review.finding import Finding
from dynamics.review.structure import title_of


def links(robot: Draft) -> Iterator[Finding]:
    """Every fault of this kind; none where a joint's ends are not known, which would make others look so."""
    known = {link.name for link in robot.all("link")}
    if any(_end(joint, tag) not in known for joint in robot.all("joint") for tag in ("parent", "child")):
        return
    inner: dict[str, str] = {}
    for joint in robot.all("joint"):
        child = _end(joint, "child")
        if child in inner and joint.get("type") in CLOSING:
            continue  # it opens as a loop
        if child in inner:
            words = f"closes a loop: link {brief(child)} is the child of another joint, too"
            yield Finding("loop", "wrong", joint.line, title_of(joint), words, "the loop is cut, without this joint",
                          (Edit("remove", joint.number),))  # fmt: skip
        else:
            inner[child] = _end(joint, "parent")
    root_of: dict[str, str] = {}
    for link in robot.all("link"):
        _find_root(link.name, inner, root_of)
    for link in robot.all("link"):
        if root_of[link.name] == "":
            yield Finding("loop", "wrong", link.line, title_of(link), "is in a circle of links: there is no root")
            return
    groups: dict[str, list[Draft]] = {}
    for link in robot.all("link"):
        groups.setdefault(root_of[link.name], []).append(link)
    for joint in robot.all("joint"):
        groups.get(root_of.get(_end(joint, "parent"), ""), []).append(joint)
    most = Counter(root_of.values()).most_common(1)
    for root, parts in groups.items():
        if root != most[0][0]:
            loose = [each for each in parts if each.tag == "link"]
            words = "is joined to nothing" if len(loose) == 1 else f"and {len(loose) - 1} more are joined to nothing"
            edits = tuple(Edit("remove", each.number) for each in parts)
            yield Finding("loose link", "wrong", loose[0].line, title_of(loose[0]), words, "it is left out", edits)


def _end(joint: Draft, tag: str) -> str:
    end = joint.first(tag)
    return "" if end is None else end.get("link") or ""


def _find_root(link: str, inner: dict[str, str], root_of: dict[str, str]) -> None:
    """Where a link's parents lead, and those of all on the way; nothing for a circle."""
    path: dict[str, None] = {}
    while link in inner and link not in root_of and link not in path:
        path[link] = None
        link = inner[link]
    root = "" if link in path else root_of.get(link, link)
    root_of.update(dict.fromkeys([*path, link], root))
