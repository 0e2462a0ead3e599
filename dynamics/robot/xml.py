"""Robot files read safely: no entities, no surprises, every number and reference checked before it is used."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from xml.etree import ElementTree

import defusedxml.ElementTree as defused
from defusedxml.common import DefusedXmlException

from dynamics.checks import brief, choices
from dynamics.errors import ModelError
from dynamics.robot.right_angle import as_meant

MAXIMUM_BYTES = 20_000_000
JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed")
KEPT = {
    "robot": ("link", "joint", "material"),
    "link": ("inertial", "visual"),
    "joint": ("parent", "child", "origin", "axis", "limit", "dynamics", "mimic"),
    "inertial": ("origin", "mass", "inertia"),
    "visual": ("origin", "geometry", "material"),
    "geometry": ("box", "cylinder", "sphere", "mesh"),
    "material": ("color",),
}
# how many numbers each attribute holds, and whether they must be above zero
NUMBERS: dict[tuple[str, str], tuple[tuple[int, ...], bool]] = {
    ("origin", "xyz"): ((3,), False),
    ("origin", "rpy"): ((3,), False),
    ("axis", "xyz"): ((3,), False),
    ("color", "rgba"): ((4,), False),
    ("mass", "value"): ((1,), False),
    **{("inertia", name): ((1,), False) for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")},
    **{("limit", name): ((1,), False) for name in ("lower", "upper", "velocity", "effort")},
    **{("dynamics", name): ((1,), False) for name in ("damping", "friction")},
    ("box", "size"): ((3,), True),
    ("cylinder", "radius"): ((1,), True),
    ("cylinder", "length"): ((1,), True),
    ("sphere", "radius"): ((1,), True),
    ("mesh", "scale"): ((1, 3), False),
}
REQUIRED = {
    "mass": ("value",),
    "inertia": ("ixx", "iyy", "izz"),
    "color": ("rgba",),
    "axis": ("xyz",),
    "box": ("size",),
    "cylinder": ("radius", "length"),
    "sphere": ("radius",),
    "mesh": ("filename",),
    "parent": ("link",),
    "child": ("link",),
}
ONCE = {"link": ("inertial",), "joint": ("parent", "child", "origin", "axis", "limit", "dynamics")}


def read_robot_xml(data: bytes, name: str) -> ElementTree.Element:
    """The checked ``<robot>`` element of a URDF file, with nothing in it but what the mechanics and the view use.

    Args:
        data: the file's bytes.
        name: what to call the file in messages.

    Raises:
        ModelError: a file that is too large, is not XML, holds a document type or entities, is not a URDF
            robot, or has an element without its attributes, a malformed number or a broken reference.
    """
    where = f"robot file {brief(name)}"
    if len(data) > MAXIMUM_BYTES:
        raise ModelError(
            f"{where} has {len(data)} bytes; expected at most {MAXIMUM_BYTES}. Leave meshes in files of their own."
        )
    try:
        root = defused.fromstring(data, forbid_dtd=True, forbid_entities=True, forbid_external=True)
    except DefusedXmlException as error:
        raise ModelError(
            f"{where} declares a document type or entities ({type(error).__name__}), which are refused as unsafe. "
            "Remove the <!DOCTYPE …> part."
        ) from None
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise ModelError(f"{where} is not well-formed XML: {error}. Correct the file at that place.") from None
    if root.tag == "mujoco":
        raise ModelError(f"{where} is a MuJoCo model (MJCF); expected URDF. Convert it to URDF first.")
    if root.tag != "robot":
        raise ModelError(f"{where} starts with <{brief(root.tag)[1:-1]}>; expected <robot>. Give a URDF file.")
    if any(str(element.tag).startswith("{http://www.ros.org/wiki/xacro}") for element in root.iter()):
        raise ModelError(f"{where} holds xacro macros; expected plain URDF. Expand it with the xacro tool first.")
    kept = _kept(root, where)
    _check_tree(kept, where)
    return kept


def _kept(root: ElementTree.Element, where: str) -> ElementTree.Element:
    """A copy with the known elements only, each one checked on the way."""
    copy = ElementTree.Element("robot", {"name": root.get("name") or "robot"})
    for child in root:
        if child.tag not in KEPT["robot"]:
            continue
        label = child.get("name")
        if not label:
            raise ModelError(f'{where}: a <{child.tag}> has no name; expected name="…". Name it.')
        copy.append(_kept_element(child, f"{where}, {child.tag} {brief(label)}"))
    return copy


def _kept_element(element: ElementTree.Element, where: str) -> ElementTree.Element:
    tag = element.tag
    for attribute in REQUIRED.get(tag, ()):
        if not element.get(attribute):
            raise ModelError(f'{where}: <{tag}> has no {attribute}; expected {attribute}="…". Add it.')
    for attribute, text in element.attrib.items():
        if (tag, attribute) in NUMBERS:
            _check_numbers(tag, attribute, text, where)
    for single in ONCE.get(tag, ()):
        if len(element.findall(single)) > 1:
            raise ModelError(f"{where}: has more than one <{single}>; expected one. Remove the others.")
    copy = ElementTree.Element(tag, dict(element.attrib))
    if tag == "origin" and "rpy" in copy.attrib:
        copy.set("rpy", as_meant(copy.attrib["rpy"]))
    for child in element:
        if child.tag in KEPT.get(tag, ()):
            if tag == "joint" and child.tag == "mimic":
                raise ModelError(
                    f"{where}: is a mimic joint (of {brief(child.get('joint'))}), which is not supported. "
                    "Make it independent, or fixed."
                )
            kept = _kept_element(child, where)
            if child.tag == "visual" and len(kept.findall("geometry/*")) != 1:
                warnings.warn(
                    f"{where}: a <visual> without one box, cylinder, sphere or mesh is left out.", stacklevel=6
                )
                continue
            copy.append(kept)
    if tag == "inertial" and (copy.find("mass") is None or copy.find("inertia") is None):
        raise ModelError(f"{where}: <inertial> needs both <mass> and <inertia>. Add what is missing.")
    return copy


def _check_numbers(tag: str, attribute: str, text: str, where: str) -> None:
    counts, positive = NUMBERS[tag, attribute]
    place = f'{where}: <{tag} {attribute}="{brief(text)[1:-1]}">'
    try:
        values = [float(part) for part in text.replace(",", " " if tag in ("box", "mesh") else ",").split()]
    except ValueError:
        raise ModelError(f"{place} is not a number; expected {counts[-1]}. Correct it.") from None
    if len(values) not in counts:
        raise ModelError(f"{place} holds {len(values)} numbers; expected {counts[-1]}. Correct it.")
    endless = tag == "limit"  # a limit that is infinite is no limit
    if any(math.isnan(value) or (math.isinf(value) and not endless) for value in values):
        raise ModelError(f"{place} is not finite; expected finite numbers. Correct it.")
    if positive and min(values) <= 0.0:
        raise ModelError(f"{place} is not above zero; a shape needs a size. Correct it, or remove the shape.")


def _check_tree(robot: ElementTree.Element, where: str) -> None:
    """One root, one parent a link, no loop, no missing or doubled name."""
    links = [link.get("name", "") for link in robot.findall("link")]
    joints = robot.findall("joint")
    if not links:
        raise ModelError(f"{where} has no <link>; expected at least two and a joint. Give a complete robot.")
    for kind, names in (("link", links), ("joint", [joint.get("name", "") for joint in joints])):
        doubled = [name for name, count in Counter(names).items() if count > 1]
        if doubled:
            raise ModelError(f"{where}: {kind} {brief(doubled[0])} is defined more than once. Rename one of them.")
    known = set(links)
    parent_of: dict[str, tuple[str, str]] = {}
    for joint in joints:
        name, joint_type = joint.get("name", ""), joint.get("type")
        place = f"{where}, joint {brief(name)}"
        if joint_type not in JOINT_TYPES:
            raise ModelError(
                f"{place}: type {brief(joint_type)} is not supported; expected one of {choices(JOINT_TYPES)}."
            )
        ends = {}
        for end in ("parent", "child"):
            element = joint.find(end)
            if element is None:
                raise ModelError(f'{place}: has no <{end}>; expected <{end} link="…"/>. Add it.')
            ends[end] = element.get("link", "")
            if ends[end] not in known:
                raise ModelError(
                    f"{place}: {end} link {brief(ends[end])} does not exist. Correct the name or add the link."
                )
        child, parent = ends["child"], ends["parent"]
        if child in parent_of:
            raise ModelError(
                f"{where}: link {brief(child)} is the child of two joints, {brief(parent_of[child][1])} and "
                f"{brief(name)}; expected one (the links must form a tree). Cut the loop."
            )
        parent_of[child] = (parent, name)
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
            link = parent_of[link][0]
        reached.update(path)
