"""Where machine code is kept between runs: a folder of its own for these sources, this compiler and this processor."""

from __future__ import annotations

import atexit
import errno
import functools
import hashlib
import logging
import os
import platform
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba

from dynamics.compiler.checksums import join, remember_at_end

PACKAGE = Path(__file__).parents[1]
WITHOUT_KERNELS = {
    *(
        "__init__.py",
        "check",
        "counting",
        "ensemble",
        "formulations",
        "methods",
        "papers",
        "reading",
        "robot",
        "rows",
        "textbook",
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
    """The first place with room for it: NUMBA_CACHE_DIR, beside the sources, the user's cache, a temporary one.

    What is damaged there is removed. One line in the log says so, and when it is not the first choice.
    """
    chosen = _numba.CACHE_DIR
    first = Path(chosen) if chosen else PACKAGE / "__pycache__"
    why = ""
    for place in (lambda: first, lambda: Path.home() / ".cache" / "armsweep", _private_temporary_folder):
        try:
            folder = place() / f"{NAME}{digest()}"
            folder.mkdir(parents=True, exist_ok=True)
            _try_to_write(folder)
            found = join(folder)
        except OSError as error:
            why = why or error.strerror or str(error)
            continue
        if why:
            _log.warning(f"Compiled code cannot be kept in {first} ({why}); it is kept in {folder}.")
        if found.damaged:
            _log.warning(f"Compiled code was damaged and is made anew: {found.damaged} files in {folder}.")
        if found.lost:
            for mark in MARKS:
                (folder / mark).unlink(missing_ok=True)
        atexit.register(remember_at_end, folder, found.sound)
        return folder
    _log.warning(f"Compiled code cannot be kept between runs: {first} cannot be written to ({why}).")
    return None


def _try_to_write(folder: Path) -> None:
    """A folder that everything was compiled into needs room for a new file; another for all that is to come.

    Raises:
        OSError: where there is none.
    """
    with tempfile.TemporaryFile(dir=folder) as file:
        if any((folder / mark).exists() for mark in MARKS):
            return
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, ROOM)
        elif shutil.disk_usage(folder).free < ROOM:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


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


def _private_temporary_folder() -> Path:
    """A folder that stays the same between runs and that nobody else can write to: code is loaded from it."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    folder = Path(tempfile.gettempdir()) / f"armsweep-compiled-{user}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        foreign = hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022)
        if stat.S_ISDIR(status.st_mode) and not foreign:
            return folder
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix="armsweep-compiled-"))
