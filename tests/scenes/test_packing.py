"""A robot and its meshes in a zip: one text, drawn as the files are; and what is refused, in words."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
import pyvista as pv
import trimesh

import dynamics as dyn
import scenes
from dynamics.robot.model import INSIDE
from scenes import pack_process, packing
from scenes.links import MOST_TRIANGLES, geometry_mesh

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


@pytest.mark.slow
@pytest.mark.parametrize("name", ["talos", "ur5e"])
def test_a_packaged_robot_is_drawn_as_its_files_are(name: str) -> None:
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
        assert drawn is not None
        assert expected is not None
        np.testing.assert_allclose(drawn.bounds, expected.bounds, atol=1e-6)
        assert drawn.n_cells == expected.n_cells
    assert scenes.packed_robot(data, "again").text == packed.text  # a link knows it by its fingerprint


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["stl", "obj", "ply", "glb", "dae"])
def test_every_kind_of_mesh_is_read_with_its_scale(suffix: str) -> None:
    mesh = f"part.{suffix}"
    packed = scenes.packed_robot(zipped({"arm.urdf": ARM.format(mesh=mesh), mesh: mesh_bytes(suffix)}), "arm.zip")
    assert packed.remarks == ()
    (shape,) = shapes_of(dyn.load_urdf_text(packed.text, packed.name))
    drawn = geometry_mesh(shape, "#808080")
    assert drawn is not None
    np.testing.assert_allclose(np.sort(np.diff(np.reshape(drawn.bounds, (3, 2)))[:, 0]), [0.2, 0.4, 1.2], atol=1e-6)
    assert packed.text.count(INSIDE.encode()) == 1  # what only collides is not carried along


@pytest.mark.slow
def test_a_mesh_with_files_of_its_own_finds_them_in_the_archive_alone() -> None:
    parts = trimesh.creation.box((0.2, 0.4, 0.6)).export(file_type="gltf")
    named = {f"meshes/{'part.gltf' if name.endswith('gltf') else name}": data for name, data in parts.items()}
    data = zipped({"arm.urdf": ARM.format(mesh="meshes/part.gltf"), **named})
    assert scenes.packed_robot(data, "arm.zip").remarks == ()
    outside = {name: content.replace(b'"uri":"', b'"uri":"../../../../etc/') for name, content in named.items()}
    outside |= {name: content.replace(b'"uri": "', b'"uri": "../../../../etc/') for name, content in outside.items()}
    packed = scenes.packed_robot(zipped({"arm.urdf": ARM.format(mesh="meshes/part.gltf"), **outside}), "arm.zip")
    assert "part.gltf" in packed.remarks[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mesh", "place"),
    [
        ("package://arm_description/meshes/part.stl", "arm_description/meshes/part.stl"),
        ("package://arm_description/meshes/part.stl", "arm_description-main/meshes/part.stl"),
        ("../meshes/part.stl", "arm_description/meshes/part.stl"),
        ("meshes\\part.stl", "arm_description/urdf/meshes/part.stl"),
        ("file:///home/me/arm/meshes/part.stl", "part.stl"),
    ],
)
def test_a_mesh_is_found_however_it_is_called(mesh: str, place: str) -> None:
    urdf = f"{place.partition('/')[0]}/urdf/arm.urdf" if "/" in place else "arm.urdf"
    packed = scenes.packed_robot(zipped({urdf: ARM.format(mesh=mesh), place: mesh_bytes("stl")}), "arm.zip")
    assert packed.remarks == ()
    assert INSIDE.encode() in packed.text


@pytest.mark.slow
def test_a_mesh_of_very_many_triangles_is_thinned_out() -> None:
    ball = trimesh.creation.icosphere(subdivisions=6)
    assert len(ball.faces) > 20 * MOST_TRIANGLES
    packed = scenes.packed_robot(zipped({"arm.urdf": ARM.format(mesh="b.stl"), "b.stl": mesh_bytes("stl", ball)}), "a")
    (shape,) = shapes_of(dyn.load_urdf_text(packed.text))
    drawn = geometry_mesh(shape, "#808080")
    assert isinstance(drawn, pv.PolyData)
    assert 1000 < drawn.n_cells <= MOST_TRIANGLES
    np.testing.assert_allclose(drawn.bounds[:4], [-1.0, 1.0, -1.0, 1.0], atol=0.02)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "cannot be read"),
        (b"solid x\nendsolid x\n", "cannot be read"),
        (b"\x00" * 80 + (2**31).to_bytes(4, "little") + b"\x00" * 50, "cannot be read"),
        (b"\xff" * 4000, "cannot be read"),
        (mesh_bytes("stl", trimesh.creation.box((1.0, 1.0, 1e20))), "more than 1e+09 of its units"),
        (mesh_bytes("stl").replace(b"\xcd\xcc\xcc\x3d", b"\xff\xff\x7f\x7f"), "more than 1e+09 of its units"),
    ],
)
def test_a_mesh_that_is_none_is_left_out_and_the_robot_opens(content: bytes, said: str) -> None:
    packed = scenes.packed_robot(zipped({"arm.urdf": ARM.format(mesh="p.stl"), "p.stl": content}), "arm.zip")
    (remark,) = packed.remarks
    assert remark.startswith("mesh 'p.stl' is left out: ")
    assert said in remark or "no triangles" in remark
    assert packed.text.decode() == ARM.format(mesh="p.stl")


@pytest.mark.parametrize(
    ("mesh", "said"),
    [
        ("http://elsewhere/p.stl", "http addresses are not opened"),
        ("../../../etc/passwd", "ends in no suffix, not in one of .stl"),
        ("/etc/p.stl", "no such file"),
        ("missing.stl", "no such file"),
        ("p.step", "ends in .step, not in one of .stl"),
    ],
)
def test_nothing_is_read_but_the_archive(mesh: str, said: str) -> None:
    packed = scenes.packed_robot(zipped({"arm.urdf": ARM.format(mesh=mesh)}), "arm.zip")
    assert said in packed.remarks[0]


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


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "holds no robot description"),
        ({"readme.txt": "x"}, "holds no robot description"),
        ({"arm.urdf.xacro": "<robot/>"}, "expand xacro first"),
        ({"a.urdf": ARM, "b.urdf": ARM}, "several robots: a.urdf, b.urdf"),
        ({"arm.urdf": b"\x00" * (6 * 2**20)}, "holds no robot description"),
        ({f"{k}.txt": "" for k in range(2001)} | {"arm.urdf": ARM}, "more than 2,000 files"),
    ],
)
def test_an_archive_without_one_robot_is_refused_in_words(files: dict[str, bytes | str], said: str) -> None:
    with pytest.raises(dyn.ModelError, match=said):
        scenes.packed_robot(zipped(files), "arm.zip")


@pytest.mark.slow
def test_what_is_no_archive_or_a_bomb_is_refused_in_words() -> None:
    whole = zipped({"arm.urdf": ARM})
    for data in (b"PK\x03\x04", whole[: len(whole) // 2], b"", b"<robot/>"):
        with pytest.raises(dyn.ModelError, match="no zip archive"):
            scenes.packed_robot(data, "arm.zip")
    bomb = zipped({"arm.urdf": ARM, "p.stl": bytes(201 * 2**20)})
    assert len(bomb) < 2**19
    with pytest.raises(dyn.ModelError, match="200 MB unpacked"):
        scenes.packed_robot(bomb, "arm.zip")


@pytest.mark.slow
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


def test_both_sides_write_a_mesh_alike() -> None:
    assert pack_process.INSIDE == INSIDE
    assert zipped({"a": ""})[:4] == scenes.ARCHIVE


@pytest.mark.parametrize("suffix", ["obj", "stl"])
def test_a_mesh_of_more_bytes_than_any_needs_is_left_out_before_a_reader_is_loaded(suffix: str) -> None:
    """190 MB of zeros are 0.2 MB in an archive, and took 2.6 GB and half a minute."""
    text = (
        b'<robot name="r"><link name="l"><visual><geometry><mesh filename="m.%s"/></geometry></visual></link></robot>'
    )
    data = zipped({"r.urdf": text % suffix.encode(), f"m.{suffix}": b"v 0 0 0\n" * (4 * 2**20)})
    assert scenes.packed_robot(data, "r.zip").remarks == (
        f"mesh 'm.{suffix}' is left out: it has more than 24 MB unpacked",
    )


def test_files_that_may_be_robots_are_looked_through_as_far_as_a_robot_needs() -> None:
    data = zipped({f"{k}.xml": b"<mujoco>" + b" " * 600_000 for k in range(60)})
    with pytest.raises(dyn.ModelError, match=r"its \.urdf and \.xml files have more than 20 MB; leave one robot in it"):
        scenes.packed_robot(data, "many.zip")
