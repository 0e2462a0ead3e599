"""Robot files as people write them, faults of all kinds and their mixtures: they open, and move as in Pinocchio."""

import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dynamics as dyn
from tests.dynamics.systems import GRAVITY, draw_robot

pytestmark = pytest.mark.compiled_only  # no kernel reads a file
Element = ElementTree.Element
inside = ElementTree.SubElement
MOMENTS = "ixx", "iyy", "izz", "ixy", "ixz", "iyz"
MOVING = "revolute", "continuous", "prismatic"


class File:
    """A drawn robot's file with faults, and the same without those that others cannot read.

    Attributes:
        text: with faults.
        sound: without.
        following: joints that follow others.
        is_rounded: whether it says what no body is.
    """

    def __init__(self, seed: int, faults: Iterable[str]) -> None:
        self.rng = np.random.default_rng(seed)
        drawn = draw_robot(self.rng, int(self.rng.integers(3, 7)), branching=0.3, mass_decades=1.0)
        self.faulty, self.plain = (ElementTree.fromstring(drawn.urdf()) for _ in range(2))
        self.links = [each.get("name") for each in self.plain.findall("link")[1:] if each.find("inertial")]
        self.following, self.replaced = set[str](), list[tuple[str, str]]()
        self.is_rounded = False
        for fault in faults:
            FAULTS[fault](self)
        self.text, self.sound = (ElementTree.tostring(root, encoding="unicode") for root in (self.faulty, self.plain))
        for old, new in self.replaced:
            self.text = self.text.replace(old, new)

    def both(self) -> tuple[Element, Element]:
        return self.faulty, self.plain

    def link(self) -> str:
        """One of those drawn, with a body; never the root, which is not felt."""
        return str(self.rng.choice(self.links))

    def joints(self) -> list[Element]:
        return [each for each in self.faulty.findall("joint") if each.get("type") in MOVING]


def at(root: Element, path: str) -> Element:
    found = root.find(path)
    assert found is not None, path
    return found


def written(*changes: tuple[str, str]) -> Callable[[File], None]:
    """What is no XML of a robot, or was not when the file was drawn."""
    return lambda file: file.replaced.extend(changes)


def shape(geometry: str) -> Callable[[File], None]:
    """What only shows what a link looks like."""
    return written(("</link>", f"<visual><geometry>{geometry}</geometry></visual></link>"))


def outermost(root: Element, name: str, parent: str) -> Element:
    """A link more, on a joint of its own."""
    joint = inside(root, "joint", name=f"{name}_joint", type="continuous")
    inside(joint, "parent", link=parent)
    inside(joint, "child", link=name)
    inside(joint, "axis", xyz="0 1 0")
    return inside(root, "link", name=name)


def tip_without_mass(file: File) -> None:
    """Both have it: Pinocchio reads it, and its joint is locked there."""
    parent = file.link()
    for root in file.both():
        outermost(root, "bare", parent)


def follower(file: File) -> None:
    leader, joint = (each.get("name") or "" for each in file.joints()[:2])
    file.following.add(joint)
    for root in file.both():
        inside(at(root, f"joint[@name='{joint}']"), "mimic", joint=leader, multiplier="-2", offset="0.1")


def triangle(file: File) -> None:
    link = file.link()
    for root in file.both():
        one = at(root, f"link[@name='{link}']/inertial/inertia")
        one.set("izz", repr(float(one.get("izz") or 0) + 3.0 * float(one.get("ixx") or 0)))


def below_zero_by_rounding(file: File) -> None:
    """A thin rod, whose smallest moment is zero; in the file some digits of it are left."""
    parent, file.is_rounded = file.link(), True
    for root, smallest in zip(file.both(), ("-1e-9", "0"), strict=True):
        inertial = inside(outermost(root, "rod", parent), "inertial")
        inside(inertial, "mass", value="0.5")
        inside(inertial, "inertia", dict.fromkeys(MOMENTS, "0") | {"ixx": "0.01", "iyy": "0.01", "izz": smallest})


def marker(file: File) -> None:
    parent = file.link()
    for root in file.both():
        inertial = inside(inside(root, "link", name="marker"), "inertial")
        inside(inertial, "mass", value="1e-6")
        inside(inertial, "inertia", dict.fromkeys(MOMENTS, "1e-6"))
        mount = inside(root, "joint", name="mount", type="fixed")
        inside(mount, "parent", link=parent)
        inside(mount, "child", link="marker")
        inside(mount, "origin", xyz="0.1 0.2 0.3")


def twice(file: File) -> None:
    """Whoever reads it takes the first."""
    link, joint = file.link(), file.joints()[0]
    at(file.faulty, f"link[@name='{link}']/inertial").append(Element("mass", value="7"))
    at(file.faulty, f"link[@name='{link}']").append(
        ElementTree.fromstring('<inertial><mass value="7"/><inertia ixx="1" iyy="1" izz="1"/></inertial>')
    )
    for tag, attributes in {"origin": {"xyz": "7 7 7"}, "axis": {"xyz": "0 0 1"}, "parent": {"link": "none"}}.items():
        inside(joint, tag, attributes)


def unknown_attributes(file: File) -> None:
    for each in file.faulty.iter():
        if each.tag in ("mass", "inertia", "axis", "joint"):
            each.set("unit", "kg")


FAULTS: dict[str, Callable[[File], None]] = {
    "a tip without mass": tip_without_mass,
    "a follower": follower,
    "the triangle inequality": triangle,
    "a moment below zero by rounding": below_zero_by_rounding,
    "a marker": marker,
    "elements twice": twice,
    "unknown attributes": unknown_attributes,
    "no name": written(('<robot name="drawn">', "<robot>")),
    "an element of another program": written(
        ("</robot>", "<sim:gazebo reference='l1'><kp>1</kp></sim:gazebo></robot>")
    ),
    "macros": written(("<link ", "<xacro:property/><link "), ("<inertial>", "<xacro:gearbox/><inertial>")),
    "Latin-1, and dashes in comments": written(("<link ", "<!-- -- Gelenk für -- --><link ")),
    "a shape without size": shape('<box size="0 0 0"/>'),
    "a cylinder without radius": shape('<cylinder radius="0" length="1"/>'),
    "four numbers of scale": shape('<mesh filename="a.stl" scale="1 1 1 1"/>'),
    "a macro in a shape": shape("<xacro:sphere/>"),
}


def opened(file: File) -> dyn.Robot:
    """With followers set free: Pinocchio has them move by themselves."""
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        (path := Path(folder) / "robot.urdf").write_bytes(file.text.encode("latin-1"))
        dyn.load(path)
        return dyn.load(path, free=file.following)


def model_of(file: File) -> pin.Model:
    """Of the file itself where Pinocchio opens it, and what it says is meant."""
    with suppress(ValueError):
        return pin.buildModelFromXML(file.sound if file.is_rounded else file.text)
    return pin.buildModelFromXML(file.sound)


@given(st.integers(0, 2**32), st.lists(st.sampled_from(list(FAULTS)), min_size=1, unique=True))
def test_a_file_with_faults_moves_as_in_pinocchio(seed: int, faults: list[str]) -> None:
    file = File(seed, faults)
    robot = opened(file)
    model = model_of(file)
    if locked := [model.getJointId(name) for name in model.names[1:] if name not in robot.joint_names]:
        assert [model.names[each] for each in locked] == ["bare_joint"]
        model = pin.buildReducedModel(model, locked, pin.neutral(model))
    model.gravity.linear = np.array(GRAVITY)
    q, qd, tau = file.rng.uniform(-1.0, 1.0, (3, len(robot.joints)))
    joints = [model.joints[model.getJointId(name)] for name in robot.joint_names]
    x, v, t = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
    for joint, value, rate, torque in zip(joints, q, qd, tau, strict=True):
        x[joint.idx_q : joint.idx_q + joint.nq] = (np.cos(value), np.sin(value)) if joint.nq == 2 else value
        v[joint.idx_v], t[joint.idx_v] = rate, torque
    expected = pin.aba(model, model.createData(), x, v, t)[[joint.idx_v for joint in joints]]
    system = dyn.single_arm(robot, gravity=GRAVITY)
    found = dyn.forward_dynamics(system, system.state(q=q, qd=qd), tau).joint_acceleration
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
