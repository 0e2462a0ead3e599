"""MuJoCo's models: what is read from them, what they may not say, and what they may not take."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path

import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import dynamics as dyn
from dynamics.errors import ModelError
from dynamics.mjcf import compiling

pytestmark = pytest.mark.compiled_only  # no kernel reads a file

HINGE = '<joint name="j" axis="0 0 1"/>'
BALL = '<geom size="0.1"/>'


def model(body: str = HINGE + BALL, around: str = "", compiler: str = "") -> str:
    return (
        f'<mujoco model="m">{compiler}\n{around}\n<worldbody>\n<body name="a" pos="0 0 1">{body}</body>'
        "</worldbody></mujoco>"
    )


REFUSED = {
    "no robot": ("<html/>", "<html>"),
    "urdf": ('<robot name="r"/>', "expected <mujoco>"),
    "not xml": ("<mujoco", "not well-formed XML"),
    "document type": ("<!DOCTYPE m><mujoco/>", "DOCTYPE"),
    "entities": ('<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><mujoco>&x;</mujoco>', "DOCTYPE"),
    "nothing moves": (model(BALL), "no moving joint"),
    "no world": ("<mujoco/>", "no moving joint"),
    "a body without mass": (model(HINGE), "mass and inertia of moving bodies .* line 4"),
    "an impossible inertia": (
        model(HINGE + '<inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/>'),
        "inertia must satisfy A .* line 4",
    ),
    "no number": (model(HINGE + '<geom size="nan"/>'), "line 4"),
    "too large": (model(HINGE + '<geom size="1e200"/>'), "line 4, body 'a': mass is inf"),
    "an unknown element": (model(HINGE + BALL + "<gem/>"), "line 4: <gem> in <body> is unknown"),
    "an unknown attribute": (model('<joint axes="1 0 0"/>' + BALL), "unrecognized attribute: 'axes' .* line 4"),
    "an attribute of another space": (model('<joint xmlns:x="http://x" x:axis="1 0 0"/>' + BALL), "another space"),
    "two of a name": (model(HINGE + BALL + f'<body><joint name="j"/>{BALL}</body>'), "repeated name 'j'"),
    "a loop": (model(around='<equality><connect body1="a" anchor="0 0 0"/></equality>'), "line 2: <connect> .* loop"),
    "a weld": (model(around='<equality><weld body1="a"/></equality>'), "closes a loop"),
    "a mimic": (model(around='<equality><joint joint1="j"/></equality>'), "joint 'j' follow None, .* Remove"),
    "many of a kind": (model(HINGE + BALL + '<replicate count="1000000000"><geom size="1"/></replicate>'), "replicate"),
    "a cloth": (model(HINGE + BALL + '<flexcomp name="f" type="grid" count="9 9 1"/>'), "<flexcomp> bends"),
    "a composite": (model(HINGE + BALL + '<composite type="cable"/>'), "composite"),
    "a plugin": (model(HINGE + BALL + '<plugin plugin="x"/>'), "a program of its own"),
    "another model": (model(HINGE + BALL + '<attach model="x" prefix="y"/>'), "another model"),
    "an include": (model(around='<include file="/etc/passwd"/>'), "line 2: <include> takes text from another file"),
    "a hidden include": (model(HINGE + BALL + '<include file="x.xml"/>'), "takes text from another file"),
    "a mesh that weighs": (
        model(HINGE + '<geom type="mesh" mesh="x"/>', '<asset><mesh name="x" file="/etc/passwd"/></asset>'),
        "line 4: the inertia of body 'a' comes from mesh 'x', .* no folder to look in. Give",
    ),
    "a mesh in place of what weighs": (
        model(
            HINGE + '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom type="mesh" mesh="x"/>',
            '<asset><mesh file="x.stl"/></asset>',
            '<compiler inertiafromgeom="true"/>',
        ),
        "the inertia of body 'a' comes from mesh 'x'",
    ),
    "a landscape": (model(HINGE + '<geom type="hfield" hfield="x"/>'), "line 4: <geom> reads a file"),
    "a ball joint that is damped": (
        model(f'<joint type="ball" damping="1"/>{BALL}'),
        "line 4, joint 'a_joint': .*damp",
    ),
    "a ball joint with a rotor": (model(f'<joint type="ball" armature="1"/>{BALL}'), "ball joint with armature"),
    "a free joint that is damped": (model(f'<joint type="free" damping="1"/>{BALL}'), "free joint has damping"),
    "two that fly": (
        model(f"<freejoint/>{BALL}", "", "").replace("</world", f'<body name="b"><freejoint/>{BALL}</body></world'),
        "line 4, body 'a': flies by itself, beside body 'b'",
    ),
    "a free joint within": (model(f"{HINGE}{BALL}<body><freejoint/>{BALL}</body>"), "free joint"),
    "limits the wrong way": (model('<joint limited="true" range="1 -1"/>' + BALL), "line 4"),
    "a size without bounds": (
        model(
            HINGE + '<geom type="mesh" mesh="x"/>',
            '<asset><mesh name="x" builtin="supersphere" params="30000 1 1"/></asset>',
        ),
        "broke off|refuses",
    ),
    "elements without end": (model("<geom/>" * 60_000), "more than 50000 elements"),
    "a mesh of a default": (model(HINGE + BALL, '<default><mesh file="a.stl"/></default>'), "reads a file"),
    "depth without end": (model("<body>" * 200 + "</body>" * 200), "stand in each other"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused_in_words(name: str) -> None:
    text, words = REFUSED[name]
    began = time.perf_counter()
    with pytest.raises(ModelError, match=words) as caught:
        dyn.load_mjcf_text(text, "m.xml")
    assert len(str(caught.value)) < 600
    assert time.perf_counter() - began < 20.0


def test_a_text_of_another_kind_says_where_to_go() -> None:
    with pytest.raises(ModelError, match="load_mjcf_text"):
        dyn.load_urdf_text(model())


def test_without_mujoco_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    monkeypatch.setattr(compiling, "find_spec", lambda _: None)
    with pytest.raises(ModelError, match=r"'m\.xml': MuJoCo, .*pip install armsweep\[mjcf\]"):
        dyn.load_mjcf_text(model(), "m.xml")


def test_a_model_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "PATIENCE", 0.001)
    with pytest.raises(ModelError, match="MuJoCo has not read it"):
        dyn.load_mjcf_text(model())


def test_properties_of_joints() -> None:
    joints = """<joint name="j" axis="0 0 2" limited="true" range="-30 40" damping="0.5" armature="0.25" ref="10"
      frictionloss="0.125" actuatorfrclimited="true" actuatorfrcrange="-3 4"/>
      <joint name="s" type="slide" axis="1 0 0"/>"""
    robot = dyn.load_mjcf_text(model(joints + BALL, compiler='<compiler angle="degree"/>'))
    slide, hinge = robot.joints
    assert (hinge.kind, hinge.axis.tolist(), hinge.damping) == ("revolute", [0, 0, 1], 0.5)
    assert (hinge.friction, hinge.rotor_inertia, hinge.effort) == ((0.125, 0.125), 0.25, 4.0)
    assert (hinge.lower, hinge.upper) == pytest.approx(np.deg2rad([-30, 40]))
    assert (slide.kind, slide.lower, slide.upper, slide.axis.tolist()) == ("prismatic", -np.inf, np.inf, [1, 0, 0])
    assert [link.mass for link in robot.links] == [pytest.approx(4 / 3 * np.pi * 1.0), 0.0]
    assert robot.links[1].name == "a_j"


def test_whoever_has_no_name_is_given_one_that_nobody_has() -> None:
    text = (
        f"<mujoco><worldbody><body><joint/>{BALL}<body><joint/></body><body name='body_3'/></body></worldbody></mujoco>"
    )
    robot = dyn.load_mjcf_text(text.replace("<joint/></body>", '<joint/><geom size="0.2"/></body>'), "arm.xml")
    assert robot.name == "arm"
    assert robot.joint_names == ("body_2_joint", "body_joint")
    assert set(robot.frames) == {"world", "body", "body_2", "body_3"}


@pytest.mark.slow
def test_sites_can_be_tips_and_welded_bodies_are_one() -> None:
    inner = '<body name="hand" pos="0 0 0.5"><geom size="0.1"/><site name="tool" pos="0.1 0 0"/></body>'
    robot = dyn.load_mjcf_text(model(HINGE + BALL + inner), tip="tool")
    (tip,) = robot.tips
    assert (tip.name, tip.pose[:3, 3].tolist()) == ("tool", [0.1, 0.0, 0.5])
    assert (robot.links[0].center_of_mass[2], robot.frames["hand"].link) == (pytest.approx(0.25), 0)
    assert dyn.load_mjcf_text(model(HINGE + BALL + inner)).tips[0].name == "hand"
    with pytest.raises(ModelError, match="no link 'nobody'"):
        dyn.load_mjcf_text(model(), tip="nobody")


def test_shapes_are_those_that_mujoco_shows() -> None:
    inner = """<geom type="capsule" size="0.1 0.2" rgba="1 0 0 1"/><geom type="box" size="0.1 0.2 0.3" material="red"/>
      <geom type="cylinder" size="0.1 0.2" group="3"/><geom type="sphere" size="0.1" pos="0.5 0 0"/>"""
    asset = '<asset><texture name="t" file="/etc/passwd"/><material name="red" texture="t" rgba="0 1 0 0.5"/></asset>'
    first, second, third = dyn.load_mjcf_text(model(HINGE + inner, asset)).links[0].geometry
    assert (first.kind, first.size, first.color) == ("capsule", (0.1, 0.4), (1.0, 0.0, 0.0, 1.0))
    assert (second.kind, second.size) == ("box", (0.2, 0.4, 0.6))
    assert second.color == (0.0, 1.0, 0.0, 0.5)
    assert (third.kind, third.pose[:3, 3].tolist()) == ("sphere", [0.5, 0.0, 0.0])


def test_what_moves_otherwise_here_is_told_with_its_line() -> None:
    around = """<option density="1.2"/><actuator><motor joint="j"/></actuator><tendon><fixed name="t"><joint joint="j"
      coef="1"/></fixed></tendon><keyframe><key qpos="1"/></keyframe><sensor/><contact/>"""
    body = '<joint name="j" stiffness="3"/>' + BALL
    text = model(body, around).replace('name="a"', 'name="a" gravcomp="1"')
    with pytest.warns(UserWarning, match="robot 'm': not understood"):
        robot = dyn.load_mjcf_text(text)
    told = "; ".join(robot.remarks)
    for words in (
        "line 2: density",
        "<actuator>",
        "<tendon>",
        "<keyframe>",
        "line 5: the spring of joint 'j'",
        "weight",
    ):
        assert words in told, (words, told)


def test_parts_and_meshes_in_the_folder_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    faces = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
    corners = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    (tmp_path / "assets" / "wedge.obj").write_text(
        "".join(f"v {x} {y} {z}\n" for x, y, z in corners)
        + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces)
    )
    (tmp_path / "part.xml").write_text(
        '<mujocoinclude><asset><mesh file="wedge.obj" scale="0.1 0.2 0.3"/></asset></mujocoinclude>'
    )
    path = tmp_path / "robot.xml"
    path.write_text(
        model(
            HINGE + '<geom type="mesh" mesh="wedge" pos="1 0 0"/>',
            '<include file="part.xml"/>',
            '<compiler meshdir="assets"/>',
        )
    )
    link = dyn.load(path).links[0]
    assert link.mass == pytest.approx(1000 * 0.1 * 0.2 * 0.3 / 6)
    assert link.center_of_mass == pytest.approx([1.025, 0.05, 0.075])
    (shape,) = link.geometry
    assert shape.path == str(tmp_path / "assets" / "wedge.obj")
    assert shape.pose == pytest.approx(np.array([[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]), abs=1e-9)
    assert shape.size == (0.1, 0.2, 0.3)


@pytest.mark.parametrize(
    ("place", "is_drawn"),
    [
        ('scale="0.1 0.2 -0.3"', True),
        ('scale="0.1 0.2 0.3" refpos="0.3 0.1 -0.2"', True),
        ('scale="0.2 0.2 0.2" refpos="0.3 0.1 -0.2" refquat="2 0.3 -0.5 1"', True),
        ('scale="0.1 0.2 0.3" refquat="2 0.3 -0.5 1"', False),  # no turn of a scaled mesh
    ],
)
def test_a_mesh_is_where_mujoco_has_it(tmp_path: Path, place: str, is_drawn: bool) -> None:
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 0.7, 0], [0.1, 0.2, 1.0]])
    faces = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    (tmp_path / "wedge.obj").write_text("".join("v " + " ".join(map(str, row)) + "\n" for row in corners) + faces)
    text = model(
        HINGE + '<geom type="mesh" mesh="w" pos="1 0 0" euler="10 20 30"/>',
        f'<asset><mesh name="w" file="wedge.obj" {place}/></asset>',
    )
    (tmp_path / "robot.xml").write_text(text)
    shapes = dyn.load(tmp_path / "robot.xml").links[0].geometry
    assert bool(shapes) is is_drawn
    theirs = mujoco.MjModel.from_xml_path(str(tmp_path / "robot.xml"))
    turn = Rotation.from_quat(theirs.geom_quat[0], scalar_first=True)
    expected = turn.apply(theirs.mesh_vert) + theirs.geom_pos[0]
    for shape in shapes:
        ours = (corners * shape.size) @ shape.pose[:3, :3].T + shape.pose[:3, 3]
        np.testing.assert_allclose(np.sort(ours, axis=0), np.sort(expected, axis=0), atol=1e-6)


def test_what_no_joint_moves_needs_no_inertia_and_no_mesh() -> None:
    asset = '<asset><mesh name="x" file="x.stl"/></asset>'
    moving = f'<body name="b">{HINGE}{BALL}</body>'
    robot = dyn.load_mjcf_text(model(f'<frame><geom type="mesh" mesh="x"/></frame>{moving}', asset))
    assert robot.joint_names == ("j",)
    assert "mesh 'x' is left out" in robot.remarks[0]


def test_included_files_stand_no_deeper_than_one(tmp_path: Path) -> None:
    for k in range(20):
        inner = f'<include file="part{k + 1}.xml"/>' if k < 19 else "<site/>"
        (tmp_path / f"part{k}.xml").write_text("<mujoco>" + "<frame>" * 90 + inner + "</frame>" * 90 + "</mujoco>")
    (tmp_path / "robot.xml").write_text(model(HINGE + BALL + '<include file="part0.xml"/>'))
    with pytest.raises(ModelError, match=r"stand in each other|too many"):
        dyn.load(tmp_path / "robot.xml")


SWING = '<joint name="k" axis="0 1 0"/>'
PARTS = {
    "scene.xml": '<mujoco model="s">\n\n<include file="arm.xml"/>\n<include file="hands/hand.xml"/></mujoco>',
    "arm.xml": f'<mujocoinclude>\n<worldbody>\n\n<body name="arm">{HINGE}\n{BALL}</body></worldbody></mujocoinclude>',
    "hands/hand.xml": f'<mujoco>\n<worldbody><body\nname="hand">{SWING}{BALL}</body></worldbody></mujoco>',
}
BROKEN: Mapping[str, tuple[str, str, str, tuple[str, int], str]] = {
    "what MuJoCo refuses": ("arm.xml", BALL, '<geom size="-1"/>', ("arm.xml", 5), "MuJoCo refuses it"),
    "what we refuse": ("arm.xml", BALL, "<composite/>", ("arm.xml", 5), "<composite> is made of many"),
    "an unknown element": ("hands/hand.xml", BALL, "\n<goem/>", ("hands/hand.xml", 4), "<goem> in <body> is unknown"),
    "no XML": ("hands/hand.xml", "</body>", "", ("hands/hand.xml", 3), "not well-formed XML: mismatched tag"),
    "a file that is not there": (
        "arm.xml",
        BALL,
        '<include file="x.xml"/>',
        ("arm.xml", 5),
        "<include> of 'x.xml' can",
    ),
    "a body that cannot be": (
        "hands/hand.xml",
        SWING,
        "<freejoint/>",
        ("hands/hand.xml", 2),
        "flies",
    ),
    "in the file itself": ("scene.xml", "\n\n", "\n\n<x/>", ("", 3), "<x> in <mujoco> is unknown"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_fault_is_told_by_the_file_that_has_it_and_its_line_there(tmp_path: Path, name: str) -> None:
    file, old, new, place, words = BROKEN[name]
    (tmp_path / "hands").mkdir()
    for part, text in PARTS.items():
        (tmp_path / part).write_text(text.replace(old, new) if part == file else text)
    report = dyn.robot_report(tmp_path / "scene.xml")
    (found,) = report.findings
    assert (found.file, found.line) == place
    assert words in found.words
    assert found.text.count("line ") == 1 or name == "no XML"
    with pytest.raises(ModelError, match=rf"line {place[1]}" + (f" of '{place[0]}'" if place[0] else "")):
        dyn.load(tmp_path / "scene.xml")


def test_what_is_inferred_in_included_files_is_told_with_their_lines(tmp_path: Path) -> None:
    (tmp_path / "hands").mkdir()
    for part, text in PARTS.items():
        (tmp_path / part).write_text(text)
    found = dyn.robot_report(tmp_path / "scene.xml").findings
    assert [(one.file, one.line, one.where) for one in found] == [
        ("arm.xml", 4, "body 'arm'"),
        ("hands/hand.xml", 2, "body 'hand'"),
    ]


@pytest.mark.parametrize("named", ["../outside.xml", "/etc/hostname", "robot.xml", "none.xml", "twice.xml", "\0"])
def test_what_a_file_may_not_include(tmp_path: Path, named: str) -> None:
    (tmp_path / "outside.xml").write_text("<mujoco/>")
    folder = tmp_path / "robot"
    folder.mkdir()
    (folder / "twice.xml").write_text("<mujoco/>")
    include = f'<include file="{named}"/>'
    (folder / "robot.xml").write_text(model(around=include * (1 + (named == "twice.xml"))))
    with pytest.raises(ModelError, match=r"outside|cannot be read|twice|not well-formed"):
        dyn.load(folder / "robot.xml")
