"""A lesson's files: what can be taught is read; each fault is reported with its file, its line and what to do."""

import io
import math
import stat
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from app.lessons.__main__ import main
from app.lessons.example import EXAMPLE, FILE, example_zip
from app.lessons.fault import LessonError
from app.lessons.folder import lesson_in, lessons_in, offered, packaged
from app.lessons.leading import MOST_TOLD, PARTS, Leading
from app.lessons.lesson import Choice, Lesson, Number, Task, addresses_of
from app.lessons.own_lesson import read_whole
from app.lessons.packed import LARGEST, read_zip
from app.lessons.reading import lesson_of, read
from app.lessons.step_file import step_of
from app.motion.run import Run
from app.state import Session
from app.state.address import query_of
from tests.app.lessons.conftest import FILES, HEAD, NUMBER, packed, step_text

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
    assert ([option.text.text for option in choice.question.options], told.question) == (["a", "b"], None)
    assert (told.then, number.show["preset"]) == (told.show, "planar_chain")


def test_a_fault_is_reported_with_its_line() -> None:
    for text, line, words in (
        ("No table.\n", 1, "+++"), ("+++\ntitle = \n+++\nText", 2, "TOML"),
        (step_text().replace("A step", ""), 2, "title is no text"), (step_text(show=""), 2, "show is missing"),
        (step_text(show='shaw = "?preset=x"\n'), 2, "shaw is there; is that it?"),
        (step_text(show='show = "?t=1"\n'), 3, "names no preset"),
        (step_text(show='show = "nonsense"\n'), 3, "Share button"),
        (step_text(NUMBER.replace('"number"', '"numbr"')), 5, "choice, number, link"),
        (step_text(NUMBER.replace("joint_inertia(1)", "joint_inertia(1")), 7, "bracket"),
        (step_text(NUMBER.replace('"5 %"', '"much"')), 9, "5 %"),
        (step_text(NUMBER + "tolerence = 3\n"), 10, "Did you mean tolerance?"),
        (step_text(text="Look.\n\nIt is {{ __import__('os') }}."), 13, "{{ }}"),
        (step_text(text="Look.\n## Riddle\nNo."), 12, "## Hint and ## Reveal"),
        (step_text(text="{{ energy }} " * 101), 1, "at most 100"), (step_text(after=""), 11, "no reveal"),
        (step_text(text="See\n[there](http://x)."), 12, "a link, a picture or HTML is not taken: '[there](http://x).'"),
        (step_text(text="`<b>` is $a<b>c$ or {{ mass(1) < 2 }}, not <b>bold</b>."), 11, "<b>bold</b>."),
        (step_text(NUMBER.replace("joint_inertia(1)", "mass(1) = 2")), 7, "compared by =="),
        (step_text(NUMBER.replace("joint_inertia(1)", "position(1, t=0.5")), 7, "bracket"),
        (step_text(CHOICE.replace('right = "1 < 2"\n', "right = true\n")), 9, "comparison"),
        (step_text(CHOICE.partition("[[")[0]), 4, "options"),
        (step_text(NUMBER.replace("joint_inertia(1)", "28,45")), 7, "write 28.45"),
        (step_text(NUMBER.replace("joint_inertia(1)", "joint_inertias(1)")), 7, "Did you mean joint_inertia"),
        (step_text(NUMBER.replace("joint_inertia(1)", "before.filter.mass(1)")), 7, "no quantity before.filter.mass"),
        (step_text(NUMBER.replace("joint_inertia(1)", "mass(link)")), 7, "only a question of kind link has one"),
        (step_text(NUMBER.replace("joint_inertia(1)", "mass(1) > 2")), 7, "is a comparison, not a value"),
        (step_text(CHOICE.replace("1 < 2", "mass(1)")), 9, "is a value, not a comparison"),
        (step_text(CHOICE.replace('text = "a"', 'text = "{{ enrgy }}"')), 8, "Did you mean energy"),
        (step_text(text="Look.\nIt is {{ energy J."), 12, "stand alone: '{{ energy J.'"),
        (step_text(text="The $\\epsilon of joint 1."), 11, "a dollar itself is"),
        (step_text().replace("A step", "A {{ energy }} step"), 2, "shown as it stands"),
        (step_text(text="Look.\n### Hint\nHalf."), 12, "## Hint"),
        (step_text(after="## Reveal\n\n"), 12, "nothing below this heading"),
        (step_text(text="It is {{ energy | 12 }}."), 11, "digits at the end, from 1 to 8"),
    ):  # fmt: skip
        ((file, at, said),) = faults(lambda text=text: step_of("01_step.md", text))
        assert file == "01_step.md"
        assert words in said
        assert at == line, said


def test_a_file_made_to_hang_or_crash_is_refused_soon() -> None:
    for head, words in (
        ("\n" * 29_000, "is missing"), (HEAD.replace("minutes = 5", f"minutes = {'9' * 400}"), "minutes"),
        (HEAD.replace("minutes = 5", f"minutes = {'9' * 5000}"), "digits"),
        (HEAD.replace("Try it.", "{{ " * 5000), "characters"),
    ):  # fmt: skip
        begun = time.monotonic()
        said = faults(lambda head=head: lesson_of("a_test", {"lesson.toml": head, "01_a.md": step_text()}))
        assert time.monotonic() - begun < 5.0
        assert any(words in each for _, _, each in said), (words, said)
    assert faults(lambda: step_of("01_a.md", step_text(show='show = "http://[x?preset=planar_chain"\n')))


def test_a_folder_that_is_no_lesson_is_refused() -> None:
    for name, files, words in (
        ("Bad Name", {"lesson.toml": HEAD, "01_a.md": step_text()}, "small letters"),
        ("a_test", {"01_a.md": step_text()}, "has no lesson.toml"), ("a_test", {"lesson.toml": HEAD}, "no step"),
        ("a_test", {"lesson.toml": HEAD, "01_a.md": step_text(), "code.py": "1"}, "neither"),
        ("a_test", {"lesson.toml": HEAD, "01_a.md": "x" * 40_000}, "more than"),
        ("a_test", {"lesson.toml": HEAD, **{f"{k:02d}_a.md": step_text() for k in range(31)}}, "at most 30"),
    ):  # fmt: skip
        assert any(words in said for _, _, said in faults(lambda name=name, files=files: lesson_of(name, files)))


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
    data = bytearray(packed({**FILES, "02_big.md": "x" * 10_000_000}))
    name = b"02_big.md"
    at = data.rindex(name) - 46
    data[at + 24 : at + 28] = (100).to_bytes(4, "little")
    return bytes(data)


def test_a_folder_or_its_files_are_a_lesson() -> None:
    for folder in ["", "my_lesson/", "My Lesson/"]:
        left = {f"__MACOSX/{folder}._01_a.md": b"\x00", "__MACOSX/._x": b"\x00", ".DS_Store": b"\x00"}  # by the Finder
        lesson = read_zip(packed(within(folder, **left)), "Week 3.zip").lesson()
        assert (lesson.title, lesson.name) == ("A test", "my_lesson" if folder else "week_3")


ATTACKS: dict[str, Callable[[], bytes]] = {
    "no zip": lambda: b"PK nonsense", "nothing": lambda: b"", "too large": lambda: b"PK" + b"x" * LARGEST,
    "up": lambda: packed(within("", **{"../01_evil.md": "x"})),
    "up inside": lambda: packed(within("", **{"a/../../evil.md": "x"})),
    "absolute": lambda: packed(within("", **{"/etc/evil.md": "x"})),
    "a drive": lambda: packed(within("", **{"C:evil.md": "x"})),
    "backslashes": lambda: packed(within("", **{"..\\evil.md": "x"})), "deep": lambda: packed(within("a/b/")),
    "two folders": lambda: packed(within("a/") | within("b/")),
    "code": lambda: packed(within("", **{"evil.py": "import os"})),
    "a picture": lambda: packed(within("", **{"picture.png": b"\x89PNG"})),
    "a bomb": lambda: packed(within("", **{"02_bomb.md": "x" * 50_000_000})),
    "many": lambda: packed(within("", **{f"{k:03d}_a.md": "x" for k in range(500)})), "a link": linked,
    "a password": locked, "damage": damaged, "a lie": lying,
    "no text": lambda: packed(within("", **{"02_step.md": b"\x00\x01\x02"})),
    "another encoding": lambda: packed(within("", **{"02_step.md": b"\xff\xfea"})),
    "a zip in it": lambda: packed(within("", **{"02_step.md": packed({**FILES})})),
    "no head": lambda: packed({"01_step.md": FILES["01_step.md"]}),
}  # fmt: skip


def test_any_other_zip_is_refused_in_words() -> None:
    for name, make in ATTACKS.items():
        with pytest.raises(LessonError) as refusal:
            read_zip(make(), "x.zip").lesson()
        assert all(fault.said and fault.remedy for fault in refusal.value.faults), name


def test_the_example_passes_its_check_and_opens_unchanged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], session: Session
) -> None:
    with zipfile.ZipFile(example_zip()) as archive:
        archive.extractall(tmp_path)
    assert main(["check", str(tmp_path / EXAMPLE.name)]) == 0, capsys.readouterr().out
    assert {Choice, Number, Task} <= {type(step.question) for step in lesson_in(tmp_path / EXAMPLE.name).steps}
    lesson, faults = read_whole(example_zip().read(), FILE, session)
    assert (faults, lesson.name) == ([], EXAMPLE.name)


@pytest.fixture
def no_motion(monkeypatch: pytest.MonkeyPatch) -> None:
    def compute(_: Run) -> None:
        raise AssertionError("a motion is computed")

    monkeypatch.setattr(Run, "compute", compute)


def address_faults(session: Session, show: str) -> list[str]:
    found = read("a_test", {"lesson.toml": HEAD, "01_a.md": step_text(show=f'show = "?{show}"\n')})
    assert not found.faults
    return list(map(str, Leading().dead_ends(found.addresses, session)))


@pytest.mark.usefixtures("no_motion")
def test_an_address_that_leads_nowhere_is_reported_with_its_line(session: Session) -> None:
    for show, words in (
        ("preset=puma650&t=0", "there is no preset 'puma650'."), ("preset=puma560&t=1000", "t is '1000'"),
        ("preset=puma560&link=9", "link is '9'"), ("preset=puma560&posture=0,0", "posture has not the 6 numbers"),
        ("preset=puma560&tab=Brake+it", "there is no instrument 'Brake it'. Did you mean Break it?"),
        ("preset=puma560&beside=Chekc", "Did you mean Check?"),
        ("preset=puma560&layers=push,articulated_inertias", "Did you mean articulated_inertia?"),
        ("preset=puma560&plots=Motoin", "there is no set of plots 'Motoin'. Did you mean Motion?"),
        ("preset=puma560&stage=filtr", "Did you mean filter?"),
        ("preset=puma560&block=translation", "Did you mean translational?"),
        ("preset=puma560&mas=2", "there is no part of an address 'mas'. Did you mean mass?"),
        ("preset=puma560&breaks=nonsense", "the page cannot show this"),
        ("preset=file&file=0&name=x", "open the file in Model"),
    ):  # fmt: skip
        (said,) = address_faults(session, show)
        assert said.startswith("01_a.md:3: ")
        assert words in said


def test_what_a_page_writes_is_known(session: Session) -> None:
    everything = Session("planar_chain")
    everything.param.update(
        tab="Check", beside="Walk", walked=True, endless=True, torqued=1, layers=["push"], motion=0.1,
        line="filter/gain/1",
    )  # fmt: skip
    assert set(query_of(everything)) <= set(PARTS)
    everything.jobs.stop()
    assert address_faults(session, "preset=puma560&t=0.000&camera=1,2&theme=dark") == []


@pytest.mark.usefixtures("no_motion")
def test_every_packaged_lesson_leads_somewhere(session: Session) -> None:
    for step in (step for lesson in packaged() for step in lesson.steps):
        addresses = addresses_of(step.file, step.show, step.then, step.places)
        assert Leading().dead_ends(addresses, session, math.inf) == [], step.file


def test_a_lesson_made_to_take_long_is_refused_soon(session: Session) -> None:
    many = ",".join(f"layer{k}" for k in range(400))
    text = step_text(text="{{ " + "x" * 200 + " }}\n" * 140, show=f'show = "?preset=puma560&layers={many}"\n')
    files = {"lesson.toml": HEAD, **{f"{k:02d}_a.md": text for k in range(30)}}
    begun = time.monotonic()
    _, faults = read_whole(packed(files), "mine.zip", session)
    assert time.monotonic() - begun < 10.0
    assert len(faults) == 30 * (2 + MOST_TOLD)  # its layers, its expression, and braces that nothing opens
