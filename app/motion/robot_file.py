"""How much a robot file holds: counted as it streams by, before a file that the page cannot show costs seconds."""

from __future__ import annotations

import hashlib
import re
import reprlib
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from xml.etree.ElementTree import ParseError

from defusedxml.ElementTree import DefusedXMLParser

import dynamics as dyn

MOST = {"joints": 150, "shapes": 500, "elements": 10_000}
"""Of a file of the user's own: the page is drawn by the same process for everybody."""
SHAPES = "box", "cylinder", "sphere"
"""Of a URDF; of a file that is sent those meshes are drawn that stand in it."""
BALL = 3
"""Hinges that a MuJoCo model's ball joint becomes."""
FREEDOMS = {"planar": 3, "floating": 6}
"""Joints that one of a URDF becomes."""


def check_count(text: bytes, name: str) -> str:
    """Refuses what would take the page seconds to read or draw; says nothing of a file that is not well-formed.

    Returns:
        the tag of its first element, by which one knows what kind of file it is.

    Raises:
        ModelError: for too many moving joints, shapes or elements, at the first one too many.

    Cost: some 20 ms for as many elements as there may be.
    """
    counting = _Counting(name)
    parser = DefusedXMLParser(target=counting, forbid_dtd=True)
    # What is wrong otherwise is told, with its line, by whoever reads it.
    with suppress(ParseError, LookupError):
        try:
            parser.feed(text)
        except ValueError as error:  # of defusedxml, too
            if isinstance(error, dyn.ModelError):
                raise
    return counting.first


def check_joints(robot: dyn.Robot, name: str) -> None:
    """Counts again what was read: defaults of a file may have made three joints of one.

    Raises:
        ModelError: for too many moving joints.
    """
    if len(robot.joint_names) > MOST["joints"]:
        raise _too_many(name, "joints")


def _too_many(name: str, what: str) -> dyn.ModelError:
    return dyn.ModelError(
        f"robot file {reprlib.repr(name)} has {MOST[what] + 1} {what} or more; this page shows up to "
        f"{MOST[what]}. Open a smaller one here, or compute this one in Python with the package dynamics."
    )


class _Counting:
    """What a parser tells of a file."""

    def __init__(self, name: str) -> None:
        self._name, self._open, self._counts = name, list[str](), Counter[str]()
        self.first = ""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.first = self.first or tag
        self._open.append(tag)
        self._count("elements")
        if self._open[:2] == ["mujoco", "worldbody"]:
            self._count("joints", BALL if attributes.get("type") == "ball" else int(tag == "joint"))
            self._count("shapes", tag == "geom")
        if tag == "joint" and len(self._open) == 2 and attributes.get("type") != "fixed":
            self._count("joints", FREEDOMS.get(attributes.get("type") or "", 1))
        is_inside = tag == "mesh" and attributes.get("filename", "").startswith("data:")
        if (is_inside or tag in SHAPES) and self._open[1:-1] == ["link", "visual", "geometry"]:
            self._count("shapes")

    def _count(self, what: str, many: int = 1) -> None:
        self._counts[what] += many
        if self._counts[what] > MOST[what]:
            raise _too_many(self._name, what)

    def end(self, _: str) -> None:
        self._open.pop()

    def close(self) -> None:
        """Nothing is left to do."""


LONGEST_NAME = 100
"""Characters of a name in it, or of its own: each stands in menus, tables and labels."""
DIGITS = 32
"""Of a fingerprint: no two files that anybody has share it."""
SHOWN = 8
"""Of them, what people compare."""


@dataclass(frozen=True)
class OwnFile:
    """Which file it is.

    Attributes:
        digest: the first hexadecimal digits of its SHA-256.
    """

    name: str
    digest: str

    @classmethod
    def of(cls, text: bytes, name: str) -> OwnFile:
        """Which file a text is."""
        return cls(name[:LONGEST_NAME], hashlib.sha256(text).hexdigest()[:DIGITS])

    @classmethod
    def named(cls, name: str, digest: str) -> OwnFile | None:
        """The file with this fingerprint; None for anything else."""
        printable = "".join(letter for letter in name[:LONGEST_NAME] if letter.isprintable())
        return cls(printable or "robot.urdf", digest) if re.fullmatch(f"[0-9a-f]{{{DIGITS}}}", digest) else None

    @property
    def words(self) -> str:
        """What to look for."""
        return f"{self.name} (fingerprint {self.digest[:SHOWN]}…)"
