"""Reports on URDF files: every planted fault is found in its line, and the proposed remedy mends it."""

import re
from pathlib import Path

import numpy as np
import pytest
import trimesh

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
"""Marks a change in the last link or joint alone."""


def every(report: dyn.RobotReport) -> range:
    """What is doubtful too, as a person may tick it."""
    return range(len(report.findings))


def planted(old: str, new: str) -> str:
    """The arm with one thing otherwise: in the last place where it stands, if so marked, else in the first."""
    if old.startswith(LAST):
        before, found, after = ARM.rpartition(old.removeprefix(LAST))
        assert found
        return before + new + after
    assert old in ARM
    return ARM.replace(old, new, 1)


BOX = '<box size="0.1 0.1 0.3"/>'
FAULTS: dict[str, tuple[str, str, str]] = {
    # name: what is replaced, by what, and the kind of the finding
    "the triangle inequality": ('izz="0.002"', 'izz="0.02"', "triangle inequality"),
    "a negative moment": ('izz="0.002"', 'izz="-0.002"', "negative moment"),
    "a negative mass": ('<mass value="1"/>', '<mass value="-1"/>', "negative mass"),
    "no inertia with a mass": (INERTIA, '<inertia ixx="0" iyy="0" izz="0"/>', "zero inertia"),
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
    "a mass centre in millimetres": ('xyz="0 0 0.15" rpy="0 0 0"', 'xyz="0 0 150" rpy="0 0 0"', "mass centre outside"),
    "an inertia in kg mm²": (
        INERTIA, '<inertia ixx="9000" iyy="9000" izz="2000" ixy="0" ixz="0" iyz="0"/>', "inertia too large"
    ),
    "lengths in millimetres": (LAST + 'xyz="0 0 0.3" rpy="0 0.5 0"', 'xyz="0 0 300" rpy="0 0.5 0"', "millimetres"),
    "angles in degrees": ('rpy="0 0.5 0"', 'rpy="0 90 0"', "degrees"),
    "limits in degrees": ('lower="-2" upper="2"', 'lower="-90" upper="90"', "limits in degrees"),
    "limits the wrong way": ('lower="-2" upper="2"', 'lower="2" upper="-2"', "limits the wrong way"),
    "a negative effort": ('effort="50"', 'effort="-50"', "left out"),
    "negative damping": ('damping="0.1"', 'damping="-0.1"', "left out"),
    "an axis without direction": ('<axis xyz="0 1 0"/>', '<axis xyz="0 0 0"/>', "refused"),
    "commas between numbers": ('xyz="0 0 0.15" rpy="0 0 0"', 'xyz="0, 0, 0.15" rpy="0 0 0"', "commas between numbers"),
    "two axes": ('<axis xyz="0 1 0"/>', '<axis xyz="0 1 0"/><axis xyz="1 0 0"/>', "left out"),
    "a decimal comma": ('<mass value="1"/>', '<mass value="1,5"/>', "decimal comma"),
    "a word for a number": ('<mass value="1"/>', '<mass value="heavy"/>', "refused"),
    "a mass centre far from a link without a shape": (
        LAST + link("hand"),
        '<link name="hand"><inertial><origin xyz="20 0 3"/><mass value="1"/>'
        '<inertia ixx="0.009" iyy="0.009" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial></link>',
        "mass centre outside",
    ),
    "a box without height": ('size="0.1 0.1 0.3"', 'size="0.1 0.1 0"', "left out"),
    "a link by another's name": (LAST + '<link name="hand"', '<link name="upper"', "refused"),
    "a link without a name": (LAST + '<link name="hand"', "<link", "refused"),
    "no name": ('<joint name="elbow"', "<joint", "refused"),
    "an unknown parent": ('<parent link="upper"/>', '<parent link="uper"/>', "unknown link"),
    "an unknown type": ('type="revolute"', 'type="Revolute "', "refused"),
    "no child": ('<child link="upper"/>', "", "refused"),
}  # fmt: skip
LINES_BEFORE = {"a tip whose numbers are all zero": 1, "lengths in millimetres": 3}
"""From the line of a finding, that of an element, to the line that differs."""
BY_HAND = {
    "a negative effort": 5, "negative damping": 6, "an axis without direction": 4, "no child": 2,
    **dict.fromkeys(("two axes", "a word for a number", "a box without height", "no name", "an unknown type"), 0),
    **dict.fromkeys(("a link by another's name", "a link without a name"), 0),
}  # fmt: skip
"""The same for faults that the reader refuses or leaves out and only the file's author can mend."""
OPENED = (
    *("the triangle inequality", "a tip that weighs nothing", "a tip whose numbers are all zero"),
    *("a negative moment", "limits the wrong way"),
)
"""What is wrong, and opens all the same."""


def fault_of(name: str) -> tuple[str, str]:
    old, new, kind = FAULTS[name]
    return planted(old, new), kind


def test_planted_faults_are_found_and_mended() -> None:
    report = dyn.robot_report(ARM.encode(), "arm.urdf")
    assert [finding.text for finding in report.findings] == []
    assert (report.language, report.refusal, report.merged) == ("URDF", "", (("tool", "hand"),))
    for name in FAULTS:
        text, kind = fault_of(name)
        report = dyn.robot_report(text.encode(), "arm.urdf")
        assert [each.kind for each in report.findings] == [kind], (name, [each.text for each in report.findings])
        (finding,) = report.findings
        assert 1 <= finding.line <= len(text.splitlines()), name
        pairs = enumerate(zip(text.splitlines(), ARM.splitlines(), strict=False), 1)
        changed = next(k for k, (new, old) in pairs if new != old)
        assert changed - finding.line == (LINES_BEFORE | BY_HAND).get(name, 0), name
        assert (report.robot is None) == (finding.weight == "wrong" and name not in OPENED), name
        if name in BY_HAND:
            assert not finding.remedy, name
        else:
            assert finding.remedy, name
            again = dyn.robot_report(report.repaired_text(every(report)).encode(), "mended.urdf")
            assert [each.text for each in again.findings] == [], name
            mended = report.repaired(every(report))
            assert finding.weight == "wrong" or report.repaired_text() == text, name
            assert mended.joint_names[-1] == "shoulder"
            dyn.forward_dynamics(dyn.single_arm(mended), dyn.single_arm(mended).state())


EXACT = (
    *("a negative moment", "a negative mass", "a mass in grams", "a mass centre in millimetres",
        "an inertia in kg mm²"),
    *("lengths in millimetres", "limits the wrong way"),
    *("an unknown parent", "commas between numbers"),
)  # fmt: skip
ESTIMATED = ("the triangle inequality", "limits in degrees", "a decimal comma")


def test_remedies_restore_the_numbers_that_were_meant() -> None:
    meant = dyn.load_urdf_text(ARM)
    for name in EXACT:
        report = dyn.robot_report(fault_of(name)[0].encode())
        mended = report.repaired(every(report))
        assert mended.joint_names == meant.joint_names
        for one, other in zip(mended.links, meant.links, strict=True):
            assert (one.name, one.mass) == (other.name, pytest.approx(other.mass)), name
            np.testing.assert_allclose(one.inertia, other.inertia, rtol=1e-9, err_msg=name)
            np.testing.assert_allclose(one.center_of_mass, other.center_of_mass, atol=1e-12, err_msg=name)
            sizes = [np.abs(shape.size) for shape in (*one.geometry, *other.geometry)]
            np.testing.assert_allclose(sizes[: len(sizes) // 2], sizes[len(sizes) // 2 :], rtol=1e-9, err_msg=name)
        for one, other in zip(mended.joints, meant.joints, strict=True):
            assert (one.lower, one.upper, one.axis.tolist()) == (other.lower, other.upper, other.axis.tolist()), name
            np.testing.assert_allclose(one.origin, other.origin, atol=1e-12, err_msg=name)

    reports = {name: dyn.robot_report(fault_of(name)[0].encode()) for name in ESTIMATED}
    mended = {name: report.repaired(every(report)) for name, report in reports.items()}
    moments = np.linalg.eigvalsh(mended["the triangle inequality"].links[2].inertia)
    assert moments.tolist() == pytest.approx([0.01, 0.01, 0.02])
    assert mended["limits in degrees"].joints[2].upper == pytest.approx(np.pi / 2)
    assert mended["a decimal comma"].links[2].mass == 1.5


def test_remedies_are_accepted_one_by_one_and_absurd_files_refused() -> None:
    text = planted('<mass value="1"/>', '<mass value="-1"/>').replace('lower="-2" upper="2"', 'lower="2" upper="-2"', 1)
    report = dyn.robot_report(text.encode())
    assert [each.kind for each in report.findings] == ["negative mass", "limits the wrong way"]
    assert report.repaired().joints[-1].upper == 2.0
    with pytest.raises(ModelError, match="mass is -1"):
        report.repaired([1])
    with pytest.warns(UserWarning, match="its lower limit 2 is above its upper limit -2: both are left out"):
        assert report.repaired([0]).joints[-1].upper == np.inf
    with pytest.raises(ModelError, match="accepted: 2 is not the number of a finding; there are 2"):
        report.repaired([2])
    for size in ("1e154 1 1", "1e154 1e154 1e154", "1e13 1 1", "1e308 1e308 1e308"):
        for tag in ("visual", "collision"):
            text = ARM.replace("visual>", f"{tag}>").replace(BOX, f'<box size="{size}"/>', 1)
            report = dyn.robot_report(text.encode())
            assert report.findings == (), size
    assert [each.kind for each in dyn.robot_report(b"<html/>").findings] == ["refused"]
    with pytest.raises(ModelError, match="DOCTYPE"):
        dyn.robot_report(b'<!DOCTYPE r [<!ENTITY a "b">]><robot/>')
    with pytest.raises(ModelError, match="cannot be read"):
        dyn.robot_report("nowhere.urdf")
    report = dyn.robot_report(f"<robot name='r'>{'<link/>' * 20_001}</robot>".encode())
    assert [(each.kind, each.weight) for each in report.findings] == [("too much", "doubtful"), ("refused", "wrong")]
    assert "20002 elements" in report.findings[0].words


ROD = """<robot name="rod"><link name="base"/><link name="arm"><inertial><origin xyz="{c}"/><mass value="{m}"/>
<inertia ixx="{i[0]}" iyy="{i[1]}" izz="{i[2]}" ixy="0" ixz="0" iyz="0"/></inertial>{shapes}</link>
<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="20" velocity="3"/></joint>{more}</robot>"""
UNREAD = '<visual><geometry><mesh filename="foot.STL"/></geometry></visual>'
TOES = '<collision><origin xyz="0.12 0.03 -0.03"/><geometry><sphere radius="0.005"/></geometry></collision>'
LONG = '<visual><origin xyz="0 0 -0.5"/><geometry><box size="0.04 0.1 1"/></geometry></visual>'
LARGE = '<visual><geometry><box size="9 9 9"/></geometry></visual>'
UNIFORM = (1.0 + 0.01) / 12, (1.0 + 0.0016) / 12, (0.01 + 0.0016) / 12
"""kg m², of that box of 1 kg about its mass centre."""
ABOUT_ORIGIN = UNIFORM[0] + 0.25, UNIFORM[1] + 0.25, UNIFORM[2]
MARKED = """<link name="mark"><inertial><mass value="1e-6"/>
<inertia ixx="1e-6" ixy="1e-6" ixz="1e-6" iyy="1e-6" iyz="1e-6" izz="1e-6"/></inertial>{}</link>
<joint name="k" type="{}"><parent link="arm"/><child link="mark"/></joint>"""
SECOND = """<link name="hand"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="k" type="revolute"><parent link="arm"/><child link="hand"/><axis xyz="0 1 0"/>
<limit lower="{0}" upper="{1}" effort="9" velocity="9"/></joint>"""
FOOT = {"m": 0.608, "c": "0.03 0 -0.016", "i": (0.0002, 0.0016, 0.0017), "shapes": UNREAD + 4 * TOES}
JUDGED: dict[str, tuple[dict[str, object], list[str]]] = {
    "contact spheres on a mesh that is not here": (FOOT, []),
    "a winch": ({"more": SECOND.format(-300, 300)}, []),
    "limits in degrees beside such in rad": ({"more": SECOND.format(-60, 60)}, ["limits in degrees"]),
    "a rod": ({}, []),
    "a rod about its end": ({"i": ABOUT_ORIGIN}, ["inertia about the link's origin"]),
    "a rod about its end, of whose shapes one was not read": ({"i": ABOUT_ORIGIN, "shapes": LONG + UNREAD}, []),
    "fourteen times": ({"i": tuple(14 * one for one in UNIFORM)}, ["inertia too large"]),
    "moments of a plate, rounded": ({"i": (0.0012, 0.0013, 0.0026), "shapes": ""}, ["triangle inequality"]),
    "moments of nothing": ({"i": (0.11, 0.11, 0.43), "shapes": ""}, ["triangle inequality"]),
    "a mark that is welded": ({"more": MARKED.format("", "fixed")}, []),
    "a mark that is drawn large": ({"more": MARKED.format(LARGE, "fixed")}, []),
    "a rod about its end, with a mark that is drawn large":
        ({"i": ABOUT_ORIGIN, "more": MARKED.format(LARGE, "fixed").replace("1e-6", "0")},
         ["inertia about the link's origin"]),
    "a mark behind a joint": ({"more": MARKED.format(LONG, "continuous")}, []),
    "a point mass that is welded":
        ({"more": MARKED.format("", "fixed").replace('"1e-6"', '"0.1"', 1).replace("1e-6", "0")}, []),
}  # fmt: skip


@pytest.mark.parametrize("name", JUDGED)
def test_a_body_is_judged_by_whole_evidence_and_never_changed_by_itself(name: str) -> None:
    changed, kinds = JUDGED[name]
    usual = {"m": 1, "c": "0 0 -0.5", "i": UNIFORM, "shapes": LONG, "more": ""}
    report = dyn.robot_report(ROD.format(**(usual | changed)).encode())
    assert [each.kind for each in report.findings if each.weight != "note"] == kinds
    assert report.repaired_text().encode() == report.source
    weights = {each.weight for each in report.findings if each.kind == "triangle inequality"}
    assert weights <= {"wrong" if name == "moments of nothing" else "doubtful"}
    if "i" in changed and kinds and not weights and "m" not in changed:
        np.testing.assert_allclose(report.repaired([0]).links[-1].inertia, np.diag(UNIFORM), rtol=1e-9, atol=1e-12)
        (line,) = report.findings[0].changes
        assert f"inertia ixx {changed['i'][0]:.4g} → {UNIFORM[0]:.4g}" in line  # type: ignore[index]


FOREIGN = '<ros2_control><joint name="j"><limits enable="false" lower="1,5"/></joint></ros2_control>'
UNTOUCHED = {
    "an inertia without mass": lambda text: re.sub('<mass value="[^"]*"/>', '<mass value="0"/>', text),
    "an inertial that is switched off": lambda text: text.replace("<inertial>", "<inertial_off>", 1).replace(
        "</inertial>", "</inertial_off>", 1),
    "another program's elements": lambda text: text.replace("</robot>", FOREIGN + "</robot>"),
    "a stray element": lambda text: text.replace("</robot>", "<links/></robot>"),
    "a mass that corrects another": lambda text: text.replace("</robot>", LESS + "</robot>"),
}  # fmt: skip
LESS = (
    '<link name="less"><inertial><mass value="-0.1"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>'
    '</inertial></link><joint name="weld" type="fixed"><parent link="hand"/><child link="less"/></joint>'
)


@pytest.mark.parametrize("name", UNTOUCHED)
def test_what_may_be_meant_so_is_left_as_it_is_by_default(name: str) -> None:
    text = UNTOUCHED[name](ARM)
    report = dyn.robot_report(text.encode())
    assert [each.kind for each in report.findings if each.weight == "wrong"] == []
    assert report.repaired_text() == text
    assert report.robot is not None


def test_a_robot_without_inertias_is_weighed_as_a_whole_by_its_shapes() -> None:
    shaped = ARM.replace(BOX, '<cylinder radius="0.1" length="0.5"/>', 1)
    bare = re.sub("<inertial>.*?</inertial>", "", shaped, flags=re.S)
    report = dyn.robot_report(bare.encode())
    assert [(each.kind, each.weight) for each in report.findings] == [("no inertias", "wrong")]
    assert report.robot is None
    masses = {link.name: link.mass for link in report.repaired().links}
    box, cylinder = 0.1 * 0.1 * 0.3, np.pi * 0.1**2 * 0.5
    assert masses == pytest.approx({"upper": 1000 * cylinder, "lower": 1000 * box, "hand": 1000 * box})
    assert [line.partition(":")[0] for line in report.findings[0].changes] == ["upper", "lower", "hand"]
    shapeless = re.sub("<visual>.*?</visual>", "", bare, flags=re.S)
    assert [(each.kind, each.edits) for each in dyn.robot_report(shapeless.encode()).findings] == [("no inertias", ())]


def cube(edge: float, kind: str = "obj") -> bytes:
    """With a corner at the origin."""
    box = trimesh.creation.box((edge,) * 3).apply_translation((0.5 * edge,) * 3)
    data: str | bytes = box.export(file_type=kind)
    return data.encode() if isinstance(data, str) else data


def test_the_density_of_a_link_comes_from_the_volume_of_its_mesh(tmp_path: Path) -> None:
    path, mesh = tmp_path / "arm.urdf", tmp_path / "body.obj"
    path.write_text(ARM.replace(BOX, '<mesh filename="body.obj"/>'))
    for edge, kinds in ((0.2, set()), (0.02, {"absurd density"}), (200.0, {"mesh in millimetres"})):
        mesh.write_bytes(cube(edge))
        report = dyn.robot_report(path)
        assert {each.kind for each in report.findings} >= kinds
        assert bool(report.findings) == bool(kinds)
    assert 'scale="0.001 0.001 0.001"' in report.repaired_text(every(report))
    for data in (b"", b"f 1 2 3", b"v 1 2\n", b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", b"\xff" * 1000, b"f a b c"):
        mesh.write_bytes(data)
        assert dyn.robot_report(path).robot is not None, data


def test_packaged_robots_have_no_fault() -> None:
    """But inertias of what is drawn smaller: as Franka's was identified, of others as printed."""
    beyond = {"panda": ["inertia too large"], "puma560": ["inertia about the link's origin"]}
    beyond["stanford"] = beyond["puma560"]
    for name in dyn.robot_names():
        report = dyn.robot_report(ROBOTS / name / "robot.urdf")
        assert {each.weight for each in report.findings} <= {"doubtful", "note"}, name
        assert [each.kind for each in report.findings if each.weight != "note"] == beyond.get(name, []), name


def test_the_published_stanford_arm_is_mended_link_by_link() -> None:
    report = dyn.robot_report(ROBOTS / "stanford" / "published.urdf")
    found = {(each.where, each.kind) for each in report.findings}
    outside = {(f"link 'link_{number}'", "mass centre outside") for number in (2, 3, 4, 5, 6)}
    assert found == outside | {("link 'link_5'", "triangle inequality")}
    mended = {link.name: link.center_of_mass for link in report.repaired(every(report)).links}
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


def with_others(text: str, head: str = "<?xml version='1.0'?>") -> tuple[str, str]:
    joint = "wrist" if 'joint name="wrist"' in text else "shoulder"
    others = OTHERS.replace("JOINT", joint)
    return head + text.replace("<robot", SPACES, 1).replace("</robot>", others), joint


def test_a_remedy_changes_nothing_else_in_the_file() -> None:
    for name in FAULTS:
        if name in BY_HAND:
            continue
        text, joint = with_others(fault_of(name)[0])
        report = dyn.robot_report(text.encode(), "arm.urdf")
        mended = report.repaired_text(every(report))
        again = dyn.robot_report(mended.encode())
        assert report.repaired_text([]) == text, name
        assert again.repaired_text(every(again)) == mended, name
        pairs = zip(text.split("\n"), mended.split("\n"), strict=True)
        changed = [k for k, (old, new) in enumerate(pairs) if old != new]
        assert len(changed) <= (12 if name in ("lengths in millimetres", "angles in degrees") else 7), (name, changed)
        assert mended.endswith(OTHERS.replace("JOINT", joint)), name
        robot = report.repaired(every(report))
        driven = robot.joints[robot.joint_names.index(joint)]
        assert driven.rotor_inertia == pytest.approx(1.0), name
        assert robot.home == {driven.name: 0.5}, name


def test_a_file_is_mended_in_any_encoding() -> None:
    for encoding in ("utf-8", "utf-8-sig", "latin-1", "utf-16"):
        declared = encoding.removesuffix("-sig")
        text, _ = with_others(fault_of("a decimal comma")[0], f'<?xml version="1.0" encoding="{declared}"?>')
        mended = dyn.robot_report(text.encode(encoding)).repaired_text()
        plain = text.replace(f' encoding="{declared}"', "")
        assert mended == plain.replace('"1,5"', '"1.5"'), encoding
