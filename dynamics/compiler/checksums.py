"""Damaged machine code is found by its checksum before anybody loads it; numba then makes it anew."""

from __future__ import annotations

import json
import os
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

try:
    import fcntl
except ImportError:  # Windows, where nobody sees that somebody else compiles
    fcntl = None  # type: ignore[assignment]

LIST = "checksums"
LOCK = "lock"
"""A file that is locked while everything is compiled ahead: indices are rewritten then, and the list is behind."""
RUNNING = "running"
"""A file that every process that uses a folder has locked with the others, until it ends, however it does."""
_held = list[IO[str]]()
"""Open to the end of this process."""
Sums = dict[str, tuple[int, int]]
"""File, by its path in the folder: when it was written (ns), and its checksum."""


class Found(NamedTuple):
    """What is left of a folder of machine code.

    Attributes:
        sound: the files that are what was listed.
        lost: how many of a list are removed.
        damaged: how many of those have changed though nobody has written them since, or all where no list can be read.
    """

    sound: Sums
    lost: int
    damaged: int


def join(folder: Path) -> Found:
    """``remove_damaged`` for a process that uses the folder from here on until it ends."""
    running = (folder / RUNNING).open("a")
    _held.append(running)
    found = remove_damaged(folder, alone=is_free(running))
    if fcntl is not None:
        fcntl.flock(running, fcntl.LOCK_SH)  # at most until another that begins has looked through
    return found


def remove_damaged(folder: Path, *, alone: bool = True) -> Found:
    """Remove files of machine code that are not what was listed, and those that nobody is still to list.

    Whoever compiles ahead lists each kernel as it is made; another process, what it made, when it ends. What one that
    still runs has written since is whole, for numba writes beside and renames; of what was there before the machine
    lost its power nobody knows.

    Args:
        alone: whether no other process uses the folder.

    Returns:
        what it has found; nothing while somebody compiles there, who has looked before.

    Cost: 20 ms for every kernel there is.
    """
    with (folder / LOCK).open("a") as lock:
        return _looked_through(folder, alone) if is_free(lock) else Found({}, 0, 0)


def _looked_through(folder: Path, alone: bool) -> Found:
    known, sound, lost, damaged = _listed(folder), {}, 0, 0
    for name, written, data in _kept(folder, {}):
        assert data is not None
        checksum = zlib.crc32(data)
        listed = (known or {}).get(name)
        if listed is not None and listed[1] == checksum:
            sound[name] = written, checksum
            continue
        has_decayed = known is None or (listed is not None and listed[0] == written)
        if has_decayed or alone:
            (folder / name).unlink(missing_ok=True)
            lost += not known or listed is not None
            damaged += has_decayed
    for left in folder.glob("*/*.nb[ci].tmp.*") if alone else ():  # by who was killed while writing
        left.unlink(missing_ok=True)
    if known is None or (alone and sound.keys() != known.keys()):
        remember(folder, sound)
    return Found(sound, lost, damaged)


def remember_at_end(folder: Path, sound: Sums) -> None:
    """As ``remember``, but for a process that ends while another compiles there: that one will."""
    try:
        with (folder / LOCK).open("a") as lock:
            if is_free(lock):
                remember(folder, sound)
    except OSError:
        return  # the folder was removed


def remember(folder: Path, sound: Sums) -> Sums:
    """List the checksums of what is kept, and return them; what was ``sound`` is read again only if it changed."""
    now = {
        name: (written, sound[name][1] if data is None else zlib.crc32(data))
        for name, written, data in _kept(folder, sound)
    }
    try:
        if now != _listed(folder):
            with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as file:
                json.dump(now, file)
            os.replace(file.name, folder / LIST)
    except OSError:  # its disk is full: what is not listed is made anew by whoever comes next
        pass
    return now


def _listed(folder: Path) -> Sums | None:
    """Nothing where there is no list yet, None where it is damaged itself."""
    try:
        listed = json.loads((folder / LIST).read_text())
        return {name: (int(written), int(checksum)) for name, (written, checksum) in listed.items()}
    except OSError:
        return {}
    except (ValueError, TypeError, AttributeError):
        return None


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
