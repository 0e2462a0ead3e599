"""Reports on MuJoCo models: every planted fault is found in its line, and MuJoCo takes the mended file."""

import base64
import re
import struct
from pathlib import Path

import mujoco
import numpy as np
import pytest

import dynamics as dyn
from dynamics import ModelError
from tests.dynamics.mjcf.here import compile_here

pytestmark = pytest.mark.compiled_only


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """There are some two hundred models."""
    compile_here(monkeypatch)


LEG = """<mujoco model="leg">
 <default><default class="light"><geom density="300"/><joint damping="0.1"/></default></default>
 <worldbody><light pos="0 0 3"/>
  <body name="hip" pos="0 0 0.9" childclass="light">
   <joint name="yaw" axis="0 0 1" range="-60 60"/>
   <inertial pos="0.02 0 -0.05" quat="0.9 0.1 0.2 0.3" mass="3.5" diaginertia="0.03 0.02 0.025"/>
   <geom type="box" size="0.12 0.1 0.1"/>
   <frame pos="0 0.1 0">
    <body name="thigh" pos="0 0 -0.1" euler="0 10 0">
     <joint name="roll" axis="1 0 0"/><joint name="pitch" pos="0 0 0.02" axis="0 1 0"/>
     <inertial pos="0 0 -0.2" mass="2" fullinertia="0.04 0.04 0.01 0.001 0.002 0.001"/>
     <geom type="capsule" size="0.06" fromto="0 0 0 0 0 -0.4"/>
     <body name="shank" pos="0 0 -0.4">
      <joint name="knee" axis="0 1 0" range="0 150"/>
      <inertial pos="0 0 -0.2" mass="1.2" diaginertia="0.02 0.02 0.002"/>
      <geom type="cylinder" size="0.05 0.2" pos="0 0 -0.2"/>
      <body name="spring" pos="0 0 -0.4"><joint name="give" type="slide" axis="0 0 1" range="0 0.05"/>
       <geom type="sphere" size="0.04"/></body>
     </body>
    </body>
   </frame>
  </body>
 </worldbody>
</mujoco>"""
SHANK = '<inertial pos="0 0 -0.2" mass="1.2" diaginertia="0.02 0.02 0.002"/>'
THIGH = '<inertial pos="0 0 -0.2" mass="2" fullinertia="0.04 0.04 0.01 0.001 0.002 0.001"/>'
HIP = 'mass="3.5" diaginertia="0.03 0.02 0.025"'
FAULTS = {
    "triangle, diagonal": (HIP, 'mass="3.5" diaginertia="0.03 0.2 0.025"', "triangle inequality", 6),
    "below zero": ("0.04 0.04 0.01 0.001", "0.04 -0.04 0.01 0.001", "negative moment", 11),
    "negative mass": ('mass="1.2"', 'mass="-1.2"', "negative mass", 15),
    "mass zero": ('mass="1.2"', 'mass="0"', "inertia without mass", 15),
    "no inertia": (' diaginertia="0.02 0.02 0.002"', "", "zero inertia", 15),
    "grams": ('mass="1.2"', 'mass="1200"', "absurd density", 15),
    "kg mm2": ("0.02 0.02 0.002", "20000 20000 2000", "inertia too large", 15),
    "centre behind two joints": (THIGH, THIGH.replace("-0.2", "-200"), "mass centre outside", 11),
    "far": ('<body name="shank" pos="0 0 -0.4">', '<body name="shank" pos="0 0 -400">', "millimetres", 13),
    "slide in millimetres": ('range="0 0.05"', 'range="0 50"', "limits in millimetres", 17),
    "axis": ('name="roll" axis="1 0 0"', 'name="roll" axis="0 0 0"', "axis of no direction", 10),
    "armature": ('name="knee"', 'name="knee" armature="-0.5"', "negative armature", 14),
    "limits exchanged": ('range="0 150"', 'range="150 0"', "limits the wrong way", 14),
    "shape of no size": ('<geom type="sphere" size="0.04"/>', '<geom type="sphere" size="-0.04"/>', "no size", 18),
    "heavy geoms": ('<geom type="sphere" size="0.04"/>', '<geom type="sphere" size="0.04" density="8e5"/>',
                    "absurd density", 17),
}  # fmt: skip


def doubts(report: dyn.RobotReport) -> list[tuple[str, int]]:
    return [(each.kind, each.line) for each in report.findings if each.weight != "note"]


def mended_text(report: dyn.RobotReport) -> str:
    """What is doubtful mended, too."""
    return report.repaired_text(range(len(report.findings)))


def planted(name: str) -> str:
    right, wrong, *_ = FAULTS[name]
    assert LEG.count(right) == 1
    return LEG.replace(right, wrong)


def test_planted_faults_are_found_in_their_lines_and_mended_as_mujoco_takes_them() -> None:
    report = dyn.robot_report(LEG.encode(), "leg.xml")
    assert (report.refusal, doubts(report), mended_text(report)) == ("", [], LEG)
    for name, (*_, kind, line) in FAULTS.items():
        report = dyn.robot_report(planted(name).encode(), "leg.xml")
        assert doubts(report) == [(kind, line)], name
        mended = mended_text(report)
        model = mujoco.MjModel.from_xml_string(mended)
        assert doubts(dyn.robot_report(mended.encode(), "leg.xml")) == [], name
        masses = sum(link.mass for link in report.repaired(range(len(report.findings))).links)
        assert masses == pytest.approx(float(model.body_subtreemass[1])), name
        pairs = zip(LEG.split("\n"), mended.split("\n"), strict=True)
        changed = {k for k, (old, new) in enumerate(pairs, 1) if old != new}
        assert changed <= {line, line + (name == "heavy geoms")}, name


OF_ANOTHER_UNIT = (
    *("grams", "centre behind two joints", "far", "slide in millimetres", "kg mm2"),
    *("negative mass", "limits exchanged", "shape of no size"),
)


def test_a_mended_model_moves_as_it_was_meant_to() -> None:
    def motion(text: str) -> tuple[np.ndarray, np.ndarray]:
        model = mujoco.MjModel.from_xml_string(text)
        data = mujoco.MjData(model)
        data.qpos[:] = data.qvel[:] = np.linspace(0.01, 0.04, model.nq)
        mujoco.mj_forward(model, data)
        return data.qacc.copy(), model.jnt_range.copy()

    acceleration, limits = motion(LEG)
    for name in OF_ANOTHER_UNIT:
        found = motion(mended_text(dyn.robot_report(planted(name).encode(), "leg.xml")))
        assert found[0] == pytest.approx(acceleration, rel=1e-9), name
        assert found[1] == pytest.approx(limits), name


def scaled(text: str, by: float) -> str:
    def times(found: re.Match[str]) -> str:
        return f'{found[1]}="{" ".join(repr(float(value) * by) for value in found[2].split())}"'

    return re.sub(r'((?<= )(?:pos|fromto|size)|(?<=slide" axis="0 0 1" )range)="([^"]*)"', times, text)


def test_a_model_in_millimetres_is_one_fault_and_becomes_the_model_in_metres() -> None:
    report = dyn.robot_report(scaled(LEG, 1000.0).encode(), "leg.xml")
    assert [kind for kind, _ in doubts(report)] == ["millimetres"]
    one, other = (mujoco.MjModel.from_xml_string(text) for text in (LEG, mended_text(report)))
    for name in ("body_pos", "body_ipos", "body_inertia", "geom_size", "geom_pos", "jnt_pos", "jnt_range"):
        np.testing.assert_allclose(getattr(other, name), getattr(one, name), rtol=1e-9, atol=1e-12, err_msg=name)


def test_all_faults_are_found_where_mujoco_names_the_first() -> None:
    wrong = [FAULTS[name] for name in ("triangle, diagonal", "negative mass", "axis", "armature")]
    text = LEG
    for right, instead, *_ in wrong:
        text = text.replace(right, instead)
    report = dyn.robot_report(text.encode(), "leg.xml")
    assert sorted(doubts(report)) == sorted((kind, line) for *_, kind, line in wrong)
    with pytest.raises(ModelError):
        report.repaired([0])  # the others are left
    assert report.repaired().joint_names == dyn.load_mjcf_text(LEG).joint_names
    text = LEG.replace('mass="1.2"', 'mass="-1.2"').replace('name="roll"', 'name="knee"')
    found = dyn.robot_report(text.encode(), "leg.xml").findings
    assert [(each.kind, each.line) for each in found] == [("negative mass", 15), ("refused", 14)]
    assert "repeated name" in found[-1].words
    included = b'<mujoco model="a">\n <worldbody/>\n <include file="arm.xml"/>\n</mujoco>'
    (found,) = dyn.robot_report(included, name="scene.xml").findings
    assert (found.kind, found.line) == ("refused", 3)
    assert found.words.startswith("<include> takes text from another file")
    assert found.words.endswith("Give all files of its folder together, or its path there")


def cube(size: float) -> bytes:
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float) * size
    quads = (0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)
    faces = [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]
    rows = b"".join(struct.pack("<12fH", 0, 0, 0, *corners[list(face)].ravel(), 0) for face in faces)
    return bytes(80) + struct.pack("<I", len(faces)) + rows


CUBE = """<mujoco>
<asset><mesh name="m" file="{file}"/></asset>
<worldbody><body name="a"><joint axis="0 1 0"/>
<inertial pos="0.1 0.1 0.1" mass="{mass}" diaginertia="{i} {i} {i}"/><geom type="mesh" mesh="m"/></body>
</worldbody></mujoco>"""


def test_a_mass_is_compared_with_the_volume_of_its_mesh(tmp_path: Path) -> None:
    """In a file beside the model, which is read anew each time, and in its text."""
    beside = tmp_path / "a.xml"
    beside.write_text(CUBE.format(file="cube.stl", mass=8000, i=0.05))
    inside = f"data:model/stl;base64,{base64.b64encode(cube(0.2)).decode()}"
    (tmp_path / "cube.stl").write_bytes(cube(0.2))
    for report in (dyn.robot_report(beside), dyn.robot_report(CUBE.format(file=inside, mass=8000, i=0.05).encode())):
        assert doubts(report) == [("absurd density", 4)]
        assert "1e+06 kg/m³" in report.findings[0].words
        assert 'mass="8.0"' in mended_text(report)
    (tmp_path / "cube.stl").write_bytes(cube(200.0))
    beside.write_text(CUBE.format(file="cube.stl", mass=8, i=0.05))
    report = dyn.robot_report(beside)
    assert [each.kind for each in report.findings] == ["mesh in millimetres"]
    assert 'file="cube.stl" scale="0.001 0.001 0.001"' in mended_text(report)
    assert report.repaired([0]).links[0].geometry[0].size == (0.001, 0.001, 0.001)


TURNS = """<mujoco>{}
<worldbody><body name="a"><joint name="hip" range="{}"/><geom size="0.1"/>
<body name="b" pos="0 0 1"><joint name="knee" range="{}"/><geom size="0.1"/></body></body></worldbody></mujoco>"""
DEGREES, RADIANS = '<compiler angle="degree"/>', '<compiler angle="radian"/>'
LIMITS = [
    (RADIANS, "-180 180", "-1 1", [("limits in degrees", 2, "joint 'hip'")]),
    (RADIANS, "-1 1", "0 150", [("limits in degrees", 3, "joint 'knee'")]),
    ("", "-3.14 3.14", "0 2.6", [("limits in radians", 2, "joint 'hip'")]), ("", "-3.14 3.14", "0 90", []),
    ("", "-170 170", "0 2000", []), (DEGREES, "-3 3", "0 2", []), (RADIANS, "-6.28 6.28", "0 12", []),
]  # fmt: skip
JOINT = '<joint axis="0 1 0"/>'
BODY = '<inertial pos="0 0 0.1" mass="1" diaginertia="0.01 0.01 0.01"/>'
LIMITED = '<joint axis="0 1 0" range="-2 2"/>'
SOUND = {
    "what a mesh, which is not here, is beside a small shape": ('<asset><mesh name="m" file="m.stl"/></asset>',
        f'<body>{JOINT}<inertial pos="0 0 0.1" mass="1" diaginertia="0.004 0.004 0.001"/><geom type="mesh" mesh="m"/>'
        '<geom type="sphere" size="0.006" mass="0"/></body>'),
    "an ellipsoid, which is not drawn, with eyes": ("",
        f'<body>{JOINT}<geom type="ellipsoid" size="0.1 0.2 0.3"/><geom size="0.006" mass="0"/></body>'),
    "a wheel whose mass centre is next to its axis": ("", f'<body>{JOINT}{BODY}<body pos="0 0 0.1">{JOINT}'
        '<inertial pos="0 0.005 0" mass="3" diaginertia="0.06 0.06 0.12"/></body></body>'),
    "a thing that slides over a table": ("",
        f'<body><joint type="slide" axis="1 0 0" range="-10.3 10.3"/>{BODY}</body>'),
    "a wall far away, and a robot in the corner of a hall": ("",
        f'<body pos="40 0 0"><geom type="box" size="30 1 1"/></body><body pos="30 30 0">{JOINT}{BODY}</body>'),
    "small limits beside an angle in degrees": ("", f'<body euler="0 90 0">{LIMITED}{BODY}</body>'),
}  # fmt: skip
UNREADABLE = BODY.replace('mass="1"', 'mass="1,5"')
SLIDE = f'{JOINT}{BODY}<body pos="0 0 0.3" childclass="s">\n<joint name="j" axis="0 1 0"'
MENDED = {
    "a joint behind those of tendons, all on one line": (
        '<tendon><fixed><joint joint="a" coef="1"/><joint joint="j" coef="1"/></fixed></tendon>',
        f'<body><joint name="a"/>{BODY}<body><joint name="j" type="slide" range="0 50"/>{BODY}</body></body>', [
        "limits in millimetres"], 'range="0 50"', 'range="0 0.05"'),
    "limits of a class": ('<default><default class="s"><joint type="slide" range="0 50"/></default></default>',
        f"<body>{SLIDE}/>{BODY}</body></body>", ["limits in millimetres"], f"{SLIDE}", f'{SLIDE} range="0.0 0.05"'),
    "a frame that is far": ("",
        f'<body>{JOINT}{BODY}<frame pos="0 0 400"><body pos="0 0 0.1">{JOINT}{BODY}</body></frame>'
        f'<body pos="0 0 0.1">{JOINT}{BODY}<body pos="0 0 0.2">{JOINT}{BODY}</body></body></body>', ["millimetres"],
        "400", "0.4"),
    "the mass of a shape": ("", f'<body>{JOINT}<geom size="0.1" mass="-1"/></body>', ["negative mass"], '"-1"',
        '"1.0"'),
    "a mass that is no number": ("", f'<body>{JOINT}{UNREADABLE}</body>', ["refused"], "", ""),
    "limits that have to be some": ('<default><joint limited="true" range="90 -90"/></default>',
        f"<body>{JOINT}{BODY}</body>", ["limits the wrong way"], "90 -90", "-90.0 90.0"),
}  # fmt: skip


def test_a_remedy_changes_the_fault_and_nothing_else_and_sound_models_have_none() -> None:
    for name, (head, body, kinds, wrong, right) in MENDED.items():
        text = f"<mujoco>{head}<worldbody>{body}</worldbody></mujoco>"
        report = dyn.robot_report(text.encode(), "a.xml")
        assert [kind for kind, _ in doubts(report)] == kinds, name
        assert mended_text(report) == (text.replace(wrong, right) if wrong else text), name
        assert not wrong or doubts(dyn.robot_report(mended_text(report).encode(), "a.xml")) == [], name
    for name, (head, body) in SOUND.items():
        report = dyn.robot_report(f"<mujoco>{head}<worldbody>{body}</worldbody></mujoco>".encode(), "a.xml")
        assert (report.refusal, doubts(report)) == ("", []), name
    mark = '<body name="mark" pos="0 0 0.1"><inertial pos="0 0 0" mass="1e-8" diaginertia="1e-8 1e-8 1e-8"/></body>'
    text = LEG.replace('<body name="spring"', f'{mark}<body name="spring"').replace(
        SHANK, SHANK + '<geom type="sphere" size="0.001" pos="0 0 5"/>'
    )
    assert doubts(dyn.robot_report(text.encode(), "leg.xml")) == []
    for compiler, hip, knee, expected in LIMITS:
        report = dyn.robot_report(TURNS.format(compiler, hip, knee).encode(), "m.xml")
        assert report.refusal == ""
        found = [each for each in report.findings if each.kind != "inferred inertia"]
        assert [(each.kind, each.line, each.where) for each in found] == expected, (compiler, hip, knee)
        assert all(each.remedy for each in found)
