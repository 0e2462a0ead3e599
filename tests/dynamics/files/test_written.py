"""Where a file is written: through links, over files, and over nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import dynamics as dyn
from dynamics import StateError


@pytest.fixture(scope="module")
def recording() -> dyn.Recording:
    system, state = dyn.example("planar_chain")
    return dyn.simulate(system, state, duration=0.02, dt=0.01)


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_stays_one_and_what_it_leads_to_is_written(
    recording: dyn.Recording, tmp_path: Path, exists: bool
) -> None:
    (tmp_path / "deep").mkdir()
    real, link = tmp_path / "deep" / "real.csv", tmp_path / "run.csv"
    if exists:
        real.write_text("before")
    link.symlink_to(real)
    recording.to_csv(link)
    assert link.is_symlink()
    assert real.read_text().startswith("time [s],")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["deep", "real.csv", "run.csv"]


def test_a_pipe_is_not_replaced_by_a_file(recording: dyn.Recording, tmp_path: Path) -> None:
    pipe = tmp_path / "run.csv"
    os.mkfifo(pipe)
    with pytest.raises(StateError, match="a device or a pipe, not a file"):
        recording.to_csv(pipe)
    assert pipe.is_fifo()
    assert [path.name for path in tmp_path.iterdir()] == ["run.csv"]


def test_a_file_that_only_its_owner_reads_stays_so(recording: dyn.Recording, tmp_path: Path) -> None:
    file = tmp_path / "run.csv"
    file.write_text("before")
    file.chmod(0o600)
    recording.to_csv(file)
    assert file.read_text().startswith("time [s],")
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_link_that_leads_to_itself_is_not_replaced_by_a_file(recording: dyn.Recording, tmp_path: Path) -> None:
    one, other = tmp_path / "run.csv", tmp_path / "other.csv"
    one.symlink_to(other)
    other.symlink_to(one)
    with pytest.raises(StateError, match="cannot be written"):
        recording.to_csv(one)
    assert one.is_symlink()
    assert len(list(tmp_path.iterdir())) == 2
