"""A file that is being written, what the system has against it, and how it is there as a whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR, ELOOP, ENOTSUP
from pathlib import Path

from dynamics.checks import brief
from dynamics.errors import ModelError, SingularConfigurationError, StateError

LEGIBLE = 40
"""Letters of a file's name that the one beside it has too: a name may be as long as the system takes."""


@contextmanager
def written(path: str | Path) -> Iterator[Path]:
    """Where a file is written that takes its place as a whole; what the system has against it is a ``StateError``."""
    if not isinstance(path, str | Path):
        raise StateError(f"path is {brief(path)}; expected that of a file.")
    try:
        with in_its_place(Path(path)) as beside:
            yield beside
    except (ModelError, StateError, SingularConfigurationError):
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        if "\0" in str(path):
            reason = "no name of a file holds a null character"
        raise StateError(f"{brief(str(path))} cannot be written: {reason}.") from None


@contextmanager
def in_its_place(target: Path) -> Iterator[Path]:
    """Another path beside it, which takes its place once all is written; of what fails nothing is left.

    A link stays one, and what it leads to is written; a device or a pipe is not replaced by a file. Who may read what
    was there may read what takes its place, and nobody else.
    """
    target = Path(os.path.realpath(target))
    if target.is_symlink():  # which leads back to itself
        raise OSError(ELOOP, os.strerror(ELOOP))
    if target.is_dir():  # as the system would say once all is written
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    if target.exists() and not target.is_file():
        raise OSError(ENOTSUP, "It is a device or a pipe, not a file")
    beside = target.with_name(f".{target.name[:LEGIBLE]}.{os.getpid()}-{os.urandom(4).hex()}")
    try:
        yield beside
        with suppress(FileNotFoundError):
            shutil.copymode(target, beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
