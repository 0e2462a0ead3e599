"""Damaged machine code is found by its checksum before anybody loads it; numba then makes it anew."""

from __future__ import annotations

import json
import os
import pickletools
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # Windows, where nobody sees that somebody else compiles
    fcntl = None  # type: ignore[assignment]

LIST = "checksums"
LOCK = "lock"
"""A file that is locked while everything is compiled ahead: indices are rewritten then, and the list is behind."""
Sums = dict[str, tuple[int, int]]
"""File, by its path in the folder: when it was written (ns), and its checksum."""


def remove_damaged(folder: Path) -> tuple[Sums, int]:
    """Remove files of machine code that are not what was written.

    A file that no list names, because its process was killed, is damaged if it ends too early.

    Returns:
        the sound ones, and how many were removed; nothing while somebody compiles there, who has looked before.

    Cost: 20 ms for every kernel there is.
    """
    with (folder / LOCK).open("a") as lock:
        return _looked_through(folder) if is_free(lock) else ({}, 0)


def _looked_through(folder: Path) -> tuple[Sums, int]:
    known, sound, damaged = _listed(folder), {}, 0
    for name, written, data in _kept(folder, {}):
        assert data is not None
        checksum = zlib.crc32(data)
        if known[name] == checksum if name in known else _is_whole(data):
            sound[name] = written, checksum
        else:
            (folder / name).unlink(missing_ok=True)
            damaged += 1
    if damaged:
        remember(folder, sound)
    return sound, damaged


def remember_at_end(folder: Path, sound: Sums) -> None:
    """As ``remember``, but for a process that ends while another compiles there: that one will."""
    try:
        with (folder / LOCK).open("a") as lock:
            if is_free(lock):
                remember(folder, sound)
    except OSError:
        return  # the folder was removed


def remember(folder: Path, sound: Sums) -> None:
    """List the checksums of what is kept; ``sound`` is what was read before, and is read again only if it changed."""
    try:
        now = {name: sound[name][1] if data is None else zlib.crc32(data) for name, _, data in _kept(folder, sound)}
        if now != _listed(folder):
            with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as file:
                json.dump(now, file)
            os.replace(file.name, folder / LIST)
    except OSError:
        return  # its disk is full: then the files are looked at one by one


def _listed(folder: Path) -> dict[str, int]:
    try:
        return dict(json.loads((folder / LIST).read_text()))
    except (OSError, ValueError, TypeError):  # none yet, or damaged itself
        return {}


def is_free(lock: IO[str]) -> bool:
    """Lock a file if nobody else has; whether it is locked by us now, until it is closed."""
    try:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _kept(folder: Path, seen: Sums) -> Iterator[tuple[str, int, bytes | None]]:
    """Name, time and bytes of every file of machine code; None for what was seen and has not changed."""
    for path in sorted(folder.glob("*/*.nb[ci]")):
        name = f"{path.parent.name}/{path.name}"
        try:
            written = path.stat().st_mtime_ns
            yield name, written, None if name in seen and seen[name][0] == written else path.read_bytes()
        except OSError:  # another process was quicker
            continue


def _is_whole(data: bytes) -> bool:
    """Whether the pickles in it, an index has two, are there to their ends; none of them is obeyed."""
    try:
        at = 0
        while at < len(data):
            *_, (_, _, stop) = pickletools.genops(data[at:])
            at += (stop or 0) + 1
    except (ValueError, IndexError, UnicodeDecodeError):
        return False
    return at > 0
