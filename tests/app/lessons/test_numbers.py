"""The numbers of a lesson's texts: each one changed in turn, and the check fails for each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from app.lessons.__main__ import main
from app.lessons.checking import faults_of
from app.lessons.folder import PACKAGED, packaged
from app.lessons.lesson import Choice, Declared, Lesson, Number, Order, Prose, Step
from app.lessons.numbers import line_at, wrong_numbers
from app.lessons.prose import expressions
from app.lessons.staged import expressions_of, staged
from app.lessons.step_file import read_step
from app.lessons.typed import NAMES, SCALES, places_of, read_typed, typed_in
from app.state import Session
from tests.app.lessons.conftest import HEAD, NUMBER, SHOW, step_text

LESSONS = packaged()
FACTORS = {"0.1", "0.25", "0.5", "0.75", "0.12"}
"""Decimals within expressions of the texts: shares that a text says in words, and the limit of a task."""


def turned(number: str, numbers: Sequence[Declared] = ()) -> str:
    """A number with its last digit, or its last word, made another, which a step does not declare, too."""
    if number[-1].isdigit():
        others = (f"{number[:-1]}{(int(number[-1]) + k) % 10}" for k in range(1, 10))
        return next(other for other in others if not any(each.text.startswith(other) for each in numbers))
    *first, last = number.split()
    words = list(SCALES) if last.lower() in SCALES else list(NAMES[1:])
    word = "two" if last.lower() in ("half", "a", "an") else words[(words.index(last.lower()) + 1) % len(words)]
    return " ".join([*first, word])


def changed(source: str, prose: Prose, start: int, old: str, new: str) -> str:
    """A file's text with one number of one of its texts changed where it stands."""
    lines = source.split("\n")
    at = line_at(prose, start) - 1
    begin = prose.text.rfind("\n", 0, start) + 1
    place = prose.text[begin:start].count(old)
    pieces = lines[at].split(old)
    if not lines[at].startswith(prose.text[begin:start]):
        shift = lines[at].split(prose.text.split("\n")[0][:12])[0].count(old)  # behind its key
        place += shift
    lines[at] = old.join(pieces[: place + 1]) + new + old.join(pieces[place + 1 :])
    return "\n".join(lines)


def typed(step: Step) -> Iterator[tuple[Prose, int, str]]:
    for prose, _ in step.texts:
        yield from ((prose, each.start, each.number) for each in typed_in(prose.text))


def test_there_are_numbers_to_be_changed() -> None:
    assert sum(1 for lesson in LESSONS for step in lesson.steps for _ in typed(step)) > 60
    assert sum(1 for lesson in LESSONS for step in lesson.steps for _ in step.numbers) > 40


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_every_typed_number_that_is_changed_is_told_at_its_line(lesson: Lesson) -> None:
    for step in lesson.steps:
        source = (PACKAGED / lesson.name / step.file).read_text(encoding="utf-8")
        assert read_step(step.file, source)[1] == []
        for prose, start, number in typed(step):
            wrong = changed(source, prose, start, number, turned(number, step.numbers))
            assert wrong != source
            told = read_step(step.file, wrong)[1]
            assert line_at(prose, start) in [fault.line for fault in told], (step.file, number)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_every_declared_number_that_is_changed_with_its_text_is_told(lesson: Lesson, session: Session) -> None:
    for step in lesson.steps:
        if not any(each.value for each in step.numbers):
            continue
        stage = staged(step, session)
        assert list(wrong_numbers(stage)) == []
        for declared in step.numbers:
            if declared.value is None:
                continue
            number = number_of(declared.text)
            other = declared.text.replace(number, turned(number), 1)
            numbers = tuple(replace(each, text=other) if each is declared else each for each in step.numbers)
            wrong = with_texts(step, lambda text, old=declared.text, new=other: replaced(text, old, new))
            told = list(wrong_numbers(replace(stage, step=replace(wrong, numbers=numbers))))
            assert told, (step.file, declared.text)


def number_of(text: str) -> str:
    """The number at the start of a declared one."""
    words = text.split()
    return next(" ".join(words[:k]) for k in range(len(words), 0, -1) if is_whole(" ".join(words[:k])))


def is_whole(words: str) -> bool:
    last = words.split()[-1].lower()
    return read_typed(words) is not None and (words[-1].isdigit() or last in NAMES or last in SCALES or last == "half")


def replaced(text: str, old: str, new: str) -> str:
    for start, end in reversed(list(places_of(old, text))):
        text = text[:start] + new + text[end:]
    return text


def with_texts(step: Step, change: Callable[[str], str]) -> Step:
    """The step with every text of it changed."""

    def new(prose: Prose) -> Prose:
        return replace(prose, text=change(prose.text))

    question = step.question
    match question:
        case Choice(options=options):
            question = Choice(tuple(replace(each, text=new(each.text), say=new(each.say)) for each in options))
        case Number(mistakes=mistakes):
            question = replace(question, mistakes=tuple(replace(each, say=new(each.say)) for each in mistakes))
        case Order(items=items):
            question = Order(tuple(replace(each, text=new(each.text)) for each in items))
    hints = tuple(map(new, step.hints))
    return replace(
        step, title=change(step.title), text=new(step.text), ask=change(step.ask), question=question, hints=hints,
        reveal=new(step.reveal),
    )  # fmt: skip


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_no_length_or_weight_hides_in_an_expression(lesson: Lesson) -> None:
    """What stands between braces is made of quantities; a decimal there is a share, or a time that is asked for."""
    sources = [source for step in lesson.steps for prose, _ in step.texts for _, source in expressions(prose.text)]
    decimals = {each for source in sources for each in re.findall(r"(?<!t=)(?<![\w.])\d*\.\d+", source)}
    assert decimals <= FACTORS


def test_what_lessons_suppose_is_little() -> None:
    """A number that nothing of the moment can contradict, and from which nothing follows that the step says."""
    supposed = [
        f"{lesson.name}: {each.text}" for lesson in LESSONS for step in lesson.steps for each in step.numbers
        if each.value is None and each.supposed is None
    ]  # fmt: skip
    assert sorted(supposed) == sorted(
        [
            "one_joint: One N m", "covariance: four times", "heavier: 5 cm", "heavier: 1 N m", "two_arms: one newton",
            "two_arms: 0 where the box", "two_arms: 1 where it only follows",
            "limits: 0, not at all", "limits: 1, alone",
            "limits: 1, something", "limits: 1 and the object stands", "limits: 0 and the arms do not matter",
            "limits: ten percent", "internal: 100 N",
        ]
    )  # fmt: skip


def test_what_lessons_suppose_by_a_name_has_consequences() -> None:
    """Of each such number something is computed that a student reads, or answers."""
    for lesson in LESSONS:
        for step in lesson.steps:
            said = [source for prose, _ in step.texts for _, source in expressions(prose.text)]
            asked = [expression.text for _, expression, _ in expressions_of(step)]
            declared = [each.value.text for each in step.numbers if each.value is not None]
            for name in step.supposed:
                assert re.search(rf"\b{name}\b", " ".join((*said, *asked, *declared))), (step.file, name)


def numbered(table: str, text: str = "It is 0.3 m long.") -> str:
    return step_text(text=text).replace(SHOW, f"{SHOW}[numbers]\n{table}\n")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (step_text(text="Look.\nIt is 0.3 m long."), 12, '"0.3 m" = "length(1)"'),
        (step_text().replace("How large", "With 2 kg, how large"), 6, "'2 kg' is typed"),
        (step_text().replace("A step", "A step of 2 kg"), 2, "'2 kg' is typed"),
        (step_text(NUMBER + '[[question.mistakes]]\nvalue = "mass(1)"\nsay = "0.3 m."\n'), 12, "'0.3 m' is typed"),
        (numbered('"0.3 m" = "0.3"'), 5, "asks nothing of the moment"),
        (numbered('"0.3 m" = 0.3'), 5, "asks nothing of the moment"),
        (numbered('"0.3 m" = "lenght(1)"'), 5, "Did you mean length"),
        (numbered('"0.3 m" = "length(1)"\n"5 kg" = "mass(1)"'), 6, "stands in no text"),
        (numbered('"0.3 m" = "length(1)"\n"long" = "length(1)"'), 6, "begin with a number"),
        (numbered("\n".join(f'"{k} m" = "length(1)"' for k in range(41))), 45, "at most 40"),
        (step_text(text="It is 1 000 m long, and 3·10⁻² wide."), 11, "'1 000 m' is typed"),
        (step_text(text="It is 1 000 m long, and 3·10⁻² wide."), 11, "'3·10⁻²' is typed"),
        (step_text(text="There are 7."), 11, "stands behind what it names"),
        (numbered('"3" = "mass(1)"', "It has 3·10⁻² m."), 13, "'3·10⁻² m' is typed"),
        (numbered('"3" = "mass(1)"', "It has 3 m."), 13, "'3 m' is typed"),
        (step_text(text="It is {{ 0.3 }} m long."), 11, "asks nothing of the moment"),
        (step_text(NUMBER.replace('"kg m^2"', '"kg x"')), 8, "no unit that is known"),
    ],
)
def test_a_fault_of_a_number_is_told_with_its_line(text: str, line: int, words: str) -> None:
    told = [(fault.line, str(fault)) for fault in read_step("01_a.md", text)[1]]
    assert any(at == line and words in said for at, said in told), told


def test_a_wrong_number_is_told_by_what_the_moment_gives(session: Session, written: Callable[..., Lesson]) -> None:
    assert faults_of(written(numbered('"0.3 m" = "length(1)"')).steps, session) == []
    (fault,) = faults_of(written(numbered('"0.4 m" = "length(1)"', "It is\n0.4 m long.")).steps, session)
    assert (fault.line, "length(1) gives 0.3" in fault.said) == (14, True)


@pytest.mark.parametrize(
    "text", ["0,3 m", "3·10⁻¹ m", "$3 \\cdot 10^{-1}$ m", "300e-3 m", "3/10", "2·10^-1 m", "0,4 m"]
)
def test_a_number_is_held_against_the_moment_however_it_is_written(
    text: str, session: Session, written: Callable[..., Lesson]
) -> None:
    key = text.replace("$", "").replace("\\", "\\\\")
    steps = written(numbered(f'"{key}" = "length(1)"', f"It is {text} long.")).steps
    assert len(faults_of(steps, session)) == (text in ("2·10^-1 m", "0,4 m"))


def test_a_number_in_a_longer_word_or_by_its_stars_is_held_against_the_moment(
    session: Session, written: Callable[..., Lesson]
) -> None:
    table = '"five-link" = "links"\n"one hundred times" = "100 * mass(1)"\n"5" = "links"'
    text = "A {}-link arm, one hundred times $5 = n$."
    assert faults_of(written(numbered(table, text.format("five"))).steps, session) == []
    (fault,) = faults_of(written(numbered(table.replace("five", "six"), text.format("six"))).steps, session)
    assert "links gives 5" in fault.said


def test_a_name_of_a_joint_is_not_held_against_a_number(session: Session, written: Callable[..., Lesson]) -> None:
    steps = written(numbered('"3" = "3 * mass(1)"', "There are 3 at joint 3.")).steps
    assert faults_of(steps, session) == []
    steps = written(numbered('"5" = "links"', "There are 5. At joint 4, and at joint 5.")).steps
    assert faults_of(steps, session) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Joints 1 to 5, link 5 on joint **5**.", []),
        ("Joints 1 to 6.", ["there is no joint 6: the machine has 5."]),
        ("Of links 3, 4 and 7\nlook at joint 9.", ["there is no link 7", "there is no joint 9"]),
        ("Arm 2 and hand 1.", ["there is no arm 2: the machine has 1."]),
        ("In joint 1 or arm 1, and step 9.", []),
        ("In step 9 and lesson 12, $link 9$ {{ mass(1) }} `joint 9`.", []),
    ],
)
def test_who_is_named_is_there(text: str, told: list[str], session: Session, written: Callable[..., Lesson]) -> None:
    found = [fault.said for fault in faults_of(written(step_text(text=text)).steps, session)]
    assert len(found) == len(told)
    assert all(said.startswith(each) for said, each in zip(found, told, strict=True)), found


def test_of_two_moments_each_text_has_its_own(session: Session, written: Callable[..., Lesson]) -> None:
    show = SHOW + 'then = "?preset=planar_chain&gravity=0,0,0&mass=2&t=0.000"\n'
    parts = {"show": show + '[numbers]\n"2 kg" = "mass(1)"\n', "after": "## Reveal\nIt has 2 kg.\n"}
    assert faults_of(written(step_text(**parts)).steps, session) == []
    (fault,) = faults_of(written(step_text(text="It has 2 kg.", **parts)).steps, session)
    assert "gives 1 here" in fault.said


def test_a_limit_that_a_task_sets_may_be_told(written: Callable[..., Lesson]) -> None:
    ask = '[question]\nkind = "task"\nask = "Bring it below {} N m."\nuntil = "abs(innovation(1)) < 0.1"\n'
    assert written(step_text(ask.format("0.1"))).steps
    assert [fault.line for fault in read_step("01_a.md", step_text(ask.format("0.2")))[1]] == [6]


def test_all_faults_of_a_file_are_told_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Those that need the mechanics beside those that need none."""
    folder = tmp_path / "a_test"
    folder.mkdir()
    (folder / "lesson.toml").write_text(HEAD.replace("Try it.", "Lift 5 kg, or five tonnes."))
    question = NUMBER.replace('"5 %"', '"much"').replace("joint_inertia(1)", "joint_inertia(9)")
    numbers = SHOW + '[numbers]\n"0.4 m" = "length(1)"\n'
    text = "It has 0.4 m, 7 kg, {{ mass(9) }} and {{ enrgy }}."
    (folder / "01_a.md").write_text(step_text(question, show=numbers, text=text))
    (folder / "02_b.md").write_text("+++\ntitle = \n+++\nIt is {{ enrgy }}.\n## Riddle\n")
    (folder / "03_c.md").write_text(step_text(NUMBER + "stated = 0.04\n", text="It has 7 kg.", after=""))
    assert main(["check", str(folder)]) == 1
    told = [line.split("a_test/")[-1] for line in capsys.readouterr().out.splitlines()]
    for at, words in (
        ("lesson.toml:2", "5 kg"), ("lesson.toml:2", "five tonnes"), ("01_a.md:9", "joint_inertia has 5 entries"),
        ("01_a.md:11", "much"),
        ("01_a.md:13", "'7 kg' is typed"), ("01_a.md:13", "mass has 5 entries"), ("01_a.md:13", "Did you mean energy"),
        ("01_a.md:13", "length(1) gives 0.3"), ("02_b.md:2", "TOML"), ("02_b.md:4", "energy"), ("02_b.md:5", "Riddle"),
        ("03_c.md:10", "states 0.04"), ("03_c.md:12", "'7 kg' is typed"), ("03_c.md:12", "no reveal"),
    ):  # fmt: skip
        assert sum(line.startswith(f"{at}: ") and words in line for line in told) == 1, (at, words, told)
    assert len(told) == 14
