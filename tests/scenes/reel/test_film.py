"""A film lasts as long as its motion and keeps it in sight; its bodies are where the view has them."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import dynamics as dyn
from scenes.reel import Reel, encoder
from scenes.reel.film import instants
from tests.scenes.reel.conftest import LENGTH, MACHINES, motion

av = pytest.importorskip("av", reason="the extra film is not installed")
SIZE = (320, 200)


def pictures(path: Path) -> list[NDArray[np.uint8]]:
    with av.open(str(path)) as file:
        return [frame.to_ndarray(format="rgb24") for frame in file.decode(video=0)]


def likeness(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """dB."""
    error = np.mean((one.astype(float) - other.astype(float)) ** 2)
    return float(10.0 * np.log10(255.0**2 / max(error, 1e-9)))


@pytest.mark.render
@pytest.mark.parametrize("form", ["mp4", pytest.param("webm", marks=pytest.mark.full)])
def test_a_film_goes_on_and_states_rate_length_and_colors(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"run.{form}"
    motion("puma560").to_film(path, SIZE, 29.97, 1.0, [])
    with av.open(str(path)) as file:
        (stream,) = file.streams
        frames = list(file.decode(stream))
        assert (stream.width, stream.height, stream.pix_fmt) == (*SIZE, "yuv420p")
        assert float(stream.average_rate) == pytest.approx(29.97, abs=0.02)
        assert file.duration / 1e6 == pytest.approx(LENGTH, abs=0.03)
        assert [float(frame.time) for frame in frames] == pytest.approx(np.arange(len(frames)) / 29.97, abs=1.1e-3)
        assert (int(frames[0].colorspace), int(frames[0].color_range)) == (encoder.BT709, encoder.LIMITED)
    first, second, *_, last = pictures(path)
    assert likeness(first, second) > likeness(first, last)
    assert first.std() > 8.0


def test_a_film_lasts_as_long_as_the_motion() -> None:
    for rate, speed, count in [(30.0, 1.0, 9), (29.97, 0.5, 18), (10.0, 30.0, 1), (60.0, 0.1, 180)]:
        times = instants(1.0, 1.0 + LENGTH, rate, speed)
        assert ((len(times), times[0]), np.diff(times)) == ((count, 1.0), pytest.approx(speed / rate))
        assert times[-1] <= 1.0 + LENGTH
        assert len(times) / rate == pytest.approx(LENGTH / speed, abs=max(0.5 / rate, 1.0 / rate * (count == 1)))


def test_every_body_stays_in_sight() -> None:
    for size in [(1920, 1080), (200, 320)]:
        for name in MACHINES:
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


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    for name, options, said in (
        ("run.avi", {}, r"\.mp4, \.webm"), ("run.mp4", {"size": (321, 200)}, "even"), ("run.mp4", {"size": 3}, "size"),
        ("run.mp4", {"size": (8192, 16)}, "4096"), ("run.mp4", {"rate": 0.0}, "1 to 240"),
        ("run.mp4", {"speed": 0.0}, "above zero"), ("run.mp4", {"speed": 1e-9}, "1,000,000"),
        ("run.mp4", {"layers": ["blue"]}, "articulated_inertia"),
        ("run.mp4", {"layers": ["influence"]}, "unknown here"),
        ("run.mp4", {"camera": np.zeros((2, 3))}, "another point"), ("run.mp4", {"theme": "blue"}, "light, dark"),
    ):  # fmt: skip
        with pytest.raises(dyn.StateError, match=said):
            motion("puma560").to_film(tmp_path / name, **options)
        assert not list(tmp_path.iterdir())


def test_bodies_of_a_reel_are_where_the_view_has_them() -> None:
    for name, layers in (("two_arms_and_box", ["contact_force", "articulated_inertia"]), ("free_flyer", ["momentum"])):
        recording = motion(name)
        reel = Reel(recording, layers)
        times = instants(reel.begin, reel.end, 20.0, 0.5)
        for time, found in zip(times, reel.transforms(times), strict=True):
            own = reel.scene.transforms(recording.solution_at(time), ["links", "object", "ground", *layers])
            assert found == pytest.approx(own, abs=1e-6), (name, time)
