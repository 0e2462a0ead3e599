"""Where compiled code is kept between runs: numba's own choice if it can be written to, else a folder that can."""

from __future__ import annotations

import functools
import logging
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

_numba: Any = numba.config
_log = logging.getLogger(__name__)


def kept_on_disk(decorate: Callable[[bool], Any]) -> Any:
    """``decorate(cache)``'s function, its machine code kept on disk.

    Numba tries ``NUMBA_CACHE_DIR``, ``__pycache__`` beside the source and the user's cache folder, in this order.
    Where none can be written to a private folder for temporary files serves. One line in the log says so when it
    is not the first choice.
    """
    wanted = _numba.CACHE_DIR
    try:
        function = decorate(True)
    except RuntimeError:  # numba found no folder
        _numba.CACHE_DIR = str(_private_temporary_folder())
        try:
            function = decorate(True)
        except RuntimeError as error:
            _say(f"Compiled code cannot be kept between runs: {error}")
            return decorate(False)
        finally:
            _numba.CACHE_DIR = wanted
    folder = cache_folder(function)
    if folder is not None:
        first_choice = Path(wanted) if wanted else Path(function.__code__.co_filename).parent / "__pycache__"
        if folder != first_choice and first_choice not in folder.parents:
            _say(f"Compiled code cannot be kept in {first_choice}; it is kept in {folder}.")
    return function


def cache_folder(function: Any) -> Path | None:
    """The folder that a compiled function is kept in, if any."""
    path = getattr(getattr(function, "_cache", None), "cache_path", None)
    return None if path is None else Path(path)


@functools.cache
def _say(line: str) -> None:
    """Said once, however many functions it concerns."""
    _log.warning(line)


@functools.cache
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
