"""Robot files: what is read from them, how fixed joints merge, and a clear refusal of every broken one."""

import math
import os
import re
import warnings
from itertools import product
from pathlib import Path

import numpy as np
import pinocchio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from dynamics.robot.rigid_body import without_rounding
from dynamics.robot_files.library import load
from dynamics.robot_files.urdf import load_urdf_text
from dynamics.robot_files.urdf_elements import as_meant
from dynamics.solve.formulations import mass_matrix
from dynamics.solve.forward_dynamics import forward_dynamics
from dynamics.system.assembly import free_flyer, single_arm
from tests.dynamics import pinocchio_world
from tests.dynamics.every import every
from tests.dynamics.pinocchio_world import coordinates
from tests.dynamics.refusals import assert_all_refused, refused
from tests.fuzz.attack import limited

pytestmark = pytest.mark.compiled_only  # no kernel reads a file
INERTIA = '<inertia ixx="0.02" iyy="0.02" izz="0.01" ixy="0" ixz="0" iyz="0"/>'


def body(mass: str = "1", inertia: str = INERTIA, origin: str = "") -> str:
    return f'<inertial>{origin}<mass value="{mass}"/>{inertia}</inertial>'


def link(name: str, inside: str | None = None) -> str:
    return f'<link name="{name}">{body() if inside is None else inside}</link>'


def joint(name: str, parent: str, child: str, inside: str = '<axis xyz="0 0 1"/>', kind: str = "continuous") -> str:
    return f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def robot(*parts: str) -> str:
    return f'<robot name="r">{"".join(parts)}</robot>'


def one_link(moving: str | None = None, inside: str = '<axis xyz="0 0 1"/>', kind: str = "continuous") -> str:
    return robot(link("base", ""), link("a", moving), joint("j", "base", "a", inside, kind))


def inertia(**values: str) -> str:
    full = {"ixx": "0.02", "iyy": "0.02", "izz": "0.01", "ixy": "0", "ixz": "0", "iyz": "0"} | values
    return "<inertia " + " ".join(f'{key}="{value}"' for key, value in full.items()) + "/>"


BROKEN = {
    "not xml": ("<robot name='r'><link", "not well-formed XML"),
    "archive": ("PK\x03\x04 and so on", "is a zip archive"),
    "SDF": ('<sdf version="1.7"><model name="m"/></sdf>',
        "<sdf>; expected <robot>. SDF, Gazebo's format, is not read"),
    "document type": ('<!DOCTYPE r [<!ENTITY a "b">]><robot name="r"/>', "DOCTYPE"),
    "mujoco": ("<mujoco/>", "MJCF"),
    "xacro": ('<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="r"><xacro:arm/></robot>', "xacro"),
    "xacro that makes a joint": ('<robot xmlns:xacro="http://www.ros.org/wiki/xacro" name="r">\n' + link("base")
        + '<xacro:arm/></robot>', "holds xacro macros (line 2)"),
    "no link": (robot(), "no <link>"),
    "nothing moves": (robot(link("base"), link("a"), joint("j", "base", "a", kind="fixed")), "no moving joint"),
    "double joint": (robot(link("a"), link("b"), link("c"), joint("j", "a", "b"), joint("j", "b", "c")),
        "joint 'j' is defined more than once"),
    "cycle": (robot(link("a"), link("b"), link("c"), joint("j", "b", "c"), joint("k", "c", "b")), "cycle"),
    "nan inertia": (one_link(body(inertia=inertia(ixy="nan"))), "not finite"),
    "an inertia below zero": (one_link(body(inertia=inertia(izz="-0.01"))), "inertia that it moves is -0.01"),
    "joint without inertia": (one_link(body(inertia='<inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/>')),
        "none of its joints moves any inertia"),
    "overflow": (one_link(body("1e300", origin='<origin xyz="1e10 0 0"/>')), "overflows"),
}  # fmt: skip


def test_broken_and_too_large_files_are_refused_with_a_reason(tmp_path: Path) -> None:
    said = {name: refused(load_urdf_text, text) for name, (text, _) in BROKEN.items()}
    assert not {name: said[name] for name, (_, words) in BROKEN.items() if words not in said[name]}
    assert "expected at most" in refused(load_urdf_text, "<!--" + "x" * 20_000_001 + "-->")
    assert "cannot be read" in refused(load, tmp_path / "none.urdf")
    for name, (make, words) in LARGE.items():
        text = make()
        with limited():
            assert words in refused(load_urdf_text, text), name
    pattern = r"(is not a number|holds 0 numbers); expected one number\."
    wrong = ["1_0", "\u0661", "\uff11", "0x10", "1e", "1d3", "infinity", "+-1", "1\u00a01", " "]
    assert_all_refused({text: (lambda text=text: load_urdf_text(one_link(body(mass=text))), pattern) for text in wrong})
    right = {"1.": 1.0, ".5": 0.5, "+1e0": 1.0, " 2E-1 ": 0.2, "0010": 10.0}
    assert {text: load_urdf_text(one_link(body(mass=text))).links[0].mass for text in right} == right


ONE_MASS = '<mass value="1"/>'
LARGE = {
    "deep": (lambda: one_link().replace("</robot>", "<a>" * 50_000 + "</a>" * 50_000 + "</robot>"), "are nested"),
    "many unknown elements": (lambda: one_link().replace("</robot>", "<a/>" * 300_000 + "</robot>"), "elements"),
    "many masses": (lambda: one_link(f"<inertial>{ONE_MASS * 100_000}{INERTIA}</inertial>"), "elements"),
    "many links": (lambda: robot(*(f'<link name="{k}"/>' for k in range(50_000))), "elements"),
    "many visuals": (lambda: one_link(body() + "<visual><geometry/></visual>" * 60_000), "elements"),
    "many numbers": (lambda: one_link(body(origin=f'<origin xyz="{"1 " * 500_000}"/>')), "characters"),
    "many digits": (lambda: one_link(body(mass="1" * 1_000_000 + "x")), "characters"),
}
NOT_UNDERSTOOD = {
    "element": (one_link(body(origin="\n<oriin xyz='1 0 0'/>")), "line 2: <oriin> in <inertial> is unknown"),
    "attribute": (one_link(body(inertia=inertia().replace("iyz", "iz"))), "line 1: attribute iz of <inertia>"),
    "two masses": (one_link(body(origin='<mass value="1"/>\n', mass="2")), "line 2: a second <mass> in <inertial>"),
    "two origins": (one_link(body(origin='<origin xyz="0 0 0"/><origin xyz="9 9 9"/>')), "a second <origin>"),
    "numbers between the tags": (one_link(body(origin="\n<origin>1 0 0</origin>")), "line 2: text in <origin>"),
    "two colors of one name": (one_link().replace("</robot>",
        '<material name="red"/>\n<material name="blue"/><material name="red"/></robot>'),
        "line 2: a second <material 'red'> in <robot>"),
}  # fmt: skip


def test_an_unknown_element_is_reported_with_its_line_and_left_out() -> None:
    for name, (text, words) in NOT_UNDERSTOOD.items():
        with pytest.warns(UserWarning, match=re.escape(words)):
            found = load_urdf_text(text)
        assert words in " ".join(found.remarks), name
        (a,) = found.links
        assert (a.mass, a.center_of_mass.tolist()) == (1.0, [0.0, 0.0, 0.0]), name  # the first of two counts
    with pytest.warns(UserWarning, match=r"and 94 more"):
        load_urdf_text(one_link().replace("</robot>", "<a/>" * 100 + "</robot>"))
    with pytest.warns(UserWarning, match="left out"):
        r = load_urdf_text(one_link(body() + "<visual><geometry><capsule radius='1'/></geometry></visual>"))
    assert r.links[0].geometry == ()


FINGER = joint("k", "a", "b", '<axis xyz="1 0 0"/><limit lower="0.2" upper="0.5" effort="1" velocity="1"/>', "revolute")
LIMITS = '<axis xyz="0 0 1"/><limit lower="1" upper="-1" effort="1" velocity="1"/>'
HINGES = {"h": "1 0 0", "i": "0 1 0", "k": "0 0 1", "l": "1 0 0"}
AT_ONE_POINT = robot(
    *(link(name, "") for name in ("base", *"abc")), link("d", body(origin='<origin xyz="0.1 0.2 0.3"/>')),
    *(joint(name, parent, child, f'<origin rpy="0.3 0.2 0.1"/><axis xyz="{axis}"/>')
      for (name, axis), parent, child in zip(HINGES.items(), ["base", *"abc"], "abcd", strict=True)),
)  # fmt: skip
LED = robot(link("base", ""), link("a"), link("b"), joint("j", "base", "a", '<axis xyz="0 0 1"/><mimic joint="k"/>'),
    joint("k", "a", "b", '<axis xyz="0 1 0"/><mimic joint="{}" multiplier="2" offset="0.3"/>'))  # fmt: skip
FLOATING = robot(link("base"), link("a"), link("b"), joint("j", "base", "a"),
    joint("f", "base", "b", '<axis xyz="nan"/><mimic joint="f" offset="z"/>{}', "floating"))  # fmt: skip
HAND = robot(
    link("base", ""), *map(link, "abc"), joint("j", "base", "a"), FINGER,
    joint("i", "b", "c", '<origin xyz="0 0.1 0.2"/><axis xyz="0 1 0"/><mimic joint="k" multiplier="-2" offset="0.1"/>'),
)  # fmt: skip
OPENED = {
    "a tip without mass": (HAND.replace(link("c"), link("c", "")).replace("<mimic", "<x"), {"i": 0.0},
        "line 1, link 'c': moves no inertia: its joint 'i' is locked at 0"),
    "a follower": (HAND, {}, ""),
    "a follower of none": (HAND.replace('joint="k"', 'joint="x"'), {"i": 0.1}, "'x', which is not a moving joint"),
    "a leader without mass": (HAND.replace('joint="k"', 'joint="g"').replace("</robot>", link("d", "")
        + joint("g", "a", "d") + "</robot>"), {"g": 0.0}, "'i' follows a joint that is locked: it moves by itself"),
    "a triangle": (one_link(body(inertia=inertia(izz="0.05"))), {}, "violate the triangle inequality by 0.01 kg m^2"),
    "below zero by rounding": (one_link(body(inertia=inertia(ixx="-1e-9", izz="0.02"))), {}, "by rounding"),
    "no tensor": (HAND.replace(INERTIA, "", 1), {}, "its mass is a point"),
    "limits the wrong way": (one_link(inside=LIMITS, kind="revolute"), {}, "both are left out"),
    "negative damping": (one_link(inside='<axis xyz="0 0 1"/><dynamics damping="-1"/>'), {}, "damping -1 is below"),
    "a box without size": (one_link(body() + '<visual><geometry><box size="0 0 1"/></geometry></visual>'), {},
        "a <visual> is left out: <box"),
    "a macro left in a link": (one_link(body() + "<xacro:x/>"), {}, "xacro has not been run"),
    "right angles": (one_link(inside='<origin rpy="0 1.5707963 0"/><axis xyz="0 0 1"/>'), {},
        'line 1: rpy="0 1.5707963 0" is taken for exact right angles'),
    "no name": (one_link().replace(' name="r"', ""), {}, ""),
    "a fixed joint's axis": (HAND.replace("</robot>", '<link name="d"/>' + joint("weld", "c", "d", "<axis/>", "fixed")
        + "</robot>"), {}, ""),
    "dashes in comments": ("<!-- ---- <robot xmlns:sim='x'> ---- --><!----->" + one_link().replace("</robot>",
        "<sim:gazebo/></robot>"), {}, ""),
    "utf8": ('<?xml version="1.0" encoding="utf8"?><!-- é -->' + one_link(), {}, ""),
    "hinges at one point": (AT_ONE_POINT, {"h": 0.0}, "link 'a': moves no inertia: its joint 'h' is locked at 0"),
    "all that follow none": (LED.format("x"), {}, "joint 'k' follows 'x', and nothing else leads"),
    "an axis of a floating joint": (FLOATING.format(""), {}, ""),
    "a limit of a floating joint": (FLOATING.format('<limit lower="x"/>'), {}, "limits, damping and friction of 'f'"),
    "no number of a bolted link": (one_link().replace(link("base", ""), link("base", body("nan"))), {},
        '<mass value="nan"> is not finite'),
    "no mass of a bolted link": (one_link().replace(link("base", ""), link("base", body(""))), {}, "mass is nan"),
    "a marker of no body": (robot(link("base", body("1e-6", inertia(ixx="1e-6", iyy="1e-6", izz="1e-6", ixy="1e-6"))),
        link("t"), link("a"), joint("w", "base", "t", kind="fixed"), joint("j", "t", "a")), {}, ""),
}  # fmt: skip


@every(OPENED)
def test_a_file_opens_with_a_remark_and_moves_as_in_pinocchio(name: str) -> None:
    text, locked, words = OPENED[name]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        r = load_urdf_text(text, "file.urdf")
    assert words in "; ".join(r.remarks)
    assert bool(told) == bool(r.remarks) == bool(words)
    assert {"a", "base"} <= r.frames.keys()
    unread = "no tensor", "below zero by rounding", "no name"
    if name in unread or "floating" in name:
        return  # Pinocchio reads none of these, or with the number that is none
    model = pinocchio.buildModelFromXML(text)
    posture, _, _ = coordinates(model, locked, locked.values())
    model = pinocchio.buildReducedModel(model, [model.getJointId(each) for each in locked], posture)
    system = single_arm(r)
    state = system.state(q=np.random.default_rng(3).uniform(0.2, 0.5, len(r.joints)))
    posture, places, _ = coordinates(model, r.joint_names, state.q)
    expected = pinocchio_world.mass_matrix(model, posture)[np.ix_(places, places)]
    np.testing.assert_allclose(mass_matrix(system, state), expected, rtol=1e-12, atol=1e-15)


def test_joints_are_locked_and_set_free_by_name(tmp_path: Path) -> None:
    (tmp_path / "hand.urdf").write_text(HAND)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        both = load(tmp_path / "hand.urdf", fix={"k": 0.3}, tip="c")
        whole = load(tmp_path / "hand.urdf", free=["i"])
    assert (both.joint_names, both.tips[0].name, both.frames["b"].link) == (("j",), "c", 0)
    other = whole.locked({"k": 0.3, "i": 0.1 - 2.0 * 0.3})
    led = load(tmp_path / "hand.urdf")
    assert [each.mimic for each in led.joints] == [("k", -2.0, 0.1), None, None]
    np.testing.assert_allclose(led.locked({"k": 0.3}).links[0].inertia, both.links[0].inertia, rtol=1e-12)
    assert load(tmp_path / "hand.urdf", fix={"i": 0.2}).joint_names == ("k", "j")
    np.testing.assert_allclose(both.links[0].inertia, other.links[0].inertia, rtol=1e-12)
    np.testing.assert_allclose(both.frames["c"].pose, other.tips[0].pose, rtol=1e-12)
    assert whole.locked(["k"]).joint_names == ("i", "j")
    np.testing.assert_array_equal(whole.locked(["k"]).frames["b"].pose, whole.locked({"k": 0.2}).frames["b"].pose)
    assert_all_refused({
        "all": (lambda: whole.locked(whole.joint_names), "nothing moves"),
        "unknown": (lambda: whole.locked(["x"]), "no joint 'x'"),
        "no number": (lambda: whole.locked({"k": np.nan}), "'k' is nan"),
        "unknown free": (lambda: load(tmp_path / "hand.urdf", free=["x"]), "free names 'x'"),
    })  # fmt: skip


def test_a_file_of_another_encoding_than_it_says_is_read_as_latin(tmp_path: Path) -> None:
    (tmp_path / "r.urdf").write_bytes(one_link().replace('"a"', '"Gelenk für a"').encode("latin-1"))
    with pytest.warns(UserWarning, match="line 1: the file is not in UTF-8"):
        assert load(tmp_path / "r.urdf").links[0].name == "Gelenk für a"


def test_joint_data() -> None:
    inside = (
        '<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><axis xyz="0 3 4"/><dynamics damping="0.5" friction="0.25"/>'
        '<limit lower="-1" upper="2" velocity="3" effort="4"/>'
    )
    j = load_urdf_text(one_link(inside=inside, kind="prismatic")).joints[0]
    assert (j.name, j.kind) == ("j", "prismatic")
    np.testing.assert_allclose(j.axis, [0, 0.6, 0.8], rtol=1e-15)
    np.testing.assert_allclose(j.origin[:3, 3], [1, 2, 3])
    np.testing.assert_allclose(j.origin[:3, :3], Rotation.from_euler("xyz", [0.1, 0.2, 0.3]).as_matrix(), atol=1e-15)
    assert (j.lower, j.upper, j.velocity, j.effort) == (-1.0, 2.0, 3.0, 4.0)
    assert (j.damping, j.friction, j.rotor_inertia) == (0.5, (0.25, 0.25), 0.0)
    for limit, bounds in (('lower="-1"', (-1.0, 0.0)), ('upper="2"', (0.0, 2.0))):  # the other is zero
        one = load_urdf_text(one_link(inside=f'<limit {limit} effort="1" velocity="1"/>', kind="revolute")).joints[0]
        assert (one.lower, one.upper) == bounds
    j = load_urdf_text(one_link(inside='<limit lower="-1" upper="1" velocity="3" effort="inf"/>')).joints[0]
    assert (j.kind, j.lower, j.upper, j.velocity, j.effort) == ("revolute", -np.inf, np.inf, 3.0, np.inf)
    np.testing.assert_array_equal(j.axis, [1, 0, 0])  # URDF's default


def test_inertias_are_turned_and_colors_are_those_of_names_and_values() -> None:
    text = one_link(body(origin='<origin xyz="1 0 0" rpy="0.3 -0.4 0.5"/>'))
    a = load_urdf_text(text).links[0]
    turn = Rotation.from_euler("xyz", [0.3, -0.4, 0.5]).as_matrix()
    np.testing.assert_allclose(a.inertia, turn @ np.diag([0.02, 0.02, 0.01]) @ turn.T, atol=1e-17)
    np.testing.assert_array_equal(a.center_of_mass, [1, 0, 0])
    geometry = '<geometry><box size="1 2 3"/></geometry>'
    visuals = "".join(
        f"<visual>{geometry}{material}</visual>"
        for material in ('<material name="red"/>', '<material name="x"><color rgba="0 1 0 0.5"/></material>', "")
    )
    red = '<material name="red"><color rgba="1 0 0 1"/></material></robot>'
    text = one_link(body() + visuals).replace("</robot>", red)
    shapes = load_urdf_text(text).links[0].geometry
    assert [s.color for s in shapes] == [(1, 0, 0, 1), (0, 1, 0, 0.5), None]
    assert shapes[0].size == (1.0, 2.0, 3.0)


def test_fixed_joints_merge_as_by_hand() -> None:
    """Two equal bodies 2 m apart along x, the outer turned by 90 degrees about x: each adds m d^2 about y and z."""
    mount = '<origin xyz="2 0 0" rpy="1.5707963267948966 0 0"/>'
    tool = '<origin xyz="0 0 0.5"/>'
    shape = '<visual><origin xyz="0 1 0"/><geometry><sphere radius="0.1"/></geometry></visual>'
    text = robot(
        link("base", ""), link("a"), link("b", body() + shape), link("tool", ""), link("c"), joint("j", "base", "a"),
        joint("weld", "a", "b", mount, "fixed"), joint("tool_mount", "b", "tool", tool, "fixed"),
        joint("k", "b", "c", '<origin xyz="0 0 3"/><axis xyz="0 1 0"/>'),
    )  # fmt: skip
    r = load_urdf_text(text, tip=["c", "tool"])
    assert [x.name for x in r.links] == ["c", "a"]
    assert r.inboard == (1, 2)
    a = r.links[1]
    assert a.mass == 2.0
    np.testing.assert_allclose(a.center_of_mass, [1, 0, 0], atol=1e-15)
    # about x: 0.02 + 0.02; about y: 0.02 + 0.01 + 2*1*1^2; about z: 0.01 + 0.02 + 2
    np.testing.assert_allclose(a.inertia, np.diag([0.04, 2.03, 2.03]), atol=1e-15)
    np.testing.assert_allclose(a.geometry[0].pose[:3, 3], [2, 0, 1], atol=1e-15)
    np.testing.assert_allclose(r.joints[0].origin[:3, 3], [2, -3, 0], atol=1e-15)
    tip = r.frames["tool"]
    assert (tip.link, [t.name for t in r.tips]) == (1, ["c", "tool"])
    np.testing.assert_allclose(tip.pose[:3, 3], [2, -0.5, 0], atol=1e-15)
    assert r.frames["base"].link == 2
    assert load_urdf_text(text).tips[0].name == "c"


TREE = robot(
    *(link(name) for name in ("base", "trunk", "l1", "l2", "r1", "r2")), joint("waist", "base", "trunk"),
    joint("left1", "trunk", "l1"), joint("left2", "l1", "l2"), joint("right1", "trunk", "r1"),
    joint("right2", "r1", "r2"),
)  # fmt: skip


def test_links_are_ordered_from_the_chosen_tips_inward() -> None:
    r = load_urdf_text(TREE)
    assert [x.name for x in r.links] == ["r2", "r1", "l2", "l1", "trunk"]
    assert r.inboard == (1, 4, 3, 4, 5)
    assert [(t.name, t.link) for t in r.tips] == [("r2", 0), ("l2", 2)]
    r = load_urdf_text(TREE, tip=("l2", "r2"))
    assert [x.name for x in r.links] == ["l2", "l1", "r2", "r1", "trunk"]
    assert [(t.name, t.link) for t in r.tips] == [("l2", 0), ("r2", 2)]
    wrong = ("none", "no link 'none'"), ("base", "cannot move"), (["l2", "l2"], "twice")
    assert_all_refused({str(tip): (lambda tip=tip: load_urdf_text(TREE, tip=tip), words) for tip, words in wrong})


STL = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid"


def mesh(reference: str) -> str:
    return one_link(body() + f'<visual><geometry><mesh filename="{reference}" scale="2"/></geometry></visual>')


def test_a_mesh_is_found_beside_the_file_and_in_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "part.stl").write_text(STL)
    for reference in ("part.stl", "./part.stl", "package://arm/part.stl", "package://part.stl"):
        (tmp_path / "r.urdf").write_text(mesh(reference))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            shape = load(tmp_path / "r.urdf").links[0].geometry[0]
        expected = "mesh", (2.0, 2.0, 2.0), str((tmp_path / "part.stl").resolve())
        assert (shape.kind, shape.size, shape.path) == expected, reference
    package, elsewhere = tmp_path / "arm", tmp_path / "elsewhere" / "hand"
    (package / "urdf").mkdir(parents=True)
    (package / "meshes").mkdir()
    elsewhere.mkdir(parents=True)
    for folder in (package / "meshes", elsewhere):
        (folder / "Part.STL").write_text(STL)
    outside = elsewhere / "Part.STL"
    for reference in ("package://arm/meshes/part.stl", "../meshes/part.stl", f"file://{outside}", str(outside)):
        (package / "urdf" / "r.urdf").write_text(mesh(reference))
        assert load(package / "urdf" / "r.urdf").links[0].geometry[0].path is not None, reference
    (package / "urdf" / "r.urdf").write_text(mesh("package://hand/part.stl"))
    for folders in ([tmp_path / "elsewhere"], [elsewhere]):
        assert load(package / "urdf" / "r.urdf", package_dirs=folders).links[0].geometry[0].path == str(outside)
    installed = tmp_path / "install" / "share" / "foot" / "toe.stl"
    installed.parent.mkdir(parents=True)
    installed.write_text(STL)
    monkeypatch.setenv("AMENT_PREFIX_PATH", os.pathsep.join(["/none", str(tmp_path / "install")]))
    (package / "urdf" / "r.urdf").write_text(mesh("package://foot/toe.stl"))
    assert load(package / "urdf" / "r.urdf").links[0].geometry[0].path == str(installed)


UNREADABLE = {
    "empty.stl": b"", "zeros.stl": bytes(84), "garbage.stl": b"garbage" * 30, "cut.stl": bytes(80) + b"\2" + bytes(60),
    "points.obj": b"v 0 0 0\nv 1 0 0\n", "empty.obj": b"", "page.dae": b"<html/>", "pointer.glb": b"version https://",
}  # fmt: skip


def test_a_lost_mesh_is_a_remark_and_a_text_opens_none(tmp_path: Path) -> None:
    folder = tmp_path / "robot"
    folder.mkdir()
    (tmp_path / "part.stl").write_text(STL)
    for name, data in UNREADABLE.items():
        (folder / name).write_bytes(data)
    assert refused(load_urdf_text, mesh(f"{tmp_path}/part.stl")) == ""
    with pytest.warns(UserWarning, match="no folder to look in"):
        assert load_urdf_text(mesh(f"file://{tmp_path}/part.stl")).links[0].geometry == ()
    lost = {"none.stl": "no such file", "/etc/passwd": "ends in no suffix", "part.exe": r"ends in \.exe"}
    lost |= {"http://example.org/part.stl": "not opened", **dict.fromkeys(UNREADABLE, "cannot be read as a mesh")}
    for reference, words in lost.items():
        (folder / "r.urdf").write_text(mesh(reference))
        with pytest.warns(UserWarning, match=words):
            r = load(folder / "r.urdf")
        assert (r.links[0].geometry, r.links[0].mass) == ((), 1.0), reference
        assert re.search(words, r.remarks[0])


PLANAR = robot(
    link("floor", ""), link("cart", body(origin='<origin xyz="0.1 0.2 0.3"/>')),
    link("arm", body("2", origin='<origin xyz="0 0 0.4"/>')),
    joint("drive", "floor", "cart", '<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><axis xyz="0 0 2"/>', "planar"),
    joint("swing", "cart", "arm", '<origin xyz="0 0.5 0" rpy="0.4 0 0"/><axis xyz="0 1 1"/>'),
)  # fmt: skip


def test_a_planar_joint_is_two_slides_and_a_turn() -> None:
    """Held against Pinocchio, whose planar joint is one of three freedoms, in the coordinates of the joint beyond."""
    r = load_urdf_text(PLANAR)
    assert [(j.name, j.kind) for j in r.joints] == [
        ("swing", "revolute"), ("drive_turn", "revolute"), ("drive_y", "prismatic"), ("drive_x", "prismatic")
    ]  # fmt: skip
    assert [j.axis.tolist() for j in r.joints[1:]] == [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    model = pinocchio.buildModelFromXML(PLANAR)
    swing, turn, y, x = q = np.array([0.7, -1.1, 0.4, 0.3])
    rates = np.array([0.5, 0.9, -0.8, 0.6])
    cosine, sine = np.cos(turn), np.sin(turn)
    along = np.array([[cosine, sine], [-sine, cosine]]) @ [rates[3], rates[2]]
    system = single_arm(r)
    found = forward_dynamics(system, system.state(q=q, qd=rates)).joint_acceleration
    posture = np.array([x, y, cosine, sine, np.cos(swing), np.sin(swing)])
    velocity = np.array([*along, rates[1], rates[0]])
    expected = pinocchio.aba(model, model.createData(), posture, velocity, np.zeros(4))
    assert found[:2] == pytest.approx(expected[[3, 2]], rel=1e-9)


def test_a_floating_joint_is_the_base_or_six() -> None:
    text = robot(link("world", ""), link("bus"), link("arm"), joint("free", "world", "bus", "", "floating"),
                 joint("j", "bus", "arm"))  # fmt: skip
    r = load_urdf_text(text)
    assert (r.root.name, r.root.mass, r.joint_names, sorted(r.frames)) == ("bus", 1.0, ("j",), ["arm", "bus"])
    system = free_flyer(r)
    assert forward_dynamics(system, system.state()).base_acceleration is not None
    # A body that nothing holds falls, whatever its posture, and turns on.
    inner = '<origin xyz="0 0 1" rpy="0 0.5 0"/>'
    text = robot(link("base"), link("a"), link("b", body(origin='<origin xyz="0.1 0 0"/>')), joint("j", "base", "a"),
                 joint("f", "base", "b", inner + '<limit effort="1" velocity="1"/>', "floating"))  # fmt: skip
    with pytest.warns(UserWarning, match="limits, damping and friction of 'f', a floating joint, are left out"):
        r = load_urdf_text(text, tip=["b", "a"])
    assert r.joint_names == ("f_yaw", "f_pitch", "f_roll", "f_z", "f_y", "f_x", "j")
    system = single_arm(r)
    state = system.state(q=[0.3, -0.7, 0.2, 0.1, 0.5, 0.4, 0.0])
    found = forward_dynamics(system, state).joint_acceleration
    down = Rotation.from_euler("xyz", [0, 0.5, 0]).as_matrix().T @ [0, 0, -9.81]
    assert found[:3] == pytest.approx(np.zeros(3), abs=1e-9)
    assert found[5:2:-1] == pytest.approx(down, rel=1e-9)
    axis = joint("f", "base", "b", '<axis xyz="0 0 0"/>', "floating")  # it has none
    text = robot(link("base"), link("a"), link("b"), joint("j", "base", "a"), axis)
    assert len(load_urdf_text(text, tip=["a", "b"]).joints) == 7


RIGHT = [
    ("1.5708", 1), ("1.57080", 1), ("1.570796", 1), ("1.57079632679", 1), ("1.570796327", 1), ("1.5707963267948966", 1),
    ("1.57079632679489661923", 1), ("-1.5708", -1), ("+1.5708", 1), ("1.5708e0", 1), ("15.7080E-1", 1), ("3.1416", 2),
    ("3.14159", 2), ("3.141592653589793", 2), ("-3.14159265", -2), ("4.71239", 3), ("6.2832", 4),
]  # fmt: skip
NOT_RIGHT = [
    "1.5707", "1.57079", "1.5709", "1.57081", "1.571", "1.57", "1.6", "2", "1.5", "3", "3.14", "3.142", "3.1415", "0",
    "0.0000", "0e9999", "0e99999999999999999999", "0.0e-99999999999999999999", "1e-99999999999999999999", "1e-4",
    "0.0001", "1.570796326795e300", "7.85398", "1.5707963267948970", "0.7854", "0.1549967419",
]  # fmt: skip


def with_origin(rpy: str, axis: str = "0 0 1") -> str:
    return one_link(inside=f'<origin xyz="0.1 0.2 0.3" rpy="{rpy}"/><axis xyz="{axis}"/>')


@given(st.decimals(-8, 8, allow_nan=False, places=6))
def test_only_a_right_angle_to_its_last_digit_is_changed(value: object) -> None:
    """No angle moves by more than half its last digit."""
    assert {text: float(as_meant(text)) for text, _ in RIGHT} == {text: turns * math.pi / 2 for text, turns in RIGHT}
    assert [as_meant(text) for text in NOT_RIGHT] == NOT_RIGHT
    assert abs(float(as_meant(str(value))) - float(str(value))) <= 0.5e-6


def test_turns_inertias_and_axes_of_a_file_are_exact() -> None:
    """Quarter turns were off by up to 7e-6, and products of inertia of 1e-12 came of a body turned by 1.5708."""
    for rpy in product(["0", "1.5708", "-3.14159265359"], repeat=3):
        found = load_urdf_text(with_origin(" ".join(rpy))).joints[0].origin
        assert set(np.unique(np.abs(found[:3, :3]))) == {0.0, 1.0}
        meant = Rotation.from_euler("xyz", [float(as_meant(angle)) for angle in rpy]).as_matrix()
        assert np.allclose(found[:3, :3], meant, rtol=0.0, atol=1e-15), rpy
        assert found[:3, 3].tolist() == [0.1, 0.2, 0.3]
    for text in ("1.5707 0 0", "1.571 0 0.3", "0 0.7854 0", "1e-6 0 0", "0.1 0.2 0.3"):
        found = load_urdf_text(with_origin(text)).joints[0].origin[:3, :3]
        expected = Rotation.from_euler("xyz", [float(angle) for angle in text.split()]).as_matrix()
        assert np.allclose(found, expected, rtol=0.0, atol=2e-16), text
        assert not np.array_equal(np.abs(found), np.round(np.abs(found))), text
    turned = body(inertia=inertia(ixx="0.03"), origin='<origin rpy="1.5708 0 0"/>')
    assert np.array_equal(load_urdf_text(one_link(turned)).links[0].inertia, np.diag([0.03, 0.01, 0.02]))
    axes = {"0 6.1e-17 2": [0, 0, 1], "0 -0 -1": [0, 0, -1], "1e-16 1 0": [0, 1, 0], "0 1e-12 1": [0, 1e-12, 1]}
    assert {text: load_urdf_text(with_origin("0 0 0", text)).joints[0].axis.tolist() for text in axes} == axes


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=9))
def test_only_rounding_is_dropped(values: list[float]) -> None:
    found = without_rounding(np.array(values))
    assert np.abs(found - values).max() <= 1e-15
    assert not ((np.abs(found) > 0.0) & (np.abs(found) < 1e-15)).any()
