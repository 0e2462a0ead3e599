"""A lesson that somebody opens on the page: a zip of one folder, read within bounds and never written anywhere."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import replace
from pathlib import PurePosixPath

from app.lessons.fault import Fault, LessonError
from app.lessons.folder import MOST_FILES, text_of
from app.lessons.reading import LONGEST_FILE, Read, read

LARGEST = 1 << 20
"""Bytes of the zip."""
LARGEST_FILE = 4 * LONGEST_FILE
"""Bytes of a file in it, unpacked."""
SUFFIXES = (".md", ".toml")
WHOLE = "the zip"


def read_zip(data: bytes, name: str) -> Read:
    """What can be read of the lesson in a zip, and all that is wrong with it.

    Args:
        name: of the zip's file, which names a lesson that lies in it without a folder.

    Raises:
        LessonError: for anything else than one folder of a few small text files.
    """
    if len(data) > LARGEST:
        raise _refused("it is too large.", f"A lesson has at most {LARGEST >> 20} MB.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if len(entries) > 2 * MOST_FILES:
                raise _refused(f"it has {len(entries)} files.", f"A lesson has at most {MOST_FILES}.")
            files, folders, faults = dict[str, str](), set[str](), list[Fault]()
            for entry in entries:
                if entry.filename.startswith("__MACOSX/"):
                    continue  # of the Finder's, a folder deeper than the lesson; nothing of it is read
                path = checked(entry)
                if path.name.startswith("."):
                    continue  # what a file manager leaves there
                folders.add(path.parent.as_posix())
                if path.suffix not in SUFFIXES:
                    said, remedy = "it is no text of a lesson.", "Pack .toml and .md files only."
                    faults.append(Fault(path.name[:60], 0, said, remedy))
                    continue
                with archive.open(entry) as file:
                    text = file.read(LARGEST_FILE + 1)
                if len(text) > LARGEST_FILE:
                    raise _refused("it is too large.", "Make two steps of it.", path.name)
                try:
                    files[path.name] = text_of(path.name, text)
                except LessonError as error:
                    faults += error.faults
    except LessonError:
        raise
    except Exception as error:  # of the archive and of each way of packing, which have errors of many kinds
        raise _refused(f"it is no zip that can be read ({type(error).__name__}).", "Pack the folder again.") from None
    if len(folders) > 1:
        raise _refused("it has several folders.", "Pack one lesson at a time.")
    folder = folders.pop() if folders else "."
    own = PurePosixPath(name).stem if folder == "." else folder
    own = re.sub("[^a-z0-9]+", "_", own.lower())[:40].strip("_") or "lesson"
    found = read(own, files, [fault.file for fault in faults])
    return replace(found, faults=(*faults, *found.faults))


def checked(entry: zipfile.ZipInfo) -> PurePosixPath:
    """The path of an entry within the lesson.

    Raises:
        LessonError: for one that leads elsewhere, lies deeper than one folder, or is no plain file.
    """
    path = PurePosixPath(entry.filename)
    if path.is_absolute() or ".." in path.parts or "\\" in entry.filename or ":" in entry.filename or not path.parts:
        raise _refused(f"{entry.filename[:60]!r} leads out of it.", "Pack the lesson's folder itself.")
    if len(path.parts) > 2:
        raise _refused(f"{entry.filename[:60]!r} lies too deep.", "A lesson is one folder without folders in it.")
    mode = entry.external_attr >> 16
    if mode and (mode & 0o170000) not in (0, 0o100000):
        raise _refused(f"{entry.filename[:60]!r} is no plain file.", "Pack files only, no links.")
    if entry.flag_bits & 1:
        raise _refused("it has a password.", "Pack it without one.")
    if entry.file_size > LARGEST_FILE:
        raise _refused("it is too large.", "Make two steps of it.", path.name)
    return path


def _refused(said: str, remedy: str, file: str = "") -> LessonError:
    """Of a file in it; by default of the zip as a whole."""
    return LessonError(Fault(file[:60] or WHOLE, 0, said, remedy))
