"""A robot and its meshes in a zip: one text, drawn as the files are; and what is refused, in words."""

import io
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import trimesh

import dynamics as dyn
import scenes
from dynamics.robot.model import INSIDE
from scenes import packing
from scenes.links import geometry_mesh

ROBOTS = Path(__file__).resolve().parents[2] / "assets" / "robots"
ARM = (
    '<robot name="arm">\n<link name="base"/>\n<link name="one"><inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>\n<visual><origin xyz="0 0 1"/>'
    '<geometry><mesh scale="1 1 2"\n filename="{mesh}"/></geometry></visual>'
    '<collision><geometry><mesh filename="{mesh}"/></geometry></collision></link>\n'
    '<joint name="turn" type="revolute"><parent link="base"/><child link="one"/><axis xyz="0 0 1"/>'
    '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>\n</robot>'
)


def zipped(files: Mapping[str, bytes | str]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return data.getvalue()


def mesh_bytes(suffix: str, mesh: trimesh.Trimesh | None = None) -> bytes:
    found = (mesh or trimesh.creation.box((0.2, 0.4, 0.6))).export(file_type=suffix)
    return found.encode() if isinstance(found, str) else bytes(found)


def shapes_of(robot: dyn.Robot) -> list[dyn.Geometry]:
    return [shape for link in (*robot.links, robot.root) for shape in link.geometry]


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
    assert [link.name for link in ours.links] == [link.name for link in theirs.links]
    assert len(shapes_of(ours)) == len(shapes_of(theirs)) > 5
    for one, other in zip(shapes_of(ours), shapes_of(theirs), strict=True):
        assert one.is_inside is (other.kind == "mesh")
        drawn, expected = geometry_mesh(one, "#808080"), geometry_mesh(other, "#808080")
        np.testing.assert_allclose(drawn.bounds, expected.bounds, atol=1e-6)
        assert drawn.n_cells == expected.n_cells
    assert scenes.packed_robot(data, "again").text == packed.text  # a link knows it by its fingerprint


def arm_with(*meshes: str) -> str:
    """The arm with several meshes in the place of one."""
    visuals = "".join(
        f'<visual><geometry><mesh scale="1 1 2" filename="{mesh}"/></geometry></visual>' for mesh in meshes
    )
    return re.sub("<visual>.*</visual>", lambda _: visuals, ARM.format(mesh="touched.stl"), flags=re.DOTALL)


def test_every_kind_of_mesh_is_read_with_its_scale() -> None:
    files = {f"part.{suffix}": mesh_bytes(suffix) for suffix in ("stl", "obj", "ply", "glb", "dae")}
    packed = scenes.packed_robot(zipped({"arm.urdf": arm_with(*files), **files}), "arm.zip")
    assert packed.remarks == ()
    shapes = shapes_of(dyn.load_urdf_text(packed.text, packed.name))
    assert len(shapes) == packed.text.count(INSIDE.encode()) == 5  # what only collides is not carried along
    for name, shape in zip(files, shapes, strict=True):
        drawn = geometry_mesh(shape, "#808080")
        sides = np.sort(np.diff(np.reshape(drawn.bounds, (3, 2)))[:, 0])
        assert sides == pytest.approx([0.2, 0.4, 1.2], abs=1e-6), name


def test_a_mesh_with_files_of_its_own_finds_them_in_the_archive_alone() -> None:
    parts = trimesh.creation.box((0.2, 0.4, 0.6)).export(file_type="gltf")
    named = {f"meshes/{'part.gltf' if name.endswith('gltf') else name}": data for name, data in parts.items()}
    data = zipped({"arm.urdf": ARM.format(mesh="meshes/part.gltf"), **named})
    assert scenes.packed_robot(data, "arm.zip").remarks == ()
    outside = {name: content.replace(b'"uri":"', b'"uri":"../../../../etc/') for name, content in named.items()}
    outside |= {name: content.replace(b'"uri": "', b'"uri": "../../../../etc/') for name, content in outside.items()}
    packed = scenes.packed_robot(zipped({"arm.urdf": ARM.format(mesh="meshes/part.gltf"), **outside}), "arm.zip")
    assert "part.gltf" in packed.remarks[0]


def test_a_mesh_is_found_however_it_is_called() -> None:
    places = {
        "package://arm_description/meshes/a.stl": "arm_description/meshes/a.stl",
        "../meshes/b.stl": "arm_description/meshes/b.stl",
        "meshes\\c.stl": "arm_description/urdf/meshes/c.stl",
        "file:///home/me/arm/meshes/d.stl": "arm_description/d.stl",
    }
    files = {"arm_description/urdf/arm.urdf": arm_with(*places)} | dict.fromkeys(places.values(), mesh_bytes("stl"))
    packed = scenes.packed_robot(zipped(files), "arm.zip")
    assert (packed.remarks, packed.text.count(INSIDE.encode())) == ((), 4)
    main = {"arm-main/arm.urdf": arm_with("package://arm/a.stl"), "arm-main/a.stl": mesh_bytes("stl")}
    assert scenes.packed_robot(zipped(main), "arm.zip").remarks == ()


def test_a_mesh_that_is_none_is_left_out_and_the_robot_opens() -> None:
    large = mesh_bytes("stl").replace(b"\xcd\xcc\xcc\x3d", b"\xff\xff\x7f\x7f")
    bad = {
        "a.stl": (b"", "cannot be read"),
        "b.stl": (b"solid x\nendsolid x\n", "cannot be read"),
        "c.stl": (b"\x00" * 80 + (2**31).to_bytes(4, "little") + b"\x00" * 50, "cannot be read"),
        "d.stl": (b"\xff" * 4000, "cannot be read"),
        "e.stl": (mesh_bytes("stl", trimesh.creation.box((1.0, 1.0, 1e20))), "more than 1e+09 of its units"),
        "f.stl": (large, "more than 1e+09 of its units"),
    }
    text = arm_with(*bad)
    packed = scenes.packed_robot(zipped({"arm.urdf": text, **{name: data for name, (data, _) in bad.items()}}), "a.zip")
    assert packed.text.decode() == text
    for remark, (name, (_, said)) in zip(packed.remarks, bad.items(), strict=True):
        assert remark.startswith(f"mesh '{name}' is left out: ")
        assert said in remark or "no triangles" in remark, remark


def test_nothing_is_read_but_the_archive() -> None:
    outside = {
        "http://elsewhere/p.stl": "http addresses are not opened",
        "../../../etc/passwd": "ends in no suffix, not in one of .stl",
        "/etc/p.stl": "no such file",
        "missing.stl": "no such file",
        "p.step": "ends in .step, not in one of .stl",
    }
    packed = scenes.packed_robot(zipped({"arm.urdf": arm_with(*outside)}), "arm.zip")
    for remark, said in zip(packed.remarks, outside.values(), strict=True):
        assert said in remark


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


def test_an_archive_without_one_robot_is_refused_in_words() -> None:
    for said, files in (
        ("holds no robot description", {}),
        ("holds no robot description", {"readme.txt": "x"}),
        ("expand xacro first", {"arm.urdf.xacro": "<robot/>"}),
        ("several robots: a.urdf, b.urdf", {"a.urdf": ARM, "b.urdf": ARM}),
        ("holds no robot description", {"arm.urdf": b"\x00" * (6 * 2**20)}),
        ("more than 2,000 files", {f"{k}.txt": "" for k in range(2001)} | {"arm.urdf": ARM}),
    ):
        with pytest.raises(dyn.ModelError, match=said):
            scenes.packed_robot(zipped(files), "arm.zip")


def test_what_is_no_archive_or_a_bomb_is_refused_in_words() -> None:
    whole = zipped({"arm.urdf": ARM})
    for data in (b"PK\x03\x04", whole[: len(whole) // 2], b"", b"<robot/>"):
        with pytest.raises(dyn.ModelError, match="no zip archive"):
            scenes.packed_robot(data, "arm.zip")
    bomb = zipped({"arm.urdf": ARM, "p.stl": bytes(201 * 2**20)})
    assert len(bomb) < 2**19
    with pytest.raises(dyn.ModelError, match="200 MB unpacked"):
        scenes.packed_robot(bomb, "arm.zip")


def test_a_size_that_the_archive_lies_about_is_found_out() -> None:
    data = zipped({"arm.urdf": ARM.format(mesh="p.stl"), "p.stl": bytes(2**20)})
    lying = data.replace((2**20).to_bytes(4, "little"), (84).to_bytes(4, "little"))
    assert lying != data
    assert "is left out" in scenes.packed_robot(lying, "arm.zip").remarks[0]


def test_what_takes_too_long_or_too_much_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    data = zipped({"arm.urdf": ARM.format(mesh="p.stl"), "p.stl": mesh_bytes("stl")})
    monkeypatch.setattr(packing, "MEGABYTES", 60)
    with pytest.raises(dyn.ModelError, match="too much time or memory"):
        scenes.packed_robot(data, "arm.zip")


def test_a_mesh_of_more_bytes_than_any_needs_is_left_out_before_a_reader_is_loaded() -> None:
    """190 MB of zeros are 0.2 MB in an archive, and took 2.6 GB and half a minute."""
    mesh = '<mesh filename="m.obj"/>'
    text = f'<robot name="r"><link name="l"><visual><geometry>{mesh}</geometry></visual></link></robot>'
    data = zipped({"r.urdf": text, "m.obj": b"v 0 0 0\n" * (4 * 2**20)})
    assert scenes.packed_robot(data, "r.zip").remarks == ("mesh 'm.obj' is left out: it has more than 24 MB unpacked",)
