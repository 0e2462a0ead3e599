"""Where machine code is kept between runs: a folder of its own for these sources, this compiler and this processor."""

from __future__ import annotations

import errno
import functools
import hashlib
import logging
import os
import platform
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba

PACKAGE = Path(__file__).parents[1]
WITHOUT_KERNELS = {
    *(
        "__init__.py",
        "check",
        "comparison",
        "counting",
        "exercise",
        "formulations",
        "methods",
        "reading",
        "robot",
        "studies",
        "textbook",
        "typed",
        "witness",
    )
}
"""Rooms that nothing of a kernel comes from: what is written there compiles nothing anew."""
NAME = "armsweep-"
KEPT = 3
"""Folders that stay: this one, and those of the last sources before it, which some server may still run."""
ROOM = 40_000_000
"""Bytes that every kernel together needs, and some."""
MARKS = "session", "everything"
"""Files that say what a folder of machine code holds."""
_numba: Any = numba.config
_log = logging.getLogger(__name__)


@functools.cache
def digest() -> str:
    """What machine code depends on, in sixteen digits.

    Numba notices that the file of a function has changed, not that a function which it calls has. Our kernels call
    each other across files, so all of them are of one digest, and changed sources find an empty folder.
    """
    seen = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.relative_to(PACKAGE).parts[0] not in WITHOUT_KERNELS:
            seen.update(path.read_bytes())
    processor = f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"
    seen.update("\n".join((numba.__version__, platform.python_version(), processor)).encode())
    return seen.hexdigest()[:16]


@functools.cache
def code_folder() -> Path | None:
    """Where machine code is kept: in NUMBA_CACHE_DIR, beside the sources, or in the user's cache.

    None where none of these can be written to or has room; the log then says why.
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


def is_compiled(folder: Path, everything: bool) -> bool:
    """Whether a folder holds what a page calls first, or all kernels."""
    return (folder / MARKS[everything]).exists()


@contextmanager
def keeping_code() -> Iterator[bool]:
    """Functions that are decorated meanwhile keep their machine code in our folder; whether there is one."""
    folder, others = code_folder(), _numba.CACHE_DIR
    if folder is not None:
        _numba.CACHE_DIR = str(folder)
    try:
        yield folder is not None
    finally:
        _numba.CACHE_DIR = others


def remove_older(folder: Path) -> None:
    """Remove the folders of older sources beside ``folder``, but for the newest."""
    try:
        others = sorted(folder.parent.glob(f"{NAME}*"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:  # another server was quicker
        return
    for other in [other for other in others if other != folder][KEPT - 1 :]:
        shutil.rmtree(other, ignore_errors=True)
