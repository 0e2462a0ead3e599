"""In which order somebody else counts links and joints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from dynamics.checks import brief, choices, names
from dynamics.errors import StateError
from dynamics.system.system import System

WORLD = -1


class Numbering(NamedTuple):
    """An order of links.

    Attributes:
        words: how it goes.
        links: for each of their links ours.
        joints: for each of their joints ours.
    """

    words: str
    links: tuple[int, ...]
    joints: tuple[int, ...]


def numberings(system: System, joints: Sequence[str] | None = None) -> tuple[Numbering, ...]:
    """Those that are tried: from tip or base, and a tree's branches one after the other or level by level.

    Args:
        joints: the joints' names in their order, where they are known.

    Raises:
        StateError: for names that are not the joints'.
    """
    if joints is not None:
        named = names(joints, "joints")
        if sorted(named) != sorted(system.joint_names):
            raise StateError(f"joints is {brief(named)}; expected each of {choices(system.joint_names)} once.")
        own = tuple(system.joint_names.index(name) for name in named)
        bases = tuple(range(system.n_joints, system.n_links))
        return (
            Numbering("as the joints were named", (*bases, *own), own),
            Numbering("as the joints were named, what floats last", (*own, *bases), own),
        )
    inboard = system.inboard.tolist()
    count = range(system.n_links)
    found = [("from tip to base", list(count)), ("from base to tip", list(reversed(count)))]
    sorts: list[tuple[str, Callable[[int], Any]]] = [
        ("", lambda k: -k), ("", lambda k: k), (", by name", lambda k: system.link_names[k]),
    ]  # fmt: skip
    for said, sort in sorts:
        outboard = {i: sorted((k for k in count if inboard[k] == i), key=sort) for i in (WORLD, *count)}
        found.append((f"from the base, branch after branch{said}", _deep(outboard)))
        found.append((f"from the base, level by level{said}", _wide(outboard)))
    distinct: dict[tuple[int, ...], str] = {}
    for said, order in found:
        distinct.setdefault(tuple(order), said)
    return tuple(
        Numbering(said, order, tuple(k for k in order if k < system.n_joints)) for order, said in distinct.items()
    )


def _deep(outboard: dict[int, list[int]]) -> list[int]:
    found, waiting = list[int](), outboard[WORLD][::-1]
    while waiting:
        found.append(k := waiting.pop())
        waiting += outboard[k][::-1]
    return found


def _wide(outboard: dict[int, list[int]]) -> list[int]:
    found = list(outboard[WORLD])
    for k in found:
        found += outboard[k]
    return found
