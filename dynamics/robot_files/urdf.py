"""URDF to Robot: from a file's bytes to its checked elements, whose links and joints form a tree, to the robot."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal
from xml.etree import ElementTree

import numpy as np

from dynamics.checks import Array, brief, choices
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.robot.model import Geometry, Joint, Robot
from dynamics.robot.rigid_body import MassProperties, onto_z, without_rounding
from dynamics.robot.validity import check_as_read
from dynamics.robot_files.description import AS_IT_IS, Closure, Connection, Description, Follower, LoadOptions, Part
from dynamics.robot_files.mesh_files import find_mesh
from dynamics.robot_files.tree import robot_of
from dynamics.robot_files.urdf_elements import (
    SPLIT,
    UNLIMITED,
    Extensions,
    UrdfElements,
    extensions_of,
    free_name,
    macros,
    right_angles,
)
from dynamics.robot_files.xml import Element, bytes_of, read_xml

MOVING = {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic"}
AXIS_MINIMUM = 1e-9
JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", "planar", "floating")
CLOSING: Mapping[str, Literal["hinge", "rigid"]] = {"revolute": "hinge", "continuous": "hinge", "fixed": "rigid"}
"""How a joint of each type to a second parent closes a loop."""
OTHERS = {
    "sdf": "SDF, Gazebo's format, is not read: give the URDF that it was made from, or convert it.",
    "mujocoinclude": "It is a part of a MuJoCo model: open the model that includes it.",
}
STEEP = 0.9
"""An axis with an x component above this is too close to x to use x as a reference across it."""


@public
def load_urdf_text(text: str | bytes, name: str = "robot", tip: str | Sequence[str] | None = None) -> Robot:
    """The robot in URDF text, such as an upload; its meshes are left out.

    Right angles are exact, as with :func:`dynamics.load`. A planar joint becomes two slides and a hinge, a floating one
    three slides and three hinges; if a floating joint alone joins the robot to the root link, its child is the root,
    which floats with :func:`dynamics.free_flyer`. Rotor inertia is read as in Drake, from a ``<transmission>``.

    Args:
        text: the file's content.
        name: the robot's name in messages.
        tip: the link, or links, whose origins are the tool points; by default the outermost ones.

    Returns:
        The robot: index 0 is the (first) tip's link, every link comes before its inboard neighbor, fixed joints
        are merged into their parents and every link's name stays in ``frames``.

    Raises:
        ModelError: for any error in the file, naming the element.

    Cost: linear in the text, about 20 ms for seven links.
    """
    robot = parse_urdf(bytes_of(text, name), name, None, LoadOptions(tip))
    check_as_read(robot)
    return robot


def parse_urdf(data: bytes, name: str, folder: Path | None, options: LoadOptions = AS_IT_IS) -> Robot:
    """The robot as the file has it, before :func:`check_robot` checks it as a whole."""
    import yourdfpy  # imported here: it would add a fifth to this package's import time, and only files need it

    root, extensions, remarks = _read_urdf(data, name)
    remarks += tuple(
        f"line {each.line}: limits, damping and friction of {brief(each.get('name'))}, a {each.get('type')} joint, are "
        "left out"
        for each in root.all("joint")
        if each.get("type") in SPLIT and (each.first("limit") or each.first("dynamics"))
    )
    model = yourdfpy.URDF.load(
        io.BytesIO(ElementTree.tostring(root.as_tree())), build_scene_graph=False, load_meshes=False
    ).robot
    title = f"robot {brief(model.name)}"
    places = {
        (each.tag, each.get("name")): f"line {each.line}, {each.tag} {brief(each.get('name'))}" for each in root.inner
    }
    (shapes, lost), floating = _shapes(model, folder, options.package_dirs, places), _what_floats(model)
    own = [link for link in model.links if floating is None or link.name != floating.parent]
    parts = [_part(link, places["link", link.name], shapes[link.name]) for link in own]
    connections, wrong = list[Connection](), list[str]()
    taken = {link.name for link in model.links}, {joint.name for joint in model.joints}
    closings = list[Closure]()
    for joint in model.joints:
        place = places["joint", joint.name]
        if joint.child in {each.child for each in connections}:
            if joint.type in CLOSING:
                closings.append(_closing(joint, title, place))
            else:
                wrong.append(
                    f"{place}: a second joint to a parent, of type {joint.type}, closes no loop here: left out"
                )
        elif joint is not floating:
            between, found = _connections(joint, title, place, *taken, wrong)
            parts += between
            connections += (replace(one, joint=one.joint and extensions.of_joint(one.joint)) for one in found)
    followers = tuple(_follower(joint, mimic) for joint in root.all("joint") for mimic in joint.all("mimic"))
    description = Description(model.name, tuple(parts), tuple(connections), followers, tuple(closings))
    asked = options if options.tip is not None else replace(options, tip=extensions.tips or None)
    return extensions.of(robot_of(description, title, asked, (*remarks, *lost, *wrong)))


def _read_urdf(data: bytes, name: str) -> tuple[Element, Extensions, tuple[str, ...]]:
    """The checked ``<robot>`` of a file, reduced to what the mechanics and the view use; and its content beyond URDF.

    The third result is remarks on what was left out. A file that is no XML or no URDF, and a mechanical element
    without its attributes, with a malformed number or a broken reference, are refused.
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
    try:
        TopologicalSorter({child: (parent,) for child, parent in parent_of.items()}).prepare()
    except CycleError as error:
        shown = " -> ".join(brief(name)[1:-1] for name in error.args[1][::-1][:12])
        raise ModelError(f"{where}: the links form a cycle: {shown}; expected a tree. Cut the loop.") from None


def _closing(joint: Any, title: str, place: str) -> Closure:
    """A link's second joint to a parent; a hinge turns about z."""
    onto_axis = np.eye(4)
    if CLOSING[joint.type] == "hinge":
        onto_axis[:3, :3] = onto_z(_axis(joint, f"{title}, {place}"))
    ends = (joint.parent, origin_pose(joint.origin) @ onto_axis), (joint.child, onto_axis)
    return Closure(CLOSING[joint.type], *ends, place, ": closes a loop, exactly; its limits and losses are left out")


def _follower(joint: Element, mimic: Element) -> Follower:
    coefficients = float(mimic.get("offset") or 0.0), float(mimic.get("multiplier") or 1.0)
    return Follower(mimic.place, joint.get("name") or "", mimic.get("joint") or "", coefficients)


def _what_floats(model: Any) -> Any:
    """The floating joint that alone joins the robot to the root, if there is one; its child then becomes the root."""
    children = {joint.child for joint in model.joints}
    at_root = [joint for joint in model.joints if joint.parent not in children]
    is_free = len(at_root) == 1 and at_root[0].type == "floating"
    return at_root[0] if is_free else None


def _part(link: Any, where: str, shapes: Sequence[Geometry]) -> Part:
    if link.inertial is None:
        return Part(link.name, where, shapes=tuple(shapes))
    body = MassProperties(float(link.inertial.mass), np.zeros(3), link.inertial.inertia)
    return Part(link.name, where, body, origin_pose(link.inertial.origin), tuple(shapes))


def _connections(
    joint: Any, title: str, place: str, links: set[str], joints: set[str], wrong: list[str]
) -> tuple[list[Part], list[Connection]]:
    """The connections of a link to its parent, and the massless parts between them; ``links, joints``: names in use."""
    origin, where = origin_pose(joint.origin), f"{title}, {place}"
    if joint.type in SPLIT:
        axis = _axis(joint, where) if joint.type == "planar" else np.eye(3)[2]  # a floating joint has none
        singles = _freedoms(joint.type, joint.name, axis, joints)
        return _in_a_row(singles, joint.parent, joint.child, origin, place, links)
    moves = None
    if joint.type in MOVING:
        moves, found = _possible(_joint(joint, origin, where))
        wrong += (f"{place}: {words}" for words in found)
    return [], [Connection(joint.parent, joint.child, origin, moves)]


def _freedoms(kind: str, name: str, axis: Array, taken: set[str]) -> list[Joint]:
    """The single joints of a planar or floating joint, from the inner to the outer.

    A planar joint is two slides across its axis and a hinge about it: x, y and z if the axis is z. A floating one is
    slides along x, y and z, then hinges about them: it reaches every pose, but is singular if the second hinge is at
    90 degrees. New names are added to ``taken``, those of all joints.
    """
    x, y, z = np.eye(3)
    if kind == "planar":
        near = y if abs(axis[0]) > STEEP else x
        u = near - (near @ axis) * axis
        u = u / np.linalg.norm(u)
        slides, turns = {"x": u, "y": np.cross(axis, u)}, {"turn": axis}
    else:
        slides, turns = {"x": x, "y": y, "z": z}, {"roll": x, "pitch": y, "yaw": z}
    return [
        *(Joint(free_name(f"{name}_{word}", taken), "prismatic", along, np.eye(4)) for word, along in slides.items()),
        *(Joint(free_name(f"{name}_{word}", taken), "revolute", about, np.eye(4)) for word, about in turns.items()),
    ]


def _in_a_row(
    joints: Sequence[Joint], parent: str, child: str, origin: Array, where: str, taken: set[str]
) -> tuple[list[Part], list[Connection]]:
    """The parts between single joints, named after these, and their connections; ``origin``: parent <- first joint."""
    parts = [Part(free_name(f"{child}_{joint.name}", taken), where) for joint in joints[:-1]]
    connections = []
    for (inner, outer), joint in zip(pairwise([parent, *(part.name for part in parts), child]), joints, strict=True):
        connections.append(Connection(inner, outer, origin, replace(joint, origin=origin)))
        origin = np.eye(4)
    return parts, connections


def _axis(joint: Any, where: str) -> Array:
    length = float(np.linalg.norm(joint.axis))
    if not AXIS_MINIMUM <= length < np.inf:
        raise ModelError(f"{where}: axis is {joint.axis.tolist()}; expected a direction. Give a nonzero vector.")
    return without_rounding(joint.axis / length)


def origin_pose(matrix: Array | None) -> Array:
    """The pose of an ``<origin>``; its quarter turns are exact."""
    if matrix is None:
        return np.eye(4)
    pose = matrix.copy()
    pose[:3, :3] = without_rounding(matrix[:3, :3])
    return pose


def _joint(joint: Any, origin: Array, where: str) -> Joint:
    limit, dynamics = joint.limit, joint.dynamics
    bounds: dict[str, Any] = {"lower": -np.inf, "upper": np.inf, "velocity": np.inf, "effort": np.inf}
    if limit is not None:
        for key in bounds:
            value = getattr(limit, key)
            if value is not None and not (key in ("lower", "upper") and joint.type == "continuous"):
                bounds[key] = math.copysign(np.inf, value) if abs(value) >= UNLIMITED else value
        # URDF's defaults: if a limit gives only one bound, the other is zero
        if joint.type != "continuous" and (limit.lower is None) != (limit.upper is None):
            bounds["lower" if limit.lower is None else "upper"] = 0.0
    friction = float((dynamics and dynamics.friction) or 0.0)
    return Joint(
        name=joint.name,
        kind=MOVING[joint.type],  # type: ignore[arg-type]
        axis=_axis(joint, where),
        origin=origin,
        damping=float((dynamics and dynamics.damping) or 0.0),
        friction=(friction, friction),
        **bounds,
    )


def _possible(joint: Joint) -> tuple[Joint, list[str]]:
    """A joint without impossible limits and losses, and a list of those."""
    changes: dict[str, Any] = {}
    words = []
    if joint.lower > joint.upper:
        changes |= {"lower": -np.inf, "upper": np.inf}
        words.append(f"its lower limit {joint.lower:g} is above its upper limit {joint.upper:g}: both are left out")
    none = {"velocity": np.inf, "effort": np.inf, "damping": 0.0, "friction": (0.0, 0.0)}
    for name, value in none.items():
        if (given := min(np.atleast_1d(getattr(joint, name)))) < 0.0:
            changes[name] = value
            words.append(f"its {name} {given:g} is below zero: it is left out")
    return replace(joint, **changes), words


def _shapes(
    model: Any, folder: Path | None, package_dirs: Sequence[str | Path], places: Mapping[tuple[str, str | None], str]
) -> tuple[dict[str, list[Geometry]], tuple[str, ...]]:
    """The shapes of each link, and a remark on each mesh that is missing."""
    named = {material.name: material for link in model.links for v in link.visuals if (material := v.material)}
    named = {name: material for name, material in named.items() if material.color is not None}
    named |= {material.name: material for material in model.materials if material.color is not None}
    shapes: dict[str, list[Geometry]] = {link.name: [] for link in model.links}
    lost = []
    for link in model.links:
        for visual in link.visuals:
            shape = _shape(visual.geometry)
            if shape.kind == "mesh":
                path, reason = (shape.path, "") if shape.is_inside else find_mesh(str(shape.path), folder, package_dirs)
                if path is None:
                    lost.append(f"{places['link', link.name]}: mesh {brief(shape.path)} is left out: {reason}")
                    continue
                shape = replace(shape, path=str(path))
            material = visual.material
            if material is not None and material.color is None:
                material = named.get(material.name)
            color: Any = None if material is None else tuple(np.clip(material.color.rgba, 0.0, 1.0).tolist())
            shapes[link.name].append(replace(shape, pose=origin_pose(visual.origin), color=color))
    return shapes, (f"{lost[0]}{f'; so are {len(lost) - 1} more meshes' if len(lost) > 1 else ''}",) if lost else ()


def _shape(geometry: Any) -> Geometry:
    still = np.eye(4)
    if geometry.box is not None:
        return Geometry("box", tuple(float(edge) for edge in geometry.box.size), still)
    if geometry.cylinder is not None:
        return Geometry("cylinder", (geometry.cylinder.radius, geometry.cylinder.length), still)
    if geometry.sphere is not None:
        return Geometry("sphere", (geometry.sphere.radius,), still)
    scale = np.broadcast_to(1.0 if geometry.mesh.scale is None else geometry.mesh.scale, 3)
    return Geometry("mesh", tuple(float(s) for s in scale), still, path=geometry.mesh.filename)
