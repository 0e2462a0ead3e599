"""A MuJoCo model with its meshes and what it includes, in a zip: one text, drawn and weighing as the files do."""

import base64
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import trimesh

import dynamics as dyn
import scenes
from dynamics.mjcf.elements import DRAWN
from dynamics.robot.model import INSIDE
from scenes import pack_process, packing
from scenes.links import geometry_mesh
from tests.scenes.test_packing import mesh_bytes, shapes_of, zipped

LONG = "x" * 3_000_000
SCENE = """<mujoco model="arm scene">
  <include file="arm.xml"/>
  <!-- <include file="gone.xml"/> -->
  <worldbody><light pos="0 0 2"/><geom name="floor" type="plane" size="0 0 0.05"/></worldbody>
</mujoco>"""
ARM = """<?xml version="1.0"?>
<!-- of a collection -->
<mujoco model="arm">
  <compiler angle="radian" meshdir="assets"/>
  <default>
    <default class="arm">
      <joint damping="0.1" armature="0.01"/>
      <default class="seen"><geom type="mesh" contype="0" conaffinity="0" group="2" material="grey"/></default>
      <default class="touched"><geom type="mesh" group="3"/></default>
    </default>
  </default>
  <asset>
    <material name="grey" rgba="0.5 0.5 0.5 1"/><texture name="t" file="t.png" type="2d"/>
    <mesh file="base.stl"/><mesh name="upper" file="parts/upper.obj" scale="0.5 0.5 -0.5"/>
    <mesh
      file="hull.stl"/>
    <mesh name="hand" file="hand.obj" refpos="0.1 0 0.05" refquat="1 0 0.2 0"/>
  </asset>
  <worldbody>
    <body name="base" childclass="arm">
      <geom class="seen" mesh="base"/>
      <body name="upper" pos="0 0 0.3" euler="0.1 0.2 0.3">
        <joint name="shoulder" axis="0 1 0"/>
        <inertial pos="0 0 0.1" mass="2" diaginertia="0.02 0.02 0.01"/>
        <geom class="seen" mesh="upper" pos="0.1 0 0" quat="1 0.1 0 0"/>
        <geom class="touched" mesh="hull"/>
        <body name="hand" pos="0 0 0.4">
          <joint name="wrist" axis="1 0 0" range="-1 1"/>
          <geom class="seen" mesh="hand"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="wrist"/></actuator>
</mujoco>"""


def solid(seed: int) -> trimesh.Trimesh:
    rng = np.random.default_rng(seed)
    found = trimesh.creation.icosphere(subdivisions=3)
    found.apply_scale(rng.uniform(0.05, 0.2, 3))
    found.apply_translation(rng.normal(size=3) * 0.1)
    return found


def collection(seed: int = 0) -> dict[str, bytes | str]:
    kinds = {"base.stl": "stl", "parts/upper.obj": "obj", "hull.stl": "stl", "hand.obj": "obj"}
    meshes = {f"assets/{file}": mesh_bytes(kind, solid(seed + k)) for k, (file, kind) in enumerate(kinds.items())}
    return {"scene.xml": SCENE, "arm.xml": ARM, "assets/t.png": b"", "README.md": "# An arm", **meshes}


def unpacked(files: Mapping[str, bytes | str], folder: Path) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def test_a_collection_opens_as_its_files_do(tmp_path: Path) -> None:
    around = "menagerie/some_arm/"
    files = collection()
    packed = scenes.packed_robot(zipped({around + name: data for name, data in files.items()}), "arm.zip")
    assert (packed.name, packed.remarks) == ("scene.xml", ())
    ours, theirs = dyn.load_mjcf_text(packed.text, packed.name), dyn.load(unpacked(files, tmp_path) / "scene.xml")
    assert [link.name for link in ours.links] == [link.name for link in theirs.links] == ["hand", "upper"]
    for one, other in zip((*ours.links, ours.root), (*theirs.links, theirs.root), strict=True):
        assert one.mass == pytest.approx(other.mass, rel=1e-12)
        np.testing.assert_allclose(one.inertia, other.inertia, rtol=1e-9, atol=1e-15)
    assert len(shapes_of(ours)) == len(shapes_of(theirs)) == 3
    for drawn, expected in zip(shapes_of(ours), shapes_of(theirs), strict=True):
        assert drawn.is_inside
        assert drawn.color == expected.color
        mesh, whole = geometry_mesh(drawn, "#808080"), geometry_mesh(expected, "#808080")
        np.testing.assert_allclose(mesh.bounds, whole.bounds, atol=1e-6)
    assert ours.remarks == theirs.remarks
    assert scenes.packed_robot(zipped(files), "again").text == packed.text  # a link knows it by its fingerprint


def test_what_is_only_for_contact_is_not_carried_along_and_lines_stay() -> None:
    packed = scenes.packed_robot(zipped(collection()), "arm.zip").text.decode()
    assert packed.count(INSIDE) == 1  # the hand's, whose inertia it is
    assert packed.count(DRAWN) == 3
    assert packed.count(DRAWN + '"') == 1  # the hull's, of which nothing is seen
    alone = {name: data for name, data in collection().items() if name != "scene.xml"}
    robot = scenes.packed_robot(zipped(alone), "arm.zip")
    assert (robot.name, robot.text.count(b"\n")) == ("arm.xml", ARM.count("\n"))
    assert dyn.robot_report(robot.text, robot.name).refusal == ""


def test_findings_name_the_file_and_line_they_are_in() -> None:
    scene = """<mujoco model="s">
  <include
     file="arm.xml"/><worldbody/>
  <include file="parts/gripper.xml"/>
  <worldbody>
    <body name="flag" pos="0 0 1"><joint name="mast"/><geom size="0.1"/></body>
  </worldbody>
</mujoco>"""
    arm = """<?xml version="1.0"?>
<!-- of two
 lines -->
<mujoco model="arm">
  <default><joint
     stiffness="3"/></default>
  <include file="parts/inner.xml"/>
  <worldbody>
    <body name="arm"><joint name="shoulder"/><geom size="0.1"/></body>
  </worldbody>
</mujoco>"""
    inner = "<mujocoinclude>\n\n<worldbody><body\n name='inner'><geom size='1'/></body></worldbody>\n</mujocoinclude>"
    gripper = "<mujocoinclude>\n<equality>\n</equality><keyframe>\n<key/></keyframe></mujocoinclude>"
    files = {"scene.xml": scene, "arm.xml": arm, "parts/inner.xml": inner, "parts/gripper.xml": gripper}
    packed = scenes.packed_robot(zipped({name: text.encode() for name, text in files.items()}), "s.zip")
    found = dyn.robot_report(packed.text, packed.name).findings
    assert [(one.file, one.line, one.where) for one in found if one.kind == "inferred inertia"] == [
        ("arm.xml", 9, "body 'arm'"),
        ("", 6, "body 'flag'"),
        ("parts/inner.xml", 3, "body 'inner'"),
    ]
    told = [(one.file, one.line) for one in found if one.kind == "left out"]
    assert sorted(told) == [("arm.xml", 9), ("parts/gripper.xml", 3)]
    assert "line 9 of 'arm.xml', body 'arm': has no <inertial>" in found[0].text


def test_forged_line_instructions_are_refused(subtests: pytest.Subtests) -> None:
    for instruction in ["x a.xml", "9" * 5000 + " a.xml", "", "3 a.xml?><?included 3 b.xml" * 300]:
        with subtests.test(instruction=instruction[:40]):
            text = f"<mujoco><?end-of-included?><?included {instruction}?><worldbody/></mujoco>"
            assert "<?included?> is wrong. Leave it out" in dyn.robot_report(text.encode()).refusal


def test_what_is_missing_or_too_much_is_refused_in_words(subtests: pytest.Subtests) -> None:
    many = "".join(f'<include file="words{k}.xml"/>' for k in range(40))
    changes: list[tuple[str, dict[str, bytes | str | None]]] = [
        ("'arm.xml', which its model includes, is not in it", {"arm.xml": None}),
        ("'arm.xml', which its model includes, is no MuJoCo model", {"arm.xml": "<html></html>"}),
        ("included twice", {"arm.xml": '<mujocoinclude><include file="arm.xml"/></mujocoinclude>'}),
        ("or several are called so", {"other/arm.xml": ARM, "arm.xml": None, "third/arm.xml": ARM}),
        ("several robots: arm.xml, more.xml", {"scene.xml": None, "more.xml": ARM}),
        ("from mesh 'assets/hand.obj', but there is no such file", {"assets/hand.obj": None}),
        ("inertia comes from mesh 'assets/hand.obj', but it", {"assets/hand.obj": b"\x00"}),
        ("'/etc/passwd', which its model includes, is not", {"scene.xml": SCENE.replace("arm.xml", "/etc/passwd")}),
        ("is not in it", {"scene.xml": SCENE.replace("arm.xml", "../../etc/passwd")}),
        (
            "more than 5 MB with what it includes",
            {"arm.xml": f"<mujoco><a b='{LONG}'/></mujoco>", "scene.xml": SCENE.replace("scene", LONG)},
        ),
        (
            "more than 5 MB with what it includes",
            {f"words{k}.xml": f"<mujoco>{'<!-- -->' * 40_000}</mujoco>" for k in range(40)}
            | {"scene.xml": SCENE.replace("</mujoco>", f"{many}</mujoco>")},
        ),
    ]
    for said, change in changes:
        files = {name: data for name, data in (collection() | change).items() if data is not None}
        with subtests.test(said=said), pytest.raises(dyn.ModelError, match=re.escape(said)):
            scenes.packed_robot(zipped(files), "arm.zip")


def test_no_text_holds_it_up(monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests) -> None:
    for scene in (
        "<mujoco" + "<!--" * 500_000, "<mujoco>" + "<include " * 400_000, "<mujoco>" + "<mesh " * 400_000,
        f"<mujoco>{'<body>' * 300_000}{'</body>' * 300_000}</mujoco>",
        f"<mujoco><default>{'<default>' * 100_000}{'</default>' * 100_000}</default></mujoco>",
        "<mujoco><![CDATA[" + "<!--" * 500_000 + "]]></mujoco>", "<robot>" + "<visual " * 400_000,
        "<robot>" + "<visual/>" * 400_000 + "</robot>", "<robot><visual>" + "<mesh filename=" * 300_000,
        '<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><mujoco>&b;</mujoco>',
    ):  # fmt: skip
        with subtests.test(scene=scene[:40]):
            monkeypatch.setattr(packing, "SECONDS", 3)
            packed = scenes.packed_robot(zipped({"scene.xml": scene}), "arm.zip")
            assert packed.text.decode() == scene  # the reader of the robot refuses it


def test_a_forged_mesh_in_a_text_is_refused_or_not_drawn(subtests: pytest.Subtests) -> None:
    for mesh in ["AAAA", "!!!!", "", base64.b64encode(b"\xff" * 3000).decode()]:
        with subtests.test(mesh=mesh):
            text = (
                f'<mujoco><asset><mesh name="m" file="{INSIDE}{mesh}"/></asset><worldbody><body name="a"><joint/>'
                '<geom type="mesh" mesh="m"/></body></worldbody></mujoco>'
            )
            with pytest.raises(dyn.ModelError):
                dyn.load_mjcf_text(text)
            robot = dyn.load_mjcf_text(text.replace(INSIDE, DRAWN).replace("<joint/>", '<joint/><geom size="1"/>'))
            assert all(geometry_mesh(shape, "#808080") is None for shape in shapes_of(robot) if shape.kind == "mesh")


def test_both_sides_write_a_drawing_alike() -> None:
    assert pack_process.DRAWN == DRAWN
