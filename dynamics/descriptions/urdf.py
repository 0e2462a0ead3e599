"""URDF to Robot."""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from dynamics.checks import Array, brief
from dynamics.checks import text as require_text
from dynamics.descriptions.description import Connection, Description, Part
from dynamics.descriptions.mesh_files import find_mesh
from dynamics.descriptions.split import SPLIT, freedoms, in_a_row
from dynamics.descriptions.tree import robot_of
from dynamics.descriptions.urdf_extensions import UNLIMITED
from dynamics.descriptions.urdf_tree import read_urdf
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.robot.model import Geometry, Joint, Robot
from dynamics.robot.right_angle import without_rounding
from dynamics.robot.rigid_body import MassProperties
from dynamics.robot.validity import check_as_read

MOVING = {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic"}
AXIS_MINIMUM = 1e-9


@public
def load_urdf_text(text: str | bytes, name: str = "robot", tip: str | Sequence[str] | None = None) -> Robot:
    """The robot in URDF text, such as an upload; its meshes are left out.

    Right angles are exact, as with :func:`dynamics.load`. A planar joint is two slides and a turn, a floating one three
    slides and three turns; one that alone joins a robot to the root link has its child be the root, which floats with
    :func:`dynamics.free_flyer`. Rotor inertia is read as Drake reads it, of a ``<transmission>``.

    Args:
        text: the file's content.
        name: what to call it in messages.
        tip: the link, or links, whose origins are the tool points; by default the outermost ones.

    Returns:
        The robot: index 0 is the (first) tip's link, every link comes before its inboard neighbor, fixed joints
        are merged into their parents and every link's name stays in ``frames``.

    Raises:
        ModelError: for whatever is wrong with the file, by name.

    Cost: linear in the text, some 20 ms for seven links.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    require_text(name, "name", ModelError)
    if not isinstance(data, bytes | bytearray):
        raise ModelError(f"robot file {brief(name)} is {brief(text)}; expected its text or its bytes.")
    robot = parse_urdf(data, name, folder=None, tip=tip)
    check_as_read(robot)
    return robot


def parse_urdf(data: bytes, name: str, folder: Path | None, tip: str | Sequence[str] | None = None) -> Robot:
    """The robot as the file has it, before :func:`check_robot` looks at the whole."""
    import yourdfpy  # here: a fifth of what importing this package would cost, and only files need it

    root, extensions, remarks = read_urdf(data, name)
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
    if remarks:
        warnings.warn(f"{title}: not understood: {'; '.join(remarks)}.", stacklevel=4)
    places = {
        (each.tag, each.get("name")): f"{title}, line {each.line}, {each.tag} {brief(each.get('name'))}"
        for each in root.inner
    }
    shapes, floating = _shapes(model, folder, title), _what_floats(model)
    parts = [_part(link, places["link", link.name], shapes[link.name]) for link in model.links]
    parts = [part for part in parts if floating is None or part.name != floating.parent]
    connections: list[Connection] = []
    taken = {link.name for link in model.links}, {joint.name for joint in model.joints}
    for joint in model.joints:
        if joint is not floating:
            between, found = _connections(joint, places["joint", joint.name], *taken)
            parts += between
            connections += found
    chosen = extensions.tips or None if tip is None else tip
    return extensions.of(robot_of(Description(model.name, tuple(parts), tuple(connections)), title, chosen, remarks))


def _what_floats(model: Any) -> Any:
    """The floating joint, if there is one, that is all that joins the robot to the root: its child is the root then."""
    children = {joint.child for joint in model.joints}
    at_root = [joint for joint in model.joints if joint.parent not in children]
    is_free = len(at_root) == 1 and at_root[0].type == "floating"
    return at_root[0] if is_free else None


def _part(link: Any, where: str, shapes: Sequence[Geometry]) -> Part:
    if link.inertial is None:
        return Part(link.name, where, shapes=tuple(shapes))
    body = MassProperties(float(link.inertial.mass), np.zeros(3), link.inertial.inertia)
    return Part(link.name, where, body, origin_pose(link.inertial.origin), tuple(shapes))


def _connections(joint: Any, where: str, links: set[str], joints: set[str]) -> tuple[list[Part], list[Connection]]:
    """What joins a link to its parent, and what is without mass between them; ``links``, ``joints``: names in use."""
    origin = origin_pose(joint.origin)
    if joint.type in SPLIT:
        axis = _axis(joint, where) if joint.type == "planar" else np.eye(3)[2]  # a floating one has none
        singles = freedoms(joint.type, joint.name, axis, joints)
        return in_a_row(singles, joint.parent, joint.child, origin, where, links)
    moves = _joint(joint, origin, where) if joint.type in MOVING else None
    return [], [Connection(joint.parent, joint.child, origin, moves)]


def _axis(joint: Any, where: str) -> Array:
    length = float(np.linalg.norm(joint.axis))
    if not AXIS_MINIMUM <= length < np.inf:
        raise ModelError(f"{where}: axis is {joint.axis.tolist()}; expected a direction. Give a vector above zero.")
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
    bounds = {"lower": -np.inf, "upper": np.inf, "velocity": np.inf, "effort": np.inf}
    if limit is not None:
        for key in bounds:
            value = getattr(limit, key)
            if value is not None and not (key in ("lower", "upper") and joint.type == "continuous"):
                bounds[key] = math.copysign(np.inf, value) if abs(value) >= UNLIMITED else value
        # URDF's own defaults: a limit that names one bound only has zero for the other
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


def _shapes(model: Any, folder: Path | None, title: str) -> dict[str, list[Geometry]]:
    named = {material.name: material for link in model.links for v in link.visuals if (material := v.material)}
    named = {name: material for name, material in named.items() if material.color is not None}
    named |= {material.name: material for material in model.materials if material.color is not None}
    shapes: dict[str, list[Geometry]] = {link.name: [] for link in model.links}
    left_out = []
    for link in model.links:
        for visual in link.visuals:
            shape = _shape(visual.geometry)
            if shape.kind == "mesh":
                path, reason = (shape.path, "") if shape.is_inside else find_mesh(str(shape.path), folder)
                if path is None:
                    left_out.append(f"link {brief(link.name)}, mesh {brief(shape.path)}: {reason}")
                    continue
                shape = replace(shape, path=str(path))
            material = visual.material
            if material is not None and material.color is None:
                material = named.get(material.name)
            color = None
            if material is not None:
                red, green, blue, alpha = np.clip(material.color.rgba, 0.0, 1.0).tolist()
                color = (red, green, blue, alpha)
            shapes[link.name].append(replace(shape, pose=origin_pose(visual.origin), color=color))
    if left_out:
        more = f"; and {len(left_out) - 4} more" if len(left_out) > 4 else ""
        warnings.warn(f"{title}: shapes left out: {'; '.join(left_out[:4])}{more}.", stacklevel=5)
    return shapes


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
