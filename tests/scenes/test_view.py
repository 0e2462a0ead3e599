"""The living 3D view of a run in a notebook's cell."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

import dynamics as dyn
import scenes

PACKED = re.compile(r"[\w+/=]{200,}")
"""Which says when it was packed."""
pytestmark = pytest.mark.compiled_only


@pytest.mark.slow
def test_it_is_the_replay_in_a_frame_of_its_own(tmp_path: Path) -> None:
    arm, state = dyn.example("planar_chain")
    recording = dyn.simulate(arm, state, duration=0.2, dt=1e-2)
    shown = scenes.view(recording, 300, "<b>")
    recording.to_html(tmp_path / "same.html", "<b>")
    same = (tmp_path / "same.html").read_text("utf-8")
    assert PACKED.sub("", shown.page) == PACKED.sub("", same)
    assert len(PACKED.findall(shown.page)) == len(PACKED.findall(same)) > 0
    frame = shown._repr_html_()
    assert html.unescape(re.search(r'srcdoc="([^"]*)"', frame).group(1)) == shown.page
    assert "height:300px" in frame
    assert 'sandbox="allow-scripts allow-downloads"' in frame  # what it is, and nothing of the notebook's
    assert len(repr(shown)) < 100


@pytest.mark.parametrize("height", [199, 4001, 640.0, True, "640", None])
def test_another_height_is_refused(height: object) -> None:
    arm, state = dyn.example("planar_chain")
    with pytest.raises(dyn.StateError, match="height is"):
        scenes.view(dyn.simulate(arm, state, duration=0.1, dt=1e-2), height)
