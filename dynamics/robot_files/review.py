"""A report on a robot's file before anything moves: its contents, its faults, and the robot with these fixed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from dynamics.checks import brief, is_index, listed
from dynamics.checks import text as require_text
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.record import Record
from dynamics.robot.model import Robot
from dynamics.robot.validity import check_as_read
from dynamics.robot_files.library import read_file
from dynamics.robot_files.mjcf import compiled_model, parse_mjcf, read_model, robot_of_model
from dynamics.robot_files.review_bodies import bodies
from dynamics.robot_files.review_draft import Draft, Finding, changes, drafted, edited, mended_text
from dynamics.robot_files.review_elements import limits, numbers, references, units
from dynamics.robot_files.review_models import LINE, of_model, place
from dynamics.robot_files.urdf import parse_urdf
from dynamics.robot_files.xml import first_tag, read_xml, readable

MOST = 100
"""Largest number of findings of one stage; beyond it these should be fixed first."""
MOST_ELEMENTS = 20_000
"""Limit for a URDF, because every element is examined."""
AS_GIVEN = "triangle inequality", "negative moment"
"""Kinds of physically impossible values that are used as they are if the robot still moves."""
OPENED = *AS_GIVEN, "limits the wrong way"
"""Kinds of faults with which a URDF can still be opened."""
REPORTED = "no inertia", "zero inertia", *AS_GIVEN
"""Kinds of faults that are allowed and that the reader also remarks on."""
NAMED = re.compile(r"\b(body|joint) '([^']*)'")


@dataclass(frozen=True, eq=False)
class RobotReport(Record):
    """The contents of a robot's file, and what is wrong with it.

    Attributes:
        name: of the file.
        language: ``URDF`` or ``MJCF``.
        robot: as the file has it; None if it is refused.
        refusal: why it is refused; empty if it is not.
        findings: in the order in which to fix them: references, numbers, units, bodies, limits, what was left out.
        merged: links that are welded to others: (link, its carrier).
        source: the file's own bytes.
        folder: where its meshes are looked up; empty for a text alone.
    """

    name: str
    language: str
    robot: Robot | None
    refusal: str
    findings: tuple[Finding, ...]
    merged: tuple[tuple[str, str], ...]
    source: bytes = field(repr=False)
    folder: str = ""

    def repaired_text(self, accepted: Sequence[int] | None = None) -> str:
        """The file with remedies applied; everything else stays as it is, including what only other programs read.

        Args:
            accepted: numbers in ``findings`` of the remedies to apply; by default all that are wrong, but none that is
                doubtful or concerns an inertia with which the robot moves.

        Returns:
            In the file's language, to be encoded in UTF-8, each element on its line in the file.

        Raises:
            ModelError: for a number without a finding.

        Cost: linear in the file.
        """
        if accepted is None:
            used = () if self.robot is None else AS_GIVEN
            accepted = [k for k, one in enumerate(self.findings) if one.weight == "wrong" and one.kind not in used]
        numbers = listed(accepted, "accepted", "numbers", ModelError)
        wrong = [number for number in numbers if not is_index(number, len(self.findings))]
        if wrong:
            raise ModelError(
                f"accepted: {brief(wrong[0])} is not the number of a finding; there are "
                f"{len(self.findings)}, counted from 0."
            )
        edits = [edit for number in sorted(numbers) for edit in self.findings[number].edits]
        return mended_text(self.source, edits)

    @public
    def repaired(self, accepted: Sequence[int] | None = None) -> Robot:
        """The robot of ``repaired_text``.

        Args:
            accepted: as there.

        Returns:
            The robot, checked.

        Raises:
            ModelError: if it still cannot exist, or as ``repaired_text``.

        Cost: that of reading the file.
        """
        folder = Path(self.folder) if self.folder else None
        parse = parse_urdf if self.language == "URDF" else parse_mjcf
        robot = parse(self.repaired_text(accepted).encode(), self.name, folder)
        check_as_read(robot)
        return robot


@public
def robot_report(source: str | Path | bytes, name: str = "robot") -> RobotReport:
    """Examines a robot's file: its contents, what is wrong or doubtful, and how to fix it, with line numbers.

    For a URDF: references to links and numbers with commas; lengths in millimetres, angles in degrees, inertias in
    other units; masses, densities from the volume of shapes and meshes, mass centres outside of them, inertias that no
    body has; limits of joints; and what its reader refuses or leaves out. If one fault causes another, as millimetres
    do a misplaced mass centre, only the first is reported. For a MuJoCo model, as MuJoCo compiles it: the same for
    lengths, bodies and limits, what MuJoCo refuses and infers, and what is left out; its remedies are words and
    numbers, while those of a URDF change the file.

    Args:
        source: the path of a file, or a file's content as bytes, whose meshes are left out.
        name: the content's name in messages.

    Returns:
        The report; ``report.repaired()`` is the robot with its faults fixed, ``report.robot`` as the file has it.

    Raises:
        ModelError: for a file that cannot be read, or is not XML; faults within it are in the report.

    Example:
        >>> file = dyn.urdf_text(dyn.planar_chain(2)).encode()
        >>> dyn.robot_report(file).findings
        ()

    Cost: linear in the file, some 30 ms for seven links; a second for a MuJoCo model, more for large meshes.
    """
    require_text(name, "name", ModelError)
    if isinstance(source, bytes | bytearray):
        data, folder = bytes(source), None
    elif isinstance(source, str | Path):
        path = Path(source)
        data, folder, name = read_file(path), path.parent, path.name
    else:
        raise ModelError(f"a robot's file is {brief(source)}; expected its path, or its content as bytes.")
    is_model = first_tag(data) == "mujoco"
    robot, refusal, found = (_of_model if is_model else _of_urdf)(data, name, folder)
    if not any(each.weight == "wrong" and (is_model or each.kind not in OPENED) for each in found) and refusal:
        told_before = re.compile(rf"{re.escape(f'robot file {brief(name)}')}(, {LINE.pattern})?(, |: )")
        words = re.sub(rf", {LINE.pattern}$", "", told_before.sub("", refusal, 1).rstrip("."))
        line, file = place(refusal)
        found.append(Finding("refused", "wrong", line, "", words, file=file))
    known = [each for each in found if each.weight == "wrong" or each.kind in REPORTED]
    places = {(each.line, each.file) for each in known}
    for remark in () if robot is None else robot.remarks:
        line, file = place(remark)
        if not ((line and (line, file) in places) or any(each.where and f"{each.where}: " in remark for each in known)):
            words = LINE.sub("", remark, 1).lstrip(":, ").rstrip(".")
            found.append(Finding("left out", "note", line, "", words, file=file))
    names = [] if robot is None else [link.name for link in (*robot.links, robot.root)]
    frames = {} if robot is None else robot.frames
    merged = tuple((each, names[frame.link]) for each, frame in frames.items() if each != names[frame.link])
    language, where = "MJCF" if is_model else "URDF", "" if folder is None else str(folder)
    return RobotReport(name, language, robot, refusal, tuple(found), merged, readable(data), where)


Read = tuple[Robot | None, str, list[Finding]]
"""The robot, why it is refused, and the findings on its file."""


def _of_model(data: bytes, name: str, folder: Path | None) -> Read:
    try:
        kept, model = compiled_model(data, name, folder)
    except ModelError as error:
        return None, str(error), []
    robot, refusal = _tried(lambda: robot_of_model(kept, model))
    if robot is None:
        named = NAMED.search(refusal)
        line = "" if named is None else kept.places.get((named[1], named[2]), "")
        return None, f"{refusal.rstrip('.')}, {line}" if line else refusal, []
    whole = read_model(data, f"robot file {brief(name)}", folder)
    return robot, refusal, list(islice(of_model(whole, kept, model, robot, folder), MOST))


def _of_urdf(data: bytes, name: str, folder: Path | None) -> Read:
    root, _ = read_xml(data, f"robot file {brief(name)}")
    draft = drafted(root)
    found = list(_findings(draft, folder)) if root.tag == "robot" else []
    numbers = changes(draft, (each.edits for each in found))
    found = [replace(each, changes=lines) if lines else each for each, lines in zip(found, numbers, strict=True)]
    return *_tried(lambda: parse_urdf(data, name, folder)), found


def _findings(robot: Draft, folder: Path | None) -> Iterator[Finding]:
    """All stages in order, each on the file as the earlier ones would fix it."""
    if (count := sum(1 for _ in robot.every())) > MOST_ELEMENTS:
        words = f"has {count} elements, more than {MOST_ELEMENTS}, which no robot has: they are not examined"
        yield Finding("too much", "doubtful", robot.line, robot.title, words)
        return
    stages: tuple[Callable[[Draft], Iterator[Finding]], ...] = (
        references,
        numbers,
        lambda draft: units(draft, folder),
        lambda draft: bodies(draft, folder),
        limits,
    )
    for stage in stages:
        found = list(islice(stage(robot), MOST))
        yield from found
        robot = edited(robot, (edit for each in found for edit in each.edits))


def _tried(read: Callable[[], Robot]) -> tuple[Robot | None, str]:
    try:
        robot = read()
        check_as_read(robot)
    except ModelError as error:
        return None, str(error)
    return robot, ""
