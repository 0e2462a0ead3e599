"""Reports on robot files: every planted fault is found in its line, and what is proposed mends it."""

from __future__ import annotations

import struct
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import dynamics as dyn
from dynamics.errors import ModelError

ROBOTS = Path(dyn.__file__).parents[1] / "assets" / "robots"

pytestmark = pytest.mark.compiled_only  # no kernel reads a file

INERTIA = '<inertia ixx="0.009" iyy="0.009" izz="0.002" ixy="0" ixz="0" iyz="0"/>'


def link(name: str) -> str:
    return f"""<link name="{name}">
<inertial><origin xyz="0 0 0.15" rpy="0 0 0"/>
<mass value="1"/>
{INERTIA}</inertial>
<visual><origin xyz="0 0 0.15"/><geometry><box size="0.1 0.1 0.3"/></geometry></visual>
</link>
"""


def joint(name: str, parent: str, child: str, z: str = "0.3") -> str:
    return f"""<joint name="{name}" type="revolute">
<parent link="{parent}"/>
<child link="{child}"/>
<origin xyz="0 0 {z}" rpy="0 0.5 0"/>
<axis xyz="0 1 0"/>
<limit lower="-2" upper="2" effort="50" velocity="3"/>
<dynamics damping="0.1" friction="0.2"/>
</joint>
"""


ARM = (
    '<robot name="arm">\n<link name="base"/>\n'
    + joint("shoulder", "base", "upper", "0")
    + link("upper")
    + joint("elbow", "upper", "lower")
    + link("lower")
    + joint("wrist", "lower", "hand")
    + link("hand")
    + '<link name="tool"/>\n<joint name="flange" type="fixed"><parent link="hand"/><child link="tool"/></joint>\n'
    + "</robot>"
)
LAST = "<hand>"
"""Stands before what is changed in the last link or joint alone."""


def planted(old: str, new: str) -> str:
    """The arm with one thing otherwise: in the last place where it stands, if so marked, else in the first."""
    if old.startswith(LAST):
        before, found, after = ARM.rpartition(old.removeprefix(LAST))
        assert found
        return before + new + after
    assert old in ARM
    return ARM.replace(old, new, 1)


WELD = '<joint name="mount" type="fixed"><parent link="world"/><child link="base"/></joint>\n'
"""To what Drake has without a word."""
SHOULDER = joint("shoulder", "base", "upper", "0")
BOX = '<box size="0.1 0.1 0.3"/>'
FAULTS: dict[str, tuple[str, str, str]] = {
    # name: what is replaced, by what, and the kind that is told
    "the triangle inequality": ('izz="0.002"', 'izz="0.02"', "triangle inequality"),
    "a negative moment": ('izz="0.002"', 'izz="-0.002"', "negative moment"),
    "an indefinite inertia": ('ixy="0"', 'ixy="0.05"', "negative moment"),
    "a negative mass": ('<mass value="1"/>', '<mass value="-1"/>', "negative mass"),
    "no inertia with a mass": (INERTIA, '<inertia ixx="0" iyy="0" izz="0"/>', "zero inertia"),
    "an inertia without mass": ('<mass value="1"/>', '<mass value="0"/>', "inertia without mass"),
    "no <mass>": ('<mass value="1"/>', "", "no mass"),
    "no <inertia>": (INERTIA, "", "no inertia"),
    "a tip that weighs nothing": (
        LAST + link("hand"),
        '<link name="hand"><visual><geometry><sphere radius="0.1"/></geometry></visual></link>',
        "no inertia",
    ),
    "a tip whose numbers are all zero": (
        LAST + f'<mass value="1"/>\n{INERTIA}', '<mass value="0"/><inertia ixx="0" iyy="0" izz="0"/>', "no inertia"
    ),
    "a mass in grams": ('<mass value="1"/>', '<mass value="1000"/>', "absurd density"),
    "a body of lead and more": ('<mass value="1"/>', '<mass value="100"/>', "absurd density"),
    "a body of air": ('<mass value="1"/>', '<mass value="0.001"/>', "absurd density"),
    "a mass centre in millimetres": ('xyz="0 0 0.15" rpy="0 0 0"', 'xyz="0 0 150" rpy="0 0 0"', "mass centre outside"),
    "a mass centre elsewhere": ('xyz="0 0 0.15" rpy="0 0 0"', 'xyz="3 0 0.15" rpy="0 0 0"', "mass centre outside"),
    "an inertia in kg mm²": (
        INERTIA, '<inertia ixx="9000" iyy="9000" izz="2000" ixy="0" ixz="0" iyz="0"/>', "inertia too large"
    ),
    "an inertia in tons": (
        INERTIA, '<inertia ixx="9e-9" iyy="9e-9" izz="2e-9" ixy="0" ixz="0" iyz="0"/>', "inertia too small"
    ),
    "lengths in millimetres": (LAST + 'xyz="0 0 0.3" rpy="0 0.5 0"', 'xyz="0 0 300" rpy="0 0.5 0"', "millimetres"),
    "angles in degrees": ('rpy="0 0.5 0"', 'rpy="0 90 0"', "degrees"),
    "limits in degrees": ('lower="-2" upper="2"', 'lower="-90" upper="90"', "limits in degrees"),
    "limits the wrong way": ('lower="-2" upper="2"', 'lower="2" upper="-2"', "limits the wrong way"),
    "one limit alone": ('lower="-2" upper="2"', 'upper="2"', "one limit"),
    "no room between limits": ('lower="-2" upper="2"', 'lower="0" upper="0"', "no room"),
    "no limits": ('<limit lower="-2" upper="2" effort="50" velocity="3"/>', "", "no limits"),
    "a negative effort": ('effort="50"', 'effort="-50"', "negative effort"),
    "a motor that can do nothing": ('effort="50"', 'effort="0"', "no effort"),
    "a joint that may not move": ('velocity="3"', 'velocity="0"', "no velocity"),
    "negative damping": ('damping="0.1"', 'damping="-0.1"', "negative damping"),
    "negative friction": ('friction="0.2"', 'friction="-0.2"', "negative friction"),
    "a long axis": ('<axis xyz="0 1 0"/>', '<axis xyz="0 2 0"/>', "axis not of length one"),
    "an axis of no direction": ('<axis xyz="0 1 0"/>', '<axis xyz="0 0 0"/>', "axis of no direction"),
    "no axis": ('<axis xyz="0 1 0"/>', "", "no axis"),
    "a velocity in degrees": ('velocity="3"', 'velocity="180"', "velocity in degrees"),
    "no effort": (' effort="50"', "", "missing effort"),
    "no velocity": (' velocity="3"', "", "missing velocity"),
    "no izz": (' izz="0.002"', "", "missing moment"),
    "no ixx and iyy": ('ixx="0.009" iyy="0.009" ', "", "missing moment"),
    "no product of inertia": (' ixz="0" iyz="0"', "", "missing product"),
    "millimetres behind numbers": (LAST + 'xyz="0 0 0.3"', 'xyz="0 0 300mm"', "unit"),
    "grams behind a number": ('<mass value="1"/>', '<mass value="950 g"/>', "unit"),
    "degrees behind numbers": (LAST + 'lower="-2" upper="2"', 'lower="-90°" upper="2"', "unit"),
    "a torque with its unit": ('effort="50"', 'effort="50 N*m"', "unit"),
    "commas between numbers": ('xyz="0 0 0.15" rpy="0 0 0"', 'xyz="0, 0, 0.15" rpy="0 0 0"', "commas between numbers"),
    "decimal commas of three": ('xyz="0 0 0.15" rpy="0 0 0"', 'xyz="0,0 0,0 0,15" rpy="0 0 0"', "decimal comma"),
    "two inertials": (LAST + "<visual>", f"<inertial>{INERTIA}</inertial><visual>", "doubled element"),
    "two masses": (INERTIA, '<mass value="3"/>' + INERTIA, "doubled element"),
    "two axes": ('<axis xyz="0 1 0"/>', '<axis xyz="0 1 0"/><axis xyz="1 0 0"/>', "doubled element"),
    "a decimal comma": ('<mass value="1"/>', '<mass value="1,5"/>', "decimal comma"),
    "a word for a number": ('<mass value="1"/>', '<mass value="heavy"/>', "no number"),
    "nan": ('xyz="0 0 0.15" rpy="0 0 0"', 'xyz="0 0 nan" rpy="0 0 0"', "no number"),
    "two numbers of three": ('<axis xyz="0 1 0"/>', '<axis xyz="0 1"/>', "no number"),
    "a misspelt attribute": (LAST + 'xyz="0 0 0.3" rpy="0 0.5 0"', 'xzy="0 0 0.3" rpy="0 0.5 0"', "misspelt attribute"),
    "a mass centre far from a link without a shape": (
        LAST + link("hand"),
        '<link name="hand"><inertial><origin xyz="20 0 3"/><mass value="1"/>'
        '<inertia ixx="0.009" iyy="0.009" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial></link>',
        "mass centre outside",
    ),
    "a misspelt element": (INERTIA + "</inertial>", INERTIA + "</inertial>", ""),
    "a name twice": (LAST + '<joint name="wrist"', '<joint name="elbow"', "doubled name"),
    "no name": ('<joint name="elbow"', "<joint", "no name"),
    "a robot without a name": ('<robot name="arm">', "<robot>", "no name"),
    "an unknown parent": ('<parent link="upper"/>', '<parent link="uper"/>', "unknown link"),
    "a world that is no link": ('<link name="base"/>\n', '<link name="base"/>\n' + WELD, "unknown link"),
    "an unknown type": ('type="revolute"', 'type="rotational"', "joint type"),
    "no type": (' type="revolute"', "", "joint type"),
    "no child": ('<child link="upper"/>', "", "no child"),
    "a mimic": ('<axis xyz="0 1 0"/>', '<axis xyz="0 1 0"/><mimic joint="wrist"/>', "mimic"),
    "a loop": (
        "</robot>",
        '<joint name="bar" type="fixed"><parent link="upper"/><child link="hand"/></joint></robot>',
        "loop",
    ),
    "a loose link": ("</robot>", '<link name="lost"/></robot>', "loose link"),
    "a circle": ('<parent link="base"/>', '<parent link="lower"/>', "loop"),
}  # fmt: skip
FAULTS["a misspelt element"] = ("<inertial>", "<inertail>", "misspelt element")
BY_HAND = {"a word for a number", "nan", "two numbers of three", "no child", "a circle"}
"""What only the author of a file knows."""


def fault_of(name: str) -> tuple[str, str]:
    old, new, kind = FAULTS[name]
    text = planted(old, new)
    if name == "a misspelt element":
        text = text.replace("</inertial>", "</inertail>", 1)
    return text, kind


def test_a_sound_arm_has_no_fault() -> None:
    report = dyn.robot_report(ARM.encode(), "arm.urdf")
    assert [finding.text for finding in report.findings] == []
    assert report.robot is not None
    assert (report.language, report.refusal, report.merged) == ("URDF", "", (("tool", "hand"),))


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found_and_mended(name: str) -> None:
    text, kind = fault_of(name)
    report = dyn.robot_report(text.encode(), "arm.urdf")
    assert [each.kind for each in report.findings] == [kind], [each.text for each in report.findings]
    (finding,) = report.findings
    assert 1 <= finding.line <= len(text.splitlines())
    pairs = enumerate(zip(text.splitlines(), ARM.splitlines(), strict=False), 1)
    changed = next(k for k, (new, old) in pairs if new != old)
    assert 0 <= changed - finding.line <= 6 or name == "a circle"  # an element begins before what is wrong in it
    assert (report.robot is None) == (finding.weight == "wrong" and not name.startswith("a misspelt"))
    if name in BY_HAND:
        assert not finding.remedy
        return
    if name == "no room between limits":
        return
    assert finding.remedy
    again = dyn.robot_report(report.repaired_text().encode(), "mended.urdf")
    assert [each.text for each in again.findings] == []
    assert again.robot is not None
    mended = report.repaired()
    assert mended.joint_names[-1] == "shoulder"
    dyn.forward_dynamics(dyn.single_arm(mended), dyn.single_arm(mended).state())


def test_a_slide_in_millimetres() -> None:
    sliding = SHOULDER.replace("revolute", "prismatic")
    text = ARM.replace(SHOULDER, sliding.replace('lower="-2" upper="2"', 'lower="-200" upper="200"'))
    (finding,) = dyn.robot_report(text.encode()).findings
    assert (finding.kind, finding.line) == ("limits in millimetres", text.splitlines().index(
        '<limit lower="-200" upper="200" effort="50" velocity="3"/>') + 1)  # fmt: skip
    assert dyn.robot_report(text.encode()).repaired().joints[-1].upper == 0.2


def test_at_least_thirty_faults_are_planted() -> None:
    assert len(FAULTS) >= 30


def test_what_a_remedy_makes_of_it() -> None:
    def mended(name: str) -> dyn.Robot:
        return dyn.robot_report(fault_of(name)[0].encode()).repaired()

    upper = mended("the triangle inequality").links[2]
    assert np.linalg.eigvalsh(upper.inertia).tolist() == pytest.approx([0.01, 0.01, 0.02])
    assert mended("a mass in grams").links[2].mass == 1.0
    assert mended("a mass centre in millimetres").links[2].center_of_mass.tolist() == pytest.approx([0, 0, 0.15])
    assert mended("limits in degrees").joints[2].upper == pytest.approx(np.pi / 2)
    assert mended("limits the wrong way").joints[2].lower == -2.0
    assert mended("lengths in millimetres").joints[0].origin[2, 3] == pytest.approx(0.3)
    assert mended("an inertia in kg mm²").links[2].inertia[0, 0] == pytest.approx(0.009)
    assert mended("a decimal comma").links[2].mass == 1.5


def test_remedies_are_accepted_one_by_one() -> None:
    text = planted('<mass value="1"/>', '<mass value="-1"/>').replace('lower="-2" upper="2"', 'lower="2" upper="-2"', 1)
    report = dyn.robot_report(text.encode())
    assert [each.kind for each in report.findings] == ["negative mass", "limits the wrong way"]
    assert report.repaired().joints[-1].upper == 2.0
    with pytest.raises(ModelError, match="mass is -1"):
        report.repaired([1])
    with pytest.raises(ModelError, match="limit"):
        report.repaired([0])
    with pytest.raises(ModelError, match="accepted: 2 is no finding; there are 2"):
        report.repaired([2])


def test_what_another_thing_makes_look_wrong_is_not_told() -> None:
    """A whole file in millimetres is one fault."""
    text = (
        ARM.replace('xyz="0 0 0.3"', 'xyz="0 0 300"').replace("0 0 0.15", "0 0 150").replace(BOX, BOX.replace("0.", ""))
    )
    text = text.replace('size="1 1 3"', 'size="100 100 300"')
    report = dyn.robot_report(text.encode())
    assert [each.kind for each in report.findings] == ["millimetres"]
    sound = dyn.load_urdf_text(ARM)
    for found, expected in zip(report.repaired().links, sound.links, strict=True):
        assert found.center_of_mass == pytest.approx(expected.center_of_mass)


def cube(edge: float) -> bytes:
    """A binary STL."""
    corners = np.array([[(k >> i & 1) * edge for i in range(3)] for k in range(8)])
    quads = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
    faces = [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]
    rows = b"".join(struct.pack("<12fH", 0, 0, 0, *corners[list(face)].ravel(), 0) for face in faces)
    return b"\0" * 80 + struct.pack("<I", len(faces)) + rows


def text_cube(edge: float) -> bytes:
    """An OBJ."""
    corners = [[(k >> i & 1) * edge for i in range(3)] for k in range(8)]
    quads = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
    points = "".join(f"v {x} {y} {z}\n" for x, y, z in corners)
    return (points + "".join(f"f {a + 1}//1 {b + 1}//1 {c + 1}//1 {d + 1}//1\n" for a, b, c, d in quads)).encode()


@pytest.mark.parametrize(("suffix", "made"), [("stl", cube), ("obj", text_cube)])
def test_density_is_that_of_a_meshs_volume(tmp_path: Path, suffix: str, made: Callable[[float], bytes]) -> None:
    text = ARM.replace(BOX, f'<mesh filename="body.{suffix}"/>')
    path = tmp_path / "arm.urdf"
    path.write_text(text)
    (tmp_path / f"body.{suffix}").write_bytes(made(0.2))
    assert [each.kind for each in dyn.robot_report(path).findings] == []
    (tmp_path / f"body.{suffix}").write_bytes(made(0.02))
    found = dyn.robot_report(path).findings[0]
    assert (found.kind, "1.25e+05 kg/m³" in found.words) == ("absurd density", True)
    (tmp_path / f"body.{suffix}").write_bytes(made(200.0))
    report = dyn.robot_report(path)
    assert {each.kind for each in report.findings} == {"mesh in millimetres"}
    assert 'scale="0.001 0.001 0.001"' in report.repaired_text()


def test_a_mesh_that_is_none_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text(ARM.replace(BOX, '<mesh filename="body.obj"/>'))
    for data in (b"", b"f 1 2 3", b"v 1 2\n", b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", b"\xff" * 1000, b"f a b c"):
        (tmp_path / "body.obj").write_bytes(data)
        assert dyn.robot_report(path).robot is not None


def test_a_model_of_mujoco() -> None:
    ball = '<geom size="0.1"/>'
    text = f'<mujoco>\n<worldbody>\n<body name="a"><joint stiffness="1"/>{ball}\n</body></worldbody></mujoco>'
    report = dyn.robot_report(text.encode(), "m.xml")
    assert report.language == "MJCF"
    assert [(each.kind, each.line, each.weight) for each in report.findings] == [
        ("inferred inertia", 3, "note"),
        ("left out", 3, "note"),
    ]
    assert report.repaired().joint_names == ("a_joint",)
    report = dyn.robot_report(text.replace(ball, "").encode(), "m.xml")
    found = [(each.kind, each.line) for each in report.findings]
    assert (report.robot, found) == (None, [("no inertia", 3)])


TURNS = """<mujoco>{}
<worldbody><body name="a"><joint name="hip" range="{}"/><geom size="0.1"/>
<body name="b" pos="0 0 1"><joint name="knee" range="{}"/><geom size="0.1"/></body></body></worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("compiler", "hip", "knee", "told"),
    [
        ('<compiler angle="radian"/>', "-180 180", "-1 1", [("limits in degrees", 2, "joint 'hip'")]),
        ('<compiler angle="radian"/>', "-1 1", "0 150", [("limits in degrees", 3, "joint 'knee'")]),
        ("", "-3.14 3.14", "0 2.6", [("limits in radians", 2, "joint 'hip'")]),
        ("", "-3.14 3.14", "0 90", []), ("", "-170 170", "0 2000", []),
        ('<compiler angle="degree"/>', "-3 3", "0 2", []), ('<compiler angle="radian"/>', "-6.28 6.28", "0 12", []),
    ],
)  # fmt: skip
def test_angles_of_a_model_in_the_other_unit(compiler: str, hip: str, knee: str, told: list[object]) -> None:
    report = dyn.robot_report(TURNS.format(compiler, hip, knee).encode(), "m.xml")
    assert report.refusal == ""
    found = [each for each in report.findings if each.kind != "inferred inertia"]
    assert [(each.kind, each.line, each.where) for each in found] == told
    assert all(each.remedy for each in found)


def test_a_plane_needs_a_direction_too() -> None:
    text = ARM.replace('type="revolute"', 'type="planar"', 1).replace('<axis xyz="0 1 0"/>', '<axis xyz="0 0 0"/>', 1)
    report = dyn.robot_report(text.encode())
    assert [(each.kind, each.where) for each in report.findings] == [("axis of no direction", "joint 'shoulder'")]
    assert report.repaired().joints[-1].kind == "prismatic"


@pytest.mark.parametrize("size", ["1e154 1 1", "1e154 1e154 1e154", "1e13 1 1", "1e308 1e308 1e308"])
@pytest.mark.parametrize("tag", ["visual", "collision"])
def test_a_shape_that_nothing_has_is_told_and_no_measure_of_its_link(tag: str, size: str) -> None:
    text = ARM.replace("visual>", f"{tag}>").replace(BOX, f'<box size="{size}"/>', 1)
    report = dyn.robot_report(text.encode())
    assert [(each.kind, each.where) for each in report.findings] == [("absurd shape", "link 'upper'")]
    assert report.robot is not None


def test_what_cannot_be_mended_is_told_as_it_is_refused() -> None:
    report = dyn.robot_report(b"<html/>")
    assert [each.kind for each in report.findings] == ["refused"]
    with pytest.raises(ModelError, match="DOCTYPE"):
        dyn.robot_report(b"<!DOCTYPE robot><robot/>")
    with pytest.raises(ModelError, match="cannot be read"):
        dyn.robot_report("nowhere.urdf")


def test_names_that_are_long_and_alike_take_no_longer() -> None:
    """What such names may have meant is tried of a few: each comparison costs the square of their length."""
    alike = "ab" * 45
    links = "".join(f"<link name='{alike}{k}'/>" for k in range(490))
    joints = "".join(
        f"<joint name='j{k}' type='fixed'><parent link='{alike[::-1]}{k}x'/><child link='{alike}{k}'/></joint>"
        for k in range(50)
    )
    begun = time.process_time()
    report = dyn.robot_report(f"<robot name='r'>{links}{joints}</robot>".encode())
    assert sum(each.kind == "unknown link" for each in report.findings) == 50
    assert time.process_time() - begun < 10.0  # it was a minute


def test_what_is_too_much_for_a_robot_is_not_looked_through() -> None:
    report = dyn.robot_report(f"<robot name='r'>{'<link/>' * 20_001}</robot>".encode())
    assert [(each.kind, each.weight) for each in report.findings] == [("too much", "doubtful"), ("refused", "wrong")]
    assert "20002 elements" in report.findings[0].words


@pytest.mark.parametrize(("tag", "most"), [("geom", 5000), ("body", 1000)])
def test_a_model_with_more_than_a_robot_has_is_refused_before_mujoco_computes(tag: str, most: int) -> None:
    text = f"<mujoco><worldbody><body><joint/>{f'<{tag}/>' * (most + 1)}</body></worldbody></mujoco>"
    with pytest.raises(ModelError, match=f"at most {most}"):
        dyn.load_mjcf_text(text)
    report = dyn.robot_report(text.encode())
    assert [(each.kind, each.weight) for each in report.findings] == [("refused", "wrong")]


@pytest.mark.parametrize("name", dyn.robot_names())
def test_packaged_robots_have_no_fault(name: str) -> None:
    """But TALOS's sensors, which are points in its source, too."""
    report = dyn.robot_report(ROBOTS / name / "robot.urdf")
    assert report.robot is not None
    kinds = [each.kind for each in report.findings if each.weight != "note"]
    assert kinds == (["zero inertia"] * 3 if name == "talos" else [])


def test_the_published_stanford_arm_cannot_be_and_is_mended_link_by_link() -> None:
    report = dyn.robot_report(ROBOTS / "stanford" / "published.urdf")
    assert report.robot is None
    found = {(each.where, each.kind) for each in report.findings}
    outside = {(f"link 'link_{number}'", "mass centre outside") for number in (2, 3, 4, 5, 6)}
    assert found == outside | {("link 'link_5'", "triangle inequality")}
    mended = {link.name: link.center_of_mass for link in dyn.load_urdf_text(report.repaired_text()).links}
    for name in ("link_3", "link_4", "link_6"):  # written ten times too large, as the remedy guesses
        meant = next(link for link in dyn.load("stanford").links if link.name == name)
        assert np.abs(mended[name] - meant.center_of_mass).max() < 0.02


OTHERS = """<!-- measured by <hand>, 12 µm -->
<gazebo reference="upper"><mu1>0.2</mu1>text &amp; <![CDATA[<more/>]]></gazebo>
<transmission name="t"><type>transmission_interface/SimpleTransmission</type>
<joint name="JOINT"/><actuator name="m"><drake:rotor_inertia value="0.01"/><drake:gear_ratio value="10"/></actuator>
</transmission>
<armsweep:tip link="tool"/><armsweep:home joint="JOINT" value="0.5"/>
</robot>
"""
SPACES = '<robot xmlns:drake="https://drake.mit.edu/" xmlns:armsweep="urn:armsweep:robot"'


def with_others(text: str, head: str = "<?xml version='1.0'?>") -> str:
    others = OTHERS.replace("JOINT", joint_of(text))
    return head + text.replace("<robot", SPACES, 1).replace("</robot>", others)


def joint_of(text: str) -> str:
    """One whose name is not what is wrong."""
    return "wrist" if 'joint name="wrist"' in text else "shoulder"


@pytest.mark.parametrize("name", [name for name in FAULTS if name not in BY_HAND])
def test_nothing_changes_that_is_not_mended(name: str) -> None:
    text = with_others(fault_of(name)[0])
    report = dyn.robot_report(text.encode(), "arm.urdf")
    mended = report.repaired_text()
    assert report.repaired_text([]) == text
    assert dyn.robot_report(mended.encode()).repaired_text() == mended
    changed = [k for k, (old, new) in enumerate(zip(text.split("\n"), mended.split("\n"), strict=True)) if old != new]
    assert len(changed) <= (12 if name in ("lengths in millimetres", "angles in degrees") else 7), changed
    assert mended.replace('<link name="world"></link>', "").endswith(OTHERS.replace("JOINT", joint_of(text)))
    robot = report.repaired()
    driven = robot.joints[robot.joint_names.index(joint_of(text))]
    assert driven.rotor_inertia == pytest.approx(1.0)
    assert robot.home == {driven.name: 0.5}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
def test_a_file_is_mended_in_whatever_it_is_encoded(encoding: str) -> None:
    declared = encoding.removesuffix("-sig")
    text = with_others(fault_of("a decimal comma")[0], f'<?xml version="1.0" encoding="{declared}"?>')
    mended = dyn.robot_report(text.encode(encoding)).repaired_text()
    plain = text.replace(f' encoding="{declared}"', "")
    assert mended == plain.replace('"1,5"', '"1.5"')


def test_numbers_that_are_right_stay_as_they_are_written() -> None:
    text = ARM.replace('<mass value="1"/>', '<mass value="1.000"/>').replace(
        'ixx="0.009" iyy="0.009"', 'ixx="9e-3" iyy="9"', 1
    )
    mended = dyn.robot_report(text.encode()).repaired_text()
    [(old, new)] = [pair for pair in zip(text.split("\n"), mended.split("\n"), strict=True) if pair[0] != pair[1]]
    assert 'ixx="9e-3"' in old
    assert 'ixy="0" ixz="0" iyz="0"' in new
    assert mended.count('value="1.000"') == 3
    assert dyn.robot_report(mended.encode()).robot is not None


def test_a_models_refusal_names_its_line_once_and_says_how_what_it_includes_is_given() -> None:
    text = b'<mujoco model="a">\n <worldbody/>\n <include file="arm.xml"/>\n</mujoco>'
    (found,) = dyn.robot_report(text, name="scene.xml").findings
    assert (found.kind, found.line) == ("refused", 3)
    assert found.words.startswith("<include> takes text from another file")
    assert found.words.endswith("Give all files of its folder together, or its path there")


@pytest.mark.parametrize(
    "shapes",
    ['<visual><geometry><mesh filename="not_here.stl"/></geometry></visual>'
     '<visual><geometry><sphere radius="0.004"/></geometry></visual>', ""],
    ids=["beside a mesh that is not here", "with a mass centre next to its joint"],
)  # fmt: skip
def test_a_wheel_is_as_large_as_it_may_be_where_its_shapes_do_not_say(shapes: str) -> None:
    inertial = (
        '<inertial><origin xyz="0 0.005 0"/><mass value="3"/>'
        '<inertia ixx="0.06" ixy="0" ixz="0" iyy="0.06" iyz="0" izz="0.12"/></inertial>'
    )
    text = (
        f'<robot name="r"><link name="a"/><link name="b">{inertial}{shapes}</link><joint name="j" type="continuous">'
        '<parent link="a"/><child link="b"/><origin xyz="0 0 0.1"/><axis xyz="0 0 1"/></joint></robot>'
    )
    assert [each.kind for each in dyn.robot_report(text.encode()).findings if each.weight != "note"] == []
