"""Where lessons come from: the packaged ones, a folder given at the start, a folder to be checked."""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from app.lessons.fault import Fault, LessonError
from app.lessons.lesson import Address, Lesson
from app.lessons.reading import HEAD, LONGEST_FILE, Read, read

PACKAGED = Path(__file__).resolve().parents[2] / "assets" / "lessons"
VARIABLE = "ARMSWEEP_LESSONS"
"""Names a folder of lessons that are taught after the packaged ones."""
MOST_LESSONS, MOST_FILES = 60, 40


def lesson_in(folder: Path) -> Lesson:
    """The lesson of a folder.

    Raises:
        LessonError: with every fault that is found.
    """
    return read_in(folder).lesson()


def read_in(folder: Path) -> Read:
    """What can be read of a folder, and all that is wrong with it."""
    if not folder.is_dir():
        gone = Fault(str(folder), 0, "there is no such folder.", "Name one that has a lesson.toml.")
        return Read(None, (), (gone,))
    files, faults = dict[str, str](), list[Fault]()
    for path in sorted(folder.iterdir()):
        if path.name.startswith("."):
            continue
        if len(files) + len(faults) >= MOST_FILES:
            faults.append(Fault(path.name, 0, f"there are more than {MOST_FILES} files.", "Take some out."))
            break
        if not path.is_file() or path.stat().st_size > 4 * LONGEST_FILE:
            faults.append(Fault(path.name, 0, "it is no small text file.", "Keep text files only."))
            continue
        try:
            files[path.name] = text_of(path.name, path.read_bytes())
        except LessonError as error:
            faults += error.faults
    found = read(folder.resolve().name, files, [fault.file for fault in faults])
    return replace(found, faults=(*faults, *found.faults))


def text_of(name: str, data: bytes) -> str:
    """The text of a file.

    Raises:
        LessonError: for one that is not UTF-8.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise LessonError(Fault(name, line, "it is no text in UTF-8.", "Save it as UTF-8.")) from None
    if any(ord(sign) < 32 and sign not in "\n\r\t" for sign in text):
        raise LessonError(Fault(name, 1, "it has characters that are no text.", "Keep text files only."))
    return text.replace("\r\n", "\n")


class Offered(NamedTuple):
    """Lessons, what is wrong with those that cannot be taught, and the addresses of all that are not packaged."""

    lessons: list[Lesson]
    faults: list[Fault]
    addresses: list[Address]


def lessons_in(folder: Path) -> Offered:
    """Every lesson of a folder of them, by rank."""
    lessons, faults, addresses = list[Lesson](), list[Fault](), list[Address]()
    try:
        paths = folders_in(folder)
    except OSError as error:
        remedy = f"Let {VARIABLE} name a folder whose folders are lessons."
        return Offered([], [Fault(str(folder), 0, f"it cannot be read: {error.strerror}.", remedy)], [])
    if len(paths) > MOST_LESSONS:
        said = f"there are {len(paths)} lessons; this one and those behind it are left out."
        faults.append(Fault(paths[MOST_LESSONS].name, 0, said, f"A folder has at most {MOST_LESSONS}."))
    for path in paths[:MOST_LESSONS]:
        found = read_in(path)
        addresses += [replace(each, file=f"{path.name}/{each.file}") for each in found.addresses]
        faults += [replace(each, file=f"{path.name}/{each.file}") for each in found.faults]
        if not found.faults:
            lessons.append(found.lesson())
    return Offered(sorted(lessons, key=lambda one: (one.rank, one.name)), faults, addresses)


def folders_in(folder: Path) -> list[Path]:
    """Those of lessons; what begins with a point or a _ is somebody else's, as .git is."""
    return [path for path in sorted(folder.iterdir()) if path.is_dir() and not path.name.startswith((".", "_"))]


@functools.cache
def packaged() -> tuple[Lesson, ...]:
    """Those that come with the program; read once, since nothing of them can be changed."""
    found, faults, _ = lessons_in(PACKAGED)
    if faults:
        raise LessonError(*faults)
    return tuple(found)


def offered(environment: Mapping[str, str] = os.environ) -> Offered:
    """The packaged lessons and those of the folder that the environment names; of one name the latter's."""
    own = lessons_in(Path(environment[VARIABLE])) if environment.get(VARIABLE) else Offered([], [], [])
    names = {lesson.name for lesson in own.lessons}
    return own._replace(lessons=[*(each for each in packaged() if each.name not in names), *own.lessons])


def replaced(lesson: Lesson) -> Lesson | None:
    """The packaged lesson in whose place one stands, since their folders are called the same."""
    return next((each for each in packaged() if each.name == lesson.name and each is not lesson), None)


def is_lesson(folder: Path) -> bool:
    """Whether it is one lesson rather than a folder of them."""
    return (folder / HEAD).is_file()
