"""Sources of lessons: the packaged ones, a folder named by the server, a zip that a lecturer opens on the page."""

from __future__ import annotations

import functools
import io
import os
import re
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from app.lessons.exercise import PREDICTED
from app.lessons.lesson import HEAD, LONGEST_FILE, Fault, Lesson, LessonError, Query, read_lesson
from app.number_text import read_index

PACKAGED = Path(__file__).resolve().parents[2] / "assets" / "lessons"
EXAMPLE = PACKAGED.with_name("example_lesson")
VARIABLE = "ARMSWEEP_LESSONS"  # names a folder of lessons that are listed after the packaged ones
MOST_FILES = 40
LARGEST_FILE, LARGEST_ZIP = 4 * LONGEST_FILE, 1 << 20  # bytes of a file, and of a zip


def read_folder(folder: Path) -> Lesson:
    files: dict[str, bytes] = {}
    for path in sorted(folder.iterdir()):
        if not path.name.startswith("."):
            if not path.is_file() or len(files) == MOST_FILES:
                raise LessonError(Fault(path.name, 0, f"a lesson is at most {MOST_FILES} text files, without folders."))
            with path.open("rb") as file:
                files[path.name] = file.read(LARGEST_FILE + 1)
    return read_lesson(folder.resolve().name, _texts(files))


def read_zip(data: bytes, name: str) -> Lesson:
    """The lesson in a zip of one folder, or of its files, which is then named after the zip.

    It is read within limits and never written to disk; raises LessonError with its faults.
    """
    files: dict[PurePosixPath, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist():
                path = PurePosixPath(entry.filename)
                if not (entry.is_dir() or path.name.startswith(".") or path.parts[0] == "__MACOSX"):
                    with archive.open(entry) as file:
                        files[path] = file.read(LARGEST_FILE + 1)
                if len(files) > MOST_FILES:
                    raise zipfile.BadZipFile
    except Exception as error:  # each compression method has its own errors
        words = f"it is not a zip that can be read ({type(error).__name__}). Pack the folder again."
        raise LessonError(Fault("the zip", 0, words)) from None
    folders = {path.parent for path in files}
    if len(folders) != 1 or len(max(folders).parts) > 1:
        raise LessonError(Fault("the zip", 0, "pack one lesson, a folder of text files without folders in it."))
    own = re.sub("[^a-z0-9]+", "_", (max(folders).name or PurePosixPath(name).stem).lower())[:40].strip("_")
    return read_lesson(own or "lesson", _texts({path.name: content for path, content in files.items()}))


def _texts(files: Mapping[str, bytes]) -> dict[str, str]:
    texts, faults = {}, []
    for name, data in files.items():
        texts[name] = data.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
        if len(data) > LARGEST_FILE or re.search(r"[\x00-\x08\x0b-\x1f\ufffd]", texts[name]):
            faults.append(Fault(name[:60], 0, "it is too large, or not text in UTF-8. Keep small text files only."))
    if faults:
        raise LessonError(*faults)
    return texts


def folders_in(folder: Path) -> list[Path]:
    """A folder that is a lesson itself, or its subfolders except ``.git`` and ``__pycache__``."""
    if (folder / HEAD).is_file():
        return [folder]
    return [path for path in sorted(folder.iterdir()) if path.is_dir() and not path.name.startswith((".", "_"))]


def lessons_in(folder: Path) -> tuple[list[Lesson], list[Fault]]:
    """All valid lessons in a folder, by rank, and the faults of the others."""
    lessons, faults = list[Lesson](), list[Fault]()
    try:
        for path in folders_in(folder):
            try:
                lessons.append(read_folder(path))
            except LessonError as error:
                faults += [each._replace(file=f"{path.name}/{each.file}") for each in error.faults]
    except OSError as error:
        faults.append(Fault(str(folder), 0, f"{VARIABLE} names a folder that cannot be read: {error.strerror}."))
    return sorted(lessons, key=lambda one: (one.rank, one.name)), faults


@functools.cache
def packaged() -> tuple[Lesson, ...]:
    found, faults = lessons_in(PACKAGED)
    if faults:
        raise LessonError(*faults)
    return tuple(found)


def offered(environment: Mapping[str, str] = os.environ) -> tuple[list[Lesson], list[Fault]]:
    """The packaged lessons and those of the server's folder, which replace packaged ones of the same name."""
    own, faults = lessons_in(Path(environment[VARIABLE])) if environment.get(VARIABLE) else ([], [])
    names = {lesson.name for lesson in own}
    return [*(each for each in packaged() if each.name not in names), *own], faults


def example_zip() -> io.BytesIO:
    """A small complete lesson to start from, as a zip that the page opens."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(EXAMPLE.iterdir()):
            archive.write(path, f"{EXAMPLE.name}/{path.name}")
    data.seek(0)
    return data


def step_at(where: str, lessons: Iterable[Lesson]) -> tuple[Lesson, int] | None:
    """The lesson of ``gain:3`` and the index of its step from 0; None if there is no such lesson."""
    name, _, place = where.partition(":")
    lesson = next((each for each in lessons if each.name == name), None)
    return lesson and (lesson, min((read_index(place) or 1) - 1, len(lesson.steps) - 1))


def linked(query: Query, tab: str) -> Query:
    """The parameters with which a page opens: for an address with only a step, those of its moment, in *Lessons*."""
    is_step = "lesson" in query and set(query) <= {"lesson", "tab"} and query.get("tab", tab) == tab
    if not is_step or (found := step_at(query["lesson"], offered()[0])) is None:
        return query
    lesson, at = found
    shown = {**(PREDICTED if lesson.steps[at].question else {}), **lesson.steps[at].show}
    beside = {"beside": shown["tab"]} if "tab" in shown else {}
    return {**shown, **beside, "tab": tab, "lesson": f"{lesson.name}:{at + 1}"}
