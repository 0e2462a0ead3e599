"""The lecturer's side: a question of one's own, counted without being shown, then shown, revealed, and gone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from app.asking import Asking, Chosen, Typed
from app.asking.asked import Refusal, Said
from app.asking.own import QuestionError, own_question
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
        assert self.asking.told is not None
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
    assert asking._board.told == asking.told
    assert told.session.whispered == "Right is: a < b. 1 of 2 chose it."
    before = told.stirred
    told.press({"do": "end"})
    assert asking.told is None
    assert told.stirred == before + 1


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
    told.press(WHICH)  # nobody is there
    assert told.asking.told is None


def test_the_page_goes_on_once_when_the_answer_is_revealed(told: Told) -> None:
    went: list[str] = []
    told.asking.go_on = went.append
    told.asking.ask(Chosen("?", ("a", "b"), frozenset({0}), where="gain:3"))
    for what in ("reveal", "close", "reveal", "reveal", "close"):
        told.press({"do": what})
    assert went == ["gain:3"]


@pytest.mark.parametrize("is_first_gone", [True, False])
def test_a_page_that_is_loaded_anew_finds_its_question(make: Callable[[], Told], is_first_gone: bool) -> None:
    first = make()
    first.press(WHICH)
    first.answer("anna", 0)
    number = first.asking.told["number"]
    if is_first_gone:
        first.asking.end(is_over=False)
    second = make()  # has begun with the same code
    first.asking.end(is_over=False)
    assert first.asking.told is None
    assert second.asking.told["number"] == number
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


def test_it_fills_the_screen_of_a_projector(told: Told) -> None:
    told.session.projector = True
    assert told.asking.dialog.full_screen
    told.session.projector = False
    assert not told.asking.dialog.full_screen


NO_QUESTION: list[dict[str, Any]] = [
    {},
    {"ask": "?", "kind": "task"},
    {**WHICH, "ask": "  "},
    {**WHICH, "ask": "x" * 301},
    {**WHICH, "ask": 7},
    {**WHICH, "options": ["one"]},
    {**WHICH, "options": ["one", "one"]},
    {**WHICH, "options": ["a"] * 7},
    {**WHICH, "options": [1, 2, 3]},
    {**WHICH, "options": {"a": 1}},
    {**WHICH, "right": 1},
    {"ask": "?", "kind": "number", "value": "a lot"},
    {"ask": "?", "kind": "number", "value": "1e300"},
    {"ask": "?", "kind": "number", "value": "1 kg"},
    {"ask": "?", "kind": "number", "unit": "m" * 21},
]


@pytest.mark.parametrize("said", NO_QUESTION)
def test_what_is_no_question_is_refused_in_words(told: Told, said: dict[str, Any]) -> None:
    with pytest.raises(QuestionError, match=r"\.$"):
        own_question(said)
    told.press({**said, "do": "ask"})
    assert told.asking.told is None
    assert told.asking._board.word


def test_formulas_between_dollars_are_typeset_and_what_costs_dollars_is_none() -> None:
    options = [r"$\lambda$", "$5 or $6", r"$\frac$"]
    asked = own_question({"ask": "Is $x^2 < a$ <i>so</i>?", "kind": "choice", "options": options})
    assert isinstance(asked, Chosen)
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in asked.ask
    assert asked.ask.startswith("Is <math")
    assert asked.ask.endswith("</math> &lt;i&gt;so&lt;/i&gt;?")
    typeset, prices, broken = asked.options
    assert "<mi>λ</mi>" in typeset
    assert prices == "$5 or $6"
    assert broken == options[2]
    smuggled = own_question({"ask": r"$\text{<img src=x onerror=alert(1)>}$", "kind": "number"})
    assert "<img" not in smuggled.ask


def test_a_number_with_a_unit(told: Told) -> None:
    assert own_question({"ask": "How far?", "kind": "number", "unit": "kg m²", "value": "0,5"}) == Typed(
        "How far?", "kg m²", 0.5, 0.025
    )
    assert own_question({"ask": "How far?", "kind": "number"}) == Typed("How far?")
    for junk in (None, "ask", 3, {"do": 3}, {"do": "close"}, {}):
        told.press(junk)
    assert told.asking.told is None
