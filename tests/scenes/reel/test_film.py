"""A film is taken apart again: its pictures are the view's own, as many and as long as they should be."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
import scenes
from scenes.reel import Reel, encoder
from scenes.reel.film import instants
from tests.scenes.reel.conftest import LENGTH, MACHINES, motion
from tests.scenes.reel.taken_apart import av, likeness, pictures

NEAR = 37.0
"""dB: what a picture keeps at least, PSNR over all three colors; half the chroma alone costs thin edges that much."""
SIZE = (320, 200)
ALL_LAYERS = {
    "puma560": ["trails", "articulated_inertia", "force"], "two_arms_and_box": ["contact_force", "trails"],
    "free_flyer": ["momentum", "mass_center_path"], "tree": [],
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.render
@pytest.mark.parametrize("form", ["mp4", "webm"])
@pytest.mark.parametrize("name", MACHINES)
def test_its_pictures_are_those_of_the_view(name: str, form: str, tmp_path: Path) -> None:
    recording, path, layers = motion(name), tmp_path / f"run.{form}", ALL_LAYERS[name]
    recording.to_film(path, SIZE, 20.0, 0.5, layers)
    found = pictures(path)
    reel = Reel(recording, layers)
    times = instants(reel.begin, reel.end, 20.0, 0.5)
    assert len(found) == len(times) == 12
    shown = ["links", "object", "ground", *layers]
    with scenes.PictureServer() as server:
        for at in (0, 5, 11):  # of bodies and of what has no past the view is asked itself
            transforms = list(reel.transforms(times[: at + 1]))[-1]
            if not {"trails", "mass_center_path"} & set(layers):
                own = reel.scene.transforms(recording.solution_at(times[at]), shown)
                assert transforms == pytest.approx(own, abs=1e-6)
            data = server.draw(reel.scene, transforms, reel.camera(SIZE), SIZE, file_format="raw")
            expected = np.frombuffer(data, np.uint8).reshape(SIZE[1], SIZE[0], 3)
            assert expected.std() > 8.0
            print(f"{name} {form} {at}: {likeness(found[at], expected):.1f} dB")
            assert likeness(found[at], expected) > NEAR
    assert likeness(found[0], found[-1]) < NEAR  # or any picture would do


@pytest.mark.parametrize(
    ("rate", "speed", "count"), [(30.0, 1.0, 9), (29.97, 0.5, 18), (10.0, 30.0, 1), (60.0, 0.1, 180)]
)
def test_it_lasts_as_long_as_the_motion(rate: float, speed: float, count: int) -> None:
    times = instants(1.0, 1.0 + LENGTH, rate, speed)
    assert (len(times), times[0]) == (count, 1.0)
    assert np.diff(times) == pytest.approx(speed / rate)
    assert times[-1] <= 1.0 + LENGTH
    assert len(times) / rate == pytest.approx(LENGTH / speed, abs=max(0.5 / rate, 1.0 / rate * (count == 1)))


@pytest.mark.slow
@pytest.mark.render
@pytest.mark.parametrize("form", ["mp4", "webm"])
def test_players_are_told_rate_length_and_colors(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"run.{form}"
    motion("puma560").to_film(path, (64, 32), 29.97, 0.25, [])
    with av.open(str(path)) as file:
        (stream,) = file.streams
        frames = list(file.decode(stream))
        assert (stream.width, stream.height, stream.pix_fmt) == (64, 32, "yuv420p")
        assert float(stream.average_rate) == pytest.approx(29.97, abs=0.02)
        assert file.duration / 1e6 == pytest.approx(LENGTH / 0.25, abs=0.03)
        assert [float(frame.time) for frame in frames] == pytest.approx(np.arange(len(frames)) / 29.97, abs=1.1e-3)
        assert (int(frames[0].colorspace), int(frames[0].color_range)) == (encoder.BT709, encoder.LIMITED)


@pytest.mark.slow
@pytest.mark.render
def test_a_camera_stands_where_it_is_told_and_a_theme_is_worn(tmp_path: Path) -> None:
    recording, path = motion("puma560"), tmp_path / "run.mp4"
    recording.to_film(path, (64, 64), 10.0, layers=[], camera=[[0.0, 0.0, 9.0], [0.0, 0.0, 0.0]], theme="dark")
    from_above = pictures(path)[0]
    recording.to_film(path, (64, 64), 10.0, layers=[], theme="dark")
    assert likeness(from_above, pictures(path)[0]) < 30.0
    assert from_above.mean() < 90.0
    recording.to_film(path, (64, 64), 10.0, layers=[])
    assert pictures(path)[0].mean() > 150.0


@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("size", [(1920, 1080), (200, 320)])
def test_every_body_stays_in_sight(name: str, size: tuple[int, int]) -> None:
    reel = Reel(motion(name), [])
    camera = reel.camera(size)
    eye, middle = np.array(camera.position), np.array(camera.focal_point)
    ahead = (middle - eye) / np.linalg.norm(middle - eye)
    right = np.cross(ahead, camera.up)
    right /= np.linalg.norm(right)
    half = np.tan(np.radians(0.5 * camera.angle))
    fills = 0.0
    for rows in reel.transforms(np.linspace(reel.begin, reel.end, 7)):
        for mesh, pose in zip(reel.scene.meshes, rows.reshape(-1, 3, 4), strict=True):
            if mesh.layer in ("links", "object"):
                seen = mesh.points @ pose[:, :3].T + pose[:, 3] - eye
                depth = seen @ ahead
                across, along = np.abs(seen @ right) / depth, np.abs(seen @ np.cross(right, ahead)) / depth
                fills = max(fills, across.max() / (half * size[0] / size[1]), along.max() / half)
    assert 0.5 < fills <= 1.0


def test_scales_hold_for_all_of_it() -> None:
    reel = Reel(motion("two_arms_and_box"), ["contact_force", "force", "articulated_inertia"])
    before = reel.scene.scales.values
    for _ in reel.transforms(np.linspace(reel.begin, reel.end, 40)):
        assert reel.scene.scales.values == before


def test_where_the_mechanics_has_no_answer_the_last_moment_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = motion("puma560")
    reel = Reel(recording, [])
    times = np.array([0.0, 0.1, 0.2])
    first, _, last = reel.transforms(times)
    answer = dyn.Recording.solution_at

    def fails(*_: object) -> Any:
        raise dyn.SingularConfigurationError("no answer")

    def one(self: dyn.Recording, t: float) -> dyn.Solution:
        return fails() if t == 0.1 else answer(self, t)

    monkeypatch.setattr(dyn.Recording, "solutions_at", fails)
    monkeypatch.setattr(dyn.Recording, "solution_at", one)
    assert [rows.tolist() for rows in reel.transforms(times)] == [first.tolist(), first.tolist(), last.tolist()]


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("run.avi", {}, r"\.mp4, \.webm"), ("run.mp4", {"size": (321, 200)}, "even"), ("run.mp4", {"size": 3}, "size"),
        ("run.mp4", {"size": (8192, 16)}, "4096"), ("run.mp4", {"rate": 0.0}, "1 to 240"),
        ("run.mp4", {"speed": 0.0}, "above zero"), ("run.mp4", {"speed": 1e-9}, "1,000,000"),
        ("run.mp4", {"layers": ["blue"]}, "articulated_inertia"),
        ("run.mp4", {"layers": ["influence"]}, "unknown here"),
        ("run.mp4", {"camera": np.zeros((2, 3))}, "another point"), ("run.mp4", {"theme": "blue"}, "light, dark"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused(name: str, options: dict[str, Any], said: str, tmp_path: Path) -> None:
    with pytest.raises(dyn.StateError, match=said):
        motion("puma560").to_film(tmp_path / name, **options)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.render
@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("enough"), OSError("enough")])
def test_it_tells_how_far_it_is_and_is_stopped_without_a_trace(error: BaseException, tmp_path: Path) -> None:
    path, told = tmp_path / "run.mp4", []
    path.write_text("what was there before")

    def stop(*how: int) -> None:
        told.append(how)
        if len(told) == 3:
            raise error

    with pytest.raises(type(error)) as raised:
        motion("puma560").to_film(path, (64, 32), 30.0, layers=[], progress=stop)
    assert raised.value is error
    assert told == [(1, 9), (2, 9), (3, 9)]
    assert [one.name for one in tmp_path.iterdir()] == ["run.mp4"]
    assert path.read_text() == "what was there before"


@pytest.mark.slow
@pytest.mark.render
def test_of_a_disk_that_is_full_nothing_is_left(tmp_path: Path) -> None:
    """The system lets no file of this process grow beyond some bytes: what it says then is what a full disk says."""
    code = (
        "import resource, sys, dynamics as dyn, numpy as np\n"
        "recording = dyn.load_recording(sys.argv[1])\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, (2000, {resource.RLIM_INFINITY}))\n"
        "try:\n    recording.to_film(sys.argv[2], (320, 200), 30.0, layers=[])\n"
        "except dyn.StateError as error:\n    print(error)\n"
    )
    motion("puma560").save(tmp_path / "run.recording")
    (tmp_path / "films").mkdir()
    words = [sys.executable, "-c", code, str(tmp_path / "run.recording"), str(tmp_path / "films" / "run.mp4")]
    found = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "cannot be written: File too large" in found.stdout
    assert not list((tmp_path / "films").iterdir())


def test_without_an_encoder_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(encoder, "import_module", missing)
    with pytest.raises(dyn.StateError, match=r"pip install armsweep\[film\]"):
        motion("puma560").to_film(tmp_path / "run.mp4")
    assert not list(tmp_path.iterdir())


def test_without_opengl_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> None:
        raise RuntimeError("apt-get install libegl1")

    monkeypatch.setattr(scenes.PictureServer, "_start", missing)
    with pytest.raises(dyn.StateError, match="libegl1"):
        motion("puma560").to_film(tmp_path / "run.mp4")
