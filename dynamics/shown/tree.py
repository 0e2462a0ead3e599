"""A robot and a system as the tree of their links, from the base out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dynamics.record import shown
from dynamics.robot.model import Link, Robot
from dynamics.shown.parts import counted, number, page, table
from dynamics.system.system import System

KINDS = {"single_arm": "One arm", "multi_arm": "Several arms", "free_flyer": "A free flyer"}
HEAD = ("link", "its inner joint", "mass, kg", "")
INDENT = "\N{EM SPACE}"
MOST_INDENTS = 12
Row = tuple[str, str, float, str]


@shown.register
def robot_html(robot: Robot) -> str:
    """A robot as its file has it, its root first."""
    n = len(robot.links)
    links, by = [*robot.links, robot.root], [f"{joint.name}, {joint.kind}" for joint in robot.joints]
    tips = {tip.link: ["tip"] for tip in robot.tips}
    rows = tree([link.name for link in links], links, [*by, "root"], [*robot.inboard, -1], tips)
    words = counted(n, "joint"), counted(n + 1, "link"), *robot.remarks
    return page(robot.title or robot.name, words, table(HEAD, rows))


@shown.register
def system_html(system: System) -> str:
    """Its links from the base out; where a link has several outboard neighbors, these are indented."""
    held = system.task_object
    words = (
        counted(system.n_joints, "joint"),
        counted(system.n_links, "link"),
        f"gravity {', '.join(map(number, system.gravity.tolist()))} m/s²",
        "" if held is None else f"{held.name}, {number(held.mass)} kg, {_holding(system)}",
    )
    kinds = [joint.kind for joint in system.joint_models]
    by = [f"{name}, {kind}" for name, kind in zip(system.joint_names, kinds, strict=True)]
    by += ["floats"] * (system.n_links - system.n_joints)
    rows = tree(system.link_names, system.link_models, by, system.inboard.tolist(), _notes(system))
    title = f"{KINDS[system.kind]}: {', '.join(robot.title or robot.name for robot in system.robots)}"
    return page(title, words, table(HEAD, rows))


def tree(
    names: Sequence[str],
    links: Sequence[Link],
    by: Sequence[str],
    inboard: Sequence[int],
    notes: Mapping[int, Sequence[str]],
) -> list[Row]:
    """A row a link, depth first; ``by`` says how each is joined, ``inboard`` to which, -1 to none."""
    outboard: dict[int, list[int]] = {}
    for k in range(len(names)):
        outboard.setdefault(inboard[k], []).append(k)
    rows: list[Row] = []
    waiting = [(k, 0) for k in reversed(outboard[-1])]
    while waiting:
        k, depth = waiting.pop()
        indented = INDENT * min(depth, MOST_INDENTS) + names[k]
        rows.append((indented, by[k], links[k].mass, ", ".join(notes.get(k, ()))))
        further = outboard.get(k, [])
        waiting += [(one, depth + (len(further) > 1)) for one in reversed(further)]
    return rows


def _notes(system: System) -> dict[int, list[str]]:
    """What else is at each link: tips, and how they hold."""
    by_tip = {contact.tip: contact for contact in system.contacts}
    notes: dict[int, list[str]] = {}
    for at, tip in enumerate(system.tips):
        contact = by_tip.get(at)
        words = "tip" if contact is None else f"tip, holds: {contact.kind.replace('_', ' ')}"
        notes.setdefault(tip.link, []).append(words)
    return notes


def _holding(system: System) -> str:
    return f"held by {counted(len(system.contacts), 'contact')}" if system.is_held else "not held"
