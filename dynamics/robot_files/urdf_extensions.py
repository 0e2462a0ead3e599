"""Properties for which URDF has no element, stored in Drake's elements or in our own.

A plain URDF reader ignores them: rotor inertia, which Drake reads from a ``<transmission>``; friction that
depends on the direction; tool points, the home posture and the display name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from dynamics.checks import brief
from dynamics.errors import ModelError
from dynamics.robot.model import Joint, Robot
from dynamics.robot_files.urdf_elements import DOUBLE, LONGEST
from dynamics.robot_files.xml import Element

DRAKE, OWN = "https://drake.mit.edu/", "urn:armsweep:robot"
"""The namespaces of these elements."""
UNLIMITED = 1e300
"""Stands for no limit where an element requires a number."""


@dataclass(frozen=True, eq=False)
class Extensions:
    """A file's content beyond URDF.

    Attributes:
        rotor_inertia: joint name -> kg m^2 or kg, seen at the joint.
        friction: joint name -> friction against motion in the negative and positive direction, N m or N.
        tips: links whose origins are the tool points; empty if the file has none.
        home: joint name -> rad or m.
        title: the display name.
        joints: names of all joints of the file.
    """

    rotor_inertia: Mapping[str, float]
    friction: Mapping[str, tuple[float, float]]
    tips: tuple[str, ...]
    home: Mapping[str, float]
    title: str
    joints: frozenset[str]

    def of_joint(self, joint: Joint) -> Joint:
        """A joint with the properties that its file adds to URDF."""
        return replace(
            joint,
            rotor_inertia=self.rotor_inertia.get(joint.name, joint.rotor_inertia),
            friction=self.friction.get(joint.name, joint.friction),
        )

    def of(self, robot: Robot) -> Robot:
        """The robot with its home and title."""
        home = {
            name: value for name, value in self.home.items() if name not in self.joints or name in robot.joint_names
        }
        return replace(robot, home=home or robot.home, title=self.title or robot.title)


def extensions_of(root: Element, where: str) -> Extensions:
    """The extensions in the complete ``<robot>`` element of a file."""
    return Extensions(
        rotor_inertia=dict(_rotors(root, where)),
        friction={
            joint.get("name") or "": (_number(each, "negative", where), _number(each, "positive", where))
            for joint in root.all("joint")
            for each in joint.all(own("friction"))
        },
        tips=tuple(_text(each, "link", where) for each in root.all(own("tip"))),
        home={_text(each, "joint", where): _number(each, "value", where) for each in root.all(own("home"))},
        title=next((_text(each, "text", where) for each in root.all(own("title"))), ""),
        joints=frozenset(joint.get("name") or "" for joint in root.all("joint")),
    )


def own(tag: str) -> str:
    """The name of one of our own elements."""
    return f"{{{OWN}}}{tag}"


def drakes(tag: str) -> str:
    """The name of one of Drake's."""
    return f"{{{DRAKE}}}{tag}"


def _rotors(root: Element, where: str) -> Iterator[tuple[str, float]]:
    """For every joint with a single actuator: the rotor's inertia times the gear ratio squared."""
    for transmission in root.all("transmission"):
        joints, actuators = transmission.all("joint"), transmission.all("actuator")
        if len(joints) != 1 or len(actuators) != 1:
            continue
        # Drake goes by the prefix: its namespace may have any name
        rotor, gears = (
            next((each for each in actuators[0].inner if each.tag.endswith("}" + tag)), None)
            for tag in ("rotor_inertia", "gear_ratio")
        )
        if rotor is not None:
            ratio = 1.0 if gears is None else _number(gears, "value", where)
            yield joints[0].get("name") or "", _number(rotor, "value", where) * ratio**2


def _text(element: Element, attribute: str, where: str) -> str:
    found = element.get(attribute)
    if not found:
        tag = element.tag.partition("}")[2]
        raise ModelError(f'{where}, line {element.line}: <{tag}> has no {attribute}; expected {attribute}="…". Add it.')
    return found


def _number(element: Element, attribute: str, where: str) -> float:
    text = _text(element, attribute, where)
    if not (len(text) <= LONGEST and DOUBLE.fullmatch(text.strip()) and np.isfinite(value := float(text))):
        tag = element.tag.partition("}")[2]
        raise ModelError(
            f'{where}, line {element.line}: <{tag} {attribute}="{brief(text)[1:-1]}"> is no finite number; expected '
            "one number. Correct it."
        )
    return value
