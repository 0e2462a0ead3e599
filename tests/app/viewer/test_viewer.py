"""What the viewer sends and hears, without a browser."""

import json
import math
from dataclasses import dataclass

import numpy as np
import pytest

from app.viewer import Viewer, piece
from app.viewer.playing import PIECE
from app.viewer.shapes import SHAPES
from app.viewer.viewer import HEADER

COUNT = 70


@dataclass(frozen=True)
class Mesh:
    """A mesh of random triangles."""

    name: str
    kind: str
    link: int | None
    arm: int | None
    points: np.ndarray
    normals: np.ndarray
    faces: np.ndarray
    color: tuple[float, ...]


def meshes() -> list[Mesh]:
    draw, made = np.random.default_rng(7), list[Mesh]()
    for k in range(COUNT):
        points, faces = draw.normal(size=(5 + k, 3)), draw.integers(0, 5 + k, (9, 3))
        normals = points / np.linalg.norm(points, axis=1, keepdims=True)
        place = (k, k % 4) if k % 3 else (None, None)
        made.append(Mesh(f"mesh {k}", ("link", "arrow")[k % 2], *place, points, normals, faces, (0.8, 0.4, 0.1, 1.0)))
    return made


def transforms(t: float) -> np.ndarray:
    """(meshes, 12), where some meshes are not seen."""
    rows = np.random.default_rng(round(10 * t)).normal(size=(COUNT, 12)).astype(np.float32)
    rows[30:35] = 0.0
    return rows


@pytest.fixture
def viewer() -> Viewer:
    viewer = Viewer()
    camera = {"position": (3, 0, 1), "target": (0, 0, 1)}
    viewer.set_scene(meshes(), transforms(0.0), camera, whole=True)
    return viewer


@pytest.fixture
def sent(viewer: Viewer, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    messages: list[bytes] = []
    monkeypatch.setattr(viewer, "_send_msg", messages.append)
    return messages


def test_the_scene_holds_each_mesh_in_its_rows(viewer: Viewer) -> None:
    scene = viewer.scene
    assert [scene[name].dtype for name in ("points", "normals", "faces")] == [np.int16, np.int8, np.uint16]
    for mesh, row in zip(meshes(), json.loads(scene["meshes"]), strict=True):
        points = scene["points"][slice(*row["points"])] * row["unit"]
        np.testing.assert_allclose(points, mesh.points, atol=0.51 * row["unit"])
        assert row["unit"] * 32767 == pytest.approx(np.abs(mesh.points).max())
        np.testing.assert_allclose(scene["normals"][slice(*row["points"])] / 127, mesh.normals, atol=0.51 / 127)
        faces = scene["faces"][slice(*row["faces"])]
        np.testing.assert_array_equal(faces, mesh.faces)
        said = [row.get(name) for name in ("name", "kind", "link", "arm")]
        assert said == [mesh.name, mesh.kind, mesh.link, mesh.arm]
    assert len(scene["points"]) == row["points"][1]
    assert scene["camera"] == {"position": [3.0, 0.0, 1.0], "target": [0.0, 0.0, 1.0]}


def test_a_browser_asks_for_the_large_shapes_that_it_lacks(
    viewer: Viewer, sent: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.viewer.shapes.LARGE", 1)
    all_meshes = meshes()
    viewer.set_scene(all_meshes, whole=True)
    whole = viewer.scene
    viewer.set_scene(all_meshes)
    apart = [row for row in json.loads(viewer.scene["meshes"]) if "digest" in row]
    assert apart
    assert not any("points" in row for row in apart)
    digest = apart[0]["digest"]
    for asked in ("all", 7, [None, {}, "0" * 16]):
        viewer._handle_msg({"shapes": asked})
    assert [np.frombuffer(message, np.uint32).tolist() for message in sent] == [[SHAPES, 0]]
    viewer._handle_msg({"shapes": [digest, digest]})
    message = sent[-1]
    assert np.frombuffer(message, np.uint32, 2).tolist() == [SHAPES, 1]
    assert message[8:24] == digest.encode()
    points, faces, width, colors = np.frombuffer(message, np.uint32, 4, 24).tolist()
    row = next(row for row in json.loads(whole["meshes"]) if row.get("digest") == digest)
    np.testing.assert_array_equal(
        np.frombuffer(message, np.uint16, 3 * faces, 40).reshape(-1, 3), whole["faces"][slice(*row["faces"])]
    )
    np.testing.assert_array_equal(
        np.frombuffer(message, np.int16, 3 * points, 40 + 3 * width * faces).reshape(-1, 3),
        whole["points"][slice(*row["points"])],
    )
    assert len(message) - 40 - 3 * width * faces - 9 * points - 4 * colors in range(4)


def unpacked(message: bytes, n_meshes: int) -> np.ndarray:
    """The transforms of all meshes as the page has them after a frame; zeros for what did not travel."""
    count = int(np.frombuffer(message, np.uint32, 1, HEADER.size)[0])
    runs = np.frombuffer(message, np.uint32, 2 * count, HEADER.size + 4).reshape(-1, 2)
    rows = np.frombuffer(message, np.float32, offset=HEADER.size + 4 + 8 * count).reshape(-1, 12)
    out = np.zeros((n_meshes, 12), np.float32)
    out[np.concatenate([np.arange(first, end) for first, end in runs] or [np.empty(0, int)])] = rows
    return out


def runs(array: np.ndarray) -> int:
    seen = array.any(axis=1).astype(int)
    return int((np.diff(seen, prepend=0) == 1).sum())


def test_a_frame_is_its_header_and_forty_eight_bytes_a_mesh(viewer: Viewer, sent: list[bytes]) -> None:
    array = transforms(1.0)
    viewer.move(array.astype(np.float64))
    version, frame, _, moment = HEADER.unpack(sent[0][: HEADER.size])
    assert (version, frame) == (viewer.scene["version"], 1)
    assert math.isnan(moment)  # of no run
    np.testing.assert_array_equal(unpacked(sent[0], 70), array)
    assert len(sent[0]) == HEADER.size + 4 + 8 * runs(array) + 48 * int(array.any(axis=1).sum())


def instants_of(message: bytes, n_meshes: int) -> tuple[list[int], np.ndarray, np.ndarray]:
    """The head of a piece, its times, and the transforms (instants, meshes, 12) of all meshes."""
    head = [int(x) for x in np.frombuffer(message, np.uint32, 8)]
    count, n_runs = head[6:]
    times = np.frombuffer(message, float, count, 32)
    runs_ = np.frombuffer(message, np.uint32, 2 * n_runs, 32 + 8 * count).reshape(-1, 2)
    rows = np.frombuffer(message, np.float32, offset=32 + 8 * count + 8 * n_runs).reshape(count, -1, 12)
    out = np.zeros((count, n_meshes, 12), np.float32)
    out[:, np.concatenate([np.arange(first, end) for first, end in runs_] or [np.empty(0, int)])] = rows
    return head, times, out


def test_a_piece_holds_every_mesh_that_any_of_its_instants_shows() -> None:
    poses = np.stack([transforms(t) for t in (0.0, 0.1, 0.2)]).astype(np.float32)
    poses[:, 3:9] = 0.0
    poses[1:, 20] = 0.0  # seen at one instant alone
    head, times, found = instants_of(piece(4, 7, 9, 30, 5, [0.6, 0.7, 0.75], poses), 70)
    assert (head, times.tolist()) == ([PIECE, 4, 7, 9, 30, 5, 3, runs(poses.any(axis=0))], [0.6, 0.7, 0.75])
    np.testing.assert_array_equal(found, poses)
    head, _, found = instants_of(piece(1, 1, 1, 0, 1, [0.0], np.zeros((1, 70, 12), np.float32)), 70)
    assert head[7] == 0
    assert not found.any()
