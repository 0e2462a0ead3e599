"""A lesson's files: what can be taught is read; each fault is reported with its file, its line and what to do."""

import time
import zipfile
from pathlib import Path

import pytest

from app.lessons.check import main
from app.lessons.lesson import LessonError, read_lesson
from app.lessons.lessons import read_whole
from app.lessons.library import EXAMPLE, example_zip, lessons_in, offered, packaged, read_zip
from app.state import Session
from tests.app.lessons.conftest import FILES, HEAD, NUMBER, step_text
from tests.conftest import zipped

CHOICE = (
    '[question]\nkind = "choice"\nask = "Which?"\n[[question.options]]\ntext = "a"\nright = "1 < 2"\n'
    '[[question.options]]\ntext = "b"\nright = "2 < 1"\n'
)


def faults(files: dict[str, str], name: str = "a_test") -> list[str]:
    with pytest.raises(LessonError) as refusal:
        read_lesson(name, files)
    return list(map(str, refusal.value.faults))


def test_a_fault_is_reported_with_its_line() -> None:
    for text, line, words in (
        ("No table.\n", 1, "+++"), ("+++\ntitle = \n+++\nText", 2, "TOML"),
        (step_text().replace("A step", ""), 2, "title: write a text"), (step_text(show=""), 2, "show: it is missing"),
        (step_text(show='show = "?t=1"\n'), 3, "Share button"),
        (step_text(show='show = "nonsense"\n'), 3, "Share button"),
        (step_text(NUMBER.replace('"number"', '"numbr"')), 5, "choice, number, link"),
        (step_text(NUMBER.replace("joint_inertia(1)", "joint_inertia(1")), 7, "bracket"),
        (step_text(NUMBER.replace("joint_inertia(1)", "28,45")), 7, "decimal point"),
        (step_text(NUMBER.replace('"5 %"', '"much"')), 9, "5 %"),
        (step_text(NUMBER + "tolerence = 3\n"), 10, "known are"),
        (step_text(NUMBER.replace('"kg m^2"', '"kg x"')), 8, "a unit that is known"),
        (step_text(CHOICE.replace('text = "b"\n', "")), 10, "text: it is missing"),
        (step_text(CHOICE.partition("[[")[0]), 4, "options"),
        (step_text(text="Look.\n## Riddle\nNo."), 12, "## Hint and"),
        (step_text(after=""), 11, "one part ## Reveal"), (step_text(after="## Reveal\n\n"), 12, "with a text below"),
        (step_text("[question]\n"), 4, "kind is one of"),
        (step_text(NUMBER + '[numbers]\n"long" = "length(1)"\n'), 11, "begin with a number"),
    ):  # fmt: skip
        told = faults({"lesson.toml": HEAD, "01_step.md": text})
        assert any(words in each and each.startswith(f"01_step.md:{line}: ") for each in told), told


def test_a_file_made_to_hang_or_crash_is_refused_soon() -> None:
    for head, words in (
        ("\n" * 29_000, "is missing"), (HEAD.replace("minutes = 5", f"minutes = {'9' * 400}"), "minutes"),
        (HEAD.replace("minutes = 5", f"minutes = {'9' * 5000}"), "digits"),
    ):  # fmt: skip
        begun = time.monotonic()
        assert any(words in each for each in faults({"lesson.toml": head, "01_a.md": step_text()}))
        assert time.monotonic() - begun < 5.0


def test_an_aim_that_is_too_long_is_refused_without_being_read_on() -> None:
    (told,) = faults({"lesson.toml": HEAD.replace("Try it.", "{{ " * 5500), "01_a.md": step_text()})
    assert "at most 300 characters" in told
    assert len(told) < 100


def test_a_folder_that_is_no_lesson_is_refused() -> None:
    for files, words in (
        ({"01_a.md": step_text()}, "has a lesson.toml"), ({"lesson.toml": HEAD}, "1 to 30 steps"),
        ({**FILES, "code.py": "1"}, "code.py"), ({"lesson.toml": HEAD, "01_a.md": "x" * 40_000}, "at most"),
        ({**FILES, "02_a.md": step_text(text="{{ energy }} " * 101)}, "100 expressions"),
        ({"lesson.toml": HEAD, **{f"{k:02d}_a.md": step_text() for k in range(31)}}, "1 to 30 steps"),
    ):  # fmt: skip
        assert any(words in each for each in faults(files))
    assert "small letters" in faults(FILES, "Bad Name")[0]


def test_a_folder_of_lessons_is_offered_after_the_packaged_ones(tmp_path: Path) -> None:
    for name, text in (("good", step_text()), ("bad", "nothing")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "lesson.toml").write_text(HEAD)
        (tmp_path / name / "01_a.md").write_text(text)
    lessons, told = offered({"ARMSWEEP_LESSONS": str(tmp_path)})
    assert [lesson.name for lesson in lessons] == [*(each.name for each in packaged()), "good"]
    assert [fault.file for fault in told] == ["bad/01_a.md"]
    assert "cannot be read" in str(lessons_in(tmp_path / "nowhere")[1][0])
    assert offered({}) == (list(packaged()), [])


def within(folder: str, **more: str | bytes) -> bytes:
    return zipped({**{f"{folder}{name}": text for name, text in FILES.items()}, **more})


def test_a_folder_or_its_files_are_a_lesson() -> None:
    for folder in ["", "my_lesson/", "My Lesson/"]:
        left = {f"__MACOSX/{folder}._01_a.md": b"\x00", "__MACOSX/._x": b"\x00", ".DS_Store": b"\x00"}  # by the Finder
        lesson = read_zip(within(folder, **left), "Week 3.zip")
        assert (lesson.title, lesson.name) == ("A test", "my_lesson" if folder else "week_3")


def with_bytes(data: bytes, before: bytes, at: int, new: bytes) -> bytes:
    start = data.rindex(before) + at
    return data[:start] + new + data[start + len(new) :]


ATTACKS = {
    "no zip": b"PK nonsense", "empty": zipped({}), "up": within("", **{"../01_evil.md": "x"}),
    "up inside": within("", **{"a/../../evil.md": "x"}), "absolute": within("", **{"/etc/evil.md": "x"}),
    "a drive": within("", **{"C:evil.md": "x"}), "backslashes": within("", **{"a\\..\\evil.md": "x"}),
    "deep": within("a/b/"), "two": within("a/", **{"b/01_step.md": "x"}), "code": within("", **{"evil.py": "1"}),
    "a bomb": within("", **{"02_bomb.md": "x" * 50_000_000}), "no text": within("", **{"02_step.md": b"\x00\x01\x02"}),
    "many": within("", **{f"{k:03d}_a.md": "x" for k in range(500)}), "no head": zipped({"01_step.md": "x"}),
    "another encoding": within("", **{"02_step.md": b"\xff\xfea"}),
    "a password": with_bytes(within(""), b"PK\x01\x02", 8, b"\x01"),
    "damage": with_bytes(within(""), b"PK\x03\x04", 60, b"\x00" * 30),
    "a lie": with_bytes(within("", **{"02_big.md": "x" * 10**7}), b"02_big.md", -22, (100).to_bytes(4, "little")),
}  # fmt: skip


def test_any_other_zip_is_refused_in_words() -> None:
    for name, data in ATTACKS.items():
        with pytest.raises(LessonError) as refusal:
            read_zip(data, "x.zip")
        assert all(fault.words for fault in refusal.value.faults), name


def test_the_example_passes_its_check_and_opens_unchanged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], session: Session
) -> None:
    with zipfile.ZipFile(example_zip()) as archive:
        archive.extractall(tmp_path)
    assert main(["check", str(tmp_path / EXAMPLE.name)]) == 0, capsys.readouterr().out
    lesson, told = read_whole(example_zip().read(), "x.zip", session)
    assert lesson is not None
    assert (list(told), lesson.name) == ([], EXAMPLE.name)
    assert {"choice", "number", "task"} <= {step.question.kind for step in lesson.steps if step.question}
    (tmp_path / EXAMPLE.name / "02_choice.md").write_text(step_text(NUMBER + "stated = 0.04\n"))
    assert main(["check", str(tmp_path)]) == 1
    assert "02_choice.md:10: it states 0.04, and the live state gives 0.0301" in capsys.readouterr().out
    assert main(["check", str(tmp_path / "nowhere")]) == 2


def test_an_address_that_leads_nowhere_is_reported_with_its_line(session: Session) -> None:
    for show, words in (
        ("preset=puma650&t=0", "there is no preset 'puma650'."), ("preset=puma560&t=1000", "t is '1000'"),
        ("preset=puma560&link=9", "link is '9'"), ("preset=puma560&posture=0,0", "posture does not have the 6 numbers"),
        ("preset=puma560&breaks=nonsense", "the page cannot show this"),
        ("preset=file&file=0&name=x", "open the file in Model"),
    ):  # fmt: skip
        _, told = read_whole(zipped({**FILES, "01_step.md": step_text(show=f'show = "?{show}"\n')}), "x.zip", session)
        assert str(told[0]).startswith("01_step.md:3: ")
        assert words in str(told[0])
