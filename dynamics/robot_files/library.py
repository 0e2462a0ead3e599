"""Robots by name or by file: ``load("puma560")``, ``load("my_robot.urdf")``; and R87's planar chain, section XII."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from dynamics.checks import brief, choices, listed, names, number, whole_number
from dynamics.checks import text as require_text
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.robot.model import Joint, Robot
from dynamics.robot.validity import check_as_read, check_robot
from dynamics.robot_files.description import LoadOptions
from dynamics.robot_files.mjcf import parse_mjcf
from dynamics.robot_files.urdf import load_urdf_text, parse_urdf
from dynamics.robot_files.xml import MAXIMUM_BYTES, first_tag

MOST_LINKS = 2000
COLORS = ("0.24 0.47 0.72 1", "0.90 0.58 0.20 1")


@public
def planar_chain(n_links: int = 5, length: float = 0.3, mass: float = 1.0, radius: float = 0.02) -> Robot:
    """A chain of equal uniform rods that moves in a plane.

    As in R87 section XII every joint turns about x, and y points inward along the link, from joint k-1 to joint k,
    so that l(k,k-1) = (0, -length, 0) and the mass centre lies at p = length/2 along -y. Link and joint numbers
    grow from tip to base. At zero the chain stretches along the base's -y axis; gravity along -z acts in its plane.

    Args:
        n_links: number of links.
        length: of each link, m.
        mass: of each link, kg.
        radius: of each rod, m.

    Returns:
        The robot; its joints are called ``joint_1`` (the tip's) to ``joint_n``.

    Raises:
        ModelError: for fewer than one link, or a size or mass that is not above zero.

    Cost: that of reading a file with as many links.
    """
    return load_urdf_text(planar_chain_urdf(n_links, length, mass, radius), name=f"planar chain of {n_links}")


def planar_chain_urdf(n_links: int = 5, length: float = 0.3, mass: float = 1.0, radius: float = 0.02) -> str:
    """The URDF text of :func:`planar_chain`."""
    n_links = whole_number(n_links, "planar_chain: n_links", "a whole number, one or more", 1, ModelError, MOST_LINKS)
    for label, value in (("length", length), ("mass", mass), ("radius", radius)):
        if number(value, f"planar_chain: {label}", "a finite number above zero", ModelError) <= 0.0:
            raise ModelError(f"planar_chain: {label} is {brief(value)}; expected a finite number above zero.")
    robot = ElementTree.Element("robot", name="planar_chain")
    ElementTree.SubElement(robot, "link", name="base")
    along = mass * radius**2 / 2.0
    across = mass * (3.0 * radius**2 + length**2) / 12.0
    middle = {"xyz": f"0 {-length / 2:.12g} 0"}
    for k in range(n_links, 0, -1):
        link = ElementTree.SubElement(robot, "link", name=f"link_{k}")
        inertial = ElementTree.SubElement(link, "inertial")
        ElementTree.SubElement(inertial, "origin", middle)
        ElementTree.SubElement(inertial, "mass", value=f"{mass:.12g}")
        tensor = {"ixx": across, "iyy": along, "izz": across, "ixy": 0.0, "ixz": 0.0, "iyz": 0.0}
        ElementTree.SubElement(inertial, "inertia", {key: f"{value:.12g}" for key, value in tensor.items()})
        color = COLORS[k % 2]
        _cylinder(link, middle | {"rpy": "1.5707963267948966 0 0"}, radius, length, color)
        _cylinder(link, {"rpy": "0 1.5707963267948966 0"}, 1.4 * radius, 3.0 * radius, "0.25 0.27 0.30 1")
        joint = ElementTree.SubElement(robot, "joint", name=f"joint_{k}", type="continuous")
        ElementTree.SubElement(joint, "parent", link="base" if k == n_links else f"link_{k + 1}")
        ElementTree.SubElement(joint, "child", link=f"link_{k}")
        ElementTree.SubElement(joint, "origin", xyz="0 0 0" if k == n_links else f"0 {-length:.12g} 0")
        ElementTree.SubElement(joint, "axis", xyz="1 0 0")
    ElementTree.SubElement(robot, "link", name="tip")
    joint = ElementTree.SubElement(robot, "joint", name="tip_mount", type="fixed")
    ElementTree.SubElement(joint, "parent", link="link_1")
    ElementTree.SubElement(joint, "child", link="tip")
    ElementTree.SubElement(joint, "origin", xyz=f"0 {-length:.12g} 0")
    ElementTree.indent(robot)
    return ElementTree.tostring(robot, encoding="unicode") + "\n"


def _cylinder(link: ElementTree.Element, pose: dict[str, str], radius: float, length: float, color: str) -> None:
    visual = ElementTree.SubElement(link, "visual")
    ElementTree.SubElement(visual, "origin", pose)
    geometry = ElementTree.SubElement(visual, "geometry")
    ElementTree.SubElement(geometry, "cylinder", radius=f"{radius:.12g}", length=f"{length:.12g}")
    material = ElementTree.SubElement(visual, "material", name=f"color {color}")
    ElementTree.SubElement(material, "color", rgba=color)


FOLDERS = "package_dirs", "paths of folders", ModelError
FILE_SUFFIXES = (".urdf", ".xml", ".xacro", ".toml")
JOINT_EXTRAS = ("rotor_inertia", "friction", "damping", "lower", "upper", "velocity", "effort")
KEYS: dict[str, Any] = {"name": str, "title": str, "urdf": str, "tip": str | list, "home": dict, "joints": dict}


@public
def robot_names() -> tuple[str, ...]:
    """The packaged robots.

    Returns:
        Their names, in alphabetical order.

    Cost: a listing of a folder.
    """
    return tuple(sorted(path.parent.name for path in _robots_folder().glob("*/robot.toml")))


@public
def load(
    name_or_path: str | Path,
    tip: str | Sequence[str] | None = None,
    without: str | Iterable[str] = (),
    *,
    package_dirs: Sequence[str | Path] = (),
    body: str | None = None,
    fix: Mapping[str, float] | Iterable[str] = (),
    free: Mapping[str, float] | Iterable[str] = (),
) -> Robot:
    """A packaged robot by its name, or the robot in a URDF file or a MuJoCo model.

    An angle of ``rpy`` that is a right angle to its last printed digit (four decimals or more: 1.5708, -3.14159) is
    taken as an exact quarter turn; all other numbers are as in the file. A MuJoCo model (MJCF) is read as by
    :func:`dynamics.load_mjcf_text`, with its meshes and parts. Meshes are found by relative and absolute paths,
    ``file://`` and ``package://``.

    A joint that follows another linearly (``<mimic>``, an ``<equality>`` of joints) moves with it, exactly; see
    :class:`dynamics.Joint`. The robot's ``remarks`` say where the robot differs from the file: a joint that moves no
    inertia, or follows another nonlinearly, is locked; an inertia that no body has is used as it is; impossible
    visual elements are left out.

    Args:
        name_or_path: one of :func:`robot_names`, the path of a ``.urdf`` or ``.xml`` file, or of a folder with a
            ``robot.toml``.
        tip: the link, or links, whose origins are the tool points O_0; by default the origin of the outermost link.
            Links that a fixed joint has merged into others are allowed.
        without: properties to switch off: ``limits``, ``damping``, ``friction``, ``rotor_inertia``.
        package_dirs: folders that contain the packages of ``package://`` addresses.
        body: in a MuJoCo scene of several trees, a body of the one that is the robot; by default the tree with the
            most joints. Trees that are bolted to the world count as one.
        fix: joints to lock, as :meth:`dynamics.Robot.locked` takes them.
        free: joints that move although the file has them follow others, or they move no inertia; a mapping
            gives each a rotor inertia, kg m^2 or kg.

    Returns:
        The robot, checked.

    Raises:
        ModelError: for an unknown name, a missing file, or any fault in it, by name.

    Example:
        >>> robot = dyn.load("panda")
        >>> robot.joint_names[0], robot.links[0].name
        ('joint_7', 'link_7')

    Cost: some 20 ms for a robot of seven links; a second for a MuJoCo model.
    """
    if not isinstance(name_or_path, str | Path):
        raise ModelError(f"a robot's name or path is {brief(name_or_path)}; expected text or a path.")
    path = Path(name_or_path)
    text = str(name_or_path)
    folders = (package_dirs,) if isinstance(package_dirs, str | Path) else listed(package_dirs, *FOLDERS)
    locked = fix if isinstance(fix, Mapping) else names(fix, "fix", ModelError)
    tree = None if body is None else require_text(body, "body", ModelError)
    moving = free if isinstance(free, Mapping) else names(free, "free", ModelError)
    options = LoadOptions(tip, folders, tree, locked, moving)
    if _is_file(path / "robot.toml"):
        robot = _load_folder(path, options)
    elif path.suffix.lower() in FILE_SUFFIXES or _is_file(path) or len(path.parts) != 1:
        data = read_file(path)
        parse = parse_mjcf if first_tag(data) == "mujoco" else parse_urdf
        robot = parse(data, path.name, path.parent, options)
        check_as_read(robot)
    elif text in robot_names():
        robot = _load_folder(_robots_folder() / text, options)
    else:
        near = difflib.get_close_matches(text.lower(), robot_names(), n=1)
        hint = f" Did you mean {brief(near[0])}?" if near else ""
        raise ModelError(
            f"no packaged robot is called {brief(text)}; expected one of {choices(robot_names())}, "
            f"or the path of a .urdf or .xml file.{hint}"
        )
    switches = names(without, "without", ModelError)
    return robot.without(*switches) if switches else robot


def read_file(path: Path) -> bytes:
    """A file's content, read only up to the size limit."""
    try:
        with path.open("rb") as file:
            return file.read(MAXIMUM_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = (error.strerror or type(error).__name__) if isinstance(error, OSError) else str(error)
        raise ModelError(f"robot file {brief(str(path))} cannot be read: {reason}. Give an existing file.") from None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # such as a name that is too long for a file
        return False


def _robots_folder() -> Path:
    return Path(str(resources.files("assets"))) / "robots"


def _load_folder(folder: Path, options: LoadOptions) -> Robot:
    """The URDF of a folder, with the properties that URDF cannot express from its robot.toml."""
    file = folder / "robot.toml"
    try:
        settings = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(
            f"robot settings {brief(file.name)} in {brief(folder.name)}: {brief(str(error))[1:-1]}. Correct the file."
        ) from None
    where = f"robot settings of {brief(folder.name)}"
    _check_keys(settings, tuple(KEYS), where)
    for key, value in settings.items():
        if not isinstance(value, KEYS[key]):
            raise ModelError(f"{where}: {key} is {brief(value)}; a packaged robot.toml shows what is expected there.")
    home = {
        name: _number(value, f"{where}, home, joint {brief(name)}") for name, value in settings.get("home", {}).items()
    }
    source = folder / settings.get("urdf", "robot.urdf")
    try:
        data = source.read_bytes()
    except OSError as error:
        raise ModelError(f"{where}: urdf {brief(source.name)} cannot be read: {error.strerror}.") from None
    asked = options if options.tip is not None else replace(options, tip=settings.get("tip"))
    robot = parse_urdf(data, f"{folder.name}/{source.name}", folder, asked)
    extras: Mapping[str, Any] = settings.get("joints", {})
    unknown = sorted(set(extras) - set(robot.joint_names) - {*options.fix})
    if unknown:
        raise ModelError(
            f"{where}: joint {brief(unknown[0])} is unknown; expected one of {choices(robot.joint_names)}."
        )
    robot = replace(
        robot,
        name=settings.get("name", robot.name),
        title=settings.get("title", ""),
        joints=tuple(_with_extras(joint, extras.get(joint.name, {}), where) for joint in robot.joints),
        home={name: value for name, value in home.items() if name not in {*options.fix}},
    )
    check_robot(robot)
    return robot


def _with_extras(joint: Joint, extras: Any, where: str) -> Joint:
    place = f"{where}, joint {brief(joint.name)}"
    if not isinstance(extras, dict):
        raise ModelError(f"{place}: is {brief(extras)}; expected a table of {choices(JOINT_EXTRAS)}.")
    _check_keys(extras, JOINT_EXTRAS, place)
    changes: dict[str, Any] = {}
    for key, value in extras.items():
        if key == "friction":
            pair = value if isinstance(value, list) and len(value) == 2 else [value, value]
            changes[key] = tuple(_number(one, f"{place}, friction") for one in pair)
        else:
            changes[key] = _number(value, f"{place}, {key}")
    return replace(joint, **changes)


def _number(value: Any, place: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ModelError(f"{place}: is {brief(value)}; expected a number.")
    return float(value)


def _check_keys(table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    unknown = sorted(set(table) - set(known))
    if unknown:
        raise ModelError(f"{where}: key {brief(unknown[0])} is unknown; expected {choices(known)}.")
