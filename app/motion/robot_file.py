"""Size of a robot file, counted while parsing, before a file that the page cannot show costs seconds."""

from __future__ import annotations

import hashlib
import io
import re
import reprlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from xml.etree.ElementTree import ParseError

from defusedxml.ElementTree import iterparse

import dynamics as dyn

MOST = {"joints": 150, "shapes": 500, "elements": 10_000}
"""Limits of a user's own file: one process draws the pages of all users."""
SHAPES = "box", "cylinder", "sphere"  # Shapes of a URDF; of an uploaded file only meshes that it contains are drawn
BALL = 3  # Hinges that replace a MuJoCo model's ball joint
FREEDOMS = {"planar": 3, "floating": 6}  # Joints that replace one joint of a URDF


def check_count(text: bytes, name: str) -> str:
    """Refuses a file that would take the page seconds to read or draw; returns the tag of its first element.

    A file that is not well-formed is accepted. The largest number of elements takes some 70 ms.
    """
    counts, path, first, over = dict.fromkeys(MOST, 0), list[str](), "", ""
    # The reader reports all other errors, with their lines.
    with suppress(ParseError, LookupError, ValueError):
        for event, element in iterparse(io.BytesIO(text), ("start", "end"), forbid_dtd=True):
            if event == "end":
                path.pop()
                element.clear()  # only the path is needed, not the tree
                continue
            path.append(element.tag)
            first = first or element.tag
            what, many = _counted(path, element.attrib)
            counts["elements"] += 1
            counts[what] += many
            if over := next((each for each in ("elements", what) if counts[each] > MOST[each]), ""):
                break
    if over:
        raise _too_many(name, over)
    return first


def _counted(path: Sequence[str], attributes: Mapping[str, str]) -> tuple[str, int]:
    """What an element counts as, and how often; ``path`` holds its tag and those of the elements around it."""
    tag, kind = path[-1], attributes.get("type") or ""
    if path[:2] == ["mujoco", "worldbody"]:
        return ("shapes", 1) if tag == "geom" else ("joints", BALL if kind == "ball" else int(tag == "joint"))
    if tag == "joint" and len(path) == 2:
        return "joints", 0 if kind == "fixed" else FREEDOMS.get(kind, 1)
    is_inside = tag == "mesh" and attributes.get("filename", "").startswith("data:")
    return "shapes", int((is_inside or tag in SHAPES) and path[1:-1] == ["link", "visual", "geometry"])


def check_robot(robot: dyn.Robot, name: str) -> None:
    """Refuses names too long for a page, and too many joints: defaults of a file may have made three joints of one."""
    if len(robot.joint_names) > MOST["joints"]:
        raise _too_many(name, "joints")
    for own in (robot.name, *robot.joint_names, *robot.frames):
        if len(own) > LONGEST_NAME:
            raise dyn.ModelError(
                f"the name {reprlib.repr(own)} has {len(own)} characters; this page has room for {LONGEST_NAME}."
            )


def _too_many(name: str, what: str) -> dyn.ModelError:
    return dyn.ModelError(
        f"robot file {reprlib.repr(name)} has {MOST[what] + 1} {what} or more; this page shows up to "
        f"{MOST[what]}. Open a smaller one here, or compute this one in Python with the package dynamics."
    )


LONGEST_NAME = 100  # Characters of a file's name, or of a name in it: each appears in menus, tables and labels
DIGITS = 32  # Digits of a fingerprint: no two files in practice share it
SHOWN = 8  # Digits of a fingerprint that are shown for comparison


@dataclass(frozen=True)
class OwnFile:
    """Identifies a user's file."""

    name: str
    digest: str  # the first hexadecimal digits of its SHA-256

    @classmethod
    def of(cls, text: bytes, name: str) -> OwnFile:
        return cls(name[:LONGEST_NAME], hashlib.sha256(text).hexdigest()[:DIGITS])

    @classmethod
    def named(cls, name: str, digest: str) -> OwnFile | None:
        """The file with this fingerprint; None for anything else."""
        printable = "".join(filter(str.isprintable, name[:LONGEST_NAME]))
        return cls(printable or "robot.urdf", digest) if re.fullmatch(f"[0-9a-f]{{{DIGITS}}}", digest) else None

    @property
    def words(self) -> str:
        """What to look for, in words."""
        return f"{self.name} (fingerprint {self.digest[:SHOWN]}…)"
