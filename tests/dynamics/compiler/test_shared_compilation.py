"""Two compiling processes share their work, whatever becomes of one of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.compiled_only

KERNELS = """
from dynamics.compiler.compiled import from_python, kernel


@kernel
def inner(a):
    return a[0] + 1.0


@kernel
def middle(a):
    return 2.0 * inner(a)


@from_python
@kernel
def outer(a):
    return middle(a) + inner(a)
"""

HANG = """
import time
from numba.core.caching import FunctionCache

def save_overload(cache, signature, compiled):
    print("HOLDING", flush=True)
    time.sleep(600.0)

FunctionCache.save_overload = save_overload
"""

STOP = """
import os
from numba.core.caching import IndexDataCacheFile

IndexDataCacheFile._save_data = lambda self, name, data: os._exit(3)
"""

OF_SOURCES = """
import dynamics.compiler.compiled
dynamics.compiler.compiled.package_stamp = lambda: {!r}
"""

COMPILE = """
import numpy as np
from dynamics.compiler.shared_compilation import share_compilation
share_compilation()
import sharing
print("STARTED", flush=True)
print("FOUND", sharing.outer(np.zeros(1)))
kernels = sharing.inner, sharing.middle, sharing.outer
print("COMPILED", sum(sum(kernel.stats.cache_misses.values()) for kernel in kernels), flush=True)
"""


def start(folder: Path, program: str) -> subprocess.Popen[str]:
    root = str(Path(__file__).parents[3])
    environment = dict(os.environ, NUMBA_CACHE_DIR=str(folder), PYTHONPATH=os.pathsep.join((root, str(folder))))
    return subprocess.Popen([sys.executable, "-c", program], env=environment, stdout=subprocess.PIPE, text=True)


def told(process: subprocess.Popen[str]) -> list[str]:
    """What it said, once it has ended well."""
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    return out.split()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sharing.py").write_text(KERNELS)
    return tmp_path


def test_each_kernel_is_compiled_by_one_of_them(folder: Path) -> None:
    both = [start(folder, COMPILE) for _ in range(2)]
    said = [told(process) for process in both]
    assert [words[2] for words in said] == ["3.0", "3.0"]
    assert sum(int(words[-1]) for words in said) == 3


def test_what_a_killed_one_had_begun_the_other_compiles(folder: Path) -> None:
    first = start(folder, HANG + COMPILE)
    assert first.stdout is not None
    assert [first.stdout.readline().split()[0] for _ in range(2)] == ["STARTED", "HOLDING"]
    second = start(folder, COMPILE)
    try:
        assert second.stdout is not None
        assert second.stdout.readline() == "STARTED\n"
        with pytest.raises(subprocess.TimeoutExpired):
            second.wait(1.0)
    finally:
        first.kill()
        first.communicate()
    assert told(second) == ["FOUND", "3.0", "COMPILED", "3"]
    assert told(start(folder, COMPILE)) == ["STARTED", "FOUND", "3.0", "COMPILED", "0"]


def test_a_compiler_that_was_stopped_leaves_no_older_code_in_use(folder: Path) -> None:
    """Numba renews its list of what is kept before it writes what the list names."""
    assert told(start(folder, OF_SOURCES.format("a" * 64) + COMPILE))[-3:] == ["3.0", "COMPILED", "3"]
    (folder / "sharing.py").write_text(KERNELS.replace("a[0] + 1.0", "a[0] + 9.0"))
    stopped = start(folder, OF_SOURCES.format("b" * 64) + STOP + COMPILE)
    stopped.communicate(timeout=120)
    assert stopped.returncode == 3
    assert told(start(folder, OF_SOURCES.format("b" * 64) + COMPILE))[-3:] == ["27.0", "COMPILED", "3"]
