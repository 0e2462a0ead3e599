"""A report on a robot's file before anything moves: what it holds, what is wrong, and the robot with that mended."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from dynamics.checks import brief, is_index, listed
from dynamics.checks import text as require_text
from dynamics.descriptions.urdf import parse_urdf
from dynamics.descriptions.xml import Element, first_tag, read_xml, readable
from dynamics.errors import ModelError
from dynamics.mjcf.compiled_model import CompiledModel
from dynamics.mjcf.elements import Kept, every, in_body
from dynamics.mjcf.mjcf import compiled_model, parse_mjcf, read_model, robot_of_model
from dynamics.public import public
from dynamics.record import Record
from dynamics.review.bodies import bodies
from dynamics.review.draft import Additions, Draft, Edit, Places, changes, drafted, edited
from dynamics.review.finding import Finding
from dynamics.review.joints import joints
from dynamics.review.links import links
from dynamics.review.mended_text import mended_text
from dynamics.review.model_bodies import as_compiled, as_written
from dynamics.review.model_numbers import Place, model_angles, numbers_as_written, setting, sizes_as_written
from dynamics.review.numbers import numbers
from dynamics.review.structure import structure, title_of
from dynamics.review.units import units
from dynamics.robot.model import Robot
from dynamics.robot.validity import check_as_read
from dynamics.sources.files import read_file

MOST = 100
"""Findings of one stage; who has more mends these first."""
MOST_ELEMENTS = 20_000
"""Of a URDF, whose every element is looked at."""
MOST_BODIES = 500
"""Of a model that MuJoCo refuses, whose every body is looked at for the reason: no robot has more."""
OPENED = (
    *("triangle inequality", "negative moment", "inertia without mass", "no size", "misspelt element"),
    *("limits the wrong way", "negative effort", "negative velocity", "negative damping", "negative friction"),
    "doubled element",
)
"""Kinds of what is wrong, with which a URDF opens all the same."""
TOLD = "doubled element", "no inertia", "zero inertia", "inertia without mass"
"""Kinds of what can be, of which the reader has remarks, too."""
LINE = re.compile(r"\bline ([0-9]{1,9})(?: of ('[^']*'|\"[^\"]*\"))?")
"""As ``place_of`` has it."""


@dataclass(frozen=True, eq=False)
class RobotReport(Record):
    """What a robot's file holds, and what is wrong with it.

    Attributes:
        name: of the file.
        language: ``URDF`` or ``MJCF``.
        robot: as the file has it; None where it is refused.
        refusal: why it is refused; empty where it is not.
        findings: in the order in which one mends them: elements and names, units, bodies, joints, what was left out.
        merged: links that are welded to others: (link, what carries it).
        source: the file's own bytes.
        folder: where its meshes are sought; empty for a text alone.
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
        """The file with remedies carried out; all else in it stays as it is, what other programs read included.

        Args:
            accepted: the findings whose remedies are, by their numbers in ``findings``; by default all that are wrong,
                and none that is doubtful.

        Returns:
            In the file's language, to be encoded in UTF-8, each element on its line in the file.

        Raises:
            ModelError: for a number that no finding has.

        Cost: linear in the file.
        """
        draft = drafted(read_xml(self.source, f"robot file {brief(self.name)}")[0])
        accepted = [k for k, one in enumerate(self.findings) if one.weight == "wrong"] if accepted is None else accepted
        numbers = listed(accepted, "accepted", "numbers", ModelError)
        wrong = [number for number in numbers if not is_index(number, len(self.findings))]
        if wrong:
            raise ModelError(f"accepted: {brief(wrong[0])} is no finding; there are {len(self.findings)}, from 0.")
        edits = [edit for number in sorted(numbers) for edit in self.findings[number].edits]
        return mended_text(self.source, draft, edited(draft, edits))

    @public
    def repaired(self, accepted: Sequence[int] | None = None) -> Robot:
        """The robot of ``repaired_text``.

        Args:
            accepted: as there.

        Returns:
            The robot, checked.

        Raises:
            ModelError: where it still cannot be, or as there.

        Cost: that of reading the file.
        """
        folder = Path(self.folder) if self.folder else None
        parse = parse_urdf if self.language == "URDF" else parse_mjcf
        robot = parse(self.repaired_text(accepted).encode(), self.name, folder)
        check_as_read(robot)
        return robot


@public
def robot_report(source: str | Path | bytes, name: str = "robot") -> RobotReport:
    """What is in a robot's file, what is wrong with it or hardly meant, and what would mend it, with lines.

    Of a URDF: elements, names, references and loops; numbers that are none; lengths in millimetres, angles in degrees,
    inertias in other units; masses, densities against the volume of shapes and meshes, mass centres outside of them,
    inertias that no body has; axes, limits and losses of joints. Where one thing makes another look wrong, such as
    millimetres a mass centre, only the first is told. Of a MuJoCo model, as MuJoCo compiles it: the same of lengths,
    bodies, axes, limits and losses, what MuJoCo refuses and infers, limits of angles in the other unit, and what is
    left out. Remedies change the file itself: what a model includes from others is told with a remedy in words.

    Args:
        source: the path of a file, or a file's content as bytes, whose meshes are left out.
        name: what to call content in messages.

    Returns:
        The report; ``report.repaired()`` is the robot with what is wrong mended, ``report.robot`` as the file has it.

    Raises:
        ModelError: for a file that cannot be read, or is no XML; what is wrong within one is in the report.

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
    if first_tag(data) == "mujoco":
        return _report_of_model(data, name, folder)
    root, _ = read_xml(data, f"robot file {brief(name)}")
    draft = drafted(root)
    found = list(_findings(draft, folder)) if root.tag == "robot" else []
    robot, refusal = _tried(lambda: parse_urdf(data, name, folder))
    return _report(name, "URDF", robot, refusal, found, readable(data), draft, folder)


def _report_of_model(data: bytes, name: str, folder: Path | None) -> RobotReport:
    own, _ = read_xml(data, f"robot file {brief(name)}")
    draft = drafted(own)
    additions = Additions(draft)
    read, robot, refusal = _compiled(data, name, folder)
    found = list(islice(numbers_as_written(draft), MOST))
    if robot is None and sum(each.tag == "body" for each in draft.every()) <= MOST_BODIES:
        found += islice(sizes_as_written(draft), MOST)
        found += islice(as_written(edited(draft, _edits(found)), additions), MOST)
        if edits := _edits(found):
            mended = mended_text(readable(data), draft, edited(draft, edits)).encode()
            read, robot, left = _compiled(mended, name, folder)
            found += _refused(left, name)
            if not left and not any(each.weight == "wrong" for each in found):
                found = [replace(each, weight="wrong") for each in found]  # MuJoCo refuses just that
    if read is not None and robot is not None:
        whole = read_model(data, f"robot file {brief(name)}", folder)
        found += _of_compiled(Places(own, draft), draft, whole, additions, *read, robot, folder)
    return _report(name, "MJCF", None if refusal else robot, refusal, found, readable(data), draft, folder)


def _of_compiled(
    places: Places,
    draft: Draft,
    whole: Element,
    additions: Additions,
    kept: Kept,
    model: CompiledModel,
    robot: Robot,
    folder: Path | None,
) -> Iterator[Finding]:
    """What is hardly meant of a model that MuJoCo takes, as it is or mended so far, and what it infers."""
    at = {
        (each.tag, each.get("name") or ""): Place(each.line, each.file, one, next(_in(each, "inertial"), each).line)
        for each, one in places.pairs(kept.root)
    }
    yield from islice(model_angles(draft, whole, additions, robot, at), MOST)
    of_geoms = [each for each in every(kept.root) if each.tag == "body" and any(_in(each, "geom"))]
    inferred = [each for each in of_geoms if not any(_in(each, "inertial"))]
    infers = setting(whole, "inertiafromgeom") == "true"  # whatever a body says of its own inertia
    names = {each.get("name") or "" for each in (of_geoms if infers else inferred)}
    yield from islice(as_compiled(draft, whole, additions, model, at, names, folder), MOST)
    words = "has no <inertial>: MuJoCo infers it of its geoms"
    for each in inferred[:MOST]:
        yield Finding("inferred inertia", "note", each.line, f"body {brief(each.get('name'))}", words, file=each.file)


def _compiled(
    data: bytes, name: str, folder: Path | None
) -> tuple[tuple[Kept, CompiledModel] | None, Robot | None, str]:
    """What MuJoCo makes of a model, the robot, and why it cannot be one."""
    try:
        read = compiled_model(data, name, folder)
    except ModelError as error:
        return None, None, str(error)
    return read, *_tried(lambda: robot_of_model(*read))


def _in(body: Element, tag: str) -> Iterator[Element]:
    """Also in frames of it."""
    return (each for each in in_body(body) if each.tag == tag)


def _findings(robot: Draft, folder: Path | None) -> Iterator[Finding]:
    """One stage after the other, each of the file as the earlier ones would mend it."""
    if (count := sum(1 for _ in robot.every())) > MOST_ELEMENTS:
        words = f"has {count} elements, of which no robot has more than {MOST_ELEMENTS}: they are not looked through"
        yield Finding("too much", "doubtful", robot.line, title_of(robot), words)
        return
    additions = Additions(robot)
    stages: tuple[Callable[[Draft], Iterator[Finding]], ...] = (
        lambda draft: structure(draft, additions),
        numbers,
        links,
        lambda draft: units(draft, folder),
        lambda draft: bodies(draft, additions, folder),
        lambda draft: joints(draft, additions),
    )
    for stage in stages:
        found = list(islice(stage(robot), MOST))
        yield from found
        if edits := _edits(found):
            robot = edited(robot, edits)


def _edits(found: Iterable[Finding]) -> list[Edit]:
    return [edit for each in found for edit in each.edits]


def _tried(read: Callable[[], Robot]) -> tuple[Robot | None, str]:
    try:
        robot = read()
        check_as_read(robot)
    except ModelError as error:
        return None, str(error)
    return robot, ""


def _report(
    name: str,
    language: str,
    robot: Robot | None,
    refusal: str,
    found: list[Finding],
    data: bytes,
    draft: Draft,
    folder: Path | None,
) -> RobotReport:
    opened = OPENED if language == "URDF" else ()
    if not any(each.weight == "wrong" and each.kind not in opened for each in found):
        found += _refused(refusal, name)
    known = [each for each in found if each.weight == "wrong" or each.kind in TOLD]
    told = {(each.line, each.file) for each in known}
    for remark in () if robot is None else robot.remarks:
        line, file = _place(remark)
        if not ((line and (line, file) in told) or any(each.where and f"{each.where}: " in remark for each in known)):
            words = LINE.sub("", remark, 1).lstrip(":, ").rstrip(".")
            found.append(Finding("left out", "note", line, "", words, file=file))
    merged = () if robot is None else tuple(_merged(robot))
    changed = zip(found, changes(draft, (each.edits for each in found)), strict=True)
    found = [replace(each, changes=lines) if lines else each for each, lines in changed]
    return RobotReport(
        name, language, robot, refusal, tuple(found), merged, data, "" if folder is None else str(folder)
    )


def _refused(refusal: str, name: str) -> Iterator[Finding]:
    """What a refusal says, if there is one."""
    if refusal:
        told_before = re.compile(rf"{re.escape(f'robot file {brief(name)}')}(, {LINE.pattern})?(, |: )")
        words = re.sub(rf", {LINE.pattern}$", "", told_before.sub("", refusal, 1).rstrip("."))
        line, file = _place(refusal)
        yield Finding("refused", "wrong", line, "", words, file=file)


def _place(words: str) -> tuple[int, str]:
    """The line that words tell of, and the file, where it is one that the robot's own includes."""
    found = LINE.search(words)
    return (int(found[1]), (found[2] or "")[1:-1]) if found else (0, "")


def _merged(robot: Robot) -> Iterator[tuple[str, str]]:
    names = [link.name for link in (*robot.links, robot.root)]
    for name, frame in robot.frames.items():
        if name != names[frame.link]:
            yield name, names[frame.link]
