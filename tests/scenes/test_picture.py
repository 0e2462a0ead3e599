"""Pictures are drawn by a child process, which may fail without harm to ours; a view is the replay in a frame."""

import html
import io
import re
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

import dynamics as dyn
import scenes
from scenes import picture_server as pictures
from tests.scenes.conftest import moment


def pixels(data):
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


@pytest.mark.full
@pytest.mark.render
def test_a_server_draws_what_is_there_replaces_its_child_and_leaves_none():
    system, solution = moment("two_arms_and_box")
    scene, other, size = scenes.Scene(system, solution), scenes.Scene(*moment("puma560")), (320, 200)
    with scenes.PictureServer() as server:
        first = server.draw(scene, scene.transforms(solution), size=size)
        assert Image.open(io.BytesIO(first)).format == "JPEG"
        empty = server.draw(scene, scene.transforms(solution, ()), size=size, file_format="png")
        assert (np.abs(pixels(first) - pixels(empty)).sum(axis=2) > 40).mean() > 0.08
        bodies = server.draw(other, other.transforms(moment("puma560")[1]), size=(200, 100), background="#102030")
        assert pixels(bodies).shape == (100, 200, 3)
        dead = server._child
        dead.kill()
        dead.wait()
        assert server.draw(scene, scene.transforms(solution), size=(64, 40))
        child = server._child
        assert child is not dead
    assert child.returncode is not None
    with pytest.raises(RuntimeError, match="closed"):
        server.draw(scene, scene.transforms(solution))


def test_without_opengl_the_error_names_the_packages(monkeypatch):
    def crash(window, log):
        return subprocess.Popen(
            [sys.executable, "-c", "import os; os.abort()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
        )

    monkeypatch.setattr(pictures, "_spawn", crash)
    with pytest.raises(RuntimeError, match="libegl1" if sys.platform.startswith("linux") else "ended"):
        scenes.PictureServer()


PACKED = re.compile(r"[\w+/=]{200,}")
"""Which says when it was packed."""


@pytest.mark.compiled_only
def test_it_is_the_replay_in_a_frame_of_its_own() -> None:
    arm, state = dyn.example("planar_chain")
    recording = dyn.simulate(arm, state, duration=0.2, dt=1e-2)
    shown = scenes.view(recording, 300, "<b>")
    assert "&lt;b&gt;" in shown.page
    assert len(PACKED.findall(shown.page)) > 0
    frame = shown._repr_html_()
    assert html.unescape(re.search(r'srcdoc="([^"]*)"', frame).group(1)) == shown.page
    assert "height:300px" in frame
    assert 'sandbox="allow-scripts allow-downloads"' in frame  # what it is, and nothing of the notebook's
    assert len(repr(shown)) < 100
