"""MuJoCo's models: what is read from them, what is refused, and which files they may include."""

import re
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path

import mujoco
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import dynamics as dyn
from dynamics.errors import ModelError
from dynamics.robot_files import mjcf
from tests.dynamics.mujoco_world import GRAVITY, NO_CONTACT, MujocoTwin, draw_model, numbers
from tests.dynamics.refusals import refused
from tests.dynamics.robot_files.here import compile_here
from tests.dynamics.systems import draw_pose

pytestmark = pytest.mark.compiled_only  # no kernel reads a file
HINGE = '<joint name="j" axis="0 0 1"/>'
BALL = '<geom size="0.1"/>'


def model(body: str = HINGE + BALL, around: str = "", compiler: str = "") -> str:
    return (
        f'<mujoco model="m">{compiler}\n{around}\n<worldbody>\n<body name="a" pos="0 0 1">{body}</body>'
        "</worldbody></mujoco>"
    )


REFUSED = {
    "urdf": ('<robot name="r"/>', "expected <mujoco>"),
    "document type": ('<!DOCTYPE m [<!ENTITY a "b">]><mujoco/>', "DOCTYPE"),
    "nothing moves": (model(BALL), "no moving joint"),
    "a body without mass": (model(HINGE), "mass and inertia of moving bodies .* line 4"),
    "an impossible inertia": (model(HINGE + '<inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/>'),
        "inertia must satisfy A .* line 4"),
    "no number": (model(HINGE + '<geom size="nan"/>'), "line 4"),
    "an unknown element": (model(HINGE + BALL + "<gem/>"), "line 4: <gem> in <body> is unknown"),
    "an unknown attribute": (model('<joint axes="1 0 0"/>' + BALL), "unrecognized attribute: 'axes' .* line 4"),
    "the only joint held": (model(around='<equality><joint joint1="j"/></equality>'), "nothing moves"),
    "an include": (model(around='<include file="/etc/passwd"/>'), "line 2: <include> takes text from another file"),
    "a mesh that weighs": (model(HINGE + '<geom type="mesh" mesh="x"/>',
        '<asset><mesh name="x" file="/etc/passwd"/></asset>'),
        "line 4: the inertia of body 'a' comes from mesh 'x', .* no folder to look in. Give"),
    "a size without bounds": (model(HINGE + '<geom type="mesh" mesh="x"/>',
        '<asset><mesh name="x" builtin="supersphere" params="30000 1 1"/></asset>'), "parser stopped|refuses"),
    "elements without end": (model("<geom/>" * 60_000), "more than 50000 elements"),
    "depth without end": (model("<body>" * 300 + "</body>" * 300), "are nested"),
}  # fmt: skip


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    compile_here(monkeypatch)


def test_models_that_cannot_be_simulated_are_refused_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, (text, words) in REFUSED.items():
        began = time.perf_counter()
        with monkeypatch.context() as patch:
            if name not in ("a size without bounds", "no number"):  # these take a process of their own
                compile_here(patch)
            said = refused(lambda text=text: dyn.load_mjcf_text(text, "m.xml"))
        assert re.search(words, said or "\0"), (name, said)
        assert len(said) < 600, name
        assert time.perf_counter() - began < 20.0, name
    assert "load_mjcf_text" in refused(lambda: dyn.load_urdf_text(model()))
    for tag, most in (("geom", 5000), ("body", 1000)):
        many = f"<mujoco><worldbody><body><joint/>{f'<{tag}/>' * (most + 1)}</body></worldbody></mujoco>"
        assert f"at most {most}" in refused(lambda many=many: dyn.load_mjcf_text(many)), tag
        findings = dyn.robot_report(many.encode()).findings
        assert [(each.kind, each.weight) for each in findings] == [("refused", "wrong")]


def test_a_model_that_mujoco_cannot_read_in_time_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(mjcf, "SECONDS", 0)
        assert "MuJoCo has not read it" in refused(lambda: dyn.load_mjcf_text(model()))
    monkeypatch.setitem(sys.modules, "mujoco", None)
    monkeypatch.setattr(mjcf, "find_spec", lambda _: None)
    words = r"'m\.xml': MuJoCo, .*pip install armsweep\[mjcf\]"
    assert re.search(words, refused(lambda: dyn.load_mjcf_text(model(), "m.xml")))


@pytest.mark.usefixtures("in_this_process")
def test_joints_sites_shapes_and_what_is_left_out() -> None:
    inner = '<body name="hand" pos="0 0 0.5"><geom size="0.1"/><site name="tool" pos="0.1 0 0"/></body>'
    robot = dyn.load_mjcf_text(model(HINGE + BALL + inner), tip="tool")
    (tip,) = robot.tips
    assert (tip.name, tip.pose[:3, 3].tolist()) == ("tool", [0.1, 0.0, 0.5])
    assert (robot.links[0].center_of_mass[2], robot.frames["hand"].link) == (pytest.approx(0.25), 0)
    assert dyn.load_mjcf_text(model(HINGE + BALL + inner)).tips[0].name == "hand"
    with pytest.raises(ModelError, match="no link 'no_such_link'"):
        dyn.load_mjcf_text(model(), tip="no_such_link")
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
    inner = """<geom type="capsule" size="0.1 0.2" rgba="1 0 0 1"/><geom type="box" size="0.1 0.2 0.3" material="red"/>
      <geom type="cylinder" size="0.1 0.2" group="3"/><geom type="sphere" size="0.1" pos="0.5 0 0"/>"""
    asset = '<asset><texture name="t" file="/etc/passwd"/><material name="red" texture="t" rgba="0 1 0 0.5"/></asset>'
    first, second, third = dyn.load_mjcf_text(model(HINGE + inner, asset)).links[0].geometry
    assert (first.kind, first.size, first.color) == ("capsule", (0.1, 0.4), (1.0, 0.0, 0.0, 1.0))
    assert (second.kind, second.size) == ("box", (0.2, 0.4, 0.6))
    assert second.color == (0.0, 1.0, 0.0, 0.5)
    assert (third.kind, third.pose[:3, 3].tolist()) == ("sphere", [0.5, 0.0, 0.0])
    around = """<option density="1.2"/><actuator><motor joint="j"/></actuator><tendon><fixed name="t"><joint joint="j"
      coef="1"/></fixed></tendon><keyframe><key qpos="1"/></keyframe><sensor/><contact/>"""
    text = model('<joint name="j" stiffness="3"/>' + BALL, around).replace('name="a"', 'name="a" gravcomp="1"')
    with pytest.warns(UserWarning, match="robot 'm': line 2: density"):
        robot = dyn.load_mjcf_text(text)
    remarks = "; ".join(robot.remarks)
    for words in ("line 2: density", "<actuator>", "<tendon>", "<keyframe>", "joint 'j': its spring", "gravity comp"):
        assert words in remarks, (words, remarks)


SWING = '<joint name="k" axis="0 1 0"/>'
TWO = f'<body name="a" pos="0 0 1">{HINGE}{BALL}<body name="b" pos="0.2 0 0">{SWING}{BALL}</body></body>'
LOOSE = (
    f'<body name="c" pos="1 0 0"><freejoint/>{BALL}<body name="d" pos="0 0 0.3"><joint name="i"/>{BALL}</body></body>'
)
LIMITED = TWO.replace(HINGE, '<joint name="j" axis="0 0 1" range="-1 1"/>')
LOSING = TWO.replace(HINGE, '<joint name="j" axis="0 0 1" damping="1" frictionloss="2" stiffness="3"/>')
TIE = '<equality><joint {} joint1="k" joint2="j"/><connect {} body1="b" anchor="0 0 0"/></equality>'
UNTIED = '<default>{}<default class="c">{}<default class="d"/></default></default>'
LOST = """<default><geom group="2"/><default class="c"><geom mass="0"/></default></default>
  <asset><mesh name="w" file="w.stl"/></asset>"""
OPENED = {
    "no damping and no spring": (LOSING, '<option><flag damper="disable" spring="disable"/></option>',
        "line 1: damping of joints is left out: damper is disabled", ("k", "j")),
    "no constraints": (TWO, '<option><flag constraint="disable"/></option>' + TIE.replace("{}", ""), "", ("k", "j")),
    "no equalities": (TWO, '<option><flag equality="disable"/></option>' + TIE.replace("{}", ""), "", ("k", "j")),
    "no limits": (LIMITED, '<option><flag limit="disable"/></option>',
        "line 1: limits of joints are left out: limit is disabled", ("k", "j")),
    "equalities that are off": (TWO, UNTIED.format('<equality active="false"/>', "") + TIE.replace("{}", 'class="d"'),
        "", ("k", "j")),
    "a class of equalities that is off": (TWO, UNTIED.format("", '<equality active="false"/>')
        + TIE.replace("{}", 'class="d"'), "", ("k", "j")),
    "a lost mesh of a class without mass": (TWO.replace(BALL, BALL + '<geom class="c" type="mesh" mesh="w"/>', 1), LOST,
        "mesh 'w' is left out", ("k", "j")),
    "a follower": (TWO, '<equality><joint joint1="k" joint2="j" polycoef="0.2 -2 0 0 0"/></equality>', "", ("k", "j")),
    "a follower along a curve": (TWO, '<equality><joint joint1="k" joint2="j" polycoef="0.2 -2 1 0 0"/></equality>',
        "line 1: joint 'k' follows 'j' along a curve, and only linear relations are supported: locked at 0.2", ("j",)),
    "a robot that floats": (TWO.replace(HINGE, "<freejoint/>") + f'<body name="e"><freejoint/>{BALL}</body>', "",
        "body 'e' moves by itself and is left out", ("k",)),
    "a free joint that is damped": (TWO.replace(HINGE, '<joint type="free" damping="1"/>'), "",
        "joint 'a_joint': damping, armature and friction of a free joint are left out", ("k",)),
    "a ball joint that is damped": (TWO.replace(HINGE, '<joint name="j" type="ball" damping="2"/>'), "",
        "joint 'j': damping, armature and friction of a ball joint are its hinges', each", ("k", "j_z", "j_y", "j_x")),
    "another gravity": (TWO, '<option gravity="0 0 -1.62"/>', "gravity is 0 0 -1.62 m/s²", ("k", "j")),
    "a program": (TWO.replace(BALL, BALL + '<plugin plugin="x"/>', 1), "", "a separate program", ("k", "j")),
    "a repeated body": (TWO.replace('<body name="b"', '<replicate count="2" euler="0 0 1"><body name="b"').replace(
        "</body></body>", "</body></replicate></body>"), "", "", ("k1", "k0", "j")),
}  # fmt: skip


@pytest.mark.usefixtures("in_this_process")
def test_a_model_opens_with_a_remark_and_moves_as_in_mujoco() -> None:
    for name, (bodies, around, words, joints) in OPENED.items():
        text = f'<mujoco model="m">{around}<worldbody>{bodies}</worldbody></mujoco>'
        robot = dyn.load_mjcf_text(text)
        assert (robot.joint_names, words in "; ".join(robot.remarks)) == (joints, True), (name, robot.remarks)
        assert bool(robot.remarks) == bool(words), name
        losses = [(joint.damping, joint.friction[0]) for joint in robot.joints if joint.name == "j"]
        expected = {LOSING: [(0.0, 2.0) if "damping" in words else (1.0, 0.0)]}.get(bodies, losses)
        assert losses == expected, name
        assert all(np.isinf([joint.lower, joint.upper]).all() for joint in robot.joints), name
        if name not in ("a program", "a ball joint that is damped") and "mesh" not in name:
            reference = mujoco.MjModel.from_xml_string(text)
            require_mass_matrix(robot, reference, {"k0" if name == "a repeated body" else "k": 0.2}, name)


def require_mass_matrix(robot: dyn.Robot, reference: mujoco.MjModel, q: Mapping[str, float], name: str = "") -> None:
    """It is MuJoCo's with these joints so placed and all others at zero."""
    data, inertia = mujoco.MjData(reference), np.zeros((reference.nv, reference.nv))
    for joint, value in q.items():
        data.joint(joint).qpos[:] = value
    mujoco.mj_forward(reference, data)
    mujoco.mj_fullM(reference, data, inertia)
    at, system = [reference.joint(joint).dofadr[0] for joint in robot.joint_names], dyn.single_arm(robot)
    found = dyn.mass_matrix(
        system, system.state(q=system.to_joint_vector({j: q.get(j, 0.0) for j in robot.joint_names}))
    )
    np.testing.assert_allclose(found, inertia[np.ix_(at, at)], rtol=1e-12, atol=1e-15, err_msg=name)


CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 0.7, 0], [0.1, 0.2, 1.0]])
WEDGE = "".join(f"v {x} {y} {z}\n" for x, y, z in CORNERS) + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
HAND = f"""<mujoco model="hand"><compiler angle="radian"/><option gravity="0 0 0"/>
<default><joint damping="2"/></default><asset><mesh name="w" file="wedge.obj"/></asset><worldbody>
<body name="palm" pos="0 0 0.2">{SWING.replace("/>", ' range="-0.5 0.5"/>')}<geom type="mesh" mesh="w"/>
<body name="finger" pos="0.1 0 0"><joint name="i" axis="1 0 0"/>{BALL}</body></body></worldbody>
<equality><joint joint1="i" joint2="k" polycoef="0.3 1 0 0 0"/></equality></mujoco>"""
ARM = f"""<mujoco model="arm"><compiler angle="degree"/><asset><model name="hand" file="hands/hand.xml"/></asset>
<worldbody><body name="a">{HINGE}{BALL}<frame pos="0.3 0 0" euler="0 90 0">
<attach model="hand" body="palm" prefix="left_"/></frame>
<attach model="hand" prefix="right_"/></body></worldbody></mujoco>"""


@pytest.mark.usefixtures("in_this_process")
def test_parts_of_other_models_are_attached_as_by_mujoco(tmp_path: Path) -> None:
    write_parts(tmp_path, {"arm.xml": ARM, "hands/hand.xml": HAND, "hands/wedge.obj": WEDGE})
    robot = dyn.load(tmp_path / "arm.xml", free=["left_i", "right_i"])
    following = dyn.load(tmp_path / "arm.xml")
    assert (following.joint_names, following.remarks) == (robot.joint_names, ())
    assert {one.name: one.mimic for one in following.joints if one.mimic} == {
        f"{side}_i": (f"{side}_k", 1.0, 0.3) for side in ("left", "right")
    }
    reference = mujoco.MjModel.from_xml_path(str(tmp_path / "arm.xml"))
    assert [joint.damping for joint in robot.joints] == [2.0, 2.0, 2.0, 2.0, 0.0]
    drawn = {shape.path for link in robot.links for shape in link.geometry}
    assert drawn == {None, str(tmp_path / "hands/wedge.obj")}
    require_mass_matrix(robot, reference, dict.fromkeys(robot.joint_names, 0.2))
    (tmp_path / "hands/hand.xml").write_text(HAND.replace(BALL, '<geom size="-1"/>'))
    assert "line 4 of 'hands/hand.xml'" in refused(lambda: dyn.load(tmp_path / "arm.xml"))
    assert "line 1: <model> takes parts from another file" in refused(lambda: dyn.load_mjcf_text(ARM))
    (tmp_path / "hands/hand.xml").write_text(ARM.replace("hands/", ""))
    assert "more than 50 models" in refused(lambda: dyn.load(tmp_path / "arm.xml"))
    own = ARM.replace("<worldbody>", f'<worldbody><body name="b">{SWING}{BALL}</body>').replace(' model="hand"', "")
    (tmp_path / "arm.xml").write_text(own.replace("palm", "b").replace('<attach prefix="right_"/>', ""))
    assert sorted(dyn.load(tmp_path / "arm.xml").joint_names) == ["j", "k", "left_k"]


@pytest.mark.usefixtures("in_this_process")
def test_a_long_chain_of_bodies_opens_with_its_report() -> None:
    links = "".join(f'<body pos="0 0 .1"><joint axis="{k % 2} 1 0"/>{BALL}' for k in range(200)) + "</body>" * 200
    report = dyn.robot_report(f"<mujoco><worldbody>{links}</worldbody></mujoco>".encode())
    assert report.robot is not None
    assert len(report.robot.joints) == 200


@pytest.mark.usefixtures("in_this_process")
def test_the_caller_says_which_body_is_the_robot_and_what_follows_is_set_free(tmp_path: Path) -> None:
    tie = '<equality><joint joint1="i"/></equality>'
    (tmp_path / "m.xml").write_text(f'<mujoco model="m">{tie}<worldbody>{TWO}{LOOSE}</worldbody></mujoco>')
    assert dyn.load(tmp_path / "m.xml").joint_names == ("k", "j")
    robot = dyn.load(tmp_path / "m.xml", body="d", free=["i"])
    assert (robot.joint_names, robot.root.name) == (("i",), "c")
    assert "no body 'x'" in refused(lambda: dyn.load(tmp_path / "m.xml", body="x"))


@pytest.mark.usefixtures("in_this_process")
def test_a_scene_offers_its_robots_and_its_loose_bodies() -> None:
    mug = '<body name="mug" pos="1 0 0.5" euler="0 90 30"><freejoint/><geom size="0.1"/>'
    ear = '<body pos="0.1 0 0"><geom type="box" size="0.01 0.02 0.03"/></body></body>'
    text = f'<mujoco model="m">%s<worldbody>{TWO}{LOOSE}{mug}{ear}</worldbody></mujoco>'
    robot = dyn.load_mjcf_text(text % "")
    assert (robot.joint_names, robot.trees, list(robot.loose)) == (("k", "j"), ("a", "c"), ["mug"])
    chosen = dyn.load_mjcf_text(text % '<custom><text name="armsweep:body" data="d"/></custom>')
    assert chosen.joint_names == ("i",)
    link, pose = robot.loose["mug"]
    model = mujoco.MjModel.from_xml_string(text % "")
    mujoco.mj_forward(model, data := mujoco.MjData(model))
    body = model.body("mug").id
    assert link.mass == pytest.approx(model.body_subtreemass[body])
    np.testing.assert_allclose(pose[:3, 3], data.subtree_com[body], atol=1e-12)
    xx, yy, zz, xy, xz, yz = data.crb[body, :6]
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    np.testing.assert_allclose(pose[:3, :3] @ link.inertia @ pose[:3, :3].T, inertia, rtol=1e-9, atol=1e-12)
    assert dyn.TaskObject(link.mass, link.inertia, link.geometry).geometry[1].kind == "box"


PLACES = {
    'scale="0.1 0.2 -0.3"': True,
    'scale="0.1 0.2 0.3" refpos="0.3 0.1 -0.2"': True,
    'scale="0.2 0.2 0.2" refpos="0.3 0.1 -0.2" refquat="2 0.3 -0.5 1"': True,
    'scale="0.1 0.2 0.3" refquat="2 0.3 -0.5 1"': False,  # a scaled mesh cannot be turned
}


@pytest.mark.usefixtures("in_this_process")
def test_a_mesh_is_where_mujoco_has_it(tmp_path: Path) -> None:
    (tmp_path / "wedge.obj").write_text(WEDGE)
    asset = '<compiler settotalmass="10" strippath="true"/><asset><mesh name="w" file="/home/me/wedge.obj"/></asset>'
    bolted = '<body name="s"><geom type="mesh" mesh="w"/></body>'  # weighs in the total, too
    (tmp_path / "robot.xml").write_text(f"<mujoco>{asset}<worldbody>{bolted}{TWO}</worldbody></mujoco>")
    masses = mujoco.MjModel.from_xml_path(str(tmp_path / "robot.xml")).body_mass
    assert [link.mass for link in dyn.load(tmp_path / "robot.xml").links] == pytest.approx(masses[:1:-1])
    for place, is_drawn in PLACES.items():
        geom = '<geom type="mesh" mesh="w" pos="1 0 0" euler="10 20 30"/>'
        text = model(HINGE + geom, f'<asset><mesh name="w" file="wedge.obj" {place}/></asset>')
        (tmp_path / "robot.xml").write_text(text)
        shapes = dyn.load(tmp_path / "robot.xml").links[0].geometry
        assert bool(shapes) is is_drawn, place
        reference = mujoco.MjModel.from_xml_path(str(tmp_path / "robot.xml"))
        turn = Rotation.from_quat(reference.geom_quat[0], scalar_first=True)
        expected = turn.apply(reference.mesh_vert) + reference.geom_pos[0]
        for shape in shapes:
            ours = (CORNERS * shape.size) @ shape.pose[:3, :3].T + shape.pose[:3, 3]
            np.testing.assert_allclose(np.sort(ours, axis=0), np.sort(expected, axis=0), atol=1e-6, err_msg=place)


PARTS = {
    "scene.xml": '<mujoco model="s">\n\n<include file="arm.xml"/>\n<include file="hands/hand.xml"/></mujoco>',
    "arm.xml": f'<mujocoinclude>\n<worldbody>\n\n<body name="arm">{HINGE}\n{BALL}</body></worldbody></mujocoinclude>',
    "hands/hand.xml": f'<mujoco>\n<worldbody><body\nname="hand">{SWING}{BALL}</body></worldbody></mujoco>',
}
BROKEN: Mapping[str, tuple[str, str, str, tuple[str, int], str]] = {
    "what MuJoCo refuses": ("arm.xml", BALL, '<geom size="-1"/>', ("arm.xml", 5), "MuJoCo refuses it"),
    "what we refuse": ("arm.xml", BALL, '<geom file="x"/>', ("arm.xml", 5), "<geom> reads a file"),
    "an unknown element": ("hands/hand.xml", BALL, "\n<goem/>", ("hands/hand.xml", 4), "<goem> in <body> is unknown"),
    "no XML": ("hands/hand.xml", "</body>", "", ("hands/hand.xml", 3), "not well-formed XML: mismatched tag"),
    "a file that is not there": ("arm.xml", BALL, '<include file="x.xml"/>', ("arm.xml", 5),
        "<include> of 'x.xml' can"),
    "in the file itself": ("scene.xml", "\n\n", "\n\n<x/>", ("", 3), "<x> in <mujoco> is unknown"),
}  # fmt: skip


def write_parts(folder: Path, parts: Mapping[str, str]) -> None:
    for part, text in parts.items():
        (folder / part).parent.mkdir(exist_ok=True)
        (folder / part).write_text(text)


@pytest.mark.usefixtures("in_this_process")
def test_a_fault_in_an_included_file_names_that_file_and_its_line_there(tmp_path: Path) -> None:
    for name, (file, old, new, place, words) in BROKEN.items():
        write_parts(tmp_path, PARTS | {file: PARTS[file].replace(old, new)})
        (found,) = dyn.robot_report(tmp_path / "scene.xml").findings
        assert (found.file, found.line) == place, name
        assert words in found.words, name
        assert found.text.count("line ") == 1 or name == "no XML"
        where = rf"line {place[1]}" + (f" of '{place[0]}'" if place[0] else "")
        assert re.search(where, refused(lambda: dyn.load(tmp_path / "scene.xml"))), name
    write_parts(tmp_path, PARTS)
    found = dyn.robot_report(tmp_path / "scene.xml").findings
    inferred = [("arm.xml", 4, "body 'arm'"), ("hands/hand.xml", 2, "body 'hand'")]
    assert [(one.file, one.line, one.where) for one in found] == inferred


def test_a_file_includes_what_is_a_model_and_not_too_deep(tmp_path: Path) -> None:
    folder = tmp_path / "robot"
    folder.mkdir()
    (folder / "twice.xml").write_text("<mujoco/>")
    for named in ("/etc/hostname", "robot.xml", "none.xml", "twice.xml", "\0"):
        include = f'<include file="{named}"/>'
        (folder / "robot.xml").write_text(model(around=include * (1 + (named == "twice.xml"))))
        said = refused(lambda: dyn.load(folder / "robot.xml"))
        assert re.search(r"outside|cannot be read|twice|not well-formed", said), (named, said)
    for k in range(20):
        inner = f'<include file="part{k + 1}.xml"/>' if k < 19 else "<site/>"
        (folder / f"part{k}.xml").write_text("<mujoco>" + "<frame>" * 90 + inner + "</frame>" * 90 + "</mujoco>")
    (folder / "robot.xml").write_text(model(HINGE + BALL + '<include file="part0.xml"/>'))
    assert re.search(r"are nested|too many", refused(lambda: dyn.load(folder / "robot.xml")))


Change = Callable[[np.random.Generator, str], str]
ALL = ' constraint="disable"'
FALLS = '<body name="loose" pos="0 0 5"><freejoint/><geom size="0.1"/></body>'
DRAWN = '<body name="drawn" mocap="true" pos="1 0 0"/>'  # by a mouse
TIED = '<equality><connect body1="b0" body2="loose" anchor="0.1 0.2 0.3"/></equality>'


def beside(text: str) -> Change:
    """An element of the model more."""
    return lambda rng, model: model.replace("<worldbody>", f"{text}<worldbody>", 1)


def in_world(text: str) -> Change:
    return lambda rng, model: model.replace("</worldbody>", f"{text}</worldbody>", 1)


def tied(words: str) -> Change:
    """Two bodies are."""

    def change(rng: np.random.Generator, model: str) -> str:
        a, b = rng.choice(len(re.findall(r'body name="b\d', model)), 2, replace=False)
        tie = words.format(a=a, b=b, at=numbers(*0.3 * rng.normal(size=3)))
        return model.replace("</mujoco>", f"<equality>{tie}</equality></mujoco>")

    return change


def names_of_joints(model: str) -> list[str]:
    """Of hinges and slides."""
    return re.findall(r'<joint name="(\w+)" type="(?:hinge|slide)"', model)


def follower(rng: np.random.Generator, model: str) -> str:
    names = names_of_joints(model)
    if len(names) < 2:
        return model
    a, b = rng.choice(names, 2, replace=False)
    line = f'polycoef="{numbers(0.0, rng.normal(), 0.0, 0.0, 0.0)}"' if rng.random() < 0.5 else ""  # the same angle
    tie = f'<equality><joint joint1="{a}" joint2="{b}" {line}/></equality>'
    return model.replace("</mujoco>", f"{tie}</mujoco>")


def everywhere(old: str, new: str) -> Change:
    return lambda rng, model: model.replace(old, new)


# What each is, and a word of the remark on it.
KINDS: dict[str, tuple[Change, str]] = {
    "a loop": (tied('<connect body1="b{a}" body2="b{b}" anchor="{at}"/>'), "<connect> in <equality>"),
    "a weld": (tied('<weld body1="b{a}" body2="b{b}" anchor="{at}"/>'), "<weld> in <equality>"),
    "a weld of places": (tied('<weld body1="b{a}" body2="b{b}" torquescale="0"/>'), "<weld> in <equality>"),
    "a tie that is off": (tied('<weld body1="b{a}" body2="b{b}" active="false"/>'), ""),
    "a follower": (follower, ""),
    "a loose body": (in_world(FALLS), "'loose' moves by itself and is left out"),
    "a loose body that is tied": (lambda rng, model: beside(TIED)(rng, in_world(FALLS)(rng, model.replace(FALLS, ""))),
        "it holds something that is not part of the robot"),
    "a body that is drawn along": (lambda rng, model: beside(TIED.replace("loose", "drawn"))(rng, in_world(DRAWN)(
        rng, model)), "it holds something that is not part of the robot"),
    "a spring": (everywhere("armature=", 'stiffness="3" armature='), ""),
    "weight that is carried": (everywhere('<body name="b1"', '<body name="b1" gravcomp="1"'), ""),
    "a fluid": (beside('<option density="1.2" viscosity="0.1" wind="1 0 0"/>'), "nothing moves in a fluid here"),
    "a servo": (beside('<actuator><position joint="{joint}" kp="9"/></actuator>'), "what servos held moves freely"),
    "a tendon": (beside('<tendon><fixed name="t"><joint joint="{joint}" coef="1"/></fixed></tendon>'), "<tendon>"),
    "a terrain": (lambda rng, model: in_world('<geom type="hfield" hfield="h"/>')(rng, beside(
        '<asset><hfield name="h" ncol="8" nrow="8" size="3 3 1 1"/></asset>')(rng, model)), "a height field"),
    "a free joint that loses": (everywhere('<freejoint name="free"', '<joint name="free" type="free" damping="1"'), ""),
}  # fmt: skip


@given(st.integers(0, 2**32), st.booleans(), st.sets(st.sampled_from([*KINDS]), max_size=4))
def test_models_of_all_kinds_open_with_remarks_and_move_as_in_mujoco(
    seed: int, floating: bool, kinds: set[str]
) -> None:
    rng = np.random.default_rng(seed)
    text = draw_model(rng, int(rng.integers(3, 7)), floating).replace(NO_CONTACT, NO_CONTACT.replace(ALL, ""))
    joints = names_of_joints(text)
    assume(joints)
    for kind in sorted(kinds):
        text = KINDS[kind][0](rng, text).replace("{joint}", joints[0])
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compile_here(patch)
        robot = dyn.load_mjcf_text(text)
    for kind in kinds:
        assert KINDS[kind][1] in "; ".join(robot.remarks), (kind, robot.remarks)
    alone = text
    for other in (FALLS, TIED, DRAWN, TIED.replace("loose", "drawn")):
        alone = alone.replace(other, "")
    require_motion_of_mujoco(robot, text, alone, rng)


def require_motion_of_mujoco(robot: dyn.Robot, text: str, alone: str, rng: np.random.Generator) -> None:
    """In a random state; where joints are tied, in the posture of the file."""
    floats = robot.root.mass > 0.0
    assert floats == ("freejoint" in alone or 'type="free"' in alone)
    system = dyn.free_flyer(robot, GRAVITY) if floats else dyn.single_arm(robot, GRAVITY)
    at = mujoco.MjModel.from_xml_string(text)
    q = rng.uniform(-1.0, 1.0, system.n_joints)
    if "<equality>" in text:
        q = {at.jnt(j).name: at.qpos0[at.jnt_qposadr[j]] for j in range(at.njnt) if at.jnt_type[j] > 1}
    base = {"base_pose": draw_pose(rng), "base_velocity": rng.normal(size=6)} if floats else {}
    state = dyn.project(system, system.state(q, rng.normal(size=system.n_joints), **base))
    assert MujocoTwin(alone, system, state).tied_difference(dyn.forward_dynamics(system, state)) < 1e-9


WRITTEN = {
    "a floating walker with classes": """<default><joint armature="0.01" damping="0.2"/><default class="thin">
      <geom type="capsule" size="0.02" density="3000"/><joint axis="0 1 0"/></default></default><worldbody><light/>
      <geom type="plane" size="5 5 1"/><body name="trunk" pos="0 0 1" childclass="thin"><freejoint/>
      <geom class="main" type="box" size="0.2 0.1 0.05"/><body name="hip" pos="0.1 0 0"><joint name="hip"/>
      <geom fromto="0 0 0 0 0 -0.4"/><body name="knee" pos="0 0 -0.4"><joint name="knee" axis="1 0 1"/>
      <geom fromto="0 0 0 0 0 -0.4"/></body></body><frame pos="-0.1 0 0" euler="0 0.3 0"><body name="tail">
      <joint name="tail"/><geom fromto="0 0 0 -0.3 0 0"/></body></frame></body></worldbody>""",
    "full inertias, and a total mass": """<compiler settotalmass="7"/><worldbody><body name="a" quat="1 1 0 0">
      <joint name="one" axis="0 0 1"/><inertial pos="0.1 0 0" mass="2" fullinertia="0.2 0.3 0.4 0.01 -0.02 0.03"/>
      <body name="b" pos="0 0.5 0" xyaxes="0 1 0 0 0 1"><joint name="two" axis="1 1 1" pos="0 0 0.1"/>
      <inertial pos="0 0 0.2" quat="1 0 1 0" mass="1" diaginertia="0.1 0.2 0.25"/></body></body></worldbody>""",
}


@pytest.mark.usefixtures("in_this_process")
def test_written_models_move_as_in_mujoco() -> None:
    for name, written in WRITTEN.items():
        text = f"<mujoco>{written}{NO_CONTACT}</mujoco>"
        require_motion_of_mujoco(dyn.load_mjcf_text(text), text, text, np.random.default_rng(len(name)))
