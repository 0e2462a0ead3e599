"""A glTF file is held against the rules of the specification, and its poses against the mechanics."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import dynamics as dyn
from tests.scenes.reel.conftest import LENGTH, MACHINES, motion

WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
KINDS = {5126: np.dtype("<f4"), 5125: np.dtype("<u4")}


class File:
    """What stands in a .glb file, read as the specification says."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        magic, version, length = struct.unpack_from("<4sII", data)
        assert (magic, version, length) == (b"glTF", 2, len(data))
        size, kind = struct.unpack_from("<I4s", data, 12)
        assert (kind, size % 4) == (b"JSON", 0)
        self.tree = json.loads(data[20 : 20 + size])
        rest, kind = struct.unpack_from("<I4s", data, 20 + size)
        assert (kind, rest % 4) == (b"BIN\0", 0)
        self.data = data[28 + size :]
        assert len(self.data) == rest

    def array(self, number: int) -> NDArray[Any]:
        accessor = self.tree["accessors"][number]
        view = self.tree["bufferViews"][accessor["bufferView"]]
        kind, width = KINDS[accessor["componentType"]], WIDTHS[accessor["type"]]
        assert (view["byteOffset"] % 4, view["byteLength"]) == (0, accessor["count"] * width * kind.itemsize)
        assert view["byteOffset"] + view["byteLength"] <= len(self.data)
        found = np.frombuffer(self.data, kind, accessor["count"] * width, view["byteOffset"])
        found = found if width == 1 else found.reshape(-1, width)
        for end, told in ((np.min, accessor.get("min")), (np.max, accessor.get("max"))):
            assert told is None or end(found, axis=0).ravel().tolist() == told
        return found

    def motion(self, node: int) -> dict[str, tuple[NDArray[Any], NDArray[Any]]]:
        """Times and values of a node, by what of it moves."""
        (animation,) = self.tree["animations"]
        found = {}
        for channel in animation["channels"]:
            if channel["target"]["node"] == node:
                sampler = animation["samplers"][channel["sampler"]]
                found[channel["target"]["path"]] = (self.array(sampler["input"]), self.array(sampler["output"]))
        return found


def written(name: str, folder: Path, **options: Any) -> File:
    path = folder / "run.glb"
    motion(name).to_gltf(path, **options)
    return File(path)


def test_the_poses_are_those_of_the_mechanics(tmp_path: Path) -> None:
    for name in MACHINES:
        file, recording = written(name, tmp_path, rate=50.0), motion(name)
        nodes, system = file.tree["nodes"], recording.segments[0].system
        number = {node["name"]: at for at, node in enumerate(nodes)}
        bodies = [f"link {link}" for link in system.link_names]
        bodies += [] if system.task_object is None else [f"object {system.task_object.name}"]
        worst = 0.0
        for at, body in enumerate(bodies):
            moves = file.motion(number[body])
            times, places = moves["translation"]
            assert times.tolist() == pytest.approx(np.linspace(0.0, LENGTH, 16), abs=1e-7)
            for time, place, turn in zip(times.tolist(), places, moves["rotation"][1], strict=True):
                state = recording.state_at(min(time, LENGTH))
                links = dyn.forward_kinematics(recording.system_at(min(time, LENGTH)), state).pose
                pose = links[at] if at < len(links) else state.object_pose
                turned = Rotation.from_quat(turn.astype(float)).as_matrix()
                worst = max(worst, np.abs(place - pose[:3, 3]).max(), np.abs(turned - pose[:3, :3]).max())
        assert worst < 1e-6
        assert len(file.tree["animations"][0]["channels"]) == 2 * len(bodies)


def test_it_keeps_the_rules_of_the_specification(tmp_path: Path) -> None:
    for name in MACHINES:
        file = written(name, tmp_path)
        tree = file.tree
        assert (tree["asset"]["version"], tree["buffers"]) == ("2.0", [{"byteLength": len(file.data)}])
        for mesh in tree["meshes"]:
            for primitive in mesh["primitives"]:
                points = file.array(primitive["attributes"]["POSITION"])
                assert "min" in tree["accessors"][primitive["attributes"]["POSITION"]]
                normals = file.array(primitive["attributes"]["NORMAL"])
                assert np.linalg.norm(normals, axis=1) == pytest.approx(1.0, abs=1e-5)
                faces = file.array(primitive["indices"])
                assert (len(faces) % 3, len(normals)) == (0, len(points))
                assert faces.max() < len(points)
                for color in primitive["attributes"].keys() & {"COLOR_0"}:
                    colors = file.array(primitive["attributes"][color])
                    assert len(colors) == len(points)
                    assert 0.0 <= colors.min() <= colors.max() <= 1.0
                targets = [tree["accessors"][at]["bufferView"] for at in (*primitive["attributes"].values(),)]
                assert {tree["bufferViews"][at]["target"] for at in targets} == {34962}
                assert tree["bufferViews"][tree["accessors"][primitive["indices"]]["bufferView"]]["target"] == 34963
                factor = tree["materials"][primitive["material"]]["pbrMetallicRoughness"]["baseColorFactor"]
                assert 0.0 <= min(factor) <= max(factor) <= 1.0
        for node in range(len(tree["nodes"]) - 1):
            for path, (times, values) in file.motion(node).items():
                assert (np.diff(times) > 0.0).all()
                assert (times[0], len(times)) == (0.0, len(values))
                assert {"min", "max"} <= tree["accessors"][tree["animations"][0]["samplers"][0]["input"]].keys()
                if path == "rotation":
                    assert np.linalg.norm(values.astype(float), axis=1) == pytest.approx(1.0, abs=1e-6)
                    assert (np.einsum("ij,ij->i", values[1:], values[:-1]) > 0.0).all()
                assert values[0].tolist() == pytest.approx(tree["nodes"][node][path], abs=1e-6)


def test_up_is_y(tmp_path: Path) -> None:
    for gravity in [(0.0, 0.0, -9.81), (0.0, 9.81, 0.0), (9.0, 1.0, 2.0)]:
        system = dyn.single_arm(dyn.planar_chain(2), gravity=gravity)
        dyn.simulate(system, system.home(), duration=0.02, dt=0.01).to_gltf(tmp_path / "run.glb")
        tree = File(tmp_path / "run.glb").tree
        (root,) = tree["scenes"][tree["scene"]]["nodes"]
        world = tree["nodes"][root]
        assert world["children"] == [at for at in range(len(tree["nodes"])) if at != root]
        down = Rotation.from_quat(world["rotation"]).apply(np.array(gravity) / np.linalg.norm(gravity))
        assert down == pytest.approx([0.0, -1.0, 0.0], abs=1e-12)


def test_a_short_recording_and_one_that_begins_late(tmp_path: Path) -> None:
    system = dyn.single_arm(dyn.planar_chain(2))
    run = dyn.Simulation(system, system.home()).recording
    run.to_gltf(tmp_path / "run.glb")
    file = File(tmp_path / "run.glb")
    assert file.array(file.tree["animations"][0]["samplers"][0]["input"]).tolist() == [0.0]


def test_progress_is_reported_and_a_stop_leaves_no_trace(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    path = tmp_path / "run.glb"
    motion("puma560").to_gltf(path, rate=1000.0, progress=lambda *how: told.append(how))
    assert told == [(200, 301), (301, 301)]
    before = path.read_bytes()

    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        motion("free_flyer").to_gltf(path, progress=stop)
    assert ([one.name for one in tmp_path.iterdir()], path.read_bytes()) == (["run.glb"], before)
