"""Machine code is kept between runs, and never used when its sources have changed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import dynamics

pytestmark = pytest.mark.compiled_only
INNER = """
from dynamics.compiler.kernels import inlined, kernel

@inlined
def inner(a):
    return a[0] + 1.0
"""
OUTER = """
from dynamics.compiler.kernels import inlined, kernel
from dynamics.inner import inner

@kernel
def outer(a):
    return 2.0 * inner(a)
"""
CALL = """
import numpy as np
from dynamics.compiler.kernels import code_folder, mark_compiled
from dynamics.outer import outer
print("FOUND", outer(np.zeros(1)), sum(outer.stats.cache_misses.values()))
if (folder := code_folder()) is not None:
    mark_compiled(folder, everything=False)
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package of two kernels in two files, with our compiler."""
    own = tmp_path / "dynamics"
    shutil.copytree(Path(dynamics.__file__).parent / "compiler", own / "compiler")
    (own / "__init__.py").touch()
    (own / "inner.py").write_text(INNER)
    (own / "outer.py").write_text(OUTER)
    return tmp_path


def settings(folder: Path, **others: str) -> dict[str, Any]:
    own = {"NUMBA_CACHE_DIR": str(folder / "kept"), "PYTHONPATH": str(folder)}
    own["PYTHONDONTWRITEBYTECODE"] = "1"  # a file rewritten within a second would be taken for the one before
    return {"cwd": folder, "env": os.environ | own | others, "text": True}


def start(folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", CALL], **settings(folder), stdout=subprocess.PIPE)


def found(process: subprocess.Popen[str]) -> list[str]:
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    return out.split()[1:]


def test_cached_code_is_used_until_a_callee_changes(package: Path) -> None:
    """Two processes side by side compile it; the next loads it; an older source is never used."""
    together = [start(package) for _ in range(2)]
    assert {found(process)[0] for process in together} == {"2.0"}
    assert found(start(package)) == ["2.0", "0"]
    (package / "dynamics" / "inner.py").write_text(INNER.replace("1.0", "9.0"))
    assert found(start(package)) == ["18.0", "1"]


def test_a_folder_that_cannot_be_written_falls_back_with_one_line(package: Path) -> None:
    (package / "file").touch()
    blocked = package / "file" / "cache"  # a folder in a file: even root cannot make it
    for home, places in ((package / "home", 1), (blocked, 2)):
        own = settings(package, NUMBA_CACHE_DIR=str(blocked), HOME=str(home))
        ran = subprocess.run([sys.executable, "-c", CALL], **own, capture_output=True, timeout=120)
        assert ran.stdout.split()[1:] == ["2.0", "1"], ran.stderr
        lines = ran.stderr.splitlines()
        assert lines[0] == f"Compiled code cannot be kept in {blocked}: Not a directory."
        assert ["compiling" in line for line in lines] == [False] * places + [True]
