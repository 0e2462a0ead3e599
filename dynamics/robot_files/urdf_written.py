"""Writes a robot as URDF; reading it gives the same numbers, up to the rounding of a rotation's three angles."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from xml.etree import ElementTree

import numpy as np

from dynamics.checks import Array, brief
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.robot.model import Frame, Geometry, Joint, Link, Loop, Robot
from dynamics.robot.rigid_body import moved_by
from dynamics.robot.validity import check_robot
from dynamics.robot_files.urdf_elements import DRAKE, OWN, UNLIMITED, as_meant, drakes, free_name, own

LEVEL = 1e-14
"""The cosine of the pitch below which roll and yaw are the same rotation."""
HEAD = (
    " Written by Armsweep. Properties for which URDF has no element are in elements that other programs ignore: rotor "
    "inertia, seen at the joint, in drake:rotor_inertia (Drake reads it; elsewhere set it by hand), friction "
    "that is not the same both ways in armsweep:friction, tool points, posture and title in armsweep:tip, home and "
    "title. A limit of 1e300 means none. "
)
UNWRITABLE = re.compile("[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
INERTIA = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}
Parent = ElementTree.Element
inside = ElementTree.SubElement


@public
def urdf_text(robot: Robot) -> str:
    """A robot as URDF, from which any program reads the same links, joints, limits, damping, friction and shapes.

    Properties without a URDF element are written too, as a comment at the file's head explains: rotor inertia as in
    Drake; friction that depends on the direction, tool points, home and title in elements of our own.
    :func:`dynamics.load_urdf_text` reads all of them. Links that fixed joints had merged become massless frames.
    Meshes are given by their paths.

    Args:
        robot: any robot.

    Returns:
        The file's text. Numbers have every digit; a frame's rotation, written as three angles, is rounded by about
        1e-16 rad.

    Raises:
        ModelError: for an invalid robot, or a name that no file can hold.

    Cost: linear in the links, about 0.2 ms each.
    """
    check_robot(robot)
    _check_names(robot)
    ElementTree.register_namespace("drake", DRAKE)
    ElementTree.register_namespace("armsweep", OWN)
    root = ElementTree.Element("robot", name=robot.name or "robot")
    root.append(ElementTree.Comment(HEAD))
    names = [link.name for link in (*robot.links, robot.root)]
    n = len(robot.links)
    if robot.title:
        inside(root, own("title"), text=robot.title)
    frames = dict(robot.frames)
    for tip in robot.tips:
        frames[name := _tip_name(robot, tip, names)] = tip
        inside(root, own("tip"), link=name)
    ends = {free_name(f"loop_{number + 1}", {*names, *frames}): loop for number, loop in enumerate(robot.loops)}
    frames |= {end: loop.second for end, loop in ends.items()}
    for joint, value in robot.home.items():
        inside(root, own("home"), joint=joint, value=_number(value))
    for link in (robot.root, *robot.links[::-1]):
        _link(root, link)
    for k in range(n)[::-1]:
        _joint(root, robot.joints[k], names[robot.inboard[k]], names[k])
    _frames(root, frames, names, set(robot.joint_names))
    for end, loop in ends.items():
        _loop(root, loop, end, names[loop.first.link], set(robot.joint_names))
    for geared in robot.joints:
        if geared.rotor_inertia:
            _rotor(root, geared)
    ElementTree.indent(root)
    return '<?xml version="1.0"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def rpy_of(rotation: Array) -> tuple[float, float, float]:
    """A rotation as angles about fixed x, then y, then z, rad; quarter turns stay exact."""
    level = math.hypot(rotation[0, 0], rotation[1, 0])
    pitch = math.atan2(-rotation[2, 0], level)
    yaw = math.atan2(rotation[1, 0], rotation[0, 0]) if level > LEVEL else 0.0
    c, s = math.cos(yaw), math.sin(yaw)
    # Undoing the yaw leaves the roll, however steep the pitch.
    roll = math.atan2(s * rotation[0, 2] - c * rotation[1, 2], c * rotation[1, 1] - s * rotation[0, 1])
    return roll, pitch, yaw


def _check_names(robot: Robot) -> None:
    every = [robot.title, robot.name, *robot.frames, *robot.joint_names, *(tip.name for tip in robot.tips)]
    names = [link.name for link in (*robot.links, robot.root)]
    if not all([*names, *robot.joint_names, *robot.frames]):
        raise ModelError(f"robot {brief(robot.name)}: a link, joint or frame has no name; a file names each.")
    for name in (*every, *names, *(shape.path or "" for link in robot.links for shape in link.geometry)):
        if UNWRITABLE.search(name):
            raise ModelError(f"robot {brief(robot.name)}: the name {brief(name)} cannot be written. Rename it.")
    if robot.root.name in names[:-1]:
        raise ModelError(f"robot {brief(robot.name)}: link name {brief(robot.root.name)} is the root's, too.")


def _tip_name(robot: Robot, tip: Frame, names: list[str]) -> str:
    """A tool point's own name, unless a link with its origin elsewhere has that name."""
    is_taken = tip.name in names and not (names[tip.link] == tip.name and np.array_equal(tip.pose, np.eye(4)))
    return free_name(f"{tip.name}_tip", {*names, *robot.frames}) if is_taken else tip.name


def _frames(root: Parent, frames: Mapping[str, Frame], names: list[str], joints: set[str]) -> None:
    """Named frames as massless links, welded to the links that carry them."""
    for name, frame in frames.items():
        if name not in names:
            inside(root, "link", name=name)
            mount = inside(root, "joint", name=free_name(f"{name}_mount", joints), type="fixed")
            inside(mount, "parent", link=names[frame.link])
            inside(mount, "child", link=name)
            _origin(mount, frame.pose)


def _loop(root: Parent, loop: Loop, end: str, inner: str, joints: set[str]) -> None:
    """A second parent of the frame at the loop's second end, in the form in which loops are read."""
    if loop.kind == "point":
        raise ModelError(f"loop {brief(loop.name)}: URDF has no joint that holds a point. Leave the loop out.")
    kind = "continuous" if loop.kind == "hinge" else "fixed"
    closing = inside(root, "joint", name=free_name(f"{end}_closing", joints), type=kind)
    inside(closing, "parent", link=inner)
    inside(closing, "child", link=end)
    _origin(closing, loop.first.pose)
    inside(closing, "axis", xyz="0 0 1")


def _link(root: Parent, link: Link) -> None:
    element = inside(root, "link", name=link.name)
    if link.mass > 0.0:
        inertial = inside(element, "inertial")
        _origin(inertial, moved_by(link.center_of_mass))
        inside(inertial, "mass", value=_number(link.mass))
        inside(inertial, "inertia", {key: _number(link.inertia[at]) for key, at in INERTIA.items()})
    for shape in link.geometry:
        for part in _parts(shape):
            _visual(element, part)


def _joint(root: Parent, joint: Joint, inner: str, link: str) -> None:
    is_endless = joint.kind == "revolute" and joint.lower == -np.inf and joint.upper == np.inf
    element = inside(root, "joint", name=joint.name, type="continuous" if is_endless else joint.kind)
    inside(element, "parent", link=inner)
    inside(element, "child", link=link)
    _origin(element, joint.origin)
    inside(element, "axis", xyz=_numbers(joint.axis))
    limits = {"effort": joint.effort, "velocity": joint.velocity}
    if not is_endless:
        limits |= {"lower": joint.lower, "upper": joint.upper}
    if not is_endless or not all(map(math.isinf, limits.values())):
        inside(element, "limit", {key: _number(np.clip(value, -UNLIMITED, UNLIMITED)) for key, value in limits.items()})
    if joint.mimic is not None:
        leader, multiplier, offset = joint.mimic
        inside(element, "mimic", joint=leader, multiplier=_number(multiplier), offset=_number(offset))
    back, forth = joint.friction
    if joint.damping or back or forth:
        inside(element, "dynamics", damping=_number(joint.damping), friction=_number(0.5 * (back + forth)))
    if back != forth:
        inside(element, own("friction"), negative=_number(back), positive=_number(forth))


def _rotor(root: Parent, joint: Joint) -> None:
    """The rotor as Drake reads it, with a gear ratio of one, since its inertia is that seen at the joint."""
    transmission = inside(root, "transmission", name=f"{joint.name}_transmission")
    inside(transmission, "type").text = "transmission_interface/SimpleTransmission"
    driven = inside(transmission, "joint", name=joint.name)
    inside(driven, "hardwareInterface").text = "hardware_interface/EffortJointInterface"
    actuator = inside(transmission, "actuator", name=f"{joint.name}_actuator")
    inside(actuator, drakes("rotor_inertia"), value=_number(joint.rotor_inertia))
    inside(actuator, drakes("gear_ratio"), value="1")


def _parts(shape: Geometry) -> Iterator[Geometry]:
    """A capsule as a cylinder and two spheres; every other shape has its own element."""
    if shape.kind != "capsule":
        yield shape
        return
    radius, length = shape.size
    yield Geometry("cylinder", shape.size, shape.pose, shape.color)
    for end in (-0.5 * length, 0.5 * length):
        yield Geometry("sphere", (radius,), shape.pose @ moved_by(np.array([0.0, 0.0, end])), shape.color)


def _visual(link: Parent, shape: Geometry) -> None:
    visual = inside(link, "visual")
    _origin(visual, shape.pose)
    geometry = inside(visual, "geometry")
    if shape.kind == "box":
        inside(geometry, "box", size=_numbers(shape.size))
    elif shape.kind == "cylinder":
        inside(geometry, "cylinder", radius=_number(shape.size[0]), length=_number(shape.size[1]))
    elif shape.kind == "sphere":
        inside(geometry, "sphere", radius=_number(shape.size[0]))
    else:
        inside(geometry, "mesh", filename=shape.path or "", scale=_numbers(shape.size))
    if shape.color is not None:
        rgba = _numbers(shape.color)
        inside(inside(visual, "material", name=f"color {rgba}"), "color", rgba=rgba)


def _origin(around: Parent, pose: Array) -> None:
    if not np.array_equal(pose, np.eye(4)):
        inside(around, "origin", xyz=_numbers(pose[:3, 3]), rpy=" ".join(map(_angle, rpy_of(pose[:3, :3]))))


def _angle(value: float) -> str:
    """An angle that would be mistaken for a rounded right angle is written with more digits."""
    text = _number(value)
    return text if float(as_meant(text)) == value else f"{value:.20f}"


def _numbers(values: Array | tuple[float, ...]) -> str:
    return " ".join(map(_number, values))


def _number(value: float) -> str:
    """A number with every digit; integers without a decimal point."""
    value = float(value)
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
