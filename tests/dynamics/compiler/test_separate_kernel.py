"""Kernels that are jumped to are found by every process, whoever compiled what."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

KERNELS = """
from dynamics.compiler.compiled import from_python, kernel
from dynamics.compiler.separate_kernel import separate_kernel


@separate_kernel
def inner(a):
    a[0] += 1.0
    return a[0]


@from_python
@kernel
def middle(a):
    return 2.0 * inner(a)


@from_python
@separate_kernel
def outer(a):
    return middle(a) + inner(a)
"""

CALL = """
import numpy as np
import {module}
a = np.zeros(3)
print("FOUND", {module}.{name}(a), a[0])
kernels = {module}.inner, {module}.middle, {module}.outer
print("COMPILED", sum(sum(kernel.stats.cache_misses.values()) for kernel in kernels))
"""


@pytest.mark.compiled_only
def test_a_kernel_from_disk_finds_what_it_jumps_to(tmp_path: Path) -> None:
    (tmp_path / "jumping.py").write_text(KERNELS)
    root = str(Path(__file__).parents[3])
    environment = dict(os.environ, NUMBA_CACHE_DIR=str(tmp_path), PYTHONPATH=os.pathsep.join((root, str(tmp_path))))

    def found(name: str) -> list[str]:
        program = CALL.format(module="jumping", name=name)
        ran = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=120
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout.split()

    assert found("middle") == ["FOUND", "2.0", "1.0", "COMPILED", "2"]
    assert found("outer") == ["FOUND", "4.0", "2.0", "COMPILED", "1"]  # it links a kernel from disk that jumps
    assert found("outer") == ["FOUND", "4.0", "2.0", "COMPILED", "0"]
    for kept in tmp_path.rglob("jumping.inner*"):
        kept.unlink()
    assert found("outer") == ["FOUND", "4.0", "2.0", "COMPILED", "1"]  # and what has been lost is compiled again


@pytest.mark.compiled_only
def test_uncompiled_it_is_the_function_itself(tmp_path: Path) -> None:
    (tmp_path / "jumping.py").write_text(KERNELS)
    root = str(Path(__file__).parents[3])
    environment = dict(os.environ, NUMBA_DISABLE_JIT="1", PYTHONPATH=os.pathsep.join((root, str(tmp_path))))
    program = "import jumping; print(jumping.outer([0.0]))"
    ran = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=120)
    assert ran.stdout.split() == ["4.0"], ran.stderr
