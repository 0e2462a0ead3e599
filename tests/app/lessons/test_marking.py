"""Answers of every kind: right, wrong and none; and every packaged lesson answered step by step."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from app.classroom.poll import Poll
from app.classroom.question import Reply
from app.lessons import checking
from app.lessons.checking import faults_of, question_faults
from app.lessons.fault import Fault
from app.lessons.folder import packaged
from app.lessons.for_class import asked_of
from app.lessons.lesson import KINDS, Curve, Lesson, Order, Step, Task
from app.lessons.marking import marked, right_answer, wrong_answers
from app.lessons.quantities import Known, Scope
from app.lessons.staged import Staged, staged, staged_with
from app.state import Session
from app.views.drawn import apart
from tests.app.lessons.conftest import NUMBER, step_text

LESSONS = packaged()
NONE = (
    None, "", [], {}, -1, 10**9, True, "x", [1], ["1"], {"a": 1}, 1.5, [float("nan")] * 30, "1" * 999,
)  # fmt: skip
Write = Callable[..., Lesson]


def stage_of(written: Write, session: Session, question: str, **more: str) -> Staged:
    return staged(written(step_text(question, **more)).steps[0], session)


def test_a_number_may_be_typed_in_many_ways(written: Write, session: Session) -> None:
    stage = stage_of(written, session, NUMBER)
    for text in (
        "0.0301", "0,0301", " 3.01e-2 kg m^2", "+.03 kg·m²", "0.0301 kgm^2", "3.01e-2.", "3.01 x 10^-2 kg m2",
        "301/10000", "301 kg cm^2", "301 000 g cm²",
    ):  # fmt: skip
        assert marked(stage, text).verdict == "right", text
    for verdict, text, words in (
        ("wrong", "-0.0301", "sign"), ("wrong", "301", "smaller"), ("wrong", "30.1", "power of ten"),
        ("wrong", "0.01", "larger"), ("none", "three", "no number"), ("none", "0.03 N m", "in kg m²"),
        ("none", "2 * 0.015", "work it out and give one number, in kg m²"), ("none", "", "no answer"),
        ("none", "0.01 + 0.02 kg m^2", "work it out"), ("none", "3/0", "7/20"), ("none", "1e999", "no number"),
    ):  # fmt: skip
        mark = marked(stage, text)
        assert (mark.verdict, words in mark.words) == (verdict, True), mark


def test_a_size_is_right_with_either_sign(written: Write, session: Session) -> None:
    question = NUMBER.replace("joint_inertia(1)", "abs(articulated_inertia(1)[1, 6])").replace("kg m^2", "kg m")
    stage = stage_of(written, session, question)
    assert marked(stage, "-0.15").words == "Right: it is 0.15 kg m in size."
    assert (marked(stage, "0.15").words, marked(stage, "-0.2").verdict) == ("Right: it is 0.15 kg m.", "wrong")
    assert question_faults(stage) == []


OPTIONS = (
    '[[question.options]]\ntext = "a"\nright = "mass(1) > 2"\nsay = "No."\n'
    '[[question.options]]\ntext = "b"\nright = "mass(1) < 2"\n'
)
ITEMS = "".join(f'[[question.items]]\ntext = "{name}"\nby = "joint_inertia({k})"\n' for k, name in enumerate("abc", 1))
AXIS = 'of = "time * time"\nunit = "s^2"\nuntil = 0.5\nleast = -0.1\nmost = 0.4\n'
QUESTIONS = {
    "choice": f'[question]\nkind = "choice"\nask = "?"\n{OPTIONS}',
    "number": NUMBER,
    "link": '[question]\nkind = "link"\nask = "?"\nright = "link == 2"\n',
    "order": f'[question]\nkind = "order"\nask = "?"\n{ITEMS}',
    "curve": f'[question]\nkind = "curve"\nask = "?"\n{AXIS}',
}


def test_right_wrong_and_no_answers(written: Write, session: Session) -> None:
    for kind, question in QUESTIONS.items():
        stage = stage_of(written, session, question)
        right, wrong = right_answer(stage), wrong_answers(stage)
        assert marked(stage, right).verdict == "right", kind
        assert wrong, kind
        assert {marked(stage, each).verdict for each in wrong} == {"wrong"}
        for nothing in NONE:
            if nothing != right:
                assert marked(stage, nothing).verdict == "none", nothing
        assert question_faults(stage) == []


def test_a_task_is_judged_by_what_the_page_shows(written: Write, session: Session) -> None:
    question = '[question]\nkind = "task"\nask = "?"\nuntil = "mass(1) > before.mass(1) + 0.5"\n'
    show = 'show = "?preset=planar_chain&t=0.000"\nthen = "?preset=planar_chain&mass=2&t=0.000"\n'
    stage = stage_of(written, session, question, show=show)
    assert marked(stage, None).verdict == "none"
    page = Session("planar_chain")
    live = lambda: Scope(stage.scope.before, Known(page.run, page.time), True)  # noqa: E731
    assert marked(stage, None, live()).verdict == "wrong"
    page.set_mass(1.8)
    assert marked(stage, None, live()).verdict == "right"
    page.open_preset("two_arms_and_box")
    assert (marked(stage, None, live()).verdict, question_faults(stage)) == ("wrong", [])


def test_a_check_can_fail(written: Write, session: Session) -> None:
    for question, words in (
        (NUMBER + "stated = 0.04\n", "the live state gives 0.0301"),
        (QUESTIONS["choice"].replace("> 2", "> 0"), "options 1 and 2 are right"),
        (QUESTIONS["choice"].replace("< 2", "< 0"), "no option is right"),
        (QUESTIONS["link"].replace("link == 2", "link > 0"), "5 links are right"),
        (QUESTIONS["link"].replace("link == 2", "link > 9"), "0 links are right"),
        (QUESTIONS["order"].replace("joint_inertia(3)", "joint_inertia(1)"), "not in rising order"),
        (QUESTIONS["curve"].replace("most = 0.4", "most = 0.1"), "beyond its axis"),
        (QUESTIONS["curve"] + "tolerance = 100\n", "a wrong answer passes"),
        (NUMBER + '[[question.mistakes]]\nvalue = "0.03"\nsay = "x"\n', "is right here"),
        (NUMBER.replace("joint_inertia(1)", "joint_inertia(9)"), "has 5 entries"),
        (NUMBER.replace("joint_inertia(1)", "joint_inertia"), "one number"),
        (NUMBER.replace("joint_inertia(1)", "contact_force(1)"), "has no contact_force"),
        (NUMBER.replace("joint_inertia(1)", "object_mass"), "holds no object"),
        (NUMBER.replace("joint_inertia(1)", "energy(t=99)"), "not in this motion"),
        (NUMBER.replace("joint_inertia(1)", "3"), "this check cannot fail"),
        (QUESTIONS["choice"].replace("mass(1)", "1"), "this check cannot fail"),
        (QUESTIONS["curve"].replace("time * time", "0.1"), "this check cannot fail"),
        (re.sub(r"joint_inertia.(.).", r"\1", QUESTIONS["order"]), "this check cannot fail"),
        ('[question]\nkind = "task"\nask = "?"\nuntil = "mass(1) > 0"\n', "done already"),
        ('[question]\nkind = "task"\nask = "?"\nuntil = "mass(1) > 5"\n', "does not show"),
    ):  # fmt: skip
        told = [f"{fault}" for fault in faults_of(written(step_text(question)).steps, session)]
        assert any(words in fault for fault in told), told
        assert all(fault.startswith("01_step.md:") for fault in told)


def test_a_number_in_a_text_is_that_of_its_moment(written: Write, session: Session) -> None:
    show = 'show = "?preset=planar_chain&t=0.000"\nthen = "?preset=planar_chain&mass=2&t=0.000"\n'
    text = "{{ mass(1) }} and {{ after.mass(1) }} at {{ time }}, {{ time(t=0.25) }}"
    reveal = "## Reveal\n{{ mass(1) }} after {{ before.mass(1) }}\n"
    stage = stage_of(written, session, NUMBER, show=show, text=text, after=reveal)
    assert "1 and 2 at 0, 0.25" in stage.text
    assert "2 after 1" in stage.reveal


TIMES = np.linspace(0.0, 1.0, 41)
HILL = np.sin(np.pi * TIMES)


def test_a_drawing_is_compared_in_words() -> None:
    for drawn, words, least, most in (
        (HILL, ("starts where the true one does", "Both rise first"), 0.0, 1e-12),
        (-HILL, ("falls first, the true one rises first",), 1.0, 1.5),
        (0.0 * HILL, ("stays level, the true one rises first", "never turns, the true one turns once"), 0.6, 0.7),
        (HILL + 0.5, ("starts at 0.5 m, the true one at 0 m", "0.5 m above"), 0.49, 0.51),
        (np.sin(3.0 * np.pi * TIMES), ("turns 3 times, the true one turns once",), 0.4, 1.0),
        (HILL - 2.5, ("2.5 m below", "off by 250 %"), 2.4, 2.6),
        (np.sin(np.pi * TIMES**2), ("highest at 0.7 s, the true one at 0.5 s",), 0.1, 0.5),
    ):  # fmt: skip
        told = apart(drawn, TIMES, HILL, "m")
        assert least <= told.mean <= most
        for each in words:
            assert each in told.words, told.words


@pytest.fixture(scope="module")
def taught(session: Session) -> tuple[dict[str, Staged], list[str]]:
    """Every packaged step with its moments, by lesson and step; and all that the check finds wrong with them."""
    stages: dict[str, Staged] = {}
    faults: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        for lesson in LESSONS:

            def keep(step: Step, session: Session, name: str = lesson.name) -> tuple[Staged | None, list[Fault]]:
                stage, found = staged_with(step, session)
                assert stage is not None
                stages[f"{name}-{step.name}"] = stage
                return stage, found

            patch.setattr(checking, "staged_with", keep)
            faults += [f"{lesson.name}/{fault}" for fault in checking.faults_of(lesson.steps, session)]
    return stages, faults


@pytest.fixture(scope="module")
def stages(taught: tuple[dict[str, Staged], list[str]]) -> dict[str, Staged]:
    return taught[0]


def test_every_packaged_lesson_can_be_taught(taught: tuple[dict[str, Staged], list[str]]) -> None:
    """All that the check looks for: right answers are right, wrong ones wrong, numbers those of the moment."""
    stages, faults = taught
    assert (faults, len(LESSONS)) == ([], 12)
    for lesson in LESSONS:
        assert sum(step.question is not None for step in lesson.steps) >= 7, lesson.name  # predict first, throughout
    for name, stage in stages.items():
        assert stage.hints, name
        assert stage.reveal.strip(), name
        if isinstance(stage.step.question, Task):
            assert marked(stage, None, stage.scope).verdict == "wrong", name
            assert marked(stage, None, Scope(stage.scope.before, stage.scope.after, True)).verdict == "right", name


def test_what_is_right_in_a_lesson_is_right_for_a_class(stages: dict[str, Staged]) -> None:
    one_of_each = {type(stage.step.question): stage for stage in stages.values() if stage.step.question is not None}
    assert set(one_of_each) == set(KINDS.values())
    for stage in one_of_each.values():
        answered_by_a_class(stage)


def answered_by_a_class(stage: Staged) -> None:
    asked = asked_of(stage, "gain:3")
    assert (asked is None) == isinstance(stage.step.question, Curve | Order | Task)
    if asked is None:
        return
    poll = Poll(asked)
    answers: list[Any] = [right_answer(stage), *wrong_answers(stage)]
    for k, answer in enumerate(answers):
        poll.take(Reply(f"{k:022d}", poll.number, answer))
    poll.close()
    poll.reveal()
    assert (poll.phase, poll.tally.total) == ("revealed", len(answers))
    assert f"1 of {len(answers)}" in poll.verdict
