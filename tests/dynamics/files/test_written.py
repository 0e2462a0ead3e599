"""Where a file is written: through links, over files, and never over a device, a pipe or a loop of links."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import dynamics as dyn
from dynamics import StateError

pytestmark = pytest.mark.compiled_only


def test_a_link_is_followed_and_permissions_stay(tmp_path: Path) -> None:
    system, state = dyn.example("planar_chain")
    recording = dyn.simulate(system, state, duration=0.02, dt=0.01)
    (tmp_path / "deep").mkdir()
    real, link = tmp_path / "deep" / "real.csv", tmp_path / "run.csv"
    link.symlink_to(real)
    for before in (None, "before"):
        if before:
            real.write_text(before)
            real.chmod(0o600)
        recording.to_csv(link)
        assert link.is_symlink()
        assert real.read_text().startswith("time [s],")
        assert sorted(path.name for path in tmp_path.rglob("*")) == ["deep", "real.csv", "run.csv"]
    assert real.stat().st_mode & 0o777 == 0o600


def test_a_pipe_or_a_loop_of_links_is_not_replaced(tmp_path: Path) -> None:
    system, state = dyn.example("planar_chain")
    recording = dyn.simulate(system, state, duration=0.02, dt=0.01)
    pipe, one, other = tmp_path / "pipe", tmp_path / "run.csv", tmp_path / "other.csv"
    os.mkfifo(pipe)
    one.symlink_to(other)
    other.symlink_to(one)
    with pytest.raises(StateError, match="a device or a pipe, not a file"):
        recording.to_csv(pipe)
    with pytest.raises(StateError, match="cannot be written"):
        recording.to_csv(one)
    assert pipe.is_fifo()
    assert one.is_symlink()
    assert len(list(tmp_path.iterdir())) == 3
