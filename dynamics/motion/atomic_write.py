"""Writes a file under a temporary name and moves it into place once it is complete."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR, ELOOP, ENOTSUP
from pathlib import Path

from dynamics.checks import brief
from dynamics.errors import StateError

LEGIBLE = 40
"""Characters of the file's name in its temporary name; the full name may be as long as the system allows."""


@contextmanager
def atomic_write(path: str | Path) -> Iterator[Path]:
    """A temporary path at which to write the content of ``path``.

    Raises:
        StateError: if ``path`` is not a path, or the operating system refuses to write, with its reason.
    """
    if not isinstance(path, str | Path):
        raise StateError(f"path is {brief(path)}; expected that of a file.")
    if "\0" in str(path):
        raise StateError(f"{brief(str(path))} cannot be written: no file name holds a null character.")
    try:
        with temporary_file(Path(path)) as temporary:
            yield temporary
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise StateError(f"{brief(str(path))} cannot be written: {reason}.") from None


@contextmanager
def temporary_file(target: Path) -> Iterator[Path]:
    """A path next to ``target`` that replaces it at the end; if writing fails, it is removed and ``target`` stays.

    A symbolic link is followed, a device or a pipe is refused. The new file has the permissions of the old one.
    """
    target = Path(os.path.realpath(target))
    if target.is_symlink():  # a cycle of links
        raise OSError(ELOOP, os.strerror(ELOOP))
    if target.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    if target.exists() and not target.is_file():
        raise OSError(ENOTSUP, "It is a device or a pipe, not a file")
    temporary = target.with_name(f".{target.name[:LEGIBLE]}.{os.getpid()}-{os.urandom(4).hex()}")
    try:
        yield temporary
        with suppress(FileNotFoundError):
            shutil.copymode(target, temporary)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)
