"""The decorators of compiled functions, and the folder in which numba caches their machine code.

Numba recompiles a function when its own file has changed, but not when a function that it calls has. Kernels call
each other across files, so the folder's name is a digest of all sources: changed sources get an empty folder.
"""

from __future__ import annotations

import errno
import functools
import hashlib
import logging
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import llvmlite.binding as llvm
import numba
from numba.core import event

PACKAGE = Path(__file__).parents[1]
WITHOUT_KERNELS = {
    "__init__.py", "check", "comparison", "compilation", "errors.py", "last_answer.py", "notebook.py", "public.py",
    "reading", "robot", "robot_files", "studies", "textbook", "witness",
}  # fmt: skip
"""Packages and modules that no kernel uses: they are not part of the digest."""
NAME = "armsweep-"
KEPT = 3
"""Number of folders to keep: this one and those of earlier sources, which a running server may still use."""
ROOM = 40_000_000
"""Bytes: more than all kernels take."""
MARKS = "session", "everything"
"""Empty files that mark what a folder holds: the kernels that a page calls first, or all."""
Function = TypeVar("Function", bound=Callable[..., Any])
_numba: Any = numba.config
_log = logging.getLogger(__name__)


class Announcement(event.Listener):
    """Reports once per process, on standard error, that a kernel is being compiled, not read from the cache.

    Attributes:
        is_due: whether the message is still due, and nothing else in this process reports the progress.
    """

    def __init__(self) -> None:
        self.is_due = True

    def on_start(self, event: Any) -> None:
        if self.is_due and event.data["dispatcher"].py_func.__module__.startswith(f"{PACKAGE.name}."):
            self.is_due = False
            words = "armsweep: compiling the mechanics for this processor, a minute or so, once"
            print(f"{words} (ahead: python -m dynamics.compilation)", file=sys.stderr, flush=True)

    def on_end(self, event: Any) -> None:
        pass


announcement = Announcement()
event.register("numba:compile", announcement)
# Contraction, unsigned zeros and reciprocals only: the other fastmath flags assume that NaN never occurs,
# and a recursion must be able to detect one.
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "no_cfunc_wrapper": True,
    "error_model": "numpy",
    "fastmath": {"contract", "nsz", "arcp"},
}


def kernel(function: Function, **options: Any) -> Function:
    """Compile a function at its first call. It may use arrays passed to it, but create none.

    So no references to arrays are counted: ``_nrt`` is an undocumented option of numba.
    docs/compilation.md lists the gain in each benchmark.
    """
    return _compiled(function, _nrt=False, **options)


def allocating(function: Function) -> Function:
    """A kernel that creates arrays, and counts the references to them and to its arguments.

    It may call no ``kernel`` that returns an array: it would free an array that it does not own.
    """
    return _compiled(function, _nrt=True)


def inlined(function: Function) -> Function:
    """A kernel that LLVM inlines into the kernels that call it, and that only kernels may call.

    It has no Python entry point, which would be a second copy to compile: a call from Python would end the process.
    ``tests.style`` finds such calls.
    """
    return kernel(function, forceinline=True, no_cpython_wrapper=True)


def inlined_entry(function: Function) -> Function:
    """The same for a kernel that Python calls as well."""
    return kernel(function, forceinline=True)


def part(function: Function) -> Function:
    """A part of one or two kernels, written as its own function and never compiled separately.

    LLVM optimizes a kernel again in every kernel that calls it, so each level of calls costs seconds.
    """
    return kernel(function, inline="always")


def _compiled(function: Function, **options: Any) -> Function:
    with _cache_folder() as is_cached:
        return numba.njit(cache=is_cached, **_OPTIONS, **options)(function)  # type: ignore[no-any-return]


@contextmanager
def _cache_folder() -> Iterator[bool]:
    """Functions decorated in this context are cached in our folder; False if there is none."""
    folder, others = code_folder(), _numba.CACHE_DIR
    if folder is not None:
        _numba.CACHE_DIR = str(folder)
    try:
        yield folder is not None
    finally:
        _numba.CACHE_DIR = others


@functools.cache
def code_folder() -> Path | None:
    """The folder of cached machine code: in NUMBA_CACHE_DIR, next to the sources, or in the user's cache.

    None if none of these is writable and has room; the log then says why.
    """
    chosen = Path(_numba.CACHE_DIR) if _numba.CACHE_DIR else PACKAGE / "__pycache__"
    for place in (chosen, Path.home() / ".cache" / "armsweep"):
        folder = place / f"{NAME}{digest()}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            if not is_compiled(folder, everything=False) and shutil.disk_usage(folder).free < ROOM:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            _log.warning(f"Compiled code cannot be kept in {place}: {error.strerror or error}.")
            continue
        return folder
    return None


@functools.cache
def digest() -> str:
    """A digest, sixteen digits, of everything that machine code depends on: sources, numba, Python, processor."""
    content = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.relative_to(PACKAGE).parts[0] not in WITHOUT_KERNELS:
            content.update(path.read_bytes())
    processor = f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"
    content.update("\n".join((numba.__version__, platform.python_version(), processor)).encode())
    return content.hexdigest()[:16]


def is_compiled(folder: Path, everything: bool) -> bool:
    """Whether a folder holds the kernels that a page calls first, or all."""
    return (folder / MARKS[everything]).exists()


def mark_compiled(folder: Path, everything: bool) -> None:
    """Record what a folder holds, and remove all but the newest folders of earlier sources."""
    for mark in MARKS[: 1 + everything]:
        (folder / mark).touch()
    try:
        others = sorted(folder.parent.glob(f"{NAME}*"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:  # another process has just removed one
        return
    for other in [other for other in others if other != folder][KEPT - 1 :]:
        shutil.rmtree(other, ignore_errors=True)
