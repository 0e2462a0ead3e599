"""A robot and its meshes in a zip: one text, drawn and weighing as the files do; and what is refused, in words."""

import base64
import io
import json
import re
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import trimesh

import dynamics as dyn
import scenes
from dynamics.robot.model import INSIDE
from dynamics.robot_files.mjcf_elements import DRAWN
from scenes import pack_process, packing
from scenes.links import geometry_mesh
from scenes.pack_archive import RefusedError
from tests.conftest import zipped
from tests.fuzz.attack import limited

ROBOTS = Path(__file__).resolve().parents[2] / "assets" / "robots"
ARM = (
    '<robot name="arm">\n<link name="base"/>\n<link name="one"><inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>\n<visual><origin xyz="0 0 1"/>'
    '<geometry><mesh scale="1 1 2"\n filename="{mesh}"/></geometry></visual>'
    '<collision><geometry><mesh filename="{mesh}"/></geometry></collision></link>\n'
    '<joint name="turn" type="revolute"><parent link="base"/><child link="one"/><axis xyz="0 0 1"/>'
    '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>\n</robot>'
)


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process of its own costs seconds: the same function, without limits of time and memory."""

    def run(command: list[str], *, input: bytes, **_: object) -> SimpleNamespace:
        try:
            found = pack_process.packed(input)
        except RefusedError as error:
            found = {"refused": str(error)}
        return SimpleNamespace(returncode=0, stdout=json.dumps(found))

    monkeypatch.setattr(packing, "subprocess", SimpleNamespace(run=run, TimeoutExpired=subprocess.TimeoutExpired))


def mesh_bytes(suffix: str, mesh: trimesh.Trimesh | None = None) -> bytes:
    found = (mesh or trimesh.creation.box((0.2, 0.4, 0.6))).export(file_type=suffix)
    return found.encode() if isinstance(found, str) else bytes(found)


def shapes_of(robot: dyn.Robot) -> list[dyn.Geometry]:
    return [shape for link in (*robot.links, robot.root) for shape in link.geometry]


def require_same_drawing(ours: dyn.Robot, theirs: dyn.Robot) -> None:
    assert [link.name for link in ours.links] == [link.name for link in theirs.links]
    for one, other in zip(shapes_of(ours), shapes_of(theirs), strict=True):
        assert (one.is_inside, one.color) == (other.kind == "mesh", other.color)
        drawn, expected = geometry_mesh(one, "#808080"), geometry_mesh(other, "#808080")
        np.testing.assert_allclose(drawn.bounds, expected.bounds, atol=1e-6)


def test_a_packaged_robot_is_drawn_as_its_files_are() -> None:
    name = "ur5e"
    folder = ROBOTS / name
    files = [file for file in folder.rglob("*") if file.is_file()]
    data = zipped({f"{name}/{file.relative_to(folder)}": file.read_bytes() for file in files})
    packed = scenes.packed_robot(data, f"{name}.zip")
    assert packed.remarks == ()
    path = next(folder.glob(f"**/{packed.name}"))
    assert packed.text.count(b"\n") == path.read_bytes().count(b"\n")  # what is said of a line is said of theirs
    ours, theirs = dyn.load_urdf_text(packed.text, packed.name), dyn.load(path)
    require_same_drawing(ours, theirs)
    assert len(shapes_of(ours)) > 5
    assert scenes.packed_robot(data, "again").text == packed.text  # a link knows it by its fingerprint


def arm_with(*meshes: str) -> str:
    """The arm with several meshes in the place of one."""
    visuals = "".join(
        f'<visual><geometry><mesh scale="1 1 2" filename="{mesh}"/></geometry></visual>' for mesh in meshes
    )
    return re.sub("<visual>.*</visual>", lambda _: visuals, ARM.format(mesh="touched.stl"), flags=re.DOTALL)


def test_every_kind_of_mesh_is_read_with_its_scale_however_it_is_called() -> None:
    files = {f"part.{suffix}": mesh_bytes(suffix) for suffix in ("stl", "obj", "ply", "glb", "dae")}
    packed = scenes.packed_robot(zipped({"arm.urdf": arm_with(*files), **files}), "arm.zip")
    assert packed.remarks == ()
    shapes = shapes_of(dyn.load_urdf_text(packed.text, packed.name))
    assert len(shapes) == packed.text.count(INSIDE.encode()) == 5  # what only collides is not carried along
    for name, shape in zip(files, shapes, strict=True):
        sides = np.sort(np.diff(np.reshape(geometry_mesh(shape, "#808080").bounds, (3, 2)))[:, 0])
        assert sides == pytest.approx([0.2, 0.4, 1.2], abs=1e-6), name
    places = {
        "package://arm_description/meshes/a.stl": "arm_description/meshes/a.stl",
        "../meshes/b.stl": "arm_description/meshes/b.stl",
        "meshes\\c.stl": "arm_description/urdf/meshes/c.stl",
        "file:///home/me/arm/meshes/d.stl": "arm_description/d.stl",
    }
    called = {"arm_description/urdf/arm.urdf": arm_with(*places)} | dict.fromkeys(places.values(), mesh_bytes("stl"))
    main = {"arm-main/arm.urdf": arm_with("package://arm/a.stl"), "arm-main/a.stl": mesh_bytes("stl")}
    for each, count in ((called, 4), (main, 1)):
        packed = scenes.packed_robot(zipped(each), "arm.zip")
        assert (packed.remarks, packed.text.count(INSIDE.encode())) == ((), count)
    # A mesh with files of its own finds them in the archive alone.
    parts = trimesh.creation.box((0.2, 0.4, 0.6)).export(file_type="gltf")
    named = {f"meshes/{'part.gltf' if name.endswith('gltf') else name}": data for name, data in parts.items()}
    outside = {name: content.replace(b'"uri":"', b'"uri":"../../../../etc/') for name, content in named.items()}
    urdf = {"arm.urdf": ARM.format(mesh="meshes/part.gltf")}
    assert scenes.packed_robot(zipped(urdf | named), "arm.zip").remarks == ()
    assert "part.gltf" in scenes.packed_robot(zipped(urdf | outside), "arm.zip").remarks[0]


def test_a_mesh_that_is_none_or_nowhere_is_left_out_and_the_robot_opens() -> None:
    large = mesh_bytes("stl").replace(b"\xcd\xcc\xcc\x3d", b"\xff\xff\x7f\x7f")
    bad = {
        "a.stl": (b"", "cannot be read"),
        "c.stl": (b"\x00" * 80 + (2**31).to_bytes(4, "little") + b"\x00" * 50, "cannot be read"),
        "d.stl": (b"\xff" * 4000, "cannot be read"),
        "e.stl": (mesh_bytes("stl", trimesh.creation.box((1.0, 1.0, 1e20))), "more than 1e+09 of its units"),
        "f.stl": (large, "more than 1e+09 of its units"),
        "m.obj": (b"v 0 0 0\n" * (4 * 2**20), "it has more than 24 MB unpacked"),  # before a reader is loaded
        "http://elsewhere/p.stl": (None, "http addresses are not opened"),
        "../../../etc/passwd": (None, "ends in no suffix, not in one of .stl"),
        "/etc/p.stl": (None, "no such file"),
        "missing.stl": (None, "no such file"),
        "p.step": (None, "ends in .step, not in one of .stl"),
    }
    text = arm_with(*bad)
    files = {name: data for name, (data, _) in bad.items() if data is not None}
    packed = scenes.packed_robot(zipped({"arm.urdf": text, **files}), "a.zip")
    assert packed.text.decode() == text
    for remark, (_, said) in zip(packed.remarks, bad.values(), strict=True):
        assert said in remark or "no triangles" in remark, remark


def link_to(target: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("arm.urdf", ARM.format(mesh="p.stl"))
        one = zipfile.ZipInfo("p.stl")
        one.external_attr = 0o120777 << 16
        archive.writestr(one, target)
    return data.getvalue()


def test_a_link_and_a_path_that_leads_out_are_no_files() -> None:
    assert "no such file" in scenes.packed_robot(link_to("/etc/passwd"), "arm.zip").remarks[0]
    escaping = zipped(
        {"arm.urdf": ARM.format(mesh="p.stl"), "../p.stl": mesh_bytes("stl"), "/p.stl": mesh_bytes("stl")}
    )
    assert "no such file" in scenes.packed_robot(escaping, "arm.zip").remarks[0]


def test_an_archive_that_holds_no_robot_or_lies_is_refused_in_words() -> None:
    bomb = zipped({"arm.urdf": ARM, "p.stl": bytes(201 * 2**20)})
    assert len(bomb) < 2**19
    for said, files in (
        ("holds no robot description", {"readme.txt": "x"}),
        ("expand xacro first", {"arm.urdf.xacro": "<robot/>"}),
        ("several robots: a.urdf, b.urdf", {"a.urdf": ARM, "b.urdf": ARM}),
        ("holds no robot description", {"arm.urdf": b"\x00" * (6 * 2**20)}),
        ("more than 2,000 files", {f"{k}.txt": "" for k in range(2001)} | {"arm.urdf": ARM}),
        ("not a zip archive", b"PK\x03\x04"),
        ("not a zip archive", zipped({"arm.urdf": ARM})[:200]),
        ("200 MB unpacked", bomb),
    ):
        with pytest.raises(dyn.ModelError, match=said):
            scenes.packed_robot(files if isinstance(files, bytes) else zipped(files), "arm.zip")
    data = zipped({"arm.urdf": ARM.format(mesh="p.stl"), "p.stl": bytes(2**20)})
    lying = data.replace((2**20).to_bytes(4, "little"), (84).to_bytes(4, "little"))
    assert lying != data
    assert "is left out" in scenes.packed_robot(lying, "arm.zip").remarks[0]


def test_a_process_of_its_own_packs_and_is_ended_where_it_takes_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "subprocess", subprocess)
    data = zipped({"arm.urdf": ARM.format(mesh="p.stl"), "p.stl": mesh_bytes("stl")})
    assert INSIDE.encode() in scenes.packed_robot(data, "arm.zip").text
    with pytest.raises(dyn.ModelError, match="not a zip archive"):
        scenes.packed_robot(b"PK", "arm.zip")
    monkeypatch.setattr(packing, "MEGABYTES", 60)
    with pytest.raises(dyn.ModelError, match="too much time or memory"):
        scenes.packed_robot(data, "arm.zip")


LONG = "x" * 3_000_000
SCENE = """<mujoco model="arm scene">
  <include file="arm.xml"/>
  <!-- <include file="gone.xml"/> -->
  <worldbody><light pos="0 0 2"/><geom name="floor" type="plane" size="0 0 0.05"/></worldbody>
</mujoco>"""
MODEL = """<?xml version="1.0"?>
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


def collection() -> dict[str, bytes | str]:
    kinds = {"base.stl": "stl", "parts/upper.obj": "obj", "hull.stl": "stl", "hand.obj": "obj"}
    meshes = {f"assets/{file}": mesh_bytes(kind, solid(k)) for k, (file, kind) in enumerate(kinds.items())}
    return {"scene.xml": SCENE, "arm.xml": MODEL, "assets/t.png": b"", "README.md": "# An arm", **meshes}


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
    assert [link.name for link in ours.links] == ["hand", "upper"]
    for one, other in zip((*ours.links, ours.root), (*theirs.links, theirs.root), strict=True):
        assert one.mass == pytest.approx(other.mass, rel=1e-12)
        np.testing.assert_allclose(one.inertia, other.inertia, rtol=1e-9, atol=1e-15)
    require_same_drawing(ours, theirs)
    assert len(shapes_of(ours)) == 3
    assert ours.remarks == theirs.remarks
    assert scenes.packed_robot(zipped(files), "again").text == packed.text  # a link knows it by its fingerprint
    text = packed.text.decode()
    assert text.count(INSIDE) == 1  # the hand's, whose inertia it is
    assert text.count(DRAWN) == 3
    assert text.count(DRAWN + '"') == 1  # the hull's, of which nothing is seen
    alone = {name: data for name, data in collection().items() if name != "scene.xml"}
    robot = scenes.packed_robot(zipped(alone), "arm.zip")
    assert (robot.name, robot.text.count(b"\n")) == ("arm.xml", MODEL.count("\n"))
    assert dyn.robot_report(robot.text, robot.name).refusal == ""


def test_forged_instructions_and_meshes_are_refused_or_not_drawn() -> None:
    for instruction in ("x a.xml", "9" * 5000 + " a.xml", "", "3 a.xml?><?included 3 b.xml" * 300):
        text = f"<mujoco><?end-of-included?><?included {instruction}?><worldbody/></mujoco>"
        assert "<?included?> is wrong. Leave it out" in dyn.robot_report(text.encode()).refusal, instruction[:40]
    assert pack_process.DRAWN == DRAWN
    for mesh in ("!!!!", base64.b64encode(b"\xff" * 3000).decode()):
        text = (
            f'<mujoco><asset><mesh name="m" file="{INSIDE}{mesh}"/></asset><worldbody><body name="a"><joint/>'
            '<geom type="mesh" mesh="m"/></body></worldbody></mujoco>'
        )
        with pytest.raises(dyn.ModelError):
            dyn.load_mjcf_text(text)
        robot = dyn.load_mjcf_text(text.replace(INSIDE, DRAWN).replace("<joint/>", '<joint/><geom size="1"/>'))
        assert all(geometry_mesh(shape, "#808080") is None for shape in shapes_of(robot) if shape.kind == "mesh")


def test_what_is_missing_or_too_much_is_refused_in_words() -> None:
    many = "".join(f'<include file="words{k}.xml"/>' for k in range(40))
    changes: list[tuple[str, dict[str, bytes | str | None]]] = [
        ("'arm.xml', which its model includes, is not in it", {"arm.xml": None}),
        ("'arm.xml', which its model includes, is not a MuJoCo model", {"arm.xml": "<html></html>"}),
        ("included twice", {"arm.xml": '<mujocoinclude><include file="arm.xml"/></mujocoinclude>'}),
        ("or several have that name", {"other/arm.xml": MODEL, "arm.xml": None, "third/arm.xml": MODEL}),
        ("several robots: arm.xml, more.xml", {"scene.xml": None, "more.xml": MODEL}),
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
        with pytest.raises(dyn.ModelError, match=re.escape(said)):
            scenes.packed_robot(zipped(files), "arm.zip")


def test_no_text_holds_it_up() -> None:
    for scene in (
        "<mujoco" + "<!--" * 500_000, "<mujoco>" + "<include " * 400_000, "<mujoco>" + "<mesh " * 400_000,
        f"<mujoco>{'<body>' * 300_000}{'</body>' * 300_000}</mujoco>",
        f"<mujoco><default>{'<default>' * 100_000}{'</default>' * 100_000}</default></mujoco>",
        "<mujoco><![CDATA[" + "<!--" * 500_000 + "]]></mujoco>", "<robot>" + "<visual " * 400_000,
        "<robot>" + "<visual/>" * 400_000 + "</robot>", "<robot><visual>" + "<mesh filename=" * 300_000,
        '<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><mujoco>&b;</mujoco>',
    ):  # fmt: skip
        data = zipped({"scene.xml": scene})
        with limited(3):
            packed = scenes.packed_robot(data, "arm.zip")
        assert packed.text.decode() == scene  # the reader of the robot refuses it
