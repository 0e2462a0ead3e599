"""A lesson's files: what can be taught is read, and every fault is told with its file, its line and what to do."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.lessons.__main__ import main
from app.lessons.fault import LessonError
from app.lessons.folder import MOST_LESSONS, lesson_in, lessons_in, offered, packaged
from app.lessons.lesson import Choice, Lesson, Number
from app.lessons.lesson_html import list_html
from app.lessons.progress import Progress
from app.lessons.reading import lesson_of
from app.lessons.step_file import step_of
from tests.app.lessons.conftest import HEAD, NUMBER, SHOW, step_text

CHOICE = (
    '[question]\nkind = "choice"\nask = "Which?"\n[[question.options]]\ntext = "a"\nright = "1 < 2"\n'
    '[[question.options]]\ntext = "b"\nright = "2 < 1"\n'
)


def faults(read: Callable[[], object]) -> list[tuple[str, int, str]]:
    with pytest.raises(LessonError) as told:
        read()
    assert all(fault.remedy for fault in told.value.faults)
    return [(fault.file, fault.line, f"{fault.said} {fault.remedy}") for fault in told.value.faults]


def test_what_is_written_is_read(written: Callable[..., Lesson]) -> None:
    lesson = written(step_text(), step_text(CHOICE), step_text(question="", text="Only told."))
    assert (lesson.title, lesson.aim, lesson.minutes) == ("A test", "Try it.", 5)
    number, choice, told = lesson.steps
    assert isinstance(number.question, Number)
    assert number.question.relative
    assert number.question.tolerance == 0.05
    assert isinstance(choice.question, Choice)
    assert [option.text.text for option in choice.question.options] == ["a", "b"]
    assert told.question is None
    assert told.then == told.show
    assert number.show["preset"] == "planar_chain"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("No table.\n", 1, "+++"),
        ("+++\ntitle = \n+++\nText", 2, "TOML"),
        (step_text().replace("A step", ""), 2, "title is no text"),
        (step_text(show=""), 2, "show is missing"),
        (step_text(show='shaw = "?preset=x"\n'), 2, "shaw is there; is that it?"),
        (step_text(show='show = "?t=1"\n'), 3, "names no preset"),
        (step_text(show='show = "nonsense"\n'), 3, "Share button"),
        (step_text(NUMBER.replace('"number"', '"numbr"')), 5, "choice, number, link"),
        (step_text(NUMBER.replace("joint_inertia(1)", "joint_inertia(1")), 7, "bracket"),
        (step_text(NUMBER.replace('"5 %"', '"much"')), 9, "5 %"),
        (step_text(NUMBER + "tolerence = 3\n"), 10, "Did you mean tolerance?"),
        (step_text(text="Look.\n\nIt is {{ __import__('os') }}."), 13, "{{ }}"),
        (step_text(text="Look.\n## Riddle\nNo."), 12, "## Hint and ## Reveal"),
        (step_text(text="{{ energy }} " * 101), 1, "at most 100"),
        (step_text(after=""), 11, "no reveal"),
        (step_text(text="See\n[there](http://x)."), 12, "a link, a picture or HTML is not taken: '[there](http://x).'"),
        (step_text(text="`<b>` is $a<b>c$ or {{ mass(1) < 2 }}, not <b>bold</b>."), 11, "<b>bold</b>."),
        (step_text(NUMBER.replace("joint_inertia(1)", "mass(1) = 2")), 7, "compared by =="),
        (step_text(NUMBER.replace("joint_inertia(1)", "position(1, t=0.5")), 7, "bracket"),
        (step_text(CHOICE.replace('right = "1 < 2"\n', "right = true\n")), 9, "comparison"),
        (step_text(CHOICE.partition("[[")[0]), 4, "options"),
        (step_text(NUMBER.replace("joint_inertia(1)", "28,45")), 7, "write 28.45"),
        (step_text(NUMBER.replace("joint_inertia(1)", "2 * mass(1) + 0,5")), 7, "write 0.5"),
        (step_text(NUMBER.replace('"5 %"', '"0,5"')), 9, "write 0.5"),
        (step_text(NUMBER + "stated = 0,5\n"), 10, "write 0.5"),
        (step_text(text="It is {{ 28,45 }} kg."), 11, "write 28.45"),
        (step_text(NUMBER.replace("joint_inertia(1)", "joint_inertias(1)")), 7, "Did you mean joint_inertia"),
        (step_text(NUMBER.replace("joint_inertia(1)", "before.filter.mass(1)")), 7, "no quantity before.filter.mass"),
        (step_text(NUMBER.replace("joint_inertia(1)", "text.filter.joint_inertias")), 7, "no quantity text.filter"),
        (step_text(NUMBER.replace("joint_inertia(1)", "counted.strobing.words(6)")), 7, "words are not counted"),
        (step_text(NUMBER.replace("joint_inertia(1)", "mass(link)")), 7, "only a question of kind link has one"),
        (step_text(NUMBER.replace("joint_inertia(1)", "norm + 1")), 7, "with brackets"),
        (step_text(NUMBER.replace("joint_inertia(1)", "dot(mass)")), 7, "dot takes 2 values"),
        (step_text(NUMBER.replace("joint_inertia(1)", "mass(1) > 2")), 7, "is a comparison, not a value"),
        (step_text(CHOICE.replace("1 < 2", "mass(1)")), 9, "is a value, not a comparison"),
        (step_text(CHOICE.replace('text = "a"', 'text = "{{ enrgy }}"')), 8, "Did you mean energy"),
        (step_text(CHOICE.replace('text = "a"', 'text = "{{ energy"')), 8, "'{{ energy'"),
        (step_text(text="Look.\nIt is {{ energy J."), 12, "stand alone: '{{ energy J.'"),
        (step_text(text="Look.\nIt is energy }} J."), 12, "stand alone: '}} J.'"),
        (step_text(text="The $\\epsilon of joint 1."), 11, "a dollar itself is"),
        (step_text().replace("A step", "A {{ energy }} step"), 2, "shown as it stands"),
        (step_text().replace("A step", "A step of $D$"), 2, "shown as it stands"),
        (step_text(text="Look.\n### Hint\nHalf."), 12, "## Hint"),
        (step_text(text="Look.\n#reveal\nHalf."), 12, "## Reveal"),
        (step_text(after="## Reveal\n\n"), 12, "nothing below this heading"),
        (step_text(after="## Hint\n## Reveal\nSo.\n"), 12, "nothing below this heading"),
        (step_text(text="It is {{ energy | 12 }}."), 11, "digits at the end, from 1 to 8"),
    ],
)
def test_a_fault_is_told_with_its_line(text: str, line: int, words: str) -> None:
    ((file, at, said),) = faults(lambda: step_of("01_step.md", text))
    assert file == "01_step.md"
    assert words in said
    assert at == line, said


def test_faults_of_all_files_are_told_together() -> None:
    files = {"lesson.toml": HEAD.replace("minutes = 5", "minutes = 0"), "01_a.md": "", "02_b.md": step_text(show="")}
    told = faults(lambda: lesson_of("a_test", files))
    assert [file for file, _, _ in told] == ["lesson.toml", "01_a.md", "02_b.md"]
    assert told[0][1] == 3


def test_all_faults_of_a_step_are_told_together_and_each_once() -> None:
    head = NUMBER.replace('"number"', '"numbr"') + "tolerance2 = 3\n"
    told = faults(lambda: step_of("01_a.md", step_text(head, show="", text="{{ 1 + }}\n## Riddle\nNo.", after="")))
    beside = "between {{ }}", "no part 'Riddle'", "no reveal"
    expected = "show is missing", "kind is 'numbr'", "no tolerance2", *beside
    assert len(told) == len(expected)
    assert all(any(words in said for _, _, said in told) for words in expected), told
    question = NUMBER.replace("joint_inertia(1)", "joint_inertia(1").replace('"5 %"', '"much"') + "tolerence = 3\n"
    lines = [line for _, line, _ in faults(lambda: step_of("01_a.md", step_text(question)))]
    assert lines == [7, 9, 10]


@pytest.mark.parametrize(
    ("written", "size", "relative"),
    [('"0.5"', 0.5, False), ("0.5", 0.5, False), ("2", 2.0, False), ('"2 %"', 0.02, True), ('"2%"', 0.02, True)],
)
def test_a_tolerance_is_in_the_unit_of_the_answer_or_a_share_of_it(written: str, size: float, relative: bool) -> None:
    question = step_of("01_a.md", step_text(NUMBER.replace('"5 %"', written))).question
    assert isinstance(question, Number)
    assert (question.tolerance, question.relative) == (pytest.approx(size), relative)


@pytest.mark.parametrize("written", ['"-1"', "0", "true", '""', '"nan"', '"5 percent"', "[1]", '"1_0"', "inf"])
def test_what_is_no_tolerance_is_told_what_to_write(written: str) -> None:
    ((_, line, said),) = faults(lambda: step_of("01_a.md", step_text(NUMBER.replace('"5 %"', written))))
    assert line == 9
    assert said.endswith('Write "5 %" for a share of the answer, or "0.5" for as much in its unit.')


@pytest.mark.parametrize(
    "answer",
    ["mass_matrix(1, 2)", "articulated_inertia(1)[6, 6]", "max(0, 5, 1)", "2 * pi", "after.filter.kalman_gain(1)[1]"],
)
def test_a_comma_between_places_or_values_is_none_of_a_number(answer: str) -> None:
    question = step_of("01_a.md", step_text(NUMBER.replace("joint_inertia(1)", answer))).question
    assert isinstance(question, Number)
    assert question.answer.text == answer


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("\n" * 29_000, "is missing"),
        (HEAD.replace("minutes = 5", f"minutes = {'9' * 400}"), "minutes"),
        (HEAD.replace("minutes = 5", f"minutes = {'9' * 5000}"), "digits"),
    ],
)
def test_what_is_sent_to_hang_or_to_crash_is_told_soon(head: str, words: str) -> None:
    begun = time.monotonic()
    told = faults(lambda: lesson_of("a_test", {"lesson.toml": head, "01_a.md": step_text()}))
    assert time.monotonic() - begun < 5.0
    assert any(words in said for _, _, said in told), told
    show = 'show = "http://[x?preset=planar_chain"\n'
    assert faults(lambda: step_of("01_a.md", step_text(show=show)))


def test_what_can_be_read_is_checked_beside_what_cannot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "a_test"
    folder.mkdir()
    (folder / "lesson.toml").write_text(HEAD.replace("minutes = 5", "minutes = 0"))
    (folder / "01_a.md").write_bytes(b"ab\xff")
    (folder / "02_b.md").write_text(step_text(NUMBER.replace('"5 %"', '"much"')))
    (folder / "03_c.md").write_text(step_text(text="{{ joint_inertia(9) }}"))
    assert main(["check", str(folder)]) == 1
    told = capsys.readouterr().out.splitlines()
    assert [re.search(r"a_test/(\S+?):", line).group(1) for line in told] == [  # type: ignore[union-attr]
        "01_a.md", "lesson.toml", "02_b.md", "03_c.md",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "files", "words"),
    [
        ("Bad Name", {"lesson.toml": HEAD, "01_a.md": step_text()}, "small letters"),
        ("a_test", {"01_a.md": step_text()}, "has no lesson.toml"),
        ("a_test", {"lesson.toml": HEAD}, "no step"),
        ("a_test", {"lesson.toml": HEAD, "01_a.md": step_text(), "code.py": "1"}, "neither"),
        ("a_test", {"lesson.toml": HEAD, "01_a.md": "x" * 40_000}, "more than"),
        ("a_test", {"lesson.toml": HEAD, **{f"{k:02d}_a.md": step_text() for k in range(31)}}, "at most 30"),
    ],
)
def test_a_folder_that_is_no_lesson_is_refused(name: str, files: dict[str, str], words: str) -> None:
    assert any(words in said for _, _, said in faults(lambda: lesson_of(name, files)))


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "a_test"
    folder.mkdir()
    (folder / "lesson.toml").write_text(HEAD)
    (folder / "01_a.md").write_bytes(b"ab\nc\xff\xfe")
    ((file, line, said),) = faults(lambda: lesson_in(folder))
    assert (file, line) == ("01_a.md", 2)
    assert "UTF-8" in said


def test_a_folder_of_lessons_is_offered_after_the_packaged_ones(tmp_path: Path) -> None:
    for name, text in (("good", step_text()), ("bad", "nothing")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "lesson.toml").write_text(HEAD)
        (tmp_path / name / "01_a.md").write_text(text)
    lessons, told, _ = offered({"ARMSWEEP_LESSONS": str(tmp_path)})
    assert [lesson.name for lesson in lessons] == [*(each.name for each in packaged()), "good"]
    assert [fault.file for fault in told] == ["bad/01_a.md"]
    assert lessons_in(tmp_path / "nowhere")[1][0].remedy
    assert offered({}) == (list(packaged()), [], [])


def test_a_folder_called_as_a_packaged_one_takes_its_place_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "gain"
    folder.mkdir()
    (folder / "lesson.toml").write_text(HEAD)
    (folder / "01_a.md").write_text(step_text(question=""))
    lessons = offered({"ARMSWEEP_LESSONS": str(tmp_path)}).lessons
    assert [lesson.title for lesson in lessons if lesson.name == "gain"] == ["A test"]
    gone = next(each for each in packaged() if each.name == "gain").title
    assert list_html(lessons, Progress(), [], "").count(f"in the place of the packaged lesson “{gone}”") == 1
    assert "in the place of" not in list_html(packaged(), Progress(), [], "")
    assert main(["check", str(folder)]) == 0
    assert f'can be taught, in the place of the packaged lesson "{gone}"' in capsys.readouterr().out


def test_what_is_no_lesson_of_a_folder_is_passed_by(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in (".git", "_drafts", "a_test"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "lesson.toml").write_text(HEAD)
    (tmp_path / "a_test" / "01_a.md").write_text(step_text(question=""))
    assert main(["check", str(tmp_path)]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{tmp_path}/a_test: can be taught"]


def test_more_lessons_than_a_list_has_are_told(tmp_path: Path) -> None:
    for k in range(MOST_LESSONS + 2):
        (tmp_path / f"l{k:02d}").mkdir()
        (tmp_path / f"l{k:02d}" / "lesson.toml").write_text(HEAD)
        (tmp_path / f"l{k:02d}" / "01_a.md").write_text(step_text(question=""))
    lessons, (fault,), _ = lessons_in(tmp_path)
    assert len(lessons) == MOST_LESSONS
    assert fault.file == f"l{MOST_LESSONS}"


def test_an_address_may_be_a_whole_link() -> None:
    link = 'show = "https://example.org/app?preset=panda&t=1.000&tab=Walk"\n'
    assert step_of("01_a.md", step_text(show=link)).show == {"preset": "panda", "t": "1.000", "tab": "Walk"}
    assert step_of("01_a.md", step_text(show=SHOW)).then == step_of("01_a.md", step_text(show=SHOW)).show


def test_a_lesson_of_one_step_has_no_steps() -> None:
    lesson = packaged()[0]
    short = replace(lesson, minutes=1, steps=lesson.steps[:1])
    assert "<small>1 minute · 1 step</small>" in list_html([short], Progress(), [], "")
    assert f"· {len(lesson.steps)} steps</small>" in list_html([lesson], Progress(), [], "")
