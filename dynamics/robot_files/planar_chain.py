"""The planar N-link chain of R87, section XII."""

from __future__ import annotations

from xml.etree import ElementTree

from dynamics.checks import brief, number, whole_number
from dynamics.errors import ModelError
from dynamics.public import public
from dynamics.robot.model import Robot
from dynamics.robot_files.urdf import load_urdf_text

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
