"""MuJoCo's compiler in this process: each process of its own costs half a second."""

import json
import subprocess
from types import SimpleNamespace

import pytest

from dynamics.robot_files import mjcf, mjcf_process


def compile_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Models are compiled by the same function, without the limits of time and memory of a process."""

    def run(command: list[str], *, input: bytes, **_: object) -> SimpleNamespace:
        return SimpleNamespace(returncode=0, stdout=json.dumps(mjcf_process.compiled(**json.loads(input))))

    monkeypatch.setattr(mjcf, "subprocess", SimpleNamespace(run=run, TimeoutExpired=subprocess.TimeoutExpired))
