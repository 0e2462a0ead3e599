"""Reports on MuJoCo models: every planted fault is found in its line, with the numbers that were meant."""

import base64
from pathlib import Path

import pytest

import dynamics as dyn
from tests.dynamics.robot_files.here import compile_here
from tests.dynamics.robot_files.test_urdf_report import cube

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
    # what is replaced, by what; kind and line of the finding, and a word of it or of the numbers that were meant
    "triangle, diagonal": (HIP, 'mass="3.5" diaginertia="0.03 0.2 0.025"', "refused", 4, "A + B >= C"),
    "below zero": ("0.04 0.04 0.01 0.001", "0.04 -0.04 0.01 0.001", "refused", 9, "positive eigenvalues"),
    "negative mass": ('mass="1.2"', 'mass="-1.2"', "refused", 13, "name 'shank'"),
    "grams": ('mass="1.2"', 'mass="1200"', "absurd density", 13, "mass value 1200 → 1.2"),
    "kg mm2": ("0.02 0.02 0.002", "20000 20000 2000", "inertia too large", 13, "inertia izz 2000 → 0.002"),
    "centre behind two joints": (THIGH, THIGH.replace("-0.2", "-200"), "mass centre outside", 9, "0 0 -200 → 0 0 -0.2"),
    "far": ('<body name="shank" pos="0 0 -0.4">', '<body name="shank" pos="0 0 -400">', "millimetres", 14, "→ 0 0 -0."),
    "axis": ('name="roll" axis="1 0 0"', 'name="roll" axis="0 0 0"', "refused", 10, "axis too small"),
    "armature": ('name="knee"', 'name="knee" armature="-0.5"', "refused", 14, "rotor inertia is -0.5"),
    "heavy geoms": ('<geom type="sphere" size="0.04"/>', '<geom type="sphere" size="0.04" density="8e5"/>',
        "absurd density", 17, "214.5 → 0.2145"),
}  # fmt: skip


def doubts(report: dyn.RobotReport) -> list[tuple[str, int]]:
    return [(each.kind, each.line) for each in report.findings if each.weight != "note"]


def planted(name: str) -> str:
    right, wrong, *_ = FAULTS[name]
    assert LEG.count(right) == 1
    return LEG.replace(right, wrong)


def test_planted_faults_are_found_in_their_lines_with_the_numbers_that_were_meant() -> None:
    report = dyn.robot_report(LEG.encode(), "leg.xml")
    assert (report.refusal, doubts(report)) == ("", [])
    for name, (*_, kind, line, words) in FAULTS.items():
        report = dyn.robot_report(planted(name).encode(), "leg.xml")
        assert doubts(report) == [(kind, line)], name
        (found,) = (each for each in report.findings if each.weight != "note")
        assert words in f"{found.text} {found.changes}", name
        assert report.repaired_text(range(len(report.findings))) == planted(name), name  # a model's author changes it
    repeated = LEG.replace('name="roll"', 'name="knee"')
    (found,) = dyn.robot_report(repeated.encode(), "leg.xml").findings
    assert (found.kind, found.line) == ("refused", 14)
    assert "repeated name" in found.words
    included = b'<mujoco model="a">\n <worldbody/>\n <include file="arm.xml"/>\n</mujoco>'
    (found,) = dyn.robot_report(included, name="scene.xml").findings
    assert (found.kind, found.line) == ("refused", 3)
    assert found.words.startswith("<include> takes text from another file")
    assert found.words.endswith("Give all files of its folder together, or its path there")


CUBE = """<mujoco>
<asset><mesh name="m" file="{file}"/></asset>
<worldbody><body name="a"><joint axis="0 1 0"/>
<inertial pos="0.1 0.1 0.1" mass="{mass}" diaginertia="{i} {i} {i}"/><geom type="mesh" mesh="m"/></body>
</worldbody></mujoco>"""


def test_a_mass_is_compared_with_the_volume_of_its_mesh(tmp_path: Path) -> None:
    """In a file beside the model, which is read anew each time, and in its text."""
    beside = tmp_path / "a.xml"
    beside.write_text(CUBE.format(file="cube.stl", mass=8000, i=0.05))
    inside = f"data:model/stl;base64,{base64.b64encode(cube(0.2, 'stl')).decode()}"
    (tmp_path / "cube.stl").write_bytes(cube(0.2, "stl"))
    for report in (dyn.robot_report(beside), dyn.robot_report(CUBE.format(file=inside, mass=8000, i=0.05).encode())):
        assert doubts(report) == [("absurd density", 3)]
        assert "1e+06 kg/m³" in report.findings[0].words
        assert "mass value 8000 → 8" in report.findings[0].changes
    (tmp_path / "cube.stl").write_bytes(cube(200.0, "stl"))
    beside.write_text(CUBE.format(file="cube.stl", mass=8, i=0.05))
    report = dyn.robot_report(beside)
    assert [each.kind for each in report.findings] == ["mesh in millimetres"]
    assert report.findings[0].changes == ("mesh scale 1 1 1 → 0.001 0.001 0.001",)


TURNS = """<mujoco>{}
<worldbody><body name="a"><joint name="hip" range="{}"/><geom size="0.1"/>
<body name="b" pos="0 0 1"><joint name="knee" range="{}"/><geom size="0.1"/></body></body></worldbody></mujoco>"""
DEGREES, RADIANS = '<compiler angle="degree"/>', '<compiler angle="radian"/>'
LIMITS = [
    (RADIANS, "-180 180", "-3 3", [("limits in degrees", 2, "joint 'hip'")]),
    (RADIANS, "-180 180", "-1 1", []), (RADIANS, "-2 2", "0 150", [("limits in degrees", 3, "joint 'knee'")]),
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


def test_sound_models_have_no_fault_and_limits_are_in_degrees_where_others_show_it() -> None:
    for name, (head, body) in SOUND.items():
        report = dyn.robot_report(f"<mujoco>{head}<worldbody>{body}</worldbody></mujoco>".encode(), "a.xml")
        assert (report.refusal, doubts(report)) == ("", []), name
    mark = '<body name="mark" pos="0 0 0.1"><inertial pos="0 0 0" mass="1e-8" diaginertia="1e-8 1e-8 1e-8"/></body>'
    text = LEG.replace('<body name="spring"', f'{mark}<body name="spring"').replace(
        SHANK, SHANK + '<geom type="sphere" size="0.001" pos="0 0 5"/><geom size="9" mass="0"/>'
    )
    assert doubts(dyn.robot_report(text.encode(), "leg.xml")) == []
    for compiler, hip, knee, expected in LIMITS:
        report = dyn.robot_report(TURNS.format(compiler, hip, knee).encode(), "m.xml")
        assert report.refusal == ""
        found = [each for each in report.findings if each.kind != "inferred inertia"]
        assert [(each.kind, each.line, each.where) for each in found] == expected, (compiler, hip, knee)
        assert all(each.remedy for each in found)
