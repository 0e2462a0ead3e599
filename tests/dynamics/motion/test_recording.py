"""What a recording writes to a file is what it holds."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

import dynamics as dyn

pytestmark = pytest.mark.compiled_only


@pytest.fixture(scope="module")
def recording() -> dyn.Recording:
    """Of arms that let their object go on the way: the columns stay the same."""
    system, state = dyn.example("two_arms_and_box")
    return dyn.simulate(system, state, duration=0.02, events=[dyn.Release(0.01)])


def test_a_table_gives_back_every_digit(recording: dyn.Recording, tmp_path: Path) -> None:
    path = tmp_path / "motion.csv"
    recording.to_csv(path)
    with path.open(newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    columns = recording.columns()
    assert names == list(columns)
    assert np.array_equal(np.array(rows, dtype=float).T, np.array(list(columns.values())))


def test_an_archive_gives_back_every_digit(recording: dyn.Recording, tmp_path: Path) -> None:
    path = tmp_path / "motion.npz"
    recording.to_npz(path)
    with np.load(path) as archive:
        assert set(archive.files) == set(recording.columns())
        assert all(np.array_equal(archive[name], column) for name, column in recording.columns().items())


def test_columns_are_the_motion(recording: dyn.Recording) -> None:
    columns, n = recording.columns(), recording.segments[0].system.n_joints
    assert np.array_equal(columns["time"], recording.times)
    assert all(len(column) == len(recording.times) for column in columns.values())
    names = recording.segments[0].system.joint_names
    shown = np.array([next(column for key, column in columns.items() if key == f"q/{name}") for name in names])
    assert np.array_equal(shown, recording.x[:, :n].T)
