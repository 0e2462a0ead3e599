"""The question before the answer: choices from what really holds and fails, and what is right of them."""

from __future__ import annotations

import pytest

import dynamics as dyn
from app.state import Session
from app.state.breakage import Breakage
from app.state.guess import NONE, OFFERED, question_of
from app.state.outcome import broken_at
from app.views.outcome_html import answer_html, question_html

P_LINE = "inward_filter.prediction.P"
BREAKS = (
    f"{P_LINE}~phi-P_plus-phi~drop",
    "inward_filter.correction.eps~H-z~drop",
    "outward_smoother.correction.theta_dd~nu~drop",
)


def checks_of(preset: str, *breaks: str) -> tuple[dyn.Check, ...]:
    run = Session(preset).run
    run.accept(run.compute())
    return broken_at(run.solution_at(0.2), None, frozenset(breaks)).checks


@pytest.mark.parametrize("preset", ["puma560", "two_arms_and_box", "free_flyer"])
@pytest.mark.parametrize("key", BREAKS)
def test_what_is_right_is_what_fails(preset: str, key: str) -> None:
    checks = checks_of(preset, key)
    question = question_of(checks, Session(preset).system)
    fails = {check.identity.key for check in checks if not check.holds}
    assert fails
    offered = [check.identity.key for check in question.choices]
    assert len(set(offered)) == OFFERED
    assert {each for each in offered if question.is_right(each)} == fails & set(offered) != set()
    assert not fails >= set(offered)  # one has to think
    assert not question.is_right(NONE)
    system = Session(preset).system
    for guess in (*offered, NONE):
        told = answer_html(question, guess, system)
        assert ("Right." in told) is (guess in fails)
        assert "fails" in told
    assert answer_html(question, "", system) == ""
    shown = question_html(question)
    assert shown.count("data-go='guess ") == OFFERED + 1
    assert shown.count("tabindex='0'") == OFFERED + 2
    assert shown.count("data-go='tell'") == 1


def test_that_nothing_fails_is_right_where_nothing_does() -> None:
    question = question_of(checks_of("puma560", "bias.prediction.b~f~drop"), Session("puma560").system)
    assert question.first is None
    assert question.is_right(NONE)
    assert not any(question.is_right(check.identity.key) for check in question.choices)
    system = Session("puma560").system
    assert "Right." in answer_html(question, NONE, system)
    assert "Nothing fails" in answer_html(question, question.choices[0].identity.key, system)


def test_only_what_is_offered_can_be_guessed() -> None:
    question = question_of(checks_of("puma560", BREAKS[0]), Session("puma560").system)
    assert not question.offers("<script>")
    assert question.offers(NONE)


def test_a_guess_about_another_text_is_neither_right_nor_wrong() -> None:
    """Mending one of two breaks, or opening another machine, asks another question, which may not offer that choice."""
    session = Session("puma560")
    breakage = Breakage(session)
    first, second = BREAKS[1:]
    breakage.toggle(first)
    breakage.toggle(second)
    for other in range(2):
        breakage.tell("kinematics")
        assert breakage.guess == "kinematics"
        if other:
            session.open_preset("iiwa14")
        else:
            breakage.toggle(first)
        assert breakage.guess == ""
    question = question_of(checks_of("puma560", BREAKS[0]), Session("puma560").system)
    offered = {each.identity.key for each in question.choices}
    elsewhere = next(check.identity.key for check in checks_of("puma560") if check.identity.key not in offered)
    assert answer_html(question, elsewhere, Session("puma560").system) == ""
