"""A film of the walk: every half-step in its order, as the view draws it, with its words below; whole or not at all."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import click
import numpy as np
import pytest

import dynamics as dyn
import scenes
from app.commands import walking
from app.state.walk import whole_walk
from app.walker.film import MOST_LINES, slides_of
from scenes.layers import AUTOMATIC
from scenes.reel.slides import Slides
from tests.scenes.reel.taken_apart import likeness, pictures

pytestmark = pytest.mark.slow

SIZE = (320, 240)
NEAR = 33.0
"""dB, PSNR: what a picture with thin letters and edges keeps at least."""


def filmed(out: Path, name: str = "planar_chain", **options: object) -> walking.Told:
    told = {"size": SIZE, "rate": 5.0, "speed": 1.0, "layers": None, "camera": None, "theme": "light"}
    told |= {"each": 0.4} | options
    return walking.film(name, False, None, None, str(out), **told)  # type: ignore[arg-type]


@pytest.mark.render
def test_its_pictures_are_those_of_the_view(tmp_path: Path) -> None:
    path = tmp_path / "walk.mp4"
    report = filmed(path)
    system, state = dyn.example("planar_chain")
    solution = dyn.forward_dynamics(system, state)
    slides = slides_of(solution, np.zeros(system.n_joints), [])
    assert [slide.look.link for slide in slides] == [place.link for place in whole_walk(system)]
    found = pictures(path)
    assert len(found) == report["pictures"] == 2 * len(slides)
    shown = Slides(solution, slides, SIZE)
    scene, (wide, high) = shown.scene(), shown.view_size
    camera = shown.seen(scene)
    with scenes.PictureServer() as server:
        for at, slide in enumerate(slides):
            transforms = scene.transforms(solution, (*AUTOMATIC, *slide.layers), slide.look)
            if at in (0, 3, len(slides) - 1):
                data = server.draw(scene, transforms, camera, (wide, high), file_format="raw")
                expected = np.frombuffer(data, np.uint8).reshape(high, wide, 3)
                assert likeness(found[2 * at][:high], expected) > NEAR
    words = [picture[high:].astype(int) for picture in found[::2]]
    assert all(each.min() < 100 for each in words)  # letters
    assert all(np.abs(one - other).max() > 100 for one, other in pairwise(words))


@pytest.mark.render
def test_a_recording_gives_the_same_pictures(tmp_path: Path) -> None:
    filmed(tmp_path / "walk.mp4")
    recording, told = dyn.simulate(*dyn.example("planar_chain"), duration=0.1, dt=0.01), list[tuple[int, int]]()
    recording.to_film(tmp_path / "same.mp4", SIZE, 5.0, walk=0.4, layers=[], progress=lambda *at: told.append(at))
    assert (tmp_path / "same.mp4").read_bytes() == (tmp_path / "walk.mp4").read_bytes()
    steps = len(whole_walk(recording.segments[0].system))
    assert told == [(at, steps) for at in range(1, steps + 1)]
    with pytest.raises(dyn.StateError, match="seconds above zero"):
        recording.to_film(tmp_path / "none.mp4", walk=0.0)
    with pytest.raises(dyn.StateError, match="of a motion"):
        recording.to_film(tmp_path / "none.mp4", walk=1.0, speed=0.5)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("name", ["planar_chain", "two_arms_and_box", "free_flyer"])
def test_each_half_step_has_its_sentence_and_its_lines(name: str) -> None:
    system, state = dyn.example(name)
    slides = slides_of(dyn.forward_dynamics(system, state), np.zeros(system.n_joints), ["trails"])
    assert len({slide.words[0] for slide in slides}) == len(slides) == len(whole_walk(system))
    assert slides[0].words[0].startswith(f"1 of {len(slides)}. Inward filter, ")
    assert any("P[k] = " in line and "R87 (37)" in line for line in slides[0].words)
    assert all(2 <= len(slide.words) <= 1 + MOST_LINES for slide in slides)
    assert all("trails" in slide.layers for slide in slides)


@pytest.mark.render
def test_of_what_is_stopped_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "walk.mp4").write_text("what was there before")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Slides, "_written", stop)
    with pytest.raises(KeyboardInterrupt):
        filmed(tmp_path / "walk.mp4")
    assert [one.name for one in tmp_path.iterdir()] == ["walk.mp4"]
    assert (tmp_path / "walk.mp4").read_text() == "what was there before"


@pytest.mark.parametrize(
    ("error", "options", "said"),
    [(click.UsageError, {"speed": 0.5}, "of a motion"), (dyn.StateError, {"size": (321, 200)}, "even numbers"),
     (dyn.StateError, {"size": (9000, 16)}, "4096"), (click.UsageError, {"name": "none.recording"}, "no recording"),
     (click.UsageError, {"name": "nobody"}, "no machine"), (dyn.StateError, {"each": 1e6}, "at most 60"),
     (dyn.StateError, {"camera": 6 * (0.0,)}, "another point"), (dyn.StateError, {"layers": "seas"}, "seas")],
)  # fmt: skip
def test_what_cannot_be_is_refused(
    error: type[Exception], options: dict[str, object], said: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=said):
        filmed(tmp_path / "walk.mp4", **options)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())
