"""Pictures are drawn by a child process, which may fail without harm to ours."""

import io
import os
import subprocess
import sys
import time

import numpy as np
import pytest
from PIL import Image

import scenes
from scenes import picture_server as pictures
from tests.scenes.conftest import moment

pytestmark = pytest.mark.slow


def pixels(data):
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


@pytest.mark.render
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_picture_is_not_blank_and_is_written(tmp_path, theme):
    path = tmp_path / "moment.png"
    data = scenes.picture(*moment("two_arms_and_box"), path, size=(320, 200), theme=theme)
    assert path.read_bytes() == data
    image = pixels(data)
    assert image.shape == (200, 320, 3)
    empty = pixels(scenes.picture(*moment("two_arms_and_box"), size=(320, 200), theme=theme, visible=()))
    assert (np.abs(image - empty).sum(axis=2) > 40).mean() > 0.08
    assert image.std() > 8.0


@pytest.mark.render
def test_a_server_draws_many_and_leaves_no_process():
    system, solution = moment("four_arms_and_box")
    scene, other = scenes.Scene(system, solution), scenes.Scene(*moment("puma560"))
    with scenes.PictureServer() as server:
        child = server._child
        first = server.draw(scene, scene.transforms(solution))
        assert Image.open(io.BytesIO(first)).format == "JPEG"
        start = time.perf_counter()
        for _ in range(10):
            again = server.draw(scene, scene.transforms(solution))
        print(f"{10 / (time.perf_counter() - start):.0f} pictures a second")
        assert np.abs(pixels(again) - pixels(first)).max() < 30
        hidden = server.draw(scene, scene.transforms(solution, ()), file_format="png")
        assert len(np.unique(pixels(hidden)[:, 0], axis=0)) > 1  # the gradient of the background
        bodies = server.draw(other, other.transforms(moment("puma560")[1]), size=(200, 100), background="#102030")
        assert pixels(bodies).shape == (100, 200, 3)
    assert child.returncode is not None
    with pytest.raises(RuntimeError, match="closed"):
        server.draw(scene, scene.transforms(solution))


@pytest.mark.render
def test_a_child_that_dies_is_reported_and_replaced():
    system, solution = moment("puma560")
    scene = scenes.Scene(system, solution)
    with scenes.PictureServer() as server:
        first = server._child
        first.kill()
        first.wait()
        assert server.draw(scene, scene.transforms(solution), size=(64, 40))
        assert server._child is not first
        with pytest.raises(RuntimeError, match="render process failed"):
            server.draw(scene, scene.transforms(solution)[:2])
        assert server.draw(scene, scene.transforms(solution), size=(64, 40))


@pytest.mark.render
def test_a_server_that_is_forgotten_takes_its_child_along():
    server = scenes.PictureServer()
    child = server._child
    del server
    assert child.wait(10.0) is not None


@pytest.mark.render
def test_a_child_outlives_no_parent():
    code = "import os, scenes; s = scenes.PictureServer(); print(s._child.pid, flush=True); os.kill(os.getpid(), 9)"
    parent = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    pid = int(parent.stdout)
    for _ in range(100):
        if not alive(pid):
            break
        time.sleep(0.1)
    assert not alive(pid)


def alive(pid):
    """Whether a process runs; one that has ended and waits to be collected does not."""
    try:
        os.kill(pid, 0)
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_without_opengl_the_error_names_the_packages(monkeypatch):
    def crash(window, log):
        return subprocess.Popen(
            [sys.executable, "-c", "import os; os.abort()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
        )

    monkeypatch.setattr(pictures, "_spawn", crash)
    with pytest.raises(RuntimeError, match="libegl1" if sys.platform.startswith("linux") else "ended"):
        scenes.PictureServer()


@pytest.mark.render
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="windows are chosen on Linux only")
def test_the_second_kind_of_window_serves_where_the_first_does_not(monkeypatch):
    tried = []
    spawn = pictures._spawn

    def first_fails(window, log):
        tried.append(window)
        if len(tried) == 1:
            return subprocess.Popen(
                [sys.executable, "-c", ""], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
            )
        return spawn(pictures.WINDOWS[0], log)

    monkeypatch.setattr(pictures, "_spawn", first_fails)
    with scenes.PictureServer():
        assert tried == list(pictures.WINDOWS)
