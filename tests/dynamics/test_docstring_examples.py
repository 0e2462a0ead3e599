"""The examples in docstrings run, and what is used most has one."""

import doctest
from pathlib import Path

import numpy as np
import pytest

import dynamics as dyn
from tests.dynamics.public_docstrings import exported

MOST_USED = {
    "load", "single_arm", "free_flyer", "multi_arm", "example", "System.state", "System.to_joint_vector", "grasp",
    "project", "forward_dynamics", "forward_dynamics_batch", "solver", "inverse_dynamics", "mass_matrix", "agreement",
    "simulate", "Recording.state_at", "Recording.solution_at", "compare", "inverse_kinematics", "study", "robot_report",
}  # fmt: skip


@pytest.mark.compiled_only
def test_examples_of_docstrings_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner()
    found = set()
    for public in exported():
        for test in finder.find(public.value, public.name, globs={"dyn": dyn, "np": np}):
            found |= {public.name} if test.examples else set()
            runner.run(test)
    assert found >= MOST_USED
    assert runner.failures == 0
