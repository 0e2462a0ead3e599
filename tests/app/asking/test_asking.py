"""A class is asked: the lecturer's side, answers as they come, and how they are counted."""

import json
import math
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.asking import Asked, Asking, Chosen, Drawn, Ordered, Tried, Typed
from app.asking import ballot as balloting
from app.asking.asked import KNOTS, LARGEST, Refusal, Said
from app.asking.ballot import BURST, WHO, Ballot
from app.asking.own import QuestionError, own_question
from app.asking.tally import MOST_CURVES, MOST_INTERVALS, MOST_VALUES, revealed, tally
from app.state import Session

CODE = "k7m2x9q4tz"
WHICH = {"do": "ask", "ask": "Which <i>joint</i>?", "kind": "choice", "options": ["elbow", "", "a < b"], "right": 2}


class Told:
    """The sheet of a session that presents."""

    def __init__(self) -> None:
        self.session = Session("planar_chain")
        self.stirred = 0
        self.asking = Asking(self.session, self._stir)
        self.asking.begin(CODE)
        self.press = self.asking._board._handle_msg

    def _stir(self) -> None:
        self.stirred += 1

    def answer(self, who: str, answer: Any) -> None:
        self.asking.take(Said(who, self.asking.told["number"], answer))


@pytest.fixture
def make() -> Iterator[Callable[[], Told]]:
    made: list[Told] = []

    def one() -> Told:
        made.append(Told())
        return made[-1]

    yield one
    for each in made:
        each.asking.end(is_over=True)
        each.session.jobs.stop()


@pytest.fixture
def told(make: Callable[[], Told]) -> Told:
    return make()


def test_a_question_from_its_words_to_its_answer(told: Told) -> None:
    told.press(WHICH)
    asking = told.asking
    assert asking.dialog.open
    assert asking.told == {
        "number": asking.told["number"], "phase": "open", "kind": "choice", "ask": "Which &lt;i&gt;joint&lt;/i&gt;?",
        "options": ["elbow", "a &lt; b"],
    }  # fmt: skip
    told.answer("anna", 0)
    told.answer("bert", 1)
    asking.draw({"bert", "cleo"})  # Anna has left; her answer counts
    assert asking._board.answered == "2 of 3 have answered"
    assert asking._button.label == "The question: 2 of 3 have answered"
    assert "tally" not in asking._board.told
    told.press({"do": "reveal"})  # not before it is shown
    assert asking.told["phase"] == "open"
    told.press({"do": "close"})
    assert told.session.whispered == "2 answers. elbow: 1; a < b: 1."
    told.press({"do": "reveal"})
    assert (asking._board.told, told.session.whispered) == (asking.told, "Right is: a < b. 1 of 2 chose it.")
    before = told.stirred
    told.press({"do": "end"})
    assert (asking.told, told.stirred) == (None, before + 1)


def test_another_question_ends_the_one_before_and_so_does_leaving(told: Told) -> None:
    told.press(WHICH)
    told.answer("anna", 0)
    first = told.asking.told["number"]
    told.press({**WHICH, "kind": "number", "unit": "rad"})
    assert told.asking.told["kind"] == "number"
    with pytest.raises(Refusal, match="closed"):
        told.asking.take(Said("anna", first, 0))
    told.asking.draw(set())
    assert told.asking._board.answered == "0 of 0 have answered"
    told.asking.end(is_over=True)
    assert (told.asking.told, told.asking.dialog.open, told.asking.is_possible) == (None, False, False)
    with pytest.raises(Refusal):
        told.asking.take(Said("anna", first, 0))
    told.press(WHICH)  # there are no followers
    assert told.asking.told is None


def test_a_page_that_is_loaded_anew_finds_its_question(make: Callable[[], Told]) -> None:
    for is_first_gone in [True, False]:
        first = make()
        first.press(WHICH)
        first.answer("anna", 0)
        number = first.asking.told["number"]
        if is_first_gone:
            first.asking.end(is_over=False)
        second = make()  # has begun with the same code
        first.asking.end(is_over=False)
        assert (first.asking.told, second.asking.told["number"]) == (None, number)
        second.answer("bert", 1)
        second.asking.draw({"bert"})
        assert second.asking._board.answered == "2 of 2 have answered"
        second.press({"do": "close"})
        second.asking.end(is_over=False)
        third = make()
        third.press({"do": "reveal"})
        assert third.session.whispered == "Right is: a < b. 1 of 2 chose it."
        third.asking.end(is_over=True)
        assert make().asking.told is None


NO_QUESTION = (
    {}, {"ask": "?", "kind": "task"}, {**WHICH, "ask": "  "}, {**WHICH, "ask": "x" * 301}, {**WHICH, "ask": 7},
    {**WHICH, "options": ["one"]}, {**WHICH, "options": ["one", "one"]}, {**WHICH, "options": ["a"] * 7},
    {**WHICH, "options": [1, 2, 3]}, {**WHICH, "options": {"a": 1}}, {**WHICH, "right": 1},
    {"ask": "?", "kind": "number", "value": "a lot"}, {"ask": "?", "kind": "number", "value": "1e300"},
    {"ask": "?", "kind": "number", "value": "1 kg"}, {"ask": "?", "kind": "number", "unit": "m" * 21},
)  # fmt: skip


def test_what_is_no_question_is_refused_in_words(told: Told) -> None:
    for said in NO_QUESTION:
        with pytest.raises(QuestionError, match=r"\.$"):
            own_question(said)
        told.press({**said, "do": "ask"})
        assert told.asking.told is None, said
        assert told.asking._board.word, said
    for junk in (None, "ask", 3, {"do": 3}, {"do": "close"}, {}):
        told.press(junk)
        assert told.asking.told is None, junk


CHOICE = Chosen("Which?", ("<b>elbow</b>", "wrist", "base"), frozenset({1}))
NUMBER = Typed("How heavy?", "kg m²", 0.5, 0.05)
CURVE = Drawn("How does it go?", "rad", 2.0, -1.0, 1.0, (0.0, 0.5, 1.0))
ORDER = Ordered("What comes first?", ("<b>last</b>", "first", "then"), (1, 2, 0))
TASK = Tried("Make it fall.", "gain/09_task", "gain:9")


class Class:
    """A ballot with a clock of its own, and followers by number."""

    def __init__(self, asked: Asked) -> None:
        self.now = 0.0
        self.ballot = Ballot(asked, lambda: self.now)

    def say(self, who: int, answer: Any, number: str = "") -> None:
        name = f"{who:022d}"
        assert WHO.fullmatch(name)
        self.ballot.take(Said(name, number or self.ballot.number, answer))

    def refused(self, who: int, answer: Any, number: str = "") -> int:
        with pytest.raises(Refusal) as refusal:
            self.say(who, answer, number)
        return refusal.value.status

    def counts(self) -> list[int]:
        self.ballot.close()
        return [row["count"] for row in self.ballot.told["tally"]["rows"]]


def test_a_hundred_answer_and_change_their_minds() -> None:
    class_ = Class(CHOICE)
    for who in range(100):
        class_.say(who, 0)
        class_.say(who, 0)  # again: still one
    for who in range(40):
        class_.say(who, 2)
    assert len(class_.ballot.answered) == 100
    assert "tally" not in class_.ballot.told  # so that it sways no answer
    assert class_.counts() == [60, 0, 40]
    assert class_.ballot.told["tally"]["words"] == "100 answers. elbow: 60; wrist: 0; base: 40."
    assert class_.refused(0, 1) == 409  # it is closed
    class_.ballot.reveal()
    assert class_.ballot.told["right"] == {"rows": [1], "words": "Right is: wrist. None of 100 chose it."}


def test_the_right_answer_is_sent_when_it_is_revealed_and_not_before() -> None:
    for asked in (CHOICE, NUMBER, CURVE, ORDER, TASK):
        class_ = Class(asked)
        class_.ballot.reveal()
        assert class_.ballot.phase == "open"
        class_.ballot.close()
        assert "right" not in class_.ballot.told
        class_.ballot.reveal()
        assert class_.ballot.told["right"]["words"]
        json.dumps(class_.ballot.told, allow_nan=False)
    for nobody in (Chosen("?", ("a", "b")), Typed("?")):
        class_ = Class(nobody)
        class_.ballot.close()
        class_.ballot.reveal()
        assert class_.ballot.phase == "shown"


GOOD: dict[str, Any] = {"choice": 1, "number": "0,5 kg m^2", "curve": [0.5] * KNOTS, "order": [1, 2, 0], "task": 0}
HOSTILE: list[Any] = [
    None, True, -1, 3, 10**30, 1.0, "elbow", "", " ", [], {}, [0], "1e999", "nan", "inf", "NaN", "1e16", "0x10",
    "1" * 61, "１", "<b>1</b>", "1 s", [0.0] * (KNOTS - 1), [0.0] * (KNOTS + 1), [True] * KNOTS, [None] * KNOTS,
    [math.nan] * KNOTS, [math.inf] * KNOTS, [1e300] * KNOTS, ["0"] * KNOTS, [[0.0]] * KNOTS,
    [0, 1, 1], [0, 1, 2, 3], [0, 1], [True, False, 2], [0.0, 1.0, 2.0], ["0", "1", "2"], [[0], [1], [2]],
]  # fmt: skip


def test_what_is_no_answer_is_refused_and_changes_nothing() -> None:
    for asked in (CHOICE, NUMBER, CURVE, ORDER, TASK):
        class_ = Class(asked)
        good = GOOD[asked.form["kind"]]
        class_.say(7, good)
        for answer in HOSTILE:
            class_.now += 10.0
            assert class_.refused(7, answer) == 400, (asked, answer)
        assert class_.refused(7, good, "0" * 8) == 409
        class_.ballot.close()
        told = class_.ballot.told["tally"]
        assert told["total"] == 1
        assert json.dumps(told, allow_nan=False)


def test_haste_is_refused_for_one_and_not_for_others() -> None:
    class_ = Class(CHOICE)
    for _ in range(int(BURST)):
        class_.say(1, 0)
    assert class_.refused(1, 1) == 429
    class_.say(2, 1)
    class_.now += 1.0
    class_.say(1, 2)
    assert class_.counts() == [0, 1, 1]
    class_ = Class(CHOICE)  # what is no answer counts as haste, too
    statuses = [class_.refused(1, "x") for _ in range(20)]
    assert (statuses.count(400), set(statuses)) == (int(BURST), {400, 429})


def test_it_grows_no_further_than_a_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balloting, "MOST", 50)
    class_ = Class(NUMBER)
    for who in range(50):
        class_.say(who, "1")
    for who in range(50, 500):
        assert class_.refused(who, "1") == 503
    class_.now += 60.0
    class_.say(3, "2")  # who is in may change
    assert len(class_.ballot.answered) == 50
    assert sys.getsizeof(class_.ballot._paces) < 10_000


def test_an_order_is_counted_place_by_place() -> None:
    class_ = Class(ORDER)
    for who, answer in enumerate(([1, 2, 0], [1, 2, 0], [2, 1, 0])):
        class_.say(who, answer)
    class_.ballot.close()
    told = class_.ballot.told
    assert told["tally"]["places"] == [[0, 0, 3], [2, 1, 0], [1, 2, 0]]
    assert (told["tally"]["order"], "right" in told) == ([1, 2, 0], False)
    class_.ballot.reveal()
    assert class_.ballot.told["right"]["order"] == [1, 2, 0]
    assert "2 of 3" in class_.ballot.told["right"]["words"]


KG = Typed("How heavy?", "kg", 0.5, 0.025)


@given(st.lists(st.floats(-LARGEST, LARGEST), max_size=120))
def test_every_number_is_counted_once(answers: list[float]) -> None:
    told = tally(KG, answers)
    assert sum(row["count"] for row in told["rows"]) == told["total"] == len(answers)
    assert len(told["rows"]) <= max(MOST_VALUES, MOST_INTERVALS + 3)
    assert "NaN" not in json.dumps([told, revealed(KG, answers, told)], allow_nan=False)


def test_curves_are_bundled() -> None:
    curve = Drawn("How?", "rad", 2.0, -1.0, 1.0, tuple(np.linspace(-1.0, 1.0, 41)))
    answers = [tuple(np.full(KNOTS, value)) for value in np.linspace(-1.0, 1.0, 143)]
    told = tally(curve, answers)
    assert len(told["curves"]) == MOST_CURVES
    assert f"{MOST_CURVES} of them are drawn." in told["notes"]
    assert [row[0] for row in told["band"]] == [250, 500, 750]
    assert "half of them end between −0.5 and 0.5 rad" in told["words"]
    assert revealed(curve, answers, told)["curve"] == list(range(0, 1001, 25))
    assert len(json.dumps(told)) < 12_000  # what each follower gets


def test_without_answers_there_is_nothing_to_count() -> None:
    for asked in (
        KG, Chosen("?", ("a", "b")), Drawn("?", "m", 1.0, 0.0, 1.0, (0.0, 1.0)), Ordered("?", ("a", "b"), (1, 0)),
        Tried("?", "a/b", "a:1"),
    ):  # fmt: skip
        told = tally(asked, [])
        assert (told["total"], told["words"]) == (0, "Nobody has answered."), asked
        assert " of 0" not in revealed(asked, [], told)["words"], asked


def test_a_unit_is_words() -> None:
    asked = Typed("How heavy?", "<b>", 0.5, 0.025)
    told = tally(asked, [0.5, *np.linspace(0.0, 1.0, 30)])
    assert "<b>" not in json.dumps([told["rows"], tally(asked, [0.5])["rows"]])


def test_formulas_between_dollars_are_typeset_and_carry_no_markup() -> None:
    options = [r"$\lambda$", "$5 or $6", r"$\frac$"]
    asked = own_question({"ask": "Is $x^2 < a$ <i>so</i>?", "kind": "choice", "options": options})
    assert isinstance(asked, Chosen)
    assert "<msup>" in asked.ask
    assert asked.ask.endswith("</math> &lt;i&gt;so&lt;/i&gt;?")
    assert "<mi>λ</mi>" in asked.options[0]
    assert asked.options[1:] == tuple(options[1:])  # what costs dollars is none, nor what is no formula
    assert "<img" not in own_question({"ask": r"$\text{<img src=x onerror=alert(1)>}$", "kind": "number"}).ask
