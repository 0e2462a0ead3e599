"""What a report finds in a MuJoCo model, and what its remedies make of the file: MuJoCo itself is asked."""

from __future__ import annotations

import base64
import re
import struct
from pathlib import Path

import mujoco
import numpy as np
import pytest

import dynamics as dyn
from dynamics import ModelError

pytestmark = pytest.mark.compiled_only
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
    "triangle, whole": ("0.04 0.04 0.01 0.001", "0.04 0.04 0.11 0.001", "triangle inequality", 11),
    "below zero": ("0.04 0.04 0.01 0.001", "0.04 -0.04 0.01 0.001", "negative moment", 11),
    "negative mass": ('mass="1.2"', 'mass="-1.2"', "negative mass", 15),
    "no mass": (' mass="1.2"', "", "no mass", 15),
    "mass zero": ('mass="1.2"', 'mass="0"', "inertia without mass", 15),
    "no inertia": (' diaginertia="0.02 0.02 0.002"', "", "no inertia", 15),
    "zero inertia": ("0.02 0.02 0.002", "0 0 0", "zero inertia", 15),
    "grams": ('mass="1.2"', 'mass="1200"', "absurd density", 15),
    "kg mm2": ("0.02 0.02 0.002", "20000 20000 2000", "inertia too large", 15),
    "centre in millimetres": (f"{SHANK}", SHANK.replace("-0.2", "-200"), "mass centre outside", 15),
    "centre behind two joints": (THIGH, THIGH.replace("-0.2", "-200"), "mass centre outside", 11),
    "far": ('<body name="shank" pos="0 0 -0.4">', '<body name="shank" pos="0 0 -400">', "millimetres", 13),
    "slide in millimetres": ('range="0 0.05"', 'range="0 50"', "limits in millimetres", 17),
    "axis": ('name="roll" axis="1 0 0"', 'name="roll" axis="0 0 0"', "axis of no direction", 10),
    "damping": ('name="roll"', 'name="roll" damping="-0.5"', "negative damping", 10),
    "armature": ('name="knee"', 'name="knee" armature="-0.5"', "negative armature", 14),
    "limits exchanged": ('range="0 150"', 'range="150 0"', "limits the wrong way", 14),
    "shape of no size": ('<geom type="sphere" size="0.04"/>', '<geom type="sphere" size="-0.04"/>', "no size", 18),
    "heavy geoms": ('<geom type="sphere" size="0.04"/>', '<geom type="sphere" size="0.04" density="8e5"/>',
                    "absurd density", 17),
}  # fmt: skip


def doubts(report: dyn.RobotReport) -> list[tuple[str, int]]:
    return [(each.kind, each.line) for each in report.findings if each.weight != "note"]


def test_a_model_in_which_nothing_is_wrong_is_told_so() -> None:
    report = dyn.robot_report(LEG.encode(), "leg.xml")
    assert (report.refusal, doubts(report)) == ("", [])
    assert report.repaired_text() == LEG


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found_in_its_line_and_mended_as_mujoco_takes_it(name: str) -> None:
    right, wrong, kind, line = FAULTS[name]
    assert LEG.count(right) == 1
    report = dyn.robot_report(LEG.replace(right, wrong).encode(), "leg.xml")
    assert doubts(report) == [(kind, line)]
    mended = report.repaired_text()
    model = mujoco.MjModel.from_xml_string(mended)
    assert doubts(dyn.robot_report(mended.encode(), "leg.xml")) == []
    assert sum(link.mass for link in report.repaired().links) == pytest.approx(float(model.body_subtreemass[1]))
    changed = [k for k, (old, new) in enumerate(zip(LEG.split("\n"), mended.split("\n"), strict=True)) if old != new]
    assert {k + 1 for k in changed} <= {line, line + (name == "heavy geoms")}


@pytest.mark.parametrize(
    "name", ["grams", "centre in millimetres", "centre behind two joints", "far", "slide in millimetres", "kg mm2",
             "negative mass", "limits exchanged", "shape of no size"],
)  # fmt: skip
def test_what_was_written_in_another_unit_moves_again_as_it_did(name: str) -> None:
    """Accelerations by MuJoCo, with inertias turned into the body's axes by the remedy."""
    right, wrong, *_ = FAULTS[name]
    mended = dyn.robot_report(LEG.replace(right, wrong).encode(), "leg.xml").repaired_text()
    accelerations = []
    for text in (LEG, mended):
        model = mujoco.MjModel.from_xml_string(text)
        data = mujoco.MjData(model)
        data.qpos[:] = data.qvel[:] = np.linspace(0.01, 0.04, model.nq)
        mujoco.mj_forward(model, data)
        accelerations.append((data.qacc.copy(), model.jnt_range.copy()))
    assert accelerations[1][0] == pytest.approx(accelerations[0][0], rel=1e-9)
    assert accelerations[1][1] == pytest.approx(accelerations[0][1])


def scaled(text: str, by: float) -> str:
    """A model with every length another."""

    def times(found: re.Match[str]) -> str:
        return f'{found[1]}="{" ".join(repr(float(value) * by) for value in found[2].split())}"'

    return re.sub(r'((?<= )(?:pos|fromto|size)|(?<=slide" axis="0 0 1" )range)="([^"]*)"', times, text)


def test_a_model_in_millimetres_is_told_once_and_moves_again_as_it_did() -> None:
    report = dyn.robot_report(scaled(LEG, 1000.0).encode(), "leg.xml")
    assert [kind for kind, _ in doubts(report)] == ["millimetres"]
    one, other = (mujoco.MjModel.from_xml_string(text) for text in (LEG, report.repaired_text()))
    for name in ("body_pos", "body_ipos", "body_inertia", "geom_size", "geom_pos", "jnt_pos", "jnt_range"):
        np.testing.assert_allclose(getattr(other, name), getattr(one, name), rtol=1e-9, atol=1e-12, err_msg=name)


def test_names_that_begin_alike_are_told_apart() -> None:
    """However long: a remedy is that of its own body."""
    names = [f"{'a very long name of a body ' * 9}{k}" for k in range(3)]
    inner = "".join(
        f'<body name="{name}">\n<joint axis="0 1 0"/>'
        f'<inertial pos="0 0 0.1" mass="{mass}" diaginertia="1 1 1"/></body>\n'
        for name, mass in zip(names, (1, -2, 3), strict=True)
    )
    mended = dyn.robot_report(f"<mujoco>\n<worldbody>\n{inner}</worldbody></mujoco>".encode()).repaired_text()
    assert mujoco.MjModel.from_xml_string(mended).body_mass.tolist() == [0, 1, 2, 3]


def test_a_body_that_moves_and_weighs_nothing_is_told_and_given_something() -> None:
    text = LEG.replace(SHANK, "").replace('<geom type="cylinder" size="0.05 0.2" pos="0 0 -0.2"/>', "")
    report = dyn.robot_report(text.encode(), "leg.xml")
    assert doubts(report) == [("no inertia", 13)]
    assert mujoco.MjModel.from_xml_string(report.repaired_text()).nbody == 5


@pytest.mark.parametrize("seed", range(4))
def test_moments_that_are_raised_are_taken_to_the_last_digit(seed: int) -> None:
    """Many bodies, each with a moment that is more than the others together."""
    moments = np.random.default_rng(seed).uniform([1.0, 0.01, 0.01], [1.2, 0.2, 0.2], (60, 3))
    bodies = "".join(
        f'<body><joint axis="0 1 0"/><inertial pos="0 0 0.1" mass="1" diaginertia="{a} {b} {c}"/></body>\n'
        for a, b, c in moments.tolist()
    )
    report = dyn.robot_report(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>".encode(), "a.xml")
    assert {kind for kind, _ in doubts(report)} == {"triangle inequality"}
    taken = mujoco.MjModel.from_xml_string(report.repaired_text()).body_inertia[1:]
    assert np.sort(taken)[:, 2] == pytest.approx(moments[:, 0])


def test_all_that_is_wrong_is_told_where_mujoco_tells_the_first() -> None:
    wrong = [FAULTS[name] for name in ("triangle, diagonal", "negative mass", "axis", "armature")]
    text = LEG
    for right, instead, *_ in wrong:
        text = text.replace(right, instead)
    report = dyn.robot_report(text.encode(), "leg.xml")
    assert sorted(doubts(report)) == sorted((kind, line) for *_, kind, line in wrong)
    with pytest.raises(ModelError):
        report.repaired([0])  # the others are left
    assert report.repaired().joint_names == dyn.load_mjcf_text(LEG).joint_names


def test_a_remedy_is_refused_by_number_alone() -> None:
    right, wrong, *_ = FAULTS["grams"]
    report = dyn.robot_report(LEG.replace(right, wrong).encode(), "leg.xml")
    assert report.repaired_text([]) == LEG.replace(right, wrong)
    with pytest.raises(ModelError, match="is no finding"):
        report.repaired_text([99])


def test_what_mujoco_refuses_besides_is_told_too() -> None:
    text = LEG.replace('mass="1.2"', 'mass="-1.2"').replace('name="roll"', 'name="knee"')
    found = dyn.robot_report(text.encode(), "leg.xml").findings
    assert [(each.kind, each.line) for each in found] == [("negative mass", 15), ("refused", 14)]
    assert "repeated name" in found[-1].words


def test_settings_by_which_mujoco_mends_are_known() -> None:
    broken = LEG.replace(HIP, 'mass="3.5" diaginertia="0.03 0.2 0.025"')
    balanced = broken.replace("<default>", '<compiler balanceinertia="true"/><default>', 1)
    assert doubts(dyn.robot_report(balanced.encode(), "leg.xml")) == []
    both = balanced.replace('name="roll" axis="1 0 0"', 'name="roll" axis="0 0 0"')
    assert doubts(dyn.robot_report(both.encode(), "leg.xml")) == [("axis of no direction", 10)]
    inferred = LEG.replace("<default>", '<compiler inertiafromgeom="true"/><default>', 1)
    assert doubts(dyn.robot_report(inferred.replace('mass="1.2"', 'mass="-1"').encode(), "leg.xml")) == []


def test_an_included_body_is_told_with_its_file_and_left_as_it_is(tmp_path: Path) -> None:
    inner = LEG[LEG.index('  <body name="hip"') : LEG.index(" </worldbody>")]
    right, wrong, kind, line = FAULTS["grams"]
    (tmp_path / "leg.xml").write_text(f"<mujoco>\n{inner.replace(right, wrong)}</mujoco>")
    own = '<mujoco><default><default class="light"/></default><worldbody><include file="leg.xml"/></worldbody></mujoco>'
    (tmp_path / "scene.xml").write_text(own)
    report = dyn.robot_report(tmp_path / "scene.xml")
    (found,) = [each for each in report.findings if each.weight != "note"]
    assert (found.kind, found.line, found.file, found.edits) == (kind, line - 2, "leg.xml", ())
    assert report.repaired_text() == own


def cube(size: float) -> bytes:
    """Binary STL of a cube."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float) * size
    quads = (0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)
    faces = [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]
    rows = b"".join(struct.pack("<12fH", 0, 0, 0, *corners[list(face)].ravel(), 0) for face in faces)
    return bytes(80) + struct.pack("<I", len(faces)) + rows


@pytest.mark.parametrize("inside", [False, True])
def test_a_mass_is_held_against_the_volume_of_meshes_beside_a_model_and_in_its_text(
    tmp_path: Path, inside: bool
) -> None:
    (tmp_path / "cube.stl").write_bytes(cube(0.2))
    file = f"data:model/stl;base64,{base64.b64encode(cube(0.2)).decode()}" if inside else "cube.stl"
    text = (
        f'<mujoco>\n<asset><mesh name="m" file="{file}"/></asset>\n<worldbody><body name="a"><joint axis="0 1 0"/>\n'
        '<inertial pos="0.1 0.1 0.1" mass="8000" diaginertia="0.05 0.05 0.05"/><geom type="mesh" mesh="m"/></body>'
        "</worldbody></mujoco>"
    )
    (tmp_path / "a.xml").write_text(text)
    report = dyn.robot_report(text.encode() if inside else tmp_path / "a.xml")
    assert doubts(report) == [("absurd density", 4)]
    assert "1e+06 kg/m³" in report.findings[0].words
    assert 'mass="8.0"' in report.repaired_text()


def test_a_mesh_that_was_written_anew_is_read_anew(tmp_path: Path) -> None:
    text = (
        '<mujoco>\n<asset><mesh name="m" file="cube.stl"/></asset><worldbody><body name="a"><joint axis="0 1 0"/>\n'
        '<inertial pos="0.1 0.1 0.1" mass="8000" diaginertia="80 80 80"/><geom type="mesh" mesh="m"/></body>'
        "</worldbody></mujoco>"
    )
    (tmp_path / "a.xml").write_text(text)
    told = []
    for size in (0.2, 2.0, 0.2):
        (tmp_path / "cube.stl").write_bytes(cube(size))
        told.append([kind for kind, _ in doubts(dyn.robot_report(tmp_path / "a.xml"))][:1])
    assert told == [["absurd density"], [], ["absurd density"]]


def test_a_mesh_in_millimetres_is_scaled(tmp_path: Path) -> None:
    (tmp_path / "cube.stl").write_bytes(cube(200.0))
    text = (
        '<mujoco>\n<asset><mesh file="cube.stl"/></asset>\n<worldbody><body name="a"><joint axis="0 1 0"/>\n'
        '<inertial pos="0.1 0.1 0.1" mass="8" diaginertia="0.05 0.05 0.05"/><geom type="mesh" mesh="cube"/></body>'
        "</worldbody></mujoco>"
    )
    (tmp_path / "a.xml").write_text(text)
    report = dyn.robot_report(tmp_path / "a.xml")
    assert [each.kind for each in report.findings] == ["mesh in millimetres"]
    assert 'file="cube.stl" scale="0.001 0.001 0.001"' in report.repaired_text()
    assert report.repaired().links[0].geometry[0].size == (0.001, 0.001, 0.001)


JOINT = '<joint axis="0 1 0"/>'
BODY = '<inertial pos="0 0 0.1" mass="1" diaginertia="0.01 0.01 0.01"/>'
LIMITED = '<joint axis="0 1 0" range="-2 2"/>'
SOUND = {
    "what a mesh, which is not here, is beside a small shape": (
        '<asset><mesh name="m" file="m.stl"/></asset>',
        f'<body>{JOINT}<inertial pos="0 0 0.1" mass="1" diaginertia="0.004 0.004 0.001"/><geom type="mesh" mesh="m"/>'
        '<geom type="sphere" size="0.006" mass="0"/></body>',
    ),
    "an ellipsoid, which is not drawn, with eyes": (
        "", f'<body>{JOINT}<geom type="ellipsoid" size="0.1 0.2 0.3"/><geom size="0.006" mass="0"/></body>'
    ),
    "shapes of a group that is not shown": (
        "", f'<body>{JOINT}<frame pos="0 0 0.1"><geom size="0.2" group="3"/></frame><geom size="0.006"/></body>'
    ),
    "a wheel whose mass centre is next to its axis": (
        "", f'<body>{JOINT}{BODY}<body pos="0 0 0.1">{JOINT}'
        '<inertial pos="0 0.005 0" mass="3" diaginertia="0.06 0.06 0.12"/></body></body>',
    ),
    "a thing that slides over a table": (
        "", f'<body><joint type="slide" axis="1 0 0" range="-10.3 10.3"/>{BODY}</body>'
    ),
    "a wall far away, and a robot in the corner of a hall": (
        "", f'<body pos="40 0 0"><geom type="box" size="30 1 1"/></body><body pos="30 30 0">{JOINT}{BODY}</body>'
    ),
    "small limits beside an angle in degrees": ("", f'<body euler="0 90 0">{LIMITED}{BODY}</body>'),
    "small limits beside a displacement in degrees": (
        "", f'<body>{LIMITED}{BODY}<body><joint ref="45"/>{BODY}</body></body>'
    ),
    "an axis of no direction that no joint has": ("", f'<body><joint type="ball" axis="0 0 0"/>{BODY}</body>'),
}  # fmt: skip


@pytest.mark.parametrize("name", SOUND)
def test_what_only_looks_wrong_is_not_told(name: str) -> None:
    head, body = SOUND[name]
    report = dyn.robot_report(f"<mujoco>{head}<worldbody>{body}</worldbody></mujoco>".encode(), "a.xml")
    assert (report.refusal, doubts(report)) == ("", [])


UNREADABLE = BODY.replace('mass="1"', 'mass="1,5"')
NEGATIVE = BODY.replace('mass="1"', 'mass="-1"')
SLIDE = f'{JOINT}{BODY}<body pos="0 0 0.3" childclass="s">\n<joint name="j" axis="0 1 0"'
MENDED = {
    "a joint behind those of tendons, all on one line": (
        '<tendon><fixed><joint joint="a" coef="1"/><joint joint="j" coef="1"/></fixed></tendon>',
        f'<body><joint name="a"/>{BODY}<body><joint name="j" type="slide" range="0 50"/>{BODY}</body></body>',
        ["limits in millimetres"], 'range="0 50"', 'range="0 0.05"',
    ),
    "a slide by its class": (
        '<default><default class="s"><joint type="slide"/></default></default>',
        f'<body>{SLIDE} range="0 50"/>{BODY}</body></body>', ["limits in millimetres"], "0 50", "0 0.05",
    ),
    "limits of a class": (
        '<default><default class="s"><joint type="slide" range="0 50"/></default></default>',
        f"<body>{SLIDE}/>{BODY}</body></body>", ["limits in millimetres"], f"{SLIDE}", f'{SLIDE} range="0.0 0.05"',
    ),
    "a frame that is far": (
        "", f'<body>{JOINT}{BODY}<frame pos="0 0 400"><body pos="0 0 0.1">{JOINT}{BODY}</body></frame>'
        f'<body pos="0 0 0.1">{JOINT}{BODY}<body pos="0 0 0.2">{JOINT}{BODY}</body></body></body>',
        ["millimetres"], "400", "0.4",
    ),
    "an inertial in a frame": (
        "", f'<body>{JOINT}<frame euler="0 90 0">{NEGATIVE}</frame></body>', ["negative mass"], '"-1"', '"1.0"'
    ),
    "a size that is another thing by its class": (
        '<default><default class="f"><geom type="plane"/></default></default>',
        f'<geom class="f" size="0 0 1"/><body>{JOINT}{NEGATIVE}</body>', ["negative mass"], '"-1"', '"1.0"',
    ),
    "the mass of a shape": (
        "", f'<body>{JOINT}<geom size="0.1" mass="-1"/></body>', ["negative mass"], '"-1"', '"1.0"'
    ),
    "the density of a shape": (
        "", f'<body>{JOINT}<geom size="0.1" density="-700"/></body>', ["negative density"], "-700", "700.0"
    ),
    "a mass that is no number": (
        "", f'<body>{JOINT}{UNREADABLE}</body>', ["refused"], "", ""
    ),
    "limits that have to be some": (
        '<default><joint limited="true" range="90 -90"/></default>', f"<body>{JOINT}{BODY}</body>",
        ["limits the wrong way"], "90 -90", "-90.0 90.0",
    ),
    "a mass that MuJoCo raises": (
        '<compiler boundmass="500"/>', f'<body>{JOINT}{BODY}<geom size="0.1"/></body>', ["absurd density"], "", ""
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MENDED)
def test_a_remedy_is_where_the_fault_is_and_nothing_else_is_changed(name: str) -> None:
    head, body, kinds, wrong, right = MENDED[name]
    text = f"<mujoco>{head}<worldbody>{body}</worldbody></mujoco>"
    report = dyn.robot_report(text.encode(), "a.xml")
    assert [kind for kind, _ in doubts(report)] == kinds
    assert report.repaired_text() == (text.replace(wrong, right) if wrong else text)
    assert not wrong or doubts(dyn.robot_report(report.repaired_text().encode(), "a.xml")) == []


def test_a_model_in_millimetres_that_includes_others_is_not_shortened_in_part(tmp_path: Path) -> None:
    (tmp_path / "more.xml").write_text(f'<mujoco><body pos="0 0 300">{JOINT}{BODY}</body></mujoco>')
    text = f'<mujoco><worldbody><body pos="0 0 400">{JOINT}{BODY}<include file="more.xml"/></body></worldbody></mujoco>'
    (tmp_path / "own.xml").write_text(text)
    report = dyn.robot_report(tmp_path / "own.xml")
    assert [kind for kind, _ in doubts(report)][:1] == ["millimetres"]
    assert report.repaired_text([0]) == text


def test_marks_are_no_bodies_to_be_judged() -> None:
    mark = '<body name="mark" pos="0 0 0.1"><inertial pos="0 0 0" mass="1e-8" diaginertia="1e-8 1e-8 1e-8"/></body>'
    text = LEG.replace('<body name="spring"', f'{mark}<body name="spring"').replace(
        SHANK, SHANK + '<geom type="sphere" size="0.001" pos="0 0 5"/>'
    )
    assert doubts(dyn.robot_report(text.encode(), "leg.xml")) == []


def test_what_a_text_says_it_includes_is_told_with_its_file_and_mended_there() -> None:
    """As the page hands in several files as one."""
    body = f'<body name="a">\n<joint damping="-1"/>\n{NEGATIVE}\n<geom density="-3" size="0.1"/></body>'
    text = f"<mujoco>\n<worldbody><?included 7 more.xml?>{body}<?end-of-included?>\n</worldbody></mujoco>"
    report = dyn.robot_report(text.encode(), "own.xml")
    found = {(each.kind, each.file, each.line) for each in report.findings if each.weight == "wrong"}
    assert found == {
        (f"negative {what}", "more.xml", line) for what, line in (("damping", 8), ("mass", 9), ("density", 10))
    }
    mended = text.replace('"-1"', '"1.0"').replace('"-3"', '"3.0"')
    assert report.repaired_text() == mended
    assert doubts(dyn.robot_report(mended.encode(), "own.xml")) == []


def test_slides_by_their_class_are_shortened_with_all_else() -> None:
    text = (
        '<mujoco><default><default class="s"><joint type="slide"/></default></default><worldbody><body pos="0 0 400">'
        f'{JOINT}<inertial pos="0 0 100" mass="1" diaginertia="0.01 0.01 0.01"/><body pos="0 0 300" childclass="s">'
        '<joint axis="0 0 1" range="0 200"/><geom size="50"/></body></body></worldbody></mujoco>'
    )
    report = dyn.robot_report(text.encode(), "a.xml")
    assert [kind for kind, _ in doubts(report)] == ["millimetres"]
    assert mujoco.MjModel.from_xml_string(report.repaired_text()).jnt_range[1].tolist() == [0.0, 0.2]
