"""From a file's bytes to its checked elements: a robot, whose links and joints form a tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

from dynamics.checks import brief, choices
from dynamics.descriptions.urdf_elements import UrdfElements, macros, right_angles
from dynamics.descriptions.urdf_extensions import Extensions, extensions_of
from dynamics.descriptions.xml import Element, read_xml
from dynamics.errors import ModelError

JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", "planar", "floating")
CLOSING: Mapping[str, Literal["hinge", "rigid"]] = {"revolute": "hinge", "continuous": "hinge", "fixed": "rigid"}
"""How a joint of each type to a second parent closes a loop."""
OTHERS = {
    "sdf": "SDF, Gazebo's format, is not read: give the URDF that it was made from, or convert it.",
    "mujocoinclude": "It is a part of a MuJoCo model: open the model that includes it.",
}


def read_urdf(data: bytes, name: str) -> tuple[Element, Extensions, tuple[str, ...]]:
    """The checked ``<robot>`` element of a URDF file, reduced to what the mechanics and the view use.

    Args:
        data: the file's bytes.
        name: the file's name in messages.

    Returns:
        The element, the file's content beyond URDF, and remarks on what was left out of it.

    Raises:
        ModelError: for a file that is too large, is not XML, holds a document type or entities, is not a URDF
            robot, or has a mechanical element without its attributes, a malformed number or a broken reference.
    """
    where = f"robot file {brief(name)}"
    root, read = read_xml(data, where)
    if root.tag == "mujoco":
        raise ModelError(f"{where} is a MuJoCo model (MJCF); expected URDF. Read its text with load_mjcf_text.")
    if root.tag != "robot":
        advice = OTHERS.get(root.tag, "Give a URDF file.")
        raise ModelError(f"{where} starts with <{brief(root.tag)[1:-1]}>; expected <robot>. {advice}")
    if not root.get("name"):
        root = replace(root, attributes={**root.attributes, "name": Path(name).stem or "robot"})
    macro = next(macros(root), None)
    try:
        kept = UrdfElements(root, where)
        try:
            _check_tree(kept.robot, where)
        except ModelError as error:
            raise kept.explained(error) from None
        if macro is not None and all(joint.get("type") == "fixed" for joint in kept.robot.all("joint")):
            raise ModelError(f"{where} has no moving joint.")
    except ModelError:
        if macro is None:
            raise
        raise ModelError(
            f"{where} holds xacro macros (line {macro.line}); expected plain URDF. Expand it with the xacro tool first."
        ) from None
    remarks = (*read, *kept.remarks, *([f"and {kept.more} more"] if kept.more else []), *right_angles(root))
    return kept.robot, extensions_of(root, where), remarks


def _check_tree(robot: Element, where: str) -> None:
    """One root, one parent per link except where a loop closes, no cycle, no missing or duplicate name."""
    links = [link.get("name") or "" for link in robot.all("link")]
    joints = robot.all("joint")
    if not links:
        raise ModelError(f"{where} has no <link>; expected at least two and a joint. Give a complete robot.")
    for elements in (robot.all("link"), joints):
        names = set[str]()
        for each in elements:
            if (name := each.get("name") or "") in names:
                said = f"{each.tag} {brief(name)} is defined more than once. Rename one of them."
                raise ModelError(f"{where}, line {each.line}: {said}")
            names.add(name)
    known = set(links)
    parent_of: dict[str, str] = {}
    for joint in joints:
        name, joint_type = joint.get("name") or "", joint.get("type")
        place = f"{where}, line {joint.line}, joint {brief(name)}"
        if joint_type not in JOINT_TYPES:
            raise ModelError(
                f"{place}: type {brief(joint_type)} is not supported; expected one of {choices(JOINT_TYPES)}."
            )
        ends = {}
        for end in ("parent", "child"):
            element = joint.first(end)
            if element is None:
                raise ModelError(f'{place}: has no <{end}>; expected <{end} link="…"/>. Add it.')
            ends[end] = element.get("link") or ""
            if ends[end] not in known:
                raise ModelError(
                    f"{place}: {end} link {brief(ends[end])} does not exist. Correct the name or add the link."
                )
        if ends["child"] == ends["parent"]:
            raise ModelError(f"{place}: joins link {brief(ends['child'])} to itself. Correct its parent or its child.")
        parent_of.setdefault(ends["child"], ends["parent"])
    roots = [link for link in links if link not in parent_of]
    if len(roots) > 1:
        shown = ", ".join(brief(root) for root in roots[:4])
        raise ModelError(
            f"{where}: is not connected: {len(roots)} links have no parent ({shown}); expected one root. "
            "Join them, or remove what is loose."
        )
    reached = set(roots)
    for link in links:
        path: dict[str, None] = {}
        while link not in reached:
            if link in path:
                cycle = list(path)[list(path).index(link) :]
                shown = " -> ".join(brief(name)[1:-1] for name in [*cycle, link][:12])
                raise ModelError(f"{where}: the links form a cycle: {shown}; expected a tree. Cut the loop.")
            path[link] = None
            link = parent_of[link]
        reached.update(path)
