"""A class is asked: the lecturer's side, answers as they come, and how they are counted."""

import itertools
import json
import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.classroom import question as limits
from app.classroom.ask import PollPanel
from app.classroom.presentation import PRESENTATIONS
from app.classroom.question import Poll, Question, QuestionError, Refusal, Reply, right_of, tally_of, typed_question
from app.state import Session

CODES = map("{:010d}".format, itertools.count())  # of a test each
FORM = {"ask": "Which <i>joint</i>?", "kind": "choice", "option1": "elbow", "option3": "a < b", "right": "3"}
WHICH = {"do": "ask", "form": FORM}
CHOICE = Question("Which?", ("<b>elbow</b>", "wrist", "base"), frozenset({1}))
NUMBER = Question("How heavy?", (), 0.5, "kg m²", 0.05)


class Lecturer:
    """A session that presents, and its sheet."""

    def __init__(self, code: str) -> None:
        self.session = Session("planar_chain")
        self.asking = PollPanel(self.session)
        self.presentation = PRESENTATIONS.open(code, lambda: {"jump": 1, "time": 0.0})
        self.asking.begin(self.presentation)
        self.press = self.asking._board._handle_msg

    async def answer(self, follower: str, answer: Any) -> None:
        await self.presentation.take(Reply(follower, self.asking.poll.number, answer))

    def leave(self, word: str) -> None:
        self.asking.end()
        PRESENTATIONS.close(self.presentation, word)


@pytest.fixture
def make() -> Iterator[Callable[[], Lecturer]]:
    made, code = list[Lecturer](), next(CODES)

    def one() -> Lecturer:
        made.append(Lecturer(code))
        return made[-1]

    yield one
    for each in made:
        each.leave("over")
        each.session.jobs.stop()


async def test_a_question_from_its_words_to_its_answer(make: Callable[[], Lecturer]) -> None:
    lecturer = make()
    lecturer.press(WHICH)
    asking, presentation = lecturer.asking, lecturer.presentation
    assert asking.dialog.open
    assert asking.poll.question == Question("Which &lt;i&gt;joint&lt;/i&gt;?", ("elbow", "a &lt; b"), frozenset({1}))
    asked = presentation.state["question"]
    assert (asked["phase"], asked["options"], "a &lt; b</button>" in asked["html"]) == ("open", 2, True)
    await lecturer.answer("anna", 0)
    await lecturer.answer("bert", 1)
    asking.draw()
    assert asking._board.count == "2 of 2 have answered"
    assert asking._button.label == "The question: 2 of 2 have answered"
    lecturer.press({"do": "reveal"})  # not before it is shown
    assert asking.poll.phase == "open"
    lecturer.press({"do": "close"})
    assert lecturer.session.whispered == "2 answers. elbow: 1; a < b: 1."
    assert "right" not in presentation.state["question"]["html"]
    lecturer.press({"do": "reveal"})
    assert lecturer.session.whispered == "The right answer: a < b. 1 of 2 chose it."
    assert "The right answer: a &lt; b. 1 of 2 chose it." in presentation.state["question"]["html"]
    lecturer.press({"do": "end"})
    assert presentation.state["question"] is None
    with pytest.raises(Refusal, match="No question is open"):
        await presentation.take(Reply("anna", asked["number"], 0))


async def test_a_page_that_is_loaded_anew_finds_its_question(make: Callable[[], Lecturer]) -> None:
    for is_first_gone in [True, False]:
        first = make()
        first.press(WHICH)
        await first.answer("anna", 0)
        poll = first.asking.poll
        if is_first_gone:
            first.leave("away")
        second = make()  # has begun with the same code
        first.leave("away")
        assert second.asking.poll is poll
        await second.answer("bert", 1)
        second.press({"do": "close"})
        second.leave("away")
        third = make()
        third.press({"do": "reveal"})
        assert third.session.whispered == "The right answer: a < b. 1 of 2 chose it."
        third.leave("over")
        assert make().asking.poll is None


NO_QUESTION = (
    {}, {"ask": "?", "kind": "task"}, {**FORM, "ask": "  "}, {**FORM, "ask": "x" * 301}, {**FORM, "ask": 7},
    {**FORM, "option1": ""}, {**FORM, "option1": "a < b"}, {**FORM, "option2": 3}, {**FORM, "right": "2"},
    {**FORM, "right": [1]}, {**FORM, f"option{limits.MOST}": "x" * 121},
    {"ask": "?", "kind": "number", "value": "a lot"},
    {"ask": "?", "kind": "number", "value": "1e300"}, {"ask": "?", "kind": "number", "value": "1 kg"},
    {"ask": "?", "kind": "number", "unit": "m" * 21},
)  # fmt: skip


async def test_what_is_no_question_is_refused_in_words(make: Callable[[], Lecturer]) -> None:
    lecturer = make()
    for form in NO_QUESTION:
        with pytest.raises(QuestionError, match=r"\.$"):
            typed_question(form)
        lecturer.press({"do": "ask", "form": form})
        assert lecturer.asking.poll is None, form
        assert lecturer.asking._board.word, form
    for junk in (None, "ask", 3, {"do": 3}, {"do": "close"}, {"do": "ask"}, {"do": "ask", "form": "x"}, {}):
        lecturer.press(junk)
        assert lecturer.asking.poll is None, junk


class ClassPoll:
    """A poll, and followers by number."""

    def __init__(self, question: Question) -> None:
        self.poll = Poll(question)

    def say(self, who: int, answer: Any, number: str = "") -> None:
        self.poll.take(Reply(f"{who:022d}", number or self.poll.number, answer))

    def refused(self, who: int, answer: Any, number: str = "") -> int:
        with pytest.raises(Refusal) as refusal:
            self.say(who, answer, number)
        return refusal.value.status


def test_a_hundred_answer_and_change_their_minds() -> None:
    class_ = ClassPoll(CHOICE)
    for who in [*range(100), *range(100)]:  # again: still one
        class_.say(who, 0 if who >= 40 else 2)
    assert len(class_.poll.answered) == 100
    assert "bars" not in class_.poll.state["html"]  # so that it sways no answer
    class_.poll.close()
    assert class_.poll.tally.words == "100 answers. elbow: 60; wrist: 0; base: 40."
    assert class_.refused(0, 1) == 409  # it is closed
    class_.poll.reveal()
    assert class_.poll.verdict == "The right answer: wrist. None of 100 chose it."
    for question in (Question("?", ("a", "b")), Question("?")):  # nobody has said what is right
        poll = Poll(question)
        poll.close()
        poll.reveal()
        assert (poll.phase, poll.tally.words) == ("shown", "Nobody has answered.")


HOSTILE: list[Any] = [
    None, True, -1, 3, 10**30, 1.0, "elbow", "", " ", [], {}, [0], "1e999", "nan", "inf", "NaN", "1e16", "0x10",
    "1" * 61, "１", "<b>1</b>", "1 s", math.nan, [0.0] * 25, [0, 1, 2],
]  # fmt: skip


def test_what_is_no_answer_is_refused_and_changes_nothing() -> None:
    for question, good in ((CHOICE, 1), (NUMBER, "0,5 kg m^2")):
        class_ = ClassPoll(question)
        class_.say(7, good)
        for answer in HOSTILE:
            assert class_.refused(7, answer) == 400, (question, answer)
        assert class_.refused(7, good, "0" * 8) == 409
        class_.poll.close()
        assert class_.poll.tally.total == 1
        assert json.dumps(class_.poll.state, allow_nan=False)


@given(st.lists(st.floats(-limits.LARGEST, limits.LARGEST), max_size=120))
def test_every_number_is_counted_once(answers: list[float]) -> None:
    kg = Question("How heavy?", (), 0.5, "<b>", 0.025)
    tally = tally_of(kg, answers)
    assert sum(bar.count for bar in tally.bars) == tally.total == len(answers)
    assert len(tally.bars) <= max(limits.MOST_VALUES, limits.MOST_INTERVALS)
    right, words = right_of(kg, answers, tally)
    assert all(abs(tally.bars[k].low - 0.5) <= 0.025 or tally.bars[k].low <= 0.5 < tally.bars[k].high for k in right)
    near = sum(abs(each - 0.5) <= 0.025 for each in answers)
    assert (f"{near or 'None'} of {len(answers)}" in words) == bool(answers)
    assert "<b>" not in "".join(bar.label for bar in tally.bars)  # a unit is words
