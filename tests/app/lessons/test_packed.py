"""A zip that is opened on the page: one small folder of texts, and nothing else gets in or out."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Callable

import pytest

from app.lessons.fault import LessonError
from app.lessons.packed import LARGEST, read_zip
from tests.app.lessons.conftest import HEAD, step_text

FILES = {"lesson.toml": HEAD, "01_step.md": step_text()}


def packed(files: dict[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


def within(folder: str, **more: str | bytes) -> dict[str, str | bytes]:
    return {f"{folder}{name}": text for name, text in FILES.items()} | more


def linked() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in FILES.items():
            archive.writestr(name, text)
        link = zipfile.ZipInfo("02_link.md")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    return data.getvalue()


def locked() -> bytes:
    data = bytearray(packed(FILES))
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1  # says that a password is needed
    return bytes(data)


def damaged() -> bytes:
    data = bytearray(packed(FILES))
    data[60:90] = b"\x00" * 30
    return bytes(data)


def lying() -> bytes:
    """Says that a large file is small."""
    data = bytearray(packed({**FILES, "02_big.md": "x" * 10_000_000}))
    name = b"02_big.md"
    at = data.rindex(name) - 46
    data[at + 24 : at + 28] = (100).to_bytes(4, "little")
    return bytes(data)


@pytest.mark.parametrize("folder", ["", "my_lesson/", "My Lesson/"])
def test_a_folder_or_its_files_are_a_lesson(folder: str) -> None:
    left = {f"__MACOSX/{folder}._01_a.md": b"\x00", "__MACOSX/._x": b"\x00", ".DS_Store": b"\x00"}  # by the Finder
    lesson = read_zip(packed(within(folder, **left)), "Week 3.zip").lesson()
    assert lesson.title == "A test"
    assert lesson.name == ("my_lesson" if folder else "week_3")


ATTACKS: dict[str, Callable[[], bytes]] = {
    "no zip": lambda: b"PK nonsense",
    "nothing": lambda: b"",
    "too large": lambda: b"PK" + b"x" * LARGEST,
    "up": lambda: packed(within("", **{"../01_evil.md": "x"})),
    "up inside": lambda: packed(within("", **{"a/../../evil.md": "x"})),
    "absolute": lambda: packed(within("", **{"/etc/evil.md": "x"})),
    "a drive": lambda: packed(within("", **{"C:evil.md": "x"})),
    "backslashes": lambda: packed(within("", **{"..\\evil.md": "x"})),
    "deep": lambda: packed(within("a/b/")),
    "two folders": lambda: packed(within("a/") | within("b/")),
    "code": lambda: packed(within("", **{"evil.py": "import os"})),
    "a picture": lambda: packed(within("", **{"picture.png": b"\x89PNG"})),
    "a bomb": lambda: packed(within("", **{"02_bomb.md": "x" * 50_000_000})),
    "many": lambda: packed(within("", **{f"{k:03d}_a.md": "x" for k in range(500)})),
    "a link": linked,
    "a password": locked,
    "damage": damaged,
    "a lie": lying,
    "no text": lambda: packed(within("", **{"02_step.md": b"\x00\x01\x02"})),
    "another encoding": lambda: packed(within("", **{"02_step.md": b"\xff\xfea"})),
    "a zip in it": lambda: packed(within("", **{"02_step.md": packed({**FILES})})),
    "no head": lambda: packed({"01_step.md": FILES["01_step.md"]}),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_anything_else_is_refused_in_words(name: str) -> None:
    data = ATTACKS[name]()
    with pytest.raises(LessonError) as told:
        read_zip(data, "x.zip").lesson()
    assert all(fault.said and fault.remedy for fault in told.value.faults)


def test_a_file_that_is_no_text_of_a_lesson_is_named_and_hides_nothing() -> None:
    bad = step_text().replace('"joint_inertia(1)"', '"28,45"')
    found = read_zip(packed(within("a/", **{"a/notes.txt": "x", "a/02_b.md": b"\xff", "a/03_c.md": bad})), "x.zip")
    told = sorted(map(str, found.faults))
    assert [each.partition(": ")[0] for each in told] == ["02_b.md:1", "03_c.md:7", "notes.txt"]
    assert told[2] == "notes.txt: it is no text of a lesson. Pack .toml and .md files only."
