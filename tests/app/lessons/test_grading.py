"""Answers of every kind: right, wrong and none; and every packaged lesson answered step by step."""

import random
from collections.abc import Callable

import numpy as np
import pytest

from app.classroom.question import Poll, Reply
from app.lessons import check
from app.lessons.check import faults_of
from app.lessons.exercise import Exercise, asked_of, grade, prepare
from app.lessons.library import packaged
from app.lessons.quantities import Instant
from app.state import Session
from tests.app.lessons.conftest import NUMBER, SHOW, lesson_of, right_answer, step_text, wrong_answers

NONE = (
    None, "", [], {}, -1, 10**9, True, "x", [1], ["1"], {"a": 1}, 1.5, [float("nan")] * 30, "1" * 999,
)  # fmt: skip
HEAVIER = 'show = "?preset=planar_chain&t=0.000"\nthen = "?preset=planar_chain&mass=2&t=0.000"\n'
Taught = tuple[list[Exercise], list[str]]


def prepared(session: Session, question: str = NUMBER, **more: str) -> Exercise:
    return prepare(lesson_of(step_text(question, **more)).steps[0], session)


def asking(kind: str, rest: str) -> str:
    return f'[question]\nkind = "{kind}"\nask = "?"\n{rest}\n'


def test_a_number_may_be_typed_in_many_ways(session: Session) -> None:
    mistake = '[[question.mistakes]]\nvalue = "mass(1)"\nsay = "A mass of {{ mass(1) }}."\n'
    exercise = prepared(session, NUMBER + mistake)
    for verdict, text, words in (
        *(("right", text, "Right: it is 0.0301 kg m².") for text in (
            "0.0301", "0,0301", " 3.01e-2 kg m^2", "+.03 kg·m²", "0.0301 kgm^2", "3.01 x 10^-2 kg m2", "301/10000",
            "301 kg cm^2", "301 000 g cm²",
        )),
        ("wrong", "-0.0301", "sign"), ("wrong", "301", "smaller"), ("wrong", "30.1", "power of ten"),
        ("wrong", "0.01", "larger"), ("wrong", "1.0", "explained. A mass of 1."), ("none", "three", "not a number"),
        ("none", "0.03 N m", "in kg m²"), ("none", "2 * 0.015", "one number in kg m²; you wrote * 0.015"),
        ("none", "", "no answer"), ("none", "3/0", "7/20"), ("none", "1e999", "not a number"),
    ):  # fmt: skip
        found = grade(exercise, text)
        assert (found.verdict, words in found.words) == (verdict, True), found
    question = NUMBER.replace("joint_inertia(1)", "abs(articulated_inertia(1)[1, 6])").replace("kg m^2", "kg m")
    size = prepared(session, question)  # right with either sign
    assert [grade(size, text).verdict for text in ("-0.15", "0.15", "-0.2")] == ["right", "right", "wrong"]


def test_a_task_is_judged_by_what_the_page_shows(session: Session) -> None:
    until = asking("task", 'until = "mass(1) > before.mass(1) + 0.5 and mass(2) > 0"')
    exercise, page = prepared(session, until, show=HEAVIER), Session("planar_chain")
    assert grade(exercise, None).verdict == "none"
    found = grade(exercise, None, Instant(page.run, page.time))
    assert found.verdict == "wrong"
    assert found.words.endswith(": mass(1) > before.mass(1) + 0.5 is required, and mass(1) is 1.")
    page.set_mass(1.8)
    assert grade(exercise, None, Instant(page.run, page.time)).verdict == "right"
    page.open_preset("two_arms_and_box")
    assert grade(exercise, None, Instant(page.run, page.time)).verdict == "wrong"


OPTION = '[[question.options]]\ntext = "a"\nright = "{}"\n'
ITEMS = "".join(f'[[question.items]]\ntext = "a"\nby = "joint_inertia({k})"\n' for k in (1, 3, 2))
AXIS = 'of = "time * time"\nunit = "s^2"\nuntil = 0.5\nleast = -0.1\nmost = 0.1\n'


def test_a_check_can_fail(session: Session) -> None:
    for text, words in (
        (NUMBER + "stated = 0.04\n", "the live state gives 0.0301"),
        (asking("choice", OPTION.format("mass(1) > 0") * 2), "options 1 and 2 are right"),
        (asking("choice", OPTION.format("mass(1) < 0") * 2), "no option is right"),
        (asking("choice", OPTION.format("mass(1)") * 2), "is a value, not a comparison"),
        (asking("link", 'right = "link > 0"'), "5 links are right"), (asking("order", ITEMS), "not in rising order"),
        (asking("link", 'right = "link > 9"'), "0 links are right"), (asking("curve", AXIS), "beyond its axis"),
        (NUMBER + '[[question.mistakes]]\nvalue = "0.03"\nsay = "x"\n', "is right here"),
        (NUMBER.replace("joint_inertia(1)", "joint_inertia"), "one finite number"),
        (NUMBER.replace("joint_inertia(1)", "joint_inertias(1)"), "Did you mean joint_inertia"),
        (asking("task", 'until = "mass(1) > 0"'), "done already"),
        (asking("task", 'until = "mass(1) > 5"'), "does not show"),
        (NUMBER + '[numbers]\n"0.4 m" = "length(1)"\n', "length(1) gives 0.3"),
        (NUMBER + '[numbers]\n"a hundred links" = "links"\n', "links gives 5"),
        (NUMBER + '[numbers]\n"3 m" = "lenght(1)"\n', "gives nothing"),
    ):  # fmt: skip
        told = list(map(str, faults_of(lesson_of(step_text(text)), session)))
        assert any(words in fault and fault.startswith("01_step.md:") for fault in told), told
    (fault,) = faults_of(lesson_of(step_text(text="Look.\nIt is {{ enrgy }}.")), session)
    assert (fault.line, "Did you mean energy" in fault.words) == (12, True)
    (fault,) = faults_of(
        lesson_of(step_text(text="Now $D(2) = 0.12$; and {{ joint_inertia(1) * 1.04 | 3 }}.")), session
    )
    assert (fault.line, fault.words.startswith("the text says 0.0313, which is graded right")) == (9, True)


def test_a_typed_number_is_checked_and_a_supposed_one_computed_with(session: Session) -> None:
    numbers = '"3 kg" = "supposed as load"\n"29.4 N" = "load * norm(gravity)"\n"five links" = "links"\n'
    text = "With 3 kg and five links: 29.4 N, and {{ load * norm(gravity) | 3 }} N."
    step = step_text(f"{NUMBER}[numbers]\n{numbers}", text, SHOW.replace("gravity=0,0,0&", ""))
    assert faults_of(lesson_of(step), session) == []
    assert "and 29.4&nbsp;N" in prepare(lesson_of(step).steps[0], session).text
    (fault,) = faults_of(lesson_of(step.replace("3 kg", "4 kg")), session)
    assert "'29.4 N', and load * norm(gravity) gives 39.24" in fault.words


def test_a_number_in_a_text_is_that_of_its_moment(session: Session) -> None:
    text = "{{ mass(1) }} and {{ after.mass(1) }} at {{ time }}, {{ time(t=0.25) }}"
    reveal = "## Reveal\n{{ mass(1) }} after {{ before.mass(1) }}\n"
    exercise = prepared(session, show=HEAVIER, text=text, after=reveal)
    assert ("1 and 2 at 0, 0.25" in exercise.text, "2 after 1" in exercise.reveal) == (True, True)


@pytest.fixture(scope="module")
def taught(session: Session) -> Taught:
    """Every packaged step with its moments, and all that the check finds wrong with them."""
    exercises: list[Exercise] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(check, "prepare", lambda *given: exercises.append(prepare(*given)) or exercises[-1])
        return exercises, [f"{lesson.name}/{each}" for lesson in packaged() for each in faults_of(lesson, session)]


def test_every_packaged_lesson_can_be_taught(taught: Taught) -> None:
    exercises, faults = taught
    assert (faults, len(packaged())) == ([], 12)
    for lesson in packaged():
        assert sum(step.question is not None for step in lesson.steps) >= 7, lesson.name  # predict first, throughout
    for exercise in exercises:
        step, scope, right = exercise.step, exercise.scope, right_answer(exercise)
        assert step.question is not None
        assert (bool(exercise.hints), bool(exercise.reveal.strip())) == (True, True), step
        if step.question.kind == "task":
            assert [grade(exercise, None, each).verdict for each in (scope.before, scope.after)] == ["wrong", "right"]
            continue
        assert grade(exercise, right).verdict == "right", step
        assert {grade(exercise, each).verdict for each in wrong_answers(exercise)} == {"wrong"}, step
        none = [each for each in NONE if each != right]
        assert {grade(exercise, each).verdict for each in none} == {"none"}, step


STRATEGIES: dict[str, Callable[[list[str]], int]] = {
    "first": lambda texts: 0,
    "middle": lambda texts: len(texts) // 2,
    "longest": lambda texts: max(range(len(texts)), key=lambda k: len(texts[k])),
    "shortest": lambda texts: min(range(len(texts)), key=lambda k: len(texts[k])),
}
"""Of a student who has read nothing, from what stands there from top to bottom."""


def test_no_lesson_is_passed_by_where_an_answer_stands_or_how_long_it_is(taught: Taught) -> None:
    """Thirty such students play each lesson, each with an own order of choices; two thirds must be right to pass."""
    lesson_of_step = {id(step): lesson.name for lesson in packaged() for step in lesson.steps}
    for name, choose in STRATEGIES.items():
        right, asked = 0, 0
        for student in range(30):
            shuffled = random.Random(student)
            results: dict[str, list[bool]] = {}
            for exercise in taught[0]:
                question = exercise.step.question
                assert question is not None
                passed = False
                if question.kind == "choice":
                    order = shuffled.sample(range(len(question.options)), len(question.options))
                    texts = [question.options[k].text.text for k in order]
                    passed = grade(exercise, order[choose(texts)]).verdict == "right"
                    right, asked = right + passed, asked + 1
                results.setdefault(lesson_of_step[id(exercise.step)], []).append(passed)
            assert len(results) == 12
            won = [lesson for lesson, each in results.items() if 3 * sum(each) >= 2 * len(each)]
            assert not won, (name, student, won)
        assert right < 0.5 * asked, (name, right / asked)


def test_a_task_passes_what_its_words_allow_and_nothing_else(session: Session) -> None:
    steps = {f"{lesson.name}/{step.name}": step for lesson in packaged() for step in lesson.steps}
    flat = {"preset": "planar_chain", "posture": "0,0,0,0,0", "t": "0.000", "play": "0"}
    line = "inward_filter.correction."
    broken = {"t": "0.500", "breaks": f"{line}P_plus~G-H-P~negate,{line}z_plus~G-eps~negate"}
    for name, moment, verdict in (
        ("heavier/09_task", flat | {"gravity": "0,0,0", "mass": "100"}, "right"),
        ("heavier/09_task", flat | {"gravity": "0,0,0", "mass": "5", "posture": "1,0,0,0,0"}, "wrong"),
        ("four_ways/09_task", {"preset": "talos", "t": "0.000", "play": "0"}, "wrong"),
        ("one_joint/08_task", flat | {"posture": "0.6,0,0,0,0", "mass": "1.1", "torques": "0:-1.336"}, "wrong"),
        ("two_links/10_task", flat | {"mass": "1.1", "torques": "1:-2.2888"}, "wrong"),
        ("wrong_sign/08_task", flat | broken, "right"),
    ):
        exercise = prepare(steps[name]._replace(then=moment), session)
        assert grade(exercise, None, exercise.scope.after).verdict == verdict, (name, moment)


def test_a_straight_line_is_not_the_inertia_of_a_link_that_swings_past_a_right_angle(taught: Taught) -> None:
    exercise = next(each for each in taught[0] if each.curve[0].size and "$D(2)$" in each.step.ask.text)
    line = np.poly1d(np.polyfit(*exercise.curve, 1))(exercise.curve[0])
    assert grade(exercise, line.tolist()).verdict == "wrong"


def test_what_is_right_in_a_lesson_is_right_for_a_class(taught: Taught) -> None:
    one_of_each = {each.step.question.kind: each for each in taught[0] if each.step.question is not None}
    assert len(one_of_each) == 6
    for kind, exercise in one_of_each.items():
        asked = asked_of(exercise, "gain:3")
        assert (asked is None) == (kind in ("curve", "order", "task"))
        if asked is None:
            continue
        poll, answers = Poll(asked), [right_answer(exercise), *wrong_answers(exercise)]
        if kind == "choice":  # in an order of its own, always the same
            assert asked == asked_of(exercise, "gain:3")
            answers = [exercise.mixed.index(each) for each in answers]
        for k, answer in enumerate(answers):
            poll.take(Reply(f"{k:022d}", poll.number, answer))
        poll.close()
        poll.reveal()
        assert (poll.phase, poll.tally.total) == ("revealed", len(answers))
        assert f"1 of {len(answers)}" in poll.verdict
